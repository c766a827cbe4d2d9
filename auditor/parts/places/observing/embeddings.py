"""Compute the vectors of everybody by the case's own function, and see whether it treats deleted people apart.

The function gets rows without ids, deleted people's among the others', in an order that is drawn; twice, each time in a process
of its own, with other batches. A third process gets records that nobody has: each record with an eighth of another's, and
records on the way from one that stays to a deleted one, a sixteenth at a time. A function that looks records up jumps there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.audit.replay import limits_of
from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset, Floats, Positions
from auditor.case import Case
from auditor.parts.places.judging.embedding import Embedding
from auditor.parts.places.observing.computed import Computed
from auditor.sandbox import Answer, Drop, Learn, Level, Parameters, ProcedureSpec, Step
from auditor.sandbox.jobs import Job
from auditor.settings.places import PlacesAlone

_JOB: Final = "embedding"
_MODEL: Final = "vectors"
_BATCHES: Final = (256, 173, 211)
"""Rows that the function gets at once, run by run."""
_STEPS: Final = 16
"""Of a path."""
_CHANGED: Final = 1 / 8
"""Share of a record that is another's, where its own vector is to move little."""
_PATHS: Final = 24
"""Deleted records that a path leads to; twice as many lead to records that stay."""
_PAIRS: Final = 1000
_AT_ONCE: Final = 1 << 22
_NEAR: Final = 0.5
"""Of the usual distance between two people: so near, a vector is still its record's."""


class Embedded:
    """The runs of the function that a case brings."""

    def __init__(self, case: Case, gone: frozenset[str], *, seed: int, level: Level) -> None:
        """Draw orders, made-up records and paths.

        Raises:
            ValueError: If the case has no function, or no table.
        """
        procedure = case.settings.procedure
        embed = procedure.embed if isinstance(procedure, PlacesAlone) else None
        if embed is None or case.code is None or case.in_places is None:
            raise ValueError("a case with a function that embeds has a table")
        self._records = records = case.in_places.records
        self._spec = ProcedureSpec(use=_JOB, entry=f"{case.folder}/{embed}", code=case.code)
        self._limits, self._level = limits_of(case), level
        draw = np.random.default_rng([seed, 0x656D])
        self._gone = np.array([each in gone for each in records.ids.tolist()], dtype=bool)
        self._orders = [draw.permutation(len(records)) for _ in range(2)]
        self._made = _Made.of(records, self._gone, draw)
        self._order_of_made = draw.permutation(len(self._made.rows))
        self._draw = draw

    def jobs(self) -> tuple[Job, ...]:
        """Plan three processes: everybody, everybody again, and records that nobody has."""
        plain = replace(self._records, labels=np.zeros(len(self._records), dtype=np.int64))
        tables = [
            *(plain.with_rows(plain.features[order]) for order in self._orders),
            self._made.rows.with_rows(self._made.rows.features[self._order_of_made]),
        ]
        return tuple(
            Job(_JOB, self._spec, {"train": table}, tuple(_steps(len(table), batch)), self._limits, self._level)
            for table, batch in zip(tables, _BATCHES, strict=True)
            if len(table)
        )

    def read(self, answers: Sequence[tuple[Answer, ...]]) -> Computed | None:
        """Put vectors together; None where the function failed."""
        sizes = (len(self._records), len(self._records), len(self._made.rows))
        found = [_vectors(each, size) for each, size in zip(answers, sizes, strict=False)]
        orders = (*self._orders, self._order_of_made)
        placed = [_placed(each, order) for each, order in zip(found, orders, strict=False) if each is not None]
        if len(placed) < len(orders) or len({each.shape[1] for each in placed}) != 1:
            return None
        first, second, made = placed
        return self._compared(first, second, made)

    def _compared(self, first: Floats, second: Floats, made: Floats) -> Computed:
        kept = np.flatnonzero(~self._gone)
        with np.errstate(over="ignore", invalid="ignore"):
            narrow = first.astype(np.float32)
        usual = self._usual(first[kept])
        steady = self._made.steady(first, made, usual)
        _, times = np.unique(narrow[kept], axis=0, return_counts=True)
        paths = {which: self._made.longest(first, made, which) / usual if usual else np.zeros(0) for which in (True, False)}
        seen = Embedding(
            width=first.shape[1],
            retained=len(kept),
            deleted=int(self._gone.sum()),
            varies=float(np.abs(first - second).max(initial=0.0) / (np.abs(first).max(initial=0.0) or 1.0)),
            alike=int(times[times > 1].sum()),
            unsteady=int(np.count_nonzero(~steady[kept])),
            apart=int(np.count_nonzero(~steady[self._gone])),
            paths=len(paths[True]),
            paths_between=len(paths[False]),
            longest=float(paths[True].max(initial=0.0)),
            longest_between=float(paths[False].max(initial=0.0)),
        )
        return Computed(narrow, steady, seen)

    def _usual(self, vectors: Floats) -> float:
        """The usual distance between two people who stay: the median of pairs."""
        if len(vectors) < 2:
            return 0.0
        one, other = (self._draw.integers(len(vectors), size=_PAIRS) for _ in range(2))
        apart = np.linalg.norm(vectors[one] - vectors[other], axis=1)[one != other]
        return float(np.median(apart)) if apart.size else 0.0


def _steps(rows: int, batch: int) -> Iterator[Step]:
    for at in range(0, rows, batch):
        yield Learn(_MODEL, np.arange(at, min(rows, at + batch)), 0)
        yield Parameters(_MODEL)
        yield Drop(_MODEL)


def _vectors(answers: Sequence[Answer], rows: int) -> Floats | None:
    """Put the vectors of all batches together; None where the function failed, or batches have vectors of different widths."""
    arrays = [each.array for each in answers if each.array is not None]
    if not arrays:
        return None
    flat = np.concatenate(arrays)
    batches = [each.step.rows.size for each in answers if isinstance(each.step, Learn)]
    widths = {array.size / size for array, size in zip(arrays, batches, strict=True)}
    return flat.reshape(rows, -1) if len(widths) == 1 and flat.size % rows == 0 else None


def _placed(vectors: Floats, order: Positions) -> Floats:
    """Undo an order."""
    found = np.empty_like(vectors)
    found[order] = vectors
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Made:
    """Records that nobody has."""

    rows: Dataset
    """The first n are the records of the table, each with an eighth from another; then come paths, step by step."""
    ends: npt.NDArray[np.int64]
    """Shape (paths, 2): from whom, to whom."""
    to_deleted: npt.NDArray[np.bool_]
    """Shape (paths,)."""

    @classmethod
    def of(cls, records: Dataset, gone: npt.NDArray[np.bool_], draw: np.random.Generator) -> _Made:
        """Make them: of every record one, and of every path all but its ends."""
        count = len(records)
        kept, deleted = np.flatnonzero(~gone), np.flatnonzero(gone)
        others = (np.arange(count) + draw.integers(1, max(2, count), size=count)) % count
        mixed = [(int(other), at, 1 - _CHANGED) for at, other in enumerate(others.tolist())]
        few = len(kept) < 2
        targets = [
            *((each, True) for each in draw.permutation(deleted)[: 0 if few else _PATHS].tolist()),
            *((each, False) for each in draw.permutation(kept)[: 0 if few else 2 * _PATHS].tolist()),
        ]
        ends = np.array([(_another(kept, to, draw), to) for to, _ in targets], dtype=np.int64).reshape(-1, 2)
        between = [(one, to, step / _STEPS) for one, to in ends.tolist() for step in range(1, _STEPS)]
        rows = _mixed(records, [*mixed, *between])
        return cls(rows, ends, np.array([which for _, which in targets], dtype=bool))

    def steady(self, own: Floats, made: Floats, usual: float) -> npt.NDArray[np.bool_]:
        """Say which records' vectors are still nearest to their own, or near, where an eighth of them changed."""
        moved = made[: len(own)]
        apart = np.linalg.norm(moved - own, axis=1)
        steady = (usual > 0) & (apart <= _NEAR * usual)
        squares = (own**2).sum(axis=1)
        left = np.flatnonzero(~steady) if usual > 0 else np.zeros(0, dtype=np.int64)
        step = max(1, _AT_ONCE // max(1, len(own)))
        for at in range(0, len(left), step):
            some = left[at : at + step]
            far = squares - 2 * moved[some] @ own.T + (moved[some] ** 2).sum(axis=1)[:, None]
            far[np.arange(len(some)), some] = np.inf
            steady[some] = apart[some] <= np.sqrt(np.maximum(far.min(axis=1), 0.0))
        return np.asarray(steady)

    def longest(self, own: Floats, made: Floats, which: bool) -> Floats:
        """Give the longest step of each path."""
        between = made[len(own) :].reshape(len(self.ends), _STEPS - 1, own.shape[1])
        whole = np.concatenate([own[self.ends[:, :1]], between, own[self.ends[:, 1:]]], axis=1)
        steps = np.linalg.norm(np.diff(whole, axis=1), axis=2)
        return np.asarray(steps[self.to_deleted == which].max(axis=1, initial=0.0))


def _another(kept: Positions, to: int, draw: np.random.Generator) -> int:
    rest = kept[kept != to]
    return int(rest[draw.integers(len(rest))])


def _mixed(records: Dataset, asked: Sequence[tuple[int, int, float]]) -> Dataset:
    """Make records between two: of so large a share of the second, and the rest of the first."""
    ones, others = (np.array([each[at] for each in asked], dtype=np.int64) for at in (0, 1))
    shares = np.array([each[2] for each in asked], dtype=np.float64)
    if records.table is None:
        return records.with_rows(_between(records.features[ones], records.features[others], shares[:, None]))
    columns, codes = [], []
    for at, column in enumerate(records.table):
        one, other = records.features[ones, at], records.features[others, at]
        whole = (one != column.missing) & (other != column.missing)
        if column.kind is Kind.TEXT:
            told, found = _texts(column, one, other, shares, whole)
        else:
            told, found = column, np.where(shares >= 0.5, other, one)
            if column.kind in {Kind.NUMBER, Kind.INTEGER}:
                found = np.where(whole, _between(one, other, shares), found)
        columns.append(told)
        codes.append(np.rint(found) if column.kind is Kind.INTEGER else found)
    return replace(records, table=tuple(columns)).with_rows(np.column_stack(codes))


def _between(one: Floats, other: Floats, share: Floats) -> Floats:
    return np.asarray(one + share * (other - one))


def _texts(column: Column, one: Floats, other: Floats, shares: Floats, whole: npt.NDArray[np.bool_]) -> tuple[Column, Floats]:
    """Begin with the second text and end with the first; each is a word of the column of its own."""
    found, words = np.where(shares >= 0.5, other, one), list(column.words)
    for at in np.flatnonzero(whole).tolist():
        first, second = (column.words[int(each[at])] for each in (one, other))
        text = second[: round(shares[at] * len(second))] + first[round(shares[at] * len(first)) :]
        found[at] = len(words)
        words.append(text)
    return replace(column, words=tuple(words)), found
