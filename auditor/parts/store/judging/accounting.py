"""What accounts for the content of everything that is kept, for `data.erased`: nothing may be unexplained.

A search finds the forms that it knows. So the question is turned round: of every byte that the controller keeps it is asked what
determines it. Rows of people who may be kept, the model's parameters and declared labels do, and so does a run that never held
the deleted records, or held others in their place, and gave the very same. What is left is listed with its size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from auditor.base.domain import Message, Provenance, Status
from auditor.parts.release.judging.release_exact.observed import CleanRoom
from auditor.parts.store.cards import REFUTED
from auditor.settings.attestations import UNREAD
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.differences import Compared, Difference
from auditor.verdict.checks.finding import Finding, Values
from auditor.verdict.checks.stated import Count
from auditor.verdict.guarantees import fact


class Concerned(Values):
    """Requests by id, and by person where a ticket of the log has two."""

    request_ids: tuple[str, ...] = ()
    subjects: tuple[str | None, ...] = ()
    """Whose they are, in the same order; empty where no ticket of the log has two people."""

    @model_validator(mode="after")
    def _paired(self) -> Self:
        if self.subjects and len(self.subjects) != len(self.request_ids):
            raise ValueError("each request has a subject, or none has")
        return self


# The part of `data.erased` that a whole controller has: what it still holds of people who were there and were deleted.
MOST_NAMED: Final = 5
"""Places that the evidence names."""


class KeptPlace(Values):
    """One place of everything that a controller keeps."""

    place: Literal["state", "objects", "files"]
    """What `state()` returns; what its object and the case's modules hold; what it left in files."""
    bytes: Count
    found: Count
    """Deleted words that were found there."""
    named: tuple[str, ...]
    """Where: the first few."""


class ControllerKept(Values):
    """What was kept after a history in which people came, spoke and were deleted, every text of theirs a word of its own."""

    words: Count
    """Names and arguments of deleted channels: all that was looked for."""
    found: Count
    """Of these, the words that were found anywhere."""
    places: tuple[KeptPlace, ...]
    recognised: bool
    """Whether any word of a channel that stayed was found: the search can see what lies there."""
    cut: bool
    """Whether there is something that could not be looked into."""
    same_state: bool
    """Whether the state is the one that is left where the deleted channels never spoke."""
    same_beyond: bool
    """The same of objects and files."""


def judged(kept: ControllerKept) -> Finding:
    """Decide whether anything of the deleted channels is left.

    A word that is found is a failure. None found says something only where the search sees what lies there: where it recognised
    what stayed, or where everything that is kept is the same, byte for byte, as had they never been there.
    """
    reasons = [
        Message("data.erased.controller", {"words": kept.words, "bytes": sum(each.bytes for each in kept.places)}),
    ]
    same = kept.same_state and kept.same_beyond
    beyond = kept.same_state and not kept.same_beyond
    if kept.found:
        where = [{"place": each.place, "named": list(each.named), "found": each.found} for each in kept.places if each.found]
        reasons.insert(0, Message("data.erased.controller.found", {"found": kept.found, "where": where}))
        status = Status.FAIL
    elif kept.cut:
        reasons.append(Message("data.erased.controller.cut"))
        status = Status.INCONCLUSIVE
    elif beyond:
        reasons.append(Message("data.erased.controller.beyond"))
        status = Status.INCONCLUSIVE
    elif not (same or kept.recognised):
        reasons.append(Message("data.erased.controller.not-recognised"))
        status = Status.INCONCLUSIVE
    else:
        reasons.append(Message("data.erased.controller.same" if same else "data.erased.controller.recognised"))
        status = Status.PASS
    facts = (fact(name, how, Message(why)) for how, why in _against(kept, beyond=beyond) for name in REFUTED)
    return Finding(status, value=float(kept.found), threshold=0.0, reasons=tuple(reasons), facts=tuple(facts))


def _against(kept: ControllerKept, *, beyond: bool) -> Iterator[tuple[Provenance, str]]:
    """What speaks against words of the program's owner; of what was cut short two lists may differ by where they end."""
    if kept.found:
        yield Provenance.REFUTED, "fact.controller.keeps-deleted"
    elif beyond:
        yield (Provenance.UNKNOWN if kept.cut else Provenance.REFUTED), "fact.controller.keeps-beyond"


STORE_CLEAN: Final = UNREAD
"""The word of a controller that what is not accounted for in the data store holds no deleted record."""
CODE_CLEAN: Final = "code-clean"
"""The same of what its code brings along."""
HONEST: Final = "procedure-honest"
"""The same of what its code leaves in a model whose parameters depend on the deleted records."""

Kind: TypeAlias = Literal["store", "model file", "state", "saved file", "code"]
OF_RUN: Final = frozenset({"state", "saved file"})
"""What a run hands out, and another run with the same in it, or not."""


SpareName: TypeAlias = Literal[
    "settings", "release", "change counter", "schema_version", "default_cache_size", "user_version", "application_id",
    "row numbers", "sqlite_sequence", "sqlite_stat1", "types of values", "spelling of cells", "former room",
    "order of rows", "choice of columns", "sizes of parts", "styles of columns",
]  # fmt: skip
SPARE_EACH: Final = 64
"""Bits that the counters, settings and row numbers of a database may carry, or the spelling of cells of a file of text: less than
two values of a record."""
SPARE_IN_ALL: Final = 256
"""The same of all files of a store."""


class Spare(Values):
    """What nothing else in a file determines, as a database's own numbers or how cells are spelled, and its bits."""

    name: SpareName
    bits: Count


class Kept(Values):
    """A place that the controller keeps something in, and how much of it is accounted for by what it says itself."""

    kind: Kind
    place: Message
    bytes: Count
    unexplained: Count
    """Bytes that are neither rows of people who may be kept, in columns of the training data or declared ones, nor the model's
    parameters, nor declared labels."""
    declared: Count = 0
    """Of a store: bytes in columns that the controller declares alongside those of the training data."""
    strangers: Count = 0
    """Of a store: rows of people whom the training data do not know."""
    changed: Count = 0
    """Of a store: rows of retained people with other values than in the training data."""
    found_rows: Count = Field(default=0, exclude_if=lambda value: not value)
    """Of a table of text in a store: rows of deleted records that hold these records' own values and nothing else."""
    found_bytes: Count = Field(default=0, exclude_if=lambda value: not value)
    """How much of what is unexplained these rows are."""
    constants: Count | None = Field(default=None, exclude_if=lambda value: value is None)
    """Of code: bytes of its text, numbers and comments, which is where data would stand; None where that was not counted."""

    spare: tuple[Spare, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Of a file in a store: what a database's own numbers, or the spelling of cells, could carry."""

    @property
    def spare_bits(self) -> int:
        """Bits of all of them."""
        return sum(each.bits for each in self.spare)

    @model_validator(mode="after")
    def _within(self) -> Self:
        if self.found_bytes > self.unexplained or (self.found_bytes and not self.found_rows):
            raise ValueError("rows that are found are a part of what is unexplained")
        if self.unexplained > self.bytes or self.declared > self.bytes:
            raise ValueError("no more bytes are unexplained or in declared columns than there are")
        if self.kind != "store" and (self.declared or self.strangers or self.changed or self.spare or self.found_rows):
            raise ValueError("rows of people and databases lie in a store")
        if self.constants is not None and (self.kind != "code" or self.constants > self.bytes):
            raise ValueError("constants are a part of code")
        return self


class Unexplained(Values):
    """Content that nothing accounts for: it may hold a deleted record in a form that no search knows."""

    place: Message
    bytes: int
    word: str | None
    """What the controller can attest of it; None where no word does."""
    found: Count = Field(default=0, exclude_if=lambda value: not value)
    """Bytes of it that are deleted records in plain sight, which the search named: of nobody else do they leave anything open."""

    @property
    def is_found(self) -> bool:
        """Whether it is such records and nothing else."""
        return 0 < self.bytes <= self.found


@dataclass(frozen=True, slots=True)
class Account:
    """What is not accounted for."""

    unexplained: tuple[Unexplained, ...]
    """What keeps the check from pass."""
    by_word: tuple[Unexplained, ...]
    """What the controller's word covers."""
    beyond: tuple[Difference, ...]
    """Of foreign code whose parameters depend on the deleted records: every other item that does as well."""


def accounted(context: Context, kept: tuple[Kept, ...], room: CleanRoom | None, found: Mapping[str, int]) -> Account:
    """Sort what is kept into what is accounted for, what a word covers, and what is left.

    Args:
        context: What was declared.
        kept: Every place.
        room: The last release alongside clean rooms and runs with other records; None where it was compared with neither. What it
            says of the walk comes from a process that the controller's code runs in: it can only add to what is left.
        found: How many deleted records the search found in each file of the store, by its path.
    """
    depends = context.procedure.foreign and not (room is not None and _gives_the_same(room))
    items = [*_of_places(kept, room, found, depends=depends), *_of_release(context, room, depends=depends)]
    return Account(
        unexplained=tuple(each for each in items if each.word is None or not context.attests(each.word)),
        by_word=tuple(each for each in items if each.word is not None and context.attests(each.word)),
        beyond=tuple(_beyond(kept, room)) if depends and room is not None else (),
    )


def _of_places(
    kept: tuple[Kept, ...], room: CleanRoom | None, found: Mapping[str, int], *, depends: bool
) -> Iterator[Unexplained]:
    words, roomy = {"store": STORE_CLEAN, "code": CODE_CLEAN}, with_room(kept)
    for each in kept:
        of_run = each.kind in OF_RUN
        if each in roomy:
            size = each.unexplained + (each.spare_bits + 7) // 8
            yield Unexplained(place=each.place, bytes=size, word=STORE_CLEAN)
        elif each.unexplained and not (of_run and room is not None and _equal(room, each.kind)):
            word = HONEST if of_run and depends else words.get(each.kind)
            # A row that the search did not name leaves open whose it is.
            named = each.found_rows <= found.get(str(each.place.parameters.get("path")), 0)
            yield Unexplained(place=each.place, bytes=each.unexplained, word=word, found=each.found_bytes if named else 0)


def with_room(kept: Sequence[Kept]) -> tuple[Kept, ...]:
    """List the files whose counters, settings, row numbers or spelling could carry too much, each alone or all together."""
    together = sum(each.spare_bits for each in kept) > SPARE_IN_ALL
    return tuple(each for each in kept if each.spare and (together or each.spare_bits > SPARE_EACH))


def _of_release(context: Context, room: CleanRoom | None, *, depends: bool) -> Iterator[Unexplained]:
    """What the controller's own code keeps in parameters, in its objects, and where no walk came."""
    if not context.procedure.foreign:
        return
    if depends:
        own = () if room is None else min(room.tried, key=lambda each: each.counted).differences
        size = max((each.bytes for each in own if each.kind == "parameters"), default=8 * (context.case.parameters or 0))
        yield Unexplained(place=Message("data.erased.place.parameters"), bytes=size, word=HONEST)
    elif room is not None:
        for each in _objects(room):
            place = Message("data.erased.place.object", {"name": each.name})
            yield Unexplained(place=place, bytes=each.bytes, word=None)
        if more := min(each.unnamed for each in room.tried):
            yield Unexplained(place=Message("data.erased.place.more-objects", {"items": more}), bytes=0, word=None)
    if room is not None and (room.cut_short or "object" not in room.compared):
        yield Unexplained(place=Message("data.erased.place.not-walked"), bytes=0, word=HONEST)


def _gives_the_same(room: CleanRoom) -> bool:
    """Whether parameters and predictions do not depend on the deleted records."""
    return "predictions" in room.compared and any(not each.behaves_otherwise for each in room.tried)


def _equal(room: CleanRoom, kind: str) -> bool:
    """Whether what a run hands out was the same in a run without the deleted records, or with others in their place."""
    return kind in room.compared and any(kind not in _kinds(each) for each in room.tried)


def equal_in_room(room: CleanRoom, kind: Kind) -> bool:
    """Tell whether a training that never held the deleted records handed out the same; not of runs with others in their place."""
    return kind in room.compared and any(not each.unnamed and kind not in _kinds(each) for each in room.rooms)


def _kinds(found: Compared) -> frozenset[str]:
    return frozenset(each.kind for each in found.differences)


def _objects(room: CleanRoom) -> Iterator[Difference]:
    """What the walks met and found differing in every comparison, but for single numbers that are let pass."""
    nearest = min(room.tried, key=lambda each: each.counted)
    passing = {each.name for found in room.tried for each in found.let_pass}
    for item in nearest.differences:
        if item.kind not in {"object", "scalar"} or (item.kind == "scalar" and item.name in passing):
            continue
        if all(found.unnamed or item.name in {each.name for each in found.differences} for found in room.tried):
            yield item


def _beyond(kept: tuple[Kept, ...], room: CleanRoom) -> Iterator[Difference]:
    """State and saved file where they are more than the parameters, and whatever else differs."""
    nearest = min(room.tried, key=lambda each: each.counted)
    determined = {each.kind for each in kept if each.kind in OF_RUN and not each.unexplained}
    for item in nearest.differences:
        if item.kind in OF_RUN and item.kind not in determined and not _equal(room, item.kind):
            yield item
    yield from _objects(room)
