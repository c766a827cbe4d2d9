"""The replay that several checks share: learn, then every batch of the log in order, timed; and a second, short run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np

from auditor.audit import comparisons as looks
from auditor.audit.comparisons import TABLE, Look, Probe, probes
from auditor.audit.devices import Place, on_cpu, require_same
from auditor.audit.predicted import HOLDOUT, MOVED, Asked, Predicted, asked
from auditor.base.deletion_log.deletions import replayable
from auditor.base.deletion_log.requests import Batch
from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.base.parts import named
from auditor.base.records import Dataset, Floats, Positions, joined
from auditor.case import Case
from auditor.sandbox import (
    Answer,
    Device,
    DeviceKind,
    Learn,
    Level,
    Limits,
    Parameters,
    Predict,
    PredictRows,
    ProcedureSpec,
    Refit,
    Save,
    State,
    Step,
    Unlearn,
)
from auditor.sandbox.jobs import Job
from auditor.sandbox.steps import Drop
from auditor.settings.builtin import entries


@dataclass(frozen=True, slots=True, eq=False)
class Around:
    """What the models before and after one batch predicted of the same training rows, in the order of these."""

    before: Floats = field(repr=False)
    """Shape (m, classes), or (m,) for a regression."""
    after: Floats = field(repr=False)
    """The same shape."""


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """What the rerun observed."""

    batches: tuple[Batch, ...]
    forgotten: tuple[Positions, ...]
    """Positions in the training data, one array a batch."""
    trajectory: tuple[Floats, ...] | None
    """The parameters after learning and after each batch; None where the procedure has no `parameters`."""
    retrained: tuple[bool, ...]
    """Per batch, whether the procedure says that it trained from scratch."""
    told: tuple[Mapping[str, float | bool | str], ...]
    """What the procedure says of its model after learning and after each batch."""
    unlearn_seconds: float | None
    """Median over the batches; None where there was none."""
    retrain_seconds: float
    warm_refit_seconds: float | None
    """From the model before the last batch; None where the procedure cannot."""
    asked: Asked
    """What both models were asked about for their accuracy."""
    predicted: Predicted
    """By the unlearned model."""
    retrained_predicted: Predicted
    probed: Floats | None
    """Of the unlearned model on the probe table; None where no file of a class of the controller's own is to be compared."""
    state: bytes | None
    saved: bytes | None
    looks: Mapping[int, Look] = field(default_factory=dict)
    """By batch, 0 for learning: what was seen of the model, where the release is held against a clean room."""
    around: tuple[Around | None, ...] = ()
    """By batch, what the models before and after it predicted of the rows that were asked about; None where none were."""
    learn_seconds: float = 0.0
    """Of the first training."""
    self_check_difference: float | None = None
    """Largest absolute difference of parameters between two runs, learning and first batch: infinite where not even their
    numbers agree, None without `parameters`."""


def specification(case: Case) -> ProcedureSpec:
    """How the sandbox builds the procedure of this case. The seed is no part of it."""
    procedure = case.settings.procedure
    entry = None if procedure.brought is None else _found(case, procedure.brought)
    use = procedure.built_in
    hook = None if use is None else entries()[use].of_data
    settings = {**procedure.sandbox_settings, **({} if hook is None else named(hook)(case, procedure))}
    rows = rows_of(case) if use is None and entry is not None else None
    return ProcedureSpec(use=use, entry=entry, settings=settings, code=case.code, rows=rows)


def rows_of(case: Case) -> dict[str, Any]:
    """What [data] says of a record: the distinct labels, the shape, and whether features are integers."""
    data = case.settings.data
    shape = None if data.shape is None else list(data.shape)
    return {"labels": classes_of(case), "shape": shape, "whole": data.dtype == "integer"}


def classes_of(case: Case) -> list[int | str] | None:
    """The distinct labels of the training data, sorted; None for a regression."""
    found: list[int | str] = np.unique(case.train.labels).tolist()
    return found if case.settings.data.task == "classification" else None


def _found(case: Case, entry: str) -> str:
    """An entry of the case with its file's absolute path."""
    file, _, name = entry.rpartition(":")
    return f"{(case.folder / file).resolve()}:{name}"


def columns_of(case: Case) -> int | None:
    """How many classes a prediction has; None for a regression."""
    return len(np.unique(case.train.labels)) if case.settings.data.task == "classification" else None


def limits_of(case: Case) -> Limits:
    """What any run of the case's procedure may use up."""
    return Limits(timeout_s=case.settings.sandbox.timeout_s, memory_mb=case.settings.sandbox.memory_mb)


class _Plan:
    """Steps in order, with a note of which answer is which."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.places: dict[str, list[int]] = {}

    def add(self, purpose: str, step: Step) -> None:
        self.places.setdefault(purpose, []).append(len(self.steps))
        self.steps.append(step)

    def answers(self, purpose: str, answers: tuple[Answer, ...]) -> list[Answer]:
        return [answers[place] for place in self.places.get(purpose, [])]


def _plan_batches(
    plan: _Plan,
    case: Case,
    forgotten: tuple[Positions, ...],
    device: DeviceKind,
    looking: Looking | None = None,
    around: Sequence[Positions | None] = (),
) -> Positions:
    """Assert the device, learn, unlearn every batch, ask for the parameters each time; the positions that are left."""
    seed = case.settings.procedure.seed
    rows: Positions = np.arange(len(case.train), dtype=np.int64)
    if device == "cuda":
        plan.add("device", Device())
    plan.add("learn", Learn("model-0", rows, seed))
    plan.add("parameters", Parameters("model-0"))
    _plan_look(plan, 0, looking)
    for number, positions in enumerate(forgotten, start=1):
        forget = np.flatnonzero(np.isin(rows, positions)).astype(np.int64)
        asked = around[number - 1] if around else None
        _plan_around(plan, f"before-{number}", f"model-{number - 1}", case, asked)
        plan.add("unlearn", Unlearn(f"model-{number - 1}", f"model-{number}", rows, forget, seed + number))
        plan.add("parameters", Parameters(f"model-{number}"))
        _plan_look(plan, number, looking)
        _plan_around(plan, f"after-{number}", f"model-{number}", case, asked)
        if number >= 2:
            plan.add("drop", Drop(f"model-{number - 2}"))
        rows = np.delete(rows, forget)
    return rows


def _plan_predictions(plan: _Plan, purpose: str, model: str, asked: Asked, columns: int | None) -> None:
    """Ask a model about every table; of rows that the auditor made up, anyone who cannot predict them may say so."""
    for table in asked.tables:
        plan.add(f"{purpose}-{table}", Predict(model, table, columns, may_raise=table != HOLDOUT))


def _plan_look(plan: _Plan, number: int, looking: Looking | None) -> None:
    """Ask for what the release is held against a clean room by; of every model for its predictions at least."""
    if looking is None:
        return
    model = f"model-{number}"
    thorough = number in looking.thoroughly
    asked = looks.steps(model, looking.probe, everywhere=number == looking.everywhere)
    for step in asked[1:] if thorough else asked[-1:]:
        plan.add(f"look-{number}", step)


def _plan_around(plan: _Plan, purpose: str, model: str, case: Case, rows: Positions | None) -> None:
    """Ask about training rows before or after a batch; they cross with the question."""
    if rows is not None:
        plan.add(purpose, PredictRows(model, case.train.features[rows], columns_of(case)))


def _plan_replay(
    case: Case,
    forgotten: tuple[Positions, ...],
    asked: Asked,
    device: DeviceKind,
    looking: Looking | None,
    around: Sequence[Positions | None],
) -> _Plan:
    plan = _Plan()
    rows = _plan_batches(plan, case, forgotten, device, looking, around)
    last, seed = f"model-{len(forgotten)}", case.settings.procedure.seed
    columns = columns_of(case)
    if looking is None:
        plan.add("state", State(last))
        plan.add("save", Save(last))
    if _ties_a_file(case):
        plan.add("probe", Predict(last, TABLE, columns))
    _plan_predictions(plan, "predict", last, asked, columns)
    repeats = case.settings.procedure.timed_repeats
    for _ in range(0 if looking is not None else repeats):
        plan.add("retrain", Learn("retrained", rows, seed))
    if looking is None:
        _plan_predictions(plan, "predict-retrained", "retrained", asked, columns)
    if looking is not None and case.settings.procedure.trains_again:
        return plan  # a start from the old model says little of what trains from scratch, and costs as much
    before = f"model-{max(len(forgotten) - 1, 0)}"
    for _ in range(repeats):
        plan.add("refit", Refit(before, "refitted", rows, seed))
    return plan


def beside(case: Case, asked: Asked, forgotten: Sequence[Positions]) -> dict[str, Dataset]:
    """The tables that lie alongside the training records of a replay: what models are asked about, in this order."""
    return asked.tables | ({TABLE: probes(case, forgotten)} if _ties_a_file(case) else {})


def _ties_a_file(case: Case) -> bool:
    """Whether a file is shipped that may not be what predicts: of the controller's own code, or in a library's own format."""
    return case.own_file is not None or (case.model_file is not None and case.settings.procedure.foreign)


@dataclass(frozen=True, slots=True, eq=False)
class Looking:
    """How models are examined along the log, where the release is held against a clean room."""

    probe: Probe
    thoroughly: frozenset[int]
    """Batches whose model is examined from every side; of any other its parameters and predictions count."""
    everywhere: int | None = None
    """The batch after which whatever changed elsewhere in the process is walked through too; None for none."""


class Replaying:
    """The replay of a case: what to run, and what the answers mean.

    Attributes:
        jobs: The whole log once; and, unless a clean room is asked for, learning with the first batch once more.
        again: Learning with the first batch once more.
        asked: What models are asked about for their accuracy.
    """

    def __init__(
        self,
        case: Case,
        *,
        seed: int,
        level: Level,
        where: Place | None = None,
        looking: Looking | None = None,
        around: Sequence[Positions | None] = (),
    ) -> None:
        """Plan the runs; the case's seed goes into them and nowhere else.

        Args:
            case: The case.
            seed: The auditor's own.
            level: The sandbox level in force.
            where: What the procedure computes on; the CPU where left out.
            looking: How to examine each model; None where no clean room is asked for, which retrains as well.
            around: For each batch the training rows that the models before and after it are asked about, None for none; empty to
                ask none at all.

        Raises:
            InputError: If the log leaves nothing to learn from.
        """
        self._batches, self._forgotten = replayable(case.requests, case.known_ids), forgotten_of(case)
        _require_something_left(case, self._forgotten)
        limits = limits_of(case)
        self.asked = asked(case, _left(case, self._forgotten), seed=seed)
        tables = {"train": case.train} | beside(case, self.asked, self._forgotten)
        self._where = where or on_cpu()
        self._whole = _plan_replay(case, self._forgotten, self.asked, self._where.device, looking, around)
        self._again = _Plan()
        _plan_batches(self._again, case, self._forgotten[:1], self._where.device)
        spec = specification(case)
        whole, self.again = (
            Job(name, spec, tables, tuple(plan.steps), limits, level, self._where.device)
            for name, plan in (("replay", self._whole), ("self-check", self._again))
        )
        self.jobs = (whole, self.again) if looking is None else (whole,)

    def read(self, answers: Sequence[tuple[Answer, ...]]) -> Replay:
        """What the answers to `jobs` say.

        Raises:
            NoDeviceError: If a run did not use the CUDA device that was found.
        """
        first, *second = answers
        for each in answers:
            require_same(self._where, each)
        whole = self._whole
        asked = whole.answers("parameters", first)
        trajectory = _arrays(asked)
        unlearn = whole.answers("unlearn", first)
        seen = {number: looks.look((asked[number], *whole.answers(f"look-{number}", first))) for number in range(len(asked))}
        ended, thorough = seen[len(unlearn)], not whole.answers("state", first)
        learned, trained = whole.answers("learn", first), whole.answers("retrain", first)
        return Replay(
            batches=self._batches,
            forgotten=self._forgotten,
            trajectory=trajectory,
            retrained=tuple(answer.facts.get("retrained") is True for answer in unlearn),
            told=tuple(answer.facts for answer in (*learned, *unlearn)),
            unlearn_seconds=median(answer.seconds for answer in unlearn) if unlearn else None,
            learn_seconds=learned[0].seconds,
            retrain_seconds=median(answer.seconds for answer in trained or learned),
            warm_refit_seconds=_median_supported(whole.answers("refit", first)),
            asked=self.asked,
            predicted=self._predicted("predict", first),
            retrained_predicted=self._predicted("predict-retrained", first),
            probed=_array(whole.answers("probe", first)),
            state=ended.state if thorough else whole.answers("state", first)[0].content,
            saved=ended.saved if thorough else whole.answers("save", first)[0].content,
            looks=seen,
            around=tuple(self._around(number, first) for number in range(1, len(self._batches) + 1)),
            self_check_difference=self.difference(trajectory, second[0]) if second else None,
        )

    def _around(self, number: int, answers: tuple[Answer, ...]) -> Around | None:
        before, after = (_array(self._whole.answers(f"{side}-{number}", answers)) for side in ("before", "after"))
        return None if before is None or after is None else Around(before, after)

    def _predicted(self, purpose: str, answers: tuple[Answer, ...]) -> Predicted:
        return Predicted(*(_array(self._whole.answers(f"{purpose}-{table}", answers)) for table in (HOLDOUT, MOVED)))

    def difference(self, trajectory: tuple[Floats, ...] | None, again: tuple[Answer, ...]) -> float | None:
        """The largest absolute difference of parameters between the replay and the answers to `again`."""
        return _largest_difference(trajectory, _arrays(self._again.answers("parameters", again)))


def forgotten_of(case: Case) -> tuple[Positions, ...]:
    """The positions in the training data that each batch of the log deletes, in its order."""
    place = {record: position for position, record in enumerate(case.train.ids.tolist())}
    batches = replayable(case.requests, case.known_ids)
    return tuple(np.array([place[record] for record in batch.record_ids], dtype=np.int64) for batch in batches)


def loses_labels(case: Case, forgotten: tuple[Positions, ...]) -> bool:
    """Whether a classification has labels that no remaining record has. What learns it keeps a place for each all the same."""
    if case.settings.data.task != "classification":
        return False
    return len(np.unique(_labels_left(case, forgotten))) < len(np.unique(case.train.labels))


def _labels_left(case: Case, forgotten: tuple[Positions, ...]) -> np.ndarray[Any, Any]:
    return np.asarray(case.train.labels[_left(case, forgotten)])


def _left(case: Case, forgotten: tuple[Positions, ...]) -> Positions:
    """The positions of the training records that the log leaves."""
    gone = joined(forgotten)
    return np.delete(np.arange(len(case.train), dtype=np.int64), gone)


def _require_something_left(case: Case, forgotten: tuple[Positions, ...]) -> None:
    left = _labels_left(case, forgotten)
    classifies = case.settings.procedure.keeps_labels and case.settings.data.task == "classification"
    wanted = len(np.unique(case.train.labels)) if classifies else 1
    found = len(np.unique(left))
    if found < wanted:
        expected = f"a log that leaves records of {wanted} labels" if wanted > 1 else "a log that leaves a record"
        words = f"{len(left)} records of {found} label(s) left" if len(left) else "every training record deleted"
        raise InputError([Problem(case.settings.deletions.log, "", expected, words)])


def _arrays(answers: list[Answer]) -> tuple[Floats, ...] | None:
    arrays = [answer.array for answer in answers if answer.array is not None]
    return tuple(arrays) if len(arrays) == len(answers) else None


def _array(answers: list[Answer]) -> Floats | None:
    return answers[0].array if answers else None


def _median_supported(answers: list[Answer]) -> float | None:
    seconds = [answer.seconds for answer in answers if answer.supported]
    return median(seconds) if seconds else None


def _largest_difference(first: tuple[Floats, ...] | None, second: tuple[Floats, ...] | None) -> float | None:
    if first is None or second is None:
        return None
    pairs = list(zip(first, second, strict=False))
    if any(a.shape != b.shape for a, b in pairs):
        return float("inf")
    return max(float(np.max(np.abs(a - b), initial=0.0)) for a, b in pairs)
