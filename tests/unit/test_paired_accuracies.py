"""Limits of the difference of two accuracies on the same records: they cover what they say, and are nowhere wider than before."""

from __future__ import annotations

import itertools
import math
from functools import cache

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln, ndtri, xlogy

from auditor.maths.statistics import accuracy_difference, clopper_pearson, difference_upper, paired_difference

SKEWED = [
    (0.0, 0.0),
    (0.05, 0.0),
    (0.0, 0.05),
    (0.3, 0.0),
    (0.02, 0.01),
    (0.2, 0.2),
    (0.4, 0.1),
    (0.1, 0.4),
    (0.5, 0.5),
    (0.9, 0.02),
]
"""Chances that the first model alone is right, and the second alone."""


def outcomes(trials: int) -> list[tuple[int, int]]:
    return [(first, second) for first in range(trials + 1) for second in range(trials + 1 - first)]


@cache
def limits(trials: int, alpha: float) -> dict[tuple[int, int], float]:
    return {each: difference_upper(*each, trials, alpha=alpha) for each in outcomes(trials)}


def missed(first: float, second: float, trials: int, alpha: float) -> float:
    """The probability that the limit lies below the truth, all outcomes counted."""
    rest = max(0.0, 1 - first - second)
    total = 0.0
    for (one, other), limit in limits(trials, alpha).items():
        if limit < first - second:
            ways = gammaln(trials + 1) - gammaln(one + 1) - gammaln(other + 1) - gammaln(trials - one - other + 1)
            likely = ways + xlogy(one, first) + xlogy(other, second) + xlogy(trials - one - other, rest)
            total += math.exp(likely)
    return total


@pytest.mark.parametrize("alpha", [0.025, 0.001])
@pytest.mark.parametrize("trials", [1, 7, 20])
def test_a_limit_misses_no_more_often_than_it_says_whatever_the_discordant_records_are(trials: int, alpha: float) -> None:
    """Every outcome is counted: no draw, no doubt."""
    grid = [round(0.05 * number, 2) for number in range(21)]
    for first, second in [*SKEWED, *itertools.product(grid, grid)]:
        if first + second <= 1:
            assert missed(first, second, trials, alpha) <= alpha


@pytest.mark.parametrize("skewed", [(0.02, 0.0), (0.0, 0.02), (0.01, 0.01), (0.06, 0.005), (0.05, 0.04)])
def test_it_covers_in_draws_of_a_usual_holdout(skewed: tuple[float, float]) -> None:
    rng, trials, repeats = np.random.default_rng(5), 250, 2000
    drawn = rng.multinomial(trials, [*skewed, 1 - sum(skewed)], repeats)
    below = sum(difference_upper(int(one), int(other), trials, alpha=0.025) < skewed[0] - skewed[1] for one, other, _ in drawn)
    assert below <= clopper_pearson_above(0.025, repeats)


def clopper_pearson_above(share: float, trials: int) -> int:
    """The most misses of so many that a true share explains, all but once in 10,000."""
    return next(count for count in range(trials) if clopper_pearson(count, trials, confidence=1 - 2e-4).low > share) - 1


@pytest.mark.parametrize("trials", [5, 23])
def test_it_is_nowhere_wider_than_two_intervals_that_share_the_error(trials: int) -> None:
    for one, other in outcomes(trials):
        new = accuracy_difference(one, other, trials, confidence=0.95)
        old = paired_difference(one, other, trials, confidence=0.95)
        assert old.low <= new.low <= (one - other) / trials <= new.high <= old.high


@settings(max_examples=15, deadline=None)
@given(st.integers(50, 3000), st.data())
def test_it_is_nowhere_wider_on_larger_holdouts_either(trials: int, data: st.DataObject) -> None:
    one = data.draw(st.integers(0, min(trials, 120)))
    other = data.draw(st.integers(0, min(trials - one, 120)))
    new, old = (interval(one, other, trials, confidence=0.95) for interval in (accuracy_difference, paired_difference))
    assert old.low <= new.low <= (one - other) / trials <= new.high <= old.high


def test_it_turns_with_the_models_and_grows_with_what_is_lost() -> None:
    one, other = accuracy_difference(9, 3, 80, confidence=0.9), accuracy_difference(3, 9, 80, confidence=0.9)
    assert (one.low, one.high) == (-other.high, -other.low)
    found = limits(20, 0.025)
    for lost, won in outcomes(19):
        assert found[lost, won] <= found[lost + 1, won]
        assert found[lost, won] >= found[lost, won + 1] - 1 / (64 * 20)


def test_nothing_seen_leaves_about_what_the_rule_of_three_leaves() -> None:
    for trials in (30, 300, 3000):
        limit = difference_upper(0, 0, trials, alpha=0.025)
        assert 0 <= limit - (1 - 0.025 ** (1 / trials)) <= 0.05 / trials + 1 / (64 * trials)
    assert accuracy_difference(0, 0, 0, confidence=0.95) == paired_difference(0, 0, 0, confidence=0.95)
    assert difference_upper(4, 0, 4, alpha=0.025) == 1.0


@pytest.mark.parametrize(
    ("one", "other", "trials"), [(0, 0, 40), (3, 1, 57), (1, 3, 57), (12, 12, 120), (25, 4, 90), (0, 30, 200)]
)
@pytest.mark.parametrize("alpha", [0.025, 1e-5])
def test_what_it_refutes_is_unlikely_to_sixty_digits(one: int, other: int, trials: int, alpha: float) -> None:
    """The probability of what was seen or less, by another route: each outcome by itself, at 25 shares of discordant records."""
    limit = difference_upper(one, other, trials, alpha=alpha)
    quantile = -float(ndtri(alpha))
    more = max(1.0, quantile**2 / 4)

    def order(first: int, second: int) -> float:
        return first - second + quantile * math.sqrt(first + second + more)

    small = [each for each in outcomes(trials) if order(*each) <= order(one, other)]
    spread = clopper_pearson(one + other, trials, confidence=1 - alpha / 50)
    with mpmath.workdps(60):
        difference = mpmath.mpf(limit)
        for share in np.linspace(max(spread.low, abs(limit)), spread.high, 25 if trials < 100 else 5):
            first, second = (mpmath.mpf(float(share)) + difference) / 2, (mpmath.mpf(float(share)) - difference) / 2
            assert probability(small, trials, first, second) <= (1 - mpmath.mpf(1) / 50) * mpmath.mpf(alpha)


def probability(small: list[tuple[int, int]], trials: int, first: mpmath.mpf, second: mpmath.mpf) -> mpmath.mpf:
    rest = max(mpmath.mpf(0), 1 - first - second)
    powers = [[each**count for count in range(trials + 1)] for each in (first, max(mpmath.mpf(0), second), rest)]
    return mpmath.fsum(
        math.comb(trials, one)
        * math.comb(trials - one, other)
        * powers[0][one]
        * powers[1][other]
        * powers[2][trials - one - other]
        for one, other in small
    )


@pytest.mark.parametrize("wrong", [(-1, 0, 5), (3, 3, 5), (0, -1, 5)])
def test_counts_that_cannot_be_are_refused(wrong: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="counts must be at least 0"):
        accuracy_difference(*wrong, confidence=0.95)


@pytest.mark.parametrize("alpha", [0.0, 0.5, -1.0, math.nan])
def test_a_level_that_is_none_is_refused(alpha: float) -> None:
    with pytest.raises(ValueError, match="alpha must be between"):
        difference_upper(1, 1, 5, alpha=alpha)
