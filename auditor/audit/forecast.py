"""What lies ahead of an audit: how long calls take, what they take up, and the rows of the plan that stages make of it.

A rehearsal measures pace and room on a few rows. Each stage says what it will run; `Forecast` turns that into seconds and bytes.
"""

from __future__ import annotations

import math
import os
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from auditor.sandbox import (
    Answer,
    Device,
    Learn,
    Modules,
    Parameters,
    Predict,
    PredictRows,
    Refit,
    Save,
    State,
    Step,
    Together,
    Unlearn,
    Walk,
)
from auditor.sandbox.jobs import Job
from auditor.sandbox.memory import free_bytes, peak_bytes
from auditor.sandbox.steps import kind_of

AROUND_S: Final = 4.0
"""Of an audit for everything but runs: reading, attacks on answers, the report."""
_CALL_S: Final = 0.002
"""Of any call that is not timed: question and answer."""
BATCHED: Final = 0.05
"""Of the time of one training, what each of many costs that are computed in one batch, in this process."""
_MOST_START_S: Final = 30.0
"""Seconds that no process takes to start, however long went by in which nothing was answered."""
_STACKED: Final = 0.3
"""Of the time of one after another, what many models of ours take together, where that was not measured."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds of a procedure's calls."""

    start: float
    """From nothing to a procedure that is built."""
    learn: float
    """Of one training on all records."""
    measured: bool
    """Whether such a training was timed; otherwise it follows from fewer rows, as if the time grew with their number."""
    unlearn: float
    """Of unlearning one record from a model of all records."""
    predict: float
    """Of one row."""
    records: int
    """That `learn` and `unlearn` are about."""
    stacks: bool
    """Whether many models are computed together."""
    around: float = AROUND_S
    fixed: float = 0.0
    """Of `learn`, what a training takes however few rows it has."""
    unlearn_fixed: float = 0.0
    """Of `unlearn`, likewise."""
    asked: Mapping[str, float] = field(default_factory=dict)
    """Of other calls about one model, by kind of step, as `kind_of` tells them apart."""
    stacked: float = _STACKED
    """Of the time of one after another, what many models take together, where they are computed together."""

    @classmethod
    def unmeasured(cls) -> Pace:
        """Give the pace of a case in which nothing learns."""
        return cls(0.0, 0.0, False, 0.0, 0.0, 1, stacks=False)

    def job(self, job: Job) -> float:
        """Estimate the seconds of one job, its process and what is asked of it in the end included."""
        return self.start + sum(map(self.step, job.steps)) + self.asked.get(Modules.name, 0.0)

    def training(self, rows: int) -> float:
        """Estimate the seconds of a training on so many rows: what any takes, and what grows with them."""
        return self.fixed + (self.learn - self.fixed) * rows / self.records

    def several(self, models: int, one: float) -> float:
        """Estimate the seconds of several models in one process, each of which would take so long alone."""
        return models * one * (self.stacked if self.stacks and models > 1 else 1.0)

    def step(self, step: Step) -> float:
        """Estimate the seconds of one step."""
        match step:
            case Learn(rows=rows) | Refit(rows=rows):
                return self.training(len(rows))
            case Unlearn(rows=rows):
                return self.unlearn_fixed + (self.unlearn - self.unlearn_fixed) * len(rows) / self.records
            case Predict(rows=rows):
                return _CALL_S + self.predict * (self.records if rows is None else len(rows))
            case PredictRows(features=features):
                return _CALL_S + self.predict * len(features)
            case Together(steps=steps):
                return (self.stacked if self.stacks else 1.0) * sum(map(self.step, steps))
            case _:
                return _CALL_S + self.asked.get(kind_of(step), 0.0)


@dataclass(frozen=True, slots=True)
class Growth:
    """How the seconds of a call grow with rows, from two sizes."""

    fixed: float
    """On no rows."""
    seconds: float
    """On all of them."""


def growth(fewer: tuple[int, float], more: tuple[int, float], rows: int) -> Growth:
    """Tell the time on all rows from that on two numbers of them, as a fixed cost and what grows with the rows.

    Where twice the rows take more than twice the time, it grows on by the same power, and nothing of it is fixed.

    Args:
        fewer: Rows and seconds.
        more: The same of no fewer rows.
        rows: All of them; the time on `more` is theirs where it had as many.
    """
    (few, short), (many, long) = fewer, more
    if many <= few or short <= 0 or long <= 0:
        return Growth(0.0, long * rows / many)
    power = math.log(long / short) / math.log(many / few)
    if power > 1:
        return Growth(0.0, long * (rows / many) ** min(power, _STEEPEST))
    slope = max(0.0, long - short) / (many - few)
    fixed = max(0.0, long - slope * many)
    return Growth(fixed, fixed + slope * rows)


_STEEPEST: Final = 3.0
"""The power of the rows that no time is taken to grow beyond: two short times say little of it."""


def side_by_side(seconds: list[float], workers: int) -> float:
    """Estimate how long jobs take together: none is cut in two."""
    return max(sum(seconds) / workers, max(seconds, default=0.0))


def pace_of(answers: Sequence[Sequence[Answer]], took: float, *, records: int, stacks: bool) -> Pace | None:
    """Tell the pace of a procedure from what was answered in a run; None where nothing learned.

    Args:
        answers: To the jobs of the run.
        took: Seconds of the run with everything around it: what no call accounts for is taken to be the start of a process.
        records: In the training data.
        stacks: Whether many models are computed together.
    """
    calls = [each for job in answers for each in job]
    learned = [(each.seconds, len(each.step.rows)) for each in calls if isinstance(each.step, Learn)]
    if not learned:
        return None
    learn = statistics.median(seconds * records / max(rows, 1) for seconds, rows in learned)
    unlearned = [each.seconds * records / max(len(each.step.rows), 1) for each in calls if isinstance(each.step, Unlearn)]
    predicts = (Predict, PredictRows)
    predicted = [(each.seconds, len(each.array)) for each in calls if isinstance(each.step, predicts) and each.array is not None]
    rows = sum(count for _, count in predicted)
    asked: dict[str, list[float]] = {}
    for each in calls:
        if not isinstance(each.step, Device):  # to load the device is a part of the start
            asked.setdefault(kind_of(each.step), []).append(each.seconds)
    longest = max(sum(each.seconds for each in job if not isinstance(each.step, Device)) for job in answers)
    return Pace(
        start=min(max(took - longest, 0.0), _MOST_START_S),
        learn=learn,
        measured=True,
        unlearn=statistics.median(unlearned) if unlearned else learn,
        predict=sum(seconds for seconds, _ in predicted) / rows if rows else 0.0,
        records=records,
        stacks=stacks,
        asked={kind: statistics.median(seconds) for kind, seconds in asked.items()},
    )


_ANSWER: Final = 400
"""Bytes around each array or file that a kept run holds: its head, its name, and what is said of it."""


@dataclass(frozen=True, slots=True)
class Room:
    """Bytes, as the rehearsal measured them."""

    peak: int | None
    """The most that the sandboxed processes of one run have held; None where that cannot be seen."""
    rows: int
    """Training records that `peak` was measured with."""
    parameters: int
    state: int
    saved: int
    walked: int | None
    """Of what a walk through the objects of a model finds; None where it could not be made."""
    modules: int | None
    """Of the list of what a process has loaded, which is kept of every run; None where it could not be made."""
    answered: float
    """Of what is predicted for one row."""

    @classmethod
    def unmeasured(cls) -> Room:
        """Give the room of what nobody measured."""
        return cls(None, 0, 0, 0, 0, None, None, 0.0)

    @property
    def measured(self) -> bool:
        """Whether everything was measured that may be kept."""
        return self.walked is not None and self.modules is not None

    @property
    def process(self) -> int:
        """What is kept of every run."""
        return 2 * _ANSWER + (self.modules or 0)

    @property
    def model(self) -> int:
        """What is kept of a model that is examined from every side, but for its predictions."""
        return self.parameters + self.state + self.saved + (self.walked or 0) + 4 * _ANSWER

    def predictions(self, rows: int) -> float:
        """Give the bytes of what one model predicts."""
        return _ANSWER + self.answered * rows

    def jobs(self, jobs: Iterable[Job], records: int) -> int:
        """Estimate what is kept of some jobs.

        Args:
            jobs: Those that are kept.
            records: In the training data, which are asked about where a step names no rows.
        """
        return round(sum(self.process + sum(self._step(step, records) for step in job.steps) for job in jobs))

    def _step(self, step: Step, records: int) -> float:
        whole = {Parameters: self.parameters, State: self.state, Save: self.saved, Walk: self.walked or 0}
        match step:
            case Parameters() | State() | Save() | Walk():
                return _ANSWER + whole[type(step)]
            case Predict(rows=rows):
                return self.predictions(records if rows is None else len(rows))
            case PredictRows(features=features):
                return self.predictions(len(features))
            case Together(steps=steps):
                return sum(self._step(each, records) for each in steps)
        return 0.0


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory of an audit in bytes, as far as it was measured."""

    worker: int
    """The most that one run has held."""
    rows: int
    """Training records that it was measured with."""
    records: int
    """Training records that there are: with more than were tried, a run takes more."""
    at_a_time: int
    """Runs side by side."""
    auditor: int
    """The most that this process has held until now; attacks and pages come on top."""
    free: int
    """That could be had when this was measured."""
    limited: bool
    """Whether the case sets a limit for each run."""

    @property
    def total(self) -> int:
        """Give what runs and auditor take together."""
        return self.at_a_time * self.worker + self.auditor

    @property
    def most_at_a_time(self) -> int | None:
        """Give how many runs fit into half of what is free, which all may take between them; None where all do.

        0 where not even one does.
        """
        if self.limited or self.at_a_time * self.worker <= self.free // 2:
            return None
        return self.free // 2 // self.worker


def memory_of(room: Room, *, records: int, at_a_time: int, limited: bool) -> Memory | None:
    """Work out the memory of an audit; None where it cannot be seen.

    Args:
        room: As measured.
        records: In the training data.
        at_a_time: Runs side by side.
        limited: Whether the case sets a limit for each run.
    """
    own = peak_bytes([os.getpid()])
    if room.peak is None or not own:
        return None
    return Memory(room.peak, room.rows, records, at_a_time, own, free_bytes(), limited)


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
    """Whether it runs only where what ran before leaves something open."""
    checks: tuple[str, ...]
    """Ids of the checks that it is run for."""
    kept: int | None = field(compare=False)
    """Bytes of what is kept of it for a later audit, at least; None where that was not measured."""
    if_rejected: bool = False
    """Whether it runs only where an earlier row rejects the release, or comes near to it."""
    if_revealed: bool = False
    """Whether it runs only where games of an earlier row reveal more than they may."""
    too_long: bool = False
    """Whether it takes more than such a row may, and does not run at all."""
    histories: int = 0
    """Of a whole program, how many are played at first: what is found decides whether more are."""

    @property
    def counted(self) -> bool:
        """Whether it runs anything."""
        return bool(self.trainings or self.unlearnings or self.histories)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What a stage estimates its runs with."""

    pace: Pace
    room: Room
    workers: int
    """Runs side by side."""
    records: int
    """In the training data."""
    keeps: bool
    """Whether finished runs of the case's procedure are kept."""
    asked: tuple[str, ...]
    """Ids of the checks of the audit that apply, as far as that is known before anything has run."""
    rehearsed: Mapping[str, float] = field(default_factory=dict)
    """Seconds that stages measured in their own rehearsal, by names of their own."""

    def of_jobs(self, name: str, jobs: Sequence[Job], checks: Iterable[str], *, if_open: bool = False) -> Ahead:
        """Estimate jobs that are planned already."""
        steps = [step for job in jobs for step in _single(job.steps)]
        return self.row(
            name,
            trainings=sum(isinstance(step, Learn | Refit) for step in steps),
            unlearnings=sum(isinstance(step, Unlearn) for step in steps),
            seconds=side_by_side([self.pace.job(job) for job in jobs], self.workers),
            if_open=if_open,
            checks=checks,
            kept=self.room.jobs(jobs, self.records),
        )

    def row(
        self,
        name: str,
        *,
        trainings: int,
        unlearnings: int,
        seconds: float,
        checks: Iterable[str],
        kept: float | None,
        if_open: bool = False,
        if_rejected: bool = False,
        if_revealed: bool = False,
        most_s: float = math.inf,
        histories: int = 0,
    ) -> Ahead:
        """Give a row of the plan.

        Args:
            name: As progress shows it.
            trainings: How many.
            unlearnings: How many.
            seconds: With the workers of the audit side by side.
            checks: Those that it is run for, of which the row names those that are asked for.
            kept: Bytes of what is kept of it; None where that was not measured.
            if_open: Whether it runs only where the clean rooms leave the release open.
            if_rejected: Whether it runs only where an earlier row rejects the release.
            if_revealed: Whether it runs only where games of an earlier row reveal more than they may.
            most_s: Seconds beyond which it does not run.
            histories: Of a whole program, how many are played.
        """
        named = set(checks)
        listed = tuple(each for each in self.asked if each in named)
        bytes_kept = None if kept is None else round(kept)
        measured = bytes_kept if self.room.measured or bytes_kept == 0 else None
        # Of code that may read everything nothing is kept.
        return Ahead(
            name,
            trainings,
            unlearnings,
            seconds,
            if_open or if_rejected or if_revealed,
            listed,
            measured if self.keeps else 0,
            if_rejected,
            if_revealed,
            too_long=seconds > most_s,
            histories=histories,
        )


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What came of a stage's own rehearsal."""

    obstacles: tuple[Obstacle, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    """That it measured, for its own estimate."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What would end an audit."""

    call: str
    """What was asked for."""
    rows: int | None
    """Training records that it was asked with; None where none were read yet."""
    said: str
    """What came of it: kind of error and way out, as an audit would say it."""
    stderr: str = ""
    """What the procedure wrote last, for the terminal only: it may hold personal data."""
    few: bool = False
    """Whether it was asked with a few rows alone, and may be an obstacle for that."""


def _single(steps: Iterable[Step]) -> Iterator[Step]:
    for step in steps:
        yield from step.steps if isinstance(step, Together) else (step,)
