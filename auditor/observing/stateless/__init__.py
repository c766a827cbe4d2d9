"""`state.stateless`: the same updates with everything but the model wiped must give the same law.

A deletion algorithm that relies on secret states can tell of a deleted record for ever (Chourasia and Shah 2023, Theorem 3.2);
data deletion asks for none (their Section 4). A few drawn records are deleted one after another in one process. Fresh processes
then take the model after learning, or after an update, once from the released parameters alone and once from the file that
`save` wrote, and run the next update with the same seed. A model that differs is a distinguishing case. What outlived an update
in the first process is named beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from auditor.case import Case
from auditor.jobs import Job
from auditor.observing.devices import Place
from auditor.observing.findings import Findings
from auditor.observing.replay import limits_of, specification
from auditor.observing.stateless import built_in, judging
from auditor.observing.stateless.drawing import UPDATES, draw
from auditor.observing.stateless.experiment import Experiment
from auditor.observing.stateless.judging import ID, counts
from auditor.sandbox import Answer, Level, Step, Survey

__all__ = ["ID", "Trial", "counts"]

Run: TypeAlias = Callable[[Sequence[Job]], list[tuple[Answer, ...]]]
"""Runs jobs side by side and gives their answers in order."""


class Trial:
    """The experiment of a case: what to run with the other families' jobs, and what to run after.

    Attributes:
        jobs: One short run, which tells whether the experiment can be made; none for a built-in procedure.
    """

    def __init__(self, case: Case, *, seed: int, level: Level, where: Place) -> None:
        """Draw the updates.

        Args:
            case: The case.
            seed: The auditor's own.
            level: The sandbox level that stands.
            where: What the procedure computes on.
        """
        self._case, self._level, self._where = case, level, where
        self._built_in = built_in.carried(case)
        self._updates = draw(case, seed=seed, device=where.device) if self._built_in is None else None
        self.jobs = () if self._updates is None else (self._job("statelessness", (Survey(),)),)

    def judge(self, answers: Sequence[tuple[Answer, ...]], *, run: Run) -> Findings:
        """Run what is left to run, and judge.

        Args:
            answers: The answers to `jobs`.
            run: Runs further jobs.

        Raises:
            ProcedureError: If the procedure fails in an update that was not resumed.
            SandboxError: If a sandbox could not be set up or torn down.
        """
        if self._built_in is not None:
            return judging.by_construction(self._case, self._built_in)
        if self._updates is None:
            few = f"there are too few training records to delete {UPDATES} one after another and keep a record of every label"
            return judging.untried(self._case, few)
        offers = answers[0][0].facts
        lacking = [f"no {each}()" for each in ("parameters", "load") if offers.get(each) is not True]
        if lacking:
            reason = f"no update could be resumed in a fresh process, for the procedure has {' and '.join(lacking)}"
            return judging.untried(self._case, reason)

        def of(name: str, steps: Sequence[tuple[Step, ...]]) -> list[tuple[Answer, ...]]:
            return run([self._job(f"statelessness: {name}", each) for each in steps])

        return judging.judged(self._case, Experiment(self._updates, of, self._where).tried())

    def _job(self, name: str, steps: tuple[Step, ...]) -> Job:
        case = self._case
        return Job(name, specification(case), {"train": case.train}, steps, limits_of(case), self._level, self._where.device)
