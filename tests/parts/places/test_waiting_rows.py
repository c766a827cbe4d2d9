"""Rows of open requests that are erased while the log says nothing: nobody else's letter waits, and a step names them."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from auditor.api import Audit
from auditor.base.domain import Status, Verdict
from auditor.pages import remedies
from auditor.pages.letters import extract, page
from auditor.pages.words.rendered_evidence import tell
from auditor.verdict.request_status import Data, chains
from tests.parts.places.test_places import KEPT, LOG, PEOPLE, audited, case, write

__all__ = ["case"]
OPEN = ("C-0012", "C-0031")
LOGGED = "Record in the log that the request"
ORDERED = "Write the rows in the table’s order"


def log(case: Path, *, waiting: tuple[str, ...], executed: tuple[str, ...] = ()) -> None:
    rows = [dict(row) for row in LOG]
    rows += [
        {
            "request_id": f"W-{record}",
            "record_ids": [record],
            "received_at": "2026-10-02T09:00:00+00:00",
            **({"executed_at": "2026-10-06T09:00:00+00:00"} if record in executed else {"status": "open"}),
        }
        for record in (*waiting, *executed)
    ]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def steps(found: Audit) -> dict[str, tuple[str, ...]]:
    return {each.action: each.requests for each in remedies.remedies(tell(found.evidence))}


def data(found: Audit) -> set[Data | None]:
    return {
        chain.data
        for request, chain in zip(found.evidence.requests, chains(found.evidence), strict=True)
        if request.request_id.startswith("R-")
    }


def erase(case: Path, *records: str) -> None:
    left = [row for row in KEPT if row[0] not in records]
    write(case / "here" / "now.csv", left)
    (case / "here" / "notes.txt").write_text("".join(f"{row[1]} came by.\n" for row in left), encoding="utf-8")


def test_who_is_erased_and_not_recorded_leaves_nobody_else_open_and_is_named(case: Path) -> None:
    log(case, waiting=(*OPEN, "C-0050"))
    erase(case, *OPEN)
    found = audited(case)
    assert found.evidence.check("places.erased").status is Status.PASS
    assert data(found) == {Data.NOT_FOUND}
    (action,) = [each for each in steps(found) if each.startswith(LOGGED)]
    assert steps(found)[action] == ("W-C-0012", "W-C-0031")
    assert "W-C-0012 and W-C-0031" in action
    missed = {name: extract(found.evidence, name, draft=True) for name in ("W-C-0012", "W-C-0031", "W-C-0050", "R-1")}
    assert {name for name, each in missed.items() if each.request.unrecorded} == {"W-C-0012", "W-C-0031"}
    assert "has not been erased yet" in page.page(missed["W-C-0050"]).head
    for told in (*page.page(missed["W-C-0012"]).rows[0].sentences, page.page(missed["W-C-0012"]).head):
        assert "not erased" not in told
        assert "has not been erased" not in told
    # Which of two people of one ticket the search missed nobody knows.
    ticket = [replace(each, subject="p-1") for each in found.evidence.requests if each.request_id == "W-C-0012"]
    two = found.evidence.model_copy(update={"requests": (*ticket, replace(ticket[0], subject="p-2"))})
    assert not extract(two, "W-C-0012", "p-1", draft=True).request.unrecorded
    # The log may date the erasure of what it calls open: all that it lacks for sure is that the request was carried out.
    said = next(each.found for each in remedies.remedies(tell(found.evidence)) if each.action == action)
    assert "the log does not record them as carried out" in said


def test_so_many_that_their_choice_could_hold_a_record_stay_open_until_the_log_records_them(case: Path) -> None:
    """The step works when it is followed; that of the order of rows, which they keep, is not given."""
    people = [(f"C-{at:04d}", f"p{at}@mail.example", str(20 + at % 50), f"{1000.5 + at * 7.13:.2f}") for at in range(1, 401)]
    write(case / "people.csv", people)
    stay = [row for row in people if row not in PEOPLE or row in KEPT]
    many = tuple(row[0] for row in stay[100:220])
    gone = tuple(sorted(random.Random(3).sample(many, 30)))
    write(case / "here" / "now.csv", [row for row in stay if row[0] not in gone])
    log(case, waiting=many)
    found = audited(case)
    assert found.evidence.check("places.erased").status is Status.INCONCLUSIVE
    assert data(found) == {Data.OPEN}
    given = steps(found)
    (action,) = [each for each in given if each.startswith(LOGGED)]
    assert set(given[action]) == {f"W-{each}" for each in gone}
    assert not any(each.startswith(ORDERED) for each in given)
    log(case, waiting=tuple(each for each in many if each not in gone), executed=gone)
    again = audited(case)
    assert again.verdict is Verdict.PASS
    assert data(again) == {Data.NOT_FOUND}
    assert not any(each.startswith(LOGGED) for each in steps(again))


@pytest.mark.attempt("deleted people in places")
def test_rows_of_people_who_did_not_ask_are_no_choice_of_the_open_ones(case: Path) -> None:
    """A maker who hides a record in which rows are missing gains nothing by an open request."""
    log(case, waiting=OPEN)
    erase(case, *OPEN, *(row[0] for row in random.Random(4).sample(KEPT, 28)))
    found = audited(case)
    assert found.evidence.check("places.erased").status is Status.INCONCLUSIVE
    assert data(found) == {Data.OPEN}
