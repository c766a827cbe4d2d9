"""Rows of people who stay with several values of one deleted person in the same columns: a copy under another id.

Of each value that hardly anybody has, the pairs of people who share it are taken. How often two who stay share one of a column
says how many bits it is worth, and how often they share those of two columns, whether one follows from the other, as in a
household. A row that says more than chance can, over all pairs and all choices of columns, is a copy; and where more deleted
people than others share two values with one who stays (Fisher's exact test), such rows are. What they share explains nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import comb, log2
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.maths.statistics.exact import larger_share_p
from auditor.parts.places.observing.borrowed import LEVEL, Borrowed
from auditor.parts.places.observing.normal_forms import normal
from auditor.parts.places.observing.said_by_cells import Ints, divided

_FEW: Final = 4
"""People who have a value that hardly anybody has, at most."""
_LEAST: Final = 3
"""Columns in which a row is a deleted person's, none of them because another is."""
_TWO: Final = 2
"""Columns of which it is asked how many deleted people, and how many others, share values with somebody who stays."""
_SHARED: Final = 2
"""Pairs who stay and share the values of two columns, from which on one may follow from the other."""


def of_table(records: Dataset, gone: frozenset[str]) -> Borrowed:
    """Find such rows.

    Args:
        records: Everybody who is in the table.
        gone: Ids of deleted people, in it or not.
    """
    left, columns = divided(records, records.ids.tolist(), gone), records.table or ()
    if left is None:
        return Borrowed()
    table = _Table([_pairs(each, records.features[:, at]) for at, each in enumerate(columns)], left)
    found = [*table.copies(), *table.more_often()]
    names = frozenset(columns[at].name for _, shared in found for at in shared)
    return Borrowed(names, frozenset(str(records.ids[person]) for person, _ in found))


def _pairs(column: Column, codes: npt.NDArray[np.float64]) -> Ints:
    """Pairs of rows that share a value that hardly anybody has, as `first * rows + second`, in ascending order."""
    values = codes
    if column.kind is Kind.TEXT:
        known: dict[str, int] = {}
        said = np.array([known.setdefault(normal(each), len(known)) for each in column.words] or [0], dtype=np.float64)
        there = (codes >= 0) & (codes < len(column.words))
        values = np.where(there, said[np.where(there, codes, 0).astype(np.int64)], np.nan)
    rows = np.flatnonzero((codes != column.missing) & np.isfinite(values))
    order = rows[np.argsort(values[rows], kind="stable")]
    _, starts, counts = np.unique(values[order], return_index=True, return_counts=True)
    found = [np.zeros(0, dtype=np.int64)]
    for size in range(2, _FEW + 1):
        held = np.sort(order[starts[counts == size][:, None] + np.arange(size)[None, :]], axis=1)
        found += [held[:, one] * len(codes) + held[:, other] for one, other in combinations(range(size), 2)]
    return np.sort(np.concatenate(found))


class _Table:
    """Pairs of people who share values, by column."""

    def __init__(self, pairs: Sequence[Ints], gone: npt.NDArray[np.bool_]) -> None:
        self._rows, self._gone = len(gone), gone
        ends = [(gone[each // len(gone)].astype(int) + gone[each % len(gone)]) for each in pairs]
        self._stay = [each[count == 0] for each, count in zip(pairs, ends, strict=True)]
        self._one = [each[count == 1] for each, count in zip(pairs, ends, strict=True)]
        self._both = cache(lambda one, other: len(np.intersect1d(self._stay[one], self._stay[other], assume_unique=True)))

    def copies(self) -> list[tuple[int, list[int]]]:
        """Deleted people whose values a row of somebody who stays has, each with these columns."""
        kept, lost = int((~self._gone).sum()), int(self._gone.sum())
        every, times = np.unique(np.concatenate(self._one), return_counts=True)
        found = []
        for pair in every[times >= _LEAST].tolist():
            shared = [at for at, each in enumerate(self._one) if self._has(each, pair)]
            chosen = self._chosen(shared)
            needed = log2(kept * lost / LEVEL) + log2(comb(len(self._one), len(chosen)))
            if len(chosen) >= _LEAST and sum(bits for _, bits in chosen) >= needed:
                first, second = divmod(pair, self._rows)
                found.append((first if self._gone[first] else second, shared))
        return found

    def more_often(self) -> list[tuple[int, list[int]]]:
        """Deleted people who share two values with one who stays, where they are more than others are."""
        kept, lost = int((~self._gone).sum()), int(self._gone.sum())
        theirs, others = (self._of_two(each) for each in (self._one, self._stay))
        gone = {at for pair in theirs for at in divmod(pair, self._rows) if self._gone[at]}
        stay = {at for pair in others for at in divmod(pair, self._rows)}
        if larger_share_p(len(gone), lost, len(stay), kept) > LEVEL:
            return []
        return [
            (person, [at for at, each in enumerate(self._one) if self._has(each, pair)])
            for pair in theirs
            for person in divmod(pair, self._rows)
            if self._gone[person]
        ]

    @staticmethod
    def _of_two(pairs: Sequence[Ints]) -> list[int]:
        every, times = np.unique(np.concatenate(pairs), return_counts=True)
        found: list[int] = every[times >= _TWO].tolist()
        return found

    def _chosen(self, shared: Sequence[int]) -> list[tuple[int, float]]:
        """Columns, each with the bits that it says beyond those before."""
        chosen = list[tuple[int, float]]()
        for bits, at in sorted(((self._bits(at), at) for at in shared), key=lambda each: (-each[0], each[1])):
            rest = min([bits, *(self._beyond(one, at) for one, _ in chosen)])
            if rest > 0:
                chosen.append((at, rest))
        return chosen

    def _bits(self, at: int) -> float:
        kept = int((~self._gone).sum())
        return max(0.0, log2(max(1, comb(kept, 2)) / (len(self._stay[at]) + 1)))

    def _beyond(self, one: int, other: int) -> float:
        """How many bits a shared value of one column says where that of another is shared."""
        both = self._both(min(one, other), max(one, other))
        return log2(len(self._stay[one]) / both) if both >= _SHARED else float("inf")

    @staticmethod
    def _has(pairs: Ints, pair: int) -> bool:
        at = int(np.searchsorted(pairs, pair))
        return at < len(pairs) and int(pairs[at]) == pair
