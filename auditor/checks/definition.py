"""A check whole: its card, what a run observes for it, when it applies, and the judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from auditor.checks.card import Card
from auditor.checks.context import Context
from auditor.checks.finding import Earlier, Finding, Nothing, Values
from auditor.domain import Reason

Observed = TypeVar("Observed", bound=Values)


def always(_context: Context, _earlier: Earlier) -> Reason | None:
    """For a check that applies to every case."""
    return None


def never(_context: Context) -> bool:
    """For a check that no declaration alone gives cause for."""
    return False


@dataclass(frozen=True, slots=True)
class Definition(Generic[Observed]):
    """One check."""

    card: Card
    observed: type[Observed]
    """What only the run could see; `Nothing` where the check reads the context alone."""
    judge: Callable[[Context, Observed, Earlier], Finding]
    """Pure: the only place where a status, a threshold, a premise, a fact or a certificate's inputs are decided."""
    applies: Callable[[Context, Earlier], Reason | None] = always
    """Why the check does not apply; None where it does."""
    wanted: Callable[[Context], bool] = never
    """Whether the case gives cause for the check, found without running anything: leaving it out then leaves a question open."""

    replays: bool = False
    """Whether the log has to be replayed for it."""
    later_reasons: Mapping[str, str] = field(default_factory=dict)
    """Codes of reasons that its judge gives only since a version after its card's, with that version."""

    @property
    def since(self) -> str:
        """The version since which documents have it."""
        return self.card.since

    @property
    def runs(self) -> bool:
        """Whether anything has to run for it."""
        return self.observed is not Nothing
