"""A column in which people who stay have deleted people's numbers explains nothing, unless it has as many by chance."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from auditor.api import check
from auditor.base.domain import Verdict
from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.pages.letters import extract
from auditor.pages.letters import page as letter_page
from auditor.parts.places.observing.pointing import of_table, without
from tests.parts.places.test_places import CASE, LOG, TABLE, write

DRAW = random.Random(11)
IDS = [f"CU-{each}" for each in DRAW.sample(range(100_000, 1_000_000), 300)]
PHONES = [f"+49 17{DRAW.randrange(10)} {DRAW.randrange(10**6, 10**7)}" for _ in IDS]
MAILS = [f"{DRAW.choice('abc')}.{DRAW.choice(('berg', 'voss'))}{DRAW.randrange(10**5)}@example.org" for _ in IDS]
GONE = frozenset(IDS[::30])
LEFT = sorted(GONE)


def table(gone: frozenset[str] = GONE, ids: list[str] = IDS, **columns: list[str]) -> Dataset:
    found, codes = list[Column](), list[list[float]]()
    for name, cells in {"phone": PHONES, "email": MAILS, **columns}.items():
        words = tuple(sorted({*cells} - {""}))
        found.append(Column(name, Kind.TEXT, -1.0, words))
        codes.append([float(words.index(each)) if each else -1.0 for each in cells])
    return Dataset(np.array(codes).T.copy(), np.zeros(len(ids), dtype=np.int64), np.array(ids, dtype=np.str_), table=tuple(found))


def of_gone(make: Callable[[str], str]) -> list[str]:
    """Cells of people who stay that are made of deleted ids, in turn."""
    return ["" if each in GONE else make(LEFT[at % len(LEFT)]) for at, each in enumerate(IDS)]


@pytest.mark.attempt("deleted ids in a column of the table")
@pytest.mark.parametrize(
    "columns",
    [
        {"ref": of_gone(lambda each: each[3:])},
        {"ref": of_gone(lambda each: each[:2:-1])},
        {"ref": of_gone(lambda each: f"no {each[3:6]}.{each[6:]}")},
        {"one": of_gone(lambda each: each[3:6]), "two": of_gone(lambda each: each[6:])},
        {"two": of_gone(lambda each: each[6:]), "one": of_gone(lambda each: each[3:6])},
        {"ref": of_gone(lambda each: PHONES[IDS.index(each)])},
        {"ref": of_gone(lambda each: MAILS[IDS.index(each)].partition("@")[0])},
        {"ref": [IDS[(at + 7) % len(IDS)][3:] for at in range(len(IDS))]},
        {"ref": [LEFT[at][3:] if at < len(LEFT) else str(DRAW.randrange(10**5, 10**6)) for at in range(len(IDS))]},
    ],
)
def test_columns_of_deleted_peoples_numbers_are_met(columns: dict[str, list[str]]) -> None:
    records = table(**columns)
    found = of_table(records, GONE)
    assert set(found.columns) == columns.keys()
    assert len(found.records) >= len(GONE) - 1
    assert {each.name for each in without(records, found).table or ()} == {"phone", "email"}


@pytest.mark.attempt("deleted ids in a column of the table")
def test_the_id_of_one_who_was_deleted_is_met_too() -> None:
    gone = frozenset(IDS[5:6])
    cells = [IDS[5][3:] if at == 40 else str(DRAW.randrange(10**5, 10**6)) for at in range(len(IDS))]
    assert of_table(table(gone, ref=cells), gone).records == gone


def with_numbers(name: str, values: list[float]) -> Dataset:
    records = table()
    return replace(
        records,
        features=np.column_stack([records.features, values]),
        table=(*(records.table or ()), Column(name, Kind.NUMBER, -1.0, ())),
    )


@pytest.mark.attempt("deleted ids in a column of the table")
def test_digits_of_an_id_with_a_point_among_them_are_met() -> None:
    fees = [float(each or -1.0) for each in of_gone(lambda each: f"{each[3:6]}.{each[6:]}")]
    assert of_table(with_numbers("fee", fees), GONE).columns == ("fee",)


@pytest.mark.parametrize("seed", range(40))
def test_amounts_by_chance_are_let_be(seed: int) -> None:
    draw = random.Random(seed)
    assert not of_table(with_numbers("fee", [draw.randrange(10**6) / 100 for _ in IDS]), GONE).columns


@pytest.mark.parametrize("seed", range(40))
def test_numbers_by_chance_and_referrals_among_people_who_stay_are_let_be(seed: int) -> None:
    draw = random.Random(seed)
    stay = [each for each in IDS if each not in GONE]
    assert not of_table(
        table(
            invoice=[str(draw.randrange(10**5, 10**6)) for _ in IDS],
            order=[str(117_000 + draw.randrange(3000)) for _ in IDS],
            referred=[draw.choice(stay)[3:] if draw.random() < 0.3 else "" for _ in IDS],
        ),
        GONE,
    ).columns


@pytest.mark.parametrize("seed", range(40))
def test_ids_that_count_up_are_among_other_numbers_by_chance(seed: int) -> None:
    draw = random.Random(seed)
    ids = [f"C-{10_000 + at}" for at in range(300)]
    gone = frozenset(draw.sample(ids, 10))
    assert not of_table(table(gone, ids, order=[str(10_000 + draw.randrange(900)) for _ in ids]), gone).columns


def test_a_table_without_columns_of_its_own_has_none() -> None:
    assert not of_table(
        Dataset(np.zeros((3, 2)), np.zeros(3, dtype=np.int64), np.array(["a", "b", "c"], dtype=np.str_)), GONE
    ).columns


COLUMNS = ("id", "email", "city")


@pytest.fixture
def case(tmp_path: Path) -> Path:
    (tmp_path / "here").mkdir()
    (tmp_path / "audit.toml").write_text(CASE.format(here='"here"') + TABLE, encoding="utf-8")
    log = [{**LOG[0], "request_id": f"R-{at}", "record_ids": [each]} for at, each in enumerate(LEFT)]
    (tmp_path / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    return tmp_path


def put(case: Path, rows: list[tuple[str, ...]], names: tuple[str, ...], *, place: tuple[str, ...] | None = None) -> None:
    """The table, and in the place all but the deleted people, with some of its columns."""
    write(case / "people.csv", rows, names)
    own = [names.index(each) for each in place or names]
    write(case / "here" / "people.csv", [[row[at] for at in own] for row in rows if row[0] not in GONE], place or names)


@pytest.mark.attempt("deleted ids in a column of the table")
def test_a_place_with_such_a_column_is_open_and_its_step_says_why(case: Path) -> None:
    rows = [(each, MAILS[at], "Graz", ref) for at, (each, ref) in enumerate(zip(IDS, of_gone(lambda one: one[3:]), strict=True))]
    put(case, rows, (*COLUMNS, "ref"), place=COLUMNS)
    assert check(case).verdict is Verdict.PASS
    put(case, rows, (*COLUMNS, "ref"))
    audit = check(case)
    assert audit.verdict is Verdict.INCONCLUSIVE
    assert "in ref, people who stay have numbers or values of 10 deleted records" in audit.explain("places.erased")


@pytest.mark.attempt("a deleted person in the table under another id")
@pytest.mark.parametrize("other", [f"CU{LEFT[0][3:]}x", f"X{LEFT[0][3:]}", LEFT[0].lower(), f"{LEFT[0]}-2"])
def test_whoever_is_in_the_table_under_an_id_like_theirs_explains_no_place(case: Path, other: str) -> None:
    rows = [(each, MAILS[at], "Graz") for at, each in enumerate(IDS)]
    put(case, [(other if row[0] == LEFT[0] else row[0], *row[1:]) for row in rows], COLUMNS, place=COLUMNS[1:])
    assert check(case).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(("left", "whose"), [(len(LEFT), None), (0, "all"), (1, "some")])
@pytest.mark.usefixtures("unprinted")
def test_where_values_of_deleted_people_are_lacking_every_first_page_says_so(case: Path, left: int, whose: str | None) -> None:
    rows = [(each, MAILS[at], "Graz") for at, each in enumerate(IDS)]
    put(case, [row for row in rows if row[0] not in LEFT[left:]], COLUMNS)
    audit = check(case, out=case / "audit")
    assert audit.verdict is Verdict.PASS
    assert ("and no values" in audit.sentence) is (whose is not None)
    assert ("of some deleted people" in audit.sentence) is (whose == "some")
    derived = audit.evidence.check("places.erased").derived or {}
    assert [each["derivable"] for each in derived["places"]] == ["clear" if whose is None else "not-examined"]
    assert derived.get("without_values", 0) == len(LEFT) - left
    letter = letter_page.page(extract(audit.evidence, "R-0"))
    said = " ".join(each for row in letter.rows for each in row.sentences)
    assert ("looked only for ids and for names and numbers in our log" in said) is (whose is not None)
    page = " ".join((case / "audit" / "report.html").read_text(encoding="utf-8").split())
    assert ("search was by id and by the log’s names and numbers only" in page) is (whose is not None)
