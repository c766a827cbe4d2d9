"""Read columns of times that JSON has as whole numbers, of one unit since 1970, as pandas writes them unless told otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import numpy as np

from auditor.base.mixed_columns import Kind
from auditor.parts.store.observing.people import People

_FIRST: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NANOSECONDS: Final = 1000
"""In a microsecond, the smallest part of a time that the training data have."""
_SECOND: Final = 1_000_000_000
_UNITS: Final = (_SECOND, 1_000_000, _NANOSECONDS, 1)
"""Nanoseconds of a second, and of what is smaller."""


def with_times(columns: Mapping[str, Sequence[Any]], people: People) -> tuple[dict[str, Sequence[Any]], People]:
    """The columns of a table, those of times as texts where all that is there are whole numbers of one unit.

    The unit is the one with which they are nearest to the times that the training data have: none is chosen. The people that are
    given back lack these columns: how their cells are spelled says nothing, for a whole number is written in one way.
    """
    own = {each.name: at for at, each in enumerate(people.train.table or ()) if each.kind is Kind.TIME}
    found = {name: _as_times(cells, own.get(name), people) for name, cells in columns.items()}
    read = {name: columns[name] if cells is None else cells for name, cells in found.items()}
    left = {name: role for name, role in people.columns.items() if found.get(name) is None}
    return read, replace(people, columns=left) if len(left) < len(people.columns) else people


def _as_times(cells: Sequence[Any], at: int | None, people: People) -> list[Any] | None:
    """The times of one column as texts; None where it has none, or other things too."""
    there = [each for each in cells if each is not None]
    if at is None or not there or not all(type(each) is int for each in there):
        return None
    of_code = _NANOSECONDS if (people.train.table or ())[at].unit == "us" else _SECOND
    middle = float(np.median(np.abs(people.train.features[people.retained, at]))) * of_code
    given = float(np.median(np.abs(np.array(there, dtype=np.float64))))
    unit = min(_UNITS, key=lambda each: abs(np.log((given * each + 1) / (middle + 1))))
    if any(each * unit % _NANOSECONDS for each in there):
        return None
    try:
        return [None if each is None else _text(each * unit // _NANOSECONDS) for each in cells]
    except OverflowError:
        return None


def _text(microseconds: int) -> str:
    return (_FIRST + timedelta(microseconds=microseconds)).replace(tzinfo=None).isoformat(" ")
