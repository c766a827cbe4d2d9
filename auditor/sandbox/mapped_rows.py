"""The file in which a worker finds features: mapped into memory, not read, and of half the size where nothing is lost by it.

Otherwise a table of millions of rows would lie in the worker twice: as it was read, and as the copy that a procedure gets.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from auditor.base.records import Floats, Positions

SUFFIX: Final = ".npy"
DOUBLE: Final = np.dtype("<f8")
_SINGLE: Final = np.dtype("<f4")
_LARGE: Final = 1 << 27
"""Bytes of a file whose copy and itself are not to be in memory together."""
_BLOCK: Final = 1 << 20
"""Numbers that are converted at a time."""


def smallest_kind(features: Floats, positions: Positions | None = None) -> np.dtype[Any]:
    """The smallest type that holds every feature exactly, or those of the rows at `positions`: float32 or float64."""
    # Numbers beyond float32 become infinite, which no feature is.
    with np.errstate(over="ignore"):
        exact = all(np.array_equal(rows, rows.astype(_SINGLE)) for rows in _blocks(features, positions))
    return _SINGLE if exact else DOUBLE


def write(file: IO[bytes], features: Floats, kind: np.dtype[Any], positions: Positions | None = None) -> None:
    """Write features, shape (n, d), or those of the rows at `positions`, as numbers of that type."""
    count = len(features) if positions is None else len(positions)
    header = {"descr": kind.str, "fortran_order": False, "shape": (count, *features.shape[1:])}
    np.lib.format.write_array_header_1_0(file, header)
    for rows in _blocks(features, positions):
        file.write(np.ascontiguousarray(rows, dtype=kind).data)


def read(path: Path) -> Floats:
    """The features that were written; to be copied before they are used, for they are read-only and perhaps float32."""
    rows = np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    # The first training, which is timed, shall not be the one that waits for the disk.
    rows.reshape(-1).view(np.uint8)[:: mmap.PAGESIZE].max(initial=0)
    return rows


def let_go(rows: Any) -> None:
    """Give back the memory in which a large file lies; it is read again where it is asked for. Anything else stays."""
    lies_in = rows
    while isinstance(lies_in, np.ndarray):
        lies_in = lies_in.base
    if isinstance(lies_in, mmap.mmap) and rows.nbytes >= _LARGE:
        lies_in.madvise(mmap.MADV_DONTNEED)


def _blocks(features: Floats, positions: Positions | None) -> Iterator[Floats]:
    step = max(1, _BLOCK // max(1, features[:1].size))
    for first in range(0, len(features) if positions is None else len(positions), step):
        some = slice(first, first + step)
        yield features[some] if positions is None else features[positions[some]]
