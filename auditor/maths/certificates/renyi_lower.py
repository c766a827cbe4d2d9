"""What counts of one event say of a Renyi divergence, a lower bound: the least epsilon that they leave possible.

An event that was fixed beforehand is counted in independent draws of two laws P and Q. With p at least `low` under P and p' at
most `high` under Q (Clopper and Pearson 1934, each end missed with probability (1 - confidence)/2 at most), and low > high, the
data-processing inequality (van Erven and Harremoes 2014, Theorem 9) gives

    R_q(P || Q) >= d_q(p || p') >= d_q(low || high),    d_q(a || b) = ln(a^q b^(1-q) + (1-a)^q (1-b)^(1-q))/(q - 1),

since d_q grows with the distance of its arguments. A claim of data deletion names no Q: it promises that some law R is within
epsilon of both worlds (forget-unlearning.md, Definition 4.1). Whatever R gives the event,

    max(R_q(P || R), R_q(Q || R)) >= max(d_q(low || r), d_q(high || r)) >= min(d_q(low || s), d_q(high || s))

for every s between: below s the first term is at least as large, above it the second. It is never less than what Theorem 4.1
says of the advantage low - high, which follows from the same event. Everything is rounded down.
"""

from __future__ import annotations

import math
from typing import Final

from auditor.base.domain import Certificate, Condition, Provenance
from auditor.maths.certificates.rounding import slack
from auditor.maths.certificates.rule import (
    Count,
    Inputs,
    Rule,
    above,
    between,
    failing,
    trusted,
    without_guarantee,
    without_result,
)
from auditor.maths.statistics.exact import clopper_pearson

KIND: Final = "renyi-lower"
MOST_TRIALS: Final = 1_000_000
"""Up to here the interval was compared with 40 digits; far beyond, the incomplete beta function loses its own."""
_HALVINGS: Final = 60
_KEYS: Final = ("low", "high", "advantage", "epsilon_lower", "radius_lower")


def binary_divergence(order: float, first: float, second: float) -> float:
    """d_q(a || b) of two coins, rounded down, at least 0.

    Args:
        order: q, above 1.
        first: a, between 0 and 1, both excluded.
        second: b, between 0 and 1, both excluded.
    """
    heads = (order * math.log(first), -(order - 1) * math.log(second))
    tails = (order * math.log1p(-first), -(order - 1) * math.log1p(-second))
    if not all(map(math.isfinite, (*heads, *tails))):
        return 0.0  # of so large an order nothing is known in float64
    larger, smaller = sorted((math.fsum(heads), math.fsum(tails)), reverse=True)
    logarithm = larger + math.log1p(math.exp(smaller - larger))
    return max(0.0, math.nextafter((logarithm - slack(*heads, *tails)) / (order - 1), -math.inf))


def radius(order: float, first: float, second: float) -> float:
    """The least max(d_q(a || r), d_q(b || r)) over all r, rounded down.

    Args:
        order: q, above 1.
        first: a, above b and below 1.
        second: b, above 0.
    """
    best, low, high = 0.0, second, first
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        of_first, of_second = binary_divergence(order, first, middle), binary_divergence(order, second, middle)
        best = max(best, min(of_first, of_second))
        if of_first > of_second:
            low = middle
        else:
            high = middle
    return best


class CountedInputs(Inputs):
    """How often one event was seen under each of two laws."""

    q: float
    """The Renyi order, above 1."""
    hits: Count
    """The draws of P in which the event was seen; it was chosen to be the likelier one under P."""
    trials: Count
    """The draws of P, between 1 and 10^6."""
    other_hits: Count
    """The draws of Q in which it was seen."""
    other_trials: Count
    """The draws of Q, between 1 and 10^6."""
    confidence: float
    """The probability with which both limits hold jointly, between 0 and 1, both excluded."""


def _conditions(inputs: CountedInputs) -> tuple[Condition, ...]:
    open_unit = 0 < inputs.confidence < 1
    return (
        above("q", inputs.q, 1),
        between(1, "trials", inputs.trials, MOST_TRIALS),
        between(0, "hits", inputs.hits, inputs.trials),
        between(1, "other_trials", inputs.other_trials, MOST_TRIALS),
        between(0, "other_hits", inputs.other_hits, inputs.other_trials),
        Condition("0 < confidence < 1", open_unit, f"{inputs.confidence:g}", Provenance.COMPUTED),
        trusted("the event and the number of draws were fixed beforehand, and all draws are independent"),
    )


def _derive(inputs: CountedInputs) -> Certificate:
    conditions = _conditions(inputs)
    if failing(conditions):
        return without_result(KIND, inputs, conditions, _KEYS)
    low = clopper_pearson(inputs.hits, inputs.trials, confidence=inputs.confidence).low
    high = clopper_pearson(inputs.other_hits, inputs.other_trials, confidence=inputs.confidence).high
    outputs = {"low": low, "high": high, "advantage": 0.0, "epsilon_lower": 0.0, "radius_lower": 0.0}
    if low > high:
        outputs["advantage"] = max(0.0, math.nextafter(low - high, -math.inf))
        outputs["epsilon_lower"] = binary_divergence(inputs.q, low, high)
        outputs["radius_lower"] = radius(inputs.q, low, high)
    return without_guarantee(KIND, inputs, conditions, outputs)


RULES: Final = (
    Rule(
        kind=KIND,
        theorem="Data processing (van Erven and Harremoes 2014, Theorem 9) of an event; limits: Clopper and Pearson 1934",
        summary="The least Renyi epsilon that counts of one event leave possible, against a known law and against any law.",
        example="auditor calc renyi-lower --q 2 --hits 480 --trials 500 --other-hits 30 --other-trials 500 --confidence 0.95",
        inputs=CountedInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)
