"""Find records of a holdout that equal training records: what a model was trained on is no record that it has not seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from auditor.base.domain import Dataset, Floats, Positions
from auditor.maths.statistics.columns import units

NEAR: Final = 1e-6
"""In standard deviations of each column: how far off a record may be and still be the same one, rounded."""
_NEAR_ALONE: Final = 1e-9
"""The same of a single column, where of a thousand records some are nearer by chance."""
_FAR: Final = 1e6
"""In the same units: how far from the middle a value counts when candidates are looked for."""
_ROWS: Final = 4096
"""Rows that are compared at a time."""


def _none() -> Positions:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """Records that are in both tables, whatever their ids and labels."""

    holdout: Positions = field(default_factory=_none)
    """Positions in the holdout, ascending."""
    train: Positions = field(default_factory=_none)
    """Positions in the training data, ascending."""


def known_rows(train: Dataset, holdout: Dataset) -> Known:
    """Compare a holdout with the training data, column by column.

    Args:
        train: Records, features of shape (n, d).
        holdout: Records of the same columns.
    """
    if train.features.shape[1] != holdout.features.shape[1]:
        return Known()
    near_enough = NEAR if train.features.shape[1] > 1 else _NEAR_ALONE
    middle, scale = units(train.features)
    rows, of_row = _distinct(train.features)
    asked, of_asked = _distinct(holdout.features)
    # Rows that are near lie near along any direction, values that are far off brought nearer or not; in the order along one the
    # few candidates stand together.
    low, high = middle - _FAR * scale, middle + _FAR * scale
    direction = np.random.default_rng(0).normal(size=len(scale)) / scale
    along, order = _ordered(np.clip(rows, low, high), direction)
    places = _projected(np.clip(asked, low, high), direction)
    # A projection is rounded in proportion to its largest term.
    rounding = 1e-12 * float(np.abs(direction) @ np.maximum(np.abs(low), np.abs(high)))
    reach = near_enough * float(np.abs(direction * scale).sum()) + rounding
    first, last = np.searchsorted(along, places - reach, "left"), np.searchsorted(along, places + reach, "right")
    of_holdout, of_train = np.zeros(len(asked), dtype=bool), np.zeros(len(rows), dtype=bool)
    for at in np.flatnonzero(last > first).tolist():
        for start in range(first[at], last[at], _ROWS):
            some = order[start : min(start + _ROWS, last[at])]
            with np.errstate(over="ignore"):
                same = some[np.all(np.abs(rows[some] - asked[at]) <= near_enough * scale, axis=1)]
            of_train[same] = True
            of_holdout[at] |= bool(same.size)
    return Known(np.flatnonzero(of_holdout[of_asked]), np.flatnonzero(of_train[of_row]))


def _distinct(rows: Floats) -> tuple[Floats, Positions]:
    """The rows that differ, and which of them each one is."""
    # -0 is 0.
    plain = np.ascontiguousarray(rows + 0.0)
    _, first, of_row = np.unique(
        plain.view(f"V{plain.itemsize * plain.shape[1]}").reshape(-1), return_index=True, return_inverse=True
    )
    return plain[first], of_row.reshape(-1)


def _projected(rows: Floats, direction: Floats) -> Floats:
    # Row by row: a product of matrices rounds the same row in other ways at other places.
    return np.asarray(np.einsum("ij,j->i", rows, direction))


def _ordered(rows: Floats, direction: Floats) -> tuple[Floats, Positions]:
    found = _projected(rows, direction)
    order = np.argsort(found, kind="stable")
    return found[order], order
