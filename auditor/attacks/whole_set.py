"""The adversary that judges a whole set at once: it adds the evidence of all records up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from auditor.attacks import lira
from auditor.attacks.lira import Spread
from auditor.attacks.threat_model import Outputs, Shadow
from auditor.base.records import Floats, Positions


@dataclass(frozen=True, slots=True)
class WholeSet:
    """Log-likelihood ratios to be summed over the forget set and over the test set; the larger sum names the side.

    Where a weak attack finds little in each record, the sum over all of them can still tell the two sets apart.
    """

    name: str = "whole-set"
    title: str = "likelihood ratios summed over the whole set"
    source: str = "Carlini et al. 2022"
    since: str = "0.2.0"

    def fit(self, shadow: Shadow, *, rng: np.random.Generator) -> Spread:  # noqa: ARG002  (nothing is drawn)
        """What the variances of shadow records have in common.

        Raises:
            ValueError: If there are fewer than 2 complementary pairs of shadow models.
        """
        return lira.spread(shadow)

    def log_likelihood_ratios(self, state: Spread, outputs: Outputs, labels: Positions) -> Floats:
        """log p(output | seen) − log p(output | not seen) of each record, shape (n,), finite."""
        return lira.log_likelihood_ratios(state, outputs, labels)


WHOLE_SET: Final = WholeSet()
