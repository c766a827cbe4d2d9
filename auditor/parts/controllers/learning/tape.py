"""The random tape of a controller of ours, cut into parts that have nothing in common."""

from __future__ import annotations

import numpy as np


def parts(seed: int, count: int) -> list[np.random.Generator]:
    """Generators over disjoint parts of a tape.

    Args:
        seed: The tape, as `initialize` is given it; every bit of it counts.
        count: How many parts.
    """
    return [np.random.Generator(np.random.PCG64(each)) for each in np.random.SeedSequence(seed).spawn(count)]
