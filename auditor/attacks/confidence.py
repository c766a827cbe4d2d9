"""What the model is sure of was trained on."""

from __future__ import annotations

from auditor.attacks.probabilities import of_true_class
from auditor.attacks.thresholds import ThresholdAttack

ATTACKS = (
    ThresholdAttack(
        name="confidence",
        title="probability of the true class, thresholds per class",
        source="Song and Mittal 2021",
        since="0.2.0",
        evidence=of_true_class,
    ),
)
