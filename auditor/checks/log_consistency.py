"""`log.consistency`: whether the deletion log is free of contradictions and names records that exist."""

from __future__ import annotations

from auditor.checks.card import Card
from auditor.checks.context import Context
from auditor.checks.definition import Definition
from auditor.checks.finding import Earlier, Finding, Nothing, Values
from auditor.decisions import decide_at_most
from auditor.domain import How, LogFinding, Reason, Status
from auditor.guarantees import fact

CARD = Card(
    id="log.consistency",
    place=10,
    required_when_run=True,
    title="Consistency of the deletion log",
    question="Is the deletion log free of contradictions?",
    unit="problems in the log",
    failure="Rows of the deletion log contradict each other, the training data or the calendar.",
    remedy="Correct the rows of the deletion log that are listed in the results, then audit again.",
)


class Derived(Values):
    """What the log's rows show."""

    problems: tuple[LogFinding, ...]


def judge(context: Context, _observed: Nothing, _earlier: Earlier) -> Finding:
    """Count the problems of the log; none may be left."""
    problems = context.log.problems
    status = decide_at_most(len(problems), 0)
    consistent = status is Status.PASS
    return Finding(
        status=status,
        value=float(len(problems)),
        threshold=0.0,
        reasons=(Reason("log.consistency.checked", {"requests": context.log.requests}),),
        derived=Derived(problems=problems),
        facts=(
            fact(
                "log-consistent",
                How.MEASURED if consistent else How.REFUTED,
                Reason("fact.log-consistent.checked", {"problems": len(problems)}),
            ),
            fact("log-complete", How.ATTESTED, Reason("fact.log-complete.attested")),
        ),
    )


CHECK = Definition(CARD, Nothing, judge, wanted=lambda _context: True)
