"""The last number on the safe side of a statement, whatever the statement and wherever the ends."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.maths.statistics.power import boundary

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
