"""Where one request is against its deadline: its letter and its reply ask here, so that both say the same of the same days."""

from __future__ import annotations

from datetime import date
from typing import Final

from auditor.base.deletion_log.deadlines import PENDING, ByDue
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
    return request.status == "open" and request.erased_on is not None and not is_contradicted(request)


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


def answered_before(letter: Extract) -> bool:
    """Whether the person was answered before the audit ended: nothing that the audit found was in that answer."""
    answered = letter.request.answered_on
    return answered is not None and answered < letter.audit.finished_at.date()
