"""Values of deleted people in rows of others: more than one in a row, or more people's in a column, than by chance.

A table explains what it has, so a list of deleted people's dates and sums may hide in columns of those who stay. Two questions
are asked of each row and column:

* Does one row, in columns other than theirs, have values of one deleted person that hardly come together by chance? The chance
  of each is how often a row has that value of somebody who stays, and what follows from another value counts once.
* Of how many deleted people does a column have the value that nobody else has in another column, and of how many who stay
  (Fisher's exact test)? Where numbers lie so close that any may be met, it is not asked.

A row's own value is nobody else's: a second date that is the first one again, or the address of a household.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb, log2
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Dataset
from auditor.maths.statistics.exact import larger_share_p
from auditor.parts.places.observing.said_by_cells import Ints, Said, divided, is_word, measured, said_by

LEVEL: Final = 0.01
_COMMON: Final = 0.15
"""Share of people from which on a value says too little of one."""
_MOST: Final = 1_000_000
"""Values of deleted people in rows of others that are put together; of more, the most common ones are left out."""
_TOGETHER: Final = 2
"""Columns of a deleted person's that a row has values of, at least."""
_SHARED: Final = 2
"""Pairs of people with the same two values, from which on one value may follow from the other."""
_DENSE: Final = 0.2
"""Share of the numbers near a value that a column has, from which on meeting it says nothing."""
_OWN: Final = 0.5
"""Share of people with names of their own, from which on a column is one of names."""
_NEAR: Final = 8
"""Numbers on either side of a value by which that share is known."""


@dataclass(frozen=True, slots=True)
class Borrowed:
    """Columns that hold values of deleted people, and whose."""

    columns: frozenset[str] = frozenset()
    records: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, order=True)
class _Match:
    """A value of a deleted person in a row of somebody else: in which column, and which of theirs."""

    column: int
    source: int
    key: int


def of_table(records: Dataset, gone: frozenset[str]) -> Borrowed:
    """Find such columns.

    Args:
        records: Everybody who is in the table.
        gone: Ids of deleted people, in it or not.
    """
    left = divided(records, records.ids.tolist(), gone)
    if left is None:
        return Borrowed()
    words: dict[str, int] = {}
    table = _Table(said_by(records, words), said_by(records, words, coded=True), left)
    found = [*table.in_rows(), *table.in_columns()]
    columns = frozenset(table.said[at].name for those, _ in found for at in those)
    return Borrowed(columns, frozenset(str(records.ids[row]) for _, rows in found for row in rows))


_Found: TypeAlias = tuple[frozenset[int], frozenset[int]]
"""Columns, and rows of deleted people."""
_Flags: TypeAlias = npt.NDArray[np.bool_]
_Met: TypeAlias = tuple[_Flags, _Flags, float]
"""Who was met, of whom that was asked, and how often it may be by chance where something else than people who stay says so."""


class _Table:
    """What the cells of a table say."""

    def __init__(self, said: Sequence[Said], coded: Sequence[Said], gone: npt.NDArray[np.bool_]) -> None:
        self.said, self._gone = said, gone
        self._stay = [each.of_rows(~gone) for each in said]
        self._there = [each.of_rows(~gone) for each in coded]
        """What rows of people who stay may say, in a code too."""
        self._rows = len(gone)
        self._sources = [at for at, each in enumerate(said) if not each.long]
        self._by_row = cache(lambda source: _by_row(self.said[source]))
        self._own = cache(lambda column: _by_row(self._there[column]))
        self._of_names = cache(self._names_of)
        self._rate = cache(self._rate_of)
        self._follows = cache(self._follows_of)
        self._single = cache(self._single_in)

    # Values of one person in one row

    def in_rows(self) -> Iterator[_Found]:
        """Rows of people who stay that have several values of one deleted person."""
        kept, lost = int((~self._gone).sum()), int(self._gone.sum())
        least = log2(kept * lost / LEVEL)
        ways = cache(self._ways)
        for (_, person), matches in self._matches().items():
            if len({each.source for each in matches}) < _TOGETHER or sum(most := self._at_most(matches)) < least:
                continue
            # The more ways there are to choose values, the more bits they have to say together.
            needed = [least + log2(comb(max(ways(), count), count)) for count in range(len(most) + 1)]
            if not any(sum(most[:count]) >= needed[count] for count in range(_TOGETHER, len(most) + 1)):
                continue
            chosen = self._chosen(matches)
            for count in range(_TOGETHER, len(chosen) + 1):
                some = [each for each, _ in chosen[:count]]
                told = sum(bits for _, bits in chosen[:count])
                if len({each.source for each in some}) >= _TOGETHER and told >= needed[count]:
                    yield frozenset(each.column for each in some), frozenset({person})
                    break

    def _matches(self) -> Mapping[tuple[int, int], list[_Match]]:
        """Of rows and deleted people, what of the person the row has in columns other than theirs."""
        owners = defaultdict[int, list[tuple[int, int]]](list)
        for source in self._sources:
            said = self.said[source]
            held = self._gone[said.rows]
            for row, key in zip(said.rows[held].tolist(), said.keys[held].tolist(), strict=True):
                if said.times(key) <= max(2, _COMMON * self._rows):
                    owners[key].append((source, row))
        wanted = np.array(sorted(owners), dtype=np.int64)
        hits = [
            (at, each.rows[met], each.keys[met]) for at, each in enumerate(self._there) for met in [np.isin(each.keys, wanted)]
        ]
        beyond = _most_common(np.concatenate([np.zeros(0, np.int64), *(keys for _, _, keys in hits)]), owners)
        found = defaultdict[tuple[int, int], list[_Match]](list)
        for at, rows, keys in hits:
            for row, key in zip(rows.tolist(), keys.tolist(), strict=True):
                for source, person in owners[key] if key not in beyond else ():
                    if source != at and key not in self._by_row(source).get(row, ()):
                        found[row, person].append(_Match(at, source, key))
        return found

    def _at_most(self, matches: Sequence[_Match]) -> list[float]:
        """How many bits each value says, the most first, if none of them follows from another."""
        best = defaultdict[tuple[int, int], float](float)
        for each in matches:
            best[each.source, each.key] = max(best[each.source, each.key], self._bits(each))
        return sorted(best.values(), reverse=True)

    def _chosen(self, matches: Sequence[_Match]) -> list[tuple[_Match, float]]:
        """The values that say most, each once and from a cell of its own, and how many bits each says beyond those before."""
        chosen = list[tuple[_Match, float]]()
        for bits, each in sorted(((self._bits(each), each) for each in matches), key=lambda pair: (-pair[0], pair[1])):
            if any((each.source, each.key) == (one.source, one.key) for one, _ in chosen):
                continue
            if any(each.column == one.column for one, _ in chosen) and not self.said[each.column].is_text:
                continue
            rest = min([bits, *(self._beyond(one, each) for one, _ in chosen)])
            if rest > 0:
                chosen.append((each, rest))
        return chosen

    def _bits(self, match: _Match) -> float:
        rate = self._rate(match.column, match.source)
        said = self.said[match.source]
        # Words of a name come together, whosever it is.
        return -log2(max(rate, said.times(match.key) / self._rows) if said.is_text else rate)

    def _beyond(self, one: _Match, other: _Match) -> float:
        """How many bits one value says beyond another."""
        if one.source != other.source:
            return self._follows(one.source, other.source)
        held = self._by_row(one.source).values()
        both = [other.key in keys for keys in held if one.key in keys]
        return log2(len(both) / sum(both))

    def _rate_of(self, column: int, source: int) -> float:
        """How often a row of one who stays has, in a column, a value of another who stays: at least once of all pairs."""
        return (self._pairs(column, source) + 1) / max(1, int((~self._gone).sum())) ** 2

    def _pairs(self, column: int, source: int) -> int:
        there, theirs = self._there[column], self._stay[source]
        (keys, times), (others, of_others) = there.counts, theirs.counts
        common, at, of = np.intersect1d(keys, others, assume_unique=True, return_indices=True)
        if not len(common):
            return 0
        own = np.intersect1d(_as_pairs(there, common), _as_pairs(theirs, common), assume_unique=True) % len(common)
        return int(np.dot(times[at], of_others[of]) - of_others[of][own].sum())

    def _follows_of(self, one: int, other: int) -> float:
        """How many bits the value of one column says where that of another is known; no end of them where none follows."""
        first, second = self._by_row(one), self._by_row(other)
        alone = Counter(key for keys in first.values() for key in keys)
        both = Counter((key, more) for row, keys in first.items() for key in keys for more in second.get(row, ()))
        same, known = (sum(comb(count, 2) for count in each.values()) for each in (both, alone))
        return log2(max(known, same) / same) if same >= _SHARED else float("inf")

    def _ways(self) -> int:
        """Of how many columns, and columns of others, one may have what another has at all."""
        return sum(
            column != source and bool(np.isin(self._there[column].counts[0], self.said[source].counts[0]).any())
            for column in range(len(self.said))
            for source in self._sources
        )

    # Values of many people in one column

    def in_columns(self) -> Iterator[_Found]:
        """Columns that have the values of more deleted people than of others."""
        tested = [
            (column, met)
            for column in range(len(self.said))
            for source in self._sources
            if column != source
            for met in (self._alone(column, source), self._names(column, source, all), self._names(column, source, any))
            if met is not None
        ]
        for column, (met, asked, chance) in tested:
            theirs, others = met & self._gone, met & ~self._gone
            count, of = int(theirs.sum()), int((asked & self._gone).sum())
            p = larger_share_p(count, of, int(others.sum()), int((asked & ~self._gone).sum()))
            p = max(p, min(1.0, comb(of, count) * chance**count))
            if count and p <= LEVEL / len(tested):
                yield frozenset({column}), frozenset(np.flatnonzero(theirs).tolist())

    def _alone(self, column: int, source: int) -> _Met | None:
        """Of whom a column has, in rows of others, the value that nobody else has in another column; None for nobody."""
        there = self._there[column]
        rows, keys = self._single(source)
        if not there.says_any(keys):
            return None
        chance = _density(keys, there.counts[0])
        open_ = chance <= _DENSE
        rows, keys, chance = rows[open_], keys[open_], chance[open_]
        known = np.unique(keys)
        own = np.isin(rows * len(known) + np.searchsorted(known, keys), _as_pairs(there, known))
        hit = there.times_of(keys) > own
        met, asked = np.zeros(self._rows, dtype=bool), np.zeros(self._rows, dtype=bool)
        met[rows[hit]] = asked[rows] = True
        those = chance[hit & self._gone[rows]]
        return (met, asked, float(those.mean()) if len(those) else 0.0) if met.any() else None

    def _single_in(self, source: int) -> tuple[Ints, Ints]:
        """What one row alone has in a column, each time whose row, and what."""
        said = self.said[source]
        alone = said.times_of(said.keys) == 1
        return said.rows[alone], said.keys[alone]

    def _names(self, column: int, source: int, which: Callable[[Iterable[bool]], bool]) -> _Met | None:
        """Of whom a column has, in rows of others, all words of a name, or any; None where the other column has no names."""
        names, held = self._of_names(source), self._there[column]
        if not names or not held.is_text:
            return None
        met, asked = np.zeros(self._rows, dtype=bool), np.zeros(self._rows, dtype=bool)
        for row, words in names.items():
            own = self._own(column).get(row, set())
            asked[row] = True
            met[row] = which(held.times(word) > (word in own) for word in words)
        return (met, asked, 0.0) if met.any() else None

    def _names_of(self, source: int) -> Mapping[int, frozenset[int]]:
        """Words of a column of names, each with its row; none of another column."""
        found = {row: words for row, keys in self._by_row(source).items() if len(words := frozenset(filter(is_word, keys))) > 1}
        return found if len(set(found.values())) > _OWN * self._rows else {}


def _by_row(said: Said) -> Mapping[int, set[int]]:
    found = defaultdict[int, set[int]](set)
    for row, key in zip(said.rows.tolist(), said.keys.tolist(), strict=True):
        found[row].add(key)
    return found


def _most_common(keys: Ints, owners: Mapping[int, Sequence[object]]) -> frozenset[int]:
    """The values that are left out, for they are in too many rows of too many people."""
    known, times = np.unique(keys, return_counts=True)
    pairs = times * np.array([len(owners[key]) for key in known.tolist()], dtype=np.int64)
    order = np.argsort(pairs, kind="stable")
    return frozenset(known[order[np.cumsum(pairs[order]) > _MOST]].tolist())


def _as_pairs(said: Said, keys: Ints) -> Ints:
    """Rows with what they say, of some keys in ascending order, as numbers."""
    held = np.isin(said.keys, keys)
    return said.rows[held] * len(keys) + np.searchsorted(keys, said.keys[held])


def _density(keys: Ints, others: Ints) -> npt.NDArray[np.float64]:
    """Which share of the numbers, or days, near each key is among others; 0 for words, of which none is near another."""
    found = np.zeros(len(keys))
    for (held, values), (_, known) in zip(measured(keys), measured(others), strict=True):
        there = np.unique(known)
        unit = _unit(np.concatenate([values, there]))
        if len(there) and len(values) and unit:
            at = np.searchsorted(there, values)
            first, last = np.maximum(at - _NEAR, 0), np.minimum(at + _NEAR, len(there) - 1)
            low, high = np.minimum(there[first], values), np.maximum(there[last], values)
            found[held] = (last - first + 1) / ((high - low) / unit + 1)
    return found


def _unit(values: npt.NDArray[np.float64]) -> float:
    """What all values are multiples of, in hundredths at least; 0 where they are no such numbers."""
    hundredths = np.rint(values * 100)
    if not np.allclose(values * 100, hundredths, rtol=1e-12, atol=1e-6) or np.any(np.abs(hundredths) > 2**53):
        return 0.0
    return float(np.gcd.reduce(hundredths.astype(np.int64))) / 100
