"""What a case's log says on the day of the audit: read once, and handed on."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import NamedTuple

from auditor.base.deletion_log import deletions
from auditor.base.deletion_log.requests import LogFinding, RequestOutcome
from auditor.case import Case


class ToldLog(NamedTuple):
    """A log as of a day."""

    outcomes: tuple[RequestOutcome, ...]
    """What became of each request, in the order of the log."""
    problems: tuple[LogFinding, ...]
    """What contradicts itself in it."""


def told_today(case: Case) -> ToldLog:
    """Read the log as of the clock's day."""
    return told_on(case, datetime.now(tz=UTC).date())


def told_on(case: Case, today: date) -> ToldLog:
    """Read the log as of a day."""
    known, log = case.known_ids, case.settings.deletions
    outcomes = deletions.outcomes(
        case.requests,
        known,
        deadline_days=case.settings.policy.deadline_days,
        today=today,
        zone=log.zone,
        holidays=log.holidays,
    )
    return ToldLog(outcomes, deletions.findings(case.requests, known, today=today, canaries=case.canaries))
