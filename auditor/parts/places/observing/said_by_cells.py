"""What cells of a table say, as numbers that can be compared over columns: numbers, days and words, however they are written."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.parts.places.observing.codes import readings
from auditor.parts.places.observing.days import days_in
from auditor.parts.places.observing.normal_forms import normal

Ints = npt.NDArray[np.int64]
_DAY: Final = 86_400
_WORDS: Final = re.compile(r"[^\W\d_]{2,}")
_AMOUNTS: Final = re.compile(r"(?<![\w.,])-?\d[\d.,]*(?<=\d)(?![\w])", re.ASCII)
_TELLING: Final = 3
"""Digits of a number within a text that is compared, at least."""
_LONGEST: Final = 18
_SHORT: Final = 5
"""Words of a cell that is one value: a longer one is a text, in which values of others may be."""
_MOST_DAYS: Final = 4
"""Days that one text may name: of one with more, any may be there."""


@dataclass(frozen=True)
class Said:
    """What the cells of one column say: each time whose row, and what; no pair twice."""

    name: str
    rows: Ints
    keys: Ints
    is_text: bool = False
    """Whether a cell may say several things."""
    long: bool = False
    """Whether its cells are texts, and no values."""

    @cached_property
    def counts(self) -> tuple[Ints, Ints]:
        """What is said at all, in ascending order, and in how many rows."""
        found, times = np.unique(self.keys, return_counts=True)
        return found, times

    def times(self, key: int) -> int:
        """In how many rows something is said."""
        return int(self.times_of(np.array([key]))[0])

    def times_of(self, keys: Ints) -> Ints:
        """In how many rows each of some keys is said."""
        found, times = self.counts
        at = np.minimum(np.searchsorted(found, keys), max(0, len(found) - 1))
        return np.where(found[at] == keys, times[at], 0) if len(found) else np.zeros(len(keys), dtype=np.int64)

    def says_any(self, keys: Ints) -> bool:
        """Whether any of some keys is said."""
        return bool(self.times_of(keys).any())

    def of_rows(self, rows: npt.NDArray[np.bool_]) -> Said:
        """What some rows say."""
        held = rows[self.rows]
        return replace(self, rows=self.rows[held], keys=self.keys[held])


def divided(records: Dataset, ids: Sequence[str], gone: frozenset[str]) -> npt.NDArray[np.bool_] | None:
    """Which of some people are gone; None where nobody is, nobody stays, or the table has no columns: nothing can be compared."""
    left = np.array([each in gone for each in ids], dtype=bool)
    return left if records.table and left.any() and not left.all() else None


def said_plain_and_coded(records: Dataset, words: dict[str, int]) -> tuple[list[Said], list[Said]]:
    """Read every column of a table, each of its cells in every way: as it stands, and where short texts may be in a code too.

    Args:
        records: Everybody who is in the table.
        words: Numbers that stand for words; new ones are added.
    """
    found = list[tuple[Said, Said]]()
    for at, column in enumerate(records.table or ()):
        codes = records.features[:, at]
        there = np.flatnonzero((codes != column.missing) & np.isfinite(codes))
        if column.kind is Kind.TEXT:
            found.append(_of_texts(column, codes, there, words))
        elif column.kind is Kind.TIME:
            found.append((_of_times(column, codes, there),) * 2)
        elif column.kind is not Kind.BOOLEAN:
            found.append((Said(column.name, there, _of_numbers(codes[there])),) * 2)
    return [plain for plain, _ in found], [coded for _, coded in found]


def _of_numbers(values: npt.NDArray[np.float64]) -> Ints:
    """Keys of numbers without their sign: none is negative, as those of days and words are."""
    return np.abs(values).view(np.int64)


def _of_days(days: Ints) -> Ints:
    return days - _DAYS


_DAYS: Final = 1 << 40
_WORDS_FROM: Final = -(1 << 50)
"""Keys of words are less."""


def are_words(keys: Ints) -> npt.NDArray[np.bool_]:
    """Which keys are words'."""
    found: npt.NDArray[np.bool_] = keys <= _WORDS_FROM
    return found


def measured(keys: Ints) -> Iterator[tuple[npt.NDArray[np.bool_], npt.NDArray[np.float64]]]:
    """Those keys that are numbers, and those that are days, each with what they measure."""
    numbers, days = keys >= 0, (keys < 0) & (keys > _WORDS_FROM)
    yield numbers, keys[numbers].view(np.float64)
    yield days, (keys[days] + _DAYS).astype(np.float64)


def _of_times(column: Column, codes: npt.NDArray[np.float64], there: Ints) -> Said:
    seconds = codes[there] / (1 if column.unit == "s" else 10**6)
    days = np.floor(seconds / _DAY).astype(np.int64)
    if np.all(seconds == days * _DAY):
        return Said(column.name, there, _of_days(days))
    return Said(column.name, np.concatenate([there, there]), np.concatenate([_of_days(days), _of_numbers(seconds)]))


def _of_texts(column: Column, codes: npt.NDArray[np.float64], there: Ints, words: dict[str, int]) -> tuple[Said, Said]:
    used, which = np.unique(codes[there], return_inverse=True)
    texts = [column.words[int(code)] if 0 <= code < len(column.words) else "" for code in used.tolist()]
    long = sum(len(each.split()) > _SHORT for each in texts) * 2 > len(texts)

    def said(told: Sequence[Sequence[int]]) -> Said:
        sizes = np.array([len(each) for each in told], dtype=np.int64)
        keys = np.array([key for each in told for key in each], dtype=np.int64)
        ends = np.cumsum(sizes)
        # Where each row's begin, and then one after the other.
        counts = sizes[which]
        firsts = np.repeat((ends - sizes)[which] - (np.cumsum(counts) - counts), counts)
        return Said(column.name, np.repeat(there, counts), keys[firsts + np.arange(len(firsts))], is_text=True, long=long)

    plain = [list(dict.fromkeys(_of_text(each, words))) for each in texts]
    coded = [list(dict.fromkeys((*keys, *_in_code(text, words)))) for keys, text in zip(plain, texts, strict=True)]
    return said(plain), said(coded)


def _of_text(text: str, words: dict[str, int]) -> Iterator[int]:
    plain = normal(text)
    yield from _of_words(plain, words)
    if any(map(str.isdigit, plain)):
        for number in _AMOUNTS.findall(plain):
            for value in _readings(number):
                yield _NUMBER.unpack(_FLOAT.pack(abs(value)))[0]
        days = days_in(text)
        for day in days if len(days) <= _MOST_DAYS else ():
            yield day.toordinal() - _EPOCH - _DAYS


def _of_words(text: str, words: dict[str, int]) -> Iterator[int]:
    for word in _WORDS.findall(text):
        yield _WORDS_FROM - words.setdefault(word, len(words))


def _in_code(text: str, words: dict[str, int]) -> Iterator[int]:
    """Words of what a short text may be the code of."""
    if len(text.split()) <= _SHORT:
        for each in readings(text):
            yield from _of_words(normal(each), words)


_FLOAT: Final = struct.Struct("=d")
_NUMBER: Final = struct.Struct("=q")
"""With which one number is read as `_of_numbers` reads many."""
_EPOCH: Final = 719_163
"""1 January 1970, as Python counts days."""


def _readings(number: str) -> Iterator[float]:
    """The amounts that 753.40, 753,40 and 1.234,50 may be."""
    if not _TELLING <= sum(map(str.isdigit, number)) <= _LONGEST:
        return
    point = max(number.rfind("."), number.rfind(","))
    bare = number.replace(".", "").replace(",", "")
    readings = {bare} if point < 0 or len(number) - point - 1 == _TELLING else set[str]()
    if point >= 0:
        readings.add(f"{number[:point].replace('.', '').replace(',', '')}.{number[point + 1 :]}")
    yield from {float(each) for each in readings}
