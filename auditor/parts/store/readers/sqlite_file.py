"""Take an SQLite database apart: rows of its tables, and bytes that belong to none."""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from auditor.parts.release.observing import databases
from auditor.parts.release.observing.databases import Listed
from auditor.parts.store.judging.accounting import SPARE_EACH
from auditor.parts.store.observing import spare_bits
from auditor.parts.store.observing.database_pages import DamagedError, Tree
from auditor.parts.store.observing.sqlite_tables import pages_of
from auditor.parts.store.readers.contents import UnknownFormError

_BROKEN: Final = (sqlite3.Error, DamagedError, struct.error, IndexError, ValueError, OverflowError, MemoryError)


@dataclass(frozen=True, slots=True)
class Table:
    """A table as queries give it."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def where(self, **cells: Any) -> list[dict[str, Any]]:
        """Give the rows with these cells, by the names of columns."""
        named = (dict(zip(self.columns, row, strict=True)) for row in self.rows)
        return [each for each in named if all(each[name] == value for name, value in cells.items())]

    def __iter__(self) -> Any:
        """Give every row by the names of columns."""
        return iter(self.where())


@dataclass(frozen=True, slots=True)
class TakenApart:
    """What a database holds."""

    listed: Sequence[Listed]
    tables: Mapping[str, Table]
    """Tables that have pages; not what a module makes up."""
    beyond: int
    """Bytes of its pages that are neither rows nor structures; definitions are not judged here."""


def take_apart(content: bytes) -> TakenApart:
    """Read a database.

    Raises:
        UnknownFormError: If it is damaged, or takes too much.
    """
    try:
        return _taken_apart(content)
    except _BROKEN as error:
        raise UnknownFormError from error


def _taken_apart(content: bytes) -> TakenApart:
    trees, tables = [Tree("", 1, 5)], dict[str, Table]()
    with databases.opened(content, errors="surrogateescape") as database:
        listed = database.listed()
        for each in listed:
            if not each.root:
                continue
            if each.kind == "index":
                trees.append(Tree(each.name, each.root, None))
            elif each.kind == "table":
                names, rows = database.rows(each.name)
                own = database.own_number(each.name)
                alias = None if own is None else names.index(own)
                trees.append(Tree(each.name, each.root, len(names), alias, database.numeric(each.name)))
                tables[each.name] = Table(tuple(names), tuple(rows))
        pages = pages_of(content, database, trees)
    beyond, spare = spare_bits.of_header(content[:100], max(each.root for each in trees))
    numbered = [np.array(pages.numbers[each.root]) for each in trees if each.alias is None and each.root in pages.numbers]
    # A table whose rows are numbered one after another takes two bits to say so, which is no room for anything.
    bits = sum(each.bits for each in spare) + sum(spare_bits.of_rows(each, None) - 2 for each in numbered)
    bits += spare_bits.of_separators(pages.separators) + spare_bits.of_changes(pages.forms)
    bits += spare_bits.of_rooms(pages.rooms)
    return TakenApart(listed, tables, pages.beyond + beyond + ((bits + 7) // 8 if bits > SPARE_EACH else 0))
