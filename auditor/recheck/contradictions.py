"""Holds what is taken as stated of the log against itself: counts and dates that no log can have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from auditor.base.deletion_log.deadlines import PENDING, UNDONE
from auditor.base.domain import RequestOutcome
from auditor.document.evidence import Evidence
from auditor.recheck.outcome import Part, part
from auditor.settings.builtin import entries
from auditor.settings.problems import show
from auditor.settings.tables import STAND_INS
from auditor.verdict.checks import definitions

_STATUSES: Final = PENDING | UNDONE | {"executed"}


def recheck_context(evidence: Evidence) -> Part:
    """Hold the log's summary and every request against what a log can have; its dates are derived again."""
    judged = [(f"requests[{index}] {each.request_id}", _request(each)) for index, each in enumerate(evidence.requests)]
    sections = (("deletion_log", _log(evidence)), ("procedure", _procedure(evidence)), ("policy", _policy(evidence)))
    return part("declarations", [*sections, *judged])


def _procedure(evidence: Evidence) -> Iterator[str]:
    stated = evidence.procedure
    if stated.use is None and stated.entry is None:
        yield "neither use nor entry names the procedure"
    if stated.use is not None and stated.use not in {*entries(), *STAND_INS}:
        yield f"use names {show(stated.use)}, a procedure that this installation does not have"
    if stated.use == "none" and evidence.controller is None:
        yield "nothing learns, and no controller was audited"
    if "seed" in stated.settings:
        yield "settings name the seed, which is a secret and never among them"


def _policy(evidence: Evidence) -> Iterator[str]:
    """What no version takes from audit.toml or from `--only`: checks that it does not know would be required in name only."""
    known = definitions(evidence.version)
    for what, named in (("required", evidence.policy.listed), ("--only", evidence.audit.only)):
        if unknown := [name for name in named or () if name not in known]:
            yield f"{what} names {', '.join(unknown)}, which auditor {evidence.version} does not know"


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


def _request(request: RequestOutcome) -> Iterator[str]:
    if request.status not in _STATUSES:
        yield f'status is "{request.status}", which no request has'
    executed = request.status == "executed"
    if executed != (request.deleted_at is not None) or executed != (request.days is not None):
        yield f"status is {request.status}, and deleted_at and days do not go with it"
