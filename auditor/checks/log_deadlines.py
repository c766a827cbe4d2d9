"""`log.deadlines`: whether every request was carried out in time."""

from __future__ import annotations

from typing import Final

from auditor.checks.card import Card
from auditor.checks.context import Context
from auditor.checks.definition import Definition
from auditor.checks.finding import Earlier, Finding, Nothing, Values
from auditor.decisions import decide_at_most
from auditor.deletions import a_month_after
from auditor.domain import Reason, RequestOutcome, Status

TURNED_DOWN: Final = frozenset({"denied", "revoked"})
"""Statuses of requests that nobody carried out, by the controller's own word."""
MOST_TURNED_DOWN: Final = 0.1
"""Share of the requests that may be turned down unasked."""
LEAST_TURNED_DOWN: Final = 3
"""Fewer are never many."""

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
    later_than_a_month: tuple[str, ...]
    """Ids of further requests that took, or may take, longer than the month that the law gives, within the policy's days."""
    turned_down: tuple[str, ...]
    """Ids of requests that were denied or revoked."""


def judge(context: Context, _observed: Nothing, _earlier: Earlier) -> Finding:
    """Count the overdue requests; none may be left, none late but for the policy, and no more than a few turned down.

    The law gives a month, whatever a policy says (GDPR Article 12(3)); whether a longer period was due is not in the log. What
    is turned down is never late: where that is much of the log, nobody has seen why.
    """
    overdue = tuple(request.request_id for request in context.requests if request.overdue)
    days = context.policy.deadline_days
    late = () if days is None else tuple(each.request_id for each in context.requests if _later(each))
    turned_down = tuple(each.request_id for each in context.requests if each.status in TURNED_DOWN)
    in_bulk = len(turned_down) >= LEAST_TURNED_DOWN and len(turned_down) > MOST_TURNED_DOWN * len(context.requests)
    status = decide_at_most(len(overdue), 0)
    if status is Status.PASS and (late or in_bulk):
        status = Status.INCONCLUSIVE
    return Finding(
        status=status,
        value=float(len(overdue)),
        threshold=0.0,
        reasons=(
            Reason("log.deadlines.calendar-month") if days is None else Reason("log.deadlines.days", {"days": days}),
            *([Reason("log.deadlines.later", {"requests": len(late)})] if late else []),
            *([Reason("log.deadlines.turned-down", _share(turned_down, context))] if in_bulk else []),
        ),
        derived=Derived(overdue=overdue, later_than_a_month=late, turned_down=turned_down),
    )


def _later(request: RequestOutcome) -> bool:
    """Whether a request that is not overdue took, or may take, longer than a month."""
    if request.overdue or request.status not in {"executed", "open"}:
        return False
    month = (a_month_after(request.received_on) - request.received_on).days
    taken = (request.due_on - request.received_on).days if request.days is None else request.days
    return taken > month


def _share(turned_down: tuple[str, ...], context: Context) -> dict[str, int]:
    return {"requests": len(turned_down), "of": len(context.requests)}


CHECK = Definition(CARD, Nothing, judge, wanted=lambda _context: True)
