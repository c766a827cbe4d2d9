"""Values of deleted people in rows of others: more than one in a row, or more people's in a column, than by chance.

A table explains what it has, so a list of deleted people's dates and sums may hide in columns of those who stay. Two questions
are asked of each row and column:

* Does one row, in columns other than theirs, have values of one deleted person that hardly come together by chance? The chance
  of each is how often a row has that value of somebody who stays, and what follows from another value counts once.
* Of how many deleted people does a column have the value that nobody else has in another column, and of how many who stay
  (Fisher's exact test)? Where numbers lie so close that any may be met, it is not asked. The words of a name may be in one
  column, or in two: a first name and a last one.

A third one is asked of names alone: does a cell have all words of a deleted person's, and of nobody's who stays?

A row's own value is nobody else's: a second date that is the first one again, or the address of a household.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb, expm1, log2
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.records import Dataset
from auditor.maths.statistics.exact import any_of_p, larger_share_p
from auditor.parts.places.observing.name_columns import is_called_name
from auditor.parts.places.observing.said_by_cells import Ints, Said, are_words, divided, measured, said_plain_and_coded

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
_OF_TWO: Final = LEVEL / 10
"""The level where two columns have the names: first names are few, and agents have them too."""
_WORDS_OF_NAMES: Final = 16
"""Words of the longest name, up to which names are compared all at once."""
_WORDS_OF_ONE: Final = 3
"""Words of a cell with a part of a name, at most."""


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
    table = _Table(*said_plain_and_coded(records, words), left)
    found = [*table.in_rows(), *table.in_columns(), *table.in_cells()]
    columns = frozenset(table.said[at].name for those, _ in found for at in those)
    return Borrowed(columns, frozenset(str(records.ids[row]) for _, rows in found for row in rows))


_Found: TypeAlias = tuple[frozenset[int], frozenset[int]]
"""Columns, and rows of deleted people."""
_Flags: TypeAlias = npt.NDArray[np.bool_]
_Met: TypeAlias = tuple[_Flags, _Flags, float]
"""Who was met, of whom that was asked, and how often it may be by chance where something else than people who stay says so."""


@dataclass(frozen=True, slots=True, eq=False)
class _Owners:
    """Values of deleted people, in ascending order, each with the column and the row that it is from."""

    keys: Ints
    sources: Ints
    rows: Ints

    def without(self, some: _Flags) -> _Owners:
        """Leave some out."""
        return _Owners(self.keys[~some], self.sources[~some], self.rows[~some])

    def of(self, keys: Ints) -> tuple[Ints, Ints]:
        """Which of some values are whose: their places, and those of the entries here."""
        first, last = np.searchsorted(self.keys, keys), np.searchsorted(self.keys, keys, side="right")
        sizes = last - first
        which = np.repeat(np.arange(len(keys)), sizes)
        return which, np.arange(len(which)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + first[which]


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
        self._row_of = cache(lambda column: _by_row(self.said[column]))
        self._of_names = self._all_names()
        self._rate = cache(self._rate_of)
        self._follows = cache(self._follows_of)
        self._single = cache(self._single_in)

    # Values of one person in one row

    def in_rows(self) -> Iterator[_Found]:
        """Rows of people who stay that have several values of one deleted person."""
        kept, lost = int((~self._gone).sum()), int(self._gone.sum())
        least = log2(kept * lost / LEVEL)
        ways = cache(self._ways)
        for person, matches in self._matches(least):
            most = self._at_most(matches)
            if sum(most) < least:
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

    def _matches(self, least: float) -> Iterator[tuple[int, list[_Match]]]:
        """Of rows and deleted people, what of the person the row has in columns other than theirs.

        Args:
            least: Bits that what a row has may say at least; where it can say less, it is left out.
        """
        owners = self._owners()
        known = np.unique(owners.keys)
        hits = [
            (at, each.rows[met], each.keys[met]) for at, each in enumerate(self._there) for met in [np.isin(each.keys, known)]
        ]
        owners = owners.without(_most_common(np.concatenate([np.zeros(0, np.int64), *(keys for _, _, keys in hits)]), owners))
        met = [np.zeros((0, 5), dtype=np.int64)]
        for at, rows, keys in hits:
            which, where = owners.of(keys)
            others = owners.sources[where] != at
            which, where = which[others], where[others]
            met.append(
                np.stack([rows[which], owners.rows[where], owners.sources[where], keys[which], np.full(len(which), at)], axis=1)
            )
        found = np.concatenate(met)
        # What a row has in the same column says that it is its own.
        pairs = found[:, 0] * len(known) + np.searchsorted(known, found[:, 3])
        held = np.ones(len(found), dtype=bool)
        for source in self._sources:
            some = np.flatnonzero(found[:, 2] == source)
            held[some] = ~np.isin(pairs[some], _as_pairs(self.said[source], known))
        yield from self._telling(found[held], least)

    def _owners(self) -> _Owners:
        """Whose each value of deleted people is that few enough have."""
        found = [np.zeros((0, 3), dtype=np.int64)]
        for source in self._sources:
            said = self.said[source]
            some = self._gone[said.rows] & (said.times_of(said.keys) <= max(2, _COMMON * self._rows))
            found.append(np.stack([said.keys[some], np.full(np.count_nonzero(some), source), said.rows[some]], axis=1))
        every = np.concatenate(found)
        every = every[np.argsort(every[:, 0], kind="stable")]
        return _Owners(every[:, 0], every[:, 1], every[:, 2])

    def _telling(self, met: Ints, least: float) -> Iterator[tuple[int, list[_Match]]]:
        """Of what rows have of deleted people, that which may say so much."""
        met = met[np.lexsort(met.T[::-1])]
        if not len(met):
            return
        # One after the other: row, person, source, key.
        new = np.ones(len(met), dtype=bool)
        new[1:] = np.any(met[1:, :4] != met[:-1, :4], axis=1)
        firsts = np.flatnonzero(new)
        pairs = np.ones(len(met), dtype=bool)
        pairs[1:] = np.any(met[1:, :2] != met[:-1, :2], axis=1)
        of = np.cumsum(pairs) - 1
        another = new.copy()
        another[1:] &= np.any(met[1:, :3] != met[:-1, :3], axis=1)
        several = np.bincount(of[another]) >= _TOGETHER
        said, which = np.unique(met[:, 2:], axis=0, return_inverse=True)
        in_some = np.zeros(len(said), dtype=bool)
        in_some[np.unique(which.ravel()[several[of]])] = True
        bits = np.zeros(len(said))
        bits[in_some] = [self._bits(_Match(at, source, key)) for source, key, at in said[in_some].tolist()]
        most = np.maximum.reduceat(bits[which.ravel()], firsts)
        enough = several & (np.bincount(of[firsts], weights=most) >= least * (1 - 1e-9))
        begins = np.flatnonzero(pairs)
        for begin, end in zip(begins[enough].tolist(), np.append(begins[1:], len(met))[enough].tolist(), strict=True):
            yield int(met[begin, 1]), [_Match(at, source, key) for source, key, at in met[begin:end, 2:].tolist()]

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
            (column, alone, LEVEL)
            for column in range(len(self.said))
            for source in self._sources
            if column != source and (alone := self._alone(column, source)) is not None
        ]
        tested += [
            (column, (flags, names.asked, 0.0), LEVEL if len(names.columns) == 1 else _OF_TWO)
            for column, each in enumerate(self.said)
            for names in self._of_names
            if each.is_text and column not in names.columns
            for flags in self._called(column, names)
        ]
        for column, (met, asked, chance), level in tested:
            theirs, others = met & self._gone, met & ~self._gone
            count, of = int(theirs.sum()), int((asked & self._gone).sum())
            p = larger_share_p(count, of, int(others.sum()), int((asked & ~self._gone).sum()))
            p = max(p, any_of_p(count, of, chance))
            if count and p <= level / len(tested):
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

    # Names

    def in_cells(self) -> Iterator[_Found]:
        """Cells of people who stay that have all words of a deleted person's name, and more of these than by chance."""
        kept = int((~self._gone).sum())
        for names in self._of_names:
            theirs = list(names.of_some(self._gone))
            for column, there in enumerate(self._stay):
                if not there.is_text or column in names.columns or not there.says_any(names.keys):
                    continue
                for person, words in theirs:
                    rows = [there.rows[there.keys == word] for word in words.tolist()]
                    both = frozenset(rows[0].tolist()).intersection(*(each.tolist() for each in rows[1:]))
                    # What a cell has of its own person's name is no other's.
                    met = [
                        row
                        for row in both
                        if self._has_more(column, row, len(words)) and not self._has_elsewhere(column, row, words)
                    ]
                    expected = len(rows[0]) * len(rows[-1]) / kept
                    if met and -expm1(-expected) <= LEVEL:
                        yield frozenset({column}), frozenset({person})

    def _has_more(self, column: int, row: int, words: int) -> bool:
        return len(self._row_of(column).get(row, ())) > words

    def _has_elsewhere(self, column: int, row: int, words: Ints) -> bool:
        """Whether a row has a word in another of its columns."""
        own = set(words.tolist())
        return any(at != column and own & self._row_of(at).get(row, set()) for at, each in enumerate(self.said) if each.is_text)

    def _called(self, column: int, names: _Names) -> Iterator[_Flags]:
        """Of whom a column has, in rows of others, all words of a name, and of whom any; nothing where it has none of them."""
        held = self._there[column]
        if not held.says_any(names.keys):
            return
        known = np.unique(names.keys)
        own = np.isin(names.rows * len(known) + np.searchsorted(known, names.keys), _as_pairs(held, known))
        said = held.times_of(names.keys) > own
        for which in (np.logical_and, np.logical_or):
            met = np.zeros(self._rows, dtype=bool)
            met[names.rows[names.starts]] = which.reduceat(said, names.starts)
            if met.any():
                yield met

    def _all_names(self) -> list[_Names]:
        """Names of people: of columns that have them, and of two that each have a part."""
        texts = [(at, each) for at, each in enumerate(self.said) if each.is_text and not each.long]
        whole = [names for at, each in texts if (names := _Names.of([at], [each], self._gone)) is not None]
        known = {at for each in whole for at in each.columns}
        parts = [(at, each) for at, each in texts if at not in known and _is_part(each)]
        pairs = (_Names.of([one, other], [first, second], self._gone) for (one, first), (other, second) in combinations(parts, 2))
        return whole + [each for each in pairs if each is not None]


def _is_part(said: Said) -> bool:
    """Whether a column may have parts of names: a few words in each cell, and no numbers."""
    return len(said.keys) > 0 and bool(are_words(said.keys).all()) and int(np.bincount(said.rows).max()) <= _WORDS_OF_ONE


@dataclass(frozen=True, slots=True, eq=False)
class _Names:
    """Names of people, each of two words or more."""

    columns: tuple[int, ...]
    """Where they are from."""
    rows: Ints
    """Whose, in ascending order, and once for each word."""
    keys: Ints
    """Words."""
    starts: Ints
    """Where each person's begin."""
    asked: _Flags
    """Who has one."""

    @classmethod
    def of(cls, columns: Sequence[int], said: Sequence[Said], gone: _Flags) -> _Names | None:
        """Put words together; None of columns that have no names: most people have one of their own, or the columns say so."""
        rows, keys = (np.concatenate([getattr(each, of) for each in said]) for of in ("rows", "keys"))
        words = are_words(keys)
        order = np.lexsort((keys[words], rows[words]))
        rows, keys = rows[words][order], keys[words][order]
        again = np.zeros(len(rows), dtype=bool)
        again[1:] = (rows[1:] == rows[:-1]) & (keys[1:] == keys[:-1])
        rows, keys = rows[~again], keys[~again]
        counts = np.bincount(rows, minlength=len(gone))
        several = counts[rows] > 1
        rows, keys = rows[several], keys[several]
        starts = np.flatnonzero(np.diff(rows, prepend=-1))
        called = len(said) > 1 and all(is_called_name(each.name) for each in said)
        if not len(starts) or (not called and _different(keys, starts) <= _OWN * len(gone)):
            return None
        return cls(tuple(columns), rows, keys, starts, counts > 1)

    def of_some(self, some: _Flags) -> Iterator[tuple[int, Ints]]:
        """The names of some people, each with its row, that nobody else has."""
        names = list(zip(self.rows[self.starts].tolist(), np.split(self.keys, self.starts[1:]), strict=True))
        others = {words.tobytes() for row, words in names if not some[row]}
        yield from ((row, words) for row, words in names if some[row] and words.tobytes() not in others)


def _different(keys: Ints, starts: Ints) -> int:
    """How many different names there are."""
    sizes = np.diff(np.append(starts, len(keys)))
    if int(sizes.max()) > _WORDS_OF_NAMES:
        return len({each.tobytes() for each in np.split(keys, starts[1:])})
    # No word's key is 0.
    padded = np.zeros((len(starts), int(sizes.max())), dtype=np.int64)
    padded[np.repeat(np.arange(len(starts)), sizes), np.arange(len(keys)) - np.repeat(starts, sizes)] = keys
    return len(np.unique(padded, axis=0))


def _by_row(said: Said) -> Mapping[int, set[int]]:
    found = defaultdict[int, set[int]](set)
    for row, key in zip(said.rows.tolist(), said.keys.tolist(), strict=True):
        found[row].add(key)
    return found


def _most_common(keys: Ints, owners: _Owners) -> _Flags:
    """Which of the values are left out, for they are in too many rows of too many people."""
    known, times = np.unique(keys, return_counts=True)
    pairs = times * (np.searchsorted(owners.keys, known, side="right") - np.searchsorted(owners.keys, known))
    order = np.argsort(pairs, kind="stable")
    return np.isin(owners.keys, known[order[np.cumsum(pairs[order]) > _MOST]])


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
