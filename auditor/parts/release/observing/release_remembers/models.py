"""The shadow models of the release in the sandbox: retrained ones, ones that keep the deleted records, and the release itself.

Retrained models learn in processes that hold no deleted record and no deleted id; rows to predict cross once their models are
learned. The processes of models that keep the records hold everything, and none of them is a retrained model's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias

import numpy as np

from auditor.audit.devices import NO_RECORDS, Place, require_same
from auditor.audit.renamed_columns import Disguise
from auditor.audit.replay import limits_of, specification
from auditor.base.errors import ProcedureError, SandboxError
from auditor.base.records import Dataset, Floats, Part, Positions
from auditor.case import Case
from auditor.case.artifacts import OwnFile
from auditor.parts.release.judging.release_remembers.observed import Neighbourhood
from auditor.parts.release.observing.own_file import reader
from auditor.parts.release.observing.release_remembers.questions import Questions
from auditor.sandbox import Answer, Device, Drop, Learn, Level, Load, PredictRows, ProcedureSpec, Step, Together, Unlearn
from auditor.sandbox.jobs import Job, Run

Source: TypeAlias = Literal["file", "replay", "procedure"]
PROGRESS: Final = "shadow models of the release"
FURTHER: Final = "shadow models of the second stage"
"""A name of its own: what has been counted under one does not begin again."""
ITSELF, ONCE_MORE = "released model", "released model, run once more"
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


class Training(Protocol):
    """What trains the models of both stages."""

    def play(self) -> Answers:
        """Train every model of the first stage, and let them answer."""

    def retrained(self, seeds: Sequence[int]) -> Answers:
        """Train further models without the deleted records, and let them alone answer: no release among them."""

    def seconds_of(self, models: int) -> float:
        """Estimate, after the first stage, the seconds that further models take one after another."""


def replaced(first: Answers, fresh: Answers) -> Answers:
    """Put further retrained models in the place of the first ones: release and models that hold the records stay.

    Args:
        first: Of a first stage.
        fresh: Of retrained models alone.
    """

    def pool(before: Floats, now: Floats) -> Floats:
        return np.concatenate([before[:1], now, before[1 + first.models :]])

    return Answers(
        records=pool(first.records, fresh.records),
        unseen=pool(first.unseen, fresh.unseen),
        copies={name: pool(array, fresh.copies[name]) for name, array in first.copies.items() if name in fresh.copies},
        models=fresh.models,
        source=first.source,
    )


def answers(questions: Questions, predict: Callable[[Floats], Floats], *, source: Source, models: int) -> Answers:
    """Ask models that compute in this process.

    Args:
        questions: What to ask.
        predict: What all models answer to rows of shape (n, d), shape (m, n, classes).
        source: Where the first of them comes from.
        models: How many of them are retrained.
    """
    copies = {name: predict(rows) for name, rows in questions.copies.items()}
    return Answers(predict(questions.records), predict(questions.unseen), copies, models, source)


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
        self._drawn = disguise.distinct_seed
        self._seeds = [disguise.distinct_seed(each) for each in questions.seeds]
        self._seconds = 0.0

    def play(self) -> Answers:
        """Train every model, and let them answer.

        Raises:
            ProcedureError: If the procedure failed.
            SandboxError: If a model gave no predictions, or a sandbox could not be had.
            NoDeviceError: If a run did not use the CUDA device that was found.
        """
        given = self._questions
        models, holding = given.models, len(given.decoys)
        at_once = at_a_time(self._case, models)
        jobs = [self._retrained([self._seeds[each] for each in part]) for part in _parts(range(models), at_once)]
        alone = len(jobs)
        jobs += [
            self._holding([(self._seeds[models + each], given.decoys[each]) for each in part])
            for part in _parts(range(holding), at_a_time(self._case, holding))
        ]
        shipped = self._case.model_file or self._whole_file() if not given.unseen_are_retained else None
        if shipped is not None:
            asked: list[Step] = [Load("model-0", shipped.content), *self._ask("model-0")]
            own = self._job(ITSELF, NO_RECORDS, asked, spec=reader(self._case))
        elif given.unseen_are_retained:
            own = self._holding([(self._seeds[-1], given.forgotten)])
        else:
            own = self._replayed()
        source: Source = "file" if shipped is not None else "procedure" if given.unseen_are_retained else "replay"
        told = self._run([own, *jobs])
        if shipped is not None and not told[0][1 if self._where.device == "cuda" else 0].supported:
            # Whether the file makes a model by itself is what `model.reproduced` asks.
            told, source = [*self._run([self._replayed(part_of=ONCE_MORE)]), *told[1:]], "replay"
        for each in told:
            require_same(self._where, each)
        self._seconds = sum(_learning_s(each) for each in told[1 : 1 + alone]) / models
        return self._read(told, source, models)

    def retrained(self, seeds: Sequence[int]) -> Answers:
        """Train further models without the deleted records, and let them alone answer.

        As many learn in one process as in the first stage, so that nothing but their seeds is new to the procedure.

        Args:
            seeds: One a model, disguised as those of the first stage are.

        Raises:
            ProcedureError: If the procedure failed.
            SandboxError: If a model gave no predictions, or a sandbox could not be had.
            NoDeviceError: If a run did not use the CUDA device that was found.
        """
        drawn = self._further(seeds)
        at_once = at_a_time(self._case, self._questions.models)
        told = self._run([self._retrained(part, part_of=FURTHER) for part in _parts(drawn, at_once)])
        for each in told:
            require_same(self._where, each)
        return self._read(told, "procedure", len(drawn))

    def seconds_of(self, models: int) -> float:
        """Estimate the seconds of further retrained models, one after another, by those of the first stage."""
        return self._seconds * models

    def _further(self, seeds: Sequence[int]) -> list[int]:
        """Seeds as the procedure is shown them, none of which it has had: of few digits two numbers may give one."""
        taken = set(self._seeds)
        found: list[int] = []
        for each in seeds:
            number = each
            while (drawn := self._drawn(number)) in taken:
                number += 2**31
            taken.add(drawn)
            found.append(drawn)
        return found

    def _whole_file(self) -> OwnFile | None:
        """The file in a library's own format, where it holds all that predicts, and does predict."""
        file, declared = self._case.own_file, self._case.settings.model
        if file is None or declared is None or declared.part is not None:
            return None
        asked: list[Step] = [Load("model-0", file.content), *self._ask("model-0")]
        try:
            (told,) = self._run([self._job(ITSELF, NO_RECORDS, asked, spec=reader(self._case), part_of=ITSELF)])
        except ProcedureError:
            # Whether the file makes a model by itself is what `model.reproduced` asks.
            return None
        return file if all(each.supported for each in told if isinstance(each.step, Load)) else None

    def _replayed(self, *, part_of: str = PROGRESS) -> Job:
        """The log once more, as it is."""
        return self._holding([(self._case.settings.procedure.seed, self._questions.forgotten)], part_of=part_of)

    def _retrained(self, seeds: Sequence[int], *, part_of: str = PROGRESS) -> Job:
        table = Part(self._case.train, self._questions.retained)
        rows = np.arange(len(table), dtype=np.int64)
        learned = [Learn(f"model-{number}", rows, seed) for number, seed in enumerate(seeds)]
        planned = [*self._at_once(learned), *self._ask_all(range(len(seeds)))]
        return self._job("retrained models", table, planned, part_of=part_of)

    def _holding(self, models: Sequence[tuple[int, tuple[Positions, ...]]], *, part_of: str = PROGRESS) -> Job:
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
        return self._job("models that unlearned", table, [*planned, *self._ask_all(range(len(models)))], part_of=part_of)

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

    def _job(
        self,
        name: str,
        table: Dataset | Part,
        planned: Sequence[Step],
        spec: ProcedureSpec | None = None,
        *,
        part_of: str = PROGRESS,
    ) -> Job:
        first: tuple[Step, ...] = (Device(),) if self._where.device == "cuda" else ()
        spec, limits = spec or specification(self._case), limits_of(self._case)
        return Job(name, spec, {"train": table}, (*first, *planned), limits, self._level, self._where.device, part_of=part_of)

    def _read(self, told: Sequence[tuple[Answer, ...]], source: Source, models: int) -> Answers:
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
            models=models,
            source=source,
        )


def at_a_time(case: Case, models: int) -> int:
    """Tell how many of so many models one process trains."""
    together = case.settings.procedure.trains_together or case.train.features.size <= SMALL
    return models if together else A_JOB


def _learning_s(told: Sequence[Answer]) -> float:
    """The seconds of one job's trainings, many at a time or one after another."""
    return sum(each.seconds for each in told if isinstance(each.step, Learn | Together))


def _stacked(asked: Sequence[Answer]) -> Floats | None:
    arrays = [each.array for each in asked if each.array is not None]
    return np.stack(arrays) if len(arrays) == len(asked) else None


def _parts(models: Sequence[int], most: int) -> list[Sequence[int]]:
    return [models[start : start + most] for start in range(0, len(models), max(1, most))]
