"""The runs that an audit makes, family by family, planned as the audit plans them, and what they take at a pace.

What later families run depends on what earlier ones find. They are listed with `if_open`: an audit whose release is what a
clean room gives needs none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from auditor.audit.how import How
from auditor.audit.rehearsal.pace import Pace, side_by_side
from auditor.audit.rehearsal.room import Room
from auditor.audit.replay import forgotten_of, specification
from auditor.audit.together import Observing
from auditor.base.domain import Reason
from auditor.case import Case
from auditor.parts.data_deletion.observing import requesting
from auditor.parts.release.judging import release_exact, release_remembers
from auditor.parts.release.observing.release_remembers.linear import batched
from auditor.parts.release.observing.release_remembers.questions import HELD_OUT
from auditor.parts.revealing.judging.inference import example, instance
from auditor.parts.revealing.observing.deleting.asking import fast
from auditor.parts.revealing.observing.deleting.inference import SHADOW_GAMES
from auditor.parts.revealing.observing.deleting.shadows import PAIRS
from auditor.parts.store.judging import data_erased
from auditor.parts.swap import observing as swap
from auditor.parts.swap.observing.drawing import PROGRESS
from auditor.sandbox import Learn, Refit, Step, Together, Unlearn
from auditor.sandbox.jobs import Job
from auditor.sandbox.runs import keeps
from auditor.verdict.checks import definitions, with_role
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.deleting import QUICK_GAMES, asked
from auditor.verdict.checks.finding import skipped
from auditor.verdict.judgement import applicable

_REACTION: Final = 3
"""Trainings that it takes to see whether a learner reacts to its rows: twice on half of them, or also twice on all."""
_BATCHED: Final = 0.05
"""Of the time of one training, what each of many costs that are computed in one batch, in this process."""
_IN_CLEAN_ROOMS: Final = (release_exact.CARD.id, data_erased.CARD.id)


@dataclass(frozen=True, slots=True)
class Ahead:
    """What one family of checks will run."""

    name: str
    """As progress shows it."""
    trainings: int
    unlearnings: int
    seconds: float = field(compare=False)
    """With the workers of the audit side by side."""
    if_open: bool
    """Whether it runs only where the clean rooms leave the release open."""
    checks: tuple[str, ...]
    """Ids of the checks that it is run for."""
    kept: int | None = field(compare=False)
    """Bytes of what is kept of it for a later audit, at least; None where that was not measured."""


def look_ahead(case: Case, context: Context, how: How, pace: Pace, room: Room) -> tuple[Ahead, ...]:
    """Plan what an audit of a case runs.

    Args:
        case: The case.
        context: The same as declared.
        how: How the audit would observe; nothing is run.
        pace: How long calls take, as the rehearsal measured it.
        room: What models and answers take up, likewise.

    Raises:
        InputError: If the log leaves nothing to learn from.
    """
    found = _Planner(case, context, how, pace, room).rows()
    return tuple(each for each in found if each.trainings or each.unlearnings)


def in_question(context: Context, only: tuple[str, ...] | None) -> tuple[str, ...]:
    """List the checks of an audit that apply to a case, as far as that is known before anything has run."""
    found = []
    for check_id, definition in definitions().items():
        wanted = (only is None or check_id in only) and (context.learns or definition.card.of_controllers)
        before = {needed: skipped(Reason("left-out")) for needed in definition.card.needs}
        if wanted and applicable(definition, context) and definition.applies(context, before) is None:
            found.append(check_id)
    return tuple(found)


class _Planner:
    """The rows of the plan of one audit."""

    def __init__(self, case: Case, context: Context, how: How, pace: Pace, room: Room) -> None:
        self._case, self._context, self._how, self._pace, self._room = case, context, how, pace, room
        self._observing = Observing(case, context, how)
        self._asked = in_question(context, how.only)
        self._keeps = keeps(specification(case), how.level)
        self._batches = len(forgotten_of(case))

    def rows(self) -> Iterator[Ahead]:
        """Give row by row, in the order in which they run."""
        observing = self._observing
        first = _by_name(job for job in observing.jobs if job.part_of != PROGRESS)
        for name, jobs in first.items():
            yield self._of_jobs(name, jobs, _checks_of(name), if_open=False)
        if observing.enters_clean_rooms:
            yield self._clean_rooms()
            yield self._other_runs()
        yield from self._game(if_open=observing.game_waits)
        if release_remembers.CARD.id in self._asked:
            yield self._shadow_models(if_open=observing.enters_clean_rooms)
        yield from self._deletion_games()

    def _of_jobs(self, name: str, jobs: Sequence[Job], checks: Iterable[str], *, if_open: bool) -> Ahead:
        steps = [step for job in jobs for step in _single(job.steps)]
        return self._row(
            name,
            sum(isinstance(step, Learn | Refit) for step in steps),
            sum(isinstance(step, Unlearn) for step in steps),
            seconds=side_by_side([self._pace.job(job) for job in jobs], self._how.workers),
            if_open=if_open,
            checks=checks,
            kept=self._room.jobs(jobs, len(self._case.train)),
        )

    def _row(self, name: str, *counts: int, seconds: float, if_open: bool, checks: Iterable[str], kept: int | None) -> Ahead:
        """Give a row; of checks those that are asked for, and nothing that is kept where nothing of such code is."""
        trainings, unlearnings = counts
        named = set(checks)
        asked = tuple(each for each in self._asked if each in named)
        measured = kept if self._room.measured or kept == 0 else None
        return Ahead(name, trainings, unlearnings, seconds, if_open, asked, measured if self._keeps else 0)

    def _clean_rooms(self) -> Ahead:
        """One training for each batch that is compared, in a process of its own, and the question whether a learner reacts."""
        pace, room = self._pace, self._room
        seen = release_exact.Observed(seconds_of_training=pace.learn)
        _, wanted = release_exact.batches_to_compare(self._context, seen)
        seconds = side_by_side([pace.start + pace.learn] * len(wanted), self._how.workers)
        seconds += pace.start + _REACTION * pace.learn
        answers = room.predictions(self._observing.rows_of_probe)
        kept = len(wanted) * (room.process + room.model + answers) + room.process + 2 * (room.parameters + answers)
        counts = len(wanted) + _REACTION, 0
        return self._row("clean rooms", *counts, seconds=seconds, if_open=False, checks=_IN_CLEAN_ROOMS, kept=round(kept))

    def _other_runs(self) -> Ahead:
        """The log with other records, where a clean room gives another model than the release."""
        pace, room, batches = self._pace, self._room, self._batches
        once = pace.start + pace.learn + batches * pace.unlearn
        runs = release_exact.LEAST_OTHER_RUNS + 1
        seconds = side_by_side([once] * runs, self._how.workers)
        answers = room.predictions(self._observing.rows_of_probe)
        kept = runs * (room.process + batches * (room.parameters + answers) + room.model + answers)
        name, counts = "runs with other records", (runs, runs * batches)
        return self._row(name, *counts, seconds=seconds, if_open=True, checks=_IN_CLEAN_ROOMS, kept=round(kept))

    def _game(self, *, if_open: bool) -> Iterator[Ahead]:
        """The game of the SWAP test, where one can be played."""
        how = self._how
        if not how.wants(swap.IDS):
            return
        planned = swap.plan(self._case, seed=how.seed, quick=how.quick, level=how.level, where=how.where)
        if isinstance(planned, swap.SwapTest) and planned.rerunning is None:
            models = planned.game.pairs[0].learn_seeds.size * len(planned.game.pairs) + len(planned.game.references)
            seconds = _BATCHED * models * self._pace.learn
            yield self._row("the SWAP game", models, models // 2, seconds=seconds, if_open=if_open, checks=swap.IDS, kept=0)
        elif isinstance(planned, swap.SwapTest | swap.OneRunTest):
            yield self._of_jobs("the SWAP game", planned.jobs, swap.IDS, if_open=if_open)

    def _shadow_models(self, *, if_open: bool) -> Ahead:
        """The models that an attack on the release calls for, where it is not known to be what retraining gives."""
        case, pace = self._case, self._pace
        retrained, holding = case.settings.release.models, 2 * HELD_OUT
        here = batched(case)
        each = pace.learn * (_BATCHED if here else 1.0)
        work = (retrained + holding) * each + (0.0 if here else holding * self._batches * pace.unlearn)
        return self._row(
            "shadow models of the release",
            retrained + holding,
            holding * self._batches,
            seconds=work / self._how.workers,
            if_open=if_open,
            checks=(release_remembers.CARD.id,),
            kept=0 if here else None,
        )

    def _deletion_games(self) -> Iterator[Ahead]:
        """The games of deletion inference and of reconstruction, where somebody asks for them."""
        case, context, how, pace = self._case, self._context, self._how, self._pace
        games = min(context.inference.games, QUICK_GAMES) if how.quick else context.inference.games
        # The controller's own code gets a process for each game, for it must not see two.
        start = pace.start if case.settings.procedure.foreign else 0.0
        alone = (start + pace.learn + pace.unlearn) / how.workers
        here = fast(case)
        one = _BATCHED * pace.learn if here else alone
        kept = 0 if here else None
        knowing = [each for each in (example.CARD.id, instance.CARD.id) if how.wants((each,)) and asked(context, each)]
        if knowing:
            played = games + SHADOW_GAMES
            counts, seconds = (played + 2 * PAIRS, played), played * one
            yield self._row("deletion inference games", *counts, seconds=seconds, if_open=False, checks=knowing, kept=kept)
        rebuilding = with_role(Role.REBUILDS)
        for check_id in self._asked:
            if check_id in rebuilding and asked(context, check_id):
                seconds = games * one
                yield self._row(check_id, games, games, seconds=seconds, if_open=False, checks=(check_id,), kept=kept)


def _checks_of(name: str) -> Iterable[str]:
    """The checks that a family of jobs is run for, all of which are there from the start."""
    if name == requesting.PROGRESS:
        return requesting.ANSWERED
    return (check_id for check_id, known in definitions().items() if known.replays)


def _by_name(jobs: Iterable[Job]) -> dict[str, list[Job]]:
    found: dict[str, list[Job]] = {}
    for job in jobs:
        found.setdefault(job.part_of or job.name, []).append(job)
    return found


def _single(steps: Iterable[Step]) -> Iterator[Step]:
    for step in steps:
        yield from step.steps if isinstance(step, Together) else (step,)
