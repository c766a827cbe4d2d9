"""Everything that a run observes: all families are planned, their jobs run side by side, and the answers read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from auditor.case import Case
from auditor.checks import data_erased, definitions, epsilon_consistency, release_exact, training_privacy, utility_accuracy
from auditor.checks.finding import Values
from auditor.jobs import Job
from auditor.observing import (
    accuracy,
    certified,
    deletion,
    difference,
    erasure,
    privacy,
    released_file,
    requesting,
    rerun,
    stateless,
    swap,
)
from auditor.observing.deletion import chain_counts
from auditor.observing.devices import Place
from auditor.observing.replay import Replaying
from auditor.sandbox import Answer, Level

Run: TypeAlias = Callable[[Sequence[Job]], list[tuple[Answer, ...]]]
"""Runs jobs side by side and gives their answers in order."""


@dataclass(frozen=True, slots=True)
class How:
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

    def wants(self, check_ids: Iterable[str]) -> bool:
        """Whether any of the checks is to run."""
        return self.only is None or not set(self.only).isdisjoint(check_ids)


class Observing:
    """The families of one audit: what each plans, and what its answers mean.

    Attributes:
        jobs: Everything that can run side by side from the start.
    """

    def __init__(self, case: Case, how: How) -> None:
        """Plan every family that is wanted."""
        self._case, self._how = case, how
        seed, quick, level, where = how.seed, how.quick, how.level, how.where
        self._replaying = (
            Replaying(case, seed=seed, level=level, where=where)
            if how.wants(each for each, known in definitions().items() if known.replays)
            else None
        )
        self._test = swap.plan(case, seed=seed, quick=quick, level=level, where=where) if how.wants(swap.IDS) else None
        self._trial = stateless.Trial(case, seed=seed, level=level, where=where) if how.wants((stateless.ID,)) else None
        self._requester = requesting.plan(case, seed=seed, quick=quick, level=level) if how.wants(requesting.ANSWERED) else None
        families = (self._replaying, self._test, self._trial, self._requester)
        self._planned = [() if each is None or isinstance(each, swap.Outcome) else each.jobs for each in families]
        self.jobs = tuple(job for jobs in self._planned for job in jobs)

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> dict[str, Values]:
        """What was seen, by check id.

        Args:
            answers: To `jobs`.

        Raises:
            ProcedureError: If the procedure failed.
            SandboxError: If the sandbox did.
        """
        flat = iter(answers)
        replays, games, offers, asked = ([next(flat) for _ in jobs] for jobs in self._planned)
        how, seen = self._how, dict[str, Values]()
        replay = None if self._replaying is None else self._replaying.read(replays)
        if replay is not None:
            loaded = released_file.observe(self._case, replay, run=how.run, level=how.level, where=how.where)
            seen |= rerun.observe(self._case, replay, loaded)
            seen[release_exact.CARD.id] = release_exact.Observed(untried=release_exact.NOT_BUILT)
            seen |= certified.observe(self._case, replay)
            seen |= difference.observe(self._case, replay, seed=how.seed)
            seen[data_erased.CARD.id] = erasure.observe(self._case, replay)
            seen[training_privacy.CARD.id] = privacy.observe(self._case, replay)
        played = self._test.read(games, on_step=how.on_step) if isinstance(self._test, swap.SwapTest) else self._test
        if played is not None:
            seen |= played.observed
        if replay is not None:
            unseen = None if played is None else played.unseen
            counted_right = accuracy.count(self._case, replay.asked, replay.predicted, replay.retrained_predicted, unseen)
            seen[utility_accuracy.CARD.id] = counted_right
        if self._trial is not None:
            seen[stateless.ID] = self._trial.observe(offers, run=how.run)
        counted = None if self._requester is None else self._requester.observe(asked, how.run(self._requester.guessing(asked)))
        if played is not None and how.wants((epsilon_consistency.CARD.id,)):
            seen[epsilon_consistency.CARD.id] = epsilon_consistency.Observed(
                swap=played.reached, games=counted, simulated=self._chains()
            )
        if replay is not None and how.wants(deletion.IDS):
            runs = None
            if deletion.needs_counterfactual_runs(self._case, replay):
                runs = deletion.compare(self._case, replay, seed=how.seed, level=how.level, where=how.where, run=how.run)
            seen |= deletion.observe(self._case, replay, runs=runs, games=counted)
        return seen

    def _chains(self) -> epsilon_consistency.observed.Simulated | None:
        how = self._how
        return chain_counts.observe(self._case, seed=how.seed, quick=how.quick, workers=how.workers, on_step=how.on_step)


def observe(case: Case, how: How) -> Mapping[str, Values]:
    """Plan, run, and read what is wanted.

    Raises:
        ProcedureError: If the procedure failed.
        SandboxError: If the sandbox did.
        InputError: If the log leaves nothing to learn from.
    """
    planned = Observing(case, how)
    return planned.observe(how.run(planned.jobs))
