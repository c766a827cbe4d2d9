"""What a check is, in words that hold whatever comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Direction: TypeAlias = Literal["at most", "at least", "interval holds"]


@dataclass(frozen=True, slots=True)
class Card:
    """The entry of one check: everything about it that does not depend on a run."""

    id: str
    title: str
    """A neutral noun phrase, true of a pass and of a failure alike."""
    question: str
    """What it asks, for a reader who has never seen its id."""
    unit: str
    """What its value counts or measures."""
    failure: str
    """What a failure means."""
    remedy: str
    """What to do when it fails."""
    direction: Direction = "at most"
    """How the value is held against the threshold."""
    informative: bool = False
    """Whether it never counts against the verdict unless the policy requires it."""
    every_case: bool = False
    """Whether it is required of every case by default, whether it ran or not: without it a question stays open."""
    needs: tuple[str, ...] = ()
    """Ids of the checks whose findings it reads: they are planned, observed and judged before it."""
    glossary: tuple[str, ...] = ()
    """Terms that a reader of the result needs."""
