"""Find records of mixed columns by their cells, whatever the order of these and whatever lies between them.

A line that holds every cell of a deleted record is a copy of it where the cells say enough together and no retained record has
them all. A free text that no retained record has gives the record away by itself, in any file.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from math import log2
from typing import Final

import numpy as np

from auditor.base.mixed_columns import Column, Kind, number_written, time_written
from auditor.base.records import Dataset, Positions
from auditor.parts.store.observing.patterns import Ends, Pattern, Patterns

ENOUGH: Final = 40.0
"""Bits that the cells of a record say together at least, each by how frequent it is among retained ones."""
_MOST_BITS: Final = 20.0
_SOMETHING: Final = 4.0
"""Bits of a cell by which a record is looked up."""
_TELLING: Final = 8
"""Characters that a text has at least that gives a record away by itself."""
_WIDE: Final = (("utf-16-be", Ends.WIDE_WORD), ("utf-32-le", Ends.LONG_WORD), ("utf-32-be", Ends.WIDE_WORD))
_LONG: Final = 1 << 14
"""Characters of a text that is read once for all forms, and not once for each."""
_SPLIT: Final = re.compile(r"[,;\t|]")
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)


@dataclass(frozen=True, eq=False)
class Cells:
    """Some records by their cells."""

    bits: dict[str, dict[str, float]]
    """Of records whose cells say enough, each of these with what it says."""
    others: tuple[frozenset[str], ...]
    """The cells of the records that they are distinguished from."""
    own: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Texts that give records away, with whose they are."""
    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The cells of each record that are texts."""
    retained: str = ""
    """The ids of the records that they are distinguished from, a line each."""
    _held: dict[str, list[str]] = field(default_factory=dict)
    """What retained records have around texts that give others away, as far as it was asked for."""

    @classmethod
    def of(cls, train: Dataset, positions: Positions, against: Positions) -> Cells:
        """The records at `positions`, distinguished from those at `against`; `train` is a table of mixed columns."""
        table = train.table or ()
        rows, others = _cells(table, train, positions), _cells(table, train, against)
        counts = [Counter(row[at] for row in others) for at in range(len(table))]
        kept = tuple(frozenset(each for each in row if each is not None) for row in others)
        found = cls({}, kept, retained="\n".join(train.ids[against].tolist()))
        own: defaultdict[str, list[str]] = defaultdict(list)
        for record, row in zip(train.ids[positions].tolist(), rows, strict=True):
            held = {cell: _bits(cell, counts[at][cell], len(others)) for at, cell in enumerate(row) if cell is not None}
            found.texts[record] = tuple(cell for at, cell in enumerate(row) if cell and table[at].kind is Kind.TEXT)
            for at, cell in enumerate(row):
                # The name of a category is nobody's own, though one person alone may be in it.
                if cell is not None and table[at].free_text and len(cell) >= _TELLING and not counts[at][cell]:
                    own[cell].append(record)
            if sum(held.values()) >= ENOUGH and not found.explained(held):
                found.bits[record] = held
        found.own.update((text, tuple(whose)) for text, whose in own.items())
        return found

    @property
    def known(self) -> frozenset[str]:
        """The records that can be found by their cells, or by a text of theirs."""
        return frozenset(self.bits) | self.known_in_bytes

    @property
    def known_in_bytes(self) -> frozenset[str]:
        """Those that a text of theirs gives away, wherever it stands."""
        return frozenset().union(*self.own.values())

    def explained(self, cells: Collection[str]) -> bool:
        """Whether a record that these are distinguished from has all of some cells."""
        rarest = min(cells, key=lambda cell: len(self._places.get(cell, ())))
        return any(self.others[place].issuperset(cells) for place in self._places.get(rarest, ()))

    def in_text(self, text: str) -> set[str]:
        """The records of which a line holds at least half of the cells, where these say enough; or that a text gives away."""
        there = (form for form in self.own if form in text) if len(text) < _LONG else self._own_forms.owners_in(_encoded(text))
        found = {record for form in there if self._gives_away(form, text) for record in self.own[form]}
        for line in text.splitlines() if self._by_cell else ():
            cells = set(_of_line(line))
            met = {record for cell in cells & self._by_cell.keys() for record in self._by_cell[cell]}
            for record in met - found:
                shared = {cell: said for cell, said in self.bits[record].items() if cell in cells}
                enough = sum(shared.values()) >= ENOUGH and 2 * len(shared) >= len(self.bits[record])
                if enough and not self.explained(shared):
                    found.add(record)
        return found

    @cached_property
    def _own_forms(self) -> Patterns:
        return Patterns(Pattern(_encoded(form), form) for form in self.own)

    def _gives_away(self, form: str, text: str) -> bool:
        """Whether a text holds it elsewhere than within a cell of a retained record, as “Main St. 31” holds “Main St. 3”."""
        for cell in self._holders(form):
            text = text.replace(cell, "\0")
        return form in text

    def _holders(self, form: str) -> list[str]:
        """Cells of retained records that hold a text and more, the longest first."""
        if form not in self._held:
            cells = {cell for each in self.others for cell in each if form in cell} if form in self._retained_cells else set()
            self._held[form] = sorted(cells, key=len, reverse=True)
        return self._held[form]

    def in_words(self, words: Iterable[str]) -> set[str]:
        """The records that one of several words gives away."""
        return {record for word in words for record in self.own.get(word.strip(), ())}

    def patterns(self) -> Iterator[Pattern]:
        """The telling texts in the usual encodings."""
        for text, whose in self.own.items():
            for record in whose:
                yield Pattern(text.encode("utf-8", "replace"), record, Ends.WORD)
                yield Pattern(text.encode("utf-16-le", "replace"), record)
                yield from (Pattern(text.encode(coding, "replace"), record, ends) for coding, ends in _WIDE)

    def own_of(self, record: str) -> tuple[str, ...]:
        """The texts that give one record away."""
        return tuple(text for text in self.texts.get(record, ()) if record in self.own.get(text, ()))

    def is_retained(self, text: str) -> bool:
        """Whether an id or a cell of a record that these are distinguished from holds a text."""
        return text in self.retained or text in self._retained_cells

    @cached_property
    def _retained_cells(self) -> str:
        return "\n".join(sorted(set().union(*self.others)))

    @cached_property
    def _by_cell(self) -> dict[str, list[str]]:
        """The records that have a cell that says something by itself."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for record, cells in self.bits.items():
            for cell, said in cells.items():
                if said >= _SOMETHING:
                    found[cell].append(record)
        return dict(found)

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """Which of the other records have a cell."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for place, cells in enumerate(self.others):
            for each in cells:
                found[each].append(place)
        return dict(found)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _bits(cell: str, count: int, others: int) -> float:
    """What a cell says: by how many others have it; where none does, two bits a character at least."""
    said = log2((others + 1) / (count + 1))
    return min(_MOST_BITS, said if count else max(said, 2.0 * len(cell)))


def _cells(table: tuple[Column, ...], train: Dataset, positions: Positions) -> list[tuple[str | None, ...]]:
    """The cells of some records, row by row; none in each where the table has no column."""
    columns = [column.cells(train.features[positions, at]) for at, column in enumerate(table)]
    stripped = [[None if cell is None else cell.strip() for cell in column] for column in columns]
    return list(zip(*stripped, strict=True)) if table else [()] * len(positions)


def _of_line(line: str) -> Iterator[str]:
    """Everything in a line that could be a cell, as `Column.cells` writes it."""
    pieces = set(_SPLIT.split(line))
    pieces.update(piece.partition(":")[2] for piece in tuple(pieces))
    pieces.update(match.replace('\\"', '"') for match in _QUOTED.findall(line))
    with suppress(csv.Error):
        pieces.update(*csv.reader([line]))
    for piece in pieces:
        text = piece.strip().strip("[]{}").strip().strip("\"'").strip()
        if text.lower() in {"true", "false"}:
            yield str(int(text.lower() == "true"))
        if _NUMBER.fullmatch(text) and np.isfinite(float(text)):
            yield number_written(float(text))
        elif text[4:5] == "-" and (moment := time_written(text)) is not None:
            yield moment
        yield text
