"""The robust membership inference attack: a record is compared with a population, each weighed by how easy it is in itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from auditor.attacks.probabilities import LEAST_PROBABILITY, of_true_class
from auditor.attacks.threat_model import Outputs, References, Shadow
from auditor.attacks.thresholds import ROUNDING, Thresholds, for_turns
from auditor.base.records import Floats, Positions

GAMMA: Final = 1.0
"""γ, how many times the record's ratio must exceed that of a population record to count; 1 as in the authors' Privacy Meter."""


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """How seeing a record moves its probability, and how many population records a member exceeds."""

    slope: float
    """a in Pr_in ≈ a Pr_out + 1 − a, between 0 and 1."""
    thresholds: Thresholds
    """One for all classes, in fractions of the population."""


@dataclass(frozen=True, slots=True)
class Rmia:
    """Accepts where enough of the population has the smaller ratio Pr(x | model) / Pr(x) (Zarifzadeh et al. 2024).

    Pr(x) is the mean of what models give x that saw it and that did not. As in their offline attack it is worked out from the
    latter alone: Pr(x) = ((1 + a) Pr_out(x) + 1 − a) / 2.
    """

    name: str = "rmia"
    title: str = "likelihood ratios against a population"
    source: str = "Zarifzadeh et al. 2024"
    since: str = "0.2.0"

    def fit(self, shadow: Shadow, *, rng: np.random.Generator) -> Fitted:  # noqa: ARG002  (nothing is drawn)
        """a by least squares over shadow records, and the threshold with the largest TPR − FPR over all turns.

        Raises:
            ValueError: If there are fewer than 2 complementary pairs of shadow models, or a model was trained on every record.
        """
        slope = _slope(shadow.references, shadow.labels)
        return Fitted(slope, for_turns(shadow, lambda outputs, labels: _fractions(slope, outputs, labels)))

    def score(self, state: Fitted, outputs: Outputs, labels: Positions) -> Floats:
        """The fraction of the population that the record exceeds, less the threshold; shape (n,).

        Raises:
            ValueError: If the population is empty.
        """
        return state.thresholds.margins(_fractions(state.slope, outputs, labels), labels)


def _slope(references: References, labels: Positions) -> float:
    """a of Pr_in − 1 ≈ a (Pr_out − 1), by least squares; 1 where no model is ever in doubt, so that nothing moves."""
    inside, outside = (1.0 - each.mean(axis=0) for each in references.parted(of_true_class(references.probabilities, labels)))
    squares = float((outside**2).sum())
    return float(np.clip((inside * outside).sum() / squares, 0.0, 1.0)) if squares > 0 else 1.0


def _ratios(slope: float, probabilities: Floats, references: References, labels: Positions) -> Floats:
    """Pr(x | model) / Pr(x), shape (n,)."""
    ratios: Floats = of_true_class(probabilities, labels) / references.once(expected, labels, slope)
    return ratios


def expected(references: References, labels: Positions, slope: float) -> Floats:
    """Pr(x), at least `LEAST_PROBABILITY`, shape (n,)."""
    _, outside = references.parted(of_true_class(references.probabilities, labels))
    expected: Floats = np.maximum(((1.0 + slope) * outside.mean(axis=0) + 1.0 - slope) / 2.0, LEAST_PROBABILITY)
    return expected


def _fractions(slope: float, outputs: Outputs, labels: Positions) -> Floats:
    if not len(outputs.population_labels):
        raise ValueError("a population of at least one record that the model was not trained on is needed, found none")
    ratios = _ratios(slope, outputs.probabilities, outputs.references, labels)
    population = _ratios(slope, outputs.population_probabilities, outputs.population_references, outputs.population_labels)
    # A ratio that exceeds another by no more than rounding does not exceed it.
    bars = np.sort(GAMMA * population * (1.0 + ROUNDING))
    return np.searchsorted(bars, ratios, side="left") / len(bars)


ATTACKS = (Rmia(),)
