"""The largest score in a pool: exchanging models exchanges their scores, a margin only raises p, and p keeps its level."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.stats import binom

from auditor.maths.statistics import pool

LEVEL = 0.05
NUMBERS = st.floats(min_value=-100, max_value=100, allow_nan=False).map(lambda value: round(value, 3))


def tables(rows: int, columns: int = 4) -> st.SearchStrategy[np.ndarray]:
    return arrays.arrays(np.float64, (rows, columns), elements=NUMBERS)


@given(scores=tables(8), holding=tables(3), order=st.permutations(range(8)))
def test_permuting_the_pool_permutes_the_largest_scores(scores: np.ndarray, holding: np.ndarray, order: list[int]) -> None:
    own, rest = pool.largest(scores[0], scores[1:], holding)
    before = np.concatenate([[own], rest])
    mixed = scores[order]
    own, rest = pool.largest(mixed[0], mixed[1:], holding)
    assert np.concatenate([[own], rest]) == pytest.approx(before[order], abs=1e-6)


@given(scores=tables(8), holding=tables(3), margin=st.floats(min_value=0, max_value=2))
def test_a_margin_only_raises_p(scores: np.ndarray, holding: np.ndarray, margin: float) -> None:
    assert pool.p_value(scores[0], scores[1:], holding, margin=margin) >= pool.p_value(scores[0], scores[1:], holding)


@given(scores=tables(8), holding=tables(3), scale=st.floats(min_value=0.01, max_value=100), shift=NUMBERS)
def test_units_of_a_column_do_not_matter(scores: np.ndarray, holding: np.ndarray, scale: float, shift: float) -> None:
    # Far from zero a spread may be rounding, which counts as none.
    scores, holding = scores * 1.0, holding * 1.0
    if np.any((scores.std(axis=0) < 1e-6) & (scores.std(axis=0) > 0)):
        return
    own, rest = pool.largest(scores[0], scores[1:], holding)
    again, others = pool.largest(scores[0] * scale + shift, scores[1:] * scale + shift, holding * scale + shift)
    assert np.concatenate([[again], others]) == pytest.approx(np.concatenate([[own], rest]), rel=1e-5, abs=1e-5)


@given(scores=tables(8), holding=tables(3))
def test_p_is_a_share_of_the_pool(scores: np.ndarray, holding: np.ndarray) -> None:
    assert round(pool.p_value(scores[0], scores[1:], holding) * 8) in range(1, 9)


def test_equal_models_are_never_told() -> None:
    same = np.ones((40, 3))
    assert pool.p_value(same[0], same[1:], same[:2] + 1) == 1.0


def test_what_tells_more_counts_more() -> None:
    """One column tells models that hold the records, a hundred others are noise: the one decides."""
    rng = np.random.default_rng(0)
    scores = rng.standard_t(3, size=(40, 101))
    scores[0, 0] = 5.0
    holding = rng.standard_t(3, size=(5, 101))
    holding[:, 0] += 5.0
    assert pool.p_value(scores[0], scores[1:], holding) <= LEVEL
    assert pool.leading(scores[0], scores[1:], holding) == 0
    assert np.max(pool.standardised(scores)[1:], axis=1).max() > pool.standardised(scores)[0].max()


def told_share(
    *,
    tests: int,
    columns: int,
    margin: float = 0.0,
    within: bool = False,
    heavy: bool = True,
    groups: int = 0,
    seed: int = 0,
) -> int:
    """How many of so many honest models are told; `within` calibrates on the K others alone and ranks the release among them."""
    rng = np.random.default_rng(seed)
    told = 0
    together = np.arange(columns) % groups if groups else None
    for _ in range(tests):
        mixing = rng.normal(size=(columns, columns))
        drawn = rng.standard_t(4, size=(45, columns)) if heavy else rng.normal(size=(45, columns))
        scores = drawn @ mixing
        holding = scores[40:] + np.abs(rng.normal(size=columns)) * 3
        if within:
            rest = scores[1:40]
            largest = ((scores[:40] - rest.mean(axis=0)) / rest.std(axis=0)).max(axis=1)
            told += (1 + np.count_nonzero(largest[1:] >= largest[0])) / 40 <= LEVEL
        else:
            told += pool.p_value(scores[0], scores[1:40], holding, margin=margin, groups=together) <= LEVEL
    return told


@pytest.mark.parametrize("columns", [1, 12, 80])
def test_honest_models_are_told_at_the_level_at_most(columns: int) -> None:
    tests = 400
    assert told_share(tests=tests, columns=columns, seed=columns) <= binom.ppf(0.999, tests, LEVEL)


@pytest.mark.parametrize("groups", [1, 6])
@pytest.mark.parametrize("heavy", [False, True])
def test_honest_models_are_told_at_the_level_at_most_where_columns_count_together(groups: int, heavy: bool) -> None:
    tests = 400
    assert told_share(tests=tests, columns=60, groups=groups, heavy=heavy, seed=groups) <= binom.ppf(0.999, tests, LEVEL)


@pytest.mark.slow
@pytest.mark.parametrize("groups", [1, 6])
def test_the_level_holds_over_thousands_of_honest_models_where_columns_count_together(groups: int) -> None:
    tests = 4000
    assert told_share(tests=tests, columns=60, groups=groups, seed=2) <= binom.ppf(0.9999, tests, LEVEL)


def test_columns_that_count_together_are_added_by_their_gaps() -> None:
    """By hand: mean 0 and deviation 1 in each column; gaps 2 and 1 in the first group, none and −3 in the second."""
    signs = np.array([[1.0], [-1.0]] * 20)
    scores = np.hstack([signs, signs[::-1], signs, signs])
    holding = np.tile([2.0, 1.0, 0.0, -3.0], (5, 1))
    groups = np.array([0, 0, 1, 1])
    own, rest = pool.largest(scores[0], scores[1:], holding, groups=groups)
    # 2 · 1 + 1 · (−1) = 1 in the first group, whose deviation is 1; such models show 2 · 2 + 1 · 1 = 5 there, which counts as 4.
    assert own == pytest.approx(4 / 2 - 4**2 / 8)
    assert rest.max() == own
    assert pool.leading(scores[0], scores[1:], holding, groups=groups) == 0
    assert pool.p_value(scores[0], scores[1:], holding, groups=groups) == 20 / 40


def test_what_every_column_shows_a_little_is_told_together_though_others_stand_out_in_one() -> None:
    """Thirty ways of asking about the same records: retrained models are outliers in one of them now and then."""
    told = {True: 0, False: 0}
    for seed in range(50):
        rng = np.random.default_rng(seed)
        scores, holding = rng.standard_t(2, size=(200, 30)), rng.standard_t(2, size=(5, 30)) + 4
        scores[0] += 4
        for together in told:
            groups = np.zeros(30, dtype=np.int64) if together else None
            told[together] += pool.p_value(scores[0], scores[1:], holding, margin=0.1, groups=groups) <= 0.01
    assert told[True] >= 48
    assert told[False] <= 20


def test_ways_of_asking_that_show_nothing_do_not_hide_one_that_does() -> None:
    rng = np.random.default_rng(4)
    told = 0
    for _ in range(50):
        scores, holding = rng.normal(size=(200, 30)), rng.normal(size=(5, 30))
        scores[0, 0] += 8
        holding[:, 0] += 8
        told += pool.p_value(scores[0], scores[1:], holding, margin=0.1, groups=np.zeros(30, dtype=np.int64)) <= 0.01
    assert told >= 40


def test_a_column_in_which_such_models_show_far_too_much_takes_no_margin_of_the_others() -> None:
    """Likelihoods that were set by these very models are higher for them than for any other model that holds the records."""
    rng = np.random.default_rng(6)
    scores, holding = rng.normal(size=(200, 10)), rng.normal(size=(5, 10)) + 6
    scores[0] += 6
    holding[:, 0] += 400
    groups = np.zeros(10, dtype=np.int64)
    assert pool.p_value(scores[0], scores[1:], holding, margin=0.1, groups=groups) == 1 / 200


def test_calibrating_on_the_others_alone_would_not_keep_the_level() -> None:
    tests = 400
    assert told_share(tests=tests, columns=80, within=True) > binom.ppf(0.999, tests, LEVEL)


@pytest.mark.slow
@pytest.mark.parametrize("columns", [1, 12, 80, 300])
@pytest.mark.parametrize("heavy", [False, True])
def test_the_level_holds_over_thousands_of_honest_models(columns: int, heavy: bool) -> None:
    tests = 4000
    assert told_share(tests=tests, columns=columns, heavy=heavy, seed=1) <= binom.ppf(0.9999, tests, LEVEL)


def test_the_share_is_what_is_left_of_what_models_show_that_hold_the_records() -> None:
    others, holding = np.zeros((39, 2)), np.array([[2.0, 1.0], [2.0, -1.0]])
    assert pool.shares(np.array([0.5, 0.9]), holding, others).tolist() == [0.25, -np.inf]


def test_a_column_that_one_model_that_holds_the_records_does_not_show_tells_nothing() -> None:
    others = np.zeros((39, 1))
    assert not pool.tellable(np.array([[3.0], [0.1]]), others).any()
    assert pool.tellable(np.array([[3.0], [2.0]]), others).all()


@pytest.mark.parametrize(
    ("gap", "counted"),
    [(-1.0, 0.5), (0.0, 0.5), (0.499, 0.5), (0.5, 0.5), (0.501, 0.501), (1.0, 1.0), (3.0, 3.0), (4.0, 4.0), (85.0, 4.0)],
)
def test_a_column_weighs_by_its_gap_between_half_a_deviation_and_four(gap: float, counted: float) -> None:
    """g z / 2 − g² / 8 by hand, of a pool with mean 0 and standard deviation 1: no column is blind, and none counts for more."""
    scores = np.array([[1.0], [-1.0]] * 20)
    own, rest = pool.largest(scores[0], scores[1:], np.full((5, 1), gap))
    assert own == pytest.approx(counted / 2 - counted**2 / 8, abs=1e-12)
    assert rest.min() == pytest.approx(-counted / 2 - counted**2 / 8, abs=1e-12)
