"""The one-run bound is wrong no more often than it says, for the mechanism that leaks as much as its claim allows."""

from __future__ import annotations

import math
from math import comb

import mpmath
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.parts.swap.rules import one_run

Floats = npt.NDArray[np.float64]


def coins(guesses: int) -> Floats:
    """P[Bin(r, 1/2) = v], shape (r + 1,)."""
    return np.array([comb(guesses, right) for right in range(guesses + 1)]) / 2.0**guesses


def leaky(guesses: int, least: int, epsilon: float, delta: float) -> Floats:
    """The law of right guesses, shape (r + 1,), that makes "at least `least` right" as likely as (epsilon, delta) allows.

    The guesses are uniform given how many are right. So their density against guesses that ignore the coins, which are
    uniform, depends on that number alone, and closeness of the two outputs is closeness of the two laws of the number.
    """
    ignorant = coins(guesses)
    share = ignorant[least:].sum()
    most = min(math.exp(epsilon) * share + delta, 1 - math.exp(-epsilon) * (1 - share - delta), 1.0)
    law = ignorant.copy()
    law[least:] *= most / share
    law[:least] *= (1 - most) / (1 - share)
    return law


@pytest.mark.parametrize("guesses", [1, 3, 6, 12])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.0), (0.5, 0.0), (0.5, 0.01), (2.0, 0.0), (2.0, 0.03), (4.0, 1e-4)])
def test_it_is_wrong_at_most_as_often_as_alpha(guesses: int, epsilon: float, delta: float) -> None:
    ignorant = coins(guesses)
    for least in range(1, guesses + 1):
        law = leaky(guesses, least, epsilon, delta)
        for one, other in ((law, ignorant), (ignorant, law)):
            assert np.maximum(one - math.exp(epsilon) * other, 0).sum() <= delta + 1e-12
        for alpha in (0.05, 0.2, 0.5):
            bounds = [one_run.epsilon_lower(guesses, right, alpha=alpha, delta=delta) for right in range(guesses + 1)]
            assert law[np.array(bounds) > epsilon].sum() <= alpha


def test_the_error_that_it_allows_is_used() -> None:
    """With alpha a hair above what the leakiest mechanism reaches, all of it is spent."""
    guesses, epsilon, delta, least = 12, 0.5, 0.01, 10
    reached = float(leaky(guesses, least, epsilon, delta)[least:].sum())
    alpha = reached * (1 + 1e-9)
    assert one_run.epsilon_lower(guesses, least, alpha=alpha, delta=delta) > epsilon
    assert one_run.epsilon_lower(guesses, least, alpha=reached * (1 - 1e-9), delta=delta) < epsilon


@given(st.integers(1, 3000), st.data())
def test_the_tail_is_rounded_up(guesses: int, data: st.DataObject) -> None:
    correct = data.draw(st.integers(0, guesses))
    found = one_run.log_upper_tail(guesses, correct)
    with mpmath.workdps(40):
        exact = mpmath.log(mpmath.mpf(sum(comb(guesses, right) for right in range(correct, guesses + 1)))) - guesses * mpmath.log(
            2
        )
        assert exact <= found <= exact + 2e-11 + 1e-13 * abs(exact)


@pytest.mark.parametrize(
    ("guesses", "correct"), [(100_000, 55_500), (100_000, 55_700), (1_000_000, 517_000), (1_000_000, 518_500)]
)
def test_both_ways_to_the_tail_agree_with_exact_terms(guesses: int, correct: int) -> None:
    """On either side of where the incomplete beta function is left: the sum of terms with 60 digits."""
    with mpmath.workdps(60):
        term = total = mpmath.mpf(1)
        for right in range(correct, guesses):
            term *= mpmath.mpf(guesses - right) / (right + 1)
            total += term
            if term < total * mpmath.mpf(10) ** -40:
                break
        first = mpmath.loggamma(guesses + 1) - mpmath.loggamma(correct + 1) - mpmath.loggamma(guesses - correct + 1)
        exact = mpmath.log(total) + first - guesses * mpmath.log(2)
    found = one_run.log_upper_tail(guesses, correct)
    assert exact <= found <= exact * (1 - 1e-10)


@given(st.integers(1, 2000), st.data())
def test_more_right_guesses_bound_more_and_a_larger_delta_less(guesses: int, data: st.DataObject) -> None:
    correct = data.draw(st.integers(0, guesses - 1))
    alpha = data.draw(st.floats(0.001, 0.5))
    delta = data.draw(st.floats(0, 0.9)) * alpha
    found = one_run.epsilon_lower(guesses, correct, alpha=alpha, delta=delta)
    slack = 3e-11 + 1e-12 * found
    assert one_run.epsilon_lower(guesses, correct + 1, alpha=alpha, delta=delta) >= found - slack
    assert one_run.epsilon_lower(guesses, correct, alpha=alpha, delta=delta / 2) >= found
    assert one_run.epsilon_lower(guesses, correct, alpha=min(0.99, 1.5 * alpha), delta=delta) >= found
    assert one_run.epsilon_lower(guesses + 1, correct, alpha=alpha, delta=delta) <= found + slack


def test_the_largest_numbers_of_guesses_stay_finite() -> None:
    most = one_run.MOST_GUESSES
    assert one_run.epsilon_lower(most, most, alpha=0.05, delta=0) == pytest.approx(most * math.log(2) + math.log(0.05), rel=1e-13)
    assert one_run.epsilon_lower(most, 0, alpha=0.05, delta=0) == 0
