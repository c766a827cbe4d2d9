"""Answers in the limited process which exact forms of people lie in a file: ids, numbers, rows and values, as keyed digests.

Nothing but digests leaves the process. Exact forms alone: what is encoded, packed in an unknown way or written otherwise is left
to the search of places.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from ahocorasick_rs import AhoCorasick

from auditor.base.deletion_log.requests import Request
from auditor.base.limited import Reader, Room
from auditor.case.baseline import Kind, Seal
from auditor.case.places import Listed
from auditor.parts.places.observing.reading import USUAL
from auditor.parts.release.observing import databases, file_formats
from auditor.parts.release.observing.file_formats import UnreadableError
from auditor.parts.store.observing.id_forms import shape
from auditor.parts.store.observing.limited_reading import BROKEN, Answer, ChangedError, LastRead
from auditor.parts.store.observing.record_forms import tells
from auditor.parts.store.observing.related_rows import plain
from auditor.parts.store.observing.store_keys import packed_files
from auditor.parts.store.observing.unpacking import DEPTH, Unpacking
from auditor.parts.store.readers import READERS, read_files
from auditor.parts.store.readers.contents import Contents

_SERVED_BY: Final = f"{__name__}:serve"
_ROOM: Final = Room(memory=2 << 30, memory_times=64, seconds=300, seconds_each_mebibyte=60)
CHANGED: Final = "changed"
"""The answer where a file is not the one that was listed."""
NUMBER: Final = re.compile(r"[0-9@]")
"""A term without any is a name, which others may have."""
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}.*|\d{1,2}[./]\d{1,2}[./]\d{2,4}.*", re.DOTALL)
_DIGITS: Final = 7
"""Digits of a value that hardly another person has."""
_LEAST_VALUE: Final = 4
"""Characters of a value that is kept at all."""
_LEAST_ROW, _TELLING_ROW = 8, 24
"""Characters of a row that is kept, and of one that hardly another person has."""
_WORDS: Final = re.compile(r"[\w-]+")
_BROKEN: Final = (*BROKEN, UnreadableError, csv.Error, sqlite3.Error, RecursionError, AttributeError)


class Person(NamedTuple):
    """A row of the log, as the process is given it."""

    ids: frozenset[str]
    numbers: frozenset[str]
    """Terms that hardly another person has."""
    names: frozenset[str]

    @classmethod
    def of(cls, request: Request) -> Person:
        """Take what a row of the log says."""
        terms = frozenset(each for each in request.terms if len(each) > 1)
        numbers = frozenset(each for each in terms if NUMBER.search(each) and tells(each))
        return cls(frozenset(request.record_ids), numbers, terms - numbers)


@dataclass(frozen=True, slots=True)
class Held:
    """What the process is given."""

    seal: Seal
    people: tuple[Person, ...]
    others: frozenset[str]
    """Ids of people who stay, as far as the log and a table name them."""
    shapes: frozenset[str]
    """How ids of the log are written."""
    id_column: str | None
    wanted: frozenset[str] = frozenset()
    """Digests of rows and values that are looked for."""


def reader(held: Held) -> Reader:
    """A process that digests the forms of places."""
    return Reader(_SERVED_BY, held, _ROOM)


def asked(do: str, files: Sequence[Listed], *, ids: str | None) -> dict[str, Any]:
    """Put a question about files that belong together."""
    return {
        "do": do,
        "files": [{"path": str(each.path), "sha256": each.input.sha256, "below": each.below} for each in files],
        "ids": ids,
    }


def serve(held: Held) -> Answer:
    """Give the function that answers; it runs in the limited process."""
    last = LastRead()
    own = _Own(held)

    def answer(question: Mapping[str, Any], _content: bytes) -> Any:
        try:
            files = {str(each["below"]): last.of(each["path"], each["sha256"]) for each in question["files"]}
        except ChangedError:
            return CHANGED
        names = list(files)
        rows = [_parted(row, question["ids"], held.id_column) for row in rows_of(files)]
        if question["do"] == "theirs":
            return own.theirs(names, files, rows)
        if question["do"] == "others":
            return {"tags": sorted(own.of_others(rows))}
        return own.met(names, files, rows)

    return answer


Cells = list[tuple[str, str]]
"""Cells of a row, each with the name of its column."""


class _Row(NamedTuple):
    ids: frozenset[str]
    """Cells of columns of ids."""
    cells: tuple[str, ...]
    """The others, those that are empty left out."""


def _parted(row: Cells, declared: str | None, of_table: str | None) -> _Row:
    """Part a row's ids from what else it has."""
    usual = {plain(each) for each in (declared, of_table) if each is not None} | (USUAL if declared is None else set())
    ids = frozenset(cell for name, cell in row if plain(name) in usual)
    return _Row(ids, tuple(sorted(cell for name, cell in row if cell and plain(name) not in usual)))


class _Own:
    """Whose rows and texts are whose."""

    def __init__(self, held: Held) -> None:
        self._held = held
        self._by_id: defaultdict[str, set[int]] = defaultdict(set)
        self._by_form: defaultdict[str, set[int]] = defaultdict(set)
        self._by_name: defaultdict[str, set[int]] = defaultdict(set)
        for at, person in enumerate(held.people):
            for each in person.ids:
                self._by_id[each].add(at)
            for each in (*person.numbers, *(own for own in person.ids if tells(own))):
                self._by_form[each].add(at)
            for each in person.names:
                self._by_name[each].add(at)
        self._forms = tuple({*self._by_form, *self._by_name})
        self._machine = AhoCorasick(self._forms) if self._forms else None

    def theirs(self, names: Sequence[str], files: Mapping[str, bytes], rows: Sequence[_Row]) -> dict[str, Any]:
        """Give the forms of each person that these files hold."""
        found: defaultdict[int, defaultdict[Kind, set[str]]] = defaultdict(lambda: defaultdict(set))
        for row in rows:
            for at in self._owners(row):
                for kind, tag in self._of_row(row):
                    found[at][kind].add(tag)
        for at, kind, tag in self._named(names, files, rows):
            found[at][kind].add(tag)
        return {"people": {str(at): {kind: sorted(tags) for kind, tags in kinds.items()} for at, kinds in found.items()}}

    def of_others(self, rows: Sequence[_Row]) -> set[str]:
        """Give the digests that are looked for and lie in rows of nobody in the log."""
        held = (tag for row in rows if not self._owners(row) for _, tag in self._of_row(row))
        return {tag for tag in held if tag in self._held.wanted}

    def met(self, names: Sequence[str], files: Mapping[str, bytes], rows: Sequence[_Row]) -> dict[str, Any]:
        """Give the digests that are looked for and lie in these files, and those that lie in one row together."""
        wanted = self._held.wanted
        together = []
        found: set[str] = set()
        for row in rows:
            found |= {tag for _, tag in self._of_row(row) if tag in wanted}
            values = {tag for _, tag in self._values(row) if tag in found}
            if len(values) > 1:
                together.append(sorted(values))
        named = [(at, kind, tag) for at, kind, tag in self._named(names, files, rows)]
        return {"tags": sorted(found), "together": together, "named": named, "by_id_alone": not rows and any(files.values())}

    def _owners(self, row: _Row) -> frozenset[int]:
        """Whose a row is: by its column of ids, or else by the one person whom its text names."""
        if own := frozenset(at for each in row.ids for at in self._by_id.get(each, ())):
            return frozenset() if row.ids & self._held.others else own
        text = "\n".join((*row.ids, *row.cells))
        owners = frozenset(at for each in self._standing(text) for at in self._by_form.get(each, ()))
        return owners if len(owners) == 1 and not self._names_others(text) else frozenset()

    def _names_others(self, text: str) -> bool:
        """Whether a text has an id of somebody else, or what is written as one."""
        words = (each for each in _WORDS.findall(text) if each not in self._by_id)
        return any(each in self._held.others or shape(each) in self._held.shapes for each in words)

    def _standing(self, text: str) -> set[str]:
        """Give the ids, numbers and names that are in a text by themselves, no part of a longer word."""
        found = () if self._machine is None else self._machine.find_matches_as_indexes(text, overlapping=True)
        return {self._forms[at] for at, start, end in found if not (_joins(text, start - 1) or _joins(text, end))}

    def _of_row(self, row: _Row) -> Iterator[tuple[Kind, str]]:
        """The digests of a row, and of the values in it."""
        size = sum(map(len, row.cells))
        if size >= _LEAST_ROW:
            telling = size >= _TELLING_ROW or any(map(identifies, row.cells))
            yield "rows" if telling else "shared", self._held.seal.tag("row", *row.cells)
        yield from self._values(row)

    def _values(self, row: _Row) -> Iterator[tuple[Kind, str]]:
        for each in dict.fromkeys(row.cells if len(row.cells) > 1 else ()):
            if len(each) >= _LEAST_VALUE:
                yield "values" if identifies(each) else "shared", self._held.seal.tag("value", each)

    def _named(self, names: Sequence[str], files: Mapping[str, bytes], rows: Sequence[_Row]) -> Iterator[tuple[int, Kind, str]]:
        """Ids, numbers and names in columns, in text and in what is packed."""
        seal = self._held.seal
        in_columns = {each for row in rows for each in row.ids}
        text = "\n".join((*names, *(cell for row in rows for cell in row.cells), *map(_texts, files.values())))
        there = self._standing(text)
        for each in (there | in_columns) & self._by_id.keys():
            yield from ((at, "ids", seal.tag("id", each)) for at in self._by_id[each])
        for each in there | in_columns:
            names_of = self._by_name.get(each, ())
            yield from ((at, "shared", seal.tag("term", each)) for at in names_of)
            yield from (
                (at, "terms", seal.tag("term", each))
                for at in self._by_form.get(each, ())
                if each in self._held.people[at].numbers
            )


def identifies(value: str) -> bool:
    """Whether hardly another person has a value: an address, or a number of many digits; no date."""
    if _DATE.fullmatch(value):
        return False
    return ("@" in value and "." in value) or sum(each.isdigit() for each in value) >= _DIGITS


def _joins(text: str, at: int) -> bool:
    """Whether a word goes on at a place."""
    return 0 <= at < len(text) and (text[at].isalnum() or text[at] == "_")


def _texts(content: bytes) -> str:
    """What a file says, each layer of what is packed in it as well."""
    return "\n".join(layer.content.decode("utf-8", "replace") for layer in Unpacking(content).layers())


def rows_of(files: Mapping[str, bytes]) -> Iterator[Cells]:
    """Give the rows of files that belong together: of stores and tables row by row, of text line by line; none of other files."""
    together = read_files(files, READERS)
    stores = [each for each in together if isinstance(each, Contents)]
    if stores:
        for store in stores:
            yield from _of_store(store)
        return
    for name, content in files.items():
        try:
            yield from list(_of_file(Path(name), content))
        except _BROKEN:
            yield from _lines(content)


def _of_store(store: Contents) -> Iterator[Cells]:
    for rows in store.rows:
        for at in range(rows.count):
            row = [("id", rows.ids[at] or "")] if rows.ids is not None else []
            row += list(rows.fields[at].items()) if rows.fields is not None else []
            if rows.vectors is not None:
                row.append(("vector", rows.vectors[at].tobytes().hex()))
            yield row


def _of_file(path: Path, content: bytes, depth: int = 0) -> Iterator[Cells]:
    suffix = path.suffix.lower()
    inner = packed_files(path, content) if depth < DEPTH and suffix != ".npz" else []
    if inner:
        for name, data in inner:
            try:
                yield from list(_of_file(Path(name), data, depth + 1))
            except _BROKEN:
                yield from _lines(data)
    elif content.startswith(b"PAR1"):
        yield from _of_parquet(content)
    elif content.startswith(databases.MAGIC):
        with databases.opened(content, errors="replace") as database:
            for table in database.tables():
                columns, rows = database.rows(table)
                yield from ([(name, _text(cell)) for name, cell in zip(columns, row, strict=True)] for row in rows)
    elif suffix in {".csv", ".tsv"}:
        yield from _of_separated(file_formats.text_of(content), "\t" if suffix == ".tsv" else None)
    elif suffix in {".jsonl", ".ndjson", ".json"}:
        yield from _of_json(file_formats.text_of(content), lines=suffix != ".json")
    else:
        yield from _lines(content)


def _of_separated(text: str, delimiter: str | None) -> Iterator[Cells]:
    first = text.partition("\n")[0]
    mark = delimiter or max(",;\t|", key=first.count)
    rows = (row for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark) if row)
    names = [each.strip() for each in next(rows, [])]
    yield from ([(names[at] if at < len(names) else "", cell.strip()) for at, cell in enumerate(row)] for row in rows)


def _of_json(text: str, *, lines: bool) -> Iterator[Cells]:
    for each in text.splitlines() if lines else (text,):
        if not each.strip():
            continue
        held = json.loads(each)
        if lines or not isinstance(held, dict):
            yield from (list(_leaves(one, "")) for one in (held if isinstance(held, list) else (held,)))
            continue
        # A document: what it holds by name, or in lists, are its rows.
        yield list(_leaves({key: item for key, item in held.items() if not isinstance(item, dict | list)}, ""))
        for key, item in held.items():
            if isinstance(item, dict):
                yield [("id", str(key)), *_leaves(item, "")]
            elif isinstance(item, list):
                yield from (list(_leaves(one, str(key))) for one in item)


def _leaves(value: Any, name: str) -> Iterator[tuple[str, str]]:
    match value:
        case dict():
            for key, item in value.items():
                yield from _leaves(item, str(key))
        case list():
            for item in value:
                yield from _leaves(item, name)
        case str() | int() | float():
            yield name, _text(value)


def _of_parquet(content: bytes) -> Iterator[Cells]:
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        for batch in pq.ParquetFile(pa.BufferReader(content)).iter_batches(use_threads=False):
            yield from (list(_leaves(row, "")) for row in batch.to_pylist())
    except (pa.ArrowException, NotImplementedError, OverflowError) as error:
        raise ValueError from error


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    return cell.hex() if isinstance(cell, bytes) else str(cell).strip()


def _lines(content: bytes) -> Iterator[Cells]:
    """The lines of a text; none of what is no text."""
    if b"\0" in content:
        return
    try:
        lines: Iterable[str] = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        return
    yield from ([("", each.strip())] for each in lines if each.strip())
