"""From a gradient residual to (epsilon, delta)-certified removal: the removal budget.

With b ~ N(0, sigma^2 I) in the training objective, a gradient residual u of norm at most beta shifts the Gaussian that the
released parameters determine, so the pair is an analytic Gaussian mechanism with mu = beta/sigma. The theorem takes u to be
independent of b (Guo et al. 2020, proof of Theorem 2), which no residual bound can show; the condition is listed as taken on
trust, and what rests on it can be supported but not shown.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from auditor.base.domain import Bound, Certificate, Condition, Provenance
from auditor.maths.certificates import gaussian
from auditor.maths.certificates.rounding import ceiling, floor
from auditor.maths.certificates.rule import TRUSTED, Inputs, Rule, plain_inputs, without_result
from auditor.maths.certificates.trade_off import Leaves
from auditor.maths.tradeoff import promises
from auditor.parts.removal.rules.residual import DECIDING


def budget(epsilon: float, delta: float, sigma: float) -> float:
    """The largest residual norm that the criterion allows, sigma mu(epsilon, delta), rounded down.

    Args:
        epsilon: At least 0.
        delta: Between 0 and 1, both excluded.
        sigma: The standard deviation of each coordinate of b, above 0.
    """
    return _times(sigma, gaussian.mu(epsilon, delta))


def classical_budget(epsilon: float, delta: float, sigma: float) -> float:
    """The paper's budget sigma epsilon / sqrt(2 ln(1.5/delta)), rounded down (Guo et al. 2020, Theorem 3(ii)).

    It is proved for epsilon <= 1.
    """
    return _times(sigma, gaussian.classical_mu(epsilon, delta))


def _times(sigma: float, mu: float) -> float:
    """Their product, rounded down."""
    return floor(Fraction(sigma) * Fraction(mu)) if math.isfinite(mu) else mu


def epsilon_spent(beta: float, delta: float, sigma: float) -> float:
    """The epsilon at `delta` of a residual of norm `beta`, rounded up; infinite where it exceeds the floating-point range."""
    if beta == 0.0:
        return 0.0
    mu = ceiling(Fraction(beta) / Fraction(sigma))
    return gaussian.epsilon(delta, mu) if math.isfinite(mu) else math.inf


class RemovalBounds(Inputs):
    """The residual spent so far, bound by bound."""

    beta: float | None = None
    """The bound on the norm of the gradient residual that decides, at least 0."""
    beta_worst_case: float | None = None
    """The same by the worst-case bound; shown alongside, like the four that follow."""
    beta_as_printed: float | None = None
    """The same by the paper's Corollaries 1 and 2."""
    beta_online: float | None = None
    """The same by the bound that needs no pass over the data."""
    beta_tightened: float | None = None
    """The same with one Lipschitz constant for all records; `beta` has one for each."""
    beta_measured: float | None = None
    """The residual norm itself, as measured; at most `beta`."""

    def conditions(self) -> tuple[Condition, ...]:
        """What has to hold of them."""
        if self.beta is None:
            return ()
        found = [Condition("beta >= 0", self.beta >= 0, f"{self.beta:g}", Provenance.COMPUTED)]
        if self.beta_measured is not None:
            within = self.beta_measured <= self.beta
            found.append(
                Condition("the measured residual is at most beta", within, f"{self.beta_measured:g}", Provenance.MEASURED)
            )
        return tuple(found)


INDEPENDENT: Final = Condition("the gradient residual does not depend on the perturbation b", True, TRUSTED, Provenance.UNKNOWN)
"""What Theorems 2 and 3 need and no run can show."""


class RemovalBudgetInputs(RemovalBounds):
    """A target, the noise, and the residual spent so far."""

    epsilon: float
    """The target epsilon, at least 0."""
    delta: float
    """The target delta, between 0 and 1, both excluded."""
    sigma: float
    """The standard deviation of each coordinate of the perturbation b, above 0."""


def _conditions(inputs: RemovalBudgetInputs) -> tuple[Condition, ...]:
    return (
        Condition("epsilon >= 0", inputs.epsilon >= 0, f"{inputs.epsilon:g}", Provenance.COMPUTED),
        Condition("0 < delta < 1", 0 < inputs.delta < 1, f"{inputs.delta:g}", Provenance.COMPUTED),
        Condition("sigma > 0", inputs.sigma > 0, f"{inputs.sigma:g}", Provenance.COMPUTED),
        *inputs.conditions(),
        INDEPENDENT,
    )


def _derive(inputs: RemovalBudgetInputs) -> Certificate:
    conditions = _conditions(inputs)
    keys = ("budget", "classical_budget", "classical_proved") + (() if inputs.beta is None else ("epsilon_spent",))
    if not all(condition.holds for condition in conditions):
        return without_result("removal-budget", inputs, conditions, keys)
    exact = budget(inputs.epsilon, inputs.delta, inputs.sigma)
    classical = classical_budget(inputs.epsilon, inputs.delta, inputs.sigma)
    outputs: dict[str, float | bool | str | None] = {
        "budget": exact if math.isfinite(exact) else None,
        "classical_budget": classical if math.isfinite(classical) else None,
        "classical_proved": inputs.epsilon <= 1,
    }
    reasons = [] if math.isfinite(exact + classical) else ["the budget exceeds the floating-point range"]
    epsilon: float | None = inputs.epsilon
    if inputs.beta is not None:
        spent = epsilon_spent(inputs.beta, inputs.delta, inputs.sigma)
        epsilon = outputs["epsilon_spent"] = spent if math.isfinite(spent) else None
        if epsilon is None:
            reasons.append("the residual is so large against sigma that no finite epsilon holds")
    if reasons:
        outputs["reason"] = "; ".join(reasons)
    return Certificate(
        kind="removal-budget",
        epsilon=epsilon,
        delta=inputs.delta,
        order=None,
        inputs=plain_inputs(inputs),
        conditions=conditions,
        bounds=bounds_beside(inputs),
        outputs=outputs,
    )


def bounds_beside(inputs: RemovalBounds) -> tuple[Bound, ...]:
    """The bounds that were given alongside `beta`, loosest first."""
    named = (
        ("worst-case", inputs.beta_worst_case),
        ("as-printed", inputs.beta_as_printed),
        ("online", inputs.beta_online),
        ("tightened", inputs.beta_tightened),
        (DECIDING, inputs.beta),
        ("measured", inputs.beta_measured),
    )
    beside = any(value is not None for name, value in named if name != DECIDING)
    return tuple(Bound(name, value) for name, value in named) if beside else ()


RULES: Final = (
    Rule(
        kind="removal-budget",
        theorem="Guo et al. 2020, Theorem 3(ii), with the exact Gaussian mechanism (Balle and Wang 2018) for its tail bound",
        summary="How large the gradient residual may be at (epsilon, delta), and the epsilon that a residual beta spends.",
        example="auditor calc removal-budget --epsilon 1 --delta 1e-4 --sigma 1 --beta 0.2",
        inputs=RemovalBudgetInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)


def _left_by(certificate: Certificate) -> promises.Promise:
    """Give the promise of a residual within beta, where one is given, or else within the budget: a Gaussian shift either way."""
    given = certificate.inputs
    if given.get("beta") is not None:
        return promises.gaussian_shift(given["beta"], given["sigma"])
    return promises.removal_budget(given["epsilon"], given["delta"])


PROMISES: Final = {"removal-budget": Leaves(_left_by)}
