"""Account for pictures of one colour, as placeholders of people without a photograph are.

A PNG file is taken apart into its size and its colour, and has to be what a writer makes of these: everything else in it, such as
a text, a palette or a second stream, could hold anything. Size and colour count in bits, once for all files that have the same;
which of several pictures a file has is counted for each. A value of a deleted person's is free in neither.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from math import ceil, log2
from typing import Final, NamedTuple

from auditor.parts.places.observing.alone import Alone
from auditor.parts.places.observing.plain_words import size_of

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_CHANNELS: Final = {0: 1, 2: 3, 4: 2, 6: 4}
"""Of each type of colour that has no palette: grey, colours, and these with opacity."""
_DEPTH: Final = 8
_MOST: Final = 1 << 22
"""Bytes of the pixels of one."""
_OF_WRITER: Final = 11
"""Bits of how a picture is written, where that is not as most do: ten levels of compression, eight windows of the stream, and how
rows are filtered, the first one and the rest."""
_OF_TYPE: Final = 2
_FILTERS: Final = 5


class Picture(NamedTuple):
    """A picture of one colour."""

    width: int
    height: int
    colour: bytes
    usual: bool
    """Whether it is written as most writers do: packed as zlib does by itself, without filters."""

    @property
    def bits(self) -> int:
        """What its size and its colour could carry, and how it is written."""
        writer = 1 if self.usual else 1 + _OF_WRITER
        return size_of(self.width) + size_of(self.height) + _OF_TYPE + 8 * len(self.colour) + writer

    def names_in(self, alone: Alone) -> set[str]:
        """Give the deleted people of whom it has a value."""
        numbers = [self.width, self.height, *(int.from_bytes(self.colour, order) for order in ("big", "little"))]
        said = f"{self.width} {self.height}, {self.width}x{self.height}, {self.colour.hex()}, {self.colour[::-1].hex()}"
        said += "".join(f", {each}" for each in numbers)
        return alone.met_in(said) | alone.written_in(said) | alone.counted_in(numbers)


def picture(content: bytes) -> Picture | None:
    """Take a file apart; None where it is no picture of one colour, or says anything else."""
    parts = _parts(content) if content.startswith(_SIGNATURE) else None
    if parts is None or [kind for kind, _ in parts] != [b"IHDR", b"IDAT", b"IEND"]:
        return None
    (_, head), (_, stream), (_, end) = parts
    if len(head) != _OF_HEAD or end:
        return None
    width, height, depth, colours, *rest = struct.unpack(">IIBBBBB", head)
    if depth != _DEPTH or colours not in _CHANNELS or any(rest) or not width or not height:
        return None
    row = width * _CHANNELS[colours]
    pixels = _inflated(stream, (row + 1) * height) if (row + 1) * height <= _MOST else None
    colour = None if pixels is None else _colour(pixels, row, _CHANNELS[colours])
    if pixels is None or colour is None or not _is_packed_so(pixels, stream):
        return None
    return Picture(width, height, colour, usual=zlib.compress(pixels) == stream and not any(pixels[:: row + 1]))


_OF_HEAD: Final = 13


def _parts(content: bytes) -> list[tuple[bytes, bytes]] | None:
    """The chunks of a file; None where one is not as it says, or something is left."""
    found, at = list[tuple[bytes, bytes]](), len(_SIGNATURE)
    while at + 12 <= len(content) and len(found) < _MOST_PARTS:
        (size,) = struct.unpack_from(">I", content, at)
        kind, held = content[at + 4 : at + 8], content[at + 8 : at + 8 + size]
        if content[at + 8 + size : at + 12 + size] != struct.pack(">I", zlib.crc32(kind + held)):
            return None
        found.append((kind, held))
        at += 12 + size
    return found if at == len(content) else None


_MOST_PARTS: Final = 3


def _inflated(stream: bytes, size: int) -> bytes | None:
    """What is packed in a stream; None where it is of another size, or the stream is not as it says."""
    if len(stream) < _AROUND or stream[0] & 15 != zlib.DEFLATED or stream[0] >> 4 > _WINDOW:
        return None
    # How fast it was packed, which follows from the level, and a remainder: no dictionary.
    if int.from_bytes(stream[:2], "big") % 31 or stream[1] & 32:
        return None
    packed = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        held = packed.decompress(stream[2:-4], size + 1)
    except zlib.error:
        return None
    if len(held) != size or stream[-4:] != struct.pack(">I", zlib.adler32(held)):
        return None
    return held


def _is_packed_so(held: bytes, stream: bytes) -> bool:
    """Whether packing it again gives the same bytes."""
    return any(stream[1] >> 6 == speed and _deflated(held, level) == stream[2:-4] for level, speed in _LEVELS)


_AROUND: Final = 6
_WINDOW: Final = 7
_LEVELS: Final = ((6, 2), (9, 3), (1, 0), (0, 0), (2, 1), (3, 1), (4, 1), (5, 1), (7, 3), (8, 3))
"""Levels of compression, each with what a stream says of it."""


def _deflated(content: bytes, level: int) -> bytes:
    packing = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packing.compress(content) + packing.flush()


def _colour(pixels: bytes, row: int, channels: int) -> bytes | None:
    """The colour of all pixels; None where there are two, or rows after the first are filtered in several ways."""
    filters = pixels[:: row + 1]
    colour = pixels[1 : 1 + channels]
    if filters[0] >= _FILTERS or len(set(filters[1:])) > 1 or filters[-1] >= _FILTERS:
        return None
    first, other = (_filtered(kind, colour, row, first=at == 0) for at, kind in enumerate((filters[0], filters[-1])))
    rows = [pixels[at : at + row + 1] for at in range(0, len(pixels), row + 1)]
    return colour if rows[0] == first and all(each == other for each in rows[1:]) else None


def _filtered(kind: int, colour: bytes, row: int, *, first: bool) -> bytes:
    """A row of one colour as a filter writes it: the first pixel, and the others, which have one on their left."""
    above = 0 if first else 1
    start, then = {
        0: (colour, colour),
        1: (colour, bytes(len(colour))),
        2: (bytes(len(colour)), bytes(len(colour))) if above else (colour, colour),
        3: tuple(bytes((each - (left * each + above * each) // 2) % 256 for each in colour) for left in (0, 1)),
        4: (bytes(len(colour)), bytes(len(colour))) if above else (colour, bytes(len(colour))),
    }[kind]
    return bytes([kind]) + start + then * (row // len(colour) - 1)


def account(files: Mapping[str, bytes], alone: Alone) -> tuple[frozenset[str], int]:
    """Say which of some files are pictures of one colour, and give the bits of all of these."""
    read = {content: picture(content) for content in files.values()}
    known = {content: each for content, each in read.items() if each is not None and not each.names_in(alone)}
    found = frozenset(name for name, content in files.items() if content in known)
    bits = sum(each.bits for each in known.values()) + ceil(len(found) * log2(max(1, len(known))))
    return found, bits
