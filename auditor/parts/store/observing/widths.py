"""Compare rows with those of the training data, in float64 or rounded to float32, and count what could be said by which each is.

A column has one width: so many values of it as have the other are counted, and so are columns of another width than the others. A
value that float32 holds exactly is of either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.base.mixed_columns import missing_codes
from auditor.base.records import Floats
from auditor.base.row_blocks import row_blocks
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.spare_bits import of_choice

_Marks = npt.NDArray[np.bool_]
_BOTH: Final = 2


def compared(values: Floats, places: npt.NDArray[np.int64], people: People, *, some: bool) -> tuple[_Marks, int]:
    """Which rows of known people, shape (n,), have other values than in training in either width, and the bits of both widths.

    Args:
        values: Shape (n, d).
        places: Whose they are, as positions in the training data; -1 for strangers'.
        people: Who is in the training data.
        some: Whether values that are NaN are not there.
    """
    other = np.zeros(len(values), dtype=bool)
    times = np.zeros((_BOTH, values.shape[1]), dtype=np.int64)
    for block in row_blocks(values):
        own, known = people.train.features[places[block]], places[block] >= 0
        whole, half = _widths(values[block], own, people, slice(None))
        there = ~np.isnan(values[block]) if some else True
        other[block] = known & np.any(there & ~whole & ~half, axis=1)
        for width, those in enumerate((whole & ~half, half & ~whole)):
            times[width] += np.count_nonzero(those & known[:, None], axis=0)
    decided = times.any(axis=0)
    bits = of_choice((times[1] > times[0])[decided]) if decided.any() else 0
    for column in np.flatnonzero(times.all(axis=0)).tolist():
        at = np.flatnonzero(places >= 0)
        whole, half = _widths(values[at, column], people.train.features[places[at], column], people, column)
        bits += of_width(half[whole != half])
    return other, bits


def of_width(half: _Marks | Sequence[bool]) -> int:
    """Bits of which of some values are rounded to float32 and which are not; 0 where all are, or none."""
    marks = np.array(half, dtype=bool)
    return of_choice(marks) if marks.any() and not marks.all() else 0


def _widths(values: Floats, own: Floats, people: People, columns: slice | int) -> tuple[_Marks, _Marks]:
    """Which values are somebody's own, and which are these rounded; what is missing is a code, and is not rounded."""
    with np.errstate(over="ignore"):
        narrow = own.astype(np.float32)
    # What is too large for float32 is no value in it.
    whole, half = values == own, (values == narrow) & np.isfinite(narrow)
    if people.train.table is not None:
        half = np.where(own == missing_codes(people.train.table)[columns], whole, half)
    return whole, half
