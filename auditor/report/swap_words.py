"""The SWAP test in words: what was found, how small an effect would have been found, and what the test does not say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.report import readings, swap_readings, wording
from auditor.words import guesses
from auditor.words.told import ToldCheck

OVER_UNLEARNED: Final = (
    "Over-unlearned: the deleted records look less like training data than records that the model never saw. That marks them "
    "as well."
)
"""What a clearly negative advantage means."""
SCOPE: Final = "The SWAP test covers this learner, this data and sets drawn at random, not the people in the log."
"""What the SWAP test leaves open, in one sentence."""


def finding(check: ToldCheck) -> str | None:
    """One plain sentence on what `swap.quality` found; None where it came to no value.

    The advantage 1 − Q is TPR − FPR, told as right guesses out of 100. A number after `at most` is rounded up, one after
    `at least` down.
    """
    if check.id != "swap.quality" or check.value is None:
        return None
    found = swap_readings.qualities(check)
    trust = readings.positive(check.details.get("confidence")) if found.procedure.ends else None
    confidence = f" ({wording.percent(trust)} confidence)" if trust else ""
    idle = found.do_nothing.value
    beside = "" if idle is None else f", and {_about(1 - idle)} on the no-unlearning baseline"
    amount = _amount(check, found.procedure.ends, check.value)
    return (
        "In the SWAP test the best of the attacks tried distinguished deleted records from records that the model never saw with "
        f"{amount} of 100 guesses right{confidence}. Guessing is right 50 times{beside}."
    )


def blind(check: ToldCheck) -> str | None:
    """The warning that the test cannot tell good from bad here; None where the no-unlearning baseline lies below the threshold.

    The baseline's whole interval has to lie below `min_quality` before a high Q says anything.
    """
    idle = swap_readings.qualities(check).do_nothing
    top = idle.ends[1] if idle.ends else idle.value
    if check.threshold is None or top is None or top < check.threshold:
        return None
    return (
        f"On this model the test cannot tell good unlearning from none: the baseline that unlearned other records comes out at "
        f"Q = {wording.number(idle.value)}{_bracket(idle.ends)}, not wholly below {wording.number(check.threshold)}."
    )


def power(details: Mapping[str, Any]) -> str:
    """How small an advantage this run would have found."""
    smallest = readings.positive(details.get("smallest_advantage"))
    if smallest is None:
        return "How small an advantage this run would have found is not known."
    pairs, chance = readings.count(details.get("pairs")), readings.positive(details.get("power"))
    lead = "" if pairs is None else f"With {wording.plural(pairs, 'pair')}, "
    often = "" if chance is None else f" with {wording.percent(chance)} probability"
    said = f"an attack with {_about(smallest)} of 100 guesses right or more would have been found{often}; weaker ones may exist."
    return lead + said if lead else said[0].upper() + said[1:]


def over_unlearned(details: Mapping[str, Any]) -> str | None:
    """What over-unlearning means, where the sign of the advantage shows it; else None."""
    return OVER_UNLEARNED if details.get("over_unlearned") is True else None


def silences(details: Mapping[str, Any]) -> tuple[str, ...]:
    """What the SWAP test does not say, in sentences."""
    drawn = (
        "weighted by the sensitivity that the data declare" if details.get("weighted") is True else "each record as likely as any"
    )
    people = "They are not the people in the deletion log, whose records may be harder or easier to forget."
    filtering = "A procedure that filters answers can do well here while its weights still remember."
    return (
        "It covers this learner on this data set, and neither another learner nor other data.",
        f"It draws the sets to delete at random, {drawn}. {people}",
        "It tries the attacks that are listed. Others may find more.",
        f"It examines what the models answer, not their weights. {filtering}",
        "Its attacks see one model, after the deletion. Anyone who also has the model from before may learn more.",
    )


def _amount(check: ToldCheck, ends: tuple[float, float] | None, value: float) -> str:
    """How many guesses were right: the end of the interval that decides, or both."""
    if ends is None:
        return _about(1 - value)
    least, most = (guesses.of_advantage(1 - end) for end in (ends[1], ends[0]))
    if check.threshold is not None and ends[0] >= check.threshold:
        return f"at most {guesses.at_most(most)}"
    if check.threshold is not None and ends[1] < check.threshold:
        return f"at least {guesses.at_least(least)}"
    return f"between {guesses.at_least(least)} and {guesses.at_most(most)}"


def _about(advantage: float) -> str:
    return guesses.about(guesses.of_advantage(advantage))


def _bracket(ends: tuple[float, float] | None) -> str:
    return "" if ends is None else f" ({wording.interval(ends)})"
