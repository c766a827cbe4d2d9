"""Find retained rows that look derived from deleted ones: moved by noise, interpolated, mirrored, with columns in another order.

A record's closeness is the distance to its nearest other row, as a share of the distance to its 20th: units and density cancel.
Rows that are equal count as one, so that copies, which `near_copies` finds, neither hide a derived row nor look like one. It is
measured in three views: columns as given; a record's columns reversed, and the lines of a square picture flipped as well, against
the rows as given; and rows whose numbers are sorted. How many are closer than they should be is decided by the judge, from counts
of deleted rows, of retained ones drawn at random, and of retained ones next to the deleted.

Closeness and its limits follow from the whole table, whichever rows are deleted. A deleted row alone is measured with less: to
its nearest *retained* row, over its 20th of all. That only makes it larger, and no retained row counts for two deleted ones. So
among rows deleted at random the counts are at most those of a draw without replacement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.deletion_log.deletions import people
from auditor.base.deletion_log.requests import Request
from auditor.base.draws import generator
from auditor.base.mixed_columns import Kind
from auditor.base.records import Dataset, Floats, Positions
from auditor.base.row_blocks import distinct_rows, row_blocks
from auditor.case.record_rules import parents_in
from auditor.maths.statistics.columns import units
from auditor.parts.store.judging.derived_rows import SHARES, DerivedRows, Step, ViewName, ViewOfRows
from auditor.parts.store.observing.points import Points, points

Marks: TypeAlias = npt.NDArray[np.bool_]

NEIGHBOURS: Final = 20
"""Of a row, by which its density is measured."""
MOST_COMPARED: Final = 5_000
"""Retained rows, drawn at random, whose closeness is measured."""
FIRST_COMPARED: Final = 1_000
"""Of these, those that are measured first: where they show nothing, no others are."""
_SHOWS: Final = 0.05
"""The p-value of the first ones up to which the others are measured; what decides is smaller by far."""
NEXT_TO_DELETED: Final = 2_000
"""Retained rows that are compared as neighbours of the deleted ones, in all; of each deleted row at least `NEIGHBOURS`."""
_MOST_OF_ONE: Final = 500
"""Of these, those of one deleted row at most."""
_PAIRS: Final = 10**8
"""Distances that are measured for a view, about; of larger tables fewer rows are drawn."""
_ASKED: Final = 256
"""Rows whose distances are measured at a time."""
_POINTS: Final = 2**14
"""Points from which they are measured at a time."""
_FEWEST_ROWS: Final = 3 * NEIGHBOURS
_GROUPS: Final = 1_024
_FARTHEST: Final = 1e4
"""Units from its middle at which a value counts: farther ones would take the places from the others."""
_SQUARE: Final = 4
"""Columns on a side from which a square number of them may be a picture."""


def derived_rows(
    train: Dataset, deleted: Positions, requests: Sequence[Request], *, apart: Marks | None = None, seed: int = 0
) -> DerivedRows | None:
    """Count deleted records that have a retained row improbably near, and how usual that is.

    Args:
        train: The training data, deleted records included.
        deleted: Their positions.
        requests: The log, by which those are named whose records count.
        apart: Which records are declared to be derived ones, and are left out; None where none are.
        seed: The auditor's own, by which records are drawn.

    Returns:
        None where nothing is deleted, or too few rows are left to measure density.
    """
    declared = left = 0
    if apart is not None and apart.any():
        places, declared, left = np.flatnonzero(~apart), int(np.count_nonzero(apart)), int(np.count_nonzero(apart[deleted]))
        deleted = np.searchsorted(places, deleted[~apart[deleted]])
        train = train.subset(places)
    table = Table.of(train) if deleted.size else None
    found = None if table is None else compared(table, train, deleted, requests, seed=seed)
    if found is None:
        # What is declared is a premise whatever is left to be compared.
        return DerivedRows(deleted=0, apart=left, declared=declared, views=()) if declared else None
    return found.model_copy(update={"apart": left, "declared": declared})


def declared_rows(ids: npt.NDArray[np.str_], cells: Sequence[str], deleted: Positions) -> tuple[Marks, frozenset[str]]:
    """Which records are declared to be made from others, and the deleted ones of which a retained one is.

    Args:
        ids: Of all records, shape (n,).
        cells: What the column says of each of them; empty where it was made from none.
        deleted: Positions of deleted records.
    """
    names = ids.tolist()
    known, gone = set(names), set(ids[deleted].tolist())
    parents = {own: parents_in(cell, known) for own, cell in zip(names, cells, strict=True)}
    # A row of a row of a record holds it as well.
    seen, ahead = set[str](), [each for own in names if own not in gone for each in parents[own]]
    while ahead:
        each = ahead.pop()
        if each not in seen:
            seen.add(each)
            ahead += parents.get(each, ())
    return np.array([bool(parents[own]) for own in names], dtype=bool), frozenset(seen & gone)


def compared(
    table: Table, train: Dataset, deleted: Positions, requests: Sequence[Request], *, seed: int = 0
) -> DerivedRows | None:
    """The same of a table that was measured before, of which several sets of deleted records are tried."""
    gone = np.zeros(len(train), dtype=bool)
    gone[deleted] = True
    kept = np.flatnonzero(~gone)
    retained = np.zeros(len(table.first), dtype=bool)
    retained[table.of_row[kept]] = True
    if np.count_nonzero(retained) < _FEWEST_ROWS:
        return None
    rng = generator(seed, "derived rows")
    most = max(NEIGHBOURS, _PAIRS // len(table.first))
    # Drawn from those deleted at random, they are as random as these.
    looked = np.sort(rng.choice(deleted, most, replace=False)) if deleted.size > most else np.sort(deleted)
    drawn = rng.permutation(kept)[: min(MOST_COMPARED, most)]
    nearby = table.nearby(looked, retained, kept)
    views = tuple(_view(table, place, train, looked, drawn, nearby, retained, requests) for place in range(len(table.views)))
    return DerivedRows(deleted=int(looked.size), views=views)


def _view(
    table: Table,
    place: int,
    train: Dataset,
    deleted: Positions,
    drawn: Positions,
    nearby: Positions,
    retained: Marks,
    requests: Sequence[Request],
) -> ViewOfRows:
    """What one view shows; the first of the drawn rows alone where they show nothing."""
    near, closest = table.to_retained(place, table.of_row[deleted], retained)
    own = table.closeness(place, table.of_row[deleted])
    first = _counted(own, near, closest, table.closeness(place, table.of_row[drawn[:FIRST_COMPARED]]), np.empty(0))
    if all(each[1].p_of_drawn(deleted.size, min(drawn.size, FIRST_COMPARED)) > _SHOWS for each in first):
        steps, compared, neighbours = first, min(drawn.size, FIRST_COMPARED), 0
    else:
        of_drawn, of_beside = (table.closeness(place, table.of_row[rows]) for rows in (drawn, nearby))
        steps, compared, neighbours = _counted(own, near, closest, of_drawn, of_beside), drawn.size, nearby.size
    found = ViewOfRows(
        view=table.views[place].name,
        retained_looked_at=compared,
        neighbours_looked_at=neighbours,
        steps=tuple(step for _, step in steps),
    )
    counts = found.counted(int(deleted.size))
    if counts is None:
        return found
    # Named are those alone whose rows count.
    names = frozenset(train.ids[deleted[steps[counts][0]]].tolist())
    concerned = [each for each in requests if not names.isdisjoint(each.record_ids)]
    return found.model_copy(
        update={"request_ids": tuple(each.request_id for each in concerned), "subjects": people(concerned, requests)}
    )


def _counted(own: Floats, near: Floats, closest: Positions, drawn: Floats, nearby: Floats) -> list[tuple[Marks, Step]]:
    """Which deleted rows are as close as a share of all rows, for each share, with the counts.

    Args:
        own: The closeness of deleted rows in the whole table, shape (m,).
        near: The same to retained rows, shape (m,).
        closest: The retained rows that are nearest, shape (m,).
        drawn: The closeness of retained rows drawn at random.
        nearby: The same of neighbours of the deleted rows.
    """
    together, found = np.sort(np.concatenate([own, drawn])), list[tuple[Marks, Step]]()
    for share in SHARES:
        limit = together[max(0, int(share * together.size) - 1)]
        marks = near <= limit
        # A retained row is derived from one deleted row at most: those that share one, as a cluster seen from afar, count once.
        counts = (np.unique(closest[marks]).size, np.count_nonzero(drawn <= limit), np.count_nonzero(nearby <= limit))
        found.append((marks, Step(found=int(counts[0]), retained=int(counts[1]), neighbours=int(counts[2]))))
    return found


@dataclass(frozen=True, eq=False)
class _View:
    """Distinct rows as points, and as what is looked up among them."""

    name: ViewName
    points: Floats | Points
    """Shape (k, c)."""
    queries: tuple[Floats | Points, ...]
    """Each of shape (k, c): the closest of several counts."""
    known: Floats = field(repr=False)
    """Shape (k,): closeness in the whole table; NaN where it was not measured."""
    densities: Floats = field(repr=False)
    """Shape (queries, k): the distance to the 20th row; NaN where it was not measured."""

    @classmethod
    def of(cls, name: ViewName, points: Floats | Points, queries: tuple[Floats | Points, ...]) -> Self:
        """A view of which nothing is measured."""
        return cls(name, points, queries, np.full(len(points), np.nan), np.full((len(queries), len(points)), np.nan))


class _Narrow(NamedTuple):
    """Points in float32."""

    points: npt.NDArray[np.float32]
    """Shape (k, c)."""
    squares: npt.NDArray[np.float32]
    """Their squared lengths, shape (k,)."""

    @classmethod
    def of(cls, points: Floats | Points) -> Self:
        """Round them."""
        narrow = np.empty(points.shape, dtype=np.float32)
        for some in row_blocks(points):
            narrow[some] = points[some]
        return cls(narrow, np.einsum("ij,ij->i", narrow, narrow))


@dataclass(frozen=True, eq=False)
class Table:
    """The distinct rows of a table in each view, and what has been measured of them."""

    first: Positions
    """Shape (k,): a record of each distinct row."""
    of_row: Positions
    """Shape (n,): the distinct row of each record."""
    views: tuple[_View, ...]
    held: dict[int, _Narrow] = field(default_factory=dict, repr=False)
    """Points of views that are held in float32: of a large table those of one view."""

    @classmethod
    def of(cls, train: Dataset) -> Self | None:
        """Bring a table into every view; None where it has too few distinct rows."""
        first, of_row = distinct_rows(train.features)
        return None if len(first) < _FEWEST_ROWS else cls(first, of_row, tuple(_views(train, first)))

    def _narrow(self, place: int) -> _Narrow:
        """The points of a view in float32."""
        if place not in self.held:
            found = self.views[place].points
            # Those of the mirrored view are the given ones.
            same = next((each for each in self.held if self.views[each].points is found), None)
            if same is None and isinstance(found, Points):
                self.held.clear()
            self.held[place] = _Narrow.of(found) if same is None else self.held[same]
        return self.held[place]

    def closeness(self, place: int, rows: Positions) -> Floats:
        """How close distinct rows have another one in the whole table, shape (rows,)."""
        view = self.views[place]
        missing = np.unique(rows[np.isnan(view.known[rows])])
        view.known[missing] = np.inf
        for number, queries in enumerate(view.queries):
            nearest, density = _distances(queries, view.points, self._narrow(place), missing)
            view.densities[number, missing] = density
            view.known[missing] = np.minimum(view.known[missing], _ratio(nearest, density))
        return view.known[rows]

    def to_retained(self, place: int, rows: Positions, retained: Marks) -> tuple[Floats, Positions]:
        """How close distinct rows have a retained one, with its place; both of shape (rows,)."""
        self.closeness(place, rows)
        view = self.views[place]
        closest, at = np.full(rows.size, np.inf), np.zeros(rows.size, dtype=np.int64)
        for number, queries in enumerate(view.queries):
            for some in _rows_at_once(rows):
                found = _nearest(_blocks(queries, self._narrow(place), rows[some], retained), 1)[:, 0]
                away = np.linalg.norm(view.points[found] - queries[rows[some]], axis=1)
                near = _ratio(away, view.densities[number, rows[some]])
                closer = near < closest[some]
                closest[some], at[some] = np.where(closer, near, closest[some]), np.where(closer, found, at[some])
        return closest, at

    def nearby(self, deleted: Positions, retained: Marks, kept: Positions) -> Positions:
        """Retained records next to deleted ones, in columns as given: as many of each as make up `NEXT_TO_DELETED`."""
        each = int(np.clip(-(-NEXT_TO_DELETED // deleted.size), NEIGHBOURS, _MOST_OF_ONE))
        each = min(each, int(np.count_nonzero(retained)) - 1)
        view, rows = self.views[0], np.unique(self.of_row[deleted])
        asked = (_blocks(view.queries[0], self._narrow(0), rows[some], retained) for some in _rows_at_once(rows))
        near = [_nearest(blocks, each).reshape(-1) for blocks in asked]
        of_row = np.zeros(len(self.first), dtype=np.int64)
        of_row[self.of_row[kept]] = kept
        return of_row[np.unique(np.concatenate(near))]


def _views(train: Dataset, first: Positions) -> Iterator[_View]:
    """Distinct rows, k of them, in every view; those of reversed and sorted columns where there are numbers to exchange."""
    numbers = [at for at, each in enumerate(train.table or ()) if each.kind in {Kind.NUMBER, Kind.INTEGER}]
    numbers = list(range(train.features.shape[1])) if train.table is None else numbers
    placed = _in_units(*units(points(train, first)))
    given = points(train, first, then=placed)
    yield _View.of("given", given, (given,))
    if len(numbers) < 2:
        return
    mirrored = (points(train, first, first=_exchanged(numbers, order), then=placed) for order in _flips(len(numbers)))
    yield _View.of("mirrored", given, tuple(mirrored))
    ordered = _ordered(numbers)
    by_size = points(train, first, first=ordered, then=_in_units(*units(points(train, first, first=ordered))))
    yield _View.of("sorted", by_size, (by_size,))


def _exchanged(numbers: Sequence[int], order: Positions) -> Callable[[Floats], Floats]:
    """Rows with their numbers in another order."""

    def exchanged(rows: Floats) -> Floats:
        found = rows.copy()
        found[:, numbers] = rows[:, np.array(numbers)[order]]
        return found

    return exchanged


def _ordered(numbers: Sequence[int]) -> Callable[[Floats], Floats]:
    """Rows with their numbers sorted."""

    def ordered(rows: Floats) -> Floats:
        found = rows.copy()
        found[:, numbers] = np.sort(rows[:, numbers], axis=1)
        return found

    return ordered


def _flips(count: int) -> tuple[Positions, ...]:
    """Columns from the last to the first, and those of a square picture left to right and top to bottom."""
    places, side = np.arange(count), round(count**0.5)
    if side * side != count or side < _SQUARE:
        return (places[::-1],)
    picture = places.reshape(side, side)
    return (places[::-1], picture[:, ::-1].reshape(-1), picture[::-1].reshape(-1))


def _in_units(middle: Floats, scale: Floats) -> Callable[[Floats], Floats]:
    """Points in the units of their columns, within what float32 squares and adds."""

    def in_units(points: Floats) -> Floats:
        with np.errstate(over="ignore"):
            return np.clip((points - middle) / scale, -_FARTHEST, _FARTHEST)

    return in_units


def _rows_at_once(rows: Positions) -> Iterator[slice]:
    yield from (slice(start, min(start + _ASKED, rows.size)) for start in range(0, rows.size, _ASKED))


def _blocks(
    queries: Floats | Points, among: _Narrow, rows: Positions, counted: Marks | None = None
) -> Iterator[tuple[int, npt.NDArray[np.float32]]]:
    """Squared distances of some queries from points, a few points at a time: the place of the first of them, and (rows, points).

    They are infinite from the row itself, and from points that do not count.
    """
    asked = queries[rows].astype(np.float32)
    lengths = np.einsum("ij,ij->i", asked, asked)[:, None]
    for first in range(0, len(among.points), _POINTS):
        block = slice(first, first + _POINTS)
        apart = asked @ among.points[block].T
        apart *= -2.0
        apart += among.squares[block]
        apart += lengths
        here = np.flatnonzero((rows >= first) & (rows < first + _POINTS))
        apart[here, rows[here] - first] = np.inf
        if counted is not None:
            apart[:, ~counted[block]] = np.inf
        yield first, apart


def _nearest(blocks: Iterator[tuple[int, npt.NDArray[np.float32]]], count: int) -> Positions:
    """The places of the nearest points of each row, in no order, shape (rows, count)."""
    held, places = np.empty((0, 0), dtype=np.float32), np.empty((0, 0), dtype=np.int64)
    for first, apart in blocks:
        near = _least(apart, count)
        closest = np.take_along_axis(apart, near, axis=1)
        held = np.concatenate([held, closest], axis=1) if held.size else closest
        places = np.concatenate([places, near + first], axis=1) if places.size else near + first
        best = _least(held, count)
        held, places = np.take_along_axis(held, best, axis=1), np.take_along_axis(places, best, axis=1)
    return places


def _least(values: npt.NDArray[np.float32], count: int) -> Positions:
    """Where the least of each row are, in no order; all of fewer, and of one the first."""
    if values.shape[1] <= count:
        return np.broadcast_to(np.arange(values.shape[1]), values.shape)
    return values.argmin(axis=1)[:, None] if count == 1 else np.argpartition(values, count - 1, axis=1)[:, :count]


def _distances(queries: Floats | Points, points: Floats | Points, among: _Narrow, rows: Positions) -> tuple[Floats, Floats]:
    """The distances of some queries from the nearest and from the 20th nearest point; both of shape (rows,)."""
    nearest, density = np.empty(rows.size), np.empty(rows.size)
    for some in _rows_at_once(rows):
        at, candidates = _candidates(_blocks(queries, among, rows[some]), len(points))
        # By differences: products cancel where two rows are nearly equal.
        away = np.linalg.norm(points[candidates] - queries[rows[some]][at], axis=1)
        order = np.lexsort((away, at))
        starts = np.searchsorted(at[order], np.arange(some.stop - some.start))
        nearest[some], density[some] = away[order][starts], away[order][starts + NEIGHBOURS - 1]
    return nearest, density


def _candidates(blocks: Iterator[tuple[int, npt.NDArray[np.float32]]], points: int) -> tuple[Positions, Positions]:
    """Places of the 20 points nearest to each row, and of a few others among few points: row and column, rows ascending.

    The 20th smallest of the minima of groups is no smaller than the 20th smallest of all.
    """
    if points > _POINTS:
        near = _nearest(blocks, NEIGHBOURS)
        return np.repeat(np.arange(len(near)), NEIGHBOURS), near.reshape(-1)
    ((_, apart),) = blocks
    count, width = apart.shape
    groups = min(_GROUPS, width // 2)
    if groups > 2 * NEIGHBOURS:
        deep = width // groups
        minima = apart[:, : groups * deep].reshape(count, deep, groups).min(axis=1)
        limit = np.partition(minima, NEIGHBOURS, axis=1)[:, NEIGHBOURS, None]
        at, candidates = np.nonzero(apart <= limit)
        if at.size <= 8 * NEIGHBOURS * count:
            return at, candidates
    found = np.argpartition(apart, NEIGHBOURS, axis=1)[:, :NEIGHBOURS]
    return np.repeat(np.arange(count), NEIGHBOURS), found.reshape(-1)


def _ratio(nearest: Floats, density: Floats) -> Floats:
    """One where all are equal: none is nearer than the others."""
    return np.divide(nearest, density, out=np.ones_like(nearest), where=density > 0)
