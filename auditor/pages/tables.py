"""Values of any kind as rows of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from auditor.base.domain import Message
from auditor.document.evidence import digest_of
from auditor.pages import wording, words
from auditor.pages.words.rendered_evidence import Told
from auditor.pages.words.texts import say, text
from auditor.verdict import examination
from auditor.verdict.checks.readings import Search, SearchedPlace

LONGEST_LIST: Final = 8
"""A list of more values than this is printed as a count and a digest."""

WIDEST: Final = 40
"""A value of more characters takes more than two lines of a column, and has a row of its own in a table of pairs."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A name and its value in words."""

    name: str
    value: str
    is_number: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A place outside the model, and whether the audit looked there."""

    name: str
    verified: bool
    note: str


def entries(values: Mapping[str, object], without: Sequence[str] = ()) -> tuple[Entry, ...]:
    """A mapping as rows of a name and a value in words, nested mappings flattened to dotted names."""
    rows: list[Entry] = []
    for name, value in values.items():
        if name in without:
            continue
        if isinstance(value, Mapping) and value and all(_plain(inner) for inner in value.values()):
            rows.extend(_entry(f"{name}.{key}", inner) for key, inner in value.items())
        else:
            rows.append(_entry(name, value))
    return tuple(rows)


def declared(values: Mapping[str, object]) -> tuple[Entry, ...]:
    """What a table of the case declares, as rows; keys that it leaves open say nothing."""
    given = {
        name: {key: inner for key, inner in value.items() if inner is not None} if isinstance(value, Mapping) else value
        for name, value in values.items()
    }
    return entries({name: value for name, value in given.items() if value is not None and value != {}})


def in_twos(rows: Sequence[Entry]) -> tuple[tuple[Entry, ...], ...]:
    """Put two entries in a row, in their order; a long value has a row of its own, before a short one that waits for its pair."""
    laid: list[tuple[Entry, ...]] = []
    waiting: Entry | None = None
    for row in rows:
        if len(row.value) > WIDEST:
            laid.append((row,))
        elif waiting is None:
            waiting = row
        else:
            laid.append((waiting, row))
            waiting = None
    return (*laid, *([(waiting,)] if waiting is not None else []))


def in_words(value: Any) -> str:
    """Any JSON value as one printable string; long lists and nested mappings as a count and a digest."""
    match value:
        case None:
            return text("details-not-available")
        case bool() | int() | float():
            return wording.number(value)
        case Message():
            return words.sentence(value)
        case str():
            return value or text("details-nothing")
        case Mapping() | list() | tuple():
            return _collection(value)
        case _:
            return str(value)


def covered(evidence: Told) -> tuple[tuple[str, int], ...]:
    """Titles of the guarantees that cover requests, and how many requests each of them covers."""
    counts = Counter(name for request in evidence.requests for name in set(request.guarantees))
    return tuple((guarantee.title, counts[guarantee.id]) for guarantee in evidence.guarantees if counts[guarantee.id])


def outside(evidence: Told) -> tuple[Place, ...]:
    """Places outside the model: verified only where the search looked, not examined everywhere else."""
    searching = examination.searching(evidence.evidence)
    seen = next((check.observed for check in evidence.checks if searching in check.card.roles), None)
    places: list[Place] = []
    if isinstance(seen, Search):
        places += [Place(words.sentence(each.place), True, _found(each)) for each in seen.searched]
        places += [Place(words.sentence(each.place), False, words.sentence(each.why)) for each in seen.not_searched]
    places += [
        Place(text(f"details-place-{name}"), False, text("details-not-covered"))
        for name in ("backups", "caches", "features", "embeddings", "derived", "recipients")
    ]
    return tuple(places)


def _found(place: SearchedPlace) -> str:
    found, how = in_words(place.found), words.sentence(place.how)
    if place.records_searched is None:
        return text("details-found", found=found, how=how)
    return text("details-searched", searched=in_words(place.records_searched), found=found, how=how)


def _plain(value: Any) -> bool:
    """Whether a value fits in one row by itself: no mapping, and a list only if it is short and flat."""
    if isinstance(value, list | tuple):
        return len(value) <= LONGEST_LIST and not any(isinstance(item, Mapping | list | tuple) for item in value)
    return not isinstance(value, Mapping)


def _entry(name: str, value: Any) -> Entry:
    return Entry(name, in_words(value), isinstance(value, int | float) and not isinstance(value, bool))


def _collection(value: Mapping[str, object] | Sequence[Any]) -> str:
    if not value:
        return text("details-empty")
    flat = not isinstance(value, Mapping) and not any(isinstance(item, Mapping | list | tuple) for item in value)
    if flat and len(value) <= LONGEST_LIST:
        return ", ".join(in_words(item) for item in value)
    if (
        isinstance(value, Mapping)
        and len(value) <= LONGEST_LIST
        and not any(isinstance(v, Mapping | list | tuple) for v in value.values())
    ):
        return "; ".join(f"{key} = {in_words(item)}" for key, item in value.items())
    what = "entry" if isinstance(value, Mapping) or not flat else "value"
    return say("details-attached", count=wording.plural(len(value), what), digest=digest_of(value)[:16])
