"""What the attacks read from class probabilities, with 0 and 1 kept finite.

Every logarithm is of max(p, LEAST_PROBABILITY). The clip is monotone and the same everywhere, so equal outputs keep equal scores,
and no order between two outputs is ever reversed: at worst, two of them that are both beyond the clip become equal.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from auditor.base.records import Floats, Positions

LEAST_PROBABILITY: Final = 1e-12
"""Smaller probabilities count as this one: logits lie within ±27.7."""


def logarithm(probabilities: Floats) -> Floats:
    """log p, clipped below at log `LEAST_PROBABILITY`; any shape."""
    clipped: Floats = np.log(np.maximum(probabilities, LEAST_PROBABILITY))
    return clipped


def of_true_class(probabilities: Floats, labels: Positions) -> Floats:
    """p_y from probabilities (..., n, classes) and class codes (n,); shape (..., n)."""
    return probabilities[..., np.arange(len(labels)), labels]


def of_other_classes(probabilities: Floats, labels: Positions) -> Floats:
    """The sum of p_i over i ≠ y, shape (..., n).

    Summed and not taken from 1, which would round small ones away; not by a matrix product, which rounds a row according to its
    place.
    """
    others = probabilities.copy()
    others[..., np.arange(len(labels)), labels] = 0.0
    total: Floats = others.sum(axis=-1)
    return total


def clipped_logits(probabilities: Floats, labels: Positions) -> Floats:
    """log p_y − log Σ_{i≠y} p_i, shape (..., n): nearly normal over models (Carlini et al. 2022)."""
    return logarithm(of_true_class(probabilities, labels)) - logarithm(of_other_classes(probabilities, labels))


def losses(probabilities: Floats, labels: Positions) -> Floats:
    """Cross entropy −log p_y, shape (..., n), at most −log `LEAST_PROBABILITY`."""
    return -logarithm(of_true_class(probabilities, labels))


def angles(probabilities: Floats, labels: Positions) -> Floats:
    """arcsin √p_y, shape (..., n), from 0 to π/2.

    Shares of votes, as forests answer, vary about as much on this scale wherever they lie. A logit would make of one vote more or
    less, where all agree, the largest difference there is.
    """
    return np.asarray(np.arcsin(np.sqrt(np.clip(of_true_class(probabilities, labels), 0.0, 1.0))))
