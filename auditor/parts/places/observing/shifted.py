"""Numbers of deleted people in columns of others, moved or scaled: an id plus one, in hundredths, as days since some day.

Of every pair of a column and of numbers that people have, the distance that comes up with most deleted people is taken, and how
many who stay it comes up with (Fisher's exact test, corrected for every distance that there is). Numbers that lie close together
are so far apart from others by chance, which bounds the same in a second way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.maths.statistics.exact import any_of_p, larger_share_p
from auditor.parts.places.observing.borrowed import LEVEL, Borrowed
from auditor.parts.places.observing.said_by_cells import Ints, divided

_SCALES: Final = (1, -1, 10, 100, 1000, 60, 3600, 86_400)
"""What a number may be multiplied by: by tens, and a time of minutes, hours or days."""
_LEAST: Final = 3
"""Deleted people whose numbers are equally far away, at least: two always are."""
_MOST: Final = 2**17
"""Distances of two columns that are compared; of more, some deleted people are asked first, the others about what came up."""
_LEAST_ASKED: Final = 8
_TRIED: Final = 8
"""Distances that the others are asked about."""
_DENSE: Final = 0.5
"""Share of all numbers in between that a column has, from which on it says nothing."""
_LARGEST: Final = 10**15
_DIGITS: Final = 4
"""Digits of a number that tells a person, at least."""
_DAY: Final = 86_400
_PARTS: Final = (1, 100, 1000, 10_000)
"""What the last digit of a number is of one: hundredths, and fewer places."""
_LINES: Final = 3
"""Pairs of deleted people from whom a line is tried."""
_MOST_ON_A_LINE: Final = 128
"""Numbers of a column that may be on a line: of more, lines are too many to try."""
_MOST_OWN: Final = 64
_TABLE: Final = 2**20
"""Numbers from the least to the largest of a column, of which a table is made."""
_NUMBERS: Final = re.compile(r"\d+", re.ASCII)
_HEXADECIMAL: Final = re.compile(r"[^\W_]*?(?:0x|[g-z])?([0-9a-f]{4,12})", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class _Numbers:
    """Numbers of people, of each person one."""

    column: str | None
    """Where they are from; None for ids."""
    rows: Ints
    values: Ints
    tells: bool = False
    """Whether they are those of an id, an address or a telephone, which are tried at every scale."""

    @cached_property
    def known(self) -> Ints:
        """Each of them once, in ascending order; none where they lie so close that any may be met."""
        found = np.unique(self.values)
        return found if len(found) < _LEAST or _density(found, found[[0, -1]]) <= _DENSE else found[:0]

    @cached_property
    def counts(self) -> tuple[Ints, Ints]:
        """Each of them once, in ascending order, and how often it is there."""
        found, times = np.unique(self.values, return_counts=True)
        return found, times

    def of(self, rows: npt.NDArray[np.bool_]) -> _Numbers:
        """Those of some rows."""
        held = rows[self.rows]
        return replace(self, rows=self.rows[held], values=self.values[held])


@dataclass(frozen=True)
class _Source:
    """Numbers of people, of those who are gone apart from those of people who stay."""

    column: str | None
    lost: _Numbers
    kept: _Numbers
    tells: bool


def of_table(records: Dataset, gone: frozenset[str]) -> Borrowed:
    """Find such columns.

    Args:
        records: Everybody who is in the table.
        gone: Ids of deleted people, in it or not.
    """
    ids = records.ids.tolist()
    everybody = [*ids, *sorted(gone - set(ids))]
    left = divided(records, everybody, gone)
    if left is None:
        return Borrowed()
    columns = [found for at, each in enumerate(records.table or ()) for found in _of_column(each, records.features[:, at])]
    numbers = [each for each in columns if _tell(each.values)] + list(_of_words(None, everybody, np.arange(len(everybody))))
    sources = [_Source(each.column, each.of(left), each.of(~left), each.tells) for each in numbers]
    stay = [each.of(~left) for each in columns]
    pairs = [(there, theirs) for there in stay for theirs in sources if there.column != theirs.column and len(there.known)]
    tests = len(pairs) * (len(_SCALES) + 1)
    found = [(there.column, rows) for there, theirs in pairs for rows in _met_at_all(there, theirs, LEVEL / max(1, tests))]
    return Borrowed(
        frozenset(name for name, _ in found if name is not None),
        frozenset(everybody[row] for _, rows in found for row in rows.tolist()),
    )


def _tell(values: Ints) -> bool:
    """Whether most people have a number of their own."""
    return len(np.unique(values)) * 2 > len(values) > 0


def _of_column(column: Column, codes: npt.NDArray[np.float64]) -> Iterator[_Numbers]:
    there = np.flatnonzero((codes != column.missing) & (np.abs(codes) < _LARGEST))
    match column.kind:
        case Kind.TEXT:
            words = [column.words[int(code)] if 0 <= code < len(column.words) else "" for code in codes[there].tolist()]
            yield from _of_words(column.name, words, there)
        case Kind.TIME:
            seconds = codes[there] / (1 if column.unit == "s" else 10**6)
            yield from _whole(column.name, there, seconds / _DAY if np.all(seconds % _DAY == 0) else seconds)
        case Kind.NUMBER | Kind.INTEGER:
            yield from _whole(column.name, there, codes[there])


def _whole(column: str, rows: Ints, values: npt.NDArray[np.float64]) -> Iterator[_Numbers]:
    """Numbers without their point; none where there is no end of digits behind it."""
    for parts in _PARTS:
        found = np.rint(values * parts)
        if np.allclose(values * parts, found, rtol=1e-13, atol=1e-4) and np.all(np.abs(found) < _LARGEST):
            yield _Numbers(column, rows, found.astype(np.int64))
            return


def _of_words(column: str | None, words: list[str], rows: Ints) -> Iterator[_Numbers]:
    """Numbers of short texts: all digits together, the last that follow one another, and hexadecimal digits."""
    for read in (_all_digits, _last_digits, _hexadecimal):
        numbers = {each: read(each) for each in set(words)}
        held = [(row, number) for row, word in zip(rows.tolist(), words, strict=True) if (number := numbers[word]) is not None]
        if held and (read is _all_digits or any(number != _all_digits(word) for word, number in numbers.items())):
            kept = np.array(held, dtype=np.int64)
            yield _Numbers(column, kept[:, 0], kept[:, 1], tells=True)


def _all_digits(text: str) -> int | None:
    return _number("".join(_NUMBERS.findall(text)))


def _last_digits(text: str) -> int | None:
    found = _NUMBERS.findall(text)
    return _number(found[-1]) if found else None


def _number(digits: str) -> int | None:
    return int(digits) if len(digits) >= _DIGITS and 0 < int(digits) < _LARGEST else None


def _hexadecimal(text: str) -> int | None:
    found = _HEXADECIMAL.fullmatch(text)
    return int(found[1], 16) if found else None


def _met_at_all(there: _Numbers, theirs: _Source, level: float) -> Iterator[Ints]:
    for scale in _SCALES if theirs.tells else _SCALES[:1]:
        if (rows := _met(there, theirs, scale, level)) is not None:
            yield rows
    if (rows := _on_a_line(there, theirs, level)) is not None:
        yield rows


def _on_a_line(there: _Numbers, theirs: _Source, level: float) -> Ints | None:
    """Whose numbers come up, multiplied by anything, moved and rounded; None where they are no more than by chance.

    Two of them say by what and how far, so these two may be any numbers of the column, and the others have to follow.
    """
    known, lost, kept = there.known, theirs.lost, theirs.kept
    own, first = np.unique(lost.values, return_index=True)
    if not _LEAST <= len(known) <= _MOST_ON_A_LINE or len(own) <= _LEAST:
        return None
    own, rows = own[:_MOST_OWN], lost.rows[first[:_MOST_OWN]]
    starts, ends = (each.ravel() for each in np.meshgrid(known, known))
    differ = starts != ends
    starts, ends = starts[differ].astype(float), ends[differ].astype(float)
    are_known, middle = _membership(known), len(own) // 2
    found: tuple[float, Ints] | None = None
    for one, other in ((0, len(own) - 1), (1, middle), (middle - 1, len(own) - 2)):
        if one >= other:
            continue
        slopes = (ends - starts) / float(own[other] - own[one])
        times, before = np.zeros(len(slopes), dtype=np.int64), np.full(len(slopes), np.nan)
        for each in own.tolist():
            # A number that two of them come to once they are rounded is met once.
            wanted = np.rint(starts + slopes * float(each - own[one]))
            times += are_known(wanted) & (wanted != before)
            before = wanted
        best = int(np.argmax(times))
        wanted = np.rint(starts[best] + slopes[best] * (own - own[one]).astype(float))
        met = _are_known(known, wanted)
        line = np.rint(starts[best] + slopes[best] * (kept.values - own[one]).astype(float)).astype(np.int64)
        count = int(times[best])
        p = larger_share_p(count, len(own), _of_others(there, kept.rows, line), len(line)) * len(starts)
        dense = _density(known, wanted[met].astype(np.int64))
        p = max(p, any_of_p(count, len(own), dense, of_own=2) * len(starts)) * _LINES
        if p <= level and (found is None or p < found[0]):
            found = p, rows[met]
    return None if found is None else found[1]


def _are_known(known: Ints, wanted: Ints | npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    found: npt.NDArray[np.bool_] = known[at] == wanted
    return found


def _membership(known: Ints) -> Callable[[npt.NDArray[np.float64]], npt.NDArray[np.bool_]]:
    """Ask the same as `_are_known`, of whole numbers and many times: of a table, where the known ones lie close enough."""
    low, size = int(known[0]), int(known[-1] - known[0]) + 1
    if size > _TABLE:
        return partial(_are_known, known)
    there = np.zeros(size + 2, dtype=bool)
    there[known - low + 1] = True
    # Whatever lies outside falls onto an end, where nothing is known.
    return lambda wanted: there[np.clip(wanted - (low - 1), 0, size + 1).astype(np.int64)]


def _met(there: _Numbers, theirs: _Source, scale: int, level: float) -> Ints | None:
    """Whose numbers come up at one distance, where they are more deleted people's than by chance; None where they are not."""
    known, lost, kept = there.known, theirs.lost, theirs.kept
    own, first = np.unique(lost.values * scale, return_index=True)
    if len(known) < _LEAST or len(own) < _LEAST:
        return None
    count, distance = max((int(_are_known(known, own + each).sum()), each) for each in _distances(known, own))
    if count < _LEAST:
        return None
    met = _are_known(known, own + distance)
    others = _of_others(there, kept.rows, kept.values * scale + distance)
    p = larger_share_p(count, len(own), others, len(kept.values)) * len(known) * len(own)
    # The first two may be any: they say which distance it is.
    dense = _density(known, own[met] + distance)
    p = max(p, any_of_p(count, len(own), dense, of_own=1) * len(known))
    return lost.rows[first[met]] if p <= level else None


def _distances(known: Ints, own: Ints) -> list[int]:
    """The distances that come up most often: over all deleted people, or over some of them where a column has many numbers."""
    some = max(_LEAST_ASKED, _MOST // len(known))
    asked = own if len(own) <= some else own[np.linspace(0, len(own) - 1, some).astype(int)]
    distances, times = np.unique(_of_two((known[:, None] - asked[None, :]).ravel()), return_counts=True)
    often = np.flatnonzero(times >= times.max() - 1)
    tried = 1 if len(asked) == len(own) else _TRIED
    found: list[int] = distances[often[np.argsort(-times[often], kind="stable")[:tried]]].tolist()
    return found


def _of_two(distances: Ints) -> Ints:
    """Distances among which are all that come up more than once, for there are too many to sort; the first where none does."""
    if len(distances) < _SORTED:
        return distances
    buckets = ((distances.astype(np.uint64) * _SPREADS) >> _SHIFT).astype(np.int64)
    several = distances[np.bincount(buckets, minlength=2)[buckets] > 1]
    return several if len(several) else distances[:1]


_SORTED: Final = 4096
"""Distances that are sorted at once."""
_SPREADS: Final = np.uint64(0x9E3779B97F4A7C15)
_SHIFT: Final = np.uint64(44)
"""Puts numbers, multiplied by the former, into about a million buckets."""


def _of_others(there: _Numbers, rows: Ints, wanted: Ints) -> int:
    """How many who stay have a number that comes up in rows of others."""
    known, times = there.counts
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    hits = np.where(known[at] == wanted, times[at], 0)
    own = np.full(int(max(there.rows.max(initial=0), rows.max(initial=0))) + 1, -_LARGEST, dtype=np.int64)
    own[there.rows] = there.values
    return int(np.count_nonzero(hits - (own[rows] == wanted) > 0))


def _density(known: Ints, met: Ints) -> float:
    """Which share of the numbers between the least and the largest that are met, in the units of all, is known."""
    unit = int(np.gcd.reduce(np.diff(known)))
    low, high = int(met.min()), int(met.max())
    within = int(np.count_nonzero((known >= low) & (known <= high)))
    return min(1.0, within / ((high - low) / max(1, unit) + 1))
