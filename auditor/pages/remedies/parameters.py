"""Reads parameters of reasons, and settings of a procedure, which are JSON: each may be missing, null or of another kind."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any


def finite(value: Any) -> float | None:
    """The number, None where it is no finite one."""
    known = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if known else None


def positive(value: Any) -> float | None:
    """The number, None where it is no finite one above 0."""
    number = finite(value)
    return number if number is not None and number > 0 else None


def count(value: Any) -> int | None:
    """The whole number, None where it is not one, or is below 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def words(value: Any) -> str:
    """The text, empty where it is not one."""
    return value if isinstance(value, str) else ""


def entries(value: Any) -> Iterator[Mapping[str, object]]:
    """The mappings of a list, whatever else a document put there."""
    if isinstance(value, list | tuple):
        yield from (each for each in value if isinstance(each, Mapping))


def members(value: Any) -> tuple[object, ...]:
    """The members of a list, whatever they are."""
    return tuple(value) if isinstance(value, list | tuple) else ()


def ids(value: Any) -> tuple[str, ...]:
    """The strings of a list."""
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list | tuple) else ()
