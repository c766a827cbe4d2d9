"""Tables 5 and 6: which label the deleted record had, by Algorithm C.1; what its target was, by Algorithm C.3, instance known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

import numpy as np

from auditor.base.draws import generator
from auditor.base.records import Dataset
from auditor.learning import leave_out_solvers
from auditor.learning.leave_out_solvers.rounds import Round
from benchmarks.paper.inference.data import Floats, Positions, Records, records
from benchmarks.paper.inference.playing import SEED, answers, fit, training_set

ASKED: Final = 1000
"""m, the rows that the adversary asks about; the paper does not say."""
REFITTED: Final = {"neighbours": "sklearn.neighbors.KNeighborsClassifier"}
"""Learners of which refits give the same answers, by their class."""

Source = Literal["box", "records"]
"""Rows drawn evenly from the columns' ranges, which is the paper's 'data range' taken at its word; or the records themselves."""


def reconstruction(learner: str, table_name: str, source: Source) -> Callable[[int], dict[str, float]]:
    """The game with a number: the class whose probability fell most over all rows is the guess."""

    def game(number: int) -> dict[str, float]:
        table = records(table_name)
        rng = generator(SEED, "label-reconstruction", table_name, number)
        rows = training_set(len(table.labels), rng)
        gone = rng.choice(rows, 1)
        seeds = [int(seed) for seed in rng.integers(2**31, size=2)]
        low, high = table.features.min(axis=0), table.features.max(axis=0)
        asked = rng.uniform(low, high, (ASKED, len(low))) if source == "box" else table.features
        old, new = _before_and_after(learner, table, rows, gone, asked, seeds)
        rises = (new - old).sum(axis=0)
        lowest = np.flatnonzero(rises == rises.min())
        true, tie = int(table.labels[gone[0]]), len(lowest) > 1
        guess = int(rng.choice(lowest))
        return {
            "label.wins": float(not tie and guess == true),
            "label.ties": float(tie and true in lowest),
            "label.ties_won": float(tie and guess == true),
            "unmoved": float((old == new).all()),
        }

    return game


def _before_and_after(
    learner: str, table: Records, rows: Positions, gone: Positions, asked: Floats, seeds: list[int]
) -> tuple[Floats, Floats]:
    if learner not in REFITTED:
        models = (fit(learner, table, left, seed) for left, seed in zip((rows, np.setdiff1d(rows, gone)), seeds, strict=True))
        old, new = (answers(model, asked, table.classes) for model in models)
        return old, new
    settings = {"estimator": REFITTED[learner], "params": {}, "unlearn_by": "retrain", "classes": list(range(table.classes or 0))}
    (found,) = leave_out_solvers.play(settings, dataset(table), [Round(rows, (gone,), asked)])
    return found.before, found.after[0]


def known_instance(steps: Floats | None = None) -> dict[str, Any]:
    """Table 6 on all of Diabetes, every record deleted once: mean squared errors, nothing drawn."""
    table = records("diabetes")
    every = np.arange(len(table.labels))
    settings = {"estimator": "sklearn.linear_model.LinearRegression", "params": {}, "unlearn_by": "retrain", "classes": None}
    asked = [Round(every, tuple(every[:, None]), table.features)]
    (found,) = leave_out_solvers.play(settings, dataset(table), asked)
    old, new = found.before, np.array([after[row] for row, after in enumerate(found.after)])
    nearer = np.minimum((old - table.labels) ** 2, (new - table.labels) ** 2)
    lambdas = np.arange(0, 80, 0.5) if steps is None else steps
    guesses = [(old + each * (old - new) - table.labels) ** 2 for each in lambdas]
    means = [float(each.mean()) for each in guesses]
    best = int(np.argmin(means))
    factors = np.linalg.qr(np.column_stack([np.ones(len(every)), table.features]))[0]
    leverages = (factors**2).sum(axis=1)
    exact = (old + (1 - leverages) / leverages * (old - new) - table.labels) ** 2
    return {
        "records": len(every),
        "lambdas": [float(each) for each in lambdas],
        "adversary": means,
        "best": float(lambdas[best]),
        "models": float(nearer.mean()),
        "least": means[best],
        "deviation": float(guesses[best].std(ddof=1) / np.sqrt(len(every))),
        "exact": float(np.abs(exact).max()),
    }


def dataset(table: Records) -> Dataset:
    """The table as procedures take it."""
    return Dataset(table.features, table.labels, np.array([f"record-{row}" for row in range(len(table.labels))]))
