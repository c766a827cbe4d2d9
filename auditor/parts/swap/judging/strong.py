"""`swap.strong`: the adversary that sums log-likelihood ratios over all of F and all of T."""

from __future__ import annotations

from typing import Final, Self

from pydantic import model_validator

from auditor.base.domain import Interval, Message, Status
from auditor.maths.statistics import clopper_pearson, guessing_noticed, trials_needed
from auditor.parts.swap.cards import SWAP_STRONG
from auditor.parts.swap.judging.game import LEAST_PAIRS, QUICK, Cause, asked_by, unproven, why_unplayable
from auditor.settings.tables import SwapTable
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding, Values, skipped
from auditor.verdict.checks.levels import Level, pass_needs, share, spent
from auditor.verdict.checks.stated import Count
from auditor.verdict.decisions import decide_swap_strong

CARD: Final = SWAP_STRONG

GUESS: Final = 0.5
"""The share that guessing names right."""
LEAST_MODELS: Final = 40
"""Models of the controller's own code on which a pass takes the adversary to be tried."""
FAILS: Final = "whole-set"
"""The share of the level at which one half outside of the exact interval fails."""
OPEN: Final = "whole-set-open"
"""That at which it keeps from passing."""
MOST_NAMED: Final = 0.7
"""What the upper limit of that share may be at most, and the lower limit of the no-unlearning baseline has to exceed."""


class Observed(Values):
    """How often the adversary named the forgotten set."""

    unplayable: Cause | None = None
    """Why there was no game; nothing else was observed then."""
    models: Count = 0
    """Of each kind."""
    named: Count = 0
    """Models of the procedure whose forgotten set was named; ties are broken by a fair coin."""
    ties: Count = 0
    """Of the procedure's models, those that the coin decided."""
    named_do_nothing: Count = 0
    """The same of the no-unlearning baseline: models that unlearned decoys."""
    named_learned: Count = 0
    """The same of models before unlearning; 0 where nobody asks for them."""
    named_retrained: Count = 0
    """The same of models retrained with fresh seeds."""

    @model_validator(mode="after")
    def _counts(self) -> Self:
        most = max(self.named, self.ties, self.named_do_nothing, self.named_learned, self.named_retrained)
        if most > self.models or (self.unplayable is None and not self.models):
            raise ValueError("a game has models, and no more of them are named right than there are")
        return self


class Share(Values):
    """A share of models named right."""

    share: float
    interval: tuple[float, float]
    """Exact (Clopper and Pearson)."""


class Derived(Values):
    """Shares, and what they are worth."""

    advantage: float
    """Twice the share less one."""
    confidence: float
    noticed: float | None
    """The share from which on the interval would have lain above one half four times in five; None if no share."""
    do_nothing: Share
    retrained: Share


def judge(context: Context, observed: Observed, earlier: Earlier) -> Finding:
    """Hold the share of models named right against one half; without the policy's word it is informative."""
    if observed.unplayable is not None:
        return skipped(Message("swap.not-played", {"why": why_unplayable(observed.unplayable, context)}))
    # A wider interval is no reason to pass: more confidence than the default must not make the limits of a pass easier.
    confidence = min(context.swap.confidence, SwapTable().confidence)
    named, idle, retrained = (
        clopper_pearson(count, observed.models, confidence=confidence)
        for count in (observed.named, observed.named_do_nothing, observed.named_retrained)
    )
    part = observed.named / observed.models
    status, why = _decided(context, observed, named, idle, unproven=unproven(context, earlier))
    return Finding(
        status=status,
        value=part,
        interval=named,
        threshold=GUESS,
        reasons=(Message("swap.strong.named", {"right": observed.named, "models": observed.models}), *why),
        derived=Derived(
            advantage=2 * part - 1,
            confidence=confidence,
            noticed=guessing_noticed(observed.models, confidence=confidence),
            do_nothing=_share(observed.named_do_nothing, observed.models, idle),
            retrained=_share(observed.named_retrained, observed.models, retrained),
        ),
    )


def _decided(
    context: Context, observed: Observed, named: Interval, idle: Interval, *, unproven: bool
) -> tuple[Status, tuple[Message, ...]]:
    if CARD.id not in (context.policy.required or ()):
        return Status.SKIPPED, (Message("swap.strong.informative"),)
    if context.quick:
        return Status.INCONCLUSIVE, (QUICK,)
    fails, doubted = (clopper_pearson(observed.named, observed.models, confidence=1 - share(test)) for test in (FAILS, OPEN))
    status = decide_swap_strong(fails, idle)
    if status is Status.PASS and not doubted.low <= GUESS <= doubted.high:
        return Status.INCONCLUSIVE, (Message("swap.strong.doubted", _doubts(observed)),)
    if unproven and status is Status.PASS:
        if observed.models < LEAST_MODELS or context.swap.pairs < LEAST_PAIRS:
            few = {"models": observed.models, "least": LEAST_MODELS, "pairs": context.swap.pairs, "least_pairs": LEAST_PAIRS}
            return Status.INCONCLUSIVE, (Message("swap.strong.few-models", few),)
        if named.high > MOST_NAMED or idle.low <= MOST_NAMED:
            limits = {"high": named.high, "most": MOST_NAMED, "low": idle.low}
            return Status.INCONCLUSIVE, (Message("swap.strong.too-wide", limits),)
    return status, (Message("swap.strong.blind"),) if status is Status.INCONCLUSIVE else ()


def _share(right: int, models: int, interval: Interval) -> Share:
    return Share(share=right / models, interval=(interval.low, interval.high))


def _doubts(observed: Observed) -> dict[str, int | None]:
    named = max(observed.named, observed.models - observed.named) / observed.models
    return {"needed": trials_needed(named, GUESS, level=share(FAILS) / 2)}


def levels(context: Context, observed: Observed, _finding: Finding) -> tuple[Level, ...]:
    """Declare both exact tests of one half, and the risk of the limit that a pass of the controller's own code needs."""
    if context.quick or observed.unplayable is not None:
        return ()
    found = tuple(spent(test) for test in (FAILS, OPEN) if 2.0 ** (1 - observed.models) <= share(test))
    return (*found, pass_needs("whole-set-limit", (1 - min(context.swap.confidence, SwapTable().confidence)) / 2))


CHECK = Definition(CARD, Observed, judge, asked_by(CARD.id), derived=(Derived,), levels=levels)
