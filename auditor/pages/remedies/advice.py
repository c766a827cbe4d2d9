"""What a remedy is, and what the families of checks need to make one."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from auditor.base.domain import Status
from auditor.pages import wording, words
from auditor.pages.words.rendered_evidence import Told, ToldCheck
from auditor.pages.words.texts import text
from auditor.verdict.checks.card import Role


class Urgency(StrEnum):
    """What kind of step it is, the most urgent first."""

    FIX = "fix"
    """Something fails."""
    DECIDE = "decide"
    """Something is open that keeps the verdict from pass."""
    CONFIRM = "confirm"
    """What even a pass leaves to people."""


class Owner(StrEnum):
    """Who has to act."""

    DATA = "data"
    MODEL = "model"
    REQUESTS = "requests"
    CONTROLLER = "controller"
    AUDIT = "audit"


class Tell(StrEnum):
    """What the people concerned are told meanwhile."""

    NOBODY = "nobody"
    FOUND = "found"
    MODEL = "model"
    OPEN = "open"
    LATE = "late"
    DOUBT = "doubt"
    """Whether an answer is late is for people to assess first."""
    REFUSED = "refused"
    LOG = "log"
    DONE = "done"
    """Their data are erased, by what the places lack, and nobody recorded it."""
    MARKED = "marked"
    """Their data are only marked as erased, by the log."""
    RECIPIENTS = "recipients"
    """A recipient of their data was not told."""
    SEEN = "seen"
    """Two models show who was deleted; the released one may have forgotten all the same."""


class Release(StrEnum):
    """What happens to the release meanwhile."""

    HELD = "held"
    OPEN = "open"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class Proof:
    """How to see that a step worked."""

    check: str
    """The id of a check, or `claims.NAME`, or `verdict`."""
    expected: str
    """What the next audit has to say of it."""

    @property
    def said(self) -> str:
        """The whole clause: what is no check is named by its words alone."""
        return f"{self.check} {self.expected}" if "." in self.check else self.expected


@dataclass(frozen=True, slots=True)
class Remedy:
    """One thing to do."""

    urgency: Urgency
    checks: tuple[str, ...]
    """Ids of what asks for it."""
    found: str
    """Why: what the audit found, in a sentence or two."""
    action: str
    """What to do: a sentence that says it by itself, then what to know about it."""
    command: str
    """What to type, where one command does it; empty where none does."""
    owner: str
    requests: tuple[str, ...]
    """Ids of the requests that it concerns, in the order of the log; not shortened."""
    proof: tuple[Proof, ...]
    tell: str
    meanwhile: str
    by_when: str

    @property
    def first(self) -> str:
        """The first sentence of the action: all that one line has room for."""
        return first_sentence(self.action)


def first_sentence(action: str) -> str:
    """Give the first sentence of an action, which says by itself what to do."""
    first, stop, _ = action.partition(". ")
    return f"{first}{stop.rstrip()}"


@dataclass(frozen=True, slots=True)
class Advice:
    """What one finding asks for, before what follows from all findings together is filled in."""

    found: str
    action: str
    owner: Owner
    command: str = ""
    requests: tuple[str, ...] = ()
    tell: Tell = Tell.NOBODY
    release: Release = Release.HELD
    urgency: Urgency | None = None
    """Left out, it follows from the status of the check."""
    settled_by: Role | None = None
    """The role of a check whose own step, where it asks for one, settles this too: then nothing else is asked for."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A check that did not pass, in its audit."""

    told: Told
    check: ToldCheck
    given: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """The parameters of its reasons by their code, reasons inside them as sentences."""

    @property
    def fails(self) -> bool:
        """Whether it failed."""
        return self.check.status is Status.FAIL

    @property
    def settings(self) -> Mapping[str, object]:
        """Of the procedure."""
        return self.told.procedure.settings


def subject(told: Told, check: ToldCheck) -> Subject:
    """A check with the codes of its reasons."""
    raw = next((each for each in told.evidence.checks if each.id == check.id), None)
    reasons = () if raw is None else raw.reasons
    return Subject(told, check, {each.code: words.said(dict(each.parameters)) for each in reasons})


def named(requests: Sequence[str]) -> str:
    """Name requests in a step itself: where it has one line, nothing else does."""
    return wording.listed([wording.short(each, 40) for each in requests])


def marked_only(requests: Sequence[str], *, release: Release, urgency: Urgency | None = None) -> Advice:
    """Erase what is only marked as erased."""
    those = tuple(dict.fromkeys(requests))
    found, action = text("remedy-marked-found", count=len(those)), text("remedy-marked", names=named(those))
    return Advice(found, action, Owner.DATA, requests=those, tell=Tell.MARKED, release=release, urgency=urgency)


def retrain(about: Subject, found: str) -> Advice:
    """What remains where attacks see the deleted records in the model: train again without them."""
    return Advice(found, text("remedy-retrain"), Owner.MODEL, requests=executed(about.told), tell=Tell.MODEL)


def executed(told: Told) -> tuple[str, ...]:
    """The requests that were carried out: a doubt about the model is one about each of them."""
    return tuple(each.request_id for each in told.requests if each.deleted_at is not None)


def no_threshold(about: Subject, requests: tuple[str, ...]) -> Iterator[Advice]:
    """Name a threshold in the policy, where neither claim nor policy has one."""
    if {"removal.no-target", "deletion.no-threshold", "training.privacy.no-threshold"} & set(about.given):
        found, action = text("remedy-no-threshold-found"), text("remedy-no-threshold")
        yield Advice(found, action, Owner.CONTROLLER, requests=requests, tell=Tell.OPEN, urgency=Urgency.DECIDE)


def plan_for(options: Mapping[str, str | float | None], *flags: str) -> str:
    """The `auditor plan` that shows what a setting that serves would cost; options without a value are left out."""
    said = ["auditor", "plan", "CASE", *flags]
    for name, value in options.items():
        if value not in {None, ""}:
            said += [name, value if isinstance(value, str) else f"{value:g}"]
    return shlex.join(said)


def rounded_up(value: float) -> str:
    """A setting in two significant digits, never smaller than the value."""
    power = 10.0 ** (math.floor(math.log10(value)) - 1)
    return f"{math.ceil(value / power) * power:.6g}"


Remedies: TypeAlias = Mapping[str, Callable[[Subject], Iterator[Advice]]]
"""What to do about each check that did not pass, by its id."""
