"""The models of one game, trained together in this process: once, then unlearned from by every method.

The game is drawn by `auditor.parts.swap.observing.drawing`, with one model on each side of a pair. The methods meet the same
models: what sets them apart is what they do to them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from auditor.base.records import Floats, Positions
from auditor.parts.networks.learning.procedure import NetworkModel, Networks
from auditor.parts.swap.observing.drawing import Game, draw
from auditor.parts.swap.observing.model_outputs import Played, Sight
from benchmarks.paper.learners import METHODS, Digits, Learner, Scale, digits, learner

ALPHA = 0.2
REFERENCE_PAIRS = 8


@dataclass(frozen=True, slots=True)
class Cell:
    """One game: what a column of a table, or a point of a figure, is measured on."""

    records: int
    """Of which one half is the game's."""
    seed: int
    pairs: int
    epsilon: float | None
    """Of DP-SGD at `learners.DELTA`, for training on R ∪ F; None without privacy."""
    scale: Scale


@dataclass(frozen=True, slots=True, eq=False)
class Models:
    """What was seen of the models of one game."""

    game: Game
    sight: Sight
    learner: Learner
    unlearned: Mapping[str, Floats]
    """By method, shape (K, 2, 1, 2f + z, classes); `retrain` has fresh seeds in s and s'."""
    retrained: Floats
    """The same with equal seeds in s and s'."""
    accuracy: Mapping[str, float]
    """By method: mean share of right classes on the shadow half, by the labels that are right."""


def play(cell: Cell) -> Models:
    """Draw the game of a cell, and train and unlearn its models."""
    table = digits(cell.records)
    game = draw(table.data, pairs=cell.pairs, models=1, alpha=ALPHA, reference_pairs=REFERENCE_PAIRS, seed=cell.seed)
    used = learner(cell.epsilon, trained=len(game.pairs[0].trained(0)), scale=cell.scale)
    board = _Board(game, table, used.networks("none"))
    learned = board.learn()
    common = [board.relearn(row=0), board.relearn(row=0)]
    fresh = board.relearn(row=1)
    models = {
        name: board.unlearn(used.networks(name), learned) if name != "retrain" else _alternate(common[0], fresh)
        for name in METHODS
    }
    played = Played(*(np.empty(0),) * 4, references=board.references())
    return Models(
        game,
        Sight(game, played, table.data.labels.astype(np.int64)),
        used,
        {name: board.look(each) for name, each in models.items()},
        board.look(_alternate(*common)),
        {name: board.accuracy(each) for name, each in models.items()},
    )


class _Board:
    """A game, its records, and networks that learn from them; models come in the order pair by pair, s before s'."""

    def __init__(self, game: Game, table: Digits, networks: Networks) -> None:
        self._game, self._table, self._networks = game, table, networks

    def learn(self) -> list[NetworkModel]:
        """On R ∪ F and on R ∪ T."""
        asked = [(pair, side) for pair in self._game.pairs for side in (0, 1)]
        data = [self._table.data.subset(pair.trained(side)) for pair, side in asked]
        return self._networks.learn_many(data, [int(pair.learn_seeds[side, 0]) for pair, side in asked])

    def relearn(self, *, row: int) -> list[NetworkModel]:
        """On R, one model a pair: with the seeds that s and s' share (row 0), or with fresh ones (row 1)."""
        data = [self._table.data.subset(pair.retained) for pair in self._game.pairs]
        return self._networks.learn_many(data, [int(pair.control_seeds[row, 0]) for pair in self._game.pairs])

    def unlearn(self, networks: Networks, models: Sequence[NetworkModel]) -> list[NetworkModel]:
        """F forgotten from the models of R ∪ F, T from those of R ∪ T."""
        asked = [(pair, side) for pair in self._game.pairs for side in (0, 1)]
        trained = [pair.trained(side) for pair, side in asked]
        forget = [
            np.searchsorted(rows, pair.sides()[side][0]).astype(np.int64)
            for rows, (pair, side) in zip(trained, asked, strict=True)
        ]
        seeds = [int(pair.unlearn_seeds[side, 0]) for pair, side in asked]
        return networks.unlearn_many(models, [self._table.data.subset(rows) for rows in trained], forget, seeds)

    def references(self) -> Floats:
        """Shape (j, n, classes)."""
        data = self._table.data
        sets = [data.subset(np.flatnonzero(members).astype(np.int64)) for members in self._game.references]
        models = self._networks.learn_many(sets, self._game.reference_seeds[0].tolist())
        return np.stack(self._networks.predict_many(models, [data.features] * len(models)))

    def look(self, models: Sequence[NetworkModel]) -> Floats:
        """Shape (K, 2, 1, 2f + z, classes)."""
        seen = [self._seen(number // 2) for number in range(len(models))]
        found = np.stack(self._networks.predict_many(models, [self._table.data.features[rows] for rows in seen]))
        return found.reshape(len(models) // 2, 2, 1, *found.shape[1:])

    def accuracy(self, models: Sequence[NetworkModel]) -> float:
        shadow = self._game.shadow
        found = self._networks.predict_many(models, [self._table.data.features[shadow]] * len(models))
        return float(np.mean(np.argmax(np.stack(found), axis=2) == self._table.clean[shadow]))

    def _seen(self, number: int) -> Positions:
        pair = self._game.pairs[number]
        return np.concatenate([pair.first, pair.second, self._game.population])


def _alternate(first: Sequence[NetworkModel], second: Sequence[NetworkModel]) -> list[NetworkModel]:
    """Models of s and models of s', pair by pair."""
    return [model for both in zip(first, second, strict=True) for model in both]
