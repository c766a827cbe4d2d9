"""Find deleted people by rows of a table that agree with theirs in every column that both have, and with nobody's who stays.

Each value may be many people's: a city, a day, a sum without cents. Together they may be one person's. How often they are by
chance follows from the people of the table themselves. Suppose that a row is about somebody else, drawn as these people were: of
all who would then be there, any is as likely to be that row, and any others to have been deleted. So the chance that it has all
values of a deleted person is counted from how many people share theirs with others. Or a row may be of somebody who stays, with
some values changed: then the values that are not that person's have to say as much by themselves, so that what a household shares
says nothing.

A row is found where, of as many rows as nobody who stays explains, hardly any would be found by chance: one in a hundred of those
that are, over all files of the place. It is met where a tenth of a row would be if nobody who stays has two rows there; and where
it has the id of somebody who stays, or two deleted people have the same values.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.mixed_columns import Column, codes_of
from auditor.base.records import Dataset, Floats
from auditor.parts.places.observing.rows_of_tables import Spot, Table
from auditor.parts.store.observing.people import People

LEVEL: Final = 0.01
"""Share of the people found in a table who may be found by chance."""
MET: Final = 0.1
"""Rows of a table that agree by chance, up to which one that does is met."""
_TOGETHER: Final = 2
"""Columns that a row has to have in common with a person, at least."""
_USED: Final = 0.5
"""Share of a column's cells that are somebody's there: of fewer it is another column of the same name."""
_MOST_WORK: Final = 1 << 28
"""Pairs of a row of one table and a person that are compared; where more would be, nobody is found there, and all are met."""
_MOST_COLUMNS: Final = 62
"""Columns in which it is asked what has been changed."""
_MOST_CHANGED: Final = 64
"""Sets of columns in which somebody who stays may have been changed to a deleted person's values, that are tested for a row."""
_MISSING, _OTHER = np.nan, np.inf
Key: TypeAlias = bytes
Columns: TypeAlias = tuple[int, ...]


@dataclass(slots=True)
class Agreeing:
    """Whose values rows have: who is found, who is met, and where."""

    found: dict[str, list[Spot]] = field(default_factory=lambda: defaultdict(list))
    met: dict[str, list[Spot]] = field(default_factory=lambda: defaultdict(list))


class _Alike(NamedTuple):
    """Rows with a deleted person's values in all columns, and nobody's who stays."""

    person: int
    rows: Sequence[int]
    columns: Columns
    absent: npt.NDArray[np.bool_]
    """Shape (n,): who stays and has no row there, by these columns."""
    is_theirs: bool
    """Whether nothing says that the rows are another's."""


@dataclass(frozen=True, eq=False)
class WholeRows:
    """Everybody's values, to be compared with rows column by column."""

    ids: tuple[str, ...]
    names: tuple[str, ...]
    values: Floats
    """Shape (n, d): codes; NaN where nothing is."""
    stays: npt.NDArray[np.bool_]
    """Shape (n,)."""
    table: tuple[Column, ...] | None

    @classmethod
    def of(cls, people: People) -> WholeRows | None:
        """Take them from a table; None where it has no columns with names, or nobody in it was deleted."""
        train: Dataset = people.train
        if len(people.features) < _TOGETHER or train.features.shape[1] != len(people.features) or people.retained.all():
            return None
        values = np.array(train.features, dtype=np.float64)
        for at, column in enumerate(train.table or ()):
            values[values[:, at] == column.missing, at] = _MISSING
        return cls(tuple(train.ids.tolist()), people.features, values, people.retained, train.table)

    def agreeing(self, tables: Iterable[Table], ids: Collection[str], others: Collection[str], files: int) -> Agreeing:
        """Find the rows.

        Args:
            tables: Of files that belong together.
            ids: Columns of ids.
            others: Ids of people who stay.
            files: How many files the place has, over which the level is split.
        """
        found = Agreeing()
        for table in tables:
            columns = self._shared(table, ids)
            if len(columns) < _TOGETHER or not table.rows:
                continue
            values = np.column_stack([self._coded(own, [row[at] for row in table.rows]) for at, own in columns])
            used = [at for at in range(len(columns)) if self._is_used(columns[at][1], values[:, at])]
            if len(used) < _TOGETHER:
                continue
            of_others = self._of_others(table, ids, others)
            alike, unexplained = self._alike(values[:, used], tuple(columns[at][1] for at in used), of_others)
            self._judge(found, table, alike, unexplained, max(1, files))
        return found

    def _shared(self, table: Table, ids: Collection[str]) -> list[tuple[int, int]]:
        """Columns of a table that people have too: where in it, and which of theirs."""
        own = {name: at for at, name in enumerate(self.names)}
        counts = Counter(table.columns)
        return [(at, own[name]) for at, name in enumerate(table.columns) if name in own and counts[name] == 1 and name not in ids]

    def _coded(self, own: int, cells: Sequence[str | None]) -> Floats:
        """Cells of one column as the codes of people's."""
        known = self._written[own]
        new = [each for each in dict.fromkeys(cells) if each is not None and each not in known]
        if self.table is None:
            read = np.array([_number(each) for each in new])
        else:
            column = self.table[own]
            words = {word: float(code) for code, word in enumerate(column.words)}
            read = codes_of(column, [each.strip() for each in new], words)
            read = np.where(np.isnan(read), _OTHER, np.where(read == column.missing, _MISSING, read))
        codes = {**dict(zip(new, read.tolist(), strict=True)), **known}
        return np.array([_MISSING if each is None else codes[each] for each in cells])

    @cached_property
    def _written(self) -> list[dict[str, float]]:
        """Of each column, people's values in the way in which most tables write them."""
        found = list[dict[str, float]]()
        for at, column in enumerate(self.table or ()):
            known = np.unique(self.values[~np.isnan(self.values[:, at]), at])
            cells = column.cells(known)
            found.append({cell: code for cell, code in zip(cells, known.tolist(), strict=True) if cell is not None})
        return found or [{} for _ in self.names]

    def _is_used(self, own: int, values: Floats) -> bool:
        there = values[~np.isnan(values)]
        return bool(len(there)) and bool(np.isin(there, self.values[:, own]).mean() >= _USED)

    def _of_others(self, table: Table, ids: Collection[str], others: Collection[str]) -> npt.NDArray[np.bool_]:
        """Which rows have an id of somebody who stays."""
        named = [at for at, name in enumerate(table.columns) if name in ids]
        return np.array([any((row[at] or "").strip() in others for at in named) for row in table.rows], dtype=bool)

    def _alike(self, values: Floats, own: Columns, of_others: npt.NDArray[np.bool_]) -> tuple[list[_Alike], int]:
        """Find rows with a deleted person's values, and count the different rows that are nobody's who stays."""
        there = ~np.isnan(values)
        patterns, which = np.unique(there, axis=0, return_inverse=True)
        found, unexplained = list[_Alike](), 0
        for number, pattern in enumerate(patterns):
            rows = np.flatnonzero(which.reshape(-1) == number)
            columns = tuple(each for each, is_there in zip(own, pattern.tolist(), strict=True) if is_there)
            if len(columns) < _TOGETHER:
                continue
            by_key = defaultdict[Key, list[int]](list)
            for row, key in zip(rows.tolist(), _keys(values[rows][:, pattern]), strict=True):
                by_key[key].append(row)
            kept, gone = self._people(columns)
            unexplained += sum(key not in kept for key in by_key)
            absent = np.zeros(len(self.ids), dtype=bool)
            absent[[at for key, those in kept.items() if key not in by_key for at in those]] = True
            for key, those in by_key.items():
                if key in gone and key not in kept:
                    theirs = len(gone[key]) == 1 and not of_others[those].all()
                    found += [_Alike(person, those, columns, absent, theirs) for person in gone[key]]
        return found, unexplained

    def _people(self, columns: Columns) -> tuple[dict[Key, list[int]], dict[Key, list[int]]]:
        """Who has what in some columns, of those who stay and of those who were deleted."""
        kept, gone = defaultdict[Key, list[int]](list), defaultdict[Key, list[int]](list)
        for at, key in enumerate(_keys(self.values[:, list(columns)])):
            if self.stays[at]:
                kept[key].append(at)
            elif not np.isnan(self.values[at, list(columns)]).any():
                gone[key].append(at)
        return kept, gone

    def _at_most(self, person: int, columns: Columns, some: npt.NDArray[np.bool_], good: float) -> float:
        """How likely a row that is another's has this person's values: a stranger's, or that of one of some, changed.

        Args:
            person: Whose values a row has.
            columns: In which.
            some: Shape (n,): who may have been changed.
            good: What is less likely need not be known more closely.
        """
        held = columns[:_MOST_COLUMNS]
        shared = [
            (at, rows[some[rows]]) for at, each in enumerate(held) for rows in [self._with(each, self.values[person, each])]
        ]
        bits = np.zeros(len(self.ids), dtype=np.int64)
        for at, rows in shared:
            bits[rows] |= 1 << at
        rows = np.unique(np.concatenate([rows for _, rows in shared]))
        # Where somebody has all that another has and more, fewer values have to have been changed.
        widest = list[int]()
        for each in sorted(np.unique(bits[rows]).tolist(), key=lambda each: -each.bit_count()):
            if not any(each & other == each for other in widest):
                widest.append(each)
        if len(widest) > _MOST_CHANGED:
            return 1.0
        changed = [tuple(own for at, own in enumerate(held) if not each >> at & 1) for each in widest]
        return max(self._chance(person, each, good) for each in [columns, *changed])

    def _with(self, column: int, value: float) -> npt.NDArray[np.int64]:
        """Who has a value."""
        if column not in self._orders:
            order = np.argsort(self.values[:, column], kind="stable")
            self._orders[column] = order, self.values[order, column]
        order, along = self._orders[column]
        return order[np.searchsorted(along, value, "left") : np.searchsorted(along, value, "right")]

    def _chance(self, person: int, columns: Columns, good: float) -> float:
        """How likely another's row has a deleted person's values: by one of the columns alone, where that is good enough."""
        alone = min((self._rate(person, (each,)) for each in columns), default=1.0)
        return alone if alone <= good or len(columns) < _TOGETHER else self._rate(person, columns)

    def _rate(self, person: int, columns: Columns) -> float:
        """How likely another's row has the values of somebody who was deleted, counted from how many people share theirs."""
        classes, sizes = self._classes(columns)
        people, gone = len(self.ids), int((~self.stays).sum())
        sizes = sizes.copy()
        own = int(sizes[classes[person]])
        sizes[classes[person]] += 1
        chance = float((sizes * np.minimum(1.0, gone * (sizes - 1) / people)).sum()) / (people + 1)
        return max(chance, (own - 1) / people)

    def _classes(self, columns: Columns) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Who shares values in some columns: of each person the class, and how many people each has."""
        if columns not in self._known:
            _, classes, sizes = np.unique(
                np.where(np.isnan(self.values[:, list(columns)]), _OTHER, self.values[:, list(columns)]),
                axis=0,
                return_inverse=True,
                return_counts=True,
            )
            self._known[columns] = classes.reshape(-1), sizes
        return self._known[columns]

    @cached_property
    def _orders(self) -> dict[int, tuple[npt.NDArray[np.int64], Floats]]:
        return {}

    @cached_property
    def _known(self) -> dict[Columns, tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
        return {}

    def _judge(self, found: Agreeing, table: Table, alike: Sequence[_Alike], unexplained: int, files: int) -> None:
        """Say who is found: as many that of them one in a hundred would be there by chance; and who is met."""
        most = LEVEL * len({each.person for each in alike}) / max(1, unexplained * files)
        tested = list[tuple[float, _Alike]]()
        too_many = len(self.ids) * len(alike) > _MOST_WORK
        for each in () if too_many else alike:
            if each.is_theirs:
                tested.append((self._at_most(each.person, each.columns, self.stays, most / 2), each))
        tested.sort(key=lambda pair: pair[0])
        sure, people = 0, set[int]()
        for count, (chance, each) in enumerate(tested, start=1):
            people.add(each.person)
            if chance * unexplained * files <= LEVEL * len(people):
                sure = count
        theirs = {id(each) for _, each in tested[:sure]}
        for each in alike:
            if id(each) in theirs:
                self._add(found.found, table, each)
            elif too_many or self._at_most(each.person, each.columns, each.absent, MET / unexplained) * unexplained <= MET:
                self._add(found.met, table, each)

    def _add(self, those: dict[str, list[Spot]], table: Table, each: _Alike) -> None:
        those[self.ids[each.person]] += [Spot(table, at, tuple(self.names[own] for own in each.columns)) for at in each.rows]


def _keys(values: Floats) -> list[Key]:
    held = np.ascontiguousarray(values + 0.0)
    return [row.tobytes() for row in held]


def _number(text: str) -> float:
    try:
        return float(text) if text.strip() else _MISSING
    except ValueError:
        return _OTHER
