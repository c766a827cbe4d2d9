"""How far noisy descent forgets where it started: (epsilon, delta)-adaptive history independence under fresh randomness.

A state is a data set in one form, and weights w. Every operation, one that returns w too, ends with K steps on the data set that
it leaves,

    w <- G(P(w)) + N(0, s^2 I),    G(w) = w - eta grad F(w),    P the projection onto the ball of radius R,

with noise of its own in each number of each step. Where F is lambda-strongly convex and beta-smooth, G moves two points closer by
c = max(1 - eta lambda, eta beta - 1). If c < 1, the state is within the trade-off of two unit Gaussians that are

    mu = 2R c^K sqrt((1 - c^2)/(1 - c^2K)) / s

apart of the state that any logically equivalent history leaves under a fresh tape, whatever the adversary of Definition 3.4 has
seen. Proof.

1. Equivalent histories leave one data set D. All that was returned, and all that the adversary chose by it, came before the
   last K steps, whose noise is independent of it. Given the view, the weights are K steps on D from some start x; those of the
   fresh run are K steps on D from some start y. A trade-off between the laws for every x and y is one between their mixtures, as
   it is jointly convex, and so one between the pairs of view and state.
2. Let X be the steps from x with noise Z, and let W be steps from y with the same noise, each moved towards X by
   a_k = t c^(K-k) at most. Projected starts are 2R apart, so |X_k - W_k| <= D_k with D_k = c D_(k-1) - a_k and D_0 = 2R. With
   t = 2R c^K / (1 + c^2 + ... + c^(2K-2)) it is D_K = 0: the last W is the last X.
3. Given W_1, ..., W_k the noise of these steps is known, and with it X_k and the next move. So the steps W are to the steps
   from y as K Gaussian mechanisms are, each chosen by what came before, which move by a_k against noise s. Composed they are mu
   apart, mu^2 = (a_1^2 + ... + a_K^2)/s^2 (Dong, Roth and Su 2022, Corollary 3.3), which is the above. The last weights are a
   function of them.

Step 2 is the shifted process of privacy amplification by iteration (Feldman, Mironov, Talwar and Thakurta 2018). No privacy of
any record is used. Where F is quadratic and no later step is projected, nothing smaller holds. Theorem 3.8 makes control of it,
and Proposition 3.12 adaptive machine unlearning. Everything is rounded up.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from auditor.base.domain import Certificate, Condition
from auditor.maths.certificates import gaussian, rounding
from auditor.maths.certificates.rule import Inputs, Rule, above, at_least, between, failing, plain_inputs, trusted, without_result

KIND: Final = "noisy-descent-history"
MOST_STEPS: Final = 10**6
_CURVATURE: Final = 0.25
"""Of the logistic loss at most, for a record of length 1."""
_SMALLEST: Final = math.ulp(0.0)
_ERROR: Final = 2.0**-48
"""Of a logarithm, relative to it."""


def gap(strong_convexity: float, smoothness: float, step: float) -> Fraction:
    """1 - c: the part of a distance that one step takes away, exactly; 0 or less where steps need not contract.

    Args:
        strong_convexity: lambda.
        smoothness: beta, at least lambda.
        step: eta, above 0.
    """
    return min(Fraction(step) * Fraction(strong_convexity), 2 - Fraction(step) * Fraction(smoothness))


def shift(taken: Fraction, radius: float, noise: float, steps: int) -> float:
    """mu, rounded up: how far apart two unit Gaussians are that are told apart as easily as two starts are after K steps.

    Args:
        taken: 1 - c, above 0; at most 1 where lambda and beta are those of one function.
        radius: R, above 0.
        noise: s, above 0.
        steps: K, at least 1.
    """
    if taken >= 1:
        return 0.0
    # 1 - c is exact, so that nothing cancels where c is near 1.
    part = float(taken)
    shrinks = 2 * steps * (math.log1p(-part) if part < 0.5 else rounding.logarithm(1 - taken))
    left = -math.expm1(shrinks)
    logarithm = (
        math.log(2) + math.log(radius) - math.log(noise) + (shrinks + math.log(part) + math.log(2 - part) - math.log(left)) / 2
    )
    error = _ERROR * (8 + abs(shrinks) + abs(math.log(radius)) + abs(math.log(noise)) + abs(math.log(part)) + abs(math.log(left)))
    try:
        return max(math.nextafter(math.exp(logarithm + error), math.inf), _SMALLEST)
    except OverflowError:
        return math.inf


def steps_for(taken: Fraction, radius: float, noise: float, *, epsilon: float, delta: float) -> int | None:
    """The least K whose mu is within (epsilon, delta); None where none up to MOST_STEPS is.

    Args:
        taken: 1 - c, above 0.
        radius: R, above 0.
        noise: s, above 0.
        epsilon: At least 0.
        delta: Between 0 and 1.
    """
    most = gaussian.mu(epsilon, delta)
    low, high = 1, MOST_STEPS
    if shift(taken, radius, noise, high) > most:
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if shift(taken, radius, noise, middle) <= most else (middle + 1, high)
    return low


class Descent(NamedTuple):
    """A descent on the mean logistic loss of records of length 1 at most, plus lambda |w|^2/2, that keeps a promise."""

    strong_convexity: float
    smoothness: float
    step: float
    """2/(beta + lambda), with which steps contract most."""
    radius: float
    """1/(2 lambda): the gradient of the mean loss is 1/2 at most at 0, so that no minimum is farther away."""
    noise: float
    steps: int
    """After each operation."""

    @property
    def mu(self) -> float:
        """How far apart two unit Gaussians are that differ as much as the states of two histories."""
        return shift(gap(self.strong_convexity, self.smoothness, self.step), self.radius, self.noise, self.steps)


# A controller is made anew for every history that is played, always with the same parameters.
@lru_cache(maxsize=16)
def descent(regularisation: float, noise: float, *, epsilon: float, delta: float) -> Descent:
    """Work out the descent for a promise.

    Args:
        regularisation: lambda, above 0.
        noise: s, above 0.
        epsilon: Of the promise, above 0.
        delta: Of the promise, between 0 and 1.

    Raises:
        ValueError: If no number of steps that anyone would wait for keeps it.
    """
    smoothness = regularisation + _CURVATURE
    step = 2 / (smoothness + regularisation)
    radius = 1 / (2 * regularisation)
    steps = steps_for(gap(regularisation, smoothness, step), radius, noise, epsilon=epsilon, delta=delta)
    if steps is None:
        raise ValueError("epsilon, delta, noise and regularisation: expected values that a million steps can keep")
    return Descent(regularisation, smoothness, step, radius, noise, steps)


class DescentInputs(Inputs):
    """A loss, a step, and how many noisy ones follow each operation."""

    strong_convexity: float
    """lambda, above 0."""
    smoothness: float
    """beta, at least lambda."""
    step: float
    """eta, above 0 and below 2/beta."""
    radius: float
    """R, of the ball that weights are projected onto before each step, above 0."""
    noise: float
    """s, the standard deviation of the noise in each number of each step, above 0."""
    steps: int
    """K, that follow every operation, from 1 to 1,000,000."""
    delta: float
    """The delta at which epsilon is given, above 0 and at most 1."""


def _conditions(inputs: DescentInputs) -> tuple[Condition, ...]:
    return (
        above("strong_convexity", inputs.strong_convexity, 0),
        at_least("smoothness", inputs.smoothness, inputs.strong_convexity),
        above("step", inputs.step, 0),
        above("1 - contraction", float(max(Fraction(-1), gap(inputs.strong_convexity, inputs.smoothness, inputs.step))), 0),
        above("radius", inputs.radius, 0),
        above("noise", inputs.noise, 0),
        between(1, "steps", inputs.steps, MOST_STEPS),
        above("delta", inputs.delta, 0),
        between(0, "delta", inputs.delta, 1),
        trusted(
            "every operation, one that returns weights too, ends with the steps, each with fresh noise that nobody else knows"
        ),
        trusted("the state is the data set, in one form, and the weights: neither noise nor earlier weights are kept"),
        trusted("the loss of every data set has both constants everywhere in the ball"),
    )


def _derive(inputs: DescentInputs) -> Certificate:
    conditions = _conditions(inputs)
    keys = ("contraction", "mu", "epsilon")
    if failing(conditions):
        return without_result(KIND, inputs, conditions, keys)
    taken = gap(inputs.strong_convexity, inputs.smoothness, inputs.step)
    mu = shift(taken, inputs.radius, inputs.noise, inputs.steps)
    epsilon = gaussian.epsilon(inputs.delta, mu)
    if not math.isfinite(epsilon):
        return without_result(KIND, inputs, conditions, keys, reason="no finite epsilon follows: take more steps or more noise")
    contraction = max(0.0, math.nextafter(float(1 - taken), math.inf))
    return Certificate(
        kind=KIND,
        epsilon=epsilon,
        delta=inputs.delta,
        order=None,
        inputs=plain_inputs(inputs),
        conditions=conditions,
        bounds=(),
        outputs={"contraction": contraction, "mu": mu, "epsilon": epsilon},
    )


RULES: Final = (
    Rule(
        kind=KIND,
        theorem="Deletion-as-control (Cohen et al. 2023), Definition 3.4, by amplification by iteration (Feldman et al. 2018)",
        summary="How far noisy descent forgets its start: adaptive history independence with an epsilon above 0.",
        example="auditor calc noisy-descent-history --strong-convexity 0.1 --smoothness 0.35 --step 4 --radius 5 --noise 0.1 "
        "--steps 12 --delta 1e-6",
        inputs=DescentInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)
