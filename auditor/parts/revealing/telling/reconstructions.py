"""Reads what reconstruction games found: what of a deleted record can be worked out from the model before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from auditor.base.domain import Interval
from auditor.pages import wording
from auditor.pages.words import guesses
from auditor.pages.words.rendered_evidence import ToldCheck
from auditor.pages.words.texts import text
from auditor.parts.revealing.judging.inference import judging as inference
from auditor.parts.revealing.judging.reconstruction import instance, judging
from auditor.parts.revealing.judging.reconstruction.observed import Picture
from auditor.parts.revealing.telling.sentences import REBUILDING as ATTACKS
from auditor.verdict.checks.remedies import Remedied

SHOWN_ELSEWHERE: Final = (
    "attacks",
    "attack",
    "strongest",
    "tallies",
    "classes",
    "distances",
    "without",
    "named",
    "without_named",
    "picture",
    "under",
    "remedies",
    "private",
)
"""Fields that have a place of their own in print."""
WIDEST: Final = 32
"""Pixels along the side of a picture that is drawn."""


@dataclass(frozen=True, slots=True)
class Row:
    """One attack, in print."""

    attack: str
    games: int
    won: str
    """Games of 100, with their interval."""
    ties: str
    of_two: str
    """Games of 100 in which the guess was nearer to the deleted record than to one decoy."""


def rows(check: ToldCheck) -> tuple[Row, ...]:
    """Every attack, for the annex, the one that won most first."""
    return tuple(_row(each) for each in sorted(_attacks(check), key=lambda each: -each.success))


def best(check: ToldCheck) -> float:
    """Give the share of games won by the attack that won most, whichever the check names; 0 where none is known."""
    return max((check.value or 0.0, *(each.success for each in _attacks(check))))


def chance(check: ToldCheck) -> float:
    """Give the share of games that guessing wins; 0 where none were played."""
    derived = check.derived_as(judging.Derived)
    return 0.0 if derived is None else derived.chance


def measured(check: ToldCheck) -> tuple[Remedied, ...]:
    """Every remedy that was measured in games, in the order of the evidence."""
    return check.derived.remedies if isinstance(check.derived, inference.Derived | judging.Derived) else ()


def named(found: Remedied) -> str:
    """A remedy in a few words."""
    return text(f"attacks-name-remedy-{found.remedy}")


def in_a_row(names: Sequence[str]) -> str:
    """Put remedies into a sentence: their names hold commas, and begin with a capital where they stand alone."""
    return "; ".join(each[:1].lower() + each[1:] for each in names)


def picture(check: ToldCheck) -> Picture | None:
    """The picture that the policy shows; None where there is none, or none that could be drawn."""
    derived = check.derived_as(instance.Derived)
    found = None if derived is None else derived.picture
    if found is None or found.width > WIDEST or not len(found.deleted) == len(found.rebuilt) == found.width**2:
        return None
    return found


def won(found: judging.Success | Remedied) -> str:
    """Games of 100 that an attack won, with their interval."""
    return of_100(found.success, (found.low, found.high))


def of_100(share: float, ends: tuple[float, float] | None) -> str:
    """A share of 100, with its interval where there is one; with none whose ends are crossed."""
    if ends is None or ends[0] > ends[1]:
        return guesses.about(share)
    low, high = guesses.between(Interval(*ends))
    return text("attacks-figure-between", value=guesses.about(share), low=low, high=high)


def _attacks(check: ToldCheck) -> tuple[judging.Success, ...]:
    derived = check.derived_as(judging.Derived)
    return () if derived is None else derived.attacks


def _row(found: judging.Success) -> Row:
    return Row(
        attack=ATTACKS.get(found.attack, wording.short(found.attack, 34)),
        games=found.games,
        won=won(found),
        ties=guesses.about(found.ties),
        of_two=guesses.about(found.of_two),
    )
