"""When a request has to be answered, by the law that it falls under: the one table of regimes, and the date rules.

The deadline is for informing the person (GDPR Article 12(3) and (4)), so the day on which they were informed decides where the
log has it. Dates are calendar dates, in the zone of the log or the offset of the receipt; a period in months ends on the day of
the same number, cut to the end of a shorter month (Regulation (EEC, Euratom) 1182/71 Article 3(2)(c)). Wherever two readings are
possible, the one that is stricter with the controller is taken; where a wait for the person may have given more time, and only
people can say whether it did, `Due.latest` says until when. docs/deadlines.md gives the source of every rule.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from typing import Any, Final

from auditor.base.deletion_log.requests import Awaited, ClockPause, Regime, Request, RequestOutcome
from auditor.base.deletion_log.working_days import after_working, is_in_california, next_working


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


_Kinds = frozenset[Awaited | None]
_NOTHING: Final[_Kinds] = frozenset()


@dataclass(frozen=True, slots=True)
class Rule:
    """The date rules of one regime."""

    first: Span
    """From receipt to the deadline."""
    further: Span
    """What an extension adds at most, where the person was notified, with a reason, within the first period."""
    stops: _Kinds = _NOTHING
    """Pauses that give more time, by what the controller waits for; None where the log does not say."""
    may_stop: _Kinds = _NOTHING
    """Pauses that do so on a condition that no date shows."""
    afresh: bool = False
    """Whether the period begins when such a pause ends, and does not only last as much longer."""
    working: bool = False
    """Whether a period that ends on no working day ends with the next one."""


_MONTH: Final = Span(months=1)
_TWO_MONTHS: Final = Span(months=2)
_FORTY_FIVE: Final = Span(days=45)
_OF_PERSON: Final[_Kinds] = frozenset({Awaited.IDENTITY, Awaited.FEE})
UK_SINCE_2026: Final = date(2026, 2, 5)
"""Requests received from this day on fall under Article 12A of the UK GDPR (SI 2026/82, regulations 2(h) and 4)."""
CONFIRM_WITHIN: Final = 10
"""Business days in which a business confirms that it received a request: 11 CCR 7021(a)."""

_RULES: Final[Mapping[Regime, Rule]] = {
    Regime.EU: Rule(_MONTH, _TWO_MONTHS, may_stop=frozenset({Awaited.IDENTITY}), working=True),
    Regime.UK: Rule(_MONTH, _TWO_MONTHS, stops=_OF_PERSON, afresh=True, working=True),
    Regime.CCPA: Rule(_FORTY_FIVE, _FORTY_FIVE),
}
_UK_BEFORE: Final = Rule(_MONTH, _TWO_MONTHS, may_stop=_OF_PERSON | {None}, afresh=True, working=True)
"""Article 12 had the words of the EU's then, a month from the request; by the ICO's guidance it began with proof or fee.
A row that does not say what was awaited may mean either."""


def rule(regime: Regime, received: date) -> Rule:
    """Give the date rules of a regime for a request received on a day."""
    return _UK_BEFORE if regime is Regime.UK and received < UK_SINCE_2026 else _RULES[regime]


PENDING: Final = frozenset({"open", "not-located"})
"""Statuses of requests that ask for something still."""
_OPEN: Final = frozenset({"open", "in_progress"})
"""Words of a log, and of what became of a request, for one that is still to be carried out."""
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
    IN_DOUBT = "in-doubt"
    """Late, unless a doubt about who the person is stopped the clock: no date shows whether it did."""
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
    """Days of the waits that gave more time for certain."""
    paused: bool
    """Whether such a wait lasts, with no end and no answer in the log."""
    latest: date
    """The last day in time if every pause counts that may: no earlier than `on`, and the calendar's last where it has no end."""
    begins: date | None = None
    """The day from which the period counts, where that is when a wait ended and not the receipt."""
    moved_from: date | None = None
    """The end of the period where that is no working day, so that `on` is the next one."""


def due(request: RequestOutcome, deadline_days: int | None, holidays: Collection[date] = ()) -> Due:
    """Work out the deadline of a request from what the log says of it.

    An extension counts where the person was notified, with a reason, within the first period; the new date is that of the
    notice, and the law's at most. Pauses count where the regime knows what they wait for, they have a reason and begin while the
    period runs. A date that the log sets brings the deadline forward and never moves it back; alongside an extension only one
    after the first period does, the other was the date before it. Only an end that the law sets moves to a working day: neither
    a date of the log or of a notice does, nor the days of a policy.

    Args:
        request: Times in the calendar that counts.
        deadline_days: Calendar days of the policy instead of the first period; None for the law's.
        holidays: Public holidays that the case declares.
    """
    law = rule(request.regime, request.received_on)
    strict = _due(request, deadline_days, law, law.stops, holidays)
    if any(each.awaits in law.stops | law.may_stop and not _counted(each, request, law) for each in request.clock_pauses):
        lenient = _due(request, deadline_days, law, law.stops | law.may_stop, holidays, never=True)
        return replace(strict, latest=date.max if lenient.paused else max(strict.on, lenient.on))
    return strict


@dataclass(frozen=True, slots=True)
class _End:
    """Where a period ends, and what the waits made of it."""

    day: date
    waited: int
    """Days of the waits that counted."""
    begins: date
    lasts: bool = False
    """Whether one of the waits has no end."""


def _counted(pause: ClockPause, request: RequestOutcome, law: Rule) -> bool:
    """Whether a pause counts without a doubt: of one that an answer ended the log does not say that what was awaited came."""
    return pause.awaits in law.stops and not (law.afresh and pause.resumed_at is None and request.answered_at is not None)


def _due(
    request: RequestOutcome,
    deadline_days: int | None,
    law: Rule,
    kinds: _Kinds,
    holidays: Collection[date],
    *,
    never: bool = False,
) -> Due:
    pauses = tuple(each for each in request.clock_pauses if each.awaits in kinds and (never or _counted(each, request, law)))
    moves = law.working and deadline_days is None

    def end(of: Span) -> tuple[date, _End]:
        found = (_afresh if law.afresh else _stretched)(of, pauses, request)
        return next_working(found.day, holidays) if moves else found.day, found

    first, found = end(law.first if deadline_days is None else Span(days=deadline_days))
    on, logged = first, request.due_in_log
    if extended := _notified(request, first):
        on, found = end((law.first if deadline_days is None else Span(days=deadline_days)) + law.further)
        until = request.extension.until if request.extension else None
        on = on if until is None else max(first, min(until, on))
    if logged is not None and (not extended or logged > first):
        on = min(on, logged)
    moved = moves and on > found.day and on == next_working(found.day, holidays)
    return Due(
        first,
        on,
        extended,
        found.waited,
        found.lasts,
        latest=on,
        begins=None if found.begins == request.received_on else found.begins,
        moved_from=found.day if moved else None,
    )


def by_law_alone(request: RequestOutcome, holidays: Collection[date] = ()) -> date:
    """Work out the deadline of a request without the days that the controller set itself."""
    extension = None if request.extension is None else replace(request.extension, until=None)
    return due(replace(request, due_in_log=None, extension=extension), None, holidays).on


def last_day(request: RequestOutcome, deadline_days: int | None, holidays: Collection[date] = ()) -> date:
    """Give the last day on which a request is answered in time for certain or perhaps: a wait that may count does.

    A day that the controller set itself is not one of the law's; one that the person was told with an extension is.
    """
    deadline = due(request, deadline_days, holidays)
    return max(deadline.on if deadline.extended else by_law_alone(request, holidays), deadline.latest)


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


def _stretched(period: Span, pauses: Iterable[ClockPause], request: RequestOutcome) -> _End:
    """A deadline with the days of the waits added, an answer ending one that lasts."""
    received = request.received_on
    day, waited, over = period.after(received), 0, received
    for pause in sorted(pauses, key=lambda each: each.paused_at):
        begun = max(pause.paused_at.date(), over)
        if not _counts(pause, request) or begun > _later(day, waited):
            continue
        ended = request.answered_at if pause.resumed_at is None else pause.resumed_at
        if ended is None:
            return _End(_later(day, waited), waited, received, lasts=True)
        waited += max(0, (ended.date() - begun).days)
        over = max(over, ended.date())
    return _End(_later(day, waited), waited, received)


def _afresh(period: Span, pauses: Iterable[ClockPause], request: RequestOutcome) -> _End:
    """A deadline of the period that begins when the last wait has ended: an answer brings nothing that was awaited."""
    begins, waited = request.received_on, 0
    for pause in sorted(pauses, key=lambda each: each.paused_at):
        if not _counts(pause, request) or pause.paused_at.date() > period.after(begins):
            continue
        if pause.resumed_at is None:
            return _End(period.after(begins), waited, begins, lasts=True)
        ended = pause.resumed_at.date()
        waited += max(0, (ended - max(pause.paused_at.date(), begins)).days)
        begins = max(begins, ended)
    return _End(period.after(begins), waited, begins)


def _counts(pause: ClockPause, request: RequestOutcome) -> bool:
    return bool(pause.reason) and pause.paused_at.date() >= request.received_on


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


def erased_while_open(status: str, *, data: date | None, model: date | None) -> bool:
    """Whether the log dates an erasure of a request that it calls open: no search asks of it if that is so.

    Report, letter and reply ask here. Whether the status denies what is dated is another question: see `denies_erasure`.
    """
    return status == "open" and (data or model) is not None


def denies_erasure(status: str, *, data: date | None, model: date | None) -> bool:
    """Whether a status that is not executed contradicts the days of an erasure next to it.

    Of a request that is open the stored data may be erased before all is done, and a model only after them: its days contradict
    the status where they have an update of the model alone.
    """
    if status in _OPEN:
        return data is None and model is not None
    return (data or model) is not None


def dated(
    request: RequestOutcome, *, deadline_days: int | None, closing: date, informs: bool, holidays: Collection[date] = ()
) -> RequestOutcome:
    """A request with everything that follows from its own dates: due date, days, paused days, and whether it is overdue.

    Whether one that waits is overdue depends on the day of the run as well. The clock of the run may have been ahead of what it
    states, so an `overdue` that is declared stays, unless the request's own dates rule it out.

    Args:
        request: As logged.
        deadline_days: Calendar days of the policy instead of the law's first period.
        closing: The day of the audit.
        informs: Whether the log would hold its answer (`records_answer`): then one without `answered_at` was not answered.
        holidays: Public holidays that the case declares.
    """
    deadline = due(request, deadline_days, holidays)
    days = None if request.deleted_at is None else (request.deleted_at.date() - request.received_on).days
    found = replace(request, due_on=deadline.on, days=days, paused_days=deadline.paused_days)
    overdue = _overdue(found, closing=closing, informs=informs, paused=deadline.paused)
    return found if overdue == found.overdue else replace(found, overdue=overdue)


def in_doubt(request: RequestOutcome, deadline: Due, *, closing: date, informs: bool) -> bool:
    """Say whether an overdue request is in time if the pauses count that may.

    Args:
        request: With what `dated` gave it.
        deadline: Its deadline.
        closing: The day of the audit.
        informs: As for `dated`.
    """
    if not request.overdue or deadline.latest <= deadline.on:
        return False
    later = replace(request, due_on=deadline.latest, overdue=False)
    return not _overdue(later, closing=closing, informs=informs, paused=deadline.paused)


def _overdue(request: RequestOutcome, *, closing: date, informs: bool, paused: bool) -> bool:
    passed = closing > request.due_on or request.overdue
    match timing(request, overdue=passed):
        case Timing.OPEN_LATE:
            return not paused
        case Timing.NOT_INFORMED:
            return informs
        case late:
            return late in LATE


class Confirmed(StrEnum):
    """Whether receipt of a request was confirmed in time."""

    IN_TIME = "in-time"
    LATE = "late"
    NOT_KNOWN = "not-known"
    NOT_ASKED = "not-asked"
    """The regime asks for no confirmation."""


def confirm_by(request: RequestOutcome, holidays: Collection[date] = ()) -> date:
    """Give the last day on which receipt is confirmed in time: of the declared holidays those count that California has too."""
    return after_working(request.received_on, CONFIRM_WITHIN, {each for each in holidays if is_in_california(each)})


def confirmed(request: RequestOutcome, holidays: Collection[date] = ()) -> Confirmed:
    """Say whether receipt of a request was confirmed within the business days of 11 CCR 7021(a)."""
    if request.regime is not Regime.CCPA:
        return Confirmed.NOT_ASKED
    if request.confirmed_at is None:
        return Confirmed.NOT_KNOWN
    return Confirmed.IN_TIME if request.confirmed_at.date() <= confirm_by(request, holidays) else Confirmed.LATE


def timing(request: RequestOutcome, *, overdue: bool | None = None) -> Timing:
    """Say where a request stands; of one without a date that decides, `overdue` says whether it is late.

    Args:
        request: What became of it.
        overdue: Instead of what it says itself; None for that.
    """
    passed = request.overdue if overdue is None else overdue
    erased = erased_on(request)
    if request.answered_at is not None and request.answered_at.date() > request.due_on:
        return Timing.ANSWERED_LATE
    if request.status in PENDING or (erased is None and request.status not in UNDONE):
        return _waiting(request, overdue=passed)
    if request.answered_at is not None:
        return Timing.INFORMED
    if request.status == "revoked":
        return Timing.WITHDRAWN
    if erased is not None and erased > request.due_on:
        return Timing.ERASED_LATE
    return Timing.NOT_INFORMED if passed else Timing.NOT_RECORDED


def _waiting(request: RequestOutcome, *, overdue: bool) -> Timing:
    if overdue:
        return Timing.OPEN_LATE
    return Timing.PAUSED if due(request, None).paused else Timing.NOT_DUE


_OF_WAITING: Final = {Timing.OPEN_LATE: ByDue.MISSED, Timing.PAUSED: ByDue.PAUSED, Timing.NOT_DUE: ByDue.NOT_DUE}


def erased_by_due(request: RequestOutcome) -> ByDue:
    """Say whether the data of a request were erased by its deadline, by the log's dates.

    Not known where it is open, and the log dates an erasure all the same.
    """
    if request.status in UNDONE:
        return ByDue.NOTHING
    if erased_while_open(request.status, data=request.data_erased_at, model=request.model_erased_at):
        return ByDue.NOT_KNOWN
    erased = erased_on(request)
    if request.status in PENDING or erased is None:
        return _OF_WAITING[_waiting(request, overdue=request.overdue)]
    return ByDue.MET if erased <= request.due_on else ByDue.MISSED


def informed_by_due(request: RequestOutcome) -> ByDue:
    """Say whether the person was informed by the deadline.

    Not known without `answered_at`; missed where the log has the answers of others. What somebody was told of a request that is
    still open is not what was done: it waits, and is missed once its deadline has passed.
    """
    late = request.answered_at is not None and request.answered_at.date() > request.due_on
    if request.status in PENDING and not late:
        return _OF_WAITING[_waiting(request, overdue=request.overdue)]
    if request.answered_at is not None:
        return ByDue.MISSED if late else ByDue.MET
    match timing(request):
        case Timing.WITHDRAWN:
            return ByDue.NOTHING
        case Timing.NOT_INFORMED | Timing.OPEN_LATE:
            return ByDue.MISSED
        case Timing.NOT_DUE | Timing.PAUSED as waiting:
            return _OF_WAITING[waiting]
        case _:
            return ByDue.NOT_KNOWN


def without_reason(request: Request | RequestOutcome) -> bool:
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
