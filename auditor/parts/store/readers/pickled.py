"""Read a pickle that holds nothing but numbers, text and dictionaries, opcode by opcode: nothing is imported, called or built."""

from __future__ import annotations

import pickletools
from typing import Any, Final

from auditor.parts.store.readers.contents import UnknownFormError

_NUMBERS: Final = frozenset({"BININT", "BININT1", "BININT2", "LONG1"})
_HELD: Final = _NUMBERS | {"BINUNICODE", "SHORT_BINUNICODE", "NONE", "EMPTY_DICT"}
"""Opcodes that put a value down."""
_PROTOCOLS: Final = range(2, 6)
_AT_ONCE: Final = 1000
_MOST_EMPTY: Final = 4
"""How often nothing is added: once for each dictionary at most."""
_MOST_BYTES: Final = 9
"""Bytes of a whole number, with its length."""


def read(content: bytes) -> tuple[Any, int]:
    """Read one value.

    Returns:
        The value, and how many bytes follow it.

    Raises:
        UnknownFormError: If it holds anything but numbers, text, None, and dictionaries with keys that are there once.
    """
    machine = _Machine()
    try:
        for opcode, argument, at in pickletools.genops(content):
            if opcode.name == "STOP":
                return machine.value(), len(content) - (at or 0) - 1
            if opcode.name == "PROTO":
                if at or argument not in _PROTOCOLS:
                    raise UnknownFormError
            else:
                machine.do(opcode.name, argument)
    except (ValueError, IndexError, TypeError, UnicodeError) as error:
        raise UnknownFormError from error
    raise UnknownFormError


class _Machine:
    """What opcodes have put down so far."""

    def __init__(self) -> None:
        self._stack: list[Any] = []
        self._marks: list[int] = []
        self._empty = 0

    def do(self, name: str, argument: Any) -> None:
        """Carry out one opcode.

        Raises:
            UnknownFormError: If it is not one of those that are known.
        """
        if name in _HELD:
            if name in _NUMBERS and not _is_plain(argument, name):
                raise UnknownFormError
            self._stack.append({} if name == "EMPTY_DICT" else argument)
        elif name == "MARK":
            self._marks.append(len(self._stack))
        elif name in {"SETITEM", "SETITEMS"}:
            begin = self._marks.pop() if name == "SETITEMS" else len(self._stack) - 2
            if begin < 1:
                raise UnknownFormError
            _set(self._stack[begin - 1], self._stack[begin:])
            self._empty += begin == len(self._stack)
            if self._empty > _MOST_EMPTY:
                raise UnknownFormError
            del self._stack[begin:]
        else:
            raise UnknownFormError

    def value(self) -> Any:
        """Give the one value that there is.

        Raises:
            UnknownFormError: If there are others.
        """
        if len(self._stack) != 1 or self._marks:
            raise UnknownFormError
        return self._stack[0]


def _is_plain(number: int, name: str) -> bool:
    """Whether a number is written as writers do, and not in more bytes than it needs."""
    if name == "LONG1":
        return number.bit_length() // 8 < _MOST_BYTES and not -(1 << 31) <= number < 1 << 31
    return name != "BININT2" or number > 255


def _set(into: Any, items: list[Any]) -> None:
    # Writers give a thousand items at a time, and so an empty batch where nothing is left.
    if not isinstance(into, dict) or len(items) % 2 or (not items and len(into) % _AT_ONCE):
        raise UnknownFormError
    for key, value in zip(items[::2], items[1::2], strict=True):
        if not isinstance(key, int | str) or key in into:
            raise UnknownFormError
        into[key] = value
