"""Two answers on time, for every page that gives one: whether data were erased, and people informed, by the deadline.

Both are the log's word at best: whether its dates are true is not examined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from auditor.base.deletion_log.deadlines import ByDue, Timing
from auditor.base.domain import Status
from auditor.pages.words.rendered_evidence import Told
from auditor.pages.words.texts import text
from auditor.verdict.checks.card import Role
from auditor.verdict.request_status import Chain, StillThere, chains, found_again

_RUNNING = (ByDue.NOT_DUE, ByDue.PAUSED)


@dataclass(frozen=True, slots=True)
class InTime:
    """One of the two answers."""

    name: Literal["erased-by", "informed-by"]
    answer: Literal["no", "trust", "unknown"]
    said: str


def in_time(told: Told) -> tuple[InTime, ...]:
    """Answer both questions; none where the log has no request."""
    if not told.requests:
        return ()
    found = chains(told.evidence)
    settled = any(Role.CHECKS_DEADLINES in each.card.roles and each.status is Status.PASS for each in told.checks)
    again = found_again(told.evidence)
    erased, informed = Counter(each.erased for each in found), Counter(each.informed for each in found)
    silent = sum(
        chain.informed is ByDue.MISSED and request.answered_at is None
        for request, chain in zip(told.requests, found, strict=True)
    )
    models = Counter(each.model_erased for each in found)
    still_open = _answered_and_open(told, found)
    return (
        _answered(
            "erased-by",
            erased,
            settled=settled,
            again=again,
            marked=sum(each.marked for each in found),
            still=Counter(each.erased_in_time for each in found),
            more=(("model-later", models[ByDue.MISSED]), ("model-in-doubt", models[ByDue.IN_DOUBT])),
        ),
        _answered("informed-by", informed, settled=settled, more=(("silent", silent), ("still-open", still_open))),
    )


def _answered_and_open(told: Told, found: Iterable[Chain]) -> int:
    """Count whom an answer reached in time that carried nothing out, and nothing has been since."""
    return sum(
        chain.open_late and request.answered_at is not None and request.answered_at.date() <= request.due_on
        for request, chain in zip(told.requests, found, strict=True)
    )


@dataclass(frozen=True, slots=True)
class Answers:
    """How the people of a log were answered: every page that counts them asks here."""

    requests: int
    late: int
    """Late for certain, as `log.deadlines` counts them."""
    in_doubt: int
    """Late, unless a doubt about who the person is stopped the clock."""
    unrecorded: int
    """Of which the log does not say when the person was informed."""
    asked: int
    """Those that had to be answered."""
    waiting: int
    """Of which the clock stands still."""


def answers(found: Iterable[Chain]) -> Answers:
    """Count requests by how they were answered."""
    every = tuple(found)
    counts = Counter(each.informed for each in every)
    return Answers(
        requests=len(every),
        late=sum(each.late for each in every),
        in_doubt=sum(each.in_doubt for each in every),
        unrecorded=counts[ByDue.NOT_KNOWN],
        asked=len(every) - counts[ByDue.NOTHING],
        waiting=sum(each.timing is Timing.PAUSED for each in every),
    )


def _answered(
    name: Literal["erased-by", "informed-by"],
    counts: Counter[ByDue],
    *,
    settled: bool,
    again: int = 0,
    marked: int = 0,
    still: Counter[ByDue | StillThere] | None = None,
    more: Iterable[tuple[str, int]],
) -> InTime:
    found = _first(name, counts, settled=settled, again=again, marked=marked)
    # Those found again stand in the answer itself where no date is missed; those only marked, where none is found either.
    left = {} if still is None else {each: still[each] for each in StillThere if still[each]}
    if not counts[ByDue.MISSED]:
        left = {each: count for each, count in left.items() if again and each is StillThere.MARKED}
    said = [found.said, *(text(f"main-time-{each.value}-more", count=count) for each, count in left.items())]
    said += [*(text(f"main-time-{message}", count=count) for message, count in more if count)]
    if doubtful := counts[ByDue.IN_DOUBT]:
        said.append(text("main-time-in-doubt", count=doubtful, more="yes" if counts[ByDue.MISSED] else "no"))
    return InTime(name, found.answer, " ".join(filter(None, said)))


def _first(
    name: Literal["erased-by", "informed-by"], counts: Counter[ByDue], *, settled: bool, again: int, marked: int
) -> InTime:
    """Answer by what weighs most."""
    if missed := counts[ByDue.MISSED]:
        return InTime(name, "no", text(f"main-time-{name}-missed", count=missed))
    if again or marked:
        still = text("main-time-again", count=again) if again else text("main-time-marked", count=marked)
        return InTime(name, "no" if again else "unknown", still)
    if counts[ByDue.IN_DOUBT]:
        return InTime(name, "unknown", "")
    if counts[ByDue.NOT_KNOWN] or not settled:
        return InTime(name, "unknown", text("main-time-open") if name == "erased-by" else _not_known(counts))
    running = sum(counts[each] for each in _RUNNING)
    if not counts[ByDue.MET]:
        return InTime(name, "trust", text("main-time-none-due", running=running))
    return InTime(name, "trust", text("main-time-met", count=counts[ByDue.MET], running=running))


def _not_known(counts: Counter[ByDue]) -> str:
    asked, unknown = counts.total() - counts[ByDue.NOTHING], counts[ByDue.NOT_KNOWN]
    if not unknown:
        return text("main-time-open")
    return text("main-time-not-known", count=unknown, of=asked, all="yes" if unknown == asked else "no")
