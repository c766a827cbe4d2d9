"""JSON as pandas writes a table is read as rows; what its labels, keys and numbers could say besides is counted or left open."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
import pytest
from test_parquet_stores import COUNT, GONE, PEOPLE, TRAIN, filtered, frame

from auditor.base.domain import Message
from auditor.parts.store.judging.accounting import Kept, with_room
from auditor.parts.store.observing.json_tables import table_of
from auditor.parts.store.observing.limited_reading import of_file
from auditor.parts.store.observing.store_keys import columns_in

ORIENTS: Final = ("index", "columns", "split", "records")
RNG: Final = np.random.default_rng(8)
LEFT: Final = COUNT - GONE


def account(text: str) -> Kept:
    place = Message("data.erased.place.store", {"path": "store.json"})
    return of_file(Path("store.json"), text.encode(), PEOPLE, place)


def explained(kept: Kept) -> bool:
    return kept.unexplained == kept.changed == kept.strangers == 0 and not with_room((kept,))


def by_pandas(table: pd.DataFrame, orient: str, **how: object) -> str:
    return str(table.to_json(orient=orient, **how))  # type: ignore[call-overload]


@pytest.mark.parametrize("digits", [10, 15])
@pytest.mark.parametrize("orient", ORIENTS)
def test_a_table_that_rows_were_dropped_from_is_explained_as_pandas_writes_it(orient: str, digits: int) -> None:
    assert explained(account(by_pandas(filtered(), orient, double_precision=digits)))
    assert explained(account(by_pandas(filtered().reset_index(drop=True), orient, indent=2)))


@pytest.mark.parametrize("orient", ["index", "split"])
def test_so_is_one_whose_rows_are_called_by_ids(orient: str) -> None:
    assert explained(account(by_pandas(frame().set_index("id"), orient)))


@pytest.mark.parametrize("orient", ORIENTS[:3])
def test_columns_of_ids_are_seen_in_each(orient: str) -> None:
    columns = {name: cells for name, _, cells in columns_in(Path("store.json"), by_pandas(frame(), orient).encode())}
    assert columns["id"] == TRAIN.ids[GONE:].tolist()


@pytest.mark.attempt("what the form of a store's file hides")
@pytest.mark.parametrize("orient", ORIENTS[:3])
def test_deleted_rows_are_explained_by_nothing(orient: str) -> None:
    assert account(by_pandas(frame(0), orient)).unexplained > 0
    named = frame().set_index(pd.Index([f"no. {at}" for at in range(LEFT)]))
    assert account(by_pandas(named, orient)).unexplained >= 5 * LEFT


@pytest.mark.attempt("what the form of a store's file hides")
@pytest.mark.parametrize("orient", ORIENTS[:3])
def test_a_record_in_the_labels_of_rows_is_left_open(orient: str) -> None:
    numbers = np.arange(LEFT) * 4 + RNG.integers(0, 4, LEFT)
    assert not explained(account(by_pandas(frame().set_axis(numbers), orient)))
    assert not explained(account(by_pandas(frame().set_axis(RNG.permutation(LEFT)), orient)))


def mixed_labels(held: dict[str, list[object]]) -> str:
    return json.dumps({**held, "index": [str(at) if RNG.integers(2) else at for at in range(LEFT)]})


def spaced(held: dict[str, list[object]]) -> str:
    return json.dumps(held).replace('"index": [0, 1', '"index": [0,  1')


def with_points(held: dict[str, list[object]]) -> str:
    rows = [[*row[:-1], float(str(row[-1])) if RNG.integers(2) else row[-1]] for row in held["data"] if isinstance(row, list)]
    return json.dumps({**held, "data": rows})


def with_minus(held: dict[str, list[object]]) -> str:
    return json.dumps(held).replace('"index": [0', '"index": [-0')


def with_a_key_more(held: dict[str, list[object]]) -> str:
    return json.dumps({**held, "note": ["rec-00001"]})


def longer(held: dict[str, list[object]]) -> str:
    rows = [[*row, "rec"] if at == 3 and isinstance(row, list) else row for at, row in enumerate(held["data"])]
    return json.dumps({**held, "data": rows})


HIDING: Final = (mixed_labels, spaced, with_points, with_minus, with_a_key_more, longer)


@pytest.mark.attempt("what the form of a store's file hides")
@pytest.mark.parametrize("hide", HIDING)
def test_what_pandas_never_writes_is_left_open(hide: Callable[[dict[str, list[object]]], str]) -> None:
    held = json.loads(by_pandas(frame(), "split", double_precision=15))
    assert explained(account(json.dumps(held)))
    assert not explained(account(hide(held)))


@pytest.mark.attempt("what the form of a store's file hides")
def test_so_are_keys_in_another_order_and_a_key_twice() -> None:
    held = json.loads(by_pandas(frame(), "index", double_precision=15))
    turned = {label: dict(reversed(row.items())) if RNG.integers(2) else row for label, row in held.items()}
    assert not explained(account(json.dumps(turned)))
    text = json.dumps(held)
    assert explained(account(text))
    assert account(text.replace('"0": {', '"0": {"label": 1, ', 1)).unexplained > 0


def test_which_of_rows_and_columns_an_object_has_is_read_from_names_and_numbers() -> None:
    rows = {"a": {"x": 1, "y": 2}, "b": {"x": 3, "y": 4}}
    by_row, by_column = table_of(rows, {"x"}), table_of(rows, {"a"})
    assert by_row is not None
    assert by_column is not None
    assert (by_row.names, by_row.labels) == (("x", "y"), ("a", "b"))
    assert (by_column.names, by_column.labels, list(by_column.rows)) == (("a", "b"), ("x", "y"), [(1, 3), (2, 4)])
    numbered = table_of({"x": {"0": 1, "1": 2}})
    assert numbered is not None
    assert (numbered.names, numbered.labels) == (("x",), ("0", "1"))
    assert all(table_of(each) is None for each in ({}, [], {"a": 1}, {"a": {"x": 1}, "b": {"y": 1}}, {"a": {}}, {"a": []}))
