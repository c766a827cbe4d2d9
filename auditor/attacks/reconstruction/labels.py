"""The label of a deleted record (Gao et al. 2022, Algorithms C.1 and C.3)."""

from __future__ import annotations

import numpy as np

from auditor.base.domain import Floats


def rise(before: Floats, after: Floats) -> Floats:
    """How much more likely each class became at the probes, shape (c,): the deleted label is the one that fell most.

    Algorithm C.1, step 4.

    Args:
        before: Probabilities of the model before the deletion, shape (m, c).
        after: The same of the model after it.
    """
    moved: Floats = (after - before).sum(axis=0)
    return moved


def extrapolated(before: Floats, after: Floats, factor: Floats | float) -> Floats:
    """ỹ = ŷ + λ(ŷ − ŷ′), the label of a known instance (Algorithm C.3, step 2).

    Args:
        before: ŷ, shape (k,).
        after: ŷ′, shape (k,).
        factor: λ.
    """
    guess: Floats = before + factor * (before - after)
    return guess


def best_factor(before: Floats, after: Floats, labels: Floats) -> float:
    """The λ ≥ 0 whose guesses lie nearest to known labels on average: it minimises Σ|ŷ + λ(ŷ − ŷ′) − y|.

    Where predictions moved, the minimum is a weighted median of (y − ŷ)/(ŷ − ŷ′) with weights |ŷ − ŷ′|.

    Args:
        before: ŷ in games whose deleted label is known, shape (k,).
        after: ŷ′, shape (k,).
        labels: y, shape (k,).
    """
    step = before - after
    moved = np.abs(step) > 0
    if not moved.any():
        return 0.0
    ratios, weights = (labels - before)[moved] / step[moved], np.abs(step[moved])
    order = np.argsort(ratios, kind="stable")
    half = np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)
    return max(0.0, float(ratios[order][min(half, len(order) - 1)]))


def leverage_factor(known: Floats, instance: Floats, *, penalty: Floats) -> float:
    """λ = (1 − h)/h with the leverage h = xᵀ(XᵀX + P)⁻¹x, for which Algorithm C.3 is exact in least squares.

    Deleting a record moves its own prediction from ŷ to ŷ′ = y + (ŷ − y)/(1 − h), so y = ŷ + (1 − h)/h · (ŷ − ŷ′).

    Args:
        known: X, the instances that the model learned, the deleted one among them, shape (n, d), with a column of ones where the
            model has an intercept.
        instance: x, shape (d,).
        penalty: The diagonal of P, what is added to each squared weight, shape (d,); zeros for ordinary least squares.

    Returns:
        λ; 0 where the record has no leverage.
    """
    gram = known.T @ known + np.diag(penalty)
    held = float(instance @ np.linalg.lstsq(gram, instance, rcond=None)[0])
    return (1 - held) / held if held > 0 else 0.0
