"""What to do, in the words of the remedies, as many in full as a page holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from auditor.base.domain import Status, Verdict
from auditor.pages import plain, wording
from auditor.pages.main import times
from auditor.pages.main.opinion import having
from auditor.pages.remedies import Remedy, once, remedies, whose
from auditor.pages.remedies.advice import Proof
from auditor.pages.words.backups import backups
from auditor.pages.words.rendered_evidence import Told
from auditor.pages.words.texts import text
from auditor.verdict import examination
from auditor.verdict.checks.card import Role
from auditor.verdict.examination import ModelFile
from auditor.verdict.request_status import chains

# What was not tested: the area, why, and who could. Areas are few; the annex lists every check.
COMPARING: Final = (Role.ATTACKS_DIFFERENCE, Role.NAMES_DELETED)
"""Roles of checks that compare the model before a deletion with the one after it."""


@dataclass(frozen=True, slots=True)
class Area:
    """One thing that was not tested."""

    name: str
    why: str
    who: str


def areas(told: Told) -> tuple[Area, ...]:
    """Everything that was not tested, the weightiest first."""
    if told.evidence.places_alone:
        return tuple(_of_places(told))
    if not told.evidence.learns:
        return tuple(_of_program(told))
    return *_given(told), *_attacks(told), _area("outside")


def _of_program(told: Told) -> Iterator[Area]:
    """What a whole controller was not tried with."""
    if missing := plain.missing_checks(told):
        yield _area("missing", checks=", ".join(missing))
    yield _area("histories")
    yield _area("program")
    yield _area("useful")
    if told.audit.quick:
        yield _area("quick")
    yield _area("outside")


def _of_places(told: Told) -> Iterator[Area]:
    """What a search of places says nothing of."""
    if missing := plain.missing_checks(told):
        yield _area("missing", checks=", ".join(missing))
    yield _area("unasked")
    if told.case.table is None:
        yield _area("values")
    yield _area("disguised-places")
    yield _area("outside")


def _area(name: str, why: str = "", **given: str | int) -> Area:
    return Area(
        text(f"main-untested-{name}", **given),
        text(f"main-untested-{name}-{why or 'why'}", **given),
        text(f"main-untested-{name}-who"),
    )


def _given(told: Told) -> Iterator[Area]:
    """What the case or the run left out."""
    if missing := plain.missing_checks(told):
        yield _area("missing", checks=", ".join(missing))
    file = examination.model_file(told.evidence)
    if file in {ModelFile.NONE, ModelFile.ANSWERS}:
        yield _area(plain.no_model("model", told))
    elif told.case.model_part is not None:
        yield _area("part")
    if told.case.store is None:
        yield _area(plain.not_given("store", told))
    else:
        yield _area("disguised")
    if told.case.base:
        yield _area("base", folders=plain.base_folders(told))
    if waiting := sum(each.deleted_at is None and each.status == "open" for each in told.requests):
        yield _area("waiting", count=waiting)
    if told.policy.claims_not_examined:
        yield _area("claims", claims=", ".join(wording.shown(each).replace("_", " ") for each in told.policy.claims_not_examined))
    if told.audit.quick:
        yield _area("quick")


def _attacks(told: Told) -> Iterator[Area]:
    """Attacks that did not run, or that this version does not have."""
    exact = _ran(told, Role.EXACT) or not told.evidence.reruns
    if not exact and not _ran(told, Role.ATTACKS_RELEASE):
        yield _area("release")
    if not exact and not _ran(told, Role.ATTACKS_RECORDS):
        yield _area("game", "regression" if told.case.task == "regression" else "why")
    if not _ran(told, *COMPARING):
        yield _area("comparing", "why" if told.policy.settings.get("before_and_after") else "one-release")
    if not _ran(told, Role.REBUILDS):
        yield _area("rebuilding")
    if not _ran(told, Role.ACCURACY) and told.case.task == "classification":
        yield _area("accuracy")


def _ran(told: Told, *roles: Role) -> bool:
    """Whether a check that has one of the roles came to a result or tried to."""
    return any(check.status is not Status.SKIPPED or check.value is not None for check in having(told, *roles))


PAGE: Final = 46
"""Lines of the page, title and lead left out."""
BRIEF: Final = 3
"""Lines that the heading of the short steps and one of them take."""
ALWAYS: Final = 10
"""Lines of what has to be done in any case."""
OF_MODELS: Final = ("reply", "recipients", "backups", "again", "keep")
OF_PLACES: Final = ("reply", "recipients", "backups", "again-places", "keep")
OF_PROGRAMS: Final = ("running", "backups", "again-program", "keep")
PLAIN: Final = 11
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
    """Whether what has to be done in any case is printed: where the policy is met, and where there is room."""
    anyway: tuple[str, ...]
    """What that is, by its messages: a program that is audited alone has no requests, and so no letters."""


def steps(told: Told) -> Steps:
    """Lay the steps out on one page, the most urgent in full."""
    passed = told.verdict is Verdict.PASS  # then people are what is left: the page goes on overleaf rather than leave them out
    found = remedies(told)
    anyway: tuple[str, ...] = OF_MODELS if told.evidence.learns else OF_PROGRAMS
    anyway = OF_PLACES if told.evidence.places_alone else anyway
    answers = times.answers(chains(told.evidence))
    if backups(told.evidence).state == "until":
        anyway = tuple(each for each in anyway if each != "backups")
    anyway = (*(["answered"] if answers.unrecorded else []), *(["waiting"] if answers.waiting else []), *anyway)
    room = PAGE
    for count, step in enumerate(found):
        left = len(found) - count - 1
        room -= lines(step)
        if room < (BRIEF + left if left else 0):
            return Steps(found[: max(1, count)], found[max(1, count) :], always=passed, anyway=anyway)
    return Steps(found, (), always=passed or room >= ALWAYS, anyway=anyway)


def lines(step: Remedy) -> int:
    """Lines that a step usually takes in full. What a name or a reason says, however long, moves no other step."""
    return PLAIN + (OF_REQUESTS if step.requests else 0) + bool(step.command)


@dataclass(frozen=True, slots=True)
class Row:
    """One line under a step."""

    name: str
    said: str
    is_command: bool = False


@dataclass(frozen=True, slots=True)
class Shared:
    """What is said once for several steps."""

    whose: str
    rows: tuple[Row, ...]


def under(told: Told, found: Sequence[Remedy]) -> tuple[tuple[tuple[Row, ...], ...], tuple[Shared, ...]]:
    """Lay out what belongs to each of the steps, and what holds for every one of them, once.

    What only some of them share stays under each: nobody puts a step together from several places of a page.
    """
    rows = [tuple(_rows(told, step)) for step in found]
    _, shared = once(rows)
    every = next((list(lines) for numbers, lines in shared if len(numbers) == len(found)), [])
    apart = tuple(tuple(row for row in step if row not in every) for step in rows)
    return apart, (Shared(whose(range(1, len(found) + 1), len(found)), tuple(every)),) if every else ()


def _rows(told: Told, step: Remedy) -> Iterator[Row]:
    yield Row(text("main-step-why"), step.found)
    yield Row(text("main-step-owner"), f"{step.owner}. {step.by_when}")
    if step.requests:
        yield Row(text("main-step-requests"), concerned(told, step))
        yield Row(text("main-step-tell"), step.tell)
    # Without a full stop: a number at the end of a step would look broken by the number of the next.
    yield Row(text("main-step-proof"), "; ".join(_shown_by(told, each) for each in step.proof))
    yield Row(told.text("main-step-release"), step.meanwhile)
    if step.command:
        yield Row(text("main-step-command"), step.command, is_command=True)


def _shown_by(told: Told, proof: Proof) -> str:
    """How to see that a step worked, with the title of a check in place of its id: who signs reads no ids."""
    title = next((each.title for each in told.checks if each.id == proof.check), None)
    return proof.said if title is None else text("main-step-proof-check", title=title, expected=proof.expected)


def headed(step: Remedy) -> tuple[str, str]:
    """Give the first sentence of a step, which is its heading, and the rest."""
    head, stop, rest = step.action.partition(". ")
    return f"{head}.".replace("..", ".") if stop else head, rest


def concerned(told: Told, step: Remedy) -> str:
    """The requests that a step concerns: all that were carried out, or their ids, the first of them where they are many."""
    done = {each.request_id for each in told.requests if each.deleted_at is not None}
    if len(step.requests) > MOST_IDS and set(step.requests) >= done:
        return text("main-step-all-requests", count=len(step.requests))
    named = ", ".join(wording.short(each, 40) for each in step.requests[:MOST_IDS])
    more = len(step.requests) - MOST_IDS
    return text("main-step-some-requests", named=named, more=more) if more > 0 else named
