"""What noisy gradient descent on a bounded loss costs in accuracy, without convexity (forget-unlearning.md, Theorem 5.2 (3)).

Theorem 5.2 (3) gives an order of growth, O~(d q/(epsilon_dp n^2) + sqrt(q epsilon_dd/epsilon_dp)/n). The bound here has all of
its constants and holds for any steps at a small enough rate; it is proved below. With M = lambda + beta, kappa = M/lambda,
s = sqrt(B), w = (r/n) ln(B) and |loss| <= sigma^2 ln(B)/4:

    limit     = (d sigma^2/2) (1 + min{ln(B)/2 + ln(kappa), ln(M m^2/(d sigma^2))})       of the Gibbs law,
                m = (L + sqrt(L^2 + 4 lambda sigma^2 d))/(2 lambda)
    risk(H)   = limit + sigma^2 (sqrt(2 d kappa s H) + kappa s H)                         of a law at divergence H from it
    bias      = 8 eta d s M^2/lambda                                                      where eta <= lambda/(4 s M^2)
    learned  <= risk(H_0),      H_0 = e^(-K_A lambda eta/s) min{ln(B)/2, ln(B)^2/32} + bias
    updated  <= risk(a J(H) + bias),  a = e^(-K_U lambda eta/s),  J(H) = min{H + w, (sqrt(H) + w/sqrt(8))^2},
                H = max{H_0, least of both solutions of H = a J(H) + bias}

for every model after any number of requests that were fixed in advance; with plain deletions n is the smallest database before
one. Requests that follow published models are not covered: given the request, the published model has another law. The bound is
worth something only where it lies below `excess_risk_zero`, what the model of zeros exceeds the least risk by at most:
min{sigma^2 ln(B)/2, L^2/(2 lambda)}. Everything is rounded up.

Proof. Let F be the regularised mean loss with minimiser theta*, pi ~ e^(-F/sigma^2) its Gibbs law, and KL the divergence.

The Gibbs law. pi has a density e^(-psi)/Z relative to N(0, (sigma^2/lambda) I) with psi the mean loss over sigma^2, whose range
is ln(B)/2 wide. So (Holley and Stroock 1987) it has a logarithmic Sobolev and a Poincare inequality with the constant
alpha = lambda/(sigma^2 s). By smoothness F <= F(theta*) + M |theta - theta*|^2/2, hence ln Z' >= -F(theta*)/sigma^2 +
(d/2) ln(2 pi sigma^2/M) of Z' = int e^(-F/sigma^2); and E F/sigma^2 = h(pi) - ln Z' with the entropy h(pi) <=
(d/2) ln(2 pi e V/d) for V = E|theta - c|^2, any c. With c the mean V <= d/alpha by Poincare. With c = 0, by parts
sigma^2 d = E<theta, grad F> >= lambda V - L sqrt(V), hence V <= m^2. Both give `limit`.

Near it. For theta ~ rho coupled with tau ~ pi in the best way, W^2 = E|theta - tau|^2 <= 2 KL(rho|pi)/alpha (Otto and Villani
2000). Smoothness gives E F(theta) - E F(tau) <= sqrt(E|grad F(tau)|^2) W + M W^2/2, and by parts E|grad F(tau)|^2 =
sigma^2 E Laplacian F <= sigma^2 d M. That is `risk`.

The steps are the unadjusted Langevin algorithm of F/sigma^2 with step eta sigma^2: K of them take KL(rho|pi) to at most
e^(-K lambda eta/s) KL(rho|pi) + bias (Vempala and Wibisono 2019, their Theorem 1, the paper's [35]). At the start
KL = E psi + ln E e^(-psi) under the Gaussian, at most the range of psi and, by Hoeffding's lemma, its square over 8.

A request changes F/sigma^2 by a function D of range at most w, and KL(rho|pi') = KL(rho|pi) + E_rho D + ln E_pi e^(-D). The last
two add at most w; or, by Hoeffding, at most E_rho D - E_pi D + w^2/8 <= w sqrt(KL/2) + w^2/8 (Pinsker). That is J. The map
H -> a J(H) + bias rises, and for each of the two functions in J it maps nothing at or below the larger of H_0 and that function's
fixed point above it: so all H_i stay below, whichever of the two is taken.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from auditor.base.domain import Certificate, Condition, Provenance
from auditor.maths.certificates.rounding import ceiling, exponential_ceiling, floor
from auditor.maths.certificates.rule import (
    TOO_LARGE,
    Count,
    Inputs,
    Rule,
    above,
    at_least,
    between,
    failing,
    trusted,
    without_guarantee,
    without_result,
)

KIND: Final = "noisy-gd-nonconvex-utility"
_UP: Final = 1 + 1e-12
"""More than the few dozen roundings of sums, products, roots and logarithms of positive numbers are off by."""
_FAR: Final = Fraction(10**6)
"""An exponent beyond which an exponential is 0."""


class NonconvexUtilityInputs(Inputs):
    """The constants of Theorem 5.2, and the steps."""

    sigma2: float
    """sigma^2, the variance of the noise before it is scaled by sqrt(2 eta), above 0."""
    bound_b: float
    """B, above 1: no loss exceeds sigma2 ln(B)/4 in absolute value."""
    lipschitz: float
    """L, a bound on the gradient norm of every record's loss, above 0."""
    l2: float
    """lambda, the coefficient of the regulariser outside the mean, above 0."""
    smoothness: float
    """beta, a bound on the curvature of every record's loss in absolute value, above 0."""
    rate: float
    """eta, the step size, above 0 and at most l2/(4 sqrt(bound_b) (l2 + smoothness)^2)."""
    d: Count
    """The number of parameters."""
    n: Count
    """The records trained on; with plain deletions the fewest before any request."""
    r: Count = 1
    """The most records that one request replaces or deletes, at most n."""
    learn_steps: Count
    """K_A."""
    unlearn_steps: Count
    """K_U, at least 1."""


@dataclass(frozen=True, slots=True)
class Divergences:
    """Upper bounds on the Kullback-Leibler divergence of a model's law from the Gibbs law of its database."""

    limit: float
    """After so many steps that more of them change nothing."""
    learned: float
    updated: float
    """After any number of requests; infinite where the steps of one are too few to count."""


def divergences(inputs: NonconvexUtilityInputs) -> Divergences:
    """How far the laws of learned and of updated models are from their Gibbs laws; proved above."""
    curvature = (Fraction(inputs.l2) + Fraction(inputs.smoothness)) ** 2
    bias = ceiling(8 * Fraction(inputs.rate) * inputs.d * curvature / Fraction(inputs.l2) * _root_of_b(inputs))
    size = math.log(inputs.bound_b) * _UP
    learning, unlearning = (_faded(inputs, steps) for steps in (inputs.learn_steps, inputs.unlearn_steps))
    learned = (math.exp(-learning) * min(size / 2, size * size / 32) + bias) * _UP
    # Down, and the exponential up, whatever the exponent is.
    left, gone = exponential_ceiling(-unlearning), -math.expm1(-unlearning) / _UP
    if not gone:
        return Divergences(bias, learned, math.inf)
    jump = size * ceiling(Fraction(inputs.r, inputs.n))
    shift = jump / math.sqrt(8)
    straight = (left * jump + bias) / gone
    root = (left * shift + math.sqrt((left * shift) ** 2 + gone * (left * shift * shift + bias))) / gone
    largest = max(learned, min(straight, root * root) * _UP)
    jumped = min(largest + jump, (math.sqrt(largest) + shift) ** 2)
    return Divergences(bias, learned, min(largest, left * jumped + bias) * _UP)


def _faded(inputs: NonconvexUtilityInputs, steps: int) -> float:
    """K lambda eta/sqrt(B), rounded down."""
    return floor(min(_FAR, steps * Fraction(inputs.l2) * Fraction(inputs.rate) / _root_of_b(inputs)))


def _root_of_b(inputs: NonconvexUtilityInputs) -> Fraction:
    """The square root of B, rounded up."""
    return Fraction(math.nextafter(math.sqrt(inputs.bound_b), math.inf))


def gibbs_risk(inputs: NonconvexUtilityInputs) -> float:
    """`limit` over sigma^2: what the Gibbs law exceeds the least risk by."""
    strong, slope, noise = Fraction(inputs.l2), Fraction(inputs.lipschitz), inputs.d * Fraction(inputs.sigma2)
    bend = strong + Fraction(inputs.smoothness)
    by_range = math.log(inputs.bound_b) / 2 + math.log1p(ceiling(Fraction(inputs.smoothness) / strong))
    root = Fraction(math.nextafter(math.sqrt(ceiling(slope**2 + 4 * strong * noise)), math.inf))
    by_moment = math.log(ceiling(bend * ((slope + root) / (2 * strong)) ** 2 / noise))
    return inputs.d / 2 * (1 + min(by_range, by_moment)) * _UP


def _conditions(inputs: NonconvexUtilityInputs) -> tuple[Condition, ...]:
    ranges = (
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
        at_least("unlearn_steps", inputs.unlearn_steps, 1),
    )
    if failing(ranges):
        return ranges
    bend = Fraction(inputs.l2) + Fraction(inputs.smoothness)
    small = 16 * Fraction(inputs.rate) ** 2 * Fraction(inputs.bound_b) * bend**4 <= Fraction(inputs.l2) ** 2
    return (
        *ranges,
        Condition("rate <= l2/(4 sqrt(bound_b) (l2 + smoothness)^2)", small, f"{inputs.rate:g}", Provenance.COMPUTED),
        trusted("no loss exceeds sigma2 ln(bound_b)/4 in absolute value"),
        trusted("every loss is twice differentiable, Lipschitz and smooth with these constants"),
        trusted("gradients are not clipped, or are a scalar times the record"),
        trusted("full-batch steps at this rate, noise in each; the last model is released"),
        trusted("the start is drawn from a centred Gaussian of variance sigma2/l2"),
        trusted("requests are fixed in advance, and nothing but the model is carried from one update to the next"),
    )


_KEYS: Final = ("excess_risk_learned", "excess_risk_updated", "excess_risk_limit", "excess_risk_zero")


def _derive(inputs: NonconvexUtilityInputs) -> Certificate:
    conditions = _conditions(inputs)
    if failing(conditions):
        return without_result(KIND, inputs, conditions, _KEYS)
    try:
        found = divergences(inputs)
        risks = [_risk(inputs, each) for each in (found.learned, found.updated, found.limit)]
    except (OverflowError, ValueError):  # a root or a logarithm of what is infinite, or of no number
        return without_result(KIND, inputs, conditions, _KEYS, reason=TOO_LARGE)
    if not all(math.isfinite(each) for each in risks):
        return without_result(KIND, inputs, conditions, _KEYS, reason=TOO_LARGE)
    scale = Fraction(inputs.sigma2)
    zero = min(Fraction(math.log(inputs.bound_b) * _UP) * scale / 2, Fraction(inputs.lipschitz) ** 2 / (2 * Fraction(inputs.l2)))
    outputs = dict(zip(_KEYS, [*(ceiling(Fraction(each) * scale) for each in risks), ceiling(zero)], strict=True))
    if not all(math.isfinite(each) for each in outputs.values()):
        return without_result(KIND, inputs, conditions, _KEYS, reason=TOO_LARGE)
    return without_guarantee(KIND, inputs, conditions, outputs)


def _risk(inputs: NonconvexUtilityInputs, divergence: float) -> float:
    """risk(H) over sigma^2."""
    kappa = (Fraction(inputs.l2) + Fraction(inputs.smoothness)) / Fraction(inputs.l2)
    stretched = ceiling(kappa * _root_of_b(inputs) * Fraction(divergence))
    return (gibbs_risk(inputs) + math.sqrt(2 * inputs.d * stretched) + stretched) * _UP


RULES: Final = (
    Rule(
        kind=KIND,
        theorem="Forget Unlearning, Theorem 5.2 (3); the bound: in the rule's module",
        summary="How far noisy gradient descent on a bounded loss stays above the least risk, without convexity.",
        example="auditor calc noisy-gd-nonconvex-utility --sigma2 0.5 --bound-b 3 --lipschitz 1 --l2 1 --smoothness 1"
        " --rate 0.001 --d 1 --n 100 --r 1 --learn-steps 10000 --unlearn-steps 2000",
        inputs=NonconvexUtilityInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)
