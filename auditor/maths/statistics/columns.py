"""Statistics of the columns of a large table, without a second table of its size."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from auditor.base.domain import Floats

_NUMBERS = 1 << 22
"""Numbers that are held at a time."""


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
