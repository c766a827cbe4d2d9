"""Order, choice, repeats and labels of rows carry as many bits as are counted; usual orders carry none."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.parts.places.observing.row_order import orders
from auditor.parts.store.judging.accounting import SPARE_EACH
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.store_tables import Rows

COUNT = 300
DRAW = np.random.default_rng(7)
VALUES = np.column_stack([DRAW.permutation(COUNT) * 1.5, DRAW.integers(0, 3, COUNT)]).astype(np.float64)
IDS = np.array([f"CU-{each}" for each in DRAW.permutation(np.arange(100_000, 100_000 + COUNT))], dtype=np.str_)
GONE = np.isin(np.arange(COUNT), (11, 47, 203))
STAY = np.flatnonzero(~GONE).tolist()
TABLE = (Column("balance", Kind.NUMBER, -1.0), Column("plan", Kind.TEXT, -1.0, ("basic", "free", "plus")))
PEOPLE = People(
    train=Dataset(VALUES, np.zeros(COUNT, dtype=np.int64), IDS, table=TABLE),
    retained=~GONE,
    gone=frozenset(IDS[GONE].tolist()),
    columns={"id": "id", "balance": "feature", "plan": "feature"},
    features=("balance", "plan"),
    labels=None,
    places={each: at for at, each in enumerate(IDS.tolist())},
)


def bits(order: Sequence[int], **known: object) -> int:
    rows = Rows(sizes=np.ones(len(order), dtype=np.int64), ids=IDS[list(order)].tolist(), **known)  # type: ignore[arg-type]
    return sum(each.bits for each in orders([rows], PEOPLE))


def shuffled(count: int = len(STAY)) -> list[int]:
    return random.Random(3).sample(STAY, count)


@pytest.mark.parametrize(
    "order",
    [
        STAY,
        STAY[::-1],
        sorted(STAY, key=lambda at: IDS[at]),
        sorted(STAY, key=lambda at: VALUES[at, 0]),
        sorted(STAY, key=lambda at: VALUES[at, 0], reverse=True),
        sorted(STAY, key=lambda at: VALUES[at, 1]),
        [at for at in STAY if VALUES[at, 1] == 2],
        STAY[:200],
        STAY[40:],
        [at for at in STAY if at not in {5, 80}],
    ],
)
def test_usual_orders_and_parts_are_within_what_a_file_may_have(order: list[int]) -> None:
    assert bits(order) <= SPARE_EACH // 2


@pytest.mark.parametrize(
    "order",
    [
        shuffled(),
        [at for at in STAY if at % 7 in {0, 2, 3}],
        sorted(shuffled(100)),
        [at for at in STAY for _ in range(1 + (at % 5 == 0))],
        [*STAY[150:], *random.Random(1).sample(STAY[:150], 150)],
    ],
)
def test_what_could_hold_a_record_is_more(order: list[int]) -> None:
    assert bits(order) > SPARE_EACH


def test_rows_by_value_are_counted_as_rows_by_id_are() -> None:
    for order in (STAY, shuffled()):
        rows = Rows(sizes=np.ones(len(order), dtype=np.int64), features=VALUES[order])
        assert sum(each.bits for each in orders([rows], PEOPLE)) == bits(order)


def test_rows_that_threads_or_lists_part_are_counted_within_each_part() -> None:
    assert bits(shuffled(), group=np.arange(len(STAY))) == 0
    by_plan = sorted(STAY, key=lambda at: VALUES[at, 1])
    assert bits(by_plan, group=VALUES[by_plan, 1].astype(np.int64)) == 0
    mixed = sorted(shuffled(), key=lambda at: VALUES[at, 1])
    assert bits(mixed, group=VALUES[mixed, 1].astype(np.int64)) > SPARE_EACH


def test_without_a_table_no_order_is_another() -> None:
    nobody = replace(PEOPLE, train=Dataset(np.zeros((0, 1)), np.zeros(0, dtype=np.int64), IDS[:0]), retained=GONE[:0], places={})
    assert orders([Rows(sizes=np.ones(2, dtype=np.int64), ids=["CU-1", "CU-2"])], nobody) == []


def test_labels_are_places_or_are_counted() -> None:
    for labels in (np.arange(len(STAY)), np.array(STAY), np.array(STAY) + 1):
        assert bits(STAY, numbers=labels) <= 8
    assert bits(STAY, numbers=DRAW.permutation(4 * COUNT)[: len(STAY)]) > SPARE_EACH


def waits(order: Sequence[int], waiting: Sequence[int]) -> int:
    mask = np.zeros(COUNT, dtype=bool)
    mask[list(waiting)] = True
    rows = Rows(sizes=np.ones(len(order), dtype=np.int64), ids=IDS[list(order)].tolist())
    return sum(each.bits for each in orders([rows], replace(PEOPLE, waiting=mask)))


def test_rows_of_open_requests_that_are_gone_are_a_choice_among_those_that_are_open() -> None:
    open_ones = [5, 80, 111, 160]
    left = [at for at in STAY if at not in {5, 111}]
    assert waits(left, []) == bits(left) > len(open_ones) + 2
    assert waits(left, open_ones) <= len(open_ones) + 4
    rows = Rows(sizes=np.ones(len(left), dtype=np.int64), ids=IDS[left].tolist())
    mask = np.isin(np.arange(COUNT), open_ones)
    (found,) = orders([rows], replace(PEOPLE, waiting=mask))
    assert (found.missing, found.there) == ({5, 111}, {80, 160})


def test_a_choice_among_many_open_requests_could_hold_a_record() -> None:
    many = STAY[::2]
    left = [at for at in STAY if at not in set(random.Random(5).sample(many, len(many) // 2))]
    assert waits(left, many) > len(many) // 2 > SPARE_EACH
    # That all of them are gone says nothing.
    assert waits([at for at in STAY if at not in set(many)], many) <= 4


def test_nobody_else_may_be_missing_with_them() -> None:
    """A choice of other people's rows is counted as before, however many requests are open."""
    others = random.Random(9).sample([at for at in STAY if at % 2], 40)
    left = [at for at in STAY if at not in {*others, 4, 8}]
    assert waits(left, [4, 8, 12]) > SPARE_EACH


def test_the_count_is_no_smaller_than_the_choices_are_many() -> None:
    """Of 2^n contents that differ in who is missing, at most half are counted as less than n bits."""
    open_ones = STAY[10:22]
    counts = []
    for chosen in range(1 << len(open_ones)):
        gone = {at for place, at in enumerate(open_ones) if chosen >> place & 1}
        counts.append(waits([at for at in STAY if at not in gone], open_ones) if chosen % 16 == 3 else None)
    some = [each for each in counts if each is not None]
    assert sum(each < len(open_ones) - 1 for each in some) <= len(some) / 2
