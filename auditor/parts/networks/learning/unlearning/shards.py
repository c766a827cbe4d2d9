"""Which shard a record belongs to, without anything being remembered."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from auditor.base import draws
from auditor.base.domain import Dataset, Positions


@dataclass(frozen=True, slots=True)
class Shards:
    """A division of all records there may ever be.

    The shard of a record follows from its id alone, by a keyed hash: nothing about a deleted record is kept, and no other record
    moves when one goes. That is what makes the shards that did not hold it what they would have been without it.
    """

    count: int
    key: str

    def of(self, ids: npt.NDArray[np.str_]) -> Positions:
        """The shard of each record, shape (n,), int64, from 0 to `count` - 1."""
        # Hashed, as a key of BLAKE2b is at most 64 bytes long.
        key = hashlib.blake2b(self.key.encode()).digest()
        hashed = (hashlib.blake2b(name.encode(), key=key, digest_size=8).digest() for name in ids.tolist())
        return np.array([int.from_bytes(each, "big") % self.count for each in hashed], dtype=np.int64)

    def split(self, data: Dataset) -> list[Dataset]:
        """The records of each shard, in their order; none for some, maybe."""
        where = self.of(data.ids)
        return [data.subset(np.flatnonzero(where == shard)) for shard in range(self.count)]

    @staticmethod
    def seed(seed: int, shard: int) -> int:
        """What a shard is trained with in an update with `seed`: a stream of its own."""
        return int(draws.generator(seed, "networks", "shard", shard).integers(2**63))
