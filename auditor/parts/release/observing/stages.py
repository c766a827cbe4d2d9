"""The release compared with clean rooms and with the file that is shipped; and attacked, where that leaves it open."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from auditor.audit.forecast import BATCHED, Ahead, Forecast, side_by_side
from auditor.audit.replay import Replay, Replaying, forgotten_of
from auditor.audit.stages import Run, Stage
from auditor.parts.release.judging import model_reproduced, release_exact, release_remembers
from auditor.parts.release.observing import own_file, released_file, rerun
from auditor.parts.release.observing import release_remembers as remembering
from auditor.parts.release.observing.clean_room import CleanRooms, looking
from auditor.parts.release.observing.release_remembers.linear import batched
from auditor.parts.release.observing.release_remembers.models import FURTHER, PROGRESS
from auditor.parts.release.observing.release_remembers.questions import HELD_OUT
from auditor.sandbox import Answer
from auditor.sandbox.jobs import Job
from auditor.verdict.checks import with_role
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.finding import Values

_IN_CLEAN_ROOMS: Final = (release_exact.CARD.id, *with_role(Role.SEARCHES))
"""The checks that clean rooms are entered for: what is found where matters less once the release is a retrained model."""
_REACTION: Final = 4
"""Trainings that it takes at most to see whether a learner reacts: two on a quarter of its rows, and where these show no reaction
two on half and two on nearly all of them."""


class Compared(Stage):
    """The replay compared with clean rooms, whose model is the retrained one from then on, and with the shipped file."""

    checks = (*_IN_CLEAN_ROOMS, model_reproduced.CARD.id)
    after = ()

    def prepare(self) -> None:
        """Have the replay's models examined, where clean rooms are wanted."""
        run = self.run
        if run.how.wants(_IN_CLEAN_ROOMS):
            run.looking = looking(run.case, run.context, seed=run.how.seed)

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Enter the clean rooms, and then hold the rerun alongside what is shipped."""
        del answers
        run, how = self.run, self.run.how
        if run.replaying is None or run.replay is None:
            return {}
        replay, exact = _entered(run, run.replaying, run.replay)
        run.replay = replay
        loaded = released_file.observe(run.case, replay, run=how.run, level=how.level, where=how.where)
        own = own_file.observe(run.case, replay, exact, run=how.run, level=how.level, where=how.where)
        file, loaded = (None, loaded) if own is None else own
        return {release_exact.CARD.id: exact, **rerun.observe(run.case, replay, loaded, file)}

    def foresee(self, forecast: Forecast, jobs: Sequence[Job]) -> Iterator[Ahead]:
        """Give the clean rooms, and the log with other records, where one gives another model than the release."""
        del jobs
        run, pace, room = self.run, forecast.pace, forecast.room
        if run.looking is None:
            return
        answers = room.predictions(len(run.looking.probe.features))
        # One training for each batch that is compared, in a process of its own, and whether the learner reacts.
        _, wanted = release_exact.batches_to_compare(run.context, release_exact.Observed(seconds_of_training=pace.learn))
        yield forecast.row(
            "clean rooms",
            trainings=len(wanted) + _REACTION,
            unlearnings=0,
            seconds=side_by_side([pace.start + pace.learn] * len(wanted), forecast.workers) + pace.start + _REACTION * pace.learn,
            checks=_IN_CLEAN_ROOMS,
            kept=len(wanted) * (room.process + room.model + answers) + room.process + 2 * (room.parameters + answers),
        )
        batches, runs = len(forgotten_of(run.case)), release_exact.LEAST_OTHER_RUNS + 1
        yield forecast.row(
            "runs with other records",
            trainings=runs,
            unlearnings=runs * batches,
            seconds=side_by_side([pace.start + pace.learn + batches * pace.unlearn] * runs, forecast.workers),
            checks=_IN_CLEAN_ROOMS,
            kept=runs * (room.process + batches * (room.parameters + answers) + room.model + answers),
            if_open=True,
        )


def _entered(run: Run, replaying: Replaying, replay: Replay) -> tuple[Replay, release_exact.Observed]:
    """Hold the replay against clean rooms, where these are wanted."""
    case, how = run.case, run.how
    if run.looking is None:
        return replay, release_exact.Observed()
    rooms = CleanRooms(case, run.context, replay, run.looking.probe, level=how.level, where=how.where, run=how.run)
    exact, retrained = rooms.observe()
    same = retrained is not None and retrained.same_parameters
    between = 0.0 if same else None
    if not same and case.model_file is not None:
        between = replaying.difference(replay.trajectory, how.run([replaying.again])[0])
    replay = replace(replay, self_check_difference=between)
    if retrained is not None:
        replay = replace(replay, retrain_seconds=retrained.seconds, retrained_predicted=retrained.predicted)
    return replay, exact


class Attacked(Stage):
    """Models to compare the release with, and attacks on all of them, unless it is known to be what retraining gives."""

    checks = (release_remembers.CARD.id,)
    after = (Role.EXACT, Role.STATELESS)

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Attack the release where the clean rooms leave it open."""
        del answers
        run, how = self.run, self.run.how
        if run.replay is None or not how.wants(self.checks):
            return {}
        if release_remembers.applies(run.context, run.compared()) is not None:
            return {}
        return {release_remembers.CARD.id: remembering.observe(run.case, run.replay, how)}

    def foresee(self, forecast: Forecast, jobs: Sequence[Job]) -> Iterator[Ahead]:
        """Give the models that the attack calls for, and those of a second stage where the first rejects the release."""
        del jobs
        if release_remembers.CARD.id not in forecast.asked:
            return
        case, pace = self.run.case, forecast.pace
        retrained, holding = case.settings.release.models, 2 * HELD_OUT
        batches, here = len(forgotten_of(case)), batched(case)
        work = (retrained + holding) * pace.learn * (BATCHED if here else 1.0)
        work += 0.0 if here else holding * batches * pace.unlearn
        yield forecast.row(
            PROGRESS,
            trainings=retrained + holding,
            unlearnings=holding * batches,
            seconds=work / forecast.workers,
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
            seconds=further * pace.learn * (BATCHED if here else 1.0) / forecast.workers,
            checks=self.checks,
            kept=0 if here else None,
            if_rejected=True,
            # Linear models of ours are trained at once, and nothing keeps them from it.
            most_s=math.inf if here and self.run.how.second_stage_s > 0 else self.run.how.second_stage_s,
        )


STAGES: Final = (Compared, Attacked)
