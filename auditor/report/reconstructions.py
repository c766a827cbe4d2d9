"""Reads what reconstruction games found: what of a deleted record can be worked out from the model before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from auditor.domain import Interval
from auditor.report import readings, tables, wording
from auditor.words import guesses
from auditor.words.reconstruction import ATTACKS
from auditor.words.texts import text
from auditor.words.told import ToldCheck

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
"""Details that have a place of their own in print."""
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


@dataclass(frozen=True, slots=True)
class Remedied:
    """The games under one remedy, in print."""

    name: str
    games: int
    won: str
    """Games of 100 that the strongest attack won, with their interval."""
    enough: bool
    """Whether every attack stays within the limit for certain."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A deleted picture and what was rebuilt of it, row by row, 0 to 1."""

    width: int
    deleted: tuple[float, ...]
    rebuilt: tuple[float, ...]


def rows(check: ToldCheck) -> tuple[Row, ...]:
    """Every attack, for the annex, the one that won most first."""
    known = [(share, each) for each in _entries(check) if (share := readings.finite(each.get("success"))) is not None]
    return tuple(_row(share, each) for share, each in sorted(known, key=lambda pair: -pair[0]))


def best(check: ToldCheck) -> float:
    """Give the share of games won by the attack that won most, whichever the check names; 0 where none is known."""
    known = [share for each in _entries(check) if (share := readings.finite(each.get("success"))) is not None]
    return max((check.value or 0.0, *known))


def remedies(check: ToldCheck) -> tuple[Remedied, ...]:
    """Every remedy that was measured, in the order of the evidence."""
    return tuple(
        Remedied(named(entry), readings.count(entry.get("games")) or 0, _won(share, entry), entry.get("enough") is True)
        for entry in tables.records(check.details.get("remedies"))
        if (share := readings.finite(entry.get("success"))) is not None
    )


def named(entry: Mapping[str, Any]) -> str:
    """A remedy in a few words."""
    return text(f"attacks-name-remedy-{readings.words(entry.get('remedy'))}")


def in_a_row(names: Sequence[str]) -> str:
    """Put remedies into a sentence: their names hold commas, and begin with a capital where they stand alone."""
    return "; ".join(each[:1].lower() + each[1:] for each in names)


def picture(check: ToldCheck) -> Rebuilt | None:
    """The picture that the policy shows; None where there is none, or none that could be drawn."""
    found = check.details.get("picture")
    if not isinstance(found, Mapping):
        return None
    width, deleted, rebuilt = readings.count(found.get("width")), _pixels(found.get("deleted")), _pixels(found.get("rebuilt"))
    if width is None or not 2 <= width <= WIDEST or not len(deleted) == len(rebuilt) == width**2:
        return None
    return Rebuilt(width, deleted, rebuilt)


def _entries(check: ToldCheck) -> tuple[Mapping[str, Any], ...]:
    return tables.records(check.details.get("attacks"))


def _pixels(values: object) -> tuple[float, ...]:
    found = [readings.finite(each) for each in values] if isinstance(values, list | tuple) else []
    return tuple(min(1.0, max(0.0, each)) for each in found if each is not None)


def _row(share: float, entry: Mapping[str, Any]) -> Row:
    name = readings.words(entry.get("attack"))
    ties, of_two = (readings.finite(entry.get(key)) for key in ("ties", "of_two"))
    return Row(
        attack=ATTACKS.get(name, wording.short(name, 34)),
        games=readings.count(entry.get("games")) or 0,
        won=_won(share, entry),
        ties="–" if ties is None else guesses.about(ties),
        of_two="–" if of_two is None else guesses.about(of_two),
    )


def _won(share: float, entry: Mapping[str, Any]) -> str:
    """Games of 100, with their interval."""
    won = guesses.about(share)
    if (ends := readings.ends((entry.get("low"), entry.get("high")))) is None:
        return won
    low, high = guesses.between(Interval(*ends))
    return text("attacks-figure-between", value=won, low=low, high=high)
