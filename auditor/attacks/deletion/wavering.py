"""Where the model does not waver it was trained on the record: entropy, for which no label has to be known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.attacks.deletion.seen import Seen, ShadowModels
from auditor.attacks.entropy import negative_entropy
from auditor.attacks.thresholds import Thresholds, for_all
from auditor.base.domain import Floats


@dataclass(frozen=True, slots=True)
class Wavering:
    """Negative entropy above one threshold for all classes (Song and Mittal 2021)."""

    def fit(self, shadow: ShadowModels, *, rng: np.random.Generator) -> Thresholds:  # noqa: ARG002  (nothing is drawn)
        """The threshold with the largest TPR − FPR over all shadow models and records."""
        labels = np.zeros(shadow.answers.shape[1], dtype=np.int64)
        return for_all(negative_entropy(shadow.answers, labels), shadow.trained_on, 1)

    def margins(self, state: Thresholds, seen: Seen, *, after: bool) -> Floats:
        """Negative entropy less the threshold, shape (m,)."""
        labels = np.zeros(len(seen), dtype=np.int64)
        return state.margins(negative_entropy(seen.after if after else seen.before, labels), labels)
