"""What a test would have noticed: how much there has to be for it to be found with a stated probability.

A test that finds nothing says something only of what it would have found. So each one states from where on it would have: from
the number of its draws and the counts at which it decides, and not from what came out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import scipy

from auditor.maths.statistics.exact import clopper_pearson

POWER: Final = 0.8
"""The probability with which what is stated would have been noticed."""


def least_count(trials: int, enough: Callable[[int], bool]) -> int | None:
    """Find the smallest count out of `trials` that is enough; None where not even all are.

    Args:
        trials: At least 1.
        enough: Once true for a count, true for every larger one.
    """
    if not enough(trials):
        return None
    low, high = -1, trials
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def share_reaching(count: int, trials: int, *, power: float = POWER) -> float:
    """Find the chance of a success with which at least `count` of `trials` succeed with probability `power`.

    Args:
        count: Between 0 and `trials`.
        trials: At least 1.
        power: Between 0 and 1, both excluded.
    """
    return 0.0 if count == 0 else float(scipy.special.betaincinv(count, trials - count + 1, power))


def count_reached(trials: int, share: float, *, power: float) -> int:
    """Find the largest count that `trials` with a chance of `share` each reach with probability `power`.

    Args:
        trials: At least 1.
        share: Between 0 and 1.
        power: Between 0 and 1, both excluded.
    """
    beyond = least_count(
        trials, lambda count: count > 0 and float(scipy.special.betainc(count, trials - count + 1, share)) < power
    )
    return trials if beyond is None else beyond - 1


def guessing_noticed(trials: int, *, confidence: float, power: float = POWER) -> float | None:
    """Find the share of right guesses from which the exact interval would have lain above one half with probability `power`.

    Args:
        trials: How many guesses there were, at least 1.
        confidence: Of the two-sided interval (Clopper and Pearson 1934).
        power: Between 0 and 1, both excluded.

    Returns:
        A share above 0.5; None where not even guesses that are always right would have been noticed.
    """
    needed = least_count(trials, lambda right: clopper_pearson(right, trials, confidence=confidence).low > 0.5)
    return None if needed is None else share_reaching(needed, trials, power=power)
