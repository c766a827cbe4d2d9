"""What a change between two audits is: better, worse, the same, or not to be compared."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from auditor.pages.words.numbers import Printed
from auditor.pages.words.texts import text


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
