"""`acme.backlog`: whether requests wait longer than a run takes."""

from __future__ import annotations

from acme_auditor.rules import waiting

from auditor.base.domain import Message, Provenance, Status
from auditor.verdict.checks.card import Card
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding, Values
from auditor.verdict.decisions import decide_at_most
from auditor.verdict.guarantees import fact

MOST = 100

CARD = Card(
    id="acme.backlog",
    place=10,
    since="0.2.0",
    title="Backlog of requests",
    question="Do at most a hundred requests wait for one training record each?",
    unit="requests",
    finds=("acme-backlog-short",),
    needs=("log.consistency",),
    failure="More requests wait than can be served.",
    remedy="Serve requests sooner.",
)


class Observed(Values):
    """What the run saw."""

    records: int
    """Training records."""


class Derived(Values):
    """What follows."""

    requests: int


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Count the requests."""
    count = len(context.requests)
    status = decide_at_most(count, MOST)
    return Finding(
        status=status,
        value=float(count),
        threshold=float(MOST),
        reasons=(Message("acme.backlog.counted", {"requests": count, "records": observed.records}),),
        derived=Derived(requests=count),
        facts=(
            fact(
                "acme-backlog-short",
                Provenance.MEASURED if status is Status.PASS else Provenance.REFUTED,
                Message("fact.acme-backlog-short.counted", {"requests": count}),
            ),
        ),
        certificates=(waiting.RULES[0].derive(waiting.Inputs(requests=count, rate=10.0)),),
    )


CHECK = Definition(CARD, Observed, judge, derived=(Derived,))
