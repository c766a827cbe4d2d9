"""The reader of PostgreSQL's data folders: rows that are there and that still lie there, and what is never accounted for."""

from __future__ import annotations

import struct
import time
from functools import cache

import numpy as np
import pyarrow as pa
import pytest

from auditor.parts.store.readers import groups, read_files
from auditor.parts.store.readers.contents import Contents, Lies, Rows, UnknownFormError, Unread
from auditor.parts.store.readers.postgres_log import read_log
from auditor.parts.store.readers.postgres_pages import PAGE, Commits, Tuple, carved, read_page
from auditor.parts.store.readers.postgres_tables import Relation, TableRows, Toast, mapped
from auditor.parts.store.readers.postgres_values import (
    Column,
    External,
    Kinds,
    Room,
    fields,
    from_lz4,
    from_pglz,
    from_zstd,
    packed_in,
    unpacked,
    vectors_in,
    words_in,
)
from stores import make as made

NAMES = ("postgres-pgserver", "postgres-debian")
STAY = [each for each in range(24) if each not in made.GONE]
OPEN = "data.erased.open.postgresql"
KINDS = Kinds({
    1: "numeric", 2: "jsonb", 3: "timestamptz", 4: "uuid", 5: "halfvec", 6: "_text", 7: "_float8", 8: "inet", 9: "bool",
    10: "_int4", 11: "vector", 12: "date", 13: "bytea",
})  # fmt: skip


@cache
def files(name: str) -> dict[str, bytes]:
    own = made.files_of(name)
    return {"PG_VERSION": own["PG_VERSION"], **{path: content for path, content in own.items() if "pg_internal" not in path}}


def read(given: dict[str, bytes]) -> Contents:
    (found,) = read_files(given)
    assert isinstance(found, Contents)
    return found


def of(found: Contents, where: str, lies: Lies) -> Rows:
    (rows,) = (each for each in found.rows if each.where == where and each.lies is lies)
    return rows


def codes(found: Contents) -> set[str]:
    return {each.code for each in found.unread}


@pytest.mark.parametrize("name", NAMES)
def test_rows_that_are_there_and_deleted_ones_are_told_apart(name: str) -> None:
    found = read(files(name))
    live, gone = of(found, "base/5: people", Lies.LIVE), of(found, "base/5: people", Lies.REMNANT)
    assert live.fields is not None
    assert gone.fields is not None
    assert [row["id"] for row in live.fields] == [f"person-{each:03d}" for each in STAY]
    assert [row["id"] for row in gone.fields] == [f"person-{each:03d}" for each in made.GONE]
    assert live.vectors is not None
    assert np.array_equal(live.vectors, made.vectors()[STAY])
    row = live.fields[STAY.index(11)]
    assert row["note"].startswith("What person-011 wrote. ")
    assert len(row["note"]) > PAGE
    assert {key: row[key] for key in row if key != "note"} == {
        "id": "person-011", "name": "Name 011 Surname", "age": "31", "score": repr(11 / 7), "born": "1990-01-12",
        "extra": '{"mail": "p011@example.org"}',
    }  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_no_folder_is_accounted_for_whole(name: str) -> None:
    found = read(files(name))
    (why,) = (each for each in found.unread if each.code == OPEN)
    assert sum(map(int, why.parameters.values())) == found.unexplained > 0
    assert found.unexplained < found.bytes == sum(map(len, files(name).values()))


@pytest.mark.parametrize("name", NAMES)
def test_images_in_the_write_ahead_log_are_unpacked_and_their_rows_are_read(name: str) -> None:
    found = of(read(files(name)), "pg_wal: people", Lies.REMNANT)
    assert found.fields is not None
    assert {"person-003", "person-007"} <= {row["id"] for row in found.fields}


def test_values_that_only_an_index_or_statistics_keep_are_given() -> None:
    own = {path: content for path, content in files("postgres-pgserver").items() if not path.startswith("pg_wal")}
    table = next(
        path
        for path, content in own.items()
        if path.startswith("base/5/") and b"Name 003 Surname" in content and "2619" not in path
    )
    own[table] = bytes(len(own[table]))
    found = read(own)
    given = {row["value"] for row in of(found, "values of no row", Lies.REMNANT).fields or ()}
    assert {"person-003", "Name 007 Surname"} <= given


def test_vectors_of_an_index_are_given() -> None:
    found = read(files("postgres-pgserver"))
    vectors = of(found, "vectors of no row", Lies.REMNANT).vectors
    assert vectors is not None
    rows = {row.tobytes() for row in vectors}
    assert all(row.tobytes() in rows for row in made.vectors())


def test_all_that_lies_below_a_folder_is_claimed_at_once_wherever_it_stands() -> None:
    heads = {f"srv/pg/{path}": content[:4096] for path, content in files("postgres-debian").items()} | {"srv/notes.txt": b"notes"}
    (group, rest) = groups(heads), [each for each in heads if each not in groups(heads)[0]]
    assert group[0][0] == "srv/pg/PG_VERSION"
    assert [each for each in rest if "pg_internal" not in each] == ["srv/notes.txt"]


@pytest.mark.attempt("deleted people in vector stores")
@pytest.mark.parametrize(
    "path", ["base/5/99999", "base/5/people.parquet", "pg_xact/0001", "log/people.zip", "pg_wal/" + "0" * 24, "global/7"]
)
@pytest.mark.parametrize("content", [b"PAR1" + b"x" * 40, b"PK\3\4" + b"x" * 40, b"SQLite format 3\0" + b"x" * 40])
def test_a_file_of_another_form_is_left_to_who_reads_it(path: str, content: bytes) -> None:
    heads = {each: content[:4096] for each, content in files("postgres-debian").items()} | {path: content}
    assert not [group for group in groups(heads) if path in group and len(group) > 1]


@pytest.mark.attempt("deleted people in vector stores")
@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("PG_VERSION", b"18\n"),
        ("PG_VERSION", b"12\n"),
        ("PG_VERSION", b"17\n"),
        ("global/pg_control", bytes(8192)),
        ("global/pg_control", b""),
    ],
)
def test_another_version_is_not_examined(path: str, content: bytes) -> None:
    (found,) = read_files(files("postgres-debian") | {path: content})
    assert isinstance(found, Unread)


@pytest.mark.attempt("deleted people in vector stores")
def test_a_control_file_with_another_sum_is_not_examined() -> None:
    control = bytearray(files("postgres-debian")["global/pg_control"])
    control[16] ^= 2
    (found,) = read_files(files("postgres-debian") | {"global/pg_control": bytes(control)})
    assert isinstance(found, Unread)


@pytest.mark.parametrize("name", ["postmaster.pid", "backup_label"])
def test_a_server_that_runs_is_named(name: str) -> None:
    assert f"{OPEN}-running" in codes(read(files("postgres-debian") | {name: b"1"}))
    assert f"{OPEN}-running" not in codes(read(files("postgres-debian")))


@pytest.mark.attempt("deleted people in vector stores")
@pytest.mark.parametrize("path", ["base/5/pg_filenode.map", "base/5/1249", "base/5/1259"])
def test_a_database_whose_catalogs_cannot_be_read_leaves_the_folder_open(path: str) -> None:
    found = read({each: content for each, content in files("postgres-debian").items() if each != path})
    assert "data.erased.open.shut" in codes(found)
    assert b"person-003" in found.loose


@pytest.mark.attempt("deleted people in vector stores")
def test_pieces_that_are_missing_of_a_value_leave_the_folder_open() -> None:
    own = files("postgres-debian")
    # The largest of its files, which no id is written out in.
    letters = max((path for path in own if path.startswith("base/5/13")), key=lambda path: len(own[path]))
    assert "data.erased.open.shut" in codes(read(own | {letters: b""}))


def test_fields_are_found_by_their_borders() -> None:
    columns = [Column(1, "a", 0, 1, "c", False), Column(2, "b", 0, -1, "i", False), Column(3, "c", 0, 4, "i", False)]
    content = b"x" + b"\x07abc"[:1] + b"abc" + b"\0\0\0" + struct.pack("<i", 5)
    assert fields(content[:5] + bytes(3) + content[8:], columns, 3, b"", Room(0))[0][1] == b"ab"
    long = b"x\0\0\0" + struct.pack("<I", (4 + 6) << 2) + b"person" + b"\0\0" + struct.pack("<i", 5)
    assert fields(long, columns, 3, b"", Room(0)) == ([b"x", b"person", struct.pack("<i", 5)], 20)
    assert fields(long[:1], columns, 3, b"\x01", Room(0)) == ([b"x", None, None], 1)
    with pytest.raises(UnknownFormError):
        fields(long[:10], columns, 3, b"", Room(0))


def test_an_external_value_is_put_together_and_unpacked() -> None:
    pointer = b"\x01\x12" + struct.pack("<iIII", 1004, 500, 7, 9)
    (cell,), size = fields(pointer, [Column(1, "a", 0, -1, "i", False)], 1, b"", Room(0))
    assert (cell, size) == (External(1004, 500, 0, 7, 9), 18)
    assert isinstance(cell, External)
    assert cell.packed
    toast = Toast(Room(800), {(9, 7): {1: b"b" * 250, 0: b"a" * 250}})
    assert toast.value(External(504, 500, 0, 7, 9), 9) == b"a" * 250 + b"b" * 250
    assert not [*toast.left()]
    assert toast.value(External(504, 501, 0, 7, 9), 9) is None
    assert toast.value(External(504, 500, 0, 8, 9), 9) is None
    assert not toast.room.over
    assert toast.value(External(504, 500, 0, 7, 9), 9) is None
    assert toast.room.over


def test_pglz_copies_what_it_has_given() -> None:
    assert from_pglz(b"\x04ab" + bytes((0x01, 2)) + b"cdefg", 11) == b"ababab"[:6] + b"cdefg"
    assert from_pglz(b"\x02a" + bytes((0x0F, 1, 10)), 29) == b"a" * 29
    for broken, size in ((b"\x01\x00\x00", 3), (b"\x01\x01\x05", 3), (b"\x02a\x0f\x01", 30), (b"\x00abc", 2), (b"\x00ab", 3)):
        with pytest.raises(UnknownFormError):
            from_pglz(broken, size)


@pytest.mark.attempt("bombs")
def test_what_unpacks_to_more_than_there_is_room_for_is_refused() -> None:
    room = Room(1000)
    packed = struct.pack("<I", 1001) + b"\x02a" + bytes((0x0F, 1, 255)) * 4
    with pytest.raises(UnknownFormError):
        unpacked(packed, room)
    assert (room.left, room.over) == (1000, True)
    with pytest.raises(UnknownFormError):
        unpacked(struct.pack("<I", (1 << 30) - 1) + b"\0" * 20, Room(1 << 40))
    for size in (0, 2, 500):
        with pytest.raises(UnknownFormError):
            from_lz4(b"\x10a", size)
        with pytest.raises(UnknownFormError):
            from_zstd(pa.Codec("zstd").compress(b"a", asbytes=True), size)


def test_blocks_of_lz4_and_frames_of_zstd_are_unpacked() -> None:
    draw = np.random.default_rng(3)
    for size in (1, 20, 300, 5000):
        for content in (bytes(size), draw.integers(256, size=size).astype(np.uint8).tobytes(), b"river glass " * size):
            assert from_lz4(pa.Codec("lz4_raw").compress(content, asbytes=True), len(content)) == content
            assert from_zstd(pa.Codec("zstd").compress(content, asbytes=True), len(content)) == content
    for broken in (b"\xf0", b"\x10a\x05\0", b"\x10a\0\0", b"\x50ab"):
        with pytest.raises(UnknownFormError):
            from_lz4(broken, 5)


def test_packed_values_are_found_wherever_they_lie() -> None:
    body = b"\x02a" + bytes((0x0F, 1, 80))
    whole = struct.pack("<II", (8 + len(body) + 8) << 2 | 2, 99 + 8) + body[:1] + body[1:]
    text = b"".join(bytes((0,)) + bytes(range(at, at + 8)) for at in range(65, 97, 8))
    value = struct.pack("<I", 8 + len(text)) + text
    assert [*packed_in(whole[:4], Room(100), 10)] == []
    content = b"xyz" + struct.pack("<I", (4 + len(value)) << 2 | 2) + value
    assert [*packed_in(content, Room(100), 10)] == []  # it says that it is as large as what it was packed from
    runs = b"\x02a" + bytes((0x0F, 1, 100)) + b"\x00bcdefghi"
    value = struct.pack("<I", 1 + 118 + 8) + b"\x02a" + bytes((0x0F, 1, 100)) + b"bcdefg" + b"\x00hi"
    content = b"xyz" + struct.pack("<I", (4 + len(value)) << 2 | 2) + value + b"zz"
    assert runs
    assert [*packed_in(content, Room(1000), 10)] == [b"a" * 119 + b"bcdefghi"]
    room = Room(1000)
    assert [*packed_in(content, room, 0)] == []
    assert room.over


@pytest.mark.parametrize(
    ("kind", "cell", "text"),
    [
        (1, struct.pack("<HHH", 0x8000 | 2 << 7 | 0, 12, 3400), "12.34"),
        (1, struct.pack("<HHH", 0xA000 | 1, 5, 6), "-50006"),
        (1, struct.pack("<HH", 0x8000 | 4 << 7 | 0x7F, 15), "0.0015"),
        (1, struct.pack("<HhH", 3, 1, 7), "70000.000"),
        (1, struct.pack("<H", 0xC000), "NaN"),
        (3, struct.pack("<q", 86_400_000_000), "2000-01-02 00:00:00+00"),
        (4, bytes(15) + b"\x07", "00000000-0000-0000-0000-000000000007"),
        (6, struct.pack("<iiIii", 1, 0, 25, 2, 1) + b"\x20\0\0\0abcd" + b"\x18\0\0\0ef", '["abcd", "ef"]'),
        (9, b"\1", "true"),
        (10, struct.pack("<iiIiiii", 1, 0, 23, 2, 1, 4, 5), "[4, 5]"),
        (12, struct.pack("<i", -1), "1999-12-31"),
        (13, b"\xff\0", "ÿ\0"),
        (2, struct.pack("<II", 0x20000001, 1) + struct.pack("<I", 0x40000000) + b"a", '{"a": null}'),
    ],
)  # fmt: skip
def test_values_are_given_as_text(kind: int, cell: bytes, text: str) -> None:
    assert KINDS.value(Column(1, "a", kind, -1, "i", False), cell) == text


@pytest.mark.parametrize(
    ("kind", "cell"),
    [
        (5, struct.pack("<hH2e", 2, 0, 1.5, -2.0)),
        (11, struct.pack("<hH2f", 2, 0, 1.5, -2.0)),
        (7, struct.pack("<iiIii", 1, 0, 701, 2, 1) + struct.pack("<2d", 1.5, -2.0)),
    ],
)
def test_vectors_are_given_as_numbers(kind: int, cell: bytes) -> None:
    found = KINDS.value(Column(1, "a", kind, -1, "i", False), cell)
    assert isinstance(found, np.ndarray)
    assert found.tolist() == [1.5, -2.0]


def test_values_of_a_type_that_is_not_read_are_text_and_are_named() -> None:
    kinds = Kinds({8: "inet"})
    assert kinds.value(Column(1, "a", 8, -1, "i", False), b"person") == "person"
    assert kinds.unknown == {"inet"}


def test_words_and_vectors_are_found_behind_their_lengths() -> None:
    content = (
        b"\0" + bytes(((1 + 10) << 1 | 1,)) + b"person-003" + b"\x01" + struct.pack("<I", (4 + 9) << 2) + b"Name Both" + b"\0"
    )
    assert {"person-003", "Name Both"} <= {*words_in(content)}
    packed = b"\x09" + struct.pack("<hH2f", 2, 0, 1.5, -2.0) + struct.pack("<hH2e", 2, 0, 3.5, 4.0)
    assert [1.5, -2.0] in vectors_in(packed, 2, Room(1 << 10)).tolist()
    assert [3.5, 4.0] in vectors_in(packed, 2, Room(1 << 10)).tolist()


def test_who_is_deleted_is_said_by_the_row_or_by_the_transaction() -> None:
    log = Commits({0: bytes((0b10_01_00_00, 0b01))})

    def row(xmin: int, xmax: int, mask: int) -> Tuple:
        return Tuple(struct.pack("<II", xmin, xmax) + bytes(10) + struct.pack("<HHB", 1, mask, 24) + b"\0")

    assert row(3, 0, 0x800).live(log) is False
    assert row(2, 0, 0x800).live(log)
    assert row(4, 0, 0x100 | 0x800).live(log)
    assert row(2, 4, 0).live(log) is False
    assert row(2, 3, 0).live(log)
    assert row(2, 4, 0x80).live(log)
    assert row(2, 4, 0x1000).live(log) is False
    assert row(0, 0, 0x200).live(log) is False
    assert row(0, 0, 0x300).live(log)


def test_lines_that_lead_out_of_a_page_name_no_row() -> None:
    header = bytes(12) + struct.pack("<HHHHI", 28, PAGE - 40, PAGE, PAGE | 4, 0)
    page = header + struct.pack("<I", (PAGE - 20) | 1 << 15 | 40 << 17)
    read_one = read_page(page.ljust(PAGE, b"\1"))
    assert read_one is not None
    assert (read_one.tuples, read_one.lines) == ((), 1)
    assert read_page(bytes(PAGE)) is None


def test_a_map_says_how_many_it_has() -> None:
    assert mapped(struct.pack("<IIII", 0x592717, 1, 1259, 7)) == {1259: 7}
    for broken in (b"", struct.pack("<II", 0x592717, 1), struct.pack("<II", 0x592717, 1 << 30), struct.pack("<IIII", 1, 1, 1, 1)):
        with pytest.raises(UnknownFormError):
            mapped(broken)


@pytest.mark.attempt("bombs")
def test_a_few_bytes_are_not_any_number_of_rows() -> None:
    """Lines that all lead to one row, rows within rows, vectors within vectors, images that are holes."""
    lines = struct.pack("<I", 4096 | 1 << 15 | 4000 << 17) * 900
    page = bytes(12) + struct.pack("<HHHHI", 24 + len(lines), 4096, PAGE, PAGE | 4, 0) + lines
    head = bytes(18) + struct.pack("<HHB", 1, 0x800, 24) + b"\0"
    full = page.ljust(4096, b"\0") + head + b"a" * 4072
    read_one = read_page(full)
    assert read_one is not None
    assert sum(len(each.content) for each in read_one.tuples) <= PAGE
    column = [Column(1, "a", 25, -1, "i", False)]
    room = Room(1 << 16)
    table = TableRows(Relation(20000, "t", "r", 2200, tuple(column)), Kinds({25: "text"}), Toast(room), {}, room)
    nested = b"".join(head + struct.pack("<II", 4000 << 2, each) for each in range(256))
    for each in carved(nested, 1):
        table.row(each, Lies.REMNANT, exact=False)
    assert room.over
    assert sum(len(str(row)) for row in table.read[Lies.REMNANT]) < 1 << 18
    room = Room(1 << 16)
    assert vectors_in(struct.pack("<hHf", 1000, 0, 1.5) * 2000, 1000, room).nbytes <= 1 << 16
    assert room.over


@pytest.mark.attempt("damaged files")
@pytest.mark.parametrize("name", NAMES)
def test_damaged_folders_are_read_or_not_examined_and_never_accounted_for(name: str) -> None:
    """Flipped bytes, truncations, pages that are repeated or exchanged, counts that are huge: no exception, no hang."""
    draw, own = np.random.default_rng(7), files(name)
    paths = [path for path in own if len(own[path]) > 64 and path != "global/pg_control" and "internal" not in path]
    small = {path: content for path, content in own.items() if not path.startswith("pg_wal")}
    begun = time.process_time()
    for _ in range(4):
        path = paths[int(draw.integers(len(paths)))]
        damaged = _damaged(own[path], draw)
        read_now = read_files((own if path.startswith("pg_wal") else small) | {path: damaged})
        # What does not begin like a file of a server any more is left to other readers, and to none of them here.
        for found in read_now:
            assert isinstance(found, Unread) or (0 < found.unexplained <= found.bytes and found.unread)
    assert time.process_time() - begun < 60


def _damaged(content: bytes, draw: np.random.Generator) -> bytes:
    octets = np.frombuffer(content, np.uint8).copy()
    match int(draw.integers(5)):
        case 0:
            return content[: int(draw.integers(len(content)))]
        case 1:
            places = draw.integers(len(octets), size=200)
            octets[places] = draw.integers(256, size=200)
        case 2:
            at = int(draw.integers(len(octets) // PAGE + 1)) * PAGE
            octets[at : at + 400] = draw.integers(256, size=len(octets[at : at + 400]))
        case 3:
            places = draw.integers(max(1, len(octets) - 4), size=50)
            for place in places:
                octets[place : place + 4] = 255
        case _:
            return content[PAGE:] + content + content[:PAGE]
    return octets.tobytes()


@pytest.mark.attempt("damaged files")
def test_damaged_pages_values_and_logs_end_in_one_error_or_none() -> None:
    """Thousands of small ones, each reader by itself."""
    draw = np.random.default_rng(9)
    own = files("postgres-pgserver")
    log = next(content for path, content in own.items() if path.startswith("pg_wal"))[: 3 * PAGE]
    table = next(
        content
        for path, content in own.items()
        if path.startswith("base/5/1") and b"person-003" in content and len(content) < 5 * PAGE
    )
    columns = [Column(at, "a", at, -1, "icsd"[at % 4], False) for at in range(1, 14)]
    for _ in range(2000):
        page = _damaged(table[:PAGE], draw)[:PAGE]
        if (read_one := read_page(page.ljust(PAGE, b"\0"))) is not None:
            for each in read_one.tuples:
                _of_row(each, columns)
    for _ in range(300):
        read_log({"0" * 24: _damaged(log, draw)}, Room(1 << 22))
    for _ in range(5000):
        cell = draw.integers(256, size=int(draw.integers(60))).astype(np.uint8).tobytes()
        KINDS.value(Column(1, "a", int(draw.integers(1, 14)), -1, "i", False), cell)
        for column in columns:
            KINDS.value(column, struct.pack("<I", int(draw.choice([1, 2, 0x20000001, 0x40000002, 0x10000001]))) + cell)


def _of_row(row: Tuple, columns: list[Column]) -> None:
    if row.whole:
        try:
            cells, _ = fields(row.data, columns, row.columns, row.bitmap, Room(1 << 20))
        except UnknownFormError:
            return
        for column, cell in zip(columns, cells, strict=False):
            if isinstance(cell, bytes):
                KINDS.value(column, cell)
