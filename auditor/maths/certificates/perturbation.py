"""How long a random linear term b of the loss can be: what a bound may use in its place, so that it tells nothing of b."""

from __future__ import annotations

import math
from typing import Final, Literal, TypeAlias

from auditor.maths import special

Distribution: TypeAlias = Literal["gaussian", "laplace"]
"""N(0, σ²I), or the density proportional to exp(−‖b‖₂/σ) of Guo et al. 2020, Theorem 3(i), whose exponent they misprint."""

TAIL: Final = 1e-12
"""The chance with which a perturbation may be longer than `perturbation_norm_bound` says."""


def perturbation_norm_bound(dimensions: int, *, sigma: float, distribution: Distribution = "gaussian") -> float:
    """What ‖b‖ exceeds with probability 1e-12 only.

    Reports use it in place of ‖b‖ itself, which would give away part of the secret.
    """
    if distribution == "gaussian":
        return sigma * math.sqrt(float(special.chdtri(dimensions, TAIL)))
    return sigma * float(special.gammainccinv(dimensions, TAIL))
