"""An exact test of bounded means, whatever their laws: bets that cannot gain on average where the means are as small as said.

For independent d in [-1, 1] with mean at most m and any stake 0 ≤ s ≤ 1/(1 + m), the product of 1 + s (d - m) is never negative
and has a mean of at most 1: it reaches 1/level with a chance of at most `level` (Markov; Waudby-Smith and Ramdas 2024, Section 4,
with stakes fixed beforehand). So does the average of such products over stakes, rows and both signs, however rows depend on each
other. Draws need not be alike: where their means are at most m on average, the expectation of the product is at most the K-th
power of the mean of its factors' expectations, which is at most 1 (inequality of the means). Nothing is asked of the shape: a
few pairs that agree by chance, or many zeros and few ones, reject no more often.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from auditor.base.records import Floats
from auditor.maths.statistics.pairs import attacks_and_pairs

_STAKES: Final = ((1.0, 1 / 2), (1 / 2, 1 / 4), (1 / 4, 1 / 8), (1 / 8, 1 / 8))
"""Shares of the largest stake, and the weight of each: the largest gains most where pairs agree, small ones where they do not."""
_MARGIN: Final = 1e-9
"""What rounding may add to a logarithm of the gains."""


@dataclass(frozen=True, slots=True)
class Bets:
    """What bets against bounded means gained."""

    gained: float
    """The logarithm of the average product, rounded down; minus infinity where all was lost."""
    gained_by_best: float
    """The same of the best single bet, without its weight."""
    weight: float
    """Of the best bet, among all."""
    pairs: int

    def rejects(self, level: float) -> bool:
        """Whether the means are larger than was said, at a level.

        Args:
            level: Between 0 and 1, both excluded.
        """
        return self.gained >= -math.log(level)

    def pairs_needed(self, level: float) -> int | None:
        """Work out from how many pairs on such pairs would reject at a level; None where they would not, however many.

        Args:
            level: Between 0 and 1, both excluded.
        """
        if self.gained_by_best <= 0:
            return None
        return math.ceil((-math.log(level) - math.log(self.weight)) * self.pairs / self.gained_by_best)


def bet_against(pairs: Floats, *, most: float) -> Bets:
    """Bet against every row's mean lying between -most and most.

    Args:
        pairs: Shape (attacks, K): signed pair advantages, each in [-1, 1]; columns are independent.
        most: What the means may be in absolute value, at least 0 and below 1.

    Raises:
        ValueError: If an argument is outside its range or `pairs` has another shape.
    """
    count, size = attacks_and_pairs(pairs)
    if not 0 <= most < 1:
        raise ValueError(f"most must be at least 0 and below 1, found {most}")
    logs, weights = [], []
    for share, weight in _STAKES:
        stake = share / (1 + most)
        with np.errstate(divide="ignore"):
            # At the largest stake an outcome of -1 loses all; rounding must not make it less than nothing.
            logs += [np.log(np.maximum(1 + stake * (sign * pairs - most), 0.0)).sum(axis=1) for sign in (1.0, -1.0)]
        weights += [weight / (2 * count)] * 2
    every, each = np.stack(logs), np.array(weights)[:, None]
    best = np.unravel_index(int(every.argmax()), every.shape)
    largest = float(every[best])
    if largest == -math.inf:
        return Bets(-math.inf, -math.inf, float(each[best[0], 0]), size)
    average = largest + math.log(float((each * np.exp(every - largest)).sum()))
    return Bets(average - _MARGIN, largest, float(each[best[0], 0]), size)
