"""A missing value is explained where one writer gave it, and left open where blanks or words for it could hold a record."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
import pytest
from test_store_accounts import account

from auditor.base.domain import Message
from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.parts.store.judging.accounting import Kept, with_room
from auditor.parts.store.observing import limited_reading, vector_stores
from auditor.parts.store.observing.people import People
from auditor.parts.store.readers.contents import Contents, Lies
from auditor.parts.store.readers.contents import Rows as Held

COUNT: Final = 240
GONE: Final = 3
WORDS: Final = tuple(f"note {at:03d}" for at in range(COUNT))
AT: Final = np.arange(COUNT)
CODES: Final = np.column_stack([np.where(AT % 2, AT, -1.0), np.where(AT % 3, AT * 1.25, -9.0)])
"""A text that every second person lacks, and a number that every third lacks."""
TABLE: Final = (Column("note", Kind.TEXT, -1.0, WORDS), Column("paid", Kind.NUMBER, -9.0))
TRAIN: Final = Dataset(CODES, AT % 2, np.array([f"rec-{at:05d}" for at in AT]), table=TABLE)
SECRET: Final = "rec-00001, Kiel, 1987-03-02"
BITS: Final = "".join(f"{ord(each):08b}" for each in SECRET).translate({48: " ", 49: "\t"})
"""A deleted person's row in blanks."""
PEOPLE: Final = People(
    train=TRAIN, retained=AT >= GONE, gone=frozenset(TRAIN.ids[:GONE].tolist()), features=("note", "paid"),
    labels=frozenset({"0", "1"}), columns={"id": "id", "label": "label", "note": "feature", "paid": "feature"},
    places={record: at for at, record in enumerate(TRAIN.ids.tolist())},
    words={"note": {WORDS[at]: float(at) for at in range(GONE, COUNT) if at % 2}},
)  # fmt: skip
Given = list[str | None]
MISSING: Final = sum(at % 2 == 0 for at in range(GONE, COUNT))


def table(missing: Given, number: object = None) -> pd.DataFrame:
    """The rows of who stays, with these cells for the texts that are missing, one after another."""
    left = iter(missing)
    rows = [(TRAIN.ids[at], WORDS[at] if at % 2 else next(left), float(CODES[at, 1]) if at % 3 else number, int(AT[at] % 2))
            for at in range(GONE, COUNT)]  # fmt: skip
    return pd.DataFrame(rows, columns=["id", "note", "paid", "label"]).astype({"note": object})


def in_csv(found: pd.DataFrame, _: Path) -> bytes:
    return bytes(found.to_csv(index=False, na_rep="NaN" if (found["note"] == "NaN").any() else "").encode())


def in_lines(found: pd.DataFrame, _: Path) -> bytes:
    rows = found.astype(object).where(found.notna(), None).to_dict("records")
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def in_parquet(found: pd.DataFrame, _: Path) -> bytes:
    return bytes(found.astype({"paid": float}).to_parquet(index=False))


def in_database(found: pd.DataFrame, folder: Path) -> bytes:
    path = folder / "made.db"
    with closing(sqlite3.connect(path)) as opened:
        found.to_sql("people", opened, index=False)
    return path.read_bytes()


FORMS: Final[dict[str, Callable[[pd.DataFrame, Path], bytes]]] = {
    "csv": in_csv, "jsonl": in_lines, "parquet": in_parquet, "db": in_database,
}  # fmt: skip


def explained(kept: Kept) -> bool:
    return kept.unexplained == 0 and not with_room((kept,))


HONEST: Final[dict[str, Given]] = {
    "none": [None] * MISSING,
    "nothing": [""] * MISSING,
    "a word": ["NaN"] * MISSING,
    "one of another kind": [*[None] * (MISSING - 1), ""],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", HONEST)
def test_missing_values_as_one_writer_gives_them_are_explained(form: str, name: str, tmp_path: Path) -> None:
    found = account(tmp_path, f"store.{form}", FORMS[form](table(HONEST[name]), tmp_path), PEOPLE)
    assert explained(found), (found.unexplained, found.spare)


def one_cell() -> Given:
    return [BITS, *[""] * (MISSING - 1)]


def one_cell_beside_none() -> Given:
    return [*[None] * (MISSING - 1), BITS]


def the_same_everywhere() -> Given:
    return [BITS] * MISSING


def some_blanks_each() -> Given:
    return [BITS[2 * at : 2 * at + 2] for at in range(MISSING)]


def words_or_capitals() -> Given:
    return ["nULl" if bit == " " else "NulL" for bit in BITS[:MISSING]]


def other_blanks() -> Given:
    return ["\u2003" if bit == " " else "\u3000" for bit in BITS[:MISSING]]


HIDING: Final = (one_cell, one_cell_beside_none, the_same_everywhere, some_blanks_each, words_or_capitals, other_blanks)


@pytest.mark.attempt("spelling of cells")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("hide", HIDING, ids=lambda each: each.__name__)
def test_a_record_in_how_missing_values_are_given_is_left_open(form: str, hide: Callable[[], Given], tmp_path: Path) -> None:
    assert not explained(account(tmp_path, f"store.{form}", FORMS[form](table(hide()), tmp_path), PEOPLE))


@pytest.mark.attempt("spelling of cells")
@pytest.mark.parametrize("form", ["parquet", "db"])
def test_which_missing_values_are_none_and_which_nothing_is_counted(form: str, tmp_path: Path) -> None:
    given: Given = [None if bit == " " else "" for bit in BITS[:MISSING]]
    kept = account(tmp_path, f"store.{form}", FORMS[form](table(given), tmp_path), PEOPLE)
    assert 0.9 * MISSING < sum(each.bits for each in kept.spare if each.name == "spelling of cells") < 1.5 * MISSING


@pytest.mark.attempt("spelling of cells")
def test_missing_numbers_of_a_database_are_counted_as_texts_are(tmp_path: Path) -> None:
    plain = table([""] * MISSING)
    assert explained(account(tmp_path, "store.db", in_database(plain, tmp_path), PEOPLE))
    (tmp_path / "made.db").unlink()
    bits = iter(BITS)
    mixed = [each if each == each else None if next(bits) == " " else "" for each in plain["paid"]]
    assert not explained(
        account(tmp_path, "store.db", in_database(plain.assign(paid=pd.Series(mixed, dtype=object)), tmp_path), PEOPLE)
    )


@pytest.mark.attempt("spelling of cells")
def test_missing_texts_of_a_vector_store_are_counted() -> None:
    def kept(missing: Given) -> Kept:
        rows = table(missing, "nan").astype({"label": str, "paid": str}).to_dict("records")
        fields = tuple({str(name): value for name, value in row.items() if isinstance(value, str)} for row in rows)
        held = Held("people", Lies.LIVE, len(rows), fields=fields)
        found = vector_stores.rows(Contents("Lance", (held,), 1 << 16), PEOPLE)
        return limited_reading.account_rows(found, 1 << 16, PEOPLE, Message("data.erased.place.state"))

    assert explained(kept([None] * MISSING))
    assert explained(kept([""] * MISSING))
    for hide in HIDING:
        assert not explained(kept(hide()))


def test_a_class_that_is_called_none_is_no_missing_value(tmp_path: Path) -> None:
    labels = np.where(AT % 5, "None", "some")
    own = Dataset(CODES, labels, TRAIN.ids, table=TABLE)
    who = replace(PEOPLE, train=own, labels=frozenset({"None", "some"}))
    for form, write in FORMS.items():
        found = table([None] * MISSING).assign(label=labels[GONE:])
        (tmp_path / "made.db").unlink(missing_ok=True)
        assert explained(account(tmp_path, f"store.{form}", write(found, tmp_path), who)), form


IN_SEVERAL_WAYS: Final[Given] = [(None, "", "NA")[at % 7 % 3] for at in range(COUNT)]
"""As a text column of the training data has it."""


def of_several(given: Given, form: str, folder: Path) -> Kept:
    who = replace(PEOPLE, missing={"note": [cell if at % 2 == 0 else "" for at, cell in enumerate(IN_SEVERAL_WAYS)]})
    return account(folder, f"store.{form}", FORMS[form](table(given), folder), who)


OF_WHO_STAYS: Final[Given] = [cell for at, cell in enumerate(IN_SEVERAL_WAYS) if at >= GONE and at % 2 == 0]


@pytest.mark.parametrize("form", FORMS)
def test_what_is_missing_as_in_the_training_data_says_nothing(form: str, tmp_path: Path) -> None:
    kept = of_several(OF_WHO_STAYS, form, tmp_path)
    assert kept.unexplained == 0
    assert not with_room((kept,))
    assert sum(each.bits for each in kept.spare) <= 32


@pytest.mark.parametrize("form", FORMS)
def test_so_do_other_words_for_each_way_of_these(form: str, tmp_path: Path) -> None:
    kept = of_several([{None: "NULL", "": "n/a", "NA": "n/a"}[cell] for cell in OF_WHO_STAYS], form, tmp_path)
    assert kept.unexplained == 0
    assert not with_room((kept,))


@pytest.mark.attempt("spelling of cells")
@pytest.mark.parametrize("form", FORMS)
def test_a_record_in_what_differs_from_the_training_data_is_left_open(form: str, tmp_path: Path) -> None:
    bits = [int(each) for each in "".join(f"{ord(each):08b}" for each in SECRET)]
    other = {None: "NULL", "": "nan", "NA": "N/A"}
    secret = [other[cell] if bit else cell for cell, bit in zip(OF_WHO_STAYS, bits, strict=False)]
    kept = of_several(secret, form, tmp_path)
    assert kept.unexplained or with_room((kept,))


def by_pandas_quoting_text(found: pd.DataFrame) -> bytes:
    """With quotes round missing numbers, too."""
    return bytes(found.astype({"paid": float}).to_csv(index=False, quoting=csv.QUOTE_NONNUMERIC).encode())


def as_array(found: pd.DataFrame, *, leave_out: bool) -> bytes:
    rows = found.astype(object).where(found.notna(), None).to_dict("records")
    return json.dumps([{name: cell for name, cell in row.items() if cell is not None or not leave_out} for row in rows]).encode()


OTHERS: Final[dict[str, Callable[[], bytes]]] = {
    "quoted text.csv": lambda: by_pandas_quoting_text(table([None] * MISSING)),
    "null.json": lambda: as_array(table([None] * MISSING), leave_out=False),
    "left out.json": lambda: as_array(table([None] * MISSING), leave_out=True),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_missing_as_other_writers_give_it_says_nothing(name: str, tmp_path: Path) -> None:
    assert explained(account(tmp_path, name, OTHERS[name](), PEOPLE))


@pytest.mark.attempt("spelling of cells")
def test_a_record_in_which_keys_of_an_array_are_left_out_is_left_open(tmp_path: Path) -> None:
    rows = json.loads(as_array(table([None] * MISSING), leave_out=False))
    bits = iter(f"{ord(each):08b}" for each in SECRET)
    held = iter("".join(bits))
    some = [{name: cell for name, cell in row.items() if cell is not None or next(held, "0") == "1"} for row in rows]
    assert not explained(account(tmp_path, "store.json", json.dumps(some).encode(), PEOPLE))
