"""Whether a guess is nearer to the deleted record than to every decoy.

Decoys are drawn as the deleted record is, so that a guess which owes nothing to the deletion is nearest to any of them with one
and the same probability.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.base.domain import Floats


@dataclass(frozen=True, slots=True)
class Nearest:
    """How one guess fared."""

    won: bool
    """Whether the deleted record is nearer than every decoy."""
    tied: int
    """Decoys that are just as near as the deleted record, where none is nearer; 0 where there is no tie."""


def nearest(distances: Floats) -> Nearest:
    """Judge one guess.

    Args:
        distances: Shape (1 + decoys,): of the guess to the deleted record, then to each decoy. What is not a number is
            infinitely far.
    """
    apart = np.where(np.isnan(distances), np.inf, distances)
    if np.any(apart[1:] < apart[0]):
        return Nearest(won=False, tied=0)
    tied = int(np.count_nonzero(apart[1:] == apart[0]))
    return Nearest(won=tied == 0, tied=tied)


def nothing(decoys: int) -> Nearest:
    """How no guess at all fares: as near to one record as to any other."""
    return Nearest(won=False, tied=decoys)
