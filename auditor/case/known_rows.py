"""Find records of a holdout that equal training records: what a model was trained on is no record that it has not seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from auditor.base.domain import Dataset, Floats, Positions
from auditor.maths.statistics.columns import deviations

NEAR: Final = 1e-6
"""In standard deviations of each column: how far off a record may be and still be the same one, rounded."""
_NEAR_ALONE: Final = 1e-9
"""The same of a single column, where of a thousand records some are nearer by chance."""
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
    spread, near_enough = deviations(train.features), NEAR if train.features.shape[1] > 1 else _NEAR_ALONE
    scale = np.where(spread > 0, spread, 1.0)
    direction = np.random.default_rng(0).normal(size=len(scale)) / scale
    # Rows that are near lie near along any direction; in the order along one the few candidates stand together.
    along, order = _ordered(train.features, direction)
    places = _projected(holdout.features, direction)
    # A projection is rounded in proportion to its largest term.
    largest = np.maximum(np.abs(train.features.min(axis=0)), np.abs(train.features.max(axis=0)))
    rounding = 1e-12 * float(np.abs(direction) @ largest)
    reach = near_enough * float(np.abs(direction * scale).sum()) + rounding
    first, last = np.searchsorted(along, places - reach, "left"), np.searchsorted(along, places + reach, "right")
    of_holdout, of_train = [], set[int]()
    for at in np.flatnonzero(last > first).tolist():
        near = order[first[at] : last[at]]
        met = [
            some[np.all(np.abs(train.features[some] - holdout.features[at]) <= near_enough * scale, axis=1)]
            for some in (near[start : start + _ROWS] for start in range(0, len(near), _ROWS))
        ]
        same = np.concatenate(met)
        if same.size:
            of_holdout.append(at)
            of_train.update(same.tolist())
    return Known(np.array(of_holdout, dtype=np.int64), np.array(sorted(of_train), dtype=np.int64))


def _projected(rows: Floats, direction: Floats) -> Floats:
    # Row by row: a product of matrices rounds the same row in other ways at other places.
    return np.asarray(np.einsum("ij,j->i", rows, direction))


def _ordered(rows: Floats, direction: Floats) -> tuple[Floats, Positions]:
    found = _projected(rows, direction)
    order = np.argsort(found, kind="stable")
    return found[order], order
