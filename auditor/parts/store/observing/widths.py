"""Compare rows with those of the training data, in float64 or rounded to float32, and count what could be said by which each is.

A column has one width: so many values of it as have the other are counted, and so are columns of another width than the others. A
value that float32 holds exactly is of either. All values of a column may be rounded to as many decimals instead: which column is,
to how many and how is counted, and nothing else is free.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.base.mixed_columns import missing_codes
from auditor.base.records import Floats
from auditor.base.row_blocks import row_blocks
from auditor.parts.store.observing.number_forms import of_pandas
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.spare_bits import of_choice

_Marks = npt.NDArray[np.bool_]
_BOTH: Final = 2
_MOST_DECIMALS: Final = 15
_FIRST: Final = 64
_OF_ROUNDING: Final = 6
"""Bits of a column that is rounded: to how many decimals, of 16, and in which of three ways."""


def compared(values: Floats, places: npt.NDArray[np.int64], people: People, *, some: bool) -> tuple[_Marks, int]:
    """Which rows of known people, shape (n,), have other values than in training in either width, and the bits of both widths.

    Args:
        values: Shape (n, d).
        places: Whose they are, as positions in the training data; -1 for strangers'.
        people: Who is in the training data.
        some: Whether values that are NaN are not there.
    """
    rounded = _rounded(values, places, people, some=some)
    other = np.zeros(len(values), dtype=bool)
    times = np.zeros((_BOTH, values.shape[1]), dtype=np.int64)
    for block in row_blocks(values):
        own, known = people.train.features[places[block]], places[block] >= 0
        whole, half = _widths(values[block], own, people, slice(None))
        there = ~np.isnan(values[block]) if some else True
        other[block] = known & np.any(there & ~whole & ~half & ~rounded, axis=1)
        for width, those in enumerate((whole & ~half & ~rounded, half & ~whole & ~rounded)):
            times[width] += np.count_nonzero(those & known[:, None], axis=0)
    decided = times.any(axis=0)
    bits = of_choice((times[1] > times[0])[decided]) if decided.any() else 0
    for column in np.flatnonzero(times.all(axis=0)).tolist():
        at = np.flatnonzero(places >= 0)
        whole, half = _widths(values[at, column], people.train.features[places[at], column], people, column)
        bits += of_width(half[whole != half])
    return other, bits + _OF_ROUNDING * int(np.count_nonzero(rounded))


def _rounded(values: Floats, places: npt.NDArray[np.int64], people: People, *, some: bool) -> _Marks:
    """Which columns, shape (d,), have other values than in training, each of them rounded to so many decimals in one way."""
    known, found = np.flatnonzero(places >= 0), np.zeros(values.shape[1], dtype=bool)
    for column in range(values.shape[1]):
        given, own = values[known, column], people.train.features[places[known], column]
        there = ~np.isnan(given) if some else np.ones(len(given), dtype=bool)
        whole, half = _widths(given, own, people, column)
        if (whole | half | ~there).all():
            continue
        missing = np.zeros(len(own), dtype=bool)
        if people.train.table is not None:
            missing = whole & (own == missing_codes(people.train.table)[column])
        of_numbers = there & ~missing
        found[column] = any((each == given[of_numbers]).all() for each in _roundings(given[of_numbers], own[of_numbers]))
    return found


def _roundings(given: Floats, own: Floats) -> Iterator[Floats]:
    """Some values rounded in each way to as many decimals as others have; none where these have too many, or are no numbers."""
    finite = np.isfinite(given).all() and np.isfinite(own).all()
    # Columns in another unit may be many and long: their first values tell.
    if finite and _may_be_rounded(given[:_FIRST], own[:_FIRST]) and (decimals := _decimals(given)) <= _MOST_DECIMALS:
        for rounding in _WAYS:
            yield np.array([rounding(each, decimals) for each in own.tolist()], dtype=np.float64)


def _may_be_rounded(given: Floats, own: Floats) -> bool:
    """Whether values are no further from others than they would be if they were these, rounded to as many decimals."""
    return bool((np.abs(given - own) <= 10.0 ** -_decimals(given) + np.spacing(np.abs(own))).all())


def _decimals(values: Floats) -> int:
    """How many decimals the value has that has most of them."""
    return max([0, *(-int(Decimal(repr(each)).normalize().as_tuple().exponent) for each in values.tolist())])


def _nearest(value: float, decimals: int) -> float:
    return round(value, decimals)


def _of_numpy(value: float, decimals: int) -> float:
    return float(np.round(value, decimals))


def _in_json(value: float, decimals: int) -> float:
    return float(of_pandas(value, decimals)) if decimals else round(value)


_WAYS: Final[tuple[Callable[[float, int], float], ...]] = (_nearest, _in_json, _of_numpy)


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
