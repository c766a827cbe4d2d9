"""A learner played with one person and without: which procedures differ, in this process, and some of them in the sandbox."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

from auditor import case as cases
from auditor.audit.updates import draw
from auditor.base.domain import ClaimStatus, Status
from auditor.base.records import Dataset
from auditor.parts.controllers.judging.control.learner import Going, LearnerGames
from auditor.parts.controllers.observing.games.learner import _Games
from auditor.sandbox import Answer, Learn, Parameters, PredictRows, State, Survey, Unlearn
from auditor.sandbox.jobs import Job
from auditor.sandbox.state_found import KINDS
from cases import outcome
from deletion_games import how
from small_cases import LEARNER, case_with, foreign, problem, write

QUIET = {(going, False) for going in Going}
WATCHED = {(Going.ALONE, True), (Going.BETWEEN, True)}


class Retrained:
    """Means of the features by class, drawn a little aside by a seed, and made again from what remains."""

    noise = 0.0

    def learn(self, data: Dataset, seed: int) -> Any:
        means = np.stack([data.features[data.labels == each].mean(axis=0) for each in (0, 1)])
        return means + self.noise * np.random.default_rng(seed).normal(size=means.shape)

    def unlearn(self, model: Any, data: Dataset, forget: Any, seed: int) -> Any:
        return self.learn(data.subset(np.setdiff1d(np.arange(len(data)), forget)), seed)

    def predict(self, model: Any, features: Any) -> Any:
        return np.stack([-((features - each) ** 2).sum(axis=1) for each in model], axis=1)

    def parameters(self, model: Any) -> Any:
        return model.ravel()

    def files(self) -> dict[str, str]:
        return {}


class Seeded(Retrained):
    noise = 0.1


class OwnSeed(Seeded):
    """Goes on with the seed of its first training."""

    def learn(self, data: Dataset, seed: int) -> Any:
        self.seed = getattr(self, "seed", seed)
        return super().learn(data, self.seed)


class ByChance(Retrained):
    def learn(self, data: Dataset, seed: int) -> Any:
        return super().learn(data, seed) + 0.01 * np.random.default_rng().normal(size=(2, 1))


class Hashes(Retrained):
    """A list of the deleted, as digests."""

    def __init__(self) -> None:
        self.gone: list[str] = []

    def unlearn(self, model: Any, data: Dataset, forget: Any, seed: int) -> Any:
        self.gone += [hashlib.sha256(row.tobytes()).hexdigest() for row in data.features[forget]]
        return super().unlearn(model, data, forget, seed)


class Counter(Retrained):
    """How many calls deleted something: a batch that others are in as well is none more."""

    count = 0

    def unlearn(self, model: Any, data: Dataset, forget: Any, seed: int) -> Any:
        self.count += 1
        return super().unlearn(model, data, forget, seed)


class OldAnswers(Retrained):
    """The new model, but for rows that were deleted: those are answered by the old one."""

    def unlearn(self, model: Any, data: Dataset, forget: Any, seed: int) -> Any:
        old = {row.tobytes(): self.predict(model, row[None])[0] for row in data.features[forget]}
        return _Answering(super().unlearn(np.asarray(model), data, forget, seed), old)

    def predict(self, model: Any, features: Any) -> Any:
        found = super().predict(np.asarray(model), features)
        for place, row in enumerate(features):
            found[place] = getattr(model, "old", {}).get(row.tobytes(), found[place])
        return found


class _Answering(np.ndarray[Any, Any]):
    old: dict[bytes, Any]

    def __new__(cls, weights: Any, old: dict[bytes, Any]) -> Self:
        made = np.asarray(weights).view(cls)
        made.old = old
        return made


class Shrunk(Retrained):
    def unlearn(self, model: Any, data: Dataset, forget: Any, seed: int) -> Any:
        return model * 0.99


class SeededShrunk(Seeded):
    def unlearn(self, model: Any, data: Dataset, forget: Any, seed: int) -> Any:
        return super().learn(data, seed) + 1.0


class File(Retrained):
    def __init__(self) -> None:
        self.left = ""

    def unlearn(self, model: Any, data: Dataset, forget: Any, seed: int) -> Any:
        self.left = hashlib.blake2b(data.features[forget].tobytes(), digest_size=16).hexdigest()
        return super().unlearn(model, data, forget, seed)

    def files(self) -> dict[str, str]:
        return {"gone": self.left} if self.left else {}


class Recognising(Seeded):
    """Leaks where a deletion has another seed than the training had, as each has along a log."""

    def learn(self, data: Dataset, seed: int) -> Any:
        self.seed = getattr(self, "seed", seed)
        return super().learn(data, 0)

    def unlearn(self, model: Any, data: Dataset, forget: Any, seed: int) -> Any:
        return super().unlearn(model, data, forget, seed) + (seed != self.seed)


class Sometimes(Seeded):
    """Leaks under half of all seeds, and under none of those next to the declared one."""

    def unlearn(self, model: Any, data: Dataset, forget: Any, seed: int) -> Any:
        return super().unlearn(model, data, forget, seed) + 1e-6 * len(forget) * (seed // 1000 % 2)


def here(make: Callable[[], Any]) -> Callable[[Sequence[Job]], list[tuple[Answer, ...]]]:
    """Runs every job in this process, each with an object of its own."""

    def run(jobs: Sequence[Job]) -> list[tuple[Answer, ...]]:
        found = []
        for job in jobs:
            procedure, models, table = make(), dict[str, Any](), job.tables["train"]
            assert isinstance(table, Dataset)
            found.append(tuple(_answered(procedure, step, table, models) for step in job.steps))
        return found

    return run


def _answered(procedure: Any, step: Any, table: Dataset, models: dict[str, Any]) -> Answer:
    array = content = None
    match step:
        case Learn():
            models[step.into] = procedure.learn(table.subset(step.rows), step.seed)
        case Unlearn():
            models[step.into] = procedure.unlearn(models[step.model], table.subset(step.rows), step.forget, step.seed)
        case Parameters():
            array = np.array(procedure.parameters(models[step.model]), dtype=np.float64)
        case PredictRows():
            array = np.array(procedure.predict(models[step.model], step.features), dtype=np.float64)
        case State():
            content = repr({name: kept for name, kept in vars(procedure).items() if name != "left"}).encode()
        case Survey():
            content = json.dumps({kind: {} for kind in KINDS} | {"file": procedure.files()}).encode()
    return Answer(step=step, seconds=0.001, array=array, content=content, facts={}, supported=True)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> cases.Case:
    return cases.read(
        case_with(
            tmp_path_factory.mktemp("learner"),
            'use = "sklearn"\nestimator = "sklearn.tree.DecisionTreeClassifier"\nunlearn = "retrain"',
        )
    )


def tried(case: cases.Case, make: Callable[[], Any], *, watching: bool = False) -> LearnerGames:
    options = replace(how(), run=here(make))
    updates = draw(case, seed=options.seed, device="cpu")
    assert updates is not None
    return _Games(case, updates, options, watching=watching).tried()


def apart(found: LearnerGames) -> set[tuple[Going, bool]]:
    return {(each.going, each.watched) for each in found.played if set(each.differing) - {"answers-before"}}


@pytest.mark.parametrize("make", [Retrained, Seeded, OwnSeed])
def test_training_again_leaves_nothing_but_answers_while_the_person_was_there(small: cases.Case, make: Any) -> None:
    found = tried(small, make)
    assert found.steady
    assert found.ignores_seed is (make is Retrained)
    assert apart(found) == set()
    assert {(each.going, each.watched) for each in found.played if each.differing} == WATCHED
    assert found.laws == ()


@pytest.mark.attempt("learners")
@pytest.mark.parametrize(
    ("make", "kinds"),
    [
        (Hashes, {"state"}),
        (Counter, {"state"}),
        (OldAnswers, {"answers"}),
        (Shrunk, {"answers", "parameters"}),
        (File, {"files"}),
    ],
)
def test_what_is_kept_or_answered_of_one_who_left_is_a_certain_difference(small: cases.Case, make: Any, kinds: set[str]) -> None:
    found = tried(small, make)
    assert found.steady
    assert found.ignores_seed
    # A count of calls does not grow by one who leaves with another, and a file of the last batch is overwritten.
    spared = {Counter: {(Going.TOGETHER, False)}, File: {(Going.BETWEEN, False), (Going.TOGETHER, False), (Going.BETWEEN, True)}}
    assert apart(found) >= QUIET - spared.get(make, set())
    assert apart(found) & spared.get(make, set()) == set()
    seen = {kind for each in found.played if not each.watched for kind in each.differing}
    assert seen == kinds


@pytest.mark.attempt("learners")
@pytest.mark.parametrize(("make", "least"), [(SeededShrunk, QUIET), (Recognising, {(Going.ALONE, False)})])
def test_where_seeds_count_fresh_ones_tell_the_worlds_apart(small: cases.Case, make: Any, least: set[tuple[Going, bool]]) -> None:
    found = tried(small, make)
    assert found.steady
    assert not found.ignores_seed
    assert apart(found) >= least
    (law,) = found.laws
    assert law.runs == 30
    assert abs(law.left - law.right) > 25


@pytest.mark.attempt("learners")
def test_what_shows_under_some_seeds_alone_is_seen_and_does_not_pass(small: cases.Case) -> None:
    found = tried(small, Sometimes)
    assert found.steady
    assert not found.ignores_seed
    assert any(not watched for _, watched in apart(found))


def test_chance_alone_tells_nothing_apart(small: cases.Case) -> None:
    found = tried(small, ByChance)
    assert not found.steady
    (law,) = found.laws
    assert abs(law.left - law.right) < 20


def test_watching_is_compared_under_fresh_seeds_where_it_counts(small: cases.Case) -> None:
    assert tried(small, Seeded).laws == ()
    (law,) = tried(small, Seeded, watching=True).laws
    assert law.adversary == "alone, watched"


BODY = LEARNER.replace("ORDER", "np.random.default_rng(SEED).permutation(len(data.ids))").replace(
    "START", "np.zeros(data.features.shape[1])"
)

OPENED = """
def __init__(self):
    import os
    self.counter, self.pipe = os.eventfd(0), os.pipe()
"""
"""What the kernel keeps for it: nothing of anybody, as long as nobody puts anything in."""


@pytest.mark.slow  # test_what_is_kept_or_answered_of_one_who_left_is_a_certain_difference tries the same in this process
@pytest.mark.attempt("learners")
@pytest.mark.parametrize(
    ("seed", "before", "kinds"),
    [
        ("seed", "pass", set()),
        # The first who leaves brings a new attribute, which comes last: the order of all is an item of its own.
        ("0", "self.count = getattr(self, 'count', 0) + 1", {"scalar", "object"}),
        ("0", "np.count_gone = getattr(np, 'count_gone', 0) + 1", {"process"}),
        ("0", "with open('gone', 'ab') as file: file.write(data.features[forget].tobytes()[:9])", {"files", "object"}),
        ("0", "return model * 0.9", {"answers", "parameters", "object"}),
        ("0", "import os; os.eventfd_write(self.counter, 7)", {"process"}),
        ("0", "import fcntl; fcntl.fcntl(self.pipe[1], 1031, 2 * fcntl.fcntl(self.pipe[1], 1032))", {"process"}),
        ("0", "import ctypes; ctypes.CDLL(None).signal(40, ctypes.c_void_p(1))", {"process"}),
    ],
    ids=[
        *("honest", "counts", "counts in a library", "keeps a file", "shrinks"),
        *("counts in the kernel", "widens a pipe", "ignores a signal"),
    ],
)
def test_a_learner_in_the_sandbox_is_seen_as_it_is(tmp_path: Path, seed: str, before: str, kinds: set[str]) -> None:
    write(tmp_path, *problem(), required=None)
    foreign(tmp_path, OPENED + BODY.replace("SEED", seed).replace("BEFORE", before))
    found = outcome(tmp_path, only=("confidentiality.game",), workers=2)
    assert found.failure is None
    check = found.evidence.evidence.check("confidentiality.game")
    played = check.observed["learner"]["played"]
    assert {kind for each in played if not each["watched"] for kind in each["differing"]} == kinds
    certain = bool(kinds - {"process"})
    assert check.status is (Status.FAIL if certain else Status.INCONCLUSIVE)
    (confidential,) = (each for each in found.evidence.evidence.guarantees if each.id == "deletion-as-confidentiality")
    assert confidential.status is (ClaimStatus.REFUTED if certain else ClaimStatus.NOT_SHOWN)
