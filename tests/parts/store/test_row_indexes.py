"""An index of pandas says nothing where it numbers rows, and is counted where its numbers could hold a record."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_parquet_stores import COUNT, GONE, PEOPLE, TABLE, account, by_pandas, filtered, frame, written

from auditor.base.domain import Message
from auditor.parts.store.judging.accounting import with_room
from auditor.parts.store.observing.limited_reading import of_file
from auditor.parts.store.observing.row_indexes import bits_of_name, without_indexes

RNG: Final = np.random.default_rng(4)
LEFT: Final = COUNT - GONE
PLACE: Final = Message("data.erased.place.store", {"path": "store"})


def bits(table: pd.DataFrame, *, index: bool | None = True) -> int:
    kept = account(by_pandas(table, index=index))
    assert kept.unexplained == 0
    return sum(each.bits for each in kept.spare if each.name == "row numbers")


def shuffled(table: pd.DataFrame) -> pd.DataFrame:
    return table.sample(frac=1, random_state=2)


FREE: Final[dict[str, Callable[[], pd.DataFrame]]] = {
    "from 0": frame,
    "from 1": lambda: frame().set_axis(range(1, LEFT + 1)),
    "filtered": filtered,
    "filtered, from 1": lambda: filtered().set_axis(filtered().index + 1),
    "all who stay": lambda: frame(0)[GONE:],
    "all who stay, without ids": lambda: frame(0)[GONE:].drop(columns="id"),
    "filtered and shuffled": lambda: shuffled(filtered()),
    "filtered and in another order": lambda: filtered().sort_values("x1"),
    "numbered again and shuffled": lambda: shuffled(filtered().reset_index(drop=True)),
}


@pytest.mark.parametrize("name", FREE)
def test_numbers_of_rows_say_nothing(name: str) -> None:
    assert bits(FREE[name]()) == 0


def test_numbers_that_rise_say_which_are_gone() -> None:
    """As an index does that was kept when rows were dropped that the training data never had."""
    rows = np.delete(np.arange(LEFT + 4), [7, 20, 33, 50])
    assert 18 <= bits(frame().set_axis(rows)) <= 32
    some = np.sort(RNG.permutation(2 * LEFT)[:LEFT])
    assert bits(frame().set_axis(some)) > LEFT


HIDING: Final[dict[str, Callable[[], np.ndarray]]] = {
    "digits of larger numbers": lambda: np.arange(LEFT) * 64 + RNG.integers(0, 64, LEFT),
    "in no order": lambda: RNG.permutation(LEFT),
    "neighbours exchanged": lambda: np.concatenate([np.arange(at, at + 2)[:: 1 - 2 * int(RNG.integers(2))]
                                                    for at in range(0, LEFT, 2)]),
    "one step or two": lambda: np.cumsum(RNG.integers(1, 3, LEFT)),
}  # fmt: skip


@pytest.mark.attempt("what a Parquet file hides")
@pytest.mark.parametrize("ids", [True, False])
@pytest.mark.parametrize("name", HIDING)
def test_numbers_that_could_hold_a_record_are_counted(name: str, ids: bool) -> None:
    table = frame().set_axis(HIDING[name]())
    kept = account(by_pandas(table if ids else table.drop(columns="id"), index=True))
    assert with_room((kept,)) or sum(each.bits for each in kept.spare) >= LEFT // 2


@pytest.mark.attempt("what a Parquet file hides")
def test_several_indexes_are_counted_each() -> None:
    one = RNG.permutation(LEFT)
    two = pd.MultiIndex.from_arrays([one, RNG.permutation(LEFT)])
    assert bits(frame().set_axis(two)) > 1.8 * bits(frame().set_axis(one))


def of_range(start: int, step: int) -> int:
    return bits(frame().set_axis(pd.RangeIndex(start, start + step * LEFT, step)), index=None)


def test_a_range_of_rows_from_0_or_1_says_nothing_and_any_other_what_its_numbers_do() -> None:
    assert (of_range(0, 1), of_range(1, 1)) == (0, 0)
    assert 0 < of_range(100, 1) < 20
    assert of_range(1717, 1) > 14
    assert of_range(1717, 333) > 24
    assert of_range(LEFT - 1, -1) < 8


@pytest.mark.attempt("what a Parquet file hides")
def test_categories_that_no_row_has_are_counted() -> None:
    def of(count: int) -> int:
        about = {"columns": [{"name": "label", "field_name": "label", "metadata": {"num_categories": count, "ordered": False}}]}
        kept = account(written(TABLE.replace_schema_metadata({"pandas": json.dumps(about)})))
        assert kept.unexplained == 0
        return sum(each.bits for each in kept.spare)

    assert of(2) == 0
    assert of(700) > 9


@given(st.lists(st.integers(0, 900), min_size=1, max_size=40, unique=True))
def test_no_more_tables_than_their_bits_can_tell_apart_are_free(numbers: list[int]) -> None:
    """Only what is free is free: numbers that go on by one from 0 or 1, where nobody's place is known."""
    column: list[str | None] = list(map(str, numbers))
    left, found = without_indexes({"__index_level_0__": column}, ["__index_level_0__"], PEOPLE)
    assert left == {}
    kept = [*range(GONE, COUNT)]
    free = any(numbers == [each + first for each in those] for first in (0, 1) for those in (range(len(numbers)), kept))
    assert (found == 0) is free


def in_csv(table: pd.DataFrame, folder: Path, **how: Any) -> tuple[str, bytes]:
    return "store.csv", str(table.to_csv(**how)).encode()


def in_database(table: pd.DataFrame, folder: Path) -> tuple[str, bytes]:
    path = folder / "made.db"
    with closing(sqlite3.connect(path)) as opened:
        table.to_sql("people", opened)
        opened.commit()
        opened.execute("VACUUM")
    return "store.db", path.read_bytes()


WRITERS: Final[dict[str, Callable[[pd.DataFrame, Path], tuple[str, bytes]]]] = {
    "CSV": in_csv,
    "CSV, text in quotes": lambda table, folder: in_csv(table, folder, quoting=csv.QUOTE_NONNUMERIC),
    "CSV, all in quotes": lambda table, folder: in_csv(table, folder, quoting=csv.QUOTE_ALL),
    "a database": in_database,
    "Parquet": lambda table, folder: ("store.parquet", by_pandas(table.reset_index(), index=False)),
    "JSON lines": lambda table, folder: ("store.jsonl", str(table.reset_index().to_json(orient="records", lines=True)).encode()),
}


def room(name: str, table: pd.DataFrame, folder: Path) -> tuple[int, int]:
    """Bytes that nothing explains of a table with its index, and bits of the numbers of its rows."""
    path, content = WRITERS[name](table, folder)
    kept = of_file(Path(path), content, PEOPLE, PLACE)
    return kept.unexplained, sum(each.bits for each in kept.spare if each.name in {"row numbers", "spelling of cells"})


@pytest.mark.parametrize("name", WRITERS)
def test_an_index_that_is_the_first_column_says_nothing_where_it_numbers_rows(name: str, tmp_path: Path) -> None:
    """Against the same table with its rows numbered again: a database has a few bits of its own."""
    plain = room(name, filtered().reset_index(drop=True), tmp_path)
    (tmp_path / "made.db").unlink(missing_ok=True)
    assert plain[0] == 0
    assert room(name, filtered(), tmp_path) == plain


@pytest.mark.attempt("what the form of a store's file hides")
@pytest.mark.parametrize("hidden", ["digits of larger numbers", "in no order", "one step or two"])
@pytest.mark.parametrize("name", WRITERS)
def test_and_is_counted_where_it_could_hold_a_record(name: str, hidden: str, tmp_path: Path) -> None:
    unexplained, bits = room(name, frame().set_axis(HIDING[hidden]()), tmp_path)
    assert unexplained > 0 or bits >= LEFT // 2


@pytest.mark.attempt("what the form of a store's file hides")
@pytest.mark.parametrize("written", ["0{}", "+{}", "{}.0", " {}", "{}e0"])
def test_numbers_that_are_written_otherwise_are_no_index(written: str) -> None:
    head, *lines = str(frame().to_csv(index=False)).splitlines()
    text = "\n".join([f",{head}", *(f"{written.format(at)},{line}" for at, line in enumerate(lines, start=1))])
    assert of_file(Path("store.csv"), text.encode(), PEOPLE, PLACE).unexplained > LEFT


@pytest.mark.attempt("what the form of a store's file hides")
def test_numbers_in_another_column_than_the_first_are_no_index() -> None:
    table = frame().assign(index=range(LEFT))
    assert of_file(Path("store.csv"), str(table.to_csv(index=False)).encode(), PEOPLE, PLACE).unexplained > LEFT


@pytest.mark.attempt("what the form of a store's file hides")
def test_numbers_of_rows_that_are_text_in_some_are_no_index(tmp_path: Path) -> None:
    path = tmp_path / "made.db"
    with closing(sqlite3.connect(path)) as opened:
        opened.execute('CREATE TABLE people ("index", id TEXT, x0 REAL, x1 REAL, x2 REAL, label INTEGER)')
        rows = [(str(at) if RNG.integers(2) else at, *row) for at, row in enumerate(frame().astype(object).values.tolist())]
        opened.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)", rows)
        opened.commit()
    assert of_file(path, path.read_bytes(), PEOPLE, PLACE).unexplained >= LEFT


@pytest.mark.parametrize("name", ["index", "id", "ROWID", "customer_number", "internal_record_id"])
def test_what_the_numbers_of_rows_are_usually_called_says_little(name: str) -> None:
    assert bits_of_name(name) <= 30


@pytest.mark.attempt("columns of indexes")
@pytest.mark.parametrize("name", ["frieda_tannhauser", "idIdiDID", "no.no-no no", "kundennummer"])
def test_what_the_numbers_of_rows_are_called_otherwise_is_counted_by_letters(name: str) -> None:
    assert bits_of_name(name) >= 4 * len(name)
