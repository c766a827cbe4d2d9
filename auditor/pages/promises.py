"""Say in plain words what is promised, what nobody checked of it, who could, and what follows where it is false."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.base.domain import ClaimStatus, Status, Verdict
from auditor.pages import right_guesses, wording
from auditor.pages.words import attestations
from auditor.pages.words import guesses as units
from auditor.pages.words.rendered_evidence import Told
from auditor.pages.words.texts import either, text
from auditor.pages.words.verdict import resting_on, unchecked
from auditor.verdict.checks.card import Role
from auditor.verdict.grade import HARD_TO_TELL, NO_USE, guesses


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that the result rests on and nobody checked."""

    means: str
    who: str
    """Who could confirm it."""
    otherwise: str
    """What follows where it is false."""


@dataclass(frozen=True, slots=True)
class Holding:
    """A promise that holds."""

    title: str
    most: str
    """Right guesses out of 100, rounded up."""
    standing: str
    covers_not: str
    """What it leaves uncovered; empty where nothing is known to be said of it."""


def holding(told: Told) -> tuple[Holding, ...]:
    """List the promises in numbers that hold, the strongest first."""
    found = [
        (share, told_one, each)
        for told_one, each in zip(told.guarantees, told.evidence.guarantees, strict=True)
        if (share := guesses(each)) is not None
    ]
    return tuple(
        Holding(
            title=one.title,
            most=units.at_most(share),
            standing=text("promise-list-supported" if resting_on(told.evidence, held, carrying=()) else "promise-list-shown"),
            covers_not=either(f"promise-covers-{held.id}", ""),
        )
        for share, one, held in sorted(found, key=lambda each: each[0])
    )


def lead(told: Told) -> str:
    """Say the best promise in a sentence or two, or that there is none."""
    share = right_guesses.promised(told)
    if share is None:
        if any(each.status is ClaimStatus.REFUTED for each in told.guarantees):
            return text("promise-refuted")
        exact = any(Role.EXACT in check.card.roles and check.status is Status.PASS for check in told.checks)
        return text("promise-exact" if exact else "promise-none")
    best = next(each for each in told.evidence.guarantees if guesses(each) == share)
    standing = text("promise-standing-supported" if resting_on(told.evidence, best, carrying=()) else "promise-standing-shown")
    kind = "very-hard" if share <= HARD_TO_TELL else "limited" if share < NO_USE else "no-use"
    said = text(f"promise-{kind}", most=units.at_most(share))
    return f"{said} {standing}"


def statements(told: Told) -> tuple[Statement, ...]:
    """List what the result rests on and nobody checked."""
    return tuple(
        Statement(
            means=attestations.statement(name),
            who=either(f"promise-who-{name}", text("promise-who-other")),
            otherwise=attestations.WORDS[name].otherwise
            if name in attestations.WORDS
            else text("promise-statement-otherwise-other"),
        )
        for name in unchecked(told.evidence)
    )


def resting(told: Told) -> str:
    """Say above the statements how many there are and who made them, or why there are none."""
    count = len(unchecked(told.evidence))
    if not count:
        return text("promise-statements-none" if told.verdict is Verdict.PASS else "promise-statements-not-passed")
    said = [text("promise-statements-lede", count=count)]
    if told.policy.attested:
        word = told.policy.attested[0]
        said.append(text("promise-statements-by", by=wording.short(word.by, 60), at=wording.day(word.at)))
    return " ".join(said)
