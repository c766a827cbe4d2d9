"""Order, choice, repeats and labels of rows carry as many bits as are counted; usual orders carry none."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from auditor.base.domain import Dataset
from auditor.base.mixed_columns import Column, Kind
from auditor.parts.places.observing.row_order import of_tables
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
    return sum(each.bits for each in of_tables([rows], PEOPLE))


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
        assert sum(each.bits for each in of_tables([rows], PEOPLE)) == bits(order)


def test_rows_that_threads_or_lists_part_are_counted_within_each_part() -> None:
    assert bits(shuffled(), group=np.arange(len(STAY))) == 0
    by_plan = sorted(STAY, key=lambda at: VALUES[at, 1])
    assert bits(by_plan, group=VALUES[by_plan, 1].astype(np.int64)) == 0
    mixed = sorted(shuffled(), key=lambda at: VALUES[at, 1])
    assert bits(mixed, group=VALUES[mixed, 1].astype(np.int64)) > SPARE_EACH


def test_without_a_table_no_order_is_another() -> None:
    nobody = replace(PEOPLE, train=Dataset(np.zeros((0, 1)), np.zeros(0, dtype=np.int64), IDS[:0]), retained=GONE[:0], places={})
    assert of_tables([Rows(sizes=np.ones(2, dtype=np.int64), ids=["CU-1", "CU-2"])], nobody) == ()


def test_labels_are_places_or_are_counted() -> None:
    for labels in (np.arange(len(STAY)), np.array(STAY), np.array(STAY) + 1):
        assert bits(STAY, numbers=labels) <= 8
    assert bits(STAY, numbers=DRAW.permutation(4 * COUNT)[: len(STAY)]) > SPARE_EACH
