"""Sentences of `log.consistency` and `log.deadlines`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from auditor.words.kinds import Sentences


def _consistent(given: Mapping[str, Any]) -> str:
    return f"log.consistency: {given['problems']} problem(s)" if given["problems"] else "log.consistency: no problem"


def _rows(given: Mapping[str, Any]) -> str:
    named, count = given["rows"], given["all"]
    more = f" and {count - len(named)} more" if count > len(named) else ""
    return f"{'Row' if count == 1 else 'Rows'} {', '.join(str(row) for row in named)}{more}"


def _open(given: Mapping[str, Any]) -> str:
    return (
        f"{_rows(given)} of the log: an id may be that of a training record under another spelling, so it is open whose data was meant. "
        "Correct the id, or say in near_match why it is another person's."
    )


def _explained(given: Mapping[str, Any]) -> str:
    return f"{_rows(given)} of the log: an id looks like that of a training record, and near_match gives the controller's reason why it is another person's."


def _requests(what: str, given: Mapping[str, Any]) -> str:
    count = given["requests"]
    return f"{count} {'request was' if count == 1 else 'requests were'} {what}"


SENTENCES: Final[Sentences] = {
    "log.consistency.checked": "{requests} requests were checked against the training data and against one another.",
    "log.consistency.open": _open,
    "log.consistency.explained": _explained,
    "log.consistency.unread": "The log has columns that this version knows and does not check: {columns}.",
    "log.deadlines.calendar-month": "EU deadline: one calendar month from receipt, on calendar dates, clamped to the month's end, not extended over "
    "holidays; two months more where the person was notified, with a reason, within the first.",
    "log.deadlines.uk": "UK deadline: one calendar month from receipt, on calendar dates, clamped to the month's end, not extended over "
    "holidays; two months more where the person was notified, with a reason, within the first; pauses with a reason stop the clock.",
    "log.deadlines.ccpa": "CCPA deadline: 45 days from receipt; 45 more where the person was notified, with a reason, within the first 45.",
    "log.deadlines.days": "Deadline: {days} calendar days from receipt, as the policy says.",
    "log.deadlines.answered-late": partial(_requests, "answered after the deadline."),
    "log.deadlines.not-informed": partial(
        _requests, "past the deadline without an answer in the log, which records answers for other requests."
    ),
    "log.deadlines.without-reason": partial(
        _requests, "denied without a reason or without the exception that the refusal rests on."
    ),
    "log.deadlines.extended": partial(_requests, "given longer by an extension of which the person was notified in time."),
    "log.deadlines.not-extended": partial(
        _requests,
        "not given longer by the extension in the log: it has no reason, or the person was not notified within the first period.",
    ),
    "log.deadlines.paused": partial(
        _requests, "given longer by pauses in which the controller waited for the person, by its own word."
    ),
    "log.deadlines.erased-after-due": partial(
        _requests,
        "answered in time, and the log records the erasure only after the deadline; what the answer said is not in the log.",
    ),
    "log.deadlines.later": "{requests} request(s) took, or may take, longer than the law gives, within the policy's days.",
    "log.deadlines.not-recorded": "For {requests} of {of} requests the log records no delay, and does not say when the person was informed.",
    "log.deadlines.turned-down": "{requests} of {of} requests were denied or revoked; that they could be is the controller's word.",
    "fact.log-consistent.checked": _consistent,
    "fact.log-consistent.open": "log.consistency: {rows} row(s) with an id that may be a training record's",
    "fact.log-consistent.explained": "log.consistency: no problem; {rows} row(s) with a look-alike id, by near_match another person's",
}
