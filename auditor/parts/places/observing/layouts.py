"""Count what could be said by which columns each of many tables has, and in what order.

Rows of people who stay are explained whichever of their columns a table has. Of eight columns that is a letter a file. The first
table of a scan may have any; what a further one costs is how rarely tables before it were like it, or which other columns it has.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil, comb, floor, lgamma, log, log2
from typing import Final, TypeAlias

from auditor.parts.release.observing.parquet_styles import Habit
from auditor.parts.store.observing.people import People

_Layout: TypeAlias = tuple[str, ...]
_Types: TypeAlias = tuple[tuple[str, str], ...]
_OF_TYPE: Final = 5
"""Bits of another type: SQLite knows some thirty words of types."""
_OF_WAY: Final = 3
"""Bits of which way a new choice, and a new order, are said in."""


@dataclass(slots=True)
class Layouts:
    """Columns of the tables of a scan so far."""

    seen: Counter[_Layout] = field(default_factory=Counter)
    types: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """Of each column, how often it had which type."""
    bits: float = 0.0
    _of_files: dict[Hashable, int] = field(default_factory=dict)

    def add(self, file: Hashable, tables: Iterable[tuple[_Layout, _Types]], people: People) -> int:
        """Count the bits of a file's tables; a file that is asked about again has those of the first time.

        Args:
            file: By what it is known.
            tables: The known columns of each of its tables, in order, and the types that a definition gives its columns; tables
                without known columns count for nothing.
            people: Who may be there, with the names of columns.
        """
        if file not in self._of_files:
            before = floor(self.bits)
            for each, types in tables:
                if each:
                    self.bits += self._of(each, people) + sum(self._of_type(*one) for one in types)
                    self.seen[each] += 1
            self._of_files[file] = floor(self.bits) - before
        return self._of_files[file]

    def _of(self, layout: _Layout, people: People) -> float:
        if not self.seen:
            return 0.0
        if layout in self.seen:
            return log2(self.seen.total() / self.seen[layout])
        return log2(1 + len(self.seen)) + _OF_WAY + self._of_choice(set(layout), people) + self._of_order(layout, people)

    def _of_type(self, column: str, kind: str) -> float:
        """Bits of the type of a column that another table has too."""
        known = self.types[column]
        known[kind] += 1
        if known.total() == 1:
            return 0.0
        return log2((known.total() - 1) / (known[kind] - 1)) if known[kind] > 1 else _OF_TYPE

    def _of_choice(self, chosen: set[str], people: People) -> float:
        """Bits of which columns these are: any, a run of the table's, or all that no table had yet."""
        if any(chosen == set(each) for each in self.seen):
            return log2(len(self.seen))
        everything = _columns(people)
        size = len(everything)
        found = log2(size + 1) + log2(comb(size, len(chosen))) if len(chosen) <= size else float(size + len(chosen))
        own = [at for at, name in enumerate(everything) if name in chosen and people.columns[name] != "id"]
        if all(after == before + 1 for before, after in pairwise(own)):
            found = min(found, 2 * log2(size + 1))
        rest = {name for name in everything if not any(name in each for each in self.seen)}
        return 0.0 if rest and chosen >= rest and all(people.columns[each] == "id" for each in chosen - rest) else found

    def _of_order(self, layout: _Layout, people: People) -> float:
        """Bits of their order: the table's, with ids anywhere, that of the alphabet, one as before, or any."""
        features = [each for each in layout if people.columns.get(each) != "id"]
        orders = [_columns(people), sorted(features), *self.seen]
        if any(_in_order(features, each) for each in orders):
            return log2(len(layout) + 1) if features != list(layout[-len(features) :]) else 0.0
        return lgamma(len(layout) + 1) / log(2)


@dataclass(slots=True)
class Writers:
    """Who wrote the files of a scan so far, and how: the first may be written by anyone, in any way."""

    seen: defaultdict[str, Counter[Hashable]] = field(default_factory=lambda: defaultdict(Counter))
    files: Counter[str] = field(default_factory=Counter)
    _of_files: dict[Hashable, int] = field(default_factory=dict)

    def add(self, file: Hashable, written: Iterable[Habit]) -> int:
        """Count the bits of who wrote a file and how; a file that is asked about again has those of the first time.

        Args:
            file: By what it is known.
            written: Who, and in which ways.
        """
        if file not in self._of_files:
            self._of_files[file] = sum(map(self._of, written))
        return self._of_files[file]

    def _of(self, habit: Habit) -> int:
        seen = self.seen[habit.name]
        # Of a file that may be written in any of several ways, one that others are written in.
        ways = habit.way if isinstance(habit.way, frozenset) else frozenset({habit.way})
        known, others = max(seen[each] for each in ways), self.files[habit.name]
        seen.update(ways)
        self.files[habit.name] += 1
        if not others:
            return 0
        return ceil(log2(others / known)) if known else _OF_WAY + habit.bits


def _columns(people: People) -> list[str]:
    return list(dict.fromkeys((*people.features, *people.columns)))


def _in_order(names: Sequence[str], order: Sequence[str]) -> bool:
    places = [order.index(each) for each in names if each in order]
    return len(places) == len(names) and places == sorted(places)
