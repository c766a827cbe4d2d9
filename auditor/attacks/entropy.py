"""Where the model does not waver, whatever the true class, it was trained on the record."""

from __future__ import annotations

from auditor.attacks.probabilities import logarithm
from auditor.attacks.thresholds import ThresholdAttack
from auditor.base.domain import Floats, Positions


def negative_entropy(probabilities: Floats, labels: Positions) -> Floats:  # noqa: ARG001  (entropy knows no true class)
    """Σ p_i log p_i, shape (..., n)."""
    total: Floats = (probabilities * logarithm(probabilities)).sum(axis=-1)
    return total


ATTACKS = (
    ThresholdAttack(
        name="entropy",
        title="entropy of the prediction, thresholds per class",
        source="Song and Mittal 2021",
        since="0.2.0",
        evidence=negative_entropy,
    ),
)
