"""The SWAP test in words: what was found, how small an effect would have been found, and what the test does not say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditor.report import readings, swap_readings, wording
from auditor.words import guesses
from auditor.words.texts import say, text
from auditor.words.told import ToldCheck


def finding(check: ToldCheck) -> str | None:
    """One plain sentence on what `swap.quality` found; None where it came to no value.

    The advantage 1 − Q is TPR − FPR, told as right guesses out of 100. A number after `at most` is rounded up, one after
    `at least` down.
    """
    if check.id != "swap.quality" or check.value is None:
        return None
    found = swap_readings.qualities(check)
    trust = readings.positive(check.details.get("confidence")) if found.procedure.ends else None
    confidence = say("swap-found-confidence", confidence=wording.percent(trust)) if trust else ""
    idle = found.do_nothing.value
    beside = "" if idle is None else say("swap-found-baseline", about=_about(1 - idle))
    amount = _amount(check, found.procedure.ends, check.value)
    return say("swap-found", amount=amount, confidence=confidence, beside=beside)


def blind(check: ToldCheck) -> str | None:
    """The warning that the test cannot tell good from bad here; None where the no-unlearning baseline lies below the threshold.

    The baseline's whole interval has to lie below `min_quality` before a high Q says anything.
    """
    idle = swap_readings.qualities(check).do_nothing
    top = idle.ends[1] if idle.ends else idle.value
    if check.threshold is None or top is None or top < check.threshold:
        return None
    return say(
        "swap-blind", quality=wording.number(idle.value), interval=_bracket(idle.ends), threshold=wording.number(check.threshold)
    )


def power(details: Mapping[str, Any]) -> str:
    """How small an advantage this run would have found."""
    smallest = readings.positive(details.get("smallest_advantage"))
    if smallest is None:
        return say("swap-power-none")
    pairs, chance = readings.count(details.get("pairs")), readings.positive(details.get("power"))
    lead = "" if pairs is None else say("swap-power-pairs", pairs=wording.plural(pairs, "pair"))
    often = "" if chance is None else say("swap-power-chance", chance=wording.percent(chance))
    said = say("swap-power", about=_about(smallest), often=often)
    return lead + said if lead else said[0].upper() + said[1:]


def over_unlearned(details: Mapping[str, Any]) -> str | None:
    """What over-unlearning means, where the sign of the advantage shows it; else None."""
    return text("swap-over-unlearned") if details.get("over_unlearned") is True else None


def silences(details: Mapping[str, Any]) -> tuple[str, ...]:
    """What the SWAP test does not say, in sentences."""
    drawn = say("swap-silent-weighted") if details.get("weighted") is True else say("swap-silent-unweighted")
    people = say("swap-silent-people")
    filtering = say("swap-silent-filters")
    return (
        say("swap-silent-learner"),
        say("swap-silent-drawn", drawn=drawn, people=people),
        say("swap-silent-attacks"),
        say("swap-silent-answers", filtering=filtering),
        say("swap-silent-one-model"),
    )


def _amount(check: ToldCheck, ends: tuple[float, float] | None, value: float) -> str:
    """How many guesses were right: the end of the interval that decides, or both."""
    if ends is None:
        return _about(1 - value)
    least, most = (guesses.of_advantage(1 - end) for end in (ends[1], ends[0]))
    if check.threshold is not None and ends[0] >= check.threshold:
        return say("swap-at-most", most=guesses.at_most(most))
    if check.threshold is not None and ends[1] < check.threshold:
        return say("swap-at-least", least=guesses.at_least(least))
    return say("swap-between", least=guesses.at_least(least), most=guesses.at_most(most))


def _about(advantage: float) -> str:
    return guesses.about(guesses.of_advantage(advantage))


def _bracket(ends: tuple[float, float] | None) -> str:
    return "" if ends is None else f" ({wording.interval(ends)})"
