"""The difference of two accuracies on the same records: exact limits, from the records that one model alone gets right.

Of n records the first model alone is right of L, the second alone of W, and N = L + W of them tell something. Given N, L is
binomial: each of the N is the first model's with the same chance θ. With s the chance that a record is one of them, the
difference of the accuracies is Δ = s(2θ − 1). So what an interval for θ says of Δ depends on s, which nobody knows: N/n in its
place gives no limit, and none at all where N is 0.

An upper limit is found by inverting a test that holds for every s (Buehler 1957; Berger and Boos 1994). Outcomes are put in an
order, by

    h(L, W) = L − W + z √(N + c),

Wald's upper limit with a few records more, z the normal quantile of the confidence. What is at most as large as what was seen
has the probability

    P(s, Δ) = Σ over N of binomial(N; n, s) · P[binomial(N, θ) ≤ the largest L with h ≤ what was seen],    θ = (1 + Δ/s)/2,

the binomial given N, averaged over N. Δ is refuted where that is at most α − γ for each s within an interval that misses with
probability γ at most (Clopper and Pearson 1934): a true Δ is refuted with probability α at most.

For all s between a and b the probability is at most the one at the chances (a + Δ)/2 of L and (b − Δ)/2 of W, since h grows with
L and, as c is at least z²/4, falls with W. So no s between those that are tried is overlooked.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Interval
from auditor.base.records import Floats
from auditor.maths import special
from auditor.maths.certificates.rule import smallest_count
from auditor.maths.statistics.exact import clopper_pearson, refuse_confidence

STEPS: Final = 64
"""Limits are whole numbers of records over this, rounded outward, and divided by the number of records."""
_SPENT: Final = 1 / 50
"""γ as a share of α."""
_TIE: Final = 1e-9
"""Outcomes whose h is larger by no more count as equal: they make the probability larger."""
_ROUNDING: Final = 1e-8
"""More than probabilities are off by, relative to them; differences of them, by a thousandth of that."""
_FAR: Final = 1e-3
"""Share of the level that lies beyond the N that are examined, on either side: all those outcomes count as small."""
_CELLS: Final = 16
_FINEST: Final = 256
"""Parts of the interval for s, at first and where it is close."""


def accuracy_difference(only_first: int, only_second: int, trials: int, *, confidence: float) -> Interval:
    """An exact interval for the accuracy of a first model minus that of a second on the same records, rounded outward.

    Each end misses with probability at most (1 - confidence)/2, however skewed the records are that the models differ in.

    Args:
        only_first: Records that only the first model gets right.
        only_second: Records that only the second model gets right.
        trials: All records; with none the interval is [-1, 1].
        confidence: The coverage that is reached at least, between 0 and 1, both excluded.

    Raises:
        ValueError: If the counts do not fit together or the confidence is no such number.
    """
    refuse_confidence(confidence)
    tail = (1 - confidence) / 2
    return Interval(
        -difference_upper(only_second, only_first, trials, alpha=tail),
        difference_upper(only_first, only_second, trials, alpha=tail),
    )


@lru_cache(maxsize=4096)
def difference_upper(only_first: int, only_second: int, trials: int, *, alpha: float) -> float:
    """The upper limit alone, missed with probability at most `alpha`.

    Args:
        only_first: Records that only the first model gets right.
        only_second: Records that only the second model gets right.
        trials: All records; with none the limit is 1.
        alpha: Between 0 and 1/2, both excluded.

    Raises:
        ValueError: If the counts do not fit together or `alpha` is no such number.
    """
    if not 0 < alpha < 0.5:
        raise ValueError(f"alpha must be between 0 and 1/2, found {alpha}")
    if only_first < 0 or only_second < 0 or only_first + only_second > trials:
        raise ValueError(f"counts must be at least 0 and sum to at most {trials}, found {only_first} and {only_second}")
    if only_first == trials:
        return 1.0
    outcomes = _AtMost(only_first, only_second, trials, alpha)
    low, high = STEPS * (only_first - only_second), STEPS * trials
    # What was seen is never refuted, and a difference of 1 always is: some record is not the first model's alone.
    step = STEPS
    while low + step < high and not outcomes.refute((low + step) / high):
        low, step = low + step, 2 * step
    total, high = high, min(low + step, high)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if outcomes.refute(middle / total) else (middle, high)
    return high / total


def records_enough(only_first: int, only_second: int, trials: int, *, most: float, alpha: float) -> int | None:
    """Find about how many records bring the upper limit down to a difference, were the shares what they are; bounds nothing.

    Args:
        only_first: Records that only the first model gets right.
        only_second: Records that only the second model gets right.
        trials: All records, at least 1.
        most: The difference.
        alpha: Of the limit.

    Returns:
        A number of records; None where the first model is better by that much or more.
    """
    first, second = Fraction(only_first, trials), Fraction(only_second, trials)
    if first - second >= Fraction(most):
        return None
    quantile = -float(special.ndtri(alpha))

    def passes(count: int) -> bool:
        # Wald's limit with what discreteness costs it, and the rule of three where nothing is seen.
        wald = quantile * math.sqrt(float(first + second) * count + 1) + 1
        return float(first - second) * count + max(wald, -math.log(alpha)) <= most * count

    return smallest_count(passes)


class _AtMost:
    """The outcomes that are at most as large as what was seen."""

    def __init__(self, only_first: int, only_second: int, trials: int, alpha: float) -> None:
        self._trials, self._level = trials, (1 - _SPENT) * alpha
        self._quantile = -float(special.ndtri(alpha))
        self._more = max(1.0, self._quantile**2 / 4)
        together = only_first + only_second
        self._seen = only_first - only_second + self._quantile * math.sqrt(together + self._more)
        self._shares = clopper_pearson(together, trials, confidence=1 - _SPENT * alpha)

    def refute(self, difference: float) -> bool:
        """Whether their probability is at most the level at every s of the interval that allows this difference."""
        low, high = max(self._shares.low, abs(difference)), self._shares.high
        if low > high:
            return True
        ends, parts = np.linspace(low, high, _CELLS + 1), _CELLS
        left, right = ends[:-1], ends[1:]
        while True:
            close = self._probability((left + difference) / 2, (right - difference) / 2) > self._level
            if not close.any():
                return True
            left, right = left[close], right[close]
            middle = (left + right) / 2
            if parts >= _FINEST or (self._probability((middle + difference) / 2, (middle - difference) / 2) > self._level).any():
                return False
            left, right, parts = np.concatenate([left, middle]), np.concatenate([middle, right]), 2 * parts

    def _probability(self, first: Floats, second: Floats) -> Floats:
        """Their probability, rounded up, where one model alone is right with these chances of shape (c,) each."""
        either = np.minimum(first + second, 1.0)[:, None]
        share = np.minimum(np.divide(first[:, None], either, out=np.ones_like(either), where=either > 0), 1.0)
        together = self._examined(either)
        most = np.floor((self._seen + _TIE + together - self._quantile * np.sqrt(together + self._more)) / 2)
        at_most = _running(most, together, share)
        least, greatest = int(together[0]), int(together[-1])
        beyond = special.bdtr(least - 1, self._trials, either[:, 0]) if least else 0.0
        beyond = beyond + (special.bdtrc(greatest, self._trials, either[:, 0]) if greatest < self._trials else 0.0)
        found = (_point(together, self._trials, either) * at_most).sum(axis=1) + beyond
        return np.asarray(found * (1 + _ROUNDING))

    def _examined(self, either: Floats) -> npt.NDArray[np.float64]:
        """The N that are examined, for chances between the least and the greatest of these."""
        tail = -float(special.ndtri(_FAR * self._level))
        low, high = float(either.min()) * self._trials, float(either.max()) * self._trials
        least = max(0, math.floor(low - tail * math.sqrt(low)))
        greatest = min(self._trials, math.ceil(high + tail * math.sqrt(high) + tail**2 / 2))
        return np.arange(least, greatest + 1, dtype=np.float64)


def _running(most: Floats, together: Floats, share: Floats) -> Floats:
    """P[binomial(N, share) ≤ most] for every N of a run, one after the other; rounded up.

    Args:
        most: Shape (m,); it stays or grows by one with each N, and may lie outside 0 to N.
        together: N, shape (m,), one after the other.
        share: Shape (c, 1).

    Returns:
        Shape (c, m).
    """
    count, inside = np.clip(most, 0, together), (most >= 0) & (most < together)
    point = _point(count, together, share)
    # One trial more takes the success of a last one that was allowed; one success more adds its probability.
    steps = np.zeros_like(point)
    grown = count[1:] > count[:-1]
    steps[:, 1:] = np.where(grown, point[:, 1:], 0.0) - share * point[:, :-1]
    steps[:, 0] = special.bdtr(int(count[0]), int(together[0]), share[:, 0]) if together[0] else 1.0
    summed = np.clip(np.cumsum(steps, axis=1) + _ROUNDING / 1000, 0.0, 1.0)
    return np.asarray(np.where(inside, summed, np.where(most < 0, 0.0, 1.0)))


def _point(count: Floats, trials: Floats | float, share: Floats) -> Floats:
    """Binomial probabilities of counts of shape (m,), with chances of shape (c, 1); shape (c, m)."""
    ways = special.gammaln(trials + 1) - special.gammaln(count + 1) - special.gammaln(trials - count + 1)
    return np.asarray(np.exp(ways + special.xlogy(count, share) + special.xlog1py(trials - count, -share)))
