"""A German table passes as one of points does: all numbers of a column have a decimal comma, which says no more than they do."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from auditor.api import check, checking
from auditor.base.domain import Verdict
from auditor.cli import run
from auditor.parts.places.observing.alone import Alone
from auditor.parts.places.observing.own_values import Owners
from auditor.parts.places.observing.sought import of_case
from auditor.parts.places.observing.text_accounts import Before, account
from auditor.parts.store.judging.accounting import SPARE_EACH
from tests.parts.places.test_places import CASE, TABLE

_DRAW = random.Random(7)
PEOPLE = [
    (
        f"cust-{_DRAW.randrange(16**6):06x}{at:04d}",
        f"Jürgen {chr(65 + at % 26)}ö{at:03d}",
        f"{_DRAW.randrange(10_000, 9_999_999) / 100}",
        f"{_DRAW.randrange(10_000, 99_999) / 1000}",
    )
    for at in range(90)
]
GONE = PEOPLE[::30]
STAY = [each for each in PEOPLE if each not in GONE]
HEAD = "id;name;balance;rate"
Row = tuple[str, ...]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("case")
    with (folder / "people.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([HEAD.split(";"), *PEOPLE])
    log = [
        {"request_id": f"R-{at}", "record_ids": [each[0]], "received_at": "2026-10-01T09:00:00+00:00",
         "executed_at": "2026-10-05T09:00:00+00:00"}
        for at, each in enumerate(GONE)
    ]  # fmt: skip
    (folder / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    (folder / "here").mkdir()
    (folder / "audit.toml").write_text(CASE.format(here='"here"') + TABLE, encoding="utf-8")
    (folder / "here" / "kunden.csv").write_text(german(STAY), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def known(folder: Path) -> tuple[Owners, Alone]:
    sought, _ = of_case(checking.cases.read(folder))
    return Owners.of(sought.people), Alone.of(sought.people)


def comma(row: Row) -> Row:
    return (*row[:2], *(each.replace(".", ",") for each in row[2:]))


def german(rows: Iterable[Row], written: Callable[[int, Row], Row] = lambda _, row: comma(row)) -> str:
    return "".join(";".join(row) + "\r\n" for row in [tuple(HEAD.split(";")), *(written(*each) for each in enumerate(rows))])


def is_explained(known: tuple[Owners, Alone], content: bytes) -> bool:
    found = account({"kunden.csv": content}, known[0], [], Before.any_place(*known), {})
    return not sum(found.unexplained.values()) and found.bits <= SPARE_EACH


def test_a_column_of_decimal_commas_is_explained_and_its_choice_counts(known: tuple[Owners, Alone]) -> None:
    with_commas, with_points = (german(STAY), german(STAY, lambda _, row: row))
    found, plain = (
        account({"kunden.csv": each.encode()}, known[0], [], Before.any_place(*known), {}) for each in (with_commas, with_points)
    )
    assert not found.unexplained["kunden.csv"], found.left
    assert plain.bits < found.bits <= SPARE_EACH
    assert is_explained(known, german(STAY, lambda _, row: (*row[:3], comma(row)[3])).encode())


@pytest.mark.attempt("deleted people in texts")
@pytest.mark.parametrize(
    "written",
    [
        lambda at, row: comma(row) if at % 2 else row,
        lambda at, row: row if at == 40 else comma(row),
        lambda at, row: comma(row) if at == 40 else row,
        lambda at, row: (*comma(row)[:3], row[3]) if at % 3 else (*row[:3], comma(row)[3]),
        lambda at, row: (*comma(row)[:3], comma(row)[3] + "0" * (at % 2)),
        lambda at, row: (*comma(row)[:3], comma(row)[3][:-1] + "7"),
    ],
    ids=["in turns", "one point", "one comma", "of two columns", "zeros at the end", "other digits"],
)
def test_where_a_comma_stands_for_a_point_is_no_message(known: tuple[Owners, Alone], written: Callable[[int, Row], Row]) -> None:
    assert not is_explained(known, german(STAY, written).encode())


@pytest.mark.attempt("deleted people in texts")
def test_a_deleted_persons_row_with_commas_is_not_explained(known: tuple[Owners, Alone]) -> None:
    under_another_id = ("cust-00000f9999", *GONE[0][1:])
    assert not is_explained(known, german([*STAY, under_another_id]).encode())
    assert not is_explained(known, german([*STAY[:-1], (STAY[-1][0], STAY[-1][1], *GONE[0][2:])]).encode())


def test_a_table_of_excel_is_to_be_saved_in_utf_8_and_passes_then(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "here" / "kunden.csv"
    for code in ("cp1252", "utf-16"):
        path.write_bytes(german(STAY).encode(code))
        assert run(["check", str(folder)]) == 3
        assert "Save kunden.csv in UTF-8" in " ".join("".join(capsys.readouterr()).split())
    path.write_bytes(german(STAY).encode("utf-8"))
    assert check(folder).verdict is Verdict.PASS


def test_bytes_that_are_no_text_are_not_said_to_be_in_another_code(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "here" / "kunden.csv").write_bytes(german(STAY).encode())
    (folder / "here" / "cache.bin").write_bytes(_DRAW.randbytes(4000).replace(b"\0", b"\1"))
    assert run(["check", str(folder)]) == 3
    assert "in UTF-8" not in "".join(capsys.readouterr())
    (folder / "here" / "cache.bin").unlink()
