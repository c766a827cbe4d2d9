"""Divide all records there may ever be into parts: the id alone says which, so that no other record moves when one goes."""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

from auditor.base.records import Positions


def part_of(ids: npt.NDArray[np.str_], count: int, *, key: bytes = b"") -> Positions:
    """Give the part of each record by a hash of its id, shape (n,), int64, from 0 to `count` - 1.

    Args:
        ids: Shape (n,).
        count: How many parts.
        key: Of the hash, at most 64 bytes.
    """
    hashed = (hashlib.blake2b(name.encode(), key=key, digest_size=8).digest() for name in ids.tolist())
    return np.array([int.from_bytes(each, "big") % count for each in hashed], dtype=np.int64)
