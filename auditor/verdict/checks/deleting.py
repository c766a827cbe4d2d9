"""When deletion games are played, how large they are, and why there may be none: shared by `inference.*` and `reconstruction.*`.

The games retrain the procedure many hundreds of times, and ask what somebody learns who sees the model before and after a
deletion. So they are played where somebody is said to see both, or where the policy asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from auditor import __version__
from auditor.base.domain import Message, Status
from auditor.maths.statistics import clopper_pearson, trials_needed
from auditor.verdict.checks import with_role
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding
from auditor.verdict.checks.levels import Level, pass_needs, share, spent

LEAST_RECORDS: Final = 20
"""With fewer training records a game says nothing."""
MOST_DRAWS: Final = 1000
"""Draws of one game's records before it is given up."""
SEVERAL: Final = (2, 5, 10, 20)
"""Sizes of the batches that one record is deleted with, as far as the records allow."""
QUICK_GAMES: Final = 50
"""Games of a quick run, which decides nothing."""

Family: TypeAlias = Literal["inference", "reconstruction"]
Cause: TypeAlias = Literal["few-records", "no-split"]
"""Why no game can be played: there are too few records, or no draw leaves a record of every class."""


def games(version: str = __version__) -> tuple[str, ...]:
    """List the ids of the checks that play them, as a version has them."""
    return (*with_role(Role.NAMES_DELETED, version), *with_role(Role.REBUILDS, version))


def limit(context: Context, family: Family) -> float | None:
    """The share of games that the policy lets an adversary win at most; None where it says nothing.

    `max_compliance_epsilon` = e is read as `max_inference` = (1 + e)/2; of two limits the stricter one holds.
    """
    policy = context.policy
    if family == "reconstruction":
        return policy.max_reconstruction
    compliance = None if policy.max_compliance_epsilon is None else (1 + policy.max_compliance_epsilon) / 2
    return min((each for each in (policy.max_inference, compliance) if each is not None), default=None)


def asked(context: Context, check_id: str) -> bool:
    """Whether the games of a check are to be played: the policy or the command line asks, or both models are said to be seen.

    Args:
        context: What was declared.
        check_id: Of the check.
    """
    family: Family = "reconstruction" if check_id in with_role(Role.REBUILDS, context.version) else "inference"
    return (
        context.policy.before_and_after
        or limit(context, family) is not None
        or check_id in (context.policy.required or ())
        or check_id in (context.audit.only or ())
    )


def not_asked(context: Context, check_id: str) -> Message | None:
    """Why the games of a check are not played; None where they are."""
    return None if asked(context, check_id) else Message("deleting.not-asked")


def unplayable(cause: Cause, *, records: int) -> Message:
    """Say why there is no game on so many training records."""
    given = {"records": records, "least": LEAST_RECORDS, "draws": MOST_DRAWS}
    match cause:
        case "few-records":
            return Message("deleting.few-records", given)
        case "no-split":
            return Message("deleting.no-split", given)


Counted: TypeAlias = tuple[int, int]
"""Games won, and games played."""


def above(counted: Counted, largest: float, *, test: str, among: int) -> bool:
    """Whether an attack wins more than is allowed, at a level at which games may fail a case: exact, one-sided.

    Args:
        counted: What the attack won. Each game may have a chance of its own, as long as none is above the limit on average
            (Hoeffding 1956, Theorem 4).
        largest: The share of games that may be won.
        test: The share of the level that all attacks have together.
        among: How many they are.
    """
    right, games = counted
    return clopper_pearson(right, games, confidence=1 - 2 * share(test) / among).low > largest


def fail_if_certain(counted: Sequence[Counted], largest: float, *named: Message, test: str) -> tuple[Status, tuple[Message, ...]]:
    """Fail where some attack wins so much that a case may fail for it; else leave open, and say how many games would do.

    Args:
        counted: What every attack won.
        largest: The share of games that may be won.
        named: What a failure says.
        test: The share of the level that all attacks have together.
    """
    if any(above(each, largest, test=test, among=len(counted)) for each in counted):
        return Status.FAIL, named
    level = share(test) / len(counted)
    needed = [trials_needed(right / games, largest, level=level) for right, games in counted]
    least = min((each for each in needed if each is not None), default=None)
    games = max(games for _, games in counted)
    return Status.INCONCLUSIVE, (Message("deleting.not-certain", {"games": games, "needed": least}),)


def levels_of_games(finding: Finding, counted: Sequence[Counted], *, test: str, confidence: float) -> tuple[Level, ...]:
    """Declare the exact test by which games fail, where all of them won would, and the risk of the limit that a pass needs."""
    largest = finding.threshold
    if largest is None or finding.status is Status.SKIPPED or not counted:
        return ()
    able = any(above((games, games), largest, test=test, among=len(counted)) for _, games in counted)
    return (*((spent(test),) if able else ()), pass_needs(f"{test}-limit", (1 - confidence) / 2))
