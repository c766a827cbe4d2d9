"""Say what the models of a deletion game are asked, and what they answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.base.domain import Floats
from auditor.parts.revealing.observing.deleting.drawing import Game


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What the models of one game are asked."""

    game: Game
    rows: Floats
    """Shape (q, d): features, of records or of anything else."""


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What the models of one game answer."""

    before: Floats
    """Shape (q, classes), or (q,) for a regression: the model that learned S."""
    after: tuple[Floats, ...]
    """The same after each deletion, each from the model that learned S."""


def about(features: Floats, game: Game, *, population: int = 0) -> Asked:
    """Ask about the records in question of a game, and about records that were never learned.

    Rows 2i and 2i + 1 are the deleted and the kept record of deletion i; the first records of `outside` follow.

    Args:
        features: Shape (n, d), of the training data.
        game: The game.
        population: How many records outside to ask about in addition to the first.
    """
    pairs = [int(one) for each, kept in zip(game.deleted, game.kept, strict=True) for one in (each[0], kept)]
    return Asked(game, features[np.concatenate([np.array(pairs, dtype=np.int64), game.outside[: 1 + population]])])
