"""`log.consistency` and `log.deadlines`: one problem of the log or one overdue request fails."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from auditor.base.deletion_log.requests import LogFinding, RequestOutcome
from auditor.base.domain import Provenance, Status
from auditor.pages import render
from auditor.pages.main import crosswalk, decision, findings, people
from auditor.pages.words import basis, sentence
from auditor.pages.words.rendered_evidence import tell
from auditor.parts.log.judging import log_consistency, log_deadlines
from auditor.settings.tables import Policy
from auditor.verdict.checks.finding import Nothing
from judging import declared, log_facts
from sample_cases import golden


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


@pytest.mark.parametrize(("taken", "status"), [(31, Status.PASS), (32, Status.PASS), (33, Status.INCONCLUSIVE)])
def test_a_longer_deadline_of_the_policy_does_not_make_a_month_longer(taken: int, status: Status) -> None:
    """From 1 January a month ends on Sunday, 1 February, and so on the Monday, 32 days later."""
    done = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=taken)
    late = RequestOutcome("R-1", "executed", date(2026, 1, 1), date(2126, 1, 1), done, taken, False, 1, ())
    finding = log_deadlines.judge(declared(policy=Policy(deadline_days=36_500), requests=(late,)), Nothing(), {})
    assert finding.status is status
    assert ("longer than the law gives" in basis(finding.reasons)) is (status is Status.INCONCLUSIVE)


def test_an_open_request_with_a_deadline_beyond_a_month_is_open() -> None:
    waiting = RequestOutcome("R-1", "open", date(2026, 1, 1), date(2126, 1, 1), None, None, False, 1, ())
    finding = log_deadlines.judge(declared(policy=Policy(deadline_days=36_500), requests=(waiting,)), Nothing(), {})
    assert finding.status is Status.INCONCLUSIVE


@pytest.mark.parametrize("word", ["denied", "revoked", "no-match"])
@pytest.mark.parametrize(("count", "of", "status"), [(2, 3, Status.PASS), (3, 30, Status.PASS), (3, 29, Status.INCONCLUSIVE)])
def test_requests_turned_down_in_bulk_leave_it_open(word: str, count: int, of: int, status: Status) -> None:
    """More than a tenth of the requests, and at least three."""
    said = {"reason": "claims are still open", "exception": "GDPR Article 17(3)(e)"}
    down = tuple(replace(outcome(f"D-{number}", overdue=False), status=word, **said) for number in range(count))
    rest = tuple(outcome(f"R-{number}", overdue=False) for number in range(of - count))
    finding = log_deadlines.judge(declared(requests=(*down, *rest)), Nothing(), {})
    assert finding.status is status
    assert finding.derived is not None
    words = 'answered with "nothing is held"' if word == "no-match" else "denied or revoked"
    assert (words in basis(finding.reasons)) is (status is Status.INCONCLUSIVE)


def test_turning_down_and_holding_nothing_count_together() -> None:
    """Two who were refused, two who withdrew and two of whom nothing is held, of thirty: each alone would be few."""
    said = {"reason": "claims are still open", "exception": "GDPR Article 17(3)(e)"}
    states = ("denied", "denied", "revoked", "revoked", "no-match", "no-match", *["executed"] * 24)
    day = datetime(2026, 1, 5, tzinfo=UTC)
    requests = tuple(
        replace(outcome(f"R-{n}", overdue=False), status=state, deleted_at=day if state == "executed" else None, **said)
        for n, state in enumerate(states)
    )
    finding = log_deadlines.judge(declared(requests=requests), Nothing(), {})
    assert finding.status is Status.INCONCLUSIVE
    assert "4 of 30 requests were denied or revoked" in basis(finding.reasons)
    assert '2 of 30 requests were answered with "nothing is held"' in basis(finding.reasons)
    nine_of_ten = tuple(replace(outcome(f"R-{n}", overdue=False), status="no-match" if n else "executed") for n in range(10))
    assert log_deadlines.judge(declared(requests=nine_of_ten), Nothing(), {}).status is Status.INCONCLUSIVE


def test_page_one_says_what_became_of_the_people_of_the_log() -> None:
    """Eighteen requests: eleven carried out, four refused, one without a match, two open; ids without a match are no records."""
    told = tell(golden("late-and-extended"))
    said = "According to the log, 19 people asked for erasure: 11 recorded as deleted (11 records), 1 told nothing is held, "
    assert f"{said}4 refused, 3 waiting." in decision.system(told)
    searched = next(each for each in findings.questions(told) if "gone from the places" in each.asked)
    assert "11 deleted records" in searched.proof
    assert any("What became of 11 records" in each.shows for each in crosswalk.duties(told))


def test_page_one_counts_people_and_not_their_tickets() -> None:
    evidence = golden("late-and-extended")
    same = tuple(replace(each, subject="person-1") if each.status == "executed" else each for each in evidence.requests)
    told = tell(evidence.model_copy(update={"requests": same}))
    assert "9 people asked for erasure: 1 recorded as deleted (11 records)" in decision.system(told)


def test_what_resembles_by_chance_is_counted_on_page_one_and_is_no_problem() -> None:
    evidence = golden("late-and-extended")
    counted = LogFinding(3, "ALIKE_BY_CHANCE", "request x (row 3): one of its ids is not in the training data, and ...")
    log = evidence.deletion_log.model_copy(update={"problems": (counted,)})
    told = tell(evidence.model_copy(update={"deletion_log": log}))
    said = "In 1 request an unknown id resembles a known one only as many of these resemble one another."
    assert decision.system(told).endswith(said)
    assert people.problems(told) == ()


def test_what_later_rows_replaced_is_listed_as_amendments_and_is_no_problem() -> None:
    evidence = golden("late-and-extended")
    amended = LogFinding(3, "AMENDED", "request x (row 3): row 21 replaces late_reason")
    log = evidence.deletion_log.model_copy(update={"problems": (amended, amended)})
    told = tell(evidence.model_copy(update={"deletion_log": log}))
    assert people.problems(told) == ()
    assert people.amendments(told) == (amended, amended)
    said = next(each.proof for each in findings.questions(told) if "rows of the log" in each.asked)
    assert said.endswith("No problem was found. The log has 2 amendments.")
    page = render.html(told)
    assert "Amendments of the log" in page
    assert "Problems in the log" not in page
