"""A table in several files counts as one where each goes on where another ended, and ends that say something are counted."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from test_row_order import IDS, PEOPLE, STAY, VALUES

from auditor.parts.places.observing.parted_tables import PartedTables
from auditor.parts.places.observing.row_order import orders
from auditor.parts.store.judging.accounting import SPARE_EACH, SPARE_IN_ALL
from auditor.parts.store.observing.store_tables import Rows

NAMES = ("id", "balance", "plan")
BY_ID = sorted(STAY, key=lambda at: IDS[at])


def bits(parts: Sequence[Sequence[int]]) -> list[int]:
    tables = PartedTables()
    found = []
    for number, part in enumerate(parts):
        rows = Rows(sizes=np.ones(len(part), dtype=np.int64), ids=IDS[list(part)].tolist())
        found.append(tables.add(number, [(NAMES, each) for each in orders([rows], PEOPLE)]))
        assert tables.add(number, []) == found[-1]
    return found


def parted(order: Sequence[int], ends: Sequence[int]) -> list[Sequence[int]]:
    return [order[begin:end] for begin, end in zip([0, *ends], [*ends, len(order)], strict=True)]


def evenly(order: Sequence[int], count: int) -> list[Sequence[int]]:
    return parted(order, [at * len(order) // count for at in range(1, count)])


@pytest.mark.parametrize("order", [STAY, BY_ID])
@pytest.mark.parametrize("count", [2, 7, 40])
def test_parts_of_a_table_that_go_on_one_after_another_say_little(order: list[int], count: int) -> None:
    found = bits(evenly(order, count))
    assert max(found) <= SPARE_EACH
    assert sum(found) <= 20 + 5 * count


def test_parts_of_one_size_say_no_more_than_the_first_of_them() -> None:
    first, *others = bits(parted(STAY, range(10, len(STAY), 10)))
    assert first <= SPARE_EACH // 2
    assert sum(others) == 0


def test_parts_whose_names_are_in_another_order_are_parts_all_the_same() -> None:
    whole = parted(STAY, range(10, len(STAY), 10))
    by_name = sorted(range(len(whole)), key=str)
    assert sum(bits([whole[at] for at in by_name])) <= SPARE_IN_ALL // 2


@pytest.mark.attempt("parts of a table")
def test_ends_that_spell_an_address_are_more_than_a_place_may_have() -> None:
    draw = random.Random(4)
    ends = sorted(draw.sample(range(1, len(STAY)), 40))
    assert sum(bits(parted(STAY, ends))) > SPARE_IN_ALL


@pytest.mark.attempt("parts of a table")
def test_parts_in_an_order_of_their_own_are_counted() -> None:
    whole = parted(STAY, range(10, len(STAY), 10))
    assert sum(bits(random.Random(5).sample(whole, len(whole)))) > SPARE_IN_ALL


@pytest.mark.attempt("parts of a table")
def test_people_whom_parts_leave_out_between_them_are_counted() -> None:
    draw = random.Random(6)
    parts = [STAY[at : at + 10 - draw.randrange(4)] for at in range(0, len(STAY), 10)]
    assert sum(bits(parts)) > SPARE_IN_ALL


@pytest.mark.attempt("parts of a table")
def test_rows_of_parts_that_are_shuffled_are_counted_by_themselves() -> None:
    draw = random.Random(7)
    whole = [draw.sample(each, len(each)) for each in evenly(STAY, 8)]
    alone = [bits([each])[0] for each in whole]
    assert sum(bits(whole)) >= sum(alone)


def test_tables_of_other_columns_are_no_parts_of_one() -> None:
    tables = PartedTables()
    (first, second) = evenly(STAY, 2)
    found = []
    for names, part in ((NAMES, first), (NAMES[:2], second)):
        rows = Rows(sizes=np.ones(len(part), dtype=np.int64), features=VALUES[list(part)])
        found.append(tables.add(names, [(names, each) for each in orders([rows], PEOPLE)]))
    assert min(found) > 10


def test_whole_tables_again_and_again_cost_what_each_does() -> None:
    assert bits([STAY] * 5) == [bits([STAY])[0]] * 5
