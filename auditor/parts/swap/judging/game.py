"""How large a game of the SWAP test is, and why there may be none to play.

The training records are cut into a target and a shadow half. A swap pair is a split of the target half into R, F and T with
|F| = |T|; the game is played on (R, F, T) and on (R, T, F) (Tu, Hu and Ma, Section 3.3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from auditor.base.domain import Message, Status
from auditor.maths.statistics import ENOUGH_PAIRS
from auditor.parts.release.judging import release_exact
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Earlier

LEAST_FORGOTTEN: Final = 5
"""With fewer records to forget the test says nothing (contract)."""
LEAST_PAIRS: Final = ENOUGH_PAIRS
"""Pairs that a pass of the controller's own code takes; fewer are a weakening of the policy."""
BLIND: Final = 0.01
"""An attack that, within each class, takes fewer than one record in a hundred for another than all the rest is blind."""
MOST_DRAWS: Final = 1000
"""Draws of one split before it is given up."""

LEAST_CANARIES: Final = 40
"""With fewer a single run could refute next to nothing."""

Cause: TypeAlias = Literal["few-canaries", "few-to-forget", "no-split", "one-run"]
"""Why no game can be played: F would be too small, no split has every class in its training sets, or one run is asked."""

EXACT: Final = release_exact.CARD.id
PLAYED: Final = ("swap.quality", "swap.strong", "swap.controls")
"""The checks that a game is played for."""
QUICK: Final = Message("swap.quick")


@dataclass(frozen=True, slots=True)
class Split:
    """How many records each part of a split holds."""

    target: int
    """The game's D: R, F and T together."""
    retained: int
    """|R|"""
    forgotten: int
    """|F| = |T|"""


def sizes(records: int, alpha: float) -> tuple[int, int]:
    """Work out |R| and |F| for a target half of that many records, |F| / |R ∪ F| as near to alpha as whole records allow."""
    forgotten = round(alpha * records / (1 + alpha))
    return records - 2 * forgotten, forgotten


def canaries(records: int, alpha: float) -> int:
    """Count the records whose learning a coin decides in a single run: twice as many as alpha gives on all records."""
    return 2 * sizes(records, alpha)[1]


def guessed(count: int) -> int:
    """Count the guesses at so many canaries, fixed beforehand: the eighths that look most and least learned.

    Most models remember few of their records, and a guess at any other is a coin itself.
    """
    return 2 * (count // 8)


def declared_split(context: Context) -> Split:
    """Work out the sizes that the declared data and `[swap]` give."""
    target = context.case.training_records // 2
    return Split(target, *sizes(target, context.swap.alpha))


def decisions(forgotten: Iterable[int]) -> int:
    """Count the records that an attack decides on, each once as forgotten and once as unseen: the sum of 2|F| over pairs."""
    return 2 * sum(forgotten)


def unproven(context: Context, earlier: Earlier) -> bool:
    """Whether the controller's own code made a release that is not known to be exact: then a game has more to show."""
    exact = earlier.get(EXACT)
    return context.procedure.foreign and (exact is None or exact.status is not Status.PASS)


def asked_by(check_id: str) -> Callable[[Context, Earlier], Message | None]:
    """Give the rule by which a check of the game applies: it needs classes, and a release that is not known to be exact.

    Where the very release is what training without the deleted records gives, a game with other records could add nothing.

    Args:
        check_id: Of the check; where the policy lists it, the game is played all the same.
    """

    def applies(context: Context, earlier: Earlier) -> Message | None:
        if not context.classifies:
            return Message("swap.regression")
        if earlier[EXACT].status is Status.PASS and check_id not in (context.policy.required or ()):
            return Message("swap.release-exact")
        return None

    return applies


def unplayable(cause: Cause, *, records: int, alpha: float) -> Message:
    """Say why there is no game.

    Args:
        cause: The cause.
        records: Of the training data.
        alpha: The declared |F| / |R ∪ F|.
    """
    match cause:
        case "few-to-forget":
            _, forgotten = sizes(records // 2, alpha)
            given = {"records": records, "alpha": alpha, "forgotten": forgotten, "least": LEAST_FORGOTTEN}
            return Message("swap.unplayable.few-to-forget", given)
        case "few-canaries":
            given = {"records": records, "alpha": alpha, "canaries": canaries(records, alpha), "least": LEAST_CANARIES}
            return Message("swap.unplayable.few-canaries", given)
        case "no-split":
            return Message("swap.unplayable.no-split", {"draws": MOST_DRAWS})
        case "one-run":
            return Message("swap.unplayable.one-run")


def why_unplayable(cause: Cause, context: Context) -> Message:
    """Say why there is no game on the declared data."""
    return unplayable(cause, records=context.case.training_records, alpha=context.swap.alpha)
