"""An exact test of perfect unlearning: the signs of the pair advantages.

Under perfect unlearning with independent seeds the two models of a pair have one distribution, whichever of F and T was
forgotten. Exchanging them turns the sign of the pair's advantage under every attack at once, so all 2^K sign patterns are
equally likely given the absolute values, however skewed, dependent between attacks or different between pairs they are
(a randomisation test: Lehmann and Romano 2005, Theorem 15.2.1).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Floats
from auditor.maths.statistics.exact import clopper_pearson, log_quotient_down
from auditor.maths.statistics.pairs import attacks_and_pairs


def epsilon_lower(
    first: int, second: int, trials: int, *, confidence: float, delta: float = 0.0, other_delta: float = 0.0
) -> float:
    """The ε that two laws exceed for certain at some δ.

    No smaller ε has P(E) - δ ≤ e^ε (Q(E) + δ'), nor the same of the complement, nor both ways. With δ' = 0 that is
    (ε, δ)-closeness.

    Args:
        first: How often the event occurred under P.
        second: How often it occurred under Q.
        trials: Independent runs under each.
        confidence: With which the bound holds; the event must have been chosen without these runs.
        delta: δ.
        other_delta: δ', where the law that is counted is only within it of the one that is meant.

    Returns:
        The lower confidence limit of ε, rounded down; 0 where the two cannot be told apart.

    Raises:
        ValueError: If a count lies outside 0 to `trials`, or the confidence outside 0 to 1.
    """
    return _epsilon_lower(first, second, trials, confidence, delta, other_delta)


# As intervals are, in `exact`: the same counts are judged again and again.
@lru_cache(maxsize=4096)
def _epsilon_lower(first: int, second: int, trials: int, confidence: float, delta: float, other_delta: float) -> float:
    # Two intervals share the error probability; all four quotients hold where both do.
    each = 1 - (1 - confidence) / 2
    one, other = (clopper_pearson(count, trials, confidence=each) for count in (first, second))
    found = 0.0
    for above, below in ((one, other), (other, one)):
        ends = [Fraction(each) for each in (above.low, below.high, above.high, below.low)]
        for high, low in ((ends[0], ends[1]), (1 - ends[2], 1 - ends[3])):
            found = max(found, log_quotient_down(high - Fraction(delta), low + Fraction(other_delta)))
    return found


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
