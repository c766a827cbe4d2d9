"""Exact intervals: their tails are what they say, and they cover at least as often as they promise."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from auditor.maths.statistics import clopper_pearson, larger_share_p, paired_difference


@given(st.integers(0, 400), st.integers(0, 400), st.floats(0.5, 0.999))
def test_each_tail_holds_half_of_what_is_left(successes: int, failures: int, confidence: float) -> None:
    trials = successes + failures
    interval = clopper_pearson(successes, trials, confidence=confidence)
    tail = (1 - confidence) / 2
    assert 0 <= interval.low <= interval.high <= 1
    if successes:
        assert binom.sf(successes - 1, trials, interval.low) == pytest.approx(tail, rel=1e-6)
    else:
        assert interval.low == 0
    if failures:
        assert binom.cdf(successes, trials, interval.high) == pytest.approx(tail, rel=1e-6)
    else:
        assert interval.high == 1


def test_known_intervals() -> None:
    # 0 of 10 at 95 %: 1 - 0.025^(1/10); the rest from scipy's own exact interval.
    assert clopper_pearson(0, 10, confidence=0.95).high == pytest.approx(1 - 0.025**0.1, rel=1e-11)
    reference = binomtest(37, 120).proportion_ci(0.9, method="exact")
    interval = clopper_pearson(37, 120, confidence=0.9)
    assert (interval.low, interval.high) == pytest.approx((reference.low, reference.high), rel=1e-9)
    assert (clopper_pearson(0, 0, confidence=0.9).low, clopper_pearson(0, 0, confidence=0.9).high) == (0, 1)


@pytest.mark.parametrize("probability", [0.003, 0.1, 0.5, 0.93])
def test_coverage_of_the_proportion_is_at_least_nominal(probability: float) -> None:
    trials = 60
    counts = np.arange(trials + 1)
    intervals = [clopper_pearson(int(count), trials, confidence=0.9) for count in counts]
    inside = np.array([interval.low <= probability <= interval.high for interval in intervals])
    assert float(binom.pmf(counts, trials, probability)[inside].sum()) >= 0.9


@pytest.mark.parametrize(("first", "second"), [(0.05, 0.05), (0.02, 0.0), (0.3, 0.1), (0.0, 0.0), (0.01, 0.2)])
def test_coverage_of_the_difference_is_at_least_nominal(first: float, second: float) -> None:
    trials, runs = 80, 3000
    rng = np.random.default_rng(7)
    draws = rng.multinomial(trials, [first, second, 1 - first - second], size=runs)
    covered = 0
    for (only_first, only_second), count in zip(*np.unique(draws[:, :2], axis=0, return_counts=True), strict=True):
        interval = paired_difference(int(only_first), int(only_second), trials, confidence=0.9)
        covered += int(count) * (interval.low <= first - second <= interval.high)
    assert covered / runs >= 0.9


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.floats(0.5, 0.999))
def test_the_difference_contains_its_estimate_and_turns_with_the_models(
    one: int, other: int, rest: int, confidence: float
) -> None:
    trials = one + other + rest
    interval = paired_difference(one, other, trials, confidence=confidence)
    turned = paired_difference(other, one, trials, confidence=confidence)
    assert (interval.low, interval.high) == (-turned.high, -turned.low)
    assert -1 <= interval.low <= (one - other) / max(trials, 1) <= interval.high <= 1


@pytest.mark.parametrize(
    ("successes", "trials", "confidence"), [(-1, 3, 0.9), (4, 3, 0.9), (1, 3, 1.0), (1, 3, 0.0), (1, 3, float("nan"))]
)
def test_counts_that_do_not_fit_are_refused(successes: int, trials: int, confidence: float) -> None:
    with pytest.raises(ValueError, match="must be"):
        clopper_pearson(successes, trials, confidence=confidence)
    with pytest.raises(ValueError, match="must be"):
        paired_difference(successes, 0, trials, confidence=confidence)


def test_a_pair_of_counts_that_exceeds_the_records_is_refused() -> None:
    with pytest.raises(ValueError, match="sum to at most 5"):
        paired_difference(3, 3, 5, confidence=0.95)


def test_a_larger_share_has_the_tail_of_the_hypergeometric_distribution() -> None:
    # Of 16 with 7 marked, five or six marked among six.
    tail = (comb(6, 5) * comb(10, 2) + comb(6, 6) * comb(10, 1)) / comb(16, 7)
    assert larger_share_p(5, 6, 2, 10) == pytest.approx(tail, rel=1e-12)
    assert larger_share_p(0, 6, 2, 10) == pytest.approx(1.0)
