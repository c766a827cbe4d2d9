"""Say whether a column has a value, or where it has some, within a tolerance; a column of millions is not sorted for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from auditor.base.records import Floats, Positions

_MANY: Final = 1 << 17
"""Values from which on they are not sorted."""
_MOST_CELLS: Final = 1 << 22
_BESIDE: Final = 3
"""Cells on either side in which a value within the tolerance can lie."""
_EDGE: Final = 2 * _BESIDE + 1
"""Empty cells at either end, so that what is farther out has no value in a cell around it."""


class _Cells(NamedTuple):
    """Values cut into cells that are a little narrower than a tolerance."""

    low: float
    width: float
    met: npt.NDArray[np.bool_]
    """Whether a value lies in each, with some empty ones at either end."""

    @classmethod
    def of(cls, values: Floats, within: float) -> _Cells | None:
        """Cut them; None where that makes too many cells."""
        low, width = float(values.min()), 0.99 * within
        count = (float(values.max()) - low) / width + 2 * _EDGE + 1 if width > np.finfo(float).tiny else np.inf
        if not count <= _MOST_CELLS:
            return None
        found = cls(low, width, np.zeros(int(count) + 1, dtype=np.bool_))
        found.met[found.places(values)] = True
        return found

    def places(self, values: Floats) -> Positions:
        """The cell of each value, any shape; one of the empty ones beyond either end."""
        places = np.floor((values - self.low) * (1.0 / self.width)) + _EDGE
        # What is not a number lies nowhere.
        return np.asarray(np.fmax(np.fmin(places, len(self.met) - 1), 0).astype(np.int64))


class KnownValues:
    """The values of a column."""

    def __init__(self, values: Floats) -> None:
        """Take a column, shape (n,)."""
        self._values = values
        self._cells: _Cells | None = None
        self._ordered: Floats | None = None
        """Those of values that cells do not tell; all of them where there are no cells."""

    @property
    def size(self) -> int:
        """Numbers that are held."""
        return (0 if self._ordered is None else len(self._ordered)) + (0 if self._cells is None else len(self._cells.met))

    def have(self, wanted: Floats, within: float) -> npt.NDArray[np.bool_]:
        """Whether the column has each value, or one that is no farther off; any shape."""
        cells, ordered = self._cut(within)
        if cells is None:
            return _have(ordered, wanted, within)
        # What shares a cell with a value is near it.
        found = np.asarray(cells.met[cells.places(wanted)])
        found[~found] = _have(ordered, wanted[~found], within)
        return found

    def _cut(self, within: float) -> tuple[_Cells | None, Floats]:
        if self._ordered is not None and (self._cells is None or self._cells.width < within <= 2 * self._cells.width):
            return self._cells, self._ordered
        column = np.ascontiguousarray(self._values)
        self._cells = _Cells.of(column, within) if len(column) >= _MANY else None
        if self._cells is not None:
            # What is near a value in an empty cell lies in a cell that has an empty one around it.
            asked = self._cells.met & _around(~self._cells.met)
            column = column[asked[self._cells.places(column)]]
        self._ordered = np.unique(column)
        return self._cells, self._ordered


def _have(ordered: Floats, wanted: Floats, within: float) -> npt.NDArray[np.bool_]:
    low, high = np.searchsorted(ordered, wanted - within, "left"), np.searchsorted(ordered, wanted + within, "right")
    return np.asarray(high > low)


def _around(cells: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which cells have one of some around them, or are one."""
    found = cells.copy()
    for off in range(1, _BESIDE + 1):
        found[off:] |= cells[:-off]
        found[:-off] |= cells[off:]
    return found


def near(values: Floats, wanted: Floats, within: float) -> Iterator[Positions]:
    """Where values, shape (n,), are near each of a few."""
    ordered = np.sort(wanted)
    some = np.arange(len(values))
    cells = None if len(values) < _MANY else _Cells.of(ordered, within) if within > 0 else None
    if cells is not None:
        values = np.ascontiguousarray(values)
        some = np.flatnonzero(_around(cells.met)[cells.places(values)])
    held = values[some]
    nearest = ordered[np.searchsorted((ordered[1:] + ordered[:-1]) / 2, held)]
    # Generously, for a value between two of them may round to either.
    close = np.abs(held - nearest) <= 2 * within
    some, held = some[close], held[close]
    yield from (some[np.abs(held - each) <= within] for each in wanted.tolist())
