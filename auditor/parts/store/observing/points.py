"""Rows of a table as points between which distances mean something, of a large table only those that are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from auditor.base.mixed_columns import coordinates
from auditor.base.records import Dataset, Floats, Positions

_HELD: Final = 1 << 24
"""Numbers of a table of which all points are held."""


@dataclass(frozen=True, eq=False)
class Points:
    """Some rows of a table as points, worked out each time; used as an array of shape (k, c) is."""

    table: Floats
    """Shape (n, d)."""
    at: Positions
    """Which of its rows, shape (k,)."""
    written: Callable[[Floats], Floats]
    """Makes points of rows, each by itself: shape (m, d) in, (m, c) out."""
    shape: tuple[int, int] = field(init=False)

    def __post_init__(self) -> None:
        """Count the coordinates."""
        object.__setattr__(self, "shape", (len(self.at), self.written(self.table[:1]).shape[1]))

    def __len__(self) -> int:
        """How many there are."""
        return len(self.at)

    def __getitem__(self, some: slice | Positions) -> Floats:
        """Some of them, shape (m, c)."""
        return self.written(self.table[self.at[some]])


def points(
    train: Dataset,
    at: Positions,
    *,
    first: Callable[[Floats], Floats] | None = None,
    then: Callable[[Floats], Floats] | None = None,
) -> Floats | Points:
    """Records as points, shape (k, c): all at once where the table is not large.

    Args:
        train: The records.
        at: Which of them, shape (k,).
        first: What is done to their rows, shape (m, d) in and out; nothing where left out.
        then: What is done to the points, shape (m, c) in and out; nothing where left out.
    """

    def written(rows: Floats) -> Floats:
        placed = coordinates(train.table, rows if first is None else first(rows))
        return placed if then is None else then(placed)

    found = Points(train.features, at, written)
    return found[:] if train.features.size <= _HELD else found
