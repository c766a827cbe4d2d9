"""What pandas writes of people who stay passes, at once or by the step that a scan names; what hides somebody there does not."""

from __future__ import annotations

import csv
import json
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.cli import run
from auditor.parts.places.observing.reading import _TablesSoFar, _with_order
from auditor.parts.store.judging.accounting import SPARE_EACH
from auditor.parts.store.observing.store_tables import Rows
from tests.parts.places.test_row_order import IDS, STAY
from tests.parts.places.test_row_order import PEOPLE as KNOWN

_RNG: Final = random.Random(9)
CITIES: Final = ("Kiel", "Bremen", "Leipzig", "Rostock")
COUNT: Final = 160
EVERYBODY: Final = pd.DataFrame(
    {
        "customer_id": [f"CU-{each}" for each in _RNG.sample(range(10_000, 99_999), COUNT)],
        "email": [f"p{each}@mail.example" for each in _RNG.sample(range(1000, 9999), COUNT)],
        "city": [_RNG.choice(CITIES) for _ in range(COUNT)],
        "amount": [_RNG.lognormvariate(5, 1) for _ in range(COUNT)],
        "since": [f"20{_RNG.randrange(10, 25)}-{_RNG.randrange(1, 13):02d}-{_RNG.randrange(1, 29):02d}" for _ in range(COUNT)],
    }
)
GONE: Final = sorted(_RNG.sample(range(COUNT), 20))
REST: Final = EVERYBODY.drop(index=GONE)
AGAIN: Final = REST.reset_index(drop=True)
Write = Callable[[pd.DataFrame, Path], object]


def database(table: pd.DataFrame, path: Path, **how: bool) -> None:
    with closing(sqlite3.connect(path)) as opened:
        table.to_sql("people", opened, **how)  # type: ignore[call-overload]
        opened.commit()


WRITERS: Final[dict[str, Write]] = {
    "now.csv": lambda table, path: table.to_csv(path),
    "now.parquet": lambda table, path: table.to_parquet(path),
    "index.json": lambda table, path: table.to_json(path, orient="index"),
    "columns.json": lambda table, path: table.to_json(path),
    "split.json": lambda table, path: table.to_json(path, orient="split"),
    "now.db": database,
    "semicolons.csv": lambda table, path: table.to_csv(path, sep=";"),
}


@pytest.fixture
def case(tmp_path: Path) -> Path:
    EVERYBODY.to_csv(tmp_path / "people.csv", index=False)
    REST.to_csv(tmp_path / "rest.csv", index=False)
    rows = [
        {
            "request_id": f"R-{at}",
            "record_ids": [EVERYBODY["customer_id"][place]],
            "received_at": "2026-10-01T09:00:00+00:00",
            "executed_at": "2026-10-05T09:00:00+00:00",
            "terms": [EVERYBODY["email"][place]],
        }
        for at, place in enumerate(GONE)
    ]
    (tmp_path / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return tmp_path


def scanned(path: Path, capsys: pytest.CaptureFixture[str], data: str = "people.csv") -> tuple[int, str]:
    told = [str(path), "--id", "customer_id", "--log", str(path.parent / "deletions.jsonl"), "--data", str(path.parent / data)]
    code = run(["scan", *told])
    return code, " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("name", WRITERS)
def test_rows_that_were_dropped_leave_no_more_than_the_table_of_everybody_says(
    name: str, case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    WRITERS[name](REST, case / name)
    assert scanned(case / name, capsys)[0] == 0


@pytest.mark.parametrize("name", WRITERS)
def test_gaps_in_the_index_are_named_where_the_table_lacks_the_deleted_rows_and_the_step_closes_them(
    name: str, case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    WRITERS[name](REST, case / name)
    code, out = scanned(case / name, capsys, "rest.csv")
    assert code == 3
    assert "room in the numbers of its rows, which have gaps" in out
    assert "or give `--data` as it was before the deletion" in out
    (case / name).unlink()
    if name == "now.db":
        assert "`to_sql(index=False)`" in out
        database(REST, case / name, index=False)
    else:
        assert "`reset_index(drop=True)`" in out
        WRITERS[name](AGAIN, case / name)
    assert scanned(case / name, capsys, "rest.csv")[0] == 0


def test_a_database_whose_rows_were_deleted_is_to_be_dumped_into_a_new_one(
    case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a key of their own, rows keep their numbers through `VACUUM`."""
    with closing(sqlite3.connect(case / "now.db")) as opened:
        opened.execute("CREATE TABLE people (customer_id TEXT PRIMARY KEY, email TEXT, city TEXT, amount REAL, since TEXT)")
        opened.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?)", EVERYBODY.values.tolist())
        opened.executemany("DELETE FROM people WHERE customer_id = ?", [(each,) for each in EVERYBODY["customer_id"][GONE]])
        opened.commit()
        opened.execute("VACUUM")
        code, out = scanned(case / "now.db", capsys, "rest.csv")
        assert (code, "`sqlite3 OLD .dump | sqlite3 NEW`" in out) == (3, True)
        with closing(sqlite3.connect(case / "new.db")) as new:
            new.executescript("\n".join(opened.iterdump()))
            new.execute("VACUUM")
    assert scanned(case / "new.db", capsys, "rest.csv")[0] == 0


@pytest.mark.attempt("places")
@pytest.mark.parametrize("name", WRITERS)
def test_numbers_that_spell_somebody_never_pass(name: str, case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    WRITERS[name](REST.set_axis([2 * at + _RNG.randrange(2) for at in range(len(REST))]), case / name)
    assert scanned(case / name, capsys)[0] == 3


@pytest.mark.attempt("places")
@pytest.mark.parametrize("name", WRITERS)
def test_somebodys_values_under_another_id_are_found(name: str, case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    under = REST.copy()
    under.iloc[7, 1:] = EVERYBODY.iloc[GONE[0], 1:].tolist()
    WRITERS[name](under, case / name)
    assert scanned(case / name, capsys)[0] == 1


@pytest.mark.attempt("places")
@pytest.mark.parametrize("name", WRITERS)
def test_a_row_that_is_called_by_a_deleted_id_is_found(name: str, case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    called = [str(at) for at in range(len(REST))]
    called[11] = EVERYBODY["customer_id"][GONE[3]]
    WRITERS[name](REST.set_axis(called), case / name)
    assert scanned(case / name, capsys)[0] == 1


@pytest.mark.attempt("choice of columns")
def test_which_of_many_tables_have_an_index_is_counted() -> None:
    rows = Rows(sizes=np.ones(len(STAY), dtype=np.int64), ids=IDS[STAY].tolist(), names=("id",))
    plain, indexed = rows, Rows(sizes=rows.sizes, ids=rows.ids, names=rows.names, indexes=("index",))

    def bits(tables: list[Rows]) -> int:
        kept, _ = _with_order(tables, 1 << 20, KNOWN, _TablesSoFar(), file="one")
        return kept.spare_bits

    assert bits([indexed] * 200) == 0
    assert bits([indexed if _RNG.randrange(2) else plain for _ in range(200)]) > 2 * SPARE_EACH


def test_an_index_that_numbers_no_rows_is_to_be_left_out(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    halves = pd.concat([AGAIN[:70], AGAIN[70:].reset_index(drop=True)])
    for table in (halves, REST.set_axis(pd.date_range("2020-01-01", periods=len(REST)))):
        table.to_parquet(case / "now.parquet")
        code, out = scanned(case / "now.parquet", capsys)
        assert code == 3
        assert "Leave the index of now.parquet out, or number its rows again" in out
        assert "give it the column" not in out
        table.reset_index(drop=True).to_parquet(case / "now.parquet")
        assert scanned(case / "now.parquet", capsys)[0] == 0


def test_an_index_is_not_called_a_column_that_the_table_lacks_where_another_column_is(
    case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    REST.assign(visits=[at * 7919 % 9973 for at in range(len(REST))]).to_parquet(case / "now.parquet")
    code, out = scanned(case / "now.parquet", capsys)
    assert code == 3
    assert "the table has no column visits" in out
    assert "__index_level_0__" not in out


def test_a_document_that_is_not_read_as_rows_is_to_be_written_as_lines(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    REST.to_json(case / "now.json", orient="table")
    code, out = scanned(case / "now.json", capsys)
    assert code == 3
    assert "Write now.json as JSON lines, an object for each person" in out
    assert "Take words" not in out
    assert "has no column" not in out
    REST.to_json(case / "now.jsonl", orient="records", lines=True)
    assert scanned(case / "now.jsonl", capsys)[0] == 0


@pytest.mark.parametrize("orient", ["records", "index", "split", "columns"])
def test_numbers_that_pandas_rounds_in_json_are_explained(orient: str, case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    REST.to_json(case / "now.json", orient=orient)
    assert round(AGAIN["amount"][0], 10) != AGAIN["amount"][0]
    assert scanned(case / "now.json", capsys)[0] == 0


def test_cells_that_are_missing_in_several_ways_are_to_be_written_in_one(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gaps = EVERYBODY.copy()
    gaps.loc[_RNG.sample(range(COUNT), 50), "city"] = None
    gaps.to_csv(case / "people.csv", index=False)
    mixed = gaps.drop(index=GONE)
    mixed["city"] = [_RNG.choice(["", "NULL", "NA"]) if each is None or each != each else each for each in mixed["city"]]
    mixed.to_csv(case / "now.csv", index=False)
    code, out = scanned(case / "now.csv", capsys)
    assert code == 3
    assert "room in how its cells are written, in several ways" in out
    assert "Write all cells of a column in now.csv in one way" in out
    pd.read_csv(case / "now.csv").to_csv(case / "now.csv", index=False)
    assert scanned(case / "now.csv", capsys)[0] == 0


def test_a_database_is_not_to_be_given_columns_where_its_pages_hold_more(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(case / "now.db")) as opened:
        opened.execute("CREATE TABLE people (customer_id TEXT PRIMARY KEY, email TEXT, city TEXT, amount REAL, since TEXT)")
        opened.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?)", REST.values.tolist())
        opened.commit()
        code, out = scanned(case / "now.db", capsys, "rest.csv")
        assert (code, "VACUUM" in out, "Give" in out) == (3, True, False)
        opened.execute("VACUUM")
    assert scanned(case / "now.db", capsys, "rest.csv")[0] == 0


TIMES: Final = pd.to_datetime("1951-01-01") + pd.to_timedelta([_RNG.randrange(2 * 10**9) for _ in range(COUNT)], unit="s")
EPOCH: Final = pytest.mark.filterwarnings("ignore:'epoch' date format is deprecated")
JSON: Final[dict[str, Write]] = {
    "now.json": lambda table, path: table.to_json(path, date_format="epoch"),
    "records.json": lambda table, path: table.to_json(path, orient="records", date_format="epoch", date_unit="s"),
    "now.jsonl": lambda table, path: table.to_json(path, orient="records", lines=True, date_format="epoch", date_unit="ns"),
}


@EPOCH
@pytest.mark.parametrize("name", JSON)
def test_times_that_pandas_counts_from_1970_are_explained(name: str, case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    timed = EVERYBODY.assign(seen=TIMES)
    timed.loc[_RNG.sample(range(COUNT), 12), "seen"] = None
    timed.to_csv(case / "people.csv", index=False)
    JSON[name](timed.drop(index=GONE), case / name)
    assert scanned(case / name, capsys)[0] == 0


@pytest.mark.attempt("places")
@EPOCH
@pytest.mark.parametrize("name", JSON)
def test_times_of_nobody_who_stays_are_not(name: str, case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    EVERYBODY.assign(seen=TIMES).to_csv(case / "people.csv", index=False)
    moved = EVERYBODY.assign(seen=TIMES + pd.to_timedelta([_RNG.randrange(2) for _ in range(COUNT)], unit="s"))
    JSON[name](moved.drop(index=GONE), case / name)
    assert scanned(case / name, capsys)[0] == 3


@pytest.mark.attempt("places")
@EPOCH
@pytest.mark.parametrize("other", [str, "{}.0".format])
def test_so_are_times_in_two_ways(other: Callable[[int], str], case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    EVERYBODY.assign(seen=TIMES).to_csv(case / "people.csv", index=False)
    given = EVERYBODY.assign(seen=TIMES).drop(index=GONE).to_json(orient="records", date_format="epoch")
    assert given is not None
    rows = json.loads(given)
    text = json.dumps([{**row, "seen": "?"} for row in rows])
    for row in rows:
        text = text.replace('"?"', other(row["seen"]) if _RNG.randrange(2) else f'"{pd.Timestamp(row["seen"], unit="ms")}"', 1)
    (case / "now.json").write_text(text, encoding="utf-8")
    assert scanned(case / "now.json", capsys)[0] == 3


@pytest.mark.attempt("places")
@EPOCH
def test_so_are_times_that_are_missing_in_two_ways(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    timed = EVERYBODY.assign(seen=TIMES)
    timed.loc[_RNG.sample(range(COUNT), COUNT // 2), "seen"] = None
    timed.to_csv(case / "people.csv", index=False)
    given = timed.drop(index=GONE).to_json(orient="records", lines=True, date_format="epoch")
    assert given is not None
    for chance, code in ((0, 0), (1, 0), (2, 3)):
        lines = [
            line if chance == 0 or (chance == 2 and _RNG.randrange(2)) else line.replace(',"seen":null', "")
            for line in given.splitlines(keepends=True)
        ]
        (case / "now.jsonl").write_text("".join(lines), encoding="utf-8")
        assert scanned(case / "now.jsonl", capsys)[0] == code


def numbered(path: Path, numbers: list[int], name: str = "nr") -> None:
    with closing(sqlite3.connect(path)) as opened:
        opened.execute(f"CREATE TABLE people ({name} INTEGER PRIMARY KEY AUTOINCREMENT, customer_id TEXT, email TEXT, city TEXT)")
        rows = [(at, *row[:3]) for at, row in zip(numbers, REST.values.tolist(), strict=True)]
        opened.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", rows)
        opened.commit()
        opened.execute("VACUUM")


def test_numbers_that_a_database_gives_rows_are_no_column_that_people_lack(
    case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbered(case / "now.db", list(range(1, len(REST) + 1)))
    assert scanned(case / "now.db", capsys, "rest.csv")[0] == 0
    (case / "now.db").unlink()
    numbered(case / "now.db", [at + 1 for at in REST.index])
    assert scanned(case / "now.db", capsys)[0] == 0


@pytest.mark.attempt("places")
def test_but_for_what_they_and_their_name_could_say(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    numbered(case / "now.db", [3 * at + _RNG.randrange(3) for at in range(1, len(REST) + 1)])
    code, out = scanned(case / "now.db", capsys)
    assert code == 3
    assert "columns nr and seq" not in out
    (case / "now.db").unlink()
    numbered(case / "now.db", list(range(1, len(REST) + 1)), name="p4711_mail_example")
    assert scanned(case / "now.db", capsys)[0] == 3


def test_a_table_without_anybody_of_the_log_needs_its_column_of_ids_named(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    REST.to_csv(case / "now.csv", index=False)
    told = [str(case / "now.csv"), "--log", str(case / "deletions.jsonl"), "--data", str(case / "rest.csv")]
    assert run(["scan", *told]) == 2
    assert "or --id COLUMN where the table lacks the deleted people" in " ".join(capsys.readouterr().err.split())


@pytest.mark.attempt("places")
@pytest.mark.parametrize("how", ["codecs", "notes"])
def test_a_parquet_file_that_is_written_in_ways_of_its_own_passes_once_written_again(
    case: Path, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    """Codecs and statistics chosen column by column could say something, as could notes that no library leaves."""
    draw = random.Random(4)
    table = AGAIN.assign(**{f"city_{at}": AGAIN["city"] for at in range(20)}) if how == "codecs" else AGAIN
    everybody = EVERYBODY.assign(**{f"city_{at}": EVERYBODY["city"] for at in range(20)}) if how == "codecs" else EVERYBODY
    everybody.to_csv(case / "people.csv", index=False)
    own = pa.Table.from_pandas(table, preserve_index=False)
    codecs = {name: draw.choice(("zstd", "gzip", "snappy", "none")) for name in table.columns}
    noted = [name for name in table.columns if draw.random() < 0.5]
    if how == "codecs":
        pq.write_table(own, case / "now.parquet", compression=codecs, write_statistics=noted)
    else:
        pq.write_table(own.replace_schema_metadata({"who": "CU"}), case / "now.parquet")
    code, out = scanned(case / "now.parquet", capsys)
    assert code == 3
    assert ("room in how its Parquet files pack" in out) == (how == "codecs")
    assert "Write the Parquet files of now.parquet again" in out
    pd.read_parquet(case / "now.parquet").to_parquet(case / "now.parquet", index=False)
    assert scanned(case / "now.parquet", capsys)[0] == 0


def csv_in_some_manner(part: pd.DataFrame, path: Path, draw: Callable[[int], int]) -> None:
    part.to_csv(
        path.with_suffix(".csv"),
        sep=",;|\t"[draw(4)],
        lineterminator=("\n", "\r\n")[draw(2)],
        quoting=(csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC)[draw(3)],
        index=bool(draw(2)),
    )


def json_in_some_manner(part: pd.DataFrame, path: Path, draw: Callable[[int], int]) -> None:
    orient = ("split", "records", "columns", "index")[draw(4)]
    part.drop(columns="amount").to_json(
        path.with_suffix(".json"),
        orient=orient,  # type: ignore[call-overload]
        indent=(None, 2, 4)[draw(3)],
    )


def parquet_in_some_manner(part: pd.DataFrame, path: Path, draw: Callable[[int], int]) -> None:
    part.to_parquet(
        path.with_suffix(".parquet"),
        index=False,
        compression=("snappy", "gzip", "zstd", None)[draw(4)],
        data_page_version=("1.0", "2.0")[draw(2)],
        version=("1.0", "2.4", "2.6")[draw(3)],
    )


@pytest.mark.attempt("places")
@pytest.mark.parametrize("write", [csv_in_some_manner, json_in_some_manner, parquet_in_some_manner])
def test_a_manner_of_its_own_for_each_part_of_a_table_is_more_than_a_place_may_have(
    write: Callable[[pd.DataFrame, Path, Callable[[int], int]], None], case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each part goes on where the last one ended, which says nothing; how each is written would say some bits."""
    for name, draw, code in (("alike", lambda _: 0, 0), ("each", _RNG.randrange, 3)):
        folder = case / name
        folder.mkdir()
        for at in range(len(AGAIN)):
            write(AGAIN[at : at + 1].reset_index(drop=True), folder / f"part-{at:03d}", draw)
        assert scanned(folder, capsys)[0] == code
