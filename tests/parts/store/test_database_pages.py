"""Databases that programs write are accounted for; whatever one hides between, behind or within its rows is not."""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from auditor.base.domain import Message
from auditor.base.records import Dataset
from auditor.parts.store.judging.accounting import Kept
from auditor.parts.store.observing.limited_reading import of_file
from auditor.parts.store.observing.people import People

COUNT, GONE = 600, 60
RNG = np.random.default_rng(5)
TRAIN = Dataset(RNG.normal(size=(COUNT, 3)), np.arange(COUNT) % 2, np.array([f"rec-{at:05d}" for at in range(COUNT)]))
PEOPLE = People(
    train=TRAIN,
    retained=np.arange(COUNT) >= GONE,
    gone=frozenset(TRAIN.ids[:GONE].tolist()),
    columns={"note": "declared", "id": "id", "label": "label", "x0": "feature", "x1": "feature", "x2": "feature"},
    features=("x0", "x1", "x2"),
    labels=frozenset({"0", "1"}),
    places={record: place for place, record in enumerate(TRAIN.ids.tolist())},
)
TABLE: Final = "CREATE TABLE people (id TEXT, x0 REAL, x1 REAL, x2 REAL, label INTEGER)"
KEYED: Final = TABLE.replace("id TEXT", "id TEXT PRIMARY KEY")
OFF, ON, ERASED = "PRAGMA secure_delete = OFF", "PRAGMA secure_delete = ON", "DELETE FROM people WHERE id < 'rec-00060'"
SECRET: Final = "cmVjLTAwMDAx" * 8
"""A deleted record as no search knows it."""


def made(path: Path, *statements: str, table: str = TABLE, first: tuple[str, ...] = (), everybody: bool = False) -> bytes:
    """A database of the retained people, or of everybody, in which statements ran afterwards."""
    with closing(sqlite3.connect(path, isolation_level=None)) as opened:
        for each in (*first, table, "BEGIN"):
            opened.execute(each).fetchall()
        rows = [
            (str(TRAIN.ids[at]), *map(float, TRAIN.features[at]), int(TRAIN.labels[at]))
            for at in range(0 if everybody else GONE, COUNT)
        ]
        opened.executemany("INSERT INTO people (id, x0, x1, x2, label) VALUES (?, ?, ?, ?, ?)", rows)
        for each in ("COMMIT", *statements):
            opened.execute(each).fetchall()
    return path.read_bytes()


def account(content: bytes) -> Kept:
    return of_file(Path("store.db"), content, PEOPLE, Message("data.erased.place.store", {"path": "store.db"}))


ADDED: Final = TABLE[:-1]
OWN: Final = "CREATE TABLE people (note INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT, x0 REAL, x1 REAL, x2 REAL, label INTEGER)"
LONG: Final = "UPDATE people SET note = randomblob(300 + abs(random()) % 9000) WHERE label = 1"
HONEST: Final[dict[str, tuple[tuple[str, ...], str, tuple[str, ...]]]] = {
    "as it was written": ((), TABLE, ()),
    "written without overwriting": ((OFF,), TABLE, ("UPDATE people SET label = label",)),
    "vacuumed": ((), TABLE, ("VACUUM",)),
    "vacuumed without overwriting": ((OFF,), TABLE, ("VACUUM",)),
    "an index": ((), TABLE, ("CREATE INDEX idx_people_label ON people (label, x0)", "VACUUM")),
    "a unique index of some rows": ((), TABLE, ("CREATE UNIQUE INDEX people_id ON people (id) WHERE label = 1", "VACUUM")),
    "an index of an expression": ((), TABLE, ("CREATE INDEX by_lower ON people (lower(id) COLLATE NOCASE DESC)", "VACUUM")),
    "a text as key": ((), KEYED, ("VACUUM",)),
    "no number of its own": ((), f"{KEYED} WITHOUT ROWID", ("CREATE INDEX ix_label ON people (label)", "VACUUM")),
    "a log of its own, written back": (("PRAGMA journal_mode = WAL",), TABLE, ()),
    "several tables": (
        (),
        TABLE,
        (
            "CREATE TABLE visits (id TEXT REFERENCES people (id) ON DELETE CASCADE, label INTEGER CHECK (label IN (0, 1)))",
            "INSERT INTO visits SELECT id, label FROM people",
            "VACUUM",
        ),
    ),
    "numbers that it gives": ((), OWN, ("VACUUM",)),
    "a trigger and a view": (
        (),
        TABLE,
        (
            "CREATE TRIGGER people_ai AFTER INSERT ON people BEGIN UPDATE people SET label = 1 WHERE id = new.id; END",
            "CREATE VIEW v_people AS SELECT id, label FROM people WHERE label = 1 ORDER BY id",
        ),
    ),
    "UTF-16": (("PRAGMA encoding = 'UTF-16le'",), TABLE, ("CREATE INDEX ix_id ON people (id)",)),
    "UTF-16, the other way round": (("PRAGMA encoding = 'UTF-16be'",), TABLE, ("CREATE INDEX ix_id ON people (id)",)),
    "a calculated column": ((), f"{ADDED}, note TEXT GENERATED ALWAYS AS (id) VIRTUAL)", ()),
    "a column calculated once": ((), f"{ADDED}, note TEXT GENERATED ALWAYS AS (id) STORED)", ()),
    "long values": ((), f"{ADDED}, note BLOB)", (LONG, "VACUUM")),
    "long values without overwriting": ((OFF,), f"{ADDED}, note BLOB)", (LONG, "VACUUM")),
    "a column that was added": ((), TABLE, ("ALTER TABLE people ADD COLUMN note TEXT",)),
    "statistics": ((), TABLE, ("CREATE INDEX ix_people_label ON people (label)", "ANALYZE", "VACUUM")),
    "a map of pages": (("PRAGMA auto_vacuum = FULL",), TABLE, ("CREATE INDEX ix_id ON people (id)", "VACUUM")),
    **{
        f"pages of {size}, {erases}": (
            (f"PRAGMA page_size = {size}", erases),
            TABLE,
            ("CREATE INDEX ix_id ON people (id)", "VACUUM"),
        )
        for size in (512, 1024, 16384, 65536)
        for erases in (OFF, ON)
    },
}


@pytest.mark.parametrize("name", HONEST)
def test_every_byte_of_a_database_of_people_who_may_be_kept_is_accounted_for(name: str, tmp_path: Path) -> None:
    first, table, statements = HONEST[name]
    found = account(made(tmp_path / "store.db", *statements, table=table, first=first))
    assert (found.unexplained, found.strangers, found.changed) == (0, 0, 0)


@pytest.mark.parametrize("erases", [OFF, ON])
def test_a_database_that_was_vacuumed_after_it_erased_is_accounted_for(erases: str, tmp_path: Path) -> None:
    indexed = "CREATE INDEX ix_id ON people (id)"
    assert account(made(tmp_path / "store.db", indexed, ERASED, erases, "VACUUM", everybody=True)).unexplained == 0


@pytest.mark.attempt("rows that a database hides")
@pytest.mark.parametrize("table", [TABLE, KEYED, f"{KEYED} WITHOUT ROWID"])
@pytest.mark.parametrize("vacuum", ["PRAGMA auto_vacuum = NONE", "PRAGMA auto_vacuum = INCREMENTAL"])
def test_rows_that_were_erased_and_still_lie_in_the_pages_are_not(table: str, vacuum: str, tmp_path: Path) -> None:
    content = made(tmp_path / "store.db", ERASED, table=table, first=(vacuum, OFF), everybody=True)
    assert account(content).unexplained > GONE * 30


def edited(path: Path, sql: str, *more: str) -> bytes:
    """The database, once it says otherwise what it consists of."""
    with closing(sqlite3.connect(path, isolation_level=None)) as opened:
        for each in ("PRAGMA writable_schema = ON", sql, *more):
            opened.execute(each).fetchall()
    return path.read_bytes()


def a_field_too_many(path: Path) -> bytes:
    made(path, f"UPDATE people SET more = '{SECRET}' WHERE id = 'rec-00077'", table=f"{ADDED}, more TEXT)")
    return edited(path, f"UPDATE sqlite_master SET sql = '{TABLE}' WHERE name = 'people'")


def a_field_too_many_vacuumed(path: Path) -> bytes:
    a_field_too_many(path)
    return edited(path, "VACUUM")


def an_index_of_others(path: Path) -> bytes:
    first = "CREATE INDEX ix_id ON people (id)"
    made(path, first, "VACUUM", everybody=True)
    # The index goes on where the rows are gone.
    root = edited_root(path, "ix_id")
    edited(path, "DELETE FROM sqlite_master WHERE name = 'ix_id'")
    edited(path, ERASED)
    return edited(path, f"INSERT INTO sqlite_master VALUES ('index', 'ix_id', 'people', {root}, '{first}')")


def edited_root(path: Path, name: str) -> int:
    with closing(sqlite3.connect(path)) as opened:
        (root,) = opened.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    return int(root)


def _patched(path: Path, at: int, hidden: bytes) -> bytes:
    content = path.read_bytes()
    assert not any(content[at : at + len(hidden)])
    return content[:at] + hidden + content[at + len(hidden) :]


def in_the_room_of_a_page(path: Path) -> bytes:
    made(path, "VACUUM")
    return _patched(path, 2000, SECRET.encode())


def like_a_row_in_the_room_of_a_page(path: Path) -> bytes:
    """A retained person's row, but for the last value: such as a program leaves behind that overwrites nothing."""
    content = made(path, "VACUUM")
    at = content.index(b"rec-00077") - 8
    row = content[at : at + 8 + 9 + 20]
    return _patched(path, 2000, row + bytes(each ^ 129 for each in row[-9:]))


def in_the_header(path: Path) -> bytes:
    made(path)
    return _patched(path, 72, SECRET.encode()[:20])


def on_a_page_that_was_given_back(path: Path) -> bytes:
    content = made(
        path, ON, "CREATE TABLE more (id TEXT)", f"INSERT INTO more VALUES ('{'rec-00100' * 2000}')", "DROP TABLE more"
    )
    return _patched(path, len(content) - 4096 + 200, SECRET.encode())


def behind_the_end_of_a_long_value(path: Path) -> bytes:
    content = made(path, "UPDATE people SET note = zeroblob(4240) WHERE id = 'rec-00077'", "VACUUM", table=f"{ADDED}, note BLOB)")
    numbers = [struct.unpack_from(">I", content, at)[0] for at in range(0, len(content), 4096)]
    last = next(at for at in range(2, len(numbers)) if numbers[at] == 0 and content[at * 4096] == 0)
    return _patched(path, (last + 1) * 4096 - len(SECRET), SECRET.encode())


def as_a_number_of_its_own(path: Path) -> bytes:
    content = made(path, "VACUUM", table=OWN)
    assert b"\x00\x1f" in content[4096:]
    at = (
        content.index(b"\x07\x00\x1f\x07\x07", 4096)
        if b"\x07\x00\x1f\x07\x07" in content
        else content.index(b"\x00\x1f\x07\x07\x07", 4096)
    )
    # The field says that it is nothing; here it says that it is one, in no byte more.
    return content[:at] + b"\x09" + content[at + 1 :]


def in_the_bits_of_no_number(path: Path) -> bytes:
    content = made(path, "VACUUM")
    value = struct.pack(">d", float(TRAIN.features[77, 0]))
    return content.replace(value, b"\xff\xf8secret", 1)


def behind_the_file(path: Path) -> bytes:
    return made(path) + SECRET.encode()


def in_the_map_of_pages(path: Path) -> bytes:
    content = bytearray(made(path, "VACUUM", first=("PRAGMA auto_vacuum = FULL",)))
    content[4096 + 15 : 4096 + 20] = b"\x05\x01\x02\x03\x04"
    return bytes(content)


def in_counts_of_loose_bytes(path: Path) -> bytes:
    """A letter a page, where it says how many bytes are too few to be used."""
    content = bytearray(made(path, "VACUUM", first=("PRAGMA page_size = 512",)))
    leaves = [at for at in range(512, len(content), 512) if content[at] == 13]
    for at, letter in zip(leaves, SECRET.encode(), strict=False):
        content[at + 7] = letter
    return bytes(content)


def of_a_dropped_schema_row(path: Path) -> bytes:
    return made(path, OFF, f"CREATE TABLE gone (note TEXT DEFAULT '{SECRET}')", "DROP TABLE gone")


HIDDEN: Final = (
    a_field_too_many, a_field_too_many_vacuumed, an_index_of_others, in_the_room_of_a_page, like_a_row_in_the_room_of_a_page,
    in_the_header, on_a_page_that_was_given_back, behind_the_end_of_a_long_value, as_a_number_of_its_own,
    in_the_bits_of_no_number, behind_the_file, in_the_map_of_pages, of_a_dropped_schema_row,
    in_counts_of_loose_bytes,
)  # fmt: skip


@pytest.mark.attempt("rows that a database hides")
@pytest.mark.parametrize("hide", HIDDEN)
def test_what_a_database_hides_in_its_pages_is_unexplained(hide: Callable[[Path], bytes], tmp_path: Path) -> None:
    assert account(hide(tmp_path / "store.db")).unexplained > 0


def test_a_database_with_loose_bytes_of_its_own_is_accounted_for(tmp_path: Path) -> None:
    """A value that shrinks by a byte or two leaves a piece that is too small to be given back."""
    shorter = "UPDATE people SET note = 'xx' WHERE rowid = 20"
    content = made(
        tmp_path / "store.db", "UPDATE people SET note = 'xxxx'", "VACUUM", ON, shorter, table=f"{ADDED}, note TEXT)", first=(ON,)
    )
    assert any(content[at + 7] for at in range(4096, len(content), 4096) if content[at] == 13)
    assert account(content).unexplained == 0


@pytest.mark.attempt("rows that a database hides")
@pytest.mark.parametrize(
    "statement",
    [
        f'CREATE INDEX "{SECRET}" ON people (id)',
        f"CREATE INDEX ix_id ON people (id) /* {SECRET} */",
        f"CREATE INDEX ix_id ON people (id) WHERE id <> '{SECRET}'",
        f"CREATE VIEW v_people AS SELECT '{SECRET}' FROM people",
        f"CREATE TRIGGER people_ai AFTER INSERT ON people BEGIN SELECT '{SECRET}'; END",
        f'CREATE TABLE "{SECRET}" (id TEXT)',
        f"CREATE INDEX ix_id ON people (id{' IS NOT NULL' * 400})",
        "CREATE INDEX ix_id ON people (id || 12345678901234567890)",
    ],
    ids=["name", "comment", "condition", "view", "trigger", "table", "by the order of words", "number"],
)
def test_what_a_database_hides_in_its_definitions_is_unexplained(statement: str, tmp_path: Path) -> None:
    assert account(made(tmp_path / "store.db", statement, "VACUUM")).unexplained >= 20


@pytest.mark.attempt("rows that a database hides")
@pytest.mark.parametrize(
    ("table", "statements"),
    [
        (OWN, (f"INSERT INTO sqlite_sequence VALUES ('{SECRET}', 1)",)),
        (OWN, (f"UPDATE sqlite_sequence SET seq = '{SECRET}'",)),
        (OWN, ("INSERT INTO sqlite_sequence VALUES ('people', 4711), ('people', 4712)",)),
        (KEYED, ("ANALYZE", f"UPDATE sqlite_stat1 SET stat = '{SECRET}'")),
        (KEYED, ("ANALYZE", "UPDATE sqlite_stat1 SET stat = stat || ' 7 8 9 1 2 3'")),
        (KEYED, ("ANALYZE", f"INSERT INTO sqlite_stat1 VALUES ('people', '{SECRET}', '1')")),
    ],
)
def test_what_a_database_hides_among_its_counters_is_unexplained(table: str, statements: tuple[str, ...], tmp_path: Path) -> None:
    assert account(made(tmp_path / "store.db", *statements, table=table)).unexplained > 0


@pytest.mark.attempt("rows that a database hides")
def test_rows_that_an_index_keeps_from_a_query_are_read(tmp_path: Path) -> None:
    """A query of every column may be answered by an index that has them all, and that says otherwise than the table."""
    path = tmp_path / "store.db"
    index = "CREATE INDEX ix_people ON people (id, x0, x1, x2, label)"
    made(
        path,
        "CREATE TABLE kept AS SELECT * FROM people WHERE id >= 'rec-00060'",
        index.replace("ON people", "ON kept"),
        everybody=True,
    )
    root = edited_root(path, "ix_people")
    edited(path, "DELETE FROM sqlite_master WHERE name = 'ix_people' OR name = 'kept'")
    content = edited(path, f"INSERT INTO sqlite_master VALUES ('index', 'ix_people', 'people', {root}, '{index}')")
    assert account(content).unexplained > GONE * 30


def _leaves(content: bytearray) -> list[int]:
    """Where pages with rows begin."""
    size = int.from_bytes(content[16:18], "big")
    return [at for at in range(size, len(content), size) if content[at] == 13]


def cells_exchanged(content: bytearray) -> None:
    """Cells of each page in any order, which its pointers undo."""
    draw, size = np.random.default_rng(1), int.from_bytes(content[16:18], "big")
    for at in _leaves(content):
        if any(content[at + 1 : at + 3]):
            continue
        (count,) = struct.unpack_from(">H", content, at + 3)
        begins = struct.unpack_from(f">{count}H", content, at + 8)
        ends = dict(zip(sorted(begins), [*sorted(begins)[1:], size], strict=True))
        cells, last = [bytes(content[at + each : at + ends[each]]) for each in begins], size
        for each in draw.permutation(count).tolist():
            last -= len(cells[each])
            content[at + last : at + last + len(cells[each])] = cells[each]
            struct.pack_into(">H", content, at + 8 + 2 * each, last)


@pytest.mark.attempt("what a database hides")
@pytest.mark.parametrize("statements", [("VACUUM",), ("CREATE INDEX ix_id ON people (id)", "VACUUM")])
def test_a_record_in_which_cell_of_a_page_lies_behind_which_is_unexplained(statements: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    content = bytearray(made(path, *statements))
    assert account(bytes(content)).unexplained == 0
    cells_exchanged(content)
    path.write_bytes(content)
    with closing(sqlite3.connect(path)) as opened:
        assert opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    found = account(bytes(content))
    assert found.unexplained > 20
    with closing(sqlite3.connect(path)) as opened:
        opened.execute("VACUUM")
    assert account(path.read_bytes()).unexplained == 0


@pytest.mark.attempt("what a database hides")
def test_a_record_in_which_page_of_a_table_lies_behind_which_is_unexplained(tmp_path: Path) -> None:
    content = bytearray(made(tmp_path / "store.db", "VACUUM", first=("PRAGMA page_size = 512",)))
    whole, leaves = bytes(content), [at // 512 + 1 for at in _leaves(content)]
    moved = dict(zip(leaves, np.random.default_rng(2).permutation(leaves).tolist(), strict=True))
    for old, new in moved.items():
        content[(new - 1) * 512 : new * 512] = whole[(old - 1) * 512 : old * 512]
    for at in range(512, len(content), 512):
        if content[at] == 5:
            (count,) = struct.unpack_from(">H", content, at + 3)
            for place in (*(at + each for each in struct.unpack_from(f">{count}H", content, at + 12)), at + 8):
                (child,) = struct.unpack_from(">I", content, place)
                struct.pack_into(">I", content, place, moved.get(child, child))
    (tmp_path / "store.db").write_bytes(content)
    with closing(sqlite3.connect(tmp_path / "store.db")) as opened:
        assert opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert len(leaves) > 8
    assert account(bytes(content)).unexplained > 0
