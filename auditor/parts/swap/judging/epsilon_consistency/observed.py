"""What `epsilon.consistency` reads of a run: a game of the SWAP test, games of a requester, chains on worst-case neighbours."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from auditor.verdict.checks.counted import Counted
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.quantities import Amount, Count


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
