"""Adversaries of deletion inference that read the answers themselves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.attacks.deletion.seen import Seen, ShadowModels, difference, loss
from auditor.attacks.probabilities import of_true_class
from auditor.attacks.rmia import GAMMA, Fitted, Rmia, expected
from auditor.attacks.threshold_attacks import negative_entropy
from auditor.attacks.thresholds import ROUNDING, Thresholds, for_all
from auditor.base.records import Floats


@dataclass(frozen=True, slots=True)
class Move:
    """Algorithm 3.4: |h(x) − h′(x)| for regression, half the sum of absolute differences of probabilities for classification."""

    name: str = "move"
    title: str = "move of the answer"
    source: str = "Gao et al. 2022, Algorithm 3.4"
    since: str = "0.2.0"

    def fit(self, shadow: ShadowModels, *, rng: np.random.Generator) -> None:
        """Learn nothing."""

    def score(self, state: None, seen: Seen) -> Floats:  # noqa: ARG002  (nothing was learned)
        """How far the answer moves, shape (m,); labels play no part."""
        apart = np.abs(difference(seen.before, seen.after))
        moved: Floats = apart if apart.ndim == 1 else apart.sum(axis=-1) / 2
        return moved


MOVE = Move()


@dataclass(frozen=True, slots=True)
class Rise:
    """Algorithm 3.2: δ(e) = ℓ(h′, e) − ℓ(h, e), with the squared error for regression and −log p for classification.

    By how sure it is, the reduction from the membership inference of Yeom et al. (2018) gives the same order.
    """

    name: str = "rise"
    title: str = "rise in loss"
    source: str = "Gao et al. 2022, Algorithm 3.2"
    since: str = "0.2.0"

    def fit(self, shadow: ShadowModels, *, rng: np.random.Generator) -> None:
        """Learn nothing."""

    def score(self, state: None, seen: Seen) -> Floats:  # noqa: ARG002  (nothing was learned)
        """The rise in loss, shape (m,)."""
        return difference(loss(seen.after, seen.labels), loss(seen.before, seen.labels))


RISE = Rise()


# Where the model does not waver it was trained on the record: entropy, for which no label has to be known.
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


# A record whose loss is at most the mean training loss was trained on (Yeom et al. 2018).
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


# The robust membership inference attack, many models at a time: each record against what its own model never learned.
@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What the attack learned."""

    fitted: Fitted
    expected: Floats
    """Pr(x) of every record, shape (n,)."""


@dataclass(frozen=True, slots=True)
class Population:
    """Zarifzadeh et al. (2024), offline, as `auditor.attacks.rmia` has it."""

    def fit(self, shadow: ShadowModels, *, rng: np.random.Generator) -> Known:
        """The slope, the threshold over every turn of the shadow models, and Pr(x)."""
        known = shadow.of_classes()
        fitted = Rmia().fit(known, rng=rng)
        return Known(fitted, expected(known.references, known.labels, fitted.slope))

    def margins(self, state: Known, seen: Seen, *, after: bool) -> Floats:
        """The fraction of the population that the record exceeds, less the threshold; shape (m,)."""
        labels = seen.labels.astype(np.int64)
        own, others = (seen.after, seen.population_after) if after else (seen.before, seen.population_before)
        ratios = of_true_class(own, labels) / state.expected[seen.records]
        true = np.take_along_axis(others, seen.population_labels.astype(np.int64)[..., None], axis=-1)[..., 0]
        # A ratio that exceeds another by no more than rounding does not exceed it.
        bars = GAMMA * true / state.expected[seen.population_records] * (1.0 + ROUNDING)
        return state.fitted.thresholds.margins((bars < ratios[:, None]).mean(axis=1), labels)
