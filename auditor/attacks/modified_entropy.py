"""Entropy that knows the true class: a sure mistake counts as far from a member as can be."""

from __future__ import annotations

import numpy as np

from auditor.attacks.probabilities import logarithm, of_true_class
from auditor.attacks.thresholds import ThresholdAttack
from auditor.base.domain import Floats, Positions


def negative_modified_entropy(probabilities: Floats, labels: Positions) -> Floats:
    """(1 − p_y) log p_y + Σ_{i≠y} p_i log(1 − p_i), shape (..., n) (Song and Mittal 2021)."""
    terms = probabilities * logarithm(1.0 - probabilities)
    true = of_true_class(probabilities, labels)
    terms[..., np.arange(len(labels)), labels] = (1.0 - true) * logarithm(true)
    total: Floats = terms.sum(axis=-1)
    return total


ATTACKS = (
    ThresholdAttack(
        name="modified-entropy",
        title="modified entropy, thresholds per class",
        source="Song and Mittal 2021",
        since="0.2.0",
        evidence=negative_modified_entropy,
    ),
)
