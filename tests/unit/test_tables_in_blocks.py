"""What is asked of a large table is worked out a block at a time, and comes out as of the whole."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.base import row_blocks
from auditor.base.row_blocks import distinct_rows
from auditor.maths.statistics.columns import moments, units


def expected(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    _, first, of_row = np.unique(table + 0.0, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order))
    return first[order], places[of_row.reshape(-1)]


@pytest.mark.parametrize("numbers", [1, 7, 1 << 22])
@pytest.mark.parametrize("seed", range(4))
def test_they_are_those_of_unique(monkeypatch: pytest.MonkeyPatch, numbers: int, seed: int) -> None:
    monkeypatch.setattr(row_blocks, "BLOCK_NUMBERS", numbers)
    table = np.random.default_rng(seed).integers(-1, 2, size=(200, 4)).astype(float)
    table[3] = -0.0
    first, of_row = distinct_rows(table)
    for found, wanted in zip((first, of_row), expected(table), strict=True):
        assert np.array_equal(found, wanted)
    assert np.array_equal(table[first][of_row], table)


@pytest.mark.parametrize("seed", range(4))
def test_rows_whose_keys_are_made_to_agree_are_told_apart(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(row_blocks, "_keys", lambda rows: np.zeros(len(rows), dtype=np.uint64))
    table = np.random.default_rng(seed).integers(-1, 2, size=(200, 4)).astype(float)
    table[5] = -0.0
    for found, wanted in zip(distinct_rows(table), expected(table), strict=True):
        assert np.array_equal(found, wanted)


def test_no_row_has_no_distinct_one() -> None:
    first, of_row = distinct_rows(np.empty((0, 3)))
    assert not first.size
    assert not of_row.size


@pytest.mark.parametrize("numbers", [1, 40, 1 << 22])
@pytest.mark.parametrize(("middle", "size"), [(0.0, 1.0), (1e6, 1.0), (-3.0, 1e-3), (0.0, 1e150)])
def test_moments_are_those_of_the_whole_table(monkeypatch: pytest.MonkeyPatch, numbers: int, middle: float, size: float) -> None:
    monkeypatch.setattr(row_blocks, "BLOCK_NUMBERS", numbers)
    table = middle + size * np.random.default_rng(1).normal(size=(500, 4))
    table[:, 1] = middle
    means, deviations = moments(table)
    np.testing.assert_allclose(means, table.mean(axis=0), rtol=1e-12, atol=1e-12 * size)
    np.testing.assert_allclose(deviations, table.std(axis=0), rtol=1e-9, atol=1e-9 * size)
    assert np.array_equal(moments(table, np.full(4, 2.0))[0], moments(table / 2.0)[0])


def test_moments_that_float64_does_not_hold_are_no_numbers() -> None:
    assert not np.isfinite(moments(np.array([[1e308, 0.0], [-1e308, 1.0], [1e308, 2.0]]))[1][0])


def test_units_are_numbers_where_moments_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_blocks, "BLOCK_NUMBERS", 8_000)
    table = np.ones((25_000, 2))
    table[[1, 4], 0] = 1.7e308
    middle, scale = units(table)
    assert middle.tolist() == [1.0, 1.0]
    assert scale.tolist() == [1.0, 1.0]


def test_a_table_without_rows_has_no_moments() -> None:
    with pytest.raises(ValueError, match="without rows"):
        moments(np.empty((0, 2)))
