"""The plainest attack: what is classified correctly was trained on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.attacks.threat_model import Outputs, Shadow
from auditor.base.domain import Floats, Positions


@dataclass(frozen=True, slots=True)
class Nothing:
    """There is nothing to fit."""


@dataclass(frozen=True, slots=True)
class Correctness:
    """Accepts iff the most probable class, the lowest code among equals, is the true one (Yeom et al. 2018)."""

    name: str = "correctness"
    title: str = "correctness of the prediction"
    source: str = "Yeom et al. 2018"
    since: str = "0.2.0"

    def fit(self, shadow: Shadow, *, rng: np.random.Generator) -> Nothing:  # noqa: ARG002  (nothing is fitted or drawn)
        """The empty state."""
        return Nothing()

    def score(self, state: Nothing, outputs: Outputs, labels: Positions) -> Floats:  # noqa: ARG002  (nothing was fitted)
        """1 where the prediction is right, −1 where it is wrong; shape (n,)."""
        return np.where(outputs.probabilities.argmax(axis=-1) == labels, 1.0, -1.0)


ATTACKS = (Correctness(),)
