"""Data deletion by noisy gradient descent on a convex loss (forget-unlearning.md, Theorem 5.1).

Full-batch steps theta <- theta - eta grad L_D(theta) + sqrt(2 eta) N(0, sigma^2 I) on L_D = (1/n) sum l + (lambda/2)||theta||^2,
from theta_0 ~ N(0, sigma^2/(lambda (1 - eta lambda/2)) I) with eta = 1/(2 (lambda + beta)). For a convex loss, L-Lipschitz and
beta-smooth, and Renyi order q,

    epsilon_dp = 4 q L^2/(lambda sigma^2 n^2)                  for any number of steps,
    epsilon_dd = epsilon_dp exp(-K/(4 kappa)),    kappa = (lambda + beta)/lambda,

where K counts the steps since the record left. The theorem replaces records at a fixed n. For plain deletions n is the smallest
training set that the record was part of, since a deletion moves a gradient by at most 2L/n as a replacement does. Epsilons are
rounded up, and so is the number of steps for a target.

Clipping a gradient to L keeps the theorem only where the gradient is a scalar times the record: Lemma F.3 is false beyond, where
the clipped field of (w_1^2 + 100 w_2^2)/2 has a Jacobian with a negative symmetric part.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from auditor.base.domain import Certificate, Condition, Provenance
from auditor.maths.certificates.rounding import ceiling, exponential_ceiling
from auditor.maths.certificates.rule import (
    MOST,
    TOO_LARGE,
    Count,
    Inputs,
    Rule,
    above,
    at_least,
    failing,
    plain_inputs,
    smallest_count,
    trusted,
    without_result,
)

KIND: Final = "noisy-gd-convex"


def private_epsilon(order: float, *, lipschitz: float, l2: float, sigma2: float, rows: int) -> float:
    """epsilon_dp = 4 q L^2/(lambda sigma^2 n^2), rounded up; infinity beyond the floating-point range (Theorem 5.1 (1)).

    Args:
        order: q, above 1.
        lipschitz: L, a bound on the gradient norm of every record's loss.
        l2: lambda, above 0.
        sigma2: sigma^2, above 0.
        rows: n, at least 1.
    """
    return ceiling(4 * Fraction(order) * Fraction(lipschitz) ** 2 / (Fraction(l2) * Fraction(sigma2) * rows**2))


def deletion_epsilon(private: float, *, l2: float, smoothness: float, steps: int) -> float:
    """epsilon_dd = epsilon_dp exp(-K/(4 kappa)), rounded up, never 0 and never above epsilon_dp (Theorem 5.1 (2), eq. 16).

    Args:
        private: epsilon_dp, above 0 and finite.
        l2: lambda, above 0.
        smoothness: beta.
        steps: K, the steps since the record left, at least 0.
    """
    if steps == 0:
        return private
    decay = float(Fraction(steps) * Fraction(l2) / (4 * (Fraction(l2) + Fraction(smoothness))))
    return min(private, exponential_ceiling(math.log(private), -decay))


def steps_needed(target: float, private: float, *, l2: float, smoothness: float) -> int | None:
    """The smallest K with `deletion_epsilon` at most `target`, which is 4 kappa ln(epsilon_dp/target) rounded up (eq. 16).

    Args:
        target: epsilon_dd, above 0.
        private: epsilon_dp, above 0 and finite.
        l2: lambda, above 0.
        smoothness: beta.

    Returns:
        The number of steps, 0 where epsilon_dp is small enough by itself; None where it exceeds `MOST`.
    """

    def enough(steps: int) -> bool:
        return deletion_epsilon(private, l2=l2, smoothness=smoothness, steps=steps) <= target

    return smallest_count(enough)


class ConvexInputs(Inputs):
    """The constants of Theorem 5.1, and either the unlearning steps or the epsilon that they are to reach."""

    q: float
    """The Renyi order, above 1."""
    lipschitz: float
    """L, a bound on the gradient norm of every record's loss, above 0."""
    l2: float
    """lambda, the coefficient of the regulariser outside the mean, above 0."""
    smoothness: float
    """beta, a bound on the curvature of every record's loss, above 0."""
    sigma2: float
    """sigma^2, the variance of the noise before it is scaled by sqrt(2 eta), above 0."""
    n: Count
    """The records trained on; with plain deletions the fewest while the record was among them."""
    steps: Count | None = None
    """K, the steps since the record left; leave it out to go from a target to the steps."""
    target: float | None = None
    """The epsilon_dd that the steps are to reach, above 0; leave it out to go from steps to epsilon."""


def _conditions(inputs: ConvexInputs) -> tuple[Condition, ...]:
    given = [name for name in ("steps", "target") if getattr(inputs, name) is not None]
    found = [
        above("q", inputs.q, 1),
        above("lipschitz", inputs.lipschitz, 0),
        above("l2", inputs.l2, 0),
        above("smoothness", inputs.smoothness, 0),
        above("sigma2", inputs.sigma2, 0),
        at_least("n", inputs.n, 1),
        Condition(
            "exactly one of steps and target is given", len(given) == 1, " and ".join(given) or "neither", Provenance.COMPUTED
        ),
    ]
    if inputs.steps is not None:
        found.append(at_least("steps", inputs.steps, 0))
    if inputs.target is not None:
        found.append(above("target", inputs.target, 0))
    rate, start = _start(inputs)
    return (
        *found,
        trusted("every loss is convex, twice differentiable, Lipschitz and smooth with these constants"),
        trusted("gradients are not clipped, or are a scalar times the record"),
        trusted("full-batch steps at the rate 1/(2(l2 + smoothness)), noise in each; the last model is released", rate),
        trusted("the start is drawn from a centred Gaussian of variance sigma2/(l2(1 - rate l2/2))", start),
        trusted("requests are fixed in advance, and nothing but the model is carried from one update to the next"),
    )


def _start(inputs: ConvexInputs) -> tuple[str, str]:
    """The step size and the variance of the start that the theorem asks for, in words; nothing where they are undefined."""
    if not (inputs.l2 > 0 and inputs.smoothness > 0 and inputs.sigma2 > 0):
        return "", ""
    rate = 1 / (2 * (Fraction(inputs.l2) + Fraction(inputs.smoothness)))
    variance = Fraction(inputs.sigma2) / (Fraction(inputs.l2) * (1 - rate * Fraction(inputs.l2) / 2))
    return f"a rate of {ceiling(rate):g}", f"a variance of {ceiling(variance):g}"


def _derive(inputs: ConvexInputs) -> Certificate:
    conditions = _conditions(inputs)
    keys = ("epsilon_dp", "epsilon_dd", "kappa") + (() if inputs.target is None else ("steps",))
    if failing(conditions):
        return without_result(KIND, inputs, conditions, keys)
    private = private_epsilon(inputs.q, lipschitz=inputs.lipschitz, l2=inputs.l2, sigma2=inputs.sigma2, rows=inputs.n)
    kappa = ceiling((Fraction(inputs.l2) + Fraction(inputs.smoothness)) / Fraction(inputs.l2))
    if not (math.isfinite(private) and math.isfinite(kappa)):
        return without_result(KIND, inputs, conditions, keys, reason=TOO_LARGE)
    curve = {"l2": inputs.l2, "smoothness": inputs.smoothness}
    steps = inputs.steps if inputs.target is None else steps_needed(inputs.target, private, **curve)
    if steps is None:
        reason = f"the target needs more than {MOST} steps"
        return without_result(KIND, inputs, conditions, keys, reason=reason)
    epsilon = deletion_epsilon(private, steps=steps, **curve)
    outputs: dict[str, float | int] = {"epsilon_dp": private, "epsilon_dd": epsilon, "kappa": kappa}
    return Certificate(
        kind=KIND,
        epsilon=epsilon,
        delta=None,
        order=inputs.q,
        inputs=plain_inputs(inputs),
        conditions=conditions,
        bounds=(),
        outputs=outputs if inputs.target is None else {**outputs, "steps": steps},
    )


RULES: Final = (
    Rule(
        kind=KIND,
        theorem="Forget Unlearning, Theorem 5.1 (1), (2) and equation 16",
        summary="What noisy gradient descent on a convex loss promises a deleted person after K steps, or the K for a target.",
        example="auditor calc noisy-gd-convex --q 2 --lipschitz 1 --l2 0.05 --smoothness 0.25 --sigma2 0.01 --n 500 --steps 60",
        inputs=ConvexInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)
