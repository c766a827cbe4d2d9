"""Had the hardest records been asked for: worst-margin forget sets, removed in place of the log's from the same model.

A bound that is small because the log's records are easy says little of the next request. Records with the worst margins leave
many times the residual of others. What they would have left is shown alongside the log's own removals and decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from auditor.base.domain import Floats, Positions
from auditor.learning.logistic import Objective
from auditor.learning.newton import NewtonRemoval
from auditor.learning.one_versus_rest import leaving
from auditor.learning.residuals import StepMeasurement, measure_step, spectral_norm_bound


def worst_margins(objectives: Sequence[Objective], weights: Floats, count: int) -> Positions:
    """Positions of the records with the worst margins, shape (count,), the worst first.

    The margin of one classifier is yz; the slope of the logistic loss grows as it falls, and that of the squared loss with the
    distance from the target. Of several classifiers the slopes come together as the gradient's norm for a row of norm 1.

    Args:
        objectives: Of every class, over the same rows.
        weights: w of every class, shape (K, d).
        count: How many, at most the rows that are left.
    """
    slopes = sum(np.square(each.slopes(w)) for each, w in zip(objectives, weights, strict=True))
    if (kept := objectives[0].kept) is not None:
        slopes = np.where(kept, slopes, -1.0)
    worst: Positions = np.argsort(-np.asarray(slopes), kind="stable")[:count]
    return worst


def measured(
    objectives: Sequence[Objective], weights: Floats, count: int, *, perturbation_norm: float
) -> tuple[StepMeasurement, ...] | None:
    """Newton's removal of the `count` hardest records from a model, measured class by class.

    Args:
        objectives: L_b(·; D) of every class.
        weights: w of every class, shape (K, d).
        count: m, below the rows that are left.
        perturbation_norm: An upper bound of each ‖b‖.

    Returns:
        One measurement a class; None where float64 does not hold the step.
    """
    return removal(objectives, weights, worst_margins(objectives, weights, count), perturbation_norm=perturbation_norm)


def removal(
    objectives: Sequence[Objective], weights: Floats, forget: Positions, *, perturbation_norm: float
) -> tuple[StepMeasurement, ...] | None:
    """The same for the records at `forget`, shape (m,)."""
    after = leaving(objectives, forget)
    spectral = spectral_norm_bound(after[0].features, after[0].kept)
    found = []
    for one, rest, w in zip(objectives, after, weights, strict=True):
        try:
            step = NewtonRemoval(one, w).step(forget)
        except np.linalg.LinAlgError:
            return None
        found.append(
            measure_step(one, forget, w, w + step, perturbation_norm=perturbation_norm, after=rest, spectral_norm=spectral)
        )
    return tuple(found)
