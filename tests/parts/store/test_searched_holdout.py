"""The holdout is a searched place, and rows of it that equal training records are not unseen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from test_erasure_search import observed

from auditor import case as cases
from auditor.audit.describing import case_facts
from auditor.base.records import Dataset
from auditor.case.known_rows import known_rows
from auditor.pages.words import basis, said
from auditor.parts.usefulness.judging import utility_accuracy
from auditor.verdict.checks.stated import known_rows as said_of_rows
from judging import context_of_case
from small_cases import problem, write

FEATURES, LABELS = problem()
GONE = 3
"""Records that the log of `write` deletes, the first ones."""


def held_out(folder: Path, rows: np.ndarray, labels: np.ndarray | None = None) -> Path:
    write(folder, FEATURES, LABELS, data='holdout = "holdout.npz"')
    given = np.arange(len(rows)) % 2 if labels is None else labels
    np.savez(folder / "holdout.npz", features=rows, labels=given, ids=np.array([f"new-{row:03d}" for row in range(len(rows))]))
    return folder


def strangers(count: int = 120) -> np.ndarray:
    return problem(count, seed=9)[0]


def test_a_holdout_of_strangers_is_searched_and_clean(tmp_path: Path) -> None:
    seen = observed(held_out(tmp_path, strangers()))
    assert (seen.found, [(said(each.place), each.found) for each in seen.searched]) == (0, [("holdout holdout.npz", 0)])
    assert seen.in_holdout is not None
    assert (seen.in_holdout.records, seen.in_holdout.found, seen.in_holdout.retained) == (120, 0, 0)
    assert seen.open_elsewhere == ()


@pytest.mark.parametrize(
    "change",
    [lambda rows: rows, lambda rows: rows.astype(np.float32).astype(float), lambda rows: rows * (1 + 1e-7)],
    ids=["as it is", "float32", "moved"],
)
def test_a_deleted_record_in_the_holdout_is_found(tmp_path: Path, change) -> None:
    seen = observed(held_out(tmp_path, np.concatenate([strangers(), change(FEATURES[1:2])])))
    assert seen.in_holdout is not None
    assert (seen.found, seen.request_ids, seen.in_holdout.found) == (1, ("R-1",), 1)


def test_a_record_that_says_little_is_counted_and_not_found(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    features = rng.integers(0, 8, (200, 5)) / 20
    write(tmp_path, features[:150], np.arange(150) % 2, data='holdout = "holdout.npz"')
    ids = np.array([f"new-{row:03d}" for row in range(50)])
    rows = np.concatenate([features[151:] + 0.001, features[[1]]])
    np.savez(tmp_path / "holdout.npz", features=rows, labels=np.arange(50) % 2, ids=ids)
    seen = observed(tmp_path)
    assert seen.in_holdout is not None
    assert (seen.found, seen.in_holdout.found) == (0, 1)


def test_a_record_that_says_much_fails_and_is_named(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    features = rng.normal(size=(200, 20))
    features /= np.linalg.norm(features, axis=1)[:, None]
    write(tmp_path, features[:150], np.arange(150) % 2, data='holdout = "holdout.npz"')
    rows = np.concatenate([features[150:], features[[1, 40]]])
    np.savez(
        tmp_path / "holdout.npz", features=rows, labels=np.arange(52) % 2, ids=np.array([f"new-{row:03d}" for row in range(52)])
    )
    seen = observed(tmp_path)
    # One retained record among them makes it no table in which records meet by chance.
    assert (seen.found, seen.request_ids, seen.in_holdout.retained) == (1, ("R-1",), 1)
    (place,) = [each for each in seen.searched if said(each.place) == "holdout holdout.npz"]
    assert place.found == 1


def test_rows_that_equal_training_records_are_left_out_and_said(tmp_path: Path) -> None:
    rows = np.concatenate([FEATURES[[20]], strangers(), FEATURES[[9, 30]] * (1 + 1e-9)])
    case = cases.read(held_out(tmp_path, rows))
    assert case.holdout is not None
    assert case.whole_holdout is not None
    assert (len(case.holdout), len(case.whole_holdout)) == (120, 123)
    np.testing.assert_array_equal(case.known.train, [9, 20, 30])
    facts = case_facts(case)
    assert facts.holdout_records == 120
    assert facts.known_rows is not None
    assert (facts.known_rows.count, facts.known_rows.of, facts.known_rows.rows) == (3, 123, (1, 122, 123))
    assert basis(said_of_rows(context_of_case(case))) == (
        "3 of 123 records of the holdout equal training records, first in row 1. Models have seen those, so they were left out."
    )


def test_where_nothing_unseen_is_left_the_way_out_is_said(tmp_path: Path) -> None:
    case = cases.read(held_out(tmp_path, FEATURES[10:20]))
    assert case.holdout is None
    missing = utility_accuracy.applies(context_of_case(case), {})
    assert missing is not None
    assert "Give records that are in no training" in basis((missing,))


@pytest.mark.parametrize(("load", "most"), [(load_iris, 3), (load_wine, 0), (load_breast_cancer, 0)])
def test_a_holdout_drawn_from_the_same_table_keeps_its_records(load, most: int) -> None:
    features, labels = load(return_X_y=True)
    rng = np.random.default_rng(1)
    for _ in range(20):
        order = rng.permutation(len(features))
        cut = len(order) // 4
        ids = np.array([f"{row}" for row in range(len(order))])
        parts = [Dataset(features[some], labels[some], ids[some]) for some in (order[cut:], order[:cut])]
        assert len(known_rows(*parts).holdout) <= most


def test_known_rows_are_those_that_a_comparison_of_all_pairs_finds() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        train, holdout = (rng.integers(0, 3, (size, 4)).astype(float) for size in (60, 30))
        parts = [
            Dataset(rows, np.zeros(len(rows)), np.array([f"{row}" for row in range(len(rows))])) for rows in (train, holdout)
        ]
        same = (holdout[:, None] == train[None]).all(axis=2)
        found = known_rows(*parts)
        np.testing.assert_array_equal(found.holdout, np.flatnonzero(same.any(axis=1)))
        np.testing.assert_array_equal(found.train, np.flatnonzero(same.any(axis=0)))


def test_deleted_records_in_a_holdout_of_training_records_leave_it_open(tmp_path: Path) -> None:
    """Many retained records are there as well: by chance, rows of so many digits are not."""
    seen = observed(held_out(tmp_path, np.concatenate([strangers(), FEATURES[1:2], FEATURES[10:20]])))
    assert seen.in_holdout is not None
    assert (seen.found, seen.in_holdout.found, seen.in_holdout.retained) == (0, 1, 10)
    (open_place,) = seen.open_elsewhere
    assert "it holds 1 deleted record(s) by values that hardly anybody else has" in said(open_place)


@pytest.mark.parametrize("far", [1e8, 1e155, 1e200])
def test_one_row_that_is_far_off_makes_no_row_known_or_unknown(far: float) -> None:
    rng = np.random.default_rng(5)
    rows = np.concatenate([rng.normal(size=(2_000, 5)), np.full((1, 5), far)])
    held = np.concatenate([rows[:100], rng.normal(size=(100, 5))])
    found = known_rows(*(Dataset(each, np.zeros(len(each)), np.arange(len(each)).astype(str)) for each in (rows, held)))
    assert found.holdout.tolist() == found.train.tolist() == list(range(100))


def test_rows_that_many_have_are_compared_once() -> None:
    rng = np.random.default_rng(6)
    rows = rng.integers(2, size=(40_000, 3)).astype(float)
    held = np.concatenate([rows[:100], np.full((3, 3), 0.5)])
    found = known_rows(*(Dataset(each, np.zeros(len(each)), np.arange(len(each)).astype(str)) for each in (rows, held)))
    assert found.holdout.tolist() == list(range(100))
    assert len(found.train) == 40_000
