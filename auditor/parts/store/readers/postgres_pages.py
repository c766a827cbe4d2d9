"""Read pages of PostgreSQL's tables: rows that line pointers name, and what lies between them.

Layout 4 of pages, which versions 8.3 to 17 have: `bufpage.h`, `itemid.h` and `htup_details.h`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

PAGE: Final = 8192
HEADER: Final = 24
_LAYOUT: Final = PAGE | 4
_TUPLE: Final = 23
_NORMAL: Final = 1
_XMIN_COMMITTED, _XMIN_INVALID, _XMAX_COMMITTED, _XMAX_INVALID, _MULTI, _LOCKED = 0x100, 0x200, 0x400, 0x800, 0x1000, 0x80
_NULLS: Final = 1
_COUNT: Final = 0x7FF
_FIRST: Final = 3
"""The first number of a transaction that is not said to be committed by what it is."""


@dataclass(frozen=True, slots=True)
class Tuple:
    """A row as it lies in a page."""

    content: bytes
    """With its header."""

    @property
    def columns(self) -> int:
        """How many it has."""
        return int.from_bytes(self.content[18:20], "little") & _COUNT

    @property
    def data(self) -> bytes:
        """What follows its header."""
        return self.content[self.content[22] :]

    @property
    def said(self) -> bytes:
        """What it says, without who wrote it and when."""
        return self.content[22:]

    @property
    def bitmap(self) -> bytes:
        """Which columns have a value; empty where all have."""
        return self.content[_TUPLE : self.content[22]] if self.content[20] & _NULLS else b""

    @property
    def whole(self) -> bool:
        """Whether its header says nothing that no header says."""
        head = self.content[22] if len(self.content) > _TUPLE else 0
        map_size = (self.columns + 7) // 8 if self.content[20:21] and self.content[20] & _NULLS else 0
        return self.columns > 0 and head == _TUPLE + map_size + -(_TUPLE + map_size) % 8 and head <= len(self.content)

    def live(self, log: Commits) -> bool:
        """Say whether a query answers with it, once nothing runs."""
        xmin, xmax = struct.unpack_from("<II", self.content)
        mask = int.from_bytes(self.content[20:22], "little")
        if mask & _XMIN_INVALID and not mask & _XMIN_COMMITTED:
            return False
        if not mask & _XMIN_COMMITTED and not log.committed(xmin):
            return False
        if mask & (_XMAX_INVALID | _LOCKED) or xmax == 0:
            return True
        if mask & _MULTI:
            # Who changed it is in another file; that somebody did is enough to say that a later row took its place.
            return False
        return not (mask & _XMAX_COMMITTED or log.committed(xmax))


@dataclass(frozen=True, slots=True)
class Commits:
    """Which transactions were committed, as `pg_xact` says."""

    segments: dict[int, bytes]

    def committed(self, number: int) -> bool:
        """Say it of one; of one that is not there any more, yes."""
        segment = self.segments.get(number // (4 * PAGE * 32))
        place = number % (4 * PAGE * 32)
        if number < _FIRST or segment is None or place // 4 >= len(segment):
            return number != 0
        return segment[place // 4] >> (place % 4 * 2) & 3 in {1, 3}


@dataclass(frozen=True, slots=True)
class Page:
    """One page: rows, and what lies between them."""

    tuples: tuple[Tuple, ...]
    lines: int
    """Line pointers."""
    between: bytes
    """What neither a line pointer nor a row takes."""


def pages(content: bytes) -> Iterator[bytes]:
    """Cut a file into its pages; the last may be shorter."""
    yield from (content[at : at + PAGE] for at in range(0, len(content), PAGE))


def is_page(content: bytes) -> bool:
    """Whether its header is one of this layout."""
    if len(content) != PAGE:
        return False
    lower, upper, special, layout = struct.unpack_from("<HHHH", content, 12)
    return bool(layout == _LAYOUT and HEADER <= lower <= upper <= special <= PAGE)


def read_page(content: bytes) -> Page | None:
    """Read one page; None where it is not one, or nothing but zeros."""
    if not is_page(content):
        return None
    (lower,) = struct.unpack_from("<H", content, 12)
    count = (lower - HEADER) // 4
    found, taken, room = list[Tuple](), list[tuple[int, int]](), PAGE
    for line in struct.unpack_from(f"<{count}I", content, HEADER):
        at, flags, size = line & 0x7FFF, line >> 15 & 3, line >> 17
        # Rows do not overlap, or a few bytes could be any number of them.
        if flags == _NORMAL and lower <= at and _TUPLE < size <= min(PAGE - at, room):
            room -= size
            found.append(Tuple(content[at : at + size]))
            taken.append((at, at + size + -size % 8))
    between, at = list[bytes](), lower
    for start, end in sorted(taken):
        if start > at:
            between.append(content[at:start])
        at = max(at, end)
    between.append(content[at:])
    return Page(tuple(found), count, b"".join(between))


def carved(between: bytes, most: int) -> Iterator[Tuple]:
    """Find what may be rows where no line pointer names one, from every border of eight bytes to the end."""
    for at in range(-len(between) % 8, len(between) - _TUPLE, 8):
        each = Tuple(between[at:])
        if each.whole and each.columns <= most:
            yield each
