"""What tests would have noticed, held against simulation and against counts worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from auditor.maths.statistics import clopper_pearson, guessing_noticed, smallest_advantage
from auditor.maths.statistics.power import count_reached, least_count, share_reaching


def test_the_least_count_is_the_first_that_is_enough() -> None:
    assert least_count(10, lambda count: count >= 7) == 7
    assert least_count(10, lambda _count: True) == 0
    assert least_count(10, lambda _count: False) is None


@pytest.mark.parametrize(("count", "trials"), [(1, 1), (30, 40), (40, 40), (500, 1000)])
def test_a_share_reaches_its_count_four_times_in_five(count: int, trials: int) -> None:
    assert binom.sf(count - 1, trials, share_reaching(count, trials)) == pytest.approx(0.8, abs=1e-9)


@pytest.mark.parametrize(("trials", "share"), [(1, 0.1), (40, 0.5), (40, 0.99), (1000, 0.3), (10, 1.0)])
def test_the_count_that_is_reached_is_the_largest_with_that_probability(trials: int, share: float) -> None:
    found = count_reached(trials, share, power=0.9)
    assert binom.sf(found - 1, trials, share) >= 0.9
    assert found == trials or binom.sf(found, trials, share) < 0.9


def test_a_few_games_notice_nothing_and_many_notice_little() -> None:
    assert guessing_noticed(4, confidence=0.95) is None
    few, many = guessing_noticed(40, confidence=0.95), guessing_noticed(4000, confidence=0.95)
    assert few is not None
    assert many is not None
    assert 0.5 < many < 0.53 < 0.7 < few < 0.75
    needed = next(right for right in range(41) if clopper_pearson(right, 40, confidence=0.95).low > 0.5)
    assert binom.sf(needed - 1, 40, few) == pytest.approx(0.8, abs=1e-9)


def test_an_advantage_is_noticed_beyond_a_ceiling_as_far_as_beyond_nothing() -> None:
    pairs = np.random.default_rng(1).normal(0, 0.1, (3, 40)).clip(-1, 1)
    plain = smallest_advantage(pairs, confidence=0.95, decisions=4000)
    beyond = smallest_advantage(pairs, confidence=0.95, decisions=4000, beyond=0.4)
    assert plain is not None
    assert beyond == pytest.approx(plain + 0.4, abs=1e-6)
    assert smallest_advantage(pairs, confidence=0.95, decisions=4000, beyond=0.99) is None
