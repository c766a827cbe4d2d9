"""Every single removal from one logistic or squared model, all at once, with its exact residual.

Leaving row i out takes a rank-one term and λI from the Hessian: with A = ∇²L − λI the step is (A − c_i x_i x_iᵀ)⁻¹Δ_i, by Sherman
and Morrison's formula from one factor of A. The residuals need every row's score at every model, block by block: never a table
of size n × n. It says which records are hardest to remove.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from auditor.base.records import Floats
from auditor.base.row_blocks import row_blocks
from auditor.learning.logistic import Objective

_COLUMNS = 1 << 17
"""Scores in one block, 1 MiB."""


@dataclass(frozen=True, slots=True, eq=False)
class LeaveOneOut:
    """What each of n single removals comes to."""

    steps: Floats
    """δ_i = H_i⁻¹Δ_i, shape (n, d)."""
    residuals: Floats
    """‖∇L_b(w + δ_i; D∖i)‖₂, shape (n,)."""


def leave_one_out(objective: Objective, parameters: Floats) -> LeaveOneOut:
    """All Newton removals of one record from a model, in O(nd² + d³), and their residuals, in O(n²d).

    Args:
        objective: L_b(·; D), with at least two rows.
        parameters: w, shape (d,).

    Raises:
        ValueError: If there are fewer than two rows.
        scipy.linalg.LinAlgError: If the Hessian without one row is singular in float64.
    """
    features, l2 = objective.features, objective.l2
    rows, dimensions = features.shape
    if rows < 2:
        raise ValueError("leaving one out needs at least two rows")
    curvatures, slopes = objective.curvatures(parameters), objective.slopes(parameters)
    shared = objective.hessian(parameters)
    shared[np.diag_indices(dimensions)] -= l2
    factor = scipy.linalg.cho_factor(shared, lower=True, overwrite_a=True)
    inverse = scipy.linalg.cho_solve(factor, np.eye(dimensions))
    constant, steps = l2 * (inverse @ parameters), np.empty((rows, dimensions))
    for block in row_blocks(features):
        solved = features[block] @ inverse  # A⁻¹x_i, row by row
        influence = constant + slopes[block, None] * solved
        leverage = curvatures[block] * np.einsum("nd,nd->n", features[block], solved)
        pull = curvatures[block] * np.einsum("nd,nd->n", features[block], influence) / (1.0 - leverage)
        steps[block] = influence + pull[:, None] * solved
    return LeaveOneOut(steps, _residuals(objective, parameters + steps))


def _residuals(objective: Objective, weights: Floats) -> Floats:
    """‖∇L_b(w_i; D∖i)‖₂ of n models, shape (n,)."""
    rows = len(weights)
    residuals = np.empty(rows)
    size = max(1, _COLUMNS // rows)
    for first in range(0, rows, size):
        block = np.arange(first, min(first + size, rows))
        scores = objective.features @ weights[block].T
        slopes = objective.slopes_of(scores)
        # Model i was not trained on row i.
        slopes[block, np.arange(len(block))] = 0.0
        gradients = slopes.T @ objective.features + objective.l2 * (rows - 1) * weights[block] + objective.perturbation
        residuals[block] = np.linalg.norm(gradients, axis=1)
    return residuals
