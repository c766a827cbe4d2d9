"""Advantages over pairs, the quality, the power and the sign-flip test: edges, and results by hand."""

from __future__ import annotations

import itertools
import math
import statistics

import numpy as np
import numpy.typing as npt
import pytest

from auditor.base.domain import Interval
from auditor.maths.statistics import (
    PairedAdvantage,
    advantage_lower,
    advantages,
    named_sides_lower,
    plug_in_quality,
    quality,
    sign_flip_p,
    smallest_advantage,
)

Floats = npt.NDArray[np.float64]


def ends(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high


def test_one_pair_says_nothing_of_the_spread() -> None:
    (found,) = advantages(np.array([[0.2]]), confidence=0.95, decisions=10**6, identical=False)
    assert found == PairedAdvantage(0.2, Interval(-1.0, 1.0), 0.0)
    assert ends(quality((found,)).interval) == (0.0, 1.0)


@pytest.mark.parametrize("size", [1, 5])
def test_only_identical_models_leave_no_doubt(size: int) -> None:
    zeros = np.zeros((3, size))
    certain = advantages(zeros, confidence=0.95, decisions=100, identical=True)
    assert {ends(each.interval) for each in certain} == {(0.0, 0.0)}
    assert (quality(certain).value, ends(quality(certain).interval)) == (1.0, (1.0, 1.0))
    for doubtful in advantages(zeros, confidence=0.95, decisions=100, identical=False):
        assert doubtful.interval.high >= 0.029


def test_models_said_to_be_identical_with_an_advantage_are_not_believed() -> None:
    for pairs in (np.full((1, 6), 0.1), np.array([[0.1]])):
        told = advantages(pairs, confidence=0.95, decisions=100, identical=True)
        assert told == advantages(pairs, confidence=0.95, decisions=100, identical=False)
        assert told[0].interval.high - told[0].interval.low > 0.05


def test_equal_advantages_keep_the_floor() -> None:
    (found,) = advantages(np.full((1, 7), 0.1), confidence=0.99, decisions=500, identical=False)
    floor = math.log(100) / 500
    assert found.deviation == 0
    assert ends(found.interval) == pytest.approx((0.1 - floor, 0.1 + floor), rel=1e-12)


def test_intervals_stay_within_what_an_advantage_can_be() -> None:
    high, low = advantages(np.array([[1.0, 0.9, 0.2], [-1.0, -0.9, 0.1]]), confidence=0.99, decisions=9, identical=False)
    assert high.interval.high == 1
    assert low.interval.low == -1


@pytest.mark.parametrize(
    ("intervals", "expected"),
    [
        ([(-0.1, 0.2)], (0.8, 1.0)),
        ([(0.1, 0.3)], (0.7, 0.9)),
        ([(-0.5, -0.2), (0.0, 0.1)], (0.5, 0.8)),
        ([(-0.1, 0.4), (0.2, 0.3)], (0.6, 0.8)),
        ([(-1.0, 1.0), (0.5, 0.6)], (0.0, 0.5)),
    ],
)
def test_the_interval_of_the_quality(intervals: list[tuple[float, float]], expected: tuple[float, float]) -> None:
    found = [PairedAdvantage((low + high) / 2, Interval(low, high), 0.1) for low, high in intervals]
    assert ends(quality(found).interval) == pytest.approx(expected)
    assert quality(found).interval.low <= quality(found).value <= quality(found).interval.high


def test_the_plug_in_takes_absolute_values_pair_by_pair() -> None:
    pairs = np.array([[0.1, -0.1, 0.2, -0.2], [0.05, 0.05, 0.05, 0.05]])
    assert plug_in_quality(pairs) == pytest.approx(0.85)
    assert quality(advantages(pairs, confidence=0.9, decisions=50, identical=False)).value == pytest.approx(0.95)


def test_power_where_nothing_or_only_the_floor_speaks() -> None:
    assert smallest_advantage(np.array([[0.0], [0.3]]), confidence=0.95, decisions=10) is None
    assert smallest_advantage(np.array([[1.0, -1.0]]), confidence=0.95, decisions=10) is None
    equal = np.array([[0.2, 0.2, 0.2]])
    assert smallest_advantage(equal, confidence=0.95, decisions=100) == pytest.approx(-math.log(0.05) / 100)
    assert smallest_advantage(equal, confidence=0.95, decisions=1) is None
    assert smallest_advantage(np.array([[0.2, -0.2]]), confidence=0.05, decisions=10**9, power=0.01) == 0


def test_the_attack_with_the_widest_spread_decides_the_power() -> None:
    narrow, wide = [0.01, -0.01, 0.02, 0.0], [0.1, -0.1, 0.2, 0.0]
    both = smallest_advantage(np.array([narrow, wide]), confidence=0.95, decisions=200)
    doubled = smallest_advantage(np.array([wide, wide]), confidence=0.95, decisions=200)
    assert both == doubled
    alone = smallest_advantage(np.array([narrow, narrow]), confidence=0.95, decisions=200)
    assert both is not None
    assert alone is not None
    assert alone < both


def textbook(pairs: Floats) -> float:
    """Max over attacks of |mean|/(deviation/sqrt K), infinite for equal values, 0 for zeros."""
    found = []
    for row in pairs:
        spread = 0.0 if len(set(row.tolist())) == 1 else statistics.stdev(row.tolist())
        mean = abs(statistics.fmean(row.tolist()))
        found.append(mean / (spread / math.sqrt(len(row))) if spread else math.inf if mean else 0.0)
    return max(found)


@pytest.mark.parametrize("seed", range(12))
def test_the_sign_flip_test_counts_every_pattern(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size, attacks = int(rng.integers(2, 9)), int(rng.integers(1, 4))
    pairs = rng.normal(size=(attacks, size)).clip(-1, 1) if seed % 2 else rng.integers(-2, 3, (attacks, size)) / 14
    found = textbook(pairs)
    reached = sum(
        textbook(pairs * np.array(signs)) >= found * (1 - 1e-9) for signs in itertools.product([-1.0, 1.0], repeat=size)
    )
    assert sign_flip_p(pairs, rng=rng) == reached / 2**size
    # The same in small chunks of drawn patterns: within five standard errors.
    drawn = sign_flip_p(pairs, rng=rng, exact_up_to=0, flips=20_000)
    share = reached / 2**size
    assert abs(drawn - share) <= 5 * math.sqrt(share * (1 - share) / 20_000) + 1e-4


def test_sign_flips_without_spread() -> None:
    rng = np.random.default_rng(0)
    assert sign_flip_p(np.zeros((3, 8)), rng=rng) == 1
    assert sign_flip_p(np.zeros((3, 20)), rng=rng, flips=50) == 1
    assert sign_flip_p(np.full((1, 8), 0.1), rng=rng) == 2 / 2**8
    assert sign_flip_p(np.full((1, 8), 5e-324), rng=rng) == 2 / 2**8
    assert sign_flip_p(np.array([[0.3]]), rng=rng) == 1
    assert sign_flip_p(np.vstack([np.zeros(8), np.full(8, -0.1)]), rng=rng) == 2 / 2**8


def test_drawn_sign_flips_never_give_zero() -> None:
    assert sign_flip_p(np.full((1, 60), 0.1), rng=np.random.default_rng(0), flips=999) == 1 / 1000


def test_ties_that_rounding_would_break_count() -> None:
    # 0.1 + 0.2 differs from 0.3 in the last digit: every pattern with the same sum must count.
    pairs = np.array([[0.1, 0.2, -0.3, 0.0]])
    assert sign_flip_p(pairs, rng=np.random.default_rng(0)) == 1


def test_many_pairs_are_taken_in_parts() -> None:
    pairs = np.random.default_rng(3).normal(0.004, 0.05, (9, 400))
    found = sign_flip_p(pairs, rng=np.random.default_rng(4))
    assert 0 < found < 1
    assert found == sign_flip_p(pairs, rng=np.random.default_rng(4))
    assert found == sign_flip_p(-pairs, rng=np.random.default_rng(4))


def test_the_lower_limit_of_an_advantage_knows_no_direction() -> None:
    pairs = np.random.default_rng(5).normal([[0.3], [-0.2], [0.0]], 0.05, (3, 200))
    assert 0 < advantage_lower(pairs, alpha=0.1) < 0.3
    assert advantage_lower(pairs[2:], alpha=0.1) == 0
    assert advantage_lower(-pairs, alpha=0.1) == advantage_lower(pairs, alpha=0.1)


def test_sides_named_no_better_than_by_a_coin_limit_nothing() -> None:
    assert (named_sides_lower(0, 0, alpha=0.05), named_sides_lower(0, 9, alpha=0.05), named_sides_lower(5, 10, alpha=0.05)) == (
        0,
        0,
        0,
    )


@pytest.mark.parametrize("pairs", [np.zeros(3), np.zeros((0, 3)), np.zeros((3, 0)), np.array([[1.5]]), np.array([[np.nan]])])
def test_what_is_no_array_of_advantages_is_refused(pairs: Floats) -> None:
    for function in (
        plug_in_quality,
        lambda each: advantages(each, confidence=0.9, decisions=10, identical=False),
        lambda each: smallest_advantage(each, confidence=0.9, decisions=10),
        lambda each: sign_flip_p(each, rng=np.random.default_rng(0)),
    ):
        with pytest.raises(ValueError, match=r"pairs must have|pair advantages must be"):
            function(pairs)


def test_numbers_out_of_range_are_refused() -> None:
    pairs = np.zeros((1, 3))
    with pytest.raises(ValueError, match="confidence"):
        advantages(pairs, confidence=1.0, decisions=10, identical=False)
    with pytest.raises(ValueError, match="decisions"):
        advantages(pairs, confidence=0.9, decisions=0, identical=False)
    with pytest.raises(ValueError, match="power"):
        smallest_advantage(pairs, confidence=0.9, decisions=10, power=1.0)
    with pytest.raises(ValueError, match="flips"):
        sign_flip_p(pairs, rng=np.random.default_rng(0), flips=0)
    with pytest.raises(ValueError, match="at least one attack"):
        quality(())
    with pytest.raises(ValueError, match="right must be"):
        named_sides_lower(3, 2, alpha=0.05)
    for alpha in (0.0, 0.3, math.nan):
        with pytest.raises(ValueError, match="alpha must be"):
            named_sides_lower(1, 2, alpha=alpha)
