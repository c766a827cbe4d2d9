"""The shadow models of the release in the sandbox: retrained ones, ones that keep the deleted records, and the release itself.

Retrained models learn in processes that hold no deleted record and no deleted id; rows to predict cross once their models are
learned. The processes of models that keep the records hold everything, and none of them is a retrained model's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from auditor.audit.devices import NO_RECORDS, Place, require_same
from auditor.audit.renamed_columns import Disguise
from auditor.audit.replay import limits_of, specification
from auditor.base.domain import Dataset, Floats, Part, Positions
from auditor.base.errors import ProcedureError, SandboxError
from auditor.case import Case
from auditor.case.artifacts import OwnFile
from auditor.parts.release.judging.release_remembers.observed import Neighbourhood
from auditor.parts.release.observing.own_file import reader
from auditor.parts.release.observing.release_remembers.questions import Questions
from auditor.sandbox import Answer, Device, Drop, Learn, Level, Load, PredictRows, ProcedureSpec, Step, Together, Unlearn
from auditor.sandbox.jobs import Job, Run

Source: TypeAlias = Literal["file", "replay", "procedure"]
PROGRESS: Final = "shadow models of the release"
A_JOB: Final = 5
"""Models of one process, where they are not trained together and one is worth a process."""
SMALL: Final = 100_000
"""Numbers in a table: of fewer, starting processes costs more than training models one after another."""


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What models answer; of every array the first axis is the models, the release first, then the retrained ones."""

    records: Floats
    """Shape (m, f, classes), or (m, f) for a regression."""
    unseen: Floats
    """Shape (m, u, classes) or (m, u)."""
    copies: Mapping[Neighbourhood, Floats]
    """Each as `records`; what could not be predicted is left out."""
    models: int
    """Retrained ones."""
    source: Source
    """Where the release comes from."""


def answers(questions: Questions, predict: Callable[[Floats], Floats], *, source: Source) -> Answers:
    """Ask models that compute in this process.

    Args:
        questions: What to ask.
        predict: What all models answer to rows of shape (n, d), shape (m, n, classes).
        source: Where the first of them comes from.
    """
    copies = {name: predict(rows) for name, rows in questions.copies.items()}
    return Answers(predict(questions.records), predict(questions.unseen), copies, questions.models, source)


class Sandboxed:
    """Every model of a case in the sandbox."""

    def __init__(self, case: Case, questions: Questions, *, seed: int, level: Level, where: Place, run: Run) -> None:
        """Take what stays the same.

        Args:
            case: The case.
            questions: What is asked.
            seed: The auditor's own.
            level: The sandbox level in force.
            where: What the procedure computes on.
            run: Runs jobs.
        """
        self._case, self._questions = case, questions
        self._level, self._where, self._run = level, where, run
        disguise = Disguise(case, seed=seed)
        self._seeds = [disguise.distinct_seed(each) for each in questions.seeds]

    def play(self) -> Answers:
        """Train every model, and let them answer.

        Raises:
            ProcedureError: If the procedure failed.
            SandboxError: If a model gave no predictions, or a sandbox could not be had.
            NoDeviceError: If a run did not use the CUDA device that was found.
        """
        given = self._questions
        models, holding = given.models, len(given.decoys)
        at_once = self._case.settings.procedure.trains_together or self._case.train.features.size <= SMALL
        jobs = [self._retrained(part) for part in _parts(range(models), models if at_once else A_JOB)]
        jobs += [
            self._holding([(self._seeds[models + each], given.decoys[each]) for each in part])
            for part in _parts(range(holding), holding if at_once else A_JOB)
        ]
        shipped = self._case.model_file or self._whole_file() if not given.unseen_are_retained else None
        if shipped is not None:
            asked: list[Step] = [Load("model-0", shipped.content), *self._ask("model-0")]
            own = self._job("released model", NO_RECORDS, asked, spec=reader(self._case))
        elif given.unseen_are_retained:
            own = self._holding([(self._seeds[-1], given.forgotten)])
        else:
            own = self._replayed()
        source: Source = "file" if shipped is not None else "procedure" if given.unseen_are_retained else "replay"
        told = self._run([own, *jobs])
        if shipped is not None and not told[0][1 if self._where.device == "cuda" else 0].supported:
            # Whether the file makes a model by itself is what `model.reproduced` asks.
            told, source = [*self._run([self._replayed()]), *told[1:]], "replay"
        for each in told:
            require_same(self._where, each)
        return self._read(told, source)

    def _whole_file(self) -> OwnFile | None:
        """The file in a library's own format, where it holds all that predicts, and does predict."""
        file, declared = self._case.own_file, self._case.settings.model
        if file is None or declared is None or declared.part is not None:
            return None
        asked: list[Step] = [Load("model-0", file.content), *self._ask("model-0")]
        try:
            (told,) = self._run([self._job("released model", NO_RECORDS, asked, spec=reader(self._case))])
        except ProcedureError:
            # Whether the file makes a model by itself is what `model.reproduced` asks.
            return None
        return file if all(each.supported for each in told if isinstance(each.step, Load)) else None

    def _replayed(self) -> Job:
        """The log once more, as it is."""
        return self._holding([(self._case.settings.procedure.seed, self._questions.forgotten)])

    def _retrained(self, models: Sequence[int]) -> Job:
        table = Part(self._case.train, self._questions.retained)
        rows = np.arange(len(table), dtype=np.int64)
        learned = [Learn(f"model-{each}", rows, self._seeds[each]) for each in models]
        return self._job("retrained models", table, [*self._at_once(learned), *self._ask_all(models)])

    def _holding(self, models: Sequence[tuple[int, tuple[Positions, ...]]]) -> Job:
        """Learn everything, and unlearn batch by batch what is given, as the log does."""
        table = Part(self._case.train, self._questions.base)
        sets = [[np.searchsorted(self._questions.base, batch) for batch in batches] for _, batches in models]
        left = [np.arange(len(table), dtype=np.int64) for _ in models]
        planned = self._at_once([Learn(f"before-0-{each}", left[each], seed) for each, (seed, _) in enumerate(models)])
        batches = len(self._questions.forgotten)
        for number in range(1, batches + 1):
            steps = []
            for each, (seed, _) in enumerate(models):
                forget = np.flatnonzero(np.isin(left[each], sets[each][number - 1])).astype(np.int64)
                into = f"model-{each}" if number == batches else f"before-{number}-{each}"
                steps.append(Unlearn(f"before-{number - 1}-{each}", into, left[each], forget, seed + number))
                left[each] = np.delete(left[each], forget)
            planned += self._at_once(steps)
            planned += [Drop(f"before-{number - 1}-{each}") for each in range(len(models))]
        return self._job("models that unlearned", table, [*planned, *self._ask_all(range(len(models)))])

    def _at_once(self, steps: Sequence[Learn | Unlearn]) -> list[Step]:
        if self._case.settings.procedure.trains_together and len(steps) > 1:
            return [Together(tuple(steps))]
        return list(steps)

    def _ask_all(self, models: Sequence[int]) -> list[Step]:
        return [step for each in models for step in self._ask(f"model-{each}")]

    def _ask(self, model: str) -> list[Step]:
        """Records and unseen ones in one call; copies may be rows that no procedure takes."""
        given = self._questions
        known = PredictRows(model, np.concatenate([given.records, given.unseen]), given.columns)
        return [known, *(PredictRows(model, rows, given.columns, may_raise=True) for rows in given.copies.values())]

    def _job(self, name: str, table: Dataset | Part, planned: Sequence[Step], spec: ProcedureSpec | None = None) -> Job:
        first: tuple[Step, ...] = (Device(),) if self._where.device == "cuda" else ()
        spec, limits = spec or specification(self._case), limits_of(self._case)
        return Job(name, spec, {"train": table}, (*first, *planned), limits, self._level, self._where.device, part_of=PROGRESS)

    def _read(self, told: Sequence[tuple[Answer, ...]], source: Source) -> Answers:
        given = self._questions
        asked = [answer for each in told for answer in each if isinstance(answer.step, PredictRows)]
        kinds = 1 + len(given.copies)
        known = _stacked(asked[0::kinds])
        if known is None:
            raise SandboxError("a shadow model of the release gave no predictions")
        found = {name: _stacked(asked[place::kinds]) for place, name in enumerate(given.copies, start=1)}
        return Answers(
            records=known[:, : len(given.asked)],
            unseen=known[:, len(given.asked) :],
            copies={name: array for name, array in found.items() if array is not None},
            models=given.models,
            source=source,
        )


def _stacked(asked: Sequence[Answer]) -> Floats | None:
    arrays = [each.array for each in asked if each.array is not None]
    return np.stack(arrays) if len(arrays) == len(asked) else None


def _parts(models: Sequence[int], most: int) -> list[Sequence[int]]:
    return [models[start : start + most] for start in range(0, len(models), max(1, most))]
