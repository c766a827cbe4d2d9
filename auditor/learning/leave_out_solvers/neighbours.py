"""Nearest neighbours: every row's neighbours among all records once, nearest first; each model's are the first that it holds.

A deleted record leaves a place to the next. Which of several records at the same distance comes last among the k is decided by
the estimator's tree, so where that matters the round is left to it. Distances that rounding could swap count as equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist

from auditor.base.records import Dataset, Floats, Positions
from auditor.learning.leave_out_solvers.rounds import Params, Predictions, Round, number

Bools: TypeAlias = npt.NDArray[np.bool_]

_METRICS: Final[dict[int, Literal["cityblock", "euclidean"]]] = {1: "cityblock", 2: "euclidean"}
_ALGORITHMS: Final = ("auto", "ball_tree", "kd_tree", "brute")
_SEARCH: Final = frozenset({"algorithm", "leaf_size", "n_jobs", "estimator", "n_neighbors"})
EQUAL: Final = 1e-10
"""Distances whose squares differ by less, on the scale of the squared norms of rows, count as equal."""


def applies(params: Params) -> bool:
    """For unweighted neighbours by the Euclidean or the city-block distance, however they are searched for."""
    rest = {name: value for name, value in params.items() if name not in _SEARCH}
    defaults = {"weights": "uniform", "metric": "minkowski", "p": rest.get("p", 2), "metric_params": None}
    known = number(rest.get("p", 2), least=1, most=2, whole=True) and number(params.get("n_neighbors", 5), least=1, whole=True)
    return (
        known
        and params.get("algorithm", "auto") in _ALGORITHMS
        and all(defaults.get(name, ...) == value for name, value in rest.items())
    )


def play(params: Params, data: Dataset, codes: Positions | None, rounds: Sequence[Round]) -> list[Predictions | None]:
    """The answers; None where equal distances decide. See `rounds.Refit`."""
    metric, k = _METRICS[params.get("p", 2)], params.get("n_neighbors", 5)
    # One column a class, or the target itself: a prediction is the mean over the neighbours.
    values = np.asarray(data.labels, dtype=np.float64) if codes is None else np.eye(int(codes.max()) + 1)[codes]
    features = np.asarray(data.features, dtype=np.float64)
    size = float((features * features).sum(axis=1).max(initial=0.0))
    found: list[Predictions | None] = []
    for each in rounds:
        squares = cdist(each.rows, features, metric) ** 2
        scale = size + (each.rows * each.rows).sum(axis=1, keepdims=True)
        found.append(_play(each, squares / np.where(scale > 0, scale, 1.0), values, k))
    return found


def _play(asked: Round, distances: Floats, values: Floats, k: int) -> Predictions | None:
    """One round; distances are squared and scaled, shape (q, n)."""
    trained, most = asked.trained, max((len(gone) for gone in asked.deleted), default=0)
    if len(trained) - most < k:
        return None
    # The nearest of S that matter, whichever record is deleted, and one more to tell whether the last place is shared.
    own, top = distances[:, trained], min(len(trained), k + most + 1)
    nearest = np.argpartition(own, top - 1, axis=1)[:, :top] if top < len(trained) else np.tile(np.arange(top), (len(own), 1))
    order = np.argsort(np.take_along_axis(own, nearest, axis=1), axis=1, kind="stable")
    nearest = np.take_along_axis(nearest, order, axis=1)
    answers = []
    for gone in (trained[:0], *asked.deleted):
        held = ~np.isin(trained, gone)
        # A stable sort moves those that are gone to the end and leaves the others in their order.
        ranked = np.take_along_axis(nearest, np.argsort(~held[nearest], axis=1, kind="stable"), axis=1)
        chosen = ranked[:, :k]
        if not _certain(own, held, chosen, values[trained]):
            return None
        answers.append(values[trained][chosen].mean(axis=1))
    return Predictions(answers[0], tuple(answers[1:]))


def _certain(distances: Floats, held: Bools, chosen: Positions, values: Floats) -> bool:
    """Whether the neighbours chosen, nearest first, are those that count however equal distances are broken.

    For a regression, also whether they are summed in a certain order, on which the last place of the sum depends.
    """
    reach = np.take_along_axis(distances, chosen[:, -1:], axis=1)
    level = (np.abs(distances - reach) <= EQUAL) & held
    shared = level.sum(axis=1) > (np.take_along_axis(level, chosen, axis=1)).sum(axis=1)
    if any(_differ(values[level[row]]) for row in np.flatnonzero(shared)):
        return False
    if values.ndim > 1:
        return True
    picked = values[chosen]
    steps = np.diff(np.take_along_axis(distances, chosen, axis=1), axis=1)
    return not bool(np.any((steps <= EQUAL) & (picked[:, 1:] != picked[:, :-1])))


def _differ(values: Floats) -> bool:
    return bool((values != values[0]).any())
