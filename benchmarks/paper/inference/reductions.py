"""Table 4's shape: Algorithm 3.2 next to the reduction to membership inference by Yeom et al. 2018 (Algorithm 3.5, by label).

A record whose loss under h_del is at most the mean training loss counts as a member: the adversary knows that mean. The second
case of Algorithm 3.5 is misprinted; b₀ = 1, b₁ = 0 is meant.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from auditor.base.draws import generator
from benchmarks.paper.inference.data import records
from benchmarks.paper.inference.playing import SEED, answers, fit, losses, outcomes, training_set


def yeom(learner: str, table_name: str) -> Callable[[int], dict[str, float]]:
    """The game with a number, by both attacks."""

    def game(number: int) -> dict[str, float]:
        table = records(table_name)
        rng = generator(SEED, "yeom", table_name, number)
        rows = training_set(len(table.labels), rng)
        pair = rng.choice(rows, 2, replace=False)
        first, second = (int(seed) for seed in rng.integers(2**31, size=2))
        left = np.setdiff1d(rows, pair[:1])
        before, after = fit(learner, table, rows, first), fit(learner, table, left, second)

        def loss(model: object, which: object) -> object:
            return losses(answers(model, table.features[which], table.classes), table.labels[which], table.classes)

        old, new = loss(before, pair), loss(after, pair)
        member = new <= loss(after, left).mean()
        rises = new - old
        margins = {"example": float(rises[0] - rises[1]), "reduction": float(member[1]) - float(member[0])}
        return outcomes(margins, {name: int(coin) for name, coin in zip(margins, rng.integers(2, size=2), strict=True)})

    return game
