"""What won games of deletion inference say of weak deletion compliance (deletion-inference.md, Theorem 5.2).

In a game the adversary sees a model before and after one of two known records is deleted, and says which one. Where nobody tells
the two worlds apart with an advantage above epsilon, the answer is right with probability (1 + epsilon)/2 at most, so that a
success probability of at least low refutes every

    epsilon < 2 low - 1.

It is a statement about models from before and after: certified removal and data deletion, which cover one release, are not
touched by it. The interval for the success probability is exact and rounded outward, what is refuted rounded down.
"""

from __future__ import annotations

from typing import Final

from auditor.base.domain import Certificate, Condition, Provenance
from auditor.maths.certificates.rule import Count, Inputs, Rule, between, failing, trusted, without_guarantee, without_result
from auditor.maths.statistics.exact import clopper_pearson

KIND: Final = "compliance"
MOST_GAMES: Final = 1_000_000
"""Up to here the interval was compared with 40 digits; far beyond, the incomplete beta function loses its own."""


def epsilon_lower(low: float) -> float:
    """max(0, 2 low - 1): no smaller epsilon allows a success probability of `low`; exact where it is above 0."""
    return max(0.0, 2 * low - 1)


class ComplianceInputs(Inputs):
    """How many games were played and won."""

    wins: Count
    """The games in which the adversary named the deleted record; ties are broken by a fair coin before."""
    games: Count
    """The games that were played, between 1 and 10^6."""
    confidence: float
    """The probability with which the interval covers, between 0 and 1, both excluded."""


def _conditions(inputs: ComplianceInputs) -> tuple[Condition, ...]:
    open_unit = 0 < inputs.confidence < 1
    return (
        between(1, "games", inputs.games, MOST_GAMES),
        between(0, "wins", inputs.wins, inputs.games),
        Condition("0 < confidence < 1", open_unit, f"{inputs.confidence:g}", Provenance.COMPUTED),
        trusted("the attack and the number of games were fixed beforehand"),
        trusted("every game has a fresh split of its own, and a fair coin chose the deleted record"),
    )


def _derive(inputs: ComplianceInputs) -> Certificate:
    conditions = _conditions(inputs)
    if failing(conditions):
        return without_result(KIND, inputs, conditions, ("success", "interval", "epsilon_lower"))
    interval = clopper_pearson(inputs.wins, inputs.games, confidence=inputs.confidence)
    outputs = {
        "success": inputs.wins / inputs.games,
        "interval": [interval.low, interval.high],
        "epsilon_lower": epsilon_lower(interval.low),
    }
    return without_guarantee(KIND, inputs, conditions, outputs)


RULES: Final = (
    Rule(
        kind=KIND,
        theorem="Deletion inference, Theorem 5.2; interval: Clopper and Pearson 1934",
        summary="The least epsilon that weak deletion compliance can have after so many won games of deletion inference.",
        example="auditor calc compliance --wins 640 --games 1000 --confidence 0.95",
        inputs=ComplianceInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)
