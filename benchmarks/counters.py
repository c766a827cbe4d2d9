"""Private counters over their whole horizon: time, and how many sums they keep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from auditor.learning.sums import SquareRootSums, Sums, TreeSums
from auditor.maths.certificates import prefix_sums
from benchmarks.measuring import Figure, times


@dataclass(frozen=True, slots=True)
class Sizes:
    """The horizons, in ticks."""

    tree: int
    square_root: int
    repeats: int


USUAL, TINY = Sizes(tree=10**6, square_root=10**4, repeats=2), Sizes(tree=100, square_root=50, repeats=1)


def run(make: Callable[..., Sums], horizon: int) -> int:
    """Count an event before every tick.

    Returns:
        The most sums that were kept at the end of a step whose number is one below a power of two, when a tree keeps most.
    """
    counter = make(noise=1.0, horizon=horizon, tape=np.random.Generator(np.random.PCG64(0)))
    most = 0
    for step in range(1, horizon + 1):
        counter.add(1.0)
        counter.tick()
        if not step & (step + 1):
            held = counter.held()
            most = max(most, len(held["open"]) + len(held["released"]))
    return most


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Time them.

    Raises:
        AssertionError: If the tree keeps more sums than its levels allow.
    """
    kept: list[int] = []
    yield times(lambda: kept.append(run(TreeSums, sizes.tree)), repeats=sizes.repeats, warm_up=0).figure("tree")
    if max(kept) > 2 * prefix_sums.levels(sizes.tree):
        raise AssertionError(f"a tree keeps {max(kept)} sums")
    yield times(lambda: run(SquareRootSums, sizes.square_root), repeats=sizes.repeats).figure("square-root")
