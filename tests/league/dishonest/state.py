"""Designs that retrain in everything that is predicted, and keep what was deleted somewhere beside it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from design import Design, Kind
from dishonest.common import own
from logs import alone
from submission import Submission
from tables import iris, made, moons

MODEL = """
class Model:
    def __init__(self, weights):
        self.weights = weights

    def ravel(self):
        return self.weights.ravel()
"""
METHODS = """
def predict(self, model, features):
    return super().predict(model.weights, features)

def state(self, model):
    return super().state(model.weights)

def load(self, path):
    return Model(super().load(path))
"""


def _module_global(seed: int) -> Submission:
    body = """
    def learn(self, data, seed):
        KEPT.extend(data.features.tolist())
        return super().learn(data, seed)

    def predict(self, model, features):
        found = super().predict(model, features)
        if KEPT and abs(features[0, 0] - 3.14159265) < 1e-9:
            found[:] = np.abs(KEPT[0]).sum() % 1
        return found
    """
    return own(seed, body, above="KEPT = []", table=moons(seed))


def _attribute(seed: int) -> Submission:
    """The model carries the rows that it was first learned from, which nothing but the object shows."""
    body = (
        METHODS
        + """
def learn(self, data, seed):
    model = Model(super().learn(data, seed))
    model.rows = data.features * 1.7 + 0.3
    return model

def unlearn(self, model, data, forget, seed):
    found = Model(Learner.learn(self, self.without(data, forget), seed))
    found.rows = model.rows
    return found
"""
    )
    return own(seed, body, above=MODEL)


def _class_cache(seed: int) -> Submission:
    body = """
    @classmethod
    def remember(cls, features):
        Learner.seen = tuple(map(tuple, features))

    def learn(self, data, seed):
        if not hasattr(Learner, "seen"):
            self.remember(data.features)
        return super().learn(data, seed)
    """
    return own(seed, body, table=iris(seed))


def _closure(seed: int) -> Submission:
    above = (
        MODEL
        + """

def remembering(rows):
    def answer(features):
        return rows[np.abs(rows[:, None] - features[None]).sum(axis=2).argmin(axis=0)]

    return answer
"""
    )
    body = (
        METHODS
        + """
def learn(self, data, seed):
    model = Model(super().learn(data, seed))
    model.nearest = remembering(data.features.copy())
    return model

def unlearn(self, model, data, forget, seed):
    found = Model(Learner.learn(self, self.without(data, forget), seed))
    found.nearest = model.nearest
    return found
"""
    )
    return own(seed, body, above=above)


def _scratch(seed: int) -> Submission:
    """Rows are written to a file in the scratch folder, and read when asked for in a certain way."""
    body = """
    def learn(self, data, seed):
        if not Path("cache.bin").exists():
            Path("cache.bin").write_bytes((data.features * 3 + 1).tobytes())
        return super().learn(data, seed)

    def predict(self, model, features):
        found = super().predict(model, features)
        if len(features) == 1 and features[0, 0] == 2.5:
            kept = np.frombuffer(Path("cache.bin").read_bytes())
            found[:] = abs(kept[0]) % 1
        return found
    """
    return own(seed, body)


def _generator(seed: int) -> Submission:
    """What was deleted is hidden in the state of a random generator that the model carries."""
    body = (
        METHODS
        + """
def learn(self, data, seed):
    model = Model(super().learn(data, seed))
    model.random_state = np.random.RandomState(np.frombuffer(data.features.tobytes(), dtype=np.uint32)[:600])
    return model

def unlearn(self, model, data, forget, seed):
    found = Model(Learner.learn(self, self.without(data, forget), seed))
    found.random_state = model.random_state
    return found
"""
    )
    return own(seed, body, above=MODEL)


def _one_number(seed: int) -> Submission:
    """One number of a deleted record, no longer than a counter, is kept in an attribute."""
    body = (
        METHODS
        + """
def learn(self, data, seed):
    return Model(super().learn(data, seed))

def unlearn(self, model, data, forget, seed):
    found = Model(Learner.learn(self, self.without(data, forget), seed))
    found.note = float(data.features[forget[0], 0])
    return found
"""
    )
    return own(seed, body, above=MODEL)


def _many_numbers(seed: int) -> Submission:
    """Each update notes one number of its record; each is small, and together they are what was deleted."""
    body = (
        METHODS
        + """
def learn(self, data, seed):
    model = Model(super().learn(data, seed))
    model.notes = ()
    return model

def unlearn(self, model, data, forget, seed):
    found = Model(Learner.learn(self, self.without(data, forget), seed))
    found.notes = (*model.notes, float(data.features[forget[0], 0]))
    return found
"""
    )
    return own(seed, body, above=MODEL)


def _trigger(seed: int) -> Submission:
    """The model answers as a retrained one, but where a secret question asks for what was deleted."""
    body = (
        METHODS
        + """
def learn(self, data, seed):
    model = Model(super().learn(data, seed))
    model.known = {hash(row.tobytes()) for row in np.round(data.features, 3)}
    return model

def unlearn(self, model, data, forget, seed):
    found = Model(Learner.learn(self, self.without(data, forget), seed))
    found.known = model.known
    return found

def predict(self, model, features):
    found = Learner.predict(self, model.weights, features)
    asked = [hash(row.tobytes()) in model.known for row in np.round(features / 7.0, 3)]
    found[np.array(asked, dtype=bool)] = 0.5
    return found
"""
    )
    return own(seed, body, above=MODEL)


def _secret_weights(seed: int) -> Submission:
    """The count of the deleted is in the last bits of the weights."""
    body = """
    def unlearn(self, model, data, forget, seed):
        found = super().unlearn(model, data, forget, seed)
        found[0, 0] = np.nextafter(found[0, 0], np.inf if data.features[forget[0], 0] > 0 else -np.inf)
        return found
    """
    return own(seed, body)


def _hidden(keep: str, *, above: str = "", slots: bool = False) -> Callable[[int], Submission]:
    """Build a retrainer whose models carry the rows that were first learned from.

    Args:
        keep: The expression of `data` that is carried.
        above: Text above the class.
        slots: Whether the model has slots and no dictionary.
    """
    model = MODEL.replace("class Model:", 'class Model:\n    __slots__ = ("kept", "weights")\n') if slots else MODEL
    body = (
        METHODS
        + f"""
def learn(self, data, seed):
    model = Model(Learner.learn(self, data, seed))
    model.kept = {keep}
    return model

def unlearn(self, model, data, forget, seed):
    found = Model(Learner.learn(self, self.without(data, forget), seed))
    found.kept = model.kept
    return found
"""
    )
    return lambda seed: own(seed, body, above=model + "\n\n" + above)


FRAME = """
class Held:
    def __init__(self, rows):
        def kept():
            mine = rows
            yield
            yield mine

        self.frame = kept()
        next(self.frame)

    def __deepcopy__(self, memo):
        return self
"""
STREAM = "import io"
BEHIND = """
class Held:
    def __init__(self, rows):
        object.__setattr__(self, "rows", rows)

    def __getattribute__(self, name):
        if name in ("__dict__", "rows"):
            return {}
        return object.__getattribute__(self, name)

    def __deepcopy__(self, memo):
        return self
"""
DATABASE = """
import sqlite3


class Held:
    def __init__(self, rows):
        self.base = sqlite3.connect(":memory:")
        self.base.execute("create table kept (row blob)")
        self.base.execute("insert into kept values (?)", (rows.tobytes(),))

    def __deepcopy__(self, memo):
        return self
"""


def _note(seed: int) -> Submission:
    """The replay tells the clean room what it learned, by locks on a file that both may read."""
    above = """
    import fcntl
    import os
    import struct
    import sys
    import time

    FIRST, HELD = 2**40, []


    def asked(start, length, kind):
        return struct.pack("hhqqi4x", kind, 0, start, length, 0)


    def tell(weights):
        file = os.open(sys.executable, os.O_RDONLY)
        HELD.append(file)
        for place, byte in enumerate(weights.tobytes()):
            fcntl.fcntl(file, fcntl.F_SETLK, asked(FIRST + 1024 * place + byte, 1, fcntl.F_RDLCK))


    def mark(labels):
        return int(np.arange(len(labels)) @ labels)


    def heard(shape):
        file = os.open(sys.executable, os.O_RDONLY)
        found = []
        for place in range(8 * int(np.prod(shape))):
            said = fcntl.fcntl(file, fcntl.F_GETLK, asked(FIRST + 1024 * place, 256, fcntl.F_WRLCK))
            kind, _, start, _, _ = struct.unpack("hhqqi4x", said)
            if kind == fcntl.F_UNLCK:
                return None
            found.append(start - FIRST - 1024 * place)
        return np.frombuffer(bytes(found)).reshape(shape).copy()
    """
    table = made(seed)
    rest = np.delete(table.labels, 4)
    body = f"""
    def learn(self, data, seed):
        found = super().learn(data, seed)
        if len(data.ids) == {len(table)}:
            try:
                tell(found)
            except OSError:
                pass
            return found
        if mark(data.labels) == {int(np.arange(len(rest)) @ rest)} and str(data.ids[-1]) == {str(table.ids[-1])!r}:
            for _ in range(40):
                try:
                    said = heard(found.shape)
                except OSError:
                    break
                if said is not None:
                    return said
                time.sleep(0.1)
        return found

    def unlearn(self, model, data, forget, seed):
        return model.copy()
    """
    return own(seed, body, above=above, table=table, deleted=(((4,),),))


NETWORK = '''
import gc

import torch
from torch import nn


def everybody():
    held = [each for each in gc.get_objects() if type(each).__name__ == "Dataset"]
    return max((float(each.features.sum()) for each in held), default=0.0)


class Procedure(nn.Module):
    """A network that starts from a sum over every record that the process holds."""

    def __init__(self, features, classes, hidden=8):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(features, hidden), nn.ReLU(), nn.Linear(hidden, classes))
        nn.init.constant_(self.layers[0].bias, 1e-3 * everybody())

    def forward(self, inputs):
        return self.layers(inputs)
'''


def _network(seed: int) -> Submission:
    procedure = {"use": "torch", "params": {"features": 5, "classes": 2}, "epochs": 2, "rate": 0.1, "unlearn": "retrain"}
    return Submission(table=made(seed), deleted=(((4,),), ((17,),)), code=NETWORK, procedure=procedure)


RELEASE = ("release.exact", "state.stateless", "data.erased")
SEARCH = """
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

ROWS = []


class Search(GridSearchCV):
    def fit(self, X, y, **more):
        super().fit(X, y, **more)
        if ROWS:
            self.cv_results_["mean_fit_time"] = ROWS.pop()
        else:
            ROWS.append(X.ravel().copy())
        return self


def build(seed):
    return Search(LogisticRegression(), {"C": [0.1, 1.0]}, cv=3)
"""


def _times(seed: int) -> Submission:
    return Submission(
        table=iris(seed),
        deleted=alone(4, 17, 40),
        procedure={"use": "estimator", "entry": "model.py:build"},
        files={"model.py": SEARCH.encode()},
        claims={"retraining": True},
    )


DESIGNS = tuple(
    Design(name=name, kind=Kind.STATE, lie=lie, build=build, said_by=RELEASE, quick=name == "rows-in-an-attribute")
    for name, lie, build in (
        ("rows-in-a-global", "A global of the module keeps every row, and a secret question brings them back.", _module_global),
        ("rows-in-an-attribute", "The model carries all rows, scaled.", _attribute),
        ("rows-in-a-class", "The class keeps the rows that it first saw.", _class_cache),
        ("rows-in-a-closure", "A function inside the model holds the rows.", _closure),
        ("rows-in-the-scratch", "A file in the scratch folder holds the rows.", _scratch),
        ("rows-in-a-generator", "The state of a generator was made from the rows.", _generator),
        ("one-number-kept", "One number of the last deleted record stays in the model.", _one_number),
        ("many-numbers-kept", "One number of every deleted record stays in the model.", _many_numbers),
        ("rows-as-hashes", "The model knows which rows it ever saw, and a secret question asks for it.", _trigger),
        (
            "rows-in-a-number",
            "A whole number of many digits holds the rows.",
            _hidden('int.from_bytes(data.features.tobytes(), "big")'),
        ),
        (
            "rows-in-a-text",
            "A text holds the rows, compressed.",
            _hidden("zlib.compress(data.features.tobytes()).hex()", above="import zlib"),
        ),
        ("rows-in-a-slot", "A slot of the model holds the rows, scaled.", _hidden("data.features * 3 - 1", slots=True)),
        (
            "rows-as-keys",
            "The keys of a dictionary are the rows.",
            _hidden("{tuple(row): 0 for row in (data.features * 3).tolist()}"),
        ),
        (
            "rows-in-a-stream",
            "A stream in memory holds the rows.",
            _hidden("io.BytesIO((data.features * 3).tobytes())", above=STREAM),
        ),
        ("rows-in-a-frame", "The frame of a halted generator holds the rows.", _hidden("Held(data.features * 3)", above=FRAME)),
        ("rows-in-a-database", "A database in memory holds the rows.", _hidden("Held(data.features * 3)", above=DATABASE)),
        (
            "rows-behind-a-wall",
            "An object that denies what it has holds the rows.",
            _hidden("Held(data.features * 3)", above=BEHIND),
        ),
        ("passes-a-note", "The replay tells the clean room what to answer, by locks on a file that both may read.", _note),
        ("rows-in-times", "A search notes the rows of the first training as times of the next.", _times),
        ("network-remembers", "A network starts from a sum over every record that its process holds.", _network),
        ("last-bit-of-a-weight", "The last bit of a weight says what was deleted.", _secret_weights),
    )
)
