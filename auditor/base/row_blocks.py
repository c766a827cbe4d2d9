"""A table in blocks of rows, and rows by their digests, so that what is computed of it takes a bounded amount of memory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

BLOCK_NUMBERS = 1 << 22
"""Numbers in one block of rows, 32 MiB: no second table of all rows is ever made."""


def row_blocks(features: npt.NDArray[np.floating[Any]]) -> Iterator[slice]:
    """Slices that cut a table of shape (n, d) into blocks of rows; the table may be a memory map."""
    rows, dimensions = features.shape
    step = max(1, BLOCK_NUMBERS // max(1, dimensions))
    for first in range(0, rows, step):
        yield slice(first, first + step)


def row_digest(row: npt.NDArray[Any]) -> bytes:
    """What stands for a row, shape (d,), where many are compared to the last bit; it takes less memory than the row."""
    return hashlib.blake2b(row.data, digest_size=32).digest()
