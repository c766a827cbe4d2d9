"""Constructors of promises, every number rounded up; the kinds are those of `auditor.base.promises`."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Final, TypeVar

from auditor.base.promises import (
    EXACT,
    NOTHING,
    Approximate,
    Composition,
    Concentrated,
    Gaussian,
    Laplace,
    Promise,
    Pure,
    Renyi,
    Route,
    Several,
    Single,
    SubsampledGaussian,
)
from auditor.maths.certificates import gaussian
from auditor.maths.certificates.rounding import ceiling

__all__ = [
    "EXACT",
    "LARGEST_GROUP",
    "NOTHING",
    "Approximate",
    "Composition",
    "Concentrated",
    "Gaussian",
    "Laplace",
    "Promise",
    "Pure",
    "Renyi",
    "Route",
    "Several",
    "Single",
    "SubsampledGaussian",
    "finite",
    "gaussian_shift",
    "laplace_perturbation",
    "removal_budget",
]

LARGEST_GROUP: Final = 1_000
"""More records in one group of a subsampled training are promised by less than the mixture of their shifts."""

K = TypeVar("K", bound=Single)


def finite(kind: type[K], **parameters: Any) -> K | Approximate:
    """Make a promise of numbers that were rounded up; `NOTHING` where one exceeds the floating-point range."""
    if any(isinstance(each, float) and not math.isfinite(each) for each in parameters.values()):
        return NOTHING
    return kind(**parameters)


def gaussian_shift(length: float, sigma: float) -> Gaussian | Approximate:
    """Promise what Gaussian noise gives a shift of the mean: μ = length/σ, rounded up.

    For output noise it is shown. For a residual under loss perturbation it rests on Theorem 2 of Guo et al. 2020, whose proof
    takes the residual as independent of the perturbation: an attested assumption.

    Args:
        length: A bound on the Euclidean length of the shift, at least 0.
        sigma: The standard deviation of the noise in each coordinate, above 0.
    """
    return finite(Gaussian, mu=ceiling(Fraction(length) / Fraction(sigma)))


def removal_budget(epsilon: float, delta: float) -> Gaussian | Approximate:
    """Promise what a criterion leaves that keeps a residual within σμ, μ the largest one that meets (ε, δ).

    It is more than (ε, δ): the residual shifts a Gaussian by at most that μ (Balle and Wang 2018, Theorem 8). An (ε, δ) from
    anything else gives no μ. Loss perturbation rests on the same assumption as in `gaussian_shift`.

    Args:
        epsilon: At least 0.
        delta: Between 0 and 1.
    """
    return finite(Gaussian, mu=gaussian.mu(epsilon, delta))


def laplace_perturbation(length: float, scale: float, *, dimensions: int) -> Laplace | Pure | Approximate:
    """Promise what a perturbation of density proportional to exp(−‖b‖₂/scale) gives a shift: m = length/scale, rounded up.

    In one dimension it is Laplace noise; in more, ‖b − u‖ − ‖b‖ ≤ ‖u‖ gives pure ε = m (Guo et al. 2020, Theorem 3(i), with the
    density that its proof needs), under the assumption in `gaussian_shift`.

    Args:
        length: A bound on the Euclidean length of the shift, at least 0.
        scale: Of the norm of b, which is Gamma(dimensions, scale); above 0.
        dimensions: At least 1.
    """
    ratio = ceiling(Fraction(length) / Fraction(scale))
    return finite(Laplace, shift=ratio) if dimensions == 1 else finite(Pure, epsilon=ratio)
