"""Sentences of `log.consistency` and `log.deadlines`."""

from __future__ import annotations

from collections.abc import Mapping
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


SENTENCES: Final[Sentences] = {
    "log.consistency.checked": "{requests} requests were checked against the training data and against one another.",
    "log.consistency.open": _open,
    "log.consistency.explained": _explained,
    "log.deadlines.calendar-month": "Deadline: one calendar month from receipt, on calendar dates in the offset of receipt, "
    "clamped to the month's end, not extended over holidays.",
    "log.deadlines.days": "Deadline: {days} calendar days from receipt, as the policy says.",
    "log.deadlines.later": "{requests} request(s) took, or may take, longer than the month that the law gives, within the policy's days. Whether "
    "a longer period was due cannot be seen in the log.",
    "log.deadlines.turned-down": "{requests} of {of} requests were denied or revoked; that they could be is the controller's word.",
    "fact.log-consistent.checked": _consistent,
    "fact.log-consistent.open": "log.consistency: {rows} row(s) with an id that may be a training record's",
    "fact.log-consistent.explained": "log.consistency: no problem; {rows} row(s) with a look-alike id, by near_match another person's",
}
