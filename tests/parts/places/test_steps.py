"""A step for each kind of thing that is left: nobody is told to vacuum what no database has."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.cli import run
from tests.parts.places.test_places import KEPT, LOG, case, database, write

__all__ = ["case"]
ROWS = [(row[0], row[1], int(row[2]), float(row[3])) for row in KEPT]


def said(case: Path, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    told = [str(case / "here"), *more, "--log", str(case / "deletions.jsonl"), "--data", str(case / "people.csv")]
    assert run(["scan", *told]) == 3
    return capsys.readouterr().out


def test_vacuum_is_for_a_database_whose_pages_hold_more_than_rows(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (case / "here" / "now.csv").unlink()
    connection = database(case / "here" / "now.db", ROWS)
    connection.execute("CREATE TABLE notes (text TEXT)")
    connection.executemany("INSERT INTO notes VALUES (?)", [(f"note {at} " * 20,) for at in range(40)])
    connection.commit()
    connection.execute("DELETE FROM notes")
    connection.commit()
    connection.close()
    assert "VACUUM" in said(case, capsys)
    with sqlite3.connect(case / "here" / "now.db") as again:
        again.execute("INSERT INTO notes VALUES ('called back')")
        again.commit()
        again.execute("VACUUM")
    again.close()
    assert "VACUUM" not in said(case, capsys)


def test_rows_in_no_known_order_are_to_be_written_in_one(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mixed = sorted(KEPT, key=lambda row: row[3][::-1])
    mixed = [mixed[at * 23 % len(mixed)] for at in range(len(mixed))]
    write(case / "here" / "now.csv", mixed)
    out = said(case, capsys)
    assert "Write the rows in the table’s order" in out
    assert "Have the table explain" not in out


def test_several_places_are_called_by_the_folder_that_they_lie_in(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(case / "more.csv", KEPT)
    told = [
        str(case / "here"),
        str(case / "more.csv"),
        "--log",
        str(case / "deletions.jsonl"),
        "--data",
        str(case / "people.csv"),
    ]
    assert run(["scan", *told]) == 0
    assert f"“{case.name}”" in "".join(capsys.readouterr())


def test_rows_with_vectors_and_a_note_pass_as_the_step_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of everybody's vectors in arrays, and of a column of lists, no note follows: of a column for each number both do."""
    rng = np.random.default_rng(3)
    vectors, ids = (
        rng.normal(size=(40, 12)).astype(np.float32),
        [f"cust-{each}" for each in rng.permutation(80_000)[:40] + 10_000],
    )
    notes = [f"Order {each}, sent to {('Graz', 'Gent', 'Brno')[each % 3]}." for each in rng.permutation(900_000)[:40] + 100_000]
    lists = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), 12)
    everybody = {"id": ids, "note": notes, "vector": lists}
    pq.write_table(pa.table(everybody).slice(1), tmp_path / "now.parquet")
    row = {**LOG[0], "record_ids": ids[:1], "terms": []}
    (tmp_path / "deletions.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    np.savez(tmp_path / "arrays.npz", ids=np.array(ids), features=vectors)
    pq.write_table(pa.table(everybody), tmp_path / "lists.parquet")
    columns = {f"v{at}": vectors[:, at] for at in range(12)}
    pq.write_table(pa.table({"id": ids, "note": notes, **columns}), tmp_path / "columns.parquet")
    for name, code in (("arrays.npz", 3), ("lists.parquet", 3), ("columns.parquet", 0)):
        told = [str(tmp_path / "now.parquet"), "--log", str(tmp_path / "deletions.jsonl"), "--data", str(tmp_path / name)]
        assert run(["scan", *told]) == code, name
        out = capsys.readouterr().out
        assert ("with a column for each number of a vector" in " ".join(out.split())) is (code == 3)
