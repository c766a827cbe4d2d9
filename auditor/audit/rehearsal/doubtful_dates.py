"""Days in log and audit.toml that do not go together: a letter or a reply says so, or leaves a blank for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from typing import Final

from auditor.audit.rehearsal.warned import Warned
from auditor.base.deletion_log import log_times, receipts
from auditor.base.deletion_log.deadlines import PENDING, due, erased_on, last_day
from auditor.base.deletion_log.requests import RequestOutcome
from auditor.case import Case
from auditor.settings.lineage import MODEL
from auditor.verdict.examination import is_short

_NAMED: Final = 3


def warn_of_dates(case: Case, requests: Sequence[RequestOutcome]) -> Iterator[Warned]:
    """List what `log.consistency` does not count, as no search and no deadline depends on it.

    Args:
        case: The case.
        requests: What became of each request of its log.
    """
    policy, log, today = case.settings.policy, case.settings.deletions, datetime.now(tz=UTC).date()
    days, holidays = policy.deadline_days, log.holidays
    yield from _identity(requests)
    yield from _receipts(case, requests)
    yield from _promises(requests, days, holidays, today)
    yield from _releases(case)
    yield from _backups(case, requests)


def _identity(requests: Iterable[RequestOutcome]) -> Iterator[Warned]:
    found: dict[str, list[str]] = {}
    for each in requests:
        on, answered = (None if at is None else at.date() for at in (each.identity_checked_at, each.answered_at))
        if kind := log_times.misdated_check(on, answered, each.clock_pauses):
            found.setdefault(kind, []).append(each.request_id)
    for which, names in found.items():
        yield Warned(f"identity-{which}", {"count": len(names), "requests": _named(names)})


def _receipts(case: Case, requests: Iterable[RequestOutcome]) -> Iterator[Warned]:
    names: dict[str, None] = {}
    for each in requests:
        covering = receipts.covering(case.receipts, each)
        for receipt, recipient in receipts.before_notice(covering, each.recipients_notified or ()):
            told = "" if recipient.notified_at is None else recipient.notified_at.date().isoformat()
            names[f"{each.request_id}: {receipt.processor} ({receipt.at.isoformat()}, {told})"] = None
    if names:
        yield Warned("receipt-before-notice", {"count": len(names), "requests": _named(list(names))})


def _promises(requests: Iterable[RequestOutcome], days: int | None, holidays: tuple[date, ...], today: date) -> Iterator[Warned]:
    names = []
    for each in requests:
        if each.status not in PENDING or each.undertaking is None or each.undertaking.by is None:
            continue
        last = last_day(each, days, holidays)
        if not due(each, days, holidays).paused and today <= last < each.undertaking.by:
            names.append(f"{each.request_id} ({each.undertaking.by.isoformat()}, {last.isoformat()})")
    if names:
        yield Warned("promise-beyond", {"count": len(names), "requests": _named(names)})


def _releases(case: Case) -> Iterator[Warned]:
    """Things that were made from a release which is not the one of this case, and which nothing else names."""
    for each in case.lineage:
        if each.made_from == MODEL and each.from_release not in {None, case.settings.case.release}:
            given = {"name": each.name, "release": each.from_release, "own": case.settings.case.release or "none"}
            yield Warned("other-release", given)


def _backups(case: Case, requests: Iterable[RequestOutcome]) -> Iterator[Warned]:
    """Days of places that are too early for somebody by what is said of the place: one day is declared for everybody."""
    erased = [(each.request_id, erased_on(each)) for each in requests]
    for place in case.settings.outside:
        if names := [f"{name} ({on.isoformat()})" for name, on in erased if on is not None and is_short(place, on)]:
            until = "" if place.until is None else place.until.isoformat()
            given = {"name": place.name, "what": place.what, "until": until}
            yield Warned("outside-short", {**given, "count": len(names), "requests": _named(names)})


def _named(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
