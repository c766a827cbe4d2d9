"""Find deleted records in tables that hold them in other units, or with their columns in another order or left out.

Two ways of writing a row otherwise are undone.

*One map for a whole row*: every value v became a·v + b. Two weighted sums of a row whose weights add up to zero have a ratio that
no such map changes; where a run of numbers has two such ratios of a deleted row, they are fitted to one another. The same with
both sorted sees rows whose values are in another order. A single row decides here, so it has to say enough: `ENOUGH` bits
beyond its two most telling values, which a and b take up, and where it is sorted beyond the logarithm of the number of orders.

*One map for each column*: column j became a_j·v + b_j, columns may be exchanged and up to half of them left out. A map sends the
least and greatest value of a column to those of a known set of records (kept ones, with some deleted ones below or above; all;
deleted), or undoes a scaler that was fitted on such a set. It counts only if it turns half of the table's rows into records of
the training data; then the deleted ones among them are found. Columns of few values can be taken for one another: a deleted
record that differs from a kept one in none of more values is in doubt.

Either way a row is counted only where no kept record explains the same numbers as well.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import lgamma, log
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Dataset, Floats, Positions
from auditor.parts.release.observing.predictive_bits import MOST_COLUMNS, bits

ENOUGH: Final = 48.0
"""Bits that a single row says at least, where it alone decides: 2⁴⁸ is a million records in as many windows, 256 times over."""
PRECISION: Final = 1e-4
"""Of the range of a row, or of a column's deviation: how far a copy in another unit may be off."""
SHARE: Final = 0.5
"""Of a table's rows, how many have to be records of the training data once columns are mapped back."""
FEWEST_ROWS: Final = 5
_CHUNK: Final = 2**22
_CHECKED: Final = 64
"""Windows that are fitted to a deleted row before it is given up."""
_SORTED_SHIFTS: Final = 4
_EXTREMES: Final = 4
_SAMPLE: Final = 256
_ROWS_TRIED: Final = 32
_QUANTILES_OF: Final = 2_048
_GIVEN_UP: Final = 16
"""Columns after which a quarter of them has to have been recognised."""
_FEW_VALUES: Final = 64
"""Columns of so many different values may be taken for one another, or turned round."""
_HIT: Final = 0.9


@dataclass(frozen=True, slots=True)
class Seen:
    """What is seen of records in other units."""

    found: set[str] = field(default_factory=set)
    """Deleted records."""
    doubtful: set[str] = field(default_factory=set)
    """Deleted records that say too little to be distinguished from others in such a table."""
    recognised: bool = False
    """Whether kept records are recognised."""


@dataclass(frozen=True, eq=False)
class OtherUnits:
    """The training data, to be recognised in another unit."""

    ids: npt.NDArray[np.str_]
    """Of the deleted records, shape (m,)."""
    deleted: Floats
    """Shape (m, d)."""
    everybody: Floats
    """Shape (n + m, d): these and the kept ones."""
    rest: Positions
    """Where the kept ones are, shape (n,)."""

    @classmethod
    def of(cls, train: Dataset, deleted: Positions) -> OtherUnits:
        """The records of `train`, those at `deleted` to be looked for."""
        rest = np.delete(np.arange(len(train)), deleted)
        return cls(train.ids[deleted], train.features[deleted], train.features, rest)

    def in_table(self, table: Floats) -> Seen:
        """What is seen of the records in a table of numbers, shape (rows, columns)."""
        values = np.asarray(table, dtype=np.float64)
        if not len(self.deleted) or len(self.rest) < 3 or self.deleted.shape[1] < 2 or not values.size:
            return Seen()
        values = values[np.isfinite(values).all(axis=1)] if values.ndim == 2 and len(values) > 1 else values
        found: set[str] = set()
        with np.errstate(all="ignore"):
            for sort in (False, True):
                found |= self._by_row(values, sort=sort)
            seen = self._by_column(values)
        return Seen(found | seen.found, seen.doubtful - found, recognised=seen.recognised)

    @cached_property
    def kept(self) -> Floats:
        """The kept records, shape (n, d), copied once a table comes near."""
        return self.everybody[self.rest]

    # One map for a whole row.

    @cached_property
    def _weights(self) -> Floats:
        """Four sets of weights, shape (d, 4), each of which adds up to zero."""
        weights = np.random.default_rng(0).normal(size=(self.deleted.shape[1], 4))
        return np.asarray(weights - weights.mean(axis=0))

    @cached_property
    def _said(self) -> Floats:
        """The bits that each deleted row says in any unit, shape (m,)."""
        reach = PRECISION * np.ptp(self.deleted, axis=1)[:, None]
        step = 1 + self.deleted.shape[1] // MOST_COLUMNS
        some = self.deleted[:, ::step]
        each = np.sort(bits(some, np.broadcast_to(reach, some.shape), self.everybody[:, ::step], self.rest), axis=1)
        said: Floats = each[:, :-2].sum(axis=1)
        return said

    def _by_row(self, table: Floats, *, sort: bool) -> set[str]:
        width = self.deleted.shape[1]
        orders = lgamma(width + 1) / log(2) if sort else 0.0
        usable = np.flatnonzero((self._said - orders >= ENOUGH) & (np.ptp(self.deleted, axis=1) > 0))
        if not usable.size or table.shape[1] < width:
            return set()
        rows = self.deleted[usable]
        # Sorted, a negative a turns the order round: then the row is looked for as its own negative.
        shapes = np.concatenate([np.sort(rows, axis=1), np.sort(-rows, axis=1)]) if sort else rows
        owners = np.tile(usable, 2) if sort else usable
        sums = shapes @ self._weights
        ratios = sums[:, ::2] / sums[:, 1::2]
        reach = PRECISION * np.ptp(shapes, axis=1) * np.abs(self._weights).sum(axis=0).max()
        slack = reach[:, None] * (1 + np.abs(ratios)) / np.abs(sums[:, 1::2])
        found: set[str] = set()
        for piece in _pieces(table, width, self._weights, sort=sort):
            seen = piece.sums[:, ::2] / piece.sums[:, 1::2]
            order = np.argsort(seen[:, 0])
            along = seen[order, 0]
            low = np.searchsorted(along, ratios[:, 0] - slack[:, 0], "left")
            high = np.searchsorted(along, ratios[:, 0] + slack[:, 0], "right")
            for at in np.flatnonzero(high > low).tolist():
                owner = str(self.ids[owners[at]])
                if owner not in found:
                    near = order[low[at] : high[at]]
                    windows = piece.windows(near[np.abs(seen[near, 1] - ratios[at, 1]) <= slack[at, 1]])
                    good = windows[_fits(windows, shapes[at], rising=sort)]
                    if any(not self._explained(window, sort=sort) for window in good[:_CHECKED]):
                        found.add(owner)
        return found

    def _explained(self, window: Floats, *, sort: bool) -> bool:
        """Whether a kept record fits a window about as well as a deleted one does."""
        kept = np.concatenate([np.sort(self.kept, axis=1), np.sort(-self.kept, axis=1)]) if sort else self.kept
        return bool(_fits(window, kept, rising=sort, within=4 * PRECISION).any())

    # One map for each column.

    def _by_column(self, table: Floats) -> Seen:
        width = self.deleted.shape[1]
        if table.ndim != 2 or len(table) < FEWEST_ROWS or not 2 <= table.shape[1] <= 4 * width + 16:
            return Seen()
        # What is before the values, such as the number of the row, moves all of them.
        shifts = range(min(3, max(0, table.shape[1] - width)) + 1)
        measured = _Measured.of(table)
        for source, shift in itertools.product(self._sources, (*shifts, None)):
            mapped, columns = self._mapped(measured, source, shift)
            agreeing = self._agreeing(mapped, columns)
            mapped, columns = mapped[:, agreeing], columns[agreeing]
            if columns.size >= max(2, (min(width, MOST_COLUMNS) + 1) // 2):
                seen = self._rows_of(mapped, columns)
                if seen.found or seen.recognised or seen.doubtful:
                    return seen
        return Seen()

    @cached_property
    def _sources(self) -> list[_Source]:
        sources = [self.kept, np.concatenate([self.kept, self.deleted])]
        if len(self.deleted) >= FEWEST_ROWS:
            sources.append(self.deleted)
        return [_Source(rows, self.deleted) for rows in sources]

    @cached_property
    def _everyone(self) -> Floats:
        """Every value of each column, sorted, shape (n + m, d)."""
        return np.sort(np.concatenate([self.kept, self.deleted]), axis=0)

    def _mapped(self, table: _Measured, source: _Source, shift: int | None) -> tuple[Floats, Positions]:
        """The columns of a table that a map turns into columns of a source, in the source's units; and which these are."""
        offered = table.offered
        # Of columns that are equally alike, the one in its own place.
        likeness = _likeness(table.shapes, source.shapes) + 1e-6 * np.abs(offered[:, None] - source.columns[None])
        taken: set[int] = set()
        chosen: list[int] = []
        mapped: list[Floats] = []
        for at, column in enumerate(source.columns.tolist()):
            if at >= _GIVEN_UP and len(chosen) < at // 4:
                break
            best: tuple[float, int, float, float] | None = None
            likest = np.argsort(likeness[:, at], kind="stable")[:_EXTREMES]
            for candidate in (likest if shift is None else np.flatnonzero(offered == column + shift)).tolist():
                if likeness[candidate, at] > 1.0 or candidate in taken:
                    continue
                own = int(offered[candidate])
                factors, offsets = source.maps(column, float(table.lows[own]), float(table.highs[own]))
                back = table.some[:, own] * factors[:, None] + offsets[:, None]
                # Of maps that hit as often, the one that keeps the mean, and the direction; of columns, the likest.
                off = np.minimum(1.0, np.abs(back.mean(axis=1) - source.means[column]) / source.deviations[column])
                off += 0.1 * (factors < 0)
                hits = _hits(back, self._everyone[:, column], PRECISION * source.deviations[column])
                scores = hits - 0.05 * off - 1e-3 * likeness[candidate, at]
                highest = int(scores.argmax())
                if best is None or scores[highest] > best[0]:
                    best = (float(scores[highest]), candidate, float(factors[highest]), float(offsets[highest]))
            if best is not None and best[0] >= _HIT - 0.06:
                taken.add(best[1])
                chosen.append(column)
                mapped.append(table.rows[:, offered[best[1]]] * best[2] + best[3])
        return (np.column_stack(mapped) if mapped else np.empty((len(table.rows), 0))), np.array(chosen, dtype=np.int64)

    def _agreeing(self, mapped: Floats, columns: Positions) -> npt.NDArray[np.bool_]:
        """Which columns fit together: those that agree in most of some rows with the record that each row is likest to."""
        if not columns.size:
            return np.zeros(0, dtype=np.bool_)
        everyone = np.concatenate([self.kept, self.deleted])[:, columns]
        within = PRECISION * np.maximum(everyone.std(axis=0), np.finfo(float).tiny)
        picked = np.unique(np.linspace(0, len(mapped) - 1, min(_ROWS_TRIED, len(mapped))).astype(np.int64))
        agreed = []
        for row in mapped[picked]:
            same = np.abs(everyone - row) <= within
            likest = same[int(same.sum(axis=1).argmax())]
            if likest.mean() >= SHARE:
                agreed.append(likest)
        return np.asarray(np.mean(agreed, axis=0) >= _HIT) if agreed else np.zeros(columns.size, dtype=np.bool_)

    def _rows_of(self, mapped: Floats, columns: Positions) -> Seen:
        """The deleted records among the rows of a table in the training data's units, if half of its rows are any."""
        scale = self.kept[:, columns].std(axis=0)
        scale = np.where(scale > 0, scale, np.maximum(np.abs(self.kept[:, columns]).max(axis=0), 1.0))
        kept, deleted, rows = (each / scale for each in (self.kept[:, columns], self.deleted[:, columns], mapped))
        of_kept, of_deleted = _same(rows, kept, 4 * PRECISION), _same(rows, deleted, PRECISION)
        if np.count_nonzero((of_kept >= 0) | (of_deleted >= 0)) < SHARE * len(rows):
            return Seen()
        hits = of_deleted[(of_deleted >= 0) & (of_kept < 0)]
        said = bits(
            self.deleted[:, columns], np.broadcast_to(PRECISION * scale, self.deleted[:, columns].shape), self.kept[:, columns]
        )
        enough = said.sum(axis=1) >= log(max(2, len(rows) * len(deleted))) / log(2)
        weights = np.array([len(np.unique(column)) > _FEW_VALUES for column in kept.T])
        found: set[str] = set()
        doubtful: set[str] = set()
        for at in np.unique(hits).tolist():
            # Left-out columns may be all that told a deleted record from a kept one.
            different = int(((np.abs(kept - deleted[at]) > 4 * PRECISION) @ weights).min())
            (found if enough[at] and different else doubtful).add(str(self.ids[at]))
        return Seen(found, doubtful, recognised=bool((of_kept >= 0).any()))


class _Measured(NamedTuple):
    """A table that is searched by columns, with what is asked of it again and again."""

    rows: Floats
    """Shape (n, d)."""
    lows: Floats
    highs: Floats
    offered: Positions
    """The columns that vary, of which there are k."""
    some: Floats
    """A few of the rows, evenly."""
    shapes: Floats
    """Of the columns that vary, shape (levels, k)."""

    @classmethod
    def of(cls, table: Floats) -> _Measured:
        """Measure a table, shape (n, d)."""
        lows, highs = table.min(axis=0), table.max(axis=0)
        offered = np.flatnonzero(highs > lows)
        some = table[np.unique(np.linspace(0, len(table) - 1, min(_SAMPLE, len(table))).astype(np.int64))]
        return cls(table, lows, highs, offered, some, _shape(_thinned(table)[:, offered]))


class _Source:
    """A set of records whose columns a table may hold in other units."""

    def __init__(self, rows: Floats, deleted: Floats) -> None:
        """Measure every column of `rows`, shape (n, d), and note the deleted values below and above them."""
        self.lows, self.highs = rows.min(axis=0), rows.max(axis=0)
        self.means, self.deviations = rows.mean(axis=0), rows.std(axis=0)
        varied = np.flatnonzero((self.highs > self.lows) & (self.deviations > 0))
        self.columns = varied[:: -(-len(varied) // MOST_COLUMNS) or 1]
        self.shapes = _shape(_thinned(rows)[:, self.columns])
        self._deleted = deleted
        self._known: dict[int, tuple[list[float], list[float]]] = {}

    def _ends(self, column: int) -> tuple[list[float], list[float]]:
        if column not in self._known:
            gone, low, high = self._deleted[:, column], float(self.lows[column]), float(self.highs[column])
            below, above = np.unique(gone[gone < low])[:_EXTREMES], np.unique(gone[gone > high])[::-1][:_EXTREMES]
            self._known[column] = ([low, *below.tolist()], [high, *above.tolist()])
        return self._known[column]

    def maps(self, column: int, least: float, most: float) -> tuple[Floats, Floats]:
        """Maps that could turn a column from `least` to `most` back into one of the training data: factors and offsets."""
        lows, highs = self._ends(column)
        found: list[tuple[float, float]] = []
        for bottom, top in itertools.product(lows, highs):
            factor = (top - bottom) / (most - least)
            found += [(factor, bottom - factor * least), (-factor, top + factor * least)]
        # As scalers do, fitted on these records: the table may then hold any of them.
        found.append((float(self.deviations[column]), float(self.means[column])))
        found += [(highs[0] - lows[0], lows[0]), ((highs[0] - lows[0]) / 2, (highs[0] + lows[0]) / 2)]
        factors, offsets = np.array(found).T
        return factors, offsets


def _thinned(rows: Floats) -> Floats:
    """Some of many rows, evenly."""
    return rows[np.unique(np.linspace(0, len(rows) - 1, min(_QUANTILES_OF, len(rows))).astype(np.int64))]


class _Piece(NamedTuple):
    """Some runs of neighbouring columns of a table: their weighted sums, shape (windows, 4), and their numbers."""

    sums: Floats
    source: Floats
    """Shape (windows, d)."""

    def windows(self, at: Positions) -> Floats:
        """Some of the runs, shape (several, d)."""
        return np.asarray(self.source[at])


def _pieces(table: Floats, width: int, weights: Floats, *, sort: bool) -> Iterator[_Piece]:
    """Every run of so many neighbouring columns, a piece of the table at a time."""
    if len(table) == 1 and not sort:
        every = np.lib.stride_tricks.sliding_window_view(table[0], width)
        for start in range(0, len(every), _CHUNK):
            part = table[0][start : start + _CHUNK + width - 1]
            sums = np.column_stack([np.convolve(part, weights[::-1, at], "valid") for at in range(weights.shape[1])])
            yield _Piece(sums, every[start : start + _CHUNK])
        return
    step = max(1, _CHUNK // width)
    shifts = table.shape[1] - width + 1
    for shift in range(shifts if not sort or shifts <= _SORTED_SHIFTS or table.size <= _CHUNK // width else 0):
        for start in range(0, len(table), step):
            block = table[start : start + step, shift : shift + width]
            block = np.sort(block, axis=1) if sort else block
            yield _Piece(block @ weights, block)


def _fits(left: Floats, right: Floats, *, rising: bool, within: float = PRECISION) -> npt.NDArray[np.bool_]:
    """Whether some map a·v + b (a > 0 if `rising`) turns a row into a window, one of them given several times, shape (several,).

    Args:
        left: Windows, shape (k, d), or one, shape (d,).
        right: One row, shape (d,), or rows, shape (k, d).
        rising: Whether a may only be positive.
        within: What may be left over, of the range of the row.
    """
    windows, rows = (each - each.mean(axis=-1, keepdims=True) for each in (left, right))
    # v = (w - b)/a: fitted the other way round, what is left over is in the units of the row.
    slopes = (windows * rows).sum(axis=-1) / (windows * windows).sum(axis=-1)
    over = np.abs(rows - slopes[..., None] * windows).max(axis=-1)
    good = (over <= within * np.ptp(right, axis=-1)) & ((slopes > 0) if rising else (slopes != 0))
    # What hardly varies against its own size is rounding.
    return np.asarray(good & (np.ptp(left, axis=-1) > 1e-9 * np.abs(left).max(axis=-1)))


def _shape(values: Floats) -> Floats:
    """The quantiles of each column of (n, k), in no unit, shape (levels, k)."""
    ordered = np.quantile(values, np.linspace(0.05, 0.95, 10), axis=0)
    return np.asarray((ordered - values.mean(axis=0)) / values.std(axis=0))


def _likeness(theirs: Floats, ours: Floats) -> Floats:
    """How unlike two columns are in any unit, shape (columns of the table, columns of the source): by their shapes."""
    straight = np.abs(theirs[:, :, None] - ours[:, None]).max(axis=0)
    turned = np.abs(-theirs[::-1, :, None] - ours[:, None]).max(axis=0)
    return np.asarray(np.minimum(straight, turned))


def _hits(values: Floats, known: Floats, within: float) -> Floats:
    """The share of each row's values that are among the known ones, which are sorted, shape (rows,)."""
    low, high = np.searchsorted(known, values - within, "left"), np.searchsorted(known, values + within, "right")
    return np.asarray(np.mean(high > low, axis=1))


def _same(rows: Floats, others: Floats, within: float) -> Positions:
    """Which of the others each row equals, value by value; -1 where none."""
    line = np.random.default_rng(1).normal(size=rows.shape[1])
    along = others @ line
    order = np.argsort(along)
    slack = within * np.abs(line).sum()
    places = rows @ line
    low, high = np.searchsorted(along[order], places - slack, "left"), np.searchsorted(along[order], places + slack, "right")
    found = np.full(len(rows), -1, dtype=np.int64)
    most = int((high - low).max(initial=0))
    for step in range(min(most, _SAMPLE)):
        open_rows = np.flatnonzero((found < 0) & (low + step < high))
        if not open_rows.size:
            break
        candidates = order[low[open_rows] + step]
        close = (np.abs(rows[open_rows] - others[candidates]) <= within).all(axis=1)
        found[open_rows[close]] = candidates[close]
    return found
