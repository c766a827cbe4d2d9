"""From a gradient residual to pure epsilon-certified removal, for a perturbation of the Laplace type.

With b of density proportional to exp(-||b||_2/sigma) in the training objective, a residual u of norm at most beta changes that
density by a factor of at most exp(beta/sigma): (beta/sigma)-certified removal with delta = 0 (Guo et al. 2020, Theorem 3(i), who
print c/epsilon' in the exponent where epsilon/epsilon' is meant, so that sigma = epsilon'/epsilon). It rests on their Theorem 2,
and so on a residual that is independent of b, just as the Gaussian criterion does.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from auditor.base.domain import Certificate, Condition, Provenance
from auditor.maths.certificates.rounding import ceiling, floor
from auditor.maths.certificates.rule import Rule, failing, plain_inputs, without_result
from auditor.maths.certificates.trade_off import Leaves
from auditor.maths.tradeoff.promises import Promise, Pure, finite
from auditor.parts.removal.rules.removal import INDEPENDENT, RemovalBounds, bounds_beside


def budget(epsilon: float, sigma: float) -> float:
    """The largest residual norm that the criterion allows, sigma epsilon, rounded down."""
    return floor(Fraction(sigma) * Fraction(epsilon))


def epsilon_spent(beta: float, sigma: float) -> float:
    """The pure epsilon of a residual of norm `beta`, beta/sigma, rounded up; infinite beyond the floating-point range."""
    return ceiling(Fraction(beta) / Fraction(sigma))


class LaplaceBudgetInputs(RemovalBounds):
    """A target, the scale of the perturbation, and the residual spent so far."""

    epsilon: float
    """The target epsilon, at least 0."""
    sigma: float
    """The scale of the norm of b, which is Gamma(d, sigma), above 0."""


def _conditions(inputs: LaplaceBudgetInputs) -> tuple[Condition, ...]:
    return (
        Condition("epsilon >= 0", inputs.epsilon >= 0, f"{inputs.epsilon:g}", Provenance.COMPUTED),
        Condition("sigma > 0", inputs.sigma > 0, f"{inputs.sigma:g}", Provenance.COMPUTED),
        *inputs.conditions(),
        INDEPENDENT,
    )


def _derive(inputs: LaplaceBudgetInputs) -> Certificate:
    conditions = _conditions(inputs)
    if failing(conditions):
        keys = ("budget",) + (() if inputs.beta is None else ("epsilon_spent",))
        return without_result("removal-budget-laplace", inputs, conditions, keys)
    allowed = budget(inputs.epsilon, inputs.sigma)
    outputs: dict[str, float | str | None] = {"budget": allowed if math.isfinite(allowed) else None}
    epsilon: float | None = inputs.epsilon
    if inputs.beta is not None:
        spent = epsilon_spent(inputs.beta, inputs.sigma)
        epsilon = outputs["epsilon_spent"] = spent if math.isfinite(spent) else None
    if None in outputs.values():
        outputs["reason"] = "a number exceeds the floating-point range"
    return Certificate(
        kind="removal-budget-laplace",
        epsilon=epsilon,
        delta=0.0,
        order=None,
        inputs=plain_inputs(inputs),
        conditions=conditions,
        bounds=bounds_beside(inputs),
        outputs=outputs,
    )


RULES: Final = (
    Rule(
        kind="removal-budget-laplace",
        theorem="Guo et al. 2020, Theorem 3(i), with the density that its proof needs",
        summary="How large the gradient residual may be at a pure epsilon, and the epsilon that a residual beta spends.",
        example="auditor calc removal-budget-laplace --epsilon 1 --sigma 0.5 --beta 0.2",
        inputs=LaplaceBudgetInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)


def _left_by(certificate: Certificate) -> Promise:
    """Give the promise of a residual within beta, where one is given, or else within the budget: a pure one in any dimension."""
    epsilon = certificate.epsilon
    return finite(Pure, epsilon=math.inf if epsilon is None else float(epsilon))


PROMISES: Final = {"removal-budget-laplace": Leaves(_left_by)}
