"""Checks that read the deletion log alone: `log.consistency` and `log.deadlines`."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.case import Case
from auditor.checks.findings import TITLES, Findings
from auditor.decisions import decide_at_most
from auditor.domain import Check, How, LogFinding, RequestOutcome, Status
from auditor.guarantees import fact


def judge(case: Case, outcomes: Sequence[RequestOutcome], problems: Sequence[LogFinding]) -> Findings:
    """Judge the log of `case`; `outcomes` are its requests against their deadlines, `problems` what does not hold together."""
    consistency = Check(
        id="log.consistency",
        title=TITLES["log.consistency"],
        status=decide_at_most(len(problems), 0),
        value=float(len(problems)),
        interval=None,
        threshold=0.0,
        basis=f"{len(case.requests)} requests were checked against the training data and against one another.",
        details={"problems": [{"row": item.row, "code": item.code, "message": item.message} for item in problems]},
    )
    overdue = [outcome.request_id for outcome in outcomes if outcome.overdue]
    days = case.settings.policy.deadline_days
    rule = (
        "one calendar month from receipt, on calendar dates in the offset of receipt, clamped to the month's end, "
        "not extended over holidays"
        if days is None
        else f"{days} calendar days from receipt, as the policy says"
    )
    deadlines = Check(
        id="log.deadlines",
        title=TITLES["log.deadlines"],
        status=decide_at_most(len(overdue), 0),
        value=float(len(overdue)),
        interval=None,
        threshold=0.0,
        basis=f"Deadline: {rule}.",
        details={"overdue": overdue, "rule": rule},
    )
    consistent = consistency.status is Status.PASS
    facts = (
        fact(
            "log-consistent",
            How.MEASURED if consistent else How.REFUTED,
            "log.consistency: no problem" if consistent else f"log.consistency: {len(problems)} problem(s)",
        ),
        fact("log-complete", How.ATTESTED, "the controller's deletion log"),
    )
    return Findings((consistency, deadlines), facts=facts)
