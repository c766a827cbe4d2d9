"""Everything that is read off a promise, whatever its kind: bounds above are rounded up, type II errors down.

| reading | what it is |
|---|---|
| `epsilon_at`, `delta_at` | the (ε, δ) that follow (Dong, Roth and Su 2022, Proposition 2.12) |
| `advantage`, `right_guesses` | total variation δ(0), and ½ + ½ of it: the best chance to name one of two equally likely worlds |
| `type_two_error`, `curve` | f(α), at one α or as points for a figure |
| `swap_ceiling` | the most that any adversary shows in a SWAP test between two worlds that keep it towards a third |
| `declared_delta`, `printed_delta` | the δ that no ε takes away, and the one at which its ε is printed |
| `by_distribution` | whether a reading may come off a privacy loss distribution |

`combining` makes the promises for k records, for several releases, and from several routes, which are read like any other.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from auditor.base.records import Floats
from auditor.maths.certificates import gaussian
from auditor.maths.certificates.rounding import ceiling, floor
from auditor.maths.statistics.power import boundary
from auditor.maths.tradeoff import closed_forms, divergences, loss_distribution
from auditor.maths.tradeoff.promises import (
    Approximate,
    Composition,
    Concentrated,
    Gaussian,
    Laplace,
    Promise,
    Pure,
    Renyi,
    Several,
    Single,
    SubsampledGaussian,
)

_UP: Final = 1 + 2.0**-46
"""More than a few roundings are off by."""
_LARGEST: Final = sys.float_info.max
_MOST_STATED: Final = 6
"""More (ε, δ) next to one another are put together by a distribution: each one doubles the terms."""
_LINES: Final = 192
"""Supporting lines that stand for a trade-off function without a closed form."""
SHARE_OF_A_RECORD: Final = 10
"""Without a declared δ, ε is printed at one part in so many of 1/n."""

Parts: TypeAlias = tuple[Single, ...]


def delta_at(promise: Promise, epsilon: float) -> float:  # noqa: C901, PLR0911 - one line a kind
    """δ at ε, rounded up.

    Args:
        promise: Of any kind.
        epsilon: At least 0 and finite.

    Raises:
        ValueError: If epsilon is negative, infinite or not a number.
    """
    if not 0 <= epsilon < math.inf:
        raise ValueError(f"epsilon must be finite and at least 0, found {epsilon}")
    match promise:
        case Gaussian(mu=mu):
            return gaussian.delta(epsilon, mu)
        case Approximate(epsilon=own, delta=delta):
            return closed_forms.approximate_delta(own, delta, epsilon)
        case Pure(epsilon=own):
            return closed_forms.approximate_delta(own, 0.0, epsilon)
        case Laplace(shift=shift):
            return closed_forms.laplace_delta(shift, epsilon)
        case Concentrated(rho=rho):
            return divergences.concentrated_delta(rho, epsilon)
        case Renyi(points=points):
            return divergences.delta(points, epsilon)
        case SubsampledGaussian():
            return loss_distribution.sampled_delta(promise, epsilon)
        case Composition(parts=parts):
            return min(_shared_delta(parts, epsilon), float(_together(parts, (epsilon,))[0]))
        case Several(promises=promises):
            return min(delta_at(each, epsilon) for each in promises)


def epsilon_at(promise: Promise, delta: float) -> float:  # noqa: C901, PLR0911 - one line a kind
    """ε at δ, rounded up; infinite where none is known to do.

    Args:
        promise: Of any kind.
        delta: Between 0 and 1.

    Raises:
        ValueError: If delta is outside its range.
    """
    if not 0 <= delta <= 1:
        raise ValueError(f"delta must be between 0 and 1, found {delta}")
    match promise:
        case Gaussian(mu=mu):
            return gaussian.epsilon(delta, mu)
        case Approximate(epsilon=own, delta=least):
            return closed_forms.approximate_epsilon(own, least, delta)
        case Pure(epsilon=own):
            return closed_forms.approximate_epsilon(own, 0.0, delta)
        case Laplace(shift=shift):
            return closed_forms.laplace_epsilon(shift, delta)
        case Concentrated(rho=rho):
            return divergences.concentrated_epsilon(rho, delta)
        case Renyi(points=points):
            return divergences.epsilon(points, delta)
        case SubsampledGaussian():
            return loss_distribution.sampled_epsilon(promise, delta)
        case Composition(parts=parts):
            return min(_shared_epsilon(parts, delta), _epsilon_together(parts, delta))
        case Several(promises=promises):
            return min(epsilon_at(each, delta) for each in promises)


def advantage(promise: Promise) -> float:
    """The total variation δ(0), rounded up: how much better than guessing anyone tells the two worlds apart."""
    return delta_at(promise, 0.0)


@lru_cache(maxsize=256)
def right_guesses(promise: Promise) -> float:
    """(1 + δ(0))/2, rounded up: the best chance to name one of two equally likely worlds; 0.547 is 54.7 right guesses of 100."""
    return min(1.0, ceiling((1 + Fraction(advantage(promise))) / 2))


def type_two_error(promise: Promise, alpha: float) -> float:  # noqa: PLR0911 - one line a kind
    """f(α), rounded down: the smallest type II error of a test at a type I error of α.

    Where a kind has no closed form it is the largest of supporting lines 1 − δ(ε) − e^ε α and e^−ε (1 − δ(ε) − α) (Dong, Roth and
    Su 2022, Propositions 2.5 and 2.12).

    Args:
        promise: Of any kind.
        alpha: Between 0 and 1.

    Raises:
        ValueError: If alpha is outside its range.
    """
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha must be between 0 and 1, found {alpha}")
    match promise:
        case Gaussian(mu=mu):
            return closed_forms.gaussian_error(mu, alpha)
        case Approximate(epsilon=own, delta=delta):
            return closed_forms.approximate_error(own, delta, alpha)
        case Pure(epsilon=own):
            return closed_forms.approximate_error(own, 0.0, alpha)
        case Laplace(shift=shift):
            return closed_forms.laplace_error(shift, alpha)
        case Concentrated(rho=rho, two_sided=both):
            return divergences.concentrated_error(rho, alpha, two_sided=both)
        case Renyi(points=points, two_sided=both):
            return divergences.error(points, alpha, two_sided=both)
        case SubsampledGaussian() | Composition():
            return _error_by_lines(promise, alpha)
        case Several(promises=promises):
            return max(type_two_error(each, alpha) for each in promises)


def curve(promise: Promise, points: int = 101) -> tuple[tuple[float, float], ...]:
    """Give (α, f(α)) at evenly spaced α from 0 to 1, for a figure; every f(α) is rounded down.

    Args:
        promise: Of any kind.
        points: How many, at least 2.
    """
    return tuple((alpha, type_two_error(promise, alpha)) for alpha in (step / (points - 1) for step in range(points)))


def swap_ceiling(promise: Promise) -> float:
    """1 − 2 f(½), rounded up: the most that any adversary shows between two worlds that both keep a promise towards a third.

    In a SWAP test both unlearned models are near the same retrained one, R. With q = R(S) an event has P(S) ≤ 1 − f(q) in one
    world and P′(S) ≥ f(1 − q) in the other; 1 − f(q) − f(1 − q) is concave in q and symmetric about ½. For (ε, δ) this is
    1 − (1 − 2δ) e^−ε, for the Gaussian 2Φ(μ) − 1. The promise has to be about the whole forget set: take its `group` first.

    Args:
        promise: Of any kind; of a one-sided one R is the world without the records.
    """
    match promise:
        case Gaussian(mu=mu):
            doubled = ceiling(2 * Fraction(mu))
            return gaussian.delta(0.0, doubled) if math.isfinite(doubled) else 1.0
        case Approximate(epsilon=own, delta=delta):
            return closed_forms.approximate_ceiling(own, delta)
        case Pure(epsilon=own):
            return closed_forms.approximate_ceiling(own, 0.0)
        case Laplace(shift=shift):
            return closed_forms.laplace_ceiling(shift) if math.isfinite(2 * shift) else 1.0
        case Several(promises=promises):
            return min(swap_ceiling(each) for each in promises)
        case _:
            by_curve = ceiling(1 - 2 * Fraction(type_two_error(promise, 0.5)))
            # Two worlds are no farther apart than both ways together.
            return min(1.0, by_curve, 2 * advantage(promise))


def declared_delta(promise: Promise) -> float:
    """The δ that no ε takes away, rounded up: of (ε, δ) its own, added up over releases; 0 of every curve."""
    match promise:
        case Approximate(delta=delta):
            return delta
        case Composition(parts=parts):
            return min(1.0, ceiling(sum((Fraction(declared_delta(each)) for each in parts), Fraction(0))))
        case Several(promises=promises):
            return min(declared_delta(each) for each in promises)
        case _:
            return 0.0


def printed_delta(promise: Promise, records: int) -> float:
    """The δ at which an ε is printed: the declared one, or 1/(10 n) of a curve that has none.

    Args:
        promise: Of any kind.
        records: n, those that were trained on, at least 1.
    """
    return declared_delta(promise) or 1 / (SHARE_OF_A_RECORD * records)


def by_distribution(promise: Promise) -> bool:
    """Whether some reading may come off a privacy loss distribution, whose last digits may differ between machines."""
    match promise:
        case SubsampledGaussian():
            return True
        case Composition(parts=parts):
            return _in_closed_form(parts) is None
        case Several(promises=promises):
            return any(map(by_distribution, promises))
        case _:
            return False


def _error_by_lines(promise: SubsampledGaussian | Composition, alpha: float) -> float:
    """The largest of supporting lines, of those through (0, 1 − δ) alone where a part holds in one direction."""
    if isinstance(promise, SubsampledGaussian):
        of_one, both = closed_forms.gaussian_error(loss_distribution.unsampled(promise), alpha), True
    else:
        of_one, both = 0.0, all(each.two_sided for each in promise.parts if isinstance(each, Concentrated | Renyi))
    by_line = closed_forms.approximate_error if both else closed_forms.steep_error
    return max(of_one, *(by_line(epsilon, delta, alpha) for epsilon, delta in _lines(promise)))


def _mechanisms(parts: Parts) -> tuple[loss_distribution.Mechanism, ...]:
    """The parts, where each has a privacy loss distribution; none otherwise."""
    found = tuple(each for each in parts if not isinstance(each, Concentrated | Renyi))
    return found if len(found) == len(parts) else ()


def _together(parts: Parts, epsilons: Sequence[float]) -> Floats:
    """δ at each ε of the parts together, rounded up: in closed form, or by their loss on a grid; 1 where neither is known."""
    if (split := _in_closed_form(parts)) is not None:
        return np.array([_mixed_delta(*split, epsilon) for epsilon in epsilons])
    mechanisms = _mechanisms(parts)
    return loss_distribution.deltas(mechanisms, epsilons) if mechanisms else np.ones(len(epsilons))


def _epsilon_together(parts: Parts, delta: float) -> float:
    """The same the other way round; infinite where neither is known."""
    if (split := _in_closed_form(parts)) is not None:
        highest = _shared_epsilon(parts, delta)
        if not math.isfinite(highest) or _mixed_delta(*split, highest) > delta:
            return math.inf
        if _mixed_delta(*split, 0.0) <= delta:
            return 0.0
        return boundary(lambda epsilon: _mixed_delta(*split, epsilon) <= delta, outside=0.0, inside=highest)
    mechanisms = _mechanisms(parts)
    return loss_distribution.epsilon(mechanisms, delta) if mechanisms else math.inf


def _in_closed_form(parts: Parts) -> tuple[Gaussian | Laplace | None, tuple[Approximate, ...]] | None:
    """Split parts into at most one noise on a number or a vector, and a few (ε, δ); None where there is anything else."""
    noise = [each for each in parts if isinstance(each, Gaussian | Laplace)]
    stated = [each for each in parts if isinstance(each, Approximate | Pure)]
    if len(noise) > 1 or len(stated) > _MOST_STATED or len(noise) + len(stated) < len(parts):
        return None
    found = tuple(Approximate(epsilon=each.epsilon, delta=0.0) if isinstance(each, Pure) else each for each in stated)
    return (noise[0] if noise else None), found


def _mixed_delta(noise: Gaussian | Laplace | None, stated: tuple[Approximate, ...], epsilon: float) -> float:
    """δ at ε of noise next to several (ε, δ), rounded up; ε may be below 0.

    The worst pair of (ε₀, δ₀) gives the world away with probability δ₀, and else has a loss of ε₀ with probability
    p = e^ε₀/(1 + e^ε₀) and of −ε₀ otherwise (Kairouz, Oh and Viswanath 2015), so that together

        δ(ε) = δ₀ + (1 − δ₀) (p δ′(ε − ε₀) + (1 − p) δ′(ε + ε₀)),    δ′(−x) = 1 − e^−x (1 − δ′(x)),

    with δ′ of all others, which are the same in both directions.
    """
    if not stated:
        if noise is None:
            return 0.0 if epsilon >= 0 else _up(-math.expm1(epsilon))
        if epsilon >= 0:
            return delta_at(noise, min(epsilon, _LARGEST))
        return _up(-math.expm1(epsilon) + math.exp(epsilon) * delta_at(noise, min(-epsilon, _LARGEST)))
    first, *rest = stated
    shift = math.exp(-first.epsilon)
    # An argument that rounding made smaller has a larger δ.
    nearer, farther = (floor(Fraction(epsilon) + sign * Fraction(first.epsilon)) for sign in (-1, 1))
    mixed = _mixed_delta(noise, tuple(rest), nearer) + shift * _mixed_delta(noise, tuple(rest), farther)
    return _up(first.delta + (1 - first.delta) * mixed / (1 + shift))


def _up(value: float) -> float:
    """A sum of a few positive terms, rounded up; at most 1."""
    return min(1.0, math.nextafter(value * _UP, math.inf)) if value else 0.0


def _shared_delta(parts: Parts, epsilon: float) -> float:
    """Σ δ at shares of ε that add up to it at most (Dwork and Roth 2014, Theorem B.1): the best of a few ways to share."""
    sizes = [min(max(_size(each), 1e-300), 1e300) for each in parts]
    ways = [sizes, [1.0] * len(parts)]
    return min(_sum_of_deltas(parts, [each / math.fsum(way) * epsilon * (1 - 2.0**-48) for each in way]) for way in ways)


def _sum_of_deltas(parts: Parts, shares: Sequence[float]) -> float:
    found = (Fraction(delta_at(each, share)) for each, share in zip(parts, shares, strict=True))
    return min(1.0, ceiling(sum(found, Fraction(0))))


def _shared_epsilon(parts: Parts, delta: float) -> float:
    """Σ ε at shares of δ that add up to it at most, after what no ε takes away; those of pure ε need none."""
    own = [Fraction(declared_delta(each)) for each in parts]
    spare = Fraction(delta) - sum(own, Fraction(0))
    if spare < 0:
        return math.inf
    hungry = [not isinstance(each, Pure | Laplace | Approximate) for each in parts]
    each_share = spare / max(1, sum(hungry))
    shares = [floor(least + each_share) if wants else float(least) for least, wants in zip(own, hungry, strict=True)]
    found = [epsilon_at(each, share) for each, share in zip(parts, shares, strict=True)]
    return ceiling(sum(map(Fraction, found), Fraction(0))) if all(map(math.isfinite, found)) else math.inf


def _size(promise: Single) -> float:
    """About the width of the loss: by what to share an ε, not a bound."""
    match promise:
        case Concentrated(rho=rho):
            return math.sqrt(2 * rho)
        case Renyi(points=points):
            return math.sqrt(2 * points[0][1])
        case _:
            return loss_distribution.scale((promise,))


@lru_cache(maxsize=16)
def _lines(promise: SubsampledGaussian | Composition) -> tuple[tuple[float, float], ...]:
    """(ε, δ) of supporting lines, from 0 to where δ has become small."""
    parts = (promise,) if isinstance(promise, SubsampledGaussian) else promise.parts
    whole = math.hypot(*(_size(each) for each in parts))
    widest = min(700.0, 8 * whole + whole**2)
    # Closer together near 0, where most of the curve is.
    epsilons = [widest * (step / (_LINES - 1)) ** 2 for step in range(_LINES)]
    on_a_grid = _together(parts, epsilons)
    if on_a_grid.min() >= 1.0:
        few = epsilons[:: _LINES // 24]
        return tuple((epsilon, delta_at(promise, epsilon)) for epsilon in few)
    return tuple(zip(epsilons, on_a_grid.tolist(), strict=True))
