"""Deleted rows in another order of columns are found among many rows in the clear; rows of new people are not taken for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_wine

from auditor.audit.shifted_columns import Met, Moved
from auditor.base.domain import Message
from auditor.base.records import Dataset
from auditor.parts.store.observing.record_forms import Wanted
from auditor.parts.store.observing.search import Search

GONE = np.array([4, 17, 40, 61])
PLACE = Message("data.erased.place.state")


def _binary(columns: int, rows: int = 600) -> np.ndarray:
    return np.random.default_rng(3).integers(0, 2, (rows, columns)).astype(float)


TELLING: dict[str, Callable[[], np.ndarray]] = {
    "wine": lambda: load_wine().data,
    "breast cancer": lambda: load_breast_cancer().data,
    "measured": lambda: np.random.default_rng(1).normal(size=(300, 10)),
}
COMMON: dict[str, Callable[[], np.ndarray]] = {
    "digits": lambda: load_digits().data,
    "four binary columns": lambda: _binary(4),
    "twenty binary columns": lambda: _binary(20),
    "two small numbers": lambda: np.random.default_rng(5).integers(0, 30, (400, 2)).astype(float),
    "one-hot": lambda: np.eye(30)[np.random.default_rng(6).integers(0, 30, 500)],
}
EVERY = TELLING | COMMON


def data(features: np.ndarray) -> Dataset:
    return Dataset(features, np.arange(len(features)) % 2, np.array([f"person-{row}" for row in range(len(features))]))


def kept(features: np.ndarray) -> np.ndarray:
    return np.delete(features, GONE, axis=0)


def moved(features: np.ndarray) -> np.ndarray:
    """The retained rows in the clear, and the deleted ones with their columns in another order."""
    return np.concatenate([kept(features), features[GONE][:, np.random.default_rng(2).permutation(features.shape[1])]])


def beside(table: np.ndarray) -> dict[str, np.ndarray]:
    numbers = np.arange(len(table), dtype=float) + 0.25
    return {
        "alone": table,
        "float32": table.astype(np.float32),
        "a label behind": np.column_stack([table, numbers]),
        "ids before and a label behind": np.column_stack([numbers, table, numbers]),
        "a label between": np.insert(table, 2, numbers, axis=1),
        "ids before and a label between": np.column_stack([numbers, np.insert(table, 2, numbers, axis=1)]),
    }


@pytest.mark.parametrize("form", beside(np.zeros((2, 3))))
@pytest.mark.parametrize("name", TELLING)
def test_a_few_rows_with_columns_moved_among_many_in_the_clear_are_found(name: str, form: str) -> None:
    features = TELLING[name]()
    met = Moved.of(data(features), GONE).in_table(beside(moved(features))[form])
    assert met.found == {f"person-{at}" for at in GONE}


def test_each_row_may_have_an_order_of_its_own() -> None:
    features = load_wine().data
    rows = np.random.default_rng(8).permuted(features[GONE], axis=1)
    assert len(Moved.of(data(features), GONE).in_table(np.concatenate([kept(features), rows])).found) == len(GONE)


def test_moved_rows_that_say_little_are_doubtful() -> None:
    features = load_digits().data
    met = Moved.of(data(features), GONE).in_table(moved(features))
    assert not met.found
    assert met.doubtful == {f"person-{at}" for at in GONE}
    assert Moved.of(data(features), GONE).in_table(moved(features), doubt=False) == Met()


def _strangers(features: np.ndarray, rows: int, seed: int) -> np.ndarray:
    """New rows: each column drawn by itself."""
    return np.column_stack([np.random.default_rng((seed, at)).choice(column, rows) for at, column in enumerate(features.T)])


@pytest.mark.parametrize("name", EVERY)
def test_rows_of_new_people_are_not_taken_for_deleted_ones(name: str) -> None:
    features = EVERY[name]()
    store = np.concatenate([kept(features), _strangers(features, 20_000, 0)])
    for form, table in beside(store).items():
        assert Moved.of(data(features), GONE).in_table(table) == Met(), form


@pytest.mark.parametrize("name", EVERY)
def test_records_that_the_training_data_do_not_know_are_not_taken_for_deleted_ones(name: str) -> None:
    features = EVERY[name]()
    half = len(features) // 2
    assert Moved.of(data(features[:half]), GONE).in_table(np.concatenate([kept(features[:half]), features[half:]])) == Met()


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("form", ["rows", "a line", "a byte early"])
def test_retained_rows_alone_hold_nothing_moved(name: str, form: str) -> None:
    features = EVERY[name]()
    rows = kept(features)
    flat = rows.ravel()
    early = flat[1 : 1 + len(flat[1:]) // rows.shape[1] * rows.shape[1]].reshape(-1, rows.shape[1])
    table = {"rows": rows, "a line": flat[None], "a byte early": early}[form]
    assert Moved.of(data(features), GONE).in_table(table, doubt=form == "rows") == Met()


def test_a_deleted_record_with_the_values_of_a_retained_one_is_not_found() -> None:
    features = np.random.default_rng(4).normal(size=(300, 10))
    features[100] = features[GONE[0]][::-1]
    met = Moved.of(data(features), GONE).in_table(features[100:])
    assert met == Met()


@pytest.mark.parametrize("shape", [(0, 13), (3, 12), (1, 5), (5, 13)])
def test_tables_that_hold_nothing(shape: tuple[int, int]) -> None:
    assert Moved.of(data(load_wine().data), GONE).in_table(np.full(shape, np.nan)) == Met()


def test_a_store_with_columns_moved_names_the_records_and_the_file(tmp_path: Path) -> None:
    features = load_wine().data
    file = tmp_path / "rows.csv"
    lines = [",".join([f"other-{at}", *map(repr, row), "1"]) for at, row in enumerate(moved(features).tolist())]
    file.write_text("\n".join(["id," + ",".join(f"x{at}" for at in range(13)) + ",label", *lines]))
    search = Search(Wanted.of(data(features), GONE, frozenset()))
    search.file(file, PLACE)
    assert search.found == {f"person-{at}" for at in GONE}
    assert search.searched[0].found == len(GONE)


def test_a_store_with_small_numbers_moved_is_left_open(tmp_path: Path) -> None:
    features = load_digits().data
    np.save(tmp_path / "rows.npy", moved(features))
    search = Search(Wanted.of(data(features), GONE, frozenset()))
    search.file(tmp_path / "rows.npy", PLACE)
    assert not search.found
    assert [each.parameters["why"].code for each in search.open_places] == ["data.erased.open.other-order"]
