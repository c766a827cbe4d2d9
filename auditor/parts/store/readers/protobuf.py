"""Read messages of Protocol Buffers strictly: numbers as short as they can be, fields in order, and none that nobody asks for.

So a message that can be read holds nothing but what is taken from it.
"""

from __future__ import annotations

from typing import Final

from auditor.parts.store.readers.contents import UnknownFormError

_WHOLE: Final = 0
_BYTES: Final = 2
_LONGEST: Final = 10
"""Bytes that a number has at most."""


class Taken:
    """A message of which fields are taken one after another; `done` says that none is left."""

    def __init__(self, content: bytes) -> None:
        """Read the fields.

        Raises:
            UnknownFormError: If it is no message, or one that could be written shorter.
        """
        self._held: dict[int, list[int | bytes]] = {}
        at, before = 0, 0
        while at < len(content):
            key, at = _number(content, at)
            number, kind = key >> 3, key & 7
            if number < max(1, before):
                raise UnknownFormError
            value: int | bytes
            value, at = _number(content, at)
            if kind == _BYTES:
                end = at + value
                value, at = content[at:end], end
                if end > len(content):
                    raise UnknownFormError
            elif kind != _WHOLE:
                raise UnknownFormError
            self._held.setdefault(number, []).append(value)
            before = number

    def given(self, number: int) -> bool:
        """Whether a field is there, and has not been taken yet."""
        return number in self._held

    def whole(self, number: int, *, unset: int = 0) -> int:
        """Take a number; what stands for one that is not there need not be written.

        Raises:
            UnknownFormError: If it is another kind of field, or there more than once.
        """
        (value,) = self._taken(number, 1) or [unset]
        if not isinstance(value, int):
            raise UnknownFormError
        return value

    def content(self, number: int) -> bytes:
        """Take text or a message; empty where it is not there.

        Raises:
            UnknownFormError: If it is another kind of field, or there more than once.
        """
        (value,) = self._taken(number, 1) or [b""]
        if not isinstance(value, bytes):
            raise UnknownFormError
        return value

    def many(self, number: int) -> list[bytes]:
        """Take all texts or messages of one field.

        Raises:
            UnknownFormError: If it is another kind of field.
        """
        return [each for each in self._taken(number, None) if isinstance(each, bytes)]

    def packed(self, number: int) -> list[int]:
        """Take numbers that were written one behind the other.

        Raises:
            UnknownFormError: If they are no numbers.
        """
        content, at, found = self.content(number), 0, []
        while at < len(content):
            value, at = _number(content, at)
            found.append(value)
        return found

    def only(self) -> tuple[int, bytes]:
        """Take the one field of a message that has one of several.

        Raises:
            UnknownFormError: If it has none, or more.
        """
        if len(self._held) != 1:
            raise UnknownFormError
        (number,) = self._held
        return number, self.content(number)

    def done(self) -> None:
        """Say that all was taken.

        Raises:
            UnknownFormError: If it was not.
        """
        if self._held:
            raise UnknownFormError

    def _taken(self, number: int, most: int | None) -> list[int | bytes]:
        found = self._held.pop(number, [])
        if most is not None and len(found) > most:
            raise UnknownFormError
        if most is None and not all(isinstance(each, bytes) for each in found):
            raise UnknownFormError
        return found


def _number(content: bytes, at: int) -> tuple[int, int]:
    value = 0
    for place in range(_LONGEST):
        if at + place >= len(content):
            break
        byte = content[at + place]
        value |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            if (byte == 0 and place) or value >= 1 << 64:
                break
            return value, at + place + 1
    raise UnknownFormError
