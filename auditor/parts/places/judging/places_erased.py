"""`places.erased`: whether deleted people are still in the places that a case without a model names.

What is found fails. What is not found counts only where the search could have seen it: where it recognises ids of other people,
where it reads all that is there, and where rows of people who stay explain every byte. Whatever else lies there may be a deleted
person in a form that no search knows, and leaves the check open unless somebody answers for it by name.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple, Self, TypeAlias

from pydantic import Field, model_validator

from auditor.base.domain import Message, Status
from auditor.document.evidence import Evidence
from auditor.parts.places.cards import PLACES_ERASED
from auditor.parts.places.judging import before_and_after
from auditor.parts.places.judging.before_and_after import WithBaseline
from auditor.parts.places.judging.embedding import DerivedVectors, Embedding, Vectors, chance, doubts
from auditor.parts.places.judging.found_at import MOST_REQUESTS, FoundOf
from auditor.parts.places.judging.quoted import LEVEL, Quoted
from auditor.parts.places.judging.unexplained import Form, Spot
from auditor.parts.store.judging.accounting import SPARE_EACH, SPARE_IN_ALL, Concerned, Spare, SpareName, Unexplained
from auditor.parts.store.judging.data_erased import UNTRIED, NotSearched, Searched
from auditor.settings.attestations import COPIES, EMBEDDING, GENUINE, UNREAD
from auditor.settings.places import Level
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding, Values
from auditor.verdict.checks.stated import Count

CARD: Final = PLACES_ERASED

MOST_SAID: Final = 6
"""Places, or reasons, that one sentence names; it counts the others."""


class LookedFor(Values):
    """What of the deleted people was looked for."""

    ids: Count
    """Ids that are hardly in any text by chance."""
    short_ids: Count
    """Ids that do: they are compared in columns of ids alone."""
    terms: Count
    """Names and numbers of the log."""
    without_terms: Count
    """Deleted records of which the log gives none."""
    values: Count
    """Records whose values the table has."""


class MostUnexplained(Values):
    """Where most of what nothing explains lies."""

    file: str | None
    """As the inputs of the case have it; None where several files are read as one."""
    bytes: Count
    """That nothing explains of it."""
    columns: tuple[str, ...] = ()
    """Columns of it that the table does not have, the first few."""
    table: str = Field(default="", exclude_if=lambda value: not value)
    """The table of the file that has the first of them, where its name says nobody's data."""
    text_index: str = Field(default="", exclude_if=lambda value: not value)
    """A full-text index in it that its texts do not give, where its name says nobody's data."""


class PlaceSeen(Values):
    """One place as it was read."""

    name: str
    level: Level
    files: Count
    bytes: Count
    unexplained: Count
    """Bytes that neither rows of people who stay, nor the form of the file, account for."""
    found_rows: Count = Field(default=0, exclude_if=lambda value: not value)
    """Of the records that were found, those with a row that holds their own values and nothing else."""
    found_bytes: Count = Field(default=0, exclude_if=lambda value: not value)
    """How much of what is unexplained these rows are: it concerns nobody else."""
    spare_bits: Count = Field(default=0, exclude_if=lambda value: not value)
    """What a database's own numbers, or the spelling of cells, could carry."""
    spare_in: tuple[Spare, ...] = Field(default=(), exclude_if=lambda value: not value)
    """How much of it what could carry; of the rest, which lies in names and texts, that is not known."""
    most_spare: Count | None = Field(default=None, exclude_if=lambda value: value is None)
    """The same of one of its files, or of all of its texts together: the most; None where it is all there is."""
    uncounted: Count = Field(default=0, exclude_if=lambda value: not value)
    """Bits that the links of graphs, and the order of their rows, could carry: neither is examined."""
    rows: Count
    """Rows, lines or answers that it came apart into."""
    found: Count
    """Deleted records that were found."""
    found_at: tuple[FoundOf, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Where, request by request."""
    planted: Count = Field(default=0, exclude_if=lambda value: not value)
    """Planted records that were found."""
    in_rows: Count
    """Of the deleted ones, those in rows that are there: the others lie in what was deleted, or between rows."""
    strangers: Count = Field(default=0, exclude_if=lambda value: not value)
    """Rows of people whom the table does not have."""
    changed: Count = Field(default=0, exclude_if=lambda value: not value)
    """Rows of people who stay with other values than the table has."""
    named: Count = 0
    """Deleted records of which a name was met, which others may have too."""
    named_at: tuple[FoundOf, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Where, request by request."""
    alike: Count = 0
    """Deleted records whose id looks like one that is there."""
    unrecorded: tuple[str, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Requests of which the log records no erasure, and whose records are left out here, where those of most others are."""
    recognised: bool
    """Whether ids of others, written as those of the log are, or their values, were met: the search can see."""
    quoted_ids: tuple[str, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Requests of records that were not found, and a text of which may be quoted, or be other people's too."""
    quoted_at: tuple[FoundOf, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Where, request by request."""
    quoted: Quoted | None = Field(default=None, exclude_if=lambda value: value is None)
    """Quotations of people's texts; None where no deleted person has a text that can be quoted."""
    untold_ids: tuple[str, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Requests of further records of whose texts something was met that other people who stay have too, or too little to tell."""
    forms: tuple[Form, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Stores of which something is unexplained that writing them again leaves out."""
    left: tuple[Spot, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Where something is that nothing explains, the first of it."""
    most_unexplained: MostUnexplained | None = Field(default=None, exclude_if=lambda value: value is None)
    """Where most of it lies; None where nothing is unexplained, and where the place itself says it."""
    how: tuple[Message, ...] = ()
    """As what its files were searched."""
    open: tuple[Message, ...] = ()
    """What may hold more, each with why."""
    unread: tuple[NotSearched, ...] = ()
    """What could not be read, each with why."""
    vectors: tuple[Vectors, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Arrays in which people's vectors were looked for, by how they are kept."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        most = 0 if self.most_unexplained is None else self.most_unexplained.bytes
        if most > self.unexplained or self.unexplained > self.bytes:
            raise ValueError("no more is unexplained than there is")
        if self.found_bytes > self.unexplained or bool(self.found_bytes) > bool(self.found_rows):
            raise ValueError("rows that are found are a part of what is unexplained")
        if self.found_rows > self.found + self.planted:
            raise ValueError("no more records have rows of their own than are found")
        if len(self.found_at) > self.found or len(self.named_at) > self.named:
            raise ValueError("no more requests have records at some spot than are found")
        if not {each.request_id for each in self.quoted_at} <= {*self.quoted_ids} or (self.quoted_ids and self.quoted is None):
            raise ValueError("no other requests have texts at some spot than may be quoted")
        spare = max(self.most_spare or 0, sum(each.bits for each in self.spare_in))
        if self.in_rows > self.found or spare > self.spare_bits:
            raise ValueError("no more is found in rows, or is in one file, than there is")
        return self


class Observed(Values):
    """What a search of all places came to; read as `Search` and `OpenPlaces` of `auditor.verdict.checks.readings` as well."""

    deleted: Count
    """Records that were looked for."""
    looked_for: LookedFor
    found: Count
    """Of these, the records that were found anywhere."""
    request_ids: tuple[str, ...]
    """Requests whose records were found."""
    subjects: tuple[str | None, ...] = ()
    """Whose they are, in the same order; empty where no ticket of the log has two people."""
    places: tuple[PlaceSeen, ...]
    planted: Count = Field(default=0, exclude_if=lambda value: not value)
    """Planted records that were looked for."""
    planted_found: Count = Field(default=0, exclude_if=lambda value: not value)
    """Of these, those that were found anywhere."""
    compared: WithBaseline | None = Field(default=None, exclude_if=lambda value: value is None)
    """What was there before, where the scan had a baseline."""
    embedding: Embedding | None = Field(default=None, exclude_if=lambda value: value is None)
    """What was seen of the function that embeds; null where the case has none."""

    @property
    def searched(self) -> Sequence[Searched]:
        """Every place that was searched."""
        return tuple(
            Searched(place=of(each.name), records_searched=each.rows or None, found=each.found, how=_how(each))
            for each in self.places
        )

    @property
    def missing(self) -> Sequence[str]:
        """Requests whose records a place lacks, though the log records no erasure."""
        return tuple(dict.fromkeys(name for each in self.places for name in each.unrecorded))

    @property
    def not_searched(self) -> Sequence[NotSearched]:
        """Every file that was not."""
        return tuple(file for each in self.places for file in each.unread)

    @property
    def copies(self) -> None:
        """Copies among retained training records: there are none."""
        return

    @property
    def open_in_store(self) -> Sequence[Message]:
        """What may hold more."""
        return tuple(
            Message("places.erased.open", {"place": of(each.name), "why": why}) for each in self.places for why in each.open
        )

    @property
    def open_elsewhere(self) -> Sequence[Message]:
        """What else may: nothing but places was searched."""
        return ()

    @property
    def perhaps_ids(self) -> Sequence[str]:
        """Requests of whose records a name, a value or a text was met, which other people may have."""
        tests = len(self.places)
        named = (each.request_id for place in self.places for each in place.named_at)
        quoted = (name for place in self.places if _left_quoted(place.quoted, tests) for name in place.quoted_ids)
        return tuple(dict.fromkeys((*named, *quoted)))

    def perhaps_of_any(self, *, table: bool) -> bool:
        """Whether something was met of which nobody can tell whose it is."""
        return any(
            each.alike
            or len(each.named_at) < min(each.named, 1)
            or len(each.named_at) >= MOST_REQUESTS
            or (each.quoted is not None and (each.quoted.shared or each.quoted.left_out))
            or (table and (each.strangers or each.changed))
            for each in self.places
        )

    def perhaps_at(self, place: str) -> int:
        """Count the deleted records of which a place has a name or value."""
        return sum(each.named for each in self.places if each.name == place)


OpenAs: TypeAlias = Literal["places", "answers", "terms", "quoted", "untold", "store"]
"""As what something is left open: places that were not read in full; answers that nobody says are genuine, or that were searched
without a person's names; texts that may quote somebody, or that could not be distinguished from other people's; what was read,
and may be somebody else's."""
_OPEN_AS: Final[Mapping[str, OpenAs]] = {
    "places.erased.answers-unsaid": "answers",
    "places.erased.without-terms": "terms",
    **dict.fromkeys(("places.erased.quoted", "places.erased.quoted-untested", "places.erased.text-shared"), "quoted"),
    "places.erased.text-untold": "untold",
    **dict.fromkeys(("places.erased.named", "places.erased.alike", "places.erased.others"), "store"),
    **dict.fromkeys(("places.erased.pointing", "places.erased.copied"), "store"),
}
"""By the code of why; whatever is not named here was not read in full."""

Cell: TypeAlias = Literal["found", "deleted-rows", "open", "clear", "not-examined"]
"""What is known of a place at one level; `deleted-rows`: found, and nowhere but in what was deleted and still lies there."""


class QuotedTest(Values):
    """The test of quotations in one place."""

    p: float
    threshold: float
    """Its share of the level."""


class OfPlace(Values):
    """What is known of one place, level by level."""

    name: str
    answers: Cell
    disk: Cell
    derivable: Cell
    found: Count
    at: tuple[Message, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Where they were, or names were met, request by request, the first few."""
    quoted: QuotedTest | None = Field(default=None, exclude_if=lambda value: value is None)
    perhaps_quoted: Count = Field(default=0, exclude_if=lambda value: not value)
    """Deleted records of which nothing was found here, and a text of which may be quoted."""
    quoted_at: tuple[Message, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Where, request by request, the first few."""
    open: tuple[Message, ...] = ()
    """Why it is not cleared, where nothing was found; what somebody's word covers is not among it."""


class Derived(Values):
    """What the places come to, and what is left open."""

    places: tuple[OfPlace, ...]
    without_values: Count = Field(default=0, exclude_if=lambda value: not value)
    """Deleted records that were looked for by id and by what the log names alone: nobody gave their values."""
    open_places: Count
    unexplained: tuple[Unexplained, ...] = ()
    by_word: tuple[Unexplained, ...] = ()
    copies: int | None = None
    open_to: Concerned | None = None
    copied: Concerned | None = None
    any_request: bool = True
    open_as: tuple[OpenAs, ...] = Field(default=(), exclude_if=lambda value: not value)
    """As what places are open, where some of it is another than places that were not read in full."""
    quoted_ids: tuple[str, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Requests whose records' texts may be quoted; where none is named, any request's may be."""
    untold_ids: tuple[str, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Requests whose records' texts could not be distinguished from other people's."""
    vectors: tuple[DerivedVectors, ...] = Field(default=(), exclude_if=lambda value: not value)
    """What the arrays show, place by place and form by form."""


def _left_quoted(quoted: Quoted | None, tests: int) -> bool:
    """Whether texts may be quoted that were not found, and nobody could tell from chance."""
    return quoted is not None and quoted.left > 0 and not quoted.by_chance(tests)


def of(name: str) -> Message:
    """Name a place."""
    return Message("places.erased.place", {"name": name})


def _how(seen: PlaceSeen) -> Message:
    return seen.how[0] if seen.how else Message("data.erased.how.bytes")


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Count the deleted records that were found; none may be left, nothing unread, and every byte explained."""
    covered = context.attests(UNREAD)
    over = {each.name: tuple(_uncovered(context, each, observed)) for each in observed.places}
    left = [(each, size) for each in observed.places if (size := _beyond(each, observed))]
    items = tuple(Unexplained(place=of(each.name), bytes=size, word=UNREAD, found=each.found_bytes) for each, size in left)
    unvalued = max(0, _gone(context, observed) - observed.looked_for.values)
    nothing, blind = not _gone(context, observed), not any(each.recognised or each.found for each in observed.places)
    missing = sorted({each.name for each in context.case.places} - over.keys())
    held = bool(items) and not covered
    since = Status.PASS if observed.compared is None else before_and_after.status(context, observed.compared)
    open_as = _open_as(over, also=bool(missing or nothing or blind) or since is Status.INCONCLUSIVE)
    if observed.found or observed.planted_found or since is Status.FAIL:
        status = Status.FAIL
    elif nothing or blind or missing or held or any(over.values()) or since is not Status.PASS:
        status = Status.INCONCLUSIVE
    else:
        status = Status.PASS
    return Finding(
        status=status,
        value=None if nothing else float(observed.found),
        threshold=0.0,
        reasons=tuple(_reasons(context, observed, over, items, blind=blind, missing=missing)),
        derived=Derived(
            places=tuple(
                _of_place(
                    each,
                    over[each.name],
                    observed,
                    tests=len(context.case.places),
                    explained=covered,
                    derivable=not unvalued,
                )
                for each in observed.places
            ),
            without_values=unvalued if any(each.level == "disk" for each in observed.places) else 0,
            open_places=sum(map(len, over.values())) + len(missing) + (nothing or blind) + (since is Status.INCONCLUSIVE),
            unexplained=() if covered else items,
            by_word=items if covered else (),
            open_as=open_as,
            quoted_ids=tuple(dict.fromkeys(name for each in observed.places if _quotes(each, over) for name in each.quoted_ids)),
            untold_ids=tuple(
                dict.fromkeys(
                    name for each in observed.places if _is_open_as("untold", over.get(each.name, ())) for name in each.untold_ids
                )
            ),
            vectors=tuple(
                DerivedVectors(place=each.name, form=those.form, p=chance(those))
                for each in observed.places
                for those in each.vectors
            ),
        ),
    )


def _open_as(over: Mapping[str, tuple[Message, ...]], *, also: bool) -> tuple[OpenAs, ...]:
    """As what places are open; nothing where all of it is places that were not read in full."""
    kinds = dict.fromkeys(_OPEN_AS.get(why.code, "places") for whys in over.values() for why in whys)
    kinds |= dict.fromkeys(("places",)) if also else {}
    return () if kinds.keys() <= {"places"} else tuple(kinds)


def _quotes(seen: PlaceSeen, over: Mapping[str, tuple[Message, ...]]) -> bool:
    """Whether texts may be quoted in a place, and nobody says that they are others'."""
    return _is_open_as("quoted", over.get(seen.name, ()))


def _is_open_as(what: OpenAs, whys: tuple[Message, ...]) -> bool:
    return any(_OPEN_AS.get(each.code) == what for each in whys)


def _quoting(whys: tuple[Message, ...]) -> list[Message]:
    return [each for each in whys if _OPEN_AS.get(each.code) == "quoted"]


def _gone(context: Context, observed: Observed) -> int:
    """Records that were deleted: ids of which, by the log, nothing is held are looked for as well, and nobody's deletion."""
    return min(observed.deleted, context.records_removed)


def _beyond(seen: PlaceSeen, observed: Observed) -> int:
    """Bytes that nothing explains; what a database's own numbers could carry counts where it is much, in a file or in all."""
    together = sum(each.spare_bits for each in observed.places if _most_spare(each) <= SPARE_EACH)
    spare = seen.spare_bits if _most_spare(seen) > SPARE_EACH or together > SPARE_IN_ALL else 0
    return seen.unexplained + (spare + 7) // 8


def _most_spare(seen: PlaceSeen) -> int:
    """What one file could carry at most; where that is too much, its place is open whatever the others could."""
    return seen.spare_bits if seen.most_spare is None else seen.most_spare


def _uncovered(context: Context, seen: PlaceSeen, observed: Observed) -> Iterator[Message]:
    """What of a place keeps it open: all but what somebody answers for by name, who answers for no file that nobody tried."""
    covered = context.attests(UNREAD)
    for file in seen.unread:
        if not covered or file.why.code == UNTRIED:
            yield Message("places.erased.unread", {"place": file.place, "why": file.why})
    if not covered:
        # A file that was not read says why once.
        unread = [file.why for file in seen.unread]
        yield from (why for why in seen.open if why not in unread)
        uneven = 0 if observed.embedding is None else observed.embedding.unsteady
        if uneven and seen.unexplained > seen.found_bytes and any(each.by == "function" for each in seen.vectors):
            yield Message("places.embedding.uneven", {"people": uneven})
        if not seen.recognised and not seen.found:
            yield Message("places.erased.not-recognised" if seen.bytes else "places.erased.empty")
    if seen.level == "answers":
        yield from _of_answers(context, observed.looked_for)
    # It may be doubted for the arrays that it explains; where it failed, for all that it might have.
    if observed.embedding is not None and (observed.embedding.failed or any(each.by == "function" for each in seen.vectors)):
        yield from doubts(context, observed.embedding)
    yield from _of_others(context, seen, observed, covered=covered)


def _of_others(context: Context, seen: PlaceSeen, observed: Observed, *, covered: bool) -> Iterator[Message]:
    """What may be a deleted person's or somebody else's."""
    if not context.attests(COPIES):
        yield from _of_look_alikes(seen, len(context.case.places))
        # A deleted person may be kept under a number of nobody's, or in the place of somebody's values: all the more so where the
        # table has no values of theirs to find them by. Without a table, rows that are explained hold ids alone.
        if not covered and seen.untold_ids and _beyond(seen, observed) > seen.found_bytes:
            # What rows of people who stay explain is theirs, whoever had it too; this is said of what nothing explains.
            yield Message("places.erased.text-untold", {"requests": len(seen.untold_ids)})
        if not covered and context.case.table is not None and (seen.strangers or seen.changed):
            yield Message("places.erased.others", {"strangers": seen.strangers, "changed": seen.changed})


def _of_look_alikes(seen: PlaceSeen, tests: int) -> Iterator[Message]:
    """What may be somebody else's: names, ids that look alike, and quotations."""
    if seen.named:
        yield Message("places.erased.named", {"records": seen.named})
    if seen.alike:
        yield Message("places.erased.alike", {"records": seen.alike})
    if seen.quoted is not None:
        yield from _of_quotations(seen.quoted, tests)


def _of_quotations(quoted: Quoted, tests: int) -> Iterator[Message]:
    """What of quotations nobody could tell from chance: it is examined no further, and never passes."""
    if quoted.left_out:
        yield Message("places.erased.texts-left-out")
    if quoted.shared:
        yield Message("places.erased.text-shared", {"records": quoted.shared})
    left = quoted.left
    if not _left_quoted(quoted, tests):
        return
    if quoted.untested(tests):
        yield Message("places.erased.quoted-untested", {"records": left, "others": quoted.others})
    else:
        yield Message("places.erased.quoted", {"records": left, "others": quoted.others_quoted})


def _of_answers(context: Context, looked: LookedFor) -> Iterator[Message]:
    """What keeps recorded answers open: they are the controller's record, and text that may name people by anything."""
    if not context.attests(GENUINE):
        yield Message("places.erased.answers-unsaid")
    if looked.without_terms and not context.attests(UNREAD):
        yield Message("places.erased.without-terms", {"records": looked.without_terms})


def _test(seen: PlaceSeen, tests: int) -> QuotedTest | None:
    if seen.quoted is None or not seen.quoted.deleted:
        return None
    return QuotedTest(p=seen.quoted.p, threshold=LEVEL / max(1, tests))


def _of_place(
    seen: PlaceSeen, over: tuple[Message, ...], observed: Observed, *, tests: int, explained: bool, derivable: bool
) -> OfPlace:
    rest = 0 if explained else _beyond(seen, observed) - seen.found_bytes
    held: Cell = "open" if over or rest else "clear"
    if seen.planted:
        held = "found"
    if seen.found:
        held = "found" if seen.in_rows else "deleted-rows"
    copies: Cell = "not-examined"
    if derivable and observed.looked_for.values and seen.level == "disk":
        copies = "open" if held != "clear" else "clear"
    unexplained = (_unexplained(seen, rest),) if rest and not seen.found else ()
    planted = (Message("places.erased.planted-here", {"records": seen.planted}),) if seen.planted else ()
    quoting = _quoting(over)
    quoted = seen.quoted_at[:MOST_SAID] if quoting else ()
    is_named = not seen.found and any(each.code == "places.erased.named" for each in over)
    at = seen.named_at if is_named else seen.found_at
    return OfPlace(
        name=seen.name,
        answers=held if seen.level == "answers" else "not-examined",
        disk=held if seen.level == "disk" else "not-examined",
        derivable=copies,
        found=seen.found,
        at=tuple(Message("places.erased.at", each.told()) for each in at[:MOST_SAID]),
        quoted=_test(seen, tests),
        perhaps_quoted=sum(each.parameters["records"] for each in quoting),
        quoted_at=tuple(Message("places.erased.at", each.told()) for each in quoted),
        open=() if seen.found else (*planted, *over, *unexplained),
    )


Room: TypeAlias = Literal["row-numbers", "spelling", "order", "encoding"]
"""What has room for bits: the numbers of rows, how cells are written, which rows there are and in what order, or how Parquet
files encode them."""
_ROOMS: Final[Mapping[SpareName, Room]] = {
    "row numbers": "row-numbers",
    "spelling of cells": "spelling",
    "order of rows": "order",
    "styles of columns": "encoding",
    "sizes of parts": "encoding",
}


class RoomIn(NamedTuple):
    """What has room, and for how many bits."""

    what: Room
    bits: int


def rooms_of(seen: PlaceSeen) -> tuple[RoomIn, ...]:
    """What has so much room that the rest would be little without it, the most first; nothing where that is not known."""
    found, rest = list[RoomIn](), seen.spare_bits
    known = Counter[Room]()
    for spare in seen.spare_in:
        if spare.name in _ROOMS:
            known[_ROOMS[spare.name]] += spare.bits
    for each in itertools.starmap(RoomIn, known.most_common()):
        if rest <= SPARE_EACH and found:
            break
        found.append(each)
        rest -= each.bits
    # Of what is open only together with other places, it is what has most of it.
    return tuple(found) if found and 2 * (seen.spare_bits - rest) > seen.spare_bits else ()


def _unexplained(seen: PlaceSeen, rest: int) -> Message:
    most = seen.most_unexplained
    if seen.unexplained <= seen.found_bytes:
        limits = {"file": SPARE_EACH, "all": SPARE_IN_ALL}
        rooms = rooms_of(seen)
        if len(rooms) == 1 and seen.spare_bits - rooms[0].bits <= SPARE_EACH:
            return Message("places.erased.room-in", {"bits": rooms[0].bits, "what": rooms[0].what, **limits})
        return Message("places.erased.room", {"bits": seen.spare_bits, **limits})
    if most is None:
        return Message("places.erased.unexplained", {"bytes": rest})
    file = most.file if seen.files > 1 else None
    where: dict[str, object] = {"file": file, "in_file": most.bytes, "columns": most.columns}
    where |= {"text_index": most.text_index} if most.text_index else {}
    return Message("places.erased.unexplained-in", {"bytes": rest, **where})


def _reasons(
    context: Context,
    observed: Observed,
    over: Mapping[str, tuple[Message, ...]],
    items: tuple[Unexplained, ...],
    *,
    blind: bool,
    missing: Sequence[str],
) -> Iterator[Message]:
    looked, gone = observed.looked_for, _gone(context, observed)
    yield Message("places.erased.scope", {"places": len(observed.places)})
    if not gone:
        yield Message("places.erased.nothing-deleted")
    yield from _of_found(observed)
    if observed.planted:
        yield Message("places.erased.planted", {"planted": observed.planted, "found": observed.planted_found})
    if observed.compared is not None:
        yield from before_and_after.reasons(context, observed.compared)
    yield Message(
        "places.erased.looked-for",
        {
            "records": gone,
            "ids": looked.ids,
            "short": looked.short_ids,
            "terms": looked.terms,
            "values": looked.values,
        },
    )
    if observed.deleted > gone:
        yield Message("places.erased.looked-for-ids", {"ids": observed.deleted - gone})
    yield from _left_open(over, missing, blind=bool(gone) and blind)
    yield from _of_named(observed, over)
    for each in observed.places:
        if each.quoted_at and _quotes(each, over):
            yield _at("quoted", each, each.quoted_at)
    yield from _of_bytes(context, observed, items)
    yield from _of_graphs(observed)
    yield from _of_waiting(observed)
    strangers, changed = (sum(getattr(each, name) for each in observed.places) for name in ("strangers", "changed"))
    if context.case.table is not None and (strangers or changed):
        yield Message("places.erased.strangers", {"strangers": strangers, "changed": changed})
    if not looked.values:
        yield Message("places.erased.no-values")
    elif looked.values < gone:
        yield Message("places.erased.some-values", {"records": gone - looked.values})


def _of_found(observed: Observed) -> Iterator[Message]:
    """How many records each place has, then where."""
    for each in observed.places:
        if each.found:
            yield Message("places.erased.found", {"place": of(each.name), "found": each.found, "in_rows": each.in_rows})
    for each in observed.places:
        if each.found_at:
            yield _at("found", each, each.found_at)


def _of_named(observed: Observed, over: Mapping[str, tuple[Message, ...]]) -> Iterator[Message]:
    for each in observed.places:
        if each.named_at and any(why.code == "places.erased.named" for why in over.get(each.name, ())):
            yield _at("named", each, each.named_at)


def _at(what: str, seen: PlaceSeen, requests: Sequence[FoundOf]) -> Message:
    """Say where records are that were found, or whose names were met."""
    said = {"place": of(seen.name), "items": [each.told() for each in requests[:MOST_SAID]], "more": len(requests[MOST_SAID:])}
    return Message(f"places.erased.{what}-at", said)


def _of_bytes(context: Context, observed: Observed, items: tuple[Unexplained, ...]) -> Iterator[Message]:
    """What lies there of people who were found, and what nothing explains."""
    if own := [each for each in observed.places if each.found_bytes]:
        listed = [{"place": of(each.name), "bytes": each.found_bytes} for each in own[:MOST_SAID]]
        yield Message("places.erased.own-rows", {"items": listed, "more": len(own[MOST_SAID:])})
    if rest := [each for each in items if not each.is_found]:
        word = UNREAD if context.attests(UNREAD) else None
        listed = [{"place": each.place, "bytes": each.bytes - each.found} for each in rest[:MOST_SAID]]
        yield Message("places.erased.account", {"items": listed, "more": len(rest[MOST_SAID:]), "word": word})
    if rest and not observed.found and not context.attests(UNREAD):
        yield from (
            Message("places.erased.spots", {"place": of(each.name), "spots": _spots(each)})
            for each in observed.places
            if each.left
        )


def _of_graphs(observed: Observed) -> Iterator[Message]:
    """What nobody counts: it leaves nothing open, since no index of an honest maker has less of it, and so it is said."""
    graphs = [each for each in observed.places if each.uncounted]
    if graphs and not observed.found:
        bits = sum(each.uncounted for each in graphs)
        yield Message("places.erased.graphs", {"places": [of(each.name) for each in graphs[:MOST_SAID]], "bits": bits})


def _of_waiting(observed: Observed) -> Iterator[Message]:
    """Whose rows are gone whose erasure nobody recorded."""
    for each in observed.places:
        if each.unrecorded:
            yield Message("places.erased.unrecorded", {"place": of(each.name), "requests": len(each.unrecorded)})


def _spots(seen: PlaceSeen) -> list[Mapping[str, object]]:
    return [
        {"file": each.file, "line": each.line, "bytes": each.bytes, "why": each.why, "bits": each.bits}
        | ({"more": each.more} if each.more else {})
        for each in seen.left
    ]


def _left_open(over: Mapping[str, tuple[Message, ...]], missing: Sequence[str], *, blind: bool) -> Iterator[Message]:
    if missing:
        yield Message("places.erased.missing", {"names": list(missing[:MOST_SAID]), "more": len(missing[MOST_SAID:])})
    if blind:
        yield Message("places.erased.blind")
    for name, whys in over.items():
        if whys:
            yield Message("places.erased.left-open", {"place": of(name), "whys": whys[:MOST_SAID], "more": len(whys[MOST_SAID:])})


def _declares(_context: Context, observed: Observed) -> tuple[str, ...]:
    """Answers that the controller recorded are taken as they stand, and so is the function that is said to give the vectors."""
    answers = (GENUINE,) if any(each.level == "answers" for each in observed.places) else ()
    return (*answers, *((EMBEDDING,) if observed.embedding is not None else ()))


def _misjudged(place: PlaceSeen, quoted: Quoted, seen: Observed, tests: int) -> str | None:
    """Whether people were found by a test that shows nobody, or more than the place has."""
    if quoted.found and not quoted.shown(tests):
        return f"{quoted.found} people were found as quoted in {place.name}, at p = {quoted.p:.4g}, which shows nobody"
    copied = quoted.copied + quoted.found
    if max(copied, quoted.otherwise) > place.found or quoted.deleted + quoted.copied + quoted.shared > seen.deleted:
        return f"{quoted.copied + quoted.found} people were found by their texts in {place.name}, {place.found} at all"
    return None


def _contradictions(evidence: Evidence, seen: Observed, _others: Mapping[str, Values]) -> Iterator[str]:
    """Compare what was observed with the case, the log and itself."""
    declared = [(each.name, each.level) for each in evidence.case.places]
    if [(each.name, each.level) for each in seen.places] != declared:
        names = [name for name, _ in declared]
        yield f"the places {[each.name for each in seen.places]} were observed, the case declares {names}"
    if seen.found > seen.deleted or any(each.found > seen.found for each in seen.places):
        yield f"{seen.found} of {seen.deleted} records were found, and more in a place"
    if seen.found and not any(each.found for each in seen.places):
        yield f"{seen.found} records were found, and none in any place"
    yield from _of_planted(evidence, seen)
    if seen.compared is not None:
        yield from before_and_after.contradictions(evidence, seen.compared)
    if bool(seen.found) != bool(seen.request_ids):
        yield f"{seen.found} records were found, of {len(seen.request_ids)} requests"
    yield from _of_files(evidence, seen)
    known = {each.request_id for each in evidence.requests}
    at = [of_one.request_id for each in seen.places for of_one in each.found_at]
    if strange := [each for each in at if each not in seen.request_ids]:
        yield f"requests {strange[:MOST_SAID]} have spots, and were not found"
    if strange := [each for each in seen.request_ids if each not in known]:
        yield f"requests {strange[:MOST_SAID]} were found, which the log does not have"
    waiting = {each.request_id for each in evidence.requests if each.status not in {"executed", "denied", "revoked", "no-match"}}
    if strange := [one for each in seen.places for one in each.unrecorded if one not in waiting]:
        yield f"the rows of {strange[:MOST_SAID]} are missing, which wait for no erasure"
    yield from _of_vectors(evidence, seen)
    removed = evidence.case.training_records - evidence.case.records_left
    if not removed <= seen.deleted:
        yield f"{seen.deleted} records were looked for, the log deletes {removed}"


def _of_planted(evidence: Evidence, seen: Observed) -> Iterator[str]:
    if seen.planted_found > seen.planted or bool(seen.planted_found) != any(each.planted for each in seen.places):
        yield f"{seen.planted_found} of {seen.planted} planted records were found, and in places otherwise"
    if seen.planted and not evidence.deletion_log.canaries:
        yield f"{seen.planted} planted records were looked for, the log has none"


def _of_files(evidence: Evidence, seen: Observed) -> Iterator[str]:
    known = {each.request_id for each in evidence.requests}
    if strange := [name for each in seen.places for name in (*each.quoted_ids, *each.untold_ids) if name not in known]:
        yield f"requests {strange[:MOST_SAID]} may be quoted, which the log does not have"
    files = {each.path for each in evidence.case.inputs}
    for each in seen.places:
        if each.quoted is not None and (problem := _misjudged(each, each.quoted, seen, len(evidence.case.places))):
            yield problem
        if each.most_unexplained is not None and each.most_unexplained.file not in {None, *files}:
            yield f"{each.most_unexplained.file} is unexplained in {each.name}, and no input of the case"


def _of_vectors(evidence: Evidence, seen: Observed) -> Iterator[str]:
    if (seen.embedding is not None) != ("embed" in evidence.procedure.settings):
        yield "a function that embeds was observed where the case has none, or the other way round"
    met = [those for each in seen.places for those in each.vectors]
    if seen.embedding is None and any(each.by == "function" for each in met):
        yield "vectors are those of a function, and the case has none"
    if any(each.form == "values" and each.deleted > seen.found for each in met):
        yield f"vectors of more than the {seen.found} deleted records that were found were met"
    if any(each.of_deleted > seen.looked_for.values for each in met):
        yield f"vectors of more than {seen.looked_for.values} deleted records were looked for"


CHECK: Final = Definition(
    CARD,
    Observed,
    judge,
    derived=(Derived,),
    wanted=lambda context: context.places_alone,
    declarations=_declares,
    contradictions=_contradictions,
)
