"""A job and its circumstances as bytes, so that equal bytes mean: the same answers may be expected.

Whatever dataclass comes, every one of its fields counts; a field that is added later cannot be forgotten here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from auditor.base.domain import Dataset


class Describer:
    """Turns values into JSON, arrays into digests; a table that many jobs share is digested once."""

    def __init__(self) -> None:
        """Start with no table known."""
        # A table that nobody else holds any more is not held here.
        self._tables: WeakKeyDictionary[Dataset, Any] = WeakKeyDictionary()

    def to_bytes(self, value: object) -> bytes:
        """A value as bytes that differ wherever the value does. They may hold a seed: hash them, keep them nowhere.

        Raises:
            TypeError: If it holds something that no rule is known for, or an array of Python objects.
        """
        return json.dumps(self._described(value), sort_keys=True, allow_nan=True).encode()

    def _described(self, value: object) -> Any:
        match value:
            case Enum():
                return [type(value).__name__, value.name]
            case None | bool() | int() | float() | str():
                return value
            case np.ndarray() | Dataset() | bytes():
                return self._table(value) if isinstance(value, Dataset) else _digested(value)
            case Mapping():
                return ["mapping", [[self._described(key), self._described(item)] for key, item in _in_order(value)]]
            case Sequence() if not isinstance(value, bytes | bytearray | memoryview):
                return [type(value).__name__, *(self._described(item) for item in value)]
        if is_dataclass(value) and not isinstance(value, type):
            return [type(value).__name__, {item.name: self._described(getattr(value, item.name)) for item in fields(value)}]
        raise TypeError(f"a job may not hold a {type(value).__name__}")

    def _table(self, table: Dataset) -> Any:
        found = self._tables.get(table)
        if found is None:
            found = ["Dataset", *(self._described(getattr(table, item.name)) for item in fields(table))]
            self._tables[table] = found
        return found


def _in_order(mapping: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    return sorted(mapping.items(), key=lambda item: str(item[0]))


def _digested(array: np.ndarray[Any, Any] | bytes) -> list[Any]:
    if isinstance(array, bytes):
        return ["bytes", len(array), hashlib.sha256(array).hexdigest()]
    if array.dtype.hasobject:
        raise TypeError("an array must hold numbers or strings, not objects")
    content = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return ["array", array.dtype.str, list(array.shape), hashlib.sha256(content.data).hexdigest()]
