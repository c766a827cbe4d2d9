"""Two answers on time, for every page that gives one: whether data were erased, and people informed, by the deadline.

Both are the log's word at best: whether its dates are true is not examined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from auditor.base.deletion_log.deadlines import ByDue, Timing
from auditor.base.domain import RequestOutcome, Status
from auditor.pages.words.rendered_evidence import Told
from auditor.pages.words.texts import text
from auditor.verdict.checks.card import Role
from auditor.verdict.request_status import Chain, chains, found_again

_RUNNING = (ByDue.NOT_DUE, ByDue.PAUSED)


@dataclass(frozen=True, slots=True)
class InTime:
    """One of the two answers."""

    name: Literal["erased-by", "informed-by"]
    answer: Literal["no", "trust", "unknown"]
    said: str


def in_time(told: Told) -> tuple[InTime, ...]:
    """Answer both questions; none where the log has no request."""
    if not told.requests:
        return ()
    found = chains(told.evidence)
    settled = any(Role.CHECKS_DEADLINES in each.card.roles and each.status is Status.PASS for each in told.checks)
    again = found_again(told.evidence)
    erased, informed = Counter(each.erased for each in found), Counter(each.informed for each in found)
    later = sum(map(model_later, told.requests))
    overdue = sum(each.timing is Timing.NOT_INFORMED for each in found)
    return (
        _with(_answered("erased-by", erased, settled=settled, again=again), "main-time-model-later", later),
        _with(_answered("informed-by", informed, settled=settled), "main-time-unrecorded", overdue),
    )


def unrecorded(found: Iterable[Chain]) -> tuple[int, int]:
    """Count the requests of which the log does not say when the person was informed, and those that had to be answered."""
    counts = Counter(each.informed for each in found)
    return counts[ByDue.NOT_KNOWN], counts.total() - counts[ByDue.NOTHING]


def model_later(request: RequestOutcome) -> bool:
    """Whether the model was updated only after the deadline, by the log."""
    return request.model_erased_at is not None and request.model_erased_at.date() > request.due_on


def _with(found: InTime, message: str, count: int) -> InTime:
    """Add what holds of further requests, where there are any."""
    return replace(found, said=text(message, said=found.said, count=count)) if count else found


def _answered(name: Literal["erased-by", "informed-by"], counts: Counter[ByDue], *, settled: bool, again: int = 0) -> InTime:
    asked = counts.total() - counts[ByDue.NOTHING]
    if missed := counts[ByDue.MISSED]:
        return InTime(name, "no", text(f"main-time-{name}-missed", count=missed))
    if again:
        return InTime(name, "no", text("main-time-again", count=again))
    if unknown := counts[ByDue.NOT_KNOWN]:
        return InTime(
            name, "unknown", text("main-time-not-known", count=unknown, of=asked, all="yes" if unknown == asked else "no")
        )
    if not settled:
        return InTime(name, "unknown", text("main-time-open"))
    running = sum(counts[each] for each in _RUNNING)
    if not counts[ByDue.MET]:
        return InTime(name, "trust", text("main-time-none-due", running=running))
    return InTime(name, "trust", text("main-time-met", count=counts[ByDue.MET], running=running))
