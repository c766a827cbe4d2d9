"""Reads what the details of a check hold, where they hold it: a key may be missing, null or of another kind in any document."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value and its interval, as far as either is there."""

    value: float | None
    ends: tuple[float, float] | None


NOTHING = Estimate(None, None)
"""Where nothing was measured."""


def is_finite(value: Any) -> TypeGuard[float]:
    """Whether this is a finite number; truth values are not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def finite(value: Any) -> float | None:
    """The number, None where it is no finite one."""
    return float(value) if is_finite(value) else None


def positive(value: Any) -> float | None:
    """The number, None where it is no finite one above 0."""
    return float(value) if is_finite(value) and value > 0 else None


def count(value: Any) -> int | None:
    """The whole number, None where it is not one, or is below 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def words(value: Any) -> str:
    """The text, empty where it is not one."""
    return value if isinstance(value, str) else ""


def ends(value: Any) -> tuple[float, float] | None:
    """The ends of an interval [low, high], None where there are no two numbers in that order."""
    if not isinstance(value, list | tuple) or len(value) != 2 or not all(map(is_finite, value)):
        return None
    low, high = value
    return (float(low), float(high)) if low <= high else None


def estimate(holder: Any, key: str) -> Estimate:
    """The value under `key` of a mapping, and the interval under its key `interval`."""
    if not isinstance(holder, Mapping):
        return NOTHING
    return Estimate(finite(holder.get(key)), ends(holder.get("interval")))
