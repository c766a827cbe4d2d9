"""Find deleted records whose values are in a table in another order, were it one row among many.

A key that no order changes (the sum of hashes of a row's values in float32) finds the rows that hold the same values as a deleted
record; each is compared again, sorted. What such a row says is set against chance in two ways. *The training data*: how many
records hold the same values as another one, in another order. *The values alone*: rows whose values are drawn from those of all
columns, each by itself, meet a deleted record's with probability d!·∏ sₖ^nₖ/nₖ! (a multinomial one), where value k is the share
sₖ of all and stands nₖ times in the record; ∏ (d·sₖ)^nₖ/nₖ! bounds it whichever columns the values come from.

A row that holds a record in its own order is left to the searches for such rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.base.records import Dataset, Floats, Positions
from auditor.base.row_blocks import row_blocks
from auditor.maths.statistics.occurrences import Occurrences

ENOUGH: Final = 48.0
"""Bits that a record's values say at least, in any order, where one row decides."""
CHANCE: Final = 0.01
"""How many rows may be expected to meet a deleted record by chance where one counts as found."""
EXPECTED: Final = 0.05
"""How many of them make a row that meets one say nothing."""
BESIDE: Final = 4
"""Columns alongside the values, such as a label, that a table of records may have."""
_AT_ONCE: Final = 2**20
_SLOTS: Final = 22
"""Bits of a key that are looked up before the whole key is."""

Keys = npt.NDArray[np.uint64]
Single = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Met:
    """Deleted records whose values a table holds in another order."""

    found: set[str] = field(default_factory=set)
    doubtful: set[str] = field(default_factory=set)
    """Those whose values are neither telling enough to be found, nor so common that a row with them says nothing."""


@dataclass(frozen=True, eq=False)
class Moved:
    """The training data, to be recognised whatever the order of their columns."""

    ids: npt.NDArray[np.str_]
    """Of the deleted records, shape (m,)."""
    deleted: Single
    """Shape (m, d)."""
    everybody: Floats
    """Shape (n + m, d)."""
    rest: Positions
    """Where the kept ones are, shape (n,)."""

    @classmethod
    def of(cls, train: Dataset, deleted: Positions) -> Moved:
        """The records of `train`, those at `deleted` to be looked for; in float32, which a copy in float64 rounds to as well."""
        rest = np.delete(np.arange(len(train)), deleted)
        return cls(train.ids[deleted], _single(train.features[deleted]), train.features, rest)

    def in_table(self, table: npt.NDArray[np.generic], *, doubt: bool = True) -> Met:
        """Look for the deleted records in a table of numbers.

        Args:
            table: Shape (rows, columns).
            doubt: Whether records that say too little to be found are named as doubtful; never in long lines of numbers.
        """
        width = self.deleted.shape[1]
        if not len(self.deleted) or not len(self.rest) or width < 2 or table.ndim != 2 or table.shape[1] < width:
            return Met()
        matches: set[int] = set()
        step = max(1, _AT_ONCE // table.shape[1])
        for start in range(0, len(table), step):
            block = _single(table[start : start + step])
            for windows in self._candidates(block, _hashed(block)):
                matches.update(self._same(windows))
        if not matches:
            return Met()
        tried = (len(table) - self._in_the_clear(_single(table))) * (table.shape[1] - width + 1)
        narrow = doubt and table.shape[1] <= width + BESIDE
        met = Met()
        for each in matches:
            expected = max(1, tried) * len(self.deleted) * self._rates[each]
            if expected <= CHANCE and self._bits[each] >= ENOUGH:
                met.found.add(str(self.ids[each]))
            elif expected < EXPECTED and narrow:
                met.doubtful.add(str(self.ids[each]))
        return met

    def _candidates(self, rows: Single, hashes: Keys) -> Iterator[Single]:
        """Runs of values whose key is a deleted record's, shape (several, d): neighbouring columns, or all of these but one."""
        width, columns = self.deleted.shape[1], rows.shape[1]
        if len(rows) == 1:
            every = np.lib.stride_tricks.sliding_window_view(rows[0], width)
            ends = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(hashes[0], dtype=np.uint64)])
            known = self._known(ends[width:] - ends[:-width])
            for start in range(0, len(known), _AT_ONCE // width or 1):
                yield every[known[start : start + (_AT_ONCE // width or 1)]]
        else:
            for first in range(columns - width + 1):
                known = self._known(hashes[:, first : first + width].sum(axis=1, dtype=np.uint64))
                yield rows[known, first : first + width]
        for first in range(columns - width if columns <= width + BESIDE else 0):
            sums = hashes[:, first : first + width + 1].sum(axis=1, dtype=np.uint64)
            # Without either end they are neighbouring columns.
            for beside in range(1, width):
                known = self._known(sums - hashes[:, first + beside])
                yield np.delete(rows[known, first : first + width + 1], beside, axis=1)

    def _known(self, keys: Keys) -> Positions:
        """Which keys are a deleted record's."""
        likely = np.flatnonzero(self._slots[keys >> np.uint64(64 - _SLOTS)])
        return likely[np.isin(keys[likely], self._keys)]

    def _same(self, windows: Single) -> Iterator[int]:
        """The deleted records with the values of some windows, of those that hold no record in its own order."""
        if len(windows):
            others = windows[~np.isin(_ordered(windows), self._in_order)]
            for row in np.unique(np.sort(others, axis=1), axis=0):
                yield from self._sorted.get(row.tobytes(), ())

    def _in_the_clear(self, values: Single) -> int:
        """How many rows hold a record in its own order, in neighbouring columns."""
        width = self.deleted.shape[1]
        clear = np.zeros(len(values), dtype=np.bool_)
        for first in range(values.shape[1] - width + 1 if values.shape[1] <= width + BESIDE else 0):
            clear |= np.isin(_ordered(values[:, first : first + width]), self._in_order)
        return int(np.count_nonzero(clear))

    @cached_property
    def _looked_for(self) -> Positions:
        """The deleted records that are not met by chance wherever there is a row at all."""
        return np.flatnonzero(self._rates * len(self.deleted) < EXPECTED)

    @cached_property
    def _keys(self) -> Keys:
        return np.unique(_unordered(self.deleted[self._looked_for]))

    @cached_property
    def _slots(self) -> npt.NDArray[np.bool_]:
        slots = np.zeros(2**_SLOTS, dtype=np.bool_)
        slots[self._keys >> np.uint64(64 - _SLOTS)] = True
        return slots

    @cached_property
    def _in_order(self) -> Keys:
        return np.unique(self._keys_in_order)

    @cached_property
    def _keys_in_order(self) -> Keys:
        """Of everybody, the kept ones first."""
        return np.concatenate([*map(_ordered, self._kept()), _ordered(self.deleted)])

    def _kept(self) -> Iterator[Single]:
        """The kept records, some at a time, shape (several, d)."""
        step = max(1, _AT_ONCE // self.deleted.shape[1])
        for start in range(0, len(self.rest), step):
            yield _single(self.everybody[self.rest[start : start + step]])

    @cached_property
    def _sorted(self) -> dict[bytes, list[int]]:
        found: dict[bytes, list[int]] = {}
        for at in self._looked_for.tolist():
            found.setdefault(np.sort(self.deleted[at]).tobytes(), []).append(at)
        return found

    @cached_property
    def _bits(self) -> Floats:
        """What each deleted record's values say at least in any order, shape (m,)."""
        known = Occurrences(self.deleted.astype(np.float64), within=0.0)
        for each in self._kept():
            known.add(each.astype(np.float64))
        share = (known.exactly() + 1.0) / (len(self.rest) + 1.0)
        from scipy.special import gammaln  # noqa: PLC0415 - slow to load, for processes that only read files

        repeated = [gammaln(np.unique(row, return_counts=True)[1] + 1.0).sum() for row in self.deleted]
        return np.asarray((np.array(repeated) - np.log(share).sum(axis=1)) / np.log(2))

    @cached_property
    def _rates(self) -> Floats:
        """How often a row of somebody else's is expected to hold each deleted record's values in another order, shape (m,)."""
        # Different records, each once: equal ones are in the same order.
        different = np.unique(self._keys_in_order, return_index=True)[1]
        rows = np.concatenate([*map(_unordered, self._kept()), _unordered(self.deleted)])[different]
        keys, where, counts = np.unique(rows, return_inverse=True, return_counts=True)
        others = counts - 1.0
        mine = others[np.searchsorted(keys, _unordered(self.deleted))]
        usual = min(1.0, float(others[where].mean()))
        width = self.deleted.shape[1]
        drawn = 2.0 ** -(self._bits + (width * np.log(width) - math.lgamma(width + 1.0)) / np.log(2))
        return np.asarray(np.maximum((mine + usual) / len(rows), np.minimum(1.0, drawn)))


def _single(rows: npt.NDArray[np.generic]) -> Single:
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(rows, dtype=np.float32) + np.float32(0.0)


def _hashed(rows: Single) -> Keys:
    """A hash of each value (the finalizer of SplitMix64: Steele, Lea and Flood, 2014), of the same shape."""
    found = np.ascontiguousarray(rows).view(np.uint32).astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        found ^= found >> np.uint64(shift)
        found *= np.uint64(factor)
    found ^= found >> np.uint64(31)
    return found


def _ordered(rows: Single) -> Keys:
    """A key of each row that depends on the order of its values, shape (rows,)."""
    weights = np.random.default_rng(2).integers(1, 2**63, size=rows.shape[1], dtype=np.uint64) | np.uint64(1)
    return _keys(rows, weights)


def _unordered(rows: Single) -> Keys:
    """A key of each row that does not, shape (rows,)."""
    return _keys(rows, np.uint64(1))


def _keys(rows: Single, weights: Keys | np.uint64) -> Keys:
    keys = np.empty(len(rows), dtype=np.uint64)
    for some in row_blocks(rows):
        keys[some] = (_hashed(rows[some]) * weights).sum(axis=1, dtype=np.uint64)
    return keys
