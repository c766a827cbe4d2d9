"""Sentences of `epsilon.consistency`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from auditor.pages.words.kinds import Given, Sentences
from auditor.pages.words.texts import say, text


def _listed(rows: Iterable[Given]) -> str:
    return "; ".join(f"{row['against']}: {row['why']}" for row in rows)


def _nothing_stated(given: Given) -> str:
    return say("epsilon-nothing-stated", why=_listed(given.rows("rows")) or text("epsilon-none-claimed"))


def _nothing_further(given: Given) -> str:
    why = _listed(given.rows("rows"))
    return f"{why[:1].upper()}{why[1:]}."


def _not_tested(given: Given) -> str:
    message = "epsilon-not-tested-at-all" if given["noticed"] is None else "epsilon-not-tested"
    return say(message, **{**given, "power": f"{100 * given.number('power'):.4g}"})


def _power(given: Given) -> str:
    return say("epsilon-power", **{**given, "power": f"{100 * given.number('power'):.4g}"})


def _correction(given: Given) -> str:
    return say("epsilon-correction", **{"families": 1, **given})


def _fallen(given: Given) -> str:
    fallen = "; ".join(f"{each['against']} (ε = {each.number('epsilon'):.4g})" for each in given.rows("fallen"))
    return say("epsilon-refuted", **{**given, "fallen": fallen, "confidence": f"{100 * given.number('confidence'):.4g}"})


SENTENCES: Final[Sentences] = {
    "epsilon.consistency.nothing-stated": _nothing_stated,
    "epsilon.consistency.nothing-further": _nothing_further,
    "epsilon.consistency.not-tested": _not_tested,
    "epsilon.consistency.power": _power,
    "epsilon.consistency.correction": _correction,
    "requester.refuted": _fallen,
}
