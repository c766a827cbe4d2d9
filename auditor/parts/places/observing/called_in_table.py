"""Rows of people who stay that call a deleted person by a name of the log: a contact in two columns, a note with both words.

What the table has explains places, so a name that is in somebody else's row there would be explained wherever it lies.
Words of names may be anybody's: two that are apart in one cell count where they hardly come together by chance, and those of two
cells next to one another where the two hold nothing but the name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from itertools import pairwise
from math import prod
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset, Floats
from auditor.parts.places.observing.normal_forms import words_of, words_of_name

_Rows: TypeAlias = Mapping[str, frozenset[int]]
"""Of each word, in which rows a column has it."""
_NAME: Final = re.compile(r"[^\W\d_]+(?:['’\-\s]+[^\W\d_]+)+")
_LEVEL: Final = 0.05
"""How often words of a name may come together in one cell by chance."""


def of_table(records: Dataset, gone: frozenset[str], terms: Mapping[str, Collection[str]]) -> frozenset[str]:
    """Give the records of deleted people whom rows of others call by name.

    Args:
        records: Everybody who is in the table.
        gone: Ids of deleted people.
        terms: Names and numbers of the log, each with its records.
    """
    names = defaultdict[frozenset[str], set[str]](set)
    for term, those in terms.items():
        for words in words_of_name(term) if _NAME.fullmatch(term.strip()) else ():
            if len(set(words)) > 1:
                names[frozenset(words)].update(those)
    stays = np.array([each not in gone for each in records.ids.tolist()], dtype=bool)
    kept = int(np.count_nonzero(stays))
    if not names or not kept or not records.table:
        return frozenset()
    wanted = frozenset[str]().union(*names)
    columns = [
        _Cells(each, records.features[:, at], stays, wanted) for at, each in enumerate(records.table) if each.kind is Kind.TEXT
    ]
    found = (those for words, those in names.items() if _in_cells(words, columns, kept) or _side_by_side(words, columns))
    return frozenset[str]().union(*found)


class _Cells:
    """A column of texts: which of some words are in which rows of people who stay, and how many words each row has."""

    def __init__(self, column: Column, codes: Floats, stays: npt.NDArray[np.bool_], wanted: frozenset[str]) -> None:
        there = np.flatnonzero(stays & (codes >= 0) & (codes < len(column.words)))
        by_code = defaultdict[int, list[int]](list)
        for row, code in zip(there.tolist(), codes[there].astype(np.int64).tolist(), strict=True):
            by_code[code].append(row)
        rows, self.sizes = defaultdict[str, set[int]](set), dict[int, int]()
        for code, those in by_code.items():
            words = set(words_of(column.words[code]))
            for word in words & wanted:
                rows[word].update(those)
            if not words.isdisjoint(wanted):
                self.sizes.update(dict.fromkeys(those, len(words)))
        self.rows: _Rows = {word: frozenset(those) for word, those in rows.items()}

    def having(self, words: Collection[str]) -> frozenset[int]:
        """Rows that have every one of some words."""
        return frozenset.intersection(*(self.rows.get(word, frozenset()) for word in words))


def _in_cells(words: frozenset[str], columns: Collection[_Cells], kept: int) -> bool:
    """Whether a cell has all words of a name, which would hardly be there together by chance, and none is the row's own."""
    for column in columns:
        elsewhere = frozenset[int]().union(*(each.rows.get(word, ()) for each in columns if each is not column for word in words))
        expected = prod(len(column.rows.get(word, ())) for word in words) / kept ** (len(words) - 1)
        if expected <= _LEVEL and column.having(words) - elsewhere:
            return True
    return False


def _side_by_side(words: frozenset[str], columns: Collection[_Cells]) -> bool:
    """Whether two cells next to one another hold the name and nothing else, wherever its words are divided."""
    for one, other in pairwise(columns):
        first = defaultdict[int, set[str]](set)
        last = defaultdict[int, set[str]](set)
        for of, column in ((first, one), (last, other)):
            for word in words:
                for row in column.rows.get(word, ()):
                    of[row].add(word)
        for row in first.keys() & last.keys():
            whole = len(first[row]) == one.sizes[row] and len(last[row]) == other.sizes[row]
            if whole and first[row] | last[row] == words and not first[row] & last[row]:
                return True
    return False
