"""Sentences of `model.reproduced`, `utility.accuracy` and `cost.speedup`."""

from __future__ import annotations

import math
from typing import Final

from auditor.pages.words.kinds import Given, Sentence, Sentences
from auditor.pages.words.lists import both
from auditor.pages.words.texts import say, text


def power(value: float) -> str:
    """A power of two as it is written in audit.toml."""
    fraction, exponent = math.frexp(value)
    return f"2^{exponent - 1}" if fraction == 0.5 else f"{value:.3g}"


def _of_grid(message: str) -> Sentence:
    """Says a grid as it is written in audit.toml."""
    return lambda given: say(message, **{**given, "grid": None if given["grid"] is None else power(given.number("grid"))})


def _within_chance(given: Given) -> str:
    low, high = (f"{100 * given.number(name):.1f}" for name in ("low", "high"))
    table = text(f"rerun-table-{given['table']}")
    return say("rerun-within-chance", table=table, low=low, high=high, allowed=f"{100 * given.number('allowed'):.3g}")


def _holds(given: Given) -> str:
    return say("rerun-container", holds="; ".join(given.words("holds")))


def _other_tensors(given: Given) -> str:
    return say("rerun-other-tensors", how="; ".join(given.words("how")))


def _not_loaded(given: Given) -> str:
    return say("rerun-not-loaded", lacking=both([text("common-no-method", name=each) for each in given.words("lacking")]))


def _unchanged(given: Given) -> str:
    return say("rerun-unchanged", batches=", ".join(map(str, given.many("batches"))))


def _of_file(message: str) -> Sentence:
    """Says a format and a place in a file by their names."""

    def sentence(given: Given) -> str:
        shown = dict(given)
        if "tree" in shown:
            shown["place"] = say("rerun-file-place", tree=shown["tree"], field=shown.pop("field"))
        if "kind" in shown and message != "rerun-file-spelling":
            shown["kind"] = text(f"rerun-format-{shown['kind']}")
        return say(message, **shown)

    return sentence


SENTENCES: Final[Sentences] = {
    "model.reproduced.container": _holds,
    "model.reproduced.other-tensors": _other_tensors,
    "model.reproduced.equal-on-grid": _of_grid("rerun-equal-on-grid"),
    "model.reproduced.grid-too-fine": _of_grid("rerun-grid-too-fine"),
    "model.reproduced.grid-too-coarse": _of_grid("rerun-grid-too-coarse"),
    "model.reproduced.off-grid": _of_grid("rerun-off-grid"),
    "model.reproduced.remedy": _of_grid("rerun-remedy"),
    "model.reproduced.not-loaded": _not_loaded,
    "model.reproduced.file.compared": _of_file("rerun-file-compared"),
    "model.reproduced.file.other": _of_file("rerun-file-other"),
    "model.reproduced.file.near": _of_file("rerun-file-near"),
    "model.reproduced.file.besides": _of_file("rerun-file-besides"),
    "model.reproduced.file.spelling": _of_file("rerun-file-spelling"),
    "model.reproduced.file.unreadable": _of_file("rerun-file-unreadable"),
    "utility.accuracy.within-chance": _within_chance,
    "cost.speedup.unchanged": _unchanged,
}
