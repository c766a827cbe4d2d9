"""Exact intervals: their tails are what they say, and they cover at least as often as they promise."""

from __future__ import annotations

import random
from fractions import Fraction
from math import comb

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from auditor.maths.certificates.rounding import ceiling
from auditor.maths.statistics import any_of_p, clopper_pearson, larger_share_p, missed_share, paired_difference
from auditor.maths.statistics import exact as exact_module


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
    assert larger_share_p(0, 6, 2, 10) == 1


def test_any_choice_of_trials_counts_them_all() -> None:
    assert any_of_p(3, 5, 0.1) == pytest.approx(0.01, rel=1e-10)
    assert any_of_p(4, 6, 0.1, of_own=1) == pytest.approx(0.015, rel=1e-10)
    assert any_of_p(2, 6, 0.0) == 0
    assert any_of_p(2, 6, 0.0, of_own=2) == 1
    assert any_of_p(3, 5, 1.0) == 1
    # 1500 choose 750 is above every float.
    assert any_of_p(750, 1500, 0.1) < 1e-290
    assert any_of_p(750, 1500, 0.9) == 1


def test_a_larger_share_is_rounded_once_and_goes_on_where_whole_numbers_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = Fraction(sum(comb(205, k) * comb(9895, 300 - k) for k in range(9, 206)), comb(10_100, 300))
    assert larger_share_p(9, 300, 196, 9_800) == ceiling(exact)
    assert larger_share_p(3, 3, 0, 4) == ceiling(Fraction(1, 35)) > float(Fraction(1, 35))
    assert larger_share_p(2, 2, 4, 4) == 1
    monkeypatch.setattr(exact_module, "_IN_WHOLE_NUMBERS", 10)
    assert exact <= Fraction(larger_share_p(9, 300, 196, 9_800)) <= exact * (1 + Fraction(2, 10**9))


def at_least(count: int, trials: int, share: mpmath.mpf) -> mpmath.mpf:
    """P[Bin(n, p) ≥ k] to 60 digits, by its shorter sum."""
    terms = range(count, trials + 1) if 2 * count > trials else range(count)
    found = mpmath.fsum(mpmath.binomial(trials, k) * share**k * (1 - share) ** (trials - k) for k in terms)
    return found if 2 * count > trials else 1 - found


def drawn(rng: random.Random) -> tuple[int, int, float]:
    """Successes, trials and a confidence: few trials, or many with few of one kind."""
    confidence = rng.choice([0.5, 0.9, 0.95, 0.99, 0.999, 1 - 1e-6, rng.uniform(0.5, 0.999)])
    if rng.random() < 0.5:
        trials = rng.randint(1, 120)
        return rng.randint(0, trials), trials, confidence
    trials, few = int(10 ** rng.uniform(2, 7)), rng.randint(0, 4)
    return rng.choice([few, trials - few]), trials, confidence


def test_both_ends_lie_outside_of_sixty_digits() -> None:
    rng = random.Random(1934)
    with mpmath.workdps(60):
        for _ in range(400):
            successes, trials, confidence = drawn(rng)
            found = clopper_pearson(successes, trials, confidence=confidence)
            tail = (1 - mpmath.mpf(confidence)) / 2
            if successes:
                assert at_least(successes, trials, mpmath.mpf(found.low)) <= tail, (successes, trials, confidence)
            if successes < trials:
                # As many failures or more, at the share of failures that the upper end leaves.
                left = 1 - mpmath.mpf(found.high)
                assert at_least(trials - successes, trials, left) <= tail, (successes, trials, confidence)


def test_the_upper_end_next_to_one_is_rounded_up() -> None:
    # Rounded to nearest, each of these lies below the truth by up to half a unit in the last place.
    for successes, trials, confidence in ((48105, 48106, 0.99), (59323, 59324, 0.99), (11367, 11368, 0.999999)):
        found = clopper_pearson(successes, trials, confidence=confidence)
        with mpmath.workdps(60):
            # One failure at least: 1 - high^n is the tail.
            assert 1 - mpmath.mpf(found.high) ** trials <= (1 - mpmath.mpf(confidence)) / 2
        assert found.high < 1


def test_the_share_of_models_that_failed_unseen_is_rounded_up() -> None:
    rng = random.Random(3)
    with mpmath.workdps(60):
        for _ in range(300):
            models, confidence = int(10 ** rng.uniform(0, 7)), rng.choice([0.9, 0.95, 0.99, rng.uniform(0.5, 0.999)])
            exact = 1 - ((1 - mpmath.mpf(confidence)) / 2) ** (mpmath.mpf(1) / models)
            found = missed_share(models, confidence=confidence)
            assert exact <= found <= exact + mpmath.mpf(2) ** -39, (models, confidence)
