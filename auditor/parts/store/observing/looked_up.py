"""Rows of numbers are looked up in a table: in neighbouring columns, each value within a tolerance of its own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.base.records import Floats, Positions
from auditor.base.row_blocks import row_blocks

_AT_ONCE: Final = 2**18
"""Numbers that are compared at a time."""
_SCANNED: Final = 2_000
"""Rows that are looked up in a table before it is sorted."""
_SHIFTS: Final = 4
"""Places at which a row may begin in a table, to be looked up without that."""
_FEW_ROWS: Final = 64
"""Rows that are compared whole."""


class LookedUp:
    """A table of numbers in which rows are looked up; where many are, it is sorted once."""

    def __init__(self, table: Floats) -> None:
        """Take a table, shape (n, w)."""
        self.table = table
        self._looked_up = 0

    @cached_property
    def _order(self) -> Positions:
        """Where its values lie, one after another, by size."""
        return np.argsort(self.table.ravel())

    @cached_property
    def _values(self) -> Floats:
        found: Floats = self.table.ravel()[self._order]
        return found

    @classmethod
    def blocks(cls, table: npt.NDArray[Any], width: int) -> Iterator[LookedUp]:
        """Any numeric table, some rows at a time, with at least `width` numbers; one that is narrower is taken for one row."""
        table = table if table.shape[1] >= width else table.reshape(1, -1)
        for some in row_blocks(table):
            with np.errstate(invalid="ignore"):  # a damaged file may hold a NaN that signals
                values = np.ascontiguousarray(table[some], dtype=np.float64)
            yield cls(values)

    def count(self, rows: Floats, *, within: float = 0.0) -> npt.NDArray[np.int64]:
        """How often the table has each value of some rows, or one that is off by so small a part of it; shape (m, d)."""
        off = within * np.abs(rows)
        found = [np.searchsorted(self._values, rows - off, "left"), np.searchsorted(self._values, rows + off, "right")]
        return np.asarray(found[1] - found[0])

    def near(self, row: Floats, tolerance: Floats) -> Positions:
        """The table's rows in which neighbouring columns lie within `tolerance` of `row`, both of shape (d,), value by value."""
        self._looked_up += 1
        if self._looked_up <= _SCANNED and self.table.shape[1] - len(row) < _SHIFTS:
            return self._scanned(row, tolerance)
        starts = np.searchsorted(self._values, row - tolerance, side="left")
        stops = np.searchsorted(self._values, row + tolerance, side="right")
        rarest = int(np.argmin(stops - starts))
        places = self._order[starts[rarest] : stops[rarest]]
        width = self.table.shape[1]
        rows, first = places // width, places % width - rarest
        inside = (first >= 0) & (first + len(row) <= width)
        rows, first = rows[inside], first[inside]
        for column, value in enumerate(row.tolist()):
            if len(rows) * len(row) <= _AT_ONCE:
                break
            close = np.abs(self.table[rows, first + column] - value) <= tolerance[column]
            rows, first = rows[close], first[close]
        same = np.abs(self.table[rows[:, None], first[:, None] + np.arange(len(row))] - row) <= tolerance
        return np.unique(rows[same.all(axis=1)])

    def _scanned(self, row: Floats, tolerance: Floats) -> Positions:
        """The same, column by column among the rows that are left."""
        found = []
        for shift in range(self.table.shape[1] - len(row) + 1):
            rows = np.flatnonzero(np.abs(self.table[:, shift] - row[0]) <= tolerance[0])
            for column, value in enumerate(row.tolist()):
                if len(rows) <= _FEW_ROWS:
                    break
                rows = rows[np.abs(self.table[rows, shift + column] - value) <= tolerance[column]]
            same = np.abs(self.table[rows, shift : shift + len(row)] - row) <= tolerance
            found.append(rows[same.all(axis=1)])
        return np.unique(np.concatenate([np.empty(0, dtype=np.int64), *found]))
