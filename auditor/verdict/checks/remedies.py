"""What would show less of a deletion, measured: each remedy by the attack that still wins most under it.

A remedy is enough where every attack that was tried stays within the limit, at a level that holds for all of them together. That
is a finding about these attacks and these data: of the remedies only differential privacy bounds every attack.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, Protocol, Self, TypeAlias

from pydantic import model_validator

from auditor.base.domain import Message, Status
from auditor.maths.statistics import clopper_pearson
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.stated import Count

Remedy: TypeAlias = Literal["labels", "rounded", "several-2", "several-5", "several-10", "several-20", "waiting", "private"]
"""What could be done.

labels     answer with the predicted class alone
rounded    round answers to two digits
several-k  delete k records at a time
waiting    answer a deletion at the next scheduled retraining, which brings new records
private    train with differential privacy
"""
REMEDIES: Final[tuple[Remedy, ...]] = (
    "labels",
    "rounded",
    "several-2",
    "several-5",
    "several-10",
    "several-20",
    "waiting",
    "private",
)


class PrivateTraining(Values):
    """What private training costs in accuracy: a linear model by noisy gradient descent, no part of the case."""

    epsilon: float
    delta: float
    right: Count
    """Records outside the training that its models before a deletion class right, over all games."""
    own_right: Count
    """The same of the procedure under audit."""
    records: Count

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if max(self.right, self.own_right) > self.records:
            raise ValueError("no more records are right than there are")
        return self


class Remedied(Values):
    """The games under one remedy."""

    remedy: Remedy
    attack: str
    """The one that won most; where an attack that is always wrong tells as much, the one farthest from guessing."""
    games: int
    success: float
    low: float
    high: float
    """The limits hold for all attacks under this remedy together."""
    enough: bool | None
    """Whether every attack stays within the limit for certain; None where no limit is set."""


class Attacked(Protocol):
    """The games of one attack."""

    @property
    def attack(self) -> str:
        """Its name."""

    @property
    def games(self) -> int:
        """At least 1."""

    @property
    def right(self) -> int:
        """Games that were won."""


def judged(remedy: Remedy, played: Sequence[Attacked], *, confidence: float, largest: float | None, of_two: bool) -> Remedied:
    """Judge the games under one remedy.

    Args:
        remedy: Which.
        played: Of every attack, at least one.
        confidence: That the limits hold for all attacks.
        largest: The share of games that may be won; None for no limit.
        of_two: Whether a guess is one of two, so that an attack which is always wrong tells as much as one which is always right.
    """
    level = 1 - (1 - confidence) / len(played)
    limits = [clopper_pearson(each.right, each.games, confidence=level) for each in played]
    enough = None
    if largest is not None:
        enough = all(each.high <= largest and (not of_two or each.low >= 1 - largest) for each in limits)
    shares = [each.right / each.games for each in played]
    at = max(range(len(played)), key=lambda place: abs(shares[place] - 0.5) if of_two else shares[place])
    return Remedied(
        remedy=remedy,
        attack=played[at].attack,
        games=played[at].games,
        success=shares[at],
        low=limits[at].low,
        high=limits[at].high,
        enough=enough,
    )


def said(remedies: Sequence[Remedied], status: Status, *, some: str, none: str) -> tuple[Message, ...]:
    """Name the remedies that would have kept every attack within the limit, where that is asked.

    Args:
        remedies: As they were judged.
        status: Of the check.
        some: Code of the reason that names them.
        none: Code of the reason that there is none.
    """
    if not remedies or status not in {Status.FAIL, Status.INCONCLUSIVE} or remedies[0].enough is None:
        return ()
    enough = [each.remedy for each in remedies if each.enough]
    return (Message(some, {"remedies": enough}),) if enough else (Message(none),)
