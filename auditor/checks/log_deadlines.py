"""`log.deadlines`: whether every request was carried out in time."""

from __future__ import annotations

from auditor.checks.card import Card
from auditor.checks.context import Context
from auditor.checks.definition import Definition
from auditor.checks.finding import Earlier, Finding, Nothing, Values
from auditor.decisions import decide_at_most
from auditor.domain import Reason

CARD = Card(
    id="log.deadlines",
    place=20,
    title="Deadlines of the erasure requests",
    question="Was every request carried out in time?",
    unit="overdue requests",
    failure="At least one erasure request was carried out after its deadline, or is open past it.",
    remedy="Carry out or answer the overdue requests, and record why they were late.",
)


class Derived(Values):
    """What the dates of the log give."""

    overdue: tuple[str, ...]
    """Ids of the overdue requests."""


def judge(context: Context, _observed: Nothing, _earlier: Earlier) -> Finding:
    """Count the overdue requests; none may be left."""
    overdue = tuple(request.request_id for request in context.requests if request.overdue)
    days = context.policy.deadline_days
    return Finding(
        status=decide_at_most(len(overdue), 0),
        value=float(len(overdue)),
        threshold=0.0,
        reasons=(Reason("log.deadlines.calendar-month") if days is None else Reason("log.deadlines.days", {"days": days}),),
        derived=Derived(overdue=overdue),
    )


CHECK = Definition(CARD, Nothing, judge, wanted=lambda _context: True)
