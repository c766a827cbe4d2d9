"""The reply to one person: what is declared, a blank for what is not, nothing of anybody else, and a file that Word reads."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from auditor.base.deletion_log.deadlines import PENDING, ByDue, dated
from auditor.base.deletion_log.requests import (
    Awaited,
    ClockPause,
    ErasureGround,
    KeepingException,
    KeptData,
    Recipient,
    Regime,
    StorageState,
    Undertaking,
)
from auditor.document.conclusions import Descent, StatedDescendant
from auditor.document.context import Attested
from auditor.document.evidence import Evidence
from auditor.pages.letters import page as letter_page
from auditor.pages.replies import Reply, page, reply
from auditor.pages.replies.docx import docx
from auditor.pages.words.catalogue import ENGLISH, sources
from auditor.settings.attestations import NO_MODEL
from auditor.settings.documents import OutsidePlace
from auditor.settings.receipts import Receipt
from auditor.verdict import examination, request_status
from letter_cases import DAY, row, sample, undone, with_rows
from readability import ease, length, longest, sentences
from reply_cases import DECLARED, HERE, REPLIES, found_again, reply_of, reply_undone

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def said(made: Reply) -> str:
    return "\n".join(each.text for each in page.paragraphs(made))


def blanks(made: Reply) -> list[str]:
    return [run.text for each in page.paragraphs(made) for run in each.runs if run.blank]


def written(made: Reply) -> bytes:
    return docx(page.paragraphs(made), title=page.title(made.letter.request.request_id), date=DAY)


# What it says


def test_what_the_log_declares_is_said_and_only_the_address_is_left() -> None:
    made = REPLIES["executed"]()
    text = said(made)
    for sentence in (
        "We first answered you on 17 January 2026.",
        "According to our records, we have erased your data, except for what we keep: Invoices of 2025.",
        "An audit searched for what we erased, and did not find it again.",
        "You withdrew your consent, and nothing else allows us to use the data (Article 17(1)(b) of the GDPR).",
        "Stored data, but for what we keep: erased on 17 January 2026, according to our records.",
        "Invoices of 2025: section 147 of the Fiscal Code. The law obliges us to keep this, or a public task needs it",
        "(Article 17(3)(b) of the GDPR). We keep this until 1 January 2036.",
        "Partner Ltd was notified of the erasure on 17 January 2026.",
        "Backups: overwritten after 30 days. Gone by 1 July 2026",
        "On 8 January 2026 we checked who you are: a code to the address that we have for you.",
        "Kim Example, data protection officer",
    ):
        assert sentence in text
    assert blanks(made) == ["[by hand: name and address of the person]", "[by hand: date of this reply]", "[by hand: name],"]


def test_what_nobody_declared_is_a_blank_and_never_a_guess() -> None:
    made = REPLIES["nothing declared"]()
    assert [run.key for run in page.blanks(page.paragraphs(made))] == [
        None, None, None, "answered_at", "late_reason",
        "erasure_ground", "model_erased_at", "kept", "recipients_notified", "identity_check", "signatory",
    ]  # fmt: skip
    assert not re.search(r"Article 17\(1\)\([a-f]\)|Article 17\(3\)", said(made))


@pytest.mark.parametrize("name", REPLIES)
def test_a_reply_has_no_date_and_no_undertaking_that_its_request_does_not(name: str) -> None:
    made = REPLIES[name]()
    request, case = made.letter.request, made.letter.case
    known = {
        request.received_on,
        request.due_on,
        request.moved_from,
        request.erased_on,
        request.model_erased_on,
        request.answered_on,
        made.letter.audit.finished_at.date(),
        made.identity_checked_on,
        case.in_use_since,
        *(each.until for each in case.outside),
        *(each.until for each in made.kept or ()),
        *(each.notified_at.date() for each in request.recipients or () if each.notified_at),
    }
    known |= {on.date() for each in made.waits for on in (each.paused_at, each.resumed_at) if on}
    known |= {request.undertaking.by} if request.undertaking else set()
    known |= {request.extension.notified_at.date()} if request.extension and request.extension.notified_at else set()
    months = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ]
    found = re.findall(rf"(\d+) ({'|'.join(months)}) (\d{{4}})", said(made))
    assert {date(int(year), months.index(month) + 1, int(day)) for day, month, year in found} <= known
    assert ("We will" in said(made)) == (request.undertaking is not None)


def test_a_reply_is_never_dated_before_the_audit_that_it_tells_of() -> None:
    ended = sample().audit.finished_at
    for answered, expected in ((ended - timedelta(days=1), "Date: [by hand: date"), (ended, f"Date: {ended.day} ")):
        assert expected in said(reply_of(sample(), **{**DECLARED, "answered_at": answered}))
    late = said(REPLIES["late"]())
    assert "An answer was due by 9 February 2026. The deadline fell on 7 February 2026, which was not a working day" in late
    assert "We first answered you on 1 April 2026. That is late" in late
    assert late.count(" late") == 1
    on_the_day = said(reply_of(sample(), **{**DECLARED, "answered_at": ended}))
    assert "This answer is late, and we should have told you sooner. It was due by 9 February 2026." in on_the_day
    assert "We answered" not in on_the_day


def test_an_earlier_answer_that_the_audit_contradicts_is_taken_back() -> None:
    assert "If we told you then that it was erased, that was wrong." in said(reply_of(found_again(sample()), **DECLARED))


def test_what_is_left_to_do_is_a_blank_until_the_log_says_what_will_be_done() -> None:
    again = found_again(sample())
    assert "[what you will do about this, and by when · undertaking]." in blanks(reply_of(again, **DECLARED))
    declared = reply_of(again, **DECLARED, undertaking=Undertaking("Erase the copy in the archive.", date(2027, 3, 1)))
    assert "We will do this by 1 March 2027: Erase the copy in the archive." in said(declared)
    assert "[what you will do about this, and by when · undertaking]." not in blanks(declared)


def test_what_was_undertaken_before_the_erasure_is_not_promised_after_it() -> None:
    made = reply_of(sample(), **DECLARED, undertaking=Undertaking("erase your account", date(2027, 1, 15)))
    assert "We undertook to do this by 15 January 2027: erase your account. We recorded the erasure on " in said(made)
    assert "We will" not in said(made)
    assert "[what of this is still to be done, and by when; or that it is done · undertaking]." in blanks(made)


def test_a_day_that_has_passed_is_not_promised() -> None:
    made = reply_of(found_again(sample()), **DECLARED, undertaking=Undertaking("Erase it.", date(2026, 3, 1)))
    assert "We will" not in said(made)
    assert "[that day has passed: what holds now · undertaking.by]." in blanks(made)
    kept = (KeptData("Invoices", "tax law", KeepingException.LEGAL_OBLIGATION, date(2026, 1, 20)),)
    assert "[which day: 20 January 2026, which is declared, has passed; or that it is no longer kept · kept.until]." in blanks(
        reply_of(sample(), **{**DECLARED, "kept": kept})
    )


def test_nothing_is_said_to_be_gone_that_is_still_there() -> None:
    for evidence, more in ((found_again(sample()), {}), (sample(), {"storage_state": StorageState.LOGICAL})):
        made = reply_of(evidence, **{**DECLARED, "kept": ()}, **more)
        assert "we keep none" not in said(made)
        assert any("the log says that nothing is" in each for each in blanks(made))
    assert "We have erased" not in said(reply_of(found_again(sample()), **DECLARED))
    assert "did not find it again" not in said(reply_of(found_again(sample()), **DECLARED))


@pytest.mark.parametrize("name", ["digits-newton-overrun", "digits-shipped-old", "digits-cheater", "digits-retrain"])
def test_no_audit_is_said_to_have_found_nothing_that_its_letter_does_not_confirm(name: str) -> None:
    made = reply_of(sample(name), **DECLARED)
    assert ("did not find it again" in said(made)) == made.letter.confirmed


def test_a_refusal_gives_its_reason_and_exception_or_asks_for_them() -> None:
    text = said(REPLIES["refused"]())
    assert "Our reason: We need the file for a lawsuit." in text
    assert "Exception that we rely on: Article 17(3)(e), which is about legal claims." in text
    assert "Our reason: We need the file for a lawsuit.." not in text
    for nothing in (None, "n/a"):
        bare = blanks(reply_undone("denied", reason=nothing, exception=nothing))
        assert "[the reason for refusing · reason]." in bare
        assert "[the exception of the law, or that there is none · exception]." in bare
    assert "What we erased" not in text


@pytest.mark.parametrize(
    ("regime", "law"), [(Regime.EU, "of the GDPR"), (Regime.UK, "of the UK GDPR"), (Regime.CCPA, "1798.105 of the California")]
)
def test_a_reply_names_the_law_of_its_request_and_no_other(regime: Regime, law: str) -> None:
    # The ground and the exception are letters of Article 17: evidence that has them under another law is not followed.
    text = said(reply_of(sample(), **DECLARED, regime=regime))
    assert law in text
    if regime is Regime.CCPA:
        assert "GDPR" not in text
        assert "Article" not in text
    elif regime is Regime.UK:
        assert not re.search(r"of the GDPR", text)


@pytest.mark.parametrize("ground", ErasureGround)
@pytest.mark.parametrize("exception", KeepingException)
def test_every_letter_of_article_17_has_its_words(ground: ErasureGround, exception: KeepingException) -> None:
    made = reply_of(sample(), **{**DECLARED, "erasure_ground": ground, "kept": (KeptData("a", "b", exception),)})
    assert f"Article 17(1)({ground.value}) of the GDPR" in said(made)
    assert f"Article 17(3)({exception.value}) of the GDPR" in said(made)
    assert "We keep this until [which day · kept.until]." in said(made)


@pytest.mark.parametrize(
    ("ground", "words", "asked"),
    [
        ("GDPR Art. 17(1)(b)", "You withdrew your consent", False),
        ("Article 17 (1) c", "You objected", False),
        ("consent was withdrawn", "Consent was withdrawn. [which ground", True),
        ("Art. 17(1)(a), else 17(1)(b)", "Art. 17(1)(a), else 17(1)(b). [which ground", True),
        ("Article 17(3)(e)", "Article 17(3)(e). [which ground", True),
        (None, "[which ground", True),
    ],
)
def test_a_legal_ground_that_names_one_point_is_that_ground(ground: str | None, words: str, *, asked: bool) -> None:
    made = reply_of(sample(), **{**DECLARED, "erasure_ground": None, "ground": ground})
    assert words in said(made)
    assert any("which ground" in each for each in blanks(made)) is asked


def test_who_is_still_asked_for_a_proof_is_not_said_to_have_been_checked() -> None:
    received = date(2026, 2, 6)
    pause = ClockPause(datetime(2026, 2, 8, 10, tzinfo=UTC), reason="a proof of identity", awaits=Awaited.IDENTITY)
    made = reply_undone("open", regime=Regime.UK, received_on=received, clock_pauses=(pause,), answered_at=None)
    assert made.letter.request.waiting
    assert "“a proof of identity”" in said(made)
    assert "The law gives us one month to answer. It begins when we have your proof" in said(made)
    assert "late" not in said(made)
    assert "checked who you are" not in said(made)
    assert [each for each in blanks(made) if "identity" in each] == []


def test_a_place_that_was_cleared_before_the_erasure_is_asked_about() -> None:
    later = reply_of(sample(), **{**DECLARED, "data_erased_at": datetime(2026, 7, 2, 12, tzinfo=UTC)})
    assert "Gone by 1 July 2026" not in said(later)
    assert any("lies before the erasure" in each for each in blanks(later))
    assert "Our log dates the erasure after that day" in " ".join(letter_page.page(later.letter).places)
    assert (
        "None of our backups still holds erased data. We have not stated this to the audit."
        in letter_page.page(later.letter).statements
    )


def test_a_day_that_is_too_early_for_this_person_by_the_places_own_words_is_asked_about() -> None:
    found = sample()
    place = OutsidePlace(name="backups", what="nightly, overwritten after 60 days", until=date(2026, 7, 1), declared_by="Sam")
    erased = datetime(2026, 5, 3, 12, tzinfo=UTC)
    for day, is_short in ((erased, True), (erased - timedelta(days=1), False)):
        made = reply_of(found.model_copy(update={"outside": (place,)}), **{**DECLARED, "data_erased_at": day})
        assert any("too early for this erasure" in each for each in blanks(made)) is is_short
        assert ("Gone by 1 July 2026" in said(made)) is not is_short
        assert ("that day is too early" in " ".join(letter_page.page(made.letter).places)) is is_short


def test_recipients_are_named_and_those_who_are_not_are_asked_for() -> None:
    several = (Recipient("A Ltd"), Recipient("B Ltd", notified=False), Recipient(notified_at=DAY))
    made = reply_of(sample(), **{**DECLARED, "recipients_notified": several})
    assert "A Ltd was notified of the erasure on [which day · recipients_notified.notified_at]." in said(made)
    assert "B Ltd has not been notified of the erasure yet." in said(made)
    told = "According to our records, everyone who received it was notified of the erasure on"
    assert f"{told} 17 January 2026. They are [their names · recipients_notified.name]." in said(made)
    alone = said(reply_of(sample(), **{**DECLARED, "recipients_notified": (Recipient(),)}))
    assert f"{told} [which day · recipients_notified.notified_at]. They are [their names" in alone


@pytest.mark.parametrize("name", REPLIES)
def test_every_blank_stands_inside_a_sentence_or_is_one(name: str) -> None:
    for each in page.paragraphs(REPLIES[name]()):
        for before, run in pairwise(each.runs):
            assert not (run.blank and run.text[-1] in ",." and each.kind == "item" and before.text.endswith((".", "]")))


def test_nobody_is_said_to_have_received_what_others_are_named_for() -> None:
    nobody = {**DECLARED, "recipients_notified": ()}
    places = sample()
    bare = places.model_copy(update={"outside": tuple(each for each in places.outside if each.name != "recipients")})
    assert "Nobody else received it, according to our records." in said(reply_of(bare, **nobody))
    receipt = Receipt(
        processor="Meter Ltd", what="erased", requests=(HERE,), at=date(2026, 2, 1), file="receipt.txt", sha256="0" * 64
    )
    for evidence, named in (
        (places, "“a partner had samples”"),
        (bare.model_copy(update={"receipts": (receipt,)}), "Meter Ltd"),
    ):
        made = reply_of(evidence, **nobody)
        assert "Nobody else received it" not in said(made)
        marked = [run for run in page.blanks(page.paragraphs(made)) if run.key == "recipients_notified"]
        assert len(marked) == 1
        assert f"the log says that nobody received it, but these are named: {named}" in marked[0].text
        about = with_rows(evidence, row(evidence, **nobody))
        assert len(examination.denied_recipients(about)) == 1
    assert examination.denied_recipients(with_rows(bare, row(bare, **nobody))) == ()
    assert examination.denied_recipients(with_rows(places, row(places, **DECLARED))) == ()


def test_backups_that_nobody_declared_are_asked_for() -> None:
    bare = sample().model_copy(update={"outside": ()})
    assert any("last backup" in each for each in blanks(reply_of(bare, **DECLARED)))
    assert not any("last backup" in each for each in blanks(reply_of(sample(), **DECLARED)))


@pytest.mark.parametrize("status", ["executed", "open", "denied", "revoked", "no-match", "not-located", "unheard-of"])
@pytest.mark.parametrize("regime", Regime)
def test_every_ending_has_its_words_under_every_law(status: str, regime: Regime) -> None:
    made = reply_of(sample(), regime=regime) if status == "executed" else reply_undone(status, regime=regime)
    assert "complain" in said(made)
    assert said(made).count("Draft reply") == 1


def test_every_outcome_of_a_letter_has_a_decision() -> None:
    known = set(sources(ENGLISH))
    heads = {each.removeprefix("letter-head-") for each in known if each.startswith("letter-head-")}
    assert {f"reply-decision-{each}" for each in heads} <= known


def test_replies_read_easily() -> None:
    for make in REPLIES.values():
        prose = [each for paragraph in page.paragraphs(make()) for each in sentences(paragraph.text)]
        assert length(longest(prose)) <= 30
        assert ease(prose) >= 60


# In time or late: what the pages say of the same request


def open_since(regime: Regime, *pauses: ClockPause, **changes: object) -> Evidence:
    """A request that is open, with a closing day long after its deadline."""
    return with_rows(sample(), undone(sample(), "open", regime=regime, clock_pauses=pauses, **{"answered_at": None, **changes}))


def asked(awaits: Awaited = Awaited.IDENTITY, until: datetime | None = None) -> ClockPause:
    return ClockPause(DAY - timedelta(days=8), until, "Sender address differs from the account", awaits)


def test_a_doubt_about_the_person_leaves_open_whether_an_answer_is_late() -> None:
    made = reply(open_since(Regime.EU, asked()), HERE)
    text = said(made)
    assert made.owed is ByDue.IN_DOUBT
    assert " late" not in text
    assert "On 9 January 2026 we asked you to confirm who you are." in text
    assert "“Sender address differs from the account”" in text
    assert "According to our records, we have not received any proof yet." in text
    assert "An answer was due by 9 February 2026, unless this wait gave us more time. Whether it did is not decided." in text
    assert "reasonable doubts about who you are, and asked you without undue delay (Article 12(6) of the GDPR)" in text
    assert "Please send us proof of your identity" in text
    assert "checked who you are" not in text
    assert not any("Article 17(1)" in each for each in blanks(made))


def test_a_proof_is_asked_for_in_the_words_of_each_law() -> None:
    uk = said(reply(open_since(Regime.UK, asked()), HERE))
    assert "Article 12(6) of the UK GDPR" in uk
    assert "It did only if we had reasonable doubts about who you are" in uk
    ccpa = said(reply(open_since(Regime.CCPA, asked()), HERE))
    assert "Please show us that the data is about you" in ccpa
    assert "This does not stop our time to answer" in ccpa
    assert "We should have done what you ask, or told you why not, by 21 February 2026." in ccpa
    assert "Article" not in ccpa
    assert "Otherwise, please pay it." in said(reply(open_since(Regime.UK, asked(Awaited.FEE)), HERE))
    details = said(reply(open_since(Regime.EU, asked(Awaited.DETAILS)), HERE))
    assert "Please send us the details that we asked you for." in details
    assert "we were 290 days late" in details, "details stop no clock"


def test_a_pause_that_is_over_and_leaves_lateness_open_keeps_its_dates() -> None:
    over = asked(until=DAY + timedelta(days=2))
    answered = datetime(2026, 2, 12, tzinfo=UTC)
    text = said(reply_of(sample(), **{**DECLARED, "clock_pauses": (over,), "answered_at": answered}))
    assert "From 9 January 2026 to 19 January 2026 we waited for you to confirm who you are." in text
    assert "An answer was due by 9 February 2026. The deadline fell on 7 February 2026, which was not a working day" in text
    assert "We first answered you on 12 February 2026." in text
    assert "That is late" not in text
    assert "Article 12(6) of the GDPR" in text
    assert "Please send us" not in text


@pytest.mark.parametrize("regime", Regime)
@pytest.mark.parametrize("status", ["executed", "open", "not-located", "denied", "no-match", "revoked"])
@pytest.mark.parametrize("answered", [None, DAY, datetime(2026, 2, 12, tzinfo=UTC), datetime(2026, 7, 1, tzinfo=UTC)])
@pytest.mark.parametrize("pauses", [(), (asked(),), (asked(until=DAY + timedelta(days=9)),), (asked(Awaited.DETAILS),)])
def test_a_reply_is_late_where_the_page_says_so(
    regime: Regime, status: str, answered: datetime | None, pauses: tuple[ClockPause, ...]
) -> None:
    """The page counts every answer that the log lacks as not given where the log has another's: a reply always does."""
    evidence, changes = sample(), {"regime": regime, "answered_at": answered, "clock_pauses": pauses}
    own = row(evidence, **changes) if status == "executed" else undone(evidence, status, **changes)
    other = replace(evidence.requests[1], answered_at=DAY, subject="p-2")
    closing = evidence.audit.started_at.date()
    own = dated(own, deadline_days=None, closing=closing, informs=True)
    both = with_rows(evidence, own, other)
    chain = request_status.chain(both, own)
    shown = chain.erased if status in PENDING else chain.informed
    made = reply(both, HERE)
    assert made.owed is shown
    text = said(made)
    assert (" late" in text) == (shown is ByDue.MISSED)
    assert ("is not decided" in text) == (shown is ByDue.IN_DOUBT)


def test_a_request_that_was_carried_out_is_late_if_nobody_answered_it() -> None:
    text = said(REPLIES["nothing declared"]())
    assert "An answer was due by 9 February 2026." in text
    assert "Our records show no answer by that day. If you have had none, we are late, and should have told you sooner." in text
    assert "In that case, we were 290 days late when the audit ended, on 26 November 2026." in text
    assert not re.search(r"We (are|were) late", text), "the person may have had an answer that nobody recorded"
    assert "[on which day you answered, if you did · answered_at]. [if it is late: why · late_reason]." in text
    declared = reply_of(sample(), **{**DECLARED, "answered_at": DAY})
    assert " late" not in said(declared)


def test_an_open_request_that_is_not_due_says_until_when() -> None:
    ended = sample().audit.finished_at
    recent = undone(sample(), "open", answered_at=None, received_on=ended.date() - timedelta(days=3))
    made = reply(with_rows(sample(), recent), HERE)
    assert "The law gives us until" in said(made)
    assert " late" not in said(made)


# In part, not found, withdrawn, made from the model


def test_a_partial_erasure_says_so_in_its_headline_and_first_paragraph() -> None:
    made = REPLIES["executed"]()
    headline = next(each.text for each in page.paragraphs(made) if each.kind == "title")
    assert headline.endswith("what we erased, and what we keep")
    assert "we have erased your data." not in said(made)
    whole = reply_of(sample(), **{**DECLARED, "kept": ()})
    assert "According to our records, we have erased your data. An audit searched for it" in said(whole)
    assert "what we erased, and what we keep" not in said(whole)
    many = tuple(KeptData(f"Thing {place}", "a duty") for place in range(3))
    assert "except for what we keep and list below." in said(reply_of(sample(), **{**DECLARED, "kept": many}))
    again = said(reply_of(found_again(sample()), **DECLARED))
    assert "we erased your data, except for what we keep and list below. But an audit found data again" in again
    assert ": what we erased, and what we keep" not in again
    assert "What we erased, and when" not in again
    assert "What our records say of the erasure" in again


def test_what_was_not_found_was_looked_for_where_the_log_says() -> None:
    declared = said(reply_undone("no-match", reason="Looked in CRM, billing and mail archive"))
    assert "According to our records, we looked for data about you, and found none." in declared
    assert "Our records say of the search: “Looked in CRM, billing and mail archive”." in declared
    assert "names that we have" not in declared
    for reason in (None, "n/a"):
        asked_for = page.blanks(page.paragraphs(reply_undone("no-match", reason=reason)))
        assert "reason" in {each.key for each in asked_for}
    withdrawn = said(reply_undone("revoked", reason="Wrote on 14 September that she changed her mind"))
    assert "Our records say of this: “Wrote on 14 September that she changed her mind”." in withdrawn


@pytest.mark.parametrize(
    ("days", "words", "is_blank"),
    [
        ({}, "[when it will be made again or retired · lineage.remade_at].", True),
        ({"remade_at": date(2027, 2, 1)}, "We plan to make it again on 1 February 2027.", False),
        ({"retired_at": date(2027, 3, 1)}, "We plan to retire it on 1 March 2027.", False),
        ({"remade_at": date(2026, 11, 10)}, "made again on 10 November 2026", False),
        ({"retired_at": date(2026, 11, 10)}, "We have neither used nor kept it since 10 November 2026.", False),
    ],
)
def test_a_plan_for_what_was_made_from_the_model_fills_its_blank(days: dict[str, date], words: str, *, is_blank: bool) -> None:
    made = StatedDescendant(
        name="demo customers",
        kind="synthetic-data",
        made_at=date(2025, 8, 15),
        declared_by="Sam Example",
        descent=Descent.EARLIER,
        **days,
    )
    about = reply_of(sample().model_copy(update={"lineage": (made,)}), **DECLARED)
    assert words in said(about)
    assert any(run.key == "lineage.remade_at" for run in page.blanks(page.paragraphs(about))) is is_blank


def test_every_state_of_what_was_made_from_the_model_has_its_words() -> None:
    known = set(sources(ENGLISH))
    assert {f"reply-made-{each.value}" for each in Descent} <= known


def test_why_an_answer_was_late_is_the_logs_word_or_a_blank() -> None:
    why, blank = "the data lay at two processors", "[why it is late · late_reason]."
    late = {**DECLARED, "answered_at": datetime(2026, 4, 1, tzinfo=UTC)}
    assert f"Our reason: {why}." in said(reply_of(sample(), **late, late_reason=f"{why}."))
    for nothing in (None, "n/a"):
        assert blank in blanks(reply_of(sample(), **late, late_reason=nothing))
    for made in (reply_of(sample(), **DECLARED), reply_of(sample(), **DECLARED, late_reason=why)):
        assert blank not in blanks(made)
        assert why not in said(made)
    waits = reply_undone("open", answered_at=None)
    assert blank in blanks(waits)


def test_who_was_not_notified_leaves_something_to_do() -> None:
    blank = "[when you will notify those who have not been notified yet; or why that is not possible · undertaking]."
    untold = {**DECLARED, "recipients_notified": (Recipient("A Ltd"), Recipient("B Ltd", notified=False))}
    assert blank in blanks(reply_of(sample(), **untold))
    assert blank not in blanks(reply_of(sample(), **untold, undertaking=Undertaking("notify B Ltd", date(2027, 1, 31))))
    assert blank not in blanks(reply_of(sample(), **DECLARED))


def test_where_all_recipients_were_notified_those_that_are_declared_are_named() -> None:
    for notified in (Recipient(), Recipient(notified_at=DAY), Recipient(notified=False)):
        made = reply_of(sample(), **{**DECLARED, "recipients_notified": (notified,)})
        assert "“a partner had samples”" in said(made)


def test_a_reply_says_where_the_model_was_updated_after_the_answer() -> None:
    after = DAY + timedelta(days=5)
    assert "updated on 22 January 2026, according to our records. That was after we answered you." in said(
        reply_of(sample(), **{**DECLARED, "model_erased_at": after})
    )


def test_no_version_is_in_use_since_a_day_before_its_update() -> None:
    made = reply_of(sample(), **{**DECLARED, "model_erased_at": datetime(2026, 6, 16, 9, tzinfo=UTC)})
    assert "has been in use since" not in said(made)
    assert "[since when this version is in use: the day that is declared lies before its update · case.in_use_since]." in blanks(
        made
    )


def test_what_was_made_has_the_day_and_the_plan_that_are_declared() -> None:
    made_at, ahead = date(2025, 5, 1), date(2027, 1, 15)
    for retired in (True, False):
        thing = StatedDescendant(
            name="club scores",
            kind="distilled",
            declared_by="Sam Example",
            made_at=made_at,
            descent=Descent.PLANNED,
            **{"retired_at" if retired else "remade_at": ahead},
        )
        made = reply_of(sample().model_copy(update={"lineage": (thing,)}), **DECLARED)
        plan = "retire it" if retired else "make it again"
        assert (
            "club scores: last made from the model on 1 May 2025. According to our dates, it may still depend on the data. "
            f"We plan to {plan}" in said(made)
        )
        assert "or at a time that we do not know" not in said(made)
        (place,) = (each for each in letter_page.page(made.letter).places if each.startswith("club scores"))
        assert f"Last made on 1 May 2025. To be {'retired' if retired else 'made again'} on 15 January 2027." in place


# Blanks


def every_case() -> Iterator[Reply]:
    """The ten, and those whose blanks none of them has."""
    yield from (make() for make in REPLIES.values())
    bare = sample()
    bare = bare.model_copy(
        update={
            "outside": (*(replace_until(each) for each in bare.outside if each.name != "recipients"),),
            "case": bare.case.model_copy(update={"controller": None, "contact": None, "authority": None}),
            "lineage": (StatedDescendant(name="a", kind="other", declared_by="Sam Example", descent=Descent.UNDATED),),
        }
    )
    yield reply_of(sample(), recipients_notified=(Recipient("B Ltd", notified=False),))
    two = OutsidePlace(name="recipients", what="B Ltd and C Ltd get names", declared_by="Sam Example")
    yield reply_of(sample().model_copy(update={"outside": (two,)}), recipients_notified=(Recipient("B Ltd", notified=True),))
    yield reply_of(sample(), model_erased_at=datetime(2026, 7, 2, 12, tzinfo=UTC))
    yield reply_of(bare, answered_at=None, data_erased_at=None, kept=(KeptData("a", "b"),), recipients_notified=(Recipient(),))
    yield reply_of(bare.model_copy(update={"outside": ()}), undertaking=Undertaking("x"), identity_checked_at=DAY)
    yield reply_of(found_again(bare), kept=(), undertaking=Undertaking("x", date(2026, 2, 2)), recipients_notified=())
    yield reply_of(sample(), data_erased_at=datetime(2026, 7, 2, 12, tzinfo=UTC), recipients_notified=())
    soon = OutsidePlace(name="backups", what="overwritten after 60 days", until=DAY.date(), declared_by="Sam Example")
    yield reply_of(sample().model_copy(update={"outside": (soon,)}), data_erased_at=DAY)
    yield from (reply_of(sample(), kept=(), storage_state=each) for each in (StorageState.LOGICAL, StorageState.UNKNOWN))
    yield reply_of(sample(), regime=Regime.CCPA, kept=(KeptData("a", "b"),))
    yield reply_of(sample(), kept=(KeptData("a", "b"),), answered_at=DAY, identity_checked_at=DAY + timedelta(days=1))
    proof = asked(until=DAY + timedelta(days=2))
    yield reply_of(sample(), clock_pauses=(proof,), identity_checked_at=DAY)
    yield reply(open_since(Regime.CCPA, asked()), HERE)
    late = (Receipt(processor="B Ltd", what="erased", requests="all", at=DAY.date(), file="b.txt", sha256="0" * 64),)
    told = (Recipient("b ltd.", notified_at=DAY + timedelta(days=3)),)
    yield reply_of(sample().model_copy(update={"receipts": late}), recipients_notified=told)
    yield reply_undone("open", received_on=date(2026, 11, 20), undertaking=Undertaking("x", date(2027, 3, 1)), answered_at=None)
    places = sample("places-only")
    yield from (
        reply_of(sample(), kept=(KeptData("a", "b"),), storage_state=each)
        for each in (StorageState.LOGICAL, StorageState.UNKNOWN)
    )
    before = DAY - timedelta(days=60)
    yield reply_of(sample(), recipients_notified=(Recipient("B Ltd", notified_at=before),))
    yield reply_undone("denied", regime=Regime.CCPA, reason="identity not verified", exception="11 CCR 7022(a)")
    denied = (Attested(name=NO_MODEL, by="Sam Example", at=DAY.date()),)
    policy = places.policy.model_copy(update={"attested": denied})
    yield reply_of(places.model_copy(update={"policy": policy}), request_id=HERE, model_erased_at=DAY)
    yield from (reply_undone(status) for status in ("denied", "no-match", "not-located", "revoked", "unheard-of"))


def replace_until(place: OutsidePlace) -> OutsidePlace:
    return place.model_copy(update={"until": None})


def keys_of_the_reference() -> set[str]:
    """Columns of the log as they are called, and keys of audit.toml as TABLE.KEY."""
    found, table = set(), ""
    for line in (Path(__file__).parents[2] / "docs" / "reference.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            heading = re.search(r"`\[+(\w+)\]+`", line)
            table = f"{heading[1]}." if heading else ""
        elif cell := re.match(r"\| `([\w.]+)` \|", line):
            found.add(f"{table}{cell[1]}")
    return found


def test_every_blank_names_what_fills_it_or_is_filled_by_hand() -> None:
    """Walks all blanks of all cases: a key stands in the reference, and in the blank itself."""
    known, met = keys_of_the_reference(), set()
    for made in every_case():
        for run in page.blanks(page.paragraphs(made)):
            met.add(run.text)
            if run.key is None:
                assert run.text.startswith("[by hand: ")
            else:
                assert run.key in known
                assert f" · {run.key}]" in run.text
    # Up to its first variable, each message is met: none is left that no case has.
    begins = {name: re.split(r"\s*=\s*", source, maxsplit=1)[1].split(" {")[0].strip() for name, source in blank_messages()}
    assert [name for name, begin in begins.items() if not any(begin in each for each in met)] == []


def blank_messages() -> list[tuple[str, str]]:
    return [(name, source) for name, source in sources(ENGLISH).items() if name.startswith("reply-blank-")]


# Nothing of anybody else


def test_what_other_people_ask_for_changes_no_byte_of_a_reply() -> None:
    evidence = sample()
    own = row(evidence, **DECLARED)
    others = tuple(replace(each, subject=f"p-{place}") for place, each in enumerate(evidence.requests[1:], start=2))
    busy = (
        *others[1:],
        replace(
            others[0],
            request_id="REQ-of-another",
            records=9,
            received_on=date(2026, 2, 2),
            erasure_ground=ErasureGround.UNLAWFUL,
            kept=(KeptData("a secret", "theirs"),),
            signatory="Somebody Else",
            identity_check="their passport",
            undertaking=Undertaking("theirs alone", date(2026, 9, 9)),
            recipients_notified=(Recipient("Their Partner"),),
            overdue=True,
        ),
    )
    made = [written(reply(with_rows(evidence, own, *some), HERE)) for some in ((), others, busy)]
    assert made[0] == made[1] == made[2]
    for word in ("REQ-of-another", "Somebody Else", "Their Partner", "passport", "theirs alone"):
        assert word.encode() not in made[2]


def test_a_ticket_of_two_people_has_a_reply_for_each() -> None:
    evidence = sample()
    two = (row(evidence, **{**DECLARED, "subject": "p-1"}), row(evidence, subject="p-2", signatory="Other Name"))
    first, second = (said(reply(with_rows(evidence, *two), HERE, subject)) for subject in ("p-1", "p-2"))
    assert "Kim Example, data protection officer" in first
    assert "Other Name" in second
    assert "Other Name" not in first


# The file


def parts_of(content: bytes) -> Iterator[tuple[str, ET.Element]]:
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        assert file.testzip() is None
        for name in file.namelist():
            yield name, ET.fromstring(file.read(name))


@pytest.mark.parametrize("name", REPLIES)
def test_a_word_document_keeps_the_rules_of_its_format(name: str) -> None:
    """ECMA-376: what is related is there and typed; styles and lists that are used are defined; elements stand in their order."""
    made = REPLIES[name]()
    content = written(made)
    parts = dict(parts_of(content))
    assert next(iter(parts)) == "[Content_Types].xml"
    typed = {each.get("PartName") for each in parts["[Content_Types].xml"]}
    assert {f"/{each}" for each in parts if not each.startswith("[") and not each.endswith(".rels")} <= typed
    for relations, base in (("_rels/.rels", ""), ("word/_rels/document.xml.rels", "word/")):
        for each in parts[relations]:
            assert each.get("TargetMode") is None, "nothing outside the file is named"
            assert base + (each.get("Target") or "") in parts
    body = parts["word/document.xml"][0]
    styles = {each.get(f"{WORD}styleId") for each in parts["word/styles.xml"].iter(f"{WORD}style")}
    assert {each.get(f"{WORD}val") for each in body.iter(f"{WORD}pStyle")} <= styles
    numbers = {each.get(f"{WORD}numId") for each in parts["word/numbering.xml"].iter(f"{WORD}num")}
    assert {each.get(f"{WORD}val") for each in parts["word/styles.xml"].iter(f"{WORD}numId")} <= numbers
    assert [each.tag for each in body][-1] == f"{WORD}sectPr"
    order = ["pStyle", "keepNext", "numPr", "shd", "spacing", "ind", "outlineLvl"]
    for properties in parts["word/styles.xml"].iter(f"{WORD}pPr"):
        places = [order.index(each.tag.removeprefix(WORD)) for each in properties]
        assert places == sorted(places)
    shown = ["".join(each.itertext()) for each in body.iter(f"{WORD}p")]
    assert shown == [each.text for each in page.paragraphs(made)]
    marked = ["".join(each.itertext()) for each in body.iter(f"{WORD}r") if each.find(f".//{WORD}highlight") is not None]
    assert marked == blanks(made)
    assert b"documentProtection" not in content
    assert content == written(made), "equal replies are equal bytes"


def test_texts_of_others_stay_texts() -> None:
    """A name that closes a tag, begins a field or holds what XML cannot hold stays the text that it is, or is cleaned."""
    hostile = '</w:t></w:r><w:r><w:instrText>INCLUDETEXT "http://x"</w:instrText></w:r>&#0;\x00\x1b\ufffe\u202e]]>'
    rows = {"recipients_notified": (Recipient(hostile),), "signatory": hostile, "kept": (KeptData(hostile, hostile),)}
    content = written(reply_of(sample(), **{**DECLARED, **rows}))
    parts = dict(parts_of(content))
    assert not list(parts["word/document.xml"].iter(f"{WORD}instrText"))
    shown = "".join(parts["word/document.xml"].itertext())
    assert "INCLUDETEXT" in shown
    assert not re.search("[\x00\x1b\ufffe\u202e]", shown)


def test_the_calendar_of_the_receipt_dates_the_identity_check() -> None:
    made = reply_of(sample(), **{**DECLARED, "identity_checked_at": datetime(2026, 1, 8, 23, tzinfo=UTC)})
    assert made.identity_checked_on == date(2026, 1, 8)
    assert undone(sample(), "open").signatory is None


def test_a_reply_on_places_alone_asks_for_no_day_of_a_model() -> None:
    for name, asked in (("places-only", False), ("digits-newton", True)):
        made = reply_of(sample(name), **{**DECLARED, "request_id": HERE, "model_erased_at": None})
        assert made.letter.case.places_alone is not asked
        assert ("model_erased_at" in {run.key for run in page.blanks(page.paragraphs(made))}) is asked
    places = sample("places-only")
    unsaid = places.model_copy(update={"policy": places.policy.model_copy(update={"attested": ()})})
    for evidence, updated in ((places, False), (unsaid, True)):
        assert ("The model: updated on" in said(reply_of(evidence, **{**DECLARED, "request_id": HERE}))) is updated


def test_a_reply_says_whom_the_case_names_next_to_those_of_the_log() -> None:
    declared = "Our records say of those who receive data from us: “a partner had samples”."
    for name, there in (("Meter Ltd", True), ("A Partner", False)):
        given = {**DECLARED, "recipients_notified": (Recipient(name, notified_at=DAY),)}
        assert (declared in said(reply_of(sample(), **given))) is there
