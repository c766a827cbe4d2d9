"""The language model that counts runs of words."""

from __future__ import annotations

from collections import Counter
from math import log
from pathlib import Path

import numpy as np
import pytest

from auditor.base.records import Dataset
from auditor.learning import build
from auditor.learning.ngram import Ngram


def made(order: int, *, unlearn_by: str = "retrain", words: int = 6, smoothing: float = 0.5) -> Ngram:
    procedure = build("ngram", {"order": order, "smoothing": smoothing, "unlearn_by": unlearn_by, "words": words})
    assert isinstance(procedure, Ngram)
    return procedure


def texts(seed: int, count: int = 30, words: int = 6) -> Dataset:
    rng = np.random.default_rng(seed)
    rows = np.zeros((count, 7))
    for row in rows:
        length = int(rng.integers(1, 8))
        row[:length] = rng.integers(1, words + 1, length)
    return Dataset(rows, np.zeros(count), np.arange(count).astype(np.str_))


def by_hand(data: Dataset, text: list[int], *, order: int, words: int, smoothing: float) -> float:
    rows = [[int(word) for word in row if word] for row in data.features]
    total = 0.0
    for place in range(len(text)):
        run = tuple(text[max(0, place - order + 1) : place + 1])
        runs = Counter(tuple(row[at : at + len(run)]) for row in rows for at in range(len(row) - len(run) + 1))
        context = sum(count for each, count in runs.items() if each[:-1] == run[:-1])
        total += log((runs[run] + smoothing) / (context + smoothing * words))
    return total


@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_text_has_the_probability_that_its_runs_are_counted_with(order: int) -> None:
    data, procedure = texts(1), made(order)
    model = procedure.learn(data, 0)
    asked = [[1], [2, 3], [3, 3, 3], [5, 1, 4, 2, 6], [6, 6]]
    rows = np.array([row + [0] * (7 - len(row)) for row in asked], dtype=np.float64)
    expected = [by_hand(data, text, order=order, words=6, smoothing=0.5) for text in asked]
    assert procedure.predict(model, rows) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_all_continuations_of_a_text_together_are_as_likely_as_the_text(order: int) -> None:
    procedure = made(order)
    model = procedure.learn(texts(2), 0)
    rows = np.array([[4, 2, word] for word in range(1, 7)], dtype=np.float64)
    assert np.exp(procedure.predict(model, rows)).sum() == pytest.approx(np.exp(procedure.predict(model, rows[:1, :2]))[0])


@pytest.mark.parametrize("order", [1, 2, 3])
def test_subtracting_counts_leaves_the_very_model_of_what_remains(order: int) -> None:
    data, forget = texts(3), np.array([0, 7, 29])
    models = []
    for way in ("retrain", "subtract"):
        procedure = made(order, unlearn_by=way)
        models.append(procedure.unlearn(procedure.learn(data, 0), data, forget, 1))
    assert [each.retrained for each in models] == [True, False]
    assert procedure.state(models[0]) == procedure.state(models[1])


def test_a_saved_model_is_read_back(tmp_path: Path) -> None:
    procedure = made(2)
    model = procedure.learn(texts(4), 0)
    path = str(tmp_path / "model")
    procedure.save(model, path)
    assert procedure.state(procedure.load(path)) == procedure.state(model)


def test_more_words_than_runs_can_be_numbered_are_refused() -> None:
    with pytest.raises(ValueError, match="fewer words"):
        made(3, words=3_000_000)
