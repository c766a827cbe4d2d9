"""Laws of the grid: what rounding gives is on it, and what is on it was rounded, but next to midpoints."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from auditor.case.rewriting import Placed, free_bits, place, rounded

exponents = st.integers(-60, 20)
vectors = arrays.arrays(np.float64, st.integers(1, 40), elements=st.floats(-1e3, 1e3, allow_nan=False))
CLEAN = Placed(not_multiples=0, elsewhere=0, neighbours=0, near_midpoints=0)


def fine_enough(values: np.ndarray, exponent: int) -> float:
    grid = math.ldexp(1.0, exponent)
    assume(float(np.abs(values).max()) * 2.0**-40 <= grid)
    return grid


@given(values=vectors, exponent=exponents)
def test_rounding_is_to_the_nearest_multiple_and_ties_go_to_the_even_one(values: np.ndarray, exponent: int) -> None:
    grid = fine_enough(values, exponent)
    for value, found in zip(values.tolist(), rounded(values, grid).tolist(), strict=True):
        exact = Fraction(value) / Fraction(grid)
        assert Fraction(found) == round(exact) * Fraction(grid)
        assert math.copysign(1.0, found) > 0 or found < 0, "zero has no sign"


@given(values=vectors, exponent=exponents)
def test_the_rounded_rerun_is_on_the_grid_and_rounding_twice_changes_nothing(values: np.ndarray, exponent: int) -> None:
    grid = fine_enough(values, exponent)
    once = rounded(values, grid)
    assert place(once, values, grid, 0.0) == CLEAN
    assert rounded(once, grid).tobytes() == once.tobytes()


@given(values=vectors, exponent=exponents, share=st.floats(0, 1 / 16), data=st.data())
def test_any_rerun_within_the_difference_rounds_to_what_is_allowed(
    values: np.ndarray, exponent: int, share: float, data: st.DataObject
) -> None:
    grid = fine_enough(values, exponent)
    between = share * grid
    moves = data.draw(arrays.arrays(np.float64, len(values), elements=st.floats(-1, 1)))
    other = values + moves * between
    found = place(rounded(other, grid), values, grid, float(np.abs(other - values).max()))
    assert (found.not_multiples, found.elsewhere) == (0, 0)


@given(values=vectors, exponent=exponents, share=st.floats(0, 1 / 16), at=st.integers(0, 39), steps=st.integers(-3, 3))
def test_a_multiple_that_no_such_rerun_rounds_to_is_elsewhere(
    values: np.ndarray, exponent: int, share: float, at: int, steps: int
) -> None:
    grid = fine_enough(values, exponent)
    at, between = at % len(values), share * grid
    shipped = rounded(values, grid)
    shipped[at] += steps * grid
    exact = Fraction(float(values[at]))
    off = abs(Fraction(float(shipped[at])) - exact)
    allowed = Fraction(grid) / 2 + (Fraction(between) if between > 0 else 0)
    found = place(shipped, values, grid, between)
    if steps and off > allowed:
        assert (found.elsewhere, found.not_multiples) == (1, 0)
    elif steps and between > 0:
        assert (found.elsewhere, found.neighbours) == (0, 1)
    else:
        assert steps or (found.elsewhere, found.neighbours) == (0, 0)


@given(values=vectors, exponent=exponents, at=st.integers(0, 39), bits=st.integers(1, 2**20))
def test_low_bits_are_no_multiples(values: np.ndarray, exponent: int, at: int, bits: int) -> None:
    grid = fine_enough(values, exponent)
    shipped = rounded(values, grid)
    at %= len(values)
    shipped[at] += bits / 2**21 * grid
    assume(shipped[at] != rounded(shipped, grid)[at])
    assert place(shipped, values, grid, grid / 16).not_multiples == 1


def test_the_sign_of_a_zero_is_no_multiple() -> None:
    rerun = np.array([-1e-9, 1e-9, 0.5])
    assert place(np.array([-0.0, 0.0, 0.5]), rerun, 2.0**-10, 0.0).not_multiples == 1
    assert np.signbit(rounded(rerun, 2.0**-10)).tolist() == [False, False, False]


@pytest.mark.parametrize(("between", "neighbours", "elsewhere"), [(0.0, 0, 1), (2.0**-16, 1, 0)])
def test_a_midpoint_has_one_rounding_where_reruns_agree_and_two_where_they_differ(
    between: float, neighbours: int, elsewhere: int
) -> None:
    grid, rerun = 2.0**-10, np.array([1.5 * 2.0**-10, 1.0])
    assert rounded(rerun, grid)[0] == 2 * grid
    found = place(np.array([grid, 1.0]), rerun, grid, between)
    assert (found.neighbours, found.elsewhere, found.near_midpoints) == (neighbours, elsewhere, int(between > 0))


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16])
def test_free_bits_count_the_values_that_lie_close_enough(kind: type) -> None:
    values = np.array([1.0, -2.0], dtype=kind).astype(np.float64)
    step = float(np.spacing(kind(1.0)))
    assert free_bits(values, 0.0, np.dtype(kind)) == 0.0
    # Four above 1 and eight below it, where they lie closer; two and four around 2.
    assert free_bits(values, 4 * step, np.dtype(kind)) == pytest.approx((math.log2(13) + math.log2(7)) / 2)
    assert free_bits(np.zeros(1), float(np.finfo(kind).smallest_subnormal), np.dtype(kind)) == pytest.approx(math.log2(3))
