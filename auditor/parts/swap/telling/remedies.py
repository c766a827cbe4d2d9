"""Remedies of `swap.quality`: what would decide the SWAP test, and how long that would take."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from auditor.pages import wording
from auditor.pages.estimates import Estimate
from auditor.pages.remedies import parameters
from auditor.pages.remedies.advice import Advice, Owner, Subject, Tell, executed, retrain
from auditor.pages.remedies.lasting import TRAININGS_A_PAIR, time_of
from auditor.pages.words.texts import text
from auditor.parts.swap.judging import quality as swap_quality
from auditor.parts.swap.judging.game import LEAST_FORGOTTEN, LEAST_PAIRS
from auditor.parts.swap.telling.swap_words import deciding, qualities

MOST_PAIRS: Final = 2000
"""More pairs than that are no advice."""
MARGIN: Final = 1.2
"""What the estimate of pairs is multiplied by: the interval of a new draw is a little wider or narrower."""


def quality(about: Subject) -> Iterator[Advice]:
    """Retrain where attacks see a difference; where it is open, the pairs that would decide, or why no number would."""
    requests = executed(about.told)
    if about.fails:
        own = qualities(about.check).procedure
        found = text(
            "remedy-swap-found",
            value=wording.number(own.value),
            threshold=wording.number(about.check.threshold),
            attack=wording.shown(deciding(about.check)),
        )
        yield retrain(about, found)
        return
    found, action = _undecided(about)
    yield Advice(found, action, Owner.MODEL, requests=requests, tell=Tell.OPEN)


def pairs_that_decide(value: Estimate, threshold: float, pairs: int) -> int | None:
    """Estimate the swap pairs with which the interval of a Q would no longer hold the threshold.

    The interval shrinks with the square root of the pairs; Q is taken to stay where it is.

    Args:
        value: Q and its interval.
        threshold: What Q is held against.
        pairs: That the interval comes from.

    Returns:
        The pairs, at least those there were; None where Q lies on the threshold, or has no interval.
    """
    if value.value is None or value.ends is None or value.value == threshold:
        return None
    margin = abs(value.value - threshold)
    half = value.value - value.ends[0] if value.value > threshold else value.ends[1] - value.value
    return max(pairs, math.ceil(MARGIN * pairs * (half / margin) ** 2))


def _undecided(about: Subject) -> tuple[str, str]:
    codes, sizes = about.given, about.told.sizes.swap
    if "swap.quick" in codes:
        return text("remedy-quick-found"), text("remedy-quick")
    if (instead := _not_played(about)) is not None:
        return instead
    threshold, found = about.check.threshold, qualities(about.check)
    derived = about.check.derived_as(swap_quality.Derived)
    pairs = sizes.pairs if derived is None or not derived.pairs else derived.pairs
    if threshold is None or found.procedure.value is None:
        return wording.shown(about.check.basis), text("remedy-as-the-reason-says")
    given = {"value": wording.number(found.procedure.value), "threshold": wording.number(threshold)}
    idle = found.do_nothing
    if "swap.quality.all-blind" in codes or (idle.value is not None and idle.value >= threshold):
        return (
            text("remedy-swap-blind-found", idle=wording.number(idle.value), **given),
            text("remedy-swap-blind"),
        )
    estimates = (pairs_that_decide(each, threshold, pairs) for each in (found.procedure, idle))
    wanted = [each for each in estimates if each is not None]
    most = max([*wanted, LEAST_PAIRS if "swap.quality.few-pairs" in codes else 0, pairs + 1])
    if not wanted or most > MOST_PAIRS:
        return text("remedy-swap-close-found", **given), text("remedy-swap-blind")
    said = text(
        "remedy-more-pairs",
        pairs=wording.number(most),
        had=wording.number(pairs),
        time=time_of(about, TRAININGS_A_PAIR * most * sizes.models),
    )
    low, high = found.procedure.ends or (found.procedure.value, found.procedure.value)
    ends = {"low": wording.number(low), "high": wording.number(high)}
    return text("remedy-swap-open-found", **given, **ends, had=wording.number(pairs)), said


def _not_played(about: Subject) -> tuple[str, str] | None:
    """What would let pairs be played, where none were."""
    codes, sizes = about.given, about.told.sizes.swap
    if "swap.one-run.never-passes" in codes:
        trainings = TRAININGS_A_PAIR * sizes.pairs * sizes.models
        return text("remedy-swap-one-run-found"), text("remedy-swap-one-run", time=time_of(about, trainings))
    if "swap.not-shown" in codes:
        why = wording.shown(parameters.words(codes["swap.not-shown"].get("why")))
        return (
            text("remedy-swap-unplayable-found", why=why),
            text("remedy-swap-unplayable", least=wording.number(_least_records(sizes.alpha))),
        )
    return None


def _least_records(alpha: float) -> int:
    """Training records from which on a split has enough to forget."""
    return 2 * math.ceil(LEAST_FORGOTTEN * (1 + alpha) / alpha)
