"""Figures on the deletion log."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from heapq import nsmallest
from typing import Final

from auditor.base.deletion_log.deadlines import LATE, timing
from auditor.base.deletion_log.requests import RequestOutcome
from auditor.pages import wording
from auditor.pages.figures.axes import Frame, Linear, Ticked, legend, linear_ticks
from auditor.pages.figures.chart import WIDTH, Chart, Kind
from auditor.pages.words.texts import either, text

# The figure of the requests of the log against their deadlines: received, data erased, model updated, informed, due.
LONGEST_ID: Final = 28
"""Characters of a request's id next to its row; the table has all of it."""
_LEFT, _RIGHT, _TOP = 160.0, WIDTH - 84.0, 19.0
_STEP, _CLOSE = 19.0, 14.5
"""Between rows: of few requests, and of many."""
_FEW: Final = 8
_LONGEST_CALENDAR: Final = 300
"""Days up to which requests are drawn on a calendar; over a longer time each begins at 0."""
_EVENTS: Final[Mapping[str, tuple[Kind, str]]] = {
    "data": ("square", "ink"),
    "model": ("triangle", "pass"),
    "informed": ("disc", "accent"),
    "extended": ("diamond", "open"),
}


@dataclass(frozen=True, slots=True)
class _Row:
    """One request on the calendar that its deadline is counted in."""

    request: RequestOutcome
    events: Mapping[str, date]
    """Of `_EVENTS`, those that the log dates."""
    end: date
    """Up to which it is drawn: informed, or else carried out; the day of the audit while the person still waits."""
    until: date | None
    """The end of a notified extension."""
    in_doubt: bool
    """Whether it is overdue unless a doubt about who the person is stopped the clock."""

    @property
    def is_open(self) -> bool:
        """Whether the person still waits for something."""
        return self.request.status == "open" and "data" not in self.events


def timeline(requests: Sequence[RequestOutcome], closing: date, at_most: int = 26, doubtful: Sequence[bool] = ()) -> Chart | None:
    """Draw requests against their deadlines; None for an empty log.

    Args:
        requests: Outcomes of requests (`RequestOutcome`), in the order of the log.
        closing: The calendar date up to which open requests are drawn, that of the audit.
        at_most: How many requests are drawn; of more, those closest to or furthest past their deadline are taken.
        doubtful: Of each request whether only a doubt about who the person is makes it overdue or not; left out, of none.
    """
    if not requests:
        return None
    doubts = doubtful or [False] * len(requests)

    def row(at: int) -> _Row:
        return _row(requests[at], closing, in_doubt=doubts[at])

    def closeness(at: int) -> tuple[bool, int, int]:
        return not requests[at].overdue, (requests[at].due_on - row(at).end).days, at

    # One row at a time: of 100,000 at once there would be tens of megabytes.
    drawn = [row(at) for at in sorted(nsmallest(at_most, range(len(requests)), key=closeness))]
    step = _STEP if len(drawn) <= _FEW else _CLOSE
    bottom = _TOP + step * len(drawn) + 2
    late = sum(each.overdue and not doubt for each, doubt in zip(requests, doubts, strict=True))
    chart = Chart(
        bottom + 44, text("figure-timeline-title", count=len(requests), late=late), caption=text("figure-timeline-caption")
    )
    days = _calendar(drawn)
    aligned = days.scale.high - days.scale.low > _LONGEST_CALENDAR
    if aligned:
        chart.height += 14
        days = _since_receipt(drawn)
    frame = Frame(_LEFT, _RIGHT, _TOP, bottom, Ticked(days.scale, days.ticks), Linear(0, 1))
    frame.draw_across(chart, text("figure-timeline-since") if aligned else "", grid=True)
    chart.note(_RIGHT + 8, _TOP - 11, text("figure-timeline-outcome"), bold=True, name="heading")
    for index, each in enumerate(drawn):
        _draw(chart, frame, each, _TOP + step * (index + 0.5), begin=each.request.received_on.toordinal() if aligned else 0)
    _legend(chart, drawn, chart.height - 8)
    chart.details = " ".join(map(_told, drawn))
    if len(drawn) < len(requests):
        passed = sum(each.overdue for each in requests)
        more = passed if passed > len(drawn) else 0
        chart.remarks.append(text("figure-timeline-left-out", drawn=len(drawn), count=len(requests), late=more))
    return chart


def _row(request: RequestOutcome, closing: date, *, in_doubt: bool) -> _Row:
    # The calendar of the receipt, as for the deadline: in its own offset the deletion may fall on the next day.
    carried = request.received_on + timedelta(days=request.days or 0) if request.deleted_at is not None else None
    dated = {
        "data": _day(request.data_erased_at) or carried,
        "model": _day(request.model_erased_at),
        "informed": _day(request.answered_at),
        "extended": _day(request.extension.notified_at) if request.extension else None,
    }
    events = {name: at for name, at in dated.items() if at is not None}
    end = events.get("informed") or events.get("data")
    waiting = request.status == "open" if end is None else "informed" not in events and request.overdue and end <= request.due_on
    if waiting:
        end = max(closing, request.received_on)
    return _Row(request, events, end or request.received_on, request.extension.until if request.extension else None, in_doubt)


def _day(moment: datetime | None) -> date | None:
    return None if moment is None else moment.date()


@dataclass(frozen=True, slots=True)
class _Days:
    """An axis of days."""

    scale: Linear
    ticks: tuple[tuple[float, str], ...]


def _dates(row: _Row) -> list[date]:
    """Every day of a row that is drawn."""
    return [day for day in (row.request.due_on, row.end, row.until, *row.events.values()) if day is not None]


def _calendar(rows: Sequence[_Row]) -> _Days:
    """Choose an axis over all that is drawn, with a tick a week or several."""
    first = min(row.request.received_on for row in rows).toordinal()
    last = max(first + 1, *(day.toordinal() for row in rows for day in _dates(row)))
    step = max(7, math.ceil((last - first) / 5 / 7) * 7)
    ticks = tuple((float(each), wording.short_day(date.fromordinal(each))) for each in range(first, last + 1, step))
    return _Days(Linear(first, last), ticks)


def _since_receipt(rows: Sequence[_Row]) -> _Days:
    """Choose an axis of days since the receipt of each request."""
    last = max(1, *((day - row.request.received_on).days for row in rows for day in _dates(row)))
    return _Days(Linear(0, last), tuple((value, wording.number(value)) for value in linear_ticks(0, last, 8)))


def _draw(chart: Chart, frame: Frame, row: _Row, y: float, *, begin: int) -> None:
    """Draw one request; `begin` is the day, as an ordinal, that the axis counts from."""

    def x(day: date) -> float:
        return frame.x(day.toordinal() - begin)

    request = row.request
    start, end, due = (x(day) for day in (request.received_on, row.end, request.due_on))
    end = max(end, start + 1.5)
    chart.note(_LEFT - 8, y, wording.ends_of(request.request_id, LONGEST_ID), "end", colour="ink", name="request")
    if row.is_open:
        chart.band((start, y - 3, end, y + 3), "#ffffff", edge="accent", dash="2 2", name="open")
    else:
        chart.band((start, y - 3, end, y + 3), "bar", name="bar")
    tone = "open" if row.in_doubt else "fail" if request.overdue else "muted"
    if request.overdue and end > due:
        chart.band((max(due, start), y - 3, end, y + 3), "#ffffff", edge=tone, hatching=tone, name="late")
    notified = row.events.get("extended")
    if row.until is not None and notified is not None:
        chart.line(((x(notified), y), (x(row.until), y)), "open", dash="3 2", name="extension")
    chart.line(((due, y - 6), (due, y + 6)), "ink", width=1.8, name="due")
    for name, day in row.events.items():
        kind, fill = _EVENTS[name]
        chart.mark(kind, x(day), y, fill, size=3.0, name=name)
    chart.note(_RIGHT + 8, y, _outcome(row), colour=tone, bold=request.overdue, name="outcome")


def _outcome(row: _Row) -> str:
    """Say in a word or two what became of a request."""
    if row.in_doubt:
        return text("figure-timeline-in-doubt")
    if row.request.overdue:
        stands = timing(row.request)
        return text(f"figure-timeline-{stands.value}" if stands in LATE else "figure-timeline-late")
    if row.is_open:
        return text("figure-timeline-open")
    if row.request.status == "executed":
        return text("figure-timeline-days", count=(row.end - row.request.received_on).days)
    return either(f"figure-timeline-{row.request.status}", wording.short(row.request.status, 14))


def _told(row: _Row) -> str:
    events = ", ".join(f"{text(f'figure-timeline-{name}')} {wording.short_day(day)}" for name, day in row.events.items())
    return text(
        "figure-timeline-row",
        request=wording.ends_of(row.request.request_id, LONGEST_ID),
        received=wording.short_day(row.request.received_on),
        events=f", {events}" if events else "",
        due=wording.short_day(row.request.due_on),
        outcome=_outcome(row),
    )


def _legend(chart: Chart, rows: Sequence[_Row], y: float) -> None:
    """Name what is drawn, and nothing that is not."""
    entries: list[tuple[Callable[[float], None], str]] = []

    def key(kind: Kind, fill: str) -> Callable[[float], None]:
        return lambda x: chart.mark(kind, x, y, fill, size=3.0)

    for name, (kind, fill) in _EVENTS.items():
        if any(name in row.events for row in rows):
            entries.append((key(kind, fill), text(f"figure-timeline-{name}")))
    entries.append((lambda x: chart.line(((x, y - 6), (x, y + 6)), "ink", width=1.8), text("figure-timeline-due")))
    if any(row.request.overdue for row in rows):
        late = text("figure-timeline-late")
        entries.append((lambda x: chart.band((x - 7, y - 3, x + 7, y + 3), "#ffffff", edge="fail", hatching="fail"), late))
    if any(row.is_open for row in rows):
        still = text("figure-timeline-open")
        entries.append((lambda x: chart.band((x - 7, y - 3, x + 7, y + 3), "#ffffff", edge="accent", dash="2 2"), still))
    legend(chart, y, entries)


FIGURES: Final = {"timeline": timeline}
