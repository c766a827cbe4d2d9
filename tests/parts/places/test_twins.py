"""Rows of deleted people under other ids explain nothing; families, and values by chance, do."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.parts.places.observing import twins

NAMES = ("street", "zip", "phone", "birth", "balance", "note")
KINDS = (Kind.TEXT, Kind.TEXT, Kind.TEXT, Kind.INTEGER, Kind.NUMBER, Kind.TEXT)
Row = tuple[str, ...]


class People:
    """Customers of whom one in five lives with another one, and some were deleted."""

    def __init__(self, seed: int, count: int = 250, deleted: int = 10) -> None:
        self.draw = draw = random.Random(seed)
        self.rows = [self.row() for _ in range(count)]
        for at in range(0, count, 5):
            self.rows[at] = (*self.rows[at + 1][:3], *self.rows[at][3:])
        self.ids = [f"K{each}" for each in draw.sample(range(10_000, 99_999), count)]
        self.places = sorted(draw.sample(range(count), deleted))

    def row(self) -> Row:
        draw = self.draw
        street = f"Lindenweg {draw.randrange(10_000)}"
        phone = f"0{draw.randrange(30, 999)} {draw.randrange(10**6)}"
        note = f"ordered {draw.randrange(10**6)} kettles"
        return street, str(draw.randrange(60)), phone, str(draw.randrange(20_000)), f"{draw.random() * 5000:.2f}", note

    def found(self, more: Sequence[Row] = ()) -> twins.Borrowed:
        rows = [*self.rows, *more]
        features, columns = [], []
        for at, (name, kind) in enumerate(zip(NAMES, KINDS, strict=True)):
            cells = [each[at] for each in rows]
            words = tuple(sorted({*cells})) if kind is Kind.TEXT else ()
            columns.append(Column(name, kind, -1.0 if words else -1e17, words))
            features.append([float(words.index(each)) if words else float(each) for each in cells])
        ids = np.array([*self.ids, *(f"N{at}" for at in range(len(more)))], dtype=np.str_)
        table = Dataset(np.array(features).T.copy(), np.zeros(len(rows), np.int64), ids, table=tuple(columns))
        return twins.of_table(table, self.gone)

    @property
    def gone(self) -> frozenset[str]:
        return frozenset(self.ids[at] for at in self.places)

    def deleted(self, at: int) -> Row:
        return self.rows[self.places[at]]


@pytest.mark.attempt("rows of deleted people under other ids")
@pytest.mark.parametrize("kept", [(3, 4, 5), (0, 3, 4, 5), (0, 1, 2, 3, 4, 5)], ids=str)
@pytest.mark.parametrize("copies", [1, 2])
def test_one_row_of_a_deleted_person_under_another_id_is_met(kept: tuple[int, ...], copies: int) -> None:
    people = People(1)
    gone, other = people.deleted(0), people.row()
    copy = tuple(gone[at] if at in kept else other[at] for at in range(len(NAMES)))
    found = people.found([copy] * copies)
    assert {NAMES[at] for at in kept if at != 1} <= found.columns
    assert found.records == {people.ids[people.places[0]]}


@pytest.mark.attempt("rows of deleted people under other ids")
def test_where_all_keep_two_values_they_are_met_together() -> None:
    people = People(2)
    copies = [(*people.row()[:3], people.deleted(at)[3], people.deleted(at)[4], "") for at in range(len(people.places))]
    assert people.found(copies).records == people.gone
    assert people.found(copies[:1]).columns == frozenset()


@pytest.mark.parametrize("seed", range(20))
def test_families_and_chance_are_let_be(seed: int) -> None:
    assert People(seed).found() == twins.Borrowed()


def test_without_anybody_on_either_side_nothing_is_met() -> None:
    assert People(3, deleted=0).found() == twins.Borrowed()
    assert People(3, count=20, deleted=20).found() == twins.Borrowed()
