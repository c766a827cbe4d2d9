"""Adaptive machine unlearning of a learner that is history independent under fresh randomness.

With probability 1 - gamma over the requests that were made, the models are (alpha, beta)-close to those that would be learned
from the records that are left, for requesters who see every model (Gupta et al. 2021, with both sides of the inequality). It
follows for every beta above 0 from (epsilon, delta)-adaptive history independence with fresh randomness alone (Cohen et al. 2023,
Proposition 3.12, by their Lemma A.3): alpha = 3 epsilon and gamma = 2 delta/beta + 2 delta/(1 - e^-epsilon).

Where delta is 0, so is gamma: two laws that agree up to a factor e^epsilon agree up to e^(2 epsilon) under every condition. Where
epsilon is 0 and delta is not, the formula gives no gamma below 1; a larger epsilon does, which holds as well.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from auditor.base.domain import Certificate, Condition
from auditor.maths.certificates.rounding import ceiling
from auditor.maths.certificates.rule import Inputs, Rule, above, at_least, between, failing, plain_inputs, trusted, without_result

KIND: Final = "adaptive-unlearning"
_UP: Final = 1 + 2.0**-50
_EXACT_FROM: Final = 700.0
"""From here on e^-epsilon is below every rounding of 1."""


def alpha(epsilon: float) -> float:
    """3 epsilon, rounded up; infinity beyond the floating-point range (Proposition 3.12).

    Args:
        epsilon: At least 0.
    """
    return ceiling(3 * Fraction(epsilon))


def gamma(epsilon: float, delta: float, beta: float) -> float:
    """2 delta/beta + 2 delta/(1 - e^-epsilon), at most 1, rounded up; 0 where delta is (Proposition 3.12).

    Args:
        epsilon: At least 0.
        delta: Between 0 and 1.
        beta: Above 0.
    """
    if delta == 0.0:
        return 0.0
    if epsilon == 0.0:
        return 1.0
    apart = -math.expm1(-min(epsilon, _EXACT_FROM)) / _UP
    exact = 2 * Fraction(delta) * (1 / Fraction(beta) + 1 / Fraction(apart))
    return min(1.0, ceiling(exact))


class UnlearningInputs(Inputs):
    """A history independence, and the beta to state."""

    epsilon: float
    """The epsilon of history independence under fresh randomness, at least 0."""
    delta: float
    """Its delta, between 0 and 1."""
    beta: float
    """How far apart the models may be beyond a factor e^alpha, above 0."""


def _conditions(inputs: UnlearningInputs) -> tuple[Condition, ...]:
    return (
        at_least("epsilon", inputs.epsilon, 0),
        between(0, "delta", inputs.delta, 1),
        above("beta", inputs.beta, 0),
        trusted("the history independence is adaptive, and under fresh randomness: under the same randomness nothing follows"),
        trusted("the state is the data set, the models, what updates need, and the last predictor"),
    )


def _derive(inputs: UnlearningInputs) -> Certificate:
    conditions = _conditions(inputs)
    if failing(conditions):
        return without_result(KIND, inputs, conditions, ("alpha", "beta", "gamma"))
    first, last = alpha(inputs.epsilon), gamma(inputs.epsilon, inputs.delta, inputs.beta)
    if last >= 1 or not math.isfinite(first):
        reason = "gamma is 1, which says nothing: take a larger epsilon or beta"
        return without_result(KIND, inputs, conditions, ("alpha", "beta", "gamma"), reason=reason)
    return Certificate(
        kind=KIND,
        epsilon=None,
        delta=None,
        order=None,
        inputs=plain_inputs(inputs),
        conditions=conditions,
        bounds=(),
        outputs={"alpha": first, "beta": inputs.beta, "gamma": last},
    )


RULES: Final = (
    Rule(
        kind=KIND,
        theorem="Deletion-as-control (Cohen et al. 2023), Proposition 3.12, by Lemma A.3",
        summary="What adaptive history independence under fresh randomness says as adaptive machine unlearning.",
        example="auditor calc adaptive-unlearning --epsilon 1 --delta 1e-6 --beta 1e-3",
        inputs=UnlearningInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)
