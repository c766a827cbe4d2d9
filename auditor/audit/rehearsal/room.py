"""What a procedure takes up: memory while it runs, and what is kept of each run that has finished."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from auditor.sandbox import Parameters, Predict, PredictRows, Save, State, Step, Together, Walk
from auditor.sandbox.jobs import Job
from auditor.sandbox.memory import free_bytes, peak_bytes

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
