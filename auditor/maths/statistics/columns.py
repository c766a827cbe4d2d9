"""Statistics of the columns of a large table, without a second table of its size."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Floats

_NUMBERS = 1 << 22
"""Numbers that are held at a time."""
_SORTED = 10_000
"""Rows of which the quartiles are taken, about."""
_FAR = 50.0
"""Distances of the quartiles from which on a deviation is that of a few values alone."""


def few(rows: int, columns: int) -> Iterator[slice]:
    """Slices that cut columns into runs of so few that all rows of them may be copied."""
    count = min(columns, max(1, rows * columns // _NUMBERS))
    ends = np.linspace(0, columns, count + 1).astype(int).tolist()
    yield from (slice(first, last) for first, last in pairwise(ends))


def deviations(table: Floats, units: Floats | None = None) -> Floats:
    """The standard deviation of each column, divisor n, shape (d,); infinite or NaN where float64 does not hold it.

    Args:
        table: Shape (n, d), n at least 1.
        units: What each column is divided by first, shape (d,), as no square may overflow; nothing where left out.
    """
    parts = ((some, table[:, some]) for some in few(*table.shape))
    with np.errstate(over="ignore", invalid="ignore"):
        found = [(part if units is None else part / units[some]).std(axis=0) for some, part in parts]
    return np.concatenate([np.empty(0), *found])


def units(table: Floats) -> tuple[Floats, Floats]:
    """The middle and the unit of each column, both of shape (d,): mean and deviation, 1 for a column of one value.

    Of a column in which a few values are so far off that the deviation is theirs alone, or too large for float64, they are the
    median and the distance of the quartiles of the values that it has.

    Args:
        table: Shape (n, d), n at least 1.
    """
    scale = deviations(table)
    with np.errstate(over="ignore", invalid="ignore"):
        middle = table.mean(axis=0)
    for at in range(table.shape[1]):
        values = np.unique(table[:: 1 + len(table) // _SORTED, at])
        low, half, high = np.quantile(values, (0.25, 0.5, 0.75))
        if high - low > 0 and not scale[at] <= _FAR * (high - low):
            middle[at], scale[at] = half, high - low
    return middle, np.where(np.isfinite(scale) & (scale > 0), scale, 1.0)


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
