"""An exact test of perfect unlearning: the signs of the pair advantages.

Under perfect unlearning with independent seeds the two models of a pair have one distribution, whichever of F and T was
forgotten. Exchanging them turns the sign of the pair's advantage under every attack at once, so all 2^K sign patterns are
equally likely given the absolute values, however skewed, dependent between attacks or different between pairs they are
(a randomisation test: Lehmann and Romano 2005, Theorem 15.2.1).
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.base.records import Floats
from auditor.maths.statistics.pairs import attacks_and_pairs

ENOUGH_PAIRS: Final = 20
"""With fewer pairs Student's interval is too far from its level for a pass of the controller's own code."""
EXACT_UP_TO: Final = ENOUGH_PAIRS - 1
_TIE: Final = 1e-12
_CHUNK: Final = 2_000_000
_CACHED: Final = 32_768


def sign_flip_p(pairs: Floats, *, rng: np.random.Generator, exact_up_to: int = EXACT_UP_TO, flips: int = 20_000) -> float:
    """The p-value of perfect unlearning: how often a sign pattern reaches the largest |studentised mean| that was found.

    The studentised mean of one attack, t, is a growing function of |sum d| / sqrt(K sum d^2), the same for every attack, and
    that sum of squares is the same for every pattern. So the maximum over attacks is taken of this ratio, which lies in
    [0, 1]; it is 1 where all d are equal (t infinite) and set to 0 where all are 0. Patterns within 1e-12 below what was found
    count as reaching it: rounding can raise the p-value, never lower it.

    Args:
        pairs: Shape (attacks, K): signed pair advantages, each in [-1, 1], one column a pair.
        rng: Draws the sign patterns where there are too many to try them all; not used otherwise.
        exact_up_to: Up to this many pairs all 2^K patterns are counted (by symmetry, 2^(K-1) of them are examined).
        flips: How many patterns are drawn beyond that; then the p-value is (1 + reached)/(1 + flips), which is valid at
            every size (Phipson and Smyth 2010).

    Raises:
        ValueError: If `pairs` has another shape or a value outside [-1, 1], or `flips` is below 1.
    """
    _, size = attacks_and_pairs(pairs)
    if flips < 1:
        raise ValueError(f"flips must be at least 1, found {flips}")
    scaled = _scaled(pairs)
    found = float(np.abs(scaled.sum(axis=1)).max()) - _TIE
    exact = size <= exact_up_to
    total = 2 ** (size - 1) if exact else flips
    step = max(1, _CHUNK // size)
    reached = 0
    for start in range(0, total, step):
        count = min(step, total - start)
        signs = _every(start, count, size) if exact else rng.integers(0, 2, (count, size), dtype=np.int8)
        reached += _reaching(scaled, signs, found)
    return reached / total if exact else (1 + reached) / (1 + total)


def _reaching(scaled: Floats, turned: npt.NDArray[np.int8], found: float) -> int:
    """Count the patterns, 1 where a sign turns, that reach what was found.

    Some at a time: as numbers of eight bytes all of them together lie in no cache, and moving them takes most of the time.
    """
    untouched, twice = scaled.sum(axis=1), 2.0 * scaled.T
    rows, reached = max(1, _CACHED // scaled.shape[1]), 0
    place = np.empty((min(rows, len(turned)), scaled.shape[1]))
    for start in range(0, len(turned), rows):
        some = turned[start : start + rows]
        numbers = place[: len(some)]
        np.copyto(numbers, some)
        sums = untouched - numbers @ twice
        reached += int(np.count_nonzero(np.abs(sums).max(axis=1) >= found))
    return reached


def _scaled(pairs: Floats) -> Floats:
    """Each row divided by sqrt(K sum d^2), so that the absolute value of its sum is at most 1; rows of zeros stay zeros."""
    largest = np.abs(pairs).max(axis=1, keepdims=True)
    unit = pairs / np.where(largest > 0, largest, 1.0)
    norms = np.sqrt(pairs.shape[1] * (unit**2).sum(axis=1, keepdims=True))
    return np.asarray(unit / np.where(norms > 0, norms, 1.0))


def _every(start: int, count: int, size: int) -> npt.NDArray[np.int8]:
    """The patterns with numbers start to start + count: shape (count, size), 1 where the sign turns, never in the last pair."""
    numbers = np.arange(start, start + count, dtype="<i8").view(np.uint8).reshape(count, 8)
    return np.unpackbits(numbers, axis=1, count=size, bitorder="little").view(np.int8)
