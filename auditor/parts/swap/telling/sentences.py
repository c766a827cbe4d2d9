"""Sentences on the SWAP test, and attacks that refute a claimed ε."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from auditor.pages.words.kinds import Given, Sentences
from auditor.pages.words.lists import both
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


def _played(given: Given) -> str:
    low, high = (f"{each:.3f}" for each in given.numbers("do_nothing"))
    return say("swap-played", **{**given, "confidence": f"{100 * given.number('confidence'):g}", "low": low, "high": high})


def _missed(given: Given) -> str:
    return say("swap-missed", models=given["models"], share=f"{100 * given.number('share'):.1f}")


def _blind_attacks(given: Given) -> str:
    return say("swap-blind-attacks", names=", ".join(given.words("attacks")), count=len(given.many("attacks")))


def _weaker(given: Given) -> str:
    said = [say("swap-without", names=", ".join(given.words("without")))] if given["without"] else []
    if given["confidence"] is not None:
        said.append(say("swap-confidence", confidence=f"{100 * given.number('confidence'):g}"))
    return say("swap-weaker", said=both(said))


def _trained_on(given: Given) -> str:
    measured = {"low": given.numbers("interval")[0], "mean": given.number("acceptance"), "high": given.numbers("interval")[1]}
    return say("swap-trained-on", attack=given["attack"], **{name: f"{100 * value:.1f}" for name, value in measured.items()})


def _guessed(given: Given) -> str:
    ends = {name: f"{given[name]:.3f}" for name in ("low", "high")}
    return say("swap-one-run-guessed", **{**given, **ends, "confidence": f"{100 * given.number('confidence'):g}"})


def _one_run_power(given: Given) -> str:
    if given["share"] is None:
        return say("swap-one-run-powerless")
    return say("swap-one-run-power", share=f"{given.number('share'):.2f}", power=f"{100 * given.number('power'):g}")


SENTENCES: Final[Sentences] = {
    "epsilon.consistency.nothing-stated": _nothing_stated,
    "epsilon.consistency.nothing-further": _nothing_further,
    "epsilon.consistency.not-tested": _not_tested,
    "epsilon.consistency.power": _power,
    "epsilon.consistency.correction": _correction,
    "requester.refuted": _fallen,
    "swap.one-run.guessed": _guessed,
    "swap.one-run.power": _one_run_power,
    "swap.quality.played": _played,
    "swap.quality.weaker": _weaker,
    "swap.quality.missed": _missed,
    "swap.quality.blind-attacks": _blind_attacks,
    "swap.quality.trained-on": _trained_on,
}
