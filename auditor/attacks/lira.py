"""The likelihood-ratio attack, with shadow models of both kinds, or of those that did not see the record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from auditor.attacks.probabilities import clipped_logits
from auditor.attacks.threat_model import Outputs, References, Shadow
from auditor.attacks.thresholds import Thresholds, for_turns
from auditor.base.domain import Floats, Positions

# Normal distributions of a record's clipped logit under the models that saw it and those that did not (Carlini et al. 2022).
# Each record has means of its own. It has standard deviations of its own where at least `LEAST_MODELS` models of each kind
# stand behind them; otherwise those are pooled over all shadow records (Sec. VI-C).
LEAST_MODELS: Final = 32
"""With fewer models of a kind, a standard deviation per record costs more in noise than it tells."""
LEAST_DEVIATION: Final = 1e-6
"""Smaller standard deviations, in logits, count as this one: outputs that never vary give 0 and not ∞."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How far logits scatter about a record's mean."""

    inside: float
    """Standard deviation under models that saw the record, pooled over shadow records."""
    outside: float
    """The same under models that did not."""
    per_record: bool
    """Whether each record's own standard deviations are used instead."""


@dataclass(frozen=True, slots=True, eq=False)
class Normal:
    """One normal distribution per record."""

    means: Floats
    """Shape (n,)."""
    deviations: Floats
    """Standard deviations, shape (n,) or (), at least `LEAST_DEVIATION`."""

    def standardised(self, logits: Floats) -> Floats:
        """(x − mean) / standard deviation, shape (n,)."""
        return (logits - self.means) / self.deviations


def spread(shadow: Shadow) -> Spread:
    """What is pooled over the shadow records; a record's own mean costs one degree of freedom.

    Raises:
        ValueError: If there are fewer than 2 complementary pairs of shadow models.
    """
    pairs = len(shadow.references) // 2
    if pairs < 2:
        raise ValueError(f"at least 2 complementary pairs of shadow models are needed, found {pairs}")
    inside, outside = shadow.references.parted(clipped_logits(shadow.references.probabilities, shadow.labels))
    # A turn has one pair less than the audit, and both must go the same way.
    return Spread(_pooled(inside), _pooled(outside), per_record=pairs - 1 >= LEAST_MODELS)


def _pooled(logits: Floats) -> float:
    return float(np.sqrt(logits.var(axis=0, ddof=1).mean()))


def normals(fitted: Spread, references: References, labels: Positions) -> tuple[Normal, Normal]:
    """The distributions of each record's logit under the models that saw it, and under those that did not."""
    return references.once(_normals, labels, fitted.inside, fitted.outside, fitted.per_record)


def _normals(references: References, labels: Positions, inside: float, outside: float, per_record: bool) -> tuple[Normal, Normal]:
    seen, unseen = references.parted(clipped_logits(references.probabilities, labels))
    return _normal(seen, inside, per_record), _normal(unseen, outside, per_record)


def _normal(logits: Floats, pooled: float, per_record: bool) -> Normal:
    deviations = logits.std(axis=0, ddof=1) if per_record else np.asarray(pooled)
    return Normal(logits.mean(axis=0), np.maximum(deviations, LEAST_DEVIATION))


def log_likelihood_ratios(fitted: Spread, outputs: Outputs, labels: Positions) -> Floats:
    """log p(logit | seen) − log p(logit | not seen) of each record under the model under attack, shape (n,), finite."""
    logits = clipped_logits(outputs.probabilities, labels)
    inside, outside = normals(fitted, outputs.references, labels)
    squares = outside.standardised(logits) ** 2 - inside.standardised(logits) ** 2
    ratios: Floats = np.log(outside.deviations / inside.deviations) + squares / 2
    return ratios


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


ATTACKS = (
    LiraOffline(),
    LiraOnline(),
)
