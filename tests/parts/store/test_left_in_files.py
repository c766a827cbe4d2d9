"""What a database's pages and a Parquet file's dictionaries still hold of rows that queries no longer give."""

from __future__ import annotations

import io
import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from auditor.parts.release.observing import file_formats
from auditor.parts.store.observing.cells import Cells
from auditor.parts.store.observing.record_forms import Records

PEOPLE = [
    ("C39126", "Femi Haas-Haas", "Bern", 37, "plus"),
    ("C42440", "Lena Fiala-Jensen", "Pisa", 38, "basic"),
    ("C70569", "Bruno Haas-Fiala", "Bern", 33, "basic"),
    ("C81126", "Nils Moreau-Lindt", "Graz", 65, "plus"),
]


def wanted(*people: tuple[str, str, str, int, str]) -> Records:
    """The records of some people, each told by id and name."""
    own = {name: (number,) for number, name, *_ in people}
    texts = {number: (name, city, plan) for number, name, city, _, plan in people}
    ids = tuple(number for number, *_ in people)
    return Records(ids, np.empty((0, 1)), (), np.empty((0, 1)), cells=Cells({}, (), own, texts))


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


def parquet(frame: pd.DataFrame) -> bytes:
    stream = io.BytesIO()
    frame.to_parquet(stream, index=False)
    return stream.getvalue()


def test_names_that_no_row_has_are_read_from_the_dictionary_of_a_parquet_file() -> None:
    frame = pd.DataFrame(PEOPLE, columns=["id", "name", "city", "age", "plan"])
    filtered = frame.astype({"name": "category", "city": "category"})[frame["id"] != "C42440"]
    assert set(file_formats.in_no_row(parquet(filtered))) == {"Lena Fiala-Jensen", "Pisa"}
    found = file_formats.parquet(parquet(filtered), "id")
    assert {"Lena Fiala-Jensen", "Pisa"} <= set(found.words)
    assert wanted(*PEOPLE).in_words(found.words) == {number for number, *_ in PEOPLE}


@pytest.mark.parametrize("kind", ["category", "string", "object"])
def test_a_file_whose_dictionaries_hold_what_its_rows_do_has_nothing_beyond(kind: str) -> None:
    frame = pd.DataFrame(PEOPLE, columns=["id", "name", "city", "age", "plan"])
    frame.loc[1, "city"] = None
    for each in ("name", "city"):
        frame[each] = frame[each].astype(kind)
    assert file_formats.in_no_row(parquet(frame)) == []
