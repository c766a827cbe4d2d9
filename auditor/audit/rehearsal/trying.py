"""A learning procedure on a few rows: everything that an audit asks of it, once, and how long it takes.

What fails on a few rows may fail because they are few. It counts only where it fails on all rows as well, or where those would
take too long: then it is said.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from auditor.audit.devices import Place
from auditor.audit.forecast import Obstacle, Pace, Room, growth
from auditor.audit.replay import columns_of, limits_of, specification
from auditor.base.errors import ProcedureError, SandboxError
from auditor.base.model_formats import asking
from auditor.base.records import Dataset, Positions
from auditor.case import Case
from auditor.sandbox import (
    TRAIN,
    Answer,
    Learn,
    Level,
    Load,
    Modules,
    Parameters,
    Predict,
    Save,
    State,
    Step,
    Together,
    Unlearn,
    Walk,
    Worker,
)
from auditor.sandbox.steps import kind_of

ROWS: Final = 50
MOST_S: Final = 5.0
"""Of one training on all records that is expected, above which its time follows from fewer."""
_STEP: Final = 2
"""Times as many records at least that another training is worth."""
_TOGETHER: Final = 16
"""Models that are trained at once to see what that saves: with more of them a little more."""
_SHORTEST_S: Final = 1e-3
"""A training that took less is taken to have taken so long."""
_WITH_ROWS: Final = ("parameters", "predict", "unlearn", "state", "save")
"""Calls that may take more with more records."""
PROGRESS: Final = "rehearsal"
_HOLDOUT: Final = "holdout"
_DIGITS: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of it."""

    obstacles: tuple[Obstacle, ...]
    rows: int | None
    pace: Pace | None
    room: Room | None
    other_format: bool = False
    """Whether the procedure saves no file in the format of the declared model file."""


@dataclass(frozen=True, slots=True)
class _Stage:
    """One thing that is asked for, after learning."""

    call: str
    steps: tuple[Step, ...]


def try_out(case: Case, *, level: Level, where: Place, on_step: Callable[[str, int, int], None]) -> Tried:
    """Build a procedure in the sandbox, and ask everything of it that an audit asks.

    Args:
        case: A case with a learning procedure.
        level: The sandbox level in force.
        where: What the procedure computes on.
        on_step: Called with what goes on, the steps done and the steps in all.

    Raises:
        SandboxError: If the sandbox cannot be set up.
    """
    few, everything = some_of(case, ROWS), len(case.train)
    trial = _Trial(case, level, where, on_step)
    found = trial.through(few)
    quick = found.few is None or _expected(found.few, everything) <= MOST_S
    if found.obstacles and found.obstacles[0].rows is not None and len(few) < everything:
        # What fails on a few rows may fail because they are few.
        if quick:
            few = np.arange(everything, dtype=np.int64)
            found = trial.through(few)
        else:
            found = replace(found, obstacles=tuple(replace(each, few=True) for each in found.obstacles))
    if found.few is None:
        return Tried(found.obstacles, len(few), None, None, trial.other_format)
    best = found.sizes[-1] if found.sizes else found.few
    return Tried(found.obstacles, len(few), _pace(case, found, best), _room(best, found.further), trial.other_format)


def some_of(case: Case, rows: int) -> Positions:
    """Take rows of every class in turn, those of the first request's records among them where that can be; ascending."""
    train = case.train
    if len(train) <= rows:
        return np.arange(len(train), dtype=np.int64)
    rng = np.random.default_rng(0)
    order = rng.permutation(len(train))
    if case.settings.data.task == "classification":
        _, codes = np.unique(train.labels, return_inverse=True)
        rank = np.empty(len(train), dtype=np.int64)
        for code in range(int(codes.max()) + 1):
            of_class = order[codes[order] == code]
            rank[of_class] = np.arange(len(of_class))
        order = order[np.argsort(rank[order], kind="stable")]
        rows = max(rows, 2 * (int(codes.max()) + 1))
    return np.sort(order[:rows]).astype(np.int64)


@dataclass(frozen=True, slots=True)
class _Timed:
    """Seconds of calls on some rows."""

    rows: int
    start: float
    learn: float
    unlearn: float
    predict: float
    """Of one row."""
    peak: int | None
    """Bytes of memory that were held until then."""
    sizes: Mapping[str, int]
    """Bytes of what was answered, by call."""
    asked: Mapping[str, float]
    """Seconds of other calls."""


@dataclass(slots=True)
class _Taken:
    """What calls took, each by its name."""

    seconds: dict[str, float] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    """Bytes of what was answered first."""


@dataclass(frozen=True, slots=True)
class _Through:
    """What came of every stage."""

    obstacles: tuple[Obstacle, ...]
    few: _Timed | None
    """None where it could not be built, learn, or predict."""
    sizes: tuple[_Timed, ...] = ()
    """Each number of records that a training was timed on when nothing was new to the process any more, from the fewest on."""
    asked: Mapping[str, float] = field(default_factory=dict)
    """Seconds of what was asked for once, by kind of step."""
    stacked: float | None = None
    """Of the time of one after another, what models take that are trained together; None where none are."""
    further: Mapping[str, int] = field(default_factory=dict)
    """Bytes of what was asked for once."""


class _Trial:
    """A procedure asked one thing after another; what fails ends its process, and the next thing is asked of a new one."""

    def __init__(self, case: Case, level: Level, where: Place, on_step: Callable[[str, int, int], None]) -> None:
        self._case, self._level, self._where, self._on_step = case, level, where, on_step
        self._spec = specification(case)
        self.other_format = False
        self._tables: dict[str, Dataset] = {TRAIN: case.train}
        if case.holdout is not None:
            self._tables[_HOLDOUT] = case.holdout

    def through(self, rows: Positions) -> _Through:
        """Go through every stage with some rows, and train on more where all went well."""
        obstacles: list[Obstacle] = []
        stages = tuple(self._stages(rows))
        todo: Sequence[_Stage] = stages
        taken = _Taken()
        while True:
            started = None
            begun, learning = time.monotonic(), Learn("model", rows, self._case.settings.procedure.seed)
            try:
                with self._worker() as worker:
                    started = time.monotonic() - begun
                    learned = worker.run(learning).seconds
                    self._go(worker, todo, len(stages), taken)
                    few = self._timed(rows, started, learned, taken, worker.peak_bytes())
                    sizes = self._more(worker, few) if few is not None and not obstacles else ()
                    asked = self._further(worker) if few is not None and not obstacles else {}
                    stacked = self._together(worker, few, rows) if asked and few is not None else None
                break
            except _StageError as failed:
                _add(obstacles, Obstacle(failed.stage.call, len(rows), str(failed.error), failed.error.stderr_tail))
                todo = todo[todo.index(failed.stage) + 1 :]
            except ProcedureError as error:
                call = "build" if started is None else "learn"
                obstacles.append(Obstacle(call, None if started is None else len(rows), str(error), error.stderr_tail))
                return _Through(tuple(obstacles), None)
        self._on_step(PROGRESS, len(stages), len(stages))
        further = {name: _size(answer) for name, answer in asked.items()}
        seconds = {kind_of(answer.step): answer.seconds for answer in asked.values()}
        return _Through(tuple(obstacles), few, sizes, seconds, stacked, further)

    def _more(self, worker: Worker, few: _Timed) -> tuple[_Timed, ...]:
        """Train on the few records once more, for the first training of a process pays for what no later one does.

        Then train on as many as are expected to take a few seconds, and from what that took on more, up to all of them: on a few
        rows nearly all the time is what any training takes, so that the time on all does not follow from it.
        """
        records, sizes = len(self._case.train), [few]
        try:
            if few.learn <= MOST_S:
                sizes = [self._time(worker, few, few.rows)]
            while (last := sizes[-1]).rows < records:
                rows = min(records, int(last.rows * MOST_S / max(last.learn, _SHORTEST_S)))
                if rows < min(records, _STEP * last.rows):
                    break
                sizes.append(self._time(worker, few, rows))
        except (ProcedureError, _StageError):
            pass
        return tuple(sizes)

    def _further(self, worker: Worker) -> dict[str, Answer]:
        """Ask for what is kept of some runs, or of all; nothing of it where that fails, which need be in the way of no audit."""
        everywhere = {"walk everywhere": Walk("model", everywhere=True)} if self._case.settings.procedure.foreign else {}
        steps: dict[str, Step] = {"walk": Walk("model"), **everywhere, "modules": Modules()}
        try:
            return {name: worker.run(step) for name, step in steps.items()}
        except (ProcedureError, SandboxError, RuntimeError):  # the last where training on more records ended the process
            return {}

    def _together(self, worker: Worker, few: _Timed, rows: Positions) -> float | None:
        """Train several models at once where a procedure can: next to one alone, each takes a share of the time."""
        if not self._case.settings.procedure.trains_together or few.learn > MOST_S:
            return None
        seed = self._case.settings.procedure.seed
        try:
            alone = worker.run(Learn("model", rows, seed)).seconds
            taken = worker.run(Together(tuple(Learn(f"model-{each}", rows, seed + each) for each in range(_TOGETHER)))).seconds
        except (ProcedureError, SandboxError, RuntimeError):
            return None
        return min(1.0, taken / (_TOGETHER * max(alone, _SHORTEST_S)))

    def _time(self, worker: Worker, few: _Timed, count: int) -> _Timed:
        rows = some_of(self._case, count)
        learned = worker.run(Learn("model", rows, self._case.settings.procedure.seed)).seconds
        taken = _Taken()
        stages = [each for each in self._stages(rows) if each.call in _WITH_ROWS]
        self._go(worker, stages, len(stages), taken)
        return self._timed(rows, few.start, learned, taken, worker.peak_bytes()) or few

    def _timed(self, rows: Positions, started: float, learned: float, taken: _Taken, peak: int | None) -> _Timed | None:
        seconds = taken.seconds
        if "predict" not in seconds:
            return None
        unlearned, predicted = seconds.get("unlearn", learned), seconds["predict"] / len(rows)
        return _Timed(len(rows), started, learned, unlearned, predicted, peak, taken.sizes, seconds)

    def _worker(self) -> Worker:
        limits = limits_of(self._case)
        return Worker(self._spec, self._tables, limits=limits, level=self._level, device=self._where.device)

    def _go(self, worker: Worker, stages: Sequence[_Stage], total: int, taken: _Taken) -> None:
        for number, stage in enumerate(stages):
            self._on_step(PROGRESS, total - len(stages) + number, total)
            try:
                answers = [worker.run(step) for step in stage.steps]
                if stage.call == "save" and answers[0].content is not None and self._case.settings.procedure.foreign:
                    self._load(worker, answers[0])
            except ProcedureError as error:
                raise _StageError(stage, error) from error
            except SandboxError as error:
                raise _StageError(stage, ProcedureError(str(error))) from error
            if stage.call == "save" and answers[0].content is not None:
                self._compare_formats(answers[0].content)
            taken.seconds[stage.call] = answers[0].seconds
            taken.sizes[stage.call] = _size(answers[0])

    def _compare_formats(self, saved: bytes) -> None:
        """See whether what was saved is of the format of the model file, of which no value can be that of a few rows."""
        file = self._case.own_file
        if file is not None and asking.held_against(file.content, saved, file.kind) is None:
            self.other_format = True

    def _load(self, worker: Worker, saved: Answer) -> None:
        """Load what was saved, and ask it for predictions: a file may be refused, and that is no obstacle."""
        loaded = worker.run(Load("loaded", saved.content or b""))
        if loaded.supported:
            worker.run(Predict("loaded", TRAIN, columns_of(self._case), np.arange(1, dtype=np.int64)))

    def _stages(self, rows: Positions) -> Iterator[_Stage]:
        columns = columns_of(self._case)
        seed = self._case.settings.procedure.seed + 1
        yield _Stage("parameters", (Parameters("model"),))
        yield _Stage("predict", (Predict("model", TRAIN, columns, rows),))
        if _HOLDOUT in self._tables:
            some = np.arange(min(ROWS, len(self._tables[_HOLDOUT])), dtype=np.int64)
            yield _Stage("predict on the holdout", (Predict("model", _HOLDOUT, columns, some),))
        unlearn = Unlearn("model", "unlearned", rows, self._forgotten(rows), seed)
        yield _Stage("unlearn", (unlearn, Predict("unlearned", TRAIN, columns, rows), Parameters("unlearned")))
        yield _Stage("state", (State("model"),))
        yield _Stage("save", (Save("model"),))

    def _forgotten(self, rows: Positions) -> Positions:
        """One record, of a class with several."""
        labels = self._case.train.labels[rows]
        kinds, codes, counts = np.unique(labels, return_inverse=True, return_counts=True)
        del kinds
        return np.array([int(np.argmax(counts[codes]))], dtype=np.int64)


class _StageError(Exception):
    """A stage failed."""

    def __init__(self, stage: _Stage, error: ProcedureError) -> None:
        super().__init__(str(error))
        self.stage, self.error = stage, error


def _add(obstacles: list[Obstacle], found: Obstacle) -> None:
    """Add an obstacle, unless an earlier one says the same but for numbers: steps are numbered, and shapes vary."""
    if all(_DIGITS.sub("", each.said) != _DIGITS.sub("", found.said) for each in obstacles):
        obstacles.append(found)


def _expected(timed: _Timed, rows: int) -> float:
    return timed.learn * rows / timed.rows


def _size(answer: Answer) -> int:
    return (0 if answer.array is None else answer.array.nbytes) + len(answer.content or b"")


def _room(best: _Timed, further: Mapping[str, int]) -> Room:
    sizes = best.sizes
    return Room(
        peak=best.peak,
        rows=best.rows,
        parameters=sizes.get("parameters", 0),
        state=sizes.get("state", 0),
        saved=sizes.get("save", 0),
        walked=further.get("walk"),
        modules=further.get("modules"),
        answered=sizes["predict"] / best.rows,
    )


def _pace(case: Case, found: _Through, best: _Timed) -> Pace:
    """Tell the pace of a procedure from the two largest sizes that were timed.

    What the first training of its process took on top of a second one on the same rows is a part of the start.
    """
    records, few = len(case.train), found.few or best
    warm = [each for each in found.sizes if each.rows <= best.rows]
    fewer = warm[-2] if len(warm) > 1 else best
    learn, unlearn = (
        growth((fewer.rows, before), (best.rows, now), records)
        for before, now in ((fewer.learn, best.learn), (fewer.unlearn, best.unlearn))
    )
    first = max(0.0, few.learn - warm[0].learn) if warm and warm[0].rows == few.rows else 0.0
    pace = Pace(
        start=best.start + first,
        learn=learn.seconds,
        measured=best.rows == records,
        unlearn=unlearn.seconds,
        predict=best.predict,
        records=records,
        stacks=case.settings.procedure.trains_together,
        fixed=learn.fixed,
        unlearn_fixed=unlearn.fixed,
        asked={**best.asked, **found.asked},
    )
    return pace if found.stacked is None else replace(pace, stacked=found.stacked)
