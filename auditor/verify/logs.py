"""The deletion log: counts against what they count, and every request against its deadline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime, time, timedelta
from typing import Final

from auditor.decisions import decide_at_most
from auditor.deletions import due_date
from auditor.domain import Check, RequestOutcome, Standing
from auditor.evidence import Evidence
from auditor.verify.expectations import not_run, setting, status_is, threshold_is
from auditor.verify.numbers import differs
from auditor.verify.outcome import Part, part

_NEVER_LATE: Final = frozenset({"denied", "revoked", "no-match"})
_STATUSES: Final = frozenset({"executed", "open", "not-located"}) | _NEVER_LATE
_STANDS: Final = frozenset({Standing.SHOWN, Standing.SUPPORTED})


def consistency(evidence: Evidence, check: Check) -> Iterator[str]:
    """`log.consistency`: the problems that the log's summary lists."""
    problems = evidence.deletion_log.problems
    if check.value is None:
        yield from not_run(check, excused=False, reason="every log is checked")
    yield from differs("value", check.value, len(problems), "the problems that deletion_log lists are")
    if check.details.get("problems") != [asdict(problem) for problem in problems]:
        yield "details.problems is not what deletion_log lists"
    yield from _counted(check)


def deadlines(evidence: Evidence, check: Check) -> Iterator[str]:
    """`log.deadlines`: the requests that are marked as overdue."""
    overdue = [request.request_id for request in evidence.requests if request.overdue]
    if check.value is None:
        yield from not_run(check, excused=False, reason="every log is checked")
    yield from differs("value", check.value, len(overdue), "the requests marked as overdue are")
    if check.details.get("overdue") != overdue:
        yield "details.overdue does not list the requests that are marked as overdue"
    yield from _counted(check)


def _counted(check: Check) -> Iterator[str]:
    yield from threshold_is(check, 0.0, "the contract's")
    yield from status_is(check, decide_at_most(check.value, 0.0))


def recheck_log(evidence: Evidence) -> Part:
    """Hold every request against its own dates, and the log's summary against the requests."""
    days = setting(evidence, "deadline_days")
    standing = tuple(guarantee.id for guarantee in evidence.guarantees if guarantee.status in _STANDS)
    judged = [
        (f"requests[{index}] {request.request_id}", _request(evidence, request, None if days is None else int(days), standing))
        for index, request in enumerate(evidence.requests)
    ]
    return part("requests", [("deletion_log", _summary(evidence)), *judged])


def _summary(evidence: Evidence) -> Iterator[str]:
    log, requests = evidence.deletion_log, evidence.requests
    yield from differs("requests", log.requests, len(requests), "the requests listed are")
    overdue = tuple(request.request_id for request in requests if request.overdue)
    if log.overdue != overdue:
        yield "overdue does not list the requests that are marked as overdue"
    located = max((request.records for request in requests), default=0)
    if log.records < located:
        yield f"records is {log.records}, and one request alone names {located}"
    executed = sum(request.status == "executed" for request in requests)
    if log.batches > executed:
        yield f"batches is {log.batches}, and {executed} requests were executed"
    if executed and not log.batches:
        yield f"batches is 0, and {executed} requests were executed"


def _request(evidence: Evidence, request: RequestOutcome, deadline_days: int | None, standing: tuple[str, ...]) -> Iterator[str]:
    if request.status not in _STATUSES:
        yield f'status is "{request.status}", which no request has'
    received = datetime.combine(request.received_on, time(), tzinfo=UTC)
    latest = due_date(received, deadline_days)
    if request.due_on > latest:
        # A log may set an earlier date, never a later one.
        yield f"due_on is {request.due_on}, received on {request.received_on} it is due on {latest}"
    executed = request.status == "executed"
    if executed != (request.deleted_at is not None) or executed != (request.days is not None):
        yield f"status is {request.status}, and deleted_at and days do not go with it"
    yield from _dates(evidence, request)
    covered = standing if executed and request.records else ()
    if tuple(request.guarantees) != covered:
        names = ", ".join(covered) or "none"
        yield f"guarantees is {', '.join(request.guarantees) or 'none'}, those that stand for it are {names}"


def _dates(evidence: Evidence, request: RequestOutcome) -> Iterator[str]:
    if request.deleted_at is not None and request.days is not None:
        # Dates read in the offset of receipt, which the evidence does not hold: it moves the date by one day at most.
        days = (request.deleted_at.astimezone(UTC).date() - request.received_on).days
        if abs(days - request.days) > 1:
            yield f"days is {request.days}, from {request.received_on} to {request.deleted_at.isoformat()} it is about {days}"
        try:
            deleted_on = request.received_on + timedelta(days=request.days)
        except OverflowError:
            yield f"days is {request.days}, which no calendar holds"
            return
        late = deleted_on > request.due_on
        if late != request.overdue:
            yield f"overdue is {request.overdue}, deleted on {deleted_on} and due on {request.due_on} it is {late}"
    elif request.overdue and request.status in _NEVER_LATE:
        yield f"overdue is True, and a request that is {request.status} does not run late"
    elif request.status == "open" and not request.overdue and evidence.audit.started_at.astimezone(UTC).date() > request.due_on:
        yield f"overdue is False, and it was open after {request.due_on}"
