"""What bounds on Rényi divergences say as a trade-off function: exact in each order, and always on the safe side.

Whatever the two laws are, an event of probability α under Q and 1 − β under P is itself a pair of laws no farther apart
(van Erven and Harremoës 2014, Theorem 9), so that

    d_q(1 − β‖α) = ln((1 − β)^q α^(1 − q) + β^q (1 − α)^(1 − q))/(q − 1) ≤ ε(q)

at every order, and the largest β that breaks it at some order is below f(α). (ε, δ) comes from Canonne, Kamath and Steinke 2020,
Proposition 12, δ = e^((q − 1)(ε(q) − ε)) (1 − 1/q)^q/(q − 1), at the best order. Total variation comes from it at ε = 0 as well;
from Pinsker's inequality √(ε(q)/2) and from Bretagnolle and Huber's √(1 − e^−ε(q)) (Tsybakov 2009, equation 2.25), since the
divergence of Kullback and Leibler is at most that of any higher order; and from √(e^ε(q) − 1)/2 for orders of 2 and more, whose
divergence is at least ln(1 + χ²).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from auditor.base.records import Floats
from auditor.maths.certificates.renyi import GRID, reference_advantage, tight_epsilon
from auditor.maths.certificates.rounding import ceiling, exponential_ceiling, floor
from auditor.maths.statistics.power import boundary

Points: TypeAlias = tuple[tuple[float, float], ...]
"""Pairs of a Rényi order and the ε at it."""

_UP: Final = 1 + 2.0**-47
_EACH: Final = 2.0**-49
_LARGEST_ORDER: Final = 1e100
_AROUND: Final = tuple(2.0 ** (power / 8) for power in range(-16, 17))


def linear(rho: float, around: Iterable[float] = ()) -> Points:
    """Give ρq at every order of a grid, rounded up, and at orders around some that may be best.

    Args:
        rho: ρ, at least 0.
        around: Values of q − 1.
    """
    orders = {*GRID, 2.0}
    for best in around:
        if 0 < best < math.inf:
            orders |= {1 + best * factor for factor in _AROUND}
    found = ((order, ceiling(Fraction(rho) * Fraction(order))) for order in sorted(orders) if 1 < order < _LARGEST_ORDER)
    return tuple((order, epsilon) for order, epsilon in found if math.isfinite(epsilon))


def concentrated_delta(rho: float, epsilon: float) -> float:
    """δ at ε of ρ-zero-concentrated closeness, rounded up."""
    # The exponent (q − 1)(qρ − ε) is least at q − 1 = (ε − ρ)/(2ρ).
    best = (epsilon - rho) / (2 * rho) if rho and epsilon > rho else 0.0
    return min(delta(linear(rho, (best,)), epsilon), total_variation(rho))


def concentrated_epsilon(rho: float, target: float) -> float:
    """ε at δ of ρ-zero-concentrated closeness, rounded up; infinite at δ = 0."""
    if rho == 0.0 or total_variation(rho) <= target:
        return 0.0
    # ρq + ln(1/δ)/(q − 1) is least at (q − 1)² = ln(1/δ)/ρ.
    best = math.sqrt(-math.log(target)) / math.sqrt(rho) if 0 < target < 1 else 0.0
    return epsilon(linear(rho, (best,)), target)


def concentrated_error(rho: float, alpha: float, *, two_sided: bool) -> float:
    """The type II error at α of ρ-zero-concentrated closeness, rounded down."""
    # The same orders at every α: the largest of convex functions is one.
    return error(linear(rho), alpha, two_sided=two_sided, least=rho)


def delta(points: Points, epsilon: float) -> float:
    """δ at ε, rounded up: the smallest over orders, and the total variation, which no δ exceeds.

    Args:
        points: Orders with the ε at each.
        epsilon: At least 0.
    """
    if any(each == 0.0 for _, each in points):
        return 0.0
    found = 1.0
    for order, each in points:
        terms = ((order - 1) * each, -(order - 1) * epsilon, -order * math.log1p(1 / (order - 1)), -math.log(order - 1))
        if all(map(math.isfinite, terms)):
            found = min(found, exponential_ceiling(*terms))
    return min(found, _variation(points))


def epsilon(points: Points, target: float) -> float:
    """ε at δ, rounded up: the smallest over orders; infinite at δ = 0, except between equal laws.

    Args:
        points: Orders with the ε at each.
        target: δ, between 0 and 1.
    """
    if any(each == 0.0 for _, each in points) or target >= 1.0:
        return 0.0
    if target == 0.0:
        return math.inf
    if _variation(points) <= target:
        return 0.0
    return min(tight_epsilon(order, each, target) for order, each in points)


def advantage(points: Points) -> float:
    """The total variation, rounded up."""
    return delta(points, 0.0)


def total_variation(divergence: float) -> float:
    """The total variation that a Kullback and Leibler divergence leaves, or a Rényi one of any order above 1, rounded up.

    Args:
        divergence: At least 0.
    """
    pinsker = reference_advantage(divergence)
    huber = math.sqrt(-math.expm1(-divergence)) * _UP
    return min(1.0, pinsker, math.nextafter(huber, math.inf)) if divergence else 0.0


def _variation(points: Points) -> float:
    """The total variation by inequalities that need no ε."""
    found = total_variation(min(each for _, each in points))
    squares = [each for order, each in points if order >= 2]
    if squares and 0 < (least := min(squares)) < 2:
        found = min(found, math.nextafter(math.sqrt(math.expm1(least)) / 2 * _UP, math.inf))
    return found


def error(points: Points, alpha: float, *, two_sided: bool, least: float | None = None) -> float:
    """The type II error at α, rounded down: no test of probability α under Q has a smaller one.

    Args:
        points: Orders with the ε at each.
        alpha: Between 0 and 1.
        two_sided: Whether the divergences are bounded in both directions.
        least: A bound of the Kullback and Leibler divergence; the smallest ε of all orders if left out.
    """
    highest = floor(1 - Fraction(alpha))
    if any(each == 0.0 for _, each in points):
        return highest
    if alpha in {0.0, 1.0} or highest == 0.0:
        # An event that has no probability under Q has none under P where a divergence of order above 1 is finite.
        return highest
    orders = np.array([order for order, _ in points])
    allowed = (orders - 1) * np.array([each for _, each in points])
    limit = total_variation(min(each for _, each in points) if least is None else least)

    def broken(beta: float) -> bool:
        if highest - beta > limit * _UP + _EACH:
            return True
        there = _excess(orders, allowed, 1 - Fraction(beta), Fraction(alpha))
        return there or (two_sided and _excess(orders, allowed, 1 - Fraction(alpha), Fraction(beta)))

    return boundary(broken, outside=highest, inside=0.0)


def _excess(orders: Floats, allowed: Floats, above: Fraction, below: Fraction) -> bool:
    """Whether an event of these probabilities is certainly too much for some order."""
    if below <= 0 or above <= below:
        return bool(above > 0 >= below)
    one, other, rest, last = (_log(each) for each in (above, below, 1 - above, 1 - below))
    first, second = (orders * one, -(orders - 1) * other), (orders * rest, -(orders - 1) * last)
    total = np.logaddexp(first[0] + first[1], second[0] + second[1])
    spread = sum(np.abs(each) for each in (first[0], first[1]))
    if rest > -math.inf:
        spread = np.maximum(spread, sum(np.abs(each) for each in second))
    certain: bool = bool(np.any(total - _EACH * (4 + spread + np.abs(total) + allowed) > allowed))
    return certain


@lru_cache(maxsize=1024)
def _log(value: Fraction) -> float:
    """ln of a probability, to a few roundings of itself also next to 1; minus infinity of 0."""
    if value <= 0:
        return -math.inf
    if value > Fraction(1, 2):
        return math.log1p(-float(1 - value))
    return math.log(float(value))


def group(points: Points, size: int) -> Points:
    """Give the divergences for k = size records together, at the orders that Mironov 2017, Proposition 2, proves.

    For k ≤ 2^c and an order q ≥ 2^(c + 1) the divergence of order q/2^c is at most 3^c ε(q).

    Args:
        points: Orders with the ε at each, for one record, between any two neighbours.
        size: k, at least 1.

    Returns:
        The points; none where no order is high enough.
    """
    doublings = (size - 1).bit_length()
    if not doublings:
        return points
    found = (
        (order / 2**doublings, ceiling(3**doublings * Fraction(each))) for order, each in points if order >= 2 ** (doublings + 1)
    )
    return tuple((order, each) for order, each in found if math.isfinite(each))


def together(first: Points, second: Points) -> Points:
    """Add up the divergences of two releases, at every order that both bound (Mironov 2017, Proposition 1).

    A divergence is no larger than that of a higher order (van Erven and Harremoës 2014, Theorem 3).
    """
    return tuple(_added(first, second))


def _added(first: Points, second: Points) -> Iterator[tuple[float, float]]:
    for order in sorted({order for order, _ in (*first, *second)}):
        found = [min((each for at, each in points if at >= order), default=None) for points in (first, second)]
        if found[0] is None or found[1] is None:
            return
        total = ceiling(Fraction(found[0]) + Fraction(found[1]))
        if math.isfinite(total):
            yield order, total
