"""What data deletion says: in words, and as a limit for one person."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import Final

from auditor.base.domain import Check, Guarantee
from auditor.maths.certificates.orders import best_membership, linear
from auditor.maths.certificates.rounding import ceiling, finite
from auditor.pages.letters.promise import Limit, Limits, Own
from auditor.pages.words.guarantees import Statements, right
from auditor.pages.words.guesses import of_advantage
from auditor.pages.words.texts import text
from auditor.parts.data_deletion.judging.goals import goal
from auditor.verdict.checks.context import Context
from auditor.verdict.guarantees import DATA_DELETION
from auditor.verdict.strength import guesses

COVERING_ONE_BATCH: Final = "5.2"
"""The theorem that covers the records that a person had erased together, and no others."""
WITH_OTHER_RECORDS: Final = "twins"


def _stated(guarantee: Guarantee) -> str:
    return _deletion(guesses(guarantee), **guarantee.terms)


def _deletion(
    share: float | None,
    *,
    order: float,
    epsilon: float | None,
    source: str | None,
    seen: int,
    advantage: float | None = None,
    records: int = 1,
    of: str = "request",
) -> str:
    whose = text("guarantee-deletion-person" if of == "person" else "guarantee-deletion-request")
    if epsilon is None:
        first, holds = text("guarantee-deletion-none", whose=whose), "none"
    else:
        if share is None:
            bound = best_membership(linear(order, epsilon, most=order)).bound if advantage is None else advantage
            share = of_advantage(bound)
        # Where runs were measured, nothing is proved of others.
        first, holds = _first(share, source, whose), "measured" if source == "twins" else "shown"
    covers = text("guarantee-deletion-covers", holds=holds, seen=seen)
    several = text("guarantee-deletion-several", records=str(records)) if records > 1 and epsilon else ""
    others = "" if of == "person" else text("guarantee-deletion-others")
    return " ".join(each for each in (first, covers, several, others, text("guarantee-deletion-before")) if each)


def _first(share: float, source: str | None, whose: str) -> str:
    if source == "twins":
        return text("guarantee-deletion-twins", whose=whose)
    if share >= 1:
        return text("guarantee-deletion-loose", whose=whose)
    return text("guarantee-deletion-right", whose=whose, right=right(share))


def _limits(
    context: Context, guarantee: Guarantee, _checks: Mapping[str, Check], own: Own, kept: Collection[str]
) -> Iterator[Limit]:
    """What claim and policy allow for one record, k² times for k of them, and a claim that is kept to every person.

    Where runs with other records gave the same models it is 0.
    """
    aim, source = goal(context.claims, context.policy, context.procedure), guarantee.terms.get("source")
    claim = context.claims.data_deletion
    if source == WITH_OTHER_RECORDS:
        yield Limit(0.0, order=aim.order)
        return
    if claim is not None and "data_deletion" in kept:
        yield Limit(claim.epsilon, order=aim.order)
    together = None if aim.threshold is None else finite(ceiling(Fraction(aim.threshold) * own.records**2))
    if together is not None and not (source == COVERING_ONE_BATCH and own.requests > 1):
        yield Limit(together, order=aim.order)


STATEMENTS: Final[Statements] = {DATA_DELETION: _stated}
LIMITS: Final[Limits] = {DATA_DELETION: _limits}
