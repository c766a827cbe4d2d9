"""The reader of Lance tables: rows of every version, rows that are marked as deleted, and every byte that is neither."""

from __future__ import annotations

import struct

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lance_writing import (
    INSIDE,
    PACKED,
    RUNS,
    SYMBOLS,
    constant,
    data_file,
    flat,
    in_blocks,
    message,
    texts,
    texts_of,
)  # fmt: skip

from auditor.parts.store.readers import packings, protobuf, read_files
from auditor.parts.store.readers.contents import Contents, Lies, UnknownFormError, Unread
from auditor.parts.store.readers.lance_deletions import marked
from auditor.parts.store.readers.lance_file import DataFile
from stores import make as made

VECTORS = made.vectors(1024, 4)
STAY = [each for each in range(1024) if each not in made.GONE]
FEW = [each for each in range(24) if each not in made.GONE]
OTHER = "data/0000000000000000000000004a0000480000000000000000.lance"
INT = "int64"


def read(files: dict[str, bytes]) -> Contents:
    (found,) = read_files(files)
    assert isinstance(found, Contents)
    return found


def path_of(files: dict[str, bytes], part: str) -> str:
    return next(each for each in sorted(files) if part in each)


def held(found: Contents) -> list[object]:
    return [(each.lies, each.fields, None if each.vectors is None else each.vectors.tobytes()) for each in found.rows]


def page(kind: str, made_page: tuple[bytes, list[bytes]], rows: int = 4, **more: bytes) -> DataFile:
    return DataFile.read(data_file({"value": (kind, made_page)}, rows, **more))


def words(file: DataFile) -> list[str | None]:
    (cells,) = file.columns
    assert cells is not None
    return cells.words(np.ones(file.rows, dtype=bool))


def whole(values: list[int], kind: str = "<i8") -> bytes:
    return np.array(values, dtype=kind).tobytes()


def test_an_overwritten_table_is_its_rows_and_nothing_else_in_every_coding() -> None:
    files = made.files_of("lance-rebuilt")
    found = read(files)
    assert (found.form, found.bytes, found.unexplained, found.unread) == ("Lance", sum(map(len, files.values())), 0, ())
    assert [(each.lies, each.count) for each in found.rows] == [(Lies.LIVE, 1022)] * 2
    short, wide = (each.vectors for each in found.rows)
    assert np.array_equal(short, VECTORS[STAY])
    assert [bool(np.isnan(row).all()) for row in wide] == [each % 8 == 1 for each in STAY]
    numbers = np.random.default_rng(5).integers(0, 1 << 20, 1024)
    for at, (row, each) in enumerate(zip(found.rows[0].fields, STAY, strict=True)):
        name, own = f"person-{each:03d}", int(numbers[each])
        expected = {
            "id": name,
            "number": str(own),
            "age": None if each % 7 == 1 else str(18 + each % 60),
            "score": None if each % 5 == 1 else repr(float(VECTORS[each, 0]) / 3),
            "member": None if each % 6 == 1 else str(each % 3 == 0),
            "town": None if each % 9 == 1 else ("Graz", "Gent", "Brno")[each * each % 7 % 3],
            "half": str(at * 2 // 1024),
            "since": "2026",
            "note": f"What {name} wrote on day {own % 28}.",
            "letter": None if each % 4 == 1 else f"Dear {name}, we have had {own} of yours. " * 8,
        }
        assert row == {key: value for key, value in expected.items() if value is not None}


def test_rows_that_a_deletion_file_marks_are_read_with_the_version_that_deleted_them() -> None:
    found = read(made.files_of("lance-deleted"))
    live, gone = found.rows
    assert (gone.lies, gone.where) == (Lies.MARKED, "people.lance: fragment 0, deleted by version 2")
    assert [each["id"] for each in gone.fields] == [made.NAMES[each] for each in made.GONE]
    assert np.array_equal(gone.vectors, VECTORS[list(made.GONE)])
    assert [each["id"] for each in live.fields] == [made.NAMES[each] for each in FEW]
    # The file of marks, and the condition that the transaction keeps.
    assert found.unexplained > 700


def test_rows_of_a_former_version_are_read_with_its_number() -> None:
    found = read(made.files_of("lance-versions"))
    live, former = found.rows
    assert (live.lies, live.count, former.lies, former.count) == (Lies.LIVE, 22, Lies.REMNANT, 24)
    assert former.where.endswith(".lance, in version 1")
    assert {made.NAMES[each] for each in made.GONE} <= {each["id"] for each in former.fields}
    assert found.unexplained == 0


@pytest.mark.attempt("files that hide")
def test_a_data_file_that_no_version_names_is_read_all_the_same() -> None:
    stray = made.files_of("lance-versions")[path_of(made.files_of("lance-versions"), "/data/")]
    found = read({**made.files_of("lance-rebuilt"), f"people.lance/{OTHER}": stray})
    former = found.rows[-1]
    assert (former.lies, former.where.rpartition(", ")[2]) == (Lies.REMNANT, "in no version")
    assert found.unexplained > 0


def test_what_lies_in_no_folder_of_the_tables_is_another_file() -> None:
    files = {
        **made.files_of("lance-versions"),
        "people.lance/_indices/a/index.idx": b"\1\2",
        "people.lance/data/notes.txt": b"person-003",
    }
    found = read_files(files)
    assert [each.files for each in found[1:]] == [("people.lance/_indices/a/index.idx",), ("people.lance/data/notes.txt",)]
    assert all(isinstance(each, Unread) for each in found[1:])


@pytest.mark.attempt("files that hide")
@given(st.data())
def test_no_byte_of_a_table_can_be_another_one(data: st.DataObject) -> None:
    """But those that tell when a version was written, and by which release."""
    files = made.files_of("lance-versions")
    path = data.draw(st.sampled_from(sorted(files)))
    content = files[path]
    at, bit = data.draw(st.integers(0, len(content) - 1)), data.draw(st.integers(0, 7))
    changed = content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1 :]
    (found,) = read_files({**files, path: changed})
    same = isinstance(found, Contents) and not found.unexplained and held(found) == held(read(files))
    assert not same or (path.endswith(".manifest") and at > len(content) // 2)


@pytest.mark.parametrize("name", ["lance-deleted", "lance-versions"])
@given(st.data())
def test_a_table_that_was_cut_short_is_none(name: str, data: st.DataObject) -> None:
    files = made.files_of(name)
    path = data.draw(st.sampled_from(sorted(each for each in files if not each.endswith((".json", ".txn")))))
    size = data.draw(st.integers(0, len(files[path]) - 1))
    (found,) = read_files({**files, path: files[path][:size]})
    assert isinstance(found, Unread) or found.unexplained > read(files).unexplained


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize("part", ["_versions/1844674407370955161", "_transactions", "latest_version_hint"])
def test_a_payload_behind_a_small_file_is_unexplained(part: str) -> None:
    files = made.files_of("lance-rebuilt")
    path = path_of(files, part)
    (found,) = read_files({**files, path: files[path] + VECTORS[3].tobytes()})
    assert isinstance(found, Unread) or found.unexplained >= 16


@pytest.mark.attempt("files that hide")
def test_names_that_nobody_can_check_may_not_be_many() -> None:
    files = dict(made.files_of("lance-rebuilt"))
    (name,) = (each for each in files if each.endswith(".txn"))
    content = files[name]
    for each in range(9):
        own = f"{each:08x}-0000-4000-8000-{each:012x}"
        files[f"people.lance/_transactions/1-{own}.txn"] = content[:4] + own.encode() + content[40:]
    assert read(files).unexplained >= 16


def test_a_page_that_a_writer_would_write_has_nothing_unexplained() -> None:
    """What the following tests change."""
    numbers = page(INT, in_blocks(flat(64), 4, [whole([5, 0, 7, 8])], levels=whole([0, 1, 0, 0], "<u2")))
    assert (words(numbers), numbers.unexplained, numbers.bits) == (["5", None, "7", "8"], 0, 0)
    names = page("string", in_blocks(texts_of(), 4, [texts([b"Ann", b"Bob", b"", b"Di"])]))
    assert (words(names), names.unexplained, names.bits) == (["Ann", "Bob", "", "Di"], 0, 0)
    runs = page("float", in_blocks(message((RUNS, message((1, flat(32)), (2, flat(8))))), 4, [whole([1, 2], "<f4"), b"\3\1"]))
    assert (words(runs), runs.unexplained, runs.bits) == (["1.0", "1.0", "1.0", "2.0"], 0, 0)
    assert words(page(INT, constant(value=whole([9])))) == ["9"] * 4
    assert words(page("string", constant(layers=b"\3"))) == [None] * 4


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize(
    ("kind", "made_page"),
    [
        (INT, in_blocks(flat(64), 4, [whole([5, 6, 7, 8])], levels=whole([0, 1, 0, 0], "<u2"))),
        ("string", in_blocks(texts_of(), 4, [texts([b"Ann", b"Bob", b"", b"Di"])], levels=whole([0, 1, 0, 0], "<u2"))),
        ("string", in_blocks(texts_of(), 4, [texts([b"Ann", b"", b"", b""]) + b"Bob!"])),
        ("string", in_blocks(texts_of(), 4, [texts([b"Ann", b"", b"", b""])[:-1] + b"B"])),
        ("bool", in_blocks(flat(1), 4, [b"\xf5"])),
        (INT, in_blocks(message((INSIDE, message((1, 64)))), 4, [whole([1]) + whole([1, 2, 3, 4, *([77] * 12)])])),
    ],
    ids=["number of no row", "text of no row", "text behind texts", "room behind texts", "bits behind bits", "rows of no block"],
)
def test_what_a_page_holds_beside_its_rows_is_unexplained(kind: str, made_page: tuple[bytes, list[bytes]]) -> None:
    assert page(kind, made_page).unexplained > 0


@pytest.mark.attempt("files that hide")
def test_what_text_does_not_tell_of_cells_is_counted() -> None:
    usual, odd = whole([float("nan"), 1, 2, 3], "<f8"), struct.pack("<Q", 0x7FF8_0000_DEAD_BEEF) + whole([1, 2, 3], "<f8")
    assert page("double", in_blocks(flat(64), 4, [usual])).unexplained == 0
    assert page("double", in_blocks(flat(64), 4, [odd])).unexplained == 8
    levels = whole([0, 1, 0, 1], "<u2")
    assert page("string", in_blocks(texts_of(), 4, [texts([b"Ann", b"", b"Bob", b""])], levels=levels)).bits == 0
    assert page("string", in_blocks(texts_of(), 4, [texts([b"", b"", b"Bob", b""])], levels=levels)).bits > 0


@pytest.mark.attempt("files that hide")
def test_room_between_buffers_and_words_of_a_schema_are_unexplained() -> None:
    plain = in_blocks(flat(64), 4, [whole([5, 6, 7, 8])])
    assert page(INT, plain).unexplained == 0
    assert page(INT, plain, room=b"x").unexplained > 50
    assert page(INT, plain, said=message((1, b"examples"), (2, b"person-003"))).unexplained == 22


def _entries(entries: list[bytes], places: list[int], content: bytes | None = None) -> DataFile:
    """A page of texts in a dictionary, packed by LZ4."""
    offsets = np.cumsum([0, *map(len, entries)]).astype("<u4").tobytes()
    plain = struct.pack("<II", 32, 8 + len(offsets)) + offsets + b"".join(entries)
    packed = pa.Codec("lz4_raw").compress(plain, asbytes=True) if content is None else content
    coding = message((PACKED, message((1, message((1, 1))), (3, texts_of()))))
    layout, buffers = in_blocks(flat(32), len(places), [whole(places, "<u4")], more=[(4, coding), (5, len(entries))])
    return page("string", (layout, [*buffers, struct.pack("<I", len(plain)) + packed]), len(places))


@pytest.mark.attempt("files that hide")
def test_entries_of_a_dictionary_that_no_row_has_are_given_and_unexplained() -> None:
    plain = _entries([b"Graz", b"Gent"], [0, 1, 0, 1])
    assert (words(plain), plain.unexplained, plain.bits) == (["Graz", "Gent", "Graz", "Gent"], 0, 0)
    hiding = _entries([b"Graz", b"Gent", b"person-003"], [0, 1, 0, 1])
    assert hiding.columns[0].left == ("person-003",)
    assert hiding.unexplained >= len("person-003")
    assert _entries([b"Graz", b"Gent"], [1, 0, 0, 1]).bits > 0
    assert _entries([b"Graz", b"Graz"], [0, 1, 0, 1]).unexplained > 0


@pytest.mark.attempt("files that hide")
def test_a_block_of_lz4_that_is_not_written_as_lz4_writes_it_is_unexplained() -> None:
    entries = [b"Graz" * 20, b"Gent"]
    plain = struct.pack("<IIIII", 32, 20, 0, 80, 84) + b"".join(entries)
    loose = bytes([0xF0, len(plain) - 15]) + plain
    assert _entries(entries, [0, 1, 0, 1]).unexplained == 0
    as_it_is = _entries(entries, [0, 1, 0, 1], loose)
    assert (words(as_it_is)[1], as_it_is.unexplained) == ("Gent", len(loose) + 4)


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize(
    "content", [b"", b"\1\0\0\0", struct.pack("<I", 1 << 31) + b"\xf0\0", struct.pack("<I", 9) + b"\x10a\1\0"]
)
def test_a_broken_block_of_lz4_or_one_that_says_it_is_huge_is_not_unpacked(content: bytes) -> None:
    with pytest.raises(UnknownFormError):
        packings.from_lz4(content)


def _table(symbols: list[bytes], *, suffixes: int = 0, last: int = 0) -> bytes:
    content = bytes([len(symbols), last, suffixes, 1]) + b"TSSF" + b"".join(each.ljust(8, b"\0") for each in symbols)
    return (content + bytes(map(len, symbols))).ljust(2312, b"\0")


def _symbols(table: bytes, coded: list[bytes]) -> DataFile:
    coding = message((SYMBOLS, message((1, table), (2, texts_of()))))
    return page("string", in_blocks(coding, len(coded), [texts(coded)]), len(coded))


def test_texts_are_read_by_a_table_of_symbols() -> None:
    found = _symbols(_table([b"er", b"pers", b"on-0", b"p"], suffixes=0), [b"\1\2\xff7", b"\3\0\xff!"])
    assert (words(found), found.unexplained) == (["person-07", "per!"], 0)


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize(
    ("table", "coded"),
    [
        (_table([b"er", b"pers", b"on-0", b"person-3"]), [b"\1\2\xff7", b"\xffp\0\xff!"]),
        (_table([b"er", b"pers", b"on-0"]), [b"\1\2\xff7", b"\xffp\xffe\xffr"]),
        (_table([b"er", b"pers", b"on-0"]), [b"\1\2\xff7", b"\xffp\0\xff"]),
        (_table([b"er", b"pers", b"on-0"], last=7), [b"\1\2\xff7", b"\xffp\0"]),
        (_table([b"er", b"pers", b"on-0"], suffixes=3), [b"\1\2\xff7", b"\xffp\0"]),
        (_table([b"pers", b"er", b"on-0"]), [b"\0\2\xff7", b"\xffp\1"]),
        (_table([b"er", b"pers", b"on-0"])[:-1] + b"x", [b"\1\2\xff7", b"\xffp\0"]),
    ],
    ids=["of no text", "another code", "half a code", "its last byte", "its suffixes", "its order", "room behind it"],
)
def test_symbols_of_no_text_and_texts_in_other_symbols_are_unexplained(table: bytes, coded: list[bytes]) -> None:
    assert _symbols(table, coded).unexplained > 0


@pytest.mark.attempt("files that hide")
def test_a_table_may_not_have_many_symbols_that_writing_needs_not() -> None:
    """Parts of texts that are there, in an order that says something."""
    idle = [b"pe", b"rs", b"so", b"on", b"n-", b"-0", b"07"]
    assert _symbols(_table([*idle, b"person-0"], suffixes=1), [b"\7\xff7"] * 2).unexplained > 0


@pytest.mark.attempt("files that hide")
def test_runs_that_need_not_be_two_and_blocks_that_are_too_wide_say_something() -> None:
    coding = message((RUNS, message((1, flat(32)), (2, flat(8)))))
    assert page("float", in_blocks(coding, 4, [whole([1, 1], "<f4"), b"\3\1"])).bits > 0
    assert page("float", in_blocks(coding, 4, [whole([1, 9, 2], "<f4"), b"\3\0\1"])).bits > 0
    wide = whole([2]) + bytes(256)
    assert page(INT, in_blocks(message((INSIDE, message((1, 64)))), 4, [wide])).bits > 0


@pytest.mark.parametrize(
    ("kind", "made_page", "name"),
    [
        ("list", in_blocks(flat(64), 4, [whole([5, 6, 7, 8])]), "list"),
        ("timestamp:us:-", in_blocks(flat(64), 4, [whole([5, 6, 7, 8])]), "timestamp:us:-"),
        (INT, in_blocks(message((9, message((1, flat(64))))), 4, [whole([5, 6, 7, 8])]), "byte stream split"),
        (INT, (message((4, b"")), []), "blob"),
    ],
)
def test_a_coding_that_is_not_known_is_not_examined_and_named(kind: str, made_page: tuple[bytes, list[bytes]], name: str) -> None:
    found = page(kind, made_page)
    assert [each.parameters["name"] for each in found.unread] == [name]
    assert found.columns == (None,)
    assert found.unexplained >= sum(map(len, made_page[1]))


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize("rows", [1 << 40, 1 << 23])
def test_a_page_of_one_value_that_says_it_has_any_number_of_rows_is_not_made(rows: int) -> None:
    with pytest.raises(UnknownFormError):
        page(INT, constant(value=whole([9])), rows)


def test_another_version_is_not_known() -> None:
    content = data_file({"value": (INT, constant(value=whole([9])))}, 4)
    with pytest.raises(UnknownFormError):
        DataFile.read(content[:-6] + struct.pack("<H", 9) + b"LANC")
    with pytest.raises(UnknownFormError):
        DataFile.read(b"LANC")


@pytest.mark.parametrize("width", [0, 1, 3, 7, 8, 13, 31, 32])
def test_packed_numbers_are_unpacked(width: int) -> None:
    """Packed again one by one, as the arrangement says."""
    values = np.random.default_rng(width).integers(0, 1 << width, 1024).astype(np.uint64)
    order = [0, 4, 2, 6, 1, 5, 3, 7]
    words_of = np.zeros((max(1, width), 32), dtype=np.uint64)
    for lane in range(32):
        stream = sum(int(values[order[row // 8] * 16 + row % 8 * 128 + lane]) << (row * width) for row in range(32))
        for at in range(width):
            words_of[at, lane] = stream >> (32 * at) & 0xFFFFFFFF
    content = words_of.astype("<u4").tobytes() if width else b""
    assert np.array_equal(packings.unpacked(content, width, 32), values)


def test_bitmaps_of_deleted_rows_are_read() -> None:
    few = struct.pack("<IIHHIHHH", 12346, 1, 0, 2, 16, 1, 5, 9)
    assert np.flatnonzero(marked(few, arrow=False, rows=10)).tolist() == [1, 5, 9]
    runs = struct.pack("<HHBHHHHH", 12347, 0, 1, 0, 4, 1, 3, 4)
    assert np.flatnonzero(marked(runs, arrow=False, rows=10)).tolist() == [3, 4, 5, 6, 7]
    many = np.packbits(np.arange(1 << 16) % 2 == 0, bitorder="little").tobytes()
    assert marked(struct.pack("<IIHHI", 12346, 1, 0, (1 << 15) - 1, 16) + many, arrow=False, rows=1 << 16).sum() == 1 << 15
    for damaged in (few + b"\0", few[:-1], few[:4], struct.pack("<I", 7), few.replace(b"\x09\0", b"\x0a\0")):
        with pytest.raises(UnknownFormError):
            marked(damaged, arrow=False, rows=10)


@pytest.mark.attempt("files that hide")
def test_a_bitmap_that_says_it_marks_everything_many_times_is_not_made() -> None:
    spans = struct.pack("<HH", 0, 0xFFFF) * 4000
    with pytest.raises(UnknownFormError):
        marked(struct.pack("<HHBHHH", 12347, 0, 1, 0, 4, 4000) + spans, arrow=False, rows=10)


def test_a_file_of_arrow_with_other_columns_marks_nothing() -> None:
    for content in (b"ARROW1\0\0", made.files_of("lance-deleted")[path_of(made.files_of("lance-deleted"), "_deletions")][:-9]):
        with pytest.raises(UnknownFormError):
            marked(content, arrow=True, rows=24)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, pa.schema([("row", pa.uint32())])) as file:
        file.write(pa.record_batch([pa.array([1], pa.uint32())], names=["row"]))
    with pytest.raises(UnknownFormError):
        marked(sink.getvalue().to_pybytes(), arrow=True, rows=24)


@pytest.mark.parametrize(
    "content", [b"\x08\x80\x00", b"\x10\1\x08\1", b"\x0a\5abc", b"\x09\1", b"\x08" + b"\xff" * 10, b"\x00\1"]
)
def test_a_message_that_could_be_shorter_or_is_out_of_order_is_none(content: bytes) -> None:
    with pytest.raises(UnknownFormError):
        protobuf.Taken(content)


def test_fields_that_nobody_takes_are_noticed() -> None:
    taken = protobuf.Taken(message((1, 3), (2, b"a"), (2, b"b"), (3, b"\1\2")))
    assert (taken.whole(1), taken.many(2), taken.given(3)) == (3, [b"a", b"b"], True)
    with pytest.raises(UnknownFormError):
        taken.done()
    assert taken.packed(3) == [1, 2]
    taken.done()
    for wrong in (lambda: protobuf.Taken(message((1, b"a"))).whole(1), lambda: protobuf.Taken(message((1, 3))).content(1)):
        with pytest.raises(UnknownFormError):
            wrong()
