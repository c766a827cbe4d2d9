"""When a request has to be answered, by the law that it falls under: the one table of regimes, and the date rules.

The deadline is for informing the person (GDPR Article 12(3) and (4)), so the day on which they were informed decides where the
log has it. Dates are calendar dates, in the zone of the log or the offset of the receipt; a period in months ends on the day of
the same number, cut to the end of a shorter month, and none is moved by a holiday, although Regulation (EEC, Euratom) 1182/71
would allow that. Wherever two readings are possible, the one that is stricter with the controller is taken.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from typing import Any, Final

from auditor.base.domain import ClockPause, Regime, RequestOutcome


@dataclass(frozen=True, slots=True)
class Span:
    """A period in calendar months and days."""

    months: int = 0
    days: int = 0

    def __add__(self, other: Span) -> Span:
        """Add up months and days; they are counted from one day together."""
        return Span(self.months + other.months, self.days + other.days)

    def after(self, day: date) -> date:
        """The last day of the period that begins with `day`; the last day of the calendar where it ends later."""
        years, month = divmod(day.month - 1 + self.months, 12)
        year = day.year + years
        if year > date.max.year:
            return date.max
        last = calendar.monthrange(year, month + 1)[1]
        return _later(date(year, month + 1, min(day.day, last)), self.days)


@dataclass(frozen=True, slots=True)
class Rule:
    """The date rules of one regime."""

    first: Span
    """From receipt to the deadline."""
    further: Span
    """What an extension adds at most, where the person was notified, with a reason, within the first period."""
    pauses: bool
    """Whether the clock stands still while the controller waits for what it needs from the person."""


RULES: Final[Mapping[Regime, Rule]] = {
    Regime.EU: Rule(Span(months=1), Span(months=2), pauses=False),
    Regime.UK: Rule(Span(months=1), Span(months=2), pauses=True),
    Regime.CCPA: Rule(Span(days=45), Span(days=45), pauses=False),
}
"""Regulation (EU) 2016/679 Article 12(3); the UK GDPR, the same article; Cal. Civ. Code 1798.130(a)(2)."""

PENDING: Final = frozenset({"open", "not-located"})
"""Statuses of requests that ask for something still."""
UNDONE: Final = frozenset({"denied", "revoked", "no-match"})
"""Statuses of requests that ask for no deletion any more."""


class Timing(StrEnum):
    """Where a request stands against its deadline."""

    INFORMED = "informed"
    """The person was informed in time."""
    NOT_RECORDED = "informing-not-recorded"
    """What was done was done in time; that the person was informed is not in the log."""
    NOT_DUE = "not-due-yet"
    PAUSED = "paused"
    """Not answered, while the clock stands still."""
    WITHDRAWN = "withdrawn"
    ANSWERED_LATE = "answered-late"
    ERASED_LATE = "erased-late"
    """Late, and that the person was informed is not in the log."""
    NOT_INFORMED = "not-informed"
    """The deadline has passed and this row has no answer, in a log that records answers."""
    OPEN_LATE = "open-late"


LATE: Final = frozenset({Timing.ANSWERED_LATE, Timing.ERASED_LATE, Timing.NOT_INFORMED, Timing.OPEN_LATE})


class ByDue(StrEnum):
    """Whether one thing was done by the deadline of a request: its data erased, or its person informed."""

    MET = "met"
    MISSED = "missed"
    NOT_KNOWN = "not-known"
    NOT_DUE = "not-due-yet"
    PAUSED = "paused"
    NOTHING = "nothing-due"
    """The request asks for nothing of the kind: it was turned down, matched no record, or was withdrawn."""


@dataclass(frozen=True, slots=True)
class Due:
    """A deadline, and what moved it."""

    first: date
    """The last day of the first period."""
    on: date
    """The last day in time."""
    extended: bool
    paused_days: int
    paused: bool
    """Whether the clock stands still, with no end and no answer in the log."""


def due(request: RequestOutcome, deadline_days: int | None) -> Due:
    """Work out the deadline of a request from what the log says of it.

    An extension counts where the person was notified, with a reason, within the first period; the new date is that of the
    notice, and the law's at most. Pauses count under a regime that knows them, where they have a reason and begin while the
    period runs. A date that the log sets brings the deadline forward and never moves it back; alongside an extension only
    one after the first period does, the other was the date before it.

    Args:
        request: Times in the calendar that counts.
        deadline_days: Calendar days of the policy instead of the first period; None for the law's.
    """
    rule = RULES[request.regime]
    period = rule.first if deadline_days is None else Span(days=deadline_days)
    pauses = request.clock_pauses if rule.pauses else ()
    answered = None if request.answered_at is None else request.answered_at.date()
    first, paused_days, paused = _stretched(period.after(request.received_on), pauses, request.received_on, answered)
    on, logged = first, request.due_in_log
    if extended := _notified(request, first):
        on, paused_days, paused = _stretched(
            (period + rule.further).after(request.received_on), pauses, request.received_on, answered
        )
        until = request.extension.until if request.extension else None
        on = on if until is None else max(first, min(until, on))
    if logged is not None and (not extended or logged > first):
        on = min(on, logged)
    return Due(first, on, extended, paused_days, paused)


def declared_days(settings: Mapping[str, Any]) -> int | None:
    """The policy's days among the settings of a document that may come from anybody; None where they are not."""
    days = settings.get("deadline_days")
    return days if isinstance(days, int) and not isinstance(days, bool) and days >= 0 else None


def _notified(request: RequestOutcome, first: date) -> bool:
    """Whether the person was told of an extension, with a reason, inside the first period."""
    extension = request.extension
    if extension is None or extension.notified_at is None or not extension.reason:
        return False
    return request.received_on <= extension.notified_at.date() <= first


def _stretched(day: date, pauses: Iterable[ClockPause], received: date, answered: date | None) -> tuple[date, int, bool]:
    """A deadline with the days in which the clock stood still, how many they are, and whether it stands still for good."""
    counted, over = 0, received
    for pause in sorted(pauses, key=lambda each: each.paused_at):
        begun = max(pause.paused_at.date(), over)
        if not pause.reason or pause.paused_at.date() < received or begun > _later(day, counted):
            continue
        ended = answered if pause.resumed_at is None else pause.resumed_at.date()
        if ended is None:
            return _later(day, counted), counted, True
        counted += max(0, (ended - begun).days)
        over = max(over, ended)
    return _later(day, counted), counted, False


def _later(day: date, days: int) -> date:
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return date.max


def erased_on(request: RequestOutcome) -> date | None:
    """The day on which the data were erased, as logged; None for a request that was not carried out."""
    if request.deleted_at is None:
        return None
    return (request.data_erased_at or request.deleted_at).date()


def dated(request: RequestOutcome, *, deadline_days: int | None, closing: date, informs: bool) -> RequestOutcome:
    """A request with everything that follows from its own dates: due date, days, paused days, and whether it is overdue.

    Whether one that waits is overdue depends on the day of the run as well. The clock of the run may have been ahead of what it
    states, so an `overdue` that is declared stays, unless the request's own dates rule it out.

    Args:
        request: As logged.
        deadline_days: Calendar days of the policy instead of the law's first period.
        closing: The day of the audit.
        informs: Whether the log would hold its answer (`records_answer`): then one without `answered_at` was not answered.
    """
    deadline = due(request, deadline_days)
    days = None if request.deleted_at is None else (request.deleted_at.date() - request.received_on).days
    found = replace(request, due_on=deadline.on, days=days, paused_days=deadline.paused_days)
    passed = closing > deadline.on or request.overdue
    match timing(replace(found, overdue=passed)):
        case Timing.OPEN_LATE:
            overdue = not deadline.paused
        case Timing.NOT_INFORMED:
            overdue = informs
        case late:
            overdue = late in LATE
    return replace(found, overdue=overdue)


def timing(request: RequestOutcome) -> Timing:
    """Say where a request stands; of one without a date that decides, `overdue` says whether it is late."""
    erased = erased_on(request)
    if request.answered_at is not None and request.answered_at.date() > request.due_on:
        return Timing.ANSWERED_LATE
    if request.status in PENDING or (erased is None and request.status not in UNDONE):
        return _waiting(request)
    if request.answered_at is not None:
        return Timing.INFORMED
    if request.status == "revoked":
        return Timing.WITHDRAWN
    if erased is not None and erased > request.due_on:
        return Timing.ERASED_LATE
    return Timing.NOT_INFORMED if request.overdue else Timing.NOT_RECORDED


def _waiting(request: RequestOutcome) -> Timing:
    if request.overdue:
        return Timing.OPEN_LATE
    return Timing.PAUSED if due(request, None).paused else Timing.NOT_DUE


_OF_WAITING: Final = {Timing.OPEN_LATE: ByDue.MISSED, Timing.PAUSED: ByDue.PAUSED, Timing.NOT_DUE: ByDue.NOT_DUE}


def erased_by_due(request: RequestOutcome) -> ByDue:
    """Say whether the data of a request were erased by its deadline, by the log's dates."""
    if request.status in UNDONE:
        return ByDue.NOTHING
    erased = erased_on(request)
    if request.status in PENDING or erased is None:
        return _OF_WAITING[_waiting(request)]
    return ByDue.MET if erased <= request.due_on else ByDue.MISSED


def informed_by_due(request: RequestOutcome) -> ByDue:
    """Say whether the person was informed by the deadline.

    Not known without `answered_at`; missed where the log has the answers of others.
    """
    if request.answered_at is not None:
        return ByDue.MET if request.answered_at.date() <= request.due_on else ByDue.MISSED
    match timing(request):
        case Timing.WITHDRAWN:
            return ByDue.NOTHING
        case Timing.NOT_INFORMED:
            return ByDue.MISSED
        case Timing.NOT_DUE | Timing.PAUSED as waiting:
            return _OF_WAITING[waiting]
        case _:
            return ByDue.NOT_KNOWN


def without_reason(request: RequestOutcome) -> bool:
    """Say whether a request was denied, and the log lacks the reason or the exception that the refusal rests on."""
    return request.status == "denied" and (says_nothing(request.reason) or says_nothing(request.exception))


def says_nothing(reason: str | None) -> bool:
    """Say whether a text gives no reason: it is missing, or says that there is none, as "n/a" does."""
    words = re.findall(r"[^\W_]+", (reason or "").casefold())
    # n/a is one word.
    return "".join(words) in _PLACEHOLDERS or set(words) <= _PLACEHOLDERS


_PLACEHOLDERS: Final = frozenset(
    re.findall(
        r"\w+",
        "x xx xxx na none no null nil nan tbd tba todo unknown other reason exception yes true false 0 1 keine kein unbekannt "
        "sonstiges entfällt ka grund ja aucun aucune néant autre ninguno otro nessuno nessuna altro geen "
        "not applicable given specified unspecified stated provided available angabe angaben sonstige sonst anderer andere нет",
    )
)
"""What is written where a field must not be empty."""


def answers_recorded(requests: Iterable[RequestOutcome]) -> frozenset[bool]:
    """Say whose answers a log records: of requests that were carried out (True), and of others (False)."""
    return frozenset(each.deleted_at is not None for each in requests if each.answered_at is not None)


def records_answer(request: RequestOutcome, recorded: frozenset[bool]) -> bool:
    """Say whether a log would hold the answer to a request.

    For one that was carried out it would where it holds that of another one; the answer is the one date that a request has
    that was turned down, so that of such a one says nothing of those that were carried out.
    """
    return True in recorded or (request.deleted_at is None and False in recorded)
