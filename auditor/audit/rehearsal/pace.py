"""How long one call of each kind takes, as the rehearsal measured it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from auditor.sandbox import Learn, Predict, PredictRows, Refit, Step, Together, Unlearn
from auditor.sandbox.jobs import Job

AROUND_S: Final = 8.0
"""Of an audit for everything but runs: reading, attacks on answers, the report."""
_CALL_S: Final = 0.002
"""Of any call that is not timed: question and answer."""
_STACKED: Final = 0.3
"""Of the time of one after another, what many models of ours take together."""


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

    def job(self, job: Job) -> float:
        """Estimate the seconds of one job, its process included."""
        return self.start + sum(map(self.step, job.steps))

    def step(self, step: Step) -> float:
        """Estimate the seconds of one step."""
        match step:
            case Learn(rows=rows) | Refit(rows=rows):
                return self.learn * len(rows) / self.records
            case Unlearn(rows=rows):
                return self.unlearn * len(rows) / self.records
            case Predict(rows=rows):
                return _CALL_S + self.predict * (self.records if rows is None else len(rows))
            case PredictRows(features=features):
                return _CALL_S + self.predict * len(features)
            case Together(steps=steps):
                return (_STACKED if self.stacks else 1.0) * sum(map(self.step, steps))
            case _:
                return _CALL_S


def side_by_side(seconds: list[float], workers: int) -> float:
    """Estimate how long jobs take together: none is cut in two."""
    return max(sum(seconds) / workers, max(seconds, default=0.0))
