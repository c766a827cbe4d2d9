"""Print every promise and every attack in one unit: right guesses out of 100 between two equally likely worlds.

Guessing is right 50 times. An advantage of a, in shares, is (1 + a)/2 of the guesses: 50 + a/2 where a is in percentage points.
Rounding has a direction: what is said to be at most is never less, what is said to be at least is never more. How a number is
called comes from the thresholds of the grades (`auditor.verdict.grade`), and from nothing else.
"""

from __future__ import annotations

import math
from typing import Final

from auditor.base.domain import Interval
from auditor.pages.words.texts import text
from auditor.verdict.checks.guess_bounds import right_guesses_of
from auditor.verdict.grade import HARD_TO_TELL, NO_USE

GUESSING: Final = 0.5
"""The share of guesses that are right where nothing can be told."""
_EDGES: Final = (100 * NO_USE, 100.0)
"""What a number that is rounded up may not reach from below: the words for it would be others."""
_MOST_DIGITS: Final = 2
_ROUNDING: Final = 2e-13
"""In guesses of 100, a few last bits: a bound of 0.55 that was rounded up in them is not printed a tenth higher."""


def of_advantage(advantage: float) -> float:
    """Give the share of right guesses, between 0.5 and 1, that a bound on the advantage leaves, rounded up.

    Args:
        advantage: Total variation, or true minus false positive rate, between 0 and 1; its sign says nothing here.
    """
    return right_guesses_of(min(1.0, abs(advantage)))


def at_most(share: float) -> str:
    """Print a share of right guesses out of 100, rounded up to a tenth; 90 and 100 only from 0.9 and from 1 on.

    Args:
        share: Between 0 and 1.
    """
    found = _up(share)
    return text("guesses-just-under", edge=str(round(100 * share))) if found is None else _plain(*found)


def of_hundred(share: float) -> float:
    """Give the number that `at_most` prints, or all digits of the share, rounded up, where it prints words.

    Args:
        share: Between 0 and 1.
    """
    found = _up(share)
    return min(100.0, math.nextafter(100 * share, math.inf)) if found is None else found[0]


def _up(share: float) -> tuple[float, int] | None:
    """A share of 100, rounded up to as many digits as it takes to stay below 90 and 100 where it is; None where none do."""
    if share >= 1:
        return 100.0, 0
    for digits in range(1, _MOST_DIGITS + 1):
        up = math.ceil((100 * share - _ROUNDING) * 10**digits) / 10**digits
        if not any(100 * share < edge <= up for edge in _EDGES):
            return up, digits
    return None


def at_least(share: float) -> str:
    """Print a share of right guesses out of 100, rounded down to a tenth.

    Args:
        share: Between 0 and 1.
    """
    down = math.floor(10 * (100 * share + _ROUNDING)) / 10
    return _plain(down if share >= 1 else min(down, 99.9), 1)


def about(share: float) -> str:
    """Print a measured share of right guesses out of 100, to the nearest tenth; 100 only where every guess was right."""
    nearest = round(100 * share, 1)
    return at_least(share) if nearest >= 100 > 100 * share else _plain(nearest, 1)


def between(interval: Interval) -> tuple[str, str]:
    """Print both limits of an interval of right guesses: the lower one rounded down, the upper one up."""
    return at_least(interval.low), at_most(interval.high)


def hardness(share: float) -> str:
    """Say how hard it is to tell the two worlds apart, by the grades' thresholds: very hard, limited, or no useful promise.

    Args:
        share: The largest share of right guesses that the promise leaves, between 0 and 1.
    """
    if share <= HARD_TO_TELL:
        return text("guesses-very-hard")
    return text("guesses-limited", most=at_most(share)) if share < NO_USE else text("guesses-no-use")


def promise(share: float) -> str:
    """Say a whole promise: its number and how hard it makes telling, as one clause without a full stop."""
    if share >= NO_USE:
        return text("guesses-promise-no-use", most=at_most(share))
    return text("guesses-promise-very-hard" if share <= HARD_TO_TELL else "guesses-promise-limited", most=at_most(share))


def _plain(value: float, digits: int) -> str:
    printed = f"{value:.{digits}f}"
    return printed.rstrip("0").rstrip(".") if "." in printed else printed
