"""Values of the evidence as rows in print."""

from __future__ import annotations

import re

import pytest

from auditor.base import resources
from auditor.pages import tables
from auditor.pages.words import lists


def rows(values: dict[str, object]) -> dict[str, str]:
    return {row.name: row.value for row in tables.declared(values)}


def test_what_is_declared_stands_in_rows_and_what_is_left_open_says_nothing() -> None:
    declared = {
        "batch": 64,
        "dp": None,
        "params": {"hidden": [64, 32]},
        "unlearn_params": {"epochs": 10, "rate": None},
        "nothing": {"rate": None},
        "empty": {},
    }
    assert rows(declared) == {"batch": "64", "params.hidden": "64, 32", "unlearn_params.epochs": "10"}


def test_long_lists_and_nested_mappings_are_counted_and_named_by_their_digest() -> None:
    found = rows({"params": {"widths": list(range(9))}, "deep": {"a": {"b": 1}}})
    assert found["params"].startswith("1 entry, SHA-256 ")
    assert found["deep"].startswith("1 entry, SHA-256 ")


def test_two_short_entries_share_a_row_and_a_long_one_has_its_own() -> None:
    short = [tables.Entry(name, "1", is_number=True) for name in "abc"]
    long = tables.Entry("long", "x" * (tables.WIDEST + 1), is_number=False)
    a, b, c = short
    assert tables.in_twos([a, long, b, c]) == ((long,), (a, b), (c,))
    assert tables.in_twos([]) == ()


WIDTHS = {
    path.name: [
        [int(width) for width in each.split(", ")] for each in re.findall(r"columns\(\[([\d, ]+)\]", path.read_text("utf-8"))
    ]
    for path in resources.templates().rglob("*.j2")
}


@pytest.mark.parametrize("name", sorted(name for name, tables_ in WIDTHS.items() if tables_))
def test_columns_of_a_table_are_together_as_wide_as_the_page(name: str) -> None:
    """In twentieths: with more of them a table reaches into the margin, and widths that are not given are anybody's guess."""
    assert {sum(each) for each in WIDTHS[name]} == {20}


def test_what_is_listed_goes_on_with_small_letters() -> None:
    assert lists.continued(["Caches", "Feature stores", "Models"]) == ["Caches", "feature stores", "models"]
    assert lists.continued([]) == []
