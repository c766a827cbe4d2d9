"""What data deletion says: in words, and as a limit for one person."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import Final

from auditor.base.domain import Check, DeletionTerms, Guarantee
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


def _deletion(guarantee: Guarantee) -> str:
    terms, share = guarantee.terms, guesses(guarantee)
    if not isinstance(terms, DeletionTerms):
        raise TypeError(f"{guarantee.id} is stated without its terms")
    whose = text("guarantee-deletion-person" if terms.of == "person" else "guarantee-deletion-request")
    if terms.epsilon is None:
        first, holds = text("guarantee-deletion-none", whose=whose), "none"
    else:
        if share is None:
            share = of_advantage(_told_apart(terms.order, terms.epsilon) if terms.advantage is None else terms.advantage)
        # Where runs were measured, nothing is proved of others.
        first, holds = _first(share, terms.source, whose), "measured" if terms.source == "twins" else "shown"
    covers = text("guarantee-deletion-covers", holds=holds, seen=terms.seen)
    several = text("guarantee-deletion-several", records=str(terms.records)) if terms.records > 1 and terms.epsilon else ""
    others = "" if terms.of == "person" else text("guarantee-deletion-others")
    return " ".join(each for each in (first, covers, several, others, text("guarantee-deletion-before")) if each)


def _told_apart(order: float, epsilon: float) -> float:
    return best_membership(linear(order, epsilon, most=order)).bound


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
    aim, terms = goal(context.claims, context.policy, context.procedure), guarantee.terms
    source = terms.source if isinstance(terms, DeletionTerms) else None
    claim = context.claims.data_deletion
    if source == WITH_OTHER_RECORDS:
        yield Limit(0.0, order=aim.order)
        return
    if claim is not None and "data_deletion" in kept:
        yield Limit(claim.epsilon, order=aim.order)
    together = None if aim.threshold is None else finite(ceiling(Fraction(aim.threshold) * own.records**2))
    if together is not None and not (source == COVERING_ONE_BATCH and own.requests > 1):
        yield Limit(together, order=aim.order)


STATEMENTS: Final[Statements] = {DATA_DELETION: _deletion}
LIMITS: Final[Limits] = {DATA_DELETION: _limits}
