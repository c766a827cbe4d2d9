"""What a bound on a Renyi divergence says in other words: (epsilon, delta), and the advantage of an adversary.

R_q(P || R) <= epsilon bounds P[S] by e^epsilon' R[S] + delta with either of

    epsilon' = epsilon + ln(1/delta)/(q - 1)                                   (Mironov 2017, Proposition 3)
    epsilon' = epsilon + ln((q - 1)/q) - (ln delta + ln q)/(q - 1)             (Canonne, Kamath and Steinke 2020, Proposition 12)

in this one direction; the second is always the smaller one. Where the models of two worlds both are that close to one R, anyone
who tells the worlds apart by them has (forget-unlearning.md, Theorem 4.1)

    Adv <= min{sqrt(2 epsilon), (q/(q - 1)) e^(epsilon (q - 1)/q) (2 (q - 1))^(1/q) - 1, 1}.

Pinsker's inequality gives sqrt(epsilon/2) for each world and R. Where the world without the record is itself the R that the other
is held against, nothing has to be added up: sqrt(epsilon/2) takes the place of sqrt(2 epsilon).

All of them are rounded up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

from auditor.base.domain import Certificate, Condition
from auditor.maths.certificates.rounding import ceiling, exponential_ceiling, slack
from auditor.maths.certificates.rule import (
    TOO_LARGE,
    Count,
    Inputs,
    Rule,
    above,
    at_least,
    between,
    failing,
    plain_inputs,
    trusted,
    without_guarantee,
    without_result,
)

_CLOSE: Final = "the divergence from the model that never saw the record is at most epsilon at this order, in this direction"


def mironov_epsilon(order: float, epsilon: float, delta: float) -> float:
    """epsilon + ln(1/delta)/(q - 1), rounded up (Mironov 2017, Proposition 3; forget-unlearning.md, Theorem B.1).

    Args:
        order: q, above 1.
        epsilon: The bound on the divergence, at least 0.
        delta: Above 0 and at most 1.
    """
    return _sum_up(epsilon, -math.log(delta) / (order - 1))


def tight_epsilon(order: float, epsilon: float, delta: float) -> float:
    """epsilon + ln((q - 1)/q) - (ln delta + ln q)/(q - 1), rounded up, at least 0 (Canonne et al. 2020, Proposition 12).

    Args:
        order: q, above 1.
        epsilon: The bound on the divergence, at least 0.
        delta: Above 0 and at most 1.
    """
    gain = -math.log1p(1 / (order - 1))
    return max(0.0, _sum_up(epsilon, gain, -math.log(delta) / (order - 1), -math.log(order) / (order - 1)))


def _sum_up(*terms: float) -> float:
    return math.fsum(terms) + slack(*terms)


def pinsker_advantage(epsilon: float) -> float:
    """sqrt(2 epsilon), rounded up: by Pinsker's inequality, for every order (forget-unlearning.md, Theorem 4.1)."""
    return math.nextafter(math.sqrt(2) * math.sqrt(epsilon) * (1 + slack()), math.inf) if epsilon else 0.0


def reference_advantage(epsilon: float) -> float:
    """sqrt(epsilon/2), rounded up: Pinsker's inequality once, where the world without the record is the R of the bound."""
    return pinsker_advantage(epsilon) / 2


def renyi_advantage(order: float, epsilon: float) -> float:
    """(q/(q - 1)) e^(epsilon (q - 1)/q) (2 (q - 1))^(1/q) - 1, rounded up; infinity where it exceeds the floating-point range.

    It is the minimum over delta of e^epsilon' - 1 + 2 delta with Mironov's epsilon' (forget-unlearning.md, Theorem 4.1, eq. 10).

    Args:
        order: q, above 1.
        epsilon: The bound on the divergence, at least 0.
    """
    terms = (math.log1p(1 / (order - 1)), epsilon / order * (order - 1), (math.log(2) + math.log(order - 1)) / order)
    logarithm = math.fsum(terms)
    if logarithm > 1:  # below, expm1 keeps the digits of a small result
        return exponential_ceiling(*terms) - 1
    return math.expm1(logarithm + slack(*terms)) + slack()


class AdvantageInputs(Inputs):
    """A bound on a Renyi divergence."""

    q: float
    """The Renyi order, above 1."""
    epsilon: float
    """The bound on the divergence at this order, at least 0."""
    reference: Count | None = None
    """1 where the world without the record is itself the R of the bound; left out where both worlds are near another R."""


def _advantage_conditions(inputs: AdvantageInputs) -> tuple[Condition, ...]:
    stated = () if inputs.reference is None else (between(0, "reference", inputs.reference, 1),)
    return (
        above("q", inputs.q, 1),
        at_least("epsilon", inputs.epsilon, 0),
        *stated,
        trusted(_CLOSE),
        trusted("the adversary sees models from after the deletion only"),
    )


def _derive_advantage(inputs: AdvantageInputs) -> Certificate:
    conditions = _advantage_conditions(inputs)
    keys = ("pinsker", "renyi", "bound")
    if failing(conditions):
        return without_result("advantage", inputs, conditions, keys)
    by_pinsker = reference_advantage if inputs.reference else pinsker_advantage
    pinsker, renyi = by_pinsker(inputs.epsilon), renyi_advantage(inputs.q, inputs.epsilon)
    outputs: dict[str, float | str | None] = {"pinsker": pinsker, "renyi": renyi, "bound": min(pinsker, renyi, 1.0)}
    if not math.isfinite(renyi):
        outputs |= {"renyi": None, "reason": "renyi exceeds the floating-point range, and gives no information"}
    return without_guarantee("advantage", inputs, conditions, outputs)


class ConversionInputs(Inputs):
    """A bound on a Renyi divergence, and the delta to state it at."""

    q: float
    """The Renyi order, above 1."""
    epsilon: float
    """The bound on the divergence at this order, at least 0."""
    delta: float
    """Between 0 and 1; at 0 there is no epsilon."""


def _conversion_conditions(inputs: ConversionInputs) -> tuple[Condition, ...]:
    return (
        above("q", inputs.q, 1),
        at_least("epsilon", inputs.epsilon, 0),
        between(0, "delta", inputs.delta, 1),
        trusted(_CLOSE),
    )


def _derive_conversion(inputs: ConversionInputs) -> Certificate:
    conditions = _conversion_conditions(inputs)
    keys = ("mironov", "tight")
    if failing(conditions):
        return without_result("conversion", inputs, conditions, keys)
    if inputs.delta == 0:
        return without_result("conversion", inputs, conditions, keys, reason="no finite epsilon holds at delta = 0")
    printed = mironov_epsilon(inputs.q, inputs.epsilon, inputs.delta)
    tight = tight_epsilon(inputs.q, inputs.epsilon, inputs.delta)
    if not math.isfinite(printed):
        return without_result("conversion", inputs, conditions, keys, reason=TOO_LARGE)
    return Certificate(
        kind="conversion",
        epsilon=tight,
        delta=inputs.delta,
        order=None,
        inputs=plain_inputs(inputs),
        conditions=conditions,
        bounds=(),
        outputs={"mironov": printed, "tight": tight},
    )


RULES: Final = (
    Rule(
        kind="advantage",
        theorem="Forget Unlearning, Theorem 4.1 (equation 10)",
        summary="How much better than guessing anyone can tell a deleted record from one that never was there.",
        example="auditor calc advantage --q 50 --epsilon 0.05",
        inputs=AdvantageInputs,
        conditions=_advantage_conditions,
        derive=_derive_advantage,
    ),
    Rule(
        kind="conversion",
        theorem="mironov: Mironov 2017, Proposition 3; tight: Canonne, Kamath and Steinke 2020, Proposition 12",
        summary="The epsilon at a delta that a bound on a Renyi divergence gives, in its one direction.",
        example="auditor calc conversion --q 8 --epsilon 0.05 --delta 1e-5",
        inputs=ConversionInputs,
        conditions=_conversion_conditions,
        derive=_derive_conversion,
    ),
)


# What a bound that is linear in the Renyi order says at its best order: of membership, and of (epsilon, delta).
# epsilon_dp and epsilon_dd of Theorem 5.1 of forget-unlearning.md, q mu^2/2 of the Gaussian trade-off and their sums hold at
# every order q > 1 and are q times a constant; so are those of Theorem 5.2 at orders below one that they hold at. The order
# that a claim names is one of many, and another may say more. The grid is coarse; each of its orders gives a bound, so that
# the best is one.
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
