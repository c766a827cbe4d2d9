"""What to do about rows of the log that contradict something, and about requests that are late."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from auditor.base.deletion_log.deletions import COUNTED, EXPLAINED
from auditor.base.domain import LogFinding
from auditor.pages import wording
from auditor.pages.remedies.advice import Advice, Owner, Release, Remedies, Subject, Tell
from auditor.pages.words.texts import text
from auditor.parts.log.judging import log_deadlines


def consistent(about: Subject) -> Iterator[Advice]:
    """Correct the rows that contradict something, by their numbers."""
    told = about.told
    problems = [each for each in told.deletion_log.problems if each.code not in EXPLAINED | COUNTED]
    if not problems:
        return
    lost = tuple(each.request_id for each in told.requests if each.status == "not-located")
    rows = [wording.number(row) for row in dict.fromkeys(each.row for each in problems)]
    yield Advice(
        found=text("remedy-log-found", count=len(problems), first=_said(problems[0])),
        action=text("remedy-log", rows=wording.listed(rows), count=len(rows)),
        owner=Owner.REQUESTS,
        requests=lost,
        tell=Tell.LOG if lost else Tell.NOBODY,
    )


def deadlines(about: Subject) -> Iterator[Advice]:
    """Answer what is overdue, and say why it is late; have doubts assessed; give the reason of each refusal."""
    derived = about.check.derived_as(log_deadlines.Derived)
    doubtful = () if derived is None else derived.in_doubt
    # Two people of one ticket have one id, and of one of them the answer may be late for sure.
    if overdue := tuple((Counter(about.told.deletion_log.overdue) - Counter(doubtful)).elements()):
        yield Advice(
            found=text("remedy-late-found", count=len(overdue)),
            action=text("remedy-late"),
            owner=Owner.REQUESTS,
            requests=overdue,
            tell=Tell.LATE,
            release=Release.OPEN,
        )
    if doubtful:
        yield Advice(
            found=text("remedy-in-doubt-found", count=len(doubtful)),
            action=text("remedy-in-doubt"),
            owner=Owner.REQUESTS,
            requests=doubtful,
            release=Release.OPEN,
        )
    if derived is not None and (refused := derived.without_reason):
        yield Advice(
            found=text("remedy-refused-found", count=len(refused)),
            action=text("remedy-refused"),
            owner=Owner.REQUESTS,
            requests=refused,
            tell=Tell.REFUSED,
            release=Release.OPEN,
        )
    if about.fails:
        return
    away = log_deadlines.turned_away(about.told.requests, [each.name for each in about.told.policy.attested])
    for which in away.unsettled if away.in_bulk else ():
        those = tuple(dict.fromkeys(each.request_id for each in away.requests[which]))
        yield Advice(
            found=text(f"remedy-away-{which}-found", count=len(those)),
            action=text(f"remedy-away-{which}"),
            owner=Owner.REQUESTS,
            requests=those,
            release=Release.OPEN,
        )
    if derived is not None and (late := derived.erased_after_due):
        yield Advice(
            found=text("remedy-erased-after-found", count=len(late)),
            action=text("remedy-erased-after"),
            owner=Owner.REQUESTS,
            requests=late,
            tell=Tell.LATE,
            release=Release.OPEN,
        )


def _said(problem: LogFinding) -> str:
    return text("remedy-log-row", row=wording.number(problem.row), message=wording.shown(problem.message).rstrip("."))


REMEDIES: Final[Remedies] = {
    "log.consistency": consistent,
    "log.deadlines": deadlines,
}
