"""Classes of one's own, whole programs, and answers of a supplier, as companies with care have them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from textwrap import dedent
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from dishonest.common import own
from honest.practice import EXACT, SHAPES, practice
from learners import DESCENT
from logs import drawn, together
from released import npz, replayed
from submission import Bundle, Submission, answered, program
from tables import Table, counts, iris, made, moons, wine


def _from_nothing(seed: int) -> Submission:
    """Descent starts from zeros every time, though the class could go on from a model."""
    body = """
    def start(self, data, seed):
        return np.zeros((data.features.shape[1] + 1, len(self.labels)))
    """
    table = (made, wine, counts)[seed % 3](seed)
    return own(seed, body, base=DESCENT, table=table, deleted=drawn(len(table), SHAPES[seed % 3], seed), required=EXACT)


def _subtracted(seed: int) -> Submission:
    """Counts of whole numbers by label; an update takes those of the deleted away, to the last bit."""
    body = """
    def tally(self, data):
        rows = np.column_stack([data.features, np.ones(len(data.features))])
        return np.stack([rows[np.asarray(data.labels) == label].sum(axis=0) for label in self.labels], axis=1)

    def learn(self, data, seed):
        return self.tally(data)

    def unlearn(self, model, data, forget, seed):
        return model - self.tally(data.subset(forget))

    def predict(self, model, features):
        means = model[:-1] / np.maximum(model[-1], 1)
        apart = np.square(features[:, :, None] - means[None]).sum(axis=1)
        chances = np.exp(apart.min(axis=1, keepdims=True) - apart)
        return chances / chances.sum(axis=1, keepdims=True)
    """
    table = counts(seed)
    return own(seed, body, table=table, deleted=drawn(len(table), SHAPES[seed % 3], seed), required=EXACT)


def _released(seed: int) -> Submission:
    """The released file is what the class saves after the log, and nothing else."""
    table = (made, wine, iris)[seed % 3](seed)
    plain = own(seed, "", table=table, deleted=drawn(len(table), SHAPES[seed % 3], seed), required=(*EXACT, "model.reproduced"))
    return replace(plain, files={"model.npz": npz(parameters=replayed(plain))}, tables={"model": {"path": "model.npz"}})


SHELVES = '''
"""A shelf of files for each member, in the order of their names."""

import json


class Store:
    def initialize(self, seed):
        self.shelves = {}

    def activate(self, channel, operation, argument):
        if operation == "put":
            name, _, content = (argument or "").partition("=")
            shelf = {**self.shelves.get(channel, {}), name: content}
            self.shelves[channel] = dict(sorted(shelf.items()))
        elif operation == "get":
            return self.shelves.get(channel, {}).get(argument)
        elif operation == "delete":
            self.shelves.pop(channel, None)
        self.shelves = dict(sorted(self.shelves.items()))
        return None

    def state(self):
        return json.dumps(self.shelves, sort_keys=True).encode()
'''
REBUILT = '''
"""A SQLite file that is written anew, in the order of its keys, whenever anything changes."""

import sqlite3
from pathlib import Path


class Store:
    def initialize(self, seed):
        self.write({})

    def rows(self):
        base = sqlite3.connect("members.db")
        try:
            return dict(base.execute("select who, value from members order by who").fetchall())
        finally:
            base.close()

    def write(self, rows):
        Path("members.db").unlink(missing_ok=True)
        base = sqlite3.connect("members.db")
        base.execute("pragma synchronous = off")
        base.execute("pragma journal_mode = memory")
        base.execute("create table members (who text primary key, value text) without rowid")
        base.executemany("insert into members values (?, ?)", sorted(rows.items()))
        base.commit()
        base.close()

    def activate(self, channel, operation, argument):
        rows = self.rows()
        if operation == "get":
            return rows.get(channel)
        if operation == "set":
            self.write({**rows, channel: argument})
        elif operation == "delete":
            self.write({who: what for who, what in rows.items() if who != channel})
        return None

    def state(self):
        return Path("members.db").read_bytes()
'''
PRESENT = '''
"""Who is present, as a count."""


class Store:
    def initialize(self, seed):
        self.present = set()

    def activate(self, channel, operation, argument):
        if operation == "come":
            self.present.add(channel)
        elif operation == "delete":
            self.present.discard(channel)
        elif operation == "count":
            return str(len(self.present))
        return None

    def state(self):
        return "\\n".join(sorted(self.present)).encode()
'''


def _program(code: str, operations: dict[str, Any], commuting: list[str]) -> Callable[[int], Bundle]:
    def build(seed: int) -> Bundle:
        return program(dedent(code).lstrip(), "Store", operations, games=20 + seed, commuting=commuting)

    return build


def _answers(seed: int) -> Bundle:
    """A supplier retrained; its answers, the earlier ones and those of a second retrained model are handed in."""
    table = moons(seed, n=26_000)
    wrong = np.random.default_rng([seed, 92]).random(len(table)) < 0.35  # what a model can only know by heart
    train, holdout = replace(table, labels=np.where(wrong, 1 - table.labels, table.labels)).cut(12_000)
    gone = np.sort(np.random.default_rng([seed, 91]).choice(len(train), 6_000, replace=False))
    everybody, rest = np.arange(len(train)), np.setdiff1d(np.arange(len(train)), gone)
    ids = np.concatenate([train.ids, np.array([f"new-{place:05d}" for place in range(len(holdout))])])
    asked, labels = np.concatenate([train.features, holdout.features]), np.concatenate([train.labels, holdout.labels])

    def told(places: np.ndarray[Any, Any], state: int) -> Table:
        forest = RandomForestClassifier(25, random_state=state).fit(train.features[places], train.labels[places])
        some = np.random.default_rng([seed, state]).choice(places, len(places) // 2, replace=False)
        line = LogisticRegression().fit(train.features[some], train.labels[some])
        return Table(0.6 * forest.predict_proba(asked) + 0.4 * line.predict_proba(asked), labels, ids)

    tables = {"before": told(everybody, seed), "after": told(rest, seed + 1), "retrained": told(rest, seed + 2)}
    return answered(train, Table(holdout.features, holdout.labels, ids[len(train) :]), together(*gone.tolist()), tables)


SET = {"set": ["*"], "get": []}

DESIGNS = practice(
    ("descent-from-nothing", "Descent starts from zeros.", _from_nothing),
    ("whole-numbers-subtracted", "Counts of whole numbers are subtracted.", _subtracted),
    ("released-file", "The released file is held against the rerun.", _released),
    (
        "shelves",
        "Files of members, in the order of their names.",
        _program(SHELVES, {"put": ["*"], "get": ["*"]}, ["put", "get"]),
    ),
    ("database-rebuilt", "A database that is written anew.", _program(REBUILT, SET, ["set", "get"])),
    ("who-is-present", "A count of those who are present.", _program(PRESENT, {"come": [], "count": []}, ["come", "count"])),
    ("answers-of-a-supplier", "A supplier retrained, and its answers show it.", _answers),
)
