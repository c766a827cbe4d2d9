"""How large a holdout `utility.accuracy` needs: by exact limits of paired answers, and by two intervals with half the error each.

`python -m benchmarks.paper.holdouts` prints the table of docs/verdict.md in some minutes. It needs no data: answers are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from auditor.maths.statistics import difference_upper, paired_difference

CONFIDENCE: Final = 0.95
POWER: Final = 0.9
"""How often a model that loses nothing is to pass."""
DRAWS: Final = 200
CASES: Final = ((0.05, 0.0), (0.05, 0.02), (0.02, 0.0), (0.02, 0.01), (0.02, 0.04), (0.01, 0.01))
"""What may be lost, and the share of records that one model alone gets right, as many either way."""
SIZES: Final = tuple(round(10 * 1.04**step) for step in range(220))


def _exact(lost: int, won: int, records: int) -> float:
    return difference_upper(lost, won, records, alpha=(1 - CONFIDENCE) / 2)


def _shared(lost: int, won: int, records: int) -> float:
    return paired_difference(lost, won, records, confidence=CONFIDENCE).high


def needed(allowed: float, differing: float, upper: Callable[[int, int, int], float]) -> int:
    """Find the smallest size of `SIZES` at which nine in ten draws pass, and all sizes that were tried above it."""
    low, high = 0, len(SIZES) - 1
    while low < high:
        middle = (low + high) // 2
        if _passes(SIZES[middle], allowed, differing, upper) >= POWER:
            high = middle
        else:
            low = middle + 1
    return SIZES[low]


def _passes(records: int, allowed: float, differing: float, upper: Callable[[int, int, int], float]) -> float:
    """The share of draws whose upper limit is at most what is allowed."""
    rng = np.random.default_rng(records)
    drawn = rng.multinomial(records, [differing / 2, differing / 2, 1 - differing], DRAWS)
    counts, often = np.unique(drawn[:, :2], axis=0, return_counts=True)
    passed = [upper(int(lost), int(won), records) <= allowed for lost, won in counts]
    return float(np.dot(passed, often)) / DRAWS


def table() -> Iterator[str]:
    """Make the table, line by line."""
    yield "| a pass allows a loss of | records that one model alone gets right | holdout records, before | now |"
    yield "|---|---|---|---|"
    for allowed, differing in CASES:
        before, now = (needed(allowed, differing, upper) for upper in (_shared, _exact))
        yield f"| {allowed:.0%} | {differing:.0%} | {before:,} | {now:,} |"


if __name__ == "__main__":
    for line in table():
        print(line)
