"""A Renyi lower bound from counts never lies above the truth beyond its error, and is what data processing says of two coins."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.maths.certificates import derive
from auditor.maths.certificates.renyi_lower import binary_divergence, radius
from auditor.maths.statistics import clopper_pearson
from auditor.parts.data_deletion.rules.adaptive import refuted_epsilon

orders = st.one_of(st.floats(1.001, 3), st.floats(3, 1000))
chances = st.one_of(st.floats(1e-6, 1 - 1e-6), st.floats(-12, -1).map(lambda power: 10**power))


def truth(order: float, first: float, second: float) -> mpmath.mpf:
    q, a, b = mpmath.mpf(order), mpmath.mpf(first), mpmath.mpf(second)
    return mpmath.log(a**q * b ** (1 - q) + (1 - a) ** q * (1 - b) ** (1 - q)) / (q - 1)


@given(orders, chances, chances)
def test_two_coins_against_many_digits(order: float, first: float, second: float) -> None:
    with mpmath.workdps(60):
        exact, found = truth(order, first, second), binary_divergence(order, first, second)
        assert 0 <= found <= max(exact, 0)
        assert exact - found <= 1e-11 * (1 + exact) * (1 + 1 / (order - 1))


@given(orders, chances, chances, chances)
def test_no_third_law_is_nearer_to_both_than_the_radius(order: float, first: float, second: float, third: float) -> None:
    second, first = sorted((first, second))
    if first - second < 1e-9:
        return
    found = radius(order, first, second)
    with mpmath.workdps(60):
        assert found <= max(truth(order, first, third), truth(order, second, third))
        assert found <= truth(order, first, second)


@given(orders, st.integers(20, 400), st.integers(20, 400), st.data())
def test_the_radius_says_at_least_what_theorem_4_1_says_of_the_same_event(
    order: float, trials: int, other_trials: int, data: st.DataObject
) -> None:
    hits, others = data.draw(st.integers(0, trials)), data.draw(st.integers(0, other_trials))
    given_ = {"q": order, "hits": hits, "trials": trials, "other_hits": others, "other_trials": other_trials, "confidence": 0.95}
    found = derive("renyi-lower", given_).outputs
    assert found["epsilon_lower"] >= found["radius_lower"] >= 0
    by_advantage = refuted_epsilon(order, math.sqrt(found["advantage"]))
    assert by_advantage <= found["radius_lower"] + 1e-9 * (1 + 1 / (order - 1))
    low = clopper_pearson(hits, trials, confidence=0.95).low
    assert found["low"] == low
    if low <= found["high"]:
        assert found["epsilon_lower"] == found["radius_lower"] == found["advantage"] == 0


@given(orders, st.integers(1, 200), st.integers(0, 199))
def test_more_hits_refute_more(order: float, hits: int, others: int) -> None:
    inputs = {"q": order, "trials": 200, "other_trials": 200, "confidence": 0.9}
    fewer, more = (derive("renyi-lower", inputs | {"hits": count, "other_hits": others}).outputs for count in (hits - 1, hits))
    slack = 1e-12 * (1 + 1 / (order - 1))
    assert more["epsilon_lower"] >= fewer["epsilon_lower"] - slack
    assert more["radius_lower"] >= fewer["radius_lower"] - slack


@pytest.mark.parametrize("shift", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("order", [1.5, 2.0, 8.0])
def test_on_gaussian_pairs_it_exceeds_the_divergence_no_oftener_than_its_error(shift: float, order: float) -> None:
    """N(mu, 1) and N(0, 1): R_q = q mu^2/2, and the law in the middle is q mu^2/8 from both; on equal laws it is 0."""
    rng = np.random.default_rng(int(100 * shift + order))
    repeats, trials, confidence = 400, 150, 0.8
    p, other = 0.5 * math.erfc(-shift / 2 / math.sqrt(2)), 0.5 * math.erfc(shift / 2 / math.sqrt(2))
    hits, others = rng.binomial(trials, p, repeats), rng.binomial(trials, other, repeats)
    wrong = wrong_radius = 0
    for hit, miss in zip(hits.tolist(), others.tolist(), strict=True):
        counted = {"hits": hit, "trials": trials, "other_hits": miss, "other_trials": trials}
        found = derive("renyi-lower", {"q": order, "confidence": confidence} | counted).outputs
        wrong += found["epsilon_lower"] > order * shift**2 / 2
        wrong_radius += found["radius_lower"] > order * shift**2 / 8
        if shift == 0:
            assert (found["epsilon_lower"] > 0) == (found["low"] > found["high"])
    # At most 20 % are wrong; over 400 repeats a count above 104 has a chance below one in a thousand.
    assert wrong <= 104
    assert wrong_radius <= 104
