"""Deleted people's values in columns of people who stay, and their numbers moved, explain nothing; those by chance do."""

from __future__ import annotations

import codecs
import json
import random
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from auditor.api import check
from auditor.base.domain import Verdict
from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.parts.places.observing import borrowed, shifted
from tests.parts.places.test_places import LOG, write
from tests.parts.places.test_pointing import case

__all__ = ["case"]
FIRST = [
    "Alma",
    "Björn",
    "Cosima",
    "Detlef",
    "Eszter",
    "Florin",
    "Gundula",
    "Hamza",
    "Ilka",
    "Janosch",
    "Kirsten",
    "Nuno",
    "Raúl",
]
LAST = [
    f"{one}{two}" for one in ("Achter", "Brink", "Drees", "Engel", "Fuhr", "Krautz", "Lüde") for two in ("mann", "feld", "hoff")
]
CITIES = ["Graz", "Wien", "Linz", "Ulm", "Kassel", "Mainz", "Worms", "Bonn"]
COUNT, GONE_COUNT = 300, 10
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class People:
    """Customers with what any table has of them, ten of whom were deleted."""

    def __init__(self, seed: int = 4) -> None:
        self.draw = draw = random.Random(seed)
        self.ids = [f"K{each}" for each in draw.sample(range(20_000, 100_000), COUNT)]
        self.places = sorted(draw.sample(range(COUNT), GONE_COUNT))
        self.gone = frozenset(self.ids[at] for at in self.places)
        zips = [(str(draw.randrange(10_000, 99_999)), draw.choice(CITIES)) for _ in range(60)]
        homes = [draw.choice(zips) for _ in self.ids]
        bills = [draw.choice(zips) if draw.random() < 0.15 else home for home in homes]
        self.names = [f"{draw.choice(FIRST)} {draw.choice(LAST)}" for _ in self.ids]
        self.phones = [f"0{draw.randrange(30, 999)} {draw.randrange(10**5, 10**7)}" for _ in self.ids]
        self.joined = [self.day(draw.randrange(4700)) for _ in self.ids]
        self.balances = [f"{draw.randrange(250_000) / 100:.2f}" for _ in self.ids]
        self.columns: dict[str, tuple[Kind, list[str]]] = {
            "name": (Kind.TEXT, self.names),
            "phone": (Kind.TEXT, self.phones),
            "zip": (Kind.TEXT, [each for each, _ in homes]),
            "city": (Kind.TEXT, [city for _, city in homes]),
            "bill_zip": (Kind.TEXT, [each for each, _ in bills]),
            "bill_city": (Kind.TEXT, [city for _, city in bills]),
            "joined": (Kind.TIME, self.joined),
            "balance": (Kind.NUMBER, self.balances),
        }

    @staticmethod
    def day(number: int) -> str:
        return (datetime(2012, 1, 1, tzinfo=UTC) + timedelta(days=number)).isoformat()

    def table(self, more: Mapping[str, tuple[Kind, Sequence[str]]]) -> Dataset:
        columns, features = [], []
        for name, (kind, cells) in {**self.columns, **more}.items():
            words = tuple(sorted({*cells} - {""})) if kind is Kind.TEXT else ()
            missing = -1.0 if kind is Kind.TEXT else -1e17
            columns.append(Column(name, kind, missing, words))
            features.append([missing if not each else _code(kind, each, words) for each in cells])
        return Dataset(
            np.array(features).T.copy(), np.zeros(COUNT, np.int64), np.array(self.ids, dtype=np.str_), table=tuple(columns)
        )

    def in_turn(self, make: Callable[[int, int], str]) -> list[str]:
        """Cells of people who stay that are made of the deleted in turn: of each one's place, and of the round."""
        return ["" if at in self.places else make(self.places[at % GONE_COUNT], at // GONE_COUNT) for at in range(COUNT)]

    def digits(self, at: int) -> int:
        return int(self.ids[at][1:])


def _code(kind: Kind, cell: str, words: tuple[str, ...]) -> float:
    if kind is Kind.TEXT:
        return float(words.index(cell))
    return (datetime.fromisoformat(cell) - EPOCH) / timedelta(seconds=1) if kind is Kind.TIME else float(cell)


ALL = People()
ONE = ALL.places[3]
YEAR, MONTH, DAY = ALL.joined[ONE][:10].split("-")
GIVEN, FAMILY = ALL.names[ONE].split()


def once(text: str, otherwise: str = "") -> list[str]:
    """A column with something of one deleted person in the row of one who stays."""
    return [text if at == 5 else otherwise for at in range(COUNT)]


@pytest.mark.attempt("deleted people's values in columns of others")
@pytest.mark.parametrize(
    ("columns", "records"),
    [
        ({"since": (Kind.TIME, ALL.in_turn(lambda at, _: ALL.joined[at]))}, GONE_COUNT),
        ({"sum": (Kind.NUMBER, ALL.in_turn(lambda at, _: ALL.balances[at]))}, GONE_COUNT),
        ({"since": (Kind.TEXT, ALL.in_turn(lambda at, _: f"since {ALL.joined[at][:10]}"))}, GONE_COUNT),
        ({"via": (Kind.TEXT, ALL.in_turn(lambda at, part: ALL.names[at].split()[part % 2]))}, GONE_COUNT),
        ({"via": (Kind.TEXT, ALL.in_turn(lambda at, _: ALL.names[at][::-1].lower()))}, GONE_COUNT),
        ({"via": (Kind.TEXT, ALL.in_turn(lambda at, _: codecs.encode(ALL.names[at], "rot13")))}, GONE_COUNT),
        ({"since": (Kind.TIME, once(ALL.joined[ONE])), "sum": (Kind.NUMBER, once(ALL.balances[ONE]))}, 1),
        ({"memo": (Kind.TEXT, once(f"With {GIVEN} Petra {FAMILY}, {DAY}.{MONTH}.{YEAR}, {ALL.balances[ONE]}.", "Nothing."))}, 1),
        ({"memo": (Kind.TEXT, once(f"{ALL.balances[ONE].replace('.', ',')} of {FAMILY.upper()} {YEAR}{MONTH}{DAY}", "-"))}, 1),
    ],
)
def test_values_of_deleted_people_are_met(columns: Mapping[str, tuple[Kind, list[str]]], records: int) -> None:
    found = borrowed.of_table(ALL.table(columns), ALL.gone)
    assert found.columns == columns.keys()
    assert len(found.records) >= 0.8 * records
    assert found.records <= ALL.gone


def apart(seed: int = 4) -> People:
    """The same people, with a first name and a last one in columns apart."""
    people = People(seed)
    del people.columns["name"]
    first, last = zip(*(each.split() for each in people.names), strict=True)
    people.columns = {
        "first_name": (Kind.TEXT, list(first)),
        "city": people.columns["city"],
        "last_name": (Kind.TEXT, list(last)),
    }
    return people


@pytest.mark.attempt("deleted people's names in notes about others")
@pytest.mark.parametrize(
    "memo",
    [
        "Call {first} {last}.",
        "{last}, {first}",
        "{first} Petra {last} came.",
        "{first[0]}. {last}",
        "{reversed}",
        "{FIRST} {LAST} wrote.",
    ],
)
def test_names_of_which_two_columns_have_a_part_each_are_met_in_notes(memo: str) -> None:
    people = apart()

    def note(at: int, _: int) -> str:
        first, last = people.names[at].split()
        return memo.format(first=first, last=last, FIRST=first.upper(), LAST=last.upper(), reversed=f"{last[::-1]} {first[::-1]}")

    found = borrowed.of_table(people.table({"memo": (Kind.TEXT, people.in_turn(note))}), people.gone)
    assert found.columns == {"memo"}
    assert len(found.records) >= 0.8 * GONE_COUNT
    assert found.records <= people.gone


@pytest.mark.attempt("deleted people's names in notes about others")
@pytest.mark.parametrize("memo", ["Call {0} {1}.", "{1}, {0}: twice", "{0} Petra {1} came."])
def test_one_name_in_one_note_is_met(memo: str) -> None:
    people = apart()
    alone = [at for at in people.places if people.names.count(people.names[at]) == 1]
    notes = once(memo.format(*people.names[alone[0]].split()), "Nothing to add.")
    found = borrowed.of_table(people.table({"memo": (Kind.TEXT, notes)}), people.gone)
    assert found == borrowed.Borrowed(frozenset({"memo"}), frozenset({people.ids[alone[0]]}))


@pytest.mark.parametrize("seed", range(200))
def test_agents_neighbours_and_own_names_in_notes_are_let_be(seed: int) -> None:
    people = apart(seed)
    draw = people.draw
    notes = [
        draw.choice(("Nothing to add.", f"{draw.choice(FIRST[:6])} called {name}.", f"Ms {name.split()[1]} was served."))
        for name in people.names
    ]
    agents = [draw.choice(FIRST[:6]) for _ in people.ids]
    table = people.table({"agent": (Kind.TEXT, agents), "memo": (Kind.TEXT, notes)})
    assert not borrowed.of_table(table, people.gone).columns


@pytest.mark.attempt("deleted people's numbers, moved or scaled")
@pytest.mark.parametrize(
    "column",
    [
        (Kind.INTEGER, ALL.in_turn(lambda at, _: str(ALL.digits(at) + 1))),
        (Kind.INTEGER, ALL.in_turn(lambda at, _: str(700_000 - ALL.digits(at)))),
        (Kind.NUMBER, ALL.in_turn(lambda at, _: f"{ALL.digits(at)}.5")),
        (Kind.NUMBER, ALL.in_turn(lambda at, _: f"{ALL.digits(at) / 100 + 3:.2f}")),
        (Kind.TEXT, ALL.in_turn(lambda at, _: f"x{ALL.digits(at):x}")),
        (Kind.TEXT, ALL.in_turn(lambda at, _: f"no {ALL.digits(at) * 1000 + 17}")),
        (Kind.TIME, ALL.in_turn(lambda at, _: People.day(ALL.digits(at) % 90_000))),
        (Kind.TIME, ALL.in_turn(lambda at, _: (EPOCH + timedelta(seconds=10**9 + 60 * ALL.digits(at))).isoformat())),
        (Kind.TIME, ALL.in_turn(lambda at, _: (EPOCH + timedelta(seconds=10**9 + int(ALL.phones[at].split()[1]))).isoformat())),
        (Kind.NUMBER, ALL.in_turn(lambda at, _: f"{float(ALL.balances[at]) + 40:.2f}")),
        (Kind.NUMBER, ALL.in_turn(lambda at, _: f"{float(ALL.balances[at]) / 2:.3f}")),
        (Kind.INTEGER, ALL.in_turn(lambda at, _: str(round(float(ALL.balances[at]))))),
        (Kind.INTEGER, ALL.in_turn(lambda at, _: str(17 * ALL.digits(at) + 5))),
        (Kind.TIME, ALL.in_turn(lambda at, _: (EPOCH + timedelta(hours=3 * ALL.digits(at))).isoformat())),
    ],
)
def test_numbers_of_deleted_people_are_met_wherever_they_are_moved(column: tuple[Kind, list[str]]) -> None:
    found = shifted.of_table(ALL.table({"more": column}), ALL.gone)
    assert found.columns == {"more"}
    assert len(found.records) >= 0.8 * GONE_COUNT


def large(seed: int, pointing: float) -> tuple[Dataset, frozenset[str]]:
    """Of 20,000 people 60 deleted: ids one higher, of this share of them, are the numbers of others."""
    rng = np.random.default_rng(seed)
    numbers = rng.choice(10**7, 20_000, replace=False)
    ids = np.array([f"K{each:07d}" for each in numbers])
    places = np.sort(rng.permutation(20_000)[:60])
    cells = rng.choice(10**7, 20_000, replace=False).astype(float)
    stay = np.setdiff1d(np.arange(20_000), places)
    chosen = places[: round(pointing * 60)]
    cells[rng.choice(stay, len(chosen), replace=False)] = numbers[chosen] + 1
    column = Column("reference", Kind.INTEGER, -1e17, ())
    return Dataset(cells[:, None], np.zeros(20_000, np.int64), ids, table=(column,)), frozenset(ids[places].tolist())


@pytest.mark.parametrize("pointing", [1.0, 0.5])
def test_of_many_numbers_some_deleted_people_are_asked_first(pointing: float) -> None:
    table, gone = large(3, pointing)
    found = shifted.of_table(table, gone)
    assert found.columns == {"reference"}
    assert found.records <= gone
    assert len(found.records) >= round(60 * pointing)


@pytest.mark.parametrize("seed", range(6))
def test_of_many_numbers_none_is_met_by_chance(seed: int) -> None:
    assert shifted.of_table(*large(seed, 0.0)).columns == frozenset()


@pytest.mark.parametrize("seed", range(40))
def test_values_by_chance_are_let_be(seed: int) -> None:
    """Days and sums near one another, addresses of households, agents and partners, notes with days and sums of their own."""
    people = People(seed)
    draw = people.draw
    more: dict[str, tuple[Kind, Sequence[str]]] = {
        "last_order": (Kind.TIME, [People.day(draw.randrange(4700)) for _ in people.ids]),
        "first_order": (Kind.TIME, people.joined),
        "discount": (Kind.NUMBER, [draw.choice(("9.99", "19.99", "29.99")) for _ in people.ids]),
        "points": (Kind.INTEGER, [str(draw.randrange(1000)) for _ in people.ids]),
        "age": (Kind.INTEGER, [str(draw.randrange(18, 90)) for _ in people.ids]),
        "invoice": (Kind.INTEGER, [str(500_000 + at) for at in range(COUNT)]),
        "own": (Kind.INTEGER, [str(int(each[1:]) + 7) for each in people.ids]),
        "agent": (Kind.TEXT, [draw.choice(FIRST[:6]) for _ in people.ids]),
        "partner": (Kind.TEXT, [draw.choice(people.names) if draw.random() < 0.1 else "" for _ in people.ids]),
        "memo": (Kind.TEXT, [_note(draw) for _ in people.ids]),
    }
    newest = frozenset(people.ids[at] for at in sorted(range(COUNT), key=people.joined.__getitem__)[-GONE_COUNT:])
    table = people.table(more)
    for gone in (people.gone, newest):
        assert not borrowed.of_table(table, gone).columns
        assert not shifted.of_table(table, gone).columns


def _note(draw: random.Random) -> str:
    day = f"{draw.randrange(1, 28)}.{draw.randrange(1, 12)}.{draw.randrange(2012, 2024)}"
    return f"Called on {day} about {draw.randrange(10**5) / 100}."


def test_an_address_in_which_a_city_follows_from_its_code_is_one_value() -> None:
    """Who pays for a deleted person has both, and so do many pairs of people who stay."""
    homes = ALL.columns["zip"][1]
    bills = [homes[ONE] if at == 5 else each for at, each in enumerate(ALL.columns["bill_zip"][1])]
    cities = [ALL.columns["city"][1][ONE] if at == 5 else each for at, each in enumerate(ALL.columns["bill_city"][1])]
    assert not borrowed.of_table(ALL.table({"bill_zip": (Kind.TEXT, bills), "bill_city": (Kind.TEXT, cities)}), ALL.gone).columns


@pytest.mark.parametrize("module", [borrowed, shifted])
def test_without_columns_or_without_anybody_on_either_side_nothing_is_met(module: object) -> None:
    of_table = getattr(module, "of_table")  # noqa: B009 - two modules of one form
    bare = Dataset(np.zeros((3, 2)), np.zeros(3, dtype=np.int64), np.array(["a", "b", "c"], dtype=np.str_))
    assert not of_table(bare, frozenset({"a"})).columns
    assert not of_table(ALL.table({}), frozenset()).columns
    assert not of_table(ALL.table({}), frozenset(ALL.ids)).columns


@pytest.mark.attempt("deleted people's values in columns of others")
def test_a_place_with_values_of_a_deleted_person_in_a_note_is_open(case: Path) -> None:
    names = ("id", "name", "joined", "balance", "memo")
    memo = f"Shares the flat with {GIVEN} Petra {FAMILY}, joined {DAY}.{MONTH}.{YEAR}, balance {ALL.balances[ONE]}."
    log = [{**LOG[0], "request_id": f"R-{at}", "record_ids": [each]} for at, each in enumerate(sorted(ALL.gone))]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    for note, verdict in (("Nothing to add.", Verdict.PASS), (memo, Verdict.INCONCLUSIVE)):
        notes = once(note, "Nothing to add.")
        rows = [(ALL.ids[at], ALL.names[at], ALL.joined[at][:10], ALL.balances[at], notes[at]) for at in range(COUNT)]
        write(case / "people.csv", rows, names)
        write(case / "here" / "people.csv", [row for row in rows if row[0] not in ALL.gone], names)
        assert check(case).verdict is verdict
