"""What a bound that is linear in the Renyi order says at its best order: of membership, and of (epsilon, delta).

epsilon_dp and epsilon_dd of Theorem 5.1 of forget-unlearning.md, q mu^2/2 of the Gaussian trade-off and their sums hold at every
order q > 1 and are q times a constant; so are those of Theorem 5.2 at orders below one that they hold at. The order that a claim
names is one of many, and another may say more. The grid is coarse; each of its orders gives a bound, so that the best is one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

from auditor.maths.certificates.renyi import (
    mironov_epsilon,
    pinsker_advantage,
    reference_advantage,
    renyi_advantage,
    tight_epsilon,
)
from auditor.maths.certificates.rounding import ceiling

GRID: Final = tuple(1 + float(f"{10 ** (power / 6):.4g}") for power in range(-18, 31))
"""Orders from 1.001 to 100001, six in each decade of q - 1."""
Epsilons: TypeAlias = tuple[tuple[float, float], ...]
"""Pairs of an order and the epsilon at it."""


@dataclass(frozen=True, slots=True)
class Membership:
    """A bound on the advantage of anyone who guesses whether a record was there."""

    order: float
    """The order that gives it."""
    epsilon: float
    """The Renyi epsilon at that order."""
    bound: float


@dataclass(frozen=True, slots=True)
class Conversion:
    """An (epsilon, delta) in one direction."""

    order: float
    """The order that gives the smaller of the two."""
    epsilon: float
    """The Renyi epsilon at that order."""
    delta: float
    mironov: float
    tight: float


def grid(declared: float) -> tuple[float, ...]:
    """The orders that are examined, rising, the declared one among them."""
    return tuple(sorted({*GRID, declared}))


def at_order(order: float, epsilon: float, other: float) -> float:
    """A bound that is linear in the order, carried from one order to another; rounded up, infinite beyond the range.

    Args:
        order: Where it is `epsilon`, above 1.
        epsilon: At least 0 and finite.
        other: The order asked for, above 1.
    """
    return epsilon if other == order else ceiling(Fraction(epsilon) * Fraction(other) / Fraction(order))


def advantage(order: float, epsilon: float, *, of_reference: bool = False) -> float:
    """min{sqrt(2 epsilon), the Renyi bound, 1}, rounded up (forget-unlearning.md, Theorem 4.1).

    Args:
        order: q, above 1.
        epsilon: The bound on the divergence, at least 0.
        of_reference: Whether the world without the record is itself the law of the bound: then sqrt(epsilon/2) stands first.
    """
    by_pinsker = reference_advantage if of_reference else pinsker_advantage
    return min(by_pinsker(epsilon), renyi_advantage(order, epsilon), 1.0)


def linear(order: float, epsilon: float, *, most: float = math.inf) -> Epsilons:
    """A bound that is linear in the order, at every order of the grid where it is a number.

    Args:
        order: Where it is `epsilon`, above 1.
        epsilon: At least 0 and finite.
        most: The largest order that it is linear up to.
    """
    found = ((other, at_order(order, epsilon, other)) for other in grid(order) if other <= most)
    return tuple((other, scaled) for other, scaled in found if math.isfinite(scaled))


def best_membership(epsilons: Epsilons, *, of_reference: bool = False) -> Membership:
    """The smallest bound of Theorem 4.1.

    Args:
        epsilons: The Renyi epsilon of one pair of models at each of some orders, at least one.
        of_reference: As `advantage` takes it.
    """
    bounds = ((advantage(order, epsilon, of_reference=of_reference), order, epsilon) for order, epsilon in epsilons)
    bound, order, epsilon = min(bounds)
    return Membership(order, epsilon, bound)


def best_conversion(epsilons: Epsilons, delta: float) -> Conversion:
    """The (epsilon, delta) of the order with the smallest epsilon.

    Args:
        epsilons: The Renyi epsilon of one pair of models at each of some orders, at least one.
        delta: Above 0 and below 1.
    """
    tight, order, epsilon = min((tight_epsilon(order, epsilon, delta), order, epsilon) for order, epsilon in epsilons)
    return Conversion(order, epsilon, delta, mironov_epsilon(order, epsilon, delta), tight)


def gaussian_epsilon(order: float, mu: float) -> float:
    """q mu^2/2, the Renyi divergence of two unit Gaussians that far apart, rounded up; infinite beyond the range."""
    return ceiling(Fraction(order) * Fraction(mu) ** 2 / 2)


def gaussian_advantage(mu: float) -> float:
    """2 Phi(mu/2) - 1, the total variation of two unit Gaussians that far apart, rounded up, at most 1."""
    found = math.erf(mu / math.sqrt(8))
    return min(1.0, math.nextafter(found * (1 + 2**-50), math.inf)) if found else 0.0
