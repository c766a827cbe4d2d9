"""Read the values of PostgreSQL's rows: fields by their alignment, packed and external ones, and numbers, dates and JSON as text.

Layouts: "Database Physical Storage" of the manual, `varatt.h`, `pg_lzcompress.c`, `numeric.c`, `jsonb.h`; vectors as pgvector's
`vector.h` and `halfvec.h` have them.
"""

from __future__ import annotations

import json
import struct
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from auditor.parts.store.readers.contents import UnknownFormError

_SIZES: Final = {"c": 1, "s": 2, "i": 4, "d": 8}
_ON_DISK: Final = 18
"""The tag of a pointer to an external value."""
_POINTER: Final = struct.Struct("<iIII")
_LENGTH: Final = (1 << 30) - 1
_PGLZ, _LZ4 = 0, 1
_TIMES: Final = 256
"""How much smaller a value is packed at most."""
_LEAST: Final = 16
"""Bytes of a packed value that is looked for where no row says that it is there."""
_LARGEST: Final = 1 << 13
"""Bytes of one, which lies in a page."""
_DEEPEST: Final = 48
"""Of JSON."""
_EPOCH: Final = datetime(2000, 1, 1)  # noqa: DTZ001 - PostgreSQL's, without a zone
_MANTISSA: Final = 1000
"""Powers of ten of a number that is written out."""


class Column(NamedTuple):
    """One column of a relation, as `pg_attribute` has it."""

    number: int
    name: str
    type: int
    length: int
    align: str
    dropped: bool


@dataclass(frozen=True, slots=True)
class External:
    """A value that lies in a TOAST table."""

    raw: int
    stored: int
    method: int
    value: int
    relation: int

    @property
    def packed(self) -> bool:
        """Whether it is packed."""
        return self.stored < self.raw - 4


Cell = bytes | External | None


@dataclass(slots=True)
class Room:
    """How many bytes may still be unpacked."""

    left: int
    over: bool = False
    """Whether there was no room for something."""

    def take(self, size: int) -> bool:
        """Take room for so many bytes, if it is there."""
        if size > self.left:
            self.over = True
            return False
        self.left -= size
        return True


def fields(content: bytes, columns: Sequence[Column], count: int, bitmap: bytes, room: Room) -> tuple[list[Cell], int]:
    """Take the data of a row apart.

    Args:
        content: What follows the header of the row.
        columns: Of its relation.
        count: How many the row has.
        bitmap: Which of them it has a value of; empty where of all.
        room: For what is packed.

    Returns:
        Its cells, and the bytes that they take.

    Raises:
        UnknownFormError: If it ends before.
    """
    at, cells = 0, list[Cell]()
    for place, column in enumerate(columns[:count]):
        if bitmap and not bitmap[place >> 3] >> (place & 7) & 1:
            cells.append(None)
            continue
        size = _SIZES[column.align]
        if column.length != -1 or (at < len(content) and content[at] == 0):
            at += -at % size
        if column.length > 0:
            end = at + column.length
            cell: Cell = content[at:end]
        elif column.length == -1:
            cell, end = _varying(content, at, room)
        else:
            end = content.find(b"\0", at) + 1
            cell = content[at : end - 1]
        if end > len(content) or end <= at:
            raise UnknownFormError
        cells.append(cell)
        at = end
    return cells, at


def _varying(content: bytes, at: int, room: Room) -> tuple[Cell, int]:
    """Read a value of varying length, and where it ends."""
    if at >= len(content):
        raise UnknownFormError
    first = content[at]
    if first == 1:
        if content[at + 1 : at + 2] != bytes((_ON_DISK,)) or at + 18 > len(content):
            raise UnknownFormError
        raw, stored, value, relation = _POINTER.unpack_from(content, at + 2)
        return External(raw, stored & _LENGTH, stored >> 30, value, relation), at + 18
    if first & 1:
        return content[at + 1 : at + (first >> 1)], at + (first >> 1)
    if at + 4 > len(content):
        raise UnknownFormError
    size = int.from_bytes(content[at : at + 4], "little")
    end = at + (size >> 2)
    if end > len(content) or end < at + 4:
        raise UnknownFormError
    return unpacked(content[at + 4 : end], room) if size & 3 else content[at + 4 : end], end


def unpacked(content: bytes, room: Room, method: int | None = None) -> bytes:
    """Unpack a value behind its size, as it was before.

    Raises:
        UnknownFormError: If it is not packed in a known way, or there is no room for it.
    """
    if len(content) < 4:
        raise UnknownFormError
    said = int.from_bytes(content[:4], "little")
    size, own = said & _LENGTH, said >> 30
    if own not in {_PGLZ, _LZ4} or method not in {None, own} or size > _TIMES * len(content) or not room.take(size):
        raise UnknownFormError
    return from_pglz(content[4:], size) if own == _PGLZ else from_lz4(content[4:], size)


def from_zstd(content: bytes, size: int) -> bytes:
    """Unpack a frame of zstd.

    Raises:
        UnknownFormError: If it is not one of so many bytes.
    """
    import pyarrow as pa  # noqa: PLC0415 - a quarter of a second, for packed values alone

    try:
        with pa.CompressedInputStream(pa.BufferReader(content), "zstd") as stream:
            found: bytes = stream.read(size + 1)
    except (OSError, ValueError) as error:
        raise UnknownFormError from error
    if len(found) != size:
        raise UnknownFormError
    return found


def from_lz4(content: bytes, size: int) -> bytes:
    """Unpack a block of LZ4; PyArrow's codec fills one that ends early with whatever lay in memory.

    Raises:
        UnknownFormError: If it is not one of so many bytes.
    """
    found, at, end = bytearray(), 0, len(content)
    while at < end:
        token = content[at]
        length, at = _longer(content, at + 1, token >> 4)
        if at + length > end or len(found) + length > size:
            raise UnknownFormError
        found += content[at : at + length]
        at += length
        if at == end:
            break
        back = int.from_bytes(content[at : at + 2], "little")
        length, at = _longer(content, at + 2, token & 15)
        _copy(found, back, min(length + 4, size - len(found) + 1))
    if len(found) != size:
        raise UnknownFormError
    return bytes(found)


def _longer(content: bytes, at: int, length: int) -> tuple[int, int]:
    """Read the rest of a length that does not fit in four bits."""
    if length == 15:
        while True:
            if at >= len(content):
                raise UnknownFormError
            length += content[at]
            at += 1
            if content[at - 1] != 255:
                break
    return length, at


def _copy(found: bytearray, back: int, length: int) -> None:
    """Repeat what was given so many bytes ago, which may be what is being repeated."""
    start = len(found) - back
    if not back or start < 0:
        raise UnknownFormError
    piece = bytes(found[start : start + length])
    found += (piece * (length // len(piece) + 1))[:length] if length else b""


def from_pglz(content: bytes, size: int) -> bytes:
    """Undo PostgreSQL's own way of packing.

    Raises:
        UnknownFormError: If it is not packed so, or not to so many bytes.
    """
    found, at, end = bytearray(), 0, len(content)
    while at < end and len(found) < size:
        control = content[at]
        at += 1
        for bit in range(8):
            if at >= end or len(found) >= size:
                break
            if not control >> bit & 1:
                found.append(content[at])
                at += 1
                continue
            if at + 2 > end:
                raise UnknownFormError
            length, back = (content[at] & 15) + 3, (content[at] & 240) << 4 | content[at + 1]
            at += 2
            if length == 18:
                if at >= end:
                    raise UnknownFormError
                length += content[at]
                at += 1
            _copy(found, back, min(length, size - len(found)))
    if at != end or len(found) != size:
        raise UnknownFormError
    return bytes(found)


def packed_in(content: bytes, room: Room, tries: int) -> Iterator[bytes]:
    """Unpack values that lie somewhere in bytes, packed, with their lengths before them."""
    octets = np.frombuffer(content, np.uint8).astype(np.uint32)
    if len(octets) < _LEAST:
        return
    words = octets[:-3] | octets[1:-2] << 8 | octets[2:-1] << 16 | octets[3:] << 24
    lengths, said = words[:-4], words[4:]
    sizes = said & _LENGTH
    inside = (lengths >> 2) + np.arange(len(lengths)) <= len(content)
    likely = (lengths & 3 == 2) & (lengths >> 2 >= _LEAST) & (lengths >> 2 <= _LARGEST) & inside
    likely &= (sizes > lengths >> 2) & (sizes < _TIMES * (lengths >> 2)) & (said >> 30 <= _LZ4)
    places = np.flatnonzero(likely).tolist()
    if len(places) > tries:
        room.over = True
    for at in places[:tries]:
        try:
            yield unpacked(content[at + 4 : at + (int(lengths[at]) >> 2)], room)
        except UnknownFormError:
            continue


@dataclass(slots=True)
class Kinds:
    """Types by their numbers, and which of them are not read."""

    names: Mapping[int, str]
    unknown: set[str] = field(default_factory=set)

    def value(self, column: Column, cell: bytes) -> str | npt.NDArray[np.float32]:
        """Give a value as text, or as a vector."""
        if column.dropped:
            return _of_unknown(cell)
        name = self.names.get(column.type, "")
        try:
            return _READ[name](cell)
        except (KeyError, ValueError, IndexError, OverflowError, struct.error, RecursionError):
            if column.length > 0 or name not in _READ:
                self.unknown.add(name if name.isidentifier() and len(name) <= 40 else "another type")
            return _of_unknown(cell)


def _of_unknown(cell: bytes) -> str | npt.NDArray[np.float32]:
    """Take a value of an unknown type for a vector or a list of numbers, where it is one, or else for text."""
    for read in (_vector, _list):
        try:
            found = read(cell)
        except (ValueError, IndexError, OverflowError, struct.error):
            continue
        if isinstance(found, np.ndarray) and np.isfinite(found).all():
            return found
    return _text(cell)


def _text(cell: bytes) -> str:
    try:
        return cell.decode()
    except UnicodeDecodeError:
        return cell.decode("latin-1")


def _number(layout: str) -> Callable[[bytes], str]:
    return lambda cell: str(struct.unpack(layout, cell)[0])


def _single(cell: bytes) -> str:
    return str(np.frombuffer(cell, "<f4")[0])


def _date(cell: bytes) -> str:
    return str(date(2000, 1, 1) + timedelta(days=struct.unpack("<i", cell)[0]))


def _time(cell: bytes) -> str:
    return str(_EPOCH + timedelta(microseconds=struct.unpack("<q", cell)[0]))


def _numeric(cell: bytes) -> str:
    head = int.from_bytes(cell[:2], "little")
    if head & 0xC000 == 0xC000:
        return {0xC000: "NaN", 0xD000: "Infinity", 0xF000: "-Infinity"}[head]
    if head & 0x8000:
        minus, scale, at = bool(head & 0x2000), (head & 0x1F80) >> 7, 2
        weight = (head & 0x3F) - (64 if head & 0x40 else 0)
    else:
        minus, scale, at = bool(head & 0x4000), head & 0x3FFF, 4
        (weight,) = struct.unpack_from("<h", cell, 2)
    digits = struct.unpack(f"<{(len(cell) - at) // 2}H", cell[at:])
    if abs(weight) > _MANTISSA or scale > 4 * _MANTISSA or any(each > 9999 for each in digits):
        raise ValueError(cell)
    whole = "".join(f"{each:04d}" for each in digits[: max(0, weight + 1)]).ljust(4 * max(0, weight + 1), "0").lstrip("0") or "0"
    rest = "0000" * max(0, -1 - weight) + "".join(f"{each:04d}" for each in digits[max(0, weight + 1) :])
    return ("-" if minus else "") + whole + (f".{rest[:scale].ljust(scale, '0')}" if scale else "")


def _vector(cell: bytes) -> npt.NDArray[np.float32]:
    width, unused = struct.unpack_from("<hH", cell)
    if width < 1 or unused or len(cell) != 4 + 4 * width:
        raise ValueError(cell)
    return np.frombuffer(cell, "<f4", width, 4).astype(np.float32)


def _half_vector(cell: bytes) -> npt.NDArray[np.float32]:
    width, unused = struct.unpack_from("<hH", cell)
    if width < 1 or unused or len(cell) != 4 + 2 * width:
        raise ValueError(cell)
    return np.frombuffer(cell, "<f2", width, 4).astype(np.float32)


def _list(cell: bytes) -> str | npt.NDArray[np.float32]:
    """Read a list without gaps: of numbers as a vector, of texts as text."""
    axes, offset, kind = struct.unpack_from("<iiI", cell)
    if axes == 0:
        return "[]"
    if axes != 1 or offset:
        raise ValueError(cell)
    (count,) = struct.unpack_from("<i", cell, 12)
    at = 20
    if kind in _OF_NUMBERS:
        item = np.dtype(_OF_NUMBERS[kind])
        at += -(at + 4) % item.itemsize
        if count < 1 or len(cell) != at + count * item.itemsize:
            raise ValueError(cell)
        numbers = np.frombuffer(cell, item, count, at)
        return numbers.astype(np.float32) if item.kind == "f" else str(numbers.tolist())
    if kind not in _OF_TEXT or count > len(cell):
        raise ValueError(cell)
    column, room, found = Column(1, "", kind, -1, "i", dropped=False), Room(1 << 20), []
    for _ in range(count):
        # Lists lie on a border of four bytes, as their items do.
        cells, size = fields(cell[at:], [column], 1, b"", room)
        found.append(_text(cells[0]) if isinstance(cells[0], bytes) else "")
        at += size + -size % 4
    return json.dumps(found, ensure_ascii=False)


_OF_NUMBERS: Final = {700: "<f4", 701: "<f8", 21: "<i2", 23: "<i4", 20: "<i8"}
_OF_TEXT: Final = frozenset({25, 1042, 1043})


def _jsonb(cell: bytes) -> str:
    return json.dumps(_container(cell, 0), ensure_ascii=False)


def _container(content: bytes, depth: int) -> Any:
    """Read an object, a list or one value of JSON."""
    if depth > _DEEPEST:
        raise ValueError(content)
    (head,) = struct.unpack_from("<I", content)
    count, is_object, is_one = head & 0x0FFFFFFF, head & 0x20000000, head & 0x10000000
    total = count * (2 if is_object else 1)
    if 4 * total > len(content):
        raise ValueError(content)
    entries = struct.unpack_from(f"<{total}I", content, 4)
    base, at, found = 4 + 4 * total, 0, list[Any]()
    for each in entries:
        end = each & 0x0FFFFFFF if each & 0x80000000 else at + (each & 0x0FFFFFFF)
        if not at <= end <= len(content) - base:
            raise ValueError(content)
        found.append(_entry(content, base + at, base + end, each >> 28 & 7, depth))
        at = end
    if is_object:
        return dict(zip(map(str, found[:count]), found[count:], strict=True))
    return found[0] if is_one and found else found


def _entry(content: bytes, at: int, end: int, kind: int, depth: int) -> Any:
    match kind:
        case 0:
            return _text(content[at:end])
        case 1:
            text = _numeric(_without_length(content[at + -at % 4 : end]))
            return float(text) if "." in text else int(text)
        case 2 | 3:
            return kind == 3
        case 4:
            return None
        case _:
            return _container(content[at + -at % 4 : end], depth + 1)


def _without_length(cell: bytes) -> bytes:
    return cell[1:] if cell[:1] and cell[0] & 1 else cell[4:]


_READ: Final[Mapping[str, Callable[[bytes], str | npt.NDArray[np.float32]]]] = {
    "bool": lambda cell: "true" if cell[0] else "false",
    "int2": _number("<h"),
    "int4": _number("<i"),
    "int8": _number("<q"),
    "oid": _number("<I"),
    "float4": _single,
    "float8": _number("<d"),
    "numeric": _numeric,
    "text": _text,
    "varchar": _text,
    "bpchar": _text,
    "citext": _text,
    "json": _text,
    "xml": _text,
    "name": lambda cell: _text(cell.rstrip(b"\0")),
    "char": _text,
    "bytea": lambda cell: cell.decode("latin-1"),
    "date": _date,
    "timestamp": _time,
    "timestamptz": lambda cell: f"{_time(cell)}+00",
    "uuid": lambda cell: str(uuid.UUID(bytes=cell)),
    "jsonb": _jsonb,
    "vector": _vector,
    "halfvec": _half_vector,
    "_float4": _list,
    "_float8": _list,
    "_int2": _list,
    "_int4": _list,
    "_int8": _list,
    "_text": _list,
    "_varchar": _list,
}


_WORD: Final = 4
"""Bytes of a word at least."""
_LONGEST: Final = 1 << 20
"""Bytes of one at most: the letters of a text may be read as the length of a larger one."""
_CONTROL: Final = np.array([(each < 32 and each not in b"\t\n\r") or each == 127 for each in range(256)])


def words_in(content: bytes) -> Iterator[str]:
    """Give the texts that lie in bytes behind their lengths, as cells of rows, entries of indexes and of lists do."""
    octets = np.frombuffer(content, np.uint8)
    if len(octets) < _WORD:
        return
    controls = np.concatenate([[0], np.cumsum(_CONTROL[octets])])
    places = np.arange(len(octets))
    ends = places + (octets >> 1)
    short = (octets & 1 == 1) & (octets >> 1 > _WORD) & (ends <= len(octets))
    for at in np.flatnonzero(short)[controls[ends[short]] == controls[places[short] + 1]].tolist():
        yield _text(content[at + 1 : int(ends[at])])
    wide = octets.astype(np.int64)
    lengths = wide[:-3] | wide[1:-2] << 8 | wide[2:-1] << 16 | wide[3:] << 24
    ends = places[:-3] + (lengths >> 2)
    long = (lengths & 3 == 0) & (lengths >> 2 >= 4 + _WORD) & (lengths >> 2 <= _LONGEST) & (ends <= len(octets))
    for at in np.flatnonzero(long)[controls[ends[long]] == controls[places[:-3][long] + 4]].tolist():
        yield _text(content[at + 4 : int(ends[at])])


def vectors_in(content: bytes, width: int, room: Room) -> npt.NDArray[np.float32]:
    """Give the vectors of one width that lie in bytes as pgvector keeps them, of numbers of four bytes or of two."""
    found, at = list[npt.NDArray[np.float32]](), -1
    mark = struct.pack("<hH", width, 0)
    while (at := content.find(mark, at + 1)) >= 0 and room.take(8 * width):
        for kind in ("<f4", "<f2"):
            end = at + 4 + np.dtype(kind).itemsize * width
            if end <= len(content):
                numbers = np.frombuffer(content, kind, width, at + 4).astype(np.float32)
                if np.isfinite(numbers).all() and np.any(np.abs(numbers) > _TINY) and np.all(np.abs(numbers) < _HUGE):
                    found.append(numbers)
    return np.stack(found) if found else np.zeros((0, width), dtype=np.float32)


_TINY, _HUGE = 1e-12, 1e12
"""Between these, a number is taken for one of a vector."""
