"""Read a data file of Lance (2.1 and 2.2): its columns, and every byte that lies between their pages."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from auditor.base.domain import Message
from auditor.parts.store.readers.contents import UnknownFormError
from auditor.parts.store.readers.lance_kinds import Cells, Field, Kind, joined
from auditor.parts.store.readers.lance_pages import Page
from auditor.parts.store.readers.protobuf import Taken

MARK: Final = b"LANC"
VERSIONS: Final = ((2, 1), (2, 2))
_FOOTER: Final = struct.Struct("<QQQIIHH4s")
_ENTRY: Final = struct.Struct("<QQ")
_ROOM: Final = 72
_EVEN: Final = 64
"""What buffers begin at a multiple of."""
_OF_COLUMN: Final = (b"/lance.encodings.ColumnEncoding", b"\x0a\x00")
_OF_PAGE: Final = b"/lance.encodings21.PageLayout"
MOST_ROWS: Final = 1 << 22
"""Rows that are taken apart: a page of one value may say that it has any number of them."""


@dataclass(frozen=True, slots=True, eq=False)
class DataFile:
    """What a data file holds."""

    fields: tuple[Field, ...]
    columns: tuple[Cells | None, ...]
    """Of each field; None where it could not be read."""
    rows: int
    unexplained: int
    bits: int
    """Bits of choices that nothing here determines."""
    unread: tuple[Message, ...]
    version: tuple[int, int]

    @classmethod
    def read(cls, content: bytes) -> DataFile:
        """Take a file apart.

        Raises:
            UnknownFormError: If it is of another version, or damaged.
        """
        return _File(content).read()


@dataclass(frozen=True, slots=True)
class _Span:
    begin: int
    end: int
    even: bool = False
    """Whether there may be room in front of it."""


class _File:
    def __init__(self, content: bytes) -> None:
        self._content = content
        self._spans: list[_Span] = []
        self._unexplained = self._bits = 0

    def read(self) -> DataFile:
        content = self._content
        end = len(content) - _FOOTER.size
        if end < 0:
            raise UnknownFormError
        metadata, columns, shared, count, wide, major, minor, mark = _FOOTER.unpack_from(content, end)
        if mark != MARK or (major, minor) not in VERSIONS or count != 1:
            raise UnknownFormError
        self._spans.append(_Span(end, len(content)))
        ((begin, size),) = self._table(shared, count)
        fields, rows = self._schema(self._part(begin, size, even=True))
        entries = list(self._table(columns, wide))
        if len(entries) != len(fields) or (entries and entries[0][0] != metadata) or rows > MOST_ROWS:
            raise UnknownFormError
        found: list[Cells | None] = []
        unread: list[Message] = []
        firsts: list[tuple[int, int]] = []
        for number, (field, entry) in enumerate(zip(fields, entries, strict=True)):
            pages = list(self._pages(self._part(*entry)))
            firsts += [(min(span), number) for _, _, span in pages if span]
            try:
                found.append(self._column(field, pages, rows))
            except (UnknownFormError, ValueError, IndexError, OverflowError) as error:
                why = error.why if isinstance(error, UnknownFormError) else UnknownFormError().why
                found.append(None)
                unread += [why] if why not in unread else []
                self._unexplained += sum(len(each) for _, buffers, _ in pages for each in buffers) + len(field.name)
        self._lie_in_turn(firsts, len(fields))
        self._tile()
        beyond = sum(each.unexplained for each in fields) + sum(each.unexplained for each in found if each is not None)
        bits = self._bits + sum(each.bits for each in found if each is not None)
        return DataFile(fields, tuple(found), rows, self._unexplained + beyond, bits, tuple(unread), (major, minor))

    def _part(self, begin: int, size: int, *, even: bool = False) -> bytes:
        if begin + size > len(self._content):
            raise UnknownFormError
        self._spans.append(_Span(begin, begin + size, even))
        return self._content[begin : begin + size]

    def _table(self, begin: int, count: int) -> Iterator[tuple[int, int]]:
        yield from _ENTRY.iter_unpack(self._part(begin, _ENTRY.size * count))

    def _schema(self, content: bytes) -> tuple[tuple[Field, ...], int]:
        taken = Taken(content)
        schema, rows = Taken(taken.content(1)), taken.whole(2)
        taken.done()
        fields = tuple(map(Field.read, schema.many(1)))
        self._unexplained += sum(map(len, schema.many(5)))
        schema.done()
        return fields, rows

    def _pages(self, content: bytes) -> Iterator[tuple[Taken, list[bytes], list[int]]]:
        """Give each page of a column: what is said of it, its buffers, and where they begin."""
        taken = Taken(content)
        if _directly(taken.content(1)) != _OF_COLUMN:
            raise UnknownFormError
        for each in taken.many(2):
            page = Taken(each)
            places, sizes = page.packed(1), page.packed(2)
            if len(places) != len(sizes):
                raise UnknownFormError
            yield page, [self._part(*span, even=True) for span in zip(places, sizes, strict=True)], places
        taken.done()

    def _column(self, field: Field, pages: list[tuple[Taken, list[bytes], list[int]]], rows: int) -> Cells:
        kind, done, parts = Kind.of(field.kind), 0, []
        for page, buffers, places in pages:
            count = page.whole(3)
            name, layout = _directly(page.content(4))
            if page.whole(5) != done or name != _OF_PAGE or done + count > rows or not count:
                raise UnknownFormError
            page.done()
            if places != sorted(places):
                raise UnknownFormError
            parts.append(Page(kind, count, buffers).read(layout))
            done += count
        if done != rows or not parts:
            raise UnknownFormError
        found = joined(parts)
        beyond, bits = found.beyond_words()
        found.unexplained, found.bits = found.unexplained + beyond, found.bits + bits
        return found

    def _lie_in_turn(self, firsts: list[tuple[int, int]], columns: int) -> None:
        """Count in which order pages of several columns lie, where it is not column after column."""
        order = [number for _, number in sorted(firsts)]
        odd = sum(after != (before + 1) % columns for before, after in pairwise(order) if after < before)
        self._bits += odd * max(1, math.ceil(math.log2(columns + 1)))

    def _tile(self) -> None:
        """Count what lies between the parts of the file, and is not the room that a writer leaves."""
        at = 0
        for span in sorted((each for each in self._spans if each.end > each.begin), key=lambda each: each.begin):
            if span.begin < at:
                raise UnknownFormError
            room = self._content[at : span.begin]
            most = -at % _EVEN if span.even else 0
            if room:
                self._unexplained += len(room) if len(room) != most else len(room) - room.count(_ROOM)
            at = span.end
        self._unexplained += len(self._content) - at


def _directly(content: bytes) -> tuple[bytes, bytes]:
    """Read an encoding that stands where it is named: its name, and what it says.

    Raises:
        UnknownFormError: If it stands elsewhere.
    """
    taken = Taken(content)
    inner = Taken(taken.content(2))
    taken.done()
    named = Taken(inner.content(1))
    inner.done()
    found = named.content(1), named.content(2)
    named.done()
    return found
