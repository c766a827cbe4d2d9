"""`log.consistency`: whether the deletion log is free of contradictions and names records that exist."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from auditor.base.deletion_log import deletions
from auditor.base.deletion_log.requests import LogFinding
from auditor.base.domain import Fact, Message, Provenance, Status
from auditor.parts.log.cards import LOG_CONSISTENCY
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding, Nothing, Values
from auditor.verdict.decisions import decide_at_most
from auditor.verdict.guarantees import fact

CARD: Final = LOG_CONSISTENCY

UNREAD: Final = ("prev_hash", "entry_hash")
"""The hash chain, in a log where it cannot be followed."""
MOST_ROWS: Final = 5
"""Rows that a sentence names; it counts the others."""


class Derived(Values):
    """What the log's rows show."""

    problems: tuple[LogFinding, ...]
    """Contradictions, and ids that look like a training record's."""
    left_open: tuple[LogFinding, ...] = ()
    """Ids that may be a training record's."""
    explained: tuple[LogFinding, ...] = ()
    """Look-alikes of which the log says that they are another's."""


def judge(context: Context, _observed: Nothing, _earlier: Earlier) -> Finding:
    """Count the problems of the log; none may be left, no id may be open, and no column that the format knows unread."""
    found = context.log.problems
    explained = tuple(each for each in found if each.code in deletions.EXPLAINED)
    left_open = tuple(each for each in found if each.code in deletions.OPEN)
    counted = tuple(each for each in found if each.code in deletions.COUNTED)
    amended = tuple(each for each in found if each.code in deletions.NOTED)
    problems = tuple(each for each in found if each.code not in deletions.EXPLAINED | deletions.OPEN | deletions.HARMLESS)
    status = decide_at_most(len(problems), 0)
    unread = [name for name in UNREAD if name in context.log.columns_not_read]
    if status is Status.PASS and (left_open or unread):
        status = Status.INCONCLUSIVE
    against = "log.consistency.checked-alone" if context.places_alone else "log.consistency.checked"
    reasons = [Message(against, {"requests": context.log.requests})]
    listed = (
        ("log.consistency.open", left_open),
        ("log.consistency.explained", explained),
        ("log.consistency.by-chance", counted),
        ("log.consistency.amended", amended),
    )
    for code, those in listed:
        if those:
            reasons.append(Message(code, {"rows": [each.row for each in those[:MOST_ROWS]], "all": len(those)}))
    reasons.extend(Message("log.consistency.replaced", {"said": each.message}) for each in amended[:MOST_ROWS])
    if context.log.chain_head is not None:
        reasons.append(Message("log.consistency.chained", {"head": context.log.chain_head}))
    if unread:
        reasons.append(Message("log.consistency.unread", {"columns": ", ".join(unread)}))
    return Finding(
        status=status,
        value=float(len(problems)),
        threshold=0.0,
        reasons=tuple(reasons),
        derived=Derived(problems=problems, left_open=left_open, explained=explained),
        facts=(_consistent(problems, left_open, explained),),
    )


def _consistent(problems: Sequence[LogFinding], left_open: Sequence[LogFinding], explained: Sequence[LogFinding]) -> Fact:
    """What is known of the log: of look-alikes that it explains, its own word."""
    named = {"problems": len(problems)}
    if problems:
        return fact("log-consistent", Provenance.REFUTED, Message("fact.log-consistent.checked", named))
    if left_open:
        return fact("log-consistent", Provenance.UNKNOWN, Message("fact.log-consistent.open", {"rows": len(left_open)}))
    if explained:
        return fact("log-consistent", Provenance.ATTESTED, Message("fact.log-consistent.explained", {"rows": len(explained)}))
    return fact("log-consistent", Provenance.MEASURED, Message("fact.log-consistent.checked", named))


CHECK = Definition(CARD, Nothing, judge, derived=(Derived,), wanted=lambda _context: True)
