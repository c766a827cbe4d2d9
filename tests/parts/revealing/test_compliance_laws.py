"""What won games refute is refuted rightly, with the confidence that was asked for."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from auditor.maths.certificates import derive
from auditor.parts.revealing.rules.compliance import MOST_GAMES


def upper_tail(wins: int, games: int, probability: float) -> mpmath.mpf:
    """P[Bin(games, p) >= wins] for p below wins/games: its first term times the sum of the ratios that follow."""
    p = mpmath.mpf(probability)
    first = mpmath.loggamma(games + 1) - mpmath.loggamma(wins + 1) - mpmath.loggamma(games - wins + 1)
    first = mpmath.exp(first + wins * mpmath.log(p) + (games - wins) * mpmath.log(1 - p))
    term = total = mpmath.mpf(1)
    for count in range(wins, games):
        term *= (games - count) / mpmath.mpf(count + 1) * p / (1 - p)
        total += term
        if term < mpmath.mpf(10) ** -30:
            break
    return first * total


@pytest.mark.parametrize("games", [1, 10, 1000, MOST_GAMES])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.51, 0.9, 1.0])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999999])
def test_the_lower_end_leaves_its_tail(games: int, share: float, confidence: float) -> None:
    """In 40 digits: not more than half of what is left, and next to nothing less."""
    wins = max(1, round(share * games))
    low = derive("compliance", {"wins": wins, "games": games, "confidence": confidence}).outputs["interval"][0]
    with mpmath.workdps(40):
        tail = (1 - mpmath.mpf(confidence)) / 2
        assert upper_tail(wins, games, low) <= tail
        assert upper_tail(wins, games, low * (1 + 1e-10)) >= tail


@pytest.mark.parametrize("games", [5, 40, 300])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.6, 1.0])
def test_a_true_epsilon_is_refuted_as_rarely_as_stated(games: int, epsilon: float) -> None:
    """Where two worlds can be told apart by epsilon at most, (1 + epsilon)/2 of the games are won; all counts, exactly."""
    confidence = 0.9
    wins = np.arange(games + 1)
    lower = [
        derive("compliance", {"wins": int(v), "games": games, "confidence": confidence}).outputs["epsilon_lower"] for v in wins
    ]
    refuted = np.array(lower) > epsilon
    assert binom.pmf(wins, games, (1 + epsilon) / 2)[refuted].sum() <= (1 - confidence) / 2 + 1e-12


@given(st.integers(1, 5000), st.data())
def test_more_wins_refute_more(games: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, games - 1))
    fewer, more = (derive("compliance", {"wins": v, "games": games, "confidence": 0.95}).outputs for v in (wins, wins + 1))
    assert fewer["epsilon_lower"] <= more["epsilon_lower"]
    assert fewer["interval"][0] <= fewer["success"] <= fewer["interval"][1]
    assert 0 <= fewer["epsilon_lower"] <= 1
    assert more["epsilon_lower"] == max(0, 2 * more["interval"][0] - 1)
