"""Canonical JSON is what the library `rfc8785` writes, and what it refuses is refused in the same way."""

from __future__ import annotations

import math
import struct
from typing import Any

import pytest
import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from auditor.base.canonical import canonical_bytes
from auditor.base.domain import Status

_BITS = st.integers(0, 2**64 - 1).map(lambda bits: struct.unpack("<d", bits.to_bytes(8, "little"))[0])
_SCALED = st.builds(lambda digits, power: float(f"{digits}e{power}"), st.integers(-(10**17), 10**17), st.integers(-30, 30))
_TEXTS = st.text(st.characters(exclude_categories=[]), max_size=6)
_SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(-(2**54), 2**54), _BITS, _SCALED, _TEXTS, st.sampled_from(Status)
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=2).map(tuple),
        st.dictionaries(st.one_of(_TEXTS, st.just("a")), inner),
    ),
    max_leaves=12,
)


def _written(write: Any, value: Any) -> object:
    try:
        return write(value)
    except (ValueError, RecursionError) as error:
        return type(error), str(error)


@given(_VALUES)
@example(-0.0)
@example(0.0)
@example(1e16)
@example(1e-5)
@example(123456789012345680000.0)
@example(1e21)
@example(5e-324)
@example(math.nan)
@example(-math.inf)
@example({"\ue000": 1, "\U00010000": 2})
@example({"a": "\ud800"})
@example({"\ud800": 1})
@example({1: "a"})
@example(['\x00\x1f\x7f\u2028\\"/'])
@example({"x": {1, 2}})
def test_it_is_the_librarys_form(value: Any) -> None:
    """Numbers of any size, texts of any characters, keys in the order of their UTF-16 units, errors included."""
    assert _written(canonical_bytes, value) == _written(rfc8785.dumps, value)


def test_what_is_nested_too_deeply_is_refused() -> None:
    """Nobody recurses without end."""
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(RecursionError):
        canonical_bytes(value)
