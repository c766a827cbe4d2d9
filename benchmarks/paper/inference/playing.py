"""Games of Definition 3.1: nine records in ten are trained on, one of two of them is deleted, the model is trained again."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from auditor.attacks.probabilities import LEAST_PROBABILITY
from auditor.base.draws import generator
from benchmarks.paper.inference.data import Floats, Positions, Records, records
from benchmarks.paper.inference.learners import make

ATTACKS = ("example", "instance")
"""Algorithms 3.2 and 3.4; of regressors also "absolute", the first with |ŷ − y| in the place of its square."""
SHARE = 0.9
SEED = 0


def training_set(count: int, rng: np.random.Generator) -> Positions:
    """A random 90 % of so many rows, in the order of the table."""
    return np.sort(rng.permutation(count)[: round(SHARE * count)])


def answers(estimator: Any, rows: Floats, classes: int | None) -> Floats:
    """Predictions of a fitted estimator: shape (q,) for regression, else probabilities (q, classes)."""
    if classes is None:
        values: Floats = np.asarray(estimator.predict(rows), dtype=np.float64).ravel()
        return values
    found = np.zeros((len(rows), classes))
    found[:, estimator.classes_] = estimator.predict_proba(rows)
    return found


def fit(name: str, table: Records, rows: Positions, seed: int, start: Any = None) -> Any:
    """The learner of that name on some rows, or `start` trained on; an optimiser may stop at its limit, as the paper's do."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return (start or make(name, seed)).fit(table.features[rows], table.labels[rows])


def losses(found: Floats, labels: Floats | Positions, classes: int | None) -> Floats:
    """Squared errors, or −log p of the true class with p at least 1e-12, shape (q,)."""
    if classes is None:
        return np.asarray((found - labels) ** 2)
    return -np.log(np.maximum(found[np.arange(len(found)), labels.astype(np.int64)], LEAST_PROBABILITY))


def moves(before: Floats, after: Floats) -> Floats:
    """|ŷ − ŷ'|, or half the sum of |p − p'| over the classes, shape (q,)."""
    return np.abs(before - after) if before.ndim == 1 else np.asarray(0.5 * np.abs(before - after).sum(axis=1))


def inference(learner: str, table_name: str) -> Callable[[int], dict[str, float]]:
    """The game with a number, for a learner on a table: each attack's margin, the deleted record's score less the other's."""

    def game(number: int) -> dict[str, float]:
        table = records(table_name)
        rng = generator(SEED, "deletion-inference", table_name, number)
        rows = training_set(len(table.labels), rng)
        pair = rng.choice(rows, 2, replace=False)
        first, second = (int(seed) for seed in rng.integers(2**31, size=2))
        asked, labels = table.features[pair], table.labels[pair]
        model = fit(learner, table, rows, first)
        old = answers(model, asked, table.classes)
        # One that starts warm goes on from the first model's weights.
        start = model if getattr(model, "warm_start", False) else None
        new = answers(fit(learner, table, np.setdiff1d(rows, pair[:1]), second, start), asked, table.classes)
        rises = losses(new, labels, table.classes) - losses(old, labels, table.classes)
        changes = moves(old, new)
        margins = {"example": float(rises[0] - rises[1]), "instance": float(changes[0] - changes[1])}
        if table.classes is None:
            farther = np.abs(new - labels) - np.abs(old - labels)
            margins["absolute"] = float(farther[0] - farther[1])
        coins = dict(zip(margins, rng.integers(2, size=len(margins)).tolist(), strict=True))
        return {**outcomes(margins, coins), "unmoved": float((changes == 0).mean())}

    return game


def outcomes(margins: Mapping[str, float], coins: Mapping[str, int]) -> dict[str, float]:
    """Of each attack whether it won by itself, whether it was a tie, and whether the coin then won it."""
    found: dict[str, float] = {}
    for name, margin in margins.items():
        found[f"{name}.wins"] = float(margin > 0)
        found[f"{name}.ties"] = float(margin == 0)
        found[f"{name}.ties_won"] = float(margin == 0 and coins[name])
    return found
