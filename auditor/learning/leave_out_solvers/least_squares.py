"""Least squares and ridge regression, fitted once for each model; what a deletion changes follows from leverages.

With X̃ = QR the residuals r of the model and the rows Q_D of the deleted records, the prediction for x̃ falls by
x̃ᵀR⁻¹Q_Dᵀ(I − Q_D Q_Dᵀ)⁻¹r_D, exactly (Cook 1977 for one record; Woodbury's formula for several). A penalty adds rows to X̃.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import scipy.linalg

from auditor.base.records import Dataset, Floats, Positions
from auditor.learning.leave_out_solvers.rounds import Params, Predictions, Round, number

LEAST_LEFT: Final = 1e-4
"""The least part of a direction that a deletion must leave, as an eigenvalue of I − Q_D Q_Dᵀ."""
MARGIN: Final = 10.0
"""How far above the estimator's cut-off the smallest singular value must lie for its rank to be beyond doubt."""
LEAST_RATIO: Final = 1e-3
"""Ridge: smallest over largest singular value with the penalty; the estimator itself solves the normal equations."""
_SOLVERS: Final = ("auto", "cholesky", "svd")
_LEAST_SQUARES: Final = frozenset({"estimator", "fit_intercept", "positive", "copy_X", "tol"})
_RIDGE: Final = _LEAST_SQUARES | {"alpha", "solver"}


def applies(params: Params) -> bool:
    """For least squares, and for ridge regression by a solver that ends at the minimum; with no constraint on signs."""
    own = _LEAST_SQUARES if params["estimator"] == "LinearRegression" else _RIDGE
    flags = (params.get("fit_intercept", True), params.get("positive", False), params.get("copy_X", True))
    return (
        own.issuperset(params)
        and all(isinstance(flag, bool) for flag in flags)
        and not params.get("positive", False)
        and params.get("solver", "auto") in _SOLVERS
        and number(params.get("alpha", 1.0), least=np.nextafter(0.0, 1.0))
        and number(params.get("tol", 1e-6), least=0.0, most=1e-2)
    )


def play(params: Params, data: Dataset, codes: Positions | None, rounds: Sequence[Round]) -> list[Predictions | None]:  # noqa: ARG001
    """The answers; None where rank or conditioning leave it to the estimator. See `rounds.Refit`."""
    table = _Table(params, data)
    return [table.play(each) for each in rounds]


class _Table:
    """The records with columns of comparable size, and what the estimator cuts off."""

    def __init__(self, params: Params, data: Dataset) -> None:
        ridge = params["estimator"] == "Ridge"
        intercept = params.get("fit_intercept", True)
        features = np.asarray(data.features, dtype=np.float64)
        self._centre = features.mean(axis=0) if intercept else np.zeros(features.shape[1])
        spread = np.sqrt(((features - self._centre) ** 2).mean(axis=0))
        self._scales = np.where(spread > 0, spread, 1.0)
        self._intercept = int(intercept)
        self._rows = self._prepared(features)
        self._targets = np.asarray(data.labels, dtype=np.float64)
        # The penalty is on coefficients of the columns as they are: those of scaled columns are larger by the scale.
        strength = np.sqrt(float(params.get("alpha", 1.0))) / self._scales if ridge else np.zeros(0)
        self._penalty = np.zeros((len(strength), self._rows.shape[1]))
        self._penalty[np.arange(len(strength)), self._intercept + np.arange(len(strength))] = strength
        self._least = LEAST_RATIO if ridge else MARGIN * float(params.get("tol", 1e-6))

    def play(self, asked: Round) -> Predictions | None:
        rows, places = self._rows[asked.trained], {int(row): at for at, row in enumerate(asked.trained)}
        if len(rows) + len(self._penalty) < rows.shape[1]:
            return None
        q, r = np.linalg.qr(np.concatenate([rows, self._penalty]) if len(self._penalty) else rows)
        ratio = self._ratio(r)
        if not ratio > self._least:
            return None
        targets = self._targets[asked.trained]
        # From the mean, which an intercept answers for: what is rounded is then small against what is predicted.
        level = float(targets.mean()) if self._intercept else 0.0
        known = q[: len(rows)]
        fitted = known.T @ (targets - level)
        residuals = targets - level - known @ fitted
        influence = scipy.linalg.solve_triangular(r, self._prepared(asked.rows).T, trans="T", check_finite=False).T
        before = level + influence @ fitted
        after = []
        for gone in asked.deleted:
            at = [places[int(row)] for row in gone]
            remaining = np.eye(len(at)) - known[at] @ known[at].T
            least = float(np.linalg.eigvalsh(remaining)[0]) if len(at) > 1 else float(remaining[0, 0])
            if least < LEAST_LEFT or ratio * np.sqrt(least) < self._least:
                return None
            after.append(before - influence @ (known[at].T @ np.linalg.solve(remaining, residuals[at])))
        return Predictions(before, tuple(after))

    def _prepared(self, features: Floats) -> Floats:
        scaled = (np.asarray(features, dtype=np.float64) - self._centre) / self._scales
        return np.concatenate([np.ones((len(scaled), self._intercept)), scaled], axis=1)

    def _ratio(self, r: Floats) -> float:
        """Smallest over largest singular value of the centred columns as they are, which a deletion shrinks to √least of it.

        The intercept's column comes first, so that what is below and right of it is the factor of the centred others.
        """
        values = scipy.linalg.svdvals(r[self._intercept :, self._intercept :] * self._scales, check_finite=False)
        return float(values[-1] / values[0]) if values[0] > 0 else 0.0
