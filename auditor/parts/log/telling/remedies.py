"""What to do about rows of the log that contradict something, and about requests that are late."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from auditor.base.deletion_log.deadlines import PENDING, Timing, says_nothing, timing
from auditor.base.deletion_log.deletions import EXPLAINED, HARMLESS, LOOK_ALIKES
from auditor.base.deletion_log.requests import LogFinding
from auditor.pages import wording
from auditor.pages.remedies.advice import Advice, Owner, Release, Remedies, Subject, Tell, marked_only
from auditor.pages.words.rendered_evidence import Told
from auditor.pages.words.texts import text, variant
from auditor.parts.log.judging import log_deadlines
from auditor.parts.log.judging.log_deadlines import TurnedAway

MOST_NAMED: Final = 4
"""Requests that the sentence of a step names; the step lists all of them below."""


def consistent(about: Subject) -> Iterator[Advice]:
    """Correct the rows that contradict something, by their numbers."""
    told = about.told
    problems = [each for each in told.deletion_log.problems if each.code not in EXPLAINED | HARMLESS]
    if not problems:
        return
    lost = tuple(each.request_id for each in told.requests if each.status == "not-located")
    rows = [wording.number(row) for row in dict.fromkeys(each.row for each in problems)]
    alike = any(each.code in LOOK_ALIKES for each in problems)
    yield Advice(
        found=text("remedy-log-found", count=len(problems), first=_said(problems[0])),
        action=text("remedy-log", rows=wording.listed(rows), count=len(rows), alike="yes" if alike else "no"),
        owner=Owner.REQUESTS,
        requests=lost,
        tell=Tell.LOG if lost else Tell.NOBODY,
    )


def deadlines(about: Subject) -> Iterator[Advice]:
    """Answer what is overdue, and say what was late; have doubts assessed; give the reason of each refusal."""
    derived = about.check.derived_as(log_deadlines.Derived)
    doubtful = () if derived is None else derived.in_doubt
    yield from _late(about.told, doubtful)
    if doubtful:
        yield _to_be_settled("remedy-in-doubt", doubtful, Tell.DOUBT)
    if derived is not None and (refused := derived.without_reason):
        yield _to_be_settled("remedy-refused", refused, Tell.REFUSED)
    if about.fails:
        return
    away = log_deadlines.turned_away(about.told.requests, [each.name for each in about.told.policy.attested])
    if away.in_bulk:
        yield from _turned_away(away)
    if derived is not None and (longer := derived.later_than_law):
        yield _to_be_settled("remedy-later", longer, Tell.DOUBT)
    if derived is not None and (late := derived.erased_after_due):
        yield _to_be_settled("remedy-erased-after", late, Tell.LATE)
    if derived is not None and (marked := derived.marked):
        yield marked_only(marked, release=Release.OPEN)


def _to_be_settled(message: str, requests: tuple[str, ...], tell: Tell) -> Advice:
    """Name requests that somebody has to look at."""
    found, action = text(f"{message}-found", count=len(requests)), text(message)
    return Advice(found, action, Owner.REQUESTS, requests=requests, tell=tell, release=Release.OPEN)


def _turned_away(away: TurnedAway) -> Iterator[Advice]:
    """Ask for the reasons that are missing, row by row, and for a name to all of them where nobody has put one."""
    for which in away.unsettled:
        asked = {"reasons": away.unexplained[which], "word": () if which in away.attested else away.requests[which]}
        for what, rows in asked.items():
            if rows:
                those = tuple(dict.fromkeys(each.request_id for each in rows))
                named, message = wording.listed(those, MOST_NAMED), f"remedy-away-{which}-{what}"
                yield Advice(
                    found=text(f"{message}-found", count=len(rows), of=len(away.requests[which]), named=named),
                    action=text(message, named=named),
                    owner=Owner.REQUESTS,
                    requests=those,
                    release=Release.OPEN,
                )


def _late(told: Told, doubtful: Collection[str]) -> Iterator[Advice]:
    """What is overdue: answer what is open, look up what the log does not say, and put on record what no step undoes.

    Of two people of one ticket, which have one id, the answer to one may be in doubt and to the other late for sure.
    """
    left = Counter(doubtful)
    reasons: set[bool] = set()
    kinds: dict[str, list[str]] = {"-open": [], "-unrecorded": [], "-done": [], "-said": []}
    for each in told.requests:
        if not each.overdue:
            continue
        if left[each.request_id]:
            left[each.request_id] -= 1
            continue
        done = "-done" if says_nothing(each.late_reason) else "-said"
        # One that is still open is to be carried out, whatever its person was told meanwhile.
        kind = "-open" if each.status in PENDING else _TO_ACT.get(timing(each), done)
        kinds[kind].append(each.request_id)
        if kind == "-open":
            reasons.add(done == "-said")
    given = "some" if len(reasons) > 1 else "all" if True in reasons else "none"
    for kind, those in kinds.items():
        if those:
            found = f"remedy-late{kind}-found" if kind in _TO_ACT.values() else "remedy-late-found"
            yield Advice(
                found=text(found, count=len(those)),
                action=text(
                    variant(f"remedy-late{kind}", "places") if told.evidence.places_alone else f"remedy-late{kind}", reasons=given
                ),
                owner=Owner.REQUESTS,
                requests=tuple(those),
                tell=Tell.LATE,
                release=Release.OPEN,
            )


_TO_ACT: Final = {Timing.OPEN_LATE: "-open", Timing.NOT_INFORMED: "-unrecorded"}


def _said(problem: LogFinding) -> str:
    return text("remedy-log-row", row=wording.number(problem.row), message=wording.shown(problem.message).rstrip("."))


REMEDIES: Final[Remedies] = {
    "log.consistency": consistent,
    "log.deadlines": deadlines,
}
