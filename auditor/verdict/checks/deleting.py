"""When deletion games are played, how large they are, and why there may be none: shared by `inference.*` and `reconstruction.*`.

The games retrain the procedure many hundreds of times, and ask what somebody learns who sees the model before and after a
deletion. So they are played where somebody is said to see both, or where the policy asks.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from auditor import __version__
from auditor.base.domain import Message
from auditor.verdict.checks import with_role
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.context import Context

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
