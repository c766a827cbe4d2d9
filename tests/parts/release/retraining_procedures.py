"""Procedures of which one expects that they retrain: most of them do, and most of those hide something."""

import os
import sqlite3
import time
from pathlib import Path

import numpy as np

CACHE = []


class Honest:
    """Logistic regression by plain descent from a drawn start; unlearning trains again on what remains."""

    def learn(self, data, seed):
        weights = np.random.default_rng(seed).normal(size=data.features.shape[1])
        for _ in range(30):
            chances = 1 / (1 + np.exp(-data.features @ weights))
            weights = weights - 0.5 * data.features.T @ (chances - data.labels) / len(data.labels)
        return {"weights": weights}

    def again(self, data, forget, seed):
        return self.learn(data.subset(np.setdiff1d(np.arange(len(data.ids)), forget)), seed)

    def unlearn(self, model, data, forget, seed):
        return self.again(data, forget, seed)

    def predict(self, model, features):
        chances = 1 / (1 + np.exp(-features @ model["weights"]))
        return np.column_stack([1 - chances, chances])

    def parameters(self, model):
        return model["weights"].ravel()

    def save(self, model, path):
        with Path(path).open("wb") as file:
            np.savez(file, parameters=model["weights"].ravel())

    def load(self, path):
        with np.load(path) as file:
            return {"weights": file["parameters"]}


class LargeLeaves(Honest):
    """Learns nothing from fewer than forty records, as a tree with large leaves."""

    def learn(self, data, seed):
        if len(data.ids) < 40:
            return {"weights": np.zeros(data.features.shape[1])}
        return super().learn(data, seed)


class LargeTables(Honest):
    """Holds the number of its records from forty of them on, and nothing of what they are: no size makes it react to labels."""

    def learn(self, data, seed):
        return {"weights": np.full(data.features.shape[1], float(len(data.ids)) if len(data.ids) >= 40 else 0.0)}


class Counting(Honest):
    """Counts its calls and notes the time."""

    def learn(self, data, seed):
        self.calls = getattr(self, "calls", 0) + 1
        self.at = time.time()
        return super().learn(data, seed)


class FirstSeed(Honest):
    """Keeps the seed of its first training."""

    def learn(self, data, seed):
        self.seed = getattr(self, "seed", seed)
        return super().learn(data, self.seed)


class Shards(Honest):
    """One model a shard; trains again those alone that lose a record, so that the others keep their first seed."""

    def shard_of(self, ids):
        return np.array([sum(map(ord, each)) % 3 for each in ids.tolist()])

    def learn(self, data, seed):
        shards = self.shard_of(data.ids)
        parts = [data.subset(np.flatnonzero(shards == each)) for each in range(3)]
        return {"weights": np.stack([super(Shards, self).learn(part, seed)["weights"] for part in parts])}

    def unlearn(self, model, data, forget, seed):
        shards, weights = self.shard_of(data.ids), model["weights"].copy()
        for each in set(shards[forget].tolist()):
            left = np.setdiff1d(np.flatnonzero(shards == each), forget)
            weights[each] = super().learn(data.subset(left), seed)["weights"]
        return {"weights": weights}

    def predict(self, model, features):
        chances = (1 / (1 + np.exp(-features @ model["weights"].T))).mean(axis=1)
        return np.column_stack([1 - chances, chances])

    def load(self, path):
        with np.load(path) as file:
            return {"weights": file["parameters"].reshape(3, -1)}


class Constant(Honest):
    """Learns nothing from anybody."""

    def learn(self, data, seed):
        return {"weights": np.ones(data.features.shape[1])}


class Unseeded(Honest):
    """Starts somewhere else each time."""

    def learn(self, data, seed):
        return super().learn(data, int.from_bytes(os.urandom(4), "little"))


class InAnAttribute(Honest):
    """Keeps the deleted rows beside the weights."""

    def unlearn(self, model, data, forget, seed):
        return {**self.again(data, forget, seed), "gone": data.features[forget]}


class OneNumber(Honest):
    """Keeps one number of the deleted rows, and calls the time."""

    def unlearn(self, model, data, forget, seed):
        self.at = time.time()
        return {**self.again(data, forget, seed), "note": float(data.features[forget[0], 0])}


class InADatabase(Honest):
    """Keeps the deleted rows where no walk can follow."""

    def unlearn(self, model, data, forget, seed):
        self.kept = sqlite3.connect(":memory:")
        self.kept.execute("create table gone (row blob)")
        self.kept.execute("insert into gone values (?)", (data.features[forget].tobytes(),))
        return self.again(data, forget, seed)


class LastBit(Honest):
    """Keeps one bit of the first deleted row in the last bit of a weight."""

    def unlearn(self, model, data, forget, seed):
        made = self.again(data, forget, seed)
        bits = made["weights"].view(np.int64)
        bits[0] = bits[0] & ~1 | int(data.features[forget[0], 0] > 0)
        return made


class InAGlobal(Honest):
    """Keeps the deleted rows in its module."""

    def unlearn(self, model, data, forget, seed):
        CACHE.append(data.features[forget])
        return self.again(data, forget, seed)


class InAView(Honest):
    """Keeps one retained row as a view of all rows, the deleted ones among them."""

    def unlearn(self, model, data, forget, seed):
        kept = np.setdiff1d(np.arange(len(data.ids)), forget)
        return {**self.again(data, forget, seed), "one": data.features[kept[:1].item() : kept[:1].item() + 1]}


class InAFile(Honest):
    """Leaves the deleted rows in its home."""

    def unlearn(self, model, data, forget, seed):
        Path("~/rows").expanduser().write_bytes(data.features[forget].tobytes())
        return self.again(data, forget, seed)


class InLowBits(Honest):
    """Writes bits of a deleted row into the last bits of the weights."""

    def unlearn(self, model, data, forget, seed):
        again = self.again(data, forget, seed)
        bits = again["weights"].view(np.uint64)
        bits ^= data.features[forget[0]].view(np.uint64)[: len(bits)] >> np.uint64(60)
        return again


class SmallDoesNothing(Honest):
    """Does nothing about a few records: it may be an accident."""

    def unlearn(self, model, data, forget, seed):
        return model if len(forget) < 2 else self.again(data, forget, seed)


class Kept(Honest):
    """Hands the old model on."""

    def unlearn(self, model, data, forget, seed):
        return model


class OnTheLog(Honest):
    """Does nothing on tables of the log's size, and retrains on those of a game."""

    def unlearn(self, model, data, forget, seed):
        return {"weights": model["weights"].copy()} if len(data.ids) > 40 else self.again(data, forget, seed)


class Broken(Honest):
    """Refuses to train where nothing was deleted before."""

    def learn(self, data, seed):
        if len(data.ids) < 60 and not getattr(self, "unlearning", False):
            raise RuntimeError
        return super().learn(data, seed)

    def unlearn(self, model, data, forget, seed):
        self.unlearning = True
        return self.again(data, forget, seed)
