"""What differential privacy says of several people at once."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from auditor.base.domain import Certificate, Condition
from auditor.maths.certificates.rounding import ceiling, exponential_ceiling
from auditor.maths.certificates.rule import Count, Inputs, Rule, at_least, between, plain_inputs, trusted, without_result


def group_epsilon(epsilon: float, size: int) -> float:
    """k epsilon for k = size, rounded up; infinity beyond the floating-point range (Vadhan 2017, Lemma 2.2).

    Args:
        epsilon: At least 0.
        size: The number of people, at least 1.
    """
    return ceiling(size * Fraction(epsilon))


def group_delta(epsilon: float, delta: float, size: int) -> float:
    """delta (e^(k epsilon) - 1)/(e^epsilon - 1) for k = size, at most 1, rounded up; k delta at epsilon = 0.

    It is the sum of delta e^(i epsilon) over i < k: one hop of (epsilon, delta) for each person, as in the proof of
    Vadhan 2017, Lemma 2.2, with the geometric sum kept as it is.

    Args:
        epsilon: At least 0.
        delta: Between 0 and 1.
        size: The number of people, at least 1.
    """
    if size == 1 or delta == 0.0:
        return delta
    if epsilon == 0.0:
        return min(1.0, ceiling(size * Fraction(delta)))
    # The last hop alone is e^((k - 1) epsilon): from 1/delta on nothing is left to say, and below it nothing overflows.
    last = (size - 1) * epsilon
    if last + math.log(delta) >= 0:
        return 1.0
    terms = (math.log(delta), last, math.log(-math.expm1(-size * epsilon)), -math.log(-math.expm1(-epsilon)))
    return min(1.0, exponential_ceiling(*terms))


class GroupInputs(Inputs):
    """A guarantee for one person, and how many people."""

    epsilon: float
    """The epsilon for one person, at least 0."""
    delta: float
    """The delta for one person, between 0 and 1."""
    size: Count
    """The number of people, k, at least 1."""


def _conditions(inputs: GroupInputs) -> tuple[Condition, ...]:
    return (
        at_least("epsilon", inputs.epsilon, 0),
        between(0, "delta", inputs.delta, 1),
        at_least("size", inputs.size, 1),
        trusted("the guarantee for one person rests on differential privacy"),
    )


def _derive(inputs: GroupInputs) -> Certificate:
    conditions = _conditions(inputs)
    if not all(condition.holds for condition in conditions):
        return without_result("group", inputs, conditions, ("epsilon", "delta"))
    epsilon = group_epsilon(inputs.epsilon, inputs.size)
    if not math.isfinite(epsilon):
        reason = "size times epsilon exceeds the floating-point range"
        return without_result("group", inputs, conditions, ("epsilon", "delta"), reason=reason)
    delta = group_delta(inputs.epsilon, inputs.delta, inputs.size)
    return Certificate(
        kind="group",
        epsilon=epsilon,
        delta=delta,
        order=None,
        inputs=plain_inputs(inputs),
        conditions=conditions,
        bounds=(),
        outputs={"epsilon": epsilon, "delta": delta},
    )


RULES: Final = (
    Rule(
        kind="group",
        theorem="Group privacy: Vadhan 2017, Lemma 2.2, with the geometric sum of its proof kept exact",
        summary="What (epsilon, delta)-differential privacy for one person says of k people together.",
        example="auditor calc group --epsilon 1 --delta 1e-6 --size 3",
        inputs=GroupInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)
