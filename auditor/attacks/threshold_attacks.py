"""Attacks that consist of one threshold: what a model is sure of, or has a small loss on, was trained on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.attacks.probabilities import logarithm, losses, of_true_class
from auditor.attacks.threat_model import Outputs, Shadow
from auditor.attacks.thresholds import ThresholdAttack
from auditor.base.records import Floats, Positions


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


# Where the model does not waver, whatever the true class, it was trained on the record.
def negative_entropy(probabilities: Floats, labels: Positions) -> Floats:  # noqa: ARG001  (entropy knows no true class)
    """Σ p_i log p_i, shape (..., n)."""
    total: Floats = (probabilities * logarithm(probabilities)).sum(axis=-1)
    return total


# Yeom et al. accept what is likelier under the distribution of training losses; here the best threshold on shadow data does that,
# with no distribution assumed.
def _small_loss(probabilities: Floats, labels: Positions) -> Floats:
    return -losses(probabilities, labels)


# Entropy that knows the true class: a sure mistake counts as far from a member as can be.
def negative_modified_entropy(probabilities: Floats, labels: Positions) -> Floats:
    """(1 − p_y) log p_y + Σ_{i≠y} p_i log(1 − p_i), shape (..., n) (Song and Mittal 2021)."""
    terms = probabilities * logarithm(1.0 - probabilities)
    true = of_true_class(probabilities, labels)
    terms[..., np.arange(len(labels)), labels] = (1.0 - true) * logarithm(true)
    total: Floats = terms.sum(axis=-1)
    return total


ATTACKS = (
    ThresholdAttack(
        name="confidence",
        title="probability of the true class, thresholds per class",
        source="Song and Mittal 2021",
        since="0.2.0",
        evidence=of_true_class,
    ),
    Correctness(),
    ThresholdAttack(
        name="entropy",
        title="entropy of the prediction, thresholds per class",
        source="Song and Mittal 2021",
        since="0.2.0",
        evidence=negative_entropy,
    ),
    ThresholdAttack(
        name="loss",
        title="loss, one threshold",
        source="Yeom et al. 2018",
        since="0.2.0",
        evidence=_small_loss,
        by_class=False,
    ),
    ThresholdAttack(
        name="modified-entropy",
        title="modified entropy, thresholds per class",
        source="Song and Mittal 2021",
        since="0.2.0",
        evidence=negative_modified_entropy,
    ),
)
