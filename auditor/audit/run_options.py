"""How a run observes: the auditor's seed, what is wanted, and where and by whom procedures are run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from auditor.audit.devices import Place
from auditor.sandbox import Level
from auditor.sandbox.jobs import Run


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How to observe."""

    seed: int
    """The auditor's own."""
    quick: bool
    only: tuple[str, ...] | None
    workers: int
    level: Level
    where: Place
    run: Run
    on_step: Callable[[str, int, int], None]
    on_modules: Callable[[bytes], None] | None = None
    """Called for each process of a whole controller, as `jobs.run` does for those of a procedure; None to ask for no modules."""

    def wants(self, check_ids: Iterable[str]) -> bool:
        """Whether any of the checks is to run."""
        return self.only is None or not set(self.only).isdisjoint(check_ids)
