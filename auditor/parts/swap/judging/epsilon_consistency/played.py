"""A game of the SWAP test as lower bounds are read off it: what three checks observed, put together."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.base.domain import Floats
from auditor.parts.swap.judging import quality, strong
from auditor.parts.swap.judging.epsilon_consistency.observed import Guessed, SwapGame
from auditor.parts.swap.judging.game import Cause, decisions, declared_split
from auditor.parts.swap.judging.scores import Advantages, in_order, table
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Earlier

NEEDS = (quality.CARD.id, strong.CARD.id)
"""The checks whose observations it is put together from."""


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """What adversaries reached on one kind of model."""

    advantages: Floats
    """Shape (attacks, K): signed pair advantages."""
    identical: bool
    """Whether both models of every pair gave the same outputs, bit for bit."""
    named: int
    """Models whose forgotten set the whole-set adversary named."""
    models: int
    guessed: Guessed


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """A game, with what was reached on the models of the procedure and of its controls."""

    decisions: int
    """How many records an attack decided on."""
    trained: int
    """Records that each model is trained on, |R ∪ F|."""
    forgotten: int
    """|F|, where it is largest."""
    procedure: Reached
    learned: Reached | None
    """Models before unlearning, which a claim of differential privacy covers; None where nobody claims it."""
    retrained: Reached
    """With fresh seeds."""
    residual_bound: float | None
    longest_row: float | None


def put_together(context: Context, seen: SwapGame | None, earlier: Earlier) -> Played | None:
    """Put a game together; None where none was played.

    Raises:
        TypeError: If the checks of the SWAP test did not observe the game.
    """
    if seen is None:
        return None
    found, sides = (earlier[each].observed for each in NEEDS)
    if not isinstance(found, quality.Observed) or not isinstance(sides, strong.Observed):
        raise TypeError("a game of the SWAP test was played and not observed")
    split = declared_split(context)

    def reached(pairs: Advantages, named: int, guessed: Guessed, *, identical: bool) -> Reached:
        return Reached(table(pairs, in_order(pairs)), identical, named, sides.models, guessed)

    pairs, same = found.pair_advantages, found.identical
    return Played(
        decisions=decisions(found.forgotten),
        trained=split.target - max(found.forgotten),
        forgotten=max(found.forgotten),
        procedure=reached(pairs.procedure, sides.named, seen.procedure, identical=same.procedure),
        learned=None
        if seen.learned is None or not pairs.learned
        else reached(pairs.learned, sides.named_learned, seen.learned, identical=same.learned),
        retrained=reached(pairs.retrained, sides.named_retrained, seen.retrained, identical=same.retrained),
        residual_bound=seen.residual_bound,
        longest_row=seen.longest_row,
    )


def why_not_played(earlier: Earlier) -> Cause | None:
    """What kept a game from being played; None where one was, or where nobody tried."""
    found = earlier[quality.CARD.id].observed
    return found.unplayable if isinstance(found, quality.Observed) else None
