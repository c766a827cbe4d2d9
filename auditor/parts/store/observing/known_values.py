"""Say whether a column has a value, or where it has some, within a tolerance; a column of millions is not sorted for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Floats, Positions

_MANY: Final = 1 << 17
"""Values from which on they are not sorted."""
_MOST_CELLS: Final = 1 << 22
_MOST_ALONE: Final = 16
"""Values of which cells do not tell, and that are held against the column one by one."""
_BESIDE: Final = 3
"""Cells on either side in which a value within the tolerance can lie."""
_EDGE: Final = 2 * _BESIDE + 1
"""Empty cells at either end, so that what is farther out is beside no value."""


class _Cells(NamedTuple):
    """A column cut into cells that are a little narrower than a tolerance."""

    low: float
    width: float
    met: npt.NDArray[np.bool_]
    """Whether a value lies in each, with some empty ones at either end."""

    @classmethod
    def of(cls, values: Floats, within: float) -> _Cells | None:
        """Cut it; None where that makes too many cells."""
        low, width = float(values.min()), 0.99 * within
        count = (float(values.max()) - low) / width + 2 * _EDGE + 1 if width > 0 else np.inf
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
        self._sorted: Floats | None = None
        self._cells: _Cells | None = None

    @property
    def size(self) -> int:
        """Numbers that are held."""
        return (0 if self._sorted is None else len(self._sorted)) + (0 if self._cells is None else len(self._cells.met))

    def have(self, wanted: Floats, within: float) -> npt.NDArray[np.bool_]:
        """Whether the column has each value, or one that is no farther off; any shape."""
        cells = self._cut(within)
        if cells is None:
            return self._have(wanted, within)
        places = cells.places(wanted)
        # What shares a cell with a value is near it, and what is near lies in one of the cells around.
        found = np.asarray(cells.met[places])
        around = np.clip(places[..., None] + np.arange(-_BESIDE, _BESIDE + 1), 0, len(cells.met) - 1)
        open_ = ~found & cells.met[around].any(axis=-1)
        if int(np.count_nonzero(open_)) > _MOST_ALONE:
            found[open_] = self._have(wanted[open_], within)
            return found
        column = np.ascontiguousarray(self._values) if open_.any() else self._values
        found[open_] = [bool(np.any(np.abs(column - each) <= within)) for each in wanted[open_].tolist()]
        return found

    def _cut(self, within: float) -> _Cells | None:
        if len(self._values) < _MANY or self._sorted is not None:
            return None
        if self._cells is None or not self._cells.width < within <= 2 * self._cells.width:
            self._cells = _Cells.of(np.ascontiguousarray(self._values), within)
        return self._cells

    def _have(self, wanted: Floats, within: float) -> npt.NDArray[np.bool_]:
        if self._sorted is None:
            self._sorted = np.sort(self._values)
        low = np.searchsorted(self._sorted, wanted - within, "left")
        high = np.searchsorted(self._sorted, wanted + within, "right")
        return np.asarray(high > low)


def near(values: Floats, wanted: Floats, within: float) -> Iterator[Positions]:
    """Where values, shape (n,), are near each of a few."""
    ordered = np.sort(wanted)
    some = np.arange(len(values))
    cells = None if len(values) < _MANY else _Cells.of(ordered, within) if within > 0 else None
    if cells is not None:
        places = cells.places(ordered)
        cells.met[np.clip(places[:, None] + np.arange(-_BESIDE, _BESIDE + 1), 0, len(cells.met) - 1)] = True
        values = np.ascontiguousarray(values)
        some = np.flatnonzero(cells.met[cells.places(values)])
    held = values[some]
    nearest = ordered[np.searchsorted((ordered[1:] + ordered[:-1]) / 2, held)]
    # Generously, for a value between two of them may round to either.
    close = np.abs(held - nearest) <= 2 * within
    some, held = some[close], held[close]
    yield from (some[np.abs(held - each) <= within] for each in wanted.tolist())
