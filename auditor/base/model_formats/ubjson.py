"""Universal Binary JSON as XGBoost writes it: numbers big-endian, keys with a length, arrays of one type packed."""

from __future__ import annotations

import struct
from typing import Any, Final

import numpy as np

from auditor.base.model_formats.faults import NotThisFormatError

EXPECTED: Final = "a model in UBJSON, as XGBoost's save_model writes it"
_NUMBERS: Final = {b"i": ">i1", b"U": ">u1", b"I": ">i2", b"l": ">i4", b"L": ">i8", b"d": ">f4", b"D": ">f8"}
_WORDS: Final = {b"Z": None, b"T": True, b"F": False}
_DEEPEST: Final = 64


def parse(content: bytes) -> dict[str, Any]:
    """Read one object that fills the file.

    Raises:
        NotThisFormatError: If there is none, or anything after it.
    """
    reader = _Reader(content)
    try:
        found = reader.value(reader.take(1), 0)
    except (struct.error, UnicodeDecodeError, ValueError, IndexError) as error:
        if isinstance(error, NotThisFormatError):
            raise
        raise NotThisFormatError(EXPECTED, "bytes that cannot be read as one") from error
    if not isinstance(found, dict):
        raise NotThisFormatError(EXPECTED, "no object")
    if reader.at != len(content):
        raise NotThisFormatError(EXPECTED, f"{len(content) - reader.at} bytes after it")
    return found


class _Reader:
    """A place in a file."""

    def __init__(self, content: bytes) -> None:
        self._content, self.at = content, 0

    def take(self, size: int) -> bytes:
        """The next bytes."""
        if size < 0 or self.at + size > len(self._content):
            raise NotThisFormatError(EXPECTED, "a file that ends too early")
        self.at += size
        return self._content[self.at - size : self.at]

    def value(self, marker: bytes, depth: int) -> Any:
        """The value that a marker announces."""
        if depth > _DEEPEST:
            raise NotThisFormatError(EXPECTED, f"values more than {_DEEPEST} deep")
        if marker in _NUMBERS:
            return self._many(marker, 1)[0]
        if marker in _WORDS:
            return _WORDS[marker]
        match marker:
            case b"S":
                return self._text()
            case b"[":
                return self._array(depth)
            case b"{":
                return self._object(depth)
            case _:
                raise NotThisFormatError(EXPECTED, "a marker that it does not write")

    def _many(self, marker: bytes, count: int) -> list[Any]:
        kind = np.dtype(_NUMBERS[marker])
        found: list[Any] = np.frombuffer(self.take(count * kind.itemsize), dtype=kind).tolist()
        return found

    def _size(self) -> int:
        marker = self.take(1)
        if marker not in _NUMBERS or marker in {b"d", b"D"}:
            raise NotThisFormatError(EXPECTED, "a length that is no whole number")
        return int(self._many(marker, 1)[0])

    def _text(self) -> str:
        return self.take(self._size()).decode("utf-8")

    def _array(self, depth: int) -> list[Any]:
        marker = self.take(1)
        if marker == b"$":
            kind = self.take(1)
            if kind not in _NUMBERS or self.take(1) != b"#":
                raise NotThisFormatError(EXPECTED, "a packed array of something else than numbers")
            return self._many(kind, self._size())
        if marker == b"#":
            return [self.value(self.take(1), depth + 1) for _ in range(self._size())]
        found = []
        while marker != b"]":
            found.append(self.value(marker, depth + 1))
            marker = self.take(1)
        return found

    def _object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while self._content[self.at : self.at + 1] != b"}":
            name = self._text()
            if name in found:
                raise NotThisFormatError("UBJSON in which every name stands once", "a name that repeats")
            found[name] = self.value(self.take(1), depth + 1)
        self.take(1)
        return found
