"""The figure of the requests of the log against their deadlines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from auditor.domain import RequestOutcome
from auditor.report import wording
from auditor.report.figures.scales import WIDTH, Tick


@dataclass(frozen=True, slots=True)
class TimelineRow:
    """One request as a bar from its receipt to its deletion."""

    y: float
    label: str
    start: float
    end: float
    due: float
    overdue: bool
    is_open: bool
    outcome: str


@dataclass(frozen=True, slots=True)
class TimelineFigure:
    """The requests of the log against their deadlines."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    x_ticks: tuple[Tick, ...]
    rows: tuple[TimelineRow, ...]
    notes: tuple[str, ...]
    description: str


def timeline(requests: Sequence[RequestOutcome], closing: date, at_most: int = 26) -> TimelineFigure | None:
    """The requests against their deadlines; None for an empty log.

    Args:
        requests: Outcomes of requests (`RequestOutcome`), in the order of the log.
        closing: The calendar date up to which open requests are drawn, that of the audit.
        at_most: How many requests are drawn; of more, those closest to or furthest past their deadline are taken.
    """
    if not requests:
        return None

    def ended(request: RequestOutcome) -> date:
        if request.deleted_at is not None:
            # The calendar of the receipt, as for the deadline: in its own offset the deletion may fall on the day beside.
            return request.received_on + timedelta(days=request.days or 0)
        return max(closing, request.received_on) if request.status == "open" else request.received_on

    chosen = list(requests)
    notes = []
    if len(chosen) > at_most:
        closest = sorted(range(len(chosen)), key=lambda i: ((chosen[i].due_on - ended(chosen[i])).days, i))[:at_most]
        chosen = [chosen[i] for i in sorted(closest)]
        notes.append(f"Drawn are the {at_most} of {len(requests)} requests that came closest to their deadline or went past it.")
    first = min(request.received_on for request in chosen).toordinal()
    last = max(max(request.due_on, ended(request)) for request in chosen).toordinal()
    span = max(1, last - first)
    left, right, top = 128.0, WIDTH - 66.0, 12.0
    step = 13.0 if len(chosen) > 6 else 18.0

    def x(when: date) -> float:
        return left + (right - left) * (when.toordinal() - first) / span

    rows = tuple(
        TimelineRow(
            y=top + step * (index + 0.5),
            label=wording.short(request.request_id, 20),
            start=x(request.received_on),
            end=max(x(ended(request)), x(request.received_on) + 1.5),
            due=x(request.due_on),
            overdue=request.overdue,
            is_open=request.deleted_at is None and request.status == "open",
            outcome=_outcome(request),
        )
        for index, request in enumerate(chosen)
    )
    late = sum(request.overdue for request in requests)
    return TimelineFigure(
        width=WIDTH,
        height=top + step * len(rows) + 36,
        left=left,
        right=right,
        top=top,
        bottom=top + step * len(rows) + 4,
        x_ticks=_date_ticks(first, last, left, right),
        rows=rows,
        notes=tuple(notes),
        description=f"{wording.plural(len(requests), 'request')} against their deadlines; {late} overdue.",
    )


def _outcome(request: RequestOutcome) -> str:
    if request.overdue:
        return "overdue"
    return wording.short(request.status, 12) if request.days is None else wording.plural(request.days, "day")


def _date_ticks(first: int, last: int, left: float, right: float) -> tuple[Tick, ...]:
    step = max(7, math.ceil((last - first) / 6 / 7) * 7)
    ticks = []
    for ordinal in range(first, last + 1, step):
        at = left + (right - left) * (ordinal - first) / max(1, last - first)
        ticks.append(Tick(at, wording.short_day(date.fromordinal(ordinal))))
    return tuple(ticks)
