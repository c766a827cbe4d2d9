"""The robust membership inference attack, many models at a time: each record against what its own model never learned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.attacks.deletion.seen import Seen, ShadowModels
from auditor.attacks.probabilities import of_true_class
from auditor.attacks.rmia import GAMMA, Fitted, Rmia, expected
from auditor.attacks.thresholds import ROUNDING
from auditor.base.domain import Floats


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
