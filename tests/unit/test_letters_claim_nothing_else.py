"""Letters and replies say nothing that the log, an attestation or the audit does not bear."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

from auditor.base.deletion_log.requests import Recipient, Regime
from auditor.base.domain import Status, Verdict
from auditor.pages.replies.page import paragraphs
from letter_cases import DAY, letter_of, page_of, said, sample
from reply_cases import CCPA, DECLARED, reply_of, reply_undone


def text_of(made):
    return " ".join(each.text for each in paragraphs(made))


def test_a_reply_that_keeps_nothing_excepts_backups_and_the_record_of_the_request():
    places = tuple(each.model_copy(update={"until": each.until and date(2999, 1, 1)}) for each in sample().outside)
    assert "apart from the record of your request" in text_of(reply_of(sample(), **CCPA))
    made = text_of(reply_of(sample().model_copy(update={"outside": places}), **CCPA))
    assert "apart from the record of your request and what may still lie in backups" in made


def test_nobody_is_said_to_have_been_checked_of_whom_there_was_no_doubt():
    declared = {**DECLARED, "identity_check": "there was no doubt about it", "identity_checked_at": None}
    made = text_of(reply_of(sample(), **declared))
    assert "We checked who you are" not in made
    assert "How we know that the request is yours: there was no doubt about it." in made


def test_who_could_not_be_verified_is_told_so_and_not_that_they_were_checked():
    refused = {"regime": Regime.CCPA, "reason": "No code came back", "exception": "11 CCR 7022(a)"}
    made = reply_undone("denied", **refused)
    assert "We could not verify who you are, so we denied your request (11 CCR 7022(a))." in text_of(made)
    assert "How we know who you are" not in text_of(made)
    assert "there was no doubt" not in text_of(made)
    assert "We could not verify who you are" in said(made.letter)


def test_a_notice_before_the_request_is_not_said_as_a_fact():
    early = Recipient("Mailer", notified=True, notified_at=datetime(2020, 1, 2, tzinfo=UTC))
    letter, made = (
        said(letter_of(sample(), recipients_notified=(early,))),
        text_of(reply_of(sample(), recipients_notified=(early,))),
    )
    for each in (letter, made):
        assert "Our log says that Mailer was notified on 2 January 2020." in each
        assert "so the day cannot be right" in each
    assert "the day in the log lies before the request" in made


def test_an_open_search_that_found_nothing_says_so_and_where_a_doubt_is_left():
    evidence = sample()
    checks = tuple(
        replace(
            each,
            status=Status.INCONCLUSIVE,
            derived={
                **(each.derived or {}),
                "unexplained": [
                    {
                        "bytes": 240,
                        "place": {"code": "data.erased.place.code", "parameters": {"path": "m.py"}},
                        "word": "code-clean",
                    }
                ],
            },
        )
        if each.id == "data.erased"
        else each
        for each in evidence.checks
    )
    letter = letter_of(
        evidence.model_copy(update={"checks": checks, "verdict": Verdict.INCONCLUSIVE, "strength": None}), data_erased_at=DAY
    )
    assert "found no copy" in page_of(letter).head
    assert "what the audit could not examine: 0.3 kB of our program's code" in said(letter)
    assert "m.py" not in said(letter)
