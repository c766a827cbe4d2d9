"""Find rows of a store that name a deleted person by a number which the training data link to them, such as a customer's.

A number is a value of a column that is called one (customer_id, Kundennummer, email) or looks like one (text of a word with
digits or an @), that most records hold another value of, and that no retained record holds this one of. In a column of the same
name, or one that a database declares to refer to such a column, it is compared as a whole; where it would hardly be in a file by
chance it is looked for in every text and packed stream. Orders that name a deleted customer are then found, whatever they hold.
"""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from auditor.base import npy
from auditor.base.records import Dataset, Positions
from auditor.case.files import BINARY_LIMIT
from auditor.parts.release.observing import databases, file_formats
from auditor.parts.release.observing.file_formats import UnreadableError
from auditor.parts.store.observing.json_tables import table_of
from auditor.parts.store.observing.record_forms import Records, tells
from auditor.parts.store.observing.related_rows import LOOKS, Keys, is_number, plain, written_columns
from auditor.parts.store.observing.unpacking import DEPTH, Unpacking, unpacked

_FEWEST: Final = 10
_MOSTLY: Final = 0.8
"""The share of a column's values that have to be people's numbers for it to refer to them whatever it is called."""
_MOST_DIGITS: Final = 300
"""Of a number that others may have by chance."""
_BY_CHANCE: Final = 1e-6
_ANYWHERE: Final = 6
"""Characters of a value that is looked for in every text."""


@dataclass(frozen=True, eq=False)
class NamedIn:
    """What a file of a store says of deleted people by their numbers."""

    records: frozenset[str]
    columns: tuple[tuple[str, str], ...]
    """The file's column, and the one of the training data that it was compared with; ("", …) where plain text has it."""


@dataclass(frozen=True, eq=False)
class Numbers:
    """The numbers of deleted people, by the column that links them to their records."""

    by_column: Mapping[str, Mapping[str, frozenset[str]]]
    """By the column's name, then by the value in letters and digits: the deleted records with it."""
    everyone: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)
    """By the column's name, all of its values."""
    anywhere: Records | None = field(default=None, repr=False)
    """The values that would hardly be in a file by chance."""
    written: Mapping[str, tuple[str, frozenset[str]]] = field(default_factory=dict)
    """Column and records of each of those, by how it may be written."""

    @classmethod
    def of(
        cls,
        whole: Dataset,
        deleted: Positions,
        *,
        person: str | None = None,
        whose: Sequence[str] | None = None,
        names: Sequence[str] = (),
    ) -> Numbers:
        """Collect them.

        Args:
            whole: The training data with every column that tells something of a person.
            deleted: Positions of the deleted records.
            person: The column that the case says names people; None where it says none.
            whose: What it holds, shape (n,).
            names: What the columns are called where the table has numbers alone.
        """
        gone = np.zeros(len(whole), dtype=bool)
        gone[deleted] = True
        columns = [each for each in written_columns(whole, names) if each.compared and is_number(each, gone)]
        if person is not None and whose is not None and all(each.name != person for each in columns):
            columns.append(Keys(person, np.array([plain(each) for each in whose], dtype=np.str_), tuple(whose)))
        by_column: dict[str, dict[str, frozenset[str]]] = {}
        written: dict[str, tuple[str, frozenset[str]]] = {}
        for column in columns:
            of_kept = frozenset(column.values[~gone].tolist()) | {""}
            found: defaultdict[str, set[str]] = defaultdict(set)
            for at in np.flatnonzero(gone).tolist():
                if column.values[at] not in of_kept:
                    found[str(column.values[at])].add(str(whole.ids[at]))
                    if _stands_out(column.written[at]):
                        for form in {column.written[at].strip(), column.written[at].strip().casefold()}:
                            written[form] = (column.name, frozenset(found[str(column.values[at])]))
            if found:
                by_column[column.name] = {value: frozenset(records) for value, records in found.items()}
        # What names a record by its id is the main search's to find.
        everyone = {each.name: frozenset(each.values.tolist()) - {""} for each in columns if each.name in by_column}
        ids = set(whole.ids[gone].tolist())
        written = {form: named for form, named in written.items() if form not in ids}
        blank = np.zeros((0, whole.features.shape[1]))
        anywhere = Records(tuple(sorted(written)), blank, (), blank) if written else None
        return cls(by_column, everyone, anywhere, written)

    def named_in(self, path: Path, content: bytes) -> NamedIn | None:
        """Look for the numbers in one file of a store; None where none is in it, or it cannot be read.

        Args:
            path: The file, for its name.
            content: What it holds.
        """
        if not self.by_column or len(content) > BINARY_LIMIT:
            return None
        records: set[str] = set()
        columns: dict[tuple[str, str], None] = {}
        for name, alias, cells in columns_in(path, content):
            held = {plain(each) for each in cells} - {""}
            for own, values in self.by_column.items():
                same = plain(own) in {plain(name.rpartition(".")[2]), plain(alias)}
                if (met := values.keys() & held) and (same or _refers(held, self.everyone[own])):
                    records.update(*(values[each] for each in met))
                    columns[name, own] = None
        for form in sorted(self._anywhere(content, path)):
            own, those = self.written[form]
            if not those <= records:
                records |= those
                columns["", own] = None
        return NamedIn(frozenset(records), tuple(columns)) if records else None

    def _anywhere(self, content: bytes, path: Path) -> set[str]:
        """Which of the telling numbers a file holds, in text of any column, or packed."""
        if self.anywhere is None:
            return set()
        found: set[str] = set()
        for layer in Unpacking(content).layers():
            found |= self.anywhere.in_bytes(layer.content)
        if content.startswith(b"PAR1"):
            for _, _, cells in columns_in(path, content):
                found |= self.anywhere.in_text("\n".join(cells), short_ids=False)
        return found


def _refers(held: set[str], known: frozenset[str]) -> bool:
    """Whether a column of another name holds people's numbers: so many of them as numbers of that size would not by chance."""
    met = len(held & known)
    if met < _MOSTLY * len(held):
        return False
    if not all(each.isdecimal() for each in known):
        return len(held) >= _FEWEST
    if max(map(len, known)) > _MOST_DIGITS:
        return True
    from scipy.stats import binom  # noqa: PLC0415  (slow to import, and few files have such a column)

    numbers = {int(each) for each in known}
    density = min(1.0, len(numbers) / (max(numbers) - min(numbers) + 1))
    return bool(binom.sf(met - 1, len(held), density) <= _BY_CHANCE)


def _stands_out(value: str) -> bool:
    """Whether a value would hardly be in any text by chance."""
    return len(value.strip()) >= _ANYWHERE and tells(value.strip()) and LOOKS.fullmatch(value.strip()) is not None


def columns_in(path: Path, content: bytes, depth: int = 0) -> Iterator[tuple[str, str, list[str]]]:
    """The columns of a file as text: name, the column that a database says it refers to, cells; nothing of other files."""
    try:
        if depth < DEPTH and path.suffix.lower() != ".npz" and (inner := packed_files(path, content)):
            for name, data in inner:
                yield from columns_in(Path(name), data, depth + 1)
        else:
            yield from _of_table(path.suffix.lower(), content)
    except (UnreadableError, OSError, ValueError, KeyError, TypeError, RecursionError, csv.Error, sqlite3.Error):
        # The main search says what cannot be read.
        return


def _of_table(suffix: str, content: bytes) -> Iterator[tuple[str, str, list[str]]]:
    if content.startswith(b"PAR1"):
        yield from _of_parquet(content)
    elif content.startswith(databases.MAGIC):
        yield from _of_database(content)
    elif suffix in {".csv", ".tsv", ".txt"}:
        yield from _of_text(file_formats.text_of(content), "\t" if suffix == ".tsv" else None)
    elif suffix in {".jsonl", ".ndjson", ".json"}:
        yield from _of_json(file_formats.text_of(content), lines=suffix != ".json")
    elif suffix == ".npz":
        for name, data in file_formats.zip_members(content):
            array = npy.read_array(data, fields=True)
            if array.ndim == 1 and array.dtype.kind in "Uiuf":
                yield name.removesuffix(".npy"), "", [str(each) for each in array.tolist()]


def packed_files(path: Path, content: bytes) -> list[tuple[str, bytes]]:
    """Give the files that are packed in one, by name; none where it is no archive."""
    if path.suffix.lower() == ".tar":
        return file_formats.tar_members(content)
    if content.startswith(b"PK\x03\x04"):
        return file_formats.zip_members(content)
    inner = unpacked(content)
    return [] if inner is None else [(f"{path.stem}.tar" if path.suffix.lower() == ".tgz" else path.stem, inner)]


def _of_text(text: str, delimiter: str | None) -> Iterator[tuple[str, str, list[str]]]:
    first = text.partition("\n")[0]
    mark = delimiter or max(",;\t|", key=first.count)
    header, *rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark) if row]
    for at, name in enumerate(header):
        yield name.strip(), "", [row[at] for row in rows if at < len(row)]


def _of_json(text: str, *, lines: bool) -> Iterator[tuple[str, str, list[str]]]:
    columns: defaultdict[str, list[str]] = defaultdict(list)

    def walk(value: Any, name: str) -> None:
        match value:
            case dict():
                for key, item in value.items():
                    walk(item, str(key))
            case list():
                for item in value:
                    walk(item, name)
            case str() | int() | float():
                columns[name].append(str(value))

    for each in text.splitlines() if lines else (text,):
        if not each.strip():
            continue
        held = json.loads(each)
        table = None if lines else table_of(held)
        if table is not None and not table.numbers_rows:
            columns[""] += table.labels
        walk(held if table is None else list(table.records), "")
    yield from ((name, "", cells) for name, cells in columns.items())


def _of_parquet(content: bytes) -> Iterator[tuple[str, str, list[str]]]:
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        table = pq.ParquetFile(pa.BufferReader(content)).read(use_threads=False)
        for name in table.column_names:
            cells = table.column(name).to_pylist()
            yield name, "", [str(each) for each in cells if isinstance(each, str | int | float)]
    except MemoryError:  # Arrow's own among them: what is not read because of it is said, not passed over
        raise
    except (pa.ArrowException, NotImplementedError, OverflowError) as error:
        raise ValueError from error


def _of_database(content: bytes) -> Iterator[tuple[str, str, list[str]]]:
    with databases.opened(content, errors="replace") as database:
        for table in database.tables():
            refers = database.references(table)
            columns, rows = database.rows(table)
            held = list(rows)
            for at, name in enumerate(columns):
                cells = [str(row[at]) for row in held if isinstance(row[at], str | int | float)]
                yield f"{table}.{name}", refers.get(name, ""), cells
