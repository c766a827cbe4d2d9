"""What may be promised about two worlds, one with a person's records and one without, each kind by its mechanism's parameters.

P is the law of what is released in the world with the records, Q the law without them. A promise bounds the trade-off function
T(P, Q)(α) = inf {1 − P(S): Q(S) ≤ α}, the smallest type II error at a type I error of α, from below, and in both directions
(Dong, Roth and Su 2022, Definitions 2.1 and 2.3): f stands for a lower bound of T(P, Q) and of T(Q, P) alike. By duality it says
the same as δ(ε) = 1 + f*(−e^ε), a bound of P[S] − e^ε Q[S] and of Q[S] − e^ε P[S] for every event S (their Proposition 2.12).

Numbers of theorems of Dong, Roth and Su are those of arXiv:1905.02383.

Every number of a promise is taken as exact: who works one out rounds it up. No kind implies a stronger one: (ε, δ) is no Gaussian
promise, and a Rényi one of ρq at every order is not one either.

Each kind raises ValueError where a number is outside its range. `auditor.maths.tradeoff` makes, combines and reads them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

_STRICT: Final = {"extra": "forbid", "allow_inf_nan": False, "strict": True}
MOST_STEPS: Final = 2**53 - 1
"""Of a training, and records of a group: the largest whole number that every reader of JSON keeps."""
_MOST_PARTS: Final = 64
_MOST_ORDERS: Final = 4_096


def _in_range(name: str, value: float, low: float, high: float = math.inf, *, above: bool = False) -> None:
    inside = low < value <= high if above else low <= value <= high
    if not inside or math.isinf(value):
        limit = "finite" if high == math.inf else f"at most {high:g}"
        raise ValueError(f"{name} must be {'above' if above else 'at least'} {low:g} and {limit}, found {value}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gaussian:
    """The trade-off of N(0, 1) and N(μ, 1), f(α) = Φ(Φ⁻¹(1 − α) − μ) (Dong, Roth and Su 2022, equation 6)."""

    kind: Literal["gaussian"] = "gaussian"
    mu: float
    """μ, at least 0: sensitivity over the standard deviation of the noise."""

    __pydantic_config__ = _STRICT

    def __post_init__(self) -> None:
        """Refuse a shift below 0."""
        _in_range("mu", self.mu, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Approximate:
    """(ε, δ)-closeness, f(α) = max{0, 1 − δ − e^ε α, e^−ε (1 − δ − α)} (Wasserman and Zhou 2010; Dong et al., Prop. 2.5)."""

    kind: Literal["approximate"] = "approximate"
    epsilon: float
    """At least 0."""
    delta: float
    """Between 0 and 1."""

    __pydantic_config__ = _STRICT

    def __post_init__(self) -> None:
        """Refuse numbers that are no ε or no δ."""
        _in_range("epsilon", self.epsilon, 0)
        _in_range("delta", self.delta, 0, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pure:
    """(ε, 0)-closeness."""

    kind: Literal["pure"] = "pure"
    epsilon: float
    """At least 0."""

    __pydantic_config__ = _STRICT

    def __post_init__(self) -> None:
        """Refuse an ε below 0."""
        _in_range("epsilon", self.epsilon, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Laplace:
    """The trade-off of two Laplace densities, one shifted: noise of the Laplace distribution on one number.

    f(α) is 1 − e^m α up to α = e^−m/2, e^−m/(4α) up to 1/2, and e^−m (1 − α) from there: F(F⁻¹(1 − α) − m) for the log-concave
    density with distribution function F (Dong, Roth and Su 2022, Appendix A). It covers one number. Of a vector with independent
    noise, or with a density proportional to exp(−‖b‖/scale), only `Pure` with ε = m was proved.
    """

    kind: Literal["laplace"] = "laplace"
    shift: float
    """m, at least 0: sensitivity over scale."""

    __pydantic_config__ = _STRICT

    def __post_init__(self) -> None:
        """Refuse a shift below 0."""
        _in_range("shift", self.shift, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Concentrated:
    """ρ-zero-concentrated: the Rényi divergence of order q is at most ρq, for every q > 1 (Bun and Steinke 2016, Def. 1.1)."""

    kind: Literal["concentrated"] = "concentrated"
    rho: float
    """At least 0."""
    two_sided: bool = True
    """Whether it holds in both directions; else of R_q(P‖Q) only, and so does what is read off."""

    __pydantic_config__ = _STRICT

    def __post_init__(self) -> None:
        """Refuse a ρ below 0."""
        _in_range("rho", self.rho, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Renyi:
    """The Rényi divergence is at most ε(q) at each of some orders (Mironov 2017, Definition 4)."""

    kind: Literal["renyi"] = "renyi"
    points: tuple[tuple[float, float], ...]
    """Pairs of a Rényi order above 1 and the ε at it, orders rising."""
    two_sided: bool = True
    """Whether it holds in both directions; else of R_q(P‖Q) only, and so does what is read off."""

    __pydantic_config__ = _STRICT

    def __post_init__(self) -> None:
        """Refuse orders that do not rise from above 1, and an ε below 0."""
        orders = [order for order, _ in self.points]
        if not 1 <= len(orders) <= _MOST_ORDERS:
            raise ValueError(f"between 1 and {_MOST_ORDERS} orders are needed, found {len(orders)}")
        for order, epsilon in self.points:
            _in_range("order", order, 1, above=True)
            _in_range("epsilon", epsilon, 0)
        if orders != sorted(set(orders)):
            raise ValueError("orders must rise")


@dataclass(frozen=True, slots=True, kw_only=True)
class SubsampledGaussian:
    """Steps of the Gaussian mechanism, each on records taken by independent coins (Abadi et al. 2016, Algorithm 1).

    The dominating pair of one step is N(0, s²) and Σ_j C(k, j) q^j (1 − q)^(k − j) N(j, s²), k records being added or removed
    together, each clipped to norm 1: given the coins of the others, the noisy sum is a mixture, over the subset of the k that is
    taken, of Gaussians whose means have at most the subset's size as norm, and such a mixture is dominated by the one of these
    sizes on a line (Choquette-Choo, Ganesh, Steinke and Thakurta 2024; for groups under Poisson sampling Ganesh 2024, "Tight
    group-level DP guarantees for DP-SGD with sampling via mixture of Gaussians mechanisms", Theorem 3.1, and Schuchardt, Stoian,
    Kosmala and Günnemann 2024). Steps compose adaptively (Zhu, Dong and Wang 2022).

    Conditions: independent coins for each record and step, rate and number of steps public and fixed beforehand, every record
    clipped by itself, the sum divided by a number that does not depend on the records.
    """

    kind: Literal["subsampled-gaussian"] = "subsampled-gaussian"
    noise_multiplier: float
    """s, above 0: the standard deviation of the noise on the sum, in units of the clipping norm."""
    sample_rate: float
    """q, above 0 and at most 1: the chance with which a step takes a record."""
    steps: int
    """At least 1."""
    group: int = 1
    """k, the records that are added or removed together."""

    __pydantic_config__ = _STRICT

    def __post_init__(self) -> None:
        """Refuse numbers of no training."""
        _in_range("noise_multiplier", self.noise_multiplier, 0, above=True)
        _in_range("sample_rate", self.sample_rate, 0, 1, above=True)
        _in_range("steps", self.steps, 1, MOST_STEPS)
        _in_range("group", self.group, 1, MOST_STEPS)


class _ByKind:
    """Reads a JSON object as the kind that it names: of a union every kind would report what the object lacks to be that one."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Give pydantic the union, told apart by `kind`."""
        # Whatever runs foreign code imports this module, and has no use for a library that reads documents.
        from pydantic import Field  # noqa: PLC0415

        return handler.generate_schema(Annotated[source, Field(discriminator="kind")])


Single: TypeAlias = Annotated[
    Gaussian | Approximate | Pure | Laplace | Concentrated | Renyi | SubsampledGaussian,
    _ByKind(),
]
"""The promise of one mechanism."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """What several releases leave together, each keeping its promise given those before; `compose` of the maths makes it."""

    kind: Literal["composition"] = "composition"
    parts: tuple[Single, ...]

    __pydantic_config__ = _STRICT

    def __post_init__(self) -> None:
        """Refuse what is not several."""
        if not 2 <= len(self.parts) <= _MOST_PARTS:
            raise ValueError(f"a composition has between 2 and {_MOST_PARTS} parts, found {len(self.parts)}")


Route: TypeAlias = Annotated[
    Gaussian | Approximate | Pure | Laplace | Concentrated | Renyi | SubsampledGaussian | Composition,
    _ByKind(),
]
"""A promise that is no choice of several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Several:
    """Several promises about the same two worlds, all of which hold: whatever is read off is the best of them."""

    kind: Literal["several"] = "several"
    promises: tuple[Route, ...]

    __pydantic_config__ = _STRICT

    def __post_init__(self) -> None:
        """Refuse none."""
        if not 1 <= len(self.promises) <= _MOST_PARTS:
            raise ValueError(f"between 1 and {_MOST_PARTS} promises are needed, found {len(self.promises)}")


Promise: TypeAlias = Annotated[
    Gaussian | Approximate | Pure | Laplace | Concentrated | Renyi | SubsampledGaussian | Composition | Several,
    _ByKind(),
]
"""A promise of any kind."""

NOTHING: Final = Approximate(epsilon=0.0, delta=1.0)
"""What every two worlds keep; it stands for numbers beyond the floating-point range."""
EXACT: Final = Pure(epsilon=0.0)
"""What two equal laws keep."""
