"""The seventh page: where else the records may be, who says what about it, a map of the system, and a card of the model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from auditor.base.domain import Status
from auditor.pages import tables, wording, words
from auditor.pages.main import Light
from auditor.pages.main.opinion import search, status
from auditor.pages.words.rendered_evidence import Told
from auditor.pages.words.texts import text
from auditor.verdict.checks.card import Role

KINDS: Final = ("backups", "caches", "feature stores", "embeddings", "recipients", "derived models")
"""Places that every report names, declared or not."""
MOST_SEARCHED: Final = 7
"""Places searched that are listed; the annex has all."""


@dataclass(frozen=True, slots=True)
class Place:
    """One place, whether it was searched, and what is said of it."""

    name: str
    light: Light
    word: str
    said: str
    given: str = ""
    """What the controller wrote about it."""


@dataclass(frozen=True, slots=True)
class Station:
    """One box of the map."""

    name: str
    light: Light
    said: str


def places(told: Told) -> tuple[Place, ...]:
    """List what was searched, what the controller declares, and what nothing is declared about."""
    return *_searched(told), *_declared(told), *_silent(told)


def stations(told: Told) -> tuple[Station, ...]:
    """Say what is known of each stop of the data: store, training, model, recipients."""
    erased = status(told, Role.SEARCHES)
    data = (
        Light.EMPTY if told.case.store is None or erased is Status.FAIL else Light.FULL if erased is Status.PASS else Light.HALF
    )
    training = Light.HALF if told.evidence.examined.procedure else Light.EMPTY
    model = {Status.PASS: Light.FULL, Status.FAIL: Light.EMPTY}.get(
        status(told, Role.COMPARES_FILE) or Status.SKIPPED, Light.EMPTY if told.case.model is None else Light.HALF
    )
    if model is Light.FULL and not told.case.model_alone:
        model = Light.HALF
    declared = any("recipient" in each.name.lower() for each in told.evidence.outside)
    ends = Light.HALF if declared else Light.EMPTY
    said = {
        "data": "none" if told.case.store is None else "found" if erased is Status.FAIL else "searched",
        "training": "again" if told.evidence.examined.procedure else "not",
        "model": "none"
        if told.case.model is None
        else "other"
        if model is Light.EMPTY
        else "part"
        if told.case.model_part
        else "examined",
        "recipients": "declared" if declared else "not",
    }
    lights = {"data": data, "training": training, "model": model, "recipients": ends}
    return tuple(
        Station(text(f"main-map-{name}"), light, text(f"main-map-{name}-{said[name]}")) for name, light in lights.items()
    )


def card(told: Told) -> tuple[tables.Entry, ...]:
    """What the model is, in numbers."""
    return tuple(tables.Entry(text(f"main-card-{name}"), value, is_number) for name, value, is_number in _card(told))


def _card(told: Told) -> Iterator[tuple[str, str, bool]]:
    case = told.case
    declared = told.procedure.use if told.evidence.reruns else None
    yield "procedure", wording.shown(declared or told.procedure.entry or text("common-not-given")), False
    yield "trained", wording.number(case.training_records), True
    yield "left", wording.number(case.records_left), True
    yield "features", wording.number(case.features), True
    if case.task == "classification":
        yield "classes", wording.number(case.classes), True
    yield "parameters", wording.number(case.parameters) if case.parameters is not None else text("common-not-known"), True
    if case.parameters and case.records_left:
        yield "ratio", wording.number(round(case.parameters / case.records_left, 2)), True
    yield "use", wording.day(case.in_use_since) if case.in_use_since else text("common-not-given"), False


def _searched(told: Told) -> Iterator[Place]:
    seen = search(told)
    searched = () if seen is None else seen.searched
    for each in searched[:MOST_SEARCHED]:
        name = wording.shown(words.sentence(each.place))
        if each.found:
            yield Place(name, Light.EMPTY, text("main-place-found"), text("main-place-found-said", count=each.found))
        else:
            yield Place(name, Light.FULL, text("main-place-searched"), text("main-place-searched-said"))
    if (more := len(searched) - MOST_SEARCHED) > 0:
        yield Place(text("main-place-more", count=more), Light.HALF, text("main-place-searched"), text("main-place-more-said"))
    for left in () if seen is None else seen.not_searched:
        why = _sentence(wording.shown(words.sentence(left.why)))
        yield Place(wording.shown(words.sentence(left.place)), Light.EMPTY, text("main-place-not"), why)


def _declared(told: Told) -> Iterator[Place]:
    for each in told.evidence.outside:
        said = text("main-place-declared-said", by=wording.shown(each.declared_by))
        if each.until is not None:
            said = text("main-place-declared-until", by=wording.shown(each.declared_by), day=wording.day(each.until))
        yield Place(wording.shown(each.name), Light.HALF, text("main-place-declared"), said, _sentence(each.what))


def _sentence(clause: str) -> str:
    """A clause that somebody wrote, with a capital and a full stop: another sentence follows it."""
    said = clause.strip()
    return f"{said[:1].upper()}{said[1:]}{'' if said.endswith(('.', '!', '?')) else '.'}" if said else ""


def _silent(told: Told) -> Iterator[Place]:
    declared = {each.name.lower() for each in told.evidence.outside}
    for kind in KINDS:
        if not any(kind.rstrip("s") in name for name in declared):
            yield Place(
                text(f"main-place-kind-{kind.replace(' ', '-')}"), Light.EMPTY, text("main-place-not"), text("main-place-silent")
            )
