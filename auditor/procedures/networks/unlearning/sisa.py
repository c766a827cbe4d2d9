"""Sharded learning: a record touches one of several models, and only that one is retrained when it goes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from auditor import draws
from auditor.case.unlearning import Sharded
from auditor.domain import Dataset, Floats, Positions

Model = TypeVar("Model")


class Learner(Protocol[Model]):
    """What learns a shard, and is asked for what it learnt."""

    def learn_many(self, datas: Sequence[Dataset], seeds: Sequence[int]) -> list[Model]:
        """A model for each data set and its seed."""
        ...

    def predict_many(self, models: Sequence[Model], features: Sequence[Floats]) -> list[Floats]:
        """Probabilities (n, classes) of each model for its features (n, d)."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class ShardedModel(Generic[Model]):
    """One model a shard, and nothing about which records they learnt from."""

    shards: tuple[Model | None, ...]
    """None where a shard has no record."""
    touched: tuple[int, ...]
    """The shards that the last update trained, in order."""


class Shards(Generic[Model]):
    """Learning and unlearning by shards: SISA of Bourtoule et al. (2021), without slices.

    The shard of a record follows from its id alone, by a keyed hash, so that membership needs no memory: nothing about a deleted
    record is kept, and no other record moves when one goes. Each shard draws from a stream of its own seed and number.
    """

    def __init__(self, learner: Learner[Model], settings: Sharded) -> None:
        """Wrap what learns the shards."""
        self._learner = learner
        self.count = settings.shards
        self._key = hashlib.blake2b(settings.key.encode()).digest()

    def of(self, ids: npt.NDArray[np.str_]) -> Positions:
        """The shard of each record, shape (n,), int64, from 0 to `count` - 1."""
        hashed = (hashlib.blake2b(name.encode(), key=self._key, digest_size=8).digest() for name in ids.tolist())
        return np.array([int.from_bytes(each, "big") % self.count for each in hashed], dtype=np.int64)

    @staticmethod
    def seed(seed: int, shard: int) -> int:
        """What a shard is trained with, in an update with `seed`."""
        return int(draws.generator(seed, "networks", "shard", shard).integers(2**63))

    def learn_many(self, datas: Sequence[Dataset], seeds: Sequence[int]) -> list[ShardedModel[Model]]:
        """A model for each shard of each data set; all shards of all data sets are handed over together."""
        every = tuple(range(self.count))
        nothing: ShardedModel[Model] = ShardedModel((None,) * self.count, every)
        return self._trained([nothing] * len(datas), datas, [every] * len(datas), seeds)

    def unlearn_many(
        self,
        models: Sequence[ShardedModel[Model]],
        datas: Sequence[Dataset],
        forgets: Sequence[Positions],
        seeds: Sequence[int],
    ) -> list[ShardedModel[Model]]:
        """The models with every shard that held a record to forget learnt anew on what it has left, and the others as they are.

        Args:
            models: What was learnt.
            datas: The rows before this batch, those to forget included.
            forgets: Positions in them, shape (m,) each.
            seeds: One a model.
        """
        touched = [tuple(np.unique(self.of(data.ids[forget])).tolist()) for data, forget in zip(datas, forgets, strict=True)]
        remaining = [data.subset(np.setdiff1d(np.arange(len(data)), forget)) for data, forget in zip(datas, forgets, strict=True)]
        return self._trained(models, remaining, touched, seeds)

    def predict_many(self, models: Sequence[ShardedModel[Model]], features: Sequence[Floats]) -> list[Floats]:
        """The mean of what each model's shards say, shape (n, classes); a shard without records has no say."""
        own = [[shard for shard in model.shards if shard is not None] for model in models]
        flat = [(shard, rows) for shards, rows in zip(own, features, strict=True) for shard in shards]
        said = iter(self._learner.predict_many([shard for shard, _ in flat], [rows for _, rows in flat]))
        return [np.mean([next(said) for _ in shards], axis=0) for shards in own]

    def _trained(
        self,
        models: Sequence[ShardedModel[Model]],
        datas: Sequence[Dataset],
        touched: Sequence[Sequence[int]],
        seeds: Sequence[int],
    ) -> list[ShardedModel[Model]]:
        """The models with the shards in `touched` learnt from their rows of `datas`."""
        shards: list[list[Model | None]] = [list(model.shards) for model in models]
        wanted: list[tuple[int, int, Dataset, int]] = []
        for at, (data, chosen, seed) in enumerate(zip(datas, touched, seeds, strict=True)):
            if not len(data):
                raise ValueError("expected at least one record to learn from, found none")
            where = self.of(data.ids)
            for shard in chosen:
                rows = np.flatnonzero(where == shard)
                shards[at][shard] = None
                if len(rows):
                    wanted.append((at, shard, data.subset(rows), self.seed(seed, shard)))
        learnt = self._learner.learn_many([data for *_, data, _ in wanted], [seed for *_, seed in wanted])
        for (at, shard, _, _), model in zip(wanted, learnt, strict=True):
            shards[at][shard] = model
        return [ShardedModel(tuple(own), tuple(chosen)) for own, chosen in zip(shards, touched, strict=True)]
