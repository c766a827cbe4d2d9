"""A database with its logs: rows that are there, rows that only a log holds, and what is neither."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from auditor.parts.store.readers import read_files
from auditor.parts.store.readers.contents import Contents, Lies, Unread

VECTORS = np.random.default_rng(4).normal(size=(30, 4)).astype(np.float32)


@contextmanager
def database(folder: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """A database of thirty people that is still open, as after a program that ended early."""
    connection = sqlite3.connect(folder / "people.db", isolation_level=None)
    try:
        connection.execute(f"PRAGMA journal_mode = {mode}")
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute("CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT, vector BLOB)")
        connection.execute("BEGIN")
        for each in range(30):
            row = (f"person-{each:03d}", f"Name {each}", VECTORS[each].tobytes())
            connection.execute("INSERT INTO people VALUES (?, ?, ?)", row)
        connection.execute("COMMIT")
        yield connection
    finally:
        connection.close()


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith("-shm")}


def read(held: dict[str, bytes]) -> Contents:
    (found,) = read_files(held)
    assert isinstance(found, Contents)
    assert (found.bytes, sorted(found.files)) == (sum(map(len, held.values())), sorted(held))
    assert 0 <= found.unexplained <= found.bytes
    return found


def test_rows_are_read_with_their_ids_and_vectors(tmp_path: Path) -> None:
    with database(tmp_path, "DELETE"):
        pass
    found = read(files(tmp_path))
    (rows,) = found.rows
    assert (found.unexplained, rows.lies, rows.count, rows.ids[3]) == (0, Lies.LIVE, 30, "person-003")
    assert np.array_equal(rows.vectors, VECTORS)
    assert rows.fields[3]["name"] == "Name 3"


def test_rows_that_are_in_the_log_alone_are_there(tmp_path: Path) -> None:
    with database(tmp_path, "WAL"):
        held = files(tmp_path)
    (rows,) = read(held).rows
    assert (rows.lies, rows.count) == (Lies.LIVE, 30)
    assert len(held["people.db"]) < len(held["people.db-wal"])


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize("then", ["", "PRAGMA wal_checkpoint(FULL)"])
def test_a_deleted_row_that_the_log_still_holds_is_a_remnant(then: str, tmp_path: Path) -> None:
    with database(tmp_path, "WAL") as connection:
        connection.execute("DELETE FROM people WHERE id = 'person-003'")
        if then:
            connection.execute(then)
        held = files(tmp_path)
    live, lost = read(held).rows
    assert (live.count, lost.lies, lost.ids) == (29, Lies.REMNANT, ("person-003",))
    assert np.array_equal(lost.vectors, VECTORS[[3]])


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize("mode", ["PERSIST"])
def test_a_deleted_row_that_a_journal_still_holds_is_a_remnant(mode: str, tmp_path: Path) -> None:
    with database(tmp_path, mode) as connection:
        connection.execute("DELETE FROM people WHERE id = 'person-003'")
        held = files(tmp_path)
    assert "people.db-journal" in held
    assert ("person-003",) in [each.ids for each in read(held).rows if each.lies is Lies.REMNANT]


def test_a_log_that_was_written_back_and_emptied_leaves_nothing(tmp_path: Path) -> None:
    with database(tmp_path, "WAL") as connection:
        connection.execute("DELETE FROM people WHERE id = 'person-003'")
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        held = files(tmp_path)
    found = read(held)
    assert ([each.lies for each in found.rows], found.unexplained) == ([Lies.LIVE], 0)


@pytest.mark.attempt("files that hide")
def test_bytes_of_a_log_that_are_no_page_of_the_database_are_unexplained(tmp_path: Path) -> None:
    with database(tmp_path, "WAL") as connection:
        connection.execute("PRAGMA wal_checkpoint(FULL)")
        held = files(tmp_path)
    before = read(held).unexplained
    log = held["people.db-wal"]
    for changed in (log + b"\x01\x02\x03" * 9, log[:24] + b"\xff" * 8 + log[32:], log[:-64] + VECTORS[3].tobytes() * 4):
        assert read({**held, "people.db-wal": changed}).unexplained > before


@pytest.mark.attempt("files that hide")
def test_a_log_that_was_cut_or_is_anothers_is_never_passed_over(tmp_path: Path) -> None:
    with database(tmp_path, "WAL"):
        held = files(tmp_path)
    log = held["people.db-wal"]
    for part in range(1, 50):
        cut = log[: part * len(log) // 50]
        (found,) = read_files({**held, "people.db-wal": cut})
        assert isinstance(found, Unread) or found.unexplained > 0
    for strange in (b"no log at all" * 9, b"\xd9\xd5\x05\xf9" + log):
        for kind in ("-wal", "-journal"):
            (found,) = read_files({"people.db": held["people.db"], f"people.db{kind}": strange})
            assert isinstance(found, Unread)


def test_many_former_states_are_said_not_to_be_read_all(tmp_path: Path) -> None:
    with database(tmp_path, "WAL") as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        for each in range(80):
            connection.execute("UPDATE people SET name = ? WHERE id = 'person-003'", (f"Name {each}",))
        held = files(tmp_path)
    found = read(held)
    assert found.unread
    assert found.unexplained > 0
