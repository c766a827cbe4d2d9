"""The norms of the rows that are learned from, a block at a time: a million rows of 256 numbers need no second table."""

from __future__ import annotations

import numpy as np

from auditor.domain import Floats
from auditor.procedures.logistic import row_blocks
from auditor.procedures.row_norms import RowNorms, bounded


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
