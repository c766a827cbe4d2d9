"""Run updates, and resume them with everything but the model wiped, for `state.stateless`.

A few drawn records are deleted one after another in one process. Fresh processes then take the model after learning, or after an
update, once from the released parameters alone and once from the file that `save` wrote, and run the next update with the same
seed. A model that differs is a distinguishing case. What outlived an update in the first process is named alongside. A few
updates of the log itself are resumed as well, from the parameters that its replay released: a state that acts late shows there.
"""

from __future__ import annotations

from collections.abc import Sequence

from auditor.audit.comparisons import Probe
from auditor.audit.devices import Place
from auditor.audit.renamed_columns import tables_beside
from auditor.audit.replay import Replay, limits_of, specification
from auditor.audit.updates import UPDATES, draw
from auditor.base.domain import Message
from auditor.case import Case
from auditor.parts.data_deletion.judging.state_stateless import CARD, Observed
from auditor.parts.data_deletion.observing.stateless.experiment import Experiment
from auditor.parts.data_deletion.observing.stateless.of_log import Resumption
from auditor.sandbox import Answer, Level, Step, Survey
from auditor.sandbox.jobs import Job, Run

__all__ = ["ID", "Trial"]

ID = CARD.id


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
            level: The sandbox level in force.
            where: What the procedure computes on.
        """
        self._case, self._level, self._where = case, level, where
        tries = case.settings.procedure.carried is None
        self._tables = {"train": case.train, **tables_beside(case, seed=seed)} if tries else {}
        self._updates = draw(case, seed=seed, device=where.device) if tries else None
        self._reason = Message("state.stateless.few-records", {"updates": UPDATES}) if tries and self._updates is None else None
        self.jobs = () if self._updates is None else (self._job("statelessness", (Survey(),)),)

    def observe(
        self,
        answers: Sequence[tuple[Answer, ...]],
        *,
        run: Run,
        replay: Replay | None = None,
        probe: Probe | None = None,
        of_log: Sequence[int] = (),
    ) -> Observed:
        """Run what is left to run.

        Args:
            answers: The answers to `jobs`.
            run: Runs further jobs.
            replay: The log in one process, some updates of which are resumed; None where it was not replayed.
            probe: The rows that the replay's models were asked about; None where they were not.
            of_log: After which of its batches the next one is resumed.

        Raises:
            ProcedureError: If the procedure fails in an update that was not resumed.
            SandboxError: If a sandbox could not be set up or torn down.
        """
        if self._updates is None:
            return Observed(untried=self._reason)
        offers = answers[0][0].facts
        lacking = [each for each in ("parameters", "load") if offers.get(each) is not True]
        if lacking:
            return Observed(untried=Message("state.stateless.not-resumable", {"lacking": lacking}))

        def of(name: str, steps: Sequence[tuple[Step, ...]]) -> list[tuple[Answer, ...]]:
            return run([self._job(f"statelessness: {name}", each) for each in steps])

        found = Experiment(self._updates, of, self._where).tried()
        if replay is None or not found.deterministic:
            return Observed(tried=found)
        resumption = Resumption(self._case, replay, probe, level=self._level, where=self._where, run=run)
        return Observed(tried=found.model_copy(update={"of_log": resumption.observe(of_log)}))

    def _job(self, name: str, steps: tuple[Step, ...]) -> Job:
        case = self._case
        return Job(name, specification(case), self._tables, steps, limits_of(case), self._level, self._where.device)
