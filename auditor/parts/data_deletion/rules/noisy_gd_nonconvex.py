"""Data deletion by noisy gradient descent on any bounded loss (forget-unlearning.md, Theorem 5.2).

The loss is bounded by sigma^2 ln(B)/4, L-Lipschitz and beta-smooth, and theta_0 ~ N(0, (sigma^2/lambda) I). With
C = 2B/(lambda eta) the inequalities (18) and (19), as they are printed, are solved for the smallest epsilons:

    epsilon_dp  = q L^2 eta max(K_A, K_U)/(sigma^2 n^2)                                          (18)
    epsilon_dd >= 64 d q B (beta + lambda)^2 eta/lambda                                          (19), step size
    epsilon_dd >= q ln(B) e^(-K_A/C)                                                             (19), learning steps
    epsilon_dd <= ln(B) e^(-(K_A - K_U)/C)/2 - (r/n) ln(B)                                       (19), unlearning steps

The theorem wants epsilon_dd <= epsilon_dp < d, so epsilon_dd takes both roles where it is the larger one. The last inequality
fails for K_A much larger than K_U even where both are ample: the theorem as printed does not cover that case, and there is no
epsilon. With r = m the statement is about the batch of m, in one direction. Epsilons are rounded up, the limit on
epsilon_dd down.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from auditor.base.domain import Certificate, Condition, Provenance
from auditor.maths.certificates.rounding import ceiling, exponential_ceiling, slack
from auditor.maths.certificates.rule import (
    Count,
    Inputs,
    Rule,
    above,
    at_least,
    between,
    failing,
    plain_inputs,
    smallest_count,
    trusted,
    without_result,
)

KIND: Final = "noisy-gd-nonconvex"
# e^700 still is a floating-point number; a limit beyond it excludes nothing.
_UNLIMITED: Final = 700.0


def gradient_epsilon(order: float, *, lipschitz: float, sigma2: float, rows: int, rate: float, steps: int) -> float:
    """q L^2 eta K/(sigma^2 n^2), rounded up: what K noisy steps say of one record in n, whatever was seen before (eq. 18).

    It holds for clipped gradients too, whatever they are gradients of.

    With all steps up to the last model that a requester saw it takes the place of p epsilon_dp in Theorem 4.3, where the loss is
    not convex.

    Args:
        order: q, above 1.
        lipschitz: L, a bound on the gradient norm of every record's loss.
        sigma2: sigma^2, above 0.
        rows: n, at least 1.
        rate: eta, the step size.
        steps: K.
    """
    return ceiling(Fraction(order) * Fraction(lipschitz) ** 2 * Fraction(rate) * steps / (Fraction(sigma2) * rows**2))


class NonconvexInputs(Inputs):
    """The constants of Theorem 5.2."""

    q: float
    """The Renyi order, above 1."""
    sigma2: float
    """sigma^2, the variance of the noise before it is scaled by sqrt(2 eta), above 0."""
    bound_b: float
    """B, above 1: no loss exceeds sigma2 ln(B)/4 in absolute value."""
    lipschitz: float
    """L, a bound on the gradient norm of every record's loss, above 0."""
    l2: float
    """lambda, the coefficient of the regulariser outside the mean, above 0."""
    smoothness: float
    """beta, a bound on the curvature of every record's loss, above 0."""
    rate: float
    """eta, the step size, above 0."""
    d: Count
    """The number of parameters."""
    n: Count
    """The records trained on; with plain deletions the fewest while the record was among them."""
    r: Count
    """The records that one request replaces or deletes, at most n."""
    learn_steps: Count
    """K_A, the steps of learning."""
    unlearn_steps: Count
    """K_U, the steps after each request."""


def step_size_epsilon(inputs: NonconvexInputs) -> float:
    """64 d q B (beta + lambda)^2 eta/lambda, rounded up: what the step size leaves (eq. 19)."""
    curvature = (Fraction(inputs.smoothness) + Fraction(inputs.l2)) ** 2
    scale = 64 * inputs.d * Fraction(inputs.q) * Fraction(inputs.bound_b)
    return ceiling(scale * curvature * Fraction(inputs.rate) / Fraction(inputs.l2))


def learning_epsilon(inputs: NonconvexInputs) -> float:
    """q ln(B) e^(-K_A/C), rounded up: what the learning steps leave (eq. 19)."""
    return exponential_ceiling(
        math.log(inputs.q), math.log(math.log(inputs.bound_b)), -_in_units_of_c(inputs, inputs.learn_steps)
    )


def largest_epsilon(inputs: NonconvexInputs, unlearn_steps: int) -> float:
    """ln(B) e^(-(K_A - K_U)/C)/2 - (r/n) ln(B), rounded down: the largest epsilon_dd that K_U allows (eq. 19)."""
    exponent = _in_units_of_c(inputs, unlearn_steps - inputs.learn_steps)
    if exponent > _UNLIMITED:
        return math.inf
    half = math.exp(exponent - slack(exponent)) / 2
    share = ceiling(Fraction(inputs.r, inputs.n))
    return math.log(inputs.bound_b) * (half - share) - slack() * math.log(inputs.bound_b) * (half + share)


def _in_units_of_c(inputs: NonconvexInputs, steps: int) -> float:
    """steps/C = steps lambda eta/(2B), clamped to a range beyond which its exponential is 0 or infinite."""
    exact = Fraction(steps) * Fraction(inputs.l2) * Fraction(inputs.rate) / (2 * Fraction(inputs.bound_b))
    return float(max(Fraction(-10_000), min(Fraction(10_000), exact)))


def _ranges(inputs: NonconvexInputs) -> tuple[Condition, ...]:
    return (
        above("q", inputs.q, 1),
        above("sigma2", inputs.sigma2, 0),
        above("bound_b", inputs.bound_b, 1),
        above("lipschitz", inputs.lipschitz, 0),
        above("l2", inputs.l2, 0),
        above("smoothness", inputs.smoothness, 0),
        above("rate", inputs.rate, 0),
        at_least("d", inputs.d, 1),
        at_least("n", inputs.n, 1),
        between(1, "r", inputs.r, inputs.n),
        at_least("learn_steps", inputs.learn_steps, 0),
        at_least("unlearn_steps", inputs.unlearn_steps, 0),
    )


def _parts(inputs: NonconvexInputs) -> dict[str, float]:
    """The epsilons that each inequality asks for, by what would lower it."""
    steps = max(inputs.learn_steps, inputs.unlearn_steps)
    gradients = gradient_epsilon(
        inputs.q, lipschitz=inputs.lipschitz, sigma2=inputs.sigma2, rows=inputs.n, rate=inputs.rate, steps=steps
    )
    return {
        "more records, more noise or fewer steps (18)": gradients,
        "a smaller rate (19)": step_size_epsilon(inputs),
        "more learning steps (19)": learning_epsilon(inputs),
    }


def _epsilons(inputs: NonconvexInputs) -> tuple[float, float]:
    """epsilon_dp and epsilon_dd: the smallest that the lower bounds allow, with epsilon_dd <= epsilon_dp."""
    gradients, rate, learning = _parts(inputs).values()
    deletion = max(rate, learning)
    return max(gradients, deletion), deletion


def _conditions(inputs: NonconvexInputs) -> tuple[Condition, ...]:
    ranges = _ranges(inputs)
    if failing(ranges):
        return ranges
    bound = math.log(inputs.bound_b) * inputs.sigma2 / 4
    return (
        *ranges,
        _unlearns_enough(inputs),
        _below_dimension(inputs),
        trusted("no loss exceeds sigma2 ln(bound_b)/4 in absolute value", f"{bound:g}"),
        trusted("every loss is Lipschitz and smooth with these constants"),
        trusted("gradients are not clipped, or are a scalar times the record"),
        trusted("full-batch steps at this rate, noise in each; the last model is released"),
        trusted("the start is drawn from a centred Gaussian of variance sigma2/l2"),
        trusted("requests are fixed in advance, and nothing but the model is carried from one update to the next"),
    )


def _unlearns_enough(inputs: NonconvexInputs) -> Condition:
    """The inequality on the unlearning steps, with the number of them that would do."""
    _, wanted = _epsilons(inputs)
    allowed = largest_epsilon(inputs, inputs.unlearn_steps)
    found = f"epsilon_dd = {wanted:g}, at most {allowed:g} allowed"
    if wanted > allowed:
        steps = smallest_count(lambda count: largest_epsilon(inputs, count) >= wanted)
        mended = "no number of unlearning steps would do" if steps is None else f"{steps} unlearning steps would do"
        found = f"{found}: not covered by the theorem as printed; {mended}"
    name = "epsilon_dd <= ln(bound_b) e^(-(learn_steps - unlearn_steps)/C)/2 - (r/n) ln(bound_b), C = 2 bound_b/(l2 rate) (19)"
    return Condition(name, wanted <= allowed, found, Provenance.COMPUTED)


def _below_dimension(inputs: NonconvexInputs) -> Condition:
    """The larger epsilon is below d, with everything that would have to change where it is not."""
    parts = _parts(inputs)
    largest = max(parts.values())
    mended = " and ".join(words for words, part in parts.items() if part >= inputs.d)
    found = f"{largest:g}; it takes {mended}" if mended else f"{largest:g}"
    return Condition(f"max(epsilon_dp, epsilon_dd) < d = {inputs.d}", not mended, found, Provenance.COMPUTED)


def _derive(inputs: NonconvexInputs) -> Certificate:
    conditions = _conditions(inputs)
    if failing(conditions):
        return without_result(KIND, inputs, conditions, ("epsilon_dp", "epsilon_dd"))
    private, deletion = _epsilons(inputs)
    return Certificate(
        kind=KIND,
        epsilon=deletion,
        delta=None,
        order=inputs.q,
        inputs=plain_inputs(inputs),
        conditions=conditions,
        bounds=(),
        outputs={"epsilon_dp": private, "epsilon_dd": deletion},
    )


RULES: Final = (
    Rule(
        kind=KIND,
        theorem="Forget Unlearning, Theorem 5.2 (1), (2) with equations 18 and 19",
        summary="What noisy gradient descent on a bounded loss promises a deleted person, or the inequality that fails.",
        example="auditor calc noisy-gd-nonconvex --q 2 --sigma2 4 --bound-b 1.5 --lipschitz 1 --l2 0.5 --smoothness 1 --rate 1e-6"
        " --d 10 --n 40 --r 1 --learn-steps 4e7 --unlearn-steps 3e7",
        inputs=NonconvexInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)
