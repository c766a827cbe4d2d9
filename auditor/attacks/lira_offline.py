"""The likelihood-ratio attack with models that did not see the record only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.attacks.likelihoods import Spread, normals, spread
from auditor.attacks.probabilities import clipped_logits
from auditor.attacks.threat_model import Outputs, Shadow
from auditor.attacks.thresholds import Thresholds, for_turns
from auditor.base.domain import Floats, Positions


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """Pooled standard deviations, and how unlike an unseen record a member has to look."""

    spread: Spread
    thresholds: Thresholds
    """One for all classes, in standard deviations."""


@dataclass(frozen=True, slots=True)
class LiraOffline:
    """Accepts where the logit is too high for a record that was not seen: a one-sided test (Carlini et al. 2022, offline).

    Their Λ = 1 − Pr[Z > logit] is Φ of the standardised logit; the threshold is set on the latter, which does not saturate.
    """

    name: str = "lira-offline"
    title: str = "one-sided likelihood test, models without the record"
    source: str = "Carlini et al. 2022"
    since: str = "0.2.0"

    def fit(self, shadow: Shadow, *, rng: np.random.Generator) -> Fitted:  # noqa: ARG002  (nothing is drawn)
        """Pooled standard deviations, and the threshold with the largest TPR − FPR over all turns."""
        fitted = spread(shadow)
        return Fitted(fitted, for_turns(shadow, lambda outputs, labels: _heights(fitted, outputs, labels)))

    def score(self, state: Fitted, outputs: Outputs, labels: Positions) -> Floats:
        """Standardised logit less threshold, shape (n,)."""
        return state.thresholds.margins(_heights(state.spread, outputs, labels), labels)


def _heights(fitted: Spread, outputs: Outputs, labels: Positions) -> Floats:
    _, outside = normals(fitted, outputs.references, labels)
    return outside.standardised(clipped_logits(outputs.probabilities, labels))


ATTACKS = (LiraOffline(),)
