"""`log.consistency` and `log.deadlines`: one problem of the log or one overdue request fails."""

from __future__ import annotations

from datetime import date

import pytest

from auditor.checks import log_consistency, log_deadlines
from auditor.checks.finding import Nothing
from auditor.domain import How, LogFinding, RequestOutcome, Status
from auditor.settings.tables import Policy
from auditor.words import basis, sentence
from judging import declared, log_facts


def outcome(request_id: str, *, overdue: bool) -> RequestOutcome:
    return RequestOutcome(request_id, "open", date(2026, 1, 1), date(2026, 2, 1), None, None, overdue, 1, ())


def problem(row: int) -> LogFinding:
    return LogFinding(row, "NOT_LOCATED", "record x not in the training data")


@pytest.mark.parametrize("count", [0, 1, 3])
def test_any_problem_of_the_log_fails(count: int) -> None:
    problems = tuple(problem(row) for row in range(count))
    finding = log_consistency.judge(declared(log=log_facts(requests=7, problems=problems)), Nothing(), {})
    assert finding.status is (Status.FAIL if count else Status.PASS)
    assert (finding.value, finding.threshold) == (float(count), 0.0)
    assert finding.derived == log_consistency.Derived(problems=problems)
    assert basis(finding.reasons) == "7 requests were checked against the training data and against one another."
    # That no erasure is missing from the log is for the controller to attest, whatever stands in it.
    (consistent,) = finding.facts
    assert (consistent.name, consistent.how) == ("log-consistent", How.REFUTED if count else How.MEASURED)
    assert sentence(consistent.evidence) == f"log.consistency: {count or 'no'} problem{'(s)' if count else ''}"


@pytest.mark.parametrize("late", [(), ("R-2",), ("R-1", "R-2")])
def test_any_overdue_request_fails(late: tuple[str, ...]) -> None:
    requests = tuple(outcome(name, overdue=name in late) for name in ("R-1", "R-2", "R-3"))
    finding = log_deadlines.judge(declared(requests=requests), Nothing(), {})
    assert finding.status is (Status.FAIL if late else Status.PASS)
    assert (finding.value, finding.threshold, finding.facts) == (float(len(late)), 0.0, ())
    assert finding.derived == log_deadlines.Derived(overdue=late)


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (None, "Deadline: one calendar month from receipt"),
        (30, "Deadline: 30 calendar days from receipt, as the policy says."),
        (0, "Deadline: 0 calendar days from receipt, as the policy says."),
    ],
)
def test_the_deadline_is_a_calendar_month_unless_the_policy_names_days(days: int | None, words: str) -> None:
    finding = log_deadlines.judge(declared(policy=Policy(deadline_days=days)), Nothing(), {})
    assert basis(finding.reasons).startswith(words)
    assert finding.derived == log_deadlines.Derived(overdue=())
