"""Looking for deleted records in what a controller keeps: by identifier and by value, in tables, databases and plain bytes.

Whatever is encoded or packed in a place is searched with it. A place that cannot be looked into, or whose form is not known,
leaves the question open; so does a store in which not even a kept record is recognised. Not found is not the same as not there.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath

import numpy as np

from auditor.base.domain import Message
from auditor.base.plain_files import opened
from auditor.parts.release.observing import databases, file_formats
from auditor.parts.release.observing.file_formats import MAX_BYTES, Array, Parts, UnreadableError
from auditor.parts.store.judging.data_erased import NotSearched, Searched
from auditor.parts.store.observing import vector_stores
from auditor.parts.store.observing.json_tables import separated
from auditor.parts.store.observing.looked_up import LookedUp
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.record_forms import Records, Wanted
from auditor.parts.store.observing.unpacking import DEPTH, Unpacking, float_runs, unpacked
from auditor.parts.store.readers.contents import Contents

PACKED = frozenset({".gz", ".bz2", ".xz", ".zst", ".lz4"})
"""Endings of files that hold one other."""
ARCHIVES = frozenset({".zip", ".tgz", ".jar", ".tar"})
CLOSED = frozenset({".7z", ".rar"})
TEXT = frozenset({".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".md", ".log", ".xml", ".yaml", ".yml", ".toml", ".sql"})
_CLOSED = (b"7z\xbc\xaf", b"Rar!")
_PACKED_FILES = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"PK\x03\x04", *_CLOSED)
_PACKED = Message("data.erased.unreadable.compressed")
_LEFT_SHUT = Message("data.erased.open.shut")
_UNKNOWN = Message("data.erased.open.unknown-form")
_TABLES = (databases.MAGIC, b"PAR1")
_BYTES, _ROWS, _LINES = (Message(f"data.erased.how.{how}") for how in ("bytes", "rows", "lines"))
_RUN = 8
"""Numbers of moderate size that follow one another, where bytes are taken for numbers."""
_LONGEST = 16
"""Runs of such numbers that are taken for tables."""
_LONG_WORD = 2**20
_SMALL = 10
"""Whole numbers up to it occur in any code."""


@dataclass(slots=True)
class _Seen:
    """What was seen in a file, or in all that an archive holds."""

    how: Message
    records: int | None = None
    found: set[str] = field(default_factory=set)
    open: dict[str, Message] = field(default_factory=dict)
    """Why something in it may hold what the search could not see, by code."""
    doubtful: dict[str, frozenset[str] | None] = field(default_factory=dict)
    """By the same codes, the records that it may hold; None for any."""

    def leave_open(self, why: Message, records: Iterable[str] | None = None) -> None:
        """Note why something may hold some records, or any where none are given."""
        self.open.setdefault(why.code, why)
        self._doubt(why.code, None if records is None else frozenset(records))

    def _doubt(self, code: str, records: frozenset[str] | None) -> None:
        before = self.doubtful.get(code, frozenset())
        self.doubtful[code] = None if before is None or records is None else before | records

    def add(self, other: _Seen) -> None:
        """Take in what was seen in a further file of an archive."""
        if other.records is not None:
            self.records = (self.records or 0) + other.records
            self.how = other.how
        self.found |= other.found
        self.open = {**other.open, **self.open}
        for code, records in other.doubtful.items():
            self._doubt(code, records)


@dataclass(slots=True)
class Search:
    """What was searched, what was found, and what could not be looked into."""

    wanted: Wanted
    id_column: str = "id"
    """The column of ids in tables that have one: ids that could be any number are looked for there."""
    controls: bool = True
    """Whether kept records are looked for as well, until one is recognised."""
    people: People | None = None
    """Who may be kept, to tell whether the numbers of a store's rows are ids."""
    found: set[str] = field(default_factory=set)
    """Deleted records that were found."""
    recognised: set[str] = field(default_factory=set)
    """Kept records that were found: the search can see."""
    searched: list[Searched] = field(default_factory=list)
    not_searched: list[NotSearched] = field(default_factory=list)
    open_places: list[Message] = field(default_factory=list)
    """Places that may hold what the search could not see, each with why."""
    doubtful: list[frozenset[str] | None] = field(default_factory=list)
    """The records that each of these places may hold; None for any."""

    def file(
        self,
        path: Path,
        place: Message,
        *,
        content: bytes | None = None,
        name: str | None = None,
        named: frozenset[str] = frozenset(),
    ) -> None:
        """Search one file of a store, by what its first bytes or its ending say it is, and its name for ids.

        Args:
            path: The file.
            place: How it is named in what is said.
            content: What it holds, where it has been read.
            name: Its path below the store; the file's name where left out.
            named: Deleted records that it names in a way of its own.
        """
        named |= self.wanted.deleted.in_text(name or path.name, short_ids=False)
        self.found |= named
        seen = _Seen(_BYTES)
        try:
            seen = self._file(path.name.lower(), _content(path) if content is None else content)
        except UnreadableError as error:
            self.leave_out(place, error.reason)
            if not named:
                return
        seen.found |= named
        self._done(place, seen)

    def group(self, files: Mapping[str, bytes], found: Contents, place: Message) -> None:
        """Search files that belong together, by their paths, and what a reader gives of them."""
        seen = _Seen(_BYTES)
        parts = vector_stores.parts(found, self.people)
        seen.add(self._parts(parts))
        live = "\n".join(parts.words)
        for content in files.values():
            self._look(seen, raw=content)
            seen.found |= self.wanted.deleted.end_to_end(content, live)
        if found.loose:
            self._look_inside(seen, found.loose, itself=True)
        self._look_at_codes(seen, found)
        for why in found.unread:
            seen.leave_open(why)
        self._done(place, seen)

    def content(self, content: bytes, place: Message) -> None:
        """Search plain bytes, such as a model file or a state, and whatever is encoded or packed in them."""
        self._done(place, self._plain(content))

    def held(self, content: bytes, place: Message, *, name: str) -> None:
        """Search a file that is held already, by what its first bytes or its ending say it is, and its name for ids.

        A form that is not known leaves nothing open here: such a file is accounted for in another way, or not at all.
        """
        named = self.wanted.deleted.in_text(name, short_ids=False)
        self.found |= named
        try:
            seen = self._file(PurePath(name).name.lower(), content)
        except UnreadableError as error:
            self.leave_out(place, error.reason)
            if not named:
                return
            seen = _Seen(_BYTES)
        seen.open.pop(_UNKNOWN.code, None)
        seen.found |= named
        self._done(place, seen)

    def code(self, content: bytes, place: Message) -> None:
        """Search a file of code, as text and as bytes.

        Ids that could be any word mean nothing in it, nor do rows of small whole numbers alone, which any code holds.
        """
        text = content.decode("utf-8", "replace")
        seen = _Seen(_LINES, _filled(text))
        tables = [_particular(table) for table in file_formats.tables_of(text, self._width, ",")]
        self._look(seen, text=text, tables=tables, raw=content)
        self._look_inside(seen, content)
        self._done(place, seen)

    def leave_out(self, place: Message, why: Message) -> None:
        """Note a place that could not be searched and that may hold a deleted record."""
        self.not_offered(place, why)
        self.leave_open(place, why)

    def not_offered(self, place: Message, why: Message) -> None:
        """Note a place that is not there."""
        self.not_searched.append(NotSearched(place=place, why=why))

    @property
    def _width(self) -> int:
        return int(self.wanted.deleted.rows.shape[1])

    def _file(self, name: str, content: bytes, depth: int = 0) -> _Seen:
        """Search a file of this name, or one that was packed in it, and so on."""
        if not content:
            return _Seen(_BYTES)
        suffix = PurePath(name).suffix
        if suffix in PACKED | ARCHIVES | CLOSED or (content.startswith(_PACKED_FILES) and suffix != ".npz"):
            return self._packed(name, content, depth)
        if suffix in TEXT and not content.startswith(_TABLES):
            seen = self._text(content, suffix)
            if suffix == ".json" and (by_row := separated(content)) is not None:
                # Row by row, for a document may hold one column after another.
                seen.records = None
                seen.add(self._text(by_row, ".csv"))
            return seen
        if content.startswith(databases.MAGIC):
            # The bytes as well: what was deleted from a database may still lie on its free pages.
            rows = file_formats.sqlite(content, self.id_column)
            seen = self._parts(rows, raw=content)
            seen.found |= self.wanted.deleted.end_to_end(content, "\n".join(rows.words))
            return seen
        store = vector_stores.contents(name, content)
        parts = self._apart(suffix, content) if store is None else vector_stores.parts(store, self.people)
        # What no page of a Parquet file holds is in no table either.
        raw = content if store is not None or content.startswith(b"PAR1") else b""
        seen = self._plain(content) if parts is None else self._parts(parts, raw=raw)
        if store is not None:
            self._look_at_codes(seen, store)
        if parts is None and not seen.found:
            seen.leave_open(_UNKNOWN)
        return seen

    def _apart(self, suffix: str, content: bytes) -> Parts | None:
        """A table or arrays; None for anything else."""
        if content.startswith(b"PAR1"):
            return file_formats.parquet(content, self.id_column)
        if suffix in {".npz", ".npy"}:
            return file_formats.numpy_arrays(content, zipped=suffix == ".npz")
        return file_formats.safetensors(content) if suffix == ".safetensors" else None

    def _packed(self, name: str, content: bytes, depth: int) -> _Seen:
        """Search every file that this one holds."""
        stem, suffix = PurePath(name).stem, PurePath(name).suffix
        if depth == DEPTH or suffix in CLOSED or content.startswith(_CLOSED):
            raise UnreadableError(_PACKED)
        if suffix == ".tar":
            members = file_formats.tar_members(content)
        elif content.startswith(b"PK\x03\x04") or suffix in {".zip", ".jar"}:
            members = file_formats.zip_members(content)
        elif (inner := unpacked(content)) is not None:
            members = [(f"{stem}.tar" if suffix == ".tgz" else stem, inner)]
        else:
            raise UnreadableError(_PACKED)
        seen = _Seen(_BYTES)
        for member, data in members:
            if data:
                seen.add(self._file(member.lower(), data, depth=depth + 1))
        # What follows, lies between the members, or was taken out of the list of them is bytes like any other.
        self._look_inside(seen, content, itself=True)
        return seen

    def _plain(self, content: bytes) -> _Seen:
        seen = _Seen(_BYTES)
        self._look_inside(seen, content, itself=True)
        if b"\0" in content:
            # As a database's log of changes, in which rows lie as in its pages.
            seen.found |= self.wanted.deleted.end_to_end(content, "")
        if hidden := self.wanted.hidden_in_bytes(len(content)):
            seen.leave_open(Message("data.erased.open.hidden", {"records": len(hidden)}), hidden)
        return seen

    def _parts(self, parts: Parts, *, raw: bytes = b"") -> _Seen:
        """Search a file that came apart into words and arrays of numbers."""
        tables = _tables(parts.arrays, self._width)
        prose = "\n".join(parts.words)
        seen = _Seen(_ROWS, _rows(parts, self._width))
        self._look(seen, words=parts.words, text=prose, tables=tables, raw=raw)
        self._look_inside(seen, b"\n".join([prose.encode(errors="replace"), *parts.blobs]))
        return seen

    def _look_at_codes(self, seen: _Seen, store: Contents) -> None:
        """Look for records under the code of a store that keeps no more of them."""
        if self.people is None:
            return
        coded = vector_stores.Coded.of(store, self.people)
        seen.found |= coded.found
        if self.controls and not self.recognised:
            self.recognised |= coded.recognised
        if left := coded.doubtful - seen.found:
            seen.leave_open(Message("data.erased.open.other-units", {"records": len(left)}), left)

    def _text(self, content: bytes, suffix: str) -> _Seen:
        text = file_formats.text_of(content)
        delimiter = file_formats.mark_of(text, suffix)
        column = file_formats.column_of(text, self.id_column, delimiter)
        seen = _Seen(_LINES, _filled(text) - (column is not None))
        tables = file_formats.tables_of(text, self._width, delimiter)
        self._look(seen, words=column or (), text=text, tables=tables, short_ids=column is None)
        self._look_inside(seen, content)
        return seen

    def _look_inside(self, seen: _Seen, content: bytes, *, itself: bool = False) -> None:
        """Search whatever is encoded or packed in plain bytes, and if asked for these themselves."""
        unpacking = Unpacking(content)
        for number, layer in enumerate(unpacking.layers()):
            if number or itself:
                text = _plain_text(layer.content)
                if text is not None and _spaced(layer.content):
                    prose = text
                else:
                    prose = b"\n".join([piece for piece in layer.text if _spaced(piece)]).decode("ascii")
                tables = file_formats.tables_of(prose, self._width, ",") if prose else []
                arrays, between = file_formats.embedded_arrays(layer.content)
                tables += _tables(arrays, self._width)
                self._look(seen, text=text or "", tables=tables, raw=layer.content, coarse=False)
                runs = [run for piece in between for run in float_runs(piece, max(_RUN, self._width)) if np.ptp(run) > 0]
                self._look_in_other_units(seen, _laid_out(runs, self._width), doubt=False)
        if unpacking.shut:
            seen.leave_open(_LEFT_SHUT)

    def _look(
        self,
        seen: _Seen,
        *,
        words: Iterable[str] = (),
        text: str = "",
        tables: Iterable[Array] = (),
        raw: bytes = b"",
        short_ids: bool = False,
        coarse: bool = True,
    ) -> None:
        """Look for the deleted records and, until one is recognised, for kept ones."""
        words = list(words)
        tables = [table for table in tables if table.size >= self._width]
        controls = self.controls and not self.recognised

        def among(records: Records) -> set[str]:
            return records.in_words(words).union(
                records.in_text(text, short_ids=short_ids) if text else (), records.in_bytes(raw) if raw else ()
            )

        seen.found |= among(self.wanted.deleted)
        if controls:
            self.recognised |= among(self.wanted.kept)
        by_value = len(self.wanted.deleted.rows) or (controls and len(self.wanted.kept.rows))
        for block in (each for table in tables if by_value for each in LookedUp.blocks(table, self._width)):
            seen.found |= self.wanted.deleted.in_table(block, coarse=coarse)
            if controls:
                self.recognised |= self.wanted.kept.in_table(block, coarse=coarse)
        self._look_in_other_units(seen, tables)

    def _look_in_other_units(self, seen: _Seen, tables: Iterable[Array], *, doubt: bool = True) -> None:
        """Look in other units and orders; where rows are only guessed at, another order says nothing unless it says enough."""
        for table in tables:
            if seen.found.issuperset(self.wanted.deleted.row_ids):
                return
            other, met = self.wanted.units.in_table(table), self.wanted.moved.in_table(table, doubt=doubt)
            seen.found |= other.found | met.found
            if self.controls and other.recognised:
                self.recognised |= set(self.wanted.kept.ids)
            if other.doubtful - seen.found:
                seen.leave_open(Message("data.erased.open.other-units", {"records": len(other.doubtful)}), other.doubtful)
            if left := met.doubtful - seen.found:
                seen.leave_open(Message("data.erased.open.other-order", {"records": len(left)}), left)

    def _done(self, place: Message, seen: _Seen) -> None:
        self.found |= seen.found
        self.searched.append(Searched(place=place, records_searched=seen.records, found=len(seen.found), how=seen.how))
        for code, why in seen.open.items():
            self.leave_open(place, why, seen.doubtful[code])

    def leave_open(self, place: Message, why: Message, records: frozenset[str] | None = None) -> None:
        """Note that a place may hold some records, or any where none are given, and why."""
        self.doubtful.append(records)
        self.open_places.append(Message("data.erased.open.place", {"place": place, "why": why}))


def _content(path: Path) -> bytes:
    try:
        with opened(path) as stream:
            if os.fstat(stream.fileno()).st_size > MAX_BYTES:
                raise UnreadableError(Message("data.erased.unreadable.too-large", {"bytes": MAX_BYTES}))
            return stream.read()
    except OSError as error:
        raise UnreadableError(Message("data.erased.unreadable.no-file")) from error


def _filled(text: str) -> int:
    """Lines that are not blank."""
    return sum(not line.isspace() for line in text.splitlines() if line)


def _rows(parts: Parts, width: int) -> int:
    """Records that a file holds, where one array may lie on its side."""
    turned = [int(array.shape[1]) for array in parts.arrays if array.ndim == 2 and array.shape[0] == width != array.shape[1]]
    return max([parts.rows, *turned])


def _particular(table: Array) -> Array:
    """The rows of a table, shape (rows, numbers), that hold more than small whole numbers."""
    rows: Array = table[np.any((table != np.round(table)) | (np.abs(table) > _SMALL), axis=1)]
    return rows


def _spaced(text: bytes) -> bool:
    """Whether a text could be numbers and not one long word of digits and letters."""
    return len(text) < _LONG_WORD or sum(text.count(mark) for mark in b" ,;\t\n") * 64 > len(text)


def _tables(arrays: Iterable[Array], width: int) -> list[Array]:
    """Arrays as tables: as they lie, and with records in columns where their shape allows that."""
    columns: dict[int, list[Array]] = {}
    tables: list[Array] = []
    for array in arrays:
        if array.ndim <= 1:
            columns.setdefault(array.size, []).append(array.reshape(-1))
        else:
            table = array.reshape(len(array), -1)
            tables += [table, table.T] if len(table) == width != table.shape[1] else [table]
    for alike in columns.values():
        table = np.array(alike)
        # A column each, or a record each.
        tables += [table, table.T] if len(alike) >= max(2, width) else [table]
    return tables


def _laid_out(runs: list[Array], width: int) -> list[Array]:
    """Runs of numbers: all on one line, and the longest as rows, counted from either end."""
    if not runs:
        return []
    gap = np.full(1, np.nan)
    tables: list[Array] = [np.concatenate([part for run in runs for part in (run.astype(np.float64), gap)]).reshape(1, -1)]
    for run in sorted(runs, key=len, reverse=True)[:_LONGEST]:
        rows = len(run) // width
        ends = [run[: rows * width], run[len(run) - rows * width :]][: 1 + (rows * width < len(run))]
        tables += [end.reshape(rows, width) for end in ends if rows > 1]
    return tables


def _plain_text(content: bytes) -> str | None:
    if b"\0" in content:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None
