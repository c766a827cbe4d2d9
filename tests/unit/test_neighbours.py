"""Nearest records found many at a time: the very ones that a search row by row finds, ties and rounding included."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from auditor.audit import shifted_copies
from auditor.audit.shifted_copies import nearest


def one_by_one(rows, labels, retained, retained_labels):
    """The search that blocks replaced: one row against all records."""
    largest = np.maximum(np.abs(retained).max(axis=0), np.abs(rows).max(axis=0, initial=0.0))
    units = np.where(largest > 0, largest, 1.0)
    left, right = rows / units, retained / units
    deviations = right.std(axis=0)
    scale = np.where(deviations > 0, 1.0 / np.where(deviations > 0, deviations, 1.0), 0.0)
    left, right = left * scale, right * scale
    found, lengths = np.full(len(rows), -1, dtype=np.int64), np.einsum("ij,ij->i", right, right)
    for place, row in enumerate(left):
        distances = np.maximum(lengths - 2 * (right @ row) + row @ row, 0.0)
        if labels is not None:
            distances[retained_labels != labels[place]] = np.inf
        close = np.flatnonzero(distances <= 1e-6 * (1.0 + row @ row))
        distances[close[np.all(retained[close] == rows[place], axis=1)]] = np.inf
        best = int(np.argmin(distances))
        if np.isfinite(distances[best]):
            found[place] = best
    return found


def distinct(rng: np.random.Generator) -> np.ndarray:
    return rng.normal(size=(400, 7))


def tied(rng: np.random.Generator) -> np.ndarray:
    return rng.integers(0, 3, size=(400, 4)).astype(np.float64)


def repeated(rng: np.random.Generator) -> np.ndarray:
    return np.repeat(rng.normal(size=(40, 5)), 10, axis=0)


def uneven(rng: np.random.Generator) -> np.ndarray:
    return rng.normal(size=(400, 4)) * [1.0, 1e150, 1e-150, 0.0]


def nearly_equal(rng: np.random.Generator) -> np.ndarray:
    """Records that differ by a few units in the last place: products cannot tell which of them is nearest."""
    made = 1.0 + rng.normal(size=(40, 1)) + np.zeros((40, 5))
    return np.repeat(made, 10, axis=0) * (1.0 + rng.integers(-2, 3, size=(400, 5)) * 2.0**-52)


def outlier(rng: np.random.Generator) -> np.ndarray:
    made = rng.normal(size=(400, 5))
    made[7] = 1e200
    return made


@pytest.mark.parametrize("kind", [distinct, tied, repeated, uneven, nearly_equal, outlier])
@pytest.mark.parametrize("at_once", [1, 700, shifted_copies._AT_ONCE])
def test_blocks_find_what_one_row_at_a_time_finds(
    kind: Callable[[np.random.Generator], np.ndarray], at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shifted_copies, "_AT_ONCE", at_once)
    rng = np.random.default_rng(3)
    retained = kind(rng)
    rows = np.concatenate([retained[:30], retained[30:50] * 1.01, kind(rng)[:10]])
    assert (nearest(rows, None, retained, None) == one_by_one(rows, None, retained, None)).all()
    labels, own = rng.integers(0, 3, len(retained)), rng.integers(0, 4, len(rows))
    assert (nearest(rows, own, retained, labels) == one_by_one(rows, own, retained, labels)).all()


def test_no_row_is_searched_for_by_itself_where_records_lie_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def alone(*_: object) -> int:
        raise AssertionError("searched for by itself")

    retained = distinct(np.random.default_rng(3))
    monkeypatch.setattr(shifted_copies, "_alone", alone)
    assert (nearest(retained[:50], None, retained, None) >= 0).all()


def test_rows_without_a_record_of_their_label_and_no_rows_at_all() -> None:
    retained = np.eye(3)
    assert nearest(np.zeros((2, 3)), np.array(["a", "b"]), retained, np.array(["b", "b", "c"])).tolist() == [-1, 0]
    assert nearest(np.empty((0, 3)), None, retained, None).tolist() == []
