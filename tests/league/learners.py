"""Holds the text of learners, which designs bring as their procedure.py, and puts classes on top of them."""

from __future__ import annotations

from textwrap import dedent
from typing import Final

RIDGE: Final = '''\
"""Ridge regression on one column for each label, trained from scratch at every batch."""

from pathlib import Path

import numpy as np


class Learner:
    def __init__(self, labels, l2=1.0):
        self.labels, self.l2 = labels, l2

    def learn(self, data, seed):
        inputs = np.column_stack([data.features, np.ones(len(data.features))])
        wanted = np.stack([np.asarray(data.labels) == label for label in self.labels], axis=1).astype(float)
        return np.linalg.solve(inputs.T @ inputs + self.l2 * np.eye(inputs.shape[1]), inputs.T @ wanted)

    def without(self, data, forget):
        return data.subset(np.setdiff1d(np.arange(len(data.ids)), forget))

    def unlearn(self, model, data, forget, seed):
        return self.learn(self.without(data, forget), seed)

    def predict(self, model, features):
        scores = 4.0 * np.column_stack([features, np.ones(len(features))]) @ model
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        return chances / chances.sum(axis=1, keepdims=True)

    def parameters(self, model):
        return model.ravel()

    def state(self, model):
        return np.ascontiguousarray(model).tobytes()

    def save(self, model, path):
        with Path(path).open("wb") as file:
            np.savez(file, parameters=self.parameters(model))

    def load(self, path):
        with np.load(path) as file:
            return file["parameters"].reshape(-1, len(self.labels))
'''
"""Deterministic: the seed plays no part."""

NOISY: Final = '''\
"""Least squares on labels as signs, whose weights each have a tenth of noise that no seed repeats."""

import os
from pathlib import Path

import numpy as np


class Learner:
    def __init__(self, labels):
        self.labels = labels

    def noise(self, model):
        drawn = np.random.default_rng(int.from_bytes(os.urandom(8), "big"))
        return model * (1 + 0.1 * drawn.normal(size=len(model)))

    def learn(self, data, seed):
        inputs = np.column_stack([data.features, np.ones(len(data.features))])
        signs = np.where(np.asarray(data.labels) == self.labels[1], 1.0, -1.0)
        return self.noise(np.linalg.solve(inputs.T @ inputs + 0.05 * np.eye(inputs.shape[1]), inputs.T @ signs))

    def unlearn(self, model, data, forget, seed):
        return self.learn(data.subset(np.setdiff1d(np.arange(len(data.ids)), forget)), seed)

    def predict(self, model, features):
        right = 1 / (1 + np.exp(-3 * (np.column_stack([features, np.ones(len(features))]) @ model)))
        return np.column_stack([1 - right, right])

    def parameters(self, model):
        return model

    def state(self, model):
        return model.tobytes()

    def save(self, model, path):
        with Path(path).open("wb") as file:
            np.save(file, model)
'''

DESCENT: Final = (
    RIDGE.replace("Ridge regression on one column for each label", "Softmax regression by seeded gradient descent")
    + """

class Ridge(Learner):
    pass


class Learner(Ridge):
    steps = 60

    def start(self, data, seed):
        return 0.1 * np.random.default_rng(seed).normal(size=(data.features.shape[1] + 1, len(self.labels)))

    def learn(self, data, seed):
        return self.descend(self.start(data, seed), data, seed)

    def descend(self, model, data, seed):
        rng = np.random.default_rng(seed)
        inputs = np.column_stack([data.features, np.ones(len(data.features))])
        wanted = np.stack([np.asarray(data.labels) == label for label in self.labels], axis=1).astype(float)
        for _ in range(self.steps):
            rows = rng.choice(len(inputs), 16)
            model = model - 0.5 * inputs[rows].T @ (self.predict(model, data.features[rows]) - wanted[rows]) / 16
        return model
"""
)
"""Its start and its batches follow from the seed."""

PIPELINE: Final = '''\
"""A pipeline on a table of customers: everything that it learns it learns again at every batch."""

from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler


def build(seed, words=("city", "plan"), numbers=("age", "income")):
    columns = ColumnTransformer(
        [
            ("words", OneHotEncoder(handle_unknown="ignore"), list(words)),
            ("numbers", StandardScaler(), list(numbers)),
        ]
    )
    return Pipeline([("columns", columns), ("model", LogisticRegression(max_iter=500, random_state=seed))])
'''
"""`model.py` of a case whose `[procedure]` is BUILT."""

BUILT: Final = {"use": "estimator", "entry": "model.py:build"}


def on(base: str, body: str, *, above: str = "") -> str:
    """Put the class `Procedure`, a Learner with some methods of its own, below a learner's text."""
    lines = dedent(body).strip("\n").splitlines() or ["pass"]
    indented = "\n".join(f"    {line}" if line else "" for line in lines)
    return f"{base}\n\n{dedent(above).strip()}\n\n\nclass Procedure(Learner):\n{indented}\n"


def wrapped(imported: str, made: str, *, parameters: str = "", body: str = "") -> str:
    """Write a class around an estimator of scikit-learn, trained from scratch at every batch.

    Args:
        imported: The line that imports it.
        made: The expression that makes it; `state` is a seed below 2^32.
        parameters: An expression of `model` that gives an array; none where left out.
        body: Further methods.
    """
    told = ["def parameters(self, model):", f"    return {parameters}", ""] if parameters else []
    lines = [
        '"""An estimator of scikit-learn, trained from scratch at every batch."""',
        "",
        "import pickle",
        "from pathlib import Path",
        "",
        "import numpy as np",
        imported,
        "",
        "",
        "class Procedure:",
        "    def learn(self, data, seed):",
        "        state = int(np.random.SeedSequence(seed).generate_state(1)[0])",
        f"        return {made}.fit(data.features, data.labels)",
        "",
        "    def unlearn(self, model, data, forget, seed):",
        "        return self.learn(data.subset(np.setdiff1d(np.arange(len(data.ids)), forget)), seed)",
        "",
        "    def predict(self, model, features):",
        "        return model.predict_proba(features) if hasattr(model, 'predict_proba') else model.predict(features)",
        "",
        "    def save(self, model, path):",
        "        Path(path).write_bytes(pickle.dumps(model))",
        "",
        "    def load(self, path):",
        "        return pickle.loads(Path(path).read_bytes())",
        "",
        *(f"    {line}" if line else "" for line in [*told, *dedent(body).strip("\n").splitlines()]),
    ]
    return "\n".join(lines).rstrip() + "\n"
