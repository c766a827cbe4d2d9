"""`data.erased`: what was found fails, what could not be seen leaves it open, and only a search that saw all passes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from auditor.base.domain import Message, Provenance, Status
from auditor.pages.words import basis
from auditor.parts.store.judging.data_erased import Copies, Derived, NotSearched, Observed, Searched, judge
from auditor.verdict.checks.finding import Finding
from judging import attesting, case_facts, declared, log_facts, told_check

STORE = Searched(
    place=Message("data.erased.place.store", {"path": "store.npz"}),
    records_searched=97,
    found=0,
    how=Message("data.erased.how.rows"),
)
STATE = Searched(place=Message("data.erased.place.state"), records_searched=None, found=0, how=Message("data.erased.how.bytes"))


def observed(**changes: Any) -> Observed:
    """A store and a state in which nothing of three deleted records was found."""
    values: dict[str, Any] = {
        "deleted": 3,
        "by_identifier_only": 0,
        "found": 0,
        "request_ids": (),
        "searched": (STORE, STATE),
        "not_searched": (),
        "open_in_store": (),
        "open_elsewhere": (),
        "recognised_in_store": True,
    }
    return Observed(**{**values, **changes})


def left_open(path: str) -> Message:
    why = Message("data.erased.open.unknown-form")
    return Message("data.erased.open.place", {"place": Message("data.erased.place.store", {"path": path}), "why": why})


def facts(finding: Finding) -> list[tuple[str, Provenance]]:
    return [(each.name, each.how) for each in finding.facts]


def test_a_search_that_saw_everything_and_found_nothing_passes() -> None:
    finding = judge(declared(), observed(), {})
    assert (finding.status, finding.value, finding.threshold, finding.derived) == (
        Status.PASS,
        0.0,
        0.0,
        Derived(open_places=0, copies=None),
    )
    assert facts(finding) == [("store-erased", Provenance.MEASURED)]
    said = basis(finding.reasons)
    assert said.startswith("3 deleted records were looked for in 2 places. Copies that are encrypted, lossy")
    assert "Open" not in said


def test_one_record_that_is_found_fails_whatever_else_is_open() -> None:
    seen = observed(found=1, request_ids=("R-1",), open_in_store=(left_open("a.bin"),), recognised_in_store=False)
    finding = judge(declared(), seen, {})
    assert (finding.status, finding.value) == (Status.FAIL, 1.0)
    assert facts(finding) == [("store-erased", Provenance.REFUTED)]


@pytest.mark.parametrize(
    "changes",
    [
        {"open_in_store": (left_open("a.bin"),)},
        {"open_elsewhere": (left_open("a.bin"),)},
        {"recognised_in_store": False},
        {"searched": ()},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_what_could_not_be_seen_leaves_it_open(changes: dict[str, Any]) -> None:
    finding = judge(declared(), observed(**changes), {})
    assert (finding.status, finding.value, facts(finding)) == (Status.INCONCLUSIVE, 0.0, [])


def test_a_log_that_deleted_nothing_gives_nothing_to_look_for() -> None:
    context = declared(log=log_facts(batches=0))
    finding = judge(context, observed(deleted=0), {})
    assert (finding.status, finding.value, facts(finding)) == (Status.INCONCLUSIVE, None, [])
    assert basis(finding.reasons).startswith("No executed request names a record of the training data")
    # An id that the training data lack may be found all the same.
    again = judge(context, observed(deleted=1, found=1), {})
    assert (again.status, again.value) == (Status.FAIL, 1.0)


def test_without_a_store_the_rest_decides_and_nothing_is_said_of_the_store() -> None:
    context = declared(case=case_facts(store=None))
    for found, status in ((0, Status.PASS), (2, Status.FAIL)):
        finding = judge(context, observed(searched=(STATE,), found=found, recognised_in_store=False), {})
        assert (finding.status, facts(finding)) == (status, [])
        assert "No data store was given: that part is skipped." in basis(finding.reasons)


def test_open_places_are_named_in_order_and_counted() -> None:
    seen = observed(
        open_in_store=(left_open("a"), left_open("b")), open_elsewhere=(left_open("c"), left_open("d")), recognised_in_store=False
    )
    finding = judge(declared(), seen, {})
    assert finding.derived == Derived(open_places=5, copies=None)
    form = "its form is not known, so it was searched as plain bytes only"
    assert basis(finding.reasons).startswith(
        f"3 deleted records were looked for in 2 places. Open: store a: {form}; store b: {form}; "
        "data store: not even a kept record is recognised in it; and 2 more. Copies"
    )


def test_records_that_no_value_tells_apart_are_counted() -> None:
    said = basis(judge(declared(), observed(by_identifier_only=2), {}).reasons)
    assert said.endswith("2 of them were looked for by identifier only: their values single out nobody.")


def test_evidence_lists_places_in_words_and_a_reader_of_it_judges_the_same() -> None:
    absent = NotSearched(place=Message("data.erased.place.saved"), why=Message("data.erased.absent.not-offered"))
    seen = observed(not_searched=(absent,), open_in_store=(left_open("a.bin"),))
    finding = judge(declared(), seen, {})
    details = told_check("data.erased", finding, seen).details
    assert details["searched"][0] == {
        "place": "store store.npz",
        "records_searched": 97,
        "found": 0,
        "how": "identifiers, and values row by row",
    }
    assert details["not_searched"] == [{"place": "save() output of the rerun", "why": "the procedure does not offer it"}]
    read = Observed.model_validate_json(json.dumps(seen.model_dump(mode="json")))
    again = judge(declared(), read, {})
    assert basis(again.reasons) == basis(finding.reasons)
    assert (again.status, again.value, again.facts) == (finding.status, finding.value, finding.facts)


def copies(found: int, *, usual: int = 0, deleted: int = 3) -> Copies:
    return Copies(deleted=deleted, found=found, request_ids=("R-1",), retained_looked_at=100, retained_with_a_copy=usual)


@pytest.mark.parametrize(
    ("seen", "words", "status", "counted", "said"),
    [
        (copies(0), (), Status.PASS, 0, ""),
        (copies(1), (), Status.INCONCLUSIVE, 1, "can attest copies-are-others"),
        (copies(1), ("copies-are-others",), Status.PASS, 1, "by the controller's word (copies-are-others)"),
        (copies(1, usual=4), (), Status.INCONCLUSIVE, 1, "can attest"),
        (copies(1, usual=5), (), Status.PASS, 0, "too coarse"),
        (copies(3, usual=19), (), Status.INCONCLUSIVE, 3, "can attest"),
        (copies(3, usual=20), (), Status.PASS, 0, "too coarse"),
    ],
)
def test_copies_among_the_retained_leave_it_open_unless_they_are_usual_or_others(
    seen: Copies, words: tuple[str, ...], status: Status, counted: int, said: str
) -> None:
    """Three of three deleted against 19 (20) of 100 retained: one-sided p = .0087 (.01001) by Fisher's test."""
    context = declared(claims=attesting(*words)) if words else declared()
    finding = judge(context, observed(copies=seen), {})
    assert (finding.status, finding.derived) == (status, Derived(open_places=0, copies=counted))
    assert said in basis(finding.reasons)
    found = judge(context, observed(copies=seen, found=1), {})
    assert found.status is Status.FAIL, "no word turns a finding into a pass"
