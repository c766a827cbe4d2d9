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

import hashlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import lgamma, log
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from auditor.base.records import Dataset, Floats, Positions
from auditor.base.row_blocks import row_blocks
from auditor.parts.release.observing.predictive_bits import MOST_COLUMNS, bits
from auditor.parts.store.observing.equal_rows import Chosen, Known
from auditor.parts.store.observing.known_values import KnownValues, near

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
_HELD: Final = 1 << 25
"""Values of sorted columns, or cells of others, that are held at a time."""
_LOOKED_EVERY: Final = 8
"""Columns after which it is asked whether any record can still agree."""
_REMEMBERED: Final = 1 << 12
"""Tables whose answers are remembered."""
_ROWS_AT_ONCE: Final = 1 << 22
"""Numbers of a table that are mapped at a time."""


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
    gone: Positions
    """Where the deleted ones are, shape (m,)."""

    @classmethod
    def of(cls, train: Dataset, deleted: Positions) -> OtherUnits:
        """The records of `train`, those at `deleted` to be looked for."""
        rest = np.delete(np.arange(len(train)), deleted)
        return cls(train.ids[deleted], train.features[deleted], train.features, rest, deleted)

    def in_table(self, table: npt.NDArray[np.generic]) -> Seen:
        """What is seen of the records in a table of numbers, shape (rows, columns)."""
        if not len(self.deleted) or len(self.rest) < 3 or self.deleted.shape[1] < 2 or not table.size:
            return Seen()
        values = _finite(table)
        # The numbers of a model lie in its state, in the file that it saves and in the shipped one.
        known = _digest(values)
        if known not in self._answered:
            if len(self._answered) >= _REMEMBERED:
                self._answered.clear()
            self._answered[known] = self._seen(values)
        return self._answered[known]

    @cached_property
    def _answered(self) -> dict[bytes, Seen]:
        """What was seen in each table, by its digest."""
        return {}

    def _seen(self, values: npt.NDArray[Any]) -> Seen:
        found: set[str] = set()
        with np.errstate(all="ignore"):
            for sort in (False, True):
                found |= self._by_row(values, sort=sort)
            seen = self._by_column(values)
        return Seen(found | seen.found, seen.doubtful - found, recognised=seen.recognised)

    @cached_property
    def _kept(self) -> Chosen:
        return Chosen(self.everybody, self.rest)

    @cached_property
    def _order(self) -> Positions:
        """The kept records, then the deleted ones, as positions."""
        return np.concatenate([self.rest, self.gone])

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

    def _by_row(self, table: npt.NDArray[Any], *, sort: bool) -> set[str]:
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
        for kept in self._kept.blocks():
            for rows in (np.sort(kept, axis=1), np.sort(-kept, axis=1)) if sort else (kept,):
                if _fits(window, rows, rising=sort, within=4 * PRECISION).any():
                    return True
        return False

    # One map for each column.

    def _by_column(self, table: npt.NDArray[Any]) -> Seen:
        width = self.deleted.shape[1]
        if table.ndim != 2 or len(table) < FEWEST_ROWS or not 2 <= table.shape[1] <= 4 * width + 16:
            return Seen()
        # What is before the values, such as the number of the row, moves all of them.
        shifts = range(min(3, max(0, table.shape[1] - width)) + 1)
        measured, tried = _Measured.of(table), set[bytes]()
        for source, shift in itertools.product(self._sources, (*shifts, None)):
            mapped = self._mapped(measured, source, shift)
            if mapped.said in tried:
                continue
            tried.add(mapped.said)
            mapped = mapped.only(self._agreeing(mapped))
            if mapped.columns.size >= max(2, (min(width, MOST_COLUMNS) + 1) // 2):
                seen = self._rows_of(mapped)
                if seen.found or seen.recognised or seen.doubtful:
                    return seen
        return Seen()

    @cached_property
    def _sources(self) -> list[_Source]:
        rows = [self._kept, Chosen(self.everybody, self._order)]
        if len(self.deleted) >= FEWEST_ROWS:
            rows.append(Chosen(self.everybody, self.gone))
        return [_Source(each, self.deleted) for each in rows]

    def _everyone(self, column: int) -> KnownValues:
        """Every value of a column; of large tables only a few are held."""
        if column not in self._held:
            if sum(each.size for each in self._held.values()) >= _HELD:
                self._held.clear()
            self._held[column] = KnownValues(self.everybody[:, column])
        return self._held[column]

    @cached_property
    def _held(self) -> dict[int, KnownValues]:
        return {}

    def _mapped(self, table: _Measured, source: _Source, shift: int | None) -> _Mapped:
        """The columns of a table that a map turns into columns of a source, and the maps."""
        offered = table.offered
        # Of columns that are equally alike, the one in its own place.
        likeness = _likeness(table.shapes, source.shapes) + 1e-6 * np.abs(offered[:, None] - source.columns[None])
        taken: set[int] = set()
        chosen: list[tuple[int, int, float, float]] = []
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
                hits = np.mean(self._everyone(column).have(back, PRECISION * source.deviations[column]), axis=1)
                scores = hits - 0.05 * off - 1e-3 * likeness[candidate, at]
                highest = int(scores.argmax())
                if best is None or scores[highest] > best[0]:
                    best = (float(scores[highest]), candidate, float(factors[highest]), float(offsets[highest]))
            if best is not None and best[0] >= _HIT - 0.06:
                taken.add(best[1])
                chosen.append((column, int(offered[best[1]]), *best[2:]))
        return _Mapped.of(table.rows, chosen)

    def _agreeing(self, mapped: _Mapped) -> npt.NDArray[np.bool_]:
        """Which columns fit together: those that agree in most of some rows with the record that each row is likest to."""
        columns = mapped.columns
        if not columns.size:
            return np.zeros(0, dtype=np.bool_)
        within = PRECISION * np.maximum(self._sources[1].deviations[columns], np.finfo(float).tiny)
        picked = np.unique(np.linspace(0, len(mapped.table) - 1, min(_ROWS_TRIED, len(mapped.table))).astype(np.int64))
        rows = mapped.rows(picked)
        counts = np.zeros((len(rows), len(self.everybody)), dtype=np.uint16)
        for at, column in enumerate(columns.tolist()):
            for row, those in enumerate(near(self.everybody[:, column], rows[:, at], float(within[at]))):
                counts[row, those] += 1
            # No record can come to half of the columns any more.
            left = columns.size - at - 1
            if left < columns.size * (1 - SHARE) and at % _LOOKED_EVERY == 0 and counts.max() + left < SHARE * columns.size:
                break
        agreed = []
        for row, count in zip(rows, counts, strict=True):
            best = self._order[int(count[self._order].argmax())]
            likest = np.abs(self.everybody[best, columns] - row) <= within
            if likest.mean() >= SHARE:
                agreed.append(likest)
        return np.asarray(np.mean(agreed, axis=0) >= _HIT) if agreed else np.zeros(columns.size, dtype=np.bool_)

    def _rows_of(self, mapped: _Mapped) -> Seen:
        """The deleted records among the rows of a table in the training data's units, if half of its rows are any."""
        columns, source = mapped.columns, self._sources[0]
        largest = np.maximum(np.abs(source.lows), np.abs(source.highs))[columns]
        scale = np.where(source.deviations[columns] > 0, source.deviations[columns], np.maximum(largest, 1.0))

        def scaled(rows: Floats) -> Floats:
            return np.asarray(rows[:, columns] / scale)

        kept = Known(self._kept, scaled, 4 * PRECISION)
        deleted = Known(Chosen(self.everybody, self.gone), scaled, PRECISION)
        met, recognised, hits = 0, False, set[int]()
        for block in mapped.blocks():
            rows = block / scale
            of_kept, of_deleted = kept.equal(rows), deleted.equal(rows)
            met += int(np.count_nonzero((of_kept >= 0) | (of_deleted >= 0)))
            recognised |= bool((of_kept >= 0).any())
            hits.update(of_deleted[(of_deleted >= 0) & (of_kept < 0)].tolist())
        if met < SHARE * len(mapped.table):
            return Seen()
        # One of several deleted records that are equal stands for all of them.
        for at in tuple(hits):
            hits.update(np.flatnonzero((self.deleted[:, columns] == self.deleted[at, columns]).all(axis=1)).tolist())
        found: set[str] = set()
        doubtful: set[str] = set()
        if hits:
            telling = np.array([len(np.unique(self._kept.column(each))) > _FEW_VALUES for each in columns.tolist()])
        for at in sorted(hits):
            row = self.deleted[[at]]
            said = sum(
                float(bits(row[:, [column]], np.full((1, 1), PRECISION * unit), self.everybody[:, [column]], self.rest).sum())
                for column, unit in zip(columns.tolist(), scale.tolist(), strict=True)
            )
            enough = said >= log(max(2, len(mapped.table) * len(self.deleted))) / log(2)
            # Left-out columns may be all that told a deleted record from a kept one.
            (found if enough and kept.differ(scaled(row), telling) else doubtful).add(str(self.ids[at]))
        return Seen(found, doubtful, recognised=recognised)


class _Mapped(NamedTuple):
    """Columns of a table as they are in the units of the training data, worked out a few rows at a time."""

    table: npt.NDArray[np.generic]
    columns: Positions
    """Of the training data, shape (c,)."""
    own: Positions
    """Of the table."""
    factors: Floats
    offsets: Floats

    @classmethod
    def of(cls, table: npt.NDArray[np.generic], chosen: list[tuple[int, int, float, float]]) -> _Mapped:
        """Take pairs of columns, each with its map."""
        columns, own, factors, offsets = zip(*chosen, strict=True) if chosen else ((),) * 4
        return cls(
            table,
            np.array(columns, dtype=np.int64),
            np.array(own, dtype=np.int64),
            np.array(factors, dtype=np.float64),
            np.array(offsets, dtype=np.float64),
        )

    @property
    def said(self) -> bytes:
        """The columns and the maps."""
        return b"".join(each.tobytes() for each in (self.columns, self.own, self.factors, self.offsets))

    def only(self, which: npt.NDArray[np.bool_]) -> _Mapped:
        """Leave out columns."""
        return self._replace(**{name: getattr(self, name)[which] for name in ("columns", "own", "factors", "offsets")})

    def rows(self, some: slice | Positions) -> Floats:
        """Give some rows, shape (several, c)."""
        return np.asarray(self.table[some][:, self.own].astype(np.float64) * self.factors + self.offsets)

    def blocks(self) -> Iterator[Floats]:
        """Give all rows, some at a time."""
        step = max(1, _ROWS_AT_ONCE // max(1, self.table.shape[1]))
        yield from (self.rows(slice(start, start + step)) for start in range(0, len(self.table), step))


class _Measured(NamedTuple):
    """A table that is searched by columns, with what is asked of it again and again."""

    rows: npt.NDArray[np.generic]
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
    def of(cls, table: npt.NDArray[Any]) -> _Measured:
        """Measure a table, shape (n, d)."""
        lows, highs = table.min(axis=0).astype(np.float64), table.max(axis=0).astype(np.float64)
        offered = np.flatnonzero(highs > lows)
        some = table[_evenly(len(table), _SAMPLE)].astype(np.float64)
        thinned = table[_evenly(len(table), _QUANTILES_OF)].astype(np.float64)
        return cls(table, lows, highs, offered, some, _shape(thinned[:, offered]))


class _Source:
    """A set of records whose columns a table may hold in other units."""

    def __init__(self, rows: Chosen, deleted: Floats) -> None:
        """Measure every column of `rows`, shape (n, d), and note the deleted values below and above them."""
        self.lows, self.highs, self.means, self.deviations = rows.measures()
        varied = np.flatnonzero((self.highs > self.lows) & (self.deviations > 0))
        self.columns = varied[:: -(-len(varied) // MOST_COLUMNS) or 1]
        self.shapes = _shape(rows.rows(_evenly(len(rows), _QUANTILES_OF))[:, self.columns])
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


def _finite(table: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The rows of a table without infinity and NaN, in float32 or float64; a single row is left as it is."""
    values = table if table.dtype.kind == "f" and table.dtype.itemsize in {4, 8} else np.asarray(table, dtype=np.float64)
    if values.ndim != 2 or len(values) < 2:
        return values
    finite = np.concatenate([np.isfinite(values[some]).all(axis=1) for some in row_blocks(values)])
    return values if finite.all() else values[finite]


def _digest(table: npt.NDArray[Any]) -> bytes:
    """What stands for a table: its form and its numbers."""
    digest = hashlib.blake2b(f"{table.shape} {table.dtype.str}".encode(), digest_size=32)
    rows = table.reshape(len(table) if table.size else 1, -1)
    for some in row_blocks(rows):
        digest.update(np.ascontiguousarray(rows[some]).data)
    return digest.digest()


def _evenly(rows: int, most: int) -> Positions:
    """Some of many rows."""
    return np.unique(np.linspace(0, rows - 1, min(most, rows)).astype(np.int64))


class _Piece(NamedTuple):
    """Some runs of neighbouring columns of a table: their weighted sums, shape (windows, 4), and their numbers."""

    sums: Floats
    source: Floats
    """Shape (windows, d)."""

    def windows(self, at: Positions) -> Floats:
        """Some of the runs, shape (several, d)."""
        return np.asarray(self.source[at])


def _pieces(table: npt.NDArray[Any], width: int, weights: Floats, *, sort: bool) -> Iterator[_Piece]:
    """Every run of so many neighbouring columns, a piece of the table at a time."""
    if len(table) == 1 and not sort:
        line = table[0].astype(np.float64)
        every = np.lib.stride_tricks.sliding_window_view(line, width)
        for start in range(0, len(every), _CHUNK):
            part = line[start : start + _CHUNK + width - 1]
            sums = np.column_stack([np.convolve(part, weights[::-1, at], "valid") for at in range(weights.shape[1])])
            yield _Piece(sums, every[start : start + _CHUNK])
        return
    step = max(1, _CHUNK // width)
    shifts = table.shape[1] - width + 1
    for shift in range(shifts if not sort or shifts <= _SORTED_SHIFTS or table.size <= _CHUNK // width else 0):
        for start in range(0, len(table), step):
            block = table[start : start + step, shift : shift + width].astype(np.float64)
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
