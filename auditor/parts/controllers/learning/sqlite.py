"""A table in a real SQLite file; its state is every byte that SQLite keeps on the disk.

With `secure_delete` SQLite writes zeros over what it deletes. The file is not history independent all the same: its change
counter, the list of free pages and the places of rows tell of operations that are undone. Without it the deleted bytes are
still there.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Literal

# A table in a SQLite file that is made again at every change: a fresh file, filled in order of the keys.
# The same rows then give the same bytes, whatever was there before. It costs a whole file for each change.
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


_FILES = ("kept.db", "kept.db-wal", "kept.db-journal")
"""The database, its write-ahead log and its rollback journal."""


class Sqlite:
    """One value a channel, with an index on values. `set` puts it, `get` returns it, `delete` deletes the row."""

    def __init__(self, *, secure_delete: bool = True, journal: Literal["delete", "wal"] = "delete") -> None:
        """Take note of the settings; both are set explicitly, for distributions differ in their defaults."""
        if journal not in {"delete", "wal"}:
            raise ValueError('journal: expected "delete" or "wal"')
        self._secure, self._journal = secure_delete, journal

    def initialize(self, seed: int) -> None:
        """Make the table in a new file of the working folder; nothing is drawn."""
        del seed
        for name in _FILES:
            Path(name).unlink(missing_ok=True)
        self._file = sqlite3.connect(_FILES[0], isolation_level=None)
        self._file.execute("PRAGMA synchronous = OFF")
        self._file.execute(f"PRAGMA journal_mode = {self._journal}")
        self._file.execute(f"PRAGMA secure_delete = {'ON' if self._secure else 'OFF'}")
        self._file.execute("CREATE TABLE kept (channel TEXT PRIMARY KEY, value TEXT)")
        self._file.execute("CREATE INDEX by_value ON kept (value)")

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        """Carry out one operation, and return the channel's own value after it."""
        match operation:
            case "set":
                self._file.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (channel, argument))
            case "delete":
                self._file.execute("DELETE FROM kept WHERE channel = ?", (channel,))
        with closing(self._file.execute("SELECT value FROM kept WHERE channel = ?", (channel,))) as rows:
            found = rows.fetchone()
        return None if found is None else found[0]

    def state(self) -> bytes:
        """The bytes of the database, and of its log or journal where there is one."""
        return b"".join(Path(name).read_bytes() for name in _FILES if Path(name).exists())
