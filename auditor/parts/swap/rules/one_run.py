"""A lower bound on the epsilon of a whole-set removal claim, from one run with coin-flip canaries.

Each of m canaries is forgotten or never used, by its own fair coin. A claim of (epsilon, delta) for removing the whole set
makes the released model (epsilon, delta)-close to one that does not depend on the coins, and there a rule fixed beforehand
names r coins right as a Bin(r, 1/2) count. So with V right guesses P[V >= v] <= e^epsilon P[Bin(r, 1/2) >= v] + delta, and

    epsilon >= ln((alpha - delta)/P[Bin(r, 1/2) >= v])    with probability at least 1 - alpha.

The bound is on a claim about the whole set; a claim for one person, or for one request at a time, is not touched by it.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

import numpy as np

from auditor.base.domain import Certificate, Condition, Provenance
from auditor.maths import special
from auditor.maths.certificates.rule import TRUSTED, Count, Inputs, Rule, without_guarantee, without_result

MOST_GUESSES: Final = 1_000_000
"""Up to here the binomial tail was compared with exact arithmetic."""
# The logarithm of betainc was found within 1.3e-12 of the truth up to MOST_GUESSES.
_DIRECT_ERROR: Final = 1e-11
_DIRECT_FROM: Final = 1e-280


def log_upper_tail(guesses: int, correct: int) -> float:
    """ln P[Bin(r, 1/2) >= v] for r = guesses and v = correct, rounded up, at most 0.

    Directly from the incomplete beta function where that is above 1e-280. Below, the first term C(r, v)/2^r comes in logarithms
    and the sum of the others, relative to it, from their ratios (r - k)/(k + 1), which are below 1 there.

    Args:
        guesses: Between 1 and `MOST_GUESSES`.
        correct: Between 0 and `guesses`.
    """
    if correct == 0:
        return 0.0
    tail = float(special.betainc(correct, guesses - correct + 1, 0.5))
    if tail > _DIRECT_FROM:
        return min(0.0, math.log(tail) + _DIRECT_ERROR)
    terms = np.arange(correct, guesses, dtype=np.float64)
    others = float(np.cumprod((guesses - terms) / (terms + 1)).sum())
    largest = float(special.gammaln(guesses + 1))
    first = largest - float(special.gammaln(correct + 1)) - float(special.gammaln(guesses - correct + 1)) - guesses * math.log(2)
    return first + math.log1p(others) + 2.0**-50 * largest


def epsilon_lower(guesses: int, correct: int, *, alpha: float, delta: float) -> float:
    """max(0, ln((alpha - delta)/P[Bin(r, 1/2) >= v])), rounded down.

    Args:
        guesses: How many coins were guessed, r, between 1 and `MOST_GUESSES`.
        correct: How many guesses were right, v.
        alpha: The probability of a wrong bound, between 0 and 1, both excluded.
        delta: The delta of the claim, at least 0 and below alpha.
    """
    level = math.log(float(Fraction(alpha) - Fraction(delta)))
    return max(0.0, math.nextafter(level - log_upper_tail(guesses, correct), -math.inf))


class OneRunInputs(Inputs):
    """How many coins were guessed, how many rightly, and what is claimed."""

    guesses: Count
    """How many canaries' coins were guessed, at least 1."""
    correct: Count
    """How many of the guesses were right."""
    alpha: float
    """The probability with which the bound may be wrong, between 0 and 1, both excluded."""
    delta: float
    """The delta of the claim, at least 0 and below alpha."""


def _conditions(inputs: OneRunInputs) -> tuple[Condition, ...]:
    counted = 1 <= inputs.guesses <= MOST_GUESSES
    return (
        Condition(f"1 <= guesses <= {MOST_GUESSES}", counted, str(inputs.guesses), Provenance.COMPUTED),
        Condition("0 <= correct <= guesses", 0 <= inputs.correct <= inputs.guesses, str(inputs.correct), Provenance.COMPUTED),
        Condition("0 < alpha < 1", 0 < inputs.alpha < 1, f"{inputs.alpha:g}", Provenance.COMPUTED),
        Condition("delta >= 0", inputs.delta >= 0, f"{inputs.delta:g}", Provenance.COMPUTED),
        Condition("alpha > delta", inputs.alpha > inputs.delta, f"{inputs.alpha:g} and {inputs.delta:g}", Provenance.COMPUTED),
        Condition(
            "fair coins decided, and the guessing rule and the number of guesses were fixed beforehand",
            True,
            TRUSTED,
            Provenance.UNKNOWN,
        ),
        Condition("the claim is about removing the whole set at once", True, TRUSTED, Provenance.UNKNOWN),
    )


def _derive(inputs: OneRunInputs) -> Certificate:
    conditions = _conditions(inputs)
    if not all(condition.holds for condition in conditions):
        return without_result("one-run", inputs, conditions, ("epsilon_lower",))
    found = epsilon_lower(inputs.guesses, inputs.correct, alpha=inputs.alpha, delta=inputs.delta)
    return without_guarantee("one-run", inputs, conditions, {"epsilon_lower": found})


RULES: Final = (
    Rule(
        kind="one-run",
        theorem="(epsilon, delta)-closeness of one event: P[E] <= e^epsilon P[E without the coins] + delta; binomial tail",
        summary="The least epsilon that a whole-set removal claim can have after so many right guesses of fair coins.",
        example="auditor calc one-run --guesses 100 --correct 70 --alpha 0.05 --delta 1e-5",
        inputs=OneRunInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)
