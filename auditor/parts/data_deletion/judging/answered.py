"""What `deletion.adaptive` works out: the ε of every request, and of one person, with the models that were seen."""

from __future__ import annotations

from auditor.parts.data_deletion.judging.derived import Premise
from auditor.parts.data_deletion.judging.seen import Asked, Origin
from auditor.parts.data_deletion.theorems import Unit
from auditor.parts.swap.judging.epsilon_consistency.contributors import Game
from auditor.verdict.checks.finding import Values


class Answered(Asked):
    """A request with the models that count for the people it deletes, and the ε that these leave."""

    seen: int
    epsilon: float | None


class Derived(Values):
    """ε of one deleted record with the models that were seen."""

    seen: int
    """p."""
    source_of_seen: Origin
    epsilon_dd: float | None
    epsilon_dp: float | None
    """Of each model that was seen; of all of them together where `steps_seen` is given."""
    epsilon: float | None
    order: float
    records_per_person: int
    epsilon_person: float | None
    """For all deleted records of one person; None where nothing holds for them together."""
    advantage: float | None
    """How much better than guessing anybody tells a deleted record from one that was never there, at best."""
    advantage_person: float | None
    """The same for all deleted records of one person."""
    of: Unit
    """Whose records those are: a person's, where the log names subjects and nobody is said to have more; else one request's."""
    per_request: tuple[Answered, ...]
    steps_seen: int | None
    """The steps up to the last model that was seen, where the loss is not convex."""
    premises: tuple[Premise, ...]
    game: Game | None
    """What an adaptive requester reached; None where none played."""
