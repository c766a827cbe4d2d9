"""Lines of a text that are a deleted person's own: what many people who stay have there, with that person's values for theirs.

Such a line is found, and named by its request. Each of its characters follows from the lines of people who stay and from what the
table has of that person, so that it says nothing of anybody else: a line with one character more or less is no such line. Which
people have one, and where it stands among the others, is free and counted in bits.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, log2
from typing import Final, TypeAlias

import numpy as np

from auditor.parts.places.observing.own_values import MANY, Owners, Read, values_of, written_as
from auditor.parts.places.observing.text_units import Unit, units
from auditor.parts.store.observing.found_rows import choice
from auditor.parts.store.observing.people import People

_NUMBER: Final = re.compile(r"\d+")
_Form: TypeAlias = tuple[Hashable, ...]


@dataclass(slots=True)
class OwnLines:
    """What a file has of them."""

    units: frozenset[int] = frozenset()
    """Their places among the units of the file, from zero: several units may begin on one line."""
    sizes: dict[str, int] = field(default_factory=dict)
    """By record, in bytes."""
    bits: int = 0


def own_lines(content: bytes, owners: Owners, people: People, found: Collection[str]) -> OwnLines:
    """Find them in a file.

    Args:
        content: What it holds.
        owners: Who stays.
        people: Everybody, in the same order.
        found: Records that a search found: of others there is no line.
    """
    gone = [people.places[each] for each in found if each in people.places and not people.retained[people.places[each]]]
    taken = units(content) if owners.values and gone else None
    if taken is None or any(each.within for each in taken.units):
        return OwnLines()
    read, before = list[Read](), -1
    for each in taken.units:
        read.append(owners.read(each.text, before))
        before = read[-1].owner if read[-1].owner >= 0 else before
    forms: defaultdict[_Form, list[Read]] = defaultdict(list)
    for one in read:
        if one.slots and all(slot.whole for slot in one.slots):
            forms[_form(one)].append(one)
    everybody = values_of(people)
    known = [(str(people.train.ids[at]), dict(everybody[at])) for at in gone]
    expected: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for number, alike in enumerate(forms.values()):
        if (line := _Template.of(alike, owners)) is not None:
            for record, values in known:
                if (text := line.filled(values)) is not None:
                    expected[text].append((number, record))
    return _taken(taken.units, read, {text: those[0] for text, those in expected.items() if len(those) == 1}, people)


def _form(one: Read) -> _Form:
    return tuple(_NUMBER.sub("\0", each) for each in one.around), tuple(slot.column for slot in one.slots)


@dataclass(frozen=True, slots=True)
class _Template:
    """A line as many people who stay have it."""

    around: tuple[tuple[str, ...], ...]
    """What is before, between and after values, in pieces: numbers at odd places."""
    numbers: tuple[str | None, ...]
    """Of each number in turn, the column that it is in; None where it is the same in all lines."""
    slots: tuple[tuple[str, str], ...]
    """Columns of the values, and how they are written."""

    @classmethod
    def of(cls, lines: Sequence[Read], owners: Owners) -> _Template | None:
        """Learn it from lines of one form; None where too few people have one, or something in it is nobody's."""
        if len({one.owner for one in lines}) < MANY:
            return None
        slots = []
        for at, slot in enumerate(lines[0].slots):
            ways = [{way for form, start, end in one.slots[at].options if _all(form.text, start, end) for way in form.ways}
                    for one in lines]  # fmt: skip
            way = next((each for each in written_as() if all(each in those for those in ways)), None)
            if way is None:
                return None
            slots.append((slot.column, way))
        numbers = [[each for part in one.around for each in _NUMBER.findall(part)] for one in lines]
        columns: list[str | None] = []
        for written in zip(*numbers, strict=True):
            column = None if len(set(written)) == 1 else _column(lines, written, owners)
            if column == _NOBODYS:
                return None
            columns.append(column)
        around = tuple(tuple(re.split(r"(\d+)", part)) for part in lines[0].around)
        return cls(around, tuple(columns), tuple(slots))

    def _pieces(self, values: Mapping[str, str]) -> Iterator[str | None]:
        """The pieces of a person's line; None for a value that the table does not have of them."""
        numbers = iter(self.numbers)
        for at, pieces in enumerate(self.around):
            for place, piece in enumerate(pieces):
                column = next(numbers) if place % 2 else None
                yield piece if column is None else values.get(column)
            if at < len(self.slots):
                name, way = self.slots[at]
                yield None if name not in values else written_as()[way](values[name])

    def filled(self, values: Mapping[str, str]) -> str | None:
        """The line of a person; None where the table lacks a value of theirs."""
        pieces = list(self._pieces(values))
        return None if None in pieces else "".join(each for each in pieces if each is not None)


_NOBODYS: Final = "\0"


def _column(lines: Sequence[Read], written: Sequence[str], owners: Owners) -> str:
    for column, _ in owners.values[lines[0].owner]:
        if all(owners.own(one.owner, column) == each for one, each in zip(lines, written, strict=True)):
            return column
    return _NOBODYS


def _all(text: str, start: int, end: int) -> bool:
    return start == 0 and end == len(text)


def _taken(given: Sequence[Unit], read: Sequence[Read], expected: Mapping[str, tuple[int, str]], people: People) -> OwnLines:
    """Take each record's line of each form once, and count what which of them and where says."""
    stays = np.flatnonzero(people.retained).tolist()
    found, there = OwnLines(), set[tuple[int, str]]()
    taken, whose = set[int](), list[tuple[int, bool]]()
    for at, (unit, one) in enumerate(zip(given, read, strict=True)):
        own = expected.get(unit.text)
        if own is not None and own not in there:
            there.add(own)
            taken.add(at)
            found.sizes[own[1]] = found.sizes.get(own[1], 0) + unit.size
            whose.append((people.places[own[1]], True))
        elif one.owner >= 0:
            whose.append((stays[one.owner], False))
    found.units = frozenset(taken)
    for number in {number for number, _ in there}:
        found.bits += choice([record for form, record in there if form == number], people)
    found.bits += _out_of_place(whose) * ceil(log2(len(given) + 1))
    return found


def _out_of_place(whose: Sequence[tuple[int, bool]]) -> int:
    """How many of these lines do not stand where the table has their person, between those who come before and after."""
    places = [-1, *(place for place, _ in whose), max((place for place, _ in whose), default=0) + 1]
    turned = [places[-1], *places[1:-1], -1]
    owned = [at + 1 for at, (_, own) in enumerate(whose) if own]
    return min(
        sum(not places[at - 1] <= places[at] <= places[at + 1] for at in owned),
        sum(not turned[at - 1] >= turned[at] >= turned[at + 1] for at in owned),
    )
