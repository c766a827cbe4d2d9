"""Whether Gaussian noise has the variance that is declared for it: an exact two-sided test, and what it can find."""

from __future__ import annotations

from scipy.stats import chi2

from auditor.domain import Interval


def accepted_variance(declared: float, count: int, *, significance: float) -> Interval:
    """The mean squares that do not speak against a declared variance.

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
    return Interval(declared * float(chi2.ppf(tail, count)) / count, declared * float(chi2.isf(tail, count)) / count)


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
    above = accepted.high * count / float(chi2.ppf(1 - power, count)) - 1
    below = 1 - accepted.low * count / float(chi2.isf(1 - power, count))
    return max(above, below)


def _refuse(declared: float, count: int, significance: float) -> None:
    if not declared > 0:
        raise ValueError(f"a variance must be above 0, found {declared}")
    if count < 1:
        raise ValueError(f"a test needs at least one number, found {count}")
    if not 0 < significance < 1:
        raise ValueError(f"significance must lie between 0 and 1, found {significance}")
