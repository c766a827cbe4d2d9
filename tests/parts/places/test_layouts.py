"""Which columns each of many tables has is counted: a column more or less is a bit, and of 53 files a name and an address."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from auditor.parts.places.observing.layouts import Layouts
from auditor.parts.store.judging.accounting import SPARE_EACH, SPARE_IN_ALL
from auditor.parts.store.observing.sqlite_tables import of_database
from tests.parts.places.test_row_order import PEOPLE

COLUMNS = ("name", "email", "phone", "city", "plan", "balance", "since")
NOW = replace(PEOPLE, columns={**dict.fromkeys(COLUMNS, "feature"), "id": "id"}, features=COLUMNS)
HERS = "Frieda Tannhauser, frieda.tannhauser7803@example.org"
WHOLE = ("id", *COLUMNS)


def bits(files: Sequence[Sequence[tuple[str, ...]]]) -> list[int]:
    layouts = Layouts()
    return [layouts.add(at, [(each, ()) for each in tables], NOW) for at, tables in enumerate(files)]


def spelled(text: str) -> list[tuple[str, ...]]:
    return [("id", *(name for at, name in enumerate(COLUMNS) if ord(sign) >> at & 1)) for sign in text]


@pytest.mark.attempt("choice of columns")
@pytest.mark.parametrize("text", [HERS, HERS[::-1], "Frieda Tannhauser, Dresden, since 2011-08-22"])
def test_a_choice_of_columns_for_each_file_is_more_than_all_files_may_have(text: str) -> None:
    assert sum(bits([[each] for each in spelled(text)])) > SPARE_IN_ALL
    assert bits([spelled(text)])[0] > SPARE_EACH


@pytest.mark.attempt("order of columns")
def test_an_order_of_columns_for_each_file_is_more_than_all_files_may_have() -> None:
    orders = [tuple(sorted(WHOLE, key=lambda name: zlib.crc32(f"{name}{sign}".encode()))) for sign in range(40)]
    assert sum(bits([[each] for each in orders])) > SPARE_IN_ALL


def test_a_choice_out_of_two_layouts_is_a_bit_a_file() -> None:
    two = [WHOLE, ("id", "name")]
    files = [[two[ord(sign) >> at & 1]] for sign in HERS for at in range(7)]
    assert 0.9 * len(files) < sum(bits(files)) < 1.2 * len(files)


@pytest.mark.parametrize(
    "files",
    [
        [[WHOLE]] * 300,
        [[(*COLUMNS, "id")], [WHOLE], [WHOLE[::-1]]],
        [[WHOLE, ("id", "name"), ("id",)], [WHOLE], [("id", "plan", "balance")]],
        [[WHOLE]] * 150 + [[("id", "email")]] + [[WHOLE]] * 150,
        [[("id", *COLUMNS[:3])], [("id", *COLUMNS[3:])]],
    ],
)
def test_tables_as_people_have_them_cost_little(files: list[list[tuple[str, ...]]]) -> None:
    assert sum(bits(files)) <= SPARE_EACH


def test_a_file_that_is_asked_about_again_has_the_bits_that_it_had() -> None:
    layouts = Layouts()
    layouts.add("one", [(WHOLE, ())], NOW)
    first = layouts.add("two", [(("id", "city", "since"), ())], NOW)
    layouts.add("three", [(("id", "since", "city"), ())], NOW)
    assert first > 0
    assert layouts.add("two", [(("id", "city", "since"), ())], NOW) == first


@pytest.mark.attempt("types of columns")
def test_types_of_the_columns_of_many_tables_are_more_than_a_file_may_have() -> None:
    bits_of = [ord(sign) >> at & 1 for sign in HERS for at in range(7)]
    tables = [
        (WHOLE, tuple((name, ("text", "real")[bits_of[8 * at + number]]) for number, name in enumerate(WHOLE)))
        for at in range(15)
    ]
    assert Layouts().add("crm.db", tables, NOW) > SPARE_EACH
    one = tuple((name, "text") for name in WHOLE)
    assert Layouts().add("crm.db", [(WHOLE, one)] * 15, NOW) == 0


@pytest.mark.attempt("columns of indexes")
def test_which_columns_indexes_have_is_more_than_a_database_may_have(tmp_path: Path) -> None:
    def spare(indexes: list[str]) -> int:
        path = tmp_path / f"{len(indexes)}.db"
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE people (id TEXT, balance REAL, plan TEXT)")
            for at, each in enumerate(indexes):
                connection.execute(f"CREATE INDEX i{at} ON people ({each})")
        connection.close()
        found = of_database(path.read_bytes(), PEOPLE)
        return sum(each.bits for rows in found for each in rows.spare if each.name == "choice of columns")

    columns = ("id", "balance", "plan")
    assert spare([*columns, "plan, balance"]) == 0
    chosen = [", ".join(columns[ord(sign) % 3 :] + columns[: ord(sign) % 3]) for sign in HERS]
    assert spare(chosen) > SPARE_EACH
