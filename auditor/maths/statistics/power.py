"""What a test would have noticed: how much there has to be for it to be found with a stated probability.

A test that finds nothing says something only of what it would have found. So each one states from where on it would have: from
the number of its draws and the counts at which it decides, and not from what came out.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Final

from auditor.maths import special
from auditor.maths.statistics.exact import clopper_pearson


# Where a statement about one number begins to hold, to the last digit and on the side where it holds.
# A solver of equations ends near the root, on either side of it; a bound must end on the safe one. Halving the numbers that
# the machine has between two ends takes at most 64 steps whatever their sizes, and needs nothing but the statement.
def boundary(holds: Callable[[float], bool], *, outside: float, inside: float) -> float:
    """The number next to the boundary of a statement that holds on one side of it, on that side.

    Args:
        holds: The statement, once true from `outside` towards `inside`, true from there on.
        outside: Where it does not hold; finite and at least 0. It is not asked about.
        inside: Where it holds; finite and at least 0. It is not asked about either, and comes back where nothing nearer holds.

    Returns:
        A number for which `holds` said true (or `inside`); its neighbour towards `outside` was found false (or is `outside`).

    Raises:
        ValueError: If an end is negative, infinite or not a number.
    """
    false, true = _rank(outside), _rank(inside)
    while abs(true - false) > 1:
        middle = (true + false) // 2
        if holds(_number(middle)):
            true = middle
        else:
            false = middle
    return _number(true)


def crossing(excess: Callable[[float], float], *, outside: float, inside: float) -> float:
    """The boundary of the statement that a smooth function is at most 0, as `boundary` gives it, in a third of its steps.

    False position (Illinois) brings the ends near the root, and halving ends the search on the safe side as ever: both ask the
    function itself on which side a number lies.

    Args:
        excess: Positive at `outside`, at most 0 at `inside`, and monotone between them.
        outside: Finite and at least 0.
        inside: Finite and at least 0; comes back where nothing nearer is at most 0.
    """
    false, true = outside, inside
    above, below = excess(outside), excess(inside)
    found, side = true, 0
    for _ in range(_STEPS):
        apart = below - above
        last, found = found, true - below * ((true - false) / apart) if -math.inf < apart < 0 else math.nan
        if not min(false, true) < found < max(false, true):
            break
        value = excess(found)
        if value <= 0:
            above, true, below, side = above / (2 if side < 0 else 1), found, value, -1
        else:
            below, false, above, side = below / (2 if side > 0 else 1), found, value, 1
        if abs(found - last) <= _NEAR * found:
            break
    for end in (found * (1 - _NEAR), found * (1 + _NEAR)):
        if min(false, true) < end < max(false, true):
            false, true = (false, end) if excess(end) <= 0 else (end, true)
    return boundary(lambda number: excess(number) <= 0, outside=false, inside=true)


_STEPS: Final = 12
_NEAR: Final = 2.0**-44


def _rank(number: float) -> int:
    """The place of a number among all floating-point numbers from 0 on: their bits, read as an integer, are in their order."""
    if not 0.0 <= number < float("inf"):
        raise ValueError(f"an end of the search must be finite and at least 0, found {number}")
    (rank,) = struct.unpack("<q", struct.pack("<d", abs(number)))
    return int(rank)


def _number(rank: int) -> float:
    (number,) = struct.unpack("<d", struct.pack("<q", rank))
    return float(number)


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
    return 0.0 if count == 0 else float(special.betaincinv(count, trials - count + 1, power))


def count_reached(trials: int, share: float, *, power: float) -> int:
    """Find the largest count that `trials` with a chance of `share` each reach with probability `power`.

    Args:
        trials: At least 1.
        share: Between 0 and 1.
        power: Between 0 and 1, both excluded.
    """
    beyond = least_count(trials, lambda count: count > 0 and float(special.betainc(count, trials - count + 1, share)) < power)
    return trials if beyond is None else beyond - 1


def trials_needed(share: float, beyond: float, *, level: float) -> int | None:
    """Find how many trials decide, one-sided at a level, that a chance is above a limit, if this share of them succeeds.

    Args:
        share: Of successes, between 0 and 1.
        beyond: The limit, below 1.
        level: Between 0 and 1/2, both excluded.

    Returns:
        The least of the first numbers, each a hundredth larger than the one before, that decides; None where the share is not
        above the limit, or so near that a million trials would not decide.
    """
    trials = 1
    while share > beyond and trials <= _MOST_TRIALS:
        if clopper_pearson(int(share * trials), trials, confidence=1 - 2 * level).low > beyond:
            return trials
        trials += max(1, trials // 100)
    return None


_MOST_TRIALS: Final = 1_000_000


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
