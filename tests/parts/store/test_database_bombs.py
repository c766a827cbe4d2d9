"""Databases that say more of themselves than their files hold are refused, in time and in little memory."""

from __future__ import annotations

import sqlite3
import time
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from auditor.parts.release.observing import databases, file_formats
from auditor.parts.release.observing.file_formats import UnreadableError

MANY = 200
ROWS = (
    f"WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < {MANY}) "
    "INSERT INTO t (id) SELECT n FROM count"
)


def generated(database: sqlite3.Connection) -> None:
    database.execute("CREATE TABLE t (id INTEGER, big BLOB GENERATED ALWAYS AS (zeroblob(900000000)) VIRTUAL)")
    database.execute("INSERT INTO t (id) VALUES (1)")


def many_generated(database: sqlite3.Connection) -> None:
    columns = ", ".join(f"c{at} TEXT GENERATED ALWAYS AS (hex(zeroblob(400000))) VIRTUAL" for at in range(300))
    database.execute(f"CREATE TABLE t (id INTEGER, {columns})")
    database.execute(ROWS)


def defaults(database: sqlite3.Connection) -> None:
    database.execute("CREATE TABLE t (id INTEGER)")
    database.execute(ROWS)
    database.execute(f"ALTER TABLE t ADD COLUMN more TEXT DEFAULT '{'x' * 200_000}'")


def printed(database: sqlite3.Connection) -> None:
    database.execute("CREATE TABLE t (id INTEGER)")
    database.execute("INSERT INTO t (id) VALUES (1)")
    # Added afterwards: SQLite calculates it for every row that is inserted.
    database.execute("ALTER TABLE t ADD COLUMN big TEXT GENERATED ALWAYS AS (printf('%.*c', 900000000, 'x')) VIRTUAL")


def slow(database: sqlite3.Connection) -> None:
    pattern = "%a" * 30
    database.execute(
        f"CREATE TABLE t (id INTEGER, slow INTEGER GENERATED ALWAYS AS (printf('%.*c', 2000, 'a') LIKE '{pattern}b') VIRTUAL)"
    )
    database.execute(ROWS)


def with_a_module(database: sqlite3.Connection) -> None:
    """A text index that writes every text out by a function of one's choice."""
    columns = ", ".join(f"c{at}" for at in range(300))
    database.execute(f"CREATE VIRTUAL TABLE t USING fts4({columns}, compress=length, uncompress=zeroblob)")
    database.execute("INSERT INTO t VALUES (" + ", ".join(["printf('%.*c', 60000, 'x')"] * 300) + ")")


BOMBS = (defaults, with_a_module)
CALCULATED = (generated, many_generated, printed, slow)
BYTES = 64 << 20
SECONDS = 30.0


def made(path: Path, build: Callable[[sqlite3.Connection], None]) -> Path:
    with closing(sqlite3.connect(path)) as database:
        build(database)
        database.commit()
    return path


@pytest.mark.attempt("files that take more than others")
@pytest.mark.parametrize("as_bytes", [False, True], ids=["a file", "its content"])
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_unreadable_and_takes_little(
    bomb: Callable[[sqlite3.Connection], None], as_bytes: bool, tmp_path: Path
) -> None:
    path = made(tmp_path / "bomb.db", bomb)
    tracemalloc.start()
    begun = time.process_time()
    with pytest.raises(UnreadableError):
        file_formats.sqlite(path.read_bytes() if as_bytes else path, "id")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < BYTES
    assert time.process_time() - begun < SECONDS


@pytest.mark.attempt("files that take more than others")
@pytest.mark.parametrize("calculated", CALCULATED)
def test_columns_that_no_row_holds_are_not_calculated(calculated: Callable[[sqlite3.Connection], None], tmp_path: Path) -> None:
    path = made(tmp_path / "bomb.db", calculated)
    begun = time.process_time()
    found = file_formats.sqlite(path, "id")
    assert time.process_time() - begun < 1.0
    assert 1 <= found.rows == len(found.words)
    with databases.opened(path, errors="replace") as database:
        assert len(database.written_again()) == path.stat().st_size


@pytest.mark.attempt("files that take more than others")
def test_a_query_that_takes_for_ever_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases, "_SECONDS", 0.2)
    path = made(tmp_path / "slow.db", slow)
    endless = "WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count) SELECT max(n) FROM count"
    begun = time.process_time()
    with databases.opened(path, errors="replace") as database, pytest.raises(sqlite3.OperationalError):
        database.connection.execute(endless).fetchall()
    assert time.process_time() - begun < SECONDS


def test_an_honest_database_is_read_whole(tmp_path: Path) -> None:
    def honest(database: sqlite3.Connection) -> None:
        database.execute("CREATE TABLE t (id INTEGER, name TEXT, twice INTEGER GENERATED ALWAYS AS (2 * id) VIRTUAL)")
        database.executemany("INSERT INTO t (id, name) VALUES (?, ?)", [(at, f"person {at}") for at in range(5_000)])
        database.execute("CREATE INDEX by_name ON t (name)")
        database.execute("CREATE TABLE notes (note TEXT)")
        database.execute("INSERT INTO notes VALUES (?)", ("x" * 300_000,))

    path = made(tmp_path / "honest.db", honest)
    found = file_formats.sqlite(path, "id")
    assert found.rows == 5_001
    assert {"person 4999", "x" * 300_000} <= set(found.words)
    with databases.opened(path, errors="replace") as database:
        assert len(database.written_again()) <= path.stat().st_size


def test_a_definition_that_is_quoted_and_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE people (id TEXT)")
        database.commit()
    content = path.read_bytes().replace(b"CREATE TABLE people", b"CREATE TABL\x80 people")
    with pytest.raises(UnreadableError):
        file_formats.sqlite(content, "id")
