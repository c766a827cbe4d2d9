"""One person's letter: what may enter it, what it says for each ending, and a number that is the person's own."""

from __future__ import annotations

import re
import statistics
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.base.deletion_log.deletions import findings
from auditor.base.deletion_log.requests import (
    Awaited,
    ClockPause,
    Extension,
    KeepingException,
    KeptData,
    LogFinding,
    Recipient,
    Regime,
    Request,
    StorageState,
    Undertaking,
)
from auditor.base.domain import ClaimStatus, Status, Verdict
from auditor.base.errors import InputError
from auditor.base.promises import Approximate, SubsampledGaussian
from auditor.document.conclusions import ClaimStanding, Descent, StatedDescendant, StatedPremise
from auditor.document.context import Attested
from auditor.maths.tradeoff.reading import right_guesses
from auditor.pages import wording
from auditor.pages.letter import file_name
from auditor.pages.letters import OWN_FINDINGS, Extract, addressees, extract, promises, require_sender
from auditor.pages.letters.places import gone
from auditor.pages.letters.promise import share_of
from auditor.pages.main.search_scope import backups_gone
from auditor.pages.main.steps import steps
from auditor.pages.promises import resting
from auditor.pages.remedies import remedies
from auditor.pages.words.catalogue import ENGLISH, sources
from auditor.pages.words.conclusion import not_examined
from auditor.pages.words.rendered_evidence import tell
from auditor.pages.words.texts import text
from auditor.pages.words.verdict import unchecked
from auditor.recheck.derivations import derive_again
from auditor.recheck.letters import read_letter, recheck_alone
from auditor.settings.attestations import ATTESTABLE
from auditor.settings.documents import OutsidePlace
from auditor.settings.receipts import Receipt
from auditor.verdict.checks import definitions
from auditor.verdict.checks.guess_bounds import right_guesses_of
from auditor.verdict.guarantees import CERTIFIED_REMOVAL, pledge_to_one
from letter_cases import AUTHORITY, DAY, NOISY, PLACES, html_of, letter_of, page_of, row, said, sample, undone, with_rows
from readability import ease, length, longest, prose
from sample_cases import NAMES, golden

HERE = "REQ-2026-0001"
PROMISING_WORDS = ("compliant", "anonymous", "proves", "guaranteed", "carried out")
ASKED = tuple(name for name in NAMES if golden(name).requests)
"""Samples that somebody asked to be erased from: those of whole controllers have no log."""
EXECUTED = {"subject": "p-1", "model_erased_at": DAY, "answered_at": DAY}


def rows_of(found):
    return {each.label: each for each in page_of(found).rows}


# What became of it


def test_a_confirmed_erasure_says_when_and_how_well_it_forgot():
    found = letter_of(sample(), **EXECUTED, recipients_notified=(Recipient("Partner Ltd", notified=True, notified_at=DAY),))
    page, rows = page_of(found), rows_of(found)
    assert page.head == "Your data is recorded as erased, and was not found again"
    assert rows["Stored data"].sentences[0] == "Recorded as erased on 17 January 2026."
    assert rows["The model"].sentences == ("Updated on 17 January 2026.", "This version has been in use since 15 June 2026.")
    assert rows["How well it forgot"].word == "limited: up to 56.3 of 100"
    assert "7 statements" in rows["How well it forgot"].sentences[1]
    assert len(page.statements) == 7
    assert rows["Who received it"].sentences[0] == "Partner Ltd was notified of the erasure on 17 January 2026."
    assert rows["Not checked"].sentences[0] == "Backups and recipients, which we named."
    assert page.places[0] == "backups: overwritten after 30 days. Gone by 1 July 2026, says Sam Example, head of operations."


def found_again(evidence):
    return evidence.model_copy(
        update={
            "checks": tuple(
                replace(each, status=Status.FAIL, observed={**each.observed, "request_ids": [HERE]})
                if each.id == "data.erased"
                else each
                for each in evidence.checks
            ),
            "verdict": Verdict.FAIL,
            "strength": None,
        }
    )


def in_status(evidence, check_id, status):
    checks = tuple(replace(each, status=status) if each.id == check_id else each for each in evidence.checks)
    return evidence.model_copy(update={"checks": checks, "verdict": Verdict.FAIL, "strength": None})


UNCONFIRMED = {
    "found again": lambda: found_again(sample()),
    "the model failed": lambda: in_status(sample(), "removal.budget", Status.FAIL),
    "a check of the model is open": lambda: in_status(sample(), "swap.quality", Status.INCONCLUSIVE),
    "another model": lambda: in_status(sample(), "model.reproduced", Status.FAIL),
    "no model file": lambda: sample().model_copy(update={"case": sample().case.model_copy(update={"model": None})}),
    "an overrun budget": lambda: sample("digits-newton-overrun"),
    "a shipped model that is another": lambda: sample("digits-shipped-old"),
    "a cheater": lambda: sample("digits-cheater"),
}


@pytest.mark.parametrize("name", UNCONFIRMED)
def test_nothing_is_called_erased_or_updated_that_the_audit_does_not_confirm(name):
    found = letter_of(UNCONFIRMED[name](), **EXECUTED)
    text = said(found)
    assert not found.confirmed
    assert "erased on" not in text
    assert "Updated on" not in text
    assert "Our log records an erasure, dated 17 January 2026." in text
    assert page_of(found).mark != "●"


NOT_NOTIFIED = (
    "According to our log, not everyone who received the data has been notified yet. It does not say if that is part of this."
)
FOR_THE_REPLY = "Our reply should tell you what we will do, and by when. If it does not, please ask us."


def test_data_found_again_is_said_first_and_nothing_is_promised_that_nobody_declared():
    found = letter_of(found_again(sample()), **EXECUTED)
    page, rows = page_of(found), rows_of(found)
    assert page.head == "Our log records an erasure, but the audit found your data again"
    assert rows["Stored data"].word == "found again"
    assert rows["What happens next"].sentences == (FOR_THE_REPLY,)


def test_an_undertaking_is_the_logs_with_its_date_and_in_its_words():
    declared = Undertaking("Erase the copy in the archive too.", date(2027, 3, 1))
    found = letter_of(found_again(sample()), **EXECUTED, undertaking=declared)
    said_next = rows_of(found)["What happens next"].sentences
    assert said_next == ("We will do this by 1 March 2027: “Erase the copy in the archive too”.",)
    undated = letter_of(found_again(sample()), **EXECUTED, undertaking=Undertaking("Tell the partner."))
    assert rows_of(undated)["What happens next"].sentences == ("We will do this: “Tell the partner”.",)


def test_what_was_undertaken_is_no_promise_once_the_log_records_the_erasure():
    declared = {**EXECUTED, "undertaking": Undertaking("erase your account", date(2027, 3, 1))}
    kept = "We undertook to do this by 1 March 2027: “erase your account”. We recorded the erasure on {}."
    for more, further in (
        ({}, ("Our log does not say if more of this is still to be done.",)),
        ({"recipients_notified": (Recipient("B Ltd", notified=False),)}, (NOT_NOTIFIED, FOR_THE_REPLY)),
    ):
        found = letter_of(sample(), **{**declared, **more})
        (said_first, *rest) = rows_of(found)["What happens next"].sentences
        assert said_first == kept.format(wording.day(found.request.erased_on))
        # Whether the words asked for more than the erasure no program can tell.
        assert tuple(rest) == further
    marked = letter_of(sample(), **{**declared, "storage_state": StorageState.LOGICAL})
    assert rows_of(marked)["What happens next"].sentences[0].startswith("We will do this by 1 March 2027")


@pytest.mark.parametrize(
    ("stored", "again", "letter_says", "report_says"),
    [
        (StorageState.PHYSICAL, False, "until", "the last backup that holds an erased person is gone by 1 January 2099"),
        (StorageState.LOGICAL, False, "marked", "are only marked as erased: copies made since then may hold them too"),
        (StorageState.PHYSICAL, True, "found", "found again: copies made since then may hold them too"),
        (StorageState.LOGICAL, True, "found", "found again: copies made since then may hold them too"),
    ],
)
def test_the_report_says_of_backups_what_the_letter_says(stored, again, letter_says, report_says):
    place = OutsidePlace(name="Backups", what="nightly", until=date(2099, 1, 1), declared_by="X")
    evidence = found_again(sample()) if again else sample()
    evidence = with_rows(evidence.model_copy(update={"outside": (place,)}), row(sample(), **EXECUTED, storage_state=stored))
    assert gone(extract(evidence, HERE), place) == letter_says
    told = tell(evidence)
    assert report_says in backups_gone(told)
    (gap,) = [each for each in not_examined(evidence) if each.name == "Backups"]
    assert ("so new backups may hold them" in gap.why) is (letter_says != "until")
    assert gap.weight == text(f"conclusion-weight-{'low' if letter_says == 'until' else 'medium'}")
    asked = [each for each in remedies(told) if "which are only marked as erased" in each.action]
    assert [each.requests for each in asked] == ([] if stored is StorageState.PHYSICAL else [(HERE,)])
    assert ("backups" in steps(told).anyway) is (letter_says != "until"), "nobody finds out what is declared"


@pytest.mark.parametrize("name", ASKED)
def test_no_letter_of_a_sample_undertakes_anything(name):
    for status in ("executed", "open", "denied", "revoked", "no-match", "not-located"):
        one = row(sample(name), **EXECUTED) if status == "executed" else undone(sample(name), status, overdue=True)
        text = said(extract(with_rows(sample(name), one), one.request_id))
        assert not re.search(r"\bwe will\b(?! do, and by when)|Our log (does not|gives no|names none)", text, re.IGNORECASE), text


def test_a_failed_model_is_called_one_and_what_was_found_is_overleaf():
    found = letter_of(sample("digits-newton-overrun"), **EXECUTED)
    page = page_of(found)
    assert page.head == "The audit found that the model did not forget erased data as it should"
    assert rows_of(found)["How well it forgot"].word == "not as it should"
    assert "The erasures may leave a larger trace in the model than the limit that we set allows." in page.found
    assert (page.statements, page.number) == ((), ())


def test_a_test_that_broke_off_refutes_nothing():
    found = letter_of(in_status(sample(), "removal.budget", Status.ERROR), **EXECUTED)
    page = page_of(found)
    assert page.head == "The audit could not confirm that the model forgot your data"
    assert page.found == ()
    assert "how large a trace an erasure leaves in the model" in page.unsettled


CLEARING = re.compile(r"no trace found|did not find (your data|the data of this request)|not found again")
NO_CLEARING = {
    "rebuilt": lambda: sample("trigram-model"),
    "named": lambda: sample("diabetes-tree"),
    "named where no limit is set": lambda: sample("iris-logistic"),
    "a refuted guarantee": lambda: sample("group-deletion"),
    "the old model": lambda: sample("digits-shipped-old"),
    "no model": lambda: sample("digits-retrain"),
    "a part of the model": lambda: sample("loans-lightgbm"),
    "found again": lambda: found_again(sample()),
    "an attack that won": lambda: in_status(sample(), "release.remembers", Status.FAIL),
    "a rebuilt record beside a promise": lambda: in_status(sample(), "reconstruction.instance", Status.FAIL),
    "named beside a promise": lambda: in_status(sample(), "inference.instance", Status.FAIL),
}


@pytest.mark.parametrize("name", NO_CLEARING)
def test_no_first_page_clears_what_the_audit_did_not_see_or_found_wanting(name):
    found = letter_of(NO_CLEARING[name](), **EXECUTED)
    page = page_of(found)
    first = " ".join((page.head, *page.dates, *(each for row in page.rows for each in (row.word, *row.sentences))))
    assert not CLEARING.search(first), first
    assert page.mark in {"■", "◇"}
    assert not any(row.mark == "●" for row in page.rows if row.label == "How well it forgot")


def test_what_two_models_give_away_is_said_first_and_not_repeated():
    page = page_of(letter_of(sample("trigram-model"), **EXECUTED))
    assert page.head == "An erasure is recorded, but the audit found a way to learn about erased data"
    row = next(each for each in page.rows if each.label == "How well it forgot")
    assert (row.word, row.mark) == ("erased data shows", "■")
    assert "could rebuild an erased sentence" in " ".join(row.sentences)
    assert page.found == ()


def test_what_no_policy_requires_and_no_test_settled_is_left_open():
    found = letter_of(sample(), **EXECUTED)
    assert "release.remembers" in found.model.unsettled
    assert "whether the released model still shows what it learned from the erased records" in page_of(found).unsettled
    assert "could not settle" in " ".join(rows_of(found)["Not checked"].sentences)


def test_a_model_that_behaves_as_if_nothing_was_erased_is_said_to():
    said_ = "In the audit's tests the model behaved like one from which nothing was erased."
    found = letter_of(sample("digits-mlp-noisy-gd"), **EXECUTED)
    assert said_ not in rows_of(found)["How well it forgot"].sentences
    alone = found.model_copy(update={"model": found.model.model_copy(update={"left_alone": True})})
    assert said_ in rows_of(alone)["How well it forgot"].sentences


def test_what_was_done_late_or_after_the_answer_is_said_part_by_part():
    late = datetime(2026, 3, 3, tzinfo=UTC)
    both = letter_of(sample(), **{**EXECUTED, "data_erased_at": late, "model_erased_at": late})
    assert page_of(both).head == "Your data is recorded as erased, but late. It was not found again"
    assert "That was after we answered you, and after the due date." in rows_of(both)["Stored data"].sentences
    model = letter_of(sample(), **{**EXECUTED, "model_erased_at": late})
    assert page_of(model).head.endswith("The model was updated late")
    assert "That was after we answered you, and after the due date." in rows_of(model)["The model"].sentences
    assert "after" not in " ".join(rows_of(model)["Stored data"].sentences)
    answer = letter_of(sample(), **{**EXECUTED, "answered_at": late})
    assert page_of(answer).head.endswith("Our answer was late")
    assert {page_of(each).mark for each in (both, model, answer)} == {"◇"}


def test_an_answer_that_the_audit_contradicts_is_taken_back():
    wrong = "If we told you then that it was erased, that was wrong."
    assert wrong in page_of(letter_of(found_again(sample()), **EXECUTED)).dates
    assert wrong not in page_of(letter_of(found_again(sample()), subject="p-1", answered_at=None)).dates
    forgot = "If we told you then that the model had forgotten it, that was wrong."
    assert forgot in page_of(letter_of(sample("digits-shipped-old"), **EXECUTED)).dates


def test_a_letter_goes_with_no_reply_that_went_out_before_the_audit():
    assert "goes with our reply" not in page_of(letter_of(sample(), **EXECUTED)).goes_with
    assert "goes with our reply" in page_of(letter_of(sample(), subject="p-1", answered_at=None)).goes_with


def test_of_backups_a_day_is_named_only_where_one_is_declared():
    by = "None of our backups keeps erased data beyond the day that we declared."
    evidence = golden("late-and-extended")
    for places, named in (((), False), (PLACES, True)):
        stated = evidence.model_copy(update={"outside": places})
        said_of_it = " ".join(page_of(extract(stated, "REQ-in-time", draft=True)).statements)
        assert (by in said_of_it) is named
        assert ("None of our backups still holds erased data." in said_of_it) is not named


def test_no_release_is_named_of_which_the_audit_saw_no_file():
    seen, unseen = letter_of(sample(), **EXECUTED), letter_of(sample("digits-retrain"), **EXECUTED)
    assert f"release {seen.case.release}" in html_of(seen)
    assert unseen.case.release
    assert f"release {unseen.case.release}" not in html_of(unseen)


def test_a_refusal_gives_ground_exception_and_reason():
    refusal = undone(sample(), "denied", ground="tax law", exception="Article 17(3)(b)", reason="Invoices are kept.")
    found = extract(with_rows(sample(), refusal), HERE)
    rows = rows_of(found)
    assert page_of(found).head == "We refused this request"
    assert [rows[each].sentences for each in ("Legal ground", "Exception relied on", "Our reason")] == [
        ("“tax law”",),
        ("“Article 17(3)(b)”, which is about a legal obligation or a public task.",),
        ("“Invoices are kept.”",),
    ]
    assert not re.search("erased on|How well", said(found))
    bare = rows_of(extract(with_rows(sample(), undone(sample(), "denied")), HERE))
    assert bare["Our reason"].sentences[0].startswith("We owe you a reason")
    assert "It may still hold what it learned" in " ".join(bare["The model"].sentences)
    for reason in (None, "n/a"):
        empty = undone(sample(), "denied", reason=reason, exception="Article 17(3)(b)")
        assert page_of(extract(with_rows(sample(), empty), HERE)).mark == "■"


def test_an_extension_gives_notice_reason_and_new_date_and_lateness_is_owned():
    notice = Extension(notified_at=DAY, reason="Many requests came at once.", until=date(2026, 3, 20))
    late = letter_of(sample(), **{**EXECUTED, "extension": notice, "answered_at": datetime(2026, 3, 25, tzinfo=UTC)})
    text = " ".join(page_of(late).dates)
    assert "On 17 January 2026 we told you that we needed more time." in text
    assert "“Many requests came at once”. The new date is 20 March 2026." in text
    assert "We answered on 25 March 2026. That is late, and we should have told you sooner." in text
    in_time = letter_of(sample(), **{**EXECUTED, "extension": notice, "answered_at": datetime(2026, 3, 19, tzinfo=UTC)})
    assert "late" not in " ".join(page_of(in_time).dates)
    afterwards = datetime(2026, 2, 20, tzinfo=UTC)
    for extension, why in (
        (Extension(notified_at=DAY), "but not why"),
        (Extension(notified_at=afterwards, reason="Many requests."), "too late to count"),
        (Extension(notified_at=None, reason="Many requests."), "no record that we told you"),
    ):
        assert why in " ".join(page_of(letter_of(sample(), **{**EXECUTED, "extension": extension})).dates)


@pytest.mark.parametrize("status", ["no-match", "not-located"])
def test_what_was_not_found_invites_further_details(status):
    found = extract(with_rows(sample(), undone(sample(), status)), HERE)
    assert "Please send us further details" in said(found)
    assert "erased on" not in said(found)


def test_an_open_request_leaves_what_will_be_done_to_the_reply():
    soon = undone(sample(), "open", received_on=date(2026, 11, 10), due_on=date(2026, 12, 10))
    assert FOR_THE_REPLY in said(extract(with_rows(sample(), soon), HERE))
    late = extract(with_rows(sample(), undone(sample(), "open", overdue=True)), HERE)
    assert page_of(late).head == "The data of this request has not been erased yet, and this is late"
    assert "late" not in page_of(extract(with_rows(sample(), soon), HERE)).head


def test_a_clock_that_stands_still_has_no_date_and_says_why():
    asked = ClockPause(datetime(2026, 2, 20, tzinfo=UTC), reason="a copy of the card", awaits=Awaited.IDENTITY)
    since = {"regime": Regime.UK, "received_on": date(2026, 2, 6), "answered_at": None}
    found = extract(with_rows(sample(), undone(sample(), "open", clock_pauses=(asked,), **since)), HERE)
    dates = " ".join(page_of(found).dates)
    assert "On 20 February 2026 we asked you to confirm who you are: “a copy of the card”." in dates
    assert "The law gives us one month to answer. It begins when we have your proof (Article 12A of the UK GDPR)." in dates
    assert FOR_THE_REPLY in said(found)
    assert not re.search("due by|late|clock", said(found))
    needed = rows_of(found)["What we need from you"].sentences
    assert needed[0] == "According to our records, we have not received any proof yet."
    assert needed[1].startswith("Please send us proof of your identity")
    ended = replace(asked, resumed_at=datetime(2026, 2, 25, tzinfo=UTC))
    over = " ".join(page_of(letter_of(sample(), **EXECUTED | since | {"clock_pauses": (ended,)})).dates)
    assert "An answer was due by 25 March 2026." in over
    assert "Our time to answer began on 25 February 2026, when we had your proof (Article 12A of the UK GDPR)." in over
    assert "clock" not in over


def test_recipients_that_the_case_declares_are_not_called_unknown():
    by_case = rows_of(letter_of(sample(), **EXECUTED))["Who received it"].sentences
    assert by_case[0] == "We declared of those who receive data: “a partner had samples”."
    bare = sample().model_copy(update={"outside": ()})
    assert rows_of(letter_of(bare, **EXECUTED))["Who received it"].sentences == (
        "The audit was not told.",
        "You can ask us who received it (Article 19 of the GDPR).",
    )
    nobody = letter_of(bare, **EXECUTED, recipients_notified=(Recipient(notified=False),))
    assert "Those who received it have not been notified" in rows_of(nobody)["Who received it"].sentences[0]


def test_data_that_is_only_marked_is_not_called_gone():
    assert "not yet overwritten" in said(letter_of(sample(), **EXECUTED, storage_state=StorageState.LOGICAL))


BEFORE, SINCE = datetime(2026, 6, 18, 12, tzinfo=UTC), datetime(2026, 6, 19, 12, tzinfo=UTC)
"""Before and since controllers in the United Kingdom have to take complaints themselves."""


def rights_of(regime: Regime, at: datetime) -> str:
    found = letter_of(sample(), **EXECUTED, regime=regime)
    rights = page_of(found.model_copy(update={"audit": found.audit.model_copy(update={"finished_at": at})})).rights
    return " ".join((rights.complain, rights.authority or "", *rights.further, rights.contact))


@pytest.mark.parametrize(
    ("regime", "at", "present", "absent"),
    [
        (Regime.EU, SINCE, (AUTHORITY, "where you live", "Articles 77 and 79 of the GDPR", "not have to write"), ("UK", "164A")),
        (Regime.UK, BEFORE, ("ico.org.uk", "Articles 77 and 79 of the UK GDPR"), (AUTHORITY, "where you live", "164A")),
        (Regime.UK, SINCE, ("ico.org.uk", "section 164A", "30 days", "Article 79 of"), (AUTHORITY, "77", "not have to write")),
        (Regime.CCPA, SINCE, ("California Privacy Protection Agency", "Attorney General"), (AUTHORITY, "court", "Article")),
    ],
    ids=["eu", "uk before", "uk", "ccpa"],
)
def test_authority_complaints_and_courts_are_those_of_the_law_of_the_request(regime, at, present, absent):
    text = rights_of(regime, at)
    assert [each for each in present if each not in text] == []
    assert [each for each in absent if each in text] == []


def test_no_letter_under_the_ccpa_names_a_court_or_an_article():
    assert not re.search(r"\bcourt|Article", said(letter_of(sample(), **EXECUTED, regime=Regime.CCPA)))


def test_an_answer_that_may_be_in_time_is_not_owned_up_to_as_late():
    asked = ClockPause(DAY, DAY + timedelta(days=10), "which of two namesakes", Awaited.IDENTITY)
    late = {**EXECUTED, "clock_pauses": (asked,), "answered_at": datetime(2026, 2, 12, tzinfo=UTC)}
    doubtful = letter_of(sample(), **late)
    assert (doubtful.request.late, doubtful.request.in_doubt) == (True, True)
    assert "it is not decided whether that gave us more time" in said(doubtful)
    assert "should have told you" not in said(doubtful)
    assert "should have told you" in said(letter_of(sample(), **{**late, "clock_pauses": (replace(asked, awaits=None),)}))


def test_the_person_may_complain_at_any_time_and_need_not_write_first():
    page = html_of(letter_of(sample(), **EXECUTED))
    assert "complain at any time" in page
    assert AUTHORITY in page
    assert "You do not have to write to us first." in page


# Whose data


def test_without_a_subject_nothing_is_called_the_persons_own():
    for status in ("executed", "open", "denied", "revoked", "no-match", "not-located"):
        one = row(sample()) if status == "executed" else undone(sample(), status)
        text = said(extract(with_rows(sample(), one), HERE))
        assert not re.search(r"\byour (data|record)|of yours", text, re.IGNORECASE), text
    assert "the one record of this request" in said(letter_of(sample()))


def test_a_ticket_of_two_people_has_a_letter_for_each():
    first, second = row(sample(), subject="p-1"), row(sample(), subject="p-2", records=2)
    both = with_rows(sample(), first, second)
    assert addressees(both) == (((HERE, "p-1"), (HERE, "p-2")), ())
    letters = [extract(both, HERE, subject) for subject in ("p-1", "p-2")]
    assert [each.request.records for each in letters] == [1, 2]
    assert file_name(HERE, "p-1") != file_name(HERE, "p-2")
    with pytest.raises(InputError, match="2 subjects") as error:
        extract(both, HERE)
    assert not re.search("p-1|p-2", str(error.value))
    with pytest.raises(InputError, match="p-3") as error:
        extract(both, HERE, "p-3")
    assert not re.search("p-1|p-2", str(error.value))


def test_rows_that_cannot_be_told_apart_get_no_letter():
    for rows in ((row(sample()), row(sample())), (row(sample(), subject="p"), row(sample(), subject="p"))):
        both = with_rows(sample(), *rows)
        assert addressees(both) == ((), (HERE,))
        with pytest.raises(InputError, match="whose letter"):
            extract(both, HERE, rows[0].subject)


def test_of_a_ticket_of_two_people_neither_is_told_what_was_found_of_the_other():
    both = with_rows(found_again(sample()), row(sample(), subject="p-1"), row(sample(), subject="p-2"))
    assert extract(both, HERE, "p-1").request.search == "open"
    named = in_observed(both, "data.erased", subjects=["p-2"])
    assert extract(named, HERE, "p-1").request.search != "found"
    assert extract(named, HERE, "p-2").request.search == "found"


def in_observed(evidence, check_id, **values):
    checks = tuple(
        replace(each, observed={**each.observed, **values}) if each.id == check_id else each for each in evidence.checks
    )
    return evidence.model_copy(update={"checks": checks})


# What is missing


def test_everything_that_is_missing_is_named_at_once_and_a_draft_marks_it():
    plain, nobody = golden("digits-newton"), dict.fromkeys(("controller", "contact", "authority", "dpo"))
    bare = plain.model_copy(update={"case": plain.case.model_copy(update=nobody)})
    with pytest.raises(InputError) as error:
        extract(bare, "REQ-none")
    assert all(each in str(error.value) for each in ("case.controller", "case.contact", "case.authority", "no such request"))
    draft = html_of(extract(bare, HERE, draft=True))
    for blank in ("name of the controller", "address of the controller", "data protection officer", "supervisory authority"):
        assert f"{blank}: missing]" in draft
    assert "DRAFT" in draft
    assert "DRAFT" not in html_of(letter_of(sample()))


def test_under_a_law_that_names_its_authority_the_case_need_not():
    evidence = sample()
    nameless = evidence.model_copy(update={"case": evidence.case.model_copy(update={"authority": None})})
    with pytest.raises(InputError, match=r"case\.authority"):
        letter_of(nameless)
    for regime, named in ((Regime.UK, "data protection authority (ICO)"), (Regime.CCPA, "California Privacy Protection Agency")):
        found = letter_of(nameless, regime=regime)
        assert named in said(found)
        assert "missing]" not in html_of(found)
        letter = read_letter(found.to_bytes(), "letter.json")
        assert not [finding for each in recheck_alone(letter) for finding in each.findings]
    # Of all letters at once, one that needs it keeps the others from being written.
    rows = (row(nameless, regime=Regime.UK), replace(nameless.requests[1], regime=Regime.CCPA))
    require_sender(with_rows(nameless, *rows))
    with pytest.raises(InputError, match=r"case\.authority"):
        require_sender(with_rows(nameless, *rows, nameless.requests[2]))


# The number


def test_the_number_is_that_of_the_declared_limit_and_the_persons_own_records():
    evidence = per_record(sample(NOISY))
    one, two = (letter_of(evidence, records=each).model.promise for each in (1, 2))
    assert (one.epsilon, one.order, one.records) == (0.3, 2.0, 1)
    assert (two.epsilon, two.order, two.records) == (1.2, 2.0, 2)
    assert 0.5 < one.share < two.share <= 1


def per_record(evidence):
    """A document whose claim was not held to whole people."""
    return evidence.model_copy(update={"reliance": evidence.reliance.model_copy(update={"claims": ()})})


def test_a_claim_that_is_kept_to_everybody_is_the_limit_of_each():
    evidence = sample(NOISY)
    kept = ClaimStanding(name="data_deletion", standing=ClaimStatus.SUPPORTED)
    found = evidence.model_copy(update={"reliance": evidence.reliance.model_copy(update={"claims": (kept,)})})
    assert letter_of(found, records=2).model.promise.epsilon == evidence.policy.claims["data_deletion"]["epsilon"]


def test_a_persons_requests_count_together_and_nobody_elses():
    evidence = sample(NOISY)
    first, second, third = (replace(each, subject=who) for each, who in zip(evidence.requests, ("p", "p", "q"), strict=False))
    promise = extract(with_rows(evidence, first, second, replace(third, records=9)), first.request_id).model.promise
    assert promise.records == 2
    alone = extract(with_rows(evidence, first, replace(second, subject="q"), replace(third, records=9)), first.request_id)
    assert alone.model.promise.records == 1


def judged_again(evidence, rows, check_id, **observed):
    """The document that the present rules give for other rows, and for other observations of one check."""
    checks = tuple(
        replace(each, observed={**each.observed, **observed}) if each.id == check_id else each for each in evidence.checks
    )
    return derive_again(evidence.model_copy(update={"checks": checks, "requests": rows}))


@pytest.mark.parametrize(
    ("name", "check_id", "share"),
    [
        (NOISY, "deletion.adaptive", {"largest_share": {"records": 5, "batches": 1, "subjects": True}}),
        ("digits-mlp-dp", "training.privacy", {"records_per_person": 4, "subjects": True}),
        ("digits-newton", "data.erased", {}),
    ],
)
def test_what_another_person_asks_for_changes_no_byte_of_a_letter(name, check_id, share):
    """Another person with five records has 25 times the ε of one: a letter with that number would tell of them."""
    evidence = per_record(sample(name))
    own = replace(evidence.requests[0], subject="p-own")
    others = tuple(replace(each, subject=f"p-{place}") for place, each in enumerate(evidence.requests[1:]))
    few = judged_again(evidence, (own, *others), check_id)
    hoarder = replace(others[0], records=5, received_on=date(2026, 1, 1), overdue=True, reason="x", request_id="REQ-another")
    # Erased after the day by which backups are declared gone: nobody says that for this person's.
    hoarder = replace(hoarder, data_erased_at=datetime(2026, 7, 2, 12, tzinfo=UTC))
    many = judged_again(evidence, (own, *others[1:], hoarder), check_id, **share)
    if share:
        held = [next(each for each in one.guarantees if each.epsilon is not None) for one in (few, many)]
        assert held[0].epsilon < held[1].epsilon, "the promise for everybody moves"
    assert [next(p.standing for p in each.premises if p.name == "backups-clean") for each in (few, many)] == ["said", "unsaid"]
    letters = [extract(per_record(each), own.request_id, evidence_sha256="0" * 64) for each in (few, many)]
    assert letters[0].to_bytes() == letters[1].to_bytes()
    assert html_of(letters[0]) == html_of(letters[1])
    assert letters[0].model.promise is not None


@given(st.floats(0, 5), st.floats(0, 5), st.floats(1.01, 50))
def test_a_larger_limit_never_leaves_less_to_guess(one, other, order):
    for delta, at in ((1e-6, None), (None, order)):
        small, large = (share_of(epsilon=each, delta=delta, order=at) for each in sorted((one, other)))
        assert 0.5 <= small <= large <= 1


def test_shares_are_those_of_the_theorems():
    assert share_of(epsilon=1.0, delta=1e-4, order=None) == right_guesses(Approximate(epsilon=1.0, delta=1e-4))
    # The two worlds are each near a third law: Pinsker's inequality twice, sqrt(2 epsilon), at the best order below the declared.
    assert share_of(epsilon=0.002, delta=None, order=2.0) <= right_guesses_of((2 * 0.002) ** 0.5)
    assert share_of(epsilon=0.0, delta=None, order=2.0) == right_guesses_of(0.0)


def test_private_training_counts_the_persons_own_records_as_a_group():
    evidence = sample("digits-mlp-dp")
    noise = evidence.check("training.privacy").derived
    for records in (1, 2):
        training = noise["trainings"][0]
        steps = {"sample_rate": training["sample_rate"], "steps": training["steps"]}
        of_one = SubsampledGaussian(noise_multiplier=noise["noise_multiplier"], **steps)
        group = pledge_to_one(noise["epsilon"], noise["delta"], records=records, promise=of_one)
        found = letter_of(per_record(evidence), records=records).model.promise
        assert (found.epsilon, found.delta) == (group.epsilon, group.delta)


@pytest.mark.parametrize(
    "name", ["digits-newton", "digits-newton-noised", "digits-dp-extractor", "breast-cancer-noisy-gd", "digits-mlp-dp"]
)
def test_no_letter_promises_more_than_its_evidence_does(name):
    evidence = sample(name)
    found = extract(evidence, HERE).model.promise
    (held,) = [each for each in evidence.guarantees if each.id == found.guarantee]
    alone = share_of(epsilon=held.epsilon, delta=held.delta, order=held.order, promise=held.terms.promise)
    if found.guarantee == CERTIFIED_REMOVAL and name != "digits-dp-extractor":
        assert found.share >= alone
    assert found.status is held.status
    assert found.share >= 0.5


def test_a_promise_that_does_not_stand_gives_no_number():
    evidence = sample()
    weaker = evidence.model_copy(
        update={
            "guarantees": tuple(replace(each, status=ClaimStatus.NOT_SHOWN) for each in evidence.guarantees),
            "verdict": Verdict.FAIL,
            "strength": None,
        }
    )
    found = extract(weaker, HERE)
    assert found.model.promise is None
    assert "out of 100" not in said(found)
    assert extract(with_rows(evidence, row(evidence, guarantees=())), HERE).model.promise is None


def test_a_promise_of_no_use_is_called_one():
    found = letter_of(sample(), **EXECUTED)
    weak = found.model.promise.model_copy(update={"epsilon": 3.0, "share": right_guesses(Approximate(epsilon=3.0, delta=1e-4))})
    weaker = found.model_copy(update={"model": found.model.model_copy(update={"promise": weak})})
    assert rows_of(weaker)["How well it forgot"].word == "no useful promise"
    assert rows_of(weaker)["How well it forgot"].mark == "◇"
    assert "That is no useful promise" in " ".join(page_of(weaker).number)


# The log


def test_contradictions_of_the_own_row_are_told_and_no_others():
    requests = (
        Request(row=1, request_id=HERE, record_ids=("r1",), received_at=DAY, executed_at=datetime(2026, 1, 1, tzinfo=UTC)),
        Request(row=2, request_id="REQ-2026-00011", record_ids=("r9",), received_at=DAY, executed_at=DAY),
    )
    problems = findings(requests, ["r1"])
    log = sample().deletion_log.model_copy(update={"problems": problems})
    found = extract(sample().model_copy(update={"deletion_log": log}), HERE)
    assert found.request.findings == ("EXECUTED_BEFORE_RECEIVED",)
    assert page_of(found).head == "Our log contradicts itself about this request"
    assert page_of(found).contradictions == ("The erasure is dated before the request.",)


def test_every_contradiction_and_every_statement_has_words():
    assert {f"letter-finding-{code}" for code in OWN_FINDINGS} <= set(sources(ENGLISH))
    assert {f"letter-statement-{name}" for name in ATTESTABLE} <= set(sources(ENGLISH))


def test_of_a_ticket_with_several_rows_no_finding_is_told():
    log = sample().deletion_log.model_copy(
        update={"problems": (LogFinding(2, "STATUS_CONTRADICTED", f"request {HERE} (row 2): x"),)}
    )
    both = with_rows(sample(), row(sample(), subject="p-1"), row(sample(), subject="p-2"))
    assert extract(both.model_copy(update={"deletion_log": log}), HERE, "p-1").request.findings == ()


# Words


@pytest.mark.parametrize("name", ASKED)
def test_a_letter_of_a_sample_reads_easily_and_promises_nothing_with_words(name):
    found = letter_of(sample(name), **EXECUTED)
    text = said(found)
    assert not [word for word in PROMISING_WORDS if word in text]
    unsaid = "that nobody can recognise you in the model" if not found.case.places_alone else ""
    assert text.count(f"does not say {unsaid}, and it is not legal advice" if unsaid else "is not legal advice") == 1
    assert length(longest(prose(html_of(found)))) <= 30


def test_the_median_letter_reads_easily():
    found = [letter_of(sample(name), **EXECUTED) for name in ASKED]
    for status in ("open", "denied", "revoked", "no-match", "not-located"):
        found += [extract(with_rows(sample(), undone(sample(), status)), HERE)]
    scores = [ease(prose(html_of(each))) for each in found]
    assert statistics.median(scores) >= 60
    assert min(scores) >= 60


def test_every_check_of_the_model_has_a_question_that_names_no_identifier():
    for definition in definitions().values():
        if definition.card.letter is not None:
            assert not re.search(r"[a-z]+\.[a-z_]+", definition.card.letter.question)


def test_the_extract_survives_its_own_bytes():
    found = letter_of(sample(), **EXECUTED)
    assert Extract.model_validate_json(found.to_bytes()) == found


@given(st.text(max_size=300))
def test_file_names_are_safe_whatever_the_id(request_id):
    assert re.fullmatch(r"letter-([a-z0-9-]{1,40}-)?[0-9a-f]{12}\.pdf", file_name(request_id))


def test_what_could_not_be_read_of_a_store_is_told_as_the_controllers_word() -> None:
    found = letter_of(sample("digits-newton"))
    whole, partly = (
        page_of(found.model_copy(update={"request": found.request.model_copy(update={"by_word": word})}))
        for word in (False, True)
    )
    rows = [next(row for row in each.rows if row.label == text("letter-row-stored")) for each in (whole, partly)]
    assert [row.mark for row in rows] == ["●", "◐"]
    assert "nobody checked it" in " ".join(rows[1].sentences)
    assert "by_word" not in found.to_bytes().decode()


@pytest.mark.parametrize(("found", "by_word"), [(60, False), (59, True), (0, True)])
def test_anothers_row_that_was_found_is_nothing_that_could_not_be_read(found: int, by_word: bool) -> None:
    sample = golden("digits-newton")
    left = {"place": {"code": "data.erased.place.store", "parameters": {}}, "bytes": 60, "word": "store-holds-no-copies"}
    checks = tuple(
        replace(each, derived={**(each.derived or {}), "by_word": [left | {"found": found}]})
        if each.id == "data.erased"
        else each
        for each in sample.checks
    )
    said = StatedPremise(name="store-holds-no-copies", standing="said")
    assert letter_of(sample.model_copy(update={"checks": checks, "premises": (said,)})).request.by_word is by_word


def test_a_word_about_the_program_is_none_about_the_data_store() -> None:
    found = golden("digits-newton")
    words = {}
    for word in ("code-clean", "procedure-honest", "store-holds-no-copies"):
        left = {"place": {"code": "data.erased.place.store", "parameters": {}}, "bytes": 9, "word": word}
        checks = tuple(
            replace(each, derived={**(each.derived or {}), "by_word": [left]}) if each.id == "data.erased" else each
            for each in found.checks
        )
        request = letter_of(found.model_copy(update={"checks": checks, "premises": ()})).request
        words[word] = (request.by_word, request.program_by_word)
    assert words == {
        "code-clean": (False, True),
        "procedure-honest": (False, True),
        "store-holds-no-copies": (True, False),
    }
    of_program = letter_of(sample()).model_copy(
        update={"request": letter_of(sample()).request.model_copy(update={"program_by_word": True, "by_word": False})}
    )
    stored = rows_of(of_program)[text("letter-row-stored")]
    assert stored.mark == "◐"
    assert "That our program keeps no copy is what we say; nobody checked it." in stored.sentences
    assert not any("the rest holds no copy" in each for each in stored.sentences)


def test_a_letter_counts_what_the_report_counts_and_names_no_fact_by_itself() -> None:
    for name in ("digits-newton", "digits-mlp-dp"):
        found = golden(name)
        counts = {len(each.statements) for each in promises(found)}
        assert counts == {len(unchecked(found))}
        assert not any("dp-per-subject" in each.statements for each in promises(found))


def test_a_letter_that_lists_more_than_the_report_counts_is_announced_in_it() -> None:
    found = golden("digits-newton")
    more = (*found.policy.attested, found.policy.attested[0].model_copy(update={"name": "refusals-grounded"}))
    told = tell(found.model_copy(update={"policy": found.policy.model_copy(update={"attested": more})}))
    count = max(len(each.statements) for each in promises(told.evidence))
    assert count == len(unchecked(told.evidence)) + 1
    assert text("promise-statements-letters", count=count) in resting(told)


def test_a_letter_concludes_for_one_person_from_what_it_holds_alone():
    good, again = letter_of(sample(), **EXECUTED), letter_of(found_again(sample()), **EXECUTED)
    unsettled, refused = (
        good.model_copy(update={"request": good.request.model_copy(update=change)})
        for change in ({"search": "open"}, {"status": "denied"})
    )
    for name, found in (("confirmed", good), ("against", again), ("open", unsettled)):
        short = page_of(found).short
        assert short == text(f"letter-short-{name}", statements=len(page_of(good).statements), late="no")
        assert not any(word in short for word in ("nmodified", "ualified", "dverse", "isclaimed"))
    assert page_of(refused).short == ""


def test_no_letter_says_that_nothing_was_found_against_the_log_where_the_request_is_late():
    unsettled = {"search": "open"}
    ended = sample().audit.finished_at
    for changes, late in (
        ({"answered_at": datetime(2026, 4, 1, tzinfo=UTC)}, "late"),
        ({"data_erased_at": datetime(2026, 4, 1, tzinfo=UTC)}, "late"),
        ({"answered_at": None}, "unanswered"),
    ):
        found = letter_of(sample(), **{**EXECUTED, **changes})
        assert found.request.due_on < ended.date()
        short = page_of(found.model_copy(update={"request": found.request.model_copy(update=unsettled)})).short
        assert short == text("letter-short-open", late=late)
        assert "nothing against" not in short


def test_why_it_was_late_stands_in_the_letter_and_in_no_other():
    why = "the data lay at two processors"
    late = {**EXECUTED, "answered_at": datetime(2026, 4, 1, tzinfo=UTC)}
    assert f"Our reason for being late: “{why}”." in page_of(letter_of(sample(), **late, late_reason=f"{why}.")).dates
    for found in (letter_of(sample(), **EXECUTED, late_reason=why), letter_of(sample(), **late, late_reason="none")):
        assert "Our reason for being late" not in said(found)
        assert found.request.late_reason is None


def test_a_version_cannot_be_in_use_before_it_was_updated_and_then_nothing_is_promised_of_it():
    early = sample().model_copy(update={"case": sample().case.model_copy(update={"in_use_since": date(2026, 1, 16)})})
    on_the_day = sample().model_copy(update={"case": sample().case.model_copy(update={"in_use_since": DAY.date()})})
    assert page_of(letter_of(on_the_day, **EXECUTED)).mark == page_of(letter_of(sample(), **EXECUTED)).mark
    found = letter_of(early, **EXECUTED)
    page, rows = page_of(found), rows_of(found)
    assert not found.confirmed
    assert (found.model.forgot, found.model.promise) == ("open", None)
    assert page.head == "An erasure is recorded. The audit could not decide how well the model forgot"
    assert rows["The model"].mark == "◇"
    assert "has been in use since 16 January 2026. That cannot be" in " ".join(rows["The model"].sentences)
    assert "of 100" not in said(found)
    # Without a date of its own the model is updated with the rest.
    assert not letter_of(early, **{**EXECUTED, "model_erased_at": None}).confirmed
    failed = letter_of(in_status(early, "removal.budget", Status.FAIL), **EXECUTED)
    assert failed.model.forgot == "failed"
    assert "in_use_too_early" not in letter_of(sample(), **EXECUTED).to_bytes().decode()


def test_who_was_notified_with_all_others_is_the_logs_word_next_to_what_is_declared():
    said_of = rows_of(letter_of(sample(), **EXECUTED, recipients_notified=(Recipient(),)))["Who received it"].sentences
    assert said_of[1].startswith("We declared of those who receive data: “a partner had samples”")
    assert (
        said_of[0] == "According to our records, everyone who received it was notified of the erasure. The day is not recorded."
    )
    untold = rows_of(letter_of(sample(), **EXECUTED, recipients_notified=(Recipient("A Ltd", notified=False),)))
    assert untold["What happens next"].sentences == (FOR_THE_REPLY,)


KEPT = KeptData("invoices of 2025", "section 147 of the Fiscal Code", KeepingException("b"), date(2036, 1, 1))


def test_a_letter_says_what_is_kept_of_the_person_by_the_log():
    found = letter_of(sample(), kept=(KEPT,), **EXECUTED)
    kept = rows_of(found)[text("letter-row-kept")]
    assert kept.word == text("letter-word-by-log")
    assert "“invoices of 2025” until 1 January 2036: “section 147 of the Fiscal Code”" in kept.sentences[0]
    assert "Nobody checked" in kept.sentences[-1]
    assert text("letter-short-kept") in page_of(found).short
    many = rows_of(letter_of(sample(), kept=(KEPT,) * 5, **EXECUTED))[text("letter-row-kept")]
    assert "2 more things are in our log." in many.sentences
    for nothing in (None, ()):
        plain = letter_of(sample(), kept=nothing, **EXECUTED)
        assert text("letter-row-kept") not in rows_of(plain)
        assert text("letter-short-kept") not in page_of(plain).short


def test_what_is_kept_of_others_is_in_no_letter():
    evidence = sample()
    rows = (replace(evidence.requests[0], **EXECUTED), *(replace(each, kept=(KEPT,)) for each in evidence.requests[1:]))
    assert b"invoices" not in extract(with_rows(evidence, *rows), HERE).to_bytes()


@pytest.mark.parametrize("examined", [True, False])
def test_good_words_on_the_model_are_no_all_clear_where_data_were_found_again(examined):
    clear = letter_of(sample(), **EXECUTED)
    assert clear.model.forgot in {"shown", "supported"}
    found = clear.model_copy(
        update={
            "request": clear.request.model_copy(update={"search": "found"}),
            "case": clear.case.model_copy(update={"model_examined": examined}),
        }
    )
    forgot, before = (rows_of(each)[text("letter-row-forgot")] for each in (found, clear))
    which = "model" if examined else "procedure"
    assert forgot.word == text(f"letter-word-only-{which}") != before.word
    assert forgot.tone == "part"
    assert "that we still store" in forgot.sentences[0]


def test_the_number_is_called_our_limit_only_where_we_declared_one():
    declared = letter_of(sample(), **EXECUTED)
    assert declared.model.promise is not None
    assert declared.model.promise.origin == "declared"
    assert "the limit that we set" in said(declared)
    assert text("letter-limits-declared") in said(declared)
    for origin in ("retrained", "derived"):
        promise = declared.model.promise.model_copy(update={"origin": origin})
        other = declared.model_copy(update={"model": declared.model.model_copy(update={"promise": promise})})
        assert text(f"letter-number-{origin}", count=len(promise.statements), data="your data") in said(other)
        assert "the limit that we set" not in said(other)
        assert text("letter-limits-declared") not in said(other)


def test_after_retraining_no_limit_is_called_ours():
    for name in ASKED:
        evidence = sample(name)
        found = extract(evidence, evidence.requests[0].request_id).model.promise
        if found is not None and found.origin == "retrained":
            assert (found.epsilon, found.delta or 0.0) == (0.0, 0.0)
            return
    raise AssertionError("no sample was retrained")


def test_nobody_received_it_and_declared_recipients_are_marked_as_unsettled():
    evidence = sample()
    row_ = rows_of(letter_of(evidence, recipients_notified=(), **EXECUTED))[text("letter-row-received")]
    assert (row_.word, row_.tone) == (text("letter-word-undecided"), "open")
    assert "“a partner had samples”" in " ".join(row_.sentences)
    alone = evidence.model_copy(update={"outside": ()})
    row_ = rows_of(letter_of(alone, recipients_notified=(), **EXECUTED))[text("letter-row-received")]
    assert (row_.word, row_.tone) == ("", "none")


def test_a_receipt_speaks_against_a_log_that_says_that_nobody_received_it():
    evidence = sample().model_copy(
        update={
            "outside": (),
            "receipts": (Receipt(processor="A Ltd", what="w", at=DAY.date(), file="r", requests=(HERE,), sha256="0" * 64),),
        }
    )
    assert rows_of(letter_of(evidence, recipients_notified=(), **EXECUTED))["Who received it"].tone == "open"


def test_every_recipient_is_named_however_many_there_are():
    several = tuple(Recipient(f"Firm {number} Ltd", notified=number != 6, notified_at=DAY) for number in range(7))
    found = rows_of(letter_of(sample(), **EXECUTED, recipients_notified=several))["Who received it"].sentences
    assert found[0] == "Firm 6 Ltd has not been notified of the erasure yet."
    assert found[4] == "Notified as well, according to our log: Firm 3 Ltd, Firm 4 Ltd and Firm 5 Ltd."


def test_only_what_the_case_names_is_named_as_unchecked():
    bare = sample().model_copy(update={"outside": ()})
    (first, *_) = rows_of(letter_of(bare, **EXECUTED))["Not checked"].sentences
    assert first.startswith("Any other place")
    assert "which we named" not in said(letter_of(bare, **EXECUTED))
    assert "overleaf" not in first


def attesting(*names, evidence=None):
    evidence = sample() if evidence is None else evidence
    words = tuple(Attested(name=each, by="Sam Example", at=DAY.date()) for each in names)
    policy = evidence.policy.model_copy(update={"attested": words})
    # A pass would ask for more statements than these.
    return evidence.model_copy(update={"policy": policy, "verdict": Verdict.FAIL, "strength": None})


def test_what_is_attested_stands_overleaf_with_whose_word_it_is():
    unseen = UNCONFIRMED["no model file"]()
    page = page_of(letter_of(attesting("log-complete", "nothing-held", "refusals-grounded", evidence=unseen), **EXECUTED))
    assert {*page.statements, *page.further} >= {text("letter-statement-log-complete")}
    assert not {text("letter-statement-nothing-held"), text("letter-statement-refusals-grounded")} & {*page.further}
    assert "Sam Example" in page.stated + page.further_by
    assert "by Sam Example" in html_of(letter_of(attesting("log-complete"), **EXECUTED))


@pytest.mark.parametrize(
    ("status", "name"),
    [("denied", "refusals-grounded"), ("revoked", "refusals-grounded"), ("no-match", "nothing-held"), ("open", None)],
)
def test_a_letter_has_the_statements_that_bear_on_it(status, name):
    evidence = attesting("log-complete", "nothing-held", "refusals-grounded")
    page = page_of(extract(with_rows(evidence, undone(evidence, status)), HERE))
    assert page.further == (() if name is None else (text(f"letter-statement-{name}"),))
    assert page.further_by == ("" if name is None else "Stated on 17 January 2026 by Sam Example:")


def found_untrue(name):
    evidence = attesting(name)
    checks = tuple(replace(each, status=Status.INCONCLUSIVE) if each.id == "data.erased" else each for each in evidence.checks)
    relied = evidence.reliance.model_copy(update={"contradicted": (name,)})
    return evidence.model_copy(update={"checks": checks, "reliance": relied})


def test_data_that_was_prepared_with_erased_data_is_said_and_no_good_word_stands_beside_it():
    found = letter_of(found_untrue("preprocessing-clean"), **EXECUTED)
    page, rows = page_of(found), rows_of(found)
    said_of_it = "the audit found that the data on which we train was prepared with erased data"
    assert said_of_it in page.head
    assert page.mark == "■"
    assert page.short == text("letter-short-against")
    for name in ("Stored data", "The model"):
        assert (rows[name].mark, rows[name].word) == ("■", "prepared with erased data")
    assert "found no copy. The audit found that the data on which we train" in " ".join(rows["Stored data"].sentences)
    assert "Something of your data may be left in it." in " ".join(rows["Stored data"].sentences)
    assert "so it may hold something of your data." in rows["The model"].sentences[-1]
    assert "something else that we keep" not in said(found), "what was found is no doubt"
    assert not {each.mark for each in page.rows} & {"●", "◐"}
    assert rows["What happens next"].sentences == (FOR_THE_REPLY,)
    assert not any("preparing" in each for each in page.statements)


def test_a_statement_that_the_audit_found_untrue_is_said_overleaf():
    found = letter_of(found_untrue("seed-secret"), **EXECUTED)
    page = page_of(found)
    assert page.head == "An erasure is recorded. But the audit found that something that we stated is not true"
    secret = text("letter-statement-seed-secret")
    assert page.found == (f"We stated this, and the audit found that it is not true: {secret}",)
    assert secret not in (*page.statements, *page.further)
    # What the row of the model says is not said twice.
    other = found.model_copy(update={"model": found.model.model_copy(update={"untrue": (), "forgot": "open"})})
    assert not page_of(other).found


def test_copies_that_the_controllers_word_clears_are_no_all_clear_to_whom_they_may_belong():
    evidence = attesting("copies-are-others")
    copies = {"deleted": 8, "found": 8, "retained_looked_at": 300, "retained_with_a_copy": 0, "equal": 0, "subjects": []}
    for whose in (HERE, "REQ-of-another"):
        observed = {"copies": {**copies, "request_ids": [whose]}}
        checks = tuple(
            replace(each, observed={**each.observed, **observed}) if each.id == "data.erased" else each
            for each in evidence.checks
        )
        found = letter_of(evidence.model_copy(update={"checks": checks}), **EXECUTED)
        stored = rows_of(found)["Stored data"]
        if whose == HERE:
            assert not found.confirmed
            assert (stored.mark, stored.word) == ("◐", "no copy, on our word")
            assert "It found something there that may be part of it." in stored.sentences[1]
        else:
            assert found.request.may_be_others is None
            assert "may be part" not in said(found)


def test_a_statement_speaks_of_a_number_only_next_to_one():
    words = "Such a choice may reveal more than the number allows for."
    promised = page_of(letter_of(sample(), **EXECUTED))
    assert any(each.endswith(words) for each in promised.statements)
    found = letter_of(attesting("requests-fixed"), **EXECUTED)
    tested = found.model.model_copy(update={"forgot": "attacks", "promise": None})
    without = page_of(found.model_copy(update={"model": tested}))
    assert not without.number
    assert text("letter-statement-requests-fixed") in without.further
    assert not any("number" in each for each in without.further)


def test_no_statement_speaks_of_a_training_where_places_alone_were_searched():
    found = letter_of(attesting("subjects-complete", "no-model-trained"), **EXECUTED)
    alone = found.case.model_copy(update={"places_alone": True})
    no_model = found.model.model_copy(update={"forgot": "not-examined", "promise": None})
    places = found.model_copy(update={"case": alone, "model": no_model})
    assert text("letter-statement-subjects-complete-places") in page_of(places).further
    assert not any("training" in each for each in page_of(places).further)


def test_nobody_is_told_that_nothing_was_erased_whose_data_another_request_may_have_erased():
    for status, sentence in (
        ("revoked", "so nothing was erased because of it."),
        ("denied", "We refused to erase the data of this request."),
    ):
        found = said(extract(with_rows(sample(), undone(sample(), status)), HERE))
        assert sentence in found
        assert "we erased nothing" not in found
        assert "did not erase" not in found


def test_no_statement_that_the_audit_refuted_is_called_unchecked():
    evidence = attesting("preprocessing-clean")
    refuted = evidence.model_copy(
        update={"reliance": evidence.reliance.model_copy(update={"contradicted": ("preprocessing-clean",)})}
    )
    assert extract(with_rows(evidence, row(evidence, **EXECUTED)), HERE).request.word is not None
    assert extract(with_rows(refuted, row(refuted, **EXECUTED)), HERE).request.word is None


@pytest.mark.parametrize(
    ("made", "said_of_it"),
    [
        ({"made_at": date(2025, 5, 1)}, "before"),
        ({"made_at": date(2025, 5, 1), "remade_at": date(2030, 1, 1)}, "before"),
        ({"made_at": date(2025, 5, 1), "retired_at": date(2030, 1, 1)}, "before"),
        ({}, "unclear"),
        ({"made_at": date(2026, 6, 15)}, "unclear"),
        ({"made_at": date(2026, 6, 15), "retired_at": date(2030, 1, 1)}, "unclear"),
    ],
)
def test_what_was_made_from_the_model_is_from_before_or_unclear_by_its_days(made, said_of_it):
    thing = StatedDescendant(name="scores", kind="other", declared_by="Sam Example", descent=Descent.UNDATED, **made)
    evidence = sample().model_copy(update={"lineage": (thing,)})
    sentences = rows_of(letter_of(evidence, **EXECUTED))["Not checked"].sentences
    for each in ("before", "unclear"):
        assert (text(f"letter-unchecked-made-{each}", names="scores") in sentences) is (each == said_of_it)


def test_what_was_not_found_says_where_we_looked_and_a_withdrawal_how():
    for status, message in (("no-match", "searched"), ("revoked", "withdrawn")):
        noted = extract(with_rows(sample(), undone(sample(), status, reason="Looked in the register.")), HERE)
        assert text(f"letter-{message}-as-logged", said="“Looked in the register”") in said(noted)
        assert "Our log says of" not in said(extract(with_rows(sample(), undone(sample(), status, reason="n/a")), HERE))


@pytest.mark.parametrize(
    ("regime", "awaits", "asked"),
    [
        (Regime.EU, Awaited.IDENTITY, "Please send us proof of your identity"),
        (Regime.CCPA, Awaited.IDENTITY, "Please show us that the data is about you"),
        (Regime.EU, Awaited.DETAILS, "Please send us the details"),
        (Regime.UK, Awaited.IDENTITY, "Please send us proof of your identity"),
    ],
)
def test_a_letter_asks_for_what_is_missing(regime, awaits, asked):
    pause = ClockPause(datetime(2026, 1, 20, tzinfo=UTC), reason="another address", awaits=awaits)
    waiting = undone(sample(), "open", regime=regime, clock_pauses=(pause,), answered_at=None)
    found = said(extract(with_rows(sample(), waiting), HERE))
    assert found.count("Please send") + found.count("Please show") == 1
    assert asked in found
    assert "“another address”" in found


def test_an_unpaid_fee_is_not_called_a_doubt_about_the_person():
    paid = ClockPause(DAY - timedelta(days=8), DAY, reason="two copies", awaits=Awaited.FEE)
    for pauses, words in (((paid,), "asked you for a fee,"), ((), "asked you to confirm who you are,")):
        found = letter_of(sample(), **EXECUTED)
        doubtful = found.model_copy(update={"request": found.request.model_copy(update={"in_doubt": True, "pauses": pauses})})
        assert words in " ".join(page_of(doubtful).dates)


def test_a_letter_says_that_the_log_has_no_answer_by_the_due_day():
    silent = letter_of(sample(), **{**EXECUTED, "answered_at": None})
    assert "Our log records no answer by that day." in page_of(silent).dates
    assert "Our log records no answer by that day." not in page_of(letter_of(sample(), **EXECUTED)).dates


def test_recipients_of_the_whole_case_stand_next_to_those_of_the_log_unless_they_are_the_same():
    declared = "We declared of those who receive data: “a partner had samples”."
    for name, there in (("Meter Ltd", True), ("A Partner", False), ("samples", False)):
        found = letter_of(sample(), **EXECUTED, recipients_notified=(Recipient(name, notified_at=DAY),))
        assert (declared in rows_of(found)["Who received it"].sentences) is there
    several = OutsidePlace(name="recipients", what="Payfix Ltd gets bills, Meter Ltd readings", declared_by="Sam Example")
    found = letter_of(
        sample().model_copy(update={"outside": (several,)}), **EXECUTED, recipients_notified=(Recipient("Payfix Ltd"),)
    )
    assert "Meter Ltd" in said(found), "whoever is declared and not in the log is not lost"
