"""Judge what the games of history independence showed: a test refutes or fails to, and is no premise of Theorems 3.7 and 3.8."""

from __future__ import annotations

from typing import Final

from auditor.base.domain import Fact, Message, Provenance
from auditor.base.histories import DELETE, equivalent
from auditor.maths.statistics.two_laws import epsilon_lower
from auditor.parts.controllers.judging.history.observed import Counterexample, Law, Observed, Tried
from auditor.parts.controllers.judging.made_for import Goal
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding, Values, inconclusive
from auditor.verdict.checks.levels import Level, share, spent
from auditor.verdict.decisions import decide_at_most
from auditor.verdict.guarantees import fact

TEST: Final = "histories"
"""The share of the level that everything together is held to which fresh tapes are said to show."""
OPEN: Final = "histories-open"
"""That at which it keeps from passing."""
LEAST_RUNS: Final = 100
"""Runs of either history under fresh tapes that a comparison needs to decide anything."""
LEAST_HISTORIES: Final = 50
"""Histories below which a game that found nothing shows nothing."""
_ONLY: Final = "state.history_independent.identical-only"
_WITHIN: Final = "state.history_independent.identical-within"
"""Why differences under one tape are no finding: fresh tapes hide them, all or up to ε and δ."""


class ToldApart(Values):
    """Two laws, and the ε by which they differ at least."""

    adversary: str
    adapts: bool
    event: str
    left: int
    right: int
    runs: int
    epsilon: float


class Derived(Values):
    """What the games come to."""

    identical: int
    """Counterexamples under one tape."""
    fresh: tuple[ToldApart, ...]
    """Histories that fresh tapes tell apart."""
    epsilon: float | None
    """The largest ε that fresh tapes refute; None where they were not needed."""
    shortest: int | None
    """Operations of the shortest counterexample, both sides together."""


def judged(
    observed: Observed,
    commuting: frozenset[str],
    *,
    quick: bool = False,
    hides: bool = False,
    within: Goal | None = None,
) -> Finding:
    """Count the histories that a state gives away; none may be.

    An implementation is adaptively history independent if it is so under identical tapes or under fresh ones (Definition 3.4). So
    a difference under one tape refutes it only where other tapes change nothing, or where fresh tapes tell histories apart too.
    Where fresh tapes tell nothing apart it stays open: a log that is kept with its key looks like chance as well.

    Args:
        observed: What the games showed.
        commuting: Operations whose order across channels makes no logical difference, as declared.
        quick: Whether the run was a quick one, which shows a difference and never that there is none.
        hides: Whether fresh tapes hide by construction what identical ones show, as of our own controller of Example 2.4. Never
            of code of a case.
        within: The ε and δ up to which fresh tapes hide it by construction; None where it promises neither. Lower bounds of the
            games are compared with them.
    """
    tried = observed.tried
    if tried is None:
        return inconclusive(Message("state.history_independent.not-shown", {"why": observed.untried}))
    found = tuple(each for each in tried.counterexamples if counts(each, commuting)) if tried.deterministic else ()
    allowed = within or Goal(0.0, 0.0)
    apart = _told_apart(tried.laws, share(TEST), allowed)
    derived = Derived(
        identical=len(found),
        fresh=apart,
        epsilon=max((each.epsilon for each in apart), default=0.0) if tried.laws else None,
        shortest=min((len(each.left) + len(each.right) for each in found), default=None),
    )
    begin = Message("state.history_independent.played", {"histories": tried.histories, "operations": tried.operations})
    hidden = _WITHIN if within is not None else _ONLY if hides else None
    value, reasons = _value(tried, found, apart, hidden=hidden)
    unclear = _unclear(tried, found)
    if value == 0 and unclear is not None:
        value, reasons = None, (unclear,)
    if within is not None and not apart:
        refuted = max((each.epsilon for each in _told_apart(tried.laws, share(TEST), Goal(0.0, within.delta))), default=0.0)
        reasons = (*reasons, Message("state.history_independent.within", {**within._asdict(), "lower": refuted}))
    if value == 0 and _told_apart(tried.laws, share(OPEN), allowed):
        value, reasons = None, (*reasons, Message("state.history_independent.doubted"))
    if value == 0 and quick:
        value, reasons = None, (*reasons, Message("state.history_independent.quick"))
    if not tried.searched:
        reasons = (*reasons, Message("state.history_independent.not-searched"))
    return Finding(
        status=decide_at_most(value, 0.0),
        value=None if value is None else float(value),
        threshold=0.0,
        reasons=(begin, *reasons),
        derived=derived,
        facts=_facts(found, apart) if value else (),
    )


def levels(_context: Context, observed: Observed, _finding: Finding) -> tuple[Level, ...]:
    """Declare the tests of fresh tapes, all laws together; a difference that needs no tape is certain."""
    return (spent(TEST), spent(OPEN)) if observed.tried is not None and observed.tried.laws else ()


def counts(each: Counterexample, commuting: frozenset[str]) -> bool:
    """Whether it is one: the histories mean the same, and the states are not."""
    return each.digests[0] != each.digests[1] and equivalent(*each.sides, commuting)


def _unclear(tried: Tried, found: tuple[Counterexample, ...]) -> Message | None:
    """Why no case was counted and yet nothing is clear: too little was played, or what was found does not fit what is shown."""
    if sum(each.histories for each in tried.played) < LEAST_HISTORIES or tried.histories < 2 * LEAST_HISTORIES:
        return Message("state.history_independent.few")
    differing = any(each.different for each in tried.played)
    return (
        Message("state.history_independent.contradicts")
        if len(found) < len(tried.counterexamples) or (differing and not found)
        else None
    )


def _value(
    tried: Tried, found: tuple[Counterexample, ...], apart: tuple[ToldApart, ...], *, hidden: str | None
) -> tuple[int | None, tuple[Message, ...]]:
    """The distinguishing cases, and how they came about; None where that is open."""
    if not tried.deterministic:
        said = map(_said_apart, apart[:1]) if apart else (Message("state.history_independent.chance-open"),)
        return len(apart) or None, (Message("state.history_independent.chance"), *said)
    if not found:
        same = Message("state.history_independent.same", {"ignores": tried.ignores_tape})
        return len(apart), tuple(map(_said_apart, apart[:1])) or (same,)
    return _of_counterexamples(tried, found, apart, hidden=hidden)


def _of_counterexamples(
    tried: Tried, found: tuple[Counterexample, ...], apart: tuple[ToldApart, ...], *, hidden: str | None
) -> tuple[int | None, tuple[Message, ...]]:
    shortest = min(found, key=lambda each: len(each.left) + len(each.right))
    shown = Message(
        f"state.history_independent.{'answered' if shortest.answers else 'different'}",
        {"cases": len(found), "operations": len(shortest.left) + len(shortest.right), "deletes": _deletes(shortest)},
    )
    if tried.ignores_tape:
        return len(found), (shown,)
    if apart:
        return len(found), (shown, *map(_said_apart, apart[:1]))
    if hidden and tried.laws and min(each.runs for each in tried.laws) >= LEAST_RUNS:
        return 0, (Message(hidden, {"cases": len(found)}),)
    return None, (shown, Message("state.history_independent.fresh-open"))


def _deletes(each: Counterexample) -> bool:
    return any(operation == DELETE for _, operation, _ in (*each.left, *each.right))


def _said_apart(each: ToldApart) -> Message:
    return Message(
        "state.history_independent.fresh",
        {"event": each.event, "left": each.left, "right": each.right, "runs": each.runs, "epsilon": each.epsilon},
    )


def _told_apart(laws: tuple[Law, ...], level: float, allowed: Goal) -> tuple[ToldApart, ...]:
    """The laws that differ for certain by more than is allowed, at a level that they share (Bonferroni)."""
    found = []
    for each in laws:
        if each.left <= each.runs and each.right <= each.runs:
            confidence = 1 - level / len(laws)
            epsilon = epsilon_lower(each.left, each.right, each.runs, confidence=confidence, delta=allowed.delta)
            if epsilon > allowed.epsilon:
                found.append(
                    ToldApart(
                        adversary=each.adversary,
                        adapts=each.adapts,
                        event=each.event.value,
                        left=each.left,
                        right=each.right,
                        runs=each.runs,
                        epsilon=epsilon,
                    )
                )
    return tuple(sorted(found, key=lambda each: -each.epsilon))


def _facts(found: tuple[Counterexample, ...], apart: tuple[ToldApart, ...]) -> tuple[Fact, ...]:
    """What is refuted. Histories that adapt say nothing of strong history independence, which fixes them in advance (Ex. 3.3)."""
    adaptive = fact("adaptively-history-independent", Provenance.REFUTED, Message("fact.history.told-apart"))
    if all(each.adapts for each in found or apart):
        return (adaptive,)
    return (fact("strongly-history-independent", Provenance.REFUTED, Message("fact.history.told-apart")), adaptive)
