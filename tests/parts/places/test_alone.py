"""Values of deleted people alone are met where words are free, in any way of parting them, and those of others are not."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.api import check
from auditor.base.domain import Verdict
from tests.parts.places.test_places import CASE, KEPT, LOG, PEOPLE, TABLE, database, write

GONE = PEOPLE[16]
"""C-0017, p17@mail.example, 37, 1121.71: nobody else has this sum, and others have this age."""
OTHER = KEPT[4]
NAMES = ("id", "email", "age", "income", "name", "since")


@pytest.fixture
def case(tmp_path: Path) -> Path:
    rows = [
        (*row, f"Vera Uhl{at}brock" if row == GONE else "Tom Berg", f"2019-02-{1 + at % 28:02d}") for at, row in enumerate(PEOPLE)
    ]
    rows = [(*row[:5], "2018-11-05") if row[0] == GONE[0] else row for row in rows]
    write(tmp_path / "people.csv", rows, NAMES)
    (tmp_path / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in LOG), encoding="utf-8")
    (tmp_path / "here").mkdir()
    (tmp_path / "audit.toml").write_text(CASE.format(here='"here"') + TABLE, encoding="utf-8")
    return tmp_path


def table_called(name: str) -> Callable[[Path], None]:
    def make(here: Path) -> None:
        connection = database(here / "now.db", [(row[0], row[1], int(row[2]), float(row[3])) for row in KEPT])
        connection.execute(f'CREATE TABLE "{name}" (id TEXT)')
        connection.commit()
        connection.execute("VACUUM")
        connection.close()

    return make


def index_called(name: str) -> Callable[[Path], None]:
    def make(here: Path) -> None:
        table_called("orders")(here)
        with sqlite3.connect(here / "now.db") as connection:
            connection.execute(f'CREATE INDEX "{name}" ON people (age)')
        connection.execute("VACUUM")
        connection.close()

    return make


def version(number: int) -> Callable[[Path], None]:
    def make(here: Path) -> None:
        table_called("orders")(here)
        with sqlite3.connect(here / "now.db") as connection:
            connection.execute(f"PRAGMA user_version = {number}")
        connection.close()

    return make


def line(text: str) -> Callable[[Path], None]:
    return lambda here: (here / "ids.txt").write_text("".join(f"{row[0]}\n" for row in KEPT) + text + "\n")


def lines(*files: str) -> Callable[[Path], None]:
    """Files of lines of their own."""

    def make(here: Path) -> None:
        write(here / "people.csv", KEPT)
        for at, text in enumerate(files):
            (here / f"{'abc'[at]}.txt").write_text(text)

    return make


def numbered(first: int) -> Callable[[Path], None]:
    return lambda here: (here / "ids.txt").write_text("".join(f"{first + at} {row[0]}\n" for at, row in enumerate(KEPT)))


def tables_called(*names: str) -> Callable[[Path], None]:
    def make(here: Path) -> None:
        table_called(names[0])(here)
        with sqlite3.connect(here / "now.db") as connection:
            for each in names[1:]:
                connection.execute(f'CREATE TABLE "{each}" (id TEXT)')
        connection.execute("VACUUM")
        connection.close()

    return make


def folder(name: str) -> Callable[[Path], None]:
    def make(here: Path) -> None:
        (here / name).mkdir(parents=True)
        write(here / name / "people.csv", KEPT)

    return make


@pytest.fixture
def named_as_others(case: Path) -> Path:
    """Vera Uhlbrock is deleted; Tom Uhlbrock and Vera Berg stay, so that each word of her name is somebody else's too."""
    others = ("Tom Uhlbrock", "Vera Berg")
    rows = [(*row, "Vera Uhlbrock" if row == GONE else others[at % 2]) for at, row in enumerate(PEOPLE)]
    write(case / "people.csv", rows, NAMES[:5])
    return case


@pytest.mark.attempt("names turned round")
@pytest.mark.parametrize(
    "make",
    [
        line("Uhlbrock, Vera"),
        line("Vera M. Uhlbrock"),
        line("uhlbrockvera"),
        line("uhlbrock of berlin, that is vera"),
        table_called("uhlbrock_vera"),
        table_called("vera_of_berlin_uhlbrock"),
        index_called("ix_uhlbrock_m_vera"),
        folder("uhlbrock-vera"),
        folder("uhlbrock/vera"),
        lines("Name: Vera\n\nFamily: Uhlbrock\n"),
        lines("vera\n", "uhlbrock\n"),
        tables_called("uhlbrock", "vera"),
        tables_called("huyoebpx_iren"),
        line("arev kcorblhu"),
    ],
)
def test_a_deleted_persons_name_in_another_order_is_no_free_word(named_as_others: Path, make: Callable[[Path], None]) -> None:
    make(named_as_others / "here")
    assert check(named_as_others).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    "make", [table_called("uhlbrock_tom"), table_called("berg_vera"), folder("berg/vera"), folder("uhlbrock")]
)
def test_names_of_people_who_stay_are_free_in_any_order(named_as_others: Path, make: Callable[[Path], None]) -> None:
    make(named_as_others / "here")
    assert check(named_as_others).verdict is Verdict.PASS


@pytest.mark.parametrize(
    "make",
    [
        line("1121.71"),
        line("1121,71"),
        line("sum 112171"),
        line("2018-11-05"),
        line("05.11.2018"),
        line("verauhl16brock"),
        table_called("t1121 71"),
        table_called("uhl16brock"),
        index_called("ix_20181105"),
        version(112171),
        folder("backup-2018-11-05"),
        folder("t1121_71"),
        line("1121.710"),
        line("0x1b62b"),
        line("5 Nov 2018"),
        line("since November 5, 2018"),
        line("11/5/2018"),
        line("5.11.18"),
        line("2018-309"),
        folder("people-5-nov-2018"),
        table_called("t_5_nov_2018"),
        numbered(20181105),
        numbered(112171),
        line(f"key {hashlib.md5(GONE[1].encode(), usedforsecurity=False).hexdigest()[:8]}"),
        table_called(f"t_{hashlib.sha256(GONE[0].encode()).hexdigest()[:8]}"),
    ],
)
def test_a_value_of_a_deleted_person_is_no_free_word(case: Path, make: Callable[[Path], None]) -> None:
    make(case / "here")
    assert check(case).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    "make",
    [
        line(OTHER[0]),
        line("2024-01-05"),
        line("customers"),
        table_called("orders"),
        index_called("ix_20240105"),
        version(37),
        folder("backup-2024-01-05"),
        folder("berg"),
        line("5 Jan 2024"),
        line("version 5.11.17"),
        numbered(20240105),
        numbered(1),
        line(f"key {hashlib.md5(b'anyone', usedforsecurity=False).hexdigest()[:8]}"),
    ],
)
def test_other_words_and_numbers_are_free_as_they_were(case: Path, make: Callable[[Path], None]) -> None:
    make(case / "here")
    assert check(case).verdict is Verdict.PASS


@pytest.mark.attempt("names of the log turned round")
@pytest.mark.parametrize("text", ["Tannhauser, Frieda\n", "first Frieda\nlast Tannhauser\n"])
def test_names_that_the_log_alone_has_are_looked_for_in_any_order(case: Path, text: str) -> None:
    """The table has no deleted people, and people who stay have each word of the name."""
    rows = [(*row[:4], ("Frieda Berg", "Tom Tannhauser")[at % 2]) for at, row in enumerate(KEPT)]
    write(case / "people.csv", rows, NAMES[:5])
    log = [{**row, "terms": ["Frieda Tannhauser"]} for row in LOG]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    write(case / "here" / "people.csv", rows, NAMES[:5])
    assert check(case).verdict is Verdict.PASS
    (case / "here" / "README.txt").write_text(text)
    assert check(case).verdict is Verdict.INCONCLUSIVE


@pytest.mark.attempt("first and last name in two columns")
def test_names_in_two_columns_are_looked_for_as_one(case: Path) -> None:
    rows = [
        (row[0], *(("Vera", "Uhlbrock") if row == GONE else (("Tom", "Uhlbrock"), ("Vera", "Berg"))[at % 2]))
        for at, row in enumerate(PEOPLE)
    ]
    kept = {row[0] for row in KEPT}
    write(case / "people.csv", rows, ("id", "first", "last"))
    write(case / "here" / "people.csv", [row for row in rows if row[0] in kept], ("id", "first", "last"))
    (case / "here" / "README.txt").write_text("Tom Berg\n")
    assert check(case).verdict is Verdict.PASS
    (case / "here" / "README.txt").write_text("Uhlbrock, Vera\n")
    assert check(case).verdict is Verdict.INCONCLUSIVE
