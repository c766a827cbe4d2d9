"""Sentences of `swap.quality`, `swap.strong` and `swap.controls`."""

from __future__ import annotations

from typing import Final

from auditor.pages.words.kinds import Given, Sentences
from auditor.pages.words.lists import both
from auditor.pages.words.texts import say


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
    "swap.one-run.guessed": _guessed,
    "swap.one-run.power": _one_run_power,
    "swap.quality.played": _played,
    "swap.quality.weaker": _weaker,
    "swap.quality.missed": _missed,
    "swap.quality.blind-attacks": _blind_attacks,
    "swap.quality.trained-on": _trained_on,
}
