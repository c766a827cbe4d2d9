"""Say in plain words what is promised, what nobody checked of it, who could, and what follows where it is false."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from auditor.base.domain import ClaimStatus, Strength, Verdict
from auditor.base.promises import Approximate
from auditor.pages import letters, right_guesses
from auditor.pages.figures.promise_curves import NAMED_AT, Curve, missed, promise_curves
from auditor.pages.words import attestations, premises
from auditor.pages.words import guesses as units
from auditor.pages.words.rendered_evidence import Told
from auditor.pages.words.texts import either, say, text
from auditor.pages.words.verdict import resting_on, unchecked
from auditor.verdict import examination
from auditor.verdict.checks.card import Role
from auditor.verdict.grade import HARD_TO_TELL, NO_USE

if TYPE_CHECKING:
    from auditor.pages.figures.chart import Chart

_FLAT: Final = 0.505
"""A curve that leaves no larger share of right guesses looks like blind guessing in a drawing."""


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
        (told_one.share, told_one, each)
        for told_one, each in zip(told.guarantees, told.evidence.guarantees, strict=True)
        if told_one.share is not None
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
        return text(f"promise-{without_number(told)}")
    best = next(each for words, each in zip(told.guarantees, told.evidence.guarantees, strict=True) if words.share == share)
    trusted = resting_on(told.evidence, best, carrying=()) or unchecked(told.evidence)
    standing = text("promise-standing-supported" if trusted else "promise-standing-shown")
    kind = "very-hard" if share <= HARD_TO_TELL else "limited" if share < NO_USE else "no-use"
    said = text(f"promise-{kind}", most=units.at_most(share))
    return f"{said} {standing}"


def without_number(told: Told) -> Literal["given", "exact", "short", "none"]:
    """Say what takes the place of a promise in numbers, where no promise is refuted."""
    if examination.carries(told.evidence):
        return "given"
    if examination.retrained(told.evidence):
        return "exact"
    return "short" if right_guesses.falls_short(told) else "none"


def figure(told: Told) -> Chart | None:
    """Draw the trade-off curves of the promises that hold; None where none does, or all of them look like blind guessing."""
    curves = _curves(told)
    if not is_drawn(told):
        return None
    on_records = (check for check in told.checks if Role.ATTACKS_RECORDS in check.card.roles)
    return promise_curves(curves, [each for check in on_records for each in right_guesses.of(check).attacks(check)])


def is_drawn(told: Told) -> bool:
    """Whether `figure` draws: a page without the drawing names the page that has it."""
    return any(each.share > _FLAT for each in _curves(told))


@dataclass(frozen=True, slots=True)
class Missed:
    """A promise as a few points of its curve."""

    title: str
    most: str
    """Right guesses out of 100, rounded up."""
    at: tuple[str, ...]
    """Of 100 records that were used, how many are missed at least, at each rate of `rates`."""


def rates() -> tuple[str, ...]:
    """Print the type I errors, of 100, at which `points` reads curves."""
    return tuple(f"{100 * alpha:g}" for alpha in NAMED_AT)


def points(told: Told) -> tuple[Missed, ...]:
    """Read a few points off the curve of every promise that holds, the strongest first: for pages without the drawing."""
    return tuple(Missed(each.title, units.at_most(each.share), missed(each.promise)) for each in _curves(told))


def _curves(told: Told) -> Sequence[Curve]:
    """The promises that hold, the strongest first."""
    found = [
        Curve(
            title=each.title,
            promise=each.promise,
            share=each.share,
            stated=Approximate(epsilon=each.epsilon, delta=each.delta)
            if each.epsilon is not None and each.delta is not None and each.order is None
            else None,
        )
        for each in told.guarantees
        if each.promise is not None and each.share is not None
    ]
    return sorted(found, key=lambda each: each.share)


def in_letters(told: Told) -> str:
    """Say what letters promise where they do: by which name the number of a letter goes in the report."""
    found = letters.promises(told.evidence)
    if not found:
        return ""
    own = right_guesses.promised(told)
    if own is not None and {units.at_most(each.share) for each in found} == {units.at_most(own)}:
        return text("promise-letters-same")
    first, last = found[0], max(found, key=lambda each: (each.share, each.records))
    said = text("promise-letters", most=units.at_most(first.share), records=first.records)
    if last.share > first.share:
        said += f" {text('promise-letters-together', most=units.at_most(last.share), records=last.records)}"
    return said


def statements(told: Told) -> tuple[Statement, ...]:
    """List what the result rests on and nobody checked, what nobody says first."""
    silent = premises.unsaid(told.evidence)
    return tuple(
        Statement(
            means=text("promise-statement-unsaid", means=attestations.statement(name))
            if name in silent
            else attestations.statement(name),
            who=either(f"promise-who-{name}", text("promise-who-other")),
            otherwise=attestations.otherwise(name),
        )
        for name in (*silent, *(each for each in unchecked(told.evidence) if each not in silent))
    )


def resting(told: Told) -> str:
    """Say above the statements how many there are and who made them, or why there are none."""
    count = len(unchecked(told.evidence))
    if not count:
        return text("promise-statements-none" if told.verdict is Verdict.PASS else "promise-statements-not-passed")
    said = [say("promise-statements-lede", count=count, passed=told.verdict is Verdict.PASS)]
    said += [f"{each}." for each in premises.speakers(told.evidence)]
    if silent := premises.unsaid(told.evidence):
        said.append(
            text("promise-statements-unsaid-all" if len(silent) == count else "promise-statements-unsaid", count=len(silent))
        )
        if told.evidence.strength is Strength.C:
            said.append(text("promise-statements-graded"))
    listed = {len(each.statements) for each in letters.promises(told.evidence)} if told.evidence.learns else set()
    if listed - {count}:
        said.append(text("promise-statements-letters", count=max(listed)))
    return " ".join(said)
