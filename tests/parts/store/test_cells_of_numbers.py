"""A number of a table is the cell of text that JSON writes for it."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.parts.store.observing.store_tables import cell_of


class Odd(float):
    """A number that shows itself otherwise."""

    def __repr__(self) -> str:
        return "odd"


@given(value=st.one_of(st.integers(), st.floats(), st.booleans()))
def test_it_is_written_as_json_writes_it(value: float) -> None:
    assert cell_of(value) == json.dumps(value)


@pytest.mark.parametrize("value", [-0.0, 5e-324, 1e22, math.nan, math.inf, 2**70, True, [1, 2.5], {"a": None}, Odd(1.5)])
def test_so_is_what_else_json_knows(value: object) -> None:
    assert cell_of(value) == json.dumps(value)


def test_texts_and_bytes_stay_and_dates_are_written() -> None:
    assert cell_of("a") == "a"
    assert cell_of(None) is None
    assert cell_of(b"\xff") == "ÿ"
    assert cell_of(datetime(2026, 1, 2, tzinfo=UTC)) == '"2026-01-02 00:00:00+00:00"'
