"""Read the tables of files row by row, with their columns: CSV, TSV, JSON, Parquet, SQLite, and what readers of stores give."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from auditor.parts.places.observing.packed_files import members
from auditor.parts.release.observing import databases, file_formats
from auditor.parts.release.observing.file_formats import UnreadableError
from auditor.parts.store.observing.json_tables import table_of
from auditor.parts.store.observing.limited_reading import BROKEN
from auditor.parts.store.readers.contents import Contents, Lies

_BROKEN: Final = (*BROKEN, sqlite3.Error, csv.Error, UnreadableError, RecursionError)
_SEPARATED: Final = frozenset({".csv", ".tsv"})
_ARRAYS: Final = (".npz", ".npy", ".safetensors")
"""Endings of files of arrays, which no row of a table is in."""
MOST_BYTES: Final = 64 << 20
"""Of files that are larger no row is read."""


class Table(NamedTuple):
    """Rows of a file with their columns."""

    file: str
    """Below the place; what is packed, below its own file."""
    name: str
    """Of a database or store."""
    columns: tuple[str, ...]
    rows: Sequence[Sequence[str | None]]
    """Cells as text, in the order of the columns; None where nothing is."""
    numbers: Sequence[int]
    """Of each row, its line in a text, or its place in the table, from one on."""
    in_lines: bool
    deleted: bool = False

    @property
    def of_text(self) -> bool:
        """Whether a line of text has all cells of a row, one next to the other."""
        return PurePosixPath(self.file).suffix.lower() in _SEPARATED


class Spot(NamedTuple):
    """A row that has something of a deleted person's."""

    table: Table
    at: int
    columns: tuple[str, ...]


def tables_of(files: Mapping[str, bytes], store: Contents | None) -> Iterator[Table]:
    """Give the tables of files that belong together; none of what cannot be read, which the search says.

    Args:
        files: By their paths below the place.
        store: What a reader gives of them; None where none does.
    """
    if sum(map(len, files.values())) > MOST_BYTES:
        return
    if store is not None:
        yield from _of_store(store, next(iter(files)))
        return
    packed = {name: content for name, content in files.items() if content and not name.lower().endswith(_ARRAYS)}
    for name, inside, _ in members(packed) if packed else ():
        for path, content in inside.items():
            with suppress(*_BROKEN):
                yield from list(_of_file(path if path == name else f"{name}/{path.removeprefix(f'{name}/')}", content))


def _of_store(store: Contents, first: str) -> Iterator[Table]:
    for held in store.rows:
        if held.lies is Lies.LEARNED or not held.fields:
            continue
        file, _, table = held.where.partition(": ")
        file, table = (file, table) if file in store.files else (first, "")
        yield _of_fields(file, table, held.fields, range(1, len(held.fields) + 1), deleted=held.lies is not Lies.LIVE)


def _of_file(name: str, content: bytes) -> Iterator[Table]:
    suffix = PurePosixPath(name).suffix.lower()
    if content.startswith(databases.MAGIC):
        with databases.opened(content, errors="replace") as database:
            for table in database.tables():
                columns, rows = database.rows(table)
                held = [[_text(cell) for cell in row] for row in rows]
                yield Table(name, table, tuple(columns), held, range(1, len(held) + 1), in_lines=False)
    elif content.startswith(b"PAR1"):
        yield _of_parquet(name, content)
    elif suffix in _SEPARATED:
        yield from _of_separated(name, file_formats.text_of(content), "\t" if suffix == ".tsv" else None)
    elif suffix in {".jsonl", ".ndjson"}:
        lines = list(enumerate(file_formats.text_of(content).splitlines(), start=1))
        found = [(at, each) for at, line in lines if line.strip() for each in _objects(json.loads(line))]
        yield _of_fields(name, "", [each for _, each in found], [at for at, _ in found], in_lines=True)
    elif suffix == ".json":
        held = json.loads(file_formats.text_of(content))
        whole = table_of(held)
        objects = list(_objects(held if whole is None else list(whole.records)))
        yield _of_fields(name, "", objects, range(1, len(objects) + 1))


def _of_fields(
    file: str,
    table: str,
    fields: Sequence[Mapping[str, str]],
    numbers: Sequence[int],
    *,
    in_lines: bool = False,
    deleted: bool = False,
) -> Table:
    columns = tuple(dict.fromkeys(name for each in fields for name in each))
    return Table(file, table, columns, [[each.get(name) for name in columns] for each in fields], numbers, in_lines, deleted)


def _objects(value: Any) -> Iterator[dict[str, str]]:
    """Give the values of each object by their names, of those that lie in others by themselves."""
    match value:
        case dict():
            own = {str(name): text for name, each in value.items() if (text := _text(each)) is not None}
            if own:
                yield own
            for each in value.values():
                yield from _objects(each)
        case list():
            for each in value:
                yield from _objects(each)


def _of_separated(name: str, text: str, delimiter: str | None) -> Iterator[Table]:
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter or max(",;\t|", key=first.count))
    header, line, rows, numbers = list[str](), 1, list[list[str | None]](), list[int]()
    for row in reader:
        if header and row:
            rows.append([*row[: len(header)], *([None] * (len(header) - len(row)))])
            numbers.append(line)
        header = header or [each.strip() for each in row]
        line = reader.line_num + 1
    if header:
        yield Table(name, "", tuple(header), rows, numbers, in_lines=True)


def _of_parquet(name: str, content: bytes) -> Table:
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        table = pq.ParquetFile(pa.BufferReader(content)).read(use_threads=False)
        cells = [[_text(cell) for cell in table.column(each).to_pylist()] for each in table.column_names]
    except (pa.ArrowException, NotImplementedError, OverflowError) as error:
        raise ValueError from error
    rows = [list(row) for row in zip(*cells, strict=True)]
    return Table(name, "", tuple(table.column_names), rows, range(1, len(rows) + 1), in_lines=False)


def _text(cell: Any) -> str | None:
    """A cell as text; None for what is missing, or holds others."""
    if cell is None or isinstance(cell, dict | list | tuple):
        return None
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else str(cell)
