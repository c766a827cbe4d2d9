"""Say when a request came in, by when it was to be answered, what moved that day, and what was late."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from auditor.base.deletion_log.deadlines import PENDING, ByDue, rule, says_nothing
from auditor.pages import wording
from auditor.pages.letters import (
    punctuality,
    waits,
)
from auditor.pages.letters.known import Known
from auditor.pages.letters.own_words import theirs
from auditor.pages.words.texts import text


def dates(known: Known) -> Iterator[str]:
    """Receipt, deadline, extension and answer."""
    request = known.request
    yield text("letter-received", on=wording.day(request.received_on))
    if request.also_asked is not None:
        yield text("letter-also-asked", said=theirs(request.also_asked.rstrip(" .")))
    yield from confirmation(known)
    yield from extension(known)
    if request.waiting:
        yield waits.waiting(known)
    elif _is_due_as_first_said(known) and request.status != "revoked":
        over = request.answered_on is not None or request.late or request.due_on < known.letter.audit.finished_at.date()
        yield text("letter-due" if over else "letter-is-due", on=wording.day(request.due_on))
        yield from due_notes(known)
    yield from waits.paused(known)
    if request.answered_on is not None:
        yield text("letter-answered", on=wording.day(request.answered_on))
    contradicted = request.status in PENDING and punctuality.is_contradicted(request)
    if not contradicted:
        yield from _owned(known)
    if punctuality.may_be_unanswered(known.letter):
        yield text("letter-answer-unsaid")
        yield text("letter-answer-perhaps")
    if request.late_reason is not None:
        name = "letter-delay-reason" if punctuality.owed(known.letter) is ByDue.IN_DOUBT else "letter-late-reason"
        yield text(name, reason=theirs(request.late_reason.rstrip(" .")))
    yield from wrong(known)


def confirmation(known: Known) -> Iterator[str]:
    """That the receipt was confirmed late, where the law has a day for that."""
    request = known.request
    confirmed, by = request.confirmed_on, request.confirm_by
    if confirmed is not None and by is not None:
        after = "-after" if request.answered_on is not None and confirmed > request.answered_on else ""
        yield text(f"letter-confirmed-late{after}", on=wording.day(confirmed), by=wording.day(by))


def extension(known: Known) -> Iterator[str]:
    """The notice of more time: the new date, or why it moves none."""
    extension = known.request.extension
    if extension is None:
        return
    if extension.notified_at is None or not known.request.extended:
        yield _void(known)
        return
    given = {"told": wording.day(extension.notified_at), "due": wording.day(known.request.due_on)}
    given["reason"] = theirs((extension.reason or "").rstrip(" ."))
    if known.request.waiting:
        # The time to answer has not begun: `waits.waiting` says when it does.
        ahead = {} if extension.until is None else {"until": wording.day(extension.until)}
        yield text(f"letter-extended-waiting{'' if ahead else '-undated'}", **given, **ahead)
    elif extension.until is None:
        yield text("letter-extended-undated", **given)
    elif extension.until != known.request.due_on:
        yield text("letter-extended-other", until=wording.day(extension.until), why=_other(known, extension.until), **given)
    else:
        yield text("letter-extended", **given)


def _other(known: Known, until: date) -> str:
    """Why the date that counts is not the one that the person was told."""
    request = known.request
    if until < request.due_on:
        return "earlier"
    law = rule(request.regime, request.received_on)
    longest = (law.first + law.further).after(request.begins_on or request.received_on)
    return "longer" if request.due_on >= longest else "own"


def _void(known: Known) -> str:
    """Why a notice of more time moves no date."""
    extension = known.request.extension
    if extension is None or extension.notified_at is None:
        return text("letter-extension-untold")
    told, latest = wording.day(extension.notified_at), known.request.latest
    if not says_nothing(extension.reason) and latest is not None and extension.notified_at.date() <= latest:
        return text("letter-extension-void-perhaps", told=told, awaits=waits.of_doubt(known))
    return text("letter-extension-no-reason" if says_nothing(extension.reason) else "letter-extension-void", told=told)


def due_notes(known: Known) -> Iterator[str]:
    """Why the day by which an answer is due is another one than a count from the receipt gives."""
    if known.request.law_on is not None:
        passed = "yes" if known.has_passed(known.request.law_on) else "no"
        yield text("letter-due-own", on=wording.day(known.request.law_on), passed=passed)
    elif known.request.moved_from is not None:
        passed = "yes" if known.has_passed(known.request.moved_from) else "no"
        yield text("letter-due-moved", on=wording.day(known.request.moved_from), passed=passed)


def _is_due_as_first_said(known: Known) -> bool:
    extension = known.request.extension
    return extension is None or not known.request.extended or extension.notified_at is None


def _owned(known: Known) -> Iterator[str]:
    """What the controller owes an apology for: an answer that was late, or is unless a doubt gave more time."""
    request = known.request
    if request.in_doubt:
        yield from _doubt(known)
    elif request.late and request.answered_on is not None and request.answered_on > request.due_on:
        yield text("letter-late-answer")
    elif request.late:
        # An answer that came later than it was due has had its words above.
        undone = request.status in PENDING and request.answered_on is not None
        yield text("letter-late-undone" if undone else "letter-late")
        if request.status == "open":
            yield text("letter-late-by", days=(known.letter.audit.finished_at.date() - request.due_on).days)


def _doubt(known: Known) -> Iterator[str]:
    """What a wait may have moved, and until when."""
    request = known.request
    awaits = waits.of_doubt(known)
    answered = request.status not in PENDING and request.answered_on is not None and request.answered_on > request.due_on
    yield text("letter-late-in-doubt", awaits=awaits, answered="yes" if answered else "no")
    # A wait without an end gives no last day.
    if request.latest is not None and request.latest != date.max:
        yield text("letter-late-in-doubt-until", latest=wording.day(request.latest))


def wrong(known: Known) -> Iterator[str]:
    """What an earlier answer cannot have said rightly, by the log's own days or by what the audit found."""
    request = known.request
    if request.status != "executed" or not punctuality.answered_before(known.letter):
        return
    if request.search == "found" or known.is_marked or punctuality.is_after_answer(request, request.erased_on):
        yield text("letter-wrong-data")
    elif known.is_other or known.is_refuted or punctuality.is_after_answer(request, request.model_erased_on):
        yield text("letter-wrong-model")


def lateness(known: Known, done: date | None) -> Iterator[str]:
    """Whether a day is after the due date, or after the answer that said it was done."""
    since = punctuality.is_after_answer(known.request, done)
    if punctuality.is_missed(known.request, done):
        yield text("letter-after-both" if since else "letter-after-due")
    elif since:
        yield text("letter-after-answer")
    if punctuality.is_in_doubt(known.request, done):
        yield text("letter-after-in-doubt", awaits=waits.of_doubt(known))


def earlier_answer(known: Known) -> Iterator[str]:
    """Say when the person was answered, whether that was late, and what of it an audit contradicts."""
    request = known.request
    if (request.late or request.in_doubt or request.paused_days) and _is_due_as_first_said(known):
        yield text("letter-due", on=wording.day(request.due_on))
        yield from due_notes(known)
    if request.answered_on is not None:
        yield text("reply-answered", on=wording.day(request.answered_on))
    yield from _owned(known)
    yield from wrong(known)
