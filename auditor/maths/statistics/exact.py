"""Exact intervals: they hold for every sample size, at the price of being somewhat wide."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from functools import lru_cache
from typing import Final

from auditor.base.domain import Interval
from auditor.maths import special
from auditor.maths.certificates.rounding import ceiling, floor, logarithm, slack

_OUTWARD = 1e-12
_TAIL = 1e-9
"""More than a tail of the hypergeometric distribution is off by, relative to it: sums of logarithms of factorials."""
_UNSPENT = _OUTWARD / 2
"""What rounding may take of that margin; `betaincinv` was found within 1e-14 of the truth, relative to it."""


def clopper_pearson(successes: int, trials: int, *, confidence: float) -> Interval:
    """The two-sided exact interval for a success probability (Clopper and Pearson 1934), rounded outward.

    Each end leaves at most (1 - confidence)/2 of the binomial distribution beyond it.

    Args:
        successes: How many of the independent trials succeeded.
        trials: How many there were; with none the interval is [0, 1].
        confidence: The coverage that is reached at least, between 0 and 1, both excluded.

    Raises:
        ValueError: If the counts do not fit together or the confidence is no such number.
    """
    refuse_confidence(confidence)
    if not 0 <= successes <= trials:
        raise ValueError(f"successes must be between 0 and {trials}, found {successes}")
    return _clopper_pearson(successes, trials, (1 - confidence) / 2)


# One document is judged under one declaration after another, which change none of its counts.
@lru_cache(maxsize=4096)
def _clopper_pearson(successes: int, trials: int, tail: float) -> Interval:
    return Interval(lower_limit(successes, trials, tail=tail), upper_limit(successes, trials, tail=tail))


def lower_limit(successes: int, trials: int, *, tail: float) -> float:
    """The smallest success probability with which as many or more have a chance above `tail`, rounded down."""
    return 0.0 if successes == 0 else float(special.betaincinv(successes, trials - successes + 1, tail)) * (1 - _OUTWARD)


def upper_limit(successes: int, trials: int, *, tail: float) -> float:
    """The largest success probability with which as many or fewer have a chance above `tail`, rounded up."""
    # One minus the lower limit for the failures: near 1 this keeps the digits of the distance to 1.
    return _rest_up(lower_limit(trials - successes, trials, tail=tail))


def paired_difference(only_first: int, only_second: int, trials: int, *, confidence: float) -> Interval:
    """An interval for the accuracy of a first model minus that of a second on the same records.

    The difference is p - q, where p is the probability that only the first model is right and q that only the second is. Each
    gets a Clopper-Pearson interval that misses with probability at most (1 - confidence)/2; the interval from the smallest to
    the largest difference then covers with probability at least `confidence` (union bound). Exact, conservative, rounded outward.

    Args:
        only_first: Records that only the first model gets right.
        only_second: Records that only the second model gets right.
        trials: All records; with none the interval is [-1, 1].
        confidence: The coverage that is reached at least, between 0 and 1, both excluded.

    Raises:
        ValueError: If the counts do not fit together or the confidence is no such number.
    """
    refuse_confidence(confidence)
    if only_first < 0 or only_second < 0 or only_first + only_second > trials:
        raise ValueError(f"counts must be at least 0 and sum to at most {trials}, found {only_first} and {only_second}")
    each = (1 + confidence) / 2
    first = clopper_pearson(only_first, trials, confidence=each)
    second = clopper_pearson(only_second, trials, confidence=each)
    return Interval(difference_down(first.low, second.high), difference_up(first.high, second.low))


def _rest_up(share: float) -> float:
    """1 − share, rounded up where rounding to nearest takes more than the margin by which the share is below the truth."""
    found = 1 - share
    taken = 1 - Fraction(share) - Fraction(found)
    return math.nextafter(found, math.inf) if taken > Fraction(share) * Fraction(_UNSPENT) else found


def difference_down(first: float, second: float) -> float:
    """Subtract, rounded down."""
    return floor(Fraction(first) - Fraction(second))


def difference_up(first: float, second: float) -> float:
    """Subtract, rounded up."""
    return ceiling(Fraction(first) - Fraction(second))


def log_quotient_down(high: Fraction, low: Fraction) -> float:
    """The logarithm of a quotient, rounded down; 0 where it is not above 1.

    Args:
        high: At least 0.
        low: At least 0; nothing is said of a quotient by 0.
    """
    if not high > low > 0:
        return 0.0
    found = logarithm(high / low)
    return max(0.0, found - slack(found))


def refuse_confidence(confidence: float) -> None:
    """Refuse a confidence that is not between 0 and 1, both excluded.

    Raises:
        ValueError: If it is not.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, found {confidence}")


_IN_WHOLE_NUMBERS: Final = 5_000
"""Draws up to which the p-value is worked out in whole numbers, and rounded once."""


def larger_share_p(first: int, of_first: int, second: int, of_second: int) -> float:
    """The p-value of as many or more in the first group, were both shares the same: Fisher's exact test, one-sided, rounded up.

    Args:
        first: How many of the first group.
        of_first: Its size.
        second: How many of the second group.
        of_second: Its size.
    """
    marked, total = first + second, of_first + of_second
    # Drawing the first group out of all, or the marked ones, is the same: the fewer drawn, the smaller the numbers.
    drawn, held = sorted((of_first, marked))
    if first <= max(0, drawn + held - total):
        return 1.0
    if drawn > _IN_WHOLE_NUMBERS:
        from scipy.stats import hypergeom  # noqa: PLC0415 - half a second to import, for a number that few cases need

        # Below the normal range a share of a number is none.
        return min(1.0, float(hypergeom.sf(first - 1, total, held, drawn)) * (1 + _TAIL) + sys.float_info.min)
    ways = math.comb(held, first) * math.comb(total - held, drawn - first)
    tail = 0
    for count in range(first, drawn + 1):
        tail += ways
        ways = ways * (held - count) * (drawn - count) // ((count + 1) * (total - held - drawn + count + 1))
    return ceiling(Fraction(tail, math.comb(total, drawn)))


def any_of_p(count: int, trials: int, chance: float, *, of_own: int = 0) -> float:
    """At most the chance that as many of some trials succeed, by adding up every choice of them (union bound); rounded up.

    Args:
        count: How many succeeded.
        trials: How many there were.
        chance: Of each at most, independently.
        of_own: Trials among them that were let succeed: they chose what the others are held against.
    """
    if chance <= 0.0:
        return float(count <= of_own)
    # In logarithms: the number of choices may be too large for a float.
    ways, rest = math.log(math.comb(trials, count)), (count - of_own) * math.log(chance)
    return min(1.0, math.exp(min(0.0, ways + rest + slack(ways) + slack(rest))) * (1 + _OUTWARD) + sys.float_info.min)
