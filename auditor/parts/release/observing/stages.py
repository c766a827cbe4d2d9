"""The release compared with clean rooms and with the file that is shipped; and attacked, where that leaves it open."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from auditor.audit.forecast import BATCHED, Ahead, Forecast, Pace, side_by_side
from auditor.audit.replay import Replaying, forgotten_of
from auditor.audit.stages import Run, Stage
from auditor.parts.release.judging import model_reproduced, release_exact, release_remembers
from auditor.parts.release.observing import own_file, released_file, rerun
from auditor.parts.release.observing import release_remembers as remembering
from auditor.parts.release.observing.clean_room import OTHER_RECORDS, ROOMS, CleanRooms, looking
from auditor.parts.release.observing.release_remembers.linear import batched
from auditor.parts.release.observing.release_remembers.models import FURTHER, PROGRESS, at_a_time
from auditor.parts.release.observing.release_remembers.questions import HELD_OUT
from auditor.sandbox import Answer
from auditor.sandbox.jobs import Job
from auditor.verdict.checks import definitions, with_role
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.finding import Values

_IN_CLEAN_ROOMS: Final = (release_exact.CARD.id, *with_role(Role.SEARCHES))
"""The checks that clean rooms are entered for: what is found where matters less once the release is a retrained model."""
_PATIENCE_S: Final = 10.0
"""Seconds that a first answer waits for the log with other records, with the workers of the audit side by side."""
_REACTION: Final = 4
"""Trainings that it takes at most to see whether a learner reacts: two on a quarter of its rows, and where these show no reaction
two on half and two on nearly all of them."""


class Compared(Stage):
    """The replay compared with clean rooms, whose model is the retrained one from then on, and with the shipped file."""

    checks = (*_IN_CLEAN_ROOMS, model_reproduced.CARD.id)
    after = ()

    def __init__(self, run: Run) -> None:
        """Leave the clean rooms alone until the replay is planned."""
        super().__init__(run)
        self._rooms: CleanRooms | None = None

    def prepare(self) -> None:
        """Have the replay's models examined, where clean rooms are wanted."""
        run = self.run
        if run.how.wants(_IN_CLEAN_ROOMS):
            run.looking = looking(run.case, run.context, seed=run.how.seed)

    def plan(self) -> tuple[Job, ...]:
        """Plan the clean rooms that are entered in any case, alongside the replay."""
        run, how = self.run, self.run.how
        if run.replaying is None or run.looking is None:
            return ()
        tables = run.replaying.asked.tables
        self._rooms = CleanRooms(
            run.case,
            run.context,
            run.looking.probe,
            tables,
            level=how.level,
            where=how.where,
            run=how.run,
            last_alone=_last_alone(how.only),
        )
        return self._rooms.jobs

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Enter the clean rooms, and then hold the rerun alongside what is shipped.

        Where somebody waits for the first stage, what takes long is left for after it, and nothing is observed yet.
        """
        run, how = self.run, self.run.how
        if run.replaying is None or run.replay is None:
            return {}
        patience = math.inf if how.at_first is None else _PATIENCE_S * how.workers
        exact = release_exact.Observed() if self._rooms is None else self._entered(run.replaying, self._rooms, answers, patience)
        return {} if exact is None else self._held_together(exact)

    def rest(self) -> Mapping[str, Values]:
        """Run the log with other records, where that was left."""
        if self._rooms is None or release_exact.CARD.id in self.run.seen or self.run.replay is None:
            return {}
        return self._held_together(self._rooms.rest())

    def _held_together(self, exact: release_exact.Observed) -> Mapping[str, Values]:
        run, how, replay = self.run, self.run.how, self.run.replay
        if replay is None:
            return {}
        loaded = released_file.observe(run.case, replay, run=how.run, level=how.level, where=how.where)
        own = own_file.observe(run.case, replay, exact, run=how.run, level=how.level, where=how.where)
        file, loaded = (None, loaded) if own is None else own
        return {release_exact.CARD.id: exact, **rerun.observe(run.case, replay, loaded, file)}

    def _entered(
        self, replaying: Replaying, rooms: CleanRooms, answers: Sequence[tuple[Answer, ...]], patience: float
    ) -> release_exact.Observed | None:
        """Hold the replay against clean rooms."""
        run, how, replay = self.run, self.run.how, self.run.replay
        if replay is None:
            return None
        exact, retrained = rooms.observe(replay, answers, patience_s=patience)
        same = retrained is not None and retrained.same_parameters
        between = 0.0 if same else None
        if not same and run.case.model_file is not None:
            between = replaying.difference(replay.trajectory, how.run([replaying.again])[0])
        replay = replace(replay, self_check_difference=between)
        if retrained is not None:
            replay = replace(replay, retrain_seconds=retrained.seconds, retrained_predicted=retrained.predicted)
        run.replay = replay
        return exact

    def foresee(self, forecast: Forecast, jobs: Sequence[Job]) -> Iterator[Ahead]:
        """Give the clean rooms, and the log with other records, where one gives another model than the release."""
        del jobs
        run, pace, room = self.run, forecast.pace, forecast.room
        if run.looking is None or self._rooms is None:
            return
        answers, quarter = room.predictions(len(run.looking.probe.features)), pace.training(pace.records // 4)
        # One training for each batch that is compared, in a process of its own, and whether the learner reacts.
        entered = self._rooms.entered(self._rooms.compared(pace.learn))
        yield forecast.row(
            ROOMS,
            trainings=len(entered) + _REACTION,
            unlearnings=0,
            seconds=side_by_side([pace.job(each) for each in entered], forecast.workers) + pace.start + 2 * quarter,
            checks=_IN_CLEAN_ROOMS,
            kept=room.jobs(entered, forecast.records) + room.process + 2 * (room.parameters + answers),
        )
        yield from self._with_other_records(forecast)

    def foresee_rest(self, forecast: Forecast) -> Iterator[Ahead]:
        """Give the log with other records, where that was left."""
        if self._rooms is not None and release_exact.CARD.id not in self.run.seen:
            yield from self._with_other_records(forecast)

    def _with_other_records(self, forecast: Forecast) -> Iterator[Ahead]:
        if self._rooms is not None:
            yield forecast.of_jobs(OTHER_RECORDS, self._rooms.left_open(), _IN_CLEAN_ROOMS, if_open=True)


class Attacked(Stage):
    """Models to compare the release with, and attacks on all of them, unless it is known to be what retraining gives."""

    checks = (release_remembers.CARD.id,)
    after = (Role.EXACT, Role.STATELESS)

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Attack the release where the clean rooms leave it open."""
        del answers
        run = self.run
        if run.replay is None or not self.is_open():
            return {}
        return {release_remembers.CARD.id: remembering.observe(run.case, run.replay, run.how)}

    def is_open(self) -> bool:
        """Ask the clean rooms."""
        run = self.run
        return run.how.wants(self.checks) and release_remembers.applies(run.context, run.compared()) is None

    def foresee(self, forecast: Forecast, jobs: Sequence[Job]) -> Iterator[Ahead]:
        """Give the models that the attack calls for, and those of a second stage where the first rejects the release."""
        del jobs
        if release_remembers.CARD.id not in forecast.asked:
            return
        case, pace = self.run.case, forecast.pace
        retrained, holding = case.settings.release.models, 2 * HELD_OUT
        batches, here, at_once = len(forgotten_of(case)), batched(case), at_a_time(case, retrained)
        jobs_of_first = [
            *_processes(pace, retrained, at_once, pace.learn),
            *_processes(pace, holding, at_a_time(case, holding), pace.learn + batches * pace.unlearn),
        ]
        yield forecast.row(
            PROGRESS,
            trainings=retrained + holding,
            unlearnings=holding * batches,
            seconds=BATCHED * (retrained + holding) * pace.learn if here else side_by_side(jobs_of_first, forecast.workers),
            checks=self.checks,
            kept=0 if here else None,
            if_open=self.run.looking is not None,
        )
        if self.run.how.quick or retrained < release_remembers.LEAST_MODELS:
            return
        further = release_remembers.SECOND_MODELS
        yield forecast.row(
            FURTHER,
            trainings=further,
            unlearnings=0,
            seconds=BATCHED * further * pace.learn
            if here
            else side_by_side(_processes(pace, further, at_once, pace.learn), forecast.workers),
            checks=self.checks,
            kept=0 if here else None,
            if_rejected=True,
            # Linear models of ours are trained at once, and nothing keeps them from it.
            most_s=math.inf if here and self.run.how.second_stage_s > 0 else self.run.how.second_stage_s,
        )


def _last_alone(only: tuple[str, ...] | None) -> bool:
    """Whether nothing that is asked for reads more of clean rooms than the last one says, which is all that a search reads."""
    enough = {*with_role(Role.SEARCHES), model_reproduced.CARD.id}
    return only is not None and all(each in enough or not definitions()[each].runs for each in only)


def _processes(pace: Pace, models: int, at_once: int, one: float) -> list[float]:
    """The seconds of each process, where so many models learn in one."""
    sizes = [min(at_once, models - start) for start in range(0, models, at_once)]
    return [pace.start + pace.several(size, one) for size in sizes]


STAGES: Final = (Compared, Attacked)
