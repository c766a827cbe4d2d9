"""Rows that agree with a deleted person's in every column are found where that is hardly chance, and met where it may be."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.parts.places.observing.rows_of_tables import Table, tables_of
from auditor.parts.places.observing.whole_rows import Agreeing, WholeRows
from auditor.parts.store.observing.people import People

NAMES = ("city", "day", "sum")
CITIES = ("Aachen", "Bremen", "Erfurt", "Kiel", "Leipzig", "Passau", "Rostock", "Trier")
Values = tuple[float, float, float]


def drawn(rng: random.Random, *, days: int = 4000, sums: int = 9_000_000) -> Values:
    return float(rng.randrange(len(CITIES))), float(rng.randrange(days)), rng.randrange(sums) / 100


def whole(values: Sequence[Values], gone: int, names: tuple[str, ...] = NAMES) -> WholeRows:
    """People of whom the first were deleted."""
    held = np.array([each[: len(names)] for each in values])
    kinds = (Kind.TEXT, Kind.INTEGER, Kind.NUMBER)
    table = tuple(Column(name, kind, -1.0, CITIES if kind is Kind.TEXT else ()) for name, kind in zip(names, kinds, strict=False))
    ids = np.array([f"P{at}" for at in range(len(values))])
    people = People(
        train=Dataset(held, np.zeros(len(values), dtype=np.int64), ids, table=table),
        retained=np.arange(len(values)) >= gone,
        gone=frozenset(ids[:gone].tolist()),
        columns=dict.fromkeys(names, "feature"),
        features=names,
        labels=None,
    )
    found = WholeRows.of(people)
    assert found is not None
    return found


def cells(row: Sequence[float]) -> list[str | None]:
    return [CITIES[int(row[0])], *(str(int(each)) if each == int(each) else repr(each) for each in row[1:])]


def table_of(rows: Sequence[Sequence[str | None]], names: tuple[str, ...] = NAMES) -> Table:
    return Table("a.csv", "", names, rows, range(2, len(rows) + 2), in_lines=True)


def asked(people: WholeRows, rows: Sequence[Sequence[float]], names: tuple[str, ...] = NAMES, files: int = 1) -> Agreeing:
    return people.agreeing([table_of([cells(each) for each in rows], names)], (), (), files)


def test_every_deleted_person_of_an_extract_is_found_by_values_that_are_theirs_together_alone() -> None:
    values = [drawn(random.Random(at)) for at in range(240)]
    found = asked(whole(values, 5), values, files=2)
    assert sorted(found.found) == [f"P{at}" for at in range(5)]
    assert [(each.table.numbers[each.at], each.columns) for each in found.found["P3"]] == [(5, NAMES)]
    assert not found.met


def test_a_table_of_those_who_stay_names_nobody() -> None:
    values = [drawn(random.Random(at)) for at in range(240)]
    found = asked(whole(values, 5), values[5:])
    assert not found.found
    assert not found.met


@pytest.mark.parametrize(("days", "sums"), [(4000, 9_000_000), (4000, 10_000), (200, 200), (12, 10)])
def test_rows_of_strangers_are_hardly_ever_found(days: int, sums: int) -> None:
    """Strangers drawn as the people were: in a hundred places with some of them, nobody, or one at most, is found."""
    wrong = wrongly_met = 0
    for run in range(100):
        rng = random.Random(f"{days} {sums} {run}")
        values = [drawn(rng, days=days, sums=sums) for _ in range(120)]
        strangers = [drawn(rng, days=days, sums=sums) for _ in range(30)]
        found = asked(whole(values, 6), [*values[6:], *strangers])
        wrong += bool(found.found)
        wrongly_met += bool(found.met)
    assert wrong <= 1
    assert wrongly_met <= 15


@pytest.mark.parametrize("days", [4000, 30])
def test_rows_of_people_who_stay_with_new_values_are_hardly_ever_found(days: int) -> None:
    """Some share city and day with a deleted person, and get another sum; some move, some get another day."""
    wrong = 0
    for run in range(100):
        rng = random.Random(f"changed {days} {run}")
        values = [drawn(rng, days=days, sums=900) for _ in range(120)]
        for at in range(6):
            values[20 + at] = (*values[at][:2], values[20 + at][2])
        rows = list(values[6:])
        for at in rng.sample(range(len(rows)), 30):
            column = rng.randrange(3)
            new = drawn(rng, days=days, sums=900)
            city, day, total = (new[place] if place == column else rows[at][place] for place in range(3))
            rows[at] = (city, day, total)
        wrong += bool(asked(whole(values, 6), rows).found)
    assert wrong <= 1


def test_a_household_in_which_somebody_stays_is_not_accused() -> None:
    """Who stays has the same city and day; a sum that is many people's may be that person's new one."""
    rng = random.Random(1)
    values = [drawn(rng, sums=300) for _ in range(240)]
    values[100] = (values[0][0], values[0][1], values[100][2])
    people = whole(values, 5)
    assert not asked(people, [*values[5:100], values[0], *values[101:]]).found
    # Met it is, for that person has a row there, and would have a second one.
    assert asked(people, [*values[5:], values[0]]).met.keys() == {"P0"}
    # A sum that nobody else has says it by itself.
    own = [drawn(rng) for _ in range(240)]
    own[100] = (own[0][0], own[0][1], own[100][2])
    assert sorted(asked(whole(own, 5), [*own[5:], own[0]]).found) == ["P0"]


def test_what_people_share_in_most_cases_is_no_ones() -> None:
    rng = random.Random(2)
    values = [drawn(rng, days=3) for _ in range(240)]
    crossed = [(float(city), float(day)) for city in range(len(CITIES)) for day in range(3)]
    found = asked(
        whole([*values[:5], *[each for each in values[5:] if each[:2] != values[0][:2]]], 5, NAMES[:2]), crossed, NAMES[:2]
    )
    assert not found.found
    assert not found.met


def test_two_deleted_people_with_the_same_values_are_met() -> None:
    values = [drawn(random.Random(at)) for at in range(240)]
    values[1] = values[0]
    found = asked(whole(values, 5), values)
    assert sorted(found.found) == ["P2", "P3", "P4"]
    assert not {"P0", "P1"} & found.found.keys()


def test_a_row_under_the_id_of_somebody_who_stays_is_met() -> None:
    values = [drawn(random.Random(at)) for at in range(240)]
    rows = [["P9", *cells(values[0])], *([f"P{at}", *cells(values[at])] for at in range(10, 240))]
    found = whole(values, 5).agreeing([table_of(rows, ("id", *NAMES))], ("id",), {f"P{at}" for at in range(5, 240)}, 1)
    assert not found.found
    assert sorted(found.met) == ["P0"]


def test_a_column_of_another_meaning_hides_no_row() -> None:
    """Of sums in thousands none is anybody's: the city and the day are left, and the days are many."""
    values = [drawn(random.Random(at), days=400_000) for at in range(240)]
    rows = [[*cells(each)[:2], str(int(each[2] // 1000))] for each in values]
    found = whole(values, 5).agreeing([table_of(rows)], (), (), 1)
    assert sorted(found.found) == [f"P{at}" for at in range(5)]


def test_one_row_among_many_strangers_may_be_chance() -> None:
    rng = random.Random(4)
    values = [drawn(rng) for _ in range(240)]
    strangers = [drawn(rng) for _ in range(2000)]
    found = asked(whole(values, 5), [*values, *strangers])
    assert len(found.found) in {0, 5}
    assert not asked(whole(values, 5), [*values[5:], values[0], *strangers]).found


def test_rows_are_read_from_every_kind_of_table() -> None:
    files = {
        "a.tsv": b"city\tday\nKiel\t3\n\nTrier\t\n",
        "b.jsonl": b'{"city": "Kiel", "of": [{"day": 3}]}\n\n{"city": "Trier"}\n',
        "c.json": b'[{"city": "Kiel", "day": 3}, {"day": 4, "more": [1, 2]}]',
        "broken.json": b"[{",
    }
    found = [(each.file, each.columns, [list(row) for row in each.rows], list(each.numbers)) for each in tables_of(files, None)]
    assert found == [
        ("a.tsv", ("city", "day"), [["Kiel", "3"], ["Trier", ""]], [2, 4]),
        ("b.jsonl", ("city", "day"), [["Kiel", None], [None, "3"], ["Trier", None]], [1, 1, 3]),
        ("c.json", ("city", "day"), [["Kiel", "3"], [None, "4"]], [1, 2]),
    ]
