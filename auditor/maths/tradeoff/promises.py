"""What may be promised about two worlds, one with a person's records and one without, each kind by its mechanism's parameters.

P is the law of what is released in the world with the records, Q the law without them. A promise bounds the trade-off function
T(P, Q)(α) = inf {1 − P(S): Q(S) ≤ α}, the smallest type II error at a type I error of α, from below, and in both directions
(Dong, Roth and Su 2022, Definitions 2.1 and 2.3): f stands for a lower bound of T(P, Q) and of T(Q, P) alike. By duality it says
the same as δ(ε) = 1 + f*(−e^ε), a bound of P[S] − e^ε Q[S] and of Q[S] − e^ε P[S] for every event S (their Proposition 2.12).

Every number of a promise is taken as exact: who works one out rounds it up. No kind implies a stronger one: (ε, δ) is no Gaussian
promise, and a Rényi one of ρq at every order is not one either.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, field_validator

from auditor.maths.certificates import gaussian
from auditor.maths.certificates.rounding import ceiling

Unit: TypeAlias = Annotated[float, Field(ge=0, le=1)]
NotNegative: TypeAlias = Annotated[float, Field(ge=0)]
Count: TypeAlias = Annotated[int, Field(ge=1, le=2**53)]
Orders: TypeAlias = Annotated[tuple[tuple[float, float], ...], Field(strict=False, min_length=1)]
"""Pairs of a Rényi order above 1 and the ε at it, orders rising."""

LARGEST_GROUP: Final = 1_000
"""More records in one group of a subsampled training are promised by less than the mixture of their shifts."""


class _Kind(BaseModel):
    """One kind of promise: parameters, frozen, none of them infinite."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Gaussian(_Kind):
    """The trade-off of N(0, 1) and N(μ, 1), f(α) = Φ(Φ⁻¹(1 − α) − μ) (Dong, Roth and Su 2022, equation 6)."""

    kind: Literal["gaussian"] = "gaussian"
    mu: NotNegative
    """μ: sensitivity over the standard deviation of the noise."""


class Approximate(_Kind):
    """(ε, δ)-closeness, f(α) = max{0, 1 − δ − e^ε α, e^−ε (1 − δ − α)} (Wasserman and Zhou 2010; Dong et al., Prop. 2.5)."""

    kind: Literal["approximate"] = "approximate"
    epsilon: NotNegative
    delta: Unit


class Pure(_Kind):
    """(ε, 0)-closeness."""

    kind: Literal["pure"] = "pure"
    epsilon: NotNegative


class Laplace(_Kind):
    """The trade-off of two Laplace densities, one shifted: noise of the Laplace distribution on one number.

    f(α) is 1 − e^m α up to α = e^−m/2, e^−m/(4α) up to 1/2, and e^−m (1 − α) from there: F(F⁻¹(1 − α) − m) for the log-concave
    density with distribution function F (Dong, Roth and Su 2022, Appendix A). It covers one number. Of a vector with independent
    noise, or with a density proportional to exp(−‖b‖/scale), only `Pure` with ε = m was proved.
    """

    kind: Literal["laplace"] = "laplace"
    shift: NotNegative
    """m: sensitivity over scale."""


class Concentrated(_Kind):
    """ρ-zero-concentrated: the Rényi divergence of order q is at most ρq, for every q > 1 (Bun and Steinke 2016, Def. 1.1)."""

    kind: Literal["concentrated"] = "concentrated"
    rho: NotNegative
    two_sided: bool = True
    """Whether it holds in both directions; else of R_q(P‖Q) only, and so does what is read off."""


class Renyi(_Kind):
    """The Rényi divergence is at most ε(q) at each of some orders (Mironov 2017, Definition 4)."""

    kind: Literal["renyi"] = "renyi"
    points: Orders
    two_sided: bool = True
    """Whether it holds in both directions; else of R_q(P‖Q) only, and so does what is read off."""

    @field_validator("points")
    @classmethod
    def _rising(cls, points: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
        orders = [order for order, _ in points]
        if orders != sorted(set(orders)) or orders[0] <= 1 or any(epsilon < 0 for _, epsilon in points):
            raise ValueError("orders must be above 1 and rise, each with an epsilon of at least 0")
        return points


class SubsampledGaussian(_Kind):
    """Steps of the Gaussian mechanism, each on records taken by independent coins (Abadi et al. 2016, Algorithm 1).

    The dominating pair of one step is N(0, s²) and Σ_j C(k, j) q^j (1 − q)^(k − j) N(j, s²), k records being added or removed
    together, each clipped to norm 1: given the coins of the others, the noisy sum is a mixture, over the subset of the k that is
    taken, of Gaussians whose means have at most the subset's size as norm, and such a mixture is dominated by the one of these
    sizes on a line (Choquette-Choo, Ganesh, Steinke and Thakurta 2024, Corollary 4.7; for groups under Poisson sampling Ganesh
    2024, "Tight group-level DP guarantees for DP-SGD with sampling via mixture of Gaussians mechanisms", and Schuchardt, Stoian,
    Kosmala and Günnemann 2024). Steps compose adaptively (Zhu, Dong and Wang 2022, Theorem 10).

    Conditions: independent coins for each record and step, rate and number of steps public and fixed beforehand, every record
    clipped by itself, the sum divided by a number that does not depend on the records.
    """

    kind: Literal["subsampled-gaussian"] = "subsampled-gaussian"
    noise_multiplier: Annotated[float, Field(gt=0)]
    """s, the standard deviation of the noise on the sum, in units of the clipping norm."""
    sample_rate: Annotated[float, Field(gt=0, le=1)]
    """q, the chance with which a step takes a record."""
    steps: Count
    group: Count = 1
    """k, the records that are added or removed together."""


class Composition(_Kind):
    """What several releases leave together, each of them keeping its promise given those before; `combining.compose` makes it."""

    kind: Literal["composition"] = "composition"
    parts: Annotated[tuple[Single, ...], Field(strict=False, min_length=2)]


class Several(_Kind):
    """Several promises about the same two worlds, all of which hold: whatever is read off is the best of them."""

    kind: Literal["several"] = "several"
    promises: Annotated[tuple[Route, ...], Field(strict=False, min_length=1)]


Single: TypeAlias = Annotated[
    Gaussian | Approximate | Pure | Laplace | Concentrated | Renyi | SubsampledGaussian, Field(discriminator="kind")
]
"""The promise of one mechanism."""
Route: TypeAlias = Annotated[
    Gaussian | Approximate | Pure | Laplace | Concentrated | Renyi | SubsampledGaussian | Composition, Field(discriminator="kind")
]
"""A promise that is no choice of several."""
Promise: TypeAlias = Annotated[
    Gaussian | Approximate | Pure | Laplace | Concentrated | Renyi | SubsampledGaussian | Composition | Several,
    Field(discriminator="kind"),
]
"""A promise of any kind."""

Composition.model_rebuild()
Several.model_rebuild()

NOTHING: Final = Approximate(epsilon=0.0, delta=1.0)
"""What every two worlds keep; it stands for numbers beyond the floating-point range."""
EXACT: Final = Pure(epsilon=0.0)
"""What two equal laws keep."""

K = TypeVar("K", bound=_Kind)


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
