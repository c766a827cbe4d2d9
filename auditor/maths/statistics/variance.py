"""Whether Gaussian noise has the variance that is declared for it: an exact two-sided test, and what it can find."""

from __future__ import annotations

import math
from typing import Final

from auditor.base.domain import Interval
from auditor.maths import special

_ROUNDING: Final = 1e-12
_NEARLY: Final = 1e-6
_MANY: Final = 1_000_000
"""Degrees of freedom from which quantiles are those of Wilson and Hilferty (1931): within a millionth of their distance from the
mean, where SciPy's lower ones drift away by percents."""


def accepted_variance(declared: float, count: int, *, significance: float) -> Interval:
    """The mean squares that do not speak against a declared variance, rounded outward.

    The sum of `count` squares of independent N(0, v) numbers is v times a chi-squared one with as many degrees of freedom; each
    end leaves half of the significance beyond it.

    Args:
        declared: v, above 0.
        count: How many numbers were squared, at least 1.
        significance: How often an honest variance is refused, between 0 and 1, both excluded.

    Raises:
        ValueError: If there is nothing to test, or the numbers are out of range.
    """
    _refuse(declared, count, significance)
    tail = significance / 2
    low, high = (_mean_square(count, tail, upper=upper) for upper in (False, True))
    # Of many, quantiles are known to a share of their distance from the mean.
    off = _NEARLY if count >= _MANY else 0.0
    low, high = low - off * abs(1 - low) - _ROUNDING * low, high + off * abs(high - 1) + _ROUNDING * high
    return Interval(declared * max(0.0, low), declared * high)


def detectable_deviation(count: int, *, significance: float, power: float) -> float:
    """The smallest relative deviation of the variance, up or down, that the test finds with at least this chance.

    Args:
        count: How many numbers are squared, at least 1.
        significance: As for `accepted_variance`.
        power: The chance, between 0 and 1, both excluded.

    Raises:
        ValueError: If there is nothing to test, or the numbers are out of range.
    """
    _refuse(1.0, count, significance)
    if not 0 < power < 1:
        raise ValueError(f"power must lie between 0 and 1, found {power}")
    accepted = accepted_variance(1.0, count, significance=significance)
    # The other end would refuse a little more: leaving it out is on the careful side.
    larger = accepted.high / _mean_square(count, 1 - power, upper=False) - 1
    smaller = 1 - accepted.low / _mean_square(count, 1 - power, upper=True)
    return max(larger, smaller)


def _mean_square(count: int, tail: float, *, upper: bool) -> float:
    """The mean square of unit noise that leaves a tail of the distribution below it, or above."""
    if count < _MANY:
        # Both of scipy.special: scipy.stats takes a second to load.
        return float(special.chdtri(count, tail) if upper else 2 * special.gammaincinv(count / 2, tail)) / count
    score = float(-special.ndtri(tail) if upper else special.ndtri(tail))
    spread = 2 / (9 * count)
    return float((1 - spread + score * math.sqrt(spread)) ** 3)


def _refuse(declared: float, count: int, significance: float) -> None:
    if not declared > 0:
        raise ValueError(f"a variance must be above 0, found {declared}")
    if count < 1:
        raise ValueError(f"a test needs at least one number, found {count}")
    if not 0 < significance < 1:
        raise ValueError(f"significance must lie between 0 and 1, found {significance}")
