"""Work out what a promise says of one person, from what was declared and the person's own records alone.

What the log's erasures used up of a limit depends on everybody's requests: a letter that gave it would tell something of other
people. So a letter gives the limit that was declared beforehand and that the audit found kept, for as many records as the person
has: a bound that is at most looser. A test changes every other request and finds the same letter. The report, which gives what
was used up, names the number of letters next to its own. Both are read off trade-off functions by one function.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from auditor.base.domain import Check, ClaimStatus, Guarantee
from auditor.base.parts import modules
from auditor.base.promises import Approximate, Promise
from auditor.maths.certificates.renyi import best_membership, linear
from auditor.maths.tradeoff.combining import several
from auditor.maths.tradeoff.reading import right_guesses
from auditor.verdict.checks.context import Context
from auditor.verdict.reliance import HOLDING

Origin: TypeAlias = Literal["declared", "retrained", "derived"]
"""Of a limit: somebody declared it; nobody did, as the update leaves nothing behind; or it follows from how the model is made."""


class PromisePart(BaseModel):
    """The best promise for one person: a limit, and what it leaves to guess."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)

    guarantee: str
    """Its id."""
    status: ClaimStatus
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
    unsaid: tuple[str, ...] = Field(default=(), exclude_if=lambda value: value == ())
    """Those of the statements that nobody makes."""
    promise: Promise | None = Field(default=None, exclude_if=lambda value: value is None)
    """What keeping within the limit promises, where the mechanism makes it more than the limit says."""
    origin: Origin = Field(default="declared", exclude_if=lambda value: value == "declared")
    """Where the limit comes from."""


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
    promise: Promise | None = None
    """What keeping within it promises, where the mechanism makes it more than the limit says."""
    origin: Origin = "declared"

    @property
    def share(self) -> float:
        """The share of right guesses that it leaves."""
        return share_of(epsilon=self.epsilon, delta=self.delta, order=self.order, promise=self.promise)


Limits: TypeAlias = Mapping[str, Callable[[Context, Guarantee, Mapping[str, Check], Own, Collection[str]], Iterator[Limit]]]
"""What lists every declared limit that a guarantee keeps to for one person, none with others' requests in it, by the guarantee's
id: from what was declared, the guarantee, every check, the person's own part, and the keys of the claims that hold."""


@cache
def _limits() -> Limits:
    """Collect what parts say of their guarantees."""
    return {name: limits for module in modules("statements") for name, limits in module.LIMITS.items()}


def share_of(*, epsilon: float, delta: float | None, order: float | None, promise: Promise | None = None) -> float:
    """Bound the share of right guesses between two worlds, one with the person's records, rounded up.

    Both hold, the limit and what keeping within it promises, so that the one with fewer right guesses counts.

    Args:
        epsilon: The limit for all of these records, at least 0.
        delta: Its δ, between 0 and 1; None for 0.
        order: Its Rényi order, above 1; None where it has none.
        promise: See `Limit`.
    """
    if order is None:
        stated = Approximate(epsilon=epsilon, delta=delta or 0.0)
    else:
        # The world without the records is taken to be no law of the bound: whether it is depends on what others had seen. What
        # is left is a total variation, a δ at ε = 0.
        stated = Approximate(epsilon=0.0, delta=best_membership(linear(order, epsilon, most=order)).bound)
    return right_guesses(several([stated] if promise is None else [promise, stated]))


def best(
    context: Context,
    guarantees: Iterable[Guarantee],
    checks: Mapping[str, Check],
    own: Own,
    *,
    covering: Collection[str],
    kept: Collection[str],
    statements: Mapping[str, tuple[str, ...]],
    unsaid: tuple[str, ...] = (),
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
        unsaid: What each rests on as well, and nobody says.
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
            statements=(*statements[each.id], *unsaid),
            unsaid=unsaid,
            promise=limit.promise,
            origin=limit.origin,
        )
        for each in guarantees
        if each.id in covering and each.id in _limits() and each.status in HOLDING
        for limit in _limits()[each.id](context, each, checks, own, kept)
    ]
    return min(found, key=lambda one: (one.share, one.guarantee), default=None)
