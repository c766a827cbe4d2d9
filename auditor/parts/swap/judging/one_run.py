"""One run in the place of many: guesses at the members of a single model that learned canaries by fair coins, and unlearned them.

Each of m canaries, records of the case, is learned or never used, by a coin of its own; what was learned is then unlearned.
Guesses at r of the coins, by a rule fixed beforehand, are right as fair coins are where unlearning is perfect: the count is then
Bin(r, 1/2), whatever the model. So one run refutes. It never passes: how often unlearning fails, one model cannot show.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, Self

from pydantic import model_validator

from auditor.base.domain import Interval, Message, Status
from auditor.maths.certificates.rounding import ceiling, floor
from auditor.maths.statistics import POWER, clopper_pearson, guessing_noticed
from auditor.parts.swap.judging.estimates import OfQuality
from auditor.parts.swap.judging.game import QUICK, guessed
from auditor.settings.tables import SwapTable
from auditor.verdict.checks import levels
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding, Values
from auditor.verdict.checks.stated import Count, Positive

GUESS: Final = 0.5
FAILS: Final = "quality"
"""The share of the level at which guesses fail, as pairs do that are played in their place."""


class OneRun(Values):
    """What was guessed rightly, out of `guessed(canaries)` guesses each."""

    canaries: Positive
    forgotten: Count
    """How many of them the coins let the model learn and unlearn."""
    right: Count
    """After unlearning."""
    right_before: Count
    """Of the same model before it unlearned."""
    right_retrained: Count
    """Of a model that learned none of them."""

    @property
    def guesses(self) -> int:
        """How many canaries were guessed at."""
        return guessed(self.canaries)

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if max(self.right, self.right_before, self.right_retrained) > self.guesses or self.forgotten > self.canaries:
            raise ValueError(f"{self.canaries} canaries allow {self.guesses} guesses, and no more of them are right")
        return self


class Derived(Values):
    """What the shares come to."""

    canaries: int
    guesses: int
    share: float
    share_interval: tuple[float, float]
    """Exact (Clopper and Pearson), of this one model."""
    confidence: float
    do_nothing: OfQuality
    """Of the same model before it unlearned."""
    retrained_fresh: OfQuality
    noticed: float | None
    """The share from which on the interval would have lain above one half four times in five; None if no share."""
    over_unlearned: bool
    """Whether what was forgotten looks less learned than what was never used."""


def judge(context: Context, seen: OneRun) -> Finding:
    """Hold 1 - |2 share - 1| of one model against the policy: it fails, or leaves open.

    A failure takes both: guesses that refute perfect unlearning, and an interval that lies below the threshold as a whole.
    """
    confidence, threshold = min(context.swap.confidence, SwapTable().confidence), context.policy.min_quality
    own, before, retrained = (
        clopper_pearson(count, seen.guesses, confidence=confidence)
        for count in (seen.right, seen.right_before, seen.right_retrained)
    )
    share = seen.right / seen.guesses
    found = _quality(share, own)
    # At the level of an accusation: exact for a model that unlearned perfectly.
    certain = clopper_pearson(seen.right, seen.guesses, confidence=1 - levels.share(FAILS))
    refuted = not certain.low <= GUESS <= certain.high
    fails = refuted and _quality(share, certain).interval[1] < threshold and not context.quick
    return Finding(
        status=Status.FAIL if fails else Status.INCONCLUSIVE,
        value=found.quality,
        interval=Interval(*found.interval),
        threshold=threshold,
        reasons=tuple(_reasons(context, seen, own, before, confidence=confidence, fails=fails)),
        derived=Derived(
            canaries=seen.canaries,
            guesses=seen.guesses,
            share=share,
            share_interval=(own.low, own.high),
            confidence=confidence,
            do_nothing=_quality(seen.right_before / seen.guesses, before),
            retrained_fresh=_quality(seen.right_retrained / seen.guesses, retrained),
            noticed=guessing_noticed(seen.guesses, confidence=confidence),
            over_unlearned=own.high < GUESS,
        ),
    )


def _reasons(
    context: Context, seen: OneRun, own: Interval, before: Interval, *, confidence: float, fails: bool
) -> Iterator[Message]:
    given = {"right": seen.right, "guesses": seen.guesses, "canaries": seen.canaries, "confidence": confidence}
    yield Message("swap.one-run.guessed", {**given, "low": own.low, "high": own.high})
    blind = before.low <= GUESS <= before.high
    yield Message("swap.one-run.before", {"right": seen.right_before, "guesses": seen.guesses, "blind": blind})
    noticed = guessing_noticed(seen.guesses, confidence=confidence)
    yield Message("swap.one-run.power", {"share": noticed, "power": POWER})
    if context.quick:
        yield QUICK
    elif not fails:
        yield Message("swap.one-run.never-passes")


def _quality(share: float, interval: Interval) -> OfQuality:
    """Q = 1 - |2 share - 1|, with what the interval of the share makes of it, rounded outward."""
    ends = [abs(2 * Fraction(each) - 1) for each in (interval.low, interval.high)]
    least = Fraction(0) if interval.low <= GUESS <= interval.high else min(ends)
    return OfQuality(quality=1 - abs(2 * share - 1), interval=(floor(1 - max(ends)), ceiling(1 - least)))
