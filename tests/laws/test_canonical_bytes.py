"""Canonical bytes are those of the reference implementation, and what has none has none here."""

from __future__ import annotations

from typing import Any

import pytest
import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from auditor.document import canonical

EDGES = (
    0,
    1,
    -1,
    2**53 - 1,
    1 - 2**53,
    0.0,
    -0.0,
    1e-4,
    9.999e-5,
    1e-6,
    1e-7,
    9e-8,
    1e15,
    1e16,
    1e20,
    1e21,
    1e22,
    123456789012345680.0,
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(EDGES) | st.floats(-1e3, 1e3)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner)
        | st.lists(st.integers(-(2**54), 2**54))
        | st.lists(st.integers(-9, 9) | st.floats() | st.floats(-9, 9) | st.integers(-9, 9).map(float))
        | st.dictionaries(st.text(max_size=3), inner)
        | st.dictionaries(st.sampled_from(["a", "B", "é", "\ufb33", "\U0001f600", "\u20ac", "1", ""]), inner)
    ),
    max_leaves=12,
)


def outcome(write: Any, value: Any) -> bytes | type[ValueError]:
    try:
        written: bytes = write(value)
    except ValueError:
        return ValueError
    return written


@given(VALUES)
@example([True, 1, 2])
@example([1, 2**53])
@example([-(2**53), 0])
@example([float("nan")])
@example({"a": float("inf")})
@example("\ud800")
@example({"\ud800": 1})
@example('"\\/\b\f\n\r\t\x00\x1f\x7f\u2028é')
@example(list(EDGES))
@example([-each for each in EDGES])
@example([[], {}, [[]]])
@example([0.5, 1.0, 0.25])
@example([1.0, 0.5])
@example([0.5, 1.0])
@example([0.5, 1e-9])
@example([0.5, float("inf")])
@example([-float("inf"), 0.5])
@example([0.5, -0.0])
def test_they_are_those_of_the_reference(value: Any) -> None:
    assert outcome(canonical.dumps, value) == outcome(rfc8785.dumps, value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_is_written_as_the_reference_writes_it(value: float) -> None:
    assert canonical.dumps(value) == rfc8785.dumps(value)


@pytest.mark.parametrize("value", [{1: 2}, (1, 2), {"a": object()}, [b"x"]], ids=repr)
def test_other_values_are_left_to_the_reference(value: Any) -> None:
    assert outcome(canonical.dumps, value) == outcome(rfc8785.dumps, value)
