"""Private counters over their whole horizon: time, and how many sums they keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from auditor.certificates import tree_counter
from auditor.procedures.controllers.counting import Counter, SquareRootCounter, TreeCounter
from benchmarks.measuring import line, seconds

TREE: Final = 10**6
SQUARE_ROOT: Final = 10**4


def run(make: Callable[..., Counter], horizon: int) -> int:
    """Count an event before every tick.

    Returns:
        The most sums that were kept at the end of a step whose number is one below a power of two, when a tree keeps most.
    """
    counter = make(epsilon=1.0, delta=1e-6, horizon=horizon, tape=np.random.Generator(np.random.PCG64(0)))
    most = 0
    for step in range(1, horizon + 1):
        counter.add(1.0)
        counter.tick()
        if not step & (step + 1):
            held = counter.held()
            most = max(most, len(held["open"]) + len(held["released"]))
    return most


def main() -> None:
    """Time them."""
    kept: list[int] = []
    taken = seconds(lambda: kept.append(run(TreeCounter, TREE)), repeats=3, warm_up=0)
    assert max(kept) <= 2 * tree_counter.levels(TREE)
    line(f"a tree counter over {TREE:,} ticks, {max(kept)} sums kept at most", f"{taken:.1f} s", "under 5 s")
    taken = seconds(lambda: run(SquareRootCounter, SQUARE_ROOT), repeats=3)
    line(f"a square-root counter over {SQUARE_ROOT:,} ticks", f"{taken:.2f} s")


if __name__ == "__main__":
    main()
