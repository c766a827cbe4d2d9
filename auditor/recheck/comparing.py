"""Compares what a document says, leaf by leaf, with what its own context and observations give."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

RELATIVE: Final = 1e-9
ABSOLUTE: Final = 1e-12
"""Libraries of other versions and processors differ in the last digits; nothing that decides comes near these."""
LONGEST: Final = 120
"""Characters of a text that a message shows."""
MISSING: Final = "(missing)"
"""Stands where one side has no such leaf."""


def same(found: Any, expected: Any) -> bool:
    """Whether two JSON values are equal, numbers up to rounding."""
    return next(differences(found, expected), None) is None


def differences(found: Any, expected: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Every leaf that differs: its path, what the document says and what was derived; numbers are held equal up to rounding."""
    if found is expected or _equal(found, expected):
        return
    if isinstance(found, Mapping) and isinstance(expected, Mapping):
        for key in sorted(found.keys() | expected.keys()):
            where = f"{path}.{key}" if path else str(key)
            yield from differences(found.get(key, MISSING), expected.get(key, MISSING), where)
    elif _is_list(found) and _is_list(expected) and len(found) == len(expected):
        for index, (one, other) in enumerate(zip(found, expected, strict=True)):
            yield from differences(one, other, f"{path}[{index}]")
    else:
        yield path, found, expected


def shown(value: Any) -> str:
    """A value as a message shows it."""
    match value:
        case float():
            return f"{value:.12g}"
        case str():
            return f'"{value}"' if len(value) <= LONGEST else f'"{value[: LONGEST - 1]}…"'
        case Mapping():
            return f"{len(value)} keys"
        case Sequence():
            return f"[{', '.join(shown(item) for item in value)}]" if len(value) <= 4 else f"a list of {len(value)}"
        case _:
            return "nothing" if value is None else str(value)


def said(found: Any, expected: Any) -> str:
    """The difference in words."""
    return f"it is {shown(found)}, what the document declares and observed gives {shown(expected)}"


def _equal(found: Any, expected: Any) -> bool:
    if _is_number(found) and _is_number(expected):
        return found == expected or math.isclose(found, expected, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    if isinstance(found, Mapping | Sequence) and not isinstance(found, str):
        return False
    return type(found) is type(expected) and bool(found == expected)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
