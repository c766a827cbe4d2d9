"""A letter and the reply that it goes with, state by state: neither says what the log's days or the audit contradict."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

import pytest

from auditor.base.deletion_log.deadlines import ByDue, erased_by_due, erased_while_open
from auditor.base.deletion_log.requests import (
    Awaited,
    ClockPause,
    Extension,
    KeepingException,
    KeptData,
    Recipient,
    Regime,
    StorageState,
    Undertaking,
)
from auditor.document.context import Superseded
from auditor.document.evidence import Evidence
from auditor.pages.letters import Extract, extract
from auditor.pages.letters.punctuality import is_erased_while_open
from auditor.pages.replies import Reply, page, reply
from auditor.recheck.letters import read_letter, recheck_alone
from auditor.settings.attestations import NO_MODEL
from auditor.settings.documents import OutsidePlace
from auditor.settings.receipts import Receipt
from letter_cases import DAY, PLACES, page_of, row, said, sample, undone, with_rows
from reply_cases import DECLARED, HERE, found_again

RECEIVED = DAY - timedelta(days=10)
"""Of the first request: due on 9 February 2026, a Monday."""
PROOF = ClockPause(DAY, DAY + timedelta(days=10), "which of two namesakes", Awaited.IDENTITY)


def day(month: int, number: int) -> datetime:
    return datetime(2026, month, number, 12, tzinfo=UTC)


def both(evidence: Evidence | None = None, status: str = "executed", **changes: Any) -> tuple[Extract, Reply]:
    """Letter and reply of the first request, declared in full but for some changes."""
    evidence = sample() if evidence is None else evidence
    given = {**DECLARED, "kept": (), **changes}
    of_erasures = ("model_erased_at", "erasure_ground")
    if status != "executed":
        given = {name: value for name, value in given.items() if name not in of_erasures or name in changes}
    one = row(evidence, **given) if status == "executed" else undone(evidence, status, **given)
    log = with_rows(evidence, one, *evidence.requests[1:])
    return extract(log, HERE), reply(log, HERE)


def texts(pair: tuple[Extract, Reply]) -> tuple[str, str]:
    letter, made = pair
    whole = f"{page_of(letter).short} {said(letter)}"
    return whole, " ".join(each.text for each in page.paragraphs(made))


def test_erased_late_and_not_answered_is_late_in_both_with_its_reason() -> None:
    pair = both(data_erased_at=day(3, 3), answered_at=None, late_reason="two people were ill")
    letter, made = texts(pair)
    assert "In short: this was late." in letter
    assert "Our reason for being late: “two people were ill”." in letter
    assert "An answer was due by 9 February 2026." in made
    assert "We are late with this, and we should have told you sooner." in made
    assert "days late" not in made, "the log does not say that nobody answered until the audit"
    assert "Our reason: two people were ill." in made
    assert "[why it is late · late_reason]" in texts(both(data_erased_at=day(3, 3), answered_at=None))[1]


def test_what_a_doubt_leaves_open_is_called_late_nowhere() -> None:
    pair = both(clock_pauses=(PROOF,), data_erased_at=day(2, 12), answered_at=day(2, 12), late_reason="we waited for a proof")
    assert pair[1].owed is ByDue.IN_DOUBT
    letter, made = texts(pair)
    assert page_of(pair[0]).head.endswith("Whether that was in time is not settled")
    assert "it is not settled whether this was in time" in letter
    for text in (letter, made):
        assert "That was after the due date." not in text
        assert "this was late" not in text
        assert (
            "after the due date, unless our wait for you to confirm who you are gave us more time, which is not decided." in text
        )
        assert "If it did, we had until 17 February 2026 at most." in text
        assert "Our reason for the delay:" in text


def test_no_answer_beyond_the_longest_wait_is_late_however_the_doubt_is_decided() -> None:
    pair = both(clock_pauses=(PROOF,), data_erased_at=day(2, 12), answered_at=None)
    assert pair[1].owed is ByDue.MISSED
    letter, made = texts(pair)
    assert "In short: our log records no answer by the due date." in letter
    assert "If you have had no answer, we are late" in letter
    assert "An answer was due by 17 February 2026." in made
    assert "In that case, we were 282 days late when the audit ended, on 26 November 2026." in made
    assert "That counts all of the time in which we waited for you." in made


REFUSED: Final = {"status": "denied", "reason": "a claim", "exception": "Article 17(3)(e)", "regime": Regime.UK}


@pytest.mark.parametrize(
    ("awaits", "law"),
    [
        (
            Awaited.IDENTITY,
            "reasonable doubts about who you are, and asked you without undue delay (Article 12(6) of the UK GDPR)",
        ),
        (Awaited.FEE, "manifestly unfounded or excessive, so that we could ask for a fee (Article 12(5) of the UK GDPR)"),
        (None, "or could ask for a fee (Article 12(5) and 12(6) of the UK GDPR)"),
    ],
    ids=str,
)
def test_before_article_12a_a_wait_in_the_united_kingdom_leaves_open_what_is_late(awaits: Awaited | None, law: str) -> None:
    pair = both(
        **REFUSED,
        received_on=date(2026, 1, 20),
        clock_pauses=(ClockPause(day(1, 22), day(2, 10), "the name differs", awaits),),
        answered_at=day(3, 9),
    )
    letter, made = texts(pair)
    for text in (letter, made):
        assert "due by 20 February 2026" in text
        assert "it is not decided whether that gave us more time. If it did, we had until 10 March 2026 at most." in text
        assert "Article 12A" not in text
        assert "clock" not in text
    assert law in made


def test_a_proof_that_never_came_gives_an_answer_no_last_day() -> None:
    pauses = (ClockPause(day(10, 2), None, "proof of identity", Awaited.IDENTITY),)
    pair = both(**REFUSED, received_on=date(2026, 10, 1), clock_pauses=pauses, answered_at=day(11, 20))
    letter, made = texts(pair)
    for text in (letter, made):
        assert "Our answer came after the due date. We had asked you to confirm who you are, and it is not decided" in text
        assert "at most" not in text
        assert "December" not in text.replace("DECEMBER", "")
    assert "Our records do not say that we ever had it." in made


def test_a_month_from_the_proof_is_said_to_begin_with_it_and_the_days_of_the_wait_are_added_to_nothing() -> None:
    """20 September and 19 days of waiting would be 9 October."""
    pauses = (ClockPause(day(8, 20), day(9, 8), "proof of identity", Awaited.IDENTITY),)
    given = {"regime": Regime.UK, "received_on": date(2026, 8, 20), "data_erased_at": day(9, 20), "clock_pauses": pauses}
    for text in texts(both(**given, answered_at=day(10, 9))):
        assert "An answer was due by 8 October 2026." in text
        assert "ur time to answer began on 8 September 2026, when we had your proof (Article 12A of the UK GDPR)." in text
        assert "That is late" in text
        assert "19 days" not in text


def test_data_that_is_only_marked_is_erased_and_gone_nowhere() -> None:
    pair = both(storage_state=StorageState.LOGICAL)
    letter, made = texts(pair)
    assert (
        page_of(pair[0]).head
        == "According to our log, your data is only marked as erased. The audit did not find it where it searched"
    )
    assert next(each for each in page_of(pair[0]).rows if each.label == "Stored data").mark == "◇"
    assert "according to our log, this erasure is not complete" in letter
    assert "nothing against our log" not in letter
    assert "Recorded as erased on" not in letter
    assert "According to our records, your data is marked as erased, and not yet overwritten." in made
    assert "we have erased your data" not in made
    assert "[when what is marked as erased will be overwritten" in made
    assert "Gone by 1 July 2026, says Sam Example, head of operations. But your data is only marked as erased" in letter
    assert "Gone by [which day: the data is only marked as erased" in made


@pytest.mark.parametrize("status", ["denied", "revoked", "open"])
def test_where_nothing_was_erased_nothing_is_said_not_to_be_kept(status: str) -> None:
    for text in texts(both(status=status, reason="x", exception="y", answered_at=DAY)):
        assert "we keep none" not in text


def test_what_a_refusal_keeps_is_in_both() -> None:
    kept = (KeptData("The whole account", "a claim", KeepingException.LEGAL_CLAIMS, date(2027, 6, 30)),)
    for text in texts(both(status="denied", reason="a claim", exception="Article 17(3)(e)", kept=kept)):
        assert "The whole account" in text
        assert "Article 17(3)(e) of the GDPR" in text


def test_copies_of_what_was_found_again_are_gone_on_no_day() -> None:
    letter, made = texts(both(found_again(sample())))
    assert "Copies made since then may hold it too, and that date does not cover them." in letter
    assert "Gone by [which day: the audit found the data again" in made
    assert "Gone by 1" not in made


def test_a_person_with_another_request_that_ended_otherwise_is_told_of_this_ones_data() -> None:
    evidence = sample()
    done, other = row(evidence, **DECLARED), undone(with_rows(evidence, evidence.requests[1]), "open", subject="p-1")
    for first, second in ((done, other), (replace(other, request_id=HERE), replace(done, request_id="another"))):
        log = with_rows(evidence, first, second)
        for text in texts((extract(log, HERE), reply(log, HERE))):
            assert "your data" not in text.replace("If you agree", "").replace("have your data erased", "")
            assert "he data of this request" in text
    alone = with_rows(evidence, done, replace(other, subject="p-2"))
    assert "Your data is recorded as erased" in page_of(extract(alone, HERE)).head


def test_of_two_waits_the_one_that_the_law_counts_from_is_said_to_be_it_and_both_are_named() -> None:
    waits = (
        ClockPause(day(2, 8), None, "two accounts", Awaited.IDENTITY),
        ClockPause(day(2, 10), None, "which account", Awaited.DETAILS),
    )
    pair = both(status="open", regime=Regime.UK, received_on=date(2026, 2, 6), clock_pauses=waits, answered_at=None)
    for text in texts(pair):
        assert "It begins when we have your proof (Article 12A of the UK GDPR)." in text
        assert "two accounts" in text
        assert "which account" in text


def test_a_day_that_we_set_is_not_called_the_laws() -> None:
    for on, verb in ((date(2026, 12, 1), "is"), (date(2026, 11, 20), "was")):
        pair = both(status="open", received_on=date(2026, 11, 9), due_on=on, due_in_log=on, answered_at=None)
        for text in texts(pair):
            assert "We set that day ourselves. The law gives us until 9 December 2026." in text
            assert f"The law gives us until {on.day} " not in text
            assert verb == "was" or "An answer is due by 1 December 2026." in text


def test_an_end_that_a_day_off_moved_says_so() -> None:
    for text in texts(both(answered_at=day(4, 1))):
        assert "The deadline fell on 7 February 2026, which was not a working day, so it moved to the next working day." in text


@pytest.mark.parametrize(
    ("awaits", "what"),
    [
        ((Awaited.IDENTITY,), "your proof"),
        ((Awaited.FEE,), "the fee"),
        ((Awaited.IDENTITY, Awaited.FEE), "both your proof and the fee"),
    ],
    ids=str,
)
def test_who_is_waited_for_reads_when_the_month_begins_what_is_needed_and_that_something_is_left_to_do(
    awaits: tuple[Awaited, ...], what: str
) -> None:
    waits = tuple(ClockPause(day(2, 10 + at), None, "a copy of the card", each) for at, each in enumerate(awaits))
    given = {"status": "open", "regime": Regime.UK, "received_on": date(2026, 2, 6), "answered_at": None}
    pair = both(clock_pauses=waits, **given)
    letter, made = texts(pair)
    for text in (letter, made):
        begins = f"The law gives us one month to answer. It begins when we have {what} (Article 12A of the UK GDPR)."
        assert text.count(begins) == 1
        assert "days to answer" not in text
    assert "What we need from you" in [each.label for each in page_of(pair[0]).rows]
    assert "[what you will do about this, and by when" in made
    last = replace(waits[-1], resumed_at=day(2, 20))
    proven = both(clock_pauses=(*(replace(each, resumed_at=day(2, 18)) for each in waits[:-1]), last), **given)[0]
    assert proven.request.due_on == date(2026, 3, 20)


def test_an_open_request_whose_erasure_the_log_dates_is_said_to_be_neither_erased_nor_waiting() -> None:
    for answered in (None, day(2, 1)):
        pair = both(status="open", data_erased_at=day(1, 20), answered_at=answered, overdue=True)
        log = pair[0].model_copy(update={"request": pair[0].request.model_copy(update={"findings": ("STATUS_CONTRADICTED",)})})
        letter, made = texts((log, replace(pair[1], letter=log)))
        assert "Our log contradicts itself about this request" in page_of(log).head
        assert "Our log gives a date of erasure, and a status that says otherwise." in page_of(log).contradictions
        assert "An audit could not tell from our records what was done." in made
        for text in (letter, made):
            assert "not erased" not in text.lower()
            assert "has not been" not in text
            assert "not yet" not in text.lower()
            assert ("late" in text) is (answered is None)
        assert ("If you have had none, we are late" in made) is (answered is None)


def test_a_new_date_is_the_one_that_was_told_and_the_longest_of_the_law_is_named_next_to_it() -> None:
    notice = Extension(DAY, "many requests", date(2026, 5, 1))
    for text in texts(both(regime=Regime.CCPA, erasure_ground=None, extension=notice)):
        assert "we told you that we needed more time, until 1 May 2026." in text
        assert "The date that counts is 7 April 2026." in text
    for text in texts(both(extension=replace(notice, until=None))):
        assert "No new date is recorded, so the longest time that the law allows counts: until 7 April 2026." in text


def test_a_refusal_in_california_tells_what_its_regulations_ask() -> None:
    refused = texts(both(status="denied", regime=Regime.CCPA, reason="a claim", exception="1798.105(d)(8)"))[1]
    in_part = texts(both(regime=Regime.CCPA, erasure_ground=None, kept=(KeptData("The invoice", "tax law"),)))[1]
    for text in (refused, in_part):
        assert "We have to keep a record of your request, and what we did about it (11 CCR 7022(e) and 7101(a))." in text
        assert "(11 CCR 7022(f)). [by hand: what of the data no exception covers" in text
        assert "[by hand: if you sell or share data, and the person has not opted out" in text
    assert "We may keep this under [by hand: which exception of section 1798.105(d) of the California Civil Code" in in_part
    named = texts(both(regime=Regime.CCPA, erasure_ground=None, kept=(KeptData("The invoice", "1798.105(d)(8)"),)))[1]
    assert "[by hand: which exception" not in named
    whole = texts(both(regime=Regime.CCPA, erasure_ground=None))[1]
    assert "11 CCR 7022(e)" in whole
    assert "7022(f)" not in whole
    assert "11 CCR" not in " ".join(texts(both()))


@pytest.mark.parametrize("exception", ["identity not verified, 11 CCR 7022(a)", "we could not verify your identity"])
def test_a_refusal_in_california_of_somebody_unverified_speaks_of_no_exception(exception: str) -> None:
    given = {"status": "denied", "regime": Regime.CCPA, "reason": "the code was not used"}
    for text in texts(both(exception=exception, **given)):
        assert "exception" not in text.lower()
        assert exception.removeprefix("identity").removeprefix("we") in text
    claimed = texts(both(exception="1798.105(d)(8); identity not verified", **given))[1]
    assert "We have to erase everything that no exception covers" in claimed


def test_an_identity_that_cannot_be_verified_in_california_may_end_in_a_refusal() -> None:
    waits = (ClockPause(DAY, None, "the name differs", Awaited.IDENTITY),)
    made = texts(both(status="open", regime=Regime.CCPA, clock_pauses=waits, answered_at=None))[1]
    assert "If we cannot verify in that time who you are, we may deny your request" in made
    assert "[by hand: whether you deny the request, since you could not verify in time who the person is]" in made
    assert "until then" not in made


def test_a_late_confirmation_is_named_under_the_law_that_asks_for_one() -> None:
    for text in texts(both(regime=Regime.CCPA, erasure_ground=None, confirmed_at=day(3, 1))):
        assert "we confirmed that we had your request. That was late, and after our answer: it was due by 21 January 2026" in text
    for text in texts(both(regime=Regime.CCPA, erasure_ground=None, confirmed_at=day(3, 1), answered_at=day(3, 2))):
        assert "On 1 March 2026 we confirmed that we had your request. That was late: it was due by 21 January 2026" in text
    assert "we confirmed that we had your request" not in " ".join(texts(both(confirmed_at=day(3, 1))))


def test_what_is_kept_without_a_point_of_the_law_asks_for_it_and_the_letter_names_the_one_that_is_there() -> None:
    assert (
        "We may keep this under [which point of Article 17(3) of the GDPR: (a) to (e) · kept.exception]."
        in texts(both(kept=(KeptData("The invoice", "tax law"),)))[1]
    )
    point = KeptData("The invoice", "tax law", KeepingException.LEGAL_OBLIGATION)
    assert "(Article 17(3)(b) of the GDPR)" in texts(both(kept=(point,)))[0]


def test_nothing_is_kept_until_a_day_that_has_passed() -> None:
    letter = texts(both(kept=(KeptData("The log of calls", "a dispute", until=date(2026, 10, 31)),)))[0]
    assert "We keep “The log of calls”" not in letter
    assert "Some of it we keep" not in letter
    assert "That day has passed, and our log does not say if we still do." in letter


def test_where_nobody_said_where_they_looked_nobody_is_said_to_have() -> None:
    letter, made = texts(both(status="no-match", reason=None))
    assert "Our log says that we found nothing to erase. It does not say where we looked." in letter
    assert "is what we say" not in letter
    assert "under what you gave us" not in letter + made


def test_an_answer_before_the_erasure_is_taken_back() -> None:
    pair = both(data_erased_at=day(1, 20), model_erased_at=day(1, 20))
    for text in texts(pair):
        assert "If we told you then that it was erased, that was wrong." in text
    unsettled = pair[0].model_copy(update={"request": pair[0].request.model_copy(update={"search": "open"})})
    assert page_of(unsettled).short.startswith("In short: we answered you before we were done.")


def test_days_that_cannot_be_in_order_are_not_passed_over() -> None:
    early = (Recipient("Packwell", notified_at=day(1, 9)),)
    for text in texts(both(recipients_notified=early, data_erased_at=DAY)):
        assert "Packwell was notified on 9 January 2026. According to our records, that was before the erasure." in text
    assert "[when that was: the day that is declared lies after the answer" in texts(both(identity_checked_at=day(1, 25)))[1]
    waited = (ClockPause(day(1, 8), day(1, 15), "a proof", Awaited.IDENTITY),)
    checked = texts(both(clock_pauses=waited, identity_checked_at=day(1, 9)))[1]
    assert "[when that was: according to the log, you still waited for the person on that day" in checked


def test_a_statement_that_is_older_than_the_request_says_so() -> None:
    letter = both()[0]
    assert letter.request.word is not None
    old = letter.request.word.model_copy(update={"at": date(2025, 6, 4)})
    page_ = page_of(letter.model_copy(update={"request": letter.request.model_copy(update={"word": old})}))
    assert "before we had your request" in page_.stated + page_.further_by


def test_a_model_in_a_case_without_one_is_named_and_not_called_updated() -> None:
    letter, made = both()
    case = letter.case.model_copy(update={"places_alone": True, "model_examined": False, "in_use_since": None})
    letter = letter.model_copy(update={"case": case})
    one, other = texts((letter, replace(made, letter=letter)))
    assert "But our log dates an update of a model, on 17 January 2026." in one
    assert "The model: updated on 17 January 2026, according to our records. An audit was shown no model." in other
    assert letter.request.word is not None
    denied = letter.request.word.model_copy(update={"names": (NO_MODEL,)})
    letter = letter.model_copy(update={"request": letter.request.model_copy(update={"word": denied})})
    one, other = texts((letter, replace(made, letter=letter)))
    assert "We stated that none was trained on these data, which contradicts it." in one
    assert "[by hand: what this was: the log dates an update of a model, on 17 January 2026" in other
    assert "The model: updated" not in other


def test_a_refusal_without_a_reason_leaves_only_its_blank() -> None:
    made = texts(both(status="denied", reason=None, exception=None, ground="tax law"))[1]
    assert "do not say why" not in made
    assert "Legal ground: Tax law." in made


def test_who_was_answered_in_time_is_not_told_that_the_answer_was_late() -> None:
    pair = both(status="open", answered_at=DAY, overdue=True)
    letter, made = texts(pair)
    assert "We answered you in time. But we are late with what you ask." in letter
    assert "told you sooner" not in letter + made
    assert "we should have told you sooner" in texts(both(status="open", answered_at=None, overdue=True))[0]


def test_what_is_not_known_to_be_overwritten_is_not_called_so() -> None:
    unknown = {"storage_state": StorageState.UNKNOWN}
    pair = both(**unknown)
    letter, made = texts(pair)
    assert "According to our log, it is not known whether your data was overwritten." in letter
    assert "not known if your data was overwritten. Copies made since then may hold it too" in letter
    assert "They do not tell if it was overwritten." in made
    assert "we keep none of your data" not in made
    assert "Gone by [which day: it is not known if the data was overwritten" in made
    while_open = texts(both(status="open", data_erased_at=day(1, 20), **unknown))
    assert "not known whether your data was overwritten" in while_open[0]
    assert "They do not tell if it was overwritten." in while_open[1]
    for text in texts(both(storage_state=StorageState.PHYSICAL)):
        assert "was overwritten" not in text


def test_whether_more_was_undertaken_than_the_erasure_is_left_open() -> None:
    copy = Undertaking("send the copy of your data that you asked for", date(2026, 1, 30))
    letter, made = texts(both(undertaking=copy))
    assert "send the copy of your data that you asked for" in letter
    assert "Our log does not say if more of this is still to be done." in letter
    assert "[what of this is still to be done, and by when; or that it is done · undertaking]." in made


class TestAnOpenRequestWhoseRowIsGone:
    PROMISE = Undertaking("erase your account", date(2026, 12, 7))

    def missed(self, pair: tuple[Extract, Reply]) -> tuple[str, str]:
        letter, made = pair
        gone = letter.model_copy(update={"request": letter.request.model_copy(update={"unrecorded": True})})
        return texts((gone, replace(made, letter=gone)))

    @pytest.mark.parametrize("overdue", [False, True])
    def test_neither_says_that_it_is_still_there_or_promises_to_erase_it(self, *, overdue: bool) -> None:
        pair = both(status="open", answered_at=None, overdue=overdue, undertaking=self.PROMISE)
        letter, made = self.missed(pair)
        for text in (letter, made):
            assert "did not find it where it found other people's data" in text
            assert "not been erased yet" not in text
            assert "not erased your data yet" not in text
            assert "We will do this" not in text
        assert "[by hand: what was done, and when]." in made
        assert "Our log does not say if that was done." in letter
        assert "[what of this is still to be done, and by when; or that it is done · undertaking]." in made
        for text in texts(pair):
            assert "found other people's data" not in text

    def test_where_the_log_dates_an_erasure_the_gap_is_named_as_well(self) -> None:
        for text in self.missed(both(status="open", data_erased_at=day(1, 20), answered_at=None)):
            assert "But it noticed that the data is missing from places where it found other people's data." in text


def test_an_exception_that_says_nothing_is_none_in_both() -> None:
    letter, made = texts(both(status="denied", reason="you owe us two months", exception="n/a"))
    assert "have not recorded what in the law lets us" in letter
    assert "have not recorded why" not in letter
    assert "n/a" not in letter + made
    assert "[the exception of the law, or that there is none · exception]." in made


def test_why_it_was_late_comes_before_what_was_wrong() -> None:
    dates = page_of(both(found_again(sample()), answered_at=day(4, 1), late_reason="two people were ill")[0]).dates
    assert [each.startswith(("Our reason", "If we told you")) for each in dates[-2:]] == [True, True]
    assert dates[-2].startswith("Our reason")


def test_places_that_are_declared_without_a_day_stay_open() -> None:
    places = (OutsidePlace(name="backups", what="tapes", declared_by="Sam Example"), *PLACES[1:])
    letter, made = texts(both(sample().model_copy(update={"outside": places})))
    assert "backups: tapes. So says Sam Example." in letter
    assert "Gone by [which day · outside.until]." in made


class TestStoredDataErasedWhileTheRequestIsOpen:
    """The log has the stored data erased, and the request open: done in part, never done, and its clock runs."""

    def test_both_give_the_day_and_what_is_not_done_yet(self) -> None:
        pair = both(status="open", data_erased_at=day(1, 20), answered_at=None, overdue=True)
        letter, made = texts(pair)
        head = page_of(pair[0]).head
        assert head == "Our log records an erasure of your data, but the request is still open, and this is late"
        assert "Our log records an erasure of your data from what we store, dated 20 January 2026." in letter
        assert "The audit did not search for the data, since the request is still open." in letter
        assert "The model has not been updated for this request yet." in letter
        assert "According to our records, we have erased your data from what we store. Your request is still open." in made
        assert "Stored data: erased on 20 January 2026, according to our records." in made
        assert "The model: not updated for this request yet." in made
        for text in (letter, made):
            assert "days late" in text
            assert "not found again" not in text
            assert "not erased" not in text
            assert "has not been erased" not in text
            assert "contradicts" not in text

    def test_a_model_that_was_updated_has_its_day(self) -> None:
        pair = both(status="open", data_erased_at=day(1, 20), model_erased_at=day(1, 25), answered_at=None)
        letter, made = texts(pair)
        assert "Our log records an update, dated 25 January 2026." in letter
        assert "The model: updated on 25 January 2026, according to our records." in made
        assert "not updated" not in made
        assert "has not been updated" not in letter
        assert not page_of(pair[0]).short

    def test_data_that_is_only_marked_is_called_marked(self) -> None:
        letter, made = texts(both(status="open", data_erased_at=day(1, 20), storage_state=StorageState.LOGICAL))
        assert "According to our log, your data was marked as erased on 20 January 2026, and is not yet overwritten." in letter
        assert (
            "According to our records, your data is marked as erased, and not yet overwritten. Your request is still open."
            in made
        )
        assert "we have erased" not in made

    def test_an_update_of_a_model_alone_is_a_contradiction(self) -> None:
        pair = both(status="open", model_erased_at=day(1, 25), answered_at=None)
        twice = pair[0].model_copy(update={"request": pair[0].request.model_copy(update={"findings": ("STATUS_CONTRADICTED",)})})
        assert page_of(twice).head == "Our log contradicts itself about this request"


@pytest.mark.parametrize("status", ["denied", "revoked"])
def test_next_to_a_day_of_an_erasure_neither_says_that_nothing_was_erased(status: str) -> None:
    pair = both(status=status, reason="a claim", exception="Article 17(3)(e)")
    for text in texts(pair):
        assert "refused to erase" in text or "nothing was erased because of it" in text
    log = pair[0].model_copy(update={"request": pair[0].request.model_copy(update={"findings": ("STATUS_CONTRADICTED",)})})
    letter, made = texts((log, replace(pair[1], letter=log)))
    assert "Our log says that" in letter
    assert "An audit could not tell from our records what was done." in made
    for text in (letter, made):
        assert "refused to erase" not in text
        assert "nothing was erased" not in text
        assert "did not update" not in text


class TestWhoReceivedIt:
    DECLARED = OutsidePlace(name="recipients", what="Inkbound Couriers and Partner Ltd get names", declared_by="Sam Example")

    def log(self, *requests: str) -> Evidence:
        given = Receipt(processor="Host Ltd", what="wiped", at=DAY.date(), file="r", requests=requests, sha256="0" * 64)
        return sample().model_copy(update={"receipts": (given,)})

    def test_a_receipt_that_names_the_request_is_against_a_log_that_says_nobody(self) -> None:
        pair = both(self.log(HERE), recipients_notified=())
        letter, made = texts(pair)
        assert "But Host Ltd gave us a receipt that names this request, which contradicts it." in letter
        assert "In short: our log and a receipt do not agree on who received the data." in letter
        assert "agrees with our log" not in letter
        assert "cannot tell if that is about" not in letter
        assert "the log says that nobody received it, but these are named: “a partner had samples”; Host Ltd" in made

    def test_a_receipt_about_all_requests_may_be_about_others(self) -> None:
        every = Receipt(processor="Host Ltd", what="wiped", at=DAY.date(), file="r", requests="all", sha256="0" * 64)
        letter = texts(both(sample().model_copy(update={"receipts": (every,)}), recipients_notified=()))[0]
        assert "names this request" not in letter
        assert "not decided" in {each.word for each in page_of(both(self.log(HERE), recipients_notified=())[0]).rows}

    @pytest.mark.parametrize("requests", [(HERE,), "all"])
    def test_a_receipt_of_somebody_who_was_not_notified_is_against_the_log(self, requests: Any) -> None:
        given = Receipt(processor="HOST Ltd.", what="wiped", at=DAY.date(), file="r", requests=requests, sha256="0" * 64)
        evidence = sample().model_copy(update={"receipts": (given,)})
        untold = {"recipients_notified": (Recipient("Host Ltd", notified=False), Recipient("Other Ltd", notified=False))}
        pair = both(evidence, **untold)
        letter, made = texts(pair)
        assert "HOST Ltd. gave us a receipt that covers this request, which contradicts our log." in letter
        assert "In short: our log and a receipt do not agree on who was notified of the erasure." in letter
        assert "not decided" in {each.word for each in page_of(pair[0]).rows}
        assert "[if Host Ltd was notified, and when: the log says not yet, but we have a receipt of theirs" in made
        assert "Host Ltd has not been notified" not in made
        assert "Other Ltd has not been notified of the erasure yet." in made
        for text in texts(both(evidence, recipients_notified=(Recipient("Host Ltd", notified_at=DAY),))):
            assert "go with our log" not in text
            assert "who was notified" not in text

    def test_who_is_declared_next_to_a_name_of_the_log_is_left_open_in_both(self) -> None:
        declared = sample().model_copy(update={"outside": (*PLACES, self.DECLARED)})
        letter, made = texts(both(declared))
        assert "The audit cannot tell if anyone else who is named there received your data." in letter
        assert "[by hand: who else of these received the data, and when they were notified" in made
        for text in texts(both(declared, recipients_notified=(Recipient(notified_at=DAY),))):
            assert "else who is named" not in text
            assert "who else of these" not in text


def test_a_wait_for_a_fee_that_gave_time_is_said_to_have_given_it() -> None:
    wait = ClockPause(day(2, 8), day(2, 25), "a fee of 5 pounds", Awaited.FEE)
    given = {
        "regime": Regime.UK,
        "received_on": date(2026, 2, 6),
        "clock_pauses": (wait,),
    }
    pair = both(data_erased_at=day(3, 24), answered_at=day(3, 24), **given)
    assert (pair[0].request.paused_days, pair[0].request.due_on) == (17, date(2026, 3, 25))
    for text in texts(pair):
        assert "ur time to answer began on 25 February 2026, when we had the fee (Article 12A of the UK GDPR)." in text
        assert "That is late" not in text
        assert "gave us more time" not in text


def test_only_what_the_law_counts_from_is_said_to_begin_the_month() -> None:
    proof = ClockPause(day(2, 8), None, "a proof", Awaited.IDENTITY)
    details = ClockPause(day(2, 7), None, "which branch", Awaited.DETAILS)
    given = {"status": "open", "regime": Regime.UK, "received_on": date(2026, 2, 6), "answered_at": None}
    found = [each.text for each in page.paragraphs(both(clock_pauses=(details, proof), **given)[1])]
    (begins,) = (each for each in found if "It begins when we have" in each)
    assert "your proof" in begins
    assert "details" not in begins
    over = replace(details, resumed_at=day(2, 9))
    made = texts(both(clock_pauses=(over,), regime=Regime.UK, received_on=date(2026, 2, 6)))[1]
    assert "we waited for details from you. That did not give us more time to answer." in made
    unsaid = replace(over, awaits=None)
    made = texts(both(clock_pauses=(unsaid,), regime=Regime.UK, received_on=date(2026, 2, 6)))[1]
    assert "we waited for you. That did not give us more time to answer." in made
    assert "details" not in made


def test_what_was_undertaken_is_not_said_to_have_been_promised_to_the_person() -> None:
    for text in texts(both(status="open", undertaking=Undertaking("erase it", date(2026, 2, 2)))):
        assert "We undertook to do this by 2 February 2026" in text
        assert "We said that we would" not in text


def test_a_statement_made_for_another_release_says_so_once() -> None:
    letter = both()[0]
    assert letter.request.word is not None
    for release, expected in (
        ("2026-11", "for version 2026-11, audited on 27 November 2026"),
        (None, "for an earlier audit, of 27 November 2026"),
    ):
        word = letter.request.word.model_copy(update={"before": Superseded(release=release, audited=date(2026, 11, 27))})
        page_ = page_of(letter.model_copy(update={"request": letter.request.model_copy(update={"word": word})}))
        assert expected in page_.stated + page_.further_by
        assert (page_.stated + page_.further_by).count("and not again since") == 1
    assert "not again since" not in page_of(letter).stated + page_of(letter).further_by


class TestErasedInPart:
    """The log has the stored data erased and the request open: who had them, what is kept and the backups are said already."""

    ERASED = day(1, 20)

    def pair(self, evidence: Evidence | None = None, **changes: Any) -> tuple[Extract, Reply]:
        return both(evidence, status="open", data_erased_at=self.ERASED, answered_at=None, **changes)

    def test_recipients_backups_and_what_is_kept_are_in_both(self) -> None:
        kept = (KeptData("Invoices of 2025", "tax law", KeepingException.LEGAL_OBLIGATION, date(2036, 1, 1)),)
        given = self.pair(kept=kept, recipients_notified=(Recipient("Partner Ltd", notified_at=day(1, 21)),))
        letter, made = texts(given)
        labels = [each.label for each in page_of(given[0]).rows]
        assert labels == ["Stored data", "What we keep", "The model", "Who received it", "What happens next", "Not checked"]
        for text in (letter, made):
            assert "Partner Ltd was notified of the erasure on 21 January 2026." in text
            assert "Gone by 1 July 2026" in text
            assert "Invoices of 2025" in text
        assert "Some of it we keep: see below." in letter
        assert "from what we store, except for what we keep and list below. Your request is still open." in made
        assert "It was erased" not in made

    def test_what_nobody_declared_of_them_is_a_blank(self) -> None:
        made = texts(self.pair(sample().model_copy(update={"outside": ()}), kept=None, recipients_notified=None))[1]
        for blank in (
            "[what of the data is kept, why, and until when; or that nothing is · kept].",
            "[who received the data, by name, and when they were notified; or that nobody did · recipients_notified].",
            "[by when the last backup that holds the data is gone; or that there is none · outside.until].",
        ):
            assert blank in made

    def test_nothing_kept_and_nobody_named_are_said(self) -> None:
        letter, made = texts(self.pair(kept=(), recipients_notified=()))
        assert "According to our records, we keep none of your data, apart from the record of your request" in made
        assert "Our log says that nobody else received it." in letter

    def test_a_receipt_that_covers_it_is_named(self) -> None:
        receipt = Receipt(processor="B Ltd", what="erased", requests=(HERE,), at=date(2026, 2, 1), file="b.txt", sha256="0" * 64)
        evidence = sample().model_copy(update={"receipts": (receipt,)})
        for text in texts(self.pair(evidence)):
            assert "B Ltd gave us a receipt for erasing data, dated 1 February 2026." in text
        assert "B Ltd gave us" not in texts(both(evidence, status="open", answered_at=None))[0]

    def test_such_a_letter_is_rechecked_like_any_other(self) -> None:
        extracted = self.pair()[0]
        carried = read_letter(extracted.to_bytes(), "letter.json")
        assert [each for part in recheck_alone(carried) for each in part.findings] == []

    def test_report_letter_and_reply_ask_one_derivation(self) -> None:
        for status in ("open", "executed", "denied"):
            for data in (None, self.ERASED):
                for model in (None, self.ERASED):
                    one = undone(sample(), status, data_erased_at=data, model_erased_at=model, answered_at=None)
                    letter = extract(with_rows(sample(), one), HERE) if status != "executed" else None
                    found = erased_while_open(status, data=data, model=model)
                    assert (erased_by_due(one) is ByDue.NOT_KNOWN) is found or status != "open"
                    if letter is not None:
                        assert is_erased_while_open(letter.request) is (found and data is not None)


class TestPromisesAndTheClock:
    """A day that is promised and lies beyond the last that the law gives is called so, and no extension is made up."""

    def of(self, by: date, received: date = date(2026, 11, 20), **changes: Any) -> tuple[str, str]:
        return texts(
            both(status="open", received_on=received, answered_at=None, undertaking=Undertaking("erase it", by), **changes)
        )

    BLANK = "the log has none that allows this day · undertaking.by]."

    def test_beyond_the_due_day_it_is_said_in_both(self) -> None:
        letter, made = self.of(date(2026, 12, 22))
        assert (
            "We will do this by 22 December 2026: “erase it”. That day is too late: the law gives us until 21 December" in letter
        )
        for text in (letter, made):
            assert "That day is too late: the law gives us until 21 December 2026." in text
        assert self.BLANK in made

    def test_by_the_due_day_nothing_is_added(self) -> None:
        for text in self.of(date(2026, 12, 21)):
            assert "too late" not in text

    def test_an_extension_that_counts_allows_it_and_one_that_does_not_does_not(self) -> None:
        told = Extension(notified_at=day(11, 25), reason="many at once", until=date(2027, 2, 20))
        for text in self.of(date(2027, 2, 20), extension=told):
            assert "too late" not in text
        for text in self.of(date(2027, 2, 21), extension=told):
            assert "That day is too late: the law and our notice of more time give us until 20 February 2027." in text
        for text in self.of(date(2027, 2, 20), extension=replace(told, reason=None)):
            assert "That day is too late: the law gives us until 21 December 2026." in text

    def test_a_day_that_the_controller_set_itself_is_none_of_the_laws(self) -> None:
        for text in self.of(date(2026, 12, 15), due_in_log=date(2026, 12, 10)):
            assert "too late" not in text

    def test_what_may_stop_the_clock_or_is_late_already_is_not_called_so(self) -> None:
        wait = ClockPause(day(11, 22), None, "which of two namesakes", Awaited.IDENTITY)
        for text in (*self.of(date(2027, 3, 1), clock_pauses=(wait,)), *self.of(date(2027, 3, 1), received=date(2026, 1, 7))):
            assert "too late" not in text


class TestReceiptsBeforeTheNotice:
    """A receipt that is older than the notice of the erasure: the two do not agree, and neither page says that they do."""

    def of(self, *at: date, name: str = "Partner Ltd.") -> tuple[str, str]:
        given = tuple(
            Receipt(processor="partner ltd", what="erased", requests="all", at=each, file="b.txt", sha256="0" * 64) for each in at
        )
        told = (Recipient(name, notified_at=day(2, 1)),)
        return texts(both(sample().model_copy(update={"receipts": given}), recipients_notified=told))

    def test_it_is_said_and_left_to_be_settled(self) -> None:
        letter, made = self.of(date(2026, 1, 20))
        assert "partner ltd gave us a receipt before being notified, according to our log: the two do not agree." in letter
        assert "In short: our log and a receipt do not agree on who was notified of the erasure." in letter
        assert (
            "was notified of the erasure on [which day: the log has 1 February 2026, after their receipt of 20 January 2026 · "
            in made
        )

    def test_a_receipt_of_the_day_or_a_later_one_as_well_is_in_order(self) -> None:
        for found in (self.of(date(2026, 2, 1)), self.of(date(2026, 1, 20), date(2026, 2, 3))):
            for text in found:
                assert "before being notified" not in text
                assert "after their receipt" not in text

    def test_of_somebody_else_it_is_no_contradiction(self) -> None:
        assert "before being notified" not in self.of(date(2026, 1, 20), name="Another Ltd")[0]


def test_what_else_a_ticket_asks_for_is_answered_apart() -> None:
    letter, made = texts(both(also_asked="access"))
    assert "It also asks for something else: “access”. This letter is about the erasure alone." in letter
    assert "Our records say that you also asked for something else: “access”." in made
    assert "[by hand: when and how you answered that, or will; it has a due date of its own]." in made
    for text in (*texts(both()), *texts(both(also_asked="n/a"))):
        assert "something else" not in text
