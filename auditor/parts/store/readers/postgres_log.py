"""Read PostgreSQL's write-ahead log: records without the borders of pages, images of pages unpacked, rows that were inserted.

`xlog_internal.h`, `xlogrecord.h` and `heapam_xlog.h` of versions 13 to 17. Nothing here is replayed: what was written is read.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from auditor.parts.store.readers.contents import UnknownFormError
from auditor.parts.store.readers.postgres_pages import PAGE, Tuple
from auditor.parts.store.readers.postgres_values import Room, from_lz4, from_pglz, from_zstd

SEGMENT: Final = re.compile(r"[0-9A-F]{24}(\.partial)?", re.ASCII)
_MARK: Final = 0xD1
_FIRST_OF_15: Final = 0xD110
_CONTINUED, _LONG = 1, 2
_RECORD: Final = 24
_LONGEST: Final = 1 << 30
_HEAP, _HEAP2 = 10, 9
_IMAGE, _DATA, _SAME = 0x10, 0x20, 0x80
_HOLE: Final = 1
_KINDS: Final = 0x70
_INSERT, _MULTI = 0, 0x50
_FILLER: Final = bytes(18)
_UNPACK: Final = {"pglz": from_pglz, "lz4": from_lz4, "zstd": from_zstd}


class Block(NamedTuple):
    """What a record says of one page."""

    relation: int
    """The number of its file."""
    image: bytes
    data: bytes


@dataclass(slots=True)
class Written:
    """What a log holds."""

    records: list[bytes] = field(default_factory=list)
    """Stretches of it, without borders of pages."""
    images: list[tuple[int, bytes]] = field(default_factory=list)
    """Pages, with the numbers of their files."""
    unpacked: list[bytes] = field(default_factory=list)
    """Those of them that were packed."""
    rows: list[tuple[int, Tuple]] = field(default_factory=list)
    """Rows that were inserted, with the numbers of their files."""
    shut: bool = False
    """Whether an image could not be unpacked."""


def read_log(segments: Mapping[str, bytes], room: Room) -> Written:
    """Read segments, former ones that only wait to be used again among them."""
    written = Written()
    for pages in _stretches(segments):
        _Stretch(pages, written, room).read()
    return written


@dataclass(slots=True)
class _LogPage:
    mark: int
    address: int
    rest: int
    """Bytes of a record that began before."""
    content: bytes


def _stretches(segments: Mapping[str, bytes]) -> Iterator[list[_LogPage]]:
    """Give pages that follow each other."""
    stretch: list[_LogPage] = []
    for _, content in sorted(segments.items()):
        for at in range(0, len(content), PAGE):
            page = content[at : at + PAGE].ljust(_RECORD + 16, b"\0")
            mark, info, _, address, rest = struct.unpack_from("<HHIQI", page)
            if mark >> 8 != _MARK:
                if stretch:
                    yield stretch
                    stretch = []
                continue
            if stretch and address != stretch[-1].address + PAGE:
                yield stretch
                stretch = []
            body = page[40 if info & _LONG else 24 :]
            stretch.append(_LogPage(mark, address, rest if info & _CONTINUED else 0, body))
    if stretch:
        yield stretch


@dataclass(slots=True)
class _Stretch:
    pages: list[_LogPage]
    written: Written
    room: Room

    def read(self) -> None:
        content = b"".join(each.content for each in self.pages)
        if not any(content):
            return
        self.written.records.append(content.rstrip(b"\0"))
        # Where a record is broken, the next page says where another begins.
        starts, at = [], 0
        for page in self.pages:
            starts.append(at + page.rest + -page.rest % 8)
            at += len(page.content)
        at = starts[0]
        for start in starts:
            at = max(at, start)
            while at + _RECORD <= len(content):
                size = int.from_bytes(content[at : at + 4], "little")
                if not _RECORD <= size <= min(_LONGEST, len(content) - at):
                    break
                try:
                    self._record(content[at : at + size])
                except (UnknownFormError, struct.error, IndexError):
                    break
                at += size + -size % 8

    def _record(self, record: bytes) -> None:
        info, manager = record[16], record[17]
        for block in self._blocks(record):
            if block.image:
                self.written.images.append((block.relation, block.image))
            if block.data and manager in {_HEAP, _HEAP2}:
                multi = manager == _HEAP2 and info & _KINDS == _MULTI
                for each in _several(block.data) if multi else _one(block.data):
                    self.written.rows.append((block.relation, each))

    def _blocks(self, record: bytes) -> list[Block]:
        at, headers, relation, main = _RECORD, list[tuple[int, bytes, int, int]](), 0, 0
        while True:
            left = len(record) - at - main - sum(len_image + len_data for _, _, len_image, len_data in headers)
            if left <= 0:
                break
            kind = record[at]
            if kind >= 252:
                size = {255: 1, 254: 4, 253: 2, 252: 4}[kind]
                value = int.from_bytes(record[at + 1 : at + 1 + size], "little")
                at += 1 + size
                if kind >= 254:
                    main = value
                    break
                continue
            if kind > 32:
                raise UnknownFormError
            flags = record[at + 1]
            (size,) = struct.unpack_from("<H", record, at + 2)
            at += 4
            image, image_size = b"", 0
            if flags & _IMAGE:
                image_size, _, said = struct.unpack_from("<HHB", record, at)
                packed = self._codec(said)
                longer = bool(packed) and bool(said & _HOLE)
                image = record[at : at + 5 + 2 * longer]
                at += len(image)
            if not flags & _SAME:
                _, _, relation = struct.unpack_from("<III", record, at)
                at += 12
            at += 4
            headers.append((relation, image, image_size, size if flags & _DATA else 0))
        found = []
        for number, image, image_size, size in headers:
            page = self._image(image, record[at : at + image_size]) if image else b""
            at += image_size
            found.append(Block(number, page, record[at : at + size]))
            at += size
        return found

    def _codec(self, said: int) -> str:
        if self.pages[0].mark < _FIRST_OF_15:
            return "pglz" if said & 2 else ""
        return "pglz" if said & 4 else "lz4" if said & 8 else "zstd" if said & 16 else ""

    def _image(self, header: bytes, content: bytes) -> bytes:
        size, hole_at, said = struct.unpack_from("<HHB", header)
        packed = self._codec(said)
        hole = (int.from_bytes(header[5:7], "little") if packed else PAGE - size) if said & _HOLE else 0
        if not 0 <= hole <= PAGE or hole_at > PAGE - hole:
            raise UnknownFormError
        # A hole is not written, and an image may be nothing else.
        if not self.room.take(PAGE):
            return b""
        if packed:
            try:
                content = _UNPACK[packed](content, PAGE - hole)
            except UnknownFormError:
                self.written.shut = True
                return b""
            self.written.unpacked.append(content)
        return content[:hole_at] + bytes(hole) + content[hole_at:]


def _one(data: bytes) -> Iterator[Tuple]:
    """Read the row that a record inserts."""
    each = Tuple(_FILLER + data)
    if len(data) > 5 and each.whole:
        yield each


def _several(data: bytes) -> Iterator[Tuple]:
    at = 0
    while at + 7 <= len(data):
        at += at % 2
        (size,) = struct.unpack_from("<H", data, at)
        each = Tuple(_FILLER + data[at + 2 : at + 7 + size])
        if each.whole:
            yield each
        at += 7 + size
