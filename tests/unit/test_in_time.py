"""Erased by the deadline, and informed by it: two answers, which the first, the second and the fourth page give alike."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

import rechecks
from auditor.base.domain import RequestOutcome, Status
from auditor.document.evidence import Evidence
from auditor.pages.main import findings, opinion, people
from auditor.pages.main.times import in_time
from auditor.pages.words.rendered_evidence import Told, tell
from auditor.pages.words.texts import text
from auditor.verdict import request_status


def told(*requests: RequestOutcome, status: Status = Status.PASS) -> Told:
    found = Evidence.model_validate_json(rechecks.derived("digits-newton"))
    checks = tuple(replace(each, status=status) if each.id == "log.deadlines" else each for each in found.checks)
    return tell(found.model_copy(update={"requests": requests or found.requests, "checks": checks}))


def request(**changes: object) -> RequestOutcome:
    first = Evidence.model_validate_json(rechecks.derived("digits-newton")).requests[0]
    base = replace(
        first,
        status="executed",
        received_on=date(2026, 1, 10),
        due_on=date(2026, 2, 10),
        deleted_at=datetime(2026, 2, 1, tzinfo=UTC),
        data_erased_at=None,
        answered_at=None,
        overdue=False,
    )
    return replace(base, **changes)  # type: ignore[arg-type]


IN_TIME = datetime(2026, 2, 9, tzinfo=UTC)
TOO_LATE = datetime(2026, 2, 11, tzinfo=UTC)


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        (request(answered_at=IN_TIME), ("trust", "trust")),
        (request(), ("trust", "unknown")),
        (request(answered_at=TOO_LATE, overdue=True), ("trust", "no")),
        (request(deleted_at=TOO_LATE, answered_at=IN_TIME), ("no", "trust")),
        (request(deleted_at=TOO_LATE, overdue=True), ("no", "unknown")),
        (request(overdue=True), ("trust", "no")),
        (request(status="open", deleted_at=None, overdue=True), ("no", "unknown")),
        (request(status="denied", deleted_at=None, answered_at=IN_TIME), ("trust", "trust")),
    ],
)
def test_erasing_and_informing_are_answered_apart(asked: RequestOutcome, answers: tuple[str, str]) -> None:
    assert tuple(each.answer for each in in_time(told(asked))) == answers


def test_one_late_request_is_not_hidden_by_others() -> None:
    erased, informed = in_time(
        told(*[request(answered_at=IN_TIME)] * 9, request(deleted_at=TOO_LATE, answered_at=TOO_LATE, overdue=True))
    )
    assert (erased.answer, informed.answer) == ("no", "no")
    assert "1 request" in erased.said


def test_how_many_answers_are_not_in_the_log_is_counted() -> None:
    said = [in_time(told(*those))[1].said for those in ([request()] * 3, [request(answered_at=IN_TIME), request(), request()])]
    assert said[0] == text("main-time-not-known", count=3, of=3, all="yes")
    assert "2 of 3" in said[1]


def test_a_check_that_did_not_pass_leaves_nothing_on_trust() -> None:
    answers = {each.answer for each in in_time(told(request(answered_at=IN_TIME), status=Status.INCONCLUSIVE))}
    assert answers == {"unknown"}


def test_what_is_not_due_yet_is_counted_and_is_no_delay() -> None:
    waiting = request(status="open", deleted_at=None)
    erased, informed = in_time(told(request(answered_at=IN_TIME), waiting))
    assert "not due yet" in erased.said
    assert erased.said == informed.said
    assert in_time(told(waiting))[0].said == text("main-time-none-due", running=1)


@pytest.mark.parametrize("name", ["digits-newton", "late-and-extended", "digits-cheater"])
def test_every_page_gives_the_same_answers(name: str) -> None:
    given = tell(Evidence.model_validate_json(rechecks.derived(name)))
    answers = in_time(given)
    box = [row.said for row in opinion.rows(given)]
    asked = {each.proof: each.answer for each in findings.questions(given)}
    stages = people.overview(given).stages
    for each in answers:
        assert each.said in box
        assert asked[each.said] == each.answer
        assert text(f"main-link-{each.name}") in {stage.link for stage in stages}


def test_records_that_were_found_again_were_not_erased_in_time() -> None:
    erased = in_time(tell(Evidence.model_validate_json(rechecks.derived("digits-cheater"))))[0]
    assert erased.answer == "no"
    assert "found again" in erased.said


def test_every_page_counts_the_requests_that_were_found_again_alike() -> None:
    found = Evidence.model_validate_json(rechecks.derived("digits-cheater"))
    nothing = replace(found.requests[-1], status="no-match", deleted_at=None)
    given = tell(found.model_copy(update={"requests": (*found.requests[:-1], nothing)}))
    count = request_status.found_again(given.evidence)
    assert count == sum(each.data is request_status.Data.FOUND for each in request_status.chains(given.evidence)) > 1
    assert text("main-time-again", count=count) in {each.said for each in in_time(given)}
    assert text("main-box-people-data", count=count) in {row.said for row in opinion.rows(given)}
    assert text("main-proof-log-again", count=count) in {each.proof for each in findings.questions(given)}
