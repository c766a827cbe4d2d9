"""What a database's pages and a Parquet file's dictionaries still hold of rows that queries no longer give."""

from __future__ import annotations

import io
import sqlite3
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.parts.release.observing import file_formats, parquet_pages
from auditor.parts.store.observing.cells import Cells
from auditor.parts.store.observing.record_forms import Records

PEOPLE = [
    ("C39126", "Femi Haas-Haas", "Bern", 37, "plus"),
    ("C42440", "Lena Fiala-Jensen", "Pisa", 38, "basic"),
    ("C70569", "Bruno Haas-Fiala", "Bern", 33, "basic"),
    ("C81126", "Nils Moreau-Lindt", "Graz", 65, "plus"),
]


def wanted(*people: tuple[str, str, str, int, str], retained: str = "") -> Records:
    """The records of some people, each told by id and name, where others have the ids `retained`."""
    own = {name: (number,) for number, name, *_ in people}
    texts = {number: (name, city, plan) for number, name, city, _, plan in people}
    ids = tuple(number for number, *_ in people)
    return Records(ids, np.empty((0, 1)), (), np.empty((0, 1)), cells=Cells({}, (), own, texts, retained))


def database(path: Path, people: list[tuple[str, str, str, int, str]], *statements: str, before: str = "") -> tuple[bytes, str]:
    """A database in which everybody was written and statements ran: its bytes, and what its rows say."""
    with sqlite3.connect(path) as base:
        base.execute("pragma secure_delete = off")
        if before:
            base.execute(before)
        base.execute("create table customers (id text, name text, city text, age integer, plan text)")
        base.executemany("insert into customers values (?, ?, ?, ?, ?)", people)
        base.commit()
        for statement in statements:
            base.execute(statement)
            base.commit()
    base.close()
    return path.read_bytes(), "\n".join(file_formats.sqlite(path, "id").words)


@pytest.mark.parametrize("before", ["", "pragma encoding = 'UTF-16le'", "pragma encoding = 'UTF-16be'"], ids=["8", "16", "16be"])
def test_a_deleted_row_is_found_in_the_pages_that_held_it(tmp_path: Path, before: str) -> None:
    content, live = database(tmp_path / "shop.db", PEOPLE, "delete from customers where id = 'C42440'", before=before)
    assert wanted(*PEOPLE[1:2]).end_to_end(content, live) == {"C42440"}
    # No mark parts the cells, so that neither is found by itself.
    assert "C42440" not in live


@pytest.mark.parametrize("statement", ["pragma secure_delete = on", "select 1"])
def test_a_row_that_was_overwritten_or_given_up_is_not(tmp_path: Path, statement: str) -> None:
    after = ("delete from customers where id = 'C42440'", "vacuum")
    content, live = database(tmp_path / "shop.db", PEOPLE, statement, *after)
    assert wanted(*PEOPLE[1:2]).end_to_end(content, live) == set()


def test_rows_of_others_whose_texts_hold_those_of_a_deleted_one_accuse_nobody(tmp_path: Path) -> None:
    others = [("11-0001", "Anna Haas-Lindt", "Bern", 37, "plus"), ("x1-0001", "Hanna Haas", "Bern", 50, "pro")]
    content, live = database(tmp_path / "shop.db", others)
    assert wanted(("1-0001", "Anna Haas", "Bern", 37, "plus")).end_to_end(content, live) == set()


def test_what_is_left_of_a_retained_row_accuses_nobody_whose_id_is_a_part_of_its_own(tmp_path: Path) -> None:
    """A staging table gives up the rows that it has handed on."""
    people = [("user-123", "", "Berlin", 1, "")]
    content, live = database(tmp_path / "shop.db", people, "update customers set name = city || id", "delete from customers")
    deleted = ("user-12", "Anna Haas", "Berlin", 1, "plus")
    assert b"Berlinuser-123" in content
    assert wanted(deleted).end_to_end(content, live) == {"user-12"}
    assert wanted(deleted, retained="user-123").end_to_end(content, live) == set()


def test_a_log_of_changes_next_to_a_database_holds_rows_as_its_pages_do(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    with sqlite3.connect(path) as base:
        base.execute("pragma journal_mode = wal")
        base.execute("create table customers (id text, name text, city text, age integer, plan text)")
        base.executemany("insert into customers values (?, ?, ?, ?, ?)", PEOPLE)
        base.commit()
        content = (tmp_path / "shop.db-wal").read_bytes()
    base.close()
    assert wanted(*PEOPLE[1:2]).end_to_end(content, "") == {"C42440"}
    assert b"\0" in content


def parquet(frame: pd.DataFrame) -> bytes:
    stream = io.BytesIO()
    frame.to_parquet(stream, index=False)
    return stream.getvalue()


def in_no_row(content: bytes) -> list[str]:
    return file_formats.in_no_row(pq.ParquetFile(io.BytesIO(content)), content)


def test_names_that_no_row_has_are_read_from_the_dictionary_of_a_parquet_file() -> None:
    frame = pd.DataFrame(PEOPLE, columns=["id", "name", "city", "age", "plan"])
    filtered = frame.astype({"name": "category", "city": "category"})[frame["id"] != "C42440"]
    assert set(in_no_row(parquet(filtered))) == {"Lena Fiala-Jensen", "Pisa"}
    found = file_formats.parquet(parquet(filtered), "id")
    assert {"Lena Fiala-Jensen", "Pisa"} <= set(found.words)
    assert wanted(*PEOPLE).in_words(found.words) == {number for number, *_ in PEOPLE}


@pytest.mark.parametrize("kind", ["category", "string", "object"])
def test_a_file_whose_dictionaries_hold_what_its_rows_do_has_nothing_beyond(kind: str) -> None:
    frame = pd.DataFrame(PEOPLE, columns=["id", "name", "city", "age", "plan"])
    frame.loc[1, "city"] = None
    for each in ("name", "city"):
        frame[each] = frame[each].astype(kind)
    assert in_no_row(parquet(frame)) == []


def test_a_dictionary_that_every_group_of_rows_repeats_lists_nothing_beyond() -> None:
    colours = pa.Table.from_pandas(pd.DataFrame({"colour": pd.Categorical(["red", "red", "blue", "blue"])}))
    stream = io.BytesIO()
    pq.write_table(colours, stream, row_group_size=2)
    content = stream.getvalue()
    assert in_no_row(content) == []
    assert parquet_pages.decoded(content, pq.ParquetFile(io.BytesIO(content))).beyond == 0


NESTED = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0]), pa.array(["kept", "also kept", "Alice Deleted"]))


@pytest.mark.parametrize(
    "column",
    [pa.StructArray.from_arrays([NESTED], ["n"]), pa.ListArray.from_arrays(pa.array([0, 2, 3]), NESTED)],
    ids=["struct", "list"],
)
def test_a_dictionary_below_a_column_that_lists_more_than_its_rows_is_beyond_them(column: pa.Array) -> None:
    stream = io.BytesIO()
    pq.write_table(pa.table({"column": column}), stream)
    assert parquet_pages.decoded(stream.getvalue(), pq.ParquetFile(io.BytesIO(stream.getvalue()))).beyond > 0


NUMBERS = np.random.default_rng(3)
TABLE = pa.table(
    {
        "number": NUMBERS.normal(size=900),
        "whole": NUMBERS.integers(0, 9, 900),
        "odd": pa.array([0.0, -0.0, float("nan"), None, 1.5] * 180),
        "text": pa.array(["a", "bb", None] * 300),
        "list": pa.array([[1, 2, 3][: at % 4] for at in range(900)]),
        "struct": pa.array([{"q": f"w{at % 7}"} for at in range(900)]),
        "truth": NUMBERS.random(900) > 0.5,
    }
)
WRITTEN = [
    {},
    {"compression": None},
    {"compression": "zstd", "row_group_size": 200},
    {"data_page_version": "2.0"},
    {"use_dictionary": False},
    {"data_page_size": 500},
]


@pytest.mark.parametrize("how", WRITTEN, ids=str)
@pytest.mark.parametrize("rows", [900, 1, 0])
def test_every_byte_of_a_file_is_in_a_page_or_in_its_footer(how: dict[str, object], rows: int) -> None:
    stream = io.BytesIO()
    pq.write_table(TABLE.slice(0, rows), stream, **how)
    assert parquet_pages.decoded(stream.getvalue(), pq.ParquetFile(io.BytesIO(stream.getvalue()))).beyond == 0


class Claimed:
    """What a footer says that counts bytes behind the pages of its last column as that column's."""

    def __init__(self, said: object, more: int) -> None:
        self._said, self._more = said, more

    def __getattr__(self, name: str) -> object:
        return getattr(self._said, name)

    def row_group(self, at: int) -> Claimed:
        return Claimed(self._said.row_group(at), self._more)

    def column(self, at: int) -> Claimed:
        last = at == self._said.num_columns - 1
        return Claimed(self._said.column(at), self._more if last else 0)

    @property
    def total_compressed_size(self) -> int:
        return self._said.total_compressed_size + self._more


@pytest.mark.parametrize("hidden", [b"Alice Example, alice@example.org, deleted", bytes(500)])
def test_bytes_that_a_footer_counts_to_a_column_and_no_page_holds_are_beyond(hidden: bytes) -> None:
    stream = io.BytesIO()
    pq.write_table(TABLE, stream)
    content, said = stream.getvalue(), pq.ParquetFile(io.BytesIO(stream.getvalue())).metadata
    end = len(content) - 8 - said.serialized_size
    claimed = Claimed(said, len(hidden))
    assert parquet_pages.pages(content[:end] + hidden + content[end:], claimed).beyond == len(hidden)


def page(kind: int, field: int, count: int, content: bytes) -> bytes:
    """A page as Thrift's compact protocol writes its header: type, sizes, and how many values it has."""

    def number(value: int) -> bytes:
        value, written = value << 1, b""
        while value > 127:
            written, value = written + bytes([value & 127 | 128]), value >> 7
        return written + bytes([value])

    held = b"\x15" + number(count) + b"\x15\0\0"
    sizes = b"\x15" + number(len(content)) + b"\x15" + number(len(content))
    return b"\x15" + number(kind) + sizes + bytes([(field - 3) << 4 | 12]) + held + b"\0" + content


@pytest.mark.parametrize(
    "hiding",
    [
        page(1, 6, 0, b"Alice Example, deleted"),
        page(9, 5, 3, b"Alice Example, deleted"),
        page(0, 5, 0, b"Alice Example, deleted".ljust(80)),
        page(2, 7, 1, b"one") + page(2, 7, 1, b"Alice Example, deleted"),
        page(0, 5, 1000, b"Alice Example, deleted"),
    ],
    ids=["an index", "of no known type", "without values", "a second dictionary", "more values than there are"],
)
def test_a_page_that_no_library_reads_for_a_row_is_beyond_them(hiding: bytes) -> None:
    """The whole file is: after such a page nothing says where the others begin."""
    sound = page(0, 5, 3, b"abc")
    for content, known in ((sound, True), (hiding + sound, False)):
        chunk = SimpleNamespace(dictionary_page_offset=None, data_page_offset=4, total_compressed_size=len(content), num_values=3)
        group = SimpleNamespace(num_columns=1, column=lambda _, chunk=chunk: chunk)
        said = SimpleNamespace(num_row_groups=1, row_group=lambda _, group=group: group, serialized_size=0)
        whole = b"PAR1" + content + bytes(4) + b"PAR1"
        assert parquet_pages.pages(whole, said).beyond == (0 if known else len(content))
