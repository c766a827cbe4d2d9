"""One-sided lower limits on an adversary's advantage: what a claim has to answer for.

Two adversaries, two limits. The attacks that examine one record at a time give pair advantages, and their limit rests on
Student's interval over pairs. The adversary that examines the whole of F and T names a side for each model, right or wrong,
and its limit is exact.
"""

from __future__ import annotations

from typing import Final

import scipy

from auditor.base.domain import Floats
from auditor.maths.statistics.pairs import advantages
from auditor.maths.statistics.sign_flip import may_refute

_OUTWARD: Final = 1e-12
_LARGEST_ALPHA: Final = 0.25


def advantage_lower(pairs: Floats, *, alpha: float, decisions: int, identical: bool = False) -> float:
    """A lower limit on max over attacks of |expected advantage|, missed with probability at most about `alpha`.

    It comes from two-sided intervals, alpha/(2 attacks) on each side: neither the attack nor the direction needs to be fixed
    beforehand. It is 0 where no interval excludes 0. Student's interval is approximate for pairs that are not normal, so that
    with fewer than 20 pairs it is 0 as well where their signs alone would not refute an advantage of 0 at `alpha`.

    Args:
        pairs: Shape (attacks, K): signed pair advantages, each in [-1, 1].
        alpha: The error allowed, between 0 and 1, both excluded.
        decisions: How many decisions an attack took, as for `advantages`.
        identical: Whether both models of every pair gave bit-identical outputs.

    Raises:
        ValueError: If an argument is outside its range.
    """
    found = advantages(pairs, confidence=1 - alpha, decisions=decisions, identical=identical)
    if not may_refute(pairs, alpha=alpha):
        return 0.0
    return max(max(0.0, each.interval.low, -each.interval.high) for each in found)


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
    low = float(scipy.special.betaincinv(right, models - right + 1, alpha)) * (1 - _OUTWARD)
    return max(0.0, 2 * low - 1)
