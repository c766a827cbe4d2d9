"""What would show less of a deletion, measured: each remedy by the attack that still wins most under it.

A remedy is enough where every attack that was tried stays within the limit, at a level that holds for all of them together. That
is a finding about these attacks and these data: of the remedies only differential privacy bounds every attack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

from auditor.checks.finding import Values
from auditor.checks.inference.observed import Tally
from auditor.statistics import clopper_pearson

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


class Remedied(Values):
    """The games under one remedy."""

    remedy: Remedy
    attack: str
    """The one that won most, or lost most: as good with its answers turned round."""
    games: int
    success: float
    low: float
    high: float
    """The limits hold for all attacks under this remedy together."""
    enough: bool | None
    """Whether every attack stays within the limit for certain; None where no limit is set."""


def measured(tallies: Iterable[Tally], *, confidence: float, largest: float | None) -> tuple[Remedied, ...]:
    """Judge every remedy that games were played under.

    Args:
        tallies: Of one check.
        confidence: That the limits of each remedy hold for all its attacks.
        largest: The share of games that may be won.
    """
    known = tuple(tallies)
    return tuple(_judged(remedy, played, confidence, largest) for remedy in REMEDIES if (played := tuple(_under(remedy, known))))


def _under(remedy: Remedy, tallies: Sequence[Tally]) -> Iterator[Tally]:
    for each in tallies:
        if remedy in {"labels", "rounded"}:
            if each.variant == "two" and each.view == remedy:
                yield each
        elif each.variant == remedy and each.view == "scores":
            yield each


def _judged(remedy: Remedy, played: Sequence[Tally], confidence: float, largest: float | None) -> Remedied:
    level = 1 - (1 - confidence) / len(played)
    limits = [clopper_pearson(each.right, each.games, confidence=level) for each in played]
    enough = None if largest is None else all(each.high <= largest and each.low >= 1 - largest for each in limits)
    at = max(range(len(played)), key=lambda place: abs(played[place].right / played[place].games - 0.5))
    return Remedied(
        remedy=remedy,
        attack=played[at].attack,
        games=played[at].games,
        success=played[at].right / played[at].games,
        low=limits[at].low,
        high=limits[at].high,
        enough=enough,
    )
