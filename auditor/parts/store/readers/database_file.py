"""Read an SQLite database with its logs: rows that are there, and rows that its logs still hold."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Message
from auditor.parts.release.observing import databases
from auditor.parts.store.observing.store_descriptions import beyond_definitions
from auditor.parts.store.readers.contents import Contents, Lies, Rows, UnknownFormError
from auditor.parts.store.readers.database_logs import states
from auditor.parts.store.readers.sqlite_file import take_apart

_LOGS: Final = ("-wal", "-journal")
_SHORTEST: Final = 2
"""Numbers that a vector has at least."""


class DatabaseFile:
    """Reads one database."""

    form = "SQLite database"

    def claims(self, heads: Mapping[str, bytes]) -> tuple[tuple[str, ...], ...]:
        """Claim each database with its logs."""
        return tuple(
            (path, *(f"{path}{log}" for log in _LOGS if f"{path}{log}" in heads))
            for path, head in heads.items()
            if head.startswith(databases.MAGIC)
        )

    def read(self, files: Mapping[str, bytes]) -> Contents:
        """Take a database apart.

        Raises:
            UnknownFormError: If it is damaged, or its logs are another's.
        """
        path = min(files, key=len)
        held = states(files[path], *(files.get(f"{path}{log}", b"") for log in _LOGS))
        found = take_apart(held.now)
        # Columns that are calculated have no place in a row; their definitions are read with the others.
        columns = {name: (table.columns, ()) for name, table in found.tables.items()}
        unnamed = {each.name for each in found.listed if each.kind == "table"} - columns.keys()
        odd = beyond_definitions(found.listed, columns | dict.fromkeys(unnamed, ((), ())))
        now = {name: (table.columns, list(table.rows)) for name, table in found.tables.items()}
        rows = [each for name, (names, cells) in now.items() for each in _rows(f"{path}: {name}", Lies.LIVE, names, cells)]
        unread = [] if held.all_read else [Message("data.erased.open.unknown-form")]
        seen = {name: set(cells) for name, (_, cells) in now.items()}
        for former in held.former:
            try:
                tables = _tables(former)
            except UnknownFormError:
                # Of a state that is there in part alone, bytes are counted, and no rows can be given.
                continue
            for name, (names, cells) in tables.items():
                lost = [each for each in dict.fromkeys(cells) if each not in seen.setdefault(name, set())]
                seen[name].update(lost)
                rows += _rows(f"{path}: {name}, earlier", Lies.REMNANT, names, lost)
        size = sum(map(len, files.values()))
        return Contents(
            form=self.form,
            rows=tuple(rows),
            bytes=size,
            unexplained=min(size, found.beyond + held.beyond + odd),
            unread=tuple(unread),
            files=tuple(files),
        )


def _tables(content: bytes) -> dict[str, tuple[tuple[str, ...], list[tuple[Any, ...]]]]:
    """Read the rows of every table of a state that may be damaged.

    Raises:
        UnknownFormError: If nothing of it can be read.
    """
    found: dict[str, tuple[tuple[str, ...], list[tuple[Any, ...]]]] = {}
    try:
        with databases.opened(content, errors="surrogateescape") as database:
            for each in database.listed():
                if each.kind == "table" and each.root:
                    names, rows = database.rows(each.name)
                    kept: list[tuple[Any, ...]] = []
                    found[each.name] = (tuple(names), kept)
                    try:
                        kept.extend(rows)
                    except sqlite3.DatabaseError:
                        continue
    except (sqlite3.Error, OverflowError, IndexError) as error:
        raise UnknownFormError from error
    return found


def _rows(where: str, lies: Lies, columns: Sequence[str], cells: Sequence[tuple[Any, ...]]) -> list[Rows]:
    """Give the rows of a table; where a column holds vectors of one length, with these."""
    if not cells:
        return []
    vectors = next((each for at in range(len(columns)) if (each := _vectors([row[at] for row in cells])) is not None), None)
    own = next((at for at, name in enumerate(columns) if name.lower() == "id"), None)
    fields = tuple({name: _text(cell) for name, cell in zip(columns, row, strict=True) if cell is not None} for row in cells)
    ids = None if own is None else tuple(None if row[own] is None else _text(row[own]) for row in cells)
    return [Rows(where=where, lies=lies, count=len(cells), ids=ids, vectors=vectors, fields=fields)]


def _vectors(cells: Sequence[object]) -> npt.NDArray[np.float32] | None:
    """Take a column of bytes, all of one length, as vectors of float32; a cell that is missing as a row of NaN."""
    given = [each for each in cells if isinstance(each, bytes)]
    size = len(given[0]) if given else 0
    if size % 4 or size < 4 * _SHORTEST or any(len(each) != size for each in given):
        return None
    if len(given) < sum(each is not None for each in cells) or not np.isfinite(np.frombuffer(b"".join(given), "<f4")).all():
        return None
    missing = np.full(size // 4, np.nan, dtype="<f4").tobytes()
    whole = b"".join(each if isinstance(each, bytes) else missing for each in cells)
    return np.frombuffer(whole, "<f4").reshape(len(cells), -1).astype(np.float32)


def _text(cell: object) -> str:
    return cell.decode("latin-1") if isinstance(cell, bytes) else str(cell)
