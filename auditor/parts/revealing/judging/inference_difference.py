"""`inference.difference`: whether anyone who has the model before and after a deletion can name the record that went.

One game a batch of a single record: the adversary is to tell the deleted record from one that was not deleted, drawn evenly. Its
rank among all records is reported in addition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Self

from pydantic import model_validator

from auditor.base.domain import Message, Status
from auditor.document.evidence import Evidence
from auditor.maths.statistics import clopper_pearson, guessing_noticed
from auditor.parts.revealing.cards import INFERENCE_DIFFERENCE, no_difference
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition, always_first
from auditor.verdict.checks.deleting import above, fail_if_certain
from auditor.verdict.checks.finding import Earlier, Finding, Values, skipped
from auditor.verdict.checks.levels import Level, pass_needs, spent
from auditor.verdict.checks.stated import Count, Positive
from auditor.verdict.decisions import decide_compliance

CARD: Final = INFERENCE_DIFFERENCE

TEST: Final = "inference-difference"
"""The share of the level at which its games fail a case."""


class Observed(Values):
    """The games, one a batch of a single record."""

    ranks: tuple[Positive, ...]
    """Of the deleted record among all, by how much it looks like the one that went; 1 is first."""
    ahead: Count
    """Games in which it looked more like it than the other record."""
    ties: Count
    ties_won: Count
    """Ties that a fair coin gave to the deleted record."""
    candidates: Count
    """Records before the batch, at most."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if self.ahead + self.ties > len(self.ranks) or self.ties_won > self.ties or max(self.ranks, default=0) > self.candidates:
            raise ValueError("a game is won, lost or tied, and a rank is one among the candidates")
        return self


class Derived(Values):
    """What the games say."""

    games: int
    wins: int
    epsilon_lower: float
    """2ρ − 1 at the lower confidence limit of the share ρ of games won."""
    confidence: float
    noticed: float | None
    """The share from which on the interval would have lain above one half four times in five; None if no share."""
    ranked_first: int
    hessian: str
    """What the adversary formed the Hessian from: holdout, or remaining records."""


def applies(context: Context, _earlier: Earlier) -> Message | None:
    """It needs the steps of certified removal, and somebody who sees two releases."""
    return no_difference(context)


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Hold the share of games won against the policy; without a threshold it is informative."""
    games, confidence = len(observed.ranks), context.inference.confidence
    if not games:
        return skipped(Message("inference.difference.no-single-record"))
    wins, first = observed.ahead + observed.ties_won, observed.ranks.count(1)
    interval, largest = clopper_pearson(wins, games, confidence=confidence), _largest(context)
    holdout = context.case.holdout_records is not None
    counts = {"holdout": holdout, "candidates": observed.candidates, "first": first, "games": games, "wins": wins}
    reasons = [Message("inference.difference.played", counts)]
    status = decide_compliance(interval, largest)
    if largest is None:
        reasons.append(Message("inference.difference.informative"))
    elif status is Status.FAIL:
        status, said = fail_if_certain([(wins, games)], (1 + largest) / 2, test=TEST)
        reasons += said
    elif status is Status.INCONCLUSIVE:
        reasons.append(Message("inference.difference.too-few"))
    return Finding(
        status=Status.SKIPPED if largest is None else status,
        value=wins / games,
        interval=interval,
        threshold=largest,
        reasons=tuple(reasons),
        derived=Derived(
            games=games,
            wins=wins,
            epsilon_lower=max(0.0, 2 * interval.low - 1),
            confidence=confidence,
            noticed=guessing_noticed(games, confidence=confidence),
            ranked_first=first,
            hessian="holdout" if holdout else "remaining records",
        ),
    )


def _largest(context: Context) -> float | None:
    """The compliance ε that the policy allows: max_inference = ρ is read as 2ρ − 1, and of two limits the stricter one holds."""
    share, epsilon = context.policy.max_inference, context.policy.max_compliance_epsilon
    return min((each for each in (None if share is None else 2 * share - 1, epsilon) if each is not None), default=None)


def levels(context: Context, observed: Observed, finding: Finding) -> tuple[Level, ...]:
    """Declare the exact test of games won: whatever went before, each is won with a chance within the limit where that holds."""
    largest = finding.threshold
    if largest is None or finding.status is Status.SKIPPED:
        return ()
    games, risk = len(observed.ranks), (1 - context.inference.confidence) / 2
    able = above((games, games), (1 + largest) / 2, test=TEST, among=1)
    return (*((spent(TEST),) if able else ()), pass_needs(f"{TEST}-limit", risk))


def contradictions(evidence: Evidence, seen: Observed, _others: Mapping[str, Values]) -> Iterator[str]:
    """Compare what was observed with the case, the log and itself."""
    if len(seen.ranks) > evidence.deletion_log.batches or seen.candidates > evidence.case.training_records:
        yield f"{len(seen.ranks)} games among {seen.candidates} candidates are more than batches and records"


CHECK = Definition(
    CARD,
    Observed,
    judge,
    applies,
    replays=True,
    first=always_first,
    contradictions=contradictions,
    derived=(Derived,),
    levels=levels,
)
