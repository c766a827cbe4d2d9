"""Records of linear classifiers as text, and how far one of them pulls at the weights."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from auditor.base.records import Floats
from auditor.learning.sums import RefusedError

MOST_FEATURES: Final = 20
LARGEST: Final = 1e100
"""Of a feature: products and squares of larger ones overflow, and a NaN passes through clipping and noise as it is."""


def read(argument: str | None, features: int) -> list[float]:
    """Read a record, `x1,...,xd,y` with y = 1 or -1.

    Args:
        argument: What was said.
        features: d.

    Raises:
        RefusedError: If it is no such record.
    """
    try:
        record = [float(part) for part in (argument or "").split(",")]
    except ValueError:
        record = []
    if len(record) != features + 1 or not all(map(math.isfinite, record)) or abs(record[-1]) != 1:
        raise RefusedError(f"expected {features} numbers and a label 1 or -1, found {argument!r:.60}")
    if max(map(abs, record)) > LARGEST:
        raise RefusedError(f"expected numbers from {-LARGEST:g} to {LARGEST:g}, found {argument!r:.60}")
    return record


def gradients(rows: Floats, weights: Floats) -> Floats:
    """Gradients of the logistic loss, each clipped to length 1.

    Args:
        rows: Records, shape (n, d + 1), labels last.
        weights: Where, shape (d,).

    Returns:
        Shape (n, d).
    """
    features, labels = rows[:, :-1], rows[:, -1]
    pull = -labels / (1 + np.exp(np.clip(labels * (features @ weights), -500, 500)))
    return _shortened(pull[:, None] * features)


def signed(rows: Floats) -> Floats:
    """Multiply features by their label, scaled to length 1 where they are longer: the logistic loss takes nothing else.

    Unlike a clipped gradient, the gradient of the loss of such a record belongs to a convex function, with a second derivative of
    1/4 at most.

    Args:
        rows: Records, shape (n, d + 1), labels last.

    Returns:
        Shape (n, d).
    """
    return _shortened(rows[:, :-1]) * rows[:, -1:]


def _shortened(vectors: Floats) -> Floats:
    """Scale each to length 1, where it is longer."""
    found: Floats = vectors / np.maximum(1.0, np.sqrt((vectors**2).sum(axis=1)))[:, None]
    return found
