"""Deleted records are found in other units, orders and selections of columns; retained ones are never taken for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits, load_iris

from auditor.base.domain import Message
from auditor.base.records import Dataset
from auditor.parts.store.observing.other_units import OtherUnits
from auditor.parts.store.observing.record_forms import Wanted
from auditor.parts.store.observing.search import Search

PLACE = Message("data.erased.place.state")
GONE = np.arange(0, 120, 20)
"""Positions of the deleted records."""
STILL = {"r0", "r20", "r40"}
"""Those that a table still holds."""


def mixed(seed: int, n: int = 400) -> np.ndarray:
    """People: age, weight of a sample, gains that are mostly none, hours, and categories as numbers."""
    rng = np.random.default_rng(seed)
    gains = np.where(rng.random(n) < 0.1, rng.integers(114, 99_999, n), 0)
    categories = [rng.integers(0, size, n) for size in (9, 7, 15, 6, 5, 2)]
    return np.column_stack([rng.integers(17, 91, n), rng.integers(12_285, 1_484_705, n), gains, *categories]).astype(float)


def one_hot(seed: int, n: int = 400) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.concatenate([np.eye(size)[rng.integers(0, size, n)] for size in (9, 7, 15, 6)], axis=1)


DATA: dict[str, Callable[[int], np.ndarray]] = {
    "measured": lambda seed: np.random.default_rng(seed).normal(size=(300, 10)),
    "digits": lambda seed: load_digits().data[seed : seed + 400],
    "iris": lambda _seed: load_iris().data,
    "mixed": mixed,
    "one-hot": one_hot,
    "rounded": lambda seed: np.random.default_rng(seed).normal(size=(300, 6)).round(1),
    "binary": lambda seed: np.random.default_rng(seed).integers(0, 2, (300, 20)).astype(float),
}


def data(features: np.ndarray) -> Dataset:
    return Dataset(features, np.arange(len(features)) % 2, np.array([f"r{row}" for row in range(len(features))]))


def maps(width: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A factor and an offset for each column, and an order of columns."""
    rng = np.random.default_rng(seed)
    return rng.uniform(0.3, 3, width) * rng.choice([-1, 1], width), 5 * rng.normal(size=width), rng.permutation(width)


def held(features: np.ndarray, *, deleted: bool) -> np.ndarray:
    """The retained records in another order, and three deleted ones if asked for."""
    rows = np.delete(np.arange(len(features)), GONE)
    rows = np.concatenate([rows, GONE[:3]]) if deleted else rows
    return features[np.random.default_rng(1).permutation(rows)]


def written(table: np.ndarray, seed: int) -> dict[str, np.ndarray]:
    """A table as it may be written otherwise."""
    factors, offsets, order = maps(table.shape[1], seed)
    spread = np.where(table.std(axis=0) > 0, table.std(axis=0), 1.0)
    return {
        "inches": table * 2.54,
        "a unit a column": table * factors + offsets,
        "as float32": (table * factors + offsets).astype(np.float32),
        "with ids and labels": np.column_stack([np.arange(len(table)), table * factors + offsets, np.arange(len(table)) % 2]),
        "other order": (table * factors + offsets)[:, order],
        "one column left out": np.delete(table * factors + offsets, 1, axis=1),
        "half of the columns": (table * factors)[:, order][:, : (table.shape[1] + 1) // 2],
        "standardised": (table - table.mean(axis=0)) / spread,
        "labelled": np.column_stack([table * 2.54, np.arange(len(table)) % 2]),
    }


FORMS = sorted(written(np.eye(4), 0))


NOT_PROMISED = {("mixed", "one column left out")}
"""What is left are columns of few values, and gains that are mostly none."""


@pytest.mark.parametrize(
    ("name", "form"),
    sorted(
        {(name, form) for name in ("measured", "iris", "mixed") for form in set(FORMS) - {"half of the columns"}} - NOT_PROMISED
    ),
)
def test_deleted_records_in_a_table_in_other_units_are_found(name: str, form: str) -> None:
    features = DATA[name](0)
    train = data(features)
    found = OtherUnits.of(train, GONE).in_table(written(held(features, deleted=True), 2)[form])
    if name == "iris":
        assert found.found | found.doubtful == STILL
    else:
        assert found.found == STILL
    assert found.recognised


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", sorted(DATA))
def test_a_table_of_retained_records_is_never_flagged(name: str, form: str) -> None:
    features = DATA[name](0)
    clean = OtherUnits.of(data(features), GONE).in_table(written(held(features, deleted=False), 3)[form])
    assert clean.found == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(DATA))
def test_retained_records_are_not_flagged_in_many_draws(name: str) -> None:
    rng = np.random.default_rng(5)
    for seed in range(30):
        features = DATA[name](seed)
        units = OtherUnits.of(data(features), GONE)
        others = {
            "weights": 0.1 * rng.normal(size=features.shape),
            "counts": rng.integers(0, 17, features.shape).astype(float),
            "bits": rng.integers(0, 2, features.shape).astype(float),
            "probabilities": rng.dirichlet(np.ones(features.shape[1]), 300),
        }
        for form, table in (written(held(features, deleted=False), seed) | others).items():
            assert units.in_table(table).found == set(), (seed, form)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**20), st.floats(-100, 100).filter(lambda a: abs(a) > 1e-3), st.floats(-1e3, 1e3), st.booleans())
def test_a_single_row_under_any_one_map_is_found_among_other_numbers(seed: int, a: float, b: float, shuffled: bool) -> None:
    rng = np.random.default_rng(seed)
    train = data(rng.normal(size=(200, 16)))
    row = rng.permutation(train.features[20]) if shuffled else train.features[20]
    others = rng.normal(size=(30, 16))
    others[rng.integers(30)] = a * row + b
    units = OtherUnits.of(train, GONE)
    assert units.in_table(others).found == {"r20"}
    if not shuffled:
        assert units.in_table(others.reshape(1, -1)).found == {"r20"}
    others = a * train.features[1:20] + b
    assert units.in_table(others).found == set()


def test_all_deleted_records_and_nothing_else_in_a_unit_a_column() -> None:
    features = DATA["measured"](0)
    factors, offsets, order = maps(10, 4)
    units = OtherUnits.of(data(features), GONE)
    assert units.in_table((features[GONE] * factors + offsets)[:, order]).found == {f"r{row}" for row in GONE}


def test_of_deleted_records_that_are_equal_all_are_found() -> None:
    features = DATA["measured"](0)
    features[40] = features[0]
    seen = OtherUnits.of(data(features), GONE).in_table(held(features, deleted=True) * np.linspace(1, 3, features.shape[1]))
    assert seen.found == STILL


def test_a_record_that_only_a_left_out_column_told_apart_is_not_found() -> None:
    features = DATA["measured"](0)
    features[20, 1:] = features[21, 1:]
    table = (held(features, deleted=True) * 3 + 1)[:, 1:]
    assert OtherUnits.of(data(features), GONE).in_table(table).found == STILL - {"r20"}


def test_columns_of_few_values_that_may_be_exchanged_leave_a_record_in_doubt() -> None:
    rng = np.random.default_rng(0)
    features = np.column_stack([np.arange(200.0), rng.integers(0, 3, (200, 3))])
    features[:, 0] = rng.permutation(np.repeat(np.arange(50.0), 4))
    seen = OtherUnits.of(data(features), GONE).in_table((held(features, deleted=True) * 2 + 1)[:, [2, 0, 3, 1]])
    assert seen.found == set()


@pytest.mark.parametrize("state", ["array", "bytes", "float32 bytes", "columns"])
def test_a_state_that_holds_rows_in_another_unit_is_caught(state: str, tmp_path: Path) -> None:
    train = data(DATA["measured"](0))
    table = held(train.features, deleted=True) * 2.54 + 10
    search = Search(Wanted.of(train, GONE, frozenset()))
    if state == "array":
        np.save(tmp_path / "a.npy", table)
        content = (tmp_path / "a.npy").read_bytes()
    elif state == "columns":
        np.savez(tmp_path / "a.npz", **{f"x{at}": column for at, column in enumerate(table.T)})
        content = (tmp_path / "a.npz").read_bytes()
    else:
        content = b"odd" + table.astype(np.float32 if state == "float32 bytes" else np.float64).tobytes() + b"end"
    search.content(content, PLACE)
    assert search.found == STILL


def test_a_store_in_another_unit_is_recognised_and_its_deleted_rows_are_found(tmp_path: Path) -> None:
    train = data(DATA["mixed"](0))
    factors = maps(train.features.shape[1], 1)[0]
    for deleted, found in ((True, STILL), (False, set())):
        np.savetxt(tmp_path / "a.csv", held(train.features, deleted=deleted) * factors, delimiter=",", fmt="%.12g")
        search = Search(Wanted.of(train, GONE, frozenset()))
        search.file(tmp_path / "a.csv", PLACE)
        assert (search.found, bool(search.recognised), search.open_places) == (found, True, [])


@pytest.mark.parametrize(
    "table", [np.zeros((9, 10)), np.full((9, 10), np.nan), np.full((1, 50), np.inf), np.ones((1, 3)), np.zeros((0, 4))]
)
def test_empty_constant_and_infinite_tables_hold_nothing(table: np.ndarray) -> None:
    assert OtherUnits.of(data(DATA["measured"](0)), GONE).in_table(table).found == set()


def test_a_table_that_is_met_again_is_answered_as_before_and_any_other_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model's numbers lie in its state and in two files; a table that differs in one number of a row is another one."""
    train = data(DATA["measured"](0))
    units, searched = OtherUnits.of(train, GONE), []
    search = OtherUnits._seen
    monkeypatch.setattr(OtherUnits, "_seen", lambda self, values: searched.append(values.shape) or search(self, values))
    table = 2.5 * train.features[[*range(1, 20), 0]] + 1.0
    assert units.in_table(table).found == units.in_table(table.copy()).found == {"r0"}
    assert len(searched) == 1
    changed = table.copy()
    changed[-1, 3] += 1.0
    assert units.in_table(changed).found == set()
    assert units.in_table(table.T).found == set()
    assert units.in_table(table.astype(np.float32)).found == {"r0"}
    assert len(searched) == 4
