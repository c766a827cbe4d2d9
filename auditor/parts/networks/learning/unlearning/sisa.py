"""Sharded learning: a record touches one of several models, and only that one is retrained when it goes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file, save_file

from auditor.base import draws
from auditor.base.records import Dataset, Floats, Positions
from auditor.learning.facts import Facts
from auditor.parts.networks.learning.parts_by_id import part_of
from auditor.parts.networks.learning.procedure import NetworkModel, Networks
from auditor.parts.networks.settings import Sharded, read


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
        return part_of(ids, self.count, key=hashlib.blake2b(self.key.encode()).digest())

    def split(self, data: Dataset) -> list[Dataset]:
        """The records of each shard, in their order; none for some, maybe."""
        where = self.of(data.ids)
        return [data.subset(np.flatnonzero(where == shard)) for shard in range(self.count)]

    @staticmethod
    def seed(seed: int, shard: int) -> int:
        """What a shard is trained with in an update with `seed`: a stream of its own."""
        return int(draws.generator(seed, "networks", "shard", shard).integers(2**63))


@dataclass(frozen=True, slots=True, eq=False)
class ShardedModel:
    """One model a shard, and nothing about which records they learnt from."""

    shards: tuple[NetworkModel | None, ...]
    """None where a shard has no record. At least one has."""


class ShardedNetworks:
    """Networks that learn and unlearn by shards: SISA of Bourtoule et al. (2021), sharded and isolated, not sliced.

    A prediction is the mean of what the shards' models say. Unlearning is exact: each shard is what learning on the remaining
    records makes of it, those that held none of the forgotten ones because they never saw them. It is so for requests that do not
    depend on the models.
    """

    def __init__(self, networks: Networks, params: Mapping[str, Any]) -> None:
        """Keep what learns the shards.

        Args:
            networks: Learns each shard; without DP-SGD.
            params: See `auditor.parts.networks.settings.Sharded`.

        Raises:
            ValueError: If the params are wrong.
        """
        settings = read(Sharded, params)
        self._networks, self._division = networks, Shards(settings.shards, settings.key)

    def learn(self, data: Dataset, seed: int) -> ShardedModel:
        """Train a new model on every shard of `data`."""
        return self.learn_many([data], [seed])[0]

    def learn_many(self, datas: Sequence[Dataset], seeds: Sequence[int]) -> list[ShardedModel]:
        """Train new models on every shard of each of `datas`, all of them together."""
        every = range(self._division.count)
        return self._trained([(None,) * len(every)] * len(datas), datas, [every] * len(datas), seeds)

    def unlearn(self, model: ShardedModel, data: Dataset, forget: Positions, seed: int) -> ShardedModel:
        """Train from scratch each shard that held a row of `data` at `forget`, shape (m,), on what it has left."""
        return self.unlearn_many([model], [data], [forget], [seed])[0]

    def unlearn_many(
        self, models: Sequence[ShardedModel], datas: Sequence[Dataset], forgets: Sequence[Positions], seeds: Sequence[int]
    ) -> list[ShardedModel]:
        """The same for many models, each with its own data; a shard that is not touched stays the object that it was."""
        pairs = list(zip(datas, forgets, strict=True))
        touched = [np.unique(self._division.of(data.ids[forget])).tolist() for data, forget in pairs]
        remaining = [data.subset(np.setdiff1d(np.arange(len(data)), forget)) for data, forget in pairs]
        return self._trained([model.shards for model in models], remaining, touched, seeds)

    def refit(self, model: ShardedModel, data: Dataset, seed: int) -> ShardedModel:
        """Training on every shard of `data` that starts from the shard's model, where it has one."""
        shards = enumerate(zip(model.shards, self._division.split(data), strict=True))
        return ShardedModel(tuple(self._refitted(own, rows, self._division.seed(seed, shard)) for shard, (own, rows) in shards))

    def predict(self, model: ShardedModel, features: Floats) -> Floats:
        """Probabilities of the classes, shape (n, classes): the mean over the shards that have records."""
        return self.predict_many([model], [features])[0]

    def predict_many(self, models: Sequence[ShardedModel], features: Sequence[Floats]) -> list[Floats]:
        """Of each model the probabilities of the classes for its own rows, shape (n, classes)."""
        flat = [(own, rows) for model, rows in zip(models, features, strict=True) for own in _present(model)]
        said = iter(self._networks.predict_many([own for own, _ in flat], [rows for _, rows in flat]))
        return [np.mean([next(said) for _ in _present(model)], axis=0) for model in models]

    def parameters(self, model: ShardedModel) -> Floats:
        """Every shard's parameters, one shard after another, shape (shards · p,), float64; 0 where a shard has no record."""
        size = self._networks.parameters(_present(model)[0]).size
        return np.concatenate([np.zeros(size) if own is None else self._networks.parameters(own) for own in model.shards])

    def facts(self, model: ShardedModel) -> Facts:
        """That the last update trained from scratch whatever held a record that it removed."""
        del model
        return Facts(retrained=True)

    def save(self, model: ShardedModel, path: str) -> None:
        """Write the tensor `parameters`, shape (shards · p,), as safetensors."""
        save_file({"parameters": self.parameters(model)}, Path(path))

    def load(self, path: str) -> npt.NDArray[Any]:
        """Read the tensor `parameters` back."""
        return load_file(Path(path))["parameters"]

    def state(self, model: ShardedModel) -> bytes:
        """Every byte that is carried to the next update: the shards' parameters, in order."""
        return b"".join(self._networks.state(own) for own in _present(model))

    def _refitted(self, model: NetworkModel | None, data: Dataset, seed: int) -> NetworkModel | None:
        if not len(data):
            return None
        return self._networks.learn(data, seed) if model is None else self._networks.refit(model, data, seed)

    def _trained(
        self,
        before: Sequence[Sequence[NetworkModel | None]],
        datas: Sequence[Dataset],
        touched: Sequence[Iterable[int]],
        seeds: Sequence[int],
    ) -> list[ShardedModel]:
        """The models with the shards in `touched` learnt from their records in `datas`."""
        after = [list(shards) for shards in before]
        places, parts, own_seeds = [], [], []
        for at, (data, chosen, seed) in enumerate(zip(datas, touched, seeds, strict=True)):
            if not len(data):
                raise ValueError("expected at least one record to learn from, found none")
            shards = self._division.split(data)
            for shard in chosen:
                after[at][shard] = None
                if len(shards[shard]):
                    places.append((at, shard))
                    parts.append(shards[shard])
                    own_seeds.append(self._division.seed(seed, shard))
        for (at, shard), model in zip(places, self._networks.learn_many(parts, own_seeds), strict=True):
            after[at][shard] = model
        return [ShardedModel(tuple(shards)) for shards in after]


def _present(model: ShardedModel) -> list[NetworkModel]:
    return [own for own in model.shards if own is not None]
