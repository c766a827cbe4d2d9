"""Table 3: the interclass-confusion score, by the audit's own trials, answered in this process."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from auditor.audit.devices import on_cpu
from auditor.audit.renamed_columns import Disguise
from auditor.base.records import Dataset
from auditor.case import read
from auditor.parts.networks.learning.procedure import NetworkModel, Networks
from auditor.parts.swap.observing.confusion import Confusing
from auditor.parts.swap.observing.drawing import draw
from auditor.sandbox import Answer, Learn, Level, Predict, Step, Together, Unlearn
from auditor.sandbox.jobs import Job
from benchmarks.paper.learners import METHODS, Scale, digits, learner
from benchmarks.paper.playing import ALPHA, REFERENCE_PAIRS

_CASE = """
[case]
name = "confusion"
[data]
train = "train.npz"
task = "classification"
[procedure]
use = "torch"
model = "mlp"
epochs = 1
rate = 0.1
seed = 0
[deletions]
log = "deletions.jsonl"
"""


@dataclass(frozen=True, slots=True)
class ConfusionCell:
    """Some trials of one column of Table 3."""

    records: int
    seed: int
    epsilon: float | None
    scale: Scale


def play(cell: ConfusionCell) -> dict[str, float]:
    """By method the mean IC score over the audit's trials; under `retrain` that of learning without the confused records."""
    table = digits(cell.records)
    game = draw(table.data, pairs=1, models=1, alpha=ALPHA, reference_pairs=REFERENCE_PAIRS, seed=cell.seed)
    used = learner(cell.epsilon, trained=len(game.target), scale=cell.scale)
    with tempfile.TemporaryDirectory() as folder:
        _write_case(Path(folder), table.data)
        case = read(Path(folder))
        shown = Disguise(case, seed=cell.seed)
        confusing = Confusing(case, game, shown, seed=cell.seed, level=Level.PROCESS, where=on_cpu())
    learnt = [_learnt(job, used.networks("none")) for job in confusing.jobs]
    found: dict[str, float] = {}
    for name in METHODS:
        networks = used.networks("none" if name == "retrain" else name)
        score = confusing.read([_answered(job, networks, models) for job, models in zip(confusing.jobs, learnt, strict=True)])
        if score is None:
            raise ValueError(f"{cell.records} digits hold no two classes to confuse")
        found[name] = score.retrained if name == "retrain" else score.unlearned
    return found


def _learnt(job: Job, networks: Networks) -> dict[int, NetworkModel]:
    """Every model that a job learns, by the place of its step: all methods start from them."""
    steps = _single(job.steps)
    return {
        at: networks.learn(job.tables["train"].subset(step.rows), step.seed)
        for at, step in enumerate(steps)
        if isinstance(step, Learn)
    }


def _answered(job: Job, networks: Networks, learnt: Mapping[int, NetworkModel]) -> tuple[Answer, ...]:
    """What the sandbox would answer, without one: this is code of ours alone."""
    table = job.tables["train"].subset(np.arange(len(job.tables["train"])))
    models: dict[str, NetworkModel] = {}
    answers = []
    for at, step in enumerate(_single(job.steps)):
        array = None
        if isinstance(step, Learn):
            models[step.into] = learnt[at]
        elif isinstance(step, Unlearn):
            models[step.into] = networks.unlearn(models[step.model], table.subset(step.rows), step.forget, step.seed)
        elif isinstance(step, Predict):
            rows = slice(None) if step.rows is None else step.rows
            array = networks.predict(models[step.model], table.features[rows])
        answers.append(Answer(step, 0.0, array, None, {}, supported=True))
    return tuple(answers)


def _single(steps: Sequence[Step]) -> list[Step]:
    return [each for step in steps for each in (step.steps if isinstance(step, Together) else (step,))]


def _write_case(folder: Path, train: Dataset) -> None:
    """A case of these records; the trials read nothing else of it."""
    np.savez(folder / "train.npz", features=train.features, labels=train.labels, ids=train.ids)
    request = {"request_id": "R1", "received_at": "2026-01-05T09:00:00Z", "status": "no_match"}
    (folder / "deletions.jsonl").write_text(json.dumps({**request, "record_ids": ["nobody"]}) + "\n", encoding="utf-8")
    (folder / "audit.toml").write_text(_CASE, encoding="utf-8")
