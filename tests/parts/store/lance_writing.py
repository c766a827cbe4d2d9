"""Writes data files of Lance 2.2 page by page, so that tests can put into them what no library would."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

import numpy as np

FLAT, TEXTS, INSIDE, SYMBOLS, RUNS, PACKED = 1, 2, 5, 6, 8, 10
_TOP = (1 << 64) - 1


def number(value: int) -> bytes:
    """A number, as short as it can be."""
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def message(*fields: tuple[int, int | bytes]) -> bytes:
    """A message of these fields."""
    found = b""
    for at, value in fields:
        found += number(at << 3 | 2) + number(len(value)) + value if isinstance(value, bytes) else number(at << 3) + number(value)
    return found


def flat(width: int) -> bytes:
    """The coding of numbers that lie as they are."""
    return message((FLAT, message((1, width))))


def texts_of(width: int = 32) -> bytes:
    """The coding of texts that lie as they are."""
    return message((TEXTS, message((1, flat(width)))))


def block(parts: Sequence[bytes], levels: bytes | None = None, rows: int = 0, room: bytes = b"\xfe") -> bytes:
    """A small block of a page."""

    def even(content: bytes) -> bytes:
        return content + room * (-len(content) % 8)

    sizes = struct.pack("<H", rows if levels is not None else 0) + (struct.pack("<H", len(levels)) if levels is not None else b"")
    found = even(sizes + b"".join(struct.pack("<I", len(each)) for each in parts))
    return found + b"".join(even(each) for each in ([levels] if levels is not None else []) + list(parts))


def in_blocks(
    coding: bytes, rows: int, parts: Sequence[bytes], *, levels: bytes | None = None, more: Sequence[tuple[int, int | bytes]] = ()
) -> tuple[bytes, list[bytes]]:
    """A page of one block: its layout, and its buffers."""
    content = block(parts, levels, rows)
    layout: list[tuple[int, int | bytes]] = [] if levels is None else [(2, flat(16))]
    layout += [(3, coding), *more, (6, b"\1" if levels is None else b"\3"), (7, len(parts)), (9, rows), (10, 1)]
    return message((1, message(*layout))), [struct.pack("<I", (len(content) // 8 - 1) << 4), content]


def constant(*, value: bytes | None = None, layers: bytes = b"\1") -> tuple[bytes, list[bytes]]:
    """A page of which every row has one value, or none."""
    return message((2, message((5, layers), *([(6, value)] if value is not None else [])))), []


def texts(content: Sequence[bytes]) -> bytes:
    """Texts and where they begin, as a block has them."""
    offsets = 4 * (len(content) + 1) + np.cumsum([0, *map(len, content)])
    found = offsets.astype("<u4").tobytes() + b"".join(content)
    return found + b"H" * (-len(found) % 4)


def field(name: str, at: int, kind: str) -> bytes:
    """A column of a schema."""
    said: list[tuple[int, int | bytes]] = [(2, name.encode()), *([(3, at)] if at else []), (4, _TOP), (5, kind.encode()), (6, 1)]
    return message(*said, (7, 2 if kind == "string" else 1))


def data_file(
    columns: Mapping[str, tuple[str, tuple[bytes, list[bytes]]]], rows: int, *, said: bytes = b"", room: bytes = b"H"
) -> bytes:
    """A data file of these columns, each of its kind and of one page.

    Args:
        columns: Kind and page of each column, by its name.
        rows: How many rows each page has.
        said: What the schema says besides.
        room: What lies between buffers.
    """
    found = b""

    def put(content: bytes) -> int:
        nonlocal found
        found += room * (-len(found) % 64)
        at, found = len(found), found + content
        return at

    pages = [(layout, [(put(each), len(each)) for each in buffers]) for _, (layout, buffers) in columns.values()]
    schema = message(*[(1, field(name, at, kind)) for at, (name, (kind, _)) in enumerate(columns.items())])
    schema += message((5, said)) if said else b""
    shared = put(message((1, schema), (2, rows)))
    shared_size = len(found) - shared
    metadata = []
    for layout, spans in pages:
        encoding = _direct(b"/lance.encodings21.PageLayout", layout)
        page: list[tuple[int, int | bytes]] = []
        if spans:
            page = [(at, b"".join(number(span[at - 1]) for span in spans)) for at in (1, 2)]
        own = _direct(b"/lance.encodings.ColumnEncoding", b"\x0a\x00")
        content = message((1, own), (2, message(*page, (3, rows), (4, encoding))))
        metadata.append((len(found), len(content)))
        found += content
    table = len(found)
    found += b"".join(struct.pack("<QQ", *each) for each in metadata)
    listed = len(found)
    found += struct.pack("<QQ", shared, shared_size)
    return found + struct.pack("<QQQIIHH4s", metadata[0][0], table, listed, 1, len(columns), 2, 2, b"LANC")


def _direct(name: bytes, content: bytes) -> bytes:
    return message((2, message((1, message((1, name), (2, content))))))
