"""Holds what is taken as stated of the log against itself: counts and dates that no log can have."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time
from typing import Final

from auditor.assembly import NEVER_LATE
from auditor.deletions import due_date
from auditor.domain import RequestOutcome
from auditor.evidence import Evidence
from auditor.verify.outcome import Part, part

_STATUSES: Final = frozenset({"executed", "open", "not-located"}) | NEVER_LATE


def recheck_context(evidence: Evidence) -> Part:
    """Hold the log's summary and every request against its own dates."""
    days = evidence.policy.settings.get("deadline_days")
    judged = [
        (f"requests[{index}] {each.request_id}", _request(evidence, each, days)) for index, each in enumerate(evidence.requests)
    ]
    return part("declarations", [("deletion_log", _log(evidence)), ("procedure", _procedure(evidence)), *judged])


def _procedure(evidence: Evidence) -> Iterator[str]:
    stated = evidence.procedure
    if stated.use is None and stated.entry is None:
        yield "neither use nor entry names the procedure"
    if "seed" in stated.settings:
        yield "settings name the seed, which is a secret and never among them"


def _log(evidence: Evidence) -> Iterator[str]:
    log, requests = evidence.deletion_log, evidence.requests
    located = max((request.records for request in requests), default=0)
    if log.records < located:
        yield f"records is {log.records}, and one request alone names {located}"
    executed = sum(request.status == "executed" for request in requests)
    if log.batches > executed:
        yield f"batches is {log.batches}, and {executed} requests were executed"
    if executed and not log.batches:
        yield f"batches is 0, and {executed} requests were executed"
    if evidence.case.records_left > evidence.case.training_records:
        yield f"records left are {evidence.case.records_left}, of {evidence.case.training_records}"


def _request(evidence: Evidence, request: RequestOutcome, deadline_days: int | None) -> Iterator[str]:
    if request.status not in _STATUSES:
        yield f'status is "{request.status}", which no request has'
    latest = due_date(datetime.combine(request.received_on, time(), tzinfo=UTC), deadline_days)
    if request.due_on > latest:
        # A log may set an earlier date, never a later one.
        yield f"due_on is {request.due_on}, received on {request.received_on} it is due on {latest}"
    executed = request.status == "executed"
    if executed != (request.deleted_at is not None) or executed != (request.days is not None):
        yield f"status is {request.status}, and deleted_at and days do not go with it"
    if request.deleted_at is not None and request.days is not None:
        # Dates read in the offset of receipt, which the evidence does not hold: it moves the date by one day at most.
        days = (request.deleted_at.astimezone(UTC).date() - request.received_on).days
        if abs(days - request.days) > 1:
            yield f"days is {request.days}, from {request.received_on} to {request.deleted_at.isoformat()} it is about {days}"
    elif request.status == "open" and not request.overdue and evidence.audit.started_at.astimezone(UTC).date() > request.due_on:
        yield f"overdue is False, and it was open after {request.due_on}"
