"""Where one request stands: the log's word is the first link of a chain, and what was found is the others."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

import report_examples as examples
from auditor.base.deletion_log.deadlines import Timing
from auditor.base.deletion_log.requests import Extension, RequestOutcome
from auditor.base.domain import ClaimStatus, Guarantee, Status
from auditor.document.conclusions import Examined
from auditor.document.evidence import Evidence
from auditor.parts.store.judging import data_erased
from auditor.verdict.request_status import Chain, Data, Model, chain, chains

REQUEST = RequestOutcome(
    request_id="R-1",
    status="executed",
    received_on=date(2026, 1, 10),
    due_on=date(2026, 2, 10),
    deleted_at=datetime(2026, 2, 1, tzinfo=UTC),
    days=22,
    overdue=False,
    records=1,
    guarantees=("certified-removal",),
)
PROMISE = Guarantee("certified-removal", ClaimStatus.SUPPORTED, 0.1, 1e-5, ())


def evidence(*requests: RequestOutcome, promise: Guarantee | None = PROMISE, **changes: Any) -> Evidence:
    """An audit of a model file and a store in which nothing was found and one promise stands."""
    found = examples.passing().evidence
    checks = tuple(
        replace(each, observed={**(each.observed or {}), "request_ids": []}) if each.id == "data.erased" else each
        for each in found.checks
    )
    given = {
        "requests": requests or (REQUEST,),
        "guarantees": () if promise is None else (promise,),
        "checks": checks,
        "examined": Examined(model=True, store=True, procedure=True, backups=False),
        **changes,
    }
    return found.model_copy(update=given)


def searched(*request_ids: str, **changes: Any) -> dict[str, Any]:
    """What a search observes that found records of some requests."""
    found = len(request_ids)
    return examples.erased_observed(found=found, request_ids=request_ids, **changes).model_dump(mode="json")


def leaving(places: int) -> dict[str, Any]:
    """What is derived of a search that leaves some places open."""
    return data_erased.Derived(open_places=places, copies=None).model_dump(mode="json")


def with_check(found: Evidence, check_id: str, **changes: Any) -> Evidence:
    checks = tuple(replace(each, **changes) if each.id == check_id else each for each in found.checks)
    return found.model_copy(update={"checks": checks})


def only(found: Evidence) -> Chain:
    (one,) = chains(found)
    assert chain(found, found.requests[0]) == one
    return one


def test_what_was_not_found_again_of_a_model_with_a_promise_is_confirmed() -> None:
    found = only(evidence())
    assert (found.recorded, found.data, found.model, found.timing) == (
        "executed",
        Data.NOT_FOUND,
        Model.SUPPORTED,
        Timing.NOT_RECORDED,
    )
    assert found.confirmed
    assert not found.contradicted
    assert only(evidence(promise=replace(PROMISE, status=ClaimStatus.SHOWN))).model is Model.SHOWN


def test_data_that_were_found_again_contradict_the_log_whatever_else_holds() -> None:
    found = only(with_check(evidence(), "data.erased", status=Status.FAIL, observed=searched("R-1")))
    assert found.data is Data.FOUND
    assert found.contradicted
    assert not found.confirmed


def test_what_was_found_of_others_says_nothing_of_this_request_unless_places_were_left_open() -> None:
    failed = with_check(evidence(), "data.erased", status=Status.FAIL, observed=searched("R-9"))
    assert only(with_check(failed, "data.erased", derived=leaving(0))).data is Data.NOT_FOUND
    assert only(with_check(failed, "data.erased", derived=leaving(1))).data is Data.OPEN
    assert only(with_check(failed, "data.erased", derived=None)).data is Data.OPEN


@pytest.mark.parametrize(
    "observed",
    [
        {"request_ids": 0.5},
        {"request_ids": ["R-9"], "subjects": 0.5},
        {"request_ids": [], "copies": 0.5},
    ],
)
@pytest.mark.parametrize("status", [Status.PASS, Status.FAIL])
def test_names_that_cannot_be_read_may_be_any(observed: dict[str, Any], status: Status) -> None:
    found = with_check(evidence(), "data.erased", status=status, observed=searched("R-9") | observed, derived=leaving(0))
    assert only(found).data is Data.FOUND


def test_what_was_derived_and_cannot_be_read_confirms_nothing() -> None:
    found = with_check(evidence(), "data.erased", status=Status.FAIL, observed=searched("R-9"), derived={"open_places": 0.5})
    assert only(found).data is Data.FOUND
    assert not only(found).confirmed


def test_of_two_people_of_one_ticket_each_has_what_was_found_of_their_own() -> None:
    rows = tuple(replace(REQUEST, subject=name) for name in ("lea", "mo"))
    seen = searched("R-1", subjects=["mo"])
    found = with_check(evidence(*rows), "data.erased", status=Status.FAIL, observed=seen, derived=leaving(0))
    assert [each.data for each in chains(found)] == [Data.NOT_FOUND, Data.FOUND]


@pytest.mark.parametrize("status", [Status.SKIPPED, Status.ERROR])
def test_a_search_that_did_not_run_examined_nothing(status: Status) -> None:
    assert only(with_check(evidence(), "data.erased", status=status)).data is Data.NOT_EXAMINED


def test_without_a_store_the_data_were_not_examined() -> None:
    found = evidence()
    assert only(found.model_copy(update={"case": found.case.model_copy(update={"store": None})})).data is Data.NOT_EXAMINED


def test_an_inconclusive_search_leaves_the_data_open() -> None:
    assert only(with_check(evidence(), "data.erased", status=Status.INCONCLUSIVE)).data is Data.OPEN


@pytest.mark.parametrize("check_id", ["model.reproduced", "release.remembers", "removal.residual", "epsilon.consistency"])
def test_a_check_of_the_model_that_failed_refutes_it(check_id: str) -> None:
    found = only(with_check(evidence(), check_id, status=Status.FAIL))
    assert found.model is Model.REFUTED
    assert found.contradicted


def test_a_useless_or_slow_model_has_forgotten_all_the_same() -> None:
    assert only(with_check(evidence(), "utility.accuracy", status=Status.FAIL)).model is Model.SUPPORTED


def test_a_refuted_promise_refutes_the_model() -> None:
    assert only(evidence(promise=replace(PROMISE, status=ClaimStatus.REFUTED))).model is Model.REFUTED


def test_without_a_model_file_no_model_was_examined_whatever_is_shown_of_the_procedure() -> None:
    found = evidence(promise=replace(PROMISE, status=ClaimStatus.SHOWN))
    found = found.model_copy(update={"case": found.case.model_copy(update={"model": None})})
    assert only(found).model is Model.NOT_EXAMINED
    assert not only(found).confirmed


def test_a_promise_of_no_use_or_of_other_requests_shows_nothing() -> None:
    assert only(evidence(promise=replace(PROMISE, epsilon=20.0))).model is Model.NOT_SHOWN
    assert only(evidence(replace(REQUEST, guarantees=()))).model is Model.NOT_SHOWN
    assert only(evidence(promise=None)).model is Model.NOT_SHOWN


@pytest.mark.parametrize("status", ["open", "denied", "revoked", "not-located"])
def test_where_nothing_was_carried_out_there_is_nothing_to_hold_against_it(status: str) -> None:
    found = only(evidence(replace(REQUEST, status=status, deleted_at=None, days=None)))
    assert (found.recorded, found.data, found.model, found.confirmed) == (status, None, None, False)


def test_who_was_told_that_nothing_was_found_is_searched_for_too() -> None:
    absent = replace(REQUEST, status="no-match", deleted_at=None, days=None)
    assert only(evidence(absent)).data is Data.NOT_FOUND
    there = with_check(evidence(absent), "data.erased", status=Status.FAIL, observed=searched("R-1"))
    assert only(there).contradicted


def test_the_deadline_is_part_of_it() -> None:
    told = Extension(datetime(2026, 1, 20, tzinfo=UTC), "many systems")
    found = only(evidence(replace(REQUEST, extension=told, due_on=date(2026, 4, 10), paused_days=0)))
    assert (found.extended, found.late) == (True, False)
    late = only(evidence(replace(REQUEST, answered_at=datetime(2026, 5, 1, tzinfo=UTC), overdue=True)))
    assert (late.timing, late.late) == (Timing.ANSWERED_LATE, True)
    refused = replace(REQUEST, status="denied", deleted_at=None, days=None)
    assert only(evidence(refused)).without_reason
    assert not only(evidence(replace(refused, reason="a claim", exception="Article 17(3)(e)"))).without_reason


@pytest.mark.parametrize(
    ("changes", "data"),
    [
        ({}, Data.OPEN),
        ({"any_request": False, "open_to": {"request_ids": ["R-1"]}}, Data.OPEN),
        ({"any_request": False, "copied": {"request_ids": ["R-1"]}, "open_to": {"request_ids": ["R-2"]}}, Data.OPEN),
        ({"any_request": False, "open_to": {"request_ids": ["R-2"]}}, Data.NOT_FOUND),
        ({"any_request": False, "copied": {"request_ids": ["R-2"]}}, Data.NOT_FOUND),
        ({"any_request": False, "copied": {"request_ids": ["R-1"], "subjects": ["somebody else"]}}, Data.NOT_FOUND),
        ({"any_request": True, "open_to": {"request_ids": ["R-2"]}}, Data.OPEN),
    ],
)
def test_what_is_left_open_concerns_the_requests_that_are_named(changes: dict[str, Any], data: Data) -> None:
    derived = {**leaving(1), "copies": 1, **changes}
    found = with_check(evidence(), "data.erased", status=Status.INCONCLUSIVE, derived=derived)
    assert only(found).data is data
    failed = with_check(
        evidence(), "data.erased", status=Status.FAIL, derived={**derived, "open_places": 0}, observed=searched("R-2")
    )
    copied = "R-1" in changes.get("copied", {}).get("request_ids", ()) and "subjects" not in changes["copied"]
    assert only(failed).data is (Data.OPEN if copied else Data.NOT_FOUND)


@pytest.mark.parametrize(("found", "data"), [(61, Data.NOT_FOUND), (60, Data.OPEN), (0, Data.OPEN)])
def test_a_row_that_was_found_and_named_leaves_no_other_request_open(found: int, data: Data) -> None:
    place = {"code": "data.erased.place.store", "parameters": {"path": "store.csv"}}
    left = {"place": place, "bytes": 61, "word": "store-holds-no-copies", **({"found": found} if found else {})}
    derived = {**leaving(0), "unexplained": [left]}
    failed = with_check(evidence(), "data.erased", status=Status.FAIL, derived=derived, observed=searched("R-2"))
    assert only(failed).data is data
    # Without a failure nobody was named: the same bytes then leave everybody open.
    still_open = with_check(evidence(), "data.erased", status=Status.INCONCLUSIVE, derived=derived)
    assert only(still_open).data is Data.OPEN
