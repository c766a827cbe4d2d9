"""What new keys in the dictionaries of libraries have room for: by their characters, and by their order.

A cache that was asked for something keeps it as a key. Short keys, of names, types and small whole numbers, are let be until all
of them together have room for a record; so is the order in which keys came.
"""

from __future__ import annotations

import math
import re
import types
from collections.abc import Callable, Collection, Iterator, Sequence
from enum import Enum
from typing import Any, Final

import numpy as np

from auditor.sandbox.let_be import is_length, is_subclass
from auditor.sandbox.process_state import Root

ADDRESS: Final = re.compile(r"0x[0-9a-f]{1,12}(?![0-9a-f])")
"""How a name tells where in memory something lies, which is another place in each process."""
_SHORT: Final = 40
"""Characters of a key in a library's cache, and parts, from which on the key counts as content."""
_ROOM: Final = 1024
"""Characters of all short keys of a process, from which on they count as content too: libraries themselves ask for fewer."""
_ROOM_OF_ORDERS: Final = 512 * math.log(2)
"""What the order of new keys in all libraries together has room for, from which on it counts: 64 bytes, as of single numbers."""
_CLASS: Final = "class"
_LENGTH: Final = "length"
"""What the order of new keys has of each length of arrays: the number is a short key, which has room of its own."""


def with_room(short: list[Root], orders: list[tuple[str, list[str]]]) -> Iterator[Root]:
    """Short keys of caches, and the order of new keys, where all of them together have room for a record."""
    if sum(_room(key) for _, key in short) > _ROOM:
        yield from short
    if has_room([told for _, told in orders]):
        yield from ((name, told) for name, told in orders if len(told) > 1)


def _told_of(key: Any) -> str:
    """A key as far as it has no address."""
    return ADDRESS.sub(
        "address", ",".join(str(each) if type(each) in {str, int} else type(each).__name__ for each in _parts_of(key))
    )


def told_in_order(key: Any, value: Any) -> str:
    """The same in the order of new keys, with one word each for lengths of arrays and for addresses of classes."""
    return _LENGTH if is_length(key, value) else _CLASS if is_subclass(key, value) else _told_of(key)


def _room(key: Any) -> int:
    """How many characters of something else a short key has room for, of which one that is not ASCII has room for three."""
    return sum((len(each) if each.isascii() else 3 * len(each)) if type(each) is str else 2 for each in _parts_of(key))


def has_room(orders: Collection[Sequence[str]]) -> bool:
    """Whether the orders of some keys together have room for a record."""
    return sum(math.lgamma(len(told) + 1) for told in orders) > _ROOM_OF_ORDERS


def is_short(key: Any, known: Callable[[Any], bool]) -> bool:
    """Whether a key has no room for a record: names, types that were there before, short texts, small whole numbers.

    Args:
        key: Of a cache.
        known: Whether a class, function or module was there before.
    """
    parts = list(_parts_of(key))
    return (
        len(parts) <= _SHORT
        and sum(len(each) for each in parts if type(each) is str) <= _SHORT
        and all(_is_plain(each, known) for each in parts)
    )


def _parts_of(key: Any) -> Iterator[Any]:
    if not isinstance(key, tuple):
        yield key
        return
    for each in key:
        yield from _parts_of(each)


def _is_plain(key: Any, known: Callable[[Any], bool]) -> bool:
    if type(key) is str:
        return True
    if isinstance(key, np.datetime64 | np.timedelta64):
        return bool(np.isnat(key))
    if isinstance(key, int | float | np.integer | np.floating | np.bool_):
        number = float(key) if not isinstance(key, int) or abs(key) < 1 << 16 else math.pi
        return not math.isfinite(number) or (number.is_integer() and abs(number) < 1 << 16)
    named = isinstance(key, types.BuiltinFunctionType | Enum) or (
        isinstance(key, type | types.FunctionType | types.ModuleType) and known(key)
    )
    return key is None or named or (isinstance(key, np.dtype) and key.metadata is None)
