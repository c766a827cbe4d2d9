"""Know the relations of a PostgreSQL database from its catalogs, which describe themselves, and read the rows of its tables."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.parts.store.readers.contents import Lies, Rows, UnknownFormError
from auditor.parts.store.readers.postgres_pages import Commits, Page, Tuple, carved, pages, read_page
from auditor.parts.store.readers.postgres_values import Cell, Column, External, Kinds, Room, fields, unpacked

PG_CLASS, PG_ATTRIBUTE, PG_TYPE, PG_DATABASE = 1259, 1249, 1247, 1262
_OWN: Final = 16384
"""The first number of an object that initdb did not make."""
_PUBLIC: Final = 2200
"""The number of the schema in which tables are made."""
FILE: Final = re.compile(r"(\d{1,10})(?:_(fsm|vm|init))?(?:\.(\d{1,6}))?", re.ASCII)
_MAP_MARK: Final = 0x592717
_MOST_MAPPED: Final = 64
_NAME: Final = 64
_LAYOUTS: Final = (
    {"attlen": 76, "attnum": 78, "attalign": 94, "attisdropped": 100},
    {"attlen": 76, "attnum": 78, "attalign": 93, "attisdropped": 101},
    {"attlen": 72, "attnum": 74, "attalign": 87, "attisdropped": 95},
)
"""Where `pg_attribute` has what a relation's columns are, in versions 13, 14 and 15, 16 and 17."""
_SIZES: Final = {"c": 1, "s": 2, "i": 4, "d": 8}
_CHUNK: Final = (
    Column(1, "chunk_id", 26, 4, "i", dropped=False),
    Column(2, "chunk_seq", 23, 4, "i", dropped=False),
    Column(3, "chunk_data", 17, -1, "i", dropped=False),
)
_MOST_COLUMNS: Final = 1600
_LARGEST_TRIED: Final = 1 << 20
"""Bytes that are unpacked at most of what may be a row."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A table, an index, or another relation."""

    number: int
    name: str
    kind: str
    schema: int
    columns: tuple[Column, ...]

    @property
    def initial(self) -> bool:
        """Whether initdb made it, as far as its numbers say: a server for a single user gives its tables numbers of catalogs."""
        return self.number < _OWN and self.schema != _PUBLIC

    @property
    def has_rows(self) -> bool:
        """Whether its pages hold rows of a table."""
        return self.kind in {"r", "m", "t", "S"}


def mapped(content: bytes) -> dict[int, int]:
    """Read which files the catalogs are in that cannot say it themselves.

    Raises:
        UnknownFormError: If it is no such map.
    """
    if len(content) < 8:
        raise UnknownFormError
    mark, count = struct.unpack_from("<II", content)
    if mark != _MAP_MARK or count > _MOST_MAPPED or len(content) < 8 + 8 * count:
        raise UnknownFormError
    return dict(struct.iter_unpack("<II", content[8 : 8 + 8 * count]))


def put_together(files: Mapping[str, bytes]) -> dict[int, bytes]:
    """Put the segments of each main file of a folder together, by its number."""
    found: dict[int, dict[int, bytes]] = {}
    for name, content in files.items():
        match = FILE.fullmatch(name)
        if match and match[2] is None:
            found.setdefault(int(match[1]), {})[int(match[3] or 0)] = content
    return {number: b"".join(each[at] for at in sorted(each)) for number, each in found.items()}


@dataclass(slots=True)
class Database:
    """One database."""

    number: int
    files: Mapping[int, bytes]
    """Main files by their numbers, segments put together."""
    log: Commits
    relations: dict[int, Relation] = field(default_factory=dict)
    """By the number of their file; those that are gone too, where catalogs still have them."""
    kinds: Kinds = field(default_factory=lambda: Kinds({}))

    @classmethod
    def read(cls, number: int, files: Mapping[int, bytes], log: Commits, own_map: bytes) -> Database:
        """Read its catalogs.

        Raises:
            UnknownFormError: If they are not there, or not laid out in a known way.
        """
        found = cls(number, files, log)
        places = mapped(own_map)
        attributes = [each.data for each in found._catalog(places.get(PG_ATTRIBUTE, 0))]
        columns, offsets = _columns(attributes)
        read = _Reader(columns, offsets)
        types = [read.row(PG_TYPE, each.data) for each in found._catalog(places.get(PG_TYPE, 0))]
        names = {each["oid"]: each["typname"] for each in types if each}
        base = {each["oid"]: each["typbasetype"] for each in types if each and each.get("typbasetype")}
        found.kinds = Kinds({each: names.get(base.get(each, each), name) for each, name in names.items()})
        rows = [(each.live(log), read.row(PG_CLASS, each.data)) for each in found._catalog(places.get(PG_CLASS, 0))]
        # What is there now is named last, and so wins.
        for _, row in sorted(((live, row) for live, row in rows if row), key=lambda each: each[0]):
            file = row["relfilenode"] or places.get(row["oid"], 0)
            if file:
                own = columns.get(row["oid"], ())
                found.relations[file] = Relation(row["oid"], row["relname"], row["relkind"], row["relnamespace"], own)
        if not found.relations:
            raise UnknownFormError
        return found

    def _catalog(self, file: int) -> list[Tuple]:
        """Give the rows of a catalog, dead ones before those that are there."""
        content = self.files.get(file)
        if content is None:
            raise UnknownFormError
        rows = [each for page in pages(content) if (read := read_page(page)) for each in read.tuples if each.whole]
        return sorted(rows, key=lambda each: each.live(self.log))


def _columns(rows: Sequence[bytes]) -> tuple[dict[int, tuple[Column, ...]], dict[int, dict[str, tuple[int, int]]]]:
    """Read the columns of every relation, and where those of fixed length lie in its rows.

    Raises:
        UnknownFormError: If `pg_attribute` does not describe itself in one of the known layouts.
    """
    for layout in _LAYOUTS:
        found: dict[int, dict[int, Column]] = {}
        for row in rows:
            if len(row) <= layout["attisdropped"]:
                continue
            relation, kind = int.from_bytes(row[:4], "little"), int.from_bytes(row[68:72], "little")
            (length,), (number,) = (
                struct.unpack_from("<h", row, layout["attlen"]),
                struct.unpack_from("<h", row, layout["attnum"]),
            )
            align = chr(row[layout["attalign"]])
            if number < 1:
                continue
            if align not in _SIZES or not (length in {-1, -2} or length > 0) or number > _MOST_COLUMNS:
                break
            dropped = bool(row[layout["attisdropped"]])
            name = f"dropped column {number}" if dropped else _name(row[4 : 4 + _NAME])
            found.setdefault(relation, {})[number] = Column(number, name, kind, length, align, dropped)
        else:
            columns = {relation: _in_order(each) for relation, each in found.items()}
            offsets = {each: _fixed(columns.get(each, ())) for each in (PG_CLASS, PG_ATTRIBUTE, PG_TYPE)}
            if all(offsets[PG_ATTRIBUTE].get(name, (0, 0))[0] == at for name, at in layout.items()):
                return columns, offsets
    raise UnknownFormError


def _in_order(columns: Mapping[int, Column]) -> tuple[Column, ...]:
    """Put columns in order, up to the first that is not there."""
    found = list[Column]()
    while (each := columns.get(len(found) + 1)) is not None:
        found.append(each)
    return tuple(found)


def _fixed(columns: Sequence[Column]) -> dict[str, tuple[int, int]]:
    found, at = {}, 0
    for each in columns:
        if each.length < 0:
            break
        at += -at % _SIZES[each.align]
        found[each.name] = at, each.length
        at += each.length
    return found


def _name(content: bytes) -> str:
    return content.partition(b"\0")[0].decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class _Reader:
    columns: Mapping[int, tuple[Column, ...]]
    offsets: Mapping[int, Mapping[str, tuple[int, int]]]

    def row(self, relation: int, data: bytes) -> dict[str, Any]:
        """Read the columns of a catalog's row that are needed; none of them where it is too short."""
        found: dict[str, Any] = {}
        for name in _NEEDED[relation]:
            at, size = self.offsets[relation].get(name, (0, 0))
            if not size or at + size > len(data):
                raise UnknownFormError
            cell = data[at : at + size]
            found[name] = chr(cell[0]) if size == 1 else _name(cell) if size == _NAME else int.from_bytes(cell, "little")
        return found


_NEEDED: Final = {
    PG_CLASS: ("oid", "relname", "relnamespace", "relfilenode", "relkind"),
    PG_TYPE: ("oid", "typname", "typbasetype"),
}


@dataclass(slots=True)
class Toast:
    """Pieces of values that lie outside of their rows."""

    room: Room
    pieces: dict[tuple[int, int], dict[int, bytes]] = field(default_factory=dict)
    """By the file's or relation's number and the value's, each by its place."""
    used: set[tuple[int, int]] = field(default_factory=set)

    def add(self, relation: int, row: Tuple) -> bool:
        """Take a row for a piece, if it is laid out as one."""
        if row.columns != len(_CHUNK) or row.bitmap:
            return False
        try:
            (value, place, content), _ = fields(row.data, _CHUNK, len(_CHUNK), b"", Room(0))
        except UnknownFormError:
            return False
        if not isinstance(value, bytes) or not isinstance(place, bytes) or not isinstance(content, bytes):
            return False
        # A page may say many times where one piece lies.
        if not self.room.take(len(content)):
            return False
        own = relation, int.from_bytes(value, "little")
        self.pieces.setdefault(own, {}).setdefault(int.from_bytes(place, "little"), content)
        return True

    def value(self, pointer: External, relation: int) -> bytes | None:
        """Give a value; None where a piece of it is not there, or it is packed in an unknown way."""
        key = relation, pointer.value
        pieces = self.pieces.get(key, {})
        content = b"".join(pieces[at] for at in sorted(pieces))
        # Any number of rows may name one value.
        if len(content) < pointer.stored or not self.room.take(pointer.stored):
            return None
        self.used.add(key)
        content = content[: pointer.stored]
        if not pointer.packed:
            return content
        try:
            return unpacked(content, self.room)
        except UnknownFormError:
            return None

    def left(self) -> Iterator[bytes]:
        """Give the values that no row had, packed where they are."""
        for key, pieces in self.pieces.items():
            if key not in self.used:
                yield b"".join(pieces[at] for at in sorted(pieces))


@dataclass(slots=True)
class TableRows:
    """Collects the rows of one table."""

    relation: Relation
    kinds: Kinds
    toast: Toast
    toast_of: Mapping[int, int]
    """The files of TOAST tables by their relations' numbers."""
    room: Room
    missing: int = 0
    """Values that lie elsewhere, and of which not all is there."""
    read: dict[Lies, list[dict[str, str | npt.NDArray[np.float32]]]] = field(default_factory=dict)
    loose: list[bytes] = field(default_factory=list)
    _seen: set[bytes] = field(default_factory=set)

    def page(self, page: Page, log: Commits) -> int:
        """Read the rows of a page, and give the bytes that rows take that are there and come apart."""
        explained = 0
        for each in page.tuples:
            if each.live(log) and self.row(each, Lies.LIVE, exact=True):
                explained += len(each.content)
            elif not each.live(log):
                self.row(each, Lies.REMNANT, exact=True)
        if any(page.between):
            for each in carved(page.between, len(self.relation.columns)):
                self.row(each, Lies.REMNANT, exact=False)
        return explained

    def row(self, row: Tuple, lies: Lies, *, exact: bool) -> bool:
        """Read a row; False where it does not come apart, or to its end where it has to."""
        columns = self.relation.columns
        if not row.whole or row.columns > len(columns):
            return False
        room = self.room if exact else Room(min(self.room.left, _LARGEST_TRIED))
        try:
            cells, size = fields(row.data, columns, row.columns, row.bitmap, room)
        except UnknownFormError:
            return False
        # Borders of eight bytes may follow the last cell.
        if exact and not size <= len(row.data) < size + 8:
            return False
        if lies is not Lies.LIVE:
            # The same row often lies in several places.
            own = row.data[:size]
            if own in self._seen:
                return True
            # What may be a row may be in another one, and so on.
            if not exact and not self.room.take(size + sum(len(each) for each in cells if isinstance(each, bytes))):
                return False
            self._seen.add(own)
        self.read.setdefault(lies, []).append(self._values(columns, cells))
        return True

    def _values(self, columns: Sequence[Column], cells: Sequence[Cell]) -> dict[str, str | npt.NDArray[np.float32]]:
        found: dict[str, str | npt.NDArray[np.float32]] = {}
        for column, given in zip(columns, cells, strict=False):
            cell = given
            if isinstance(cell, External):
                cell = self.toast.value(cell, self.toast_of.get(cell.relation, cell.relation))
                if cell is None:
                    self.missing += 1
                    continue
            if cell is not None:
                found[column.name] = value = self.kinds.value(column, cell)
                if not isinstance(value, np.ndarray) and self.kinds.names.get(column.type) not in _PLAIN:
                    self.loose.append(cell)
        return found

    def rows(self, where: str) -> Iterator[Rows]:
        """Give them all: with the vectors of each column, and those of one width at once."""
        for lies, held in self.read.items():
            words = [{name: each for name, each in row.items() if isinstance(each, str)} for row in held]
            groups: dict[tuple[str, int], list[int]] = {}
            for at, row in enumerate(held):
                for name, value in row.items():
                    if isinstance(value, np.ndarray):
                        groups.setdefault((name, len(value)), []).append(at)
            for (name, _), places in groups.items():
                vectors = np.stack([np.asarray(held[at][name], dtype=np.float32) for at in places])
                yield Rows(where, lies, len(places), vectors=vectors, fields=tuple(words[at] for at in places))
            rest = sorted({*range(len(held))} - {at for places in groups.values() for at in places})
            if rest:
                yield Rows(where, lies, len(rest), fields=tuple(words[at] for at in rest))


_PLAIN: Final = frozenset(
    {"bool", "int2", "int4", "int8", "float4", "float8", "date", "timestamp", "timestamptz", "text", "varchar"}
)
