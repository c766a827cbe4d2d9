"""The noise of the rerun against the variance that is declared, by a chi-squared test at a level that honest runs hardly meet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from auditor.base.domain import Interval
from auditor.maths.statistics import accepted_variance, detectable_deviation
from auditor.parts.data_deletion.judging.derived import AcceptedNoise, AcceptedUpdate
from auditor.parts.data_deletion.judging.observed import MeasuredNoise
from auditor.verdict.checks.levels import share

TEST: Final = "noise"
"""The share of the level that all updates together and each by itself are held to."""
SIGNIFICANCE: Final = share(TEST) / 2
"""How often an honest rerun is refused, two-sided, by all updates together; for each by itself as much is divided among them."""
POWER: Final = 0.99


@cache
def accepted(declared: float, count: int, among: int = 1) -> Interval:
    """The interval in which the mean of so many squares does not refuse the declared variance.

    Args:
        declared: σ².
        count: Numbers that were added.
        among: The updates that share the level; 1 for all of them together.
    """
    return accepted_variance(declared, count, significance=SIGNIFICANCE / among)


def judged(declared: float, noise: MeasuredNoise) -> AcceptedNoise:
    """The noise of all updates together and of each, with what is accepted."""
    whole = accepted(declared, noise.count)
    updates = [(each, accepted(declared, each.count, noise.told)) for each in noise.updates]
    return AcceptedNoise(
        declared=declared,
        measured=noise.measured,
        count=noise.count,
        low=whole.low,
        high=whole.high,
        detects=detectable_deviation(noise.count, significance=SIGNIFICANCE, power=POWER),
        significance=SIGNIFICANCE,
        power=POWER,
        updates=tuple(
            AcceptedUpdate(measured=each.measured, count=each.count, low=within.low, high=within.high) for each, within in updates
        ),
    )


def refuses(found: AcceptedUpdate) -> bool:
    """Whether what was measured refuses the declared variance."""
    return not found.low <= found.measured <= found.high


def refused(noise: MeasuredNoise, found: AcceptedNoise) -> Sequence[int]:
    """The numbers of the updates that refuse the declared variance by themselves."""
    return [each.number for each, update in zip(noise.updates, found.updates, strict=True) if refuses(update)]
