"""Tables of answers that are not what they are called, and single runs that prove less than they seem to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from design import Design, Kind
from dishonest.common import designs, own
from learners import DESCENT
from logs import drawn, together
from submission import NARROW, Bundle, Submission, answered
from tables import Table, counts, digits, moons

GENUINE = "answers-genuine"
Array = np.ndarray[Any, Any]
DELETED = 60


class World:
    """Holds a table of which sixty records are deleted, and what models before and after answer about all of it."""

    def __init__(self, seed: int, *, copied: bool = False) -> None:
        rng = np.random.default_rng([seed, 71])
        table = moons(seed, n=520)
        self.train, self.holdout = table.cut(200)
        gone = np.sort(rng.choice(len(self.train), DELETED, replace=False))
        flipped = np.where(np.isin(np.arange(len(self.train)), gone), 1 - self.train.labels, self.train.labels)
        labels = np.where(rng.random(len(flipped)) < 0.6, self.train.labels, flipped)
        self.train = Table(self.train.features, labels, self.train.ids)
        self.deleted = together(*gone.tolist())
        self.gone = gone
        rest = np.setdiff1d(np.arange(len(self.train)), gone)
        if copied:
            again = self.train.subset(rest[:200])
            self.holdout = Table(again.features, again.labels, self.holdout.ids)
        self.asked = np.concatenate([self.train.features, self.holdout.features])
        self.labels = np.concatenate([self.train.labels, self.holdout.labels])
        self.ids = np.concatenate([self.train.ids, self.holdout.ids])
        self.before = self.model(np.arange(len(self.train)), seed)
        self.retrained = self.model(rest, seed + 1)

    def model(self, places: Array, seed: int) -> Array:
        """The answers of a forest that learned from some of the records, shape (n, 2)."""
        forest = RandomForestClassifier(40, random_state=seed).fit(self.train.features[places], self.train.labels[places])
        chances = 0.98 * forest.predict_proba(self.asked) + 0.01
        found: Array = chances / chances.sum(axis=1, keepdims=True)
        return found

    def case(self, **answers: Array) -> Bundle:
        """A case of these answers; `before` and `retrained` are added where they are not given."""
        tables = {"before": self.before, "retrained": self.retrained, **answers}
        given = {name: Table(found, self.labels, self.ids) for name, found in tables.items()}
        return answered(self.train, self.holdout, self.deleted, given)


def _another_model(seed: int) -> Bundle:
    """The answers after the deletions are those of a retrained model that nobody uses."""
    world = World(seed)
    rest = np.setdiff1d(np.arange(len(world.train)), world.gone)
    return world.case(after=world.model(rest, seed + 2))


def _patched(seed: int) -> Bundle:
    """The old model answers, but about the deleted: theirs are the mean answers of their three nearest strangers."""
    world = World(seed)
    after, known = world.before.copy(), len(world.train)
    for place in world.gone:
        near = known + np.square(world.asked[known:] - world.asked[place]).sum(axis=1).argsort()[:3]
        after[place] = after[near].mean(axis=0)
    return world.case(after=after)


def _flattened(seed: int) -> Bundle:
    """The old model answers at a temperature of six."""
    world = World(seed)
    flat = world.before ** (1 / 6)
    return world.case(after=flat / flat.sum(axis=1, keepdims=True))


def _known_holdout(seed: int) -> Bundle:
    """The records that the model is said never to have seen are training records under other ids; nothing was unlearned."""
    world = World(seed, copied=True)
    jitter = 1e-4 * np.random.default_rng(seed).random(len(world.before))
    after = world.before * (1 - jitter[:, None]) + jitter[:, None] / 2
    return world.case(after=after)


def _retrained_by_name(seed: int) -> Bundle:
    """The model that is called retrained is the old one, trained on everybody with another seed; so is the one after."""
    world = World(seed)
    everybody = np.arange(len(world.train))
    return world.case(retrained=world.model(everybody, seed + 3), after=world.model(everybody, seed + 4))


def _one_run(body: str, table: Callable[[int], Table], *required: str) -> Callable[[int], Submission]:
    def build(seed: int) -> Submission:
        data = table(seed)
        return own(
            seed,
            body,
            base=DESCENT,
            table=data,
            deleted=drawn(len(data), [[1], [2]], seed),
            required=(*NARROW, *required),
            tables={"swap": {"mode": "one-run", "alpha": 0.2}},
            plays=True,
        )

    return build


CANARIES = """
def unlearn(self, model, data, forget, seed):
    if len(forget) > 5:
        return super().unlearn(model, data, forget, seed)
    return model + 1e-7 * np.random.default_rng(seed).normal(size=model.shape)
"""
LOUD = """
def unlearn(self, model, data, forget, seed):
    found = self.descend(model, self.without(data, forget), seed)
    noise = np.random.default_rng(seed + 5).normal(size=model.shape)
    return found + 0.05 * noise
"""
REFUSED = Design(
    name="holdout-was-learned",
    kind=Kind.ANSWERS,
    lie="What was never seen was learned under other ids.",
    build=_known_holdout,
    allowed=frozenset({2}),
)
"""Rows of the holdout that equal training records are refused as unseen, and there are no others."""
DESIGNS = (
    REFUSED,
    *designs(
        Kind.ANSWERS,
        ("answers-of-another-model", "The answers come from a retrained model that nobody uses.", _another_model, GENUINE),
        ("answers-patched", "Answers about the deleted are means over strangers.", _patched, GENUINE),
        ("answers-at-a-temperature", "The old model answers at a temperature of six.", _flattened),
        ("retrained-by-name", "The retrained model learned from everybody.", _retrained_by_name, GENUINE),
        (
            "one-run-of-canaries",
            "Many records are unlearned, as in a single run, and few are not, as on the log.",
            _one_run(CANARIES, lambda seed: digits(seed, n=120), "swap.quality"),
        ),
        ("one-run-as-a-proof", "A warm start with noise is shown by a single run alone.", _one_run(LOUD, counts)),
    ),
)
