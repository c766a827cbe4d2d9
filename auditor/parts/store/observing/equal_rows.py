"""Find the known rows that other rows equal, value by value within a tolerance, among millions of either.

Rows that equal one another are near on any line. So known rows are sorted by where they are on two lines, those that are near on
a third as well are compared whole, and no row that is near is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from auditor.base.records import Floats, Positions
from auditor.base.row_blocks import pieces
from auditor.maths.statistics.columns import moments_of

_ROUNDING = 2.0**-44
"""By what share of their terms two sums of some hundred of them may differ."""


class Measures(NamedTuple):
    """Of each column of a table, shape (d,)."""

    lows: Floats
    highs: Floats
    means: Floats
    deviations: Floats
    """Divisor n; 0 for a column of one value, infinite or NaN where float64 does not hold it."""


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """Some rows of a table, which is not copied."""

    table: Floats
    """Shape (n, d)."""
    at: Positions
    """Shape (k,)."""

    def __len__(self) -> int:
        """How many there are."""
        return len(self.at)

    def rows(self, some: slice | Positions) -> Floats:
        """Give some of them, shape (several, d)."""
        found: Floats = self.table[self.at[some]]
        return found

    def column(self, number: int) -> Floats:
        """Give one column of them, shape (k,)."""
        found: Floats = self.table[:, number][self.at]
        return found

    def blocks(self) -> Iterator[Floats]:
        """Give all of them, some at a time."""
        yield from (self.table[some] for some in pieces(self.at, self.table.shape[1]))

    def measures(self) -> Measures:
        """Measure every column; there is one row at least."""
        width = self.table.shape[1]
        lows, highs = np.full(width, np.inf), np.full(width, -np.inf)

        def noted() -> Iterator[Floats]:
            for block in self.blocks():
                np.minimum(lows, block.min(axis=0), out=lows)
                np.maximum(highs, block.max(axis=0), out=highs)
                yield block

        means, deviations = moments_of(noted())
        return Measures(lows, highs, means, np.where(highs > lows, deviations, 0.0))


class Known:
    """Rows that others are compared with."""

    def __init__(self, rows: Chosen, written: Callable[[Floats], Floats], within: float) -> None:
        """Measure them along three lines.

        Args:
            rows: The rows, k of them.
            written: Brings rows of the table into the units in which they are compared, shape (several, c).
            within: How far off each value may be, in these units.
        """
        self._rows, self._written, self._within = rows, written, within
        columns = written(rows.table[:1]).shape[1]
        self._lines = np.random.default_rng(1).normal(size=(columns, 3))
        largest = np.zeros(3)
        for each in rows.blocks():
            largest = np.maximum(largest, (np.abs(written(each)) @ np.abs(self._lines)).max(axis=0, initial=0.0))
        self._slack = within * np.abs(self._lines).sum(axis=0) + _ROUNDING * largest
        along = np.concatenate([np.empty((0, 3)), *(written(each) @ self._lines for each in rows.blocks())])
        self._cells, cells = np.unique(np.floor(along[:, 0] / self._slack[0]), return_inverse=True)
        second = np.argsort(along[:, 1])
        self._seconds = along[second, 1]
        ranks = np.empty(len(rows), dtype=np.int64)
        ranks[second] = np.arange(len(rows))
        # A cell of the first line, and the place on the second, as one whole number.
        keys = cells * (len(rows) + 1) + ranks
        self._order = np.argsort(keys)
        self._keys = keys[self._order]
        self._thirds = np.ascontiguousarray(along[:, 2])

    def equal(self, rows: Floats) -> Positions:
        """Say which known row each of some rows, shape (several, c), equals: its place among them; -1 where none."""
        found = np.full(len(rows), -1, dtype=np.int64)
        along = rows @ self._lines
        cells = np.floor(along[:, 0] / self._slack[0])
        low = np.searchsorted(self._seconds, along[:, 1] - self._slack[1], "left")
        high = np.searchsorted(self._seconds, along[:, 1] + self._slack[1], "right")
        for beside in (0, -1, 1):
            left = np.flatnonzero((found < 0) & (high > low))
            cell = np.searchsorted(self._cells, cells[left] + beside)
            there = cell < len(self._cells)
            there[there] = self._cells[cell[there]] == (cells[left] + beside)[there]
            left, first = left[there], cell[there] * (len(self._rows) + 1)
            start = np.searchsorted(self._keys, first + low[left], "left")
            stop = np.searchsorted(self._keys, first + high[left], "left")
            while (left := left[more := start < stop]).size:
                start, stop = start[more], stop[more]
                candidates = self._order[start]
                near = np.flatnonzero(np.abs(self._thirds[candidates] - along[left, 2]) <= self._slack[2])
                others = self._written(self._rows.rows(candidates[near]))
                same = near[(np.abs(rows[left[near]] - others) <= self._within).all(axis=1)]
                found[left[same]] = candidates[same]
                start = start + 1
                start[same] = stop[same]
        return found

    def differ(self, row: Floats, columns: npt.NDArray[np.bool_]) -> bool:
        """Say whether each known row is further off than the tolerance in one of some columns; shape (c,) each."""
        apart = (np.abs(self._written(each) - row) > self._within for each in self._rows.blocks())
        return all(bool((each & columns).any(axis=1).all()) for each in apart)
