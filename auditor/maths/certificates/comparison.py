"""Comparing two certificates field by field, where the last digits may depend on the machine that computed them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from auditor.base.domain import Certificate

RELATIVE_TOLERANCE = 1e-12


def differences(found: Certificate, expected: Certificate) -> tuple[str, ...]:
    """The paths of the fields in which two certificates differ, e.g. `epsilon` or `outputs.budget`, in field order."""
    return tuple(
        path
        for field in fields(Certificate)
        for path in _differ(field.name, getattr(found, field.name), getattr(expected, field.name))
    )


def _differ(path: str, found: Any, expected: Any) -> list[str]:
    found, expected = _plain(found), _plain(expected)
    if isinstance(found, Mapping) and isinstance(expected, Mapping):
        return _differ_by_name(path, found, expected)
    if _is_list(found) and _is_list(expected):
        return _differ_by_place(path, found, expected)
    return [] if _same(found, expected) else [path]


def _differ_by_name(path: str, found: Mapping[str, Any], expected: Mapping[str, Any]) -> list[str]:
    names = [*expected, *(name for name in found if name not in expected)]
    missing = [f"{path}.{name}" for name in names if (name in found) != (name in expected)]
    shared = [name for name in names if name in found and name in expected]
    return missing + [field for name in shared for field in _differ(f"{path}.{name}", found[name], expected[name])]


def _differ_by_place(path: str, found: Sequence[Any], expected: Sequence[Any]) -> list[str]:
    if len(found) != len(expected):
        return [path]
    pairs = enumerate(zip(found, expected, strict=True))
    return [field for index, (one, other) in pairs for field in _differ(f"{path}.{index}", one, other)]


def _same(found: Any, expected: Any) -> bool:
    if _is_number(found) and _is_number(expected):
        # isclose calls equal infinities close and nan never; both are what a recheck wants.
        return math.isclose(found, expected, rel_tol=RELATIVE_TOLERANCE, abs_tol=0.0)
    return type(found) is type(expected) and bool(found == expected)


def _plain(value: Any) -> Any:
    """Records as mappings, enums as their values: the form in which JSON brings them back."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
