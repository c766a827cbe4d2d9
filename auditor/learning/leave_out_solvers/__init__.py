"""Predictions before and after deletions, for many models of the same data, faster than by fitting each of them by itself.

Every way gives what fitting the estimator itself gives, to 1e-9 of the size of the predictions. Where that is not to be had, for
lack of rank, by equal distances or otherwise, the estimator itself is fitted, so that an answer never depends on the way taken.

rounds         what is asked, and the answers
least_squares  least squares and ridge: deletions by leverage, from one orthogonal factor for each model
lasso          lasso and elastic net: coordinate descent from zero as the estimator does it, without what surrounds it
logistic       logistic regression where its own optimiser goes on to the minimum: Newton's method, many models at a time
neighbours     nearest neighbours: distances once; a deleted record leaves a place to the next
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final, cast

import numpy as np

from auditor.base.records import Dataset, Positions
from auditor.learning.leave_out_solvers.rounds import Predictions, Refit, Round

_WAYS: Final[Mapping[str, str]] = {
    "LinearRegression": "least_squares",
    "Ridge": "least_squares",
    "Lasso": "lasso",
    "ElasticNet": "lasso",
    "LogisticRegression": "logistic",
    "KNeighborsClassifier": "neighbours",
    "KNeighborsRegressor": "neighbours",
}


def applies(settings: Mapping[str, Any]) -> bool:
    """Whether rounds of a procedure can be played faster than by fitting every model.

    Args:
        settings: What `procedures.estimators.make` takes.
    """
    way = _way(settings["estimator"])
    return settings["unlearn_by"] == "retrain" and way is not None and way.applies(_params(settings))


def play(settings: Mapping[str, Any], data: Dataset, rounds: Sequence[Round]) -> list[Predictions]:
    """The predictions of every round, as the procedure itself would make them.

    Args:
        settings: What `procedures.estimators.make` takes, and of which `applies` is true.
        data: All records.
        rounds: What is asked, in any order.

    Raises:
        ValueError: If the procedure is not one that can be played so.
    """
    way = _way(settings["estimator"])
    if way is None or not applies(settings):
        raise ValueError("expected a procedure that refits apply to")
    classes = settings["classes"]
    codes = None if classes is None else np.searchsorted(np.array(classes), data.labels).astype(np.int64)
    # A class of the procedure that no record has is an affair of the procedure itself.
    whole = codes is None or len(np.unique(codes)) == len(classes)
    found = way.play(_params(settings), data, codes, rounds) if whole else [None] * len(rounds)
    return [answered or plainly(settings, data, each) for answered, each in zip(found, rounds, strict=True)]


def plainly(settings: Mapping[str, Any], data: Dataset, asked: Round) -> Predictions:
    """The same for one round by fitting every model as the procedure does; seeds play no part in what `applies` to."""
    from auditor.learning.estimators import make  # noqa: PLC0415  (scikit-learn takes a second to load)

    procedure = make(**settings)

    def of(rows: Positions) -> Any:
        return procedure.predict(procedure.learn(data.subset(rows), 0), asked.rows)

    return Predictions(of(asked.trained), tuple(of(left(asked, gone)) for gone in asked.deleted))


def left(asked: Round, gone: Positions) -> Positions:
    """The rows of a round that a deletion leaves, in their order."""
    return asked.trained[~np.isin(asked.trained, gone)]


def _way(estimator: str) -> Refit | None:
    module, _, name = estimator.rpartition(".")
    if not module.startswith("sklearn.") or name not in _WAYS:
        return None
    return cast("Refit", import_module(f"auditor.learning.leave_out_solvers.{_WAYS[name]}"))


def _params(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**settings["params"], "estimator": settings["estimator"].rpartition(".")[2]}
