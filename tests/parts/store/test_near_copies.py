"""Copies of deleted records among the retained ones: equal or nearly so, whatever their ids."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from auditor.base.domain import Dataset, Request
from auditor.parts.store.judging.data_erased import Copies
from auditor.parts.store.observing import near_copies as near_copies_module
from auditor.parts.store.observing.near_copies import SHARE_OF_MEDIAN, near_copies

AT = datetime(2026, 1, 1, tzinfo=UTC)


def data(features: np.ndarray) -> Dataset:
    return Dataset(features, np.zeros(len(features), dtype=np.int64), np.array([f"r{row}" for row in range(len(features))]))


def found(features: np.ndarray, *deleted: int) -> Copies:
    requests = [Request(row, f"Q{row}", (f"r{row}",), AT) for row in deleted]
    copies = near_copies(data(features), np.array(deleted, dtype=np.int64), requests)
    assert copies is not None
    return copies


@pytest.fixture
def rows() -> np.ndarray:
    return np.random.default_rng(0).normal(size=(200, 6)) * [1, 10, 1e6, 1e-6, 1, 1] + [0, 0, 1e9, 0, 5, 0]


def test_without_copies_nothing_is_found(rows: np.ndarray) -> None:
    assert found(rows, 3, 9) == Copies(deleted=2, found=0, request_ids=(), retained_looked_at=198, retained_with_a_copy=0)


@pytest.mark.parametrize("noise", [0.0, 1e-9, 1e-4])
def test_a_copy_is_found_under_any_id(rows: np.ndarray, noise: float) -> None:
    rng = np.random.default_rng(1)
    doubled = np.concatenate([rows, rows[[9]] + noise * rows.std(axis=0) * rng.normal(size=6)])
    copies = found(doubled, 3, 9)
    assert (copies.found, copies.request_ids) == (1, ("Q9",))


def test_a_neighbour_as_far_as_others_is_no_copy(rows: np.ndarray) -> None:
    far = np.concatenate([rows, rows[[9]] + 0.5 * rows.std(axis=0)])
    assert found(far, 9).found == 0


@pytest.mark.parametrize(("share", "count"), [(0.9, 1), (1.1, 0)])
def test_near_is_a_hundredth_of_the_median(share: float, count: int) -> None:
    # On a line with steps of 1 every nearest neighbour is 1 away, in deviations of the retained rows.
    line = np.arange(101.0)[:, None]
    assert SHARE_OF_MEDIAN == 0.01
    assert found(np.concatenate([line, [[100.0 + share * 0.01]]]), 101).found == count


def test_rows_that_many_share_are_counted_as_usual() -> None:
    coarse = np.repeat(np.arange(10.0), 10)[:, None]
    copies = found(coarse, 4)
    assert (copies.found, copies.retained_with_a_copy, copies.retained_looked_at) == (1, 99, 99)


def test_where_nothing_is_deleted_or_hardly_anything_left_nothing_is_said() -> None:
    rows = data(np.eye(4))
    assert near_copies(rows, np.empty(0, dtype=np.int64), ()) is None
    assert near_copies(rows, np.arange(2), ()) is None


def test_a_copy_is_found_behind_any_number_of_records_that_look_as_near_along_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_copies_module, "_AT_ONCE", 4)
    line = np.random.default_rng(0).normal(size=2)
    across = np.array([-line[1], line[0]])
    rng = np.random.default_rng(1)
    spread = np.linspace(-9.0, 9.0, 41)[:, None] * across + rng.normal(size=(41, 1)) * 1e-3 * line
    spread /= spread.std(axis=0)
    assert found(np.concatenate([spread, spread[[30]]]), 41).found == 1


def test_a_constant_column_does_no_harm(rows: np.ndarray) -> None:
    rows[:, 1] = 7.0
    assert found(np.concatenate([rows, rows[[9]]]), 9).found == 1
