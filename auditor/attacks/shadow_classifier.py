"""A classifier that learns from shadow models what members look like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.attacks.probabilities import losses, of_true_class
from auditor.attacks.threat_model import Outputs, Shadow
from auditor.attacks.thresholds import Thresholds, for_all
from auditor.base.records import Floats, Positions
from auditor.maths import special

MOST_SORTED: Final = 3
"""How many of the largest probabilities are examined; more tell hardly more (Salem et al. 2019)."""
RIDGE: Final = 1e-3
"""λ in mean loss + λ/2 ‖w‖²: the minimiser is unique, however the columns depend on each other."""
LEAST_SCALE: Final = 1e-9
"""A column that varies less than this is constant; it is left out of the score."""
TOLERANCE: Final = 1e-10
"""‖gradient‖ at which the minimiser counts as found; the distance to it is then at most 1e-10/λ."""
MOST_STEPS: Final = 100


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A linear score of standardised columns; k of them."""

    centres: Floats
    """Shape (k,)."""
    weights: Floats
    """Shape (k,), of the columns in their own units."""
    thresholds: Thresholds
    """One for all classes, in log-odds."""


@dataclass(frozen=True, slots=True)
class ShadowClassifier:
    """Logistic regression on the largest probabilities, the true class's, the loss and the class (after Shokri et al. 2017).

    They train one classifier per class; here the class is a column, so that classes with few records borrow from the others.
    """

    name: str = "shadow-classifier"
    title: str = "classifier trained on shadow models"
    source: str = "Shokri et al. 2017"
    since: str = "0.2.0"

    def fit(self, shadow: Shadow, *, rng: np.random.Generator) -> Fitted:  # noqa: ARG002  (Newton's method draws nothing)
        """The minimiser of the ridge-regularised logistic loss over all models and shadow records, and its best threshold."""
        probabilities, members = shadow.references.probabilities, shadow.references.trained_on
        classes = probabilities.shape[-1]
        columns = _columns(probabilities, shadow.labels).reshape(members.size, -1)
        centres, scales = columns.mean(axis=0), columns.std(axis=0)
        inverse_scales = np.where(scales > LEAST_SCALE, 1.0 / np.maximum(scales, LEAST_SCALE), 0.0)
        weights = inverse_scales * minimise((columns - centres) * inverse_scales, members.ravel())
        return Fitted(centres, weights, for_all(_log_odds(columns, centres, weights), members, classes))

    def score(self, state: Fitted, outputs: Outputs, labels: Positions) -> Floats:
        """Log-odds less threshold, shape (n,)."""
        columns = _columns(outputs.probabilities, labels)
        return state.thresholds.margins(_log_odds(columns, state.centres, state.weights), labels)


def _columns(probabilities: Floats, labels: Positions) -> Floats:
    """Probabilities (..., n, classes) as columns (..., n, k)."""
    largest = np.sort(probabilities, axis=-1)[..., : -MOST_SORTED - 1 : -1]
    true, loss = of_true_class(probabilities, labels), losses(probabilities, labels)
    classes = np.broadcast_to(np.eye(probabilities.shape[-1])[labels], probabilities.shape)
    return np.concatenate([largest, true[..., None], loss[..., None], classes], axis=-1)


def _log_odds(columns: Floats, centres: Floats, weights: Floats) -> Floats:
    # Summed row by row: a matrix product would round a row differently according to its place.
    total: Floats = ((columns - centres) * weights).sum(axis=-1)
    return total


def minimise(columns: Floats, members: npt.NDArray[np.bool_]) -> Floats:
    """The w, shape (k,), that minimises mean log(1 + exp(∓ xᵀw)) + λ/2 ‖w‖², by Newton's method with steps halved until it falls.

    No intercept: members and non-members are equally many, and the threshold is fitted afterwards.

    Raises:
        ArithmeticError: If it is not found within `MOST_STEPS` steps.
    """
    from scipy.linalg import solve  # noqa: PLC0415  (heavy, and naming the attacks fits none)

    signs = np.where(members, 1.0, -1.0)
    weights = np.zeros(columns.shape[1])
    for _ in range(MOST_STEPS):
        margins = signs * (columns @ weights)
        misses = special.expit(-margins)
        gradient = RIDGE * weights - columns.T @ (signs * misses) / len(signs)
        if np.linalg.norm(gradient) <= TOLERANCE:
            return weights
        hessian = (columns.T * (misses * (1.0 - misses))) @ columns / len(signs) + RIDGE * np.eye(len(weights))
        step = solve(hessian, gradient, assume_a="pos")
        weights = weights - _damping(columns * signs[:, None], weights, step, float(gradient @ step)) * step
    raise ArithmeticError(f"the shadow classifier was not found within {MOST_STEPS} Newton steps")


def _damping(signed: Floats, weights: Floats, step: Floats, slope: float) -> float:
    """The largest of 1, 1/2, 1/4, ... at which the objective falls by a tenth of what its slope promises (Armijo)."""

    def objective(at: Floats) -> float:
        return float(np.logaddexp(0.0, -(signed @ at)).mean() + RIDGE / 2 * (at @ at))

    start, size = objective(weights), 1.0
    # Near the minimiser the fall is lost in rounding; there the full step is right.
    while size > 1e-3 and objective(weights - size * step) > start - 0.1 * size * slope + 1e-14:
        size /= 2
    return size


ATTACKS = (ShadowClassifier(),)
