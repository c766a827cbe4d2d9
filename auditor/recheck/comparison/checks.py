"""One check in two audits: its status first, then its value, and whether what it was compared with stayed as strict.

A value alone makes nothing worse: where it moved towards its threshold with the same status, something was spent.

By status pass comes before inconclusive, inconclusive before error, error before fail. A check that was measured for information
decides nothing: it ranks with inconclusive, so that neither a fail nor a lost pass can hide behind it. A required
check that was not run counts as inconclusive, as it does for the exit code.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from auditor.base.domain import Check, Status
from auditor.document.editions import FIRST
from auditor.document.evidence import Evidence
from auditor.pages.words.numbers import Printed
from auditor.pages.words.texts import say, text
from auditor.verdict.checks import definitions, derived_in, observed_in
from auditor.verdict.checks.card import Card
from auditor.verdict.checks.readings import AtOrder
from auditor.verdict.request_status import Chain, chains


# What a change between two audits is: better, worse, the same, or not to be compared.
class Direction(StrEnum):
    """Where a result moved from the old audit to the new one."""

    BETTER = "better"
    WORSE = "worse"
    SAME = "same"
    CHANGED = "changed"
    """Different, and neither better nor worse."""
    SPENT = "spent"
    """More is used of what a promise or a threshold allows, and it still allows it: every erasure does that."""
    ONLY_OLD = "only in old"
    ONLY_NEW = "only in new"


@dataclass(frozen=True, slots=True)
class Move:
    """One way in which a result moved."""

    direction: Direction
    reason: str


@dataclass(frozen=True, slots=True)
class Change:
    """One result, or one condition of the audit, in both audits."""

    kind: str
    """verdict, check, guarantee, policy or claim."""
    id: str
    direction: Direction
    old: str
    """The result in the old audit in a word or two; empty where it has none."""
    new: str
    reason: str
    """Why; empty where nothing moved."""


def joined(kind: str, identity: str, old: str, new: str, moves: Iterable[Move]) -> Change:
    """One change out of its moves: worse if any is worse, else spent, else better if any is, else what the others say."""
    found = [move for move in moves if move.direction is not Direction.SAME or move.reason]
    order = (Direction.WORSE, Direction.SPENT, Direction.BETTER, Direction.ONLY_OLD, Direction.ONLY_NEW, Direction.CHANGED)
    directions = {move.direction for move in found}
    direction = next((item for item in order if item in directions), Direction.SAME)
    return Change(kind, identity, direction, old, new, "; ".join(move.reason for move in found))


def shown(value: float | str | None) -> str:
    """A number in six significant digits, a word as it is, "none" where there is none."""
    if value is None:
        return text("diff-none")
    return value if isinstance(value, str) else f"{Printed(value):.6g}"


def closer(old: float | None, new: float | None, *, smaller_is: Direction, name: str) -> tuple[Move, ...]:
    """The move of a bound or threshold; no bound at all counts as infinitely loose.

    Args:
        old: In the old audit; None where there is none.
        new: In the new audit.
        smaller_is: BETTER where smaller is stricter, WORSE where larger is.
        name: What it is called in the reason.
    """
    if old == new:
        return ()
    loosest = math.inf if smaller_is is Direction.BETTER else -math.inf
    before, after = loosest if old is None else old, loosest if new is None else new
    tighter = (after < before) == (smaller_is is Direction.BETTER)
    said = text("diff-tighter" if tighter else "diff-looser", name=name, old=shown(old), new=shown(new))
    return (Move(Direction.BETTER if tighter else Direction.WORSE, said),)


@dataclass(frozen=True, slots=True)
class Moved:
    """One request in both audits."""

    request_id: str
    old: str
    """Where it stood: what the log records, what was found of its data, what can be said of the model, the deadline."""
    new: str


def moved(old: Evidence, new: Evidence) -> tuple[Moved, ...]:
    """List the requests that both logs name and that hold otherwise now, in the order of the new log.

    An id that is on several rows of a log says nothing of one request, and is left out.
    """
    before, after = _standings(old), _standings(new)
    return tuple(
        Moved(request_id, said, after[request_id])
        for request_id in after
        if (said := before.get(request_id)) is not None and said != after[request_id]
    )


def _standings(evidence: Evidence) -> dict[str, str]:
    counts = Counter(each.request_id for each in evidence.requests)
    found = zip(evidence.requests, chains(evidence), strict=True)
    return {request.request_id: said(chain) for request, chain in found if counts[request.request_id] == 1}


def said(chain: Chain) -> str:
    """Where a request stands, in a few words."""
    parts = [text("diff-recorded", status=chain.recorded)]
    if chain.data is not None:
        parts.append(text("diff-data", found=chain.data.value))
    if chain.model is not None:
        parts.append(text("diff-model", standing=chain.model.value))
    if chain.late:
        parts.append(text("diff-late"))
    return ", ".join(parts)


Orders: TypeAlias = tuple[float, float]
"""In the old audit and in the new one."""
_RANKS: Final = {Status.PASS: 3, Status.INCONCLUSIVE: 2, Status.SKIPPED: 2, Status.ERROR: 1, Status.FAIL: 0}
_ROUNDING: Final = 1e-9
_UNKNOWN: Final = Card(id="", place=0, since=FIRST, title="", question="", unit="", failure="", remedy="")
"""Stands for a check that this version does not know: it is compared as one whose smaller values are better."""


def compare_check(
    old: Check | None,
    new: Check | None,
    *,
    was_required: bool,
    is_required: bool,
    orders: tuple[float | None, float | None] = (None, None),
) -> Change:
    """One check in both audits.

    Args:
        old: The check in the old audit; None where that audit does not list it.
        new: The check in the new audit.
        was_required: Whether the old audit required it.
        is_required: Whether the new audit requires it.
        orders: What it is stated at in either audit, as `order_of` gives it.

    Raises:
        ValueError: If neither audit lists it.
    """
    if (listed := old or new) is None:
        raise ValueError("a check that neither audit lists")
    moves = list(_requirement(was_required=was_required, is_required=is_required))
    ran, runs = has_run(old), has_run(new)
    if old is not None and new is not None and ran and runs:
        differing = _orders(*orders)
        threshold = _threshold(old, new, differing)
        loosened = any(move.direction is Direction.WORSE for move in threshold)
        moves += [*threshold, *_status(old, new, differing, loosened=loosened)]
    elif ran or runs:
        moves += _in_one_only(old if ran else new, ran=ran, was_required=was_required, is_required=is_required)
    return joined("check", listed.id, _words(old), _words(new), moves)


def has_run(check: Check | None) -> bool:
    """Whether the check came to a result, tried to, or was measured for information."""
    return check is not None and (check.status is not Status.SKIPPED or check.value is not None)


def _card(check: Check) -> Card:
    known = definitions().get(check.id)
    return _UNKNOWN if known is None else known.card


def _requirement(*, was_required: bool, is_required: bool) -> tuple[Move, ...]:
    if was_required == is_required:
        return ()
    if was_required:
        return (Move(Direction.WORSE, say("diff-no-longer-required")),)
    return (Move(Direction.BETTER, say("diff-newly-required")),)


def _in_one_only(check: Check | None, *, ran: bool, was_required: bool, is_required: bool) -> tuple[Move, ...]:
    failed = check is not None and check.status in {Status.FAIL, Status.ERROR}
    if ran:
        if not was_required:
            return (Move(Direction.ONLY_OLD, say("diff-not-run-any-more")),)
        return (Move(Direction.WORSE, say("diff-required-not-run-any-more")),)
    if failed and (was_required or is_required):
        return (Move(Direction.WORSE, say("diff-required-does-not-pass")),)
    if was_required and check is not None and check.status is Status.PASS:
        return (Move(Direction.BETTER, say("diff-required-passes")),)
    return (Move(Direction.ONLY_NEW, say("diff-not-run-before")),)


def _orders(before: float | None, after: float | None) -> Orders | None:
    """The Rényi orders that two checks are stated at, where they differ: an ε at one cannot be compared with an ε at another."""
    return (before, after) if before is not None and after is not None and before != after else None


def order_of(check: Check | None, version: str) -> float | None:
    """The order that a check of a document is stated at; None where there is none, or what the document says cannot be read.

    Args:
        check: As the document has it; None where it does not list it.
        version: The version that wrote the document.
    """
    if check is None or check.id not in definitions(version):
        return None
    try:
        derived, observed = derived_in(check, version), observed_in(check, version)
    except ValueError:
        return None
    if isinstance(derived, AtOrder):
        return derived.order
    return observed.order if isinstance(observed, AtOrder) else None


def _threshold(old: Check, new: Check, orders: Orders | None) -> tuple[Move, ...]:
    if orders is not None:
        smaller = orders[1] < orders[0]
        return (
            Move(
                Direction.WORSE if smaller else Direction.CHANGED,
                say("diff-order-moved", old=shown(orders[0]), new=shown(orders[1])),
            ),
        )
    if old.threshold == new.threshold:
        return ()
    if old.status is not new.status and any(each.threshold is None and each.value is None for each in (old, new)):
        return ()  # nothing was measured in one of them, and so held against a threshold: the status says it
    card = _card(old)
    if card.own_threshold and old.threshold is not None and new.threshold is not None:
        return (Move(Direction.SAME, say("diff-own-threshold-moved", old=shown(old.threshold), new=shown(new.threshold))),)
    if card.target is not None:
        return (Move(Direction.WORSE, say("diff-target-moved", old=shown(old.threshold), new=shown(new.threshold))),)
    smaller_is = Direction.WORSE if card.direction == "at least" else Direction.BETTER
    return closer(old.threshold, new.threshold, smaller_is=smaller_is, name=text("diff-threshold"))


def _status(old: Check, new: Check, orders: Orders | None, *, loosened: bool) -> tuple[Move, ...]:
    before, after = _RANKS[old.status], _RANKS[new.status]
    if after < before:
        return (Move(Direction.WORSE, f"{_words(old)} → {_words(new)}"),)
    if after > before:
        if loosened:
            return (Move(Direction.CHANGED, say("diff-against-looser", old=_words(old), new=_words(new))),)
        return (Move(Direction.BETTER, f"{_words(old)} → {_words(new)}"),)
    return _value(old, new, orders)


def _value(old: Check, new: Check, orders: Orders | None) -> tuple[Move, ...]:
    before, after = old.value, new.value
    if orders is not None and before is not None and after is not None:
        return (Move(Direction.CHANGED, say("diff-value-other-order", old=shown(before), new=shown(after))),)
    if before is None or after is None:
        if before is after:
            return ()
        return (
            Move(Direction.CHANGED, say("diff-no-value-any-more"))
            if after is None
            else Move(Direction.BETTER, say("diff-has-value-now")),
        )
    if math.isclose(before, after, rel_tol=_ROUNDING, abs_tol=0.0):
        return ()
    words = say("diff-value-moved", old=shown(before), new=shown(after))
    card = _card(old)
    if card.unsteady:
        move = Move(Direction.SAME, f"{words}: {card.unsteady}")
    elif card.direction == "either way":
        move = Move(Direction.CHANGED, say("diff-depends-on-metric", said=words))
    elif _overlap(old.interval or (before, before), new.interval or (after, after)):
        move = Move(Direction.SAME, say("diff-intervals-overlap", said=words))
    else:
        move = Move(Direction.BETTER if _is_better(card, before, after) else Direction.SPENT, words)
    return (move,)


def _overlap(first: tuple[float, float], second: tuple[float, float]) -> bool:
    return first[0] <= second[1] and second[0] <= first[1]


def _is_better(card: Card, old: float, new: float) -> bool:
    if card.target is not None:
        return abs(new - card.target) < abs(old - card.target)
    return new > old if card.direction == "at least" else new < old


def _words(check: Check | None) -> str:
    if check is None or not has_run(check):
        return say("diff-not-run")
    return "informative" if check.status is Status.SKIPPED else check.status.value
