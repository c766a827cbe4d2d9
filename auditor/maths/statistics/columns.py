"""Statistics of the columns of a large table, without a second table of its size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from auditor.base.records import Floats
from auditor.base.row_blocks import Rows, row_blocks

_NUMBERS = 1 << 22
"""Numbers that are held at a time."""
_SORTED = 10_000
"""Rows of which the quartiles are taken, about."""
_FIRST = 1000
"""Rows of a column that are read before the others."""
_CELLS = 22
"""Bits of a number that stands for a value where values are only counted."""
_ODD = np.uint64(0x9E3779B97F4A7C15)
"""2⁶⁴ over the golden ratio: multiples of it spread evenly."""
_FAR = 50.0
"""Distances of the quartiles from which on a deviation is that of a few values alone."""


def few(rows: int, columns: int) -> Iterator[slice]:
    """Slices that cut columns into runs of so few that all rows of them may be copied."""
    count = min(columns, max(1, rows * columns // _NUMBERS))
    ends = np.linspace(0, columns, count + 1).astype(int).tolist()
    yield from (slice(first, last) for first, last in pairwise(ends))


def deviations(table: Rows, units: Floats | None = None) -> Floats:
    """The standard deviation of each column, see `moments`; shape (d,)."""
    return moments(table, units)[1]


def moments(table: Rows, units: Floats | None = None) -> tuple[Floats, Floats]:
    """The mean and the standard deviation of each column, divisor n, both of shape (d,).

    Either is infinite or NaN where float64 does not hold it.

    Args:
        table: Shape (n, d), n at least 1.
        units: What each column is divided by first, shape (d,), as no square may overflow; nothing where left out.

    Raises:
        ValueError: If there is no row.
    """
    return moments_of(_in_units(table, units))


def moments_of(parts: Iterable[Floats]) -> tuple[Floats, Floats]:
    """The mean and the standard deviation of each column of a table that comes in parts, each of shape (m, d); see `moments`."""
    parts = iter(parts)
    with np.errstate(over="ignore", invalid="ignore"):
        first = next(parts, None)
        if first is None:
            raise ValueError("a table without rows has no moments")
        # Apart from the mean of the first rows, near which that of all lies, so that one reading of the table is enough.
        middle = first.sum(axis=0) / len(first)
        sums, squares, rows = np.zeros_like(middle), ((first - middle) ** 2).sum(axis=0), len(first)
        for part in parts:
            apart = part - middle
            sums += apart.sum(axis=0)
            squares += (apart**2).sum(axis=0)
            rows += len(part)
        if len(first) < rows:  # of a single block nothing is left over
            sums += (first - middle).sum(axis=0)
        off = sums / rows
        return np.asarray(middle + off), np.asarray(np.sqrt(np.maximum(squares / rows - off**2, 0.0)))


def _in_units(table: Rows, units: Floats | None) -> Iterator[Floats]:
    for block in row_blocks(table):
        yield table[block] if units is None else table[block] / units


def units(table: Rows) -> tuple[Floats, Floats]:
    """The middle and the unit of each column, both of shape (d,): mean and deviation, 1 for a column of one value.

    Of a column in which a few values are so far off that the deviation is theirs alone, or too large for float64, they are the
    median and the distance of the quartiles of the values that it has.

    Args:
        table: Shape (n, d), n at least 1.
    """
    middle, scale = moments(table)
    some = table[:: 1 + len(table) // _SORTED]
    for at in range(table.shape[1]):
        values = np.unique(some[:, at])
        with np.errstate(over="ignore"):
            low, half, high = np.quantile(values, (0.25, 0.5, 0.75))
            between = high - low
            far = between > 0 and not scale[at] <= _FAR * between
        if far:
            middle[at], scale[at] = half, between
        elif not (np.isfinite(middle[at]) and np.isfinite(scale[at])):
            middle[at] = half
    return middle, np.where(np.isfinite(scale) & (scale > 0), scale, 1.0)


def has_more_values(values: npt.NDArray[Any], count: int) -> bool:
    """Whether more than so many different values are in a column; most that have them show it without being sorted."""
    if len(np.unique(values[:_FIRST])) > count:
        return True
    return len(values) > max(count, _FIRST) and (_fewest_values(values) > count or len(np.unique(values)) > count)


def _fewest_values(values: npt.NDArray[Any]) -> int:
    """A count of different values, of which some may be taken for one another."""
    bits = np.ascontiguousarray(values, dtype=np.float64) + 0.0  # -0 is 0
    spread = bits.view(np.uint64) * _ODD
    met = np.zeros(1 << _CELLS, dtype=np.bool_)
    met[(spread >> np.uint64(64 - _CELLS)).astype(np.int64)] = True
    return int(np.count_nonzero(met))


def are_whole(values: npt.NDArray[Any]) -> bool:
    """Whether all numbers of a column are whole; most columns of fractions show it in their first rows."""
    return all(np.array_equal(some, np.round(some)) for some in (values[:_FIRST], values))


class Steps(NamedTuple):
    """What numbers were rounded to: 0 for what they were not."""

    single: float
    """That of float32, next to the largest of them."""
    decimals: float
    """A power of ten."""


def rounded_to(values: Floats, decimals: range) -> Steps:
    """Find whether numbers are those of float32, and the fewest decimals that they have.

    Args:
        values: Shape (n,).
        decimals: The counts of decimals that are tried, fewest first.
    """
    with np.errstate(over="ignore"):
        narrow: npt.NDArray[np.float32] = values.astype(np.float32)
    single = float(np.abs(values).max()) * 2.0**-23 if np.array_equal(narrow.astype(np.float64), values) else 0.0
    for count in decimals:
        shifted = values * 10.0**count
        if np.all(np.abs(shifted - np.round(shifted)) < 1e-3 * min(1.0, 10.0 ** (9 - count))):
            return Steps(single, 10.0**-count)
    return Steps(single, 0.0)
