"""Values are a record's own in float64 or rounded to float32, and which of both each is could hold another record."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_store_accounts import NAMES, account, database, packed, parquet, people

from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.parts.store.judging.accounting import Kept, with_room
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.widths import compared, of_width

COUNT: Final = 203
GONE: Final = 3
RNG: Final = np.random.default_rng(6)
MANY: Final = Dataset(RNG.normal(size=(COUNT, 3)), np.arange(COUNT) % 2, np.array([f"rec-{at:04d}" for at in range(COUNT)]))
BITS: Final = np.unpackbits(np.frombuffer(MANY.features[:GONE].tobytes(), np.uint8)).astype(bool)
"""The deleted rows."""
ROUNDED: Final = MANY.features.astype(np.float32).astype(np.float64)
Values = npt.NDArray[np.float64]


def who(**changes: object) -> People:
    found = people(train=MANY, retained=np.arange(COUNT) >= GONE, gone=frozenset(MANY.ids[:GONE].tolist()),
                   places={record: at for at, record in enumerate(MANY.ids.tolist())})  # fmt: skip
    return replace(found, **changes)  # type: ignore[arg-type]


def table(values: Values) -> pd.DataFrame:
    found = pd.DataFrame(values[GONE:], columns=list(NAMES))
    found.insert(0, "id", MANY.ids[GONE:].tolist())
    return found.assign(label=MANY.labels[GONE:])


def in_csv(values: Values, _: Path) -> bytes:
    return bytes(table(values).to_csv(index=False).encode())


def in_npz(values: Values, _: Path) -> bytes:
    return packed(features=values[GONE:], labels=MANY.labels[GONE:])


FORMS: Final[dict[str, Callable[[Values, Path], bytes]]] = {
    "csv": in_csv,
    "jsonl": lambda values, _: "".join(json.dumps(row) + "\n" for row in table(values).to_dict("records")).encode(),
    "parquet": lambda values, _: parquet(table(values)),
    "db": lambda values, folder: database(folder, table(values)),
    "npz": in_npz,
}


def explained(kept: Kept) -> bool:
    return kept.unexplained == kept.changed == 0 and not with_room((kept,))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("values", [MANY.features, ROUNDED], ids=["whole", "rounded"])
def test_values_of_one_width_say_nothing(form: str, values: Values, tmp_path: Path) -> None:
    assert explained(account(tmp_path, f"store.{form}", FORMS[form](values, tmp_path), who()))


def test_each_column_has_its_own_width(tmp_path: Path) -> None:
    values = np.column_stack([MANY.features[:, 0], ROUNDED[:, 1], MANY.features[:, 2]])
    assert explained(account(tmp_path, "store.csv", in_csv(values, tmp_path), who()))
    kinds = table(MANY.features).astype({"x1": np.float32})
    assert explained(account(tmp_path, "store.parquet", parquet(kinds), who()))


@pytest.mark.attempt("spelling of cells")
@pytest.mark.parametrize("form", FORMS)
def test_a_record_in_the_width_of_rows_is_left_open(form: str, tmp_path: Path) -> None:
    secret = np.where(BITS[:COUNT, None], ROUNDED, MANY.features)
    assert not explained(account(tmp_path, f"store.{form}", FORMS[form](secret, tmp_path), who()))


@pytest.mark.attempt("spelling of cells")
@pytest.mark.parametrize("columns", [[0], [0, 1, 2]])
def test_so_is_one_in_the_width_of_values(columns: list[int], tmp_path: Path) -> None:
    secret = MANY.features.copy()
    secret[:, columns] = np.where(np.resize(BITS, (COUNT, len(columns))), ROUNDED[:, columns], secret[:, columns])
    kept = account(tmp_path, "store.csv", in_csv(secret, tmp_path), who())
    assert not explained(kept)
    assert sum(each.bits for each in kept.spare) > 0.9 * (COUNT - GONE) * len(columns)


@pytest.mark.attempt("spelling of cells")
def test_so_is_one_in_the_width_of_columns() -> None:
    wide = Dataset(RNG.normal(size=(COUNT, 96)), MANY.labels, MANY.ids)
    half = np.where(BITS[:96], wide.features.astype(np.float32), wide.features)
    other, bits = compared(half, np.arange(COUNT), who(train=wide), some=False)
    assert not other.any()
    assert bits > 80


def test_a_missing_value_is_of_no_width() -> None:
    """Its code is a number that float32 need not hold."""
    code = -1 / 3
    own = np.where(RNG.random((COUNT, 3)) < 0.3, code, MANY.features)
    kinds = tuple(Column(name, Kind.NUMBER, code) for name in NAMES)
    half = np.where(own == code, code, own.astype(np.float32).astype(np.float64))
    mixed = who(train=Dataset(own, MANY.labels, MANY.ids, table=kinds))
    other, bits = compared(half, np.arange(COUNT), mixed, some=False)
    assert not other.any()
    assert bits == 0
    near, _ = compared(own.astype(np.float32).astype(np.float64), np.arange(COUNT), mixed, some=False)
    assert np.array_equal(near, (own == code).any(axis=1))


def test_what_is_too_large_for_float32_is_no_value_of_it() -> None:
    large = Dataset(np.full((2, 1), 1e39), np.zeros(2, dtype=np.int64), np.array(["a", "b"]))
    other, _ = compared(np.array([[np.inf], [1e39]]), np.arange(2), who(train=large), some=True)
    assert other.tolist() == [True, False]


@given(st.lists(st.booleans(), max_size=200))
def test_one_width_is_free_and_no_other_choice_is(half: list[bool]) -> None:
    assert (of_width(half) == 0) is (len(set(half)) < 2)


ROUNDINGS: Final[dict[str, Callable[[pd.DataFrame], str]]] = {
    "JSON lines by pandas": lambda given: str(given.to_json(orient="records", lines=True)),
    "JSON lines by pandas, 15 digits": lambda given: str(given.to_json(orient="records", lines=True, double_precision=15)),
    "to four decimals": lambda given: str(given.round(4).to_json(orient="records", lines=True)),
    "to whole numbers": lambda given: str(given.round(0).to_json(orient="records", lines=True)),
}


@pytest.mark.parametrize("name", ROUNDINGS)
def test_columns_that_are_rounded_as_a_whole_are_explained_at_a_few_bits(name: str, tmp_path: Path) -> None:
    kept = account(tmp_path, "store.jsonl", ROUNDINGS[name](table(MANY.features)).encode(), who())
    assert explained(kept)
    assert 0 < sum(each.bits for each in kept.spare) <= 8 * 3


@pytest.mark.attempt("spelling of cells")
@pytest.mark.parametrize("digits", [(10, 17), (10, 12), (4, 5), (0, 1)])
def test_a_record_in_how_far_values_are_rounded_is_left_open(digits: tuple[int, int], tmp_path: Path) -> None:
    short, long = (np.round(MANY.features, each) for each in digits)
    secret = np.where(BITS[:COUNT, None], short, long)
    assert not explained(account(tmp_path, "store.csv", in_csv(secret, tmp_path), who()))


@pytest.mark.attempt("spelling of cells")
def test_so_is_one_in_which_way_values_are_rounded(tmp_path: Path) -> None:
    """Up or down is the next bit of each value, and nobody's rule."""
    up, down = np.ceil(MANY.features * 1e4) / 1e4, np.floor(MANY.features * 1e4) / 1e4
    secret = np.where(BITS[:COUNT, None], up, down)
    assert not explained(account(tmp_path, "store.csv", in_csv(secret, tmp_path), who()))


@pytest.mark.attempt("spelling of cells")
def test_so_is_one_in_which_columns_are_rounded() -> None:
    wide = Dataset(RNG.normal(size=(COUNT, 96)), MANY.labels, MANY.ids)
    some = np.where(BITS[:96], np.round(wide.features, 6), wide.features)
    other, bits = compared(some, np.arange(COUNT), who(train=wide), some=False)
    assert not other.any()
    assert bits > 96


@pytest.mark.attempt("spelling of cells")
@pytest.mark.parametrize("wide", [1, 2, 3])
def test_so_is_one_in_the_signs_of_what_is_rounded_to_zero(wide: int, tmp_path: Path) -> None:
    """In some columns of the training data as in all of them."""
    small = replace(MANY, features=RNG.uniform(-0.4, 0.4, size=(COUNT, 3)))
    own = np.copysign(0.0, small.features)
    secret = np.where(BITS[:COUNT, None], -own, own)
    for values, holds in ((own, True), (abs(own), True), (secret, False)):
        content = parquet(table(values)[["id", *NAMES[:wide]]])
        assert explained(account(tmp_path, "store.parquet", content, who(train=small))) is holds
