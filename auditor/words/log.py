"""Sentences of `log.consistency` and `log.deadlines`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences


def _consistent(given: Mapping[str, Any]) -> str:
    return f"log.consistency: {given['problems']} problem(s)" if given["problems"] else "log.consistency: no problem"


SENTENCES: Final[Sentences] = {
    "log.consistency.checked": "{requests} requests were checked against the training data and against one another.",
    "log.deadlines.calendar-month": "Deadline: one calendar month from receipt, on calendar dates in the offset of receipt, "
    "clamped to the month's end, not extended over holidays.",
    "log.deadlines.days": "Deadline: {days} calendar days from receipt, as the policy says.",
    "fact.log-consistent.checked": _consistent,
    "fact.log-complete.attested": "the controller's deletion log",
}
