"""Reconstruction games: what is drawn, what is counted, and that nothing is found where nothing is given away."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from auditor import case as cases
from auditor.base.records import Dataset
from auditor.case import Case
from auditor.learning.ngram import Ngram
from auditor.maths.statistics import clopper_pearson
from auditor.parts.revealing.judging.reconstruction.observed import DECOYS, InstanceObserved, LabelObserved, Tally, Wins
from auditor.parts.revealing.observing.deleting.drawing import Answers, Asked, UnplayableError
from auditor.parts.revealing.observing.reconstructing import instances, labels, observe, sentences
from auditor.parts.revealing.observing.reconstructing.drawing import Score, draw
from case_examples import jsonl, npz, row
from deletion_games import how
from judging import context_of_case
from swap_games import records
from text_cases import write

NEAREST = 'use = "sklearn"\nestimator = "sklearn.neighbors.KNeighborsClassifier"\nparams = { n_neighbors = 1 }\n'
LINEAR = 'use = "sklearn"\nestimator = "sklearn.linear_model.LinearRegression"\n'
GAMES = 300


def small(folder: Path, procedure: str, *, task: str = "classification", policy: str = "", holdout: int = 0) -> Case:
    """A case of records with nine bits, three classes or a real label."""
    rng, count = np.random.default_rng(7), 60
    features = (rng.random((count, 9)) < 0.5).astype(np.float64)
    classes = np.arange(count) % 3
    target = features @ rng.normal(size=9) + rng.normal(size=count)
    ids = np.array([f"r{at}" for at in range(count)])
    (folder / "train.npz").write_bytes(npz(features=features, labels=classes if task == "classification" else target, ids=ids))
    named = ""
    if holdout:
        more = (rng.random((holdout, 9)) < 0.5).astype(np.float64)
        ids = np.array([f"h{at}" for at in range(holdout)])
        (folder / "holdout.npz").write_bytes(npz(features=more, labels=np.arange(holdout) % 3, ids=ids))
        named = 'holdout = "holdout.npz"\n'
    (folder / "deletions.jsonl").write_bytes(jsonl(row("REQ-1", ("r1",), executed_at="2026-01-20T09:00:00+01:00")))
    (folder / "audit.toml").write_text(
        f'[case]\nname = "small"\n[data]\ntrain = "train.npz"\n{named}task = "{task}"\n[procedure]\n{procedure}'
        f'[deletions]\nlog = "deletions.jsonl"\n[policy]\n{policy}',
        encoding="utf-8",
    )
    return cases.read(folder)


def silent(case: Case, asked: Sequence[Asked], *_: object, **__: object) -> list[Answers]:
    """Models that answer at random, whoever was deleted."""
    rng, classifies = np.random.default_rng(11), case.settings.data.task == "classification"

    def told(rows: int) -> np.ndarray:
        return rng.dirichlet(np.ones(3), size=rows) if classifies else rng.normal(size=rows)

    return [Answers(told(len(each.rows)), (told(len(each.rows)),)) for each in asked]


def unmoved(case: Case, asked: Sequence[Asked], *_: object, **__: object) -> list[Answers]:
    """Models that a deletion leaves as they are."""
    found = silent(case, asked)
    return [Answers(each.before, (each.before,)) for each in found]


def nearest_neighbour(case: Case, asked: Sequence[Asked], *_: object, **__: object) -> list[Answers]:
    """The nearest neighbour, the first of several as near."""
    rows, codes = case.train.features, case.train.labels.astype(np.int64)

    def told(each: Asked, known: np.ndarray) -> np.ndarray:
        apart = ((each.rows[:, None] - rows[known][None]) ** 2).sum(axis=2)
        return np.eye(3)[codes[known][apart.argmin(axis=1)]]

    left = [np.setdiff1d(each.game.trained, each.game.deleted[0]) for each in asked]
    return [Answers(told(each, each.game.trained), (told(each, some),)) for each, some in zip(asked, left, strict=True)]


def by_chance(tally: Wins, chance: float) -> bool:
    interval = clopper_pearson(tally.right, tally.games, confidence=0.999)
    return interval.low <= chance <= interval.high


@pytest.mark.parametrize("given", [silent, unmoved])
def test_where_nothing_is_given_away_guesses_are_chance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: object) -> None:
    for module in (labels, instances):
        monkeypatch.setattr(module, "play", given)
        monkeypatch.setattr(module, "MOST_PROBES", 60)
    case = small(tmp_path, NEAREST)
    for tally in labels.observe(case, how(), games=GAMES).tallies:
        assert by_chance(tally, 1 / 3)
        assert by_chance(tally.of_two, 1 / 2)
    rebuilt = instances.observe(case, how(), games=GAMES)
    assert by_chance(rebuilt.tallies[0], 1 / (1 + DECOYS))
    case = small(tmp_path, LINEAR, task="regression")
    for seen in (labels.observe(case, how(), games=GAMES), instances.observe(case, how(), games=GAMES)):
        assert by_chance(seen.tallies[-1], 1 / (1 + DECOYS))
        assert by_chance(seen.tallies[-1].of_two, 1 / 2)


def test_where_a_deletion_changes_nothing_every_game_is_a_tie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (labels, instances):
        monkeypatch.setattr(module, "play", unmoved)
    case = small(tmp_path, NEAREST)
    assert {each.ties for each in labels.observe(case, how(), games=20).tallies} == {20}
    rebuilt = instances.observe(case, how(), games=20)
    assert (rebuilt.tallies[0].ties, rebuilt.blank, rebuilt.alike) == (20, 20, None)


def test_pixels_are_kept_only_where_the_policy_shows_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instances, "play", nearest_neighbour)
    found = instances.observe(small(tmp_path, NEAREST, holdout=300), how(), games=60)
    assert found.picture is None
    assert found.tallies[0].right > 3 * 60 / (1 + DECOYS)
    # Figure 3's second measure: what lies where a class changed mostly has the class of the record that went.
    assert found.named is not None
    assert found.without_named is not None
    assert 60 / 3 < found.named <= 60 - found.blank
    assert found.without_named > 60 / 3
    shown = instances.observe(small(tmp_path, NEAREST, policy="show_reconstructions = true\n", holdout=300), how(), games=60)
    assert shown.picture is not None
    assert shown.picture.width == 3
    assert shown.model_copy(update={"picture": None}) == found


def test_candidates_are_drawn_alike_and_a_record_of_every_class_is_left() -> None:
    data = records(60, seed=2, classes=3)
    for each in draw(data, name="test", games=30, seed=1, classes=True, each_class=True):
        assert sorted(data.labels[each.candidates].tolist()) == [0, 1, 2]
        assert set(each.candidates.tolist()) <= set(each.game.trained.tolist())
        assert set(data.labels[np.setdiff1d(each.game.trained, each.candidates)].tolist()) == {0, 1, 2}
    drawn = draw(data, name="test", games=30, seed=1, classes=True)
    assert {len(set(each.candidates.tolist())) for each in drawn} == {1 + DECOYS}
    again = draw(data, name="test", games=5, seed=1, classes=True)
    assert [each.deleted for each in again] == [each.deleted for each in drawn[:5]]
    with pytest.raises(UnplayableError):
        draw(records(19, seed=2), name="test", games=1, seed=1, classes=True)


def test_what_names_the_deleted_record_among_all_tells_it_from_one() -> None:
    """Theorem 4.2: a reconstruction that wins is an inference that wins."""
    rng = np.random.default_rng(5)
    score = Score("any", decoys=9, rng=np.random.default_rng(6))
    for _ in range(2000):
        distances = rng.integers(0, 4, size=10).astype(np.float64)
        distances[0] -= rng.integers(0, 2)
        score.add(None if rng.random() < 0.1 else distances)
    tally = score.tally
    assert tally.of_two.right >= tally.right
    counts = tally.model_dump()
    with pytest.raises(ValueError, match="nearer to it than to one"):
        Tally.model_validate({**counts, "of_two": {**counts["of_two"], "wins": 0, "ties": 0, "ties_won": 0}})


@pytest.mark.parametrize("unlearn", ["retrain", "subtract"])
def test_a_trigram_model_gives_deleted_sentences_away(tmp_path: Path, unlearn: str) -> None:
    case = cases.read(write(tmp_path, unlearn=unlearn))
    found = sentences.observe(case, how(), games=20)
    assert (found.whole, found.one_path, found.out_of_time, found.order) == (20, 20, 0, 3)
    assert found.f1 == 1.0
    assert found.tallies[0].right >= 19


def test_single_words_are_found_without_their_order(tmp_path: Path) -> None:
    found = sentences.observe(cases.read(write(tmp_path, order=1)), how(), games=20)
    assert found.f1 is not None
    assert found.f1 > 0.6
    assert found.whole == 0


@pytest.mark.parametrize("order", [1, 2, 3])
def test_runs_that_occur_stand_out_in_the_answers(order: int) -> None:
    """An adversary who asks about every text finds the very runs that the game takes as known."""
    rng = np.random.default_rng(order)
    rows = np.zeros((6, 5))
    for each in rows:
        length = int(rng.integers(1, 6))
        each[:length] = rng.integers(1, 5, length)
    # The fifth word of the dictionary occurs nowhere, so that it shows how likely what does not occur is.
    procedure = Ngram(order=order, smoothing=0.1, unlearn_by="retrain", words=5)
    model = procedure.learn(texts(rows), 0)
    for length, known in enumerate(sentences.occurring(rows, order), start=1):
        every = np.array(np.meshgrid(*[np.arange(1, 6)] * length, indexing="ij")).reshape(length, -1).T
        likely = sentences.last_words(lambda asked: procedure.predict(model, asked), every).reshape(-1, 5)
        found = every[(likely > likely[:, -1:] + 1e-9).ravel()]
        assert found.tolist() == known.tolist()


def texts(rows: np.ndarray) -> Dataset:
    data = records(len(rows), seed=1, classes=1)
    return Dataset(rows, np.zeros(len(rows)), data.ids)


def test_games_are_played_where_somebody_asks(tmp_path: Path) -> None:
    case = cases.read(write(tmp_path))
    assert observe(case, context_of_case(case), how()) == {}
    wanted = ("reconstruction.sentence", "reconstruction.label")
    found = observe(case, context_of_case(case, only=wanted, quick=True), how(only=wanted, quick=True))
    assert list(found) == ["reconstruction.sentence"]


@pytest.mark.parametrize(("procedure", "task"), [(NEAREST, "classification"), (LINEAR, "regression")])
def test_the_procedure_itself_is_played_with(tmp_path: Path, procedure: str, task: str) -> None:
    case = small(tmp_path, procedure, task=task)
    label, instance = labels.observe(case, how(), games=12), instances.observe(case, how(), games=12)
    assert isinstance(label, LabelObserved)
    assert isinstance(instance, InstanceObserved)
    if task == "regression":
        assert label.tallies[0].wins == 12
        assert label.distances[0].mean < 1e-9
        assert label.without is not None
        assert label.without.right < 12
    else:
        assert sum(each.games for each in label.classes) == 12
        assert instance.without is not None
