"""A step for each kind of thing that is left: nobody is told to vacuum what no database has."""

from __future__ import annotations

import json
import re
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


def remedied(case: Path, capsys: pytest.CaptureFixture[str], name: str, text: str) -> str:
    """What a scan advises where a file of people who stay lies there."""
    (case / "here" / "now.csv").unlink(missing_ok=True)
    (case / "here" / name).write_text(text, encoding="utf-8")
    return " ".join(said(case, capsys).partition("What to do")[2].split())


def test_a_header_of_other_names_is_to_be_renamed(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "\n".join(["Kundennummer,Anschrift per Mail,Alter", *(",".join(row[:3]) for row in KEPT)]) + "\n"
    out = remedied(case, capsys, "export.csv", text)
    assert "Rename the columns of export.csv as the table calls them" in out
    assert "Have the table explain" not in out


def test_times_that_the_table_lacks_are_named_and_counted(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    times = [f"{at * 37 % 24:02d}:{at * 17 % 60:02d}:{at * 41 % 60:02d}" for at in range(len(KEPT))]
    text = "".join(f"2026-10-01 {time} view person={row[0]}\n" for time, row in zip(times, KEPT, strict=True))
    out = remedied(case, capsys, "app.log", text)
    assert "Leave the times out of app.log, line 1" in out
    assert f"and {len(KEPT) - 3} more lines like them" in out


def test_vectors_in_lines_are_to_be_saved_as_arrays(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(1)
    text = "".join(json.dumps({"id": row[0], "embedding": rng.normal(size=12).round(6).tolist()}) + "\n" for row in KEPT)
    out = remedied(case, capsys, "emb.jsonl", text)
    assert "Save the vectors of emb.jsonl as Parquet" in out
    assert "numbers in emb.jsonl, line" not in out


def test_a_record_over_several_lines_is_to_be_put_on_one(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "".join(f"- id: {row[0]}\n  visits: {row[2]}\n" for row in KEPT)
    assert "Write each record of people.yaml on one line" in remedied(case, capsys, "people.yaml", text)


def test_a_column_that_a_table_of_a_database_has_is_named_with_it(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (case / "here" / "now.csv").unlink()
    connection = sqlite3.connect(case / "here" / "shop.sqlite")
    connection.execute("CREATE TABLE orders (id TEXT, nr INTEGER)")
    connection.executemany("INSERT INTO orders VALUES (?, ?)", [(row[0], at * 7919 % 9973) for at, row in enumerate(KEPT)])
    connection.commit()
    connection.close()
    assert "table orders: give it the column nr" in " ".join(said(case, capsys).split())


@pytest.mark.parametrize("name", ["notes.md", "people.vcf"])
def test_records_over_several_lines_are_to_be_in_another_format(
    name: str, case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = {
        "notes.md": "## {0}\n\n- mail: {1}\n\n{2} years\n\n",
        "people.vcf": "BEGIN:VCARD\nUID:{0}\nEMAIL:{1}\nEND:VCARD\n",
    }
    out = remedied(case, capsys, name, "".join(records[name].format(*row) for row in KEPT))
    assert f"Write each record of {name} on one line, as CSV or JSON lines with the person’s id" in out
    assert "in one form" not in out
    assert "words and numbers around values" not in out


def indexed(path: Path, *settings: str) -> None:
    """A database of the people who stay, with a number of its own in each row and a full-text index."""
    with sqlite3.connect(path) as opened:
        opened.execute("CREATE TABLE crm (note_id INTEGER PRIMARY KEY, id TEXT, email TEXT)")
        opened.executemany(
            "INSERT INTO crm (note_id, id, email) VALUES (?, ?, ?)",
            [(at * 7919 % 9973, *row[:2]) for at, row in enumerate(KEPT, 1)],
        )
        opened.execute("CREATE VIRTUAL TABLE search USING fts5(email, content='crm', content_rowid='note_id')")
        for each in (*settings, "INSERT INTO search (search) VALUES ('rebuild')"):
            opened.execute(each)
    opened.close()


def test_columns_of_a_full_text_index_are_not_called_a_tables_that_people_lack(
    case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (case / "here" / "now.csv").unlink()
    indexed(case / "here" / "now.db")
    out = said(case, capsys)
    assert "the table has no column note_id" in out
    assert not {"block", "segid", "pgno"} & set(re.findall(r"\w+", out))
    assert "full-text index" not in out, "its texts give it"


def test_a_full_text_index_that_its_texts_do_not_give_is_called_one(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (case / "here" / "now.csv").unlink()
    indexed(case / "here" / "now.db", "INSERT INTO search (search, rank) VALUES ('automerge', 0)")
    out = " ".join(said(case, capsys).split())
    assert "the table has no column note_id; SQLite’s full-text index search differs from the one that its texts give" in out
    assert "uild the full-text index of now.db again" in out
    assert "give it the column note_id" in out
