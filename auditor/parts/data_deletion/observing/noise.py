"""Measure the noise of the rerun, recovered from its iterates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from auditor.parts.data_deletion.judging.noise import accepted
from auditor.parts.data_deletion.judging.observed import MeasuredNoise, NoiseOfUpdate

_SHARES: Final = 256
"""Parts of the accepted interval that a measured variance is rounded to: the noise is a secret, and its size reveals it."""


def measured(told: Sequence[Mapping[str, float | bool | str]], declared: float) -> MeasuredNoise | None:
    """The noise that the rerun reports; None where it does not tell, or added none at all.

    Args:
        told: What the procedure says after learning and after each batch; updates of no step are left out.
        declared: σ².
    """
    counts, means = [], []
    for facts in told:
        count, mean = facts.get("noise_count"), facts.get("noise_variance")
        if not isinstance(count, int | float) or not isinstance(mean, int | float) or count != int(count) or count < 0:
            return None
        counts.append(int(count))
        means.append(float(mean))
    total = sum(counts)
    if not total:
        return None
    updates = tuple(
        NoiseOfUpdate(number=number, measured=_rounded(mean, declared, count, among=len(counts)), count=count)
        for number, (count, mean) in enumerate(zip(counts, means, strict=True))
        if count
    )
    pooled = sum(count * mean for count, mean in zip(counts, means, strict=True)) / total
    return MeasuredNoise(measured=_rounded(pooled, declared, total), count=total, updates=updates, told=len(counts))


def _rounded(mean: float, declared: float, count: int, *, among: int = 1) -> float:
    """A mean square to a part of the interval that is accepted for it."""
    within = accepted(declared, count, among)
    share = (within.high - within.low) / _SHARES
    return declared + share * round((mean - declared) / share) if share else mean
