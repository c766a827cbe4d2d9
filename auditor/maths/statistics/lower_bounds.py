"""One-sided lower limits on an adversary's advantage: what a claim has to answer for.

Two adversaries. The attacks that examine one record at a time give pair advantages: means of bounded variables, which a few
pairs tell little of for certain, so that they refute from 100 pairs on (`betting`) and leave open below. The adversary that
examines the whole of F and T names a side for each model, right or wrong, and its limit is exact at every size.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from auditor.base.records import Floats
from auditor.maths import special
from auditor.maths.statistics.betting import bet_against
from auditor.maths.statistics.pairs import advantages, attacks_and_pairs
from auditor.maths.statistics.sign_flip import sign_flip_p

_OUTWARD: Final = 1e-12
_TIE: Final = 1e-12
_LARGEST_ALPHA: Final = 0.25
_HALVINGS: Final = 24
MEANS_REFUTE: Final = 100
"""From so many pairs on the mean of pair advantages may refute; with fewer it leaves open at most."""


def advantage_lower(pairs: Floats, *, alpha: float) -> float:
    """A lower limit on max over attacks of |expected advantage|, missed with probability at most `alpha`, rounded down.

    Neither the attack nor the direction needs to be fixed beforehand, and pairs may be as skewed as they like (`betting`).

    Args:
        pairs: Shape (attacks, K): signed pair advantages, each in [-1, 1].
        alpha: The error allowed, between 0 and 1, both excluded.

    Raises:
        ValueError: If an argument is outside its range.
    """
    attacks_and_pairs(pairs)
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must be between 0 and 1, found {alpha}")
    return _advantage_lower(pairs.astype(np.float64).tobytes(), pairs.shape[1], alpha)


# A document is judged several times over.
@lru_cache(maxsize=64)
def _advantage_lower(content: bytes, size: int, alpha: float) -> float:
    pairs = np.frombuffer(content).reshape(-1, size)
    if not bet_against(pairs, most=0.0).rejects(alpha):
        return 0.0
    # What larger means are refuted by refutes smaller ones.
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if bet_against(pairs, most=middle).rejects(alpha) else (low, middle)
    return low


def advantage_suspected(pairs: Floats, *, alpha: float, decisions: int, identical: bool = False) -> float:
    """An advantage that pairs suggest: what lies above a statement leaves it open.

    From `MEANS_REFUTE` pairs on it is `advantage_lower`. With fewer it is Student's limit over all attacks and both directions,
    where the signs of the pairs refute perfect unlearning at `alpha`: that is suspected with probability at most `alpha`, however
    skewed its pairs are. Where a procedure does leak, Student's limit exceeds what it leaks in 3 to 69 % of runs at K = 20 and a
    nominal 1.67 %, if few pairs lie far below the others: no reason to refute, and one for more pairs, which decide.

    Args:
        pairs: Shape (attacks, K): signed pair advantages, each in [-1, 1].
        alpha: Between 0 and 1, both excluded.
        decisions: How many decisions an attack took, as for `advantages`.
        identical: Whether both models of every pair gave bit-identical outputs.

    Raises:
        ValueError: If an argument is outside its range.
    """
    if attacks_and_pairs(pairs)[1] >= MEANS_REFUTE:
        return advantage_lower(pairs, alpha=alpha)
    found = advantages(pairs, confidence=1 - alpha, decisions=decisions, identical=identical)
    student = max(max(0.0, each.interval.low, -each.interval.high) for each in found)
    if not student or sign_flip_p(pairs, rng=np.random.default_rng(0)) > alpha * (1 + _TIE):
        return 0.0
    return student


def named_sides_lower(right: int, models: int, *, alpha: float) -> float:
    """A lower limit on the average advantage 2p - 1 of an adversary that names the side of each model, rounded down.

    One-sided Clopper-Pearson at `alpha`, in one direction fixed beforehand, at least 0. Given the splits, the models are
    independent, but each split has a success probability of its own, so the count is Poisson-binomial, not binomial. The limit
    holds all the same, for p the average over the models that were drawn: at k >= n p + 1 the upper tail of a Poisson-binomial
    count of mean n p is at most the binomial's (Hoeffding 1956, Theorem 4), and only such k matter here, since p >= 1/2 (the
    limit is never below 0) and P[Bin(n, p) >= n p] > 1/4 >= alpha (Greenberg and Mohri 2014). A ceiling that holds for every
    split is therefore refuted by mistake with probability at most `alpha`.

    Args:
        right: How many sides were named right; ties are broken by a fair coin before.
        models: How many models there were: two for each pair.
        alpha: The error allowed, above 0 and at most 1/4.

    Raises:
        ValueError: If the counts do not fit together or alpha is outside its range.
    """
    if not 0 < alpha <= _LARGEST_ALPHA:
        raise ValueError(f"alpha must be above 0 and at most {_LARGEST_ALPHA}, found {alpha}")
    if not 0 <= right <= models:
        raise ValueError(f"right must be between 0 and {models}, found {right}")
    if right == 0:
        return 0.0
    low = float(special.betaincinv(right, models - right + 1, alpha)) * (1 - _OUTWARD)
    return max(0.0, 2 * low - 1)
