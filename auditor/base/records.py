"""The records that are learned from: tables, parts of them, and how their rows are handed over."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.mixed_columns import Columns

Floats: TypeAlias = npt.NDArray[np.float64]
Positions: TypeAlias = npt.NDArray[np.int64]
Replacement: TypeAlias = Literal["other records", "another label", "beyond the range"]
"""What stood in the place of the deleted records: other training records, the same features with another label, or records beyond
the range of the data that have other ids."""
_ALIGNED_TO: Final = 64
_ROWS_AT_A_TIME: Final = 4_096


class HandedOver(np.ndarray[Any, Any]):
    """Memory that rows handed to a procedure lie in, from a boundary on."""

    @property
    def rows(self) -> np.ndarray[Any, Any]:
        """The part of it that holds them, as bytes."""
        begin = -self.ctypes.data % _ALIGNED_TO
        return self.view(np.ndarray)[begin : self.nbytes - _ALIGNED_TO + begin]


def aligned(rows: Floats, positions: Positions | None = None, *, copied: Callable[[], None] | None = None) -> Floats:
    """Copy features so that arithmetic on them takes the same path in every run: float64, C-contiguous, on a 64-byte boundary.

    Args:
        rows: Shape (n, d).
        positions: Which of them, shape (m,), in that order; all where left out.
        copied: Called whenever some of those at `positions` were copied.
    """
    if positions is not None:  # a procedure may give a list
        positions = np.asarray(positions, dtype=None if len(positions) else np.int64)
    shape = rows.shape if positions is None else (len(positions), *rows.shape[1:])
    memory = HandedOver((math.prod(shape) * 8 + _ALIGNED_TO,), dtype=np.uint8)
    memory.fill(0)
    place: Floats = np.ndarray(shape, dtype=np.float64, buffer=memory, offset=-memory.ctypes.data % _ALIGNED_TO)
    if positions is None:
        place[...] = rows
        return place
    # A few at a time: rows at positions are a copy, which shall not be a second table.
    for first in range(0, len(positions), _ROWS_AT_A_TIME):
        some = slice(first, first + _ROWS_AT_A_TIME)
        place[some] = rows[_as_slice(positions[some], len(rows))]
        if copied is not None:
            copied()
    return place


def _as_slice(positions: Positions, rows: int) -> slice | Positions:
    """Positions among so many rows as a slice, which copies nothing, where they are one behind the other."""
    first, last = int(positions[0]), int(positions[-1])
    follow = 0 <= first <= last < rows and np.array_equal(positions, np.arange(first, last + 1))
    return slice(first, last + 1) if follow else positions


def joined(parts: Sequence[Positions]) -> Positions:
    """Put positions one behind the other, those of no part as an empty array; shape (m,)."""
    return np.concatenate([*parts, np.empty(0, dtype=np.int64)]).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Dataset:
    """Records to learn from, in a stable order."""

    features: Floats
    """Shape (n, d), float64, finite."""
    labels: npt.NDArray[Any]
    """Shape (n,): integers or strings for classification, float64 for regression."""
    ids: npt.NDArray[np.str_]
    """Shape (n,): one distinct string per record."""
    sensitivity: Floats | None = None
    """Shape (n,): weights, at least 0, by which the SWAP test weighs records; None where all weigh the same. A procedure never
    sees them."""
    table: Columns | None = None
    """What the codes in `features` stand for; None where they are the features themselves."""
    weights: Floats | None = None
    """Shape (n,): weights, at least 0, that a procedure is given alongside the records; None where none are declared."""

    def __len__(self) -> int:
        """The number of records, n."""
        return int(self.features.shape[0])

    def subset(self, positions: Positions, *, copied: Callable[[], None] | None = None) -> Dataset:
        """The records at `positions`, shape (m,), in that order; features as `aligned` gives them."""
        sensitivity, weights = (None if each is None else each[positions] for each in (self.sensitivity, self.weights))
        features = aligned(self.features, positions, copied=copied)
        return Dataset(features, self.labels[positions], self.ids[positions], sensitivity, self.table, weights)

    def with_rows(self, features: Floats) -> Dataset:
        """Other records of the same columns, with blank labels and numbered ids; `features` has shape (m, d)."""
        numbered = np.array([f"row-{at}" for at in range(len(features))])
        return Dataset(features, np.zeros(len(features), dtype=np.int64), numbered, table=self.table)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some records of a table, copied where they are needed and not before; one may be there several times."""

    whole: Dataset
    positions: Positions
    """Shape (m,), in that order."""
    other_labels: npt.NDArray[Any] | None = None
    """Shape (m,): labels in the place of their own; None where they keep these."""

    def __len__(self) -> int:
        """The number of records, m."""
        return len(self.positions)

    @property
    def labels(self) -> npt.NDArray[Any]:
        """Shape (m,)."""
        return self.whole.labels[self.positions] if self.other_labels is None else self.other_labels

    @property
    def ids(self) -> npt.NDArray[np.str_]:
        """Shape (m,): those of the table, not distinct where a record is there several times."""
        return self.whole.ids[self.positions]

    @property
    def weights(self) -> Floats | None:
        """Shape (m,); None where none are declared."""
        return None if self.whole.weights is None else self.whole.weights[self.positions]

    @property
    def table(self) -> Columns | None:
        """What the codes in the features stand for; None where they are the features themselves."""
        return self.whole.table

    def copied(self) -> Dataset:
        """The records as a table of their own, with features as `aligned` gives them and no sensitivity."""
        return self.subset(np.arange(len(self)))

    def subset(self, positions: Positions) -> Dataset:
        """Those at `positions` among them, shape (k,), likewise."""
        features = aligned(self.whole.features, self.positions[positions])
        weights = None if self.weights is None else self.weights[positions]
        return Dataset(features, self.labels[positions], self.ids[positions], table=self.table, weights=weights)
