"""The last number on the safe side of a statement, whatever the statement and wherever the ends."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.maths.statistics.power import boundary, crossing

numbers = st.floats(min_value=0, allow_nan=False, allow_infinity=False)


@given(numbers, numbers, numbers)
def test_what_comes_back_holds_and_its_neighbour_towards_the_outside_does_not(one, other, edge):
    low, high = sorted((one, other))
    edge = min(max(edge, low), high)
    up = boundary(lambda x: x >= edge, outside=low, inside=high)
    assert up == (math.nextafter(low, math.inf) if edge == low < high else edge)
    down = boundary(lambda x: x <= edge, outside=high, inside=low)
    assert down == (math.nextafter(high, 0) if edge == high > low else edge)


@given(numbers, numbers)
def test_64_questions_are_enough(one, other):
    asked = []
    boundary(lambda x: asked.append(x) or False, outside=one, inside=other)
    assert len(asked) <= 64


@pytest.mark.parametrize("end", [-1.0, math.inf, math.nan])
def test_an_end_that_is_no_number_from_0_on_is_refused(end):
    with pytest.raises(ValueError, match="finite and at least 0"):
        boundary(lambda _: True, outside=end, inside=1.0)
    with pytest.raises(ValueError, match="finite and at least 0"):
        boundary(lambda _: True, outside=1.0, inside=end)


@given(st.floats(1e-300, 1e300), st.floats(1e-3, 10), st.floats(1.5, 1e6))
def test_a_crossing_is_the_boundary_on_either_side(root, power, wide):
    """A search that was fooled would end further out, or on the wrong side; both ends are asked of the function itself."""

    def excess(x):
        return 1 - (x / root) ** power

    low, high = root / wide, root * wide
    up = crossing(excess, outside=low, inside=high)
    assert up == boundary(lambda x: excess(x) <= 0, outside=low, inside=high)
    down = crossing(lambda x: -excess(x), outside=high, inside=low)
    assert down == boundary(lambda x: -excess(x) <= 0, outside=high, inside=low)


def test_a_crossing_of_a_smooth_function_takes_less_than_half_the_steps():
    asked = []

    def excess(x):
        asked.append(x)
        return math.log(2) - math.log1p(x)

    found = crossing(excess, outside=0.0, inside=50.0)
    assert excess(found) <= 0 < excess(math.nextafter(found, 0))
    assert len(asked) <= 30


def test_a_crossing_is_found_where_the_function_has_no_slope():
    """Infinite and equal values give false position nothing to go by: halving finds the boundary."""
    found = crossing(lambda x: math.inf if x < 2 else -math.inf, outside=0.0, inside=1e300)
    assert found == 2.0
    assert crossing(lambda x: 1.0 if x < 2 else 0.0, outside=0.0, inside=1e300) == 2.0
