"""What an attack on the releases of the log itself found: a part of what `inference.example` observes."""

from __future__ import annotations

from typing import Final, Self

from pydantic import model_validator

from auditor.maths.statistics import clopper_pearson
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.levels import share
from auditor.verdict.checks.stated import Count, Positive

LOG: Final = "log-releases"
"""The share of the level at which the log's own releases keep a check from passing."""
DECOYS: Final = 19
"""Retained records of the same class that a deleted one is to be picked out of, as far as there are so many."""


class Named(Values):
    """Requests by id, and by person where a ticket of the log has two. No score of anybody."""

    request_ids: tuple[str, ...] = ()
    subjects: tuple[str | None, ...] = ()

    def holds(self, request_id: str, subject: str | None) -> bool:
        """Whether a request, and that person's where the log tells people apart, is among them."""
        if self.subjects:
            return (request_id, subject) in zip(self.request_ids, self.subjects, strict=True)
        return request_id in self.request_ids

    @model_validator(mode="after")
    def _paired(self) -> Self:
        if self.subjects and len(self.subjects) != len(self.request_ids):
            raise ValueError("each request has a subject, or none has")
        return self


class LogAttack(Values):
    """The model before each batch of the log and the one after it, attacked by the rise in loss (Algorithm 3.2)."""

    records: Positive
    """Deleted records that were to be picked out."""
    decoys: Positive
    """Per record, at most."""
    first: Count
    """Records whose loss rose more than that of every decoy."""
    tied: Count
    """Records whose loss rose most together with that of a decoy."""
    tied_won: Count
    """Those that an even draw among the tied gave."""
    expected: float
    """Records that guessing picks out, on average."""
    games: Positive
    """One a batch: a deleted record of it against one decoy."""
    ahead: Count
    ties: Count
    ties_won: Count
    """Ties that a fair coin gave to the deleted record."""
    picked: Named
    """Requests with a record that came first without a tie."""
    not_tried: Named
    """Executed requests none of whose records was attacked: no retained record has its class, or there were too many."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if self.first + self.tied > self.records or self.tied_won > self.tied:
            raise ValueError("a record comes first, ties for the first place, or neither")
        if self.ahead + self.ties > self.games or self.ties_won > self.ties or self.games > self.records:
            raise ValueError("a game is won, lost or tied, and has a record of its own")
        if not 0 < self.expected <= self.records / 2:
            raise ValueError("guessing picks at most one record in two")
        return self


class LogResult(Values):
    """What the attack on the log comes to."""

    share: float
    """Of the deleted records that were found first."""
    by_guessing: float
    """The share that guessing finds first."""
    success: float
    """Share of the games against one decoy that were won."""
    interval: tuple[float, float]
    """Exact, over the batches."""


def result(seen: LogAttack, *, confidence: float) -> LogResult:
    """Work out the shares, and an exact interval (Clopper and Pearson) over games of which each batch has one.

    Batches follow one another on the same data, so that their games are not independent as games with a split of their own are:
    what this interval says can keep a check from passing, and refutes nothing.
    """
    wins = seen.ahead + seen.ties_won
    limits = clopper_pearson(wins, seen.games, confidence=confidence)
    return LogResult(
        share=(seen.first + seen.tied_won) / seen.records,
        by_guessing=seen.expected / seen.records,
        success=wins / seen.games,
        interval=(limits.low, limits.high),
    )


def speaks_against(seen: LogAttack, largest: float | None) -> bool:
    """Whether the log's own releases show more than the policy allows, at the level at which they keep a check from passing."""
    if largest is None:
        return False
    return clopper_pearson(seen.ahead + seen.ties_won, seen.games, confidence=1 - 2 * share(LOG)).low > largest
