"""`log.deadlines`: whether every request was answered in time, and every refusal says why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

from pydantic import Field

from auditor.base.deletion_log.deadlines import (
    PENDING,
    UK_SINCE_2026,
    Confirmed,
    Due,
    Timing,
    answers_recorded,
    confirmed,
    due,
    erased_on,
    in_doubt,
    records_answer,
    rule,
    says_nothing,
    timing,
    without_reason,
)
from auditor.base.deletion_log.requests import Regime, RequestOutcome
from auditor.base.domain import Message, Status
from auditor.parts.log.cards import LOG_DEADLINES
from auditor.settings import attestations
from auditor.settings.attestations import REFUSALS
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding, Nothing, Values
from auditor.verdict.decisions import decide_at_most
from auditor.verdict.request_status import is_marked

CARD: Final = LOG_DEADLINES

TURNED_DOWN: Final = frozenset({"denied", "revoked"})
"""Statuses of requests that nobody carried out, by the controller's own word."""
NOTHING_HELD: Final = "no-match"
"""Status of requests that were answered with "nothing is held"."""
MOST_TURNED_DOWN: Final = 0.1
"""Share of the requests that may be turned down, or answered with "nothing is held", unasked."""
LEAST_TURNED_DOWN: Final = 3
"""Fewer are never many."""
_RULE_CODES: Final = ("calendar-month", "uk", "uk-2026", "ccpa")


def _empty(value: tuple[str, ...]) -> bool:
    return not value


class Derived(Values):
    """What the dates of the log give."""

    overdue: tuple[str, ...]
    """Ids of the overdue requests."""
    later_than_law: tuple[str, ...]
    """Ids of further requests that took, or may take, longer than the law gives, within the policy's days."""
    turned_down: tuple[str, ...]
    """Ids of requests that were denied or revoked."""
    without_reason: tuple[str, ...] = ()
    """Ids of requests that were denied, and the log lacks the reason or the exception."""
    informing_not_recorded: int = 0
    """Requests without an `answered_at` whose erasure or refusal was in time."""
    extended: tuple[str, ...] = ()
    """Ids of requests whose deadline an extension moved."""
    not_extended: tuple[str, ...] = ()
    """Ids of requests with an extension that moves nothing: without a reason, or not notified inside the first period."""
    paused: tuple[str, ...] = ()
    """Ids of requests whose clock stood still, or stands still."""
    erased_after_due: tuple[str, ...] = ()
    """Ids of requests that were answered in time and carried out only after the deadline."""
    in_doubt: tuple[str, ...] = Field(default=(), exclude_if=_empty)
    """Ids of overdue requests that are in time if a doubt about who the person is stopped the clock."""
    pauses_void: tuple[str, ...] = Field(default=(), exclude_if=_empty)
    """Ids of requests with pauses of which none moves the deadline."""
    by_holiday: tuple[str, ...] = Field(default=(), exclude_if=_empty)
    """Ids of requests whose deadline a declared public holiday moved."""
    confirmed_late: tuple[str, ...] = Field(default=(), exclude_if=_empty)
    """Ids of requests whose receipt was confirmed later than the law asks."""
    marked: tuple[str, ...] = Field(default=(), exclude_if=_empty)
    """Ids of executed requests whose data the log itself calls only marked as erased."""


def judge(context: Context, _observed: Nothing, _earlier: Earlier) -> Finding:
    """Count the overdue requests and the refusals without a reason; none may be left.

    Inconclusive where requests are in time only if a doubt about who the person is stopped the clock, where requests took longer
    than the law gives within a longer deadline of the policy, where people were answered in time and their data erased only after
    the deadline, where the log itself says that data are only marked as erased, and where much of the log was turned down or
    answered with "nothing is held": nobody has seen why, unless the rows say why and somebody puts their name to it.
    """
    derived, doubtful = _derived(context)
    late = {each.request_id for each, doubt in zip(context.requests, doubtful, strict=True) if each.overdue and not doubt}
    count = len({*late, *derived.without_reason})
    away = _turned_away(context)
    status = decide_at_most(count, 0)
    if status is Status.PASS and (
        derived.in_doubt
        or derived.later_than_law
        or derived.erased_after_due
        or derived.marked
        or (away.in_bulk and away.unsettled)
    ):
        status = Status.INCONCLUSIVE
    return Finding(
        status=status,
        value=float(count),
        threshold=0.0,
        reasons=tuple(_reasons(context, derived, doubtful, away)),
        derived=derived,
    )


class Away(StrEnum):
    """How requests end that nobody carries out, by the controller's own word."""

    TURNED_DOWN = "turned-down"
    NOTHING_HELD = "nothing-held"


_WORDS: Final[Mapping[Away, str]] = {Away.TURNED_DOWN: REFUSALS, Away.NOTHING_HELD: attestations.NOTHING_HELD}
"""What somebody has to put their name to."""


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """The requests that nobody carried out, by the controller's own word."""

    in_bulk: bool
    """Whether they are more than a tenth of the requests, or their people of the people, and at least three."""
    requests: Mapping[Away, tuple[RequestOutcome, ...]]
    unexplained: Mapping[Away, tuple[RequestOutcome, ...]]
    """Those of them of which the log lacks the reason."""
    attested: frozenset[Away]

    @property
    def unsettled(self) -> tuple[Away, ...]:
        """Those that stay open: a reason is missing, or a name to it."""
        return tuple(each for each, those in self.requests.items() if those and not self.settles(each))

    def settles(self, which: Away) -> bool:
        """Whether every row says why, and somebody says by name that it is so."""
        return which in self.attested and not self.unexplained[which]


def turned_away(requests: Sequence[RequestOutcome], attested: Collection[str]) -> TurnedAway:
    """Find the requests that nobody carried out, by the controller's own word.

    A person counts once: one request written as ten rows thins out nothing.

    Args:
        requests: Of the whole log.
        attested: Names of what the controller attests.
    """
    those = {
        Away.TURNED_DOWN: tuple(each for each in requests if each.status in TURNED_DOWN),
        Away.NOTHING_HELD: tuple(each for each in requests if each.status == NOTHING_HELD),
    }
    rows = [each for some in those.values() for each in some]
    people, spared = ({_person(each) for each in some} for some in (requests, rows))
    return TurnedAway(
        in_bulk=_many(len(rows), len(requests)) or _many(len(spared), len(people)),
        requests=those,
        unexplained={which: tuple(each for each in some if says_nothing(each.reason)) for which, some in those.items()},
        attested=frozenset(which for which, word in _WORDS.items() if word in attested),
    )


def _turned_away(context: Context) -> TurnedAway:
    return turned_away(context.requests, context.claims.attested)


def _many(count: int, of: int) -> bool:
    return count >= LEAST_TURNED_DOWN and count > MOST_TURNED_DOWN * of


def _person(request: RequestOutcome) -> tuple[str, str]:
    return ("request", request.request_id) if request.subject is None else ("person", request.subject)


def _derived(context: Context) -> tuple[Derived, list[bool]]:
    """What the dates give, and of each request whether only a doubt about who the person is makes it late or not."""
    days, requests, holidays = context.policy.deadline_days, context.requests, context.holidays
    dues = [due(each, days, holidays) for each in requests]
    both = list(zip(requests, dues, strict=True))
    closing, recorded = context.audit.started_at.date(), answers_recorded(requests)
    doubtful = [in_doubt(each, found, closing=closing, informs=records_answer(each, recorded)) for each, found in both]
    derived = Derived(
        overdue=tuple(each.request_id for each in requests if each.overdue),
        later_than_law=() if days is None else tuple(each.request_id for each in requests if _later_than_law(each, holidays)),
        turned_down=tuple(each.request_id for each in requests if each.status in TURNED_DOWN),
        without_reason=tuple(each.request_id for each in requests if without_reason(each)),
        informing_not_recorded=sum(timing(each) is Timing.NOT_RECORDED for each in requests),
        extended=tuple(each.request_id for each, found in both if found.extended),
        not_extended=tuple(each.request_id for each, found in both if each.extension and not found.extended),
        paused=tuple(each.request_id for each, found in both if found.paused_days or found.paused),
        erased_after_due=tuple(each.request_id for each in requests if _erased_after_due(each)),
        in_doubt=tuple(each.request_id for each, doubt in zip(requests, doubtful, strict=True) if doubt),
        pauses_void=tuple(each.request_id for each, found in both if each.clock_pauses and not _moved(found)),
        by_holiday=tuple(each.request_id for each, found in both if found.on != due(each, days).on),
        marked=tuple(each.request_id for each in requests if is_marked(each.status, each.storage_state)),
        confirmed_late=tuple(each.request_id for each in requests if confirmed(each, holidays) is Confirmed.LATE),
    )
    return derived, doubtful


def _moved(found: Due) -> bool:
    return bool(found.paused_days) or found.paused or found.latest > found.on


def _later_than_law(request: RequestOutcome, holidays: Collection[date]) -> bool:
    """Whether a request that is not overdue took, or may take, longer than the law gives."""
    if request.overdue:
        return False
    lawful = due(request, None, holidays).on
    if request.answered_at is not None and request.status not in PENDING:
        return request.answered_at.date() > lawful
    erased = erased_on(request)
    if erased is not None:
        return erased > lawful
    return request.status in PENDING and request.due_on > lawful


def _erased_after_due(request: RequestOutcome) -> bool:
    erased = erased_on(request)
    return timing(request) is Timing.INFORMED and erased is not None and erased > request.due_on


def _reasons(context: Context, derived: Derived, doubtful: Sequence[bool], away: TurnedAway) -> Iterator[Message]:
    """The rule that counted, then everything that moved a deadline, failed it or is missing."""
    days, requests = context.policy.deadline_days, context.requests
    if days is None:
        named = {_rule_code(each) for each in requests} or {"calendar-month"}
        yield from (Message(f"log.deadlines.{code}") for code in _RULE_CODES if code in named)
    else:
        yield Message("log.deadlines.days", {"days": days})
    stands = Counter(timing(each) for each, doubt in zip(requests, doubtful, strict=True) if not doubt)
    for code, count in (
        ("answered-late", stands[Timing.ANSWERED_LATE]),
        ("not-informed", stands[Timing.NOT_INFORMED]),
        ("without-reason", len(derived.without_reason)),
        ("extended", len(derived.extended)),
        ("not-extended", len(derived.not_extended)),
        ("paused", len(derived.paused)),
        ("pauses-void", len(derived.pauses_void)),
        ("in-doubt", len(derived.in_doubt)),
        ("confirmed-late", len(derived.confirmed_late)),
        ("erased-after-due", len(derived.erased_after_due)),
        ("marked", len(derived.marked)),
        ("later", len(derived.later_than_law)),
    ):
        if count:
            yield Message(f"log.deadlines.{code}", {"requests": count})
    yield from _of_calendar(context, derived)
    unconfirmed = sum(confirmed(each) is Confirmed.NOT_KNOWN for each in requests)
    if unconfirmed:
        yield Message("log.deadlines.not-confirmed", {"requests": unconfirmed})
    if derived.informing_not_recorded:
        yield Message("log.deadlines.not-recorded", {"requests": derived.informing_not_recorded, "of": len(requests)})
    for which, those in away.requests.items() if away.in_bulk else ():
        if those:
            counted = {"requests": len(those), "of": len(requests)}
            if away.settles(which):
                yield Message(f"log.deadlines.{which}-attested", {**counted, "word": _WORDS[which]})
            else:
                yield Message(f"log.deadlines.{which}", counted)


def _of_calendar(context: Context, derived: Derived) -> Iterator[Message]:
    """Which declared holidays a deadline rests on; that there are none, where that may be why an answer is late."""
    days, holidays, requests = context.policy.deadline_days, context.holidays, context.requests
    spans = ((due(each, days).on, due(each, days, holidays).on) for each in requests)
    relied_on = sorted({day.isoformat() for begins, ends in spans for day in holidays if begins <= day < ends})
    if relied_on:
        yield Message("log.deadlines.by-holiday", {"requests": len(derived.by_holiday), "days": ", ".join(relied_on)})
    late = any(each.overdue and rule(each.regime, each.received_on).working for each in requests)
    if late and days is None and not holidays:
        yield Message("log.deadlines.weekends-only")


def _rule_code(request: RequestOutcome) -> str:
    match request.regime:
        case Regime.EU:
            return "calendar-month"
        case Regime.UK:
            return "uk" if request.received_on < UK_SINCE_2026 else "uk-2026"
        case Regime.CCPA:
            return "ccpa"


CHECK = Definition(CARD, Nothing, judge, derived=(Derived,), wanted=lambda _context: True)
