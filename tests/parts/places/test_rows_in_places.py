"""What whole rows of a place say of deleted people: renumbered extracts, and names in a database's history."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from auditor.base.domain import Verdict
from auditor.cli import run
from tests.parts.places.test_places import LOG, audited, case, seen, write

__all__ = ["case"]
FIRST = ["Anja", "Bernd", "Carla", "Dmitri", "Elif", "Farid", "Greta", "Hanno", "Irina", "Jonas", "Katrin", "Lukas"]
LAST = [
    "Abendroth",
    "Birkner",
    "Cermak",
    "Drewes",
    "Eichstedt",
    "Fuhrmann",
    "Gieseking",
    "Hartwig",
    "Iversen",
    "Jablonski",
    "Kowalke",
    "Lindqvist",
]
CITIES = ["Kiel", "Bremen", "Leipzig", "Rostock", "Aachen", "Passau"]
NAMES = ("id", "first", "last", "city", "balance", "opened")
_RNG = random.Random(7)
PEOPLE = [
    (
        f"C-{at:04d}",
        FIRST[at % 12],
        LAST[(at * 5 + at // 12) % 12],
        _RNG.choice(CITIES),
        f"{_RNG.randrange(1000, 9000000) / 100:.2f}",
        f"20{_RNG.randrange(10, 25)}-{_RNG.randrange(1, 13):02d}-{_RNG.randrange(1, 29):02d}",
    )
    for at in range(1, 121)
]
GONE = ("C-0003", "C-0017", "C-0042")
STAY = [row for row in PEOPLE if row[0] not in GONE]
LEFT = [row for row in PEOPLE if row[0] in GONE]


@pytest.fixture
def bank(case: Path) -> Path:
    """A case of a bank's customers, with what is there now."""
    write(case / "people.csv", PEOPLE, NAMES)
    write(case / "here" / "now.csv", STAY, NAMES)
    rows = [{**each, "terms": [" ".join(row[1:3])]} for each, row in zip(LOG, LEFT, strict=True)]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return case


def scanned(bank: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    told = [str(bank / "here"), "--log", str(bank / "deletions.jsonl"), "--data", str(bank / "people.csv")]
    return run(["scan", *told]), capsys.readouterr().out


def spots(place: Any, key: str) -> dict[str, Any]:
    return {each["request_id"]: each["spots"] for each in place[key]}


def renumbered(rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    return [(f"N{7 * at + 1000}", row[3], row[4], row[5]) for at, row in enumerate(rows)]


@pytest.mark.attempt("places")
@pytest.mark.usefixtures("unprinted")
def test_everybody_in_a_renumbered_extract_of_few_columns_is_found_with_their_line(bank: Path) -> None:
    write(bank / "here" / "extract.csv", renumbered(PEOPLE), ("id", "city", "balance", "opened"))
    place = seen(audited(bank))
    assert place["found"] == len(GONE)
    assert {each["line"] for those in spots(place, "found_at").values() for each in those} == {4, 18, 43}


@pytest.mark.usefixtures("unprinted")
def test_the_extract_of_those_who_stay_finds_nobody(bank: Path) -> None:
    write(bank / "here" / "extract.csv", [row[1:] for row in renumbered(STAY)], ("city", "balance", "opened"))
    found = audited(bank)
    place = seen(found)
    assert (place["found"], place["named"]) == (0, 0)
    assert found.verdict is Verdict.PASS


def _sqlite(here: Path, rows: Sequence[Sequence[str]]) -> None:
    (here / "now.csv").unlink()
    connection = sqlite3.connect(here / "crm.db")
    connection.execute("CREATE TABLE people (id TEXT, first TEXT, last TEXT, city TEXT, balance REAL, opened TEXT)")
    connection.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)", STAY)
    connection.execute("CREATE TABLE history (op TEXT, first TEXT, last TEXT, city TEXT)")
    connection.executemany("INSERT INTO history VALUES ('D', ?, ?, ?)", [row[1:4] for row in rows])
    connection.commit()
    connection.close()


def _json(here: Path, rows: Sequence[Sequence[str]]) -> None:
    held = [dict(zip(NAMES[1:4], row[1:4], strict=True)) for row in rows]
    (here / "history.jsonl").write_text("".join(json.dumps(each) + "\n" for each in held), encoding="utf-8")


@pytest.mark.attempt("places")
@pytest.mark.usefixtures("unprinted")
@pytest.mark.parametrize(("make", "where"), [(_sqlite, {"table": "history", "row": 2}), (_json, {"line": 2})])
def test_names_in_two_columns_of_a_history_are_met_with_their_row(bank: Path, make: Any, where: dict[str, Any]) -> None:
    make(bank / "here", LEFT)
    place = seen(audited(bank))
    assert place["found"] + place["named"] == len(GONE)
    known = spots(place, "found_at" if place["found"] else "named_at")
    (spot,) = known["R-1"]
    assert {name: spot[name] for name in where} == where
    assert spot["columns"] == ["first", "last", "city"][: len(spot["columns"])]
    assert len(spot["columns"]) >= 2


@pytest.mark.usefixtures("unprinted")
def test_a_history_of_those_who_stay_names_nobody(bank: Path) -> None:
    _sqlite(bank / "here", STAY[:20])
    place = seen(audited(bank))
    assert (place["found"], place["named"]) == (0, 0)


def test_the_step_for_a_database_is_not_to_export_it(bank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _sqlite(bank / "here", [])
    connection = sqlite3.connect(bank / "here" / "crm.db")
    connection.execute("ALTER TABLE people ADD COLUMN remark TEXT")
    connection.execute("UPDATE people SET remark = 'asked for Mr Quandt and his 81 boxes' WHERE id = ?", STAY[0][:1])
    connection.commit()
    connection.execute("VACUUM")
    connection.close()
    code, out = scanned(bank, capsys)
    assert code == 3
    assert "crm.db has" in out or "Have the table explain crm.db" in out
    assert "Export crm.db" not in out


def test_a_day_that_a_deleted_person_alone_has_is_to_be_taken_out_whatever_column_is_missing(
    bank: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    days = sorted({row[5] for row in PEOPLE})
    write(bank / "here" / "openings.csv", [(day, str(sum(row[5] == day for row in PEOPLE))) for day in days], ("opened", "n"))
    code, out = scanned(bank, capsys)
    lines = {days.index(row[5]) + 2 for row in LEFT if row[5] not in {each[5] for each in STAY}}
    assert code == 3
    assert lines
    assert f"Take words, dates and numbers of deleted people out of openings.csv, line {min(lines)}" in out
    assert "no column n" in out


def test_a_surname_in_one_line_is_to_be_taken_out_of_it(bank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"id": row[0], "said": f"Thank you, {row[1]}.", "more": {"city": row[3]}} for row in STAY]
    rows[4]["said"] = f"{rows[4]['said']} As Mr {LEFT[0][2]} also said, whom you met at the branch."
    (bank / "here" / "chat.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
    code, out = scanned(bank, capsys)
    assert code == 3
    assert "deleted people out of chat.jsonl, line 5" in out
