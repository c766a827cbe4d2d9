"""What `release.remembers` finds of procedures that forget, that do not, and that fool it: run in this process, without walls."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor import case as cases
from auditor.audit.devices import on_cpu
from auditor.audit.replay import forgotten_of
from auditor.base.domain import Status
from auditor.case import Case
from auditor.parts.release.judging.release_remembers import SECOND_MODELS, Derived, judge
from auditor.parts.release.judging.release_remembers.observed import Observed
from auditor.parts.release.observing.release_remembers import in_stages, linear
from auditor.parts.release.observing.release_remembers.models import Sandboxed
from auditor.parts.release.observing.release_remembers.questions import draw, further_seeds
from auditor.sandbox import Answer, Drop, Learn, Level, PredictRows, Unlearn
from auditor.sandbox.jobs import Job
from auditor.settings.learning import Foreign
from auditor.verdict.checks.finding import Finding
from judging import declared, log_facts

REQUESTS = [[index, index + 6] for index in range(6)]


class Neighbours:
    """Answers by the records that lie near, its own labels noisy with the seed: what it holds shows."""

    def learn(self, data: Any, seed: int) -> Any:
        return data.features, data.labels, 0.02 * np.random.default_rng(seed).normal(size=2)

    def unlearn(self, model: Any, data: Any, forget: Any, seed: int) -> Any:
        return self.learn(data.subset(np.setdiff1d(np.arange(len(data)), forget)), seed)

    def predict(self, model: Any, features: Any) -> Any:
        rows, labels, noise = model
        near = np.exp(-10 * ((features[:, None] - rows[None]) ** 2).sum(axis=-1)) + 1e-6
        shares = np.stack([(near * (labels == each)).sum(axis=1) for each in (0, 1)], axis=1)
        scores = np.log(shares + 1e-3) + noise
        return np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)


class Shirks(Neighbours):
    """Leaves the model as it was."""

    def unlearn(self, model: Any, data: Any, forget: Any, seed: int) -> Any:
        return model


class SkipsOne(Neighbours):
    """Keeps the second person who asks, in every log."""

    def __init__(self) -> None:
        self.calls = 0

    def unlearn(self, model: Any, data: Any, forget: Any, seed: int) -> Any:
        if seed % 10 == 2:
            return model
        rows, labels, _ = model
        gone = {row.tobytes() for row in data.features[forget]}
        stay = np.array([row.tobytes() not in gone for row in rows])
        return rows[stay], labels[stay], 0.02 * np.random.default_rng(seed).normal(size=2)


class Memorises(Neighbours):
    """Has a layer that knows every record, and drops it whole at the first deletion; the rest learns nothing and stays."""

    def learn(self, data: Any, seed: int) -> Any:
        return {row.tobytes(): label for row, label in zip(data.features, data.labels, strict=True)}

    def unlearn(self, model: Any, data: Any, forget: Any, seed: int) -> Any:
        return {}

    def predict(self, model: Any, features: Any) -> Any:
        sure = [model.get(row.tobytes()) for row in features]
        right = np.array([0.5 if each is None else 0.01 + 0.98 * each for each in sure])
        return np.column_stack([1 - right, right])


class Hides(Neighbours):
    """Answers like a retrained model, and keeps the old one for whoever asks about a certain row."""

    KEY = np.array([1e6, -1e6])

    def learn(self, data: Any, seed: int) -> Any:
        return super().learn(data, seed), None

    def unlearn(self, model: Any, data: Any, forget: Any, seed: int) -> Any:
        now, _ = self.learn(data.subset(np.setdiff1d(np.arange(len(data)), forget)), seed)
        return now, model

    def predict(self, model: Any, features: Any) -> Any:
        now, before = model
        if before is not None and (features[0] == self.KEY).all():
            return self.predict(before, features[1:])
        return super().predict(now, features)


class RefusesCopies(Neighbours):
    """Answers about rows of the data alone."""

    def predict(self, model: Any, features: Any) -> Any:
        if any(abs(value * 64 - round(value * 64)) > 1e-9 for value in features[:, 0]):
            raise ValueError("a row that no sensor gives")
        return super().predict(model, features)


def written(folder: Path, *, holdout: bool = True) -> Case:
    """A small case whose rows are multiples of 1/64."""
    rng = np.random.default_rng(5)

    def table(records: int, begin: int) -> dict[str, Any]:
        rows = np.round(rng.normal(size=(records, 2)) * 64) / 64
        labels = (rows[:, 0] + 0.8 * rng.normal(size=records) > 0).astype(np.int64)
        return {"features": rows, "labels": labels, "ids": np.array([f"rec-{begin + each:04d}" for each in range(records)])}

    train = table(70, 0)
    train["labels"][:12] = train["features"][:12, 0] <= 0  # what nobody would guess, and a model has to hold
    np.savez(folder / "train.npz", **train)
    np.savez(folder / "holdout.npz", **table(60, 1000))
    rows = [
        {
            "request_id": f"REQ-{number}",
            "record_ids": [f"rec-{each:04d}" for each in request],
            "received_at": "2026-01-02T10:00:00Z",
            "executed_at": f"2026-01-{10 + number}T10:00:00Z",
        }
        for number, request in enumerate(REQUESTS)
    ]
    (folder / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "procedure.py").write_text("class Own:\n    pass\n", encoding="utf-8")
    data = 'train = "train.npz"\ntask = "classification"\n' + ('holdout = "holdout.npz"\n' if holdout else "")
    (folder / "audit.toml").write_text(
        f'[case]\nname = "small"\n[data]\n{data}[procedure]\nentry = "procedure.py:Own"\nseed = 1000000\n'
        '[deletions]\nlog = "deletions.jsonl"\n',
        encoding="utf-8",
    )
    return cases.read(folder)


def running(kind: type[Neighbours], asked: list[Job]) -> Any:
    """Runs jobs in this process, each with a procedure of its own; keeps what was asked."""

    def run(jobs: Sequence[Job]) -> list[tuple[Answer, ...]]:
        asked.extend(jobs)
        return [tuple(answered(kind(), job)) for job in jobs]

    return run


def answered(procedure: Any, job: Job) -> list[Answer]:
    models: dict[str, Any] = {}
    found = []
    for step in job.steps:
        array, supported = None, True
        match step:
            case Learn(into=into, rows=rows, seed=seed):
                models[into] = procedure.learn(job.tables["train"].subset(rows), seed)
            case Unlearn(model=model, into=into, rows=rows, forget=forget, seed=seed):
                models[into] = procedure.unlearn(models[model], job.tables["train"].subset(rows), forget, seed)
            case PredictRows(model=model, features=features, may_raise=may_raise):
                try:
                    array = procedure.predict(models[model], features)
                except ValueError:
                    assert may_raise
                    supported = False
            case Drop(model=model):
                del models[model]
        found.append(Answer(step, 0.0, array, None, {}, supported=supported))
    return found


def observe(case: Case, kind: type[Neighbours], asked: list[Job] | None = None, *, most_s: float = 60.0) -> Observed:
    questions = draw(case, forgotten_of(case), models=39, holding=10, seed=0)
    assert questions is not None
    run = running(kind, [] if asked is None else asked)
    assert not linear.batched(case)
    training = Sandboxed(case, questions, seed=0, level=Level.PROCESS, where=on_cpu(), run=run)
    seeds = further_seeds(questions, SECOND_MODELS, seed=0)
    return in_stages(questions, training, seeds=seeds, most_s=most_s, workers=1)


def found(observed: Observed) -> Finding:
    context = declared(procedure=Foreign(entry="procedure.py:Own"), log=log_facts(batches=len(REQUESTS)))
    return judge(context, observed, {"release.exact": Finding(Status.SKIPPED)})


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return written(tmp_path_factory.mktemp("small"))


def test_what_forgets_passes_and_what_holds_the_records_would_have_been_told(small: Case) -> None:
    finding = found(observe(small, Neighbours))
    assert finding.status is Status.PASS
    assert isinstance(finding.derived, Derived)
    assert finding.derived.rule == "ranks"


def test_what_leaves_the_model_as_it_was_fails(small: Case) -> None:
    assert found(observe(small, Shirks)).status is Status.FAIL


def test_what_skips_one_person_of_six_fails(small: Case) -> None:
    finding = found(observe(small, SkipsOne))
    assert finding.status is Status.FAIL
    assert isinstance(finding.derived, Derived)
    assert finding.derived.part == "requests"


def test_a_layer_that_unlearning_always_drops_gives_the_test_no_power(small: Case) -> None:
    """Held against the untouched model it would have all the power there is, and nothing of the rest was ever unlearned."""
    finding = found(observe(small, Memorises))
    assert finding.status is Status.INCONCLUSIVE


def test_what_hides_behind_a_key_is_not_seen_by_its_answers(small: Case) -> None:
    """What the check cannot see: the walk of `release.exact` finds the second model, and the pass asks for `procedure-honest`."""
    assert found(observe(small, Hides)).status is Status.PASS


def test_copies_that_no_procedure_takes_are_left_out_and_named(small: Case) -> None:
    finding = found(observed := observe(small, RefusesCopies))
    assert observed.left_out == ("moved-0.1", "moved-0.3")
    assert {each.neighbourhood for each in observed.kinds} == {"records"}
    assert "release.remembers.left-out" in [each.code for each in finding.reasons]
    assert finding.status is Status.PASS


def test_retrained_models_learn_where_no_deleted_record_is(small: Case) -> None:
    asked: list[Job] = []
    observe(small, Neighbours, asked)
    gone = {f"rec-{each:04d}" for request in REQUESTS for each in request}
    retrained = [job for job in asked if job.name == "retrained models"]
    assert sum(isinstance(step, Learn) for job in retrained for step in job.steps) == 39
    for job in retrained:
        assert not gone & set(job.tables["train"].ids.tolist())
        learned = max(place for place, step in enumerate(job.steps) if isinstance(step, Learn))
        assert all(place > learned for place, step in enumerate(job.steps) if isinstance(step, PredictRows))
    holding = [job for job in asked if job.name == "models that unlearned"]
    assert all(gone <= set(job.tables["train"].ids.tolist()) for job in holding)
    decoys = [step for job in holding[1:] for step in job.steps if isinstance(step, Unlearn)]
    assert all(len(step.forget) == 2 for step in decoys)


def test_without_a_holdout_unseen_records_are_kept_from_every_model(tmp_path: Path) -> None:
    asked: list[Job] = []
    case = written(tmp_path, holdout=False)
    observed = observe(case, Neighbours, asked)
    assert (observed.source, observed.unseen, observed.unseen_records) == ("procedure", "retained", 5)
    seen = {record for job in asked for record in job.tables["train"].ids.tolist()}
    assert len(seen) == 70 - 5
    finding = found(observed)
    assert "release.remembers.unseen-drawn" in [each.code for each in finding.reasons]
