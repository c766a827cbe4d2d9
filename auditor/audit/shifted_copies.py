"""Make moved copies: records a little off known ones, towards their nearest neighbour, that no table holds.

Code that answers known records from a list, or keeps what it memorised for them, does not recognise them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.base.mixed_columns import Columns, coordinates, missing_codes, moves, settled
from auditor.base.records import Floats, Positions
from auditor.base.row_blocks import row_blocks
from auditor.maths.statistics.columns import deviations, has_more_values

# Find for each of some rows the nearest record of a table that differs from it and has its label.
# Matrix products find it for many rows at a time. They round in another way than the distances of one row to all records, by
# which a row is decided whose two nearest records lie closer together than rounding: the answer never depends on how rows are
# blocked.
_NEAR: Final = 1e-6
_AT_ONCE: Final = 2**21
"""Distances that are held at a time: 16 MiB."""
_SLACK: Final = 16 * float(np.finfo(np.float64).eps)
"""A sum of d products is off by at most d·eps times both rows' lengths: enough for two such sums, each computed in two ways."""


def nearest(
    rows: Floats, labels: npt.NDArray[Any] | None, retained: Floats, retained_labels: npt.NDArray[Any] | None
) -> Positions:
    """Find for each row the retained record of its label that is nearest and not equal to it; shape (m,), −1 for none.

    Args:
        rows: Shape (m, d).
        labels: Shape (m,); None where any record may be the neighbour.
        retained: Shape (n, d), n at least 1.
        retained_labels: Shape (n,); None together with `labels`.
    """
    # In units of its largest value first, as no square of a column may overflow.
    largest = np.maximum(np.maximum(retained.max(axis=0), -retained.min(axis=0)), np.abs(rows).max(axis=0, initial=0.0))
    right = _Scaled.of(retained, np.where(largest > 0, largest, 1.0))
    left = right.scaled(rows)
    lengths, squares = right.lengths(), np.einsum("ij,ij->i", left, left)
    found, open_ = np.full(len(rows), -1, dtype=np.int64), np.ones(len(rows), dtype=bool)
    if np.isfinite(lengths).all() and np.isfinite(squares).all():
        for asked, among in _groups(len(rows), labels, len(retained), retained_labels):
            found[asked], open_[asked] = _together(rows[asked], left[asked], right, lengths, among)
    for place in np.flatnonzero(open_).tolist():
        other = None if labels is None or retained_labels is None else retained_labels != labels[place]
        found[place] = _alone(rows[place], left[place], right, lengths, other)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Scaled:
    """A large table in units of its columns' deviations, of which only a part is ever made."""

    table: Floats
    """Shape (n, d), as it is."""
    units: Floats
    scale: Floats

    @classmethod
    def of(cls, table: Floats, units: Floats) -> _Scaled:
        """Measure the columns, shape (n, d), in units of each, shape (d,), before their squares are taken."""
        found = deviations(table, units)
        return cls(table, units, np.where(found > 0, 1.0 / np.where(found > 0, found, 1.0), 0.0))

    def scaled(self, rows: Floats) -> Floats:
        """Any rows in these units, shape (m, d)."""
        found = rows / self.units
        found *= self.scale
        return found

    def lengths(self) -> Floats:
        """The squared length of each row, shape (n,)."""
        parts = (self.scaled(self.table[some]) for some in row_blocks(self.table))
        return np.concatenate([np.einsum("ij,ij->i", part, part) for part in parts])

    def products(self, row: Floats) -> Floats:
        """Each row times another one in these units, shape (n,)."""
        return np.concatenate([self.scaled(self.table[some]) @ row for some in row_blocks(self.table)])


def _groups(
    rows: int, labels: npt.NDArray[Any] | None, records: int, retained_labels: npt.NDArray[Any] | None
) -> Iterator[tuple[Positions, Positions]]:
    """Rows of one label, and the records of that label."""
    if labels is None or retained_labels is None:
        yield np.arange(rows), np.arange(records)
        return
    for label in np.unique(labels):
        yield np.flatnonzero(labels == label), np.flatnonzero(retained_labels == label)


def _together(
    rows: Floats, left: Floats, right: _Scaled, lengths: Floats, among: Positions
) -> tuple[Positions, npt.NDArray[np.bool_]]:
    """Find the nearest of the records `among`, −1 for none, and for which rows rounding could have another one."""
    every = np.arange(len(rows))
    squares = np.einsum("ij,ij->i", left, left)
    first, best, second = np.full(len(rows), -1, dtype=np.int64), np.full(len(rows), np.inf), np.full(len(rows), np.inf)
    twice = -2.0 * left
    step = max(1, _AT_ONCE // max(1, *rows.shape))
    for start in range(0, len(among), step):
        block = among[start : start + step]
        # Squared distances less the row's own square, which is the same for every record.
        apart = twice @ right.scaled(right.table[block]).T
        apart += lengths[block]
        closest = apart.argmin(axis=1)
        for row in np.flatnonzero(apart[every, closest] + squares <= 2 * _NEAR * (1.0 + squares)).tolist():
            # Equal records are nearer than that.
            close = np.flatnonzero(apart[row] + squares[row] <= 2 * _NEAR * (1.0 + squares[row]))
            apart[row, close[np.all(right.table[block[close]] == rows[row], axis=1)]] = np.inf
            closest[row] = apart[row].argmin()
        lowest = apart[every, closest]
        apart[every, closest] = np.inf
        second = np.minimum(np.minimum(second, apart.min(axis=1)), np.maximum(best, lowest))
        first = np.where(lowest < best, block[closest], first)
        best = np.minimum(best, lowest)
    slack = _SLACK * (rows.shape[1] + 8) * (float(lengths[among].max(initial=0.0)) + squares)
    return first, np.isfinite(best) & (second <= best + slack)


def _alone(row: Floats, scaled: Floats, right: _Scaled, lengths: Floats, other: npt.NDArray[np.bool_] | None) -> int:
    """Find the nearest record of one row, shape (d,), the first of several; −1 for none. No `other` one, shape (n,), counts."""
    distances = np.maximum(lengths - 2 * right.products(scaled) + scaled @ scaled, 0.0)
    if other is not None:
        distances[other] = np.inf
    # The formula rounds: only what is near can be equal, and that is compared exactly.
    close = np.flatnonzero(distances <= _NEAR * (1.0 + scaled @ scaled))
    distances[close[np.all(right.table[close] == row, axis=1)]] = np.inf
    best = int(np.argmin(distances))
    return best if np.isfinite(distances[best]) else -1


MANY_VALUES: Final = 50
"""A column with more distinct values moves by a share of the difference; any other takes the neighbour's value, or stays."""
SHARES: Final = (0.1, 0.3)
"""How far copies are moved."""


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Rows with their nearest neighbours: what does not depend on how far copies are moved."""

    rows: Floats
    """Shape (m, d)."""
    towards: Floats
    """The neighbour of each row, shape (m, d); the row itself where it has none."""
    has_one: npt.NDArray[np.bool_]
    """Shape (m,)."""
    numeric: npt.NDArray[np.bool_]
    """Which columns have many values, shape (d,)."""
    stays: npt.NDArray[np.bool_]
    """Which columns never move, shape (d,)."""
    table: Columns | None

    @classmethod
    def of(
        cls,
        rows: Floats,
        labels: npt.NDArray[Any] | None,
        retained: Floats,
        retained_labels: npt.NDArray[Any] | None,
        *,
        table: Columns | None = None,
    ) -> Neighbours:
        """Find for each row the nearest retained record that differs from it and has its label.

        Distances are measured in standard deviations of the retained records' columns.

        Args:
            rows: Shape (m, d).
            labels: Shape (m,); None where labels are no classes, and any record may be the neighbour.
            retained: Shape (n, d), n at least 1.
            retained_labels: Shape (n,); None together with `labels`.
            table: What the rows' codes stand for, of a table of mixed columns: times and free text stay, categories count as
                columns of few values, and a missing value neither moves nor is moved towards by a share.
        """
        if table is None:
            numeric = np.array([has_more_values(column, MANY_VALUES) for column in retained.T])
            stays = np.zeros(rows.shape[1], bool)
        else:
            numeric, stays = moves(table, retained, many=MANY_VALUES)
        near = nearest(coordinates(table, rows), labels, coordinates(table, retained), retained_labels)
        towards = rows.copy()
        towards[near >= 0] = retained[near[near >= 0]]
        return cls(rows, towards, near >= 0, numeric, stays, table)

    def copies(self, share: float, rng: np.random.Generator) -> Floats:
        """Move each row towards its neighbour, shape (m, d); a row without one stays.

        Args:
            share: The chance with which a column of few values takes the neighbour's, and the share of the difference by which
                any other moves.
            rng: Draws which columns take the neighbour's value.
        """
        taken = rng.random(self.rows.shape) < share
        missing = np.full(self.rows.shape[1], np.nan) if self.table is None else missing_codes(self.table)
        copies = self.rows.copy()
        for place in np.flatnonzero(self.has_one).tolist():
            towards = self.towards[place]
            whole = ~self.numeric & ~self.stays & taken[place]
            copies[place, whole] = towards[whole]
            partly = self.numeric & (self.rows[place] != missing) & (towards != missing)
            copies[place, partly] += share * towards[partly] - share * self.rows[place, partly]
        return copies if self.table is None else settled(self.table, copies)


def moved(
    rows: Floats,
    labels: npt.NDArray[Any] | None,
    retained: Floats,
    retained_labels: npt.NDArray[Any] | None,
    *,
    share: float,
    rng: np.random.Generator,
    table: Columns | None = None,
) -> Floats:
    """Move each row once, as `Neighbours` does; the arguments as there."""
    return Neighbours.of(rows, labels, retained, retained_labels, table=table).copies(share, rng)
