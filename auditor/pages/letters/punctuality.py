"""Where one request is against its deadline: its letter and its reply ask here, so that both say the same of the same days."""

from __future__ import annotations

from datetime import date
from typing import Final

from auditor.base.deletion_log.deadlines import PENDING, ByDue, denies_erasure, erased_while_open
from auditor.base.deletion_log.deletions import EXECUTED_WITHOUT_TIME, STATUS_CONTRADICTED
from auditor.pages.letters.parts import Extract, RequestPart

_DENYING: Final = frozenset({"open", "denied", "revoked", "no-match"})
_AGAINST_STATUS: Final = frozenset({STATUS_CONTRADICTED, EXECUTED_WITHOUT_TIME})


def by_due(request: RequestPart, done: date) -> ByDue:
    """Say whether a day is one by which something was in time."""
    if done <= request.due_on:
        return ByDue.MET
    return ByDue.IN_DOUBT if request.latest is not None and done <= request.latest else ByDue.MISSED


def is_contradicted(request: RequestPart) -> bool:
    """Whether the log's status denies an erasure that its dates or its own words have: nobody says which of the two holds.

    What is late of it, if anything, is the answer.
    """
    return request.status in _DENYING and not _AGAINST_STATUS.isdisjoint(request.findings)


def is_erased_while_open(request: RequestPart) -> bool:
    """Whether the log has the stored data erased, and the request still open: then it is done in part, and its clock runs."""
    days = {"data": request.erased_on, "model": request.model_erased_on}
    return erased_while_open(request.status, **days) and not (denies_erasure(request.status, **days) or is_contradicted(request))


def is_erased(request: RequestPart) -> bool:
    """Whether the log has the stored data erased, whatever is left to do: who received them and what is kept is said then."""
    return request.status == "executed" or is_erased_while_open(request)


def owed(letter: Extract) -> ByDue:
    """Say where what the person is owed stands: what they asked for while it is open, else an answer.

    Without a day of an answer none was given yet: a reply is the first one, and late once the deadline has passed. A letter goes
    with it, and says the same of those who have had none.
    """
    request, ended = letter.request, letter.audit.finished_at.date()
    if request.status in PENDING and not is_contradicted(request):
        if request.late:
            return ByDue.IN_DOUBT if request.in_doubt else ByDue.MISSED
        return ByDue.PAUSED if request.waiting else ByDue.NOT_DUE
    if request.answered_on is not None:
        return by_due(request, request.answered_on)
    if request.status == "revoked":
        return ByDue.NOTHING
    if request.waiting:
        return ByDue.PAUSED
    return by_due(request, ended) if ended > request.due_on or request.late else ByDue.NOT_DUE


def is_missed(request: RequestPart, done: date | None) -> bool:
    """Whether something was done after the deadline for certain."""
    return done is not None and by_due(request, done) is ByDue.MISSED


def is_in_doubt(request: RequestPart, done: date | None) -> bool:
    """Whether something was done after the deadline, unless a doubt about the person gave more time."""
    return done is not None and by_due(request, done) is ByDue.IN_DOUBT


def last_by_law(request: RequestPart) -> date:
    """Give the last day on which what is asked for is done in time, as the log stands: a wait that may count does."""
    own = request.due_on if request.law_on is None else request.law_on
    return own if request.latest is None else max(own, request.latest)


def is_beyond(letter: Extract, by: date | None) -> bool:
    """Whether a day by which the controller promises what is asked for lies after the last that the law gives.

    Of what is late for certain that is said already, and while the clock stands still its end is not known.
    """
    request = letter.request
    waits = request.status in PENDING and owed(letter) is ByDue.NOT_DUE
    return by is not None and waits and by > last_by_law(request)


def is_after_answer(request: RequestPart, done: date | None) -> bool:
    """Whether something was done after the answer that said so."""
    answered = request.answered_on
    return request.status == "executed" and done is not None and answered is not None and done > answered


def is_doubtful(request: RequestPart) -> bool:
    """Whether something was in time only if a doubt about the person gave more of it."""
    days = (request.erased_on, request.model_erased_on, request.answered_on)
    return request.in_doubt or any(is_in_doubt(request, each) for each in days)


def is_unanswered(letter: Extract) -> bool:
    """Whether the log has no answer, and the last day for one has passed for certain."""
    return letter.request.answered_on is None and owed(letter) is ByDue.MISSED


def may_be_unanswered(letter: Extract) -> bool:
    """Whether nothing but the lack of an answer in the log may make one late: the person may have had it all the same."""
    request = letter.request
    contradicted = request.status in PENDING and is_contradicted(request)
    return is_unanswered(letter) and (contradicted or request.in_doubt or not request.late)


def answered_before(letter: Extract) -> bool:
    """Whether the person was answered before the audit ended: nothing that the audit found was in that answer."""
    answered = letter.request.answered_on
    return answered is not None and answered < letter.audit.finished_at.date()
