"""Count what the order of a table's rows, their choice, their repeats and their labels could carry.

Rows of people who stay are explained one by one. Which of them are there, how often, and in what order is free all the same: of
300 rows, 2,000 bits. No bit is counted of everybody once, in the order of the table, of one of its columns, or of either turned
round; nor of all who have the same value in a column, as a part of a data set has them; nor of labels that number rows or people.
Whatever differs is counted, by place. A deleted record's own row that is found has a place as well, as if that
person stayed.

A row may be missing because its person asked for erasure, and the log does not record it yet. Which of those who wait are missing
is counted by itself, and everybody else as if those had no place. That count holds: from table, log and so many bits anyone reads
back which of those who wait are missing, and from the rest where everybody else stands; two bits more say which count it was.
However many requests wait, a choice among them counts as what it can carry. And a log that invents open requests makes room for
nothing that invented executed ones would not, whose rows are missing for nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from math import ceil, lgamma, log, log2
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.mixed_columns import Kind
from auditor.parts.store.observing import spare_bits
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.row_indexes import ranks_of
from auditor.parts.store.observing.store_tables import Rows

_Whole: TypeAlias = npt.NDArray[np.int64]
_FEW: Final = 8
"""Bits of an order for which no other is tried."""
_MOST_COLUMNS: Final = 64
"""Columns by which rows are put in order."""


@dataclass(frozen=True, slots=True)
class Order:
    """What the order of the rows of one table came to."""

    bits: int
    missing: frozenset[int] = frozenset()
    """Who waits for their erasure, as positions in the training data, and seems to have been left out."""
    there: frozenset[int] = frozenset()
    """Who waits for it and has a row."""
    runs: tuple[Run | None, ...] = ()
    """Where the rows are one after another among all who stay: in the table's order, in that of ids as text, and as numbers."""


@dataclass(frozen=True, slots=True)
class Run:
    """People who are all there are between two places of an order."""

    first: int
    end: int
    everybody: int
    """How many places there are."""
    of_labels: int
    """Bits of labels of the rows."""


def orders(tables: Sequence[Rows], people: People) -> list[Order]:
    """The order of the rows of each table that has any."""
    # Without a table of the people nobody knows an order to compare with.
    return [_of_table(each, _there(each, people)) for each in tables if len(each.sizes)] if len(people.train) else []


def _there(rows: Rows, people: People) -> People:
    """Who has a place in a table: who stays, and of whom it still has a row that is found."""
    if not rows.found.any():
        return people
    own = [people.places[each] for each in rows.whose_own]
    retained = people.retained.copy()
    retained[own] = True
    return replace(people, retained=retained)


def _of_table(rows: Rows, people: People) -> Order:
    whose = _whose(rows, people)
    known = whose >= 0
    whose, groups = whose[known], None if rows.group is None else rows.group[known]
    if not len(whose):
        return Order(0)
    labels = None if rows.numbers is None else rows.numbers[known]
    found = _of_waiting_and_others(whose, groups, labels, people)
    return found if groups is not None else replace(found, runs=tuple(_runs(whose, labels, people)))


def _runs(whose: _Whole, labels: _Whole | None, people: People) -> Iterator[Run | None]:
    among = np.flatnonzero(people.retained)
    of_labels = 0 if labels is None else _of_labels(labels, whose)
    for key in islice(_keys(people), _OF_WHOLE_TABLES):
        places = _ranked(among, key)[np.searchsorted(among, whose)]
        alike = bool((np.diff(places) == 1).all())
        yield Run(int(places[0]), int(places[-1]) + 1, len(among), of_labels) if alike else None


_OF_WHOLE_TABLES: Final = 3
"""Orders, the first of `_keys`, in which a table may go on from one file to the next."""


def _of_waiting_and_others(whose: _Whole, groups: _Whole | None, labels: _Whole | None, people: People) -> Order:
    bits = _of_all(whose, groups, labels, people)
    if people.waiting is None:
        return Order(bits)
    waits = np.flatnonzero(people.waiting & people.retained)
    gone = ~np.isin(waits, whose)
    there = frozenset(waits[~gone].tolist())
    if not gone.any():
        return Order(bits, there=there)
    retained = people.retained.copy()
    retained[waits[gone]] = False
    without = of_waiting(gone) + _of_all(whose, groups, labels, replace(people, retained=retained))
    if bits <= without:
        return Order(bits, there=there)
    left_out = are_left_out(len(np.unique(whose)), int(retained.sum()))
    return Order(without, frozenset(waits[gone].tolist()) if left_out else frozenset(), there)


def are_left_out(there: int, others: int) -> bool:
    """Whether so many of the others have a row that who has none was left out: a part of the people lacks many more."""
    return there >= _MOST * others


_MOST: Final = 0.9


def of_waiting(gone: npt.NDArray[np.bool_]) -> int:
    """Bits of which of those who wait for their erasure are left out, one for each of them at most, and that they are."""
    return _OF_WAY + min(len(gone), spare_bits.of_choice(gone))


_OF_WAY: Final = 2


def _of_all(whose: _Whole, groups: _Whole | None, labels: _Whole | None, people: People) -> int:
    of_labels = 0 if labels is None else _of_labels(labels, whose)
    return min(of_labels + _of_rows(whose, groups, people), ceil(len(whose) * log2(len(people.train) + 1)) + of_labels)


def _of_labels(labels: _Whole, whose: _Whole) -> int:
    """Bits of the order of labels, which is that of rows or of people; which numbers they are is counted with the store."""
    ranks = ranks_of(labels)
    return min(spare_bits.of_separators(ranks - each) - 1 for each in (np.arange(len(labels)), ranks_of(whose)))


def _of_rows(whose: _Whole, groups: _Whole | None, people: People) -> int:
    if groups is not None:
        # Where rows are parted by what they hold, only the order within each part is free, and who is there at all.
        order = _ranks(people, len(people.train))
        inside = sum(_of_order(ranks_of(order[whose[groups == each]]))
                     for each in np.unique(groups)) if len(np.unique(groups)) < len(groups) else 0  # fmt: skip
        return inside + _of_places(np.sort(order[whose]), int(people.retained.sum()))
    among, bits = _of_whom(whose, people)
    best: int | None = None
    for number, key in enumerate(_keys(people)):
        ranks = _ranked(among, key)
        for turned in (False, True):
            places = (len(among) - 1 - ranks if turned else ranks)[np.searchsorted(among, whose)]
            found = _of_places(places, len(among)) + (2 + number if number or turned else 0)
            best = found if best is None else min(best, found)
            if best <= _FEW:
                return bits + best
    return bits + (best or 0)


def _whose(rows: Rows, people: People) -> _Whole:
    """Whose each row is, as a position in the table; -1 for nobody's who stays."""
    if rows.ids is not None:
        found = np.array([people.places.get(each, -1) for each in rows.ids], dtype=np.int64)
    elif rows.features is not None:
        # Of people with the same values, one after another, and the last of them for what is there more often.
        own: defaultdict[bytes, list[int]] = defaultdict(list)
        for at in np.flatnonzero(people.retained).tolist():
            for form in dict.fromkeys(_written(people.train.features[at])):
                own[form].append(at)
        met = Counter[bytes]()
        found = np.full(len(rows.sizes), -1, dtype=np.int64)
        for at, row in enumerate(rows.features):
            values = (row + 0.0).tobytes()
            if those := own.get(values):
                found[at] = those[min(met[values], len(those) - 1)]
                met[values] += 1
    else:
        return np.zeros(0, dtype=np.int64)
    return np.asarray(np.where((found >= 0) & people.retained[found], found, -1))


def _written(row: npt.NDArray[np.float64]) -> Iterator[bytes]:
    yield (row + 0.0).tobytes()
    with np.errstate(over="ignore"):
        yield (row.astype(np.float32).astype(np.float64) + 0.0).tobytes()


def _of_whom(whose: _Whole, people: People) -> tuple[_Whole, int]:
    """Among whom these are chosen, in the table's order: all who stay, or those with one value of a column; and its bits."""
    among, bits = np.flatnonzero(people.retained), 0
    columns = people.train.table or ()
    for at in range(len(columns) if len(whose) > 1 and len(np.unique(whose)) < len(among) else 0):
        codes = people.train.features[:, at]
        if (codes[whose] == codes[whose[0]]).all():
            those = np.flatnonzero(people.retained & (codes == codes[whose[0]]))
            if len(those) < len(among):
                among, bits = those, ceil(log2(len(columns))) + spare_bits.bits_of(len(np.unique(codes)))
    return among, bits


def _keys(people: People) -> Iterator[npt.NDArray[np.float64] | None]:
    """What rows may be in order by: the table, ids as text and as numbers, and each column."""
    yield None
    ids = people.train.ids
    yield np.unique(ids, return_inverse=True)[1].astype(np.float64)
    digits = ["".join(filter(str.isdecimal, each)) for each in ids.tolist()]
    yield np.array([float(each[:15] or -1) for each in digits])
    for at, column in enumerate((people.train.table or ())[:_MOST_COLUMNS]):
        codes = people.train.features[:, at]
        yield codes
        if column.kind is Kind.TEXT:
            small = [each.casefold() for each in column.words]
            ranks = np.array([-1, *np.unique(small, return_inverse=True)[1].tolist()], dtype=np.float64)
            yield ranks[np.clip(codes.astype(np.int64), -1, len(small) - 1) + 1]


def _ranked(among: _Whole, key: npt.NDArray[np.float64] | None) -> _Whole:
    """The place of each of those in an order by a key, and of equal ones in that of the table."""
    ranks = np.arange(len(among), dtype=np.int64)
    if key is not None:
        ranks[np.argsort(key[among], kind="stable")] = np.arange(len(among))
    return ranks


def _ranks(people: People, size: int) -> _Whole:
    """The place of each who stays among all who do."""
    found = np.full(size, -1, dtype=np.int64)
    found[people.retained] = np.arange(int(people.retained.sum()))
    return found


def _of_places(places: _Whole, everybody: int) -> int:
    """Bits of a row of places: of which are there where they rise, and of each that does not follow where they do not."""
    steps = np.diff(places)
    first, last = int(places[0]), int(places[-1])
    ends = _size(first) + _size(everybody - 1 - last)
    by_exception = ends + (spare_bits.of_separators(steps - 1) - 1 if len(steps) else 0)
    if not (steps > 0).all():
        return by_exception
    count = len(places)
    chosen = lgamma(everybody + 1) - lgamma(count + 1) - lgamma(everybody - count + 1)
    return min(by_exception, ceil(chosen / log(2) - 1e-9) + (_size(everybody - count)))


def _size(number: int) -> int:
    return spare_bits.bits_of(number) - 1


def _of_order(ranks: _Whole) -> int:
    """Bits of the order of some rows, whichever they are."""
    steps = [after - before - 1 for before, after in pairwise(ranks.tolist())]
    return min(spare_bits.of_separators(each) - 1 for each in (steps, [-2 - each for each in steps])) if any(steps) else 0
