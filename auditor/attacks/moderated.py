"""Variances of many records, each estimated from a few models, drawn towards what the records have in common.

The model is Smyth's (2004, Section 6): variances follow a scaled inverse chi-squared distribution, and given its variance σ² a
record's estimate s² from d degrees of freedom is σ²·χ²_d/d. Then log s² varies by trigamma(d/2) + trigamma(w/2), where w is the
weight of the prior, in degrees of freedom: what the logarithms vary beyond trigamma(d/2) gives w, and their mean gives the
prior's scale. A record's moderated variance is

    (w·scale + d·s²) / (w + d)

Where records hardly differ w is large, and all share one variance; where they do it is small, and each has its own, from few
models on. So nothing has to be chosen, and no number of models is a cliff. Logarithms, and not the variances themselves: outputs
near 0 and 1 have variances that are many orders of magnitude apart, and the largest would set every other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from auditor.base.records import Floats
from auditor.maths import special

_STEPS: Final = 50
_NEARLY: Final = 1e-10
_TINY: Final = 1e-7
"""A smaller excess of the logarithms' variance counts as none: the weight would be as good as infinite."""


@dataclass(frozen=True, slots=True)
class Prior:
    """What variances have in common."""

    scale: float
    """The variance that the prior stands for."""
    weight: float
    """Its degrees of freedom: ∞ where all variances are one."""

    def moderated(self, variances: Floats, freedom: int) -> Floats:
        """Draw estimates towards the prior, shape (n,).

        Args:
            variances: Unbiased estimates, shape (n,); any numbers where they have no degree of freedom.
            freedom: Degrees of freedom of each, at least 0.
        """
        if not freedom or math.isinf(self.weight):
            return np.full(np.shape(variances), self.scale)
        own = freedom / (self.weight + freedom)
        return np.asarray((1 - own) * self.scale + own * variances)


def prior_of(variances: Floats, freedom: int, *, least: float) -> Prior:
    """Find the prior by the mean and the variance of the logarithms.

    Args:
        variances: Unbiased estimates, shape (n,), n at least 1.
        freedom: Degrees of freedom of each, at least 1.
        least: Smaller variances count as this one, above 0.
    """
    logs = np.log(np.maximum(variances, least))
    excess = float(logs.var(ddof=1) - special.polygamma(1, freedom / 2)) if len(logs) > 1 else 0.0
    if excess <= _TINY:
        return Prior(float(np.mean(variances)), math.inf)
    half = _inverse_trigamma(excess)
    return Prior(float(np.exp(logs.mean() - _log_bias(freedom / 2) + _log_bias(half))), 2 * half)


def _log_bias(half: float) -> float:
    """The mean of log(χ²_d/d), with d = 2·half."""
    return float(special.digamma(half)) - math.log(half)


def _inverse_trigamma(value: float) -> float:
    """Solve trigamma(x) = value by Newton's method on 1/trigamma, which is convex (Smyth 2004, appendix)."""
    found = 0.5 + 1 / value
    for _ in range(_STEPS):
        there = float(special.polygamma(1, found))
        step = there * (1 - there / value) / float(special.polygamma(2, found))
        found += step
        if -step <= _NEARLY * found:
            break
    return found
