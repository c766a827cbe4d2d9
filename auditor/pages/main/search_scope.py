"""Outside the model: where else the records may be, who says what about it, a map of the system, and a card of the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from auditor.base.deletion_log.requests import Recipient
from auditor.pages import tables, wording, words
from auditor.pages.main import Light
from auditor.pages.main.opinion import kept, named, of_file, of_store, search
from auditor.pages.words import lineage, lists
from auditor.pages.words.backups import backups
from auditor.pages.words.rendered_evidence import Told
from auditor.pages.words.texts import text
from auditor.settings.attestations import CODE_CLEAN, UNREAD
from auditor.verdict import examination
from auditor.verdict.checks.readings import LeavesOpen, LeftOver, OpenPlaces, Search, SearchedPlace
from auditor.verdict.examination import Recipients

MOST_SEARCHED: Final = 7
"""Places searched that are listed; the annex has all."""

MOST_NAMED: Final = 6
"""Places that a row names where the same is known of many."""
MOST_MADE: Final = 5
"""Things made from the model that are listed; the evidence has all."""
MOST_RECEIPTS: Final = 3
"""The same of receipts."""
DIGITS: Final = 16
"""Of a receipt's digest: enough to tell it from any other."""


@dataclass(frozen=True, slots=True)
class Place:
    """One place, whether it was searched, and what is said of it."""

    name: str
    light: Light
    word: str
    said: str
    given: str = ""
    """What the controller wrote about it."""
    anchor: str = ""
    """By which other pages name its row."""


@dataclass(frozen=True, slots=True)
class Station:
    """One box of the map."""

    name: str
    light: Light
    said: str


@dataclass(frozen=True, slots=True)
class InPart:
    """A place in which no deleted record was recognised, and that was not read or explained whole."""

    name: str
    bytes: int
    """What nothing explains of it; 0 where that is not known."""
    word: str | None
    """The name of the attestation that covers it; None where none does."""

    @property
    def sized(self) -> str:
        """Its name, with the size of what nothing explains."""
        return f"{self.name} ({lists.size(self.bytes)})" if self.bytes else self.name

    @property
    def said(self) -> str:
        """What is known of it."""
        message = "main-place-in-part-code" if self.word == CODE_CLEAN else "main-place-in-part-said"
        if self.word is None:
            message = "main-place-in-part-open"
        return text(message, size=lists.size(self.bytes) if self.bytes else "none")


def in_part(told: Told) -> tuple[InPart, ...]:
    """List the places that were not read or explained whole, those that only somebody's word covers among them."""
    check, seen = named(told, examination.searching(told.evidence)), search(told)
    left = None if check is None else check.derived
    found: dict[str, InPart] = {}
    if isinstance(left, LeavesOpen):
        for each, covered in _left_over(left):
            name = wording.shown(words.sentence(each.place))
            found.setdefault(name, InPart(name, each.bytes, covered))
    if isinstance(seen, OpenPlaces):
        word = UNREAD if any(each.name == UNREAD for each in told.policy.attested) else None
        opened = [(each, word) for each in seen.open_in_store] + [(each, None) for each in seen.open_elsewhere]
        for message, word in opened:
            said = wording.shown(words.sentence(message))
            for place in seen.searched:
                if said.startswith(f"{(name := wording.shown(words.sentence(place.place)))}: "):
                    found.setdefault(name, InPart(name, 0, word))
    return tuple(found.values())


def _left_over(left: LeavesOpen) -> Iterator[tuple[LeftOver, str | None]]:
    """What a word covers with that word, and what nothing covers."""
    yield from ((each, each.word) for each in left.by_word)
    yield from ((each, None) for each in left.unexplained)


def places(told: Told) -> tuple[Place, ...]:
    """List what was searched, what the controller declares of other places, and what nothing is declared about."""
    return *_searched(told), *_declared(told), *_logged(told), *_silent(told)


def rows(told: Told) -> tuple[Place, ...]:
    """List the places, those of which the same is known in one row, in the order of the first of them."""
    alike: dict[tuple[Light, str, str, str, str], list[str]] = {}
    for each in places(told):
        alike.setdefault((each.light, each.word, each.said, each.given, each.anchor), []).append(each.name)
    return tuple(Place(_listed(names), *known) for known, names in alike.items())


def _listed(names: Sequence[str]) -> str:
    return ", ".join([*(wording.short(each, 80) for each in names[:MOST_NAMED]), *_others(len(names) - MOST_NAMED)])


def _others(count: int) -> tuple[str, ...]:
    return (text("main-place-more", count=count),) if count > 0 else ()


def stations(told: Told) -> tuple[Station, ...]:
    """Say what is known of each stop of the data: store, training, model, recipients."""
    again = told.evidence.examined.procedure
    known = (
        ("data", of_store(told), examination.searched(told.evidence).value),
        ("training", Light.HALF if again else Light.EMPTY, "again" if again else "not"),
        ("model", of_file(told), examination.model_file(told.evidence).value),
        ("recipients", _of_recipients(told), examination.recipients(told.evidence).value),
    )
    return tuple(Station(text(f"main-map-{name}"), light, text(f"main-map-{name}-{said}")) for name, light, said in known)


def backups_gone(told: Told) -> str:
    """Say by when the last backup that holds an erased person is gone, as far as somebody declared it."""
    found = backups(told.evidence)
    if found.first is None or found.last is None:
        return text("main-backups-unsaid")
    match found.state:
        case "found" | "marked":
            day = wording.day(found.last)
            return text(f"main-backups-{found.state}", day=day, count=found.requests, marked=found.marked)
        case "before" if found.erased is not None:
            return text("main-backups-before", day=wording.day(found.first), erased=wording.day(found.erased))
        case _:
            return text("main-backups-gone", day=wording.day(found.last))


def made(told: Told) -> tuple[str, ...]:
    """Say what was made from the model, what may still depend on deleted records first; of things alike in one sentence."""
    listed = sorted(told.evidence.lineage, key=lambda each: not each.descent.open)
    alike: dict[tuple[str, str], list[str]] = {}
    for each in listed[:MOST_MADE]:
        name = text(f"main-made-{each.kind}", name=wording.short(each.name, 60))
        alike.setdefault((lineage.said(each), wording.short(each.declared_by, 80)), []).append(name)
    said = [text("main-made", names=lists.listed(names), said=words, by=by) for (words, by), names in alike.items()]
    more = len(listed) - MOST_MADE
    return *said, *((text("main-made-more", count=more),) if more > 0 else ())


def receipts(told: Told) -> tuple[str, ...]:
    """Say which receipts of processors are on file, all of them on trust."""
    listed = told.evidence.receipts
    said = [
        text(
            "main-receipt",
            processor=wording.short(each.processor, 60),
            what=wording.short(each.what, 80).rstrip(" ."),
            day=wording.day(each.at),
            count=len(examination.covered_by(told.evidence, each)),
            sha256=(each.sha256 or "")[:DIGITS],
        )
        for each in listed[:MOST_RECEIPTS]
    ]
    more = len(listed) - MOST_RECEIPTS
    return *said, *((text("main-receipt-more", count=more),) if more > 0 else ())


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
    """What was searched: where something was found first, then what is not explained whole, and what is settled last."""
    if not (told.evidence.learns or told.evidence.places_alone):
        found = kept(told)
        word = "main-place-open" if found.light is Light.EMPTY else "main-place-searched"
        yield Place(found.area, found.light, text(word), found.said)
        return
    seen = search(told)
    if not told.evidence.places_alone:
        yield from _read(told, seen)
    for left in () if seen is None else seen.not_searched:
        why = _sentence(wording.shown(words.sentence(left.why)))
        yield Place(wording.shown(words.sentence(left.place)), Light.EMPTY, text("main-place-not"), why)


def _read(told: Told, seen: Search | None) -> Iterator[Place]:
    """What was searched; of places alone a table of its own lists it, level by level."""
    partly = {each.name: each for each in in_part(told)}
    searched = [_one(each, partly) for each in (() if seen is None else seen.searched)]
    named_already = {each.name for each in searched}
    searched += [_left(each) for name, each in partly.items() if name not in named_already]
    searched.sort(key=lambda each: (Light.BAD, Light.HALF, Light.FULL).index(each.light))
    yield from searched[:MOST_SEARCHED]
    if (more := len(searched) - MOST_SEARCHED) > 0:
        yield Place(text("main-place-more", count=more), Light.HALF, text("main-place-searched"), text("main-place-more-said"))


def _one(each: SearchedPlace, partly: Mapping[str, InPart]) -> Place:
    name = wording.shown(words.sentence(each.place))
    if each.found:
        return Place(name, Light.BAD, text("main-place-found"), text("main-place-found-said", count=each.found))
    if name in partly:
        return _left(partly[name])
    return Place(name, Light.FULL, text("main-place-searched"), text("main-place-searched-said"))


def _left(each: InPart) -> Place:
    return Place(each.name, Light.HALF, text("main-place-in-part"), each.said)


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


def _logged(told: Told) -> Iterator[Place]:
    """Recipients by the log: of how many deletions they were told, and who."""
    if examination.recipients(told.evidence) is not Recipients.LOGGED:
        return
    logged, done = examination.told_recipients(told.evidence)
    named = _recipients(told)
    said = [text("main-place-recipients-logged", count=logged, of=done)]
    for answer, notified in (("told", True), ("untold", False)):
        if names := list(dict.fromkeys(each.name for each in named if each.name and each.notified is notified)):
            said.append(text(f"main-place-recipients-{answer}", names=_listed([wording.shown(each) for each in names])))
    if against := examination.denied_recipients(told.evidence):
        said.append(text("main-place-recipients-against", count=len(against)))
    name, by_log = _kind(told, examination.RECIPIENTS), text("main-place-by-log")
    yield Place(name, _of_recipients(told), by_log, " ".join(said), anchor=examination.RECIPIENTS)


def _recipients(told: Told) -> list[Recipient]:
    return [each for request in told.requests if request.deleted_at for each in request.recipients_notified or ()]


def _of_recipients(told: Told) -> Light:
    """The mark of what is said of recipients."""
    if examination.recipients(told.evidence) is Recipients.SILENT:
        return Light.EMPTY
    return Light.HALF if all(each.notified for each in _recipients(told)) else Light.BAD


def _silent(told: Told) -> Iterator[Place]:
    by_log = examination.recipients(told.evidence) is Recipients.LOGGED
    kinds = [each for each in examination.undeclared(told.evidence) if not (each == examination.RECIPIENTS and by_log)]
    # They share a row: see `rows`.
    for name in lists.continued(_kind(told, each) for each in kinds):
        yield Place(name, Light.EMPTY, text("main-place-not"), text("main-place-silent"))


def _kind(told: Told, kind: str) -> str:
    return told.text(f"main-place-kind-{kind.replace(' ', '-')}")
