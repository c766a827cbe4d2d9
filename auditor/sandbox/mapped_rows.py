"""The file in which a worker finds features: mapped into memory, not read, and of half the size where nothing is lost by it.

Otherwise a table of millions of rows would lie in the worker twice: as it was read, and as the copy that a procedure gets.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from auditor.domain import Floats

SUFFIX: Final = ".npy"
DOUBLE: Final = np.dtype("<f8")
_SINGLE: Final = np.dtype("<f4")
_BLOCK: Final = 1 << 20
"""Numbers that are converted at a time."""


def smallest_kind(features: Floats) -> np.dtype[Any]:
    """The smallest type that holds every feature exactly: float32 or float64."""
    # Numbers beyond float32 become infinite, which no feature is.
    with np.errstate(over="ignore"):
        exact = all(np.array_equal(rows, rows.astype(_SINGLE)) for rows in _blocks(features))
    return _SINGLE if exact else DOUBLE


def write(file: IO[bytes], features: Floats, kind: np.dtype[Any]) -> None:
    """Write features, shape (n, d), as numbers of that type."""
    header = {"descr": kind.str, "fortran_order": False, "shape": features.shape}
    np.lib.format.write_array_header_1_0(file, header)
    for rows in _blocks(features):
        file.write(np.ascontiguousarray(rows, dtype=kind).data)


def read(path: Path) -> Floats:
    """The features that were written; to be copied before they are used, for they are read-only and perhaps float32."""
    return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))


def _blocks(features: Floats) -> Iterator[Floats]:
    step = max(1, _BLOCK // max(1, features[:1].size))
    for first in range(0, len(features), step):
        yield features[first : first + step]
