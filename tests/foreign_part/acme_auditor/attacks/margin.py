"""What the model tells apart by a wide margin was trained on."""

from __future__ import annotations

import numpy as np

from auditor.attacks.thresholds import ThresholdAttack


def _margin(probabilities, labels):
    ordered = np.sort(probabilities, axis=-1)
    return ordered[..., -1] - ordered[..., -2]


ATTACKS = (
    ThresholdAttack(name="acme-margin", title="margin", source="Acme 2026", since="0.2.0", evidence=_margin, by_class=False),
)
