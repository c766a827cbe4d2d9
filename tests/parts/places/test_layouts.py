"""Which columns each of many tables has is counted: a column more or less is a bit, and of 53 files a name and an address."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace

import pytest

from auditor.parts.places.observing.layouts import Layouts
from auditor.parts.store.judging.accounting import SPARE_EACH, SPARE_IN_ALL
from tests.parts.places.test_row_order import PEOPLE

COLUMNS = ("name", "email", "phone", "city", "plan", "balance", "since")
NOW = replace(PEOPLE, columns={**dict.fromkeys(COLUMNS, "feature"), "id": "id"}, features=COLUMNS)
HERS = "Frieda Tannhauser, frieda.tannhauser7803@example.org"
WHOLE = ("id", *COLUMNS)


def bits(files: Sequence[Sequence[tuple[str, ...]]]) -> list[int]:
    layouts = Layouts()
    return [layouts.add(at, tables, NOW) for at, tables in enumerate(files)]


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
    layouts.add("one", [WHOLE], NOW)
    first = layouts.add("two", [("id", "city", "since")], NOW)
    layouts.add("three", [("id", "since", "city")], NOW)
    assert first > 0
    assert layouts.add("two", [("id", "city", "since")], NOW) == first
