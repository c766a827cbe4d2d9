"""Count right predictions of the SWAP test's models on records they never met: accuracy that no table of known rows gives."""

from __future__ import annotations

from itertools import product

import numpy as np

from auditor.base.domain import Positions
from auditor.parts.swap.observing.drawing import Game
from auditor.parts.swap.observing.model_outputs import Played
from auditor.verdict.checks.right_counts import Counts


def unseen(game: Game, played: Played, labels: Positions) -> Counts:
    """Compare the unlearned models with the retrained ones, each record being judged once.

    A record that several sides of pairs had not met is judged on one of them, so that no record counts twice and the
    population, which nobody met, is spread over all models.

    Args:
        game: What was drawn.
        played: The models' outputs.
        labels: Shape (n,): class codes of the training records.
    """
    places: dict[int, list[tuple[int, int, int]]] = {}
    for number, side in product(range(len(game.pairs)), range(2)):
        # Rows of a model: those of `first`, those of `second`, the population. Side 0 forgets `first` and never met `second`.
        half = game.pairs[number].forgotten
        beside = game.pairs[number].sides()[side][1].tolist()
        for row, record in (
            *enumerate(beside, start=half if side == 0 else 0),
            *enumerate(game.population.tolist(), start=2 * half),
        ):
            places.setdefault(record, []).append((number, side, row))
    records = np.array(sorted(places), dtype=np.int64)
    chosen = np.array([places[record][at % len(places[record])] for at, record in enumerate(records.tolist())], dtype=np.int64)
    numbers, sides, rows = chosen.T
    unlearned, retrained = (
        np.argmax(models[numbers, sides, 0, rows], axis=1) == labels[records] for models in (played.unlearned, played.retrained)
    )
    return Counts.of(unlearned, retrained)
