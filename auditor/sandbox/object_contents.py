"""Everything that a controller holds, as bytes to be searched, in the process of its own code.

The way through the objects is that of `object_walk`; where that takes a digest, this takes what is there. A database that an
object holds open is taken as SQLite serializes it. What cannot be looked into is said.
"""

from __future__ import annotations

import collections
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from auditor.sandbox.activations import AT_ONCE, MOST_CONTENTS
from auditor.sandbox.object_walk import Walk, roots
from auditor.sandbox.plain_values import array_of

_SHORTEST: Final = 4
"""Bytes of a piece: less says nothing."""
_LARGE: Final = 2**31
"""From which on a number may be a text."""
_SEQUENCES: Final = (list, tuple, collections.deque)


def contents(controller: Any, scratch: Path) -> tuple[list[list[Any]], list[bytes], bool]:
    """Take everything that can be reached from a controller, from the modules of the case, and from files that it left.

    Args:
        controller: The object.
        scratch: The scratch folder of the process.

    Returns:
        Name and length of each piece, the pieces, and whether there is something that could not be looked into.
    """
    found = _Contents(scratch)
    found.follow(_beginnings(controller, scratch))
    found.end()
    return [[name, len(content)] for name, content in found.pieces], [content for _, content in found.pieces], found.cut


def _beginnings(controller: Any, scratch: Path) -> Iterator[tuple[str, Any]]:
    for name, value in roots(controller, None, scratch):
        if name != "procedure":
            yield "controller" if name == "model" else name, value


class _Contents(Walk):
    """A walk that keeps what it meets."""

    def __init__(self, scratch: Path) -> None:
        super().__init__(scratch)
        self.pieces: list[tuple[str, bytes]] = []
        self._others: list[bytes] = []
        self._folder = str(scratch).encode()
        self._left = AT_ONCE

    def end(self) -> None:
        """Put what was too much to be listed into one piece."""
        if self._others:
            self.pieces.append(("everything else", b"\n".join(self._others)))

    def _visit(self, name: str, key: str, value: Any) -> Iterable[tuple[str, bytes, Any]]:
        if isinstance(value, sqlite3.Connection):
            self._keep(name, bytes(sqlite3.Connection.serialize(value)))
            return ()
        if id(value) not in self.seen:
            for content in _said(value):
                self._keep(name, content)
        return super()._visit(name, key, value)

    def _keep(self, name: str, content: bytes) -> None:
        if len(content) < _SHORTEST:
            return
        # Its name says nothing, and is another one in every process.
        content = content.replace(self._folder, b"<scratch>")
        self._left -= len(content)
        if self._left < 0:
            self.cut = True
        elif len(self.pieces) < MOST_CONTENTS:
            self.pieces.append((name, content))
        else:
            self._others.append(content)


def _said(value: Any) -> Iterator[bytes]:
    """What a value says as bytes, past whatever a class of the controller's answers in its place."""
    if isinstance(value, str):
        yield str.encode(value, "utf-8", "surrogatepass")
    elif isinstance(value, bytes | bytearray | memoryview):
        yield bytes(memoryview(value))
    elif type(value) is int:
        yield from _of_integer(value)
    elif isinstance(value, dict):
        keys = [each for each in dict.keys(value) if isinstance(each, str)]
        yield b"\n".join(str.encode(each, "utf-8", "surrogatepass") for each in keys)
    elif isinstance(value, _SEQUENCES):
        yield from _of_members(list(value))
    elif (array := array_of(value)) is not None and not array.dtype.hasobject:
        yield array.tobytes()


def _of_integer(value: int) -> Iterator[bytes]:
    if value >= _LARGE:
        size = (value.bit_length() + 7) // 8
        yield value.to_bytes(size, "big")
        yield value.to_bytes(size, "little")


def _of_members(members: list[Any]) -> Iterator[bytes]:
    """A text that is kept letter by letter or byte by byte."""
    if members and all(type(each) is int and 0 <= each < 256 for each in members):
        yield bytes(members)
    elif members and all(type(each) is str for each in members):
        yield "".join(members).encode("utf-8", "surrogatepass")
