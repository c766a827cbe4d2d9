"""How much of a data store is accounted for: rows of people who may be kept, in columns that are known, and nothing else."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.base.domain import Message
from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.parts.store.judging.accounting import Kept
from auditor.parts.store.observing.found_rows import choice
from auditor.parts.store.observing.limited_reading import of_file
from auditor.parts.store.observing.people import People

NAMES = ("x0", "x1", "x2")
RNG = np.random.default_rng(5)
TRAIN = Dataset(RNG.normal(size=(20, 3)), np.arange(20) % 2, np.array([f"rec-{each:04d}" for each in range(20)]))
STAY = np.arange(3, 20)


def people(**changes: Any) -> People:
    retained = np.ones(20, dtype=bool)
    retained[:3] = False
    values: dict[str, Any] = {
        "train": TRAIN,
        "retained": retained,
        "gone": frozenset(TRAIN.ids[:3].tolist()),
        "columns": {"note": "declared", "id": "id", "label": "label", **dict.fromkeys(NAMES, "feature")},
        "features": NAMES,
        "labels": frozenset({"0", "1"}),
        "places": {record: place for place, record in enumerate(TRAIN.ids.tolist())},
    }
    return People(**{**values, **changes})


def frame(rows: Any = STAY) -> pd.DataFrame:
    table = pd.DataFrame(TRAIN.features[rows], columns=list(NAMES))
    table.insert(0, "id", TRAIN.ids[rows].tolist())
    table["label"] = TRAIN.labels[rows]
    return table


def packed(**arrays: Any) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def store(**arrays: Any) -> bytes:
    own = {"features": TRAIN.features[STAY], "labels": TRAIN.labels[STAY], "ids": TRAIN.ids[STAY]}
    return packed(**{**own, **arrays})


def database(folder: Path, table: pd.DataFrame, *, afterwards: str = "") -> bytes:
    path = folder / "made.db"
    with closing(sqlite3.connect(path)) as opened:
        table.to_sql("people", opened, index=False)
        opened.execute("PRAGMA secure_delete = OFF")
        opened.executescript(afterwards)
        opened.commit()
        if not afterwards:
            opened.execute("VACUUM")
    return path.read_bytes()


def account(folder: Path, name: str, content: bytes, who: People | None = None) -> Kept:
    return of_file(folder / name, content, who or people(), Message("data.erased.place.store", {"path": name}))


def lines(table: pd.DataFrame) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in json.loads(table.to_json(orient="records", double_precision=15))).encode()


def parquet(table: pd.DataFrame) -> bytes:
    stream = io.BytesIO()
    table.to_parquet(stream)
    return stream.getvalue()


def made(form: str, table: pd.DataFrame, folder: Path) -> bytes:
    match form:
        case "jsonl":
            return lines(table)
        case "parquet":
            return parquet(table)
        case "db":
            return database(folder, table)
        case _:
            return bytes(table.to_csv(index=False, sep="\t" if form == "tsv" else ",").encode())


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet", "db", "npz"])
def test_rows_of_retained_people_in_known_columns_are_accounted_for(tmp_path: Path, form: str) -> None:
    content = store() if form == "npz" else made(form, frame(), tmp_path)
    found = account(tmp_path, f"store.{form}", content)
    assert (found.bytes, found.unexplained, found.strangers) == (len(content), 0, 0)
    if form != "jsonl":
        assert found.changed == 0


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "db"])
@pytest.mark.parametrize(("name", "declared"), [("secret", False), ("note", True)])
def test_another_column_is_unexplained_unless_it_is_declared(tmp_path: Path, form: str, name: str, declared: bool) -> None:
    found = account(tmp_path, f"store.{form}", made(form, frame().assign(**{name: "q" * 30}), tmp_path))
    assert (found.unexplained >= 30 * 17, found.declared >= 30 * 17) == (not declared, declared)


@pytest.mark.parametrize(
    ("change", "rows"),
    [
        (lambda table: table.assign(id=["rec-0001", *table["id"][1:]]), 1),
        (lambda table: table.assign(id=["", *table["id"][1:]]), 1),
        (lambda table: table.assign(id=["n" * 65, *table["id"][1:]]), 1),
        (lambda table: table.assign(label=["ZGVsZXRlZA==", *map(str, table["label"][1:])]), 1),
        (lambda table: table.assign(x0=["0." + "1" * 40, *map(str, table["x0"][1:])]), 1),
        (lambda table: table.assign(x0=["nan", *map(str, table["x0"][1:])]), 1),
    ],
    ids=["deleted", "nobody", "long id", "label", "digits", "nan"],
)
def test_rows_that_nobody_who_may_be_kept_has_are_unexplained(tmp_path: Path, change: Any, rows: int) -> None:
    content = change(frame()).to_csv(index=False).encode()
    found = account(tmp_path, "store.csv", content)
    size = len(content.splitlines()[1])
    assert 0 < found.unexplained <= rows * (size + 40)


def test_a_column_of_sensitivity_is_known_only_where_the_training_data_have_one(tmp_path: Path) -> None:
    hidden = store(sensitivity=np.frombuffer(TRAIN.features[0].tobytes() * 6, dtype=np.float64)[: len(STAY)])
    assert account(tmp_path, "a.npz", hidden).unexplained > 8 * len(STAY)
    weighed = replace(TRAIN, sensitivity=np.ones(20))
    assert account(tmp_path, "b.npz", hidden, people(train=weighed)).unexplained == 0


def test_strangers_and_changed_rows_are_counted_and_taken_as_they_are(tmp_path: Path) -> None:
    table = frame()
    table.loc[0, "id"] = "new-person"
    table.loc[1, "x1"] = 0.25
    found = account(tmp_path, "store.csv", table.to_csv(index=False).encode())
    assert (found.unexplained, found.strangers, found.changed) == (0, 1, 1)
    narrow = account(tmp_path, "store.npz", store(features=TRAIN.features[STAY].astype(np.float32)))
    assert (narrow.unexplained, narrow.changed) == (0, 0)


def test_without_ids_a_row_has_to_be_a_retained_record_as_it_is(tmp_path: Path) -> None:
    kept = {"features": TRAIN.features[STAY], "labels": TRAIN.labels[STAY]}
    assert account(tmp_path, "store.npz", packed(**kept)).unexplained == 0
    hidden = {**kept, "features": np.vstack([TRAIN.features[STAY[1:]], TRAIN.features[0] * 3])}
    assert account(tmp_path, "store.npz", packed(**hidden)).unexplained == 32


@pytest.mark.parametrize(
    ("content", "least"),
    [
        (store(more=np.arange(100.0)), 800),
        (store(features=TRAIN.features[STAY][:, :2]), 17 * 16),
        (store() + b"x" * 50, 50),
        (b"\x80\x04 pickled", 10),
    ],
    ids=["another array", "other columns", "behind the archive", "no archive"],
)
def test_whatever_else_an_archive_holds_is_unexplained(tmp_path: Path, content: bytes, least: int) -> None:
    assert account(tmp_path, "store.npz", content).unexplained >= least


def test_comments_and_gaps_of_an_archive_are_unexplained(tmp_path: Path) -> None:
    stream = io.BytesIO(store())
    with zipfile.ZipFile(stream, "a") as archive:
        archive.comment = b"c" * 40
    assert account(tmp_path, "store.npz", stream.getvalue()).unexplained == 40


def test_blank_lines_and_what_lies_between_rows_is_unexplained(tmp_path: Path) -> None:
    content = frame().to_csv(index=False).encode() + b"\r\n" * 500
    assert account(tmp_path, "store.csv", content).unexplained > 500


def test_what_a_database_deleted_and_did_not_rewrite_is_unexplained(tmp_path: Path) -> None:
    table = frame(np.arange(20))
    content = database(tmp_path, table, afterwards="DELETE FROM people WHERE id IN ('rec-0000', 'rec-0001', 'rec-0002')")
    assert account(tmp_path, "store.db", content).unexplained > 0


DDL = (
    'CREATE TABLE "people" ("id" VARCHAR(64) PRIMARY KEY, "x0" REAL NOT NULL, "x1" REAL, "x2" DOUBLE PRECISION, label INTEGER{})'
)


@pytest.mark.parametrize(
    ("more", "hidden"),
    [("", 0), (", CHECK (x0 IS NOT NULL)", 0), (f" DEFAULT '{'q' * 90}'", 90), (f" /* {'q' * 90} */", 90), (f" q{'q' * 89}", 90)],
    ids=["plain", "constraint", "default", "comment", "type"],
)
def test_words_of_a_definition_that_are_no_sql_are_unexplained(more: str, hidden: int, tmp_path: Path) -> None:
    path = tmp_path / "made.db"
    with closing(sqlite3.connect(path)) as opened:
        opened.execute(DDL.format(more))
        opened.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?)", frame().astype(object).to_numpy().tolist())
        opened.commit()
        opened.execute("VACUUM")
    assert hidden <= account(tmp_path, "store.db", path.read_bytes()).unexplained <= hidden + 5


@pytest.mark.parametrize("place", ["pandas", "arrow", "field", "json"])
def test_what_hides_behind_the_usual_notes_of_a_parquet_file_is_unexplained(place: str, tmp_path: Path) -> None:
    table, payload = pa.Table.from_pandas(frame(), preserve_index=False), b"q" * 600
    notes = dict(table.schema.metadata)
    match place:
        case "field":
            field = table.schema.field(0).with_metadata({b"note": payload})
            table = table.cast(pa.schema([field, *list(table.schema)[1:]], metadata=notes))
        case "json":
            notes[b"pandas"] = json.dumps({**json.loads(notes[b"pandas"]), "attributes": {"note": payload.decode()}}).encode()
        case _:
            notes[b"pandas" if place == "pandas" else b"ARROW:schema"] = payload
    stream = io.BytesIO()
    pq.write_table(table.replace_schema_metadata(notes) if place != "field" else table, stream)
    assert account(tmp_path, "store.parquet", stream.getvalue()).unexplained >= 600


def test_the_usual_notes_of_a_parquet_file_are_accounted_for(tmp_path: Path) -> None:
    stream, plain = io.BytesIO(), io.BytesIO()
    frame().to_parquet(stream)
    pq.write_table(pa.Table.from_pandas(frame()), plain, store_schema=False)
    for each in (stream, plain):
        assert account(tmp_path, "store.parquet", each.getvalue()).unexplained == 0


def test_metadata_of_a_parquet_file_are_unexplained(tmp_path: Path) -> None:
    table = pa.Table.from_pandas(frame(), preserve_index=False)
    stream = io.BytesIO()
    pq.write_table(table.replace_schema_metadata({b"note": b"n" * 60}), stream)
    assert account(tmp_path, "store.parquet", stream.getvalue()).unexplained == 64


@pytest.mark.parametrize("name", ["notes.txt", "model.pkl", "rows.json", "data.bin"])
def test_a_file_that_is_no_table_is_unexplained_as_a_whole(tmp_path: Path, name: str) -> None:
    found = account(tmp_path, name, b"some words")
    assert (found.bytes, found.unexplained) == (10, 10)


@pytest.mark.parametrize("name", ["a.csv", "a.npz", "a.jsonl", "a.parquet", "a.db", "a.tsv", "a.npy"])
@pytest.mark.parametrize("content", [b"", b"\0\xff", b"PAR1", b"SQLite format 3\0", b"PK\x03\x04", b"{", b'"'])
def test_broken_files_are_unexplained_and_no_error(tmp_path: Path, name: str, content: bytes) -> None:
    found = account(tmp_path, name, content)
    assert found.unexplained == len(content)


@pytest.mark.parametrize("kind", ["f8", "f4", "f2", ">f8"])
def test_labels_of_classes_may_be_whole_numbers_of_any_kind(tmp_path: Path, kind: str) -> None:
    """As NumPy and pandas write them where a label was missing once: 0.0 and 1.0 for 0 and 1."""
    content = store(labels=TRAIN.labels[STAY].astype(kind))
    assert account(tmp_path, "store.npz", content).unexplained == 0


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet", "db"])
def test_labels_of_classes_may_be_decimals_in_tables(tmp_path: Path, form: str) -> None:
    table = frame()
    table["label"] = table["label"].astype(float)
    assert account(tmp_path, f"store.{form}", made(form, table, tmp_path)).unexplained == 0


@pytest.mark.parametrize(
    "hidden",
    [-0.0, 0.5, 5e-324, np.nan, np.inf, 2.0, 1e300, 1 + 2**-52],
    ids=["sign-of-zero", "fraction", "smallest", "nan", "infinity", "no-class", "large", "last-bit"],
)
def test_what_is_hidden_in_the_place_of_a_label_is_not_accounted_for(tmp_path: Path, hidden: float) -> None:
    labels = TRAIN.labels[STAY].astype(float)
    labels[np.flatnonzero(labels == 0)[0]] = hidden
    one = sum(each[:1].nbytes for each in (TRAIN.features[STAY], TRAIN.labels[STAY], TRAIN.ids[STAY]))
    assert account(tmp_path, "store.npz", store(labels=labels)).unexplained == one


def test_labels_in_numbers_with_unused_bits_are_not_accounted_for(tmp_path: Path) -> None:
    labels = TRAIN.labels[STAY].astype(np.longdouble)
    assert account(tmp_path, "store.npz", store(labels=labels)).unexplained >= labels.nbytes


def cells(rows: list[int], **changes: str) -> pd.DataFrame:
    """A store of all who stay and some who should be gone, with cells of the latter changed."""
    table = pd.concat([frame(), frame(rows)], ignore_index=True).astype({"id": str, "label": str}).astype(object)
    for column, cell in changes.items():
        table.loc[len(STAY) :, column] = cell
    return table


def seen(table: pd.DataFrame, **changes: Any) -> Kept:
    return account(Path(), "store.csv", made("csv", table, Path()), people(**changes))


def test_a_row_of_a_deleted_record_in_plain_sight_is_all_that_is_unexplained():
    kept = seen(cells([0, 1]))
    assert kept.found_rows == 2
    assert kept.found_bytes == kept.unexplained > 0


def test_a_person_is_that_records_own():
    own = {"columns": people().columns | {"email": "person"}, "people_gone": frozenset({"a@x", "b@x", "c@x"})}
    whose = np.array(["a@x", "b@x", "c@x", *["d@x"] * 17])
    table = cells([0])
    table["email"] = ["d@x"] * len(STAY) + ["a@x"]
    assert seen(table, whose=whose, **own).found_rows == 1
    for other in ("b@x", "d@x", "A@x", ""):
        table["email"] = ["d@x"] * len(STAY) + [other]
        assert seen(table, whose=whose, **own).found_rows == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"x1": repr(float(TRAIN.features[1, 1]))},  # another deleted person's value in the row
        {"x0": repr(float(TRAIN.features[5, 0]))},
        {"x2": f"{TRAIN.features[0, 2]:.17f}" + "4" * 30},  # a number that is longer than one is
        {"label": "1"},
        {"label": "rec-0001"},
        {"id": "rec-0001"},  # another's id above these values
        {"note": "rec-0001"},  # a declared column: nothing says what is its own
        {"other": "rec-0001"},
    ],
)
def test_a_row_with_anything_of_somebody_else_leaves_them_open(changes: dict[str, str]):
    kept = seen(cells([0], **changes))
    assert kept.unexplained > kept.found_bytes


def test_what_lies_next_to_a_found_row_stays_unexplained():
    plain = seen(cells([0]))
    twice = seen(cells([0, 0]))
    assert twice.found_bytes == plain.found_bytes < twice.unexplained
    content = made("csv", cells([0]), Path()) + b"\n" * 4000
    beside = account(Path(), "store.csv", content)
    assert beside.unexplained > beside.found_bytes


def test_a_row_of_some_columns_is_that_records_own_where_each_of_them_is():
    assert seen(cells([0]).drop(columns="x1")).found_rows == 1
    assert seen(cells([0], x0=repr(float(TRAIN.features[1, 0]))).drop(columns="x1")).found_rows == 0


@pytest.mark.parametrize("form", ["tsv", "jsonl", "parquet", "db"])
def test_a_row_of_a_deleted_record_is_known_in_other_files(form: str, tmp_path: Path):
    def written() -> bytes:
        # Pandas rounds what it writes as JSON.
        exact = "".join(json.dumps(row) + "\n" for row in whole.to_dict("records")).encode()
        return exact if form == "jsonl" else made(form, whole, tmp_path)

    whole = pd.concat([frame(), frame([0])], ignore_index=True)
    kept = account(tmp_path, f"store.{form}", written())
    assert kept.found_rows == 1
    assert kept.found_bytes == kept.unexplained > 0
    whole.loc[len(STAY), "x1"] = TRAIN.features[1, 1]
    (tmp_path / "made.db").unlink(missing_ok=True)
    kept = account(tmp_path, f"store.{form}", written())
    assert kept.unexplained > kept.found_bytes == 0


def test_rows_of_arrays_leave_everybody_open(tmp_path: Path):
    rows = [*STAY.tolist(), 0]
    content = packed(features=TRAIN.features[rows], labels=TRAIN.labels[rows], ids=TRAIN.ids[rows])
    kept = account(tmp_path, "store.npz", content)
    assert kept.unexplained > kept.found_bytes == 0


def test_which_records_have_a_row_left_is_counted():
    def bits(rows: list[int]) -> int:
        return sum(each.bits for each in seen(cells(rows)).spare if each.name == "order of rows")

    assert bits([]) == 0
    assert 0 < bits([0]) <= 8
    many = np.arange(400)
    values = np.column_stack([many * 1.5, many * 2.5, many * 3.5])
    train = Dataset(values, np.zeros(400, dtype=np.int64), np.array([f"rec-{each:04d}" for each in many]))
    who = people(train=train, retained=many >= 200)
    assert choice(train.ids[:200].tolist(), who) <= 8  # nobody was deleted
    assert choice(train.ids[100:200].tolist(), who) <= 32  # all from some day on were not
    drawn = np.random.default_rng(3).permutation(200)[:100]
    assert choice(train.ids[drawn].tolist(), who) >= 196  # any hundred of two hundred


def beside(emails: list[str | None]) -> dict[str, Any]:
    """People whose table has a column of addresses that no procedure gets."""
    words = tuple(sorted({each for each in emails if each}))
    codes = np.array([[words.index(each) if each else -1] for each in emails], dtype=np.float64)
    whole = Dataset(codes, TRAIN.labels, TRAIN.ids, table=(Column("email", Kind.TEXT, -1.0, words),))
    return {"searched": whole, "columns": people().columns | {"email": "declared"}}


def test_a_column_that_no_procedure_gets_is_compared_as_well():
    own = beside([f"{each}@x" for each in range(20)])
    table = cells([0])
    for last, found in (("0@x", 1), ("1@x", 0), ("0@x ", 0), ("", 0), ("0@x;1@x", 0)):
        table["email"] = [f"{each}@x" for each in STAY] + [last]
        kept = seen(table, **own)
        assert kept.found_rows == found
        assert (kept.found_bytes == kept.unexplained) is bool(found)
    table["note"] = ["" for _ in STAY] + [""]  # a column that the training data lack
    table["email"] = [f"{each}@x" for each in STAY] + ["0@x"]
    assert seen(table, **own).found_rows == 0


def test_blanks_in_place_of_a_missing_text_are_not_a_records_own():
    own = beside([None, *(f"{each}@x" for each in range(1, 20))])
    table = cells([0])
    for blanks, found in ((0, 1), (400, 0)):
        table["email"] = [f"{each}@x" for each in STAY] + [" " * blanks]
        assert seen(table, **own).found_rows == found
