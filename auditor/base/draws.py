"""Random generators by name, all from the one seed of an audit.

Anyone who needs chance asks for a generator under a name of its own. Adding an attack, or drawing more pairs, then moves no other
number of the audit.
"""

from __future__ import annotations

import hashlib

import numpy as np


def generator(seed: int, *names: str | int) -> np.random.Generator:
    """The generator of that name.

    Args:
        seed: The auditor's own seed, at least 0.
        names: The path to what it is for, such as "swap", "pair", 3. Other names give independent streams.
    """
    path = hashlib.sha256("\0".join(map(str, names)).encode()).digest()
    key = tuple(int.from_bytes(path[at : at + 4], "big") for at in range(0, len(path), 4))
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
