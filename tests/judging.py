"""Contexts for judges under test, from cases on disk."""

from __future__ import annotations

from datetime import UTC, datetime

from auditor import deletions, describing
from auditor.case import Case
from auditor.checks.context import Context
from auditor.evidence import Audit, Environment

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def audit_facts(*, quick: bool = False, only: tuple[str, ...] | None = None, failure: str | None = None) -> Audit:
    """A run as far as judges look at it."""
    return Audit(
        id="0" * 16,
        started_at=NOON,
        finished_at=NOON,
        auditor_version="0",
        seed="0",
        quick=quick,
        only=only,
        failure=failure,
        exit_code=0,
    )


def context_of_case(case: Case, *, quick: bool = False, only: tuple[str, ...] | None = None) -> Context:
    """The context of a case that ran behind walls on this machine's processor."""
    today = NOON.date()
    days = case.settings.policy.deadline_days
    return describing.context(
        case,
        audit=audit_facts(quick=quick, only=only),
        environment=Environment(
            device="cpu", device_name="a processor", isolation="namespaced", walls=(), capped=False, python="3.11", packages={}
        ),
        outcomes=deletions.outcomes(case.requests, case.known_ids, deadline_days=days, today=today),
        problems=deletions.findings(case.requests, case.known_ids, today=today),
    )
