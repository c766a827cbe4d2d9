"""Deletion games by shared refits, against fitting the two models of each game by themselves.

A game is one of deletion-inference.md, Definition 3.1: nine records in ten, one of them deleted, both models asked about two.
Baseline: scikit-learn's own `fit` and `predict` in a loop, in the same process, one thread, on the same rows. Logistic regression
is the one that goes on to its minimum (`solver="newton-cholesky"`, `tol=1e-10`), scikit-learn's fastest way there; its default
optimiser stops elsewhere, and such a learner is never replaced. The largest difference between the answers is printed too.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn import datasets
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier

from auditor.domain import Dataset
from auditor.procedures import refits
from auditor.procedures.refits.rounds import Round
from benchmarks.measuring import line, seconds

GAMES, SHARE, REPEATS = 200, 0.9, 5
TARGET = "at least 4 ×"
NEWTON: dict[str, Any] = {"solver": "newton-cholesky", "tol": 1e-10}
CELLS: tuple[tuple[str, str, Any, dict[str, Any], str], ...] = (
    ("linear regression", "diabetes", LinearRegression, {}, TARGET),
    ("ridge regression", "diabetes", Ridge, {}, TARGET),
    ("lasso, α = 0.1", "diabetes", Lasso, {"alpha": 0.1}, TARGET),
    ("logistic regression", "iris", LogisticRegression, NEWTON, TARGET),
    ("logistic regression", "wine", LogisticRegression, NEWTON, TARGET),
    ("logistic regression", "breast_cancer", LogisticRegression, NEWTON, TARGET),
    ("5 nearest neighbours", "iris", KNeighborsClassifier, {}, ""),
    ("5 nearest neighbours", "breast_cancer", KNeighborsClassifier, {}, TARGET),
    ("1 nearest neighbour", "digits", KNeighborsClassifier, {"n_neighbors": 1}, TARGET),
)


def games(data: Dataset) -> list[Round]:
    """Each with a split of its own."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(GAMES):
        trained = np.sort(rng.permutation(len(data))[: int(SHARE * len(data))])
        pair = rng.choice(trained, 2, replace=False)
        found.append(Round(trained, (pair[:1],), data.features[pair]))
    return found


def alone(make: Callable[[], Any], data: Dataset, asked: list[Round]) -> list[list[Any]]:
    """Both models of every game fitted by themselves."""
    answers = []
    for each in asked:
        models = []
        for rows in (each.trained, refits.left(each, each.deleted[0])):
            model = make().fit(data.features[rows], data.labels[rows])
            models.append((model.predict_proba if hasattr(model, "predict_proba") else model.predict)(each.rows))
        answers.append(models)
    return answers


def _compare(name: str, table: str, estimator: Any, params: dict[str, Any], target: str) -> None:
    features, labels = getattr(datasets, f"load_{table}")(return_X_y=True)
    data = Dataset(features, labels, np.array([f"record-{row}" for row in range(len(labels))]))
    classes = None if table == "diabetes" else np.unique(labels).tolist()
    named = f"{estimator.__module__.rpartition('.')[0]}.{estimator.__name__}"
    settings = {"estimator": named, "params": params, "unlearn_by": "retrain", "classes": classes}
    asked = games(data)
    theirs = seconds(lambda: alone(lambda: estimator(**params), data, asked), repeats=REPEATS)
    ours = seconds(lambda: refits.play(settings, data, asked), repeats=REPEATS)
    pairs = zip(refits.play(settings, data, asked), alone(lambda: estimator(**params), data, asked), strict=True)
    apart = max(float(np.abs(one.after[0] - other[1]).max() / np.abs(other[1]).max()) for one, other in pairs)
    line(f"{name}, {table.replace('_', ' ')}, {GAMES} games", f"{1e3 * ours:.0f} ms")
    line("  each model by itself / shared", f"{theirs / ours:.1f} ×", target)
    line("  largest relative difference of an answer", f"{apart:.0e}", "at most 1e-9")


def main() -> None:
    """Measure and print."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for cell in CELLS:
            _compare(*cell)


if __name__ == "__main__":
    main()
