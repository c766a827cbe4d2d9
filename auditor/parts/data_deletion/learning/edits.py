"""What a request makes of the records: some are deleted, or replaced in their places."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Dataset, Floats, Positions


def without(data: Dataset, forget: Positions) -> Dataset:
    """The records but those at `forget`, shape (m,), in their order."""
    return data.subset(np.setdiff1d(np.arange(len(data)), forget))


def edited(data: Dataset, positions: Positions, features: Floats, labels: npt.NDArray[Any]) -> Dataset:
    """D ∘ u for an edit request u (Chourasia and Shah 2023, Definition 2.2): the same records with some replaced in place.

    Args:
        data: D.
        positions: Which are replaced, shape (r,), distinct.
        features: By what, shape (r, d).
        labels: Shape (r,).

    Raises:
        ValueError: If positions are outside the data or repeat, or the replacements have another shape.
    """
    chosen = np.asarray(positions)
    if chosen.ndim != 1 or (len(chosen) and not 0 <= chosen.min() <= chosen.max() < len(data)) or len(set(chosen)) < len(chosen):
        raise ValueError(f"positions: expected distinct ones among {len(data)} records")
    if features.shape != (len(chosen), data.features.shape[1]) or labels.shape != chosen.shape:
        raise ValueError(f"replacements: expected {len(chosen)} rows of {data.features.shape[1]} features and a label each")
    after, given = data.features.copy(), data.labels.astype(np.result_type(data.labels, labels))
    after[chosen], given[chosen] = features, labels
    return replace(data, features=after, labels=given)
