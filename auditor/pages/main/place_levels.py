"""The places of a case without a model, level by level: what queries answer, what files hold, what can be derived."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from auditor.pages import wording, words
from auditor.pages.main import Light
from auditor.pages.main.opinion import named
from auditor.pages.words.lists import and_more
from auditor.pages.words.rendered_evidence import Told, ToldCheck
from auditor.pages.words.texts import text
from auditor.settings.attestations import COPIES, UNREAD
from auditor.verdict import examination
from auditor.verdict.checks.readings import ByPlace, KnownPlace, LeavesOpen, LeftOver, MayBeOthersAt, NamesRequests

LEVELS: Final = ("answers", "disk", "derivable")
_LIGHTS: Final[Mapping[str, Light]] = {"found": Light.BAD, "deleted-rows": Light.BAD, "open": Light.HALF, "clear": Light.FULL}
_MOST: Final = 4
"""Reasons that a row names."""
MOST: Final = 100
"""Places that a page lists; the evidence has all."""
_ROOM: Final = 8
"""Lines of places on page one: a place takes one, and one more for what is said of it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What is known of a place at one level."""

    state: str
    light: Light
    word: str

    @property
    def marked(self) -> str:
        """The word with its mark, for a terminal."""
        return f"{self.light.value} {self.word}"


@dataclass(frozen=True, slots=True)
class Row:
    """One place."""

    name: str
    cells: tuple[Cell, ...]
    """As `LEVELS` has them."""
    found: int
    said: str
    """What was found, why it is not cleared, or whose word clears it; empty where nothing is left to say."""
    at: tuple[str, ...] = ()
    """Where it was found, request by request, the first few."""
    quoted: str = ""
    """Whose texts may be quoted as well, where others were found."""
    quoted_at: tuple[str, ...] = ()
    """Where texts may be quoted, request by request, the first few."""


def heading(level: str) -> str:
    """Name a level."""
    return text(f"main-level-{level}")


def headings() -> tuple[str, ...]:
    """Name every level."""
    return tuple(map(heading, LEVELS))


def rows(told: Told) -> tuple[Row, ...]:
    """List the places in the order of the case; none where no search of places came to a result."""
    check = named(told, examination.searching(told.evidence))
    found = None if check is None else check.derived
    if check is None or not isinstance(found, ByPlace):
        return ()
    return tuple(_row(each, tuple(_words(each.name, check))) for each in found.places)


def first(told: Told) -> tuple[Row, ...]:
    """List the places that page one has room for, those first where people were found, then those that are open."""
    most = [Light.BAD, Light.HALF, Light.FULL, Light.EMPTY]
    ordered = sorted(rows(told), key=lambda row: min(most.index(cell.light) for cell in row.cells))
    room, listed = _ROOM, list[Row]()
    for row in ordered:
        room -= 2 if row.said else 1
        if room < 0:
            break
        listed.append(row)
    return tuple(listed)


def requests_found(told: Told) -> tuple[str, ...]:
    """Ids of the requests whose records were found."""
    check = named(told, examination.searching(told.evidence))
    seen = None if check is None else check.observed
    return tuple(seen.request_ids) if isinstance(seen, NamesRequests) else ()


def _words(place: str, check: ToldCheck) -> Iterator[str]:
    """What of a place nothing but somebody's word clears."""
    seen, left = check.observed, check.derived
    if isinstance(seen, MayBeOthersAt) and (met := seen.perhaps_at(place)):
        yield text("main-level-named", count=met, word=COPIES)
    covered: Sequence[LeftOver] = left.by_word if isinstance(left, LeavesOpen) else ()
    if unread := sum(each.bytes - each.found for each in covered if each.place.parameters.get("name") == place):
        yield text("main-level-unread", count=unread, word=UNREAD)


def _row(place: KnownPlace, by_word: tuple[str, ...]) -> Row:
    cells = tuple(_cell(state, by_word=bool(by_word)) for state in (place.answers, place.disk, place.derivable))
    whys = [wording.shown(words.sentence(each)) for each in place.open]
    # Where a place is open, what keeps it so comes first.
    whys = whys or list(by_word)
    said = and_more(whys[:_MOST], max(0, len(whys) - _MOST)) if whys else ""
    if place.found:
        on_disk = place.answers == "not-examined"
        said = text("main-level-found", count=place.found, where="disk" if on_disk else "answers", copies=place.derivable)
    at, quoted_at = (tuple(wording.shown(words.sentence(each)) for each in those) for those in (place.at, place.quoted_at))
    quoted = text("main-level-quoted", count=place.perhaps_quoted) if place.found and place.perhaps_quoted else ""
    return Row(wording.shown(place.name), cells, place.found, said, at, quoted, quoted_at)


def _cell(state: str, *, by_word: bool) -> Cell:
    if state == "clear" and by_word:
        return Cell(state, Light.HALF, text("main-cell-clear-by-word"))
    return Cell(state, _LIGHTS.get(state, Light.EMPTY), text(f"main-cell-{state if state in _LIGHTS else 'not-examined'}"))
