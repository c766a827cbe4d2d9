"""Deletion games by shared refits, against fitting the two models of each game by themselves.

A game is one of deletion-inference.md, Definition 3.1: nine records in ten, one of them deleted, both models asked about two.
Baseline: scikit-learn's own `fit` and `predict` in a loop, in the same process, one thread, on the same rows; processor time in
turns. Logistic regression is the one that goes on to its minimum (`solver="newton-cholesky"`, `tol=1e-10`), scikit-learn's
fastest way there; its default optimiser stops elsewhere, and such a learner is never replaced. Both sides must give the same
answers.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn import datasets
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier

from auditor.base.records import Dataset
from auditor.learning import leave_out_solvers
from auditor.learning.leave_out_solvers.rounds import Round
from benchmarks.measuring import Figure, in_turns, ratios

SHARE, APART = 0.9, 1e-9
NEWTON: dict[str, Any] = {"solver": "newton-cholesky", "tol": 1e-10}
CELLS: tuple[tuple[str, str, Any, dict[str, Any]], ...] = (
    ("linear", "diabetes", LinearRegression, {}),
    ("ridge", "diabetes", Ridge, {}),
    ("lasso", "diabetes", Lasso, {"alpha": 0.1}),
    ("logistic", "iris", LogisticRegression, NEWTON),
    ("logistic", "wine", LogisticRegression, NEWTON),
    ("logistic", "breast_cancer", LogisticRegression, NEWTON),
    ("neighbours", "iris", KNeighborsClassifier, {}),
    ("neighbours", "breast_cancer", KNeighborsClassifier, {}),
    ("neighbours", "digits", KNeighborsClassifier, {"n_neighbors": 1}),
)
"""The row, the table, the estimator and its parameters. A row of several tables has the repeats of all of them."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many games are played, and how often."""

    games: int
    repeats: int


USUAL, TINY = Sizes(games=100, repeats=3), Sizes(games=3, repeats=1)


def games(data: Dataset, count: int) -> list[Round]:
    """Each with a split of its own."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(count):
        trained = np.sort(rng.permutation(len(data))[: int(SHARE * len(data))])
        pair = rng.choice(trained, 2, replace=False)
        found.append(Round(trained, (pair[:1],), data.features[pair]))
    return found


def alone(make: Callable[[], Any], data: Dataset, asked: list[Round]) -> list[list[Any]]:
    """Both models of every game fitted by themselves."""
    answers = []
    for each in asked:
        models = []
        for rows in (each.trained, leave_out_solvers.left(each, each.deleted[0])):
            model = make().fit(data.features[rows], data.labels[rows])
            models.append((model.predict_proba if hasattr(model, "predict_proba") else model.predict)(each.rows))
        answers.append(models)
    return answers


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Compare the two ways, learner by learner."""
    for row in dict.fromkeys(cell[0] for cell in CELLS):
        theirs: list[float] = []
        ours: list[float] = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name, table, estimator, params in CELLS:
                if name == row:
                    one, other = _compared(table, estimator, params, sizes)
                    theirs.extend(one)
                    ours.extend(other)
        yield ratios(row, theirs, ours)


def _compared(table: str, estimator: Any, params: dict[str, Any], sizes: Sizes) -> tuple[tuple[float, ...], tuple[float, ...]]:
    features, labels = getattr(datasets, f"load_{table}")(return_X_y=True)
    data = Dataset(features, labels, np.array([f"record-{row}" for row in range(len(labels))]))
    classes = None if table == "diabetes" else np.unique(labels).tolist()
    named = f"{estimator.__module__.rpartition('.')[0]}.{estimator.__name__}"
    settings = {"estimator": named, "params": params, "unlearn_by": "retrain", "classes": classes}
    asked = games(data, sizes.games)
    by_itself, shared = (
        partial(alone, lambda: estimator(**params), data, asked),
        partial(leave_out_solvers.play, settings, data, asked),
    )
    for one, other in zip(shared(), by_itself(), strict=True):
        if np.abs(one.after[0] - other[1]).max() > APART * np.abs(other[1]).max():
            raise AssertionError(f"{named} on {table}: the two ways give different answers")
    return in_turns(by_itself, shared, repeats=sizes.repeats)
