"""A table in blocks of rows, and rows by their digests, so that what is computed of it takes a bounded amount of memory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from auditor.base.records import Floats, Positions


class Rows(Protocol):
    """An array of shape (n, d), or what gives its rows as one does but works them out."""

    @property
    def shape(self) -> tuple[int, ...]:
        """(n, d)."""

    def __len__(self) -> int:
        """How many rows there are."""

    def __getitem__(self, some: slice, /) -> Floats:
        """Some rows, shape (m, d)."""


BLOCK_NUMBERS = 1 << 22
"""Numbers in one block of rows, 32 MiB: no second table of all rows is ever made."""


def row_blocks(features: Rows | npt.NDArray[np.floating[Any]]) -> Iterator[slice]:
    """Slices that cut a table of shape (n, d) into blocks of rows; the table may be a memory map."""
    rows, dimensions = features.shape
    step = max(1, BLOCK_NUMBERS // max(1, dimensions))
    for first in range(0, rows, step):
        yield slice(first, first + step)


def row_digest(row: npt.NDArray[Any]) -> bytes:
    """What stands for a row, shape (d,), where many are compared to the last bit; it takes less memory than the row."""
    return hashlib.blake2b(row.data, digest_size=32).digest()


def distinct_rows(table: npt.NDArray[np.float64]) -> tuple[Positions, Positions]:
    """The first row of each that differ, in their order, and which of those each row is; -0 is 0, no second table is made.

    Args:
        table: Shape (n, d).

    Returns:
        Positions of shape (k,), and places among them of shape (n,).
    """
    every = np.arange(len(table))
    keys = np.concatenate([np.empty(0, dtype=np.uint64), *(_keys(table[some]) for some in row_blocks(table))])
    _, earliest, group = np.unique(keys, return_index=True, return_inverse=True)
    like = np.asarray(earliest[group.reshape(-1)])
    # Equal keys may be made on purpose.
    seen: dict[bytes, int] = {}
    for some in pieces(np.flatnonzero(like != every), table.shape[1]):
        for at in some[np.any(table[some] != table[like[some]], axis=1)].tolist():
            like[at] = seen.setdefault(row_digest(table[at] + 0.0), at)
    first = np.flatnonzero(like == every)
    return first, np.searchsorted(first, like)


def pieces(positions: Positions, columns: int) -> Iterator[Positions]:
    """Positions of so few rows at a time that they may be copied."""
    step = max(1, BLOCK_NUMBERS // max(1, columns))
    for start in range(0, len(positions), step):
        yield positions[start : start + step]


def _keys(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.uint64]:
    """A number for each row, the same for equal ones."""
    factors = np.random.default_rng(0).integers(0, 2**64, rows.shape[1], dtype=np.uint64) | np.uint64(1)
    return np.asarray((np.ascontiguousarray(rows + 0.0).view(np.uint64) * factors).sum(axis=1, dtype=np.uint64))
