"""The likelihood-ratio attack, with shadow models of both kinds, or of those that did not see the record."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from auditor.attacks.moderated import Prior, prior_of
from auditor.attacks.probabilities import clipped_logits
from auditor.attacks.threat_model import Outputs, References, Shadow
from auditor.attacks.thresholds import Thresholds, for_turns
from auditor.base.records import Floats, Positions
from auditor.maths import special

# Distributions of a record's clipped logit under the models that saw it and those that did not: normal, as in Carlini et al.
# 2022, with a mean and a variance that are known from a few models each. What such models let expect of one more is Student's: a
# record's own mean, and its own variance as far as its models and the other records bear it out. Normal tails would let a record
# whose few models agree by chance outweigh all others in a sum.
LEAST_DEVIATION: Final = 1e-6
"""Smaller standard deviations, in logits, count as this one: outputs that never vary give 0 and not ∞."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How far logits scatter about a record's mean: what the variances of shadow records have in common."""

    inside: Prior
    """Under models that saw the record."""
    outside: Prior
    """Under models that did not."""


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """What is expected of one more model, record by record."""

    means: Floats
    """Shape (n,)."""
    deviations: Floats
    """Scales, shape (n,), at least `LEAST_DEVIATION`."""
    freedom: float
    """Degrees of freedom; ∞ for a normal distribution."""

    def standardised(self, logits: Floats) -> Floats:
        """(x − mean) / scale, shape (n,)."""
        return (logits - self.means) / self.deviations

    def log_density(self, logits: Floats) -> Floats:
        """Shape (n,)."""
        squares = self.standardised(logits) ** 2
        if math.isinf(self.freedom):
            tails, constant = squares / 2, math.log(2 * math.pi) / 2
        else:
            half = self.freedom / 2
            tails = (half + 0.5) * np.log1p(squares / self.freedom)
            constant = float(special.betaln(half, 0.5)) + math.log(self.freedom) / 2
        return np.asarray(-np.log(self.deviations) - tails - constant)


def spread(shadow: Shadow) -> Spread:
    """What the shadow records have in common.

    Raises:
        ValueError: If there are fewer than 2 complementary pairs of shadow models.
    """
    pairs = len(shadow.references) // 2
    if pairs < 2:
        raise ValueError(f"at least 2 complementary pairs of shadow models are needed, found {pairs}")
    inside, outside = shadow.references.parted(clipped_logits(shadow.references.probabilities, shadow.labels))
    return Spread(prior_among(inside), prior_among(outside))


def prior_among(logits: Floats) -> Prior:
    """What the variances of records have in common, from logits of at least two models, shape (m, n)."""
    return prior_of(logits.var(axis=0, ddof=1), len(logits) - 1, least=LEAST_DEVIATION**2)


def expected(fitted: Spread, references: References, labels: Positions) -> tuple[Expected, Expected]:
    """What is expected of each record's logit under a model that saw it, and under one that did not."""
    inside, outside = fitted.inside, fitted.outside
    return references.once(_expected, labels, inside.scale, inside.weight, outside.scale, outside.weight)


def _expected(references: References, labels: Positions, *priors: float) -> tuple[Expected, Expected]:
    seen, unseen = references.parted(clipped_logits(references.probabilities, labels))
    return of_models(seen, Prior(*priors[:2])), of_models(unseen, Prior(*priors[2:]))


def of_models(logits: Floats, prior: Prior) -> Expected:
    """What models let expect of one more: a record's own mean costs a degree of freedom, and is not known to the last bit.

    Args:
        logits: Shape (m, n), m at least 1.
        prior: What the variances of records have in common.
    """
    models = len(logits)
    variances = logits.var(axis=0, ddof=1) if models > 1 else np.zeros(logits.shape[1])
    scales = np.sqrt(prior.moderated(variances, models - 1) * (1 + 1 / models))
    return Expected(logits.mean(axis=0), np.maximum(scales, LEAST_DEVIATION), prior.weight + models - 1)


def log_likelihood_ratios(fitted: Spread, outputs: Outputs, labels: Positions) -> Floats:
    """log p(logit | seen) − log p(logit | not seen) of each record under the model under attack, shape (n,), finite."""
    logits = clipped_logits(outputs.probabilities, labels)
    inside, outside = expected(fitted, outputs.references, labels)
    return inside.log_density(logits) - outside.log_density(logits)


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """What variances have in common, and how unlike an unseen record a member has to look."""

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
        """What variances have in common, and the threshold with the largest TPR − FPR over all turns."""
        fitted = spread(shadow)
        return Fitted(fitted, for_turns(shadow, lambda outputs, labels: _heights(fitted, outputs, labels)))

    def score(self, state: Fitted, outputs: Outputs, labels: Positions) -> Floats:
        """Standardised logit less threshold, shape (n,)."""
        return state.thresholds.margins(_heights(state.spread, outputs, labels), labels)


def _heights(fitted: Spread, outputs: Outputs, labels: Positions) -> Floats:
    _, outside = expected(fitted, outputs.references, labels)
    return outside.standardised(clipped_logits(outputs.probabilities, labels))


@dataclass(frozen=True, slots=True)
class LiraOnline:
    """Accepts where the output is likelier under models that saw the record (Carlini et al. 2022, Algorithm 1)."""

    name: str = "lira-online"
    title: str = "likelihood ratio, models with and without the record"
    source: str = "Carlini et al. 2022"
    since: str = "0.2.0"

    def fit(self, shadow: Shadow, *, rng: np.random.Generator) -> Spread:  # noqa: ARG002  (nothing is drawn)
        """What the variances of shadow records have in common."""
        return spread(shadow)

    def score(self, state: Spread, outputs: Outputs, labels: Positions) -> Floats:
        """log p(seen) − log p(not seen), shape (n,)."""
        return log_likelihood_ratios(state, outputs, labels)


ATTACKS = (
    LiraOffline(),
    LiraOnline(),
)
