"""Every interval and p-value that a decision reads lies on its safe side of sixty digits.

| of | where | side |
|---|---|---|
| `clopper_pearson` | tests/unit/test_exact_intervals.py | both ends outward |
| `missed_share`, and what `allow_for_failures` takes of it | there | up |
| `log_upper_tail`, `epsilon_lower` of one run | tests/parts/swap | up, down |
| `accuracy_difference`, `difference_upper` | tests/unit/test_paired_accuracies.py | both ends outward |
| `paired_difference`, `advantages`, `allow_for_failures`, `quality`, `accepted_variance` | here | both ends outward |
| `larger_share_p`, `any_of_p` | here | up |
| `epsilon_lower` of two laws, `named_sides_lower` | here | down |
| `sign_flip_p`, `p_value` of a pool: ranks | here | to nearest, which crosses no level |

`detectable_deviation`, `smallest_advantage`, `guessing_noticed`, `share_reaching` and `records_enough` say what a test would have
noticed, and no decision reads them.
"""

from __future__ import annotations

import math
import random
import sys
from fractions import Fraction

import mpmath
import numpy as np
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.base.domain import Interval
from auditor.maths.statistics import (
    accepted_variance,
    advantages,
    any_of_p,
    clopper_pearson,
    larger_share_p,
    named_sides_lower,
    paired_difference,
    quality,
    sign_flip_p,
)
from auditor.maths.statistics.pairs import PairedAdvantage, allow_for_failures
from auditor.maths.statistics.pool import p_value
from auditor.maths.statistics.two_laws import epsilon_lower

CONFIDENCES = st.sampled_from([0.5, 0.9, 0.95, 0.99, 0.999, 1 - 4e-5])


@settings(max_examples=300)
@given(st.integers(0, 500), st.integers(0, 500), st.integers(0, 3000), CONFIDENCES)
def test_a_difference_of_shares_lies_within_its_interval(one: int, other: int, rest: int, confidence: float) -> None:
    found = paired_difference(one, other, one + other + rest, confidence=confidence)
    each = (1 + confidence) / 2
    first, second = (clopper_pearson(count, one + other + rest, confidence=each) for count in (one, other))
    assert Fraction(found.low) <= Fraction(first.low) - Fraction(second.high)
    assert Fraction(found.high) >= Fraction(first.high) - Fraction(second.low)
    assert found.high - found.low <= (first.high - first.low + second.high - second.low) * (1 + 1e-12) + 1e-15


def test_a_difference_rounded_to_nearest_would_lie_within_the_truth() -> None:
    rng, inside = random.Random(0), 0
    for _ in range(300):
        trials = rng.randint(2, 1000)
        one = rng.randint(0, trials)
        other = rng.randint(0, trials - one)
        first, second = (clopper_pearson(count, trials, confidence=0.975) for count in (one, other))
        inside += Fraction(first.high - second.low) < Fraction(first.high) - Fraction(second.low)
    assert inside, "the test above tells the two apart"


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 400), st.one_of(st.integers(1, 400), st.integers(1900, 2500)), st.data())
def test_a_larger_share_has_a_p_value_that_is_not_below_the_truth(of_first: int, of_second: int, data: st.DataObject) -> None:
    first, second = data.draw(st.integers(0, of_first)), data.draw(st.integers(0, of_second))
    marked, every = first + second, of_first + of_second
    ways = sum(
        math.comb(of_first, count) * math.comb(of_second, marked - count) for count in range(first, min(of_first, marked) + 1)
    )
    exact = Fraction(ways, math.comb(every, marked))
    found = larger_share_p(first, of_first, second, of_second)
    assert exact <= Fraction(found) <= min(Fraction(1), exact * (1 + Fraction(1, 10**8)) + Fraction(1, 2**1000))


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 3000), st.floats(1e-9, 1), st.integers(0, 2), st.data())
def test_any_choice_of_trials_has_a_chance_that_is_not_below_the_sum_of_all(
    trials: int, chance: float, of_own: int, data: st.DataObject
) -> None:
    count = data.draw(st.integers(min(of_own, trials), trials))
    with mpmath.workdps(60):
        exact = mpmath.binomial(trials, count) * mpmath.mpf(chance) ** max(0, count - of_own)
        found = any_of_p(count, trials, chance, of_own=min(of_own, count))
        assert (
            min(mpmath.mpf(1), exact) <= found <= min(mpmath.mpf(1), exact * (1 + mpmath.mpf(10) ** -8) + 2 * sys.float_info.min)
        )
        if not of_own and count > 0:
            assert found >= beyond(count, trials, mpmath.mpf(chance))


def beyond(successes: int, trials: int, share: mpmath.mpf) -> mpmath.mpf:
    """The chance of as many or more, to sixty digits."""
    return mpmath.betainc(successes, trials - successes + 1, 0, share, regularized=True) if successes else mpmath.mpf(1)


@settings(max_examples=100, deadline=None)
@given(
    st.integers(1, 2000),
    st.data(),
    CONFIDENCES,
    st.sampled_from([0.0, 1e-9, 1e-4, 0.05]),
    st.sampled_from([0.0, 1e-4]),
)
def test_no_laws_that_could_be_have_an_epsilon_below_the_limit(
    trials: int, data: st.DataObject, confidence: float, delta: float, other_delta: float
) -> None:
    """Whatever P is, the smallest Q that is within the limit makes so few runs of Q, and so many of P, too rare together."""
    below, above = sorted(data.draw(st.integers(0, trials)) for _ in range(2))
    found = epsilon_lower(below, above, trials, confidence=confidence, delta=delta, other_delta=other_delta)
    assert found == epsilon_lower(above, below, trials, confidence=confidence, delta=delta, other_delta=other_delta)
    shares = [*data.draw(st.lists(st.floats(0, 1), max_size=5)), *np.linspace(below / trials, above / trials, 12)]
    with mpmath.workdps(60):
        level, times = (1 - mpmath.mpf(confidence)) / 2, mpmath.exp(found)
        for p in [mpmath.mpf(float(each)) for each in shares] if found > 0 else []:
            least = max((p - delta) / times - other_delta, 1 - delta - times * (1 - p + other_delta), mpmath.mpf(0))
            if least <= 1:
                both = beyond(above, trials, p) * beyond(trials - below, trials, 1 - least)
                assert both == 0 or both * (1 - mpmath.log(both)) <= level


def quantile(tail: mpmath.mpf, freedom: int, guess: float) -> mpmath.mpf:
    """Of Student's law, to sixty digits."""

    def beyond(value: mpmath.mpf) -> mpmath.mpf:
        inner = mpmath.betainc(mpmath.mpf(freedom) / 2, mpmath.mpf(1) / 2, 0, freedom / (freedom + value**2), regularized=True)
        return inner / 2 - tail

    return mpmath.findroot(beyond, (guess * (1 - 1e-9), guess * (1 + 1e-9)))


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 40), st.integers(1, 3), st.integers(1, 10**6), CONFIDENCES, st.integers(0, 2**32))
def test_intervals_over_pairs_hold_those_of_sixty_digits(
    size: int, count: int, decisions: int, confidence: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    pairs = np.clip(rng.normal(rng.uniform(-0.3, 0.3), rng.uniform(0, 0.2), (count, size)), -1, 1)
    found = advantages(pairs, confidence=confidence, decisions=decisions, identical=False)
    with mpmath.workdps(60):
        for row, each in zip(pairs, found, strict=True):
            values = [mpmath.mpf(float(value)) for value in row]
            mean = mpmath.fsum(values) / size
            deviation = mpmath.sqrt(mpmath.fsum((value - mean) ** 2 for value in values) / (size - 1))
            tail = (1 - mpmath.mpf(confidence)) / (2 * count)
            spread = (
                quantile(tail, size - 1, -float(scipy.special.stdtrit(size - 1, float(tail)))) * deviation / mpmath.sqrt(size)
            )
            half = max(spread, -mpmath.log(2 * tail) / decisions)
            assert each.interval.low <= max(mpmath.mpf(-1), mean - half)
            assert each.interval.high >= min(mpmath.mpf(1), mean + half)
            assert each.interval.high - each.interval.low <= 2 * float(half) * (1 + 1e-11) + 1e-14


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(0, 0.5), st.floats(0, 0.5)), min_size=1, max_size=4))
def test_the_quality_lies_within_what_the_advantages_leave(found: list[tuple[float, float, float]]) -> None:
    each = [PairedAdvantage(mean, Interval(max(-1.0, mean - low), min(1.0, mean + high)), 0.1) for mean, low, high in found]
    result = quality(each)
    ends = [(Fraction(one.interval.low), Fraction(one.interval.high)) for one in each]
    assert Fraction(result.interval.low) <= max(Fraction(0), 1 - max(max(abs(low), abs(high)) for low, high in ends))
    assert Fraction(result.interval.high) >= 1 - max(max(Fraction(0), low, -high) for low, high in ends)


@given(st.floats(-1, 1), st.floats(-1, 1), st.integers(1, 400), CONFIDENCES)
def test_what_failures_leave_is_rounded_away_from_zero(mean: float, idle: float, models: int, confidence: float) -> None:
    (widened,) = allow_for_failures(
        [PairedAdvantage(mean, Interval(mean, mean), 0.0)], [idle], models=models, confidence=confidence
    )
    outer = max(abs(widened.interval.low), abs(widened.interval.high))
    if 0 < abs(mean) < abs(idle):
        failing = Fraction(models) * abs(Fraction(mean)) / abs(Fraction(idle))
        if failing.denominator == 1:
            high = clopper_pearson(int(failing), models, confidence=confidence).high
            assert Fraction(outer) >= min(Fraction(1), abs(Fraction(idle)) * Fraction(high) * (1 - Fraction(1, 10**12)))


@settings(deadline=None)
@given(st.integers(1, 12), st.integers(0, 2**32))
def test_a_p_value_of_signs_counts_them_all(size: int, seed: int) -> None:
    values = np.random.default_rng(seed).integers(-3, 4, size) / 4
    found = sign_flip_p(values[None, :], rng=np.random.default_rng(0))
    reached = sum(
        abs(sum(-value if number >> place & 1 else value for place, value in enumerate(values))) >= abs(sum(values))
        for number in range(2**size)
    )
    assert Fraction(found) == Fraction(reached, 2**size)


@given(st.integers(1, 60), st.integers(0, 2**32))
def test_a_p_value_of_a_pool_is_the_rank_of_the_model_in_question(others: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    found = p_value(rng.normal(size=2), rng.normal(size=(others, 2)), rng.normal(2, 1, size=(5, 2)))
    assert found == round(found * (others + 1)) / (others + 1)


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.sampled_from([0.05, 0.01, 0.001, 4e-5]))
def test_no_rank_crosses_a_level_by_rounding(rank: int, models: int, level: float) -> None:
    """Two fractions of so few models differ by more than a rounding: nearest is as good as up."""
    nearby = math.ceil(level * models)
    for each in (rank, nearby, nearby + 1, max(1, nearby - 1)):
        assert (each / models <= level) == (Fraction(each, models) <= Fraction(level))


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 2000), st.data(), st.sampled_from([0.25, 0.05, 0.01, 1e-4, 4e-5]))
def test_named_sides_leave_no_more_than_the_tail_beyond_their_limit(models: int, data: st.DataObject, alpha: float) -> None:
    right = data.draw(st.integers(0, models))
    found = named_sides_lower(right, models, alpha=alpha)
    if found > 0:
        with mpmath.workdps(60):
            share = (1 + mpmath.mpf(found)) / 2
            tail = mpmath.fsum(
                mpmath.binomial(models, count) * share**count * (1 - share) ** (models - count)
                for count in range(right, models + 1)
            )
            assert tail <= mpmath.mpf(alpha)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 5000), st.sampled_from([0.5, 0.05, 2e-4, 2e-6]))
def test_honest_noise_is_refused_no_more_often_than_is_said(count: int, significance: float) -> None:
    found = accepted_variance(1.0, count, significance=significance)
    with mpmath.workdps(60):
        half = mpmath.mpf(count) / 2
        below = mpmath.gammainc(half, 0, half * mpmath.mpf(found.low), regularized=True)
        above = mpmath.gammainc(half, half * mpmath.mpf(found.high), mpmath.inf, regularized=True)
        assert below <= mpmath.mpf(significance) / 2 >= above
        assert min(below, above) >= mpmath.mpf(significance) / 2 * (1 - mpmath.mpf(10) ** -9)
