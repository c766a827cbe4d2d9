"""Find copies of deleted records among the retained ones, equal or nearly so, whatever their ids.

Columns are measured in their own standard deviations over the whole table. A record is near another where they are closer than a
hundredth of the median distance between a record and its nearest one.

How usual it is to have a copy is counted so that the exact test of `data.erased` holds whatever the table. Whether a record has
a near one anywhere else in the table, deleted or not, is a matter of the table alone: radius and units do not depend on which
records are deleted either. So if records are deleted at random, those that have one are spread over deleted and retained records
as by a draw without replacement, and the retained ones that are compared, drawn at random, keep that so. Of the deleted records
those alone are counted that have a near one among the *retained*: fewer, never more, which can only raise the p-value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.deletion_log.deletions import people
from auditor.base.deletion_log.requests import Request
from auditor.base.draws import generator
from auditor.base.mixed_columns import Kind
from auditor.base.records import Dataset, Floats, Positions
from auditor.base.row_blocks import BLOCK_NUMBERS, distinct_rows, pieces, row_blocks, row_digest
from auditor.maths.statistics.columns import moments
from auditor.parts.store.judging.accounting import Concerned
from auditor.parts.store.judging.near_copies import Copies
from auditor.parts.store.observing.points import Points, points

Marks: TypeAlias = npt.NDArray[np.bool_]

SHARE_OF_MEDIAN: Final = 0.01
"""Of the median distance to the nearest record: what counts as near."""
MOST_COMPARED: Final = 5_000
"""Retained records that are searched for near copies of their own."""
_SAMPLE: Final = 300
_CHUNK: Final = 2**22
"""Distances that are held at a time."""
_ROUNDING: Final = 1e-9
_AT_ONCE: Final = 2**16
"""Rows that one row is held against at a time, of those that projections leave."""
_LINES: Final = 8
"""Directions that rows are projected on: rows that are near lie near along all of them together."""


def near_copies(
    train: Dataset, deleted: Positions, requests: Sequence[Request], *, whole: Dataset | None = None, seed: int = 0
) -> Copies | None:
    """Count deleted records with a copy among the retained ones, and how usual that is among these.

    Args:
        train: The training data, deleted records included.
        deleted: Their positions.
        requests: The log, by which those are named that have a copy.
        whole: The same records with columns that no procedure gets; None where there are none.
        seed: The auditor's own, by which retained records are drawn where there are too many to look at all of them.

    Returns:
        None where nothing is deleted, or fewer than three records are left.
    """
    gone = np.zeros(len(train), dtype=bool)
    gone[deleted] = True
    kept = np.flatnonzero(~gone)
    if not deleted.size or kept.size < 3:
        return None
    table = _Table.of(train)
    near, equal = table.has_copy(deleted, among=~gone)
    compared = kept
    if near.any() and kept.size > MOST_COMPARED:
        compared = np.sort(generator(seed, "near copies").choice(kept, MOST_COMPARED, replace=False))
    elif not near.any():
        # Nothing is to be compared: those are listed that the radius is measured by anyway.
        compared = kept[np.unique(np.linspace(0, kept.size - 1, min(_SAMPLE, kept.size)).astype(np.int64))]
    usual, usual_equal = table.has_copy(compared, among=np.ones(len(train), dtype=bool))
    singled = _singled_out(whole or train, deleted, kept)
    concerned = _named(train, deleted[near], requests)
    return Copies(
        deleted=int(deleted.size),
        found=int(near.sum()),
        retained_looked_at=int(compared.size),
        retained_with_a_copy=int(usual.sum()),
        equal=int(equal.sum()),
        retained_equal=int(usual_equal.sum()),
        singled_out=int(singled.sum()),
        singled_out_of=_named(train, deleted[singled], requests) if singled.any() else None,
        request_ids=concerned.request_ids,
        subjects=concerned.subjects,
    )


def _named(train: Dataset, records: Positions, requests: Sequence[Request]) -> Concerned:
    """The requests that name some records."""
    names = frozenset(train.ids[records].tolist())
    found = [each for each in requests if not names.isdisjoint(each.record_ids)]
    return Concerned(request_ids=tuple(each.request_id for each in found), subjects=people(found, requests))


def _singled_out(train: Dataset, deleted: Positions, kept: Positions) -> Marks:
    """Which deleted records equal a retained one in every column, among them one of dates or of text of a person's own."""
    telling = [at for at, each in enumerate(train.table or ()) if each.kind is Kind.TIME or each.free_text]
    found = np.zeros(deleted.size, dtype=bool)
    if not telling or train.table is None:
        return found
    missing = np.array([train.table[at].missing for at in telling])
    told = np.any(train.features[deleted][:, telling] != missing, axis=1)
    of_kept = {row_digest(row) for some in pieces(kept, train.features.shape[1]) for row in train.features[some] + 0.0}
    found[told] = [row_digest(row) in of_kept for row in train.features[deleted[told]] + 0.0]
    return found


@dataclass(frozen=True, eq=False)
class _Table:
    """A table in units in which distances mean something, its distinct rows, and a radius."""

    points: Floats | Points
    """Shape (n, c)."""
    first: Positions
    """Shape (k,): a record of each distinct row."""
    of_row: Positions
    """Shape (n,): the distinct row of each record."""
    radius: float
    lines: Floats
    """Shape (k, at most `_LINES`): distinct rows along directions at right angles, which brings none further apart."""
    order: Positions
    """Shape (k,): by the first direction."""

    @classmethod
    def of(cls, train: Dataset) -> Self:
        """Measure the table; which of its records are deleted is not known here."""
        first, of_row = distinct_rows(train.features)
        whole = np.arange(len(train))
        given = points(train, whole)
        middle, scale = moments(given)
        scale = np.where(scale > 0, scale, 1.0)
        placed = points(train, whole, then=lambda rows: (rows - middle) / scale)
        sample = np.unique(np.linspace(0, len(placed) - 1, min(_SAMPLE, len(placed))).astype(np.int64))
        radius = SHARE_OF_MEDIAN * float(np.median(_nearest(placed, sample)))
        width = placed.shape[1]
        frame, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(width, min(_LINES, width))))
        lines = np.concatenate([placed[some] @ frame for some in row_blocks(placed)])[first]
        return cls(placed, first, of_row, radius, lines, np.argsort(lines[:, 0], kind="stable"))

    def has_copy(
        self, records: Positions, *, among: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Whether each record has another one within the radius among some, and whether it has one that is equal.

        Args:
            records: Positions in the table, shape (m,).
            among: Which records count, shape (n,); a record is no copy of itself.
        """
        counts = np.bincount(self.of_row[among], minlength=len(self.first))
        own = self.of_row[records]
        equal = counts[own] > among[records]
        near = equal.copy()
        # All of those along a line, and not so many of them: anyone who knows it can lay any number of records across it.
        among_rows = self.order[counts[self.order] > 0]
        along = self.lines[among_rows, 0]
        alone = own[~equal]
        reach = self.radius + _ROUNDING * (1.0 + float(np.abs(self.lines).max(initial=0.0)))
        low = np.searchsorted(along, self.lines[alone, 0] - reach, "left").tolist()
        high = np.searchsorted(along, self.lines[alone, 0] + reach, "right").tolist()
        near[~equal] = [
            self._is_near(row, among_rows[start:end], reach) for row, start, end in zip(alone.tolist(), low, high, strict=True)
        ]
        return near, equal

    def _is_near(self, row: int, others: Positions, reach: float) -> bool:
        """Whether a distinct row has one of some others within the radius.

        Args:
            row: Its place among distinct rows.
            others: Places of others, itself among them or not.
            reach: The radius along lines, with room for rounding.
        """
        for start in range(0, others.size, _AT_ONCE):
            part = others[start : start + _AT_ONCE]
            part = part[(np.linalg.norm(self.lines[part] - self.lines[row], axis=1) <= reach) & (part != row)]
            apart = np.linalg.norm(self.points[self.first[part]] - self.points[self.first[row]], axis=1)
            if np.any(apart <= self.radius + _ROUNDING):
                return True
        return False


def _nearest(points: Floats | Points, rows: Positions) -> Floats:
    """The distance from each of some rows to its nearest other one, shape (rows,)."""
    asked = points[rows]
    best, closest = np.full(rows.size, np.inf), np.zeros(rows.size, dtype=np.int64)
    step = max(1, min(_CHUNK // max(1, rows.size), BLOCK_NUMBERS // max(1, points.shape[1])))
    for start in range(0, len(points), step):
        part = points[start : start + step]
        apart = np.einsum("ij,ij->i", part, part) - 2.0 * asked @ part.T
        own = np.flatnonzero((rows >= start) & (rows < start + step))
        apart[own, rows[own] - start] = np.inf
        found = apart.argmin(axis=1)
        least = apart[np.arange(rows.size), found]
        closest = np.where(least < best, start + found, closest)
        best = np.minimum(best, least)
    # By differences: products cancel where two records are nearly equal.
    return np.asarray(np.linalg.norm(asked - points[closest], axis=1))
