"""What a check is, in words that hold whatever comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Direction: TypeAlias = Literal["at most", "at least", "interval holds", "either way"]


@dataclass(frozen=True, slots=True)
class LetterWords:
    """What a letter to one person says of a check, for somebody who has never heard of machine learning."""

    question: str
    open_question: str = ""
    """What stays open where it did not run, as a clause; empty where it is nothing that concerns one person.

    Checks that leave the same question open have the same words, and any of them answers it.
    """
    answered_by: tuple[str, ...] = ()
    """Ids of other checks that answer it from another side."""


@dataclass(frozen=True, slots=True)
class Card:
    """The entry of one check: everything about it that does not depend on a run."""

    id: str
    place: int
    """Where it is among the others in a document, in steps of ten."""
    since: str
    """The version since which documents have it, judged in this way."""
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
    open_question: str = ""
    """What stays open where it does not run, as a clause; empty where nothing does, or where the report says it elsewhere.

    Checks that leave the same question open have the same words.
    """
    letter: LetterWords | None = None
    """None where its result is about all requests together: no letter tells that."""
    direction: Direction = "at most"
    """How the value is held against the threshold; either way where its metric decides which values are better."""
    target: float | None = None
    """The best value, where neither a larger nor a smaller one is better."""
    own_threshold: bool = False
    """Whether its judge derives the threshold from the run: where it moved, nobody loosened it."""
    unsteady: str = ""
    """Why the value moves from run to run for no fault of the procedure; empty where it does not."""
    judges_unlearning: bool = False
    """Whether it judges the unlearning itself: a verdict that rests on no such check says nothing of it."""
    required_when_run: bool = False
    """Whether it is required whenever it ran, whatever the policy lists."""
    informative: bool = False
    """Whether it never counts against the verdict unless the policy requires it."""
    every_case: bool = False
    """Whether it is required of every case by default, whether it ran or not: without it a question stays open."""
    of_controllers: bool = False
    """Whether it speaks to a case of a controller alone, in which nothing learns."""
    of_answers: bool = False
    """Whether it is of a case that has answers alone: no other document lists it."""
    needs: tuple[str, ...] = ()
    """Ids of the checks whose findings it reads: they are planned, observed and judged before it."""
    glossary: tuple[str, ...] = ()
    """Terms that a reader of the result needs, by what their messages are called: `auditor explain` says what they mean."""
