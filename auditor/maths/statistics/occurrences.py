"""Count how often values are met among hundreds of millions, without sorting these."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from auditor.base.records import Floats

_MARKS: Final = 20
"""Bits of the short number by which most values are left out."""
_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
"""2⁶⁴ over the golden ratio: multiples of it spread evenly."""
_SIDES: Final[tuple[Literal["right", "left"], ...]] = ("right", "left")


class Occurrences:
    """How often each of some values is met among very many."""

    def __init__(self, rows: Floats, *, within: float) -> None:
        """Take values, shape (m, d), and by how small a part another one may be off, at most 2⁻²²."""
        self._rows = rows
        off = within * np.abs(rows)
        self._exact, self._near = _Intervals(rows, rows), _Intervals(rows - off, rows + off) if within else None
        self._marks = np.zeros(1 << _MARKS, dtype=np.bool_)
        # An interval lies in the cells of its two ends: it is narrower than one.
        for ends in (rows - off, rows + off):
            self._marks[_cells(ends.ravel())] = True

    def add(self, values: Floats) -> None:
        """Take some of those among which they are met, any shape."""
        flat = values.ravel()
        some = flat[self._marks[_cells(flat)]]
        self._exact.add(some)
        if self._near is not None:
            self._near.add(some)

    def exactly(self) -> npt.NDArray[np.int64]:
        """How often each value is met, shape (m, d)."""
        return self._exact.counts

    def nearly(self) -> npt.NDArray[np.int64]:
        """How often each value or one that is off by so small a part is met, shape (m, d); 0 where nobody asks."""
        return np.zeros(self._rows.shape, dtype=np.int64) if self._near is None else self._near.counts


class _Intervals:
    """Closed intervals, and how many of very many values lie in each."""

    def __init__(self, lows: Floats, highs: Floats) -> None:
        """Take their ends, shape (m, d) each."""
        self._ends = (lows, highs)
        self._sorted = tuple(np.sort(each, axis=None) for each in self._ends)
        self._places = tuple(np.zeros(lows.size + 1, dtype=np.int64) for _ in self._ends)

    def add(self, values: Floats) -> None:
        """Count some values; those that lie in no interval may be left out."""
        for ends, places, side in zip(self._sorted, self._places, _SIDES, strict=True):
            np.add(places, np.bincount(np.searchsorted(ends, values, side), minlength=len(places)), out=places)

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """How many lie in each, shape (m, d): those that are at its low end or above, less those above its high end."""
        from_low, from_high = (
            (places.sum() - np.cumsum(places))[np.searchsorted(ends, own)]
            for ends, places, own in zip(self._sorted, self._places, self._ends, strict=True)
        )
        return np.asarray(from_low - from_high)


def _cells(values: Floats) -> npt.NDArray[np.int64]:
    """A short number for each value, shape (k,), that values which agree in their first 20 digits have in common."""
    first = (values + 0.0).view(np.uint64) >> np.uint64(32)  # -0 is 0
    return np.asarray(((first * _SPREAD) >> np.uint64(64 - _MARKS)).astype(np.int64))
