"""Sentences on the model about to be released."""

from __future__ import annotations

import math
from functools import reduce
from typing import Final

from auditor.pages.words.kinds import Given, Sentence, Sentences
from auditor.pages.words.lists import and_more, both, listed, span
from auditor.pages.words.texts import Named, say, text

_KINDS: Final = Named("release-kind-")


def _compared(given: Given) -> str:
    of, batches = given["of"], given["batches"]
    which = "release-only-batch" if of == 1 else "release-every-batch" if batches == of else "release-some-batches"
    objects = given["objects"] if "object" in given.words("kinds") else None
    kinds = listed(_KINDS[each] for each in given.words("kinds"))
    return say("release-compared", which=say(which, of=of, batches=batches), kinds=kinds, objects=objects)


def _differing(given: Given) -> str:
    names = [
        each.word("name") if each["kind"] in {"object", "scalar"} else _KINDS[each.word("kind")] for each in given.rows("items")
    ]
    return say("release-differing", batch=given["batch"], names=and_more(names, given.count("more")), largest=given["largest"])


def _let_pass(given: Given) -> str:
    return say("release-let-pass", names=and_more(given.words("names"), given.count("more")), bytes=given["bytes"])


def _no_reaction(given: Given) -> str:
    tried = ("other_rows", "release-other-rows"), ("other_labels", "release-other-labels")
    other = [text(message) for name, message in tried if not given[name]]
    return say("release-no-reaction", other=reduce(lambda first, last: text("release-and-with", first=first, last=last), other))


def _batches(message: str) -> Sentence:
    return lambda given: say(message, batches=", ".join(str(each) for each in given.many("batches")))


_SOURCES: Final = Named("remembers-source-")
_ATTACKS: Final = Named("remembers-attack-")
_NEAR: Final = Named("remembers-near-")
_PARTS: Final = Named("remembers-part-")


def _most(given: Given) -> str:
    names = {
        "attack": _ATTACKS[given.word("attack")],
        "near": _NEAR[given.word("neighbourhood")],
        "part": _PARTS[given.word("part")],
    }
    return say("remembers-most", **{**given, **names})


def _left_out(given: Given) -> str:
    return say("remembers-left-out", names=both([_NEAR[each] for each in given.words("neighbourhoods")]))


def _pool(given: Given) -> str:
    return say(
        "remembers-pool",
        **{**given, "whose": _SOURCES[given.word("source")], "all": given.number("asked") >= given.number("deleted")},
    )


def _no_second(given: Given) -> str:
    seconds = given["seconds"]
    return say("remembers-no-second", **{**given, "time": None if seconds is None else span(given.number("seconds"))})


def _of_share(message: str) -> Sentence:
    """Says what a share above 1 means, where there is one."""

    def sentence(given: Given) -> str:
        above = text("remembers-above-one") if given.number("share") > 1 else ""
        return say(message, **{**given, "above": above})

    return sentence


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
    "release.exact.not-compared": _batches("release-not-compared"),
    "release.exact.compared": _compared,
    "release.exact.differing": _differing,
    "release.exact.let-pass": _let_pass,
    "release.exact.no-reaction": _no_reaction,
    "release.exact.unchanged": _batches("release-unchanged"),
    "release.remembers.pool": _pool,
    "release.remembers.most": _most,
    "release.remembers.left-out": _left_out,
    "release.remembers.no-second": _no_second,
    "release.remembers.share": _of_share("remembers-share"),
    "release.remembers.half-left": _of_share("remembers-half-left"),
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
