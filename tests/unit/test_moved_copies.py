"""Moved copies: known records a little off, towards their nearest neighbour."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.audit.shifted_copies import MANY_VALUES, moved, nearest


def many(rows: int) -> np.ndarray:
    """A column of distinct values, and one of two values."""
    return np.column_stack([np.arange(rows, dtype=np.float64), np.arange(rows) % 2])


def test_the_nearest_neighbour_differs_and_has_the_label() -> None:
    retained = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.5, 0.0], [9.0, 9.0]])
    labels = np.array([0, 0, 0, 1, 0])
    assert nearest(np.array([[0.0, 0.0]]), np.array([0]), retained, labels).tolist() == [2]
    assert nearest(np.array([[0.0, 0.0]]), None, retained, None).tolist() == [3]


def test_a_row_without_a_neighbour_stays() -> None:
    retained, rows = np.array([[1.0, 2.0], [1.0, 2.0]]), np.array([[1.0, 2.0]])
    assert nearest(rows, None, retained, None).tolist() == [-1]
    assert (moved(rows, None, retained, None, share=0.3, rng=np.random.default_rng(0)) == rows).all()


@pytest.mark.parametrize("share", [0.1, 0.3])
def test_columns_of_many_values_move_by_the_share_of_the_difference(share: float) -> None:
    retained = many(MANY_VALUES + 1)
    rows = np.array([[10.0, 0.0]])
    copy = moved(rows, None, retained, None, share=share, rng=np.random.default_rng(0))
    neighbour = retained[nearest(rows, None, retained, None)[0]]
    assert copy[0, 0] == pytest.approx(10.0 + share * (neighbour[0] - 10.0))
    assert copy[0, 1] in {0.0, neighbour[1]}


def test_a_column_of_fifty_values_takes_the_neighbours_or_stays() -> None:
    retained = many(MANY_VALUES)
    rows = retained + 0.25
    copies = moved(rows, None, retained, None, share=0.3, rng=np.random.default_rng(1))
    neighbours = retained[nearest(rows, None, retained, None)]
    changed = copies != rows
    assert ((copies == rows) | (copies == neighbours)).all()
    assert 0.15 < changed.mean() < 0.45


def test_the_same_generator_gives_the_same_copies_and_rows_are_left_as_they_are() -> None:
    retained = many(80)
    rows = retained[:5].copy()
    first = moved(rows, None, retained, None, share=0.1, rng=np.random.default_rng(5))
    assert (first == moved(rows, None, retained, None, share=0.1, rng=np.random.default_rng(5))).all()
    assert (rows == retained[:5]).all()
