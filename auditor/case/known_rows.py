"""Find records of a holdout that equal training records: what a model was trained on is no record that it has not seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from auditor.base.records import Dataset, Floats, Positions
from auditor.base.row_blocks import distinct_rows, pieces, row_blocks
from auditor.maths.statistics.columns import units

NEAR: Final = 1e-6
"""In standard deviations of each column: how far off a record may be and still be the same one, rounded."""
_NEAR_ALONE: Final = 1e-9
"""The same of a single column, where of a thousand records some are nearer by chance."""
_FAR: Final = 1e6
"""In the same units: how far from the middle a value counts when candidates are looked for."""


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
    # Rows that are near lie near along any direction, values that are far off brought nearer or not; in the order along one the
    # few candidates stand together.
    line = _Line(np.random.default_rng(0).normal(size=len(scale)) / scale, middle - _FAR * scale, middle + _FAR * scale)
    rows, (kinds, of_row) = train.features, distinct_rows(train.features)
    asked, of_asked = distinct_rows(holdout.features)
    places, others = line.places(rows)[kinds], line.places(holdout.features)[asked]
    order = np.argsort(places, kind="stable")
    # A projection is rounded in proportion to its largest term.
    reach = near_enough * float(np.abs(line.direction * scale).sum()) + 1e-12 * line.longest
    along = places[order]
    first, last = np.searchsorted(along, others - reach, "left"), np.searchsorted(along, others + reach, "right")
    of_holdout, of_train = np.zeros(len(asked), dtype=bool), np.zeros(len(kinds), dtype=bool)
    for at in np.flatnonzero(last > first).tolist():
        row = holdout.features[asked[at]]
        for some in pieces(order[first[at] : last[at]], len(row)):
            with np.errstate(over="ignore"):
                same = some[np.all(np.abs(rows[kinds[some]] - row) <= near_enough * scale, axis=1)]
            of_train[same] = True
            of_holdout[at] |= bool(same.size)
    return Known(np.flatnonzero(of_holdout[of_asked]), np.flatnonzero(of_train[of_row]))


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """A direction that rows are projected on, with what values are brought between first; all of shape (d,)."""

    direction: Floats
    low: Floats
    high: Floats

    @property
    def longest(self) -> float:
        """The farthest from 0 that a row can come."""
        return float(np.abs(self.direction) @ np.maximum(np.abs(self.low), np.abs(self.high)))

    def places(self, rows: Floats) -> Floats:
        """Where each row lies, shape (n,); equal rows at the same place."""
        # Row by row: a product of matrices rounds the same row in other ways at other places.
        parts = [np.einsum("ij,j->i", np.clip(rows[some], self.low, self.high), self.direction) for some in row_blocks(rows)]
        return np.concatenate([np.empty(0), *parts])
