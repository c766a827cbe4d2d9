"""Tell where in files the deleted records are that a search found there: line by line, or row by row with their columns.

A search says who is in a file, in any form. This says where, for forms that one line or one cell has by itself: what lies over
several, or between the rows of a database, is in the file and nowhere nearer.
"""

from __future__ import annotations

import csv
import io
import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from ahocorasick_rs import AhoCorasick

from auditor.base.domain import Message
from auditor.parts.places.judging.found_at import MOST, MOST_COLUMNS
from auditor.parts.places.observing import array_rows, referring
from auditor.parts.places.observing.packed_files import members
from auditor.parts.places.observing.rows_of_tables import Spot
from auditor.parts.places.observing.sought import Sought
from auditor.parts.release.observing import databases, file_formats
from auditor.parts.release.observing.file_formats import UnreadableError
from auditor.parts.store.observing.limited_reading import BROKEN
from auditor.parts.store.observing.record_forms import tells, text_forms
from auditor.parts.store.observing.related_rows import plain
from auditor.parts.store.observing.search import Search
from auditor.parts.store.observing.store_keys import NamedIn
from auditor.parts.store.readers.contents import Contents, Lies

_MOST_BYTES: Final = 64 << 20
"""Of files that are larger no line is named."""
_MOST_READ: Final = 4 << 20
"""Characters of one file that are read in every spelling, part by part, beyond twice what it has."""
_EACH: Final = 1 << 12
"""For how many characters one part counts beyond its own."""
_LONGEST: Final = 40
_CALLED: Final = re.compile(r"[^\W\d]\w*(?:[ ._-]\w+){0,3}")
"""Names of columns and tables that are named; others could be data."""
_HERE: Final = Message("data.erased.place.state")
_BROKEN: Final = (*BROKEN, sqlite3.Error, csv.Error, UnreadableError)
Spots: TypeAlias = dict[str, tuple[int, list[dict[str, Any]]]]
"""Of each record how many spots it is at, and the first of them, as JSON of `FoundSpot`."""


_Where: TypeAlias = tuple[str, int, str, int, bool, int]
_ID: Final = re.compile(r"[\w.@+-]*\w")
"""What may be an id within a line."""


class _Cell(NamedTuple):
    """A cell, or a line of text."""

    text: str
    file: str
    line: int = 0
    table: str = ""
    row: int = 0
    column: str = ""
    deleted: bool = False
    byte: int = 0

    @property
    def where(self) -> _Where:
        """What cells of one row have in common."""
        return self.file, self.line, self.table, self.row, self.deleted, self.byte


def located(
    files: Mapping[str, bytes],
    store: Contents | None,
    sought: Sought,
    found: Collection[str],
    live: Collection[str],
    *,
    ids: Collection[str],
    numbers: NamedIn | None,
) -> Spots:
    """Say where records are.

    Args:
        files: Files that belong together, by their paths below the place.
        store: What a reader gives of them; None where none does.
        sought: What is looked for.
        found: The records that were found in these files.
        live: Those of them that are in rows that are there.
        ids: Columns of ids.
        numbers: Who was found by a number that the table links to them.
    """
    whole = {record: [_Cell("", next(iter(files)), deleted=record not in live)] for record in found}
    if sum(map(len, files.values())) > _MOST_BYTES:
        return _told(whole, sought)
    cells = list(_cells(files, store))
    at = _plainly(cells, _forms(sought, found))
    for cell in cells:
        if cell.column in ids and (own := cell.text.strip()) in found:
            at[own].append(cell)
    for name, own_column in () if numbers is None else numbers.columns:
        values = sought.numbers.by_column[own_column]
        for cell in cells:
            if name and name in {cell.column, f"{cell.table}.{cell.column}"}:
                for record in values.get(plain(cell.text), frozenset()):
                    at[record].append(cell)
    left = set(found) - at.keys()
    if left:
        at |= _closely(_rows(cells), lambda text: _whom(text, sought), left)
    if store is None and (left := set(found) - at.keys()):
        _add_vectors(at, files, sought, left, live)
    return _told({**whole, **at}, sought, _under_others(cells, at, sought, ids))


def _under_others(
    cells: Iterable[_Cell], at: Mapping[str, Iterable[_Cell]], sought: Sought, ids: Collection[str]
) -> Mapping[str, frozenset[_Where]]:
    """Say which rows and lines of each record have the id of somebody who stays, and not its own."""
    rows = {each.where: set[str]() for those in at.values() for each in those if each.row or each.line}
    for cell in cells:
        if (of_row := rows.get(cell.where)) is not None:
            of_row |= {cell.text.strip()} if cell.column in ids else {each for each in _ID.findall(cell.text) if tells(each)}
    staying = {where: words for where, words in rows.items() if words & sought.others}
    return {
        record: frozenset(each.where for each in those if record not in staying.get(each.where, {record}))
        for record, those in at.items()
    }


def _add_vectors(
    at: dict[str, list[_Cell]], files: Mapping[str, bytes], sought: Sought, left: Collection[str], live: Collection[str]
) -> None:
    """Add where the vectors lie of records of which nothing else is named."""
    for name, content in files.items():
        for each in array_rows.of_file(name, content, sought.people, left):
            at[each.record].append(_Cell("", name, row=each.row, byte=each.byte, deleted=each.record not in live))


def there(spots: Spots) -> set[str]:
    """Give the records that lie in lines, or in rows that are there."""
    return {
        record
        for record, (_, those) in spots.items()
        if any((each["line"] or each["row"]) and not each["deleted"] for each in those)
    }


def spots_of(those: Mapping[str, Sequence[Spot]], sought: Sought) -> Spots:
    """Say where rows are that have something of records."""
    return _told(
        {
            record: [
                _Cell("", table.file, number * table.in_lines, table.name, number * (not table.in_lines), column, table.deleted)
                for table, at, columns in spots
                for number in [table.numbers[at]]
                for column in columns
            ]
            for record, spots in those.items()
        },
        sought,
    )


def met_at(files: Mapping[str, bytes], store: Contents | None, sought: Sought, named: Collection[str]) -> Spots:
    """Say where names of records are met, or in which files where no line has one by itself."""
    if not named:
        return {}
    cells = list(_cells(files, store)) if sum(map(len, files.values())) <= _MOST_BYTES else []
    at = _closely(_rows(cells), lambda text: met_in(text, sought), named, most=MOST)
    for cell in cells if sought.referring else ():
        for record in referring.met(sought.referring, cell.column, [cell.text]) & set(named):
            at[record].append(cell)
    whole = {record: [_Cell("", next(iter(files)))] for record in named}
    return _told({**whole, **at}, sought)


def quoted_at(files: Mapping[str, bytes], store: Contents | None, sought: Sought, quoted: Collection[str]) -> Spots:
    """Say where texts of records may be quoted, or in which files where no line has enough of one by itself."""
    if not quoted:
        return {}
    cells = list(_cells(files, store)) if sum(map(len, files.values())) <= _MOST_BYTES else []
    at = _closely(_rows(cells), sought.texts.quoted_in, quoted, most=MOST)
    return _told({**{record: [_Cell("", next(iter(files)))] for record in quoted}, **at}, sought)


def met_in(text: str, sought: Sought) -> set[str]:
    """Whose names are in a text."""
    names = sought.names.deleted.in_text(text, short_ids=False)
    return sought.records(sought.spelt.met_in(text).named | names) | sought.pieces.met_in(text.encode("utf-8", "surrogateescape"))


def called(names: Sequence[str], records: Collection[str], whom: Callable[[Sequence[str]], set[str]]) -> Spots:
    """Say which names of files and folders name records.

    Args:
        names: Paths below the place.
        records: Who is named.
        whom: Tells who is in some of them.
    """
    at = _closely([_Cell(each, each) for each in names], lambda text: whom(text.split("\n")), records)
    return {record: (len(those), [{"file": each.file, "named": True} for each in those[:MOST]]) for record, those in at.items()}


def _told(
    at: Mapping[str, Iterable[_Cell]], sought: Sought, under_others: Mapping[str, frozenset[_Where]] = MappingProxyType({})
) -> Spots:
    """Count the rows of each record, and give the first; those under another person's id are marked."""
    told: Spots = {}
    for record, cells in at.items():
        rows = dict[Any, list[str]]()
        for each in cells:
            rows.setdefault(each.where, []).append(each.column)
        spots = [
            {
                "file": file,
                "line": line,
                "table": table if is_name(table, sought) else "",
                "row": row,
                "columns": [each for each in dict.fromkeys(columns) if is_name(each, sought)][:MOST_COLUMNS],
                "deleted": deleted,
                "byte": byte,
                "under_other": (file, line, table, row, deleted, byte) in under_others.get(record, ()),
            }
            for (file, line, table, row, deleted, byte), columns in list(rows.items())[:MOST]
        ]
        told[record] = len(rows), spots
    return told


def is_name(name: str, sought: Sought) -> bool:
    """Whether a column or table is called something that is nobody's data."""
    if not name or len(name) > _LONGEST or not _CALLED.fullmatch(name):
        return False
    met = sought.spelt.met_in(name)
    return not (met.found or met.named or sought.wanted.deleted.in_text(name, short_ids=False))


def _forms(sought: Sought, found: Collection[str]) -> dict[str, set[str]]:
    """What gives each record away where it stands by itself, in lower case."""
    deleted, forms = sought.wanted.deleted, defaultdict[str, set[str]](set)
    known = {*deleted.ids, *sought.spelt.sure, *(each for each in found if tells(each))}
    for each in known:
        if those := sought.records([each]) & set(found):
            for form in text_forms(each):
                forms[form.lower()] |= those
    for record in found:
        for own in () if deleted.cells is None else deleted.cells.own_of(record):
            forms[own.lower()].add(record)
    for form, (_, owners) in sought.numbers.written.items():
        if those := set(owners).intersection(found):
            forms[form.lower()] |= those
    return {form: those for form, those in forms.items() if form.strip()}


def _plainly(cells: Sequence[_Cell], forms: Mapping[str, set[str]]) -> defaultdict[str, list[_Cell]]:
    """Give the cells that have a form by itself, in one pass over all of them."""
    at, order = defaultdict[str, list[_Cell]](list), list(forms)
    if not order or not cells:
        return at
    lowered = [each.text.lower() for each in cells]
    text = "\n".join(lowered)
    starts = np.array([0, *accumulate(len(each) + 1 for each in lowered)][:-1], dtype=np.int64)
    for which, start, end in AhoCorasick(order).find_matches_as_indexes(text, overlapping=True):
        if not (_joins(text, start - 1, start) or _joins(text, end, end - 1)):
            cell = cells[int(np.searchsorted(starts, start, side="right")) - 1]
            for record in forms[order[which]]:
                at[record].append(cell)
    return at


def _joins(text: str, beside: int, inside: int) -> bool:
    """Whether a word goes on before or after a form."""
    if not 0 <= beside < len(text):
        return False
    return (text[beside].isalnum() or text[beside] == "_") and (text[inside].isalnum() or text[inside] == "_")


def _closely(
    rows: Sequence[_Cell], whom: Callable[[str], set[str]], records: Collection[str], *, most: int | None = None
) -> defaultdict[str, list[_Cell]]:
    """Give the rows in which records are, by halves: none of rows that are too many to be read.

    Args:
        rows: What is read.
        whom: Tells who is in a text.
        records: Who is looked for.
        most: Rows of one record after which no more are looked for.
    """
    at, left, waiting = defaultdict[str, list[_Cell]](list), set(records), [rows] if rows else []
    room = _MOST_READ + 2 * sum(len(each.text) for each in rows)
    while waiting and left:
        some = waiting.pop()
        text = "\n".join(each.text for each in some)
        room -= len(text) + _EACH
        if room < 0:
            break
        those = whom(text) & left
        if len(some) > 1 and those:
            waiting += [some[len(some) // 2 :], some[: len(some) // 2]]
            continue
        for record in those:
            at[record].append(some[0])
            if len(at[record]) == most:
                left.remove(record)
    return at


def _whom(text: str, sought: Sought) -> set[str]:
    """Who is found in a text, in any spelling, encoded or by values."""
    found = sought.records(sought.spelt.met_in(text).found)
    search = Search(sought.wanted, controls=False)
    with suppress(*_BROKEN):
        search.held(text.encode("utf-8", "surrogateescape"), _HERE, name="lines.txt")
    return found | sought.records(search.found)


def _rows(cells: Iterable[_Cell]) -> list[_Cell]:
    """Cells of one row as one."""
    rows = dict[Any, list[str]]()
    for each in cells:
        rows.setdefault(each.where, []).append(each.text)
    return [
        _Cell(",".join(texts), file, line, table, row, deleted=deleted)
        for (file, line, table, row, deleted, _), texts in rows.items()
    ]


def _cells(files: Mapping[str, bytes], store: Contents | None) -> Iterator[_Cell]:
    if store is not None:
        yield from _of_store(store, next(iter(files)))
        return
    for name, inside, _ in members(dict(files)) if any(files.values()) else ():
        for path, content in inside.items():
            with suppress(*_BROKEN):
                yield from list(_of_file(path if path == name else f"{name}/{path.removeprefix(f'{name}/')}", content))


def _of_store(store: Contents, first: str) -> Iterator[_Cell]:
    for held in store.rows:
        if held.lies is Lies.LEARNED:
            continue
        file, _, table = held.where.partition(": ")
        file, table = (file, table) if file in store.files else (first, "")
        deleted = held.lies is not Lies.LIVE
        for at, own in enumerate(held.ids or ()):
            if own is not None:
                yield _Cell(own, file, table=table, row=at + 1, column="id", deleted=deleted)
        for at, fields in enumerate(held.fields or ()):
            for name, cell in fields.items():
                yield _Cell(cell, file, table=table, row=at + 1, column=name, deleted=deleted)


def _of_file(name: str, content: bytes) -> Iterator[_Cell]:
    suffix = PurePosixPath(name).suffix.lower()
    if content.startswith(databases.MAGIC):
        with databases.opened(content, errors="replace") as database:
            for table in database.tables():
                columns, rows = database.rows(table)
                for at, row in enumerate(rows, start=1):
                    for column, cell in zip(columns, row, strict=True):
                        if cell is not None:
                            yield _Cell(_text(cell), name, table=table, row=at, column=column)
    elif content.startswith(b"PAR1"):
        yield from _of_parquet(name, content)
    elif suffix in {".csv", ".tsv"}:
        yield from _of_separated(name, file_formats.text_of(content), "\t" if suffix == ".tsv" else None)
    else:
        # What is no text may hold lines all the same; a number of one would say nothing.
        text = file_formats.text_of(content)
        yield from (_Cell(line, name, line=at) for at, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1))


def _of_separated(name: str, text: str, delimiter: str | None) -> Iterator[_Cell]:
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter or max(",;\t|", key=first.count))
    header, line = list[str](), 1
    for row in reader:
        header = header or [each.strip() for each in row]
        for at, cell in enumerate(row):
            yield _Cell(cell, name, line=line, column=header[at] if at < len(header) else "")
        line = reader.line_num + 1


def _of_parquet(name: str, content: bytes) -> Iterator[_Cell]:
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        table = pq.ParquetFile(pa.BufferReader(content)).read(use_threads=False)
        for column in table.column_names:
            for at, cell in enumerate(table.column(column).to_pylist(), start=1):
                if cell is not None:
                    yield _Cell(_text(cell), name, row=at, column=column)
    except (pa.ArrowException, NotImplementedError, OverflowError) as error:
        raise ValueError from error


def _text(cell: Any) -> str:
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else str(cell)
