"""Sentences of letters and replies that once alarmed, contradicted one another, or said more than anybody knows."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from auditor.base.deletion_log.requests import Awaited, ClockPause, Extension, KeptData, Regime, StorageState
from auditor.base.domain import Status, Verdict
from auditor.document.evidence import Attested, Evidence
from auditor.pages.letters import Extract, extract
from auditor.pages.replies import reply
from auditor.pages.replies.page import paragraphs
from auditor.settings.attestations import NO_MODEL, NOTHING_HELD
from auditor.settings.receipts import Receipt
from letter_cases import DAY, letter_of, page_of, said, sample, undone, with_rows
from reply_cases import CCPA, DECLARED, HERE, reply_of

BEFORE_THE_PROOF = datetime(2026, 2, 20, tzinfo=UTC)
UK = {"regime": Regime.UK, "received_on": date(2026, 2, 6), "answered_at": None}


def not_done(status: str, evidence: Evidence | None = None, **changes: Any) -> tuple[Extract, str, str]:
    """The first request as one for which nothing was erased: its extract, and the words of letter and reply."""
    evidence = evidence or sample()
    log = with_rows(evidence, undone(evidence, status, **changes))
    letter = extract(log, HERE)
    return letter, said(letter), " ".join(each.text for each in paragraphs(reply(log, HERE)))


def attesting(*names: str) -> Evidence:
    words = tuple(Attested(name=each, by="Sam Example", at=DAY.date()) for each in names)
    policy = sample().policy.model_copy(update={"attested": words})
    return sample().model_copy(update={"policy": policy, "verdict": Verdict.FAIL, "strength": None})


def unexplained() -> Evidence:
    """The same, where the search found nothing and could not explain a little of the program."""
    place = {"code": "data.erased.place.code", "parameters": {"path": "m.py"}}
    left = [{"bytes": 240, "place": place, "word": "code-clean"}]
    checks = tuple(
        replace(each, status=Status.INCONCLUSIVE, derived={**(each.derived or {}), "unexplained": left})
        if each.id == "data.erased"
        else each
        for each in sample().checks
    )
    return sample().model_copy(update={"checks": checks, "verdict": Verdict.INCONCLUSIVE, "strength": None})


# Waits


@pytest.mark.parametrize("until", [date(2026, 5, 4), None], ids=["until a day", "without a day"])
def test_a_notice_of_more_time_fixes_no_day_before_the_time_to_answer_has_begun(until: date | None) -> None:
    """Article 12A of the UK GDPR: the month, and the two more, count from the proof, which has not come."""
    notice = Extension(datetime(2026, 2, 25, tzinfo=UTC), "the data lies in four systems", until)
    asked = ClockPause(BEFORE_THE_PROOF, None, "a copy of the card", Awaited.IDENTITY)
    found, letter, made = not_done("open", **UK, extension=notice, clock_pauses=(asked,))
    assert (found.request.waiting, found.request.extended) == (True, True)
    for text in (letter, made):
        assert "On 25 February 2026 we told you that we needed more time" in text
        assert "one month to answer, and up to two more, as we gave you notice. That time begins when we have your proof" in text
        assert "The new date is" not in text
        assert "longest time" not in text
        assert "6 May 2026" not in text
        assert ("until 4 May 2026" in text) == ("That day may still move" in text) == (until is not None)
    assert "On 20 February 2026 we asked you to confirm who you are: “a copy of the card”." in letter
    came = replace(asked, resumed_at=datetime(2026, 2, 27, tzinfo=UTC))
    over = not_done("open", **UK, extension=notice, clock_pauses=(came,))
    due = "4 May 2026" if until else "27 May 2026"
    assert all(due in text and "may still move" not in text for text in over[1:])


def test_a_wait_that_is_over_is_one_for_the_person_and_no_duty_of_theirs() -> None:
    for awaits, words in ((Awaited.IDENTITY, "for you to confirm who you are"), (Awaited.FEE, "for a fee from you")):
        wait = ClockPause(BEFORE_THE_PROOF, BEFORE_THE_PROOF + timedelta(days=3), "as agreed", awaits)
        found = said(letter_of(sample(), **{**UK, "answered_at": datetime(2026, 3, 20, tzinfo=UTC)}, clock_pauses=(wait,)))
        assert f"We say that from 20 February 2026 to 23 February 2026 we were waiting {words}: “as agreed”." in found
        assert "you had to" not in found
        assert "owed" not in found


def test_a_fee_is_asked_for_once_and_sent_to_no_address_that_takes_none() -> None:
    wait = ClockPause(BEFORE_THE_PROOF, None, "the third request in a month", Awaited.FEE)
    _, letter, made = not_done("open", **UK, clock_pauses=(wait,))
    for text in (letter, made):
        assert text.count("If you think that we may not charge the fee, please tell us why. Otherwise, please pay it.") == 1
        assert "send it" not in text
        assert "address below" not in text
        assert "paused" not in text


# What is said of a search


def test_what_nobody_can_know_of_a_persons_other_names_nobody_says() -> None:
    given = {"reason": "We searched for your name and e-mail", "regime": Regime.UK}
    found, letter, made = not_done("no-match", attesting(NOTHING_HELD), **given)
    assert "That we hold nothing about you under any name is what we say. Nobody checked it." in letter
    for text in (letter, made):
        assert "names you are known by" not in text
        # Next to the statement that nothing is held, that something may be would contradict it.
        assert "Data under another name may still be there" not in text
        assert "If we may know you under another name" in text
    assert page_of(found).further == ("Where we told somebody that we hold nothing about them, that is true.",)
    _, unsaid, _ = not_done("no-match", **given)
    assert "Nobody has stated that we hold nothing about you under any other name." in unsaid
    assert "Data under another name may still be there." in unsaid


def test_an_open_request_with_a_day_of_an_erasure_says_that_nobody_recorded_why_it_is_open() -> None:
    erased = {"data_erased_at": DAY, "model_erased_at": None, "answered_at": None}
    found, _, made = not_done("open", **erased)
    alone = found.model_copy(update={"case": found.case.model_copy(update={"places_alone": True})})
    text = said(alone)
    assert "Our log records an erasure" in text
    assert "dates an erasure" not in text
    assert "It is not recorded why the request is still open." in text
    assert "The audit did not search for the data, since the request is still open." in text
    assert "An audit did not search for this data, since your request is still open." in made


def test_a_doubt_that_is_left_is_said_with_the_search_that_found_nothing() -> None:
    evidence = unexplained()
    found = letter_of(evidence, data_erased_at=DAY)
    made = " ".join(each.text for each in paragraphs(reply_of(evidence, **DECLARED)))
    assert page_of(found).head.startswith("An erasure is recorded. The audit found no copy of")
    for text in (said(found), made):
        assert "found no copy" in text
        assert "may still be left in what the audit could not examine: 0.3 kB of our program's code." in text
        assert "could not tell" not in text


# What is to come


def test_a_letter_gives_its_reader_no_order_that_is_the_controllers() -> None:
    _, letter, _ = not_done("open", answered_at=None)
    assert "Our reply should tell you what we will do, and by when. If it does not, please ask us." in letter
    assert "has to say" not in letter


@pytest.mark.parametrize(
    ("state", "blank"),
    [
        (StorageState.LOGICAL, "by when what is marked as erased will be overwritten"),
        (StorageState.UNKNOWN, "if the data was overwritten, or by when it will be"),
        (StorageState.PHYSICAL, None),
    ],
    ids=str,
)
def test_a_reply_asks_by_when_marked_data_is_overwritten_whatever_is_kept(state: StorageState, blank: str | None) -> None:
    assert DECLARED["kept"]
    made = " ".join(each.text for each in paragraphs(reply_of(sample(), **DECLARED, storage_state=state)))
    assert ("overwritten · undertaking" in made or "will be · undertaking" in made) == (blank is not None)
    if blank is not None:
        assert re.search(rf"What we will do .*\[{re.escape(blank)} · undertaking\]", made)


# Rights, and statements


def test_a_complaint_to_the_controller_first_is_no_contradiction_of_when_one_may_complain() -> None:
    since = sample().model_copy(
        update={"audit": sample().audit.model_copy(update={"finished_at": datetime(2026, 6, 19, 12, tzinfo=UTC)})}
    )
    found = said(letter_of(since, regime=Regime.UK))
    assert "You can complain to this supervisory authority:" in found
    assert "The authority may ask you to do that before it examines your complaint (section 165)." in found
    assert "at any time" not in found
    assert "You do not have to write to us first" not in found


def test_the_authority_of_the_united_kingdom_is_called_what_holds_before_and_after_it_is_renamed() -> None:
    """Section 119 of the Data (Use and Access) Act 2025 makes the Commissioner a Commission, on a day that is to be appointed."""
    found = said(letter_of(sample(), regime=Regime.UK))
    assert "The United Kingdom's data protection authority (ICO), ico.org.uk/make-a-complaint" in found
    assert "Information Commission" not in found


def test_every_place_is_named_but_for_what_is_kept() -> None:
    kept = (KeptData("The invoices of 2025", "tax law"),)
    whole = "and we named every place that holds it."
    for things, elsewhere in ((kept, True), ((), False)):
        found = letter_of(attesting("log-complete"), kept=things)
        assert found.request.word is not None
        word = found.request.word.model_copy(update={"names": (NO_MODEL,)})
        found = found.model_copy(update={"request": found.request.model_copy(update={"word": word})})
        (further,) = [each for each in page_of(found).further if whole in each]
        assert ("What we keep (see the first page) may lie elsewhere." in further) is elsewhere


def test_a_reply_under_the_law_of_california_keeps_the_record_that_it_says_it_has_to_keep() -> None:
    made = " ".join(each.text for each in paragraphs(reply_of(sample(), **CCPA)))
    assert "We have to keep a record of your request" in made
    assert "we keep none of your data, apart from the record of your request" in made


# What a wait leaves open


def test_a_notice_that_came_too_late_unless_a_wait_counts_is_said_to_be_so_and_names_the_wait() -> None:
    """Received on 10 August, told on 15 September: in time only if the wait for a proof gave more of it."""
    wait = ClockPause(datetime(2026, 8, 12, tzinfo=UTC), datetime(2026, 9, 20, tzinfo=UTC), "another name", Awaited.IDENTITY)
    notice = Extension(datetime(2026, 9, 15, tzinfo=UTC), "four systems", date(2026, 11, 10))
    given = {"received_on": date(2026, 8, 10), "extension": notice, "answered_at": datetime(2026, 11, 5, tzinfo=UTC)}
    refused = {"reason": "a claim", "exception": "Article 17(3)(e)"}
    for text in not_done("denied", **given, **refused, clock_pauses=(wait,))[1:]:
        assert "That was too late to count, unless our wait for you to confirm who you are gave us more time." in text
        assert "so the date stays as it was" not in text
    for text in not_done("denied", **given, **refused)[1:]:
        assert "That was too late to count, so the date stays as it was." in text


@pytest.mark.parametrize(
    ("until", "words"),
    [
        (date(2026, 12, 15), "That is longer than the law allows. The date that counts is 30 November 2026."),
        (date(2026, 9, 10), "The law gives us until 30 September 2026 in any case, so that is the date that counts."),
    ],
)
def test_why_another_date_counts_than_the_one_that_was_told_is_said(until: date, words: str) -> None:
    notice = Extension(datetime(2026, 9, 8, tzinfo=UTC), "four systems", until)
    for text in not_done("open", received_on=date(2026, 8, 31), extension=notice, answered_at=None)[1:]:
        assert words in text


# Who asked


@pytest.mark.parametrize(
    ("status", "more"),
    [
        ("open", {"clock_pauses": (ClockPause(DAY, None, "another name", Awaited.IDENTITY),), "answered_at": None}),
        ("denied", {"reason": "no proof came", "exception": "Article 12(2) and 12(6) GDPR"}),
        ("denied", {"reason": "no code came back", "exception": "11 CCR 7022(a)", "regime": Regime.CCPA}),
    ],
)
def test_nobody_is_told_that_data_is_theirs_who_has_not_shown_who_they_are(status: str, more: dict[str, Any]) -> None:
    for text in not_done(status, subject="p-1", **more)[1:]:
        assert "erase your data" not in text
        assert "erased your data" not in text
        assert "Your data" not in text
        assert "the data of this request" in text.lower()
    proven = {"clock_pauses": (), "answered_at": None, "reason": "a claim", "exception": "Article 17(3)(e)"}
    assert "our data" in not_done(status, subject="p-1", **proven)[1]


def test_article_12_is_a_rule_and_article_17_an_exception_that_may_leave_a_rest() -> None:
    rest = "what of the data this exception does not cover"
    _, letter, made = not_done("denied", reason="no proof came", exception="Article 12(2) and 12(6) GDPR")
    assert "Rule relied on" in letter
    assert "Rule that we rely on" in made
    assert rest not in made
    _, letter, made = not_done("denied", reason="a claim", exception="Article 17(3)(e)")
    assert "Exception relied on" in letter
    assert f"[by hand: {rest}, and when it was erased; or that it covers all of it]" in made


# What is marked, and what an earlier answer said of it


def test_marked_data_is_dated_as_marked_taken_back_and_has_a_next_step() -> None:
    marked = letter_of(sample(), subject="p-1", data_erased_at=DAY, storage_state=StorageState.LOGICAL, answered_at=DAY)
    text = said(marked)
    assert "According to our log, your data was marked as erased on 17 January 2026, and is not yet overwritten." in text
    assert "records an erasure" not in text
    assert "If we told you then that it was erased, that was wrong." in text
    assert "Our reply should tell you what we will do, and by when." in text
    found, _, _ = not_done("open", data_erased_at=DAY, storage_state=StorageState.LOGICAL, answered_at=None)
    assert "is only marked as erased, and the request is still open" in page_of(found).head


def test_a_receipt_for_all_requests_is_said_next_to_a_log_that_says_nobody() -> None:
    covers = Receipt(processor="Host Ltd", what="erased", requests="all", at=date(2026, 3, 1), file="b.txt", sha256="0" * 64)
    held = sample().model_copy(update={"receipts": (covers,)})
    found = said(letter_of(held, recipients_notified=()))
    assert "But Host Ltd gave us a receipt for erasing data that covers this request too. If Host Ltd had received" in found


def test_a_letter_does_not_conclude_that_all_agrees_where_no_answer_is_recorded() -> None:
    found = page_of(letter_of(sample(), data_erased_at=DAY, model_erased_at=DAY, answered_at=None))
    assert found.short.startswith("In short: our log records no answer by the due date.")
