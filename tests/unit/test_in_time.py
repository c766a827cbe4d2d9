"""Erased by the deadline, and informed by it: two answers, which the first, the second and the fourth page give alike."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

import rechecks
from auditor.base.deletion_log.requests import Awaited, ClockPause, LogFinding, RequestOutcome, StorageState
from auditor.base.domain import Status
from auditor.document.evidence import Evidence
from auditor.pages import attachments, plain
from auditor.pages.main import findings, opinion, people, search_scope
from auditor.pages.main.crosswalk import duties
from auditor.pages.main.times import answers, in_time
from auditor.pages.remedies import remedies
from auditor.pages.words.backups import backups
from auditor.pages.words.conclusion import not_examined
from auditor.pages.words.rendered_evidence import Told, tell
from auditor.pages.words.texts import text
from auditor.settings.documents import OutsidePlace
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


def doubted(**changes: object) -> RequestOutcome:
    """Answered eight days late, after a wait of ten days for a proof of identity: GDPR Article 12(6) may excuse that."""
    begun, ended = datetime(2026, 1, 12, tzinfo=UTC), datetime(2026, 1, 22, tzinfo=UTC)
    wait = ClockPause(begun, ended, "we had to ask who it was", Awaited.IDENTITY)
    late = datetime(2026, 2, 18, tzinfo=UTC)
    return request(**{"answered_at": late, "overdue": True, "clock_pauses": (wait,), **changes})


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (request(answered_at=IN_TIME), ("trust", "trust")),
        (request(), ("trust", "unknown")),
        (request(answered_at=TOO_LATE, overdue=True), ("trust", "no")),
        (request(deleted_at=TOO_LATE, answered_at=IN_TIME), ("no", "trust")),
        (request(deleted_at=TOO_LATE, overdue=True), ("no", "unknown")),
        (request(overdue=True), ("trust", "no")),
        (request(status="open", deleted_at=None, overdue=True), ("no", "no")),
        (doubted(), ("trust", "unknown")),
        (doubted(deleted_at=datetime(2026, 2, 20, tzinfo=UTC)), ("unknown", "unknown")),
        (doubted(answered_at=datetime(2026, 3, 2, tzinfo=UTC)), ("trust", "no")),
        (request(status="denied", deleted_at=None, answered_at=IN_TIME), ("trust", "trust")),
    ],
)
def test_erasing_and_informing_are_answered_apart(asked: RequestOutcome, found: tuple[str, str]) -> None:
    assert tuple(each.answer for each in in_time(told(asked))) == found


def test_data_that_the_log_only_marks_as_erased_are_not_erased_by_the_deadline() -> None:
    marked = request(answered_at=IN_TIME, storage_state=StorageState.LOGICAL)
    page = told(request(answered_at=IN_TIME), marked)
    erased, informed = in_time(page)
    assert (erased.answer, informed.answer) == ("unknown", "trust")
    assert "the data of 1 request are only marked as erased" in erased.said
    found = people.overview(page)
    assert "according to the log, but only marked as erased" in {each.state for each in found.stages}
    assert "The log only marks the data as erased." in [each.said for each in found.exceptions]
    late = told(request(deleted_at=TOO_LATE, answered_at=IN_TIME), marked)
    assert in_time(late)[0].answer == "no"


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


def test_a_doubt_about_the_person_is_counted_apart_from_what_is_late() -> None:
    given = told(request(answered_at=TOO_LATE, overdue=True), doubted(request_id="D"))
    informed = in_time(given)[1]
    assert "in 1 case " in informed.said
    assert "1 more is late, unless" in informed.said
    counted = answers(request_status.chains(given.evidence))
    assert (counted.late, counted.in_doubt) == (1, 1)
    (time,) = (each for each in duties(given) if each.source == "GDPR 12")
    assert time.shows == "2 requests, 1 late, 1 in doubt"
    assert [each.request_id for each in people.overview(given).exceptions][1] == "D"


def test_an_open_request_past_its_date_is_late_and_its_missing_answer_is_counted() -> None:
    given = told(request(answered_at=TOO_LATE, overdue=True), request(status="open", deleted_at=None, overdue=True))
    said = in_time(given)[1].said
    assert "in 2 cases" in said
    assert "Of 1 of them the log records no answer" in said


def test_an_open_request_whose_erasure_the_log_dates_is_not_counted_as_not_erased() -> None:
    in_part = request(status="open", deleted_at=None, overdue=True, data_erased_at=IN_TIME)
    erased, informed = in_time(told(request(answered_at=IN_TIME), in_part))
    assert (erased.answer, erased.said) == ("unknown", text("main-time-open"))
    assert informed.answer == "no"


def test_a_check_that_did_not_pass_leaves_nothing_on_trust() -> None:
    given = {each.answer for each in in_time(told(request(answered_at=IN_TIME), status=Status.INCONCLUSIVE))}
    assert given == {"unknown"}


def test_what_is_not_due_yet_is_counted_and_is_no_delay() -> None:
    waiting = request(status="open", deleted_at=None)
    erased, informed = in_time(told(request(answered_at=IN_TIME), waiting))
    assert "not due yet" in erased.said
    assert erased.said == informed.said
    assert in_time(told(waiting))[0].said == text("main-time-none-due", running=1)


@pytest.mark.parametrize("name", ["digits-newton", "late-and-extended", "digits-cheater"])
def test_every_page_gives_the_same_answers(name: str) -> None:
    given = tell(Evidence.model_validate_json(rechecks.derived(name)))
    both = in_time(given)
    box = [row.said for row in opinion.rows(given)]
    asked = {each.proof: each.answer for each in findings.questions(given)}
    stages = people.overview(given).stages
    for each in both:
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


def test_nobody_is_said_to_have_been_informed_late_who_was_not_informed() -> None:
    still = ClockPause(datetime(2026, 1, 12, tzinfo=UTC), datetime(2026, 12, 30, tzinfo=UTC), "who was it", Awaited.IDENTITY)
    erased = datetime(2026, 2, 18, tzinfo=UTC)
    for asked, key in (
        (doubted(), "main-exception-in-doubt"),
        (doubted(deleted_at=erased, answered_at=None), "main-exception-in-doubt-erased"),
        (doubted(status="open", deleted_at=None, answered_at=None, clock_pauses=(still,)), "main-exception-in-doubt-unanswered"),
    ):
        (row,) = people.overview(told(asked)).exceptions
        assert text(key) in row.said
        assert ("informed" in row.said) is (asked.answered_at is not None)


def test_the_day_of_an_erasure_stands_next_to_a_request_that_is_open_and_late() -> None:
    in_part = request(status="open", deleted_at=None, overdue=True, data_erased_at=IN_TIME)
    (listed,) = people.overview(told(in_part)).exceptions
    assert listed.said.startswith("According to the log, its stored data were erased on ")
    assert listed.said.endswith("It is still open, after its due date.")
    (denied,) = people.overview(told(replace(in_part, data_erased_at=None, model_erased_at=IN_TIME))).exceptions
    assert denied.said == text("main-exception-contradicted")


def test_a_request_that_was_only_written_to_is_still_open_and_nobody_says_that_its_data_were_erased() -> None:
    for answered in (TOO_LATE, IN_TIME, None):
        waiting = request(status="open", deleted_at=None, overdue=True, answered_at=answered)
        given = told(request(answered_at=IN_TIME), waiting)
        (listed,) = people.overview(given).exceptions
        assert listed.said == text("main-exception-open-late")
        erased, informed = in_time(given)
        assert (erased.answer, informed.answer) == ("no", "no")
        assert ("no answer" in informed.said) is (answered is None)


def test_a_step_asks_to_carry_out_what_is_still_open_whatever_its_person_was_told() -> None:
    told_late, told_in_time, untold = (
        request(request_id=name, status="open", deleted_at=None, overdue=True, answered_at=answered)
        for name, answered in (("late", TOO_LATE), ("in-time", IN_TIME), ("untold", None))
    )
    done = request(request_id="done", answered_at=TOO_LATE, overdue=True)
    found = told(told_late, told_in_time, untold, done, status=Status.FAIL)
    steps = {each.action: each.requests for each in remedies(found)}
    assert steps[text("remedy-late-open", reasons="none")] == ("late", "in-time", "untold")
    assert steps[text("remedy-late-done")] == ("done",)


@pytest.mark.parametrize(("reasons", "said"), [((None, None), "none"), (("ill", None), "some"), (("ill", "ill"), "all")])
def test_a_step_asks_for_a_reason_only_where_the_log_has_none(reasons: tuple[str | None, ...], said: str) -> None:
    late = (
        request(request_id=f"late-{at}", status="open", deleted_at=None, overdue=True, late_reason=each)
        for at, each in enumerate(reasons)
    )
    actions = [each.action for each in remedies(told(*late, status=Status.FAIL))]
    assert text("remedy-late-open", reasons=said) in actions
    assert any("late_reason" in each for each in actions) is (said != "all")


def test_a_log_that_disagrees_with_itself_says_so_where_records_were_found_again_too() -> None:
    found = Evidence.model_validate_json(rechecks.derived("digits-cheater"))
    problem = LogFinding(7, "DUPLICATE_RECORD", "row 7: twice")
    facts = found.deletion_log.model_copy(update={"problems": (problem,)})
    given = tell(found.model_copy(update={"deletion_log": facts}))
    (proof,) = [each.proof for each in findings.questions(given) if "The log says that the records" in each.proof]
    assert "1 problem was found." in proof


def test_what_is_not_due_yet_counts_as_no_answer_where_its_person_was_told_something() -> None:
    (chain,) = request_status.chains(told(request(status="open", deleted_at=None, answered_at=IN_TIME)).evidence)
    assert chain.informed.value == "not-due-yet"


def test_those_found_again_and_those_only_marked_are_counted_next_to_those_that_are_late() -> None:
    cheated = Evidence.model_validate_json(rechecks.derived("digits-cheater"))
    count = request_status.found_again(cheated)
    late = request(request_id="late", deleted_at=TOO_LATE, answered_at=TOO_LATE, overdue=True)
    marked = request(request_id="marked", answered_at=IN_TIME, storage_state=StorageState.LOGICAL)
    every = (*cheated.requests, late, marked)
    erased = in_time(tell(cheated.model_copy(update={"requests": every})))[0]
    for key, number in (("erased-by-missed", 1), ("again-more", count), ("marked-more", 1)):
        assert text(f"main-time-{key}", count=number) in erased.said
    unlate = in_time(tell(cheated.model_copy(update={"requests": (*cheated.requests, marked)})))[0]
    assert unlate.said.startswith(text("main-time-again", count=count))
    assert text("main-time-marked-more", count=1) in unlate.said


def test_the_table_of_requests_does_not_call_met_what_is_still_there() -> None:
    cheated = Evidence.model_validate_json(rechecks.derived("digits-cheater"))
    marked = request(request_id="marked", answered_at=IN_TIME, storage_state=StorageState.LOGICAL)
    table = attachments.of(cheated.model_copy(update={"requests": (*cheated.requests, marked)}))[attachments.REQUESTS]
    found = {each["request_id"]: each["found_erased"] for each in csv.DictReader(io.StringIO(table.decode("utf-8-sig")))}
    assert found.pop("marked") == "marked"
    assert set(found.values()) == {"again", "nothing-due"}


def test_backups_of_what_is_still_there_count_those_found_and_those_marked_and_weigh_more() -> None:
    cheated = Evidence.model_validate_json(rechecks.derived("digits-cheater"))
    count = request_status.found_again(cheated)
    marked = request(request_id="marked", answered_at=IN_TIME, storage_state=StorageState.LOGICAL)
    place = OutsidePlace(name="backups", what="nightly copies", declared_by="Sam Example", until=date(2030, 1, 1))
    given = cheated.model_copy(update={"requests": (*cheated.requests, marked), "outside": (place,)})
    found = backups(given)
    assert (found.state, found.requests, found.marked) == ("found", count, 1)
    said = search_scope.backups_gone(tell(given))
    assert "those of 1 more are only marked as erased" in said
    assert "may hold them too" in said
    gap = next(each for each in not_examined(given) if each.name == "Backups")
    assert f"the data of {count + 1} requests are still there, or only marked as erased" in gap.why
    assert gap.why.endswith("may hold them.")
    assert gap.weight == text("conclusion-weight-medium")


def test_who_was_answered_in_time_and_still_waits_is_not_called_uninformed_without_a_word() -> None:
    waiting = request(status="open", answered_at=IN_TIME, overdue=True, deleted_at=None)
    said = next(each.said for each in in_time(told(waiting, request(answered_at=IN_TIME))) if each.name == "informed-by")
    assert said == (
        "No: in 1 case the person was not informed by the deadline. 1 of these people was answered in time, but the request is "
        "still open."
    )


def test_people_with_several_outcomes_are_said_to_be_counted_at_each() -> None:
    one = request(subject="s1", answered_at=IN_TIME)
    two = replace(one, request_id="two", status="denied", deleted_at=None, reason="kept", exception="Article 17(3)(e)")
    other = replace(one, request_id="three", subject="s2")
    assert "one of them has requests of several outcomes" in plain.became(told(one, two, other))
    assert "several outcomes" not in plain.became(told(one, other))


def test_reasons_that_only_some_have_are_said_to_be_others() -> None:
    rows = [request(status="no-match", request_id=f"r{at}", reason="looked by name" if at else "a typo") for at in range(3)]
    assert plain.became(told(*rows)).endswith("“looked by name” (2 requests; one more has a reason of its own).")
    assert plain.became(told(*rows[1:])).endswith("“looked by name” (2 requests).")


def test_a_request_that_is_open_and_marked_is_not_called_erased() -> None:
    marked = request(status="open", data_erased_at=IN_TIME, deleted_at=None, storage_state=StorageState.LOGICAL, overdue=True)
    said = " ".join(each.said for each in people.overview(told(marked)).exceptions)
    assert "only marked as erased on 9 February 2026" in said
    assert "were erased" not in said


def test_nobody_says_that_nothing_had_to_be_erased() -> None:
    denied = request(status="denied", deleted_at=None, reason="kept", exception="Article 17(3)(e)", answered_at=IN_TIME)
    states = [each.state for each in people.overview(told(denied)).stages]
    assert "refused, withdrawn or no record, according to the log" in states


def test_a_model_that_was_updated_late_unless_a_wait_counts_is_in_doubt() -> None:
    late = doubted(model_erased_at=datetime(2026, 2, 18, tzinfo=UTC))
    later = doubted(model_erased_at=datetime(2026, 3, 18, tzinfo=UTC))
    certain = request(answered_at=IN_TIME, model_erased_at=TOO_LATE)
    said = {each.name: each.said for each in in_time(told(late, later, certain))}["erased-by"]
    assert "In 2 cases the model was updated only after the deadline." in said
    assert "In 1 case the model was updated too late, unless a wait for the person gave more time." in said
    rows = [each.said for each in people.overview(told(late)).exceptions]
    assert ["The model was updated too late, unless a wait" in each for each in rows] == [True]
