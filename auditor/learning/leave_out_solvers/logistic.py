"""Logistic regression of two or more classes at its minimum, many models at a time, by Newton's method.

The learner meant is the one whose optimiser goes on to the minimum: `solver = "newton-cholesky"` with a small `tol`. By default
scikit-learn's optimiser stops farther from the minimum than one record moves it, often at its limit of steps. Those answers are
another learner's, and such a procedure is fitted as it is.

With x̃ = (1, x) the objective is Σ −log p_y(x) + ‖W‖²/2C, without the intercepts in the norm. Columns are scaled, which the
penalty undoes. With three classes or more, moving all intercepts alike changes nothing; a term that only their sum enters makes
the minimum unique and moves no probability.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import expit, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from auditor.base.records import Dataset, Floats, Positions
from auditor.learning.leave_out_solvers.rounds import Params, Predictions, Round, number
from auditor.learning.subsets import blocks

LARGEST_TOL: Final = 1e-10
"""Of the estimator: where its gradient is smaller, Newton's last step has brought it to rounding."""
SETTLED: Final = 1e-7
"""A step that moves no log-odds of a record or row by more is the last: the next would be its square."""
MOST_STEPS: Final = 30
MOST_PARAMETERS: Final = 150
"""Beyond, the Hessians of many models at a time cost more than they save."""
PACKED_NUMBERS: Final = 1 << 20
"""Numbers in one block of problems."""

Bools: TypeAlias = npt.NDArray[np.bool_]
_FREE: Final = frozenset({"estimator", "C", "fit_intercept", "tol", "max_iter", "solver", "random_state", "n_jobs", "verbose"})


def applies(params: Params) -> bool:
    """For a ridge penalty, all records weighed alike, and Newton's method down to rounding."""
    rest = {name: value for name, value in params.items() if name not in _FREE}
    defaults: dict[str, Any] = {"penalty": "l2", "l1_ratio": 0, "dual": False, "class_weight": None, "warm_start": False}
    return (
        params.get("solver") == "newton-cholesky"
        and number(params.get("tol", 1e-4), least=np.nextafter(0.0, 1.0), most=LARGEST_TOL)
        and number(params.get("max_iter", 100), least=MOST_STEPS, whole=True)
        and number(params.get("C", 1.0), least=np.nextafter(0.0, 1.0))
        and isinstance(params.get("fit_intercept", True), bool)
        and all(defaults.get(name, ...) == value for name, value in rest.items())
    )


def play(params: Params, data: Dataset, codes: Positions | None, rounds: Sequence[Round]) -> list[Predictions | None]:
    """The answers; None where a class is missing, or the minimum was not found. See `rounds.Refit`."""
    if codes is None:
        return [None] * len(rounds)
    table = _Table(params, data, codes)
    count = table.rows.shape[1] * table.logits
    if count > MOST_PARAMETERS or len(np.unique(codes)) < table.classes:
        return [None] * len(rounds)
    found: list[Predictions | None] = []
    numbers = len(data) * max(table.logits, 1) + count * count
    for block in blocks(np.arange(len(rounds)), each=numbers, most=PACKED_NUMBERS):
        found.extend(_play(table, [rounds[at] for at in block]))
    return found


class _Table:
    """The records with columns of comparable size, and where every search for a minimum begins.

    Attributes:
        rows: x̃, shape (n, p).
        targets: 1 for a record's class, shape (n, logits); of two classes the second has the one logit.
        penalty: Of every parameter of one logit, shape (p,).
        start: The minimum over all records, shape (p, logits).
    """

    def __init__(self, params: Params, data: Dataset, codes: Positions) -> None:
        features = np.asarray(data.features, dtype=np.float64)
        self.intercept = bool(params.get("fit_intercept", True))
        self.classes = int(codes.max()) + 1
        self.logits = 1 if self.classes == 2 else self.classes
        self.codes = codes
        self._centre = features.mean(axis=0) if self.intercept else np.zeros(features.shape[1])
        spread = np.sqrt(((features - self._centre) ** 2).mean(axis=0))
        self._scales = np.where(spread > 0, spread, 1.0)
        self.rows = self.prepared(features)
        self.targets = np.eye(self.classes)[codes][:, -self.logits :]
        self.penalty = np.concatenate([np.zeros(int(self.intercept)), 1.0 / (params.get("C", 1.0) * self._scales**2)])
        self.products = (self.rows[:, :, None] * self.rows[:, None, :]).reshape(len(features), -1)
        with warnings.catch_warnings():  # wherever it ends is a start
            warnings.simplefilter("ignore", ConvergenceWarning)
            pooled = LogisticRegression(**{name: value for name, value in params.items() if name != "estimator"}).fit(
                features, codes
            )
        coefficients = pooled.coef_.T
        intercepts = pooled.intercept_ + self._centre @ coefficients
        self.start = np.concatenate([np.tile(intercepts, (int(self.intercept), 1)), coefficients * self._scales[:, None]])

    def prepared(self, features: Floats) -> Floats:
        """x̃ of some rows."""
        scaled = (np.asarray(features, dtype=np.float64) - self._centre) / self._scales
        return np.concatenate([np.ones((len(scaled), int(self.intercept))), scaled], axis=1)

    def probabilities(self, scores: Floats) -> Floats:
        """Of all classes from logits (..., logits), as the estimator gives them."""
        if self.logits > 1:
            return np.asarray(softmax(scores, axis=-1))
        second = expit(scores[..., 0])
        return np.stack([1 - second, second], axis=-1)


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """Minima of B problems, and which of them were found."""

    weights: Floats
    """Shape (B, p, logits)."""
    certain: Bools
    """Shape (B,)."""


def _play(table: _Table, rounds: Sequence[Round]) -> list[Predictions | None]:
    members = np.zeros((len(rounds), len(table.rows)), dtype=bool)
    for own, each in zip(members, rounds, strict=True):
        own[each.trained] = True
    before = _minima(table, members, np.tile(table.start, (len(rounds), 1, 1)))
    # One problem a deletion, each from where its own model was.
    whose = np.repeat(np.arange(len(rounds)), [len(each.deleted) for each in rounds])
    kept = members[whose]
    for own, gone in zip(kept, (gone for each in rounds for gone in each.deleted), strict=True):
        own[gone] = False
    after = _minima(table, kept, before.weights[whose])
    answers: list[Predictions | None] = []
    for at, each in enumerate(rounds):
        those = np.flatnonzero(whose == at)
        if not (before.certain[at] and after.certain[those].all()):
            answers.append(None)
            continue
        rows = table.prepared(each.rows)
        said = table.probabilities(rows @ np.concatenate([before.weights[at][None], after.weights[those]]))
        answers.append(Predictions(said[0], tuple(said[1:])))
    return answers


def _minima(table: _Table, members: Bools, start: Floats) -> _Found:
    """Newton's method for every problem until a step moves no log-odds any more, which is the last step it takes."""
    weights, certain = start.copy(), np.zeros(len(members), dtype=bool)
    present = np.stack([members[:, table.codes == code].any(axis=1) for code in range(table.classes)], axis=1).all(axis=1)
    moving = np.flatnonzero(present)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        for _ in range(MOST_STEPS):
            if not len(moving):
                break
            steps = _steps(table, members[moving].astype(np.float64), weights[moving])
            weights[moving] -= steps
            farthest = np.abs(np.matmul(table.rows, steps)).max(axis=(1, 2), initial=0.0)
            certain[moving[farthest <= SETTLED]] = True
            moving = moving[(farthest > SETTLED) & np.isfinite(farthest)]
    return _Found(weights, certain)


def _steps(table: _Table, members: Floats, weights: Floats) -> Floats:
    """H⁻¹∇ of every problem, shape (B, p, logits)."""
    count, width, logits = weights.shape
    scores = np.matmul(table.rows, weights)
    chances: Floats = np.asarray(expit(scores) if logits == 1 else softmax(scores, axis=-1))
    misses = (chances - table.targets) * members[:, :, None]
    gradients = np.matmul(table.rows.T, misses) + table.penalty[:, None] * weights
    hessians = np.empty((count, logits, width, logits, width))
    for one in range(logits):
        for other in range(one, logits):
            curvatures = members * chances[:, :, one] * ((1.0 if one == other else 0.0) - chances[:, :, other])
            hessians[:, one, :, other] = hessians[:, other, :, one] = (curvatures @ table.products).reshape(count, width, width)
    for one in range(logits):
        diagonal = hessians[:, one, :, one]
        diagonal[:, np.arange(width), np.arange(width)] += table.penalty
    if table.intercept and logits > 1:
        hessians[:, :, 0, :, 0] += len(table.rows) / logits
        gradients[:, 0] += len(table.rows) / logits * weights[:, 0].sum(axis=1, keepdims=True)
    flat = hessians.reshape(count, logits * width, logits * width)
    try:
        steps = np.linalg.solve(flat, gradients.transpose(0, 2, 1).reshape(count, -1, 1))
    except np.linalg.LinAlgError:  # of one of them: none is certain then
        return np.full_like(weights, np.nan)
    return np.asarray(steps.reshape(count, logits, width).transpose(0, 2, 1))
