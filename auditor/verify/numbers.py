"""Comparing what a document says with what was derived again, and putting the difference into words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

RELATIVE: Final = 1e-9
ABSOLUTE: Final = 1e-12
"""Libraries of other versions and processors differ in the last digits; nothing that decides comes near these."""


def same(found: Any, expected: Any) -> bool:
    """Whether two JSON values are equal, numbers up to rounding."""
    if _number(found) and _number(expected):
        return math.isclose(found, expected, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    if _list(found) and _list(expected):
        return len(found) == len(expected) and all(same(one, other) for one, other in zip(found, expected, strict=True))
    return type(found) is type(expected) and bool(found == expected)


def shown(value: Any) -> str:
    """A value as a message shows it."""
    if isinstance(value, float):
        return f"{value:.12g}"
    if _list(value):
        return f"[{', '.join(shown(item) for item in value)}]" if len(value) <= 4 else f"a list of {len(value)}"
    if value is None:
        return "nothing"
    return f'"{value}"' if isinstance(value, str) else str(value)


def differs(name: str, found: Any, expected: Any, why: str) -> Iterator[str]:
    """One message where `found` is not `expected`; `why` says where the latter comes from, as a verb phrase."""
    if not same(found, expected):
        yield f"{name} is {shown(found)}, {why} {shown(expected)}"


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
