"""The reader of Chroma folders: records, what is left of deleted ones, and every byte that is neither."""

from __future__ import annotations

import pickle
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.pages.words.texts import text
from auditor.parts.store.readers import full_text, pickled, read_files
from auditor.parts.store.readers.contents import Contents, Lies, UnknownFormError, Unread
from stores import make as made

VECTORS = made.vectors()
STAY = [each for each in range(24) if each not in made.GONE]


def read(files: dict[str, bytes]) -> Contents:
    (found,) = read_files(files)
    assert isinstance(found, Contents)
    return found


def changed(name: str, change: Callable[[bytes], bytes]) -> dict[str, bytes]:
    """The honest folder with one file changed."""
    return {
        path: change(content) if path.endswith(name) else content for path, content in made.files_of("chroma-rebuilt").items()
    }


def after(*statements: str) -> dict[str, bytes]:
    """The honest folder, its database changed by these and vacuumed."""

    def change(content: bytes) -> bytes:
        with TemporaryDirectory() as scratch:
            path = Path(scratch) / "changed.db"
            path.write_bytes(content)
            with closing(sqlite3.connect(path, isolation_level=None)) as database:
                for each in statements:
                    database.execute(each)
                database.execute("VACUUM")
            return path.read_bytes()

    return changed("chroma.sqlite3", change)


def held(found: Contents) -> list[tuple[str, str, int]]:
    return [(each.lies.value, each.where.partition(": ")[2], each.count) for each in found.rows]


def test_a_rebuilt_folder_is_its_records_and_nothing_else() -> None:
    found = read(made.files_of("chroma-rebuilt"))
    live = next(each for each in found.rows if each.lies is Lies.LIVE)
    assert (found.unexplained, found.bytes) == (0, sum(map(len, made.files_of("chroma-rebuilt").values())))
    assert live.ids == tuple(made.NAMES[each] for each in STAY)
    assert np.allclose(live.vectors, VECTORS[STAY], atol=1e-6)
    assert live.fields[0] == {"document": "What person-000 wrote.", "age": "20"}
    # The last entry of the log stays there.
    assert held(found)[1:] == [("remnant", "log of people", 1)]


def test_memory_behind_rows_is_set_to_zero_as_the_step_for_chroma_says() -> None:
    header = next(content for path, content in made.files_of("chroma-rebuilt").items() if path.endswith("header.bin"))
    rows, size = struct.unpack_from("<QQ", header, 20)
    filled = changed("data_level0.bin", lambda content: content[: rows * size] + b"\x2a" * 3 * size)
    zeroed = changed("data_level0.bin", lambda content: content[: rows * size] + bytes(3 * size))
    assert (read(filled).unexplained, read(zeroed).unexplained) == (3 * size, 0)
    step = text("remedy-places-chroma", place="notes", spots="none")
    assert "data_level0.bin behind its rows" in step
    assert "at byte 20 of header.bin" in step


def test_what_a_deletion_leaves_is_read_wherever_it_lies() -> None:
    found = read(made.files_of("chroma-deleted"))
    left = {where: each for each in found.rows for where in [each.where.partition(": ")[2]] if each.lies is not Lies.LIVE}
    gone = [made.NAMES[each] for each in made.GONE]
    assert sorted(each["document"] for each in left["index of texts"].fields) == [f"what {each} wrote." for each in gone]
    assert sorted(left["graph of people"].ids) == gone
    assert np.array_equal(left["graph of people"].vectors[np.argsort(left["graph of people"].ids)], VECTORS[list(made.GONE)])
    assert any(set(gone) <= set(each.ids) for each in found.rows if each.where.endswith("log of people"))
    # Its pages still hold rows of the log that was purged, and `length.bin` what lay in memory.
    assert found.unexplained > 1000


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize(
    "statements",
    [
        ["UPDATE collections SET name = 'people like person-003 who wrote a lot of things that nobody else has written'"],
        ["UPDATE embeddings SET created_at = '1.2345 -0.5432' WHERE id = 3"],
        ["UPDATE embeddings SET seq_id = 1234567890123456 WHERE id = 3"],
        ["INSERT INTO tenants VALUES ('what person-003 wrote')"],
        ["INSERT INTO maintenance_log VALUES (1, CURRENT_TIMESTAMP, 'what person-003 wrote')"],
        [f"INSERT INTO collection_metadata SELECT id, 'note', '{'a1b2c3d4' * 12}', NULL, NULL, NULL FROM collections"],
        ["UPDATE embedding_fulltext_search_docsize SET sz = X'0102030405060708' WHERE id = 3"],
        ["UPDATE embedding_fulltext_search_config SET v = 1234567890123"],
        ["INSERT INTO embedding_fulltext_search_data VALUES (999999999999, X'0102030405060708')"],
        ["UPDATE embedding_fulltext_search_data SET block = block || X'01020304' WHERE id = 10"],
        ["UPDATE embeddings_queue SET created_at = '1.2345 -0.5432'"],
        ["UPDATE embeddings_queue SET operation = 1234567"],
        ["UPDATE embeddings_queue SET metadata = replace(metadata, ':', ':                                ')"],
        ["UPDATE acquire_write SET lock_status = 123456789"],
        ["PRAGMA user_version = 1234567890", "PRAGMA application_id = 1234567890"],
    ],
)
def test_whatever_stands_in_a_field_that_nothing_reads_is_unexplained(statements: list[str]) -> None:
    files = after(*statements)
    for found in read_files(files):
        assert isinstance(found, Unread) or found.unexplained > 0


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize(
    ("statement", "where"),
    [
        ("INSERT INTO embeddings VALUES (99, 'nowhere', 'person-003', 99, '2026-12-01 00:00:00')", "records of no collection"),
        ("INSERT INTO embedding_metadata VALUES (99, 'said', 'by person-003', NULL, NULL, NULL)", "values of no record"),
        (
            "INSERT INTO embeddings_queue VALUES (9, '2026-12-01 00:00:00', 0, 'a', 'person-003', X'0000803f', 'FLOAT32', '{}')",
            "log",
        ),
        ("INSERT INTO embedding_fulltext_search_content VALUES (99, 'what person-003 wrote')", "index of texts"),
    ],
)
def test_rows_that_belong_to_nothing_are_rows_all_the_same(statement: str, where: str) -> None:
    found = read(after(statement))
    assert ("remnant", where, 1) in held(found)


@pytest.mark.attempt("files that hide")
def test_a_definition_of_its_own_makes_it_another_version() -> None:
    (found,) = read_files(after("CREATE TABLE more (said TEXT)"))
    assert isinstance(found, Unread)
    (found,) = read_files(after("UPDATE migrations SET sql = sql || ' -- person-003'"))
    assert isinstance(found, Unread)


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize("name", ["chroma.sqlite3", "header.bin", "data_level0.bin", "length.bin", "link_lists.bin", ".pickle"])
def test_a_file_that_was_cut_is_never_taken_for_a_whole_one(name: str) -> None:
    for part in range(0, 50, 1 if name != "chroma.sqlite3" else 10):
        found = read_files(changed(name, lambda content, part=part: content[: part * len(content) // 50]))
        assert any(isinstance(each, Unread) or each.unexplained for each in found) or (
            # Of lengths those of rows are needed, and the others are room.
            name in {"length.bin", "data_level0.bin"} and part >= 11
        )


@pytest.mark.attempt("files that hide")
@given(data=st.data())
def test_a_folder_with_other_bytes_is_read_as_it_is_or_not_at_all(data: Any) -> None:
    whole = made.files_of("chroma-rebuilt")
    name = data.draw(st.sampled_from(sorted(whole)))
    at = data.draw(st.integers(0, len(whole[name]) - 1))
    more = data.draw(st.binary(min_size=1, max_size=20))
    files = {**whole, name: whole[name][:at] + more + whole[name][at + len(more) :]}
    for found in read_files(files):
        assert found.bytes <= sum(map(len, files.values()))
        assert isinstance(found, Unread) or 0 <= found.unexplained <= found.bytes


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE embeddings SET embedding_id = X'00ff00' WHERE id = 3",
        "UPDATE embeddings SET seq_id = X'00ff00' WHERE id = 3",
        "UPDATE collections SET name = 7",
        "UPDATE collections SET dimension = 'four'",
        "UPDATE segments SET type = 3",
        "UPDATE max_seq_id SET seq_id = 'many'",
        "UPDATE embeddings_queue SET metadata = '[1, 2]'",
        'UPDATE embeddings_queue SET metadata = \'{"a": NaN, "a": 1}\'',
        "UPDATE embeddings_queue SET vector = 'text'",
        "UPDATE embeddings_queue SET vector = X'0102'",
        "UPDATE embedding_metadata SET string_value = X'00ff', int_value = 3 WHERE id = 3",
        "UPDATE embedding_fulltext_search_data SET block = 'text'",
        "UPDATE embedding_fulltext_search_idx SET pgno = 'text'",
        "DELETE FROM collections",
        "DELETE FROM segments",
        "DELETE FROM max_seq_id",
    ],
)
def test_cells_of_another_kind_never_pass_for_chromas(statement: str) -> None:
    for found in read_files(after(statement)):
        assert isinstance(found, Unread) or found.unexplained > 0 or held(found) != held(read(made.files_of("chroma-rebuilt")))


class Runs:
    """What unpickles to a call."""

    def __reduce__(self) -> tuple[Any, ...]:
        return print, ("run",)


@pytest.mark.attempt("files that run")
@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("value", [Runs(), print, {"id_to_label": Runs()}, {"a": [1]}, {"a": (1,)}, {"a": b"x"}, {"a": 1.5}])
def test_a_pickle_of_anything_but_numbers_text_and_dictionaries_is_unknown(value: Any, protocol: int) -> None:
    content = pickle.dumps(value, protocol=protocol)
    with pytest.raises(UnknownFormError):
        pickled.read(content)
    (found,) = read_files(changed(".pickle", lambda _: content))
    assert isinstance(found, Unread)


@pytest.mark.attempt("files that exhaust")
@pytest.mark.parametrize(
    "content",
    [
        b"\x80\x03" + b"(" * 100_000,
        b"\x80\x03X\xff\xff\xff\x7f",
        b"\x80\x04\x8d" + struct.pack("<Q", 1 << 62),
        b"\x80\x03}" + b"(u" * 1000 + b".",
        b"\x80\x03}(X\x01\0\0\0aK\x01X\x01\0\0\0aK\x02u.",
        b"\x80\x03}}.",
        b"\x80\x03\x8a\xff" + b"\1" * 255 + b".",
        b"",
    ],
)
def test_a_pickle_that_asks_for_more_than_it_holds_is_unknown(content: bytes) -> None:
    with pytest.raises(UnknownFormError):
        pickled.read(content)


@given(st.binary(max_size=200))
def test_no_pickle_raises_anything_else(content: bytes) -> None:
    for front in (b"", b"\x80\x03}("):
        try:
            _, left = pickled.read(front + content)
        except UnknownFormError:
            continue
        assert 0 <= left <= len(front + content)


@given(st.dictionaries(st.text(max_size=8), st.integers(-(1 << 31), 1 << 31), max_size=5), st.binary(max_size=5))
def test_a_pickle_of_text_and_numbers_is_read_as_it_is(value: dict[str, int], more: bytes) -> None:
    # As the library writes it: protocol 3, without notes of what was written.
    parts = [b"\x80\x03}("]
    for key, number in value.items():
        text = key.encode("utf-8", "surrogatepass")
        if text.decode("utf-8", "replace") != key:
            return
        whole = b"J" + struct.pack("<i", number) if number < 1 << 31 else b"\x8a\x05" + number.to_bytes(5, "little")
        parts += [b"X", struct.pack("<I", len(text)), text, whole]
    assert pickled.read(b"".join(parts) + b"u." + more) == (value, len(more))


def indexed(*texts: str, then: tuple[str, ...] = (), rebuilt: bool = False) -> tuple[Any, Any, dict[int, str]]:
    """An index as this machine's SQLite writes it."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        database.row_factory = sqlite3.Row
        database.execute("CREATE VIRTUAL TABLE t USING fts5(s, tokenize='trigram')")
        for text in texts:
            database.execute("INSERT INTO t VALUES (?)", (text,))
        for statement in then:
            database.execute(statement)
        if rebuilt:
            database.execute("INSERT INTO t(t) VALUES ('rebuild')")
        blocks, terms = (list(map(dict, database.execute(f"SELECT * FROM t_{each}"))) for each in ("data", "idx"))
        held_texts = {row["id"]: row["c0"] for row in database.execute("SELECT * FROM t_content")}
    return blocks, terms, held_texts


@given(st.lists(st.text("abcä Z\n1😀ß", max_size=60), max_size=12))
def test_an_index_of_texts_follows_from_them(texts: list[str]) -> None:
    found = full_text.read(*indexed(*texts))
    assert (found.unexplained, found.former) == (0, {})


def test_a_large_index_of_many_pages_follows_from_its_texts() -> None:
    texts = [f"What person number {each} wrote of {each * 7919 % 1000} others, and more of it. " * 6 for each in range(300)]
    found = full_text.read(*indexed(*texts))
    assert (found.unexplained, found.former) == (0, {})


def test_a_deleted_text_is_put_together_from_its_terms() -> None:
    blocks, terms, texts = indexed("the first one said this", "another said that", then=("DELETE FROM t WHERE rowid = 1",))
    found = full_text.read(blocks, terms, texts)
    assert found.former == {1: "the first one said this"}
    blocks, terms, texts = indexed("the first", "another", then=("DELETE FROM t WHERE rowid = 1",), rebuilt=True)
    assert full_text.read(blocks, terms, texts).former == {}


@pytest.mark.attempt("files that hide")
@given(st.data())
def test_no_byte_of_an_index_can_change_without_being_seen(data: Any) -> None:
    blocks, terms, texts = indexed("the first one said this", "another said that", "and a third")
    which = data.draw(st.integers(0, len(blocks) - 1))
    block = blocks[which]["block"]
    # Two numbers in the list of segments say how many pages were ever written, and how many segments a merge had come to.
    at = data.draw(st.integers(0, len(block) - 1).filter(lambda each: blocks[which]["id"] != 10 or each not in {6, 7}))
    blocks[which]["block"] = block[:at] + bytes([block[at] ^ data.draw(st.integers(1, 255))]) + block[at + 1 :]
    try:
        found = full_text.read(blocks, terms, texts)
    except UnknownFormError:
        return
    assert found.unexplained or found.former


@pytest.mark.stores
def test_chroma_still_writes_what_the_reader_reads(tmp_path: Path) -> None:
    pytest.importorskip("chromadb")
    made.of_chroma(tmp_path)
    rebuilt, deleted = (made.unpacked(each, tmp_path / each, made=tmp_path) for each in ("chroma-rebuilt", "chroma-deleted"))
    files = {path.relative_to(rebuilt).as_posix(): path.read_bytes() for path in rebuilt.rglob("*") if path.is_file()}
    found = read(files)
    live = next(each for each in found.rows if each.lies is Lies.LIVE)
    assert (found.unexplained, live.ids) == (0, tuple(made.NAMES[each] for each in STAY))
    files = {path.relative_to(deleted).as_posix(): path.read_bytes() for path in deleted.rglob("*") if path.is_file()}
    lost = {own for each in read(files).rows if each.lies is not Lies.LIVE for own in each.ids}
    assert {made.NAMES[each] for each in made.GONE} <= lost
