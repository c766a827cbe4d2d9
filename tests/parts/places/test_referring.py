"""A number in somebody else's row that is the digits of a deleted person's id, in a range in which every number is somebody's."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from auditor.base.domain import Status
from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.parts.places.observing.referring import met, of_table
from tests.parts.places.test_places import LOG, audited, case, seen, write

__all__ = ["case"]
COLUMNS = ("id", "note", "ref")
IDS = [f"CUS-{60200 + at}" for at in range(240)]
GONE = frozenset(IDS[at] for at in range(9, 240, 20))
KEPT = [each for each in IDS if each not in GONE]
_LINK = random.Random(4)
REFS = {each: _LINK.choice(KEPT) for each in IDS}


def rows(refs: dict[str, str]) -> list[tuple[str, str, str]]:
    return [(each, f"n{at}", refs[each].removeprefix("CUS-") if each in refs else "") for at, each in enumerate(IDS)]


def scanned(case: Path, refs: dict[str, str]) -> tuple[Status, int]:
    everybody = rows(refs)
    write(case / "people.csv", everybody, COLUMNS)
    write(case / "here" / "now.csv", [row for row in everybody if row[0] not in GONE], COLUMNS)
    log = [{**LOG[0], "request_id": f"R-{at}", "record_ids": [each], "terms": []} for at, each in enumerate(sorted(GONE))]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    found = audited(case)
    return found.evidence.check("places.erased").status, seen(found)["named"]


def test_a_dangling_reference_in_somebody_elses_row_leaves_the_place_open(case: Path) -> None:
    assert scanned(case, {**REFS, KEPT[30]: sorted(GONE)[4]}) == (Status.INCONCLUSIVE, 1)


def test_references_to_people_who_stay_pass(case: Path) -> None:
    assert scanned(case, REFS) == (Status.PASS, 0)


def test_few_references_are_enough_where_they_could_be_anything(case: Path) -> None:
    few = {each: REFS[each] for each in KEPT[::30]}
    assert scanned(case, few) == (Status.PASS, 0)
    assert scanned(case, {**few, KEPT[31]: sorted(GONE)[4]}) == (Status.INCONCLUSIVE, 1)


@pytest.mark.parametrize("step", [1, 7])
def test_what_counts_up_refers_to_nobody(case: Path, step: int) -> None:
    counted = {each: f"CUS-{60190 + at * step}" for at, each in enumerate(IDS)}
    assert scanned(case, counted) == (Status.PASS, 0)


def _table(ids: list[str], refs: list[str]) -> Dataset:
    words = tuple(sorted(set(refs)))
    codes = np.array([[float(words.index(each))] for each in refs])
    return Dataset(codes, np.zeros(len(ids), dtype=np.int64), np.array(ids), table=(Column("ref", Kind.TEXT, -1.0, words),))


@pytest.mark.parametrize("deleted", [0, 1])
def test_among_ids_that_any_number_may_be_those_of_live_people_alone_refer(deleted: int) -> None:
    ids = [str(each) for each in range(10000, 100000, 60)]
    gone = frozenset(ids[::3])
    kept = [each for each in ids if each not in gone]
    draw = random.Random(5)
    told = of_table(_table(ids, [draw.choice(kept) for _ in ids]), ("ref",), gone)
    assert met(told, "orders.ref", [*kept[:3], *sorted(gone)[:deleted]]) == set(sorted(gone)[:deleted])


def test_numbers_that_know_nothing_of_the_erasure_refer_to_nobody() -> None:
    ids = [str(each) for each in range(10000, 100000, 60)]
    gone = frozenset(ids[::3])
    draw = random.Random(6)
    assert not of_table(_table(ids, [str(draw.randrange(10000, 100000)) for _ in ids]), ("ref",), gone)
