"""SQLite through Python's sqlite3: what DELETE leaves depends on pragmas, journals and VACUUM."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from corpus import People, Person, store

_OPEN = "not examined is acceptable"
_TABLE = "CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT, email TEXT, phone TEXT, note TEXT)"
_INSERT = "INSERT INTO people VALUES (?, ?, ?, ?, ?)"


@contextmanager
def _opened(path: Path, *pragmas: str) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(path, isolation_level=None)
    # Distributions differ in what they compile in; most of the world has it off.
    for pragma in ("secure_delete=OFF", *pragmas):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    try:
        yield connection
    finally:
        connection.close()


def _row(person: Person) -> tuple[str, ...]:
    return person.id, person.name, person.email, person.phone, person.text


def _fill(database: sqlite3.Connection, people: People, table: str = _TABLE) -> None:
    database.execute(table)
    database.execute("BEGIN")
    database.executemany(_INSERT, map(_row, people.everybody))
    database.execute("COMMIT")


def _delete(database: sqlite3.Connection, people: People, column: str = "id") -> None:
    database.execute("BEGIN")
    database.executemany(f"DELETE FROM people WHERE {column} = ?", [(getattr(person, column),) for person in people.deleted])
    database.execute("COMMIT")


@store("sqlite3", "DELETE, with secure_delete off", honest=False)
def sqlite_deleted(place: Path, people: People) -> None:
    """A table of customers with a text primary key."""
    with _opened(place / "crm.db") as database:
        _fill(database, people)
        _delete(database, people)


@store("sqlite3", "DELETE, then VACUUM", honest=True, table="texts.csv")
def sqlite_vacuumed(place: Path, people: People) -> None:
    """A table of customers with a text primary key."""
    with _opened(place / "crm.db") as database:
        _fill(database, people)
        _delete(database, people)
        database.execute("VACUUM")


@store("sqlite3", "DELETE with PRAGMA secure_delete=ON", honest=True, expect=_OPEN, table="texts.csv")
def sqlite_secure_delete(place: Path, people: People) -> None:
    """A table of customers; secure_delete was on from the start. Pages keep where cells were: VACUUM clears it."""
    with _opened(place / "crm.db", "secure_delete=ON") as database:
        _fill(database, people)
        _delete(database, people)


@store("sqlite3", "DELETE with PRAGMA secure_delete=FAST", honest=False)
def sqlite_secure_delete_fast(place: Path, people: People) -> None:
    """The whole table of erased people's orders goes; its pages go to the free list, which FAST does not clear."""
    with _opened(place / "crm.db", "secure_delete=FAST") as database:
        _fill(database, people)
        database.execute("CREATE TABLE orders (person TEXT, note TEXT)")
        for _ in range(20):
            database.executemany("INSERT INTO orders VALUES (?, ?)", [(person.id, person.text) for person in people.deleted])
        _delete(database, people)
        database.execute("DROP TABLE orders")


@store("sqlite3", "DELETE in WAL mode; the log was never checkpointed", honest=False)
def sqlite_wal_left(place: Path, people: People) -> None:
    """A database with crm.db-wal, as a file-level backup of a running service copies it."""
    live = place.parent / "live"
    live.mkdir()
    with _opened(live / "crm.db", "journal_mode=WAL", "secure_delete=ON", "wal_autocheckpoint=0") as database:
        _fill(database, people)
        _delete(database, people)
        for name in ("crm.db", "crm.db-wal"):
            shutil.copy(live / name, place / name)
    shutil.rmtree(live)


@store("sqlite3", "DELETE in WAL mode, VACUUM, wal_checkpoint(TRUNCATE)", honest=True, table="texts.csv")
def sqlite_wal_checkpointed(place: Path, people: People) -> None:
    """A database in WAL mode, closed."""
    with _opened(place / "crm.db", "journal_mode=WAL") as database:
        _fill(database, people)
        _delete(database, people)
        database.execute("VACUUM")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


@store("sqlite3", "DELETE and VACUUM; journal_mode=PERSIST keeps the journal's content", honest=False)
def sqlite_journal_left(place: Path, people: People) -> None:
    """A database with crm.db-journal, whose header alone is cleared."""
    with _opened(place / "crm.db", "journal_mode=PERSIST") as database:
        _fill(database, people)
        _delete(database, people)
        database.execute("VACUUM")


@store("sqlite3", "DELETE from the table and its FTS5 index, then VACUUM; the index's old segments stay", honest=False)
def sqlite_fts_deleted(place: Path, people: People) -> None:
    """Notes with a full-text index, whose segments keep the words of deleted rows until they are merged."""
    with _opened(place / "notes.db") as database:
        database.execute("CREATE VIRTUAL TABLE people USING fts5(id, name, email, phone, note, detail=full)")
        database.execute("INSERT INTO people(people, rank) VALUES ('automerge', 0)")
        _insert = "INSERT INTO people VALUES (?, ?, ?, ?, ?)"
        database.executemany(_insert, map(_row, people.everybody))
        _delete(database, people)
        database.execute("VACUUM")


@store("sqlite3", "DELETE, then 'rebuild' and 'optimize' of the FTS5 index, then VACUUM", honest=True, table="texts.csv")
def sqlite_fts_rebuilt(place: Path, people: People) -> None:
    """Notes with a full-text index."""
    with _opened(place / "notes.db") as database:
        database.execute("CREATE VIRTUAL TABLE people USING fts5(id, name, email, phone, note)")
        database.executemany(_INSERT, map(_row, people.everybody))
        _delete(database, people)
        database.execute("INSERT INTO people(people) VALUES ('rebuild')")
        database.execute("INSERT INTO people(people) VALUES ('optimize')")
        database.execute("VACUUM")


@store("sqlite3", "UPDATE people SET deleted_at = …", honest=False)
def sqlite_soft_deleted(place: Path, people: People) -> None:
    """A table of customers with a column deleted_at."""
    with _opened(place / "crm.db") as database:
        _fill(database, people)
        database.execute("ALTER TABLE people ADD COLUMN deleted_at TEXT")
        told = [(person.id,) for person in people.deleted]
        database.executemany("UPDATE people SET deleted_at = '2026-09-12' WHERE id = ?", told)


@store("sqlite3", "DELETE and VACUUM; a trigger copied each row to an audit table as JSON", honest=False, table="texts.csv")
def sqlite_trigger(place: Path, people: People) -> None:
    """A table of customers with an audit trail."""
    with _opened(place / "crm.db") as database:
        _fill(database, people)
        database.execute("CREATE TABLE audit (at TEXT, event TEXT)")
        database.execute(
            "CREATE TRIGGER gone AFTER DELETE ON people BEGIN INSERT INTO audit VALUES "
            "('2026-09-12', json_object('was', OLD.name, 'mail', OLD.email)); END"
        )
        _delete(database, people)
        database.execute("VACUUM")


@store("sqlite3", "DELETE and VACUUM", honest=True, table="all.csv")
def sqlite_blobs_vacuumed(place: Path, people: People) -> None:
    """Embeddings as blobs of float32, with an index on the e-mail."""
    with _opened(place / "vectors.db") as database:
        database.execute("CREATE TABLE people (id TEXT PRIMARY KEY, email TEXT, embedding BLOB)")
        database.execute("CREATE INDEX by_email ON people(email)")
        rows = [(p.id, p.email, v.tobytes()) for p, v in zip(people.everybody, people.vectors, strict=True)]
        database.executemany("INSERT INTO people VALUES (?, ?, ?)", rows)
        _delete(database, people)
        database.execute("VACUUM")


@store(
    "sqlite3",
    "DELETE and VACUUM; the cache of embeddings, keyed by a hash of the text, was forgotten",
    honest=False,
    table="vectors.csv",
)
def sqlite_blobs_cached(place: Path, people: People) -> None:
    """Embeddings as blobs of float32, and a cache of them without ids."""
    sqlite_blobs_vacuumed(place, people)
    with _opened(place / "cache.db") as database:
        database.execute("CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB)")
        rows = [(f"{people.draw.integers(2**63):016x}", vector.astype(np.float64).tobytes()) for vector in people.vectors]
        database.executemany("INSERT INTO cache VALUES (?, ?)", rows)


@store("sqlite3", "DELETE and VACUUM; lists of contacts in other people's rows were forgotten", honest=False)
def sqlite_contacts(place: Path, people: People) -> None:
    """A table of customers with a JSON column of their contacts."""
    with _opened(place / "crm.db") as database:
        _fill(database, people)
        database.execute("ALTER TABLE people ADD COLUMN contacts TEXT")
        rows = [
            (
                json.dumps([{"id": people.everybody[int(i)].id} for i in people.draw.choice(len(people.everybody), size=4)]),
                person.id,
            )
            for person in people.everybody
        ]
        database.executemany("UPDATE people SET contacts = ? WHERE id = ?", rows)
        _delete(database, people)
        database.execute("VACUUM")


@store("sqlite3", "DELETE, with secure_delete off", honest=False)
def sqlite_utf16_deleted(place: Path, people: People) -> None:
    """A database with PRAGMA encoding = 'UTF-16'."""
    with _opened(place / "crm.db", "encoding='UTF-16'") as database:
        _fill(database, people)
        _delete(database, people)


@store("sqlite3", "DELETE with auto_vacuum=FULL, which frees pages and clears no cells", honest=False)
def sqlite_auto_vacuum(place: Path, people: People) -> None:
    """A table of customers WITHOUT ROWID."""
    with _opened(place / "crm.db", "auto_vacuum=FULL") as database:
        _fill(database, people, _TABLE + " WITHOUT ROWID")
        _delete(database, people)


@store(
    "sqlite3", "rows written anew to a second database, which replaced the first", honest=True, expect=_OPEN, table="texts.csv"
)
def sqlite_copied(place: Path, people: People) -> None:
    """A table of customers with page_size 1024 and integer keys.

    Pages keep what was moved as they were split: VACUUM clears it.
    """
    with _opened(place / "crm.db", "page_size=1024") as database:
        database.execute("CREATE TABLE people (number INTEGER PRIMARY KEY, id TEXT, name TEXT, note TEXT)")
        rows = [(person.number, person.id, person.name, person.text) for person in people.others]
        database.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", rows)


@store("sqlite3", "DELETE, then VACUUM INTO a new file; the old one stayed", honest=False)
def sqlite_vacuum_into(place: Path, people: People) -> None:
    """crm.db is the new one, crm-old.sqlite the one before."""
    with _opened(place / "crm-old.sqlite") as database:
        _fill(database, people)
        _delete(database, people)
        database.execute("VACUUM INTO ?", (str(place / "crm.db"),))


@store("sqlite3", "DELETE with secure_delete on, then incremental_vacuum", honest=True, expect=_OPEN, table="texts.csv")
def sqlite_incremental_vacuum(place: Path, people: People) -> None:
    """A table of customers WITHOUT ROWID, with auto_vacuum=INCREMENTAL and an index.

    Pages keep where cells were: VACUUM clears it.
    """
    with _opened(place / "crm.db", "auto_vacuum=INCREMENTAL", "secure_delete=ON") as database:
        _fill(database, people, _TABLE + " WITHOUT ROWID")
        database.execute("CREATE INDEX by_name ON people(name, email)")
        _delete(database, people)
        database.execute("PRAGMA incremental_vacuum").fetchall()


@store("sqlite3", "DELETE, then VACUUM", honest=True, table="texts.csv", size=1500)
def sqlite_utf16_vacuumed(place: Path, people: People) -> None:
    """A database with PRAGMA encoding = 'UTF-16', a view and an index."""
    with _opened(place / "crm.db", "encoding='UTF-16'") as database:
        _fill(database, people)
        database.execute("CREATE INDEX by_name ON people(name)")
        database.execute("CREATE VIEW addresses AS SELECT id, email FROM people")
        _delete(database, people)
        database.execute("VACUUM")


@store("sqlite3", "DELETE and VACUUM; other people's rows were deleted since", honest=True, expect=_OPEN, table="texts.csv")
def sqlite_others_deleted(place: Path, people: People) -> None:
    """A table of customers whose free pages hold rows of people whom no request is about. VACUUM clears them."""
    with _opened(place / "crm.db") as database:
        _fill(database, people)
        _delete(database, people)
        database.execute("VACUUM")
        database.executemany("DELETE FROM people WHERE id = ?", [(person.id,) for person in people.others[:60]])


def _vacuumed(path: Path) -> None:
    with _opened(path) as database:
        database.execute("VACUUM")


@store("sqlite3", "DELETE with PRAGMA secure_delete=ON, then VACUUM", honest=True, table="texts.csv")
def sqlite_secure_delete_vacuumed(place: Path, people: People) -> None:
    """A table of customers; secure_delete was on from the start."""
    sqlite_secure_delete(place, people)
    _vacuumed(place / "crm.db")


@store("sqlite3", "DELETE with secure_delete on, then incremental_vacuum, and later VACUUM", honest=True, table="texts.csv")
def sqlite_incremental_then_whole(place: Path, people: People) -> None:
    """A table of customers WITHOUT ROWID, with auto_vacuum=INCREMENTAL and an index."""
    sqlite_incremental_vacuum(place, people)
    _vacuumed(place / "crm.db")


@store("sqlite3", "rows written anew to a second database, then VACUUM", honest=True, table="texts.csv")
def sqlite_copied_vacuumed(place: Path, people: People) -> None:
    """A table of customers with page_size 1024 and integer keys."""
    sqlite_copied(place, people)
    _vacuumed(place / "crm.db")


@store("sqlite3", "DELETE and VACUUM; other people's rows were deleted since, and VACUUM again", honest=True, table="texts.csv")
def sqlite_others_deleted_vacuumed(place: Path, people: People) -> None:
    """A table of customers, of whom fewer are there than were asked about."""
    sqlite_others_deleted(place, people)
    _vacuumed(place / "crm.db")


@store("sqlite3", "the vectors of their rows kept under the ids of others", honest=False, table="all.csv")
def sqlite_blobs_renamed(place: Path, people: People) -> None:
    """Embeddings as blobs of float32: each of the erased people's lies under the id and e-mail of somebody who stays."""
    sqlite_blobs_vacuumed(place, people)
    with _opened(place / "vectors.db") as database:
        for other, at in zip(people.others, people.gone, strict=False):
            database.execute("UPDATE people SET embedding = ? WHERE id = ?", (people.vectors[at].tobytes(), other.id))
        database.execute("VACUUM")
