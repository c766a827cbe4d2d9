"""Whose row was found leaves nobody else untold, and is a carrier of nobody else's data."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pytest
from pydantic import ValidationError

from auditor.api import Audit
from auditor.base.domain import Status, Verdict
from auditor.case import read
from auditor.cli import run
from auditor.parts.places.judging.places_erased import Derived, PlaceSeen, judge
from auditor.parts.places.observing import searching
from auditor.parts.places.observing.reading import serve
from auditor.parts.places.observing.sought import Sought
from auditor.verdict.request_status import Data, chains
from judging import context_of_case
from tests.parts.places.test_places import CASE, COLUMNS, GONE, KEPT, LOG, PEOPLE, TABLE, _place, audited, case, database, write

__all__ = ["case"]
Row = tuple[str, ...]
OWN = next(row for row in PEOPLE if row[0] == GONE[0])
OTHER = next(row for row in PEOPLE if row[0] == GONE[1])
WITH_OWN = [row for row in PEOPLE if row[0] not in GONE[1:]]


def known(found: Audit) -> tuple[Data | None, ...]:
    return tuple(each.data for each in chains(found.evidence))


class _Here:
    """The process that reads places, in this one: what it answers is JSON as well."""

    def __init__(self, sought: Sought) -> None:
        self._answer = serve(sought)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def ask(self, question: Any, content: bytes = b"", *, size: int | None = None) -> Any:
        del size
        return json.loads(json.dumps(self._answer(json.loads(json.dumps(question)), content)))


@dataclass(frozen=True)
class Found:
    """What a search came to."""

    ids: tuple[str, ...]
    place: PlaceSeen
    leaves_others_open: bool
    status: Status


@pytest.fixture
def search(case: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Found]:
    """Search the case, and judge what was seen."""
    monkeypatch.setattr(searching, "reader", _Here)

    def searched() -> Found:
        (case / "audit.toml").write_text(CASE.format(here='"here"') + TABLE, encoding="utf-8")
        read_again = read(case)
        observed = searching.observe(read_again)
        finding = judge(context_of_case(read_again), observed, {})
        left = finding.derived
        assert isinstance(left, Derived)
        is_open = bool(left.open_places) or any(each.bytes > each.found for each in left.unexplained)
        return Found(observed.request_ids, observed.places[0], is_open, finding.status)

    return searched


def _typed(row: Sequence[str]) -> dict[str, Any]:
    return {"id": row[0], "email": row[1], "age": int(row[2]), "income": float(row[3])}


def _csv(here: Path, rows: Sequence[Row]) -> None:
    write(here / "now.csv", rows)


def _json_lines(here: Path, rows: Sequence[Row]) -> None:
    (here / "now.jsonl").write_text("".join(json.dumps(_typed(row)) + "\n" for row in rows), encoding="utf-8")


def _json(here: Path, rows: Sequence[Row]) -> None:
    (here / "now.json").write_text(json.dumps([_typed(row) for row in rows]), encoding="utf-8")


def _sqlite(here: Path, rows: Sequence[Row]) -> None:
    database(here / "now.db", [tuple(_typed(row).values()) for row in rows]).close()


def _texts(here: Path, rows: Sequence[Row]) -> None:
    lines = [json.dumps({"customer": row[0], "text": f"{row[1]} asked about an order."}) + "\n" for row in rows]
    (here / "now.jsonl").write_text("".join(lines), encoding="utf-8")


def _plain(here: Path, rows: Sequence[Row]) -> None:
    (here / "now.txt").write_text("".join(f"Dear {row[1]}, your number is {row[0]}.\n" for row in rows), encoding="utf-8")


def _some_columns(here: Path, rows: Sequence[Row]) -> None:
    write(here / "now.csv", [row[:3] for row in rows], COLUMNS[:3])


@pytest.mark.parametrize("make", [_csv, _json_lines, _json, _sqlite, _some_columns, _texts, _plain])
def test_a_deleted_persons_own_row_is_theirs_alone(
    case: Path, search: Callable[[], Found], make: Callable[[Path, Sequence[Row]], None]
) -> None:
    (case / "here" / "now.csv").unlink()
    make(case / "here", KEPT)
    assert search().status is Status.PASS
    (case / "here" / "now.db").unlink(missing_ok=True)
    make(case / "here", WITH_OWN)
    found = search()
    assert (found.status, found.ids, found.leaves_others_open) == (Status.FAIL, ("R-0",), False)
    assert (found.place.found_rows, found.place.found_bytes) == (1, found.place.unexplained)


@pytest.mark.usefixtures("unprinted")
def test_the_others_are_told_that_they_were_not_found_again(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(case / "here" / "now.csv", WITH_OWN)
    found = audited(case, out=case / "audit")
    assert found.verdict is Verdict.FAIL
    assert known(found) == (Data.FOUND, Data.NOT_FOUND, Data.NOT_FOUND)
    assert run(["verify", str(case / "audit"), "--quiet"]) == 0
    capsys.readouterr()
    assert run(["explain", str(case / "audit")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Delete the row of the person found in here" in said
    assert "Rows that were found hold these people’s own values and nothing else: here (" in said
    assert "Not explained by the data of anyone who stays" not in said
    assert "could not be cleared" not in said


def _with(*rows: Row) -> Callable[[Path], object]:
    return lambda here: write(here / "now.csv", [*KEPT, *rows])


def _in_a_spelling_of_its_own(here: Path) -> None:
    income = f"{OWN[3]}{'0' * 24}"
    _with((*OWN[:3], income))(here)


def _with_a_line_end_of_its_own(here: Path) -> None:
    write(here / "now.csv", KEPT)
    with (here / "now.csv").open("a", encoding="utf-8", newline="") as file:
        file.write(",".join(OWN) + " " * 40 + "\r\n")


def _twice_in_the_database(here: Path) -> None:
    (here / "now.csv").unlink()
    rows = [tuple(_typed(row).values()) for row in (*WITH_OWN, OWN)]
    database(here / "now.db", rows).close()


def _under_a_number_of_its_own(here: Path) -> None:
    (here / "now.csv").unlink()
    connection = database(here / "now.db", [tuple(_typed(row).values()) for row in KEPT])
    number = int.from_bytes(f"{OTHER[3]}".encode()[:7], "big")
    connection.execute(
        "INSERT INTO people (rowid, id, email, age, income) VALUES (?, ?, ?, ?, ?)", (number, *_typed(OWN).values())
    )
    connection.commit()
    connection.close()


def _next_to_deleted_pages(here: Path) -> None:
    (here / "now.csv").unlink()
    rows = [tuple(_typed(row).values()) for row in PEOPLE]
    connection = sqlite3.connect(here / "now.db")
    connection.close()
    connection = database(here / "now.db", rows)
    connection.execute("DELETE FROM people WHERE id = ?", (GONE[2],))
    connection.execute("UPDATE people SET email = '' WHERE id = ?", (KEPT[0][0],))
    connection.commit()
    connection.close()


def _line(text: str, at: int = len(KEPT)) -> Callable[[Path], object]:
    """Lines of people who stay, with one more between them."""

    def make(here: Path) -> None:
        (here / "now.csv").unlink()
        _plain(here, KEPT)
        lines = (here / "now.txt").read_text(encoding="utf-8").splitlines(keepends=True)
        (here / "now.txt").write_text("".join([*lines[:at], text, *lines[at:]]), encoding="utf-8")

    return make


def _next_to_words_on_one_line(here: Path) -> None:
    (here / "now.csv").unlink()
    said = [f"Dear {row[1]}, your number is {row[0]}." for row in (*KEPT, OWN)]
    (here / "now.json").write_text(json.dumps([*said, "what the other one of them told us in June"]), encoding="utf-8")


OWN_LINE = f"Dear {OWN[1]}, your number is {OWN[0]}.\n"


@pytest.mark.parametrize(
    "make",
    [
        _line(OWN_LINE * 2),
        _line(OWN_LINE.replace("number", "numbers")),
        _line(OWN_LINE.replace(".\n", ". \n")),
        _line(OWN_LINE.replace("Dear ", f"Dear {OTHER[3]} ")),
        _line(OWN_LINE.replace(OWN[1], OTHER[1])),
        _line(OWN_LINE.replace(OWN[1], OWN[1].upper())),
        _with(OWN, OWN),
        _with(OWN, *[OWN] * 7),
        _with((*OWN[:2], OTHER[2], OTHER[3])),
        _with((OWN[0], OTHER[1], *OWN[2:])),
        _with((*OWN[:3], f"{OWN[3]} {OTHER[3]}")),
        _with((*OWN, OTHER[3])),
        _in_a_spelling_of_its_own,
        _with_a_line_end_of_its_own,
        _twice_in_the_database,
        _under_a_number_of_its_own,
        _next_to_deleted_pages,
        _next_to_words_on_one_line,
    ],
)
def test_a_row_that_could_carry_more_leaves_the_others_untold(
    case: Path, search: Callable[[], Found], make: Callable[[Path], object]
) -> None:
    make(case / "here")
    found = search()
    assert found.status is Status.FAIL
    assert found.leaves_others_open


def test_anothers_values_in_a_found_row_are_that_persons_finding(case: Path, search: Callable[[], Found]) -> None:
    _with((OWN[0], OTHER[1], *OWN[2:]))(case / "here")
    assert search().ids == ("R-0", "R-1")


def test_which_of_many_have_a_row_left_is_no_free_word(case: Path, search: Callable[[], Found]) -> None:
    """Forty of sixty were deleted, and every other row of theirs was left: forty bits and more, file by file."""
    gone = [row[0] for row in PEOPLE[:40]]
    rows = [
        {
            "request_id": f"R-{at:02d}",
            "record_ids": [record],
            "received_at": "2026-10-01T09:00:00+00:00",
            "executed_at": "2026-10-05T09:00:00+00:00",
        }
        for at, record in enumerate(gone)
    ]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for number, pattern in enumerate((0b1011001110001011, 0b0110100111010010, 0b1100101011100101)):
        left = [row for at, row in enumerate(PEOPLE[:40]) if pattern >> (at % 16) & 1]
        write(case / "here" / f"{number}.csv", [*left, *PEOPLE[40:]])
    (case / "here" / "now.csv").unlink()
    counted = search().place.spare_bits
    assert counted > 90
    for number in range(3):
        write(case / "here" / f"{number}.csv", PEOPLE)  # nobody was deleted: that says nothing more
    assert search().place.spare_bits < counted // 3


@pytest.mark.parametrize("make", [_csv, _plain])
def test_where_many_rows_that_are_found_stand_is_no_free_word(
    case: Path, search: Callable[[], Found], make: Callable[[Path, Sequence[Row]], None]
) -> None:
    gone = [row[0] for row in PEOPLE[:24]]
    rows = [{**LOG[0], "request_id": f"R-{at:02d}", "record_ids": [record], "terms": []} for at, record in enumerate(gone)]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (case / "here" / "now.csv").unlink()
    make(case / "here", PEOPLE)
    whole = search()
    assert whole.place.found_rows == len(gone)
    assert not whole.leaves_others_open
    places = random.Random(5).sample(range(len(PEOPLE) - 24), 24)
    mixed = list(PEOPLE[24:])
    for row, at in zip(PEOPLE[:24], places, strict=True):
        mixed.insert(at, row)
    make(case / "here", mixed)
    assert search().leaves_others_open


def test_no_more_rows_are_their_own_than_people_are_found() -> None:
    assert _place(found=1, in_rows=1, unexplained=55, found_rows=1, found_bytes=55).found_bytes == 55
    for wrong in ({"found_rows": 1}, {"found_bytes": 5, "found": 1}, {"found_bytes": 60, "found_rows": 1, "found": 1}):
        with pytest.raises(ValidationError):
            _place(**{"unexplained": 55, **wrong})


def test_receipts_are_taken_and_lineage_says_why_it_is_not(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (case / "proof.txt").write_text("All copies were erased.", encoding="utf-8")
    receipt = (
        '\n[[receipts]]\nprocessor = "Cloudbarn"\nwhat = "erased"\nrequests = ["R-0"]\nat = 2026-10-06\nfile = "proof.txt"\n'
    )
    found = audited(case, more=receipt, out=case / "audit")
    assert found.verdict is Verdict.PASS
    assert [each.processor for each in found.evidence.receipts] == ["Cloudbarn"]
    assert run(["verify", str(case / "audit"), "--quiet"]) == 0
    made = '\n[[lineage]]\nname = "scores"\nkind = "other"\ndeclared_by = "Kim Example"\n'
    text = (case / "audit.toml").read_text(encoding="utf-8") + made
    (case / "audit.toml").write_text(text, encoding="utf-8")
    capsys.readouterr()
    assert run(["validate", str(case)]) == 2
    said = " ".join("".join(capsys.readouterr()).split())
    assert "no model is examined" in said
    assert "search its files under [places]" in said


def test_where_nothing_was_deleted_nobody_is_said_to_be_gone(case: Path, search: Callable[[], Found]) -> None:
    """Tickets of people of whom nothing is held are logged under pseudonyms: no place has these, and that shows nothing."""
    rows = [{"request_id": "R-0", "record_ids": ["9f2c4e"], "received_at": "2026-10-01T09:00:00+00:00", "status": "no_match"}]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert search().status is Status.INCONCLUSIVE
