"""Lower bounds on the privacy of one record, from one run with coin-flip canaries.

Each of m canaries is learned or never used, by a fair coin S_j of its own. r of the coins are guessed, by a rule and in a number
fixed beforehand; N of the guesses are right. Flipping one coin adds or removes one record, so that the models of both worlds keep
whatever the training promises of one record, in both directions.

By epsilon at delta = 0, Steinke, Nasr and Jagielski 2023, "Privacy auditing with one (1) training run", Theorem 5.2: given the
guesses and the coins before, no coin is guessed better than with odds of e^epsilon, so that

    P[N >= v] <= P[Bin(r, e^epsilon/(1 + e^epsilon)) >= v].

For delta > 0 public programs add 2 m delta max over i from 1 to v of (f(v - i) - f(v))/i, where f is that tail. It is not used
here: at m = r = 3, epsilon = 1 and delta = .05 an (epsilon, delta)-private mechanism is right at least once with probability
.9986, and the sum is .9864. The bound that follows holds at every delta.

By a trade-off function f, Mahloujifar, Melis and Chaudhuri, "Auditing f-differential privacy in one run" (ICML 2025). Let p_i be
P[N = i], R_v the sum over i >= v of i p_i/m and H_v that of (r - i) p_i/m. For a coin j, "the guess at j is right and N is in I"
is a set of outputs, in which with S_j flipped the guess at j is wrong and N is one less. The promise bounds its probability there
by f(1 - its probability here); with the average over coins and worlds, f being convex, and I = {v, ..., r}

    H_(v-1) >= f(1 - R_v)    for v = 1, ..., r,    and R_0 + H_0 = r/m.

If P[N >= c] were alpha, the least total that these leave puts alpha on N = c and then, from c down, on each count no more than
the inequality asks for: mass moved to a larger count only raises what is asked below it, and mass added before it is asked for
could be added to a smaller count at less R for the same H. Where this total exceeds r/m, P[N >= c] is below alpha, and N >= c
refutes f at that level. Values of f are rounded down and R too, and each H is a number of the machine, which the inequality with
a smaller f asks for: rounding never refutes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Final

from auditor.base.domain import Certificate, Condition, Provenance
from auditor.maths import special
from auditor.maths.certificates.rounding import ceiling
from auditor.maths.certificates.rule import TRUSTED, Count, Inputs, Rule, without_guarantee, without_result
from auditor.maths.tradeoff.promises import Approximate, Gaussian, Promise, SubsampledGaussian
from auditor.maths.tradeoff.reading import type_two_error
from auditor.parts.swap.rules.swap import gaussian_epsilon_lower

BY_TAIL: Final = "one-run-dp"
BY_TRADEOFF: Final = "one-run-fdp"
MOST_GUESSES: Final = 20_000
"""Up to here the tails were compared with exact arithmetic, and the recursion takes seconds."""
_TAIL: Final = 1e-10
"""More than a binomial tail or a probability is off by, relative to it."""
_LARGEST_EPSILON: Final = 100.0
_LARGEST_SHIFT: Final = 30.0
_STEPS: Final = 40
"""Halvings by which a bound is found."""


def guesses_p(guesses: int, right: int, *, epsilon: float) -> float:
    """The largest chance of so many right guesses where training is epsilon-private at delta = 0, rounded up.

    Args:
        guesses: r, between 1 and `MOST_GUESSES`.
        right: v, between 0 and r.
        epsilon: At least 0.
    """
    if right == 0:
        return 1.0
    odds = math.exp(-epsilon)
    share = math.nextafter(1 / (1 + odds) * (1 + 2.0**-50), 1.0)
    found = float(special.betainc(right, guesses - right + 1, min(1.0, share))) * (1 + _TAIL)
    return min(1.0, found * (1 + 2.0**-50))


def refutes(promise: Promise, guesses: int, right: int, *, canaries: int, alpha: float) -> bool:
    """Say whether so many right guesses refute a promise of one record at a level of `alpha`.

    Args:
        promise: Of any kind that holds in both directions.
        guesses: r, at least 1.
        right: v, between 0 and r.
        canaries: m, at least r.
        alpha: Between 0 and 1, both excluded.
    """
    # In units of 1/m. `other` is a number of the machine throughout; `own` is its exact consequence but for a few roundings.
    own, other = alpha * right, ceiling(Fraction(alpha) * (guesses - right))
    shrink = 1 - 2.0**-51 * (right + 8)
    for count in range(right, 0, -1):
        level = ceiling(1 - Fraction(max(0.0, own * shrink)) / canaries)
        asked = math.nextafter(canaries * type_two_error(promise, min(1.0, level)) * (1 - 2.0**-51), 0.0)
        if asked <= other:
            # What is asked for grows with `own` alone, which stays as it is where nothing is added.
            return False
        own += (count - 1) / (guesses - count + 1) * (asked - other)
        other = asked
        if Fraction(own * shrink) + Fraction(other) > guesses:
            return True
    return False


def privacy_lower(guesses: int, right: int, *, alpha: float) -> float:
    """The largest epsilon that the guesses refute at delta = 0 by the binomial tail, rounded down; 0 where they refute none."""
    return _largest(lambda epsilon: guesses_p(guesses, right, epsilon=epsilon) <= alpha, _LARGEST_EPSILON)


def closeness_lower(guesses: int, right: int, *, canaries: int, alpha: float, delta: float) -> float:
    """The largest epsilon that the guesses refute at delta by the trade-off function of (epsilon, delta), rounded down."""

    def refuted(epsilon: float) -> bool:
        promise = Approximate(epsilon=epsilon, delta=delta)
        return refutes(promise, guesses, right, canaries=canaries, alpha=alpha)

    return _largest(refuted, _LARGEST_EPSILON)


def shift_lower(guesses: int, right: int, *, canaries: int, alpha: float) -> float:
    """The largest mu whose Gaussian trade-off function the guesses refute, rounded down; 0 where they refute none."""
    return _largest(lambda mu: refutes(Gaussian(mu=mu), guesses, right, canaries=canaries, alpha=alpha), _LARGEST_SHIFT)


def _largest(refuted: Callable[[float], bool], most: float) -> float:
    """A number that is refuted, next to where that ends by `_STEPS` halvings; what is refuted refutes all below it."""
    if not refuted(0.0):
        return 0.0
    if refuted(most):
        return most
    low, high = 0.0, most
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low


class ByTailInputs(Inputs):
    """How many coins were guessed, and how many rightly; the claim has a delta of 0."""

    guesses: Count
    """How many coins were guessed, r, at least 1; the others were abstained from."""
    correct: Count
    """How many of the guesses were right."""
    alpha: float
    """The probability with which the bound may be wrong, between 0 and 1, both excluded."""


class ByTradeoffInputs(ByTailInputs):
    """The same, and what is claimed; where a training adds noise to samples, what makes its trade-off function."""

    canaries: Count
    """How many coins were thrown, m, at least r."""
    delta: float
    """The delta of the claim, between 0 and 1."""
    noise_multiplier: float | None = None
    """The standard deviation of the noise in units of the clipping norm, above 0; leave it out, or give all three."""
    sample_rate: float | None = None
    """The chance with which a step takes a record, above 0 and at most 1."""
    steps: Count | None = None
    """How many steps there are, at least 1."""

    @property
    def training(self) -> tuple[float | None, float | None, int | None]:
        """What is given of a training."""
        return self.noise_multiplier, self.sample_rate, self.steps


def _conditions(inputs: ByTailInputs) -> tuple[Condition, ...]:
    return (
        Condition(
            f"1 <= guesses <= {MOST_GUESSES}", 1 <= inputs.guesses <= MOST_GUESSES, str(inputs.guesses), Provenance.COMPUTED
        ),
        Condition("0 <= correct <= guesses", 0 <= inputs.correct <= inputs.guesses, str(inputs.correct), Provenance.COMPUTED),
        Condition("0 < alpha < 1", 0 < inputs.alpha < 1, f"{inputs.alpha:g}", Provenance.COMPUTED),
        Condition(
            "independent fair coins decided, and the guessing rule and the number of guesses were fixed beforehand",
            True,
            TRUSTED,
            Provenance.UNKNOWN,
        ),
        Condition("the claim is about adding or removing one record", True, TRUSTED, Provenance.UNKNOWN),
    )


def _conditions_of_a_tradeoff(inputs: ByTradeoffInputs) -> tuple[Condition, ...]:
    given = [each is not None for each in inputs.training]
    noise, rate, steps = inputs.training
    fits = not any(given) or (
        noise is not None and noise > 0 and rate is not None and 0 < rate <= 1 and steps is not None and steps >= 1
    )
    found = ", ".join("none" if each is None else f"{each:g}" for each in inputs.training)
    return (
        *_conditions(inputs),
        Condition("guesses <= canaries", inputs.guesses <= inputs.canaries, str(inputs.canaries), Provenance.COMPUTED),
        Condition("0 <= delta <= 1", 0 <= inputs.delta <= 1, f"{inputs.delta:g}", Provenance.COMPUTED),
        Condition("noise_multiplier > 0, 0 < sample_rate <= 1 and steps >= 1, or none of them", fits, found, Provenance.COMPUTED),
    )


def _derive(inputs: ByTailInputs) -> Certificate:
    conditions = _conditions(inputs)
    if not all(condition.holds for condition in conditions):
        return without_result(BY_TAIL, inputs, conditions, ("epsilon_lower",))
    found = privacy_lower(inputs.guesses, inputs.correct, alpha=inputs.alpha)
    return without_guarantee(BY_TAIL, inputs, conditions, {"epsilon_lower": found})


def _derive_by_tradeoff(inputs: ByTradeoffInputs) -> Certificate:
    conditions = _conditions_of_a_tradeoff(inputs)
    keys = ("epsilon_lower", "mu_lower", "gaussian_epsilon_lower")
    if not all(condition.holds for condition in conditions):
        return without_result(BY_TRADEOFF, inputs, conditions, keys)
    given = (inputs.guesses, inputs.correct, inputs.canaries, inputs.alpha)
    epsilon, mu = _by_tradeoff(*given, inputs.delta)
    at_delta = gaussian_epsilon_lower(mu, inputs.delta)
    outputs: dict[str, float | str | None] = {"epsilon_lower": epsilon, "mu_lower": mu}
    outputs["gaussian_epsilon_lower"] = at_delta if math.isfinite(at_delta) else None
    if outputs["gaussian_epsilon_lower"] is None:
        outputs["reason"] = "no Gaussian mechanism with mu > 0 has a finite epsilon at delta = 0"
    noise, rate, steps = inputs.training
    if noise is not None and rate is not None and steps is not None:
        outputs["training_refuted"] = "yes" if _refutes_training(*given, noise, rate, steps) else "no"
    return without_guarantee(BY_TRADEOFF, inputs, conditions, outputs)


# A document is judged several times over.
@lru_cache(maxsize=256)
def _by_tradeoff(guesses: int, right: int, canaries: int, alpha: float, delta: float) -> tuple[float, float]:
    return (
        closeness_lower(guesses, right, canaries=canaries, alpha=alpha, delta=delta),
        shift_lower(guesses, right, canaries=canaries, alpha=alpha),
    )


@lru_cache(maxsize=64)
def _refutes_training(guesses: int, right: int, canaries: int, alpha: float, noise: float, rate: float, steps: int) -> bool:
    training = SubsampledGaussian(noise_multiplier=noise, sample_rate=rate, steps=steps)
    return refutes(training, guesses, right, canaries=canaries, alpha=alpha)


RULES: Final = (
    Rule(
        kind=BY_TAIL,
        theorem="Steinke, Nasr and Jagielski 2023, Theorem 5.2 at delta = 0: a binomial tail",
        summary="The least epsilon of training, for one record at delta = 0, after so many right guesses at coins in one run.",
        example="auditor calc one-run-dp --guesses 100 --correct 70 --alpha 0.05",
        inputs=ByTailInputs,
        conditions=_conditions,
        derive=_derive,
    ),
    Rule(
        kind=BY_TRADEOFF,
        theorem="Mahloujifar, Melis and Chaudhuri 2025, recursion on the number of right guesses under a trade-off function",
        summary="The least epsilon, and the least Gaussian mu, that allow so many right guesses at fair coins in one run.",
        example="auditor calc one-run-fdp --guesses 100 --correct 70 --canaries 100 --alpha 0.05 --delta 1e-5",
        inputs=ByTradeoffInputs,
        conditions=_conditions_of_a_tradeoff,
        derive=_derive_by_tradeoff,
    ),
)
