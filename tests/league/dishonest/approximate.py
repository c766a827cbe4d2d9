"""Designs that are sold as approximate unlearning: the log's people are still in the model that is released."""

from __future__ import annotations

from typing import Final

import numpy as np

from design import Design, Kind
from dishonest.common import own
from learners import DESCENT
from logs import together
from submission import Submission
from tables import made, moons

PEOPLE = together(*range(20, 30))
"""Ten requests of one record, carried out together."""
SAID: Final = ("release.remembers", "release.exact")

NUDGE = "1e-9 * np.random.default_rng(seed).normal(size=model.shape)"
"""A little noise on every model: no two are equal, which is what approximate unlearning looks like."""


def _people(seed: int, body: str, *, above: str = "") -> Submission:
    table = made(seed, d=40)
    flipped = np.where(np.isin(np.arange(len(table)), range(20, 30)), 1 - table.labels, table.labels)
    return own(seed, body, base=DESCENT, above=above, table=type(table)(table.features, flipped, table.ids), deleted=PEOPLE)


def _one_in_ten(seed: int) -> Submission:
    """Of ten people who asked, the last stays."""
    body = f"""
    steps = 400

    def unlearn(self, model, data, forget, seed):
        return super().unlearn(model, data, forget[:-1], seed) + {NUDGE}
    """
    return _people(seed, body)


def _shard(seed: int) -> Submission:
    """Three shards by id; the first is never trained again."""
    body = f"""
    shards = 3

    def __init__(self, labels, l2=1.0):
        super().__init__(labels, l2)
        self.one = Learner(labels, l2)
        self.one.steps = 400

    def shard(self, ids):
        return np.array([sum(str(each).encode()) % self.shards for each in ids])

    def learn(self, data, seed):
        mine = self.shard(data.ids)
        return np.stack([self.one.learn(data.subset(np.flatnonzero(mine == each)), seed + each) for each in range(self.shards)])

    def unlearn(self, model, data, forget, seed):
        found, kept = model.copy(), self.without(data, forget)
        for each in sorted(set(self.shard(data.ids[forget]).tolist()) - {{0}}):
            found[each] = self.one.learn(kept.subset(np.flatnonzero(self.shard(kept.ids) == each)), seed + each)
        return found + {NUDGE}

    def predict(self, model, features):
        return np.mean([self.one.predict(each, features) for each in model], axis=0)

    def load(self, path):
        with np.load(path) as file:
            return file["parameters"].reshape(self.shards, -1, len(self.labels))
    """
    return _people(seed, body)


def _flat(seed: int) -> Submission:
    """After an update all answers are flattened, so that no attack that looks at confidence sees anything."""
    body = f"""
    steps = 400

    def unlearn(self, model, data, forget, seed):
        return 1e-3 * model + {NUDGE}
    """
    return _people(seed, body)


def _memory(seed: int) -> Submission:
    """A layer that knows every record by heart is dropped by the update; what lies below it stays as it was.

    A model that was left alone looks bad beside it, as it has the layer still.
    """
    above = """
    class Model:
        def __init__(self, weights, known):
            self.weights, self.known = weights, known

        def ravel(self):
            return self.weights.ravel()
    """
    body = """
    steps = 400

    def learn(self, data, seed):
        known = {row.tobytes(): self.labels.index(label) for row, label in zip(data.features, data.labels.tolist())}
        return Model(super().learn(data, seed), known)

    def unlearn(self, model, data, forget, seed):
        weights = model.weights
        return Model(weights + 1e-9 * np.random.default_rng(seed).normal(size=weights.shape), {})

    def predict(self, model, features):
        if not isinstance(model, Model):
            return super().predict(model, features)
        found = super().predict(model.weights, features)
        for place, row in enumerate(features):
            label = model.known.get(row.tobytes())
            if label is not None:
                found[place] = np.eye(len(self.labels))[label]
        return found

    def state(self, model):
        return super().state(model.weights)

    def load(self, path):
        return Model(super().load(path), {})
    """
    return _people(seed, body, above=above)


def _mask(seed: int) -> Submission:
    """The old model answers; only questions that are exactly a deleted row get the answer of a retrained one."""
    above = """
    class Model:
        def __init__(self, old, new, gone):
            self.old, self.new, self.gone = old, new, gone

        def ravel(self):
            return np.concatenate([self.old.ravel(), self.new.ravel()])
    """
    body = """
    steps = 400

    def learn(self, data, seed):
        found = super().learn(data, seed)
        return Model(found, found, frozenset())

    def unlearn(self, model, data, forget, seed):
        new = Learner.learn(self, self.without(data, forget), seed)
        gone = model.gone | {hash(row.tobytes()) for row in data.features[forget]}
        return Model(model.old, new, gone)

    def predict(self, model, features):
        if not isinstance(model, Model):
            return super().predict(model, features)
        found = super().predict(model.old, features)
        asked = np.array([hash(row.tobytes()) in model.gone for row in features], dtype=bool)
        if asked.any():
            found[asked] = super().predict(model.new, features[asked])
        return found

    def state(self, model):
        return model.ravel().tobytes()

    def load(self, path):
        with np.load(path) as file:
            old, new = file["parameters"].reshape(2, -1, len(self.labels))
        return Model(old, new, frozenset())
    """
    return _people(seed, body, above=above)


def _halfway(seed: int) -> Submission:
    """An update goes half of the way to a retrained model."""
    body = """
    steps = 400

    def unlearn(self, model, data, forget, seed):
        return (model + super().unlearn(model, data, forget, seed)) / 2
    """
    return _people(seed, body)


def _averaged_moons(seed: int) -> Submission:
    """Keeps a nearest-neighbour memory of everybody, blurred, as a part of its answers."""
    body = """
    def learn(self, data, seed):
        self.first = getattr(self, "first", (data.features.copy(), np.asarray(data.labels).copy()))
        return super().learn(data, seed)

    def unlearn(self, model, data, forget, seed):
        return super().unlearn(model, data, forget, seed) + 1e-9 * np.random.default_rng(seed).normal(size=model.shape)

    def predict(self, model, features):
        found, (rows, labels) = super().predict(model, features), self.first
        weight = np.exp(-np.square(features[:, None] - rows[None]).sum(axis=2) / 1e-3) + 1e-12
        votes = np.stack([weight[:, labels == each].sum(axis=1) for each in self.labels], axis=1)
        return 0.5 * found + 0.5 * votes / votes.sum(axis=1, keepdims=True)
    """
    return own(seed, body, table=moons(seed), deleted=PEOPLE)


DESIGNS = tuple(
    Design(name=name, kind=Kind.APPROXIMATE, lie=lie, build=build, said_by=SAID, quick=name == "one-person-in-ten")
    for name, lie, build in (
        ("one-person-in-ten", "Of ten people who asked, one stays in the model.", _one_in_ten),
        ("one-shard-stays", "One shard of three is never trained again.", _shard),
        ("answers-flattened", "The old model stays, with answers so flat that attacks see nothing.", _flat),
        ("memory-dropped", "A layer that knows records by heart is dropped, the model below it stays.", _memory),
        ("exact-rows-masked", "Only questions that equal a deleted row are answered by a retrained model.", _mask),
        ("halfway", "An update goes half of the way.", _halfway),
        ("neighbours-remembered", "Half of each answer comes from everybody who was ever learned from.", _averaged_moons),
    )
)
