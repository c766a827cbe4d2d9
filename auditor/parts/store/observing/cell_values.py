"""Read the cells of a column as the values that they spell: numbers, truths and times, as floats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import TypeAlias

import numpy as np

from auditor.base.mixed_columns import MISSING_ELSEWHERE, Kind, moment
from auditor.parts.store.observing.number_forms import NUMBERS, TIMES, TRUTHS, Form
from auditor.parts.store.observing.people import People

_Values: TypeAlias = Callable[[Sequence[str]], list[float | None]]


def codes_of(name: str, people: People) -> tuple[tuple[Form, ...], _Values] | None:
    """The forms that a column's values have, and how its cells are read; None for text, which is what it is."""
    role, known = people.columns.get(name), people.labels
    if role == "feature" and people.train.table is not None:
        kind = next((each.kind for each in people.train.table if each.name == name), Kind.TEXT)
        return {Kind.BOOLEAN: (TRUTHS, _truths), Kind.TIME: (TIMES, _times), Kind.NUMBER: (NUMBERS, _numbers),
                Kind.INTEGER: (NUMBERS, _numbers)}.get(kind)  # fmt: skip
    of_label = role == "label" and (known is None or all(each.lstrip("-").isdigit() for each in known))
    return (NUMBERS, _numbers) if of_label or role in {"feature", "number"} else None


def missing_in(name: str, cells: Sequence[str], people: People) -> frozenset[str]:
    """The cells of a known column that are read as none."""
    if people.columns.get(name) in {None, "declared"}:
        return frozenset()
    words = people.words.get(name, {})
    if people.columns.get(name) == "label" and people.labels is not None:
        words = dict.fromkeys(people.labels, 0.0)  # a class may be called none
    return frozenset(cell for cell in set(cells) if cell.strip().lower() in MISSING_ELSEWHERE and cell not in words)


def _numbers(cells: Sequence[str]) -> list[float | None]:
    try:
        values = list(map(float, cells))
    except ValueError:
        return [_number(cell) for cell in cells]
    return [*values] if np.isfinite(values).all() else [_number(cell) for cell in cells]


def _number(cell: str) -> float | None:
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if isfinite(value) else None


def _truths(cells: Sequence[str]) -> list[float | None]:
    return [{"true": 1.0, "false": 0.0, "1": 1.0, "0": 0.0}.get(cell.strip().lower()) for cell in cells]


def _times(cells: Sequence[str]) -> list[float | None]:
    return list(map(_microseconds, cells))


def _microseconds(cell: str) -> float | None:
    try:
        return float(moment(cell.strip().strip('"')))
    except (ValueError, OverflowError):
        return None
