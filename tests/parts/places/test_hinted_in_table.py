"""A note in a row of somebody who stays that tells a deleted person: the table has it, and it explains nothing all the same."""

from __future__ import annotations

import base64
from datetime import date, timedelta
from pathlib import Path

import pytest

from auditor.base.domain import Verdict
from tests.parts.places.test_places import COLUMNS, GONE, PEOPLE, audited, case, seen, write

__all__ = ["case"]
NAMED = (*COLUMNS, "name", "born", "note")
FIRST, LAST = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gesa"), ("Aalto", "Brandvold", "Czerny", "Dahlgren", "Eklund")


def row_of(at: int, note: str) -> tuple[str, ...]:
    own = PEOPLE[at]
    name = f"{FIRST[at % 7]} {LAST[at // 7 % 5]}{'abcdefghijkl'[at // 5]}"
    return (*own, name, (date(1950, 1, 3) + timedelta(days=211 * at)).isoformat(), note)


ROWS = [row_of(at, f"wants a quote {'again' * (at % 2)}".strip()) for at in range(len(PEOPLE))]
OWN = next(row for row in ROWS if row[0] == GONE[1])
BORN = date.fromisoformat(OWN[5])


def told(case: Path, *notes: str) -> Verdict:
    rows = [(*row[:-1], notes[at] if at < len(notes) else row[-1]) for at, row in enumerate(ROWS)]
    write(case / "people.csv", rows, NAMED)
    write(case / "here" / "now.csv", [row for row in rows if row[0] not in GONE], NAMED)
    return audited(case).verdict


@pytest.mark.attempt("a deleted person told in another's note of the table")
@pytest.mark.parametrize(
    "note",
    [
        f"see file {' '.join(OWN[0].replace('-', ''))}",
        base64.b32encode(OWN[0].encode()).decode(),
        f"wants a quote {OWN[0].encode().hex()}",
        OWN[1].encode().hex(),
        f"neighbour born {BORN:%d.%m.%Y} moved out",
        f"neighbour born on {BORN.day} {BORN:%B %Y}",
        f"born {BORN:%m/%d/%y}",
        f"{OWN[4].split()[1]} called, says {OWN[4].split()[0]}",
        OWN[4][::-1],
        f"ask {OWN[4].replace(' ', '').lower()}",
    ],
    ids=[
        "spaced id",
        "base32",
        "hex",
        "address in hex",
        "day",
        "day in words",
        "short day",
        "name apart",
        "name reversed",
        "name as one word",
    ],
)
def test_a_note_that_tells_a_deleted_person_leaves_the_place_open(case: Path, note: str) -> None:
    assert told(case, note) is not Verdict.PASS
    assert seen(audited(case))["named"] or seen(audited(case))["found"]


@pytest.mark.attempt("a deleted person told in another's note of the table, and in that person's own")
@pytest.mark.parametrize(
    "note", [f"see file {' '.join(OWN[0].replace('-', ''))}", f"neighbour born {BORN:%d.%m.%Y} moved out", f"ask {OWN[4][::-1]}"]
)
def test_a_note_in_both_rows_leaves_the_place_open(case: Path, note: str) -> None:
    of_both = [note if at in (0, ROWS.index(OWN)) else row[-1] for at, row in enumerate(ROWS)]
    assert told(case, *of_both) is not Verdict.PASS
    assert seen(audited(case))["named"] or seen(audited(case))["found"]


@pytest.mark.parametrize("note", ["wants a quote", "born 3 May 1931", "Ada called", "see C-0012 of mine", "2 of 3 delivered"])
def test_a_note_that_tells_nobody_passes(case: Path, note: str) -> None:
    assert told(case, note) is Verdict.PASS


def test_days_that_come_up_of_people_who_stay_too_tell_nobody(case: Path) -> None:
    """Where notes are full of dates, that of a deleted person comes up by chance."""
    stay = [row[5] for row in ROWS if row[0] not in GONE][20:44]
    assert told(case, f"call on {BORN}", *(f"call on {day}" for day in stay)) is Verdict.PASS


def test_a_note_that_is_nowhere_but_in_the_table_opens_no_place(case: Path) -> None:
    rows = [(*row[:-1], f"neighbour born {BORN:%d.%m.%Y} moved out" if at == 0 else row[-1]) for at, row in enumerate(ROWS)]
    write(case / "people.csv", rows, NAMED)
    write(case / "here" / "now.csv", [row[:-1] for row in rows if row[0] not in GONE], NAMED[:-1])
    assert audited(case).verdict is Verdict.PASS
