"""Logs by which a controller tries to pass: what stops each, and which pass on a word that pages name."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from auditor.base.deletion_log import deletions
from auditor.base.deletion_log.requests import Awaited, ClockPause, Regime, Request
from auditor.base.domain import Status
from auditor.pages.plain import became
from auditor.pages.remedies import remedies
from auditor.pages.words import basis
from auditor.pages.words.rendered_evidence import tell
from auditor.parts.log.judging import log_consistency, log_deadlines
from auditor.settings.attestations import ATTESTABLE, NOTHING_HELD, REFUSALS
from auditor.settings.tables import Claims
from auditor.verdict.checks.finding import Finding, Nothing
from judging import declared, log_facts
from sample_cases import golden

START = datetime.fromisoformat("2026-01-10T09:00:00+01:00")
DAY = timedelta(days=1)
TODAY = date(2026, 6, 1)
KNOWN = [f"customer-{number}" for number in range(1000, 1100)]
PAUSED = (ClockPause(START + 3 * DAY, None, "we wait for a proof of identity"),)
WAITING = (ClockPause(START + 43 * DAY, None, "we wait for a proof of identity", Awaited.IDENTITY),)
DOUBTED = (ClockPause(START + 3 * DAY, None, "we wait for a proof of identity", Awaited.IDENTITY),)
REFUSED = {"status": "denied", "reason": "claims are still open", "exception": "GDPR Article 17(3)(e)"}


def row(number: int, *records: str, days: int | None = 5, **more: Any) -> Request:
    at = START + number * DAY
    done = {} if days is None else {"executed_at": at + days * DAY, "status": "executed"}
    fields: dict[str, Any] = {"received_at": at, "subject": f"p{number}", **done, **more}
    return Request(row=number + 1, request_id=f"R{number}", record_ids=records or (KNOWN[number],), **fields)


def carried_out(count: int, *, of: str | None = None) -> list[Request]:
    return [row(number, **({} if of is None else {"subject": of})) for number in range(count)]


def away(count: int, start: int, **more: Any) -> list[Request]:
    strangers = more.get("status") == "no_match"
    return [row(start + n, *([f"visitor-{n}"] if strangers else []), days=None, **more) for n in range(count)]


def judged(requests: list[Request], *words: str) -> tuple[Finding, Finding]:
    """What the two checks on the log find."""
    requests = [replace(each, row=number) for number, each in enumerate(requests, start=1)]
    problems = deletions.findings(requests, KNOWN, today=TODAY)
    found = deletions.outcomes(requests, KNOWN, deadline_days=None, today=TODAY)
    claims = Claims(attested=words, attested_by="A. Nyone", attested_at=date(2026, 5, 1)) if words else Claims()
    context = declared(requests=found, log=log_facts(requests=len(requests), problems=problems), claims=claims)
    return log_consistency.judge(context, Nothing(), {}), log_deadlines.judge(context, Nothing(), {})


def passes(requests: list[Request], *words: str) -> bool:
    return all(each.status is Status.PASS for each in judged(requests, *words))


STOPPED = {
    "done before it was asked for": [row(0, days=-1)],
    "done in the future": [row(0, executed_at=datetime.fromisoformat("2027-01-01T00:00:00+01:00"))],
    "asked for in the future": [row(0), row(1, days=None, received_at=datetime.fromisoformat("2027-01-01T00:00:00+01:00"))],
    "one request twice, with two outcomes": [row(0), replace(row(0, days=None, **REFUSED), row=2)],
    "one record deleted twice": [row(0), row(1, KNOWN[0])],
    "denied, and erased": [row(0, **REFUSED)],
    "withdrawn, and erased": [row(0, status="revoked")],
    "withdrawn before it was asked for": [row(0, days=None, status="revoked", answered_at=START - DAY)],
    "refused with a stroke": [row(0, days=None, **{**REFUSED, "reason": "--"})],
    "refused as not applicable": [row(0, days=None, **{**REFUSED, "reason": "n/a"})],
    **{
        f"refused with {said!r}": [row(0, days=None, **{**REFUSED, "reason": said})]
        for said in ("Not applicable.", "no reason given", "keine Angabe", "Unspecified", "\u043d\u0435\u0442")
    },
    "refused by no exception": [row(0, days=None, **{**REFUSED, "exception": "None"})],
    "nothing held of a known record": [row(0, days=None, status="no_match")],
    "executed under an id that is not there": [row(0, "customer-5000")],
    "nothing held, though executed": [row(0, days=5, status="no_match")],
    "executed on paper": [row(0, days=None, status="executed")],
    "waiting since January": [row(0, days=None, status="in_progress")],
    "one of a batch early, the batch late": [row(0, batch="b"), row(1, batch="b", days=80, answered_at=START + 5 * DAY)],
    "answered in time, erased in May": [row(0, days=100, answered_at=START + 5 * DAY)],
    "a doubt about the person, declared afterwards": [row(0, answered_at=START + 50 * DAY, clock_pauses=DOUBTED)],
    "a doubt that still lasts": [row(0), row(1, days=None, clock_pauses=DOUBTED)],
    "a wait for whatever, in the UK": [
        row(40, days=40, answered_at=START + 80 * DAY, regime=Regime.UK, clock_pauses=(replace(WAITING[0], awaits=None),))
    ],
    "a proof that never came, in the UK": [
        row(40, days=40, answered_at=START + 80 * DAY, regime=Regime.UK, clock_pauses=WAITING)
    ],
    "answered after the deadline": [row(0, answered_at=START + 50 * DAY)],
    "people who were refused are answered, the others never": [row(0, answered_at=START + 9 * DAY), row(1)],
    "one in five refused": [*carried_out(12), *away(3, 20, **REFUSED)],
    "one in five withdrawn": [*carried_out(12), *away(3, 20, status="revoked")],
    "nine of ten told that nothing is held": [*carried_out(1), *away(9, 20, status="no_match")],
    "a few of each": [*carried_out(12), *away(1, 20, status="no_match"), *away(1, 22, status="revoked"), *away(1, 24, **REFUSED)],
    "one person's request in thirty rows": [*carried_out(30, of="one"), *away(3, 40, **REFUSED)],
    "a clock that stands still for good, before 2026": [row(0), row(1, days=None, regime=Regime.UK, clock_pauses=PAUSED)],
    "an id that is encoded": [*carried_out(30), row(40, "Y3VzdG9tZXItMTA0MQ==", days=None, status="no_match")],
}


@pytest.mark.parametrize("requests", STOPPED.values(), ids=STOPPED)
def test_a_log_that_contradicts_itself_or_turns_many_away_does_not_pass(requests: list[Request]) -> None:
    assert not passes(requests)


BY_WORD = {
    "withdrawn by the controller, few": ([*carried_out(30), *away(3, 40, status="revoked")], ()),
    "refused, few": ([*carried_out(30), *away(3, 40, **REFUSED)], ()),
    "an id that has nothing in common, few": ([*carried_out(30), row(40, "a-stranger", days=None, status="no_match")], ()),
    "receipts dated later than they were": ([row(0, received_at=START + 4 * DAY)], ()),
    "a clock that stands still for good, since 2026": (
        [row(0), row(40, days=None, regime=Regime.UK, clock_pauses=WAITING)],
        (),
    ),
    "the law of another place": ([row(0, days=44, regime=Regime.CCPA)], ()),
    "one person under two pseudonyms": ([row(0, subject="a"), row(1, subject="b")], ()),
    "somebody else's record erased in their place": ([row(0, KNOWN[50])], ()),
    "a look-alike that is said to be another's": (
        [*carried_out(30), row(40, "id=customer-1041", days=None, status="no_match", near_match="another person's")],
        (),
    ),
    "nothing held in bulk, each with a reason": (
        [*carried_out(1), *away(9, 20, status="no_match", reason="never a customer; searched by name and address")],
        (NOTHING_HELD,),
    ),
    "withdrawn in bulk, each with a reason": (
        [*carried_out(1), *away(9, 20, status="revoked", reason="withdrawn by mail of the same person")],
        (REFUSALS,),
    ),
    "refused in bulk": ([*carried_out(1), *away(9, 20, **REFUSED)], (REFUSALS,)),
}
"""What docs/threat-model.md names: it passes on a word, of the log or by name."""


@pytest.mark.parametrize(("requests", "words"), BY_WORD.values(), ids=BY_WORD)
def test_what_only_the_log_can_know_passes_on_its_word(requests: list[Request], words: tuple[str, ...]) -> None:
    assert passes(requests, *words)
    if words:
        assert not passes(requests)
        assert f"puts a name to {words[0]}" in basis(judged(requests, *words)[1].reasons)


def test_a_word_settles_its_own_kind_and_only_rows_with_a_reason() -> None:
    nothing = away(9, 20, status="no_match", reason="never a customer")
    bare = [*carried_out(1), *nothing[:8], replace(nothing[8], reason=None)]
    placeholder = [*carried_out(1), *nothing[:8], replace(nothing[8], reason="TBD")]
    assert not passes(bare, NOTHING_HELD)
    assert not passes(placeholder, NOTHING_HELD)
    assert not passes([*carried_out(1), *nothing], REFUSALS)
    assert not passes([*carried_out(1), *nothing, *away(3, 60, **REFUSED)], NOTHING_HELD)
    assert passes([*carried_out(1), *nothing, *away(3, 60, **REFUSED)], NOTHING_HELD, REFUSALS)


def test_no_word_turns_a_finding_into_a_pass() -> None:
    late = [*carried_out(1), row(30, days=60), *away(9, 40, status="no_match", reason="never a customer")]
    assert judged(late, *ATTESTABLE)[1].status is Status.FAIL


def test_answers_to_people_who_were_turned_away_say_nothing_of_the_others() -> None:
    """A ticket in which nothing was found has its closing date as answer; the erasures of the log have none."""
    requests = [*carried_out(12), *away(1, 20, status="no_match", answered_at=START + 25 * DAY)]
    found = judged(requests)[1]
    assert found.status is Status.PASS
    assert "does not say when the person was informed" in basis(found.reasons)
    silent = [*requests, row(30, days=None, **REFUSED)]
    assert judged(silent)[1].status is Status.FAIL  # a refusal that nobody was told of, in a log that records such answers


def test_the_remedy_names_the_cause_and_the_requests_it_is_about() -> None:
    evidence = golden("late-and-extended")
    kept = [replace(each, status="executed") for each in evidence.requests if each.request_id == "REQ-in-time"]
    none = [replace(each, request_id=f"N{n}") for n in range(9) for each in evidence.requests if each.status == "no-match"]
    context = declared(requests=(*kept, *none))
    found = log_deadlines.judge(context, Nothing(), {})
    assert found.status is Status.INCONCLUSIVE
    seen = {"status": found.status, "value": 0.0, "reasons": found.reasons, "derived": found.derived.model_dump(mode="json")}
    checks = tuple(replace(each, **seen) if each.id == "log.deadlines" else each for each in evidence.checks)
    log = evidence.deletion_log.model_copy(update={"overdue": ()})
    told = tell(evidence.model_copy(update={"requests": (*kept, *none), "checks": checks, "deletion_log": log}))
    reasons, word = [each for each in remedies(told) if "log.deadlines" in each.checks]
    assert reasons.requests == word.requests == tuple(f"N{n}" for n in range(9))
    assert "9 of 9 without a reason" in reasons.found
    assert "nothing is held" in word.found
    assert NOTHING_HELD in word.action


def test_a_doubt_about_a_person_is_a_step_of_its_own_and_nobody_is_told_that_they_were_late() -> None:
    steps = {each.found: each for each in remedies(tell(golden("late-and-extended"))) if "log.deadlines" in each.checks}
    doubt = steps["3 requests are late, unless a wait for the person gave more time."]
    assert doubt.requests == ("REQ-paused", "REQ-still-paused", "REQ-in-doubt")
    assert "assess whether the controller had good reason to wait" in doubt.action
    late = next(each for said, each in steps.items() if "not answered in time" in said)
    assert not set(doubt.requests) & set(late.requests)
    assert doubt.tell.startswith("Once that is assessed, tell those whose answer is late")


def test_an_answer_that_was_late_asks_for_its_reason_once() -> None:
    evidence = golden("late-and-extended")
    first = next(each for each in evidence.requests if each.request_id == "REQ-answered-late")
    said = tuple(replace(each, late_reason="two systems were down") if each is first else each for each in evidence.requests)
    steps = [each for each in remedies(tell(evidence.model_copy(update={"requests": said}))) if "log.deadlines" in each.checks]
    asking = [each for each in steps if "late_reason" in each.action and "REQ-answered-late" in each.requests]
    (on_record,) = (each for each in steps if "The log says why they were late" in each.action)
    assert not asking
    assert on_record.requests == ("REQ-answered-late",)
    vain = tuple(replace(each, late_reason="n/a") if each is first else each for each in evidence.requests)
    steps = remedies(tell(evidence.model_copy(update={"requests": vain})))
    assert any("late_reason" in each.action and "REQ-answered-late" in each.requests for each in steps)


def test_pages_say_why_nothing_is_held_and_that_nobody_examined_it() -> None:
    evidence = golden("late-and-extended")
    said = tuple(replace(each, reason="never a customer") if each.status == "no-match" else each for each in evidence.requests)
    told = tell(evidence.model_copy(update={"requests": said}))
    assert "Why nothing is held, by the log’s word, which nobody examined: “never a customer” (one request)." in became(told)
    assert "1 told nothing is held" in became(told)
