"""Whether deletions are forgotten for good: state that is carried on, adaptive requests, chains, runs with other records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from auditor.audit.stages import Run, Stage
from auditor.base.domain import Message
from auditor.case import Case
from auditor.parts.data_deletion import observing as deletion
from auditor.parts.data_deletion.judging import state_stateless
from auditor.parts.data_deletion.observing import chain_counts, requesting, stateless
from auditor.parts.release.judging import release_exact
from auditor.parts.swap.judging import epsilon_consistency
from auditor.parts.swap.judging.epsilon_consistency.observed import Games, Simulated
from auditor.sandbox import Answer
from auditor.sandbox.jobs import Job
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Values


class Stateless(Stage):
    """Whether anything but the model is carried on, tried only where that counts or the clean rooms ask for it."""

    checks = (stateless.ID,)

    def __init__(self, run: Run) -> None:
        """Draw the updates, where they are wanted."""
        super().__init__(run)
        how = run.how
        self._trial = (
            stateless.Trial(run.case, seed=how.seed, level=how.level, where=how.where) if how.wants(self.checks) else None
        )
        self._counts = state_stateless.counts(run.context.claims, run.context.policy, run.context.procedure)

    def plan(self) -> tuple[Job, ...]:
        """Plan the trial, unless the clean rooms decide on it."""
        waits = self.run.looking is not None and not self._counts
        return () if self._trial is None or waits else self._trial.jobs

    def is_ready(self) -> bool:
        """Wait for what the clean rooms come to."""
        return self.run.looking is None or release_exact.CARD.id in self.run.seen

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Try it where somebody asks."""
        trial, run = self._trial, self.run
        return {} if trial is None else {stateless.ID: self._tried(trial, answers, run)}

    def _tried(self, trial: stateless.Trial, answers: Sequence[tuple[Answer, ...]], run: Run) -> state_stateless.Observed:
        how, exact = run.how, run.seen.get(release_exact.CARD.id)
        if run.looking is not None and not self._counts:
            if not (isinstance(exact, release_exact.Observed) and release_exact.asks_for_state(run.context, exact)):
                return state_stateless.Observed(untried=Message("state.stateless.not-asked"))
            answers = how.run(trial.jobs)
        probe = None if run.looking is None else run.looking.probe
        of_log = state_stateless.updates_of_log(run.context)
        return trial.observe(answers, run=how.run, replay=run.replay, probe=probe, of_log=of_log)

    @classmethod
    def unplanned(cls, case: Case, context: Context) -> Iterable[str]:
        """Count the updates that are resumed, where they are for certain."""
        del case
        return cls.checks if state_stateless.counts(context.claims, context.policy, context.procedure) else ()


class Requester(Stage):
    """The games of an adaptive requester, where the case has one."""

    checks = requesting.ANSWERED
    after = ()
    hands = (Games,)

    def __init__(self, run: Run) -> None:
        """Draw the games."""
        super().__init__(run)
        how = run.how
        self._games = (
            requesting.plan(run.case, seed=how.seed, quick=how.quick, level=how.level) if how.wants(self.checks) else None
        )

    def plan(self) -> tuple[Job, ...]:
        """Plan the games."""
        return () if self._games is None else self._games.jobs

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Ask the requester for its guesses, if it has any, and hand over what was counted."""
        if self._games is not None:
            self.run.hand(self._games.observe(answers, self.run.how.run(self._games.guessing(answers))))
        return {}


class Chains(Stage):
    """Chains of the declared noisy gradient descent on worst-case neighbours, in this process."""

    checks = (epsilon_consistency.CARD.id,)
    hands = (Simulated,)

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Run the chains, and hand over what was counted."""
        del answers
        how = self.run.how
        if how.wants(self.checks):
            case = self.run.case
            found = chain_counts.observe(case, seed=how.seed, quick=how.quick, workers=how.workers, on_step=how.on_step)
            self.run.hand(found)
        return {}

    @classmethod
    def unplanned(cls, case: Case, context: Context) -> Iterable[str]:
        """Count the chains."""
        del context
        return cls.checks if case.settings.procedure.descent is not None else ()


class Deletion(Stage):
    """What the replay shows of data deletion, and runs with other records where no theorem covers the procedure."""

    checks = deletion.IDS
    after = (*Stage.after, Games)

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Measure the replay, and run the log with other records where that is needed."""
        del answers
        run, how = self.run, self.run.how
        if run.replay is None or not how.wants(self.checks):
            return {}
        runs = None
        if deletion.needs_counterfactual_runs(run.case, run.replay):
            runs = deletion.compare(run.case, run.replay, seed=how.seed, level=how.level, where=how.where, run=how.run)
        return deletion.observe(run.case, run.replay, runs=runs, games=run.handed(Games))

    @classmethod
    def unplanned(cls, case: Case, context: Context) -> Iterable[str]:
        """Count the runs with other records."""
        del context
        claimed = case.settings.claims.data_deletion is not None
        return cls.checks if claimed and case.settings.procedure.descent is None else ()


STAGES: Final = (Stateless, Requester, Chains, Deletion)
