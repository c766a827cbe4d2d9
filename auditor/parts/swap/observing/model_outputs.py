"""What was seen of the models of a game: their outputs, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.attacks.threat_model import Outputs, References, Shadow
from auditor.base.records import Floats, Positions
from auditor.parts.swap.observing.drawing import Game

MOST_SHADOW = 2000
"""Shadow records that attacks are fitted on: more would move a threshold by less than the game can see."""


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Probabilities that the models of a game gave, K pairs of `models` models on each side.

    The rows of a model are the records of its pair, those of `first` and then those of `second`, followed by the population:
    2f + z rows; behind them zeros, where another pair forgets more. Side 0 is s, where `first` is forgotten; side 1 is the
    swapped split s'.
    """

    unlearned: Floats
    """Shape (K, 2, models, 2f + z, classes): after the procedure's own unlearning."""
    baseline: Floats
    """The same after it unlearned decoys: the no-unlearning baseline, which still holds F."""
    retrained: Floats
    """The same shape: learned on R alone, with equal seeds in s and s'."""
    fresh: Floats
    """Shape (K, models, 2f + z, classes): learned on R alone once more, with another seed."""
    references: Floats
    """Shape (j, n, classes): the shadow models on all records, after they unlearned decoys of theirs."""
    learned: Floats | None = None
    """As `unlearned`, before anything was unlearned; None where nothing is claimed of such models."""
    residual_bound: float | None = None
    """The largest certified bound β on the gradient residual over all models of the game; None where there is none."""

    def null(self) -> Floats:
        """Retraining with fresh seeds in s and s', shape as `unlearned`: a perfect procedure's models."""
        return np.stack([self.retrained[:, 0], self.fresh], axis=1)


class Sight:
    """What adversaries get to see of a game, record for record.

    Attributes:
        labels: Shape (n,): class codes of all records.
    """

    def __init__(self, game: Game, played: Played, labels: Positions) -> None:
        """Take note of the game; what every model is asked alike is looked up once."""
        self._game, self._played = game, played
        self.labels = labels
        self._population = self._references(game.population)
        self._of_pair: dict[int, References] = {}

    def shadow(self) -> Shadow:
        """Shadow records with the outputs of the shadow models; of very many the first, whose order is random."""
        records = self._game.shadow[:MOST_SHADOW]
        return Shadow(self.labels[records], self._references(records))

    def records(self, pair: int) -> Positions:
        """The records of a pair in the order of the outputs: `first`, then `second`."""
        return np.concatenate([self._game.pairs[pair].first, self._game.pairs[pair].second])

    def outputs(self, pair: int, probabilities: Floats) -> Outputs:
        """What is seen of one model.

        Args:
            pair: The pair that the model belongs to.
            probabilities: Shape (2f + z, classes).
        """
        records, population = self.records(pair), self._game.population
        rows = len(records) + len(population)
        if pair not in self._of_pair:
            self._of_pair[pair] = self._references(records)
        return Outputs(
            probabilities=probabilities[: len(records)],
            references=self._of_pair[pair],
            population_probabilities=probabilities[len(records) : rows],
            population_labels=self.labels[population],
            population_references=self._population,
        )

    def _references(self, records: Positions) -> References:
        return References(self._played.references[:, records], self._game.references[:, records])
