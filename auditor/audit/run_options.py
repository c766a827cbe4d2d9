"""How a run observes: the auditor's seed, what is wanted, and where and by whom procedures are run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from auditor.audit.devices import Place
from auditor.audit.forecast import Ahead
from auditor.sandbox import Level
from auditor.sandbox.jobs import Run
from auditor.verdict.checks.finding import Values

SECOND_STAGE_S: Final = 86_400.0
"""A day: longer no second stage runs that nobody gave time for."""


@dataclass(frozen=True, slots=True)
class FirstStage:
    """What there is once the log is replayed and clean rooms have been entered, and what is still to run."""

    seen: Mapping[str, Values]
    """By check id."""
    ahead: tuple[Ahead, ...]
    """What will run for certain, at the pace of the replay."""
    unmeasured: tuple[str, ...]
    """Checks for which something will run that no row holds."""
    seconds: float
    """That it took."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How to observe."""

    seed: int
    """The auditor's own."""
    quick: bool
    only: tuple[str, ...] | None
    workers: int
    """Runs at a time, on this machine or on a cluster."""
    level: Level
    where: Place
    run: Run
    on_step: Callable[[str, int, int], None]
    on_modules: Callable[[bytes], None] | None = None
    """Called for each process of a whole controller, as `jobs.run` does for those of a procedure; None to ask for no modules."""

    second_stage_s: float = SECOND_STAGE_S
    """The seconds that a stage may take which follows only where an earlier one rejects; where it takes more, that stays open."""

    at_first: Callable[[FirstStage], bool] | None = None
    """Takes the first stage of a procedure that learns, and says whether to go on; None to run everything side by side."""

    def wants(self, check_ids: Iterable[str]) -> bool:
        """Whether any of the checks is to run."""
        return self.only is None or not set(self.only).isdisjoint(check_ids)
