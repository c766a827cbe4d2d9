"""A record whose loss is at most the mean training loss was trained on (Yeom et al. 2018)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.attacks.deletion.seen import Seen, ShadowModels, loss
from auditor.base.domain import Floats


@dataclass(frozen=True, slots=True)
class Yeom:
    """The threshold is the mean loss of shadow models on their own training records."""

    def fit(self, shadow: ShadowModels, *, rng: np.random.Generator) -> float:  # noqa: ARG002  (nothing is drawn)
        """The mean training loss of the shadow models."""
        return float(loss(shadow.answers, shadow.labels)[shadow.trained_on].mean())

    def margins(self, state: float, seen: Seen, *, after: bool) -> Floats:
        """Mean training loss less loss, shape (m,); a loss that equals it belongs to a member."""
        margins: Floats = state - loss(seen.after if after else seen.before, seen.labels)
        return np.where(margins >= 0, np.maximum(margins, np.finfo(np.float64).tiny), margins)
