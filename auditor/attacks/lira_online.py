"""The likelihood-ratio attack with shadow models of both kinds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.attacks.likelihoods import Spread, log_likelihood_ratios, spread
from auditor.attacks.threat_model import Outputs, Shadow
from auditor.base.domain import Floats, Positions


@dataclass(frozen=True, slots=True)
class LiraOnline:
    """Accepts where the output is likelier under models that saw the record (Carlini et al. 2022, Algorithm 1)."""

    name: str = "lira-online"
    title: str = "likelihood ratio, models with and without the record"
    source: str = "Carlini et al. 2022"
    since: str = "0.2.0"

    def fit(self, shadow: Shadow, *, rng: np.random.Generator) -> Spread:  # noqa: ARG002  (nothing is drawn)
        """The standard deviations pooled over shadow records."""
        return spread(shadow)

    def score(self, state: Spread, outputs: Outputs, labels: Positions) -> Floats:
        """log p(seen) − log p(not seen), shape (n,)."""
        return log_likelihood_ratios(state, outputs, labels)


ATTACKS = (LiraOnline(),)
