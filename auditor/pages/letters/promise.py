"""Work out what a promise says of one person, from what was declared and the person's own records alone.

What the log's erasures used up of a limit depends on everybody's requests: a letter that gave it would tell something of other
people. So a letter gives the limit that was declared beforehand and that the audit found kept, for as many records as the person
has: a bound that is at most looser. A test changes every other request and finds the same letter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from auditor.base.domain import Check, Guarantee, Standing
from auditor.maths.certificates.orders import best_membership, linear
from auditor.maths.certificates.rounding import ceiling, finite
from auditor.parts.data_deletion.judging.goals import goal
from auditor.parts.removal.rules.extractor import both, of_group
from auditor.parts.removal.theorems import RETRAINING
from auditor.settings.certified_removal import removal_of
from auditor.verdict.checks import the
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.promise import right_guesses, right_guesses_of
from auditor.verdict.guarantees import CERTIFIED_REMOVAL, CONTROL, DATA_DELETION, pledge_to_one
from auditor.verdict.reliance import HOLDING

COVERING_ONE_BATCH: Final = "5.2"
"""The theorem that covers the records that a person had erased together, and no others."""
WITH_OTHER_RECORDS: Final = "twins"


class PromisePart(BaseModel):
    """The best promise for one person: a limit, and what it leaves to guess."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)

    guarantee: str
    """Its id."""
    status: Standing
    epsilon: float
    """The limit for all records of the person together."""
    delta: float | None
    """Its δ; null where the limit is a Rényi one."""
    order: float | None
    """The Rényi order of the limit; null where it has none."""
    records: int
    """How many records of the person it covers."""
    person: bool
    """Whether those are all that the person has, by the controller's word; else those of the requests."""
    share: float
    """The largest share of right guesses that it leaves, between 0.5 and 1."""
    statements: tuple[str, ...]
    """The controller's statements that it rests on, by the names that `[claims] attested` takes."""


@dataclass(frozen=True, slots=True)
class Own:
    """The person's own part in the log."""

    records: int
    """That were erased, at least 1."""
    requests: int
    """That they were erased on."""
    whole: bool
    """Whether nobody has more records than the log names for them, by the controller's word."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit for all records of one person together."""

    epsilon: float
    delta: float | None = None
    order: float | None = None

    @property
    def share(self) -> float:
        """The share of right guesses that it leaves."""
        return share_of(epsilon=self.epsilon, delta=self.delta, order=self.order)


def share_of(*, epsilon: float, delta: float | None, order: float | None) -> float:
    """Bound the share of right guesses between two worlds, one with the person's records, rounded up.

    Args:
        epsilon: The limit for all of these records, at least 0.
        delta: Its δ, between 0 and 1; None for 0.
        order: Its Rényi order, above 1; None where it has none.
    """
    if order is None:
        return right_guesses(epsilon, delta or 0.0)
    # The world without the records is taken to be no law of the bound: whether it is depends on what others had seen.
    return right_guesses_of(best_membership(linear(order, epsilon, most=order)).bound)


def best(
    context: Context,
    guarantees: Iterable[Guarantee],
    checks: Mapping[str, Check],
    own: Own,
    *,
    covering: Collection[str],
    kept: Collection[str],
    statements: Mapping[str, tuple[str, ...]],
) -> PromisePart | None:
    """Choose the promise that leaves least to guess about one person; None where none has a number.

    Args:
        context: What was declared.
        guarantees: Every guarantee.
        checks: Every check by its id.
        own: The person's part in the log.
        covering: Ids of the guarantees that cover the request.
        kept: Keys of the claims that hold: each holds for every person with all of their records.
        statements: By the id of each guarantee, the controller's statements that it rests on.
    """
    found = [
        PromisePart(
            guarantee=each.id,
            status=each.status,
            epsilon=limit.epsilon,
            delta=limit.delta,
            order=limit.order,
            records=own.records,
            person=own.whole,
            share=limit.share,
            statements=statements[each.id],
        )
        for each in guarantees
        if each.id in covering and each.status in HOLDING
        for limit in _limits(context, each, checks, own, kept)
    ]
    return min(found, key=lambda one: (one.share, one.guarantee), default=None)


def _limits(
    context: Context, guarantee: Guarantee, checks: Mapping[str, Check], own: Own, kept: Collection[str]
) -> Iterator[Limit]:
    """Every declared limit that a guarantee keeps to for this person, none with others' requests in it."""
    match guarantee.id:
        case each if each == CERTIFIED_REMOVAL:
            yield from _of_removal(context, guarantee, own)
        case each if each == DATA_DELETION:
            yield from _of_deletion(context, guarantee, own, kept)
        case each if each == CONTROL:
            yield from _of_control(context, guarantee, checks, own, kept)


def _of_removal(context: Context, guarantee: Guarantee, own: Own) -> Iterator[Limit]:
    """What procedure, claim and policy allow a release; where the model was retrained, 0. An extractor's cost comes on top.

    The criterion was held against the smallest of them, the cost of all removed records in a private extractor taken off what
    claim and policy allow: with the cost of this person's records alone the sum is no more than that, nor than the procedure's
    own and that cost; where the extractor alone costs more than they allow, the removal costs nothing.
    """
    removal, retrained = removal_of(context.procedure), guarantee.derivation[0].rule.startswith(RETRAINING.id)
    spent = (0.0, 0.0)
    if removal is not None and removal.extractor is not None:
        spent = of_group(removal.extractor.epsilon, removal.extractor.delta, own.records)
    if retrained:
        yield Limit(*spent)
    elif removal is not None:
        claim, policy = context.claims.certified_removal, context.policy
        epsilon = _least(removal.epsilon, (claim.epsilon if claim else None, policy.max_epsilon), spent[0])
        delta = _least(removal.delta, (claim.delta if claim else None, policy.max_delta), spent[1])
        if epsilon is not None and delta is not None:
            yield Limit(epsilon, min(1.0, delta))


def _least(own: float | None, wholes: Iterable[float | None], cost: float) -> float | None:
    """The smallest of what is named for the removal, with the cost on top, and for both together."""
    named = [*([both(own, cost)] if own is not None else []), *(each for each in wholes if each is not None)]
    return max(cost, min(named)) if named else None


def _of_deletion(context: Context, guarantee: Guarantee, own: Own, kept: Collection[str]) -> Iterator[Limit]:
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


def _of_control(
    context: Context, guarantee: Guarantee, checks: Mapping[str, Check], own: Own, kept: Collection[str]
) -> Iterator[Limit]:
    """What the noise of a training gives one record, as a group of k: it is never repeated here, and depends on no request."""
    if not guarantee.terms.get("by_noise"):
        if guarantee.epsilon is not None and guarantee.delta is not None:
            yield Limit(guarantee.epsilon, guarantee.delta)
        return
    claim = context.claims.dp
    if claim is not None and "dp" in kept:
        yield Limit(claim.epsilon, claim.delta)
    found: Mapping[str, Any] = checks[the(Role.TRAINING_NOISE, context.version)].derived or {}
    epsilon, delta = found.get("epsilon"), found.get("delta")
    if isinstance(epsilon, int | float) and isinstance(delta, int | float):
        pledge = pledge_to_one(float(epsilon), float(delta), records=own.records)
        if pledge is not None:
            yield Limit(pledge.epsilon, pledge.delta)
