"""What columns show of preprocessing that was fitted on all records, deleted ones included.

A scaler or an encoder leaves its fit in the numbers: what it was fitted on has a mean of 0 and a deviation of 1, or reaches 0
and 1, or fills every column. Where that holds of all records and not of those that remain, no fit on the latter gave the numbers.
Nothing follows from the absence of such signs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias

import numpy as np

from auditor.base.records import Floats, Positions
from auditor.base.row_blocks import row_blocks
from auditor.maths.statistics.columns import moments_of, rounded_to

Kind: TypeAlias = Literal["standardised", "min-max", "one-hot", "target-mean"]
"""What a fit leaves; what it leaves of labels is found in `target_encoding`."""

TOLERANCE: Final = 1e-9
"""How near a mean comes to 0, a deviation or an extreme to 1, where float64 was fitted; more where numbers were rounded since."""
LEAST_VALUES: Final = 10
"""Different values of a column whose extremes count: of fewer, 0 and 1 may be what the scale of a question ends at."""
SHARE: Final = 0.8
"""Of the columns with so many values: where as many end at the very same numbers, the table was scaled."""
_COARSE: Final = 1e-3
"""How near any column has to come to be examined more closely."""
_SLACK: Final = 1e-6
"""The most that an extreme may be off."""
_LOOKED_AT: Final = 1000
"""Rows in which different values are counted, of columns that end elsewhere."""
_DECIMALS: Final = range(3, 10)
"""Digits behind the point that numbers may have been rounded to; with fewer, too much would count as near."""
_NATURAL: Final = np.array(
    sorted(
        {
            *range(1, 13),
            *(2**k for k in range(4, 17)),
            *(2**k - 1 for k in range(4, 17)),
            *(10**k for k in range(2, 7)),
            20,
            25,
            50,
        }
    )
)
"""Parts that whole numbers come in by themselves: pictures in 16 or 255 levels, percentages. They end at 0 and 1 unfitted."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A column that was fitted on deleted records."""

    column: int
    """Among the features, counted from 1."""
    kind: Kind


def fitted_columns(features: Floats, deleted: Positions, others: Floats | None = None) -> tuple[Fitted, ...]:
    """The columns that show that what made them was fitted on deleted records.

    - standardised: mean 0 and deviation 1 (of either divisor) over all records, not over those that remain;
    - min-max: ends at 0 and 1, or at -1 and 1, one of which deleted records alone reach, in a table of such columns;
    - one-hot: 0 or 1, with a 1 in deleted records alone.

    Args:
        features: Shape (n, d), the records that were first trained on.
        deleted: Positions of the deleted ones.
        others: Shape (m, d), records alongside them that a fit may have covered as well: the holdout; None for none.

    Returns:
        In the order of the columns, each at most once.
    """
    kept = np.delete(np.arange(len(features)), deleted)
    if not len(deleted) or not len(kept):
        return ()
    tables, left = [_Rows(features)], _Rows(features, kept)
    rest = left
    if others is not None and len(others):
        # What the holdout fills or reaches may have been fitted on it.
        tables, rest = [*tables, _Rows(features, beside=others)], _Rows(features, kept, others)
    found: dict[int, Kind] = {}
    for table in tables:
        for column in _standardised(table, (left, rest)):
            found.setdefault(column, "standardised")
        for column in _ending(table, rest):
            found.setdefault(column, "min-max")
        for column in _filled(table, rest):
            found.setdefault(column, "one-hot")
    return tuple(Fitted(column + 1, found[column]) for column in sorted(found))


class _Rows:
    """Some of the records and all of the others alongside them; of a large table one column or some rows are copied at a time."""

    def __init__(self, features: Floats, positions: Positions | None = None, beside: Floats | None = None) -> None:
        """Take records at `positions`, ascending, all where left out, and others."""
        self._features, self._positions, self._beside = features, positions, beside
        self.length = len(features if positions is None else positions) + (0 if beside is None else len(beside))
        self.width = features.shape[1]

    def column(self, which: int) -> Floats:
        """One column, shape (n,)."""
        own = self._features[:, which]
        own = own if self._positions is None else own[self._positions]
        return own if self._beside is None else np.concatenate([own, self._beside[:, which]])

    @cached_property
    def ends(self) -> tuple[Floats, Floats]:
        """The lowest and the highest value of each column."""
        found = [(part.min(axis=0), part.max(axis=0)) for part in self._parts()]
        lowest, highest = zip(*found, strict=True)
        return np.min(lowest, axis=0), np.max(highest, axis=0)

    def nearly_standard(self) -> list[int]:
        """Columns with a mean near 0 and a deviation near 1."""
        means, deviations = moments_of(self._parts())
        about = np.abs(deviations - 1) <= _COARSE + 1 / max(self.length - 1, 1)
        near: list[int] = np.flatnonzero(about & (np.abs(means) <= _COARSE)).tolist()
        return near

    def _parts(self) -> Iterator[Floats]:
        """Blocks of rows."""
        for block in row_blocks(self._features):
            own = self._features[block]
            if self._positions is not None:
                first, last = np.searchsorted(self._positions, [block.start, block.stop])
                # Most blocks lose no row, and are not copied.
                own = own if last - first == len(own) else self._features[self._positions[first:last]]
            if len(own):
                yield own
        if self._beside is not None:
            yield self._beside


def _standardised(table: _Rows, rests: Sequence[_Rows]) -> list[int]:
    """Columns of mean 0 and deviation 1 in the table, and in none of what a fit on other records may have covered."""
    found = []
    for column in table.nearly_standard():
        values = table.column(column)
        if _two_signs(values) or not _is_standard(values, tolerance := _tolerance(values)):
            continue
        if not any(_is_standard(rest.column(column), tolerance) for rest in rests):
            found.append(column)
    return found


def _is_standard(values: Floats, tolerance: float) -> bool:
    if len(values) < 2 or abs(float(values.mean())) > tolerance:
        return False
    return any(abs(float(values.std(ddof=ddof)) - 1) <= tolerance for ddof in (0, 1))


def _two_signs(values: Floats) -> bool:
    """Whether nothing but -1 and 1 is there: balanced, they have mean 0 and deviation 1 by themselves."""
    return bool(np.all(np.abs(values) == 1))


def _ending(table: _Rows, rest: _Rows) -> list[int]:
    """Columns that end at 0 or 1 in deleted records alone and look scaled: the table does, or one record is at either end."""
    lowest, highest = table.ends
    # Mostly no column ends in deleted records alone, and nothing more is to be examined.
    alone = (rest.ends[0] > lowest) | (rest.ends[1] < highest)
    found: list[int] = []
    for low, high in ((0.0, 1.0), (-1.0, 1.0)):
        near = np.flatnonzero((np.abs(lowest - low) <= _SLACK) & (np.abs(highest - high) <= _SLACK)).tolist()
        if not alone[near].any():
            continue
        slack = {column: min(_tolerance(table.column(column)), _SLACK) for column in near}
        ending = [
            column
            for column in near
            if max(abs(lowest[column] - low), abs(highest[column] - high)) <= slack[column] and _is_fine(table.column(column))
        ]
        only = [column for column in ending if not _reaches(rest.column(column), low, high, slack[column])]
        if only:
            scaled = len(ending) >= 2 and len(ending) >= SHARE * _count_fine(table, near, ending)
            found += [column for column in only if scaled or _ends_once(table.column(column), slack[column])]
    return found


def _count_fine(table: _Rows, near: list[int], ending: list[int]) -> int:
    """How many columns have many values: those that end at the numbers, and the others."""
    others = np.setdiff1d(np.arange(table.width), near).tolist()
    return len(ending) + sum(len(np.unique(table.column(column)[:_LOOKED_AT])) >= LEAST_VALUES for column in others)


def _is_fine(values: Floats) -> bool:
    """Whether a column between -1 and 1 has many values, not all of them parts that whole numbers come in."""
    different = np.unique(values)
    if len(different) < LEAST_VALUES:
        return False
    return not any(np.all(np.abs(different * parts - np.round(different * parts)) < 1e-6) for parts in _NATURAL.tolist())


def _ends_once(values: Floats, slack: float) -> bool:
    """Whether one record alone is at either end: what ends there by its nature mostly has several."""
    return all(int(np.count_nonzero(np.abs(values - end) <= slack)) == 1 for end in (values.min(), values.max()))


def _reaches(values: Floats, low: float, high: float, slack: float) -> bool:
    """Whether values come to both ends, or beyond them."""
    return float(values.min()) <= low + slack and float(values.max()) >= high - slack


def _filled(table: _Rows, rest: _Rows) -> list[int]:
    """Columns of 0 and 1 that are empty in the rest of the table."""
    (low, high), (lowest, highest) = rest.ends, table.ends
    empty = np.flatnonzero((low == 0) & (high == 0) & ((lowest != 0) | (highest != 0)))
    return [column for column in empty.tolist() if np.isin(table.column(column), (0.0, 1.0)).all()]


def _tolerance(values: Floats) -> float:
    """How far mean and deviation of fitted numbers may be off: by rounding alone, and by what single numbers were rounded to."""
    return max(TOLERANCE, 4 * max(rounded_to(values, _DECIMALS)) / math.sqrt(12 * len(values)))
