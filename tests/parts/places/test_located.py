"""Where somebody was found is named by file and line, or row and columns, and never by what is there."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.cli import run
from auditor.parts.places.judging.found_at import FoundSpot
from auditor.parts.places.telling.sentences import said_spot
from auditor.recheck import recheck
from tests.parts.places.test_places import COLUMNS, GONE, KEPT, PEOPLE, audited, case, database, seen, write

__all__ = ["case"]
OWN = PEOPLE[2]


def spots(case: Path) -> list[dict[str, Any]]:
    place = seen(audited(case))
    assert [each["request_id"] for each in place["found_at"]] == ["R-0"]
    return list(place["found_at"][0]["spots"])


def test_a_row_of_a_csv_file_by_line_and_columns(case: Path) -> None:
    (case / "here" / "old").mkdir()
    write(case / "here" / "old" / "copy.csv", [*KEPT[:10], OWN])
    assert spots(case) == [{"file": "old/copy.csv", "line": 12, "columns": ["id", "email"]}]


def test_a_line_after_cells_of_several_lines_has_its_own_number(case: Path) -> None:
    with (case / "here" / "notes.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("id", "note"), (KEPT[0][0], "one\ntwo\nthree"), (KEPT[1][0], f"see {OWN[1]}")])
    assert spots(case) == [{"file": "notes.csv", "line": 5, "columns": ["note"], "under_other": True}]


def test_a_row_of_a_database_by_table_row_and_column(case: Path) -> None:
    connection = database(case / "here" / "now.sqlite", KEPT)
    connection.execute("CREATE TABLE orders (number INTEGER PRIMARY KEY, contact TEXT)")
    connection.executemany("INSERT INTO orders (contact) VALUES (?)", [(row[1],) for row in [*KEPT[:4], OWN]])
    connection.commit()
    connection.close()
    assert spots(case) == [{"file": "now.sqlite", "table": "orders", "row": 5, "columns": ["contact"]}]


def test_what_was_deleted_from_a_database_is_said_to_be(case: Path) -> None:
    connection = database(case / "here" / "now.sqlite", [*KEPT, OWN])
    connection.execute("DELETE FROM people WHERE id = ?", OWN[:1])
    connection.commit()
    connection.close()
    assert spots(case) == [{"file": "now.sqlite", "deleted": True}]


def test_a_row_of_a_parquet_file_by_row_and_columns(case: Path) -> None:
    rows = [*KEPT[:7], OWN]
    table = pa.table({name: [row[at] for row in rows] for at, name in enumerate(COLUMNS)})
    pq.write_table(table, case / "here" / "now.parquet")
    assert spots(case) == [{"file": "now.parquet", "row": 8, "columns": ["id", "email"]}]


@pytest.mark.parametrize(("owner", "under"), [(KEPT[5][0], True), (OWN[0], False), ("somebody", False)])
def test_what_is_under_the_id_of_somebody_who_stays_is_said_to_be(case: Path, owner: str, under: bool) -> None:
    lines = [{"owner": row[0], "said": "thank you"} for row in KEPT[:9]] + [{"owner": owner, "said": f"write to {OWN[1]}"}]
    (case / "here" / "chunks.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    found = spots(case)
    assert found == [{"file": "chunks.jsonl", "line": 10, **({"under_other": True} if under else {})}]
    assert said_spot(FoundSpot(**found[0]).told()) == "chunks.jsonl, line 10" + ", under another person’s id" * under


def test_a_line_of_a_text_in_another_spelling(case: Path) -> None:
    lines = [f"{row[0]} called" for row in KEPT[:30]]
    lines.insert(20, OWN[1].upper())
    (case / "here" / "calls.txt").write_text("\n".join(lines), encoding="utf-8")
    assert spots(case) == [{"file": "calls.txt", "line": 21}]


def test_a_file_is_named_where_no_line_has_somebody_by_itself(case: Path) -> None:
    (case / "here" / "raw.bin").write_bytes(b"\0\1\2" + OWN[1].encode() + b"\0\xff")
    assert spots(case) == [{"file": "raw.bin"}]


def test_what_a_folder_is_called(case: Path) -> None:
    (case / "here" / "attachments" / OWN[0]).mkdir(parents=True)
    assert spots(case) == [{"file": f"attachments/{OWN[0]}", "named": True}]


def test_further_spots_are_counted_and_each_request_has_its_own(case: Path) -> None:
    (case / "here" / "calls.txt").write_text("".join(f"{OWN[0]} {at}\n" for at in range(9)) + PEOPLE[16][0], encoding="utf-8")
    place = seen(audited(case))
    assert [(each["request_id"], len(each["spots"]), each.get("more", 0)) for each in place["found_at"]] == [
        ("R-0", 3, 6),
        ("R-1", 1, 0),
    ]


def test_a_column_that_is_called_by_somebodys_address_is_not_named(case: Path) -> None:
    write(case / "here" / "odd.csv", [(OWN[0], "x")], ("id", OWN[1]))
    assert {column for each in spots(case) for column in each.get("columns", ())} == {"id"}


def test_nothing_of_a_value_is_in_evidence_or_on_the_screen(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(case / "here" / "copy.csv", [*KEPT, OWN])
    options = ["--log", str(case / "deletions.jsonl"), "--data", str(case / "people.csv"), "--out", str(case / "out")]
    assert run(["scan", str(case / "here"), *options]) == 1
    out = capsys.readouterr().out
    assert f"R-0 in copy.csv, line {len(KEPT) + 2} (id and email)" in out
    evidence = next((case / "out").rglob("evidence.json"))
    assert OWN[1] not in evidence.read_text(encoding="utf-8") + out
    assert recheck(evidence).agrees


def test_where_a_name_was_met_is_named(case: Path) -> None:
    rows = [json.loads(line) for line in (case / "deletions.jsonl").read_text(encoding="utf-8").splitlines()]
    rows[0]["terms"] = ["Solveig Mansour"]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (case / "here" / "empty" / "Mansour_Solveig").mkdir(parents=True)
    (case / "here" / "empty" / "Duarte_Bruno").mkdir()
    (case / "here" / "note.txt").write_text("First line\nAsk Solveig Mansour\n", encoding="utf-8")
    place = seen(audited(case))
    assert place["found"] == 0
    (met,) = place["named_at"]
    assert met["request_id"] == "R-0"
    assert {each["file"]: each.get("line", 0) for each in met["spots"]} == {"empty/Mansour_Solveig": 0, "note.txt": 2}


def test_spots_of_somebody_who_was_not_found_contradict_the_evidence(case: Path) -> None:
    write(case / "here" / "copy.csv", [*KEPT, OWN])
    held = json.loads(audited(case).evidence.to_bytes())
    check = next(each for each in held["checks"] if each["id"] == "places.erased")
    check["observed"]["places"][0]["found_at"][0]["request_id"] = "R-2"
    (case / "forged.json").write_text(json.dumps(held), encoding="utf-8")
    said = " ".join(str(each) for document in recheck(case / "forged.json").documents for each in document.findings)
    assert "have spots, and were not found" in said
    assert len(GONE) == 3
