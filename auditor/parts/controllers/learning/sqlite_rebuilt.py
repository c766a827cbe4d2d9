"""A table in a SQLite file that is made again at every change: a fresh file, filled in order of the keys.

The same rows then give the same bytes, whatever was there before. It costs a whole file for each change.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

_FILE, _NEXT = "kept.db", "next.db"


class SqliteRebuilt:
    """One value a channel. `set` puts it, `get` returns it, `delete` deletes the row; each change makes the file again."""

    def initialize(self, seed: int) -> None:
        """Make the table in a new file of the working folder; nothing is drawn."""
        del seed
        _fill({})

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        """Carry out one operation, and return the channel's own value after it."""
        rows = _rows()
        match operation:
            case "set":
                _fill(rows | {channel: argument})
            case "delete":
                _fill({name: value for name, value in rows.items() if name != channel})
        return _rows().get(channel)

    def state(self) -> bytes:
        """The bytes of the file."""
        return Path(_FILE).read_bytes()


def _rows() -> dict[str, str | None]:
    with closing(sqlite3.connect(_FILE)) as file, closing(file.execute("SELECT channel, value FROM kept")) as found:
        return dict(found.fetchall())


def _fill(rows: dict[str, str | None]) -> None:
    """Write a fresh file under another name, then put it in the place of the old one."""
    Path(_NEXT).unlink(missing_ok=True)
    with closing(sqlite3.connect(_NEXT, isolation_level=None)) as file:
        file.execute("PRAGMA synchronous = OFF")
        file.execute("PRAGMA journal_mode = MEMORY")
        file.execute("PRAGMA secure_delete = ON")
        file.execute("BEGIN")
        file.execute("CREATE TABLE kept (channel TEXT PRIMARY KEY, value TEXT)")
        file.execute("CREATE INDEX by_value ON kept (value)")
        file.executemany("INSERT INTO kept VALUES (?, ?)", sorted(rows.items()))
        file.execute("COMMIT")
    Path(_NEXT).replace(_FILE)
