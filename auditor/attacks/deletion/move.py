"""The record whose answer moves more was deleted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.attacks.deletion.seen import Seen, ShadowModels, difference
from auditor.base.domain import Floats


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
