"""Requesters and procedures for the tests of the game, well-behaved or otherwise."""

import os
import time

import numpy as np


class Sums:
    """Learning is summing; unlearning sums what remains, and never looks at the model."""

    def __init__(self, noise=0.0):
        self._noise = noise

    def _sum(self, data, kept, seed):
        noise = self._noise * np.random.default_rng(seed).normal() if self._noise else 0.0
        return data.features[kept].sum(axis=0) + noise

    def learn(self, data, seed):
        return self._sum(data, slice(None), seed)

    def unlearn(self, model, data, forget, seed):
        return self._sum(data, np.setdiff1d(np.arange(len(data)), forget), seed)

    def edit(self, model, data, positions, features, labels, seed):
        rows = data.features.copy()
        rows[positions] = features
        return rows.sum(axis=0)

    def predict(self, model, features):
        return np.full((len(features), 2), 0.5)

    def parameters(self, model):
        return np.asarray(model, dtype=float)


class NoParameters(Sums):
    parameters = None


class Growing(Sums):
    """Models of another size from one game to the next."""

    def __init__(self):
        super().__init__()
        self._asked = 0

    def parameters(self, model):
        self._asked += 1
        return np.zeros(self._asked)


class Plain:
    """Deletes nothing else: the target is the first record, and in the other world it has the other sign."""

    def neighbours(self, data):
        return 0, -data.features[0], data.labels[0]

    def request(self, shown, sent, rng):
        return []


class Sees(Plain):
    """Replaces record 1 by what it was shown, so that what is released tells how many models that were."""

    def request(self, shown, sent, rng):
        return [1], [[float(len(shown)), float(len(sent))]], [0]


class SeesLast(Sees):
    observes = (1,)


class Drawing(Plain):
    """Deletes one record that its generator chooses."""

    def request(self, shown, sent, rng):
        return [] if sent else [int(rng.integers(1, 6))]


class Remembers(Plain):
    """Would carry what it saw from game to game, and from the games to its guesses."""

    seen = []

    def __init__(self):
        self.games = 0

    def request(self, shown, sent, rng):
        self.games += 1
        return [1 + self.games % 2]

    def guess(self, released):
        return int(released[0] > 0)


class Raises(Plain):
    def request(self, shown, sent, rng):
        raise ValueError("a secret")


class Hangs(Plain):
    def request(self, shown, sent, rng):
        time.sleep(60)


class Ends(Plain):
    def request(self, shown, sent, rng):
        os._exit(3)


class DeletesTarget(Plain):
    def request(self, shown, sent, rng):
        return [0]


class Twice(Plain):
    def request(self, shown, sent, rng):
        return [1, 1]


class Absent(Plain):
    def request(self, shown, sent, rng):
        return [99]


class Text(Plain):
    def request(self, shown, sent, rng):
        return "everything"


class Fractions(Plain):
    def request(self, shown, sent, rng):
        return [0.5]


class Pair(Plain):
    def request(self, shown, sent, rng):
        return ([1], [[0.0, 0.0]])


class Wide(Plain):
    def request(self, shown, sent, rng):
        return [1], [[0.0, 0.0, 0.0]], [0]


class Infinite(Plain):
    def request(self, shown, sent, rng):
        return [1], [[np.inf, 0.0]], [0]


class UnknownLabel(Plain):
    def request(self, shown, sent, rng):
        return [1], [[0.0, 0.0]], [7]


class Long(Plain):
    def request(self, shown, sent, rng):
        return [1], [[3.0, 0.0]], [0]


class NoTarget(Plain):
    def neighbours(self, data):
        return len(data), data.features[0], data.labels[0]


class NoNeighbours(Plain):
    neighbours = None


class OneNeighbour(Plain):
    def neighbours(self, data):
        return 0


class SeesMore(Plain):
    observes = (0, 1, 2)


class GuessesTwo(Plain):
    def guess(self, released):
        return 2


class GuessesRaising(Plain):
    def guess(self, released):
        raise KeyError("a secret")


class Guesses(Plain):
    """Equation 8 in the dimension that there is, with a rule of its own for what is released."""

    def neighbours(self, data):
        values = data.features[:, 0]
        total = values.sum()
        self._target = int(np.argmax(np.where((total - 2 * values) * total < 0, np.abs(values), -1)))
        self._values = values
        return self._target, -data.features[self._target], data.labels[self._target]

    def request(self, shown, sent, rng):
        if sent:
            return []
        side = np.sign(shown[0][0])
        return [each for each in np.flatnonzero(np.sign(self._values) == side) if each != self._target]

    def guess(self, released):
        # In world 0 the first total has the sign of the total of all; whoever stayed has the other one.
        return int((released[0] > 0) == (self._values.sum() > 0))
