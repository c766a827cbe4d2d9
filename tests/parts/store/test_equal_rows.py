"""The search of large tables finds what a comparison of every row with every other one finds."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from auditor.base import row_blocks
from auditor.parts.store.observing.equal_rows import Chosen, Known
from auditor.parts.store.observing.looked_up import LookedUp

WITHIN = 4e-4
FORMS = ("normal", "rounded", "quantised", "equal", "zeros", "far")


def table(form: str, seed: int, rows: int = 60, width: int = 5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    made = rng.normal(size=(rows, width))
    match form:
        case "rounded":
            made = made.round(1)
        case "quantised":
            made = np.rint(made * 2) / 2
        case "equal":
            made = made[rng.integers(0, 4, rows)]
        case "zeros":
            made = np.where(rng.random(made.shape) < 0.5, -0.0, made.round())
        case "far":
            made[::7] *= 1e12
    return made


def others(known: np.ndarray, seed: int) -> np.ndarray:
    """Rows that are known, known but for the tolerance, just beyond it, permuted, strangers', or no numbers."""
    rng = np.random.default_rng(seed + 1)
    some = known[rng.integers(0, len(known), 40)]
    off = rng.choice([0.0, 0.9, -0.9, 1.1], size=some.shape, p=[0.4, 0.25, 0.25, 0.1]) * WITHIN
    odd = np.full((2, known.shape[1]), [[np.nan], [np.inf]])
    return np.concatenate([some + off, some, some[:, ::-1], rng.normal(size=some.shape), 0.0 * some, odd])


@given(st.sampled_from(FORMS), st.integers(0, 2**20))
def test_rows_that_equal_a_known_one_are_those_that_a_comparison_of_all_finds(form: str, seed: int) -> None:
    everybody = table(form, seed)
    chosen = np.random.default_rng(seed).permutation(len(everybody))[:40]
    known, rows = everybody[chosen], others(everybody[chosen], seed)
    with np.errstate(invalid="ignore"):
        found = Known(Chosen(everybody, chosen), lambda each: each, WITHIN).equal(rows)
        same = (np.abs(rows[:, None] - known) <= WITHIN).all(axis=2)
    assert np.array_equal(found >= 0, same.any(axis=1))
    assert same[np.flatnonzero(found >= 0), found[found >= 0]].all()


@given(st.sampled_from(FORMS), st.integers(0, 2**20))
def test_measures_are_those_of_the_chosen_rows(form: str, seed: int) -> None:
    everybody = table(form, seed)
    chosen = np.arange(0, len(everybody), 3)
    lows, highs, means, deviations = Chosen(everybody, chosen).measures()
    rows = everybody[chosen]
    assert np.array_equal(lows, rows.min(axis=0))
    assert np.array_equal(highs, rows.max(axis=0))
    assert np.allclose(means, rows.mean(axis=0), rtol=1e-12)
    assert np.allclose(deviations, rows.std(axis=0), rtol=1e-9, atol=1e-9)


@given(st.sampled_from(FORMS), st.integers(0, 2**20), st.sampled_from([4, 23, 1 << 22]), st.booleans())
def test_a_table_in_blocks_holds_the_rows_that_it_holds_as_a_whole(form: str, seed: int, size: int, single: bool) -> None:
    known = table(form, seed, width=3)
    held = np.column_stack([np.arange(len(known)), known[::-1], np.full(len(known), np.nan)])
    held = held.astype(np.float32) if single else held
    row, tolerance = known[seed % len(known)], np.full(3, 1e-6 * np.abs(known).max())
    windows = np.lib.stride_tricks.sliding_window_view(held.astype(np.float64), 3, axis=1)
    expected = int(np.count_nonzero((np.abs(windows - row) <= tolerance).all(axis=2).any(axis=1)))
    before, row_blocks.BLOCK_NUMBERS = row_blocks.BLOCK_NUMBERS, size
    try:
        found = sum(len(each.near(row, tolerance)) for each in LookedUp.blocks(held, 3))
    finally:
        row_blocks.BLOCK_NUMBERS = before
    assert found == expected
