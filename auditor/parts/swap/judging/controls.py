"""`swap.controls`: retraining under common random numbers, which must come out at exactly 1."""

from __future__ import annotations

from typing import Final, Self

from pydantic import Field, model_validator

from auditor.base.domain import Message, Status
from auditor.parts.swap.cards import SWAP_CONTROLS
from auditor.parts.swap.judging.estimates import Advantages, in_order, require_alike, table
from auditor.parts.swap.judging.game import QUICK, Cause, asked_by, why_unplayable
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding, Values, inconclusive
from auditor.verdict.decisions import decide_exactly

CARD: Final = SWAP_CONTROLS

CANCELLED: Final = 1.0
"""The quality of models that are the same on both sides of a pair."""


class Observed(Values):
    """Models retrained on R with the same seeds on both sides of a pair."""

    unplayable: Cause | None = None
    """Why there was no game; nothing else was observed then."""
    pair_advantages: Advantages = Field(default_factory=dict)
    identical: bool = False
    """Whether the models of both sides of every pair gave the same outputs, bit for bit."""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        require_alike(self.pair_advantages)
        return self


class Derived(Values):
    """What equal outputs say of the learner."""

    deterministic: bool
    """Whether the learner gives the same model for the same data and seed."""
    pairs: int


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Hold the quality of retraining against 1.

    Retraining depends on R and the seed alone. What differs where the outputs do is the learner's own doing and no mark of
    unlearning, so that a learner which is not deterministic cannot be held to account by this control.
    """
    if observed.unplayable is not None:
        return inconclusive(Message("swap.not-shown", {"why": why_unplayable(observed.unplayable, context)}))
    value, identical = quality_of_control(observed.pair_advantages), observed.identical
    pairs = len(next(iter(observed.pair_advantages.values())))
    reasons = [Message("swap.controls.retrained", {"pairs": pairs, "identical": identical})]
    if not identical:
        reasons.append(Message("swap.controls.not-deterministic"))
    if context.quick:
        reasons.append(QUICK)
    decided = identical and not context.quick
    return Finding(
        status=decide_exactly(value, CANCELLED) if decided else Status.INCONCLUSIVE,
        value=value,
        threshold=CANCELLED,
        reasons=tuple(reasons),
        derived=Derived(deterministic=identical, pairs=pairs),
    )


def quality_of_control(found: Advantages) -> float:
    """Work out Q = 1 − max over attacks of the |mean pair advantage|.

    Raises:
        ValueError: If there is no attack, or one that this version does not have.
    """
    return 1 - max(abs(float(row.mean())) for row in table(found, in_order(found)))


CHECK = Definition(CARD, Observed, judge, asked_by(CARD.id), derived=(Derived,), wanted=lambda _context: True)
