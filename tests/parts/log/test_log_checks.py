"""`log.consistency` and `log.deadlines`: one problem of the log or one overdue request fails."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from auditor.base.domain import LogFinding, Provenance, RequestOutcome, Status
from auditor.pages.words import basis, sentence
from auditor.parts.log.judging import log_consistency, log_deadlines
from auditor.settings.tables import Policy
from auditor.verdict.checks.finding import Nothing
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
    assert (consistent.name, consistent.how) == ("log-consistent", Provenance.REFUTED if count else Provenance.MEASURED)
    assert sentence(consistent.evidence) == f"log.consistency: {count or 'no'} problem{'(s)' if count else ''}"


@pytest.mark.parametrize("late", [(), ("R-2",), ("R-1", "R-2")])
def test_any_overdue_request_fails(late: tuple[str, ...]) -> None:
    requests = tuple(outcome(name, overdue=name in late) for name in ("R-1", "R-2", "R-3"))
    finding = log_deadlines.judge(declared(requests=requests), Nothing(), {})
    assert finding.status is (Status.FAIL if late else Status.PASS)
    assert (finding.value, finding.threshold, finding.facts) == (float(len(late)), 0.0, ())
    assert finding.derived == log_deadlines.Derived(overdue=late, later_than_law=(), turned_down=())


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (None, "EU deadline: one calendar month from receipt"),
        (30, "Deadline: 30 calendar days from receipt, as the policy says."),
        (0, "Deadline: 0 calendar days from receipt, as the policy says."),
    ],
)
def test_the_deadline_is_a_calendar_month_unless_the_policy_names_days(days: int | None, words: str) -> None:
    finding = log_deadlines.judge(declared(policy=Policy(deadline_days=days)), Nothing(), {})
    assert basis(finding.reasons).startswith(words)
    assert finding.derived == log_deadlines.Derived(overdue=(), later_than_law=(), turned_down=())


@pytest.mark.parametrize(("taken", "status"), [(30, Status.PASS), (31, Status.PASS), (32, Status.INCONCLUSIVE)])
def test_a_longer_deadline_of_the_policy_does_not_make_a_month_longer(taken: int, status: Status) -> None:
    """From 1 January a month ends on 1 February, 31 days later."""
    done = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=taken)
    late = RequestOutcome("R-1", "executed", date(2026, 1, 1), date(2126, 1, 1), done, taken, False, 1, ())
    finding = log_deadlines.judge(declared(policy=Policy(deadline_days=36_500), requests=(late,)), Nothing(), {})
    assert finding.status is status
    assert ("longer than the law gives" in basis(finding.reasons)) is (status is Status.INCONCLUSIVE)


def test_an_open_request_with_a_deadline_beyond_a_month_is_open() -> None:
    waiting = RequestOutcome("R-1", "open", date(2026, 1, 1), date(2126, 1, 1), None, None, False, 1, ())
    finding = log_deadlines.judge(declared(policy=Policy(deadline_days=36_500), requests=(waiting,)), Nothing(), {})
    assert finding.status is Status.INCONCLUSIVE


@pytest.mark.parametrize("word", ["denied", "revoked"])
@pytest.mark.parametrize(("count", "of", "status"), [(2, 3, Status.PASS), (3, 30, Status.PASS), (3, 29, Status.INCONCLUSIVE)])
def test_requests_turned_down_in_bulk_leave_it_open(word: str, count: int, of: int, status: Status) -> None:
    """More than a tenth of the requests, and at least three."""
    said = {"reason": "claims are still open", "exception": "GDPR Article 17(3)(e)"}
    down = tuple(replace(outcome(f"D-{number}", overdue=False), status=word, **said) for number in range(count))
    rest = tuple(outcome(f"R-{number}", overdue=False) for number in range(of - count))
    finding = log_deadlines.judge(declared(requests=(*down, *rest)), Nothing(), {})
    assert finding.status is status
    assert finding.derived is not None
    assert ("denied or revoked" in basis(finding.reasons)) is (status is Status.INCONCLUSIVE)
