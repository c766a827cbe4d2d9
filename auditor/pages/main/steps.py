"""The third page: what to do, in the words of the remedies, as many in full as a page holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from auditor.pages import wording
from auditor.pages.remedies import Remedy, remedies
from auditor.pages.words.texts import text
from auditor.pages.words.told import Told

PAGE: Final = 54
"""Lines of the page, title and lead left out."""
BRIEF: Final = 3
"""Lines that the heading of the short steps and one of them take."""
ALWAYS: Final = 10
"""Lines of what has to be done in any case."""
OF_MODELS: Final = ("reply", "recipients", "backups", "again", "keep")
OF_PROGRAMS: Final = ("running", "backups", "again-program", "keep")
PLAIN: Final = 8
"""Lines of a step that concerns no single request."""
OF_REQUESTS: Final = 3
"""Further lines of one that does."""
MOST_IDS: Final = 6
"""Requests that a step names; all are in the attached table."""


@dataclass(frozen=True, slots=True)
class Steps:
    """What the page prints."""

    full: tuple[Remedy, ...]
    brief: tuple[Remedy, ...]
    """Steps of which the page gives one line; the Markdown summary has all."""
    always: bool
    """Whether there is room for what has to be done in any case."""
    anyway: tuple[str, ...]
    """What that is, by its messages: a program that is audited alone has no requests, and so no letters."""


def steps(told: Told) -> Steps:
    """Lay the steps out on one page, the most urgent in full."""
    found, anyway = remedies(told), OF_MODELS if told.evidence.learns else OF_PROGRAMS
    room = PAGE
    for count, step in enumerate(found):
        left = len(found) - count - 1
        room -= lines(step)
        if room < (BRIEF + left if left else 0):
            return Steps(found[: max(1, count)], found[max(1, count) :], always=False, anyway=anyway)
    return Steps(found, (), always=room >= ALWAYS, anyway=anyway)


def lines(step: Remedy) -> int:
    """Lines that a step usually takes in full. What a name or a reason says, however long, moves no other step."""
    return PLAIN + (OF_REQUESTS if step.requests else 0) + bool(step.command)


def concerned(told: Told, step: Remedy) -> str:
    """The requests that a step concerns: all that were carried out, or their ids, the first of them where they are many."""
    done = {each.request_id for each in told.requests if each.deleted_at is not None}
    if len(step.requests) > MOST_IDS and set(step.requests) >= done:
        return text("main-step-all-requests", count=len(step.requests))
    named = ", ".join(wording.short(each, 40) for each in step.requests[:MOST_IDS])
    more = len(step.requests) - MOST_IDS
    return text("main-step-some-requests", named=named, more=more) if more > 0 else named
