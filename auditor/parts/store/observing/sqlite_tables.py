"""Read the tables of an SQLite database, and account for what lies alongside them: definitions, indexes, pages, counters."""

from __future__ import annotations

import re
import sqlite3
import struct
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil, log2
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.parts.release.observing import databases
from auditor.parts.store.judging.accounting import SPARE_EACH, Spare
from auditor.parts.store.observing import spare_bits, spellings
from auditor.parts.store.observing.database_pages import DamagedError, Pages, Tree
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.store_descriptions import beyond_definitions, counters, declared_types
from auditor.parts.store.observing.store_tables import Rows, add_vectors, cell_of, from_cells, of_signs, with_index


def of_database(content: bytes, people: People) -> list[Rows]:
    """The tables of a database, and what lies in it alongside them: definitions, indexes, and whatever its pages hold beyond."""
    found = []
    trees, ids, noted = [Tree("", 1, 5)], dict[int, list[str] | None](), dict[str, list[list[str | None]]]()
    with databases.opened(content, errors="surrogateescape") as database:
        listed = database.listed()
        columns = {each.name: database.columns(each.name) for each in listed if each.kind == "table"}
        indexes, kept_for = _text_indexes(content, database, listed), databases.of_text_indexes(columns)
        for each in listed:
            if each.root and each.kind == "index":
                trees.append(Tree(each.name, each.root, None))
            if each.kind == "table":
                names, rows = database.rows(each.name)
                own = database.own_number(each.name) if each.root else None
                if each.root:
                    alias = None if own is None else names.index(own)
                    trees.append(Tree(each.name, each.root, len(names), alias, database.numeric(each.name)))
                given = list(rows)
                counted = counters(each.name, [[cell_of(cell) for cell in row] for row in given], listed)
                of_index = indexes.get(each.name)
                if of_index is not None and given == of_index.rows:
                    found.append(of_index.account(given, people))
                elif counted is not None:
                    found.append(_alongside(counted))
                    noted[each.name] = [[cell_of(cell) for cell in row] for row in given]
                else:
                    found.append(_of_table(names, given, people, own))
                    found[-1].types = tuple(declared_types(each.sql or ""))
                    found[-1].of_index = kept_for.get(each.name, "")
                ids[each.root] = found[-1].ids
        beyond = beyond_definitions(
            [each._replace(sql=_without_module(each.sql)) for each in listed], columns, following=indexes.keys()
        )
        try:
            pages = pages_of(content, database, trees)
        except (DamagedError, struct.error, IndexError):
            return [*found, replace(_alongside(beyond + len(content)), former=len(content))]
        again = database.counted_again() if "sqlite_stat1" in noted else []
        of_header, spare = spare_bits.of_header(content[:100], max(each.root for each in trees))
        of_orders = spare_bits.of_orders(pages.orders) if any(pages.orders) else 0
        # What is written once, or after `VACUUM`, lies in order: where much does not, it is told as other remains are.
        disordered = (of_orders + 7) // 8 if of_orders > SPARE_EACH else 0
        in_order = (Spare(name="former room", bits=of_orders),) if 0 < of_orders <= SPARE_EACH else ()
        rest = _alongside(beyond + pages.beyond + of_header + disordered)
        rest.former = pages.beyond + disordered
        rest.spare = spare_bits.joined(
            [
                *spare,
                *_of_indexes(listed, columns),
                *_of_numbers(pages, trees, ids, people),
                *in_order,
                *_of_notes(pages, trees, noted, again),
            ]
        )
    return [*found, rest]


@dataclass(frozen=True, slots=True)
class _OfTextIndex:
    """A table in which SQLite keeps a full-text index, or the texts of one, as it has to be."""

    rows: list[tuple[Any, ...]]
    texts: list[tuple[Any, ...]] | None = None
    """The rows that the index is of, where the table holds these, each with a number in front."""
    names: tuple[str, ...] = ()

    def account(self, given: list[tuple[Any, ...]], people: People) -> Rows:
        """Nothing of it is left but the numbers of rows, where the texts are judged as rows."""
        found = _alongside(0)
        if self.texts is not None:
            own = next((at for at, name in enumerate(self.names) if people.columns.get(name) == "id"), None)
            ids = None if own is None else [cell_of(row[own]) or "" for row in self.texts]
            bits = spare_bits.of_rows(np.array([int(row[0]) for row in given], dtype=np.int64), ids, people.places)
            found.spare = (Spare(name="row numbers", bits=bits),)
        return found


def _text_indexes(content: bytes, database: databases.Database, listed: Sequence[databases.Listed]) -> dict[str, _OfTextIndex]:
    """Say what the tables that SQLite keeps full-text indexes in have to hold: what an index built from their texts has."""
    found: dict[str, _OfTextIndex] = {}
    there = {each.name for each in listed}
    for each in listed:
        if not _TEXT_INDEX.match(each.sql or ""):
            continue
        with suppress(sqlite3.Error, OverflowError):
            names, rows = database.rows(each.name)
            texts = list(rows)
            if f"{each.name}_content" in there:
                _, numbered = database.rows(f"{each.name}_content")
                held = list(numbered)
                if [row[1:] for row in held] == texts and all(isinstance(row[0], int) for row in held):
                    found[f"{each.name}_content"] = _OfTextIndex(held, texts, tuple(names))
            own = {part: list(database.rows(f"{each.name}_{part}")[1]) for part in databases.TEXT_INDEX}
            with databases.opened(content, errors="surrogateescape") as other:
                for again in other.texts_indexed_again(each.name):
                    if own == again and own["config"] == [("version", _TEXT_INDEX_VERSION)]:
                        found |= {f"{each.name}_{part}": _OfTextIndex(held) for part, held in own.items()}
    return found


def _without_module(sql: str | None) -> str | None:
    found = None if sql is None else _TEXT_INDEX.fullmatch(sql)
    return sql if found is None else f"CREATE TABLE {found[1]}{found[2]}"


_TEXT_INDEX: Final = re.compile(r"CREATE VIRTUAL TABLE ([^()]*) USING fts5(\(.*\))", re.ASCII | re.DOTALL)
_TEXT_INDEX_VERSION: Final = 4


def _of_table(names: Sequence[str], given: Sequence[Sequence[Any]], people: People, own: str | None = None) -> Rows:
    """The rows of one table of a database: cells of text and numbers, and columns of vectors.

    Args:
        names: Of its columns.
        given: Its rows.
        people: Who may be kept.
        own: The column that is the row's own number; None where there is none.
    """
    held = {name: values for at, name in enumerate(names) if (values := _blobs_of([row[at] for row in given])) is not None}
    left = [at for at, name in enumerate(names) if name not in held]
    names, cells = [names[at] for at in left], [[row[at] for at in left] for row in given]
    rows, of_index = [list(map(cell_of, row)) for row in cells], tuple[Spare, ...]()
    if held:
        found = from_cells(names, rows, people)
    else:
        found, of_index = with_index(names, rows, people, numbers=all(type(row[0]) is int for row in cells if row), own=own)
    texts = spellings.of_texts(dict(zip(names, zip(*cells, strict=True), strict=False)), people)
    found.spare = (*texts, *of_signs(found, people), *of_index)
    for name, values in held.items():
        add_vectors(found, name, values, people)
    return found


def _blobs_of(cells: Sequence[object]) -> npt.NDArray[Any] | None:
    """Take a column of bytes, all of one length, as vectors of float32."""
    given = [each for each in cells if isinstance(each, bytes)]
    size = len(given[0]) if given else 0
    if len(given) < len(cells) or size % 4 or size < 4 * _SHORTEST_BLOB or any(len(each) != size for each in given):
        return None
    return np.frombuffer(b"".join(given), "<f4").reshape(len(given), -1)


_SHORTEST_BLOB: Final = 2
"""Numbers of a vector that is kept as bytes, at least."""


def _of_indexes(
    listed: Sequence[databases.Listed], columns: Mapping[str, tuple[Collection[str], Collection[str]]]
) -> Iterator[Spare]:
    """What could be said by which columns further indexes have, in what order, and which way round; a few may have any."""
    bits, free = 0.0, _FREE
    for each in listed:
        if each.kind == "index" and each.sql is not None:
            keys = each.sql.count(",") + 1
            bits += max(0, keys - free) * (1 + log2(max(1, sum(map(len, columns.get(each.table, ((), ())))))))
            free = max(0, free - keys)
    if bits:
        yield Spare(name="choice of columns", bits=ceil(bits))


_FREE: Final = 8
"""Columns that all indexes of a database may have without being counted."""


def _of_numbers(pages: Pages, trees: list[Tree], ids: Mapping[int, list[str] | None], people: People) -> Iterator[Spare]:
    """What row numbers could carry that no column shows, and what lies between pages of rows."""
    yield Spare(name="row numbers", bits=spare_bits.of_separators(pages.separators))
    if pages.forms:
        yield Spare(name="types of values", bits=spare_bits.of_changes(pages.forms))
    if pages.rooms:
        yield Spare(name="former room", bits=spare_bits.of_rooms(pages.rooms))
    for each in trees:
        if each.alias is None and each.root in pages.numbers:
            yield Spare(
                name="row numbers", bits=spare_bits.of_rows(np.array(pages.numbers[each.root]), ids.get(each.root), people.places)
            )


def _of_notes(
    pages: Pages, trees: list[Tree], noted: Mapping[str, list[list[str | None]]], again: Sequence[Sequence[str | None]]
) -> Iterator[Spare]:
    """What numbers of SQLite's own tables could carry that rows do not give: the largest of a table, and how common keys are."""
    largest = {each.name: max(pages.numbers.get(each.root, (0,))) for each in trees}
    last = [int(row[1] or 0) - largest[str(row[0])] for row in noted.get("sqlite_sequence", ()) if row[0] in largest]
    other = [row for row in noted.get("sqlite_stat1", ()) if tuple(row) not in set(map(tuple, again))]
    counted = [int(number) for row in other for number in _DIGITS.findall(row[-1] or "")]
    for name, numbers in (("sqlite_sequence", last), ("sqlite_stat1", counted)):
        if bits := spare_bits.of_counters(numbers):
            yield Spare(name=name, bits=bits)


_DIGITS: Final = re.compile(r"\d{1,15}", re.ASCII)


def _alongside(unexplained: int) -> Rows:
    return Rows(sizes=np.zeros(0, dtype=np.int64), unexplained=unexplained)


def pages_of(content: bytes, database: databases.Database, trees: list[Tree]) -> Pages:
    """Take the pages of a database apart.

    Raises:
        DamagedError: If they are not what pages are.
    """
    built: dict[str, tuple[Pages, int]] = {}
    if any(each.fields is None for each in trees):
        with suppress(sqlite3.Error):
            again = Pages(database.indexed_again())
            built = {each.name: (again, each.root) for each in database.listed() if each.kind == "index"}
    pages = Pages(content)
    pages.account(trees, built, lambda overwrites: database.written_again(overwrites=overwrites))
    return pages
