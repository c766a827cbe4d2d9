"""How much is measured. Seeds stand here too: they were fixed before anything was measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SEED: Final = 20261127
"""Every draw comes from it and the number of its repeat."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Repeats and cases."""

    repeats: int
    """Of every time, and of every draw of data that an attack is tried on."""
    trees: int
    """Of a random forest under attack."""
    shadows: int
    """Trainings that an attack may use; even, since ours come in pairs."""
    nulls: int
    """Cases in which the model saw neither side."""
    leaks: int
    """Cases in which it saw the records in question."""
    bounds: int
    """Draws of each mechanism."""
    canaries: int
    """Coins of each draw; half of them are 1 on average."""


USUAL: Final = Sizes(repeats=5, trees=100, shadows=40, nulls=200, leaks=40, bounds=200, canaries=1_000)
TINY: Final = Sizes(repeats=2, trees=3, shadows=6, nulls=2, leaks=1, bounds=3, canaries=80)
