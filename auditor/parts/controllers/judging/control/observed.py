"""What a run sees of a controller that is played with and without one data subject."""

from __future__ import annotations

from pydantic import Field

from auditor.base.domain import Reason
from auditor.base.histories import Operation
from auditor.parts.controllers.judging.history.observed import Law, Played, Row
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.quantities import Count, Positive


class GameCase(Values):
    """One game whose two executions came out differently under one tape, in fresh processes."""

    adversary: str
    tape: Count
    subject: str
    """The channel of the data subject; every other is of the environment."""
    real: tuple[Row, ...]
    """What both said to the controller. In the ideal execution only the environment's part of it is said."""
    minimal: bool
    """Whether no single operation can be left out."""
    answers: bool
    """Whether the environment was answered differently; the states alone differ where not."""
    digests: tuple[str, str]
    """SHA-256 of what is compared, real and ideal."""

    @property
    def history(self) -> tuple[Operation, ...]:
        """What both said."""
        return tuple(Operation(*row) for row in self.real)


class ReachedStates(Values):
    """Runs of adaptive parties under fresh tapes: an event of queries and state, chosen on other runs.

    In the ideal execution the tape may depend on everything, and so may the queries that it is played with. So an ideal run
    counts where any of the queries of the event leads to such a state.
    """

    adversary: str
    runs: Positive
    real: Count
    ideal: Count


class Atoms(Values):
    """Outcomes that came about under equally many tapes on either side."""

    left: Count
    """Tapes of the real execution that lead to each of them."""
    right: Count
    """Tapes of the ideal one."""
    count: Positive
    """How many such outcomes there are."""


class ExactLaw(Values):
    """One game under every tape: nothing in it is estimated."""

    adversary: str
    tapes: Positive
    steady: bool
    """Whether nobody was answered otherwise under another tape: then nobody can adapt to it."""
    atoms: tuple[Atoms, ...]


class GamesTried(Values):
    """What became of the games of one kind."""

    games: Count
    operations: Count
    deterministic: bool
    """Whether the same game came out the same under the same tape, in two processes."""
    ignores_tape: bool
    """Whether other tapes changed nothing."""
    searched: bool
    """Whether hypothesis searched for games too."""
    played: tuple[Played, ...]
    cases: tuple[GameCase, ...]
    """A few at most."""
    laws: tuple[Law, ...]
    """Real and ideal executions of one game under fresh tapes; left is the real one."""
    reached: tuple[ReachedStates, ...] = ()
    exact: tuple[ExactLaw, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Games that were played under every tape, where a tape has few bits and the parties listen to nothing."""


class Observed(Values):
    """What the games showed."""

    untried: Reason | None = None
    """Why none was played."""
    tried: GamesTried | None = None
