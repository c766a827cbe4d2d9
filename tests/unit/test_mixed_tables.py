"""Tables of text, categories, dates, missing values and whole numbers: read, handed over, moved, searched for, accounted for."""

from __future__ import annotations

import io
import pickle
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.audit.shifted_copies import moved
from auditor.base.deletion_log.requests import Request
from auditor.base.domain import Message
from auditor.base.mixed_columns import Kind, coordinates
from auditor.base.records import Dataset, Positions
from auditor.case.files import Source
from auditor.case.tables import Records, records
from auditor.case.whole_people import of_whole_people
from auditor.parts.store.observing.limited_reading import of_file
from auditor.parts.store.observing.near_copies import near_copies
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.record_forms import Wanted
from auditor.parts.store.observing.search import Search
from auditor.sandbox import frames
from auditor.settings.builtin import Procedure
from auditor.settings.learning import Foreign, Sklearn, Wrapped
from auditor.settings.tables import DataTable

TABLE = DataTable(train="train.csv", task="classification")
WRAPPED = Wrapped(entry="model.py:build", seed=1)
OWN = Foreign(entry="model.py:Own", seed=1)
FOREST = Sklearn(estimator="sklearn.tree.DecisionTreeClassifier", seed=1)
PLACE = Message("data.erased.place.store", {"path": "store"})
SMALL = """id,label,age,work,since,income,code,member,note
a,yes,31,private,2020-05-01,10.5,00420,true,likes tea
b,no,47,,2021-01-31,,10001,false,
c,yes,29,"public, of the state",2019-12-24,-3,99999,True,has a dog
d,no,52,private,2018-03-03,1e3,00001,false,"said ""no"" twice"
"""


def read(text: str, table: DataTable = TABLE, procedure: Procedure = WRAPPED, holdout: str | None = None) -> Records:
    given = [Source("train.csv", text.encode()), None if holdout is None else Source("holdout.csv", holdout.encode())]
    return records(given, table, procedure)


def train_of(found: Records) -> Dataset:
    assert not found.problems, [str(each) for each in found.problems]
    assert found.train is not None
    return found.train


def handed_over(data: Dataset, tmp_path: Path) -> pd.DataFrame:
    assert data.table is not None
    frames.write(tmp_path / "rows.arrow", data.table, data.features)
    return frames.read(tmp_path / "rows.arrow")


def made(n: int = 60, seed: int = 0) -> str:
    """People with a note of their own each, and few categories."""
    rng = np.random.default_rng(seed)
    lines = ["id,label,age,work,since,income,note"]
    for at in range(n):
        work = rng.choice(["private", "public", "none", ""])
        day = np.datetime64("2010-01-01") + rng.integers(4000)
        income = f"{rng.lognormal(9, 1):.2f}" if rng.random() > 0.1 else ""
        note = f"spoke of {rng.integers(10**9)} things"
        lines.append(
            f"person-{at:03d},{'yes' if rng.random() > 0.5 else 'no'},{rng.integers(18, 80)},{work},{day},{income},{note}"
        )
    return "\n".join(lines) + "\n"


def test_each_column_has_the_kind_that_pandas_gives_it(tmp_path):
    data = train_of(read(SMALL))
    kinds = [Kind.INTEGER, Kind.TEXT, Kind.TIME, Kind.NUMBER, Kind.TEXT, Kind.BOOLEAN, Kind.TEXT]
    assert [column.kind for column in data.table or ()] == kinds
    assert np.isfinite(data.features).all()
    expected = pd.read_csv(io.StringIO(SMALL), dtype={"code": str}, parse_dates=["since"]).drop(columns=["id", "label"])
    pd.testing.assert_frame_equal(handed_over(data, tmp_path), expected, check_dtype=False)


def test_parquet_keeps_the_types_that_it_names(tmp_path):
    table = pa.table(
        {
            "id": ["a", "b", "c"],
            "label": [0, 1, 0],
            "age": pa.array([1, None, 3], pa.int32()),
            "kind": pa.array(["x", "y", "x"]).dictionary_encode(),
            "at": pa.array([1_700_000_000_123_456, None, 0], pa.timestamp("us", tz="UTC")),
            "day": pa.array([0, 19_000, None], pa.date32()),
            "yes": [True, False, None],
            "price": pa.array([1, 2, 3], pa.decimal128(5, 2)),
        }
    )
    sink = io.BytesIO()
    pq.write_table(table, sink)
    found = records([Source("train.parquet", sink.getvalue()), None], TABLE, OWN)
    data = train_of(found)
    kinds = [Kind.NUMBER, Kind.TEXT, Kind.TIME, Kind.TIME, Kind.TEXT, Kind.NUMBER]
    assert [column.kind for column in data.table or ()] == kinds
    frame = handed_over(data, tmp_path)
    assert frame["at"][0] == pd.Timestamp("2023-11-14 22:13:20.123456")
    assert frame["at"].isna().tolist() == [False, True, False]
    assert frame["yes"].isna().tolist() == [False, False, True]
    nested = pa.table({"id": ["a"], "label": [0], "x": [[1, 2]]})
    sink = io.BytesIO()
    pq.write_table(nested, sink)
    (problem,) = records([Source("train.parquet", sink.getvalue()), None], TABLE, OWN).problems
    assert problem.where == "column x"


def test_a_column_has_one_kind_over_training_data_and_holdout(tmp_path):
    train, holdout = "id,label,x\na,0,1\nb,1,2\n", "id,label,x\nc,0,\n"
    found = read(train, holdout=holdout)
    assert found.train is not None
    assert found.holdout is not None
    assert found.train.table == found.holdout.table
    assert handed_over(found.train, tmp_path)["x"].dtype == np.float64
    assert read(train, holdout="id,label,y\nc,0,1\n").problems[0].where == "columns"


def test_numbers_alone_stay_an_array_for_a_class_and_are_named_for_an_estimator():
    numbers = "id,label,x,y\na,0,1,2\nb,1,3,4.5\n"
    assert train_of(read(numbers, procedure=OWN)).table is None
    assert train_of(read(numbers, procedure=WRAPPED)).table is not None
    assert train_of(read(SMALL, procedure=OWN)).table is not None


def test_a_procedure_of_numbers_names_each_column_once():
    text = "id,label,a,b,c,d,e,f,g\n" + "".join(f"r{at},0,x,2020-01-01,,t,u,v,{at}\n" for at in range(500))
    found = read(text, procedure=FOREST, holdout=text.replace("r", "s"))
    assert [problem.where for problem in found.problems] == [*(f"column {name}" for name in "abcde"), "columns"]
    assert 'use = "estimator"' in found.problems[0].expected
    assert found.problems[0].found == "text (1 different)"
    few = read("id,label,x\na,0,1\nb,1,oops\n", procedure=FOREST)
    assert [problem.where for problem in few.problems] == ["row 3, column x"]


@pytest.mark.parametrize("name", ["a\x1b[2Jb", "a\u202eb", "a\nb"])
def test_names_of_columns_that_cannot_be_printed_are_refused(name):
    (problem,) = read(f'id,label,"{name}"\na,0,x\nb,1,y\n').problems
    assert problem.where == "columns"
    assert str(problem).isprintable()


@pytest.mark.parametrize(
    ("cell", "where"),
    [("\0", "row 2, column x"), ("9" * 17, "column x"), ("x" * 100_001, "row 2, column x")],
)
def test_cells_that_no_procedure_can_be_handed_are_refused(cell, where):
    (problem,) = read(f"id,label,x\na,0,{cell}\nb,1,{cell}\n").problems
    assert problem.where == where


def test_inputs_weights_and_people_are_columns_with_roles(tmp_path):
    text = "id,label,customer,w,age,secret\na,0,C1,1.5,30,x\nb,1,C1,0,40,y\nc,0,C2,2,50,z\n"
    table = DataTable(train="t", task="classification", person="customer", weight="w", inputs=("id", "age"))
    found = read(text, table)
    data = train_of(found)
    assert found.people == ("C1", "C1", "C2")
    assert data.weights is not None
    assert data.weights.tolist() == [1.5, 0, 2]
    assert handed_over(data, tmp_path).columns.tolist() == ["id", "age"]
    assert data.subset(np.array([2, 0])).weights.tolist() == [2, 1.5]  # type: ignore[union-attr]
    without = DataTable(train="t", task="classification", person="customer", weight="w")
    assert handed_over(train_of(read(text, without)), tmp_path).columns.tolist() == ["age", "secret"]
    wrong = DataTable(train="t", task="classification", inputs=("age", "label", "none"))
    assert len(read(text, wrong).problems) == 2
    assert read(text.replace("1.5", "-1"), table).problems


def request(number: int, *record_ids: str, status: str | None = None) -> Request:
    return Request(number, f"R{number}", record_ids, datetime(2026, 1, number, tzinfo=UTC), status=status)


@pytest.mark.parametrize(
    ("asked", "deleted"),
    [
        ([("a",)], [("a", "b", "c")]),
        ([("C1",)], [("a", "b", "c")]),
        ([("b",), ("c",)], [("b", "a"), ("c",)]),
        ([("d", "x")], [("d", "x")]),
        ([("C1",), ("C1",)], [("a", "b", "c"), ("a", "b", "c")]),
    ],
)
def test_a_request_for_one_record_is_for_all_of_the_person(asked, deleted):
    requests = tuple(request(number, *each) for number, each in enumerate(asked, start=1))
    found = of_whole_people(requests, ["a", "b", "c", "d", "e"], ["C1", "C1", "C1", "C2", " "])
    assert [each.record_ids for each in found] == [each or requests[at].record_ids for at, each in enumerate(deleted)]


def test_a_refused_request_takes_no_record_of_the_person():
    (found,) = of_whole_people((request(1, "a", status="denied"),), ["a", "b"], ["C", "C"])
    assert found.record_ids == ("a",)


def test_what_is_handed_over_holds_no_word_of_other_rows(tmp_path):
    data = train_of(read(SMALL))
    kept = data.subset(np.array([0, 3], dtype=np.int64))
    assert kept.table is not None
    frames.write(tmp_path / "kept.arrow", kept.table, kept.features)
    content = (tmp_path / "kept.arrow").read_bytes()
    assert b"likes tea" in content
    assert b"has a dog" not in content
    assert b"of the state" not in content


def test_moved_copies_leave_dates_and_free_text_and_keep_whole_numbers_whole(tmp_path):
    data = train_of(read(made()))
    table, rows = data.table, data.features[:20]
    copies = moved(
        rows, data.labels[:20], data.features[20:], data.labels[20:], share=0.3, rng=np.random.default_rng(1), table=table
    )
    names = [column.name for column in table or ()]
    for name in ("since", "note"):
        np.testing.assert_array_equal(copies[:, names.index(name)], rows[:, names.index(name)])
    income, missing = names.index("income"), (table or ())[names.index("income")].missing
    np.testing.assert_array_equal(copies[:, income] == missing, rows[:, income] == missing)
    work = handed_over(replace(data, features=copies), tmp_path)["work"]
    assert set(work.dropna()) <= {"private", "public", "none"}
    np.testing.assert_array_equal(copies[:, names.index("age")], np.rint(copies[:, names.index("age")]))
    assert (copies != rows).any()


def test_records_that_differ_in_a_word_alone_are_no_copies():
    lines = made().splitlines()
    twin = "twin" + lines[1].partition(",")[0][6:] + "," + lines[1].partition(",")[2]
    data = train_of(read("\n".join([*lines, twin]) + "\n"))
    gone = np.array([0], dtype=np.int64)
    exact = near_copies(data, gone, ())
    other = train_of(read("\n".join([*lines, twin.rpartition(",")[0] + ",somebody else"]) + "\n"))
    assert exact is not None
    assert exact.found == 1
    apart = near_copies(other, gone, ())
    assert apart is not None
    assert apart.found == 0
    assert len(np.unique(coordinates(data.table, data.features), axis=0)) == len(lines) - 1


def search(data: Dataset, gone: Positions) -> Search:
    return Search(Wanted.of(data, gone, frozenset()))


def test_deleted_rows_are_found_whatever_lies_between_their_cells(tmp_path):
    data = train_of(read(made()))
    frame = handed_over(data, tmp_path)
    gone = np.flatnonzero(frame.notna().all(axis=1))[:2]
    kept, deleted = frame.drop(index=gone), frame.loc[gone[:1]]
    (tmp_path / "clean.csv").write_text(kept.to_csv(index=False))
    mixed = pd.concat([kept, deleted])[["note", "work", "since", "income", "age"]].drop(columns="note")
    for name, content in {
        "dirty.csv": mixed.to_csv(index=False),
        "dirty.tsv": mixed.to_csv(index=False, sep="\t"),
        "dirty.jsonl": mixed.astype({"since": str}).to_json(orient="records", lines=True),
        "note.txt": f"remember: {deleted['note'].iloc[0]}.",
    }.items():
        (tmp_path / name).write_text(content)
        looked = search(data, gone)
        looked.file(tmp_path / name, PLACE)
        assert looked.found == {data.ids[gone[0]]}, name
    clean = search(data, gone)
    clean.file(tmp_path / "clean.csv", PLACE)
    assert not clean.found
    assert clean.recognised


def test_a_free_text_gives_its_person_away_in_any_bytes(tmp_path):
    data = train_of(read(made()))
    gone = np.array([3], dtype=np.int64)
    note = handed_over(data, tmp_path)["note"][3]
    for content in (pickle.dumps({"words": [note]}), note.encode("utf-16-le"), note.encode()):
        looked = search(data, gone)
        looked.content(b"\x00\x01" + content + b"\x00", PLACE)
        assert looked.found == {"person-003"}
    other = search(data, gone)
    other.content(handed_over(data, tmp_path)["note"][4].encode(), PLACE)
    assert not other.found


def people(data: Dataset) -> People:
    retained = np.ones(len(data), dtype=bool)
    retained[3] = False
    names = [column.name for column in data.table or ()]
    words = {
        column.name: {column.words[int(code)]: code for code in np.unique(data.features[retained, at]).tolist() if code >= 0}
        for at, column in enumerate(data.table or ())
        if column.kind is Kind.TEXT
    }
    return People(
        train=data,
        retained=retained,
        gone=frozenset({"person-003"}),
        columns={"id": "id", "label": "label", **dict.fromkeys(names, "feature")},
        features=tuple(names),
        labels=frozenset({"yes", "no"}),
        places={record: place for place, record in enumerate(data.ids.tolist())},
        words=words,
    )


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_store_of_mixed_rows_is_accounted_for_row_by_row(tmp_path, suffix):
    text = made()
    data = train_of(read(text))
    whole = pd.read_csv(io.StringIO(text), parse_dates=["since"], keep_default_na=True)

    def kept(frame: pd.DataFrame) -> tuple[int, int]:
        path = tmp_path / f"store{suffix}"
        frame.to_csv(path, index=False) if suffix == ".csv" else frame.to_parquet(path, index=False)
        found = of_file(path, path.read_bytes(), people(data), PLACE)
        return found.unexplained, found.changed

    clean = whole.drop(index=3)
    assert kept(clean) == (0, 0)
    assert kept(whole)[0] > 0
    hidden = clean.copy()
    hidden.loc[5, "note"] = whole["note"][3]
    assert kept(hidden)[0] > 0
    other = clean.copy()
    other.loc[5, "work"] = "private" if whole["work"][5] != "private" else "public"
    assert kept(other) == (0, 1)


def test_columns_that_no_procedure_gets_are_searched_for_as_well(tmp_path):
    rng = np.random.default_rng(2)
    lines = ["id,label,customer,email,age,pay"]
    lines += [
        f"r{at:03d},{at % 2},cust-{at // 2:04d},p{at:03d}@mail.example,{rng.integers(18, 80)},{at % 7}" for at in range(120)
    ]
    table = DataTable(train="t", task="classification", person="customer", inputs=("age", "pay"))
    found = read("\n".join(lines) + "\n", table)
    data = train_of(found)
    assert found.searched is not None
    assert {column.name for column in found.searched.table or ()} == {"customer", "email", "age", "pay"}
    gone = np.array([4, 5], dtype=np.int64)
    for text, records_found in (
        ("please write to p004@mail.example soon", {"r004"}),
        ("cust-0002 called", {"r004", "r005"}),
        ("cust-0003 called", set()),
    ):
        looked = Search(Wanted.of(data, gone, frozenset(), whole=found.searched))
        looked.content(text.encode(), PLACE)
        assert looked.found == records_found, text


def test_a_new_row_of_a_deleted_person_is_not_accounted_for(tmp_path):
    data = train_of(read(made()))
    known = replace(people(data), people_gone=frozenset({"C9"}), columns={"id": "id", "customer": "person"})
    for customer, unexplained in (("C8", False), ("C9", True)):
        store = tmp_path / "store.csv"
        store.write_text(f"id,customer\nnew-1,{customer}\n")
        assert (of_file(store, store.read_bytes(), known, PLACE).unexplained > 0) is unexplained


def test_plain_bytes_leave_open_who_is_told_apart_in_lines_alone(tmp_path):
    lines = ["id,label,day,work,pay"]
    lines += [
        f"{at},0,2020-{at % 12 + 1:02d}-{at % 28 + 1:02d},{'abcdefgh'[at % 8] * 9},{at if at % 2 else ''}" for at in range(80)
    ]
    data = train_of(read("\n".join(lines) + "\n"))
    wanted = Wanted.of(data, np.array([2], dtype=np.int64), frozenset())
    assert not wanted.deleted.row_ids
    assert wanted.hidden_in_bytes(1000) == ("2",)


def test_the_name_of_a_category_gives_nobody_away():
    lines = ["id,label,country,age"] + [f"r{at},0,country {at % 5},{at}" for at in range(60)] + ["r60,0,Holand-Netherlands,33"]
    data = train_of(read("\n".join(lines) + "\n"))
    looked = search(data, np.array([60], dtype=np.int64))
    looked.content(b"COUNTRIES = ['Holand-Netherlands', 'country 1']", PLACE)
    assert not looked.found
