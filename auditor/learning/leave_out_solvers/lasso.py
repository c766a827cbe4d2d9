"""Lasso and elastic net as the estimator fits them: coordinate descent from zero to its own tolerance, step by step the same.

Where it stops depends on where it began: a warm start would end elsewhere within the tolerance. What is saved is everything that
surrounds the descent: input checks, and those of the arguments.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from sklearn import config_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import enet_path

from auditor.base.records import Dataset, Floats, Positions
from auditor.learning.leave_out_solvers.rounds import Params, Predictions, Round, number

_KNOWN: Final = frozenset({"estimator", "alpha", "l1_ratio", "fit_intercept", "max_iter", "tol", "positive", "copy_X"})


def applies(params: Params) -> bool:
    """For cyclic descent from zero over the columns themselves, without a Gram matrix."""
    rest = {name: value for name, value in params.items() if name not in _KNOWN}
    defaults: dict[str, Any] = {"precompute": False, "warm_start": False, "selection": "cyclic", "random_state": None}
    flags = (params.get("fit_intercept", True), params.get("positive", False), params.get("copy_X", True))
    return (
        all(isinstance(flag, bool) for flag in flags)
        and number(params.get("alpha", 1.0), least=np.nextafter(0.0, 1.0))
        and number(params.get("l1_ratio", 0.5), least=np.nextafter(0.0, 1.0), most=1.0)
        and number(params.get("tol", 1e-4), least=0.0)
        and number(params.get("max_iter", 1000), least=1, whole=True)
        and not (params["estimator"] == "Lasso" and "l1_ratio" in params)
        and all(defaults.get(name, ...) == value for name, value in rest.items())
    )


def play(params: Params, data: Dataset, codes: Positions | None, rounds: Sequence[Round]) -> list[Predictions | None]:  # noqa: ARG001
    """The answers. See `rounds.Refit`."""
    features, targets = np.asarray(data.features, dtype=np.float64), np.asarray(data.labels, dtype=np.float64)
    with config_context(skip_parameter_validation=True), warnings.catch_warnings():
        # Where the estimator stops at its limit, so does this: it says nothing of the deletion.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return [_play(params, features, targets, each) for each in rounds]


def _play(params: Params, features: Floats, targets: Floats, asked: Round) -> Predictions:
    def of(rows: Positions) -> Floats:
        coefficients, intercept = _fit(params, features[rows], targets[rows])
        predicted: Floats = asked.rows @ coefficients + intercept
        return predicted

    kept = [asked.trained[~np.isin(asked.trained, gone)] for gone in asked.deleted]
    return Predictions(of(asked.trained), tuple(of(rows) for rows in kept))


def _fit(params: Params, rows: Floats, targets: Floats) -> tuple[Floats, float]:
    """Coefficients and intercept, by the steps of `ElasticNet.fit`; `targets` may be changed."""
    # In Fortran order before the means are taken, as there: sums in another order differ in the last place.
    columns = np.asfortranarray(rows)
    centre, level = np.zeros(columns.shape[1]), 0.0
    if params.get("fit_intercept", True):
        centre, level = np.average(columns, axis=0), float(np.average(targets))
        columns -= centre
        targets -= level
    _, found, _ = enet_path(
        columns,
        targets,
        l1_ratio=1.0 if params["estimator"] == "Lasso" else params.get("l1_ratio", 0.5),
        alphas=[params.get("alpha", 1.0)],
        precompute=False,
        coef_init=np.zeros(columns.shape[1]),
        positive=params.get("positive", False),
        check_input=False,
        tol=params.get("tol", 1e-4),
        max_iter=params.get("max_iter", 1000),
    )
    coefficients: Floats = found[:, 0]
    return coefficients, level - float(centre @ coefficients)
