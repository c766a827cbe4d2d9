"""Resume updates of the log itself: what acts after so many updates alone shows in no experiment of a few.

The replay ran the whole log in one process. Fresh processes take the parameters that it released after a batch, and nothing else,
and run the next batch with the log's own records and seed. Few are resumed, so that it costs no more than a few updates.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from auditor.audit.comparisons import Probe
from auditor.audit.devices import Place, require_same
from auditor.audit.replacing import log_steps, model_after
from auditor.audit.replay import Replay, limits_of, specification
from auditor.base.domain import Message
from auditor.base.errors import ProcedureError
from auditor.base.records import Floats, joined
from auditor.case import Case
from auditor.parts.data_deletion.judging.state_stateless import OfLog, Other
from auditor.parts.data_deletion.observing.stateless.experiment import forms
from auditor.sandbox import Answer, Device, Level, Load, Parameters, PredictRows, Step, Unlearn
from auditor.sandbox.jobs import Job, Run

_Model = tuple[Floats | None, Floats | None]
"""Parameters, and predictions where they are asked for."""


class Resumption:
    """The updates of one log that are resumed."""

    def __init__(self, case: Case, replay: Replay, probe: Probe | None, *, level: Level, where: Place, run: Run) -> None:
        """Keep the parts.

        Args:
            case: The case.
            replay: What the rerun showed.
            probe: The rows that its models were asked about; None where they were not.
            level: The sandbox level in force.
            where: What the procedure computes on.
            run: Runs jobs side by side.
        """
        self._case, self._replay, self._probe = case, replay, probe
        self._level, self._where, self._run = level, where, run

    def observe(self, wanted: Sequence[int]) -> OfLog:
        """Resume the updates after some batches, 0 for learning, and hold what they give against the replay.

        Raises:
            SandboxError: If a sandbox could not be set up or torn down.
        """
        trajectory = self._replay.trajectory
        if trajectory is None or not wanted:
            return OfLog(after=tuple(wanted), refused=None if not wanted else Message("state.stateless.open.no-parameters"))
        choices = [list(forms(trajectory[after], self._replay.saved)) for after in wanted]
        # Of numbers that float32 holds there are more forms than of others.
        for attempt in range(max(map(len, choices))):
            contents = [each[min(attempt, len(each) - 1)][1] for each in choices]
            found = self._resumed("log", wanted, contents)
            if not isinstance(found, Message):
                return self._held_against(wanted, contents, found)
        return OfLog(after=tuple(wanted), refused=found)

    def _held_against(self, wanted: Sequence[int], contents: Sequence[bytes], found: Sequence[_Model]) -> OfLog:
        own = [self._of_replay(after + 1) for after in wanted]
        others = tuple(
            Other(after=after, difference=_difference(mine, theirs))
            for after, mine, theirs in zip(wanted, own, found, strict=True)
            if not _same(mine, theirs)
        )
        return OfLog(after=tuple(wanted), others=others, steady=not others or self._is_steady(wanted, contents, found))

    def _is_steady(self, wanted: Sequence[int], contents: Sequence[bytes], found: Sequence[_Model]) -> bool:
        """Whether a second resumption and a second replay give what the first ones gave: else chance plays a part."""
        again = self._resumed("log once more", wanted, contents)
        if isinstance(again, Message) or not all(map(_same, found, again)):
            return False
        steps = log_steps(
            len(self._case.train),
            self._replay.forgotten,
            seed=self._case.settings.procedure.seed,
            look=lambda number: (Parameters(model_after(number)),),
        )
        try:
            (told,) = self._run([self._job("replay of the whole log once more", steps)])
        except ProcedureError:
            return False
        given = [each.array for each in told if isinstance(each.step, Parameters)]
        return all(_same((mine, None), (each, None)) for mine, each in zip(self._replay.trajectory or (), given, strict=True))

    def _of_replay(self, number: int) -> _Model:
        trajectory, seen = self._replay.trajectory, self._replay.looks.get(number)
        asked = seen is not None and self._probe is not None
        return None if trajectory is None else trajectory[number], seen.predictions if asked and seen is not None else None

    def _resumed(self, name: str, wanted: Sequence[int], contents: Sequence[bytes]) -> list[_Model] | Message:
        """What the resumed updates gave; the reason where one of them could not be."""
        jobs = [
            self._job(f"{name}, after {after}", self._steps(after, content))
            for after, content in zip(wanted, contents, strict=True)
        ]
        try:
            runs = self._run(jobs)
        except ProcedureError as error:
            # What was loaded may be no model: that is no crash of what is audited.
            return Message("state.stateless.refused.failed", {"message": str(error)})
        for told in runs:
            require_same(self._where, told)
            if not all(each.supported for each in told if isinstance(each.step, Load)):
                return Message("state.stateless.refused.not-taken", {"error": "an error"})
        return [_model(told) for told in runs]

    def _steps(self, after: int, content: bytes) -> list[Step]:
        rows = np.setdiff1d(np.arange(len(self._case.train), dtype=np.int64), joined(self._replay.forgotten[:after]))
        forget = np.flatnonzero(np.isin(rows, self._replay.forgotten[after])).astype(np.int64)
        before, model = model_after(after), model_after(after + 1)
        seed = self._case.settings.procedure.seed + after + 1
        steps: list[Step] = [Load(before, content), Unlearn(before, model, rows, forget, seed), Parameters(model)]
        if self._probe is not None:
            steps.append(PredictRows(model, self._probe.features, self._probe.columns))
        return steps

    def _job(self, name: str, steps: Sequence[Step]) -> Job:
        case, where = self._case, self._where
        first: tuple[Step, ...] = (Device(),) if where.device == "cuda" else ()
        tables = {"train": case.train, **self._replay.asked.tables}
        named = f"statelessness: {name}"
        return Job(named, specification(case), tables, (*first, *steps), limits_of(case), self._level, where.device)


def _model(told: Sequence[Answer]) -> _Model:
    arrays = {type(each.step): each.array for each in told}
    return arrays.get(Parameters), arrays.get(PredictRows)


def _same(first: _Model, second: _Model) -> bool:
    """Whether two models are the same bit for bit, in what both were asked for."""
    pairs = [(own, other) for own, other in zip(first, second, strict=True) if own is not None and other is not None]
    return bool(pairs) and all(own.shape == other.shape and own.tobytes() == other.tobytes() for own, other in pairs)


def _difference(first: _Model, second: _Model) -> float | None:
    """The largest absolute difference; None where not even the numbers agree."""
    pairs = [(own, other) for own, other in zip(first, second, strict=True) if own is not None and other is not None]
    if not pairs or any(own.shape != other.shape for own, other in pairs):
        return None
    return max(float(np.max(np.abs(own - other), initial=0.0)) for own, other in pairs)
