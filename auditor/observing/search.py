"""Looking for deleted records in what a controller keeps: by identifier and by value, in tables, databases and plain bytes.

A place that cannot be looked into, or whose form is not known, leaves the question open, and so does a store in which not even a
kept record is recognised: not found is not the same as not there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np

from auditor.checks.data_erased import NotSearched, Searched
from auditor.domain import Reason
from auditor.observing import file_formats
from auditor.observing.file_formats import MAX_BYTES, Array, UnreadableError
from auditor.observing.record_forms import Records, Wanted

COMPRESSED = frozenset({".gz", ".bz2", ".xz", ".zst", ".lz4", ".7z", ".zip", ".tgz", ".rar"})
TEXT = frozenset({".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".md", ".log", ".xml", ".yaml", ".yml", ".toml", ".sql"})
_PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf", b"Rar!", b"\x04\x22\x4d\x18")
_COMPRESSED = Reason("data.erased.unreadable.compressed")
_SMALL = 10
"""Whole numbers up to it stand in any code."""
_Look: TypeAlias = Callable[[Records], set[str]]


@dataclass(slots=True)
class Search:
    """What was searched, what was found, and what could not be looked into."""

    wanted: Wanted
    id_column: str = "id"
    """The column of ids in tables that have one: ids that could be any number are looked for there."""
    found: set[str] = field(default_factory=set)
    """Deleted records that were found."""
    recognised: set[str] = field(default_factory=set)
    """Kept records that were found: the search can see."""
    searched: list[Searched] = field(default_factory=list)
    not_searched: list[NotSearched] = field(default_factory=list)
    open_places: list[Reason] = field(default_factory=list)
    """Places that may hold what the search could not see, each with why."""

    def file(self, path: Path, place: Reason) -> None:
        """Search one file of a store, by what its first bytes or its ending say it is."""
        if path.is_symlink() or not path.is_file():
            self.leave_out(place, Reason("data.erased.unreadable.no-file"))
            return
        if path.stat().st_size > MAX_BYTES:
            self.leave_out(place, Reason("data.erased.unreadable.too-large", {"bytes": MAX_BYTES}))
            return
        suffix, content = path.suffix.lower(), path.read_bytes()
        if suffix in COMPRESSED or content.startswith(_PACKED):
            self.leave_out(place, _COMPRESSED)
            return
        try:
            self._file(path, suffix, content, place)
        except UnreadableError as error:
            self.leave_out(place, error.reason)

    def _file(self, path: Path, suffix: str, content: bytes, place: Reason) -> None:
        if content.startswith(b"PAR1"):
            self._parts(*file_formats.parquet(content, self.id_column), place)
        elif content.startswith(b"SQLite format 3\0"):
            # The bytes as well: what was deleted from a database may still lie on its free pages.
            self._parts(*file_formats.sqlite(path, self.id_column), place, raw=content)
        elif suffix in {".npz", ".npy"}:
            self._parts(*file_formats.numpy_arrays(content, zipped=suffix == ".npz"), place)
        elif suffix == ".safetensors":
            self._parts(*file_formats.safetensors(content), place)
        elif suffix in TEXT:
            self._text(file_formats.text_of(content), place, "\t" if suffix == ".tsv" else ",")
        else:
            self._unknown(content, place)

    def content(self, content: bytes, place: Reason) -> None:
        """Search plain bytes, such as a model file or a state; a zip archive is unpacked for it."""
        if content.startswith(_PACKED):
            self.leave_out(place, _COMPRESSED)
            return
        if content.startswith(b"PK\x03\x04"):
            try:
                content += b"".join(member for _, member in file_formats.zip_members(content))
            except UnreadableError as error:
                self.leave_out(place, error.reason)
                return
        text = _plain_text(content)
        tables = [] if text is None else file_formats.tables_of(text, self._width, ",")
        found = self._note(lambda records: records.in_bytes(content) | _in_all(records, text or "", tables, short_ids=False))
        if hidden := len(self.wanted.hidden_in_bytes):
            self._leave_open(place, Reason("data.erased.open.hidden", {"records": hidden}))
        self._done(place, None, found, Reason("data.erased.how.bytes"))

    def code(self, content: bytes, place: Reason) -> None:
        """Search a file of code, as text and as bytes.

        Ids that could be any word mean nothing in it, nor do rows of small whole numbers alone, which any code holds.
        """
        text = content.decode("utf-8", "replace")
        tables = [_particular(table) for table in file_formats.tables_of(text, self._width, ",")]
        found = self._note(lambda records: _in_all(records, text, tables, short_ids=False) | records.in_bytes(content))
        self._done(place, len(text.splitlines()), found, Reason("data.erased.how.lines"))

    def leave_out(self, place: Reason, why: Reason) -> None:
        """Note a place that could not be searched and that may hold a deleted record."""
        self.not_offered(place, why)
        self._leave_open(place, why)

    def not_offered(self, place: Reason, why: Reason) -> None:
        """Note a place that is not there."""
        self.not_searched.append(NotSearched(place=place, why=why))

    @property
    def _width(self) -> int:
        return int(self.wanted.deleted.rows.shape[1])

    def _unknown(self, content: bytes, place: Reason) -> None:
        before = len(self.searched)
        self.content(content, place)
        if len(self.searched) > before and not self.searched[-1].found:
            self._leave_open(place, Reason("data.erased.open.unknown-form"))

    def _parts(self, words: list[str], arrays: list[Array], place: Reason, *, raw: bytes = b"") -> None:
        """Search a file that came apart into words and arrays of numbers."""
        tables = [table for array in arrays for table in _oriented(array, self._width)]
        prose = "\n".join(words)
        found = self._note(
            lambda records: (
                records.in_words(words)
                | _in_all(records, prose, tables, short_ids=False)
                | (records.in_bytes(raw) if raw else set())
            ),
        )
        count = max([len(words), *(len(table) for table in tables)], default=0)
        self._done(place, count, found, Reason("data.erased.how.rows"))

    def _text(self, text: str, place: Reason, delimiter: str) -> None:
        tables = file_formats.tables_of(text, self._width, delimiter)
        column = file_formats.column_of(text, self.id_column, delimiter)
        found = self._note(
            lambda records: _in_all(records, text, tables, short_ids=column is None) | records.in_words(column or ())
        )
        self._done(place, len(text.splitlines()), found, Reason("data.erased.how.lines"))

    def _note(self, look: _Look) -> int:
        """Look for the deleted records and, until one is recognised, for kept ones; how many deleted ones were found."""
        found = look(self.wanted.deleted)
        self.found |= found
        if not self.recognised:
            self.recognised |= look(self.wanted.kept)
        return len(found)

    def _done(self, place: Reason, records: int | None, found: int, how: Reason) -> None:
        self.searched.append(Searched(place=place, records_searched=records, found=found, how=how))

    def _leave_open(self, place: Reason, why: Reason) -> None:
        self.open_places.append(Reason("data.erased.open.place", {"place": place, "why": why}))


def _in_all(records: Records, text: str, tables: list[Array], *, short_ids: bool) -> set[str]:
    return records.in_text(text, short_ids=short_ids).union(*(records.in_table(table) for table in tables))


def _particular(table: Array) -> Array:
    """The rows of a table, shape (rows, numbers), that hold more than small whole numbers."""
    rows: Array = table[np.any((table != np.round(table)) | (np.abs(table) > _SMALL), axis=1)]
    return rows


def _oriented(array: Array, width: int) -> list[Array]:
    """An array as tables: as it lies, and with records in columns where its shape allows that."""
    if array.ndim <= 1:
        return [array.reshape(1, -1)]
    table = array.reshape(len(array), -1)
    return [table, table.T] if len(table) == width != table.shape[1] else [table]


def _plain_text(content: bytes) -> str | None:
    if b"\0" in content:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None
