"""The exact test of bounded means: it holds its level whatever the law, and finds what shows in many pairs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from auditor.maths.statistics import bet_against

LEVEL = 0.02


def drawn(law: str, most: float, size: int, rng: np.random.Generator) -> np.ndarray:
    """Pairs of mean `most`, shape (1, size), as far from normal as they come."""
    if law == "nearly always the same":  # Student's lower limit is above the mean wherever the rare value does not occur
        high = most / 0.9
        return np.where(rng.random(size) < 0.9, high, 0.0)[None]
    if law == "seldom, and then all":
        return (rng.random(size) < most).astype(float)[None]
    if law == "all or nothing":
        return np.where(rng.random(size) < (1 + most) / 2, 1.0, -1.0)[None]
    return (rng.beta(0.3, 0.3 * (1 - most) / most, size))[None]


@pytest.mark.parametrize("law", ["nearly always the same", "seldom, and then all", "all or nothing", "beta"])
@pytest.mark.parametrize("size", [5, 20, 100])
def test_means_that_are_as_small_as_said_are_rejected_no_more_often_than_stated(law: str, size: int) -> None:
    rng, runs = np.random.default_rng(size), 1000
    rejected = sum(bet_against(drawn(law, 0.1, size, rng), most=0.1).rejects(LEVEL) for _ in range(runs))
    assert rejected <= binom.ppf(1 - 1e-4, runs, LEVEL)


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.25, 1.0]), min_size=1, max_size=6), st.sampled_from([0.0, 0.05, 0.5]))
def test_gains_are_what_the_products_give(pairs: list[float], most: float) -> None:
    stakes = {1.0: 1 / 2, 0.5: 1 / 4, 0.25: 1 / 8, 0.125: 1 / 8}
    products = [
        weight / 2 * math.prod(1 + stake / (1 + most) * (sign * pair - most) for pair in pairs)
        for stake, weight in stakes.items()
        for sign in (1, -1)
    ]
    found = bet_against(np.array([pairs]), most=most)
    assert found.gained == pytest.approx(math.log(math.fsum(products)), abs=1e-8)
    assert found.gained <= math.log(math.fsum(products))


def test_as_many_pairs_reject_as_were_said_to_be_needed() -> None:
    pairs = np.array([[0.4, 0.3, 0.5], [0.0, -0.1, 0.1]])
    needed = bet_against(pairs, most=0.1).pairs_needed(LEVEL)
    assert needed is not None
    enough = np.tile(pairs, (1, math.ceil(needed / 3)))
    assert bet_against(enough, most=0.1).rejects(LEVEL)
    assert not bet_against(enough[:, : needed // 2], most=0.1).rejects(LEVEL)


def test_no_number_of_pairs_within_what_was_said_would_reject() -> None:
    assert bet_against(np.full((2, 9), 0.1), most=0.1).pairs_needed(LEVEL) is None
    assert bet_against(-np.ones((1, 4)), most=0.0).rejects(1 / 4)
    with pytest.raises(ValueError, match="most must be at least 0"):
        bet_against(np.zeros((1, 3)), most=1.0)
