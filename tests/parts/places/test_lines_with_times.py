"""A log's line is its person's whose id it has, though its time is made of numbers that other people's times have too."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable

import pytest

from auditor.api import checking
from auditor.parts.places.observing.alone import Alone
from auditor.parts.places.observing.own_values import Owners
from auditor.parts.places.observing.sought import of_case
from auditor.parts.places.observing.text_accounts import Before, Explained, account
from auditor.parts.store.judging.accounting import SPARE_EACH
from tests.parts.places.test_places import CASE, TABLE

_DRAW = random.Random(3)
PEOPLE = [
    (
        f"cust-{_DRAW.randrange(16**6):06x}{at:04d}",
        f"2026-0{_DRAW.randrange(1, 9)}-{_DRAW.randrange(10, 28)} {':'.join(str(_DRAW.randrange(10, 24)) for _ in range(3))}",
        f"{_DRAW.randrange(24):02d}:{_DRAW.randrange(60):02d}",
    )
    for at in range(90)
]
GONE = PEOPLE[::30]
STAY = [each for each in PEOPLE if each not in GONE]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> tuple[Owners, Alone]:
    folder = tmp_path_factory.mktemp("case")
    with (folder / "people.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("id", "visit", "hour"), *PEOPLE])
    log = [
        {"request_id": f"R-{at}", "record_ids": [each[0]], "received_at": "2026-10-01T09:00:00+00:00",
         "executed_at": "2026-10-05T09:00:00+00:00"}
        for at, each in enumerate(GONE)
    ]  # fmt: skip
    (folder / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    (folder / "here").mkdir()
    (folder / "here" / "ids.txt").write_text("".join(f"{each[0]}\n" for each in STAY), encoding="utf-8")
    (folder / "audit.toml").write_text(CASE.format(here='"here"') + TABLE, encoding="utf-8")
    sought, _ = of_case(checking.cases.read(folder))
    return Owners.of(sought.people), Alone.of(sought.people)


def accounted(known: tuple[Owners, Alone], lines: list[str]) -> Explained:
    content = "".join(f"{each}\n" for each in lines).encode()
    return account({"access.log": content}, known[0], [], Before.any_place(*known), {})


@pytest.mark.parametrize("line", ["{1} INFO user={0} login", "user={0} {1}", "[{2}] user={0} login"])
def test_a_line_with_a_time_is_its_persons(known: tuple[Owners, Alone], line: str) -> None:
    found = accounted(known, [line.format(*each) for each in STAY])
    assert not sum(found.unexplained.values()), found.left
    assert found.bits <= SPARE_EACH
    assert found.people == len(STAY)


@pytest.mark.attempt("deleted people in texts")
@pytest.mark.parametrize("other", [lambda at: STAY[(at + 1) % len(STAY)], lambda at: GONE[at % len(GONE)]])
def test_a_line_with_the_time_of_somebody_else_is_not(
    known: tuple[Owners, Alone], other: Callable[[int], tuple[str, str, str]]
) -> None:
    lines = [f"{other(at)[1]} INFO user={each[0]} login" for at, each in enumerate(STAY)]
    found = accounted(known, lines)
    assert sum(found.unexplained.values()) or found.bits > SPARE_EACH


@pytest.mark.attempt("deleted people in texts")
def test_which_of_two_people_a_line_has_is_counted(known: tuple[Owners, Alone]) -> None:
    bits = [int(each) for each in f"{int.from_bytes(GONE[0][0].encode()):b}"]
    lines = [f"{STAY[at + bit][1]} INFO user={STAY[at + bit][0]} login" for at, bit in zip(range(0, 80, 2), bits, strict=False)]
    assert accounted(known, lines).bits > SPARE_EACH
