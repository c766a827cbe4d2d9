"""What `epsilon.consistency` reads of a run: a game of the SWAP test, games of a requester, chains on worst-case neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from pydantic import model_validator

from auditor.base.records import Floats
from auditor.parts.swap.judging import quality, strong
from auditor.parts.swap.judging.estimates import Advantages, in_order, table
from auditor.parts.swap.judging.game import Cause, decisions, declared_split
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.differences import Counted
from auditor.verdict.checks.finding import Earlier, Values
from auditor.verdict.checks.stated import Amount, Count


class Guessed(Values):
    """Guesses at the members of one model, one for each couple of a forgotten and an unseen record."""

    guesses: Count
    """Couples whose two records were told apart at all."""
    right: Count

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if self.right > self.guesses:
            raise ValueError(f"{self.right} of {self.guesses} guesses were right")
        return self


class SwapGame(Values):
    """What the checks of the SWAP test do not say of its game."""

    procedure: Guessed
    """Of a model after unlearning."""
    learned: Guessed | None = None
    """Of one before it; None where no claim or certificate covers it."""
    retrained: Guessed
    """Of one retrained with a fresh seed."""
    residual_bound: Amount | None
    """The largest certified bound on the gradient residual over the game's removals, where there is one."""
    longest_row: Amount | None
    """The largest norm of a row as noisy gradient descent on a known loss reads it; None for anything else, and where float64
    does not hold its square."""


class Games(Values):
    """The games of an adaptive requester."""

    counted: Counted
    """The event "world 0", as it was called in games that no rule was fitted on."""
    fitted: Count
    """Games that a rule was fitted on."""
    own_guess: bool
    """Whether the requester itself called the world of each game."""
    largest_request: Count
    """The records of the largest request."""
    replaces: bool
    """Whether a request replaced any."""
    rows_of_log: Count
    """The training records that were left before the last batch of the log."""


class Events(Values):
    """Events on chains of noisy gradient descent, each fixed on half of the chains and counted on the other."""

    learned: Counted
    """Learned with one of two records, or with the other."""
    edited: Counted
    """An update that replaced a record by one of the two, or by the other, from models that were learned alike."""
    without: Counted
    """Learned with a record that was then unlearned, or without it from the start."""
    two_records: Counted
    """Learned with either of two records, which was then unlearned."""
    played: Counted
    """The requester in the proof of Theorem 4.5, played out with either of two records."""


class Simulated(Values):
    """Chains of noisy gradient descent, as declared, on worst-case neighbours."""

    count: Count
    """Chains of each kind; 0 where too few could have been afforded."""
    events: Events | None
    """None where none were run."""


class Observed(Values):
    """What each of the three sources saw."""

    swap: SwapGame | None
    """None where no game of the SWAP test was played: `swap.quality` says why."""
    games: Games | None
    """None where the case has no requester."""
    simulated: Simulated | None
    """None where the procedure is anything but noisy gradient descent on a known loss."""


# A game of the SWAP test as lower bounds are read off it: what three checks observed, put together.
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
