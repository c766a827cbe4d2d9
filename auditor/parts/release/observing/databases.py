"""Reads SQLite databases of the audited party: as they are, and never more of them than their files can hold.

A database can say of itself what takes gigabytes to write out: columns that are calculated, defaults that no row holds, an index
of either. So no value may be longer than the file, all of them together are at most `MOST_TIMES` as long, and whatever a query
does ends in time. What exceeds that is refused as a database that is damaged is.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from auditor.base import process_marks

MAGIC: Final = b"SQLite format 3\0"
MOST_TIMES: Final = 8
"""How often the size of its file the cells of a database may be in all; each cell counts as one byte at least."""
_AT_LEAST: Final = 1 << 20
"""Bytes that any database may have."""
_SHORTEST: Final = 1 << 16
"""The same of a single value."""
_STEPS: Final = 50_000
"""Instructions of the database's own machine between two readings of the clock."""
_SECONDS: Final = 60.0
_CALCULATED: Final = 2
"""What SQLite calls hidden of a column that no row holds."""
_HELD: Final = frozenset({0, 3})
"""The same of columns that rows hold, calculated once or not; a module's hidden ones are its handles."""
TEXT_INDEX: Final = ("data", "idx", "docsize", "config")
"""Tables that an fts5 table keeps its index in, behind its name."""
_OF_ANY_INDEX: Final = ("data", "idx", "config")
"""Those of them that no setting leaves out."""
_MADE_UP: Final = re.compile(r"\s*CREATE\s+VIRTUAL\b", re.IGNORECASE)
_NO_NUMBERS: Final = ("CHAR", "CLOB", "TEXT", "BLOB", "ANY")
"""Types of columns that keep what they are given, unless they are called whole numbers as well."""
_BYTES_A_SECOND: Final = 1 << 18
"""What is read or written a second at the least, on top of these seconds."""


def _numeric(columns: Sequence[Sequence[Any]]) -> frozenset[int]:
    """Which columns turn what looks like a number into one: <https://sqlite.org/datatype3.html>, 3.1."""
    kinds = [str(each[2] or "").upper() for each in columns]
    kept = [not kind or any(each in kind for each in _NO_NUMBERS) for kind in kinds]
    return frozenset(at for at, kind in enumerate(kinds) if "INT" in kind or not kept[at])


def of_text_indexes(tables: Collection[str]) -> dict[str, str]:
    """Name the full-text index that each table is kept for, by the tables' names alone; users' own tables are in none."""
    indexes = [each for each in tables if all(f"{each}_{part}" in tables for part in _OF_ANY_INDEX)]
    return {name: each for each in indexes for part in (*TEXT_INDEX, "content") if (name := f"{each}_{part}") in tables}


class Listed(NamedTuple):
    """What a database says of one of the things that it consists of."""

    kind: str
    """Table, index, view or trigger."""
    name: str
    table: str
    """The table that it belongs to."""
    root: int
    """The page that it begins with; 0 where it has none."""
    sql: str | None
    """How it is defined; None of an index that a constraint of its table asks for."""


@dataclass(frozen=True)
class Database:
    """One that is open to be read."""

    connection: sqlite3.Connection
    left: list[int]
    """Bytes of cells that it may still give: one number, for all of its tables."""
    watched: list[Path]
    """Files that grow while it is read: what writes it again."""

    def listed(self) -> list[Listed]:
        """What it consists of, as it says itself."""
        found = self.connection.execute("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master").fetchall()
        return [
            Listed(str(kind), str(name), str(table), root if isinstance(root, int) else 0, None if sql is None else str(sql))
            for kind, name, table, root, sql in found
        ]

    def tables(self) -> list[str]:
        """The names of its tables."""
        return [each.name for each in self.listed() if each.kind == "table"]

    def own_number(self, table: str) -> str | None:
        """The column of a table that is the row's own number, which no row holds; None where there is none."""
        keys = [(each[1], each[2]) for each in self.connection.execute(f"PRAGMA table_info({_quoted(table)})") if each[5]]
        indexed = any(each[3] == "pk" for each in self.connection.execute(f"PRAGMA index_list({_quoted(table)})"))
        return str(keys[0][0]) if len(keys) == 1 and str(keys[0][1]).upper() == "INTEGER" and not indexed else None

    def numeric(self, table: str) -> tuple[frozenset[int], frozenset[int]]:
        """Which fields of a table's rows turn all numbers into one form: in rows with numbers of their own, and in others."""
        listed = [each for each in self.connection.execute(f"PRAGMA table_xinfo({_quoted(table)})") if each[6] in _HELD]
        # Rows without numbers of their own begin with their key.
        by_key = sorted(listed, key=lambda each: each[5] or len(listed) + 1)
        return _numeric(listed), _numeric(by_key)

    def counted_again(self) -> list[tuple[Any, ...]]:
        """What SQLite notes of keys, counted from the rows; only of a database that was opened by its content.

        Raises:
            sqlite3.Error: If it cannot be counted.
        """
        self.connection.execute("ANALYZE")
        return self.connection.execute("SELECT tbl, idx, stat FROM sqlite_stat1").fetchall()

    def references(self, table: str) -> dict[str, str]:
        """The columns of a table that refer to another one, with the column there."""
        return {each[3]: each[4] or "" for each in self.connection.execute(f"PRAGMA foreign_key_list({_quoted(table)})")}

    def columns(self, table: str) -> tuple[list[str], list[str]]:
        """The names of a table's columns: those that its rows hold, and those that are calculated whenever it is read."""
        listed = self.connection.execute(f"PRAGMA table_xinfo({_quoted(table)})").fetchall()
        held, calculated = ([each[1] for each in listed if each[6] in kinds] for kinds in (_HELD, {_CALCULATED}))
        return held, calculated

    def rows(self, table: str) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
        """The names of the columns that a table holds, and its rows one by one.

        Raises:
            sqlite3.Error: If it cannot be read, or its cells are more than the file can hold.
        """
        names, _ = self.columns(table)
        defined = self.connection.execute("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", (table,))
        made_up = any(_MADE_UP.match(str(sql)) for (sql,) in defined)
        # Of a table that a module makes up, a row may be as long as its columns are many: they are read one at a time.
        groups = [[each] for each in names] if made_up else [names]
        # Not by an index, which may say otherwise than the table.
        wanted = [f"SELECT {_listed(each)} FROM {_quoted(table)} NOT INDEXED" for each in groups]  # noqa: S608
        parts = [self._counted(self.connection.execute(each)) for each in wanted]
        if not made_up:
            return names, parts[0]
        return names, (tuple(cell for (cell,) in row) for row in zip(*(list(each) for each in parts), strict=True))

    def indexed_again(self) -> bytes:
        """The same database, its indexes built from its rows; only of one that was opened by its content.

        Raises:
            sqlite3.Error: If they cannot be built, or become larger than the file by far.
        """
        pages = int(self.connection.execute("PRAGMA page_count").fetchone()[0])
        self.connection.execute(f"PRAGMA max_page_count = {MOST_TIMES * pages + 2}")
        self.connection.execute("REINDEX")
        return self.connection.serialize()

    def texts_indexed_again(self, table: str) -> Iterator[dict[str, list[tuple[Any, ...]]]]:
        """Build the full-text index of a table from its texts, and then merge it; only of one that was opened by its content.

        Returns:
            The rows of the tables that it is kept in, by what they are called behind the table's name, each way in turn.

        Raises:
            sqlite3.Error: If it cannot be built.
        """
        for step in ("rebuild", "optimize"):
            with self.connection:
                self.connection.execute(f"INSERT INTO {_quoted(table)} ({_quoted(table)}) VALUES (?)", (step,))  # noqa: S608
            yield {
                part: self.connection.execute(f"SELECT * FROM {_quoted(f'{table}_{part}')}").fetchall()  # noqa: S608
                for part in TEXT_INDEX
            }

    def written_again(self, *, overwrites: bool = True) -> bytes:
        """The same database, written from scratch: what its pages hold then follows from its rows.

        Args:
            overwrites: Whether what is given back on the way is overwritten with zeros, as programs set it or not.

        Raises:
            sqlite3.Error: If it cannot be read, or becomes larger than its file by far.
        """
        self.connection.execute(f"PRAGMA secure_delete = {'ON' if overwrites else 'OFF'}")
        with TemporaryDirectory(prefix=process_marks.prefix()) as folder:
            again = Path(folder) / "again"
            self.watched.append(again)
            self.connection.execute("VACUUM INTO ?", (str(again),))
            self.watched.remove(again)
            return again.read_bytes()

    def _counted(self, rows: sqlite3.Cursor) -> Iterator[tuple[Any, ...]]:
        for row in rows:
            self.left[0] -= sum(max(1, len(cell)) if isinstance(cell, str | bytes) else 1 for cell in row)
            if self.left[0] < 0:
                raise sqlite3.DataError("its cells are more than the file can hold")
            yield row


@contextmanager
def opened(content: Path | bytes, *, errors: str) -> Iterator[Database]:
    """Open a database to be read: no function of its own runs, no other file is read, nothing is written to it.

    Args:
        content: Its file, or what that holds.
        errors: How text that is no UTF-8 is decoded, as `bytes.decode` takes it.

    Raises:
        sqlite3.Error: If it cannot be read.
    """
    if isinstance(content, Path):
        size = content.stat().st_size
        connection = sqlite3.connect(f"file:{quote(str(content))}?mode=ro&immutable=1", uri=True)
    else:
        size, connection = len(content), sqlite3.connect(":memory:")
    watched: list[Path] = []
    try:
        # Beforehand: a definition is calculated as soon as it is read.
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(size, _SHORTEST))
        connection.setlimit(sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 100)
        connection.set_progress_handler(_ends(size, watched), _STEPS)
        if isinstance(content, bytes):
            # A database in memory has no log alongside it, which two bytes of its header may ask for.
            connection.deserialize(content if content[18:20] == b"\1\1" else content[:18] + b"\1\1" + content[20:])
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.text_factory = lambda text: text.decode("utf-8", errors)
        yield Database(connection, [MOST_TIMES * size + _AT_LEAST], watched)
    except UnicodeDecodeError as error:
        # SQLite quotes the file in its message, and that part of it is no text.
        raise sqlite3.DatabaseError("malformed, in words that are no UTF-8") from error
    finally:
        connection.close()


def _ends(size: int, watched: list[Path]) -> Callable[[], bool]:
    """Whether a query has to end: its time is over, or what it writes has become too long."""
    # Of the processor: others may work on the machine too, and what is read is taken apart in between.
    latest = time.process_time() + _SECONDS + size / _BYTES_A_SECOND

    def over() -> bool:
        most = MOST_TIMES * size + _AT_LEAST
        return time.process_time() > latest or any(each.exists() and each.stat().st_size > most for each in watched)

    return over


def _listed(names: list[str]) -> str:
    return ", ".join(map(_quoted, names))


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
