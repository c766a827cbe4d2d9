"""The record whose loss rises more was deleted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.attacks.deletion.seen import Seen, ShadowModels, difference, loss
from auditor.base.domain import Floats


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
