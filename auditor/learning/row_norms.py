"""Rows longer than 1, for which the worst-case and the as-printed bound do not hold (Guo et al. 2020, Theorem 1: ‖x_i‖₂ ≤ 1).

A row is scaled by its own norm alone, so that no record changes another and nothing is fitted.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from auditor.base.domain import Floats
from auditor.learning.logistic import row_blocks
from auditor.learning.residuals import row_norms

RowNorms: TypeAlias = Literal["report", "refuse", "scale"]
"""What is done with rows longer than 1: taken as they are, not taken, or scaled to norm 1 in learning and predicting alike."""


def bounded(features: Floats) -> Floats:
    """Features of shape (n, d) with every row that is longer than 1 scaled to norm 1; the same table where there is none."""
    longer = np.flatnonzero(row_norms(features) > 1)
    if not len(longer):
        return features
    scaled = np.array(features, dtype=np.float64)
    # By the largest entry first, whose square always fits.
    rows = scaled[longer] / np.abs(scaled[longer]).max(axis=1, keepdims=True)
    scaled[longer] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return scaled


def largest_norm(features: Floats, row_norms: RowNorms) -> float:
    """The largest ‖x‖₂ of the rows as they are learned from; infinite where float64 does not hold the square.

    Args:
        features: Shape (n, d).
        row_norms: What the procedure does with rows longer than 1.
    """
    largest = 0.0
    with np.errstate(over="ignore"):
        for block in row_blocks(features):
            rows = bounded(features[block]) if row_norms == "scale" else features[block]
            largest = max(largest, float(np.linalg.norm(rows, axis=1).max(initial=0.0)))
    return largest
