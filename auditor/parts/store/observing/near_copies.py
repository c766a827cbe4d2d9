"""Find copies of deleted records among the retained ones, equal or nearly so, whatever their ids.

Columns are measured in their own standard deviations over the retained records. A record is near another where they are closer
than a hundredth of the median distance between a retained record and its nearest one. Where one in twenty retained records has
so near a neighbour, the data are too coarse for nearness to single out anybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.base.deletion_log.deletions import people
from auditor.base.domain import Dataset, Floats, Positions, Request
from auditor.base.mixed_columns import coordinates
from auditor.maths.statistics.columns import deviations
from auditor.parts.store.judging.data_erased import Copies

SHARE_OF_MEDIAN: Final = 0.01
"""Of the median distance to the nearest retained record: what counts as near."""
_SAMPLE: Final = 300
_CHUNK: Final = 2**22
"""Distances that are held at a time."""
_ROUNDING: Final = 1e-9
_AT_ONCE: Final = 2**16
"""Retained records that one deleted record is held against at a time, of those that a projection leaves."""


def near_copies(train: Dataset, deleted: Positions, requests: Sequence[Request]) -> Copies | None:
    """Count deleted records with a copy among the retained ones, and how usual that is among these.

    Args:
        train: The training data, deleted records included.
        deleted: Their positions.
        requests: The log, by which those are named that have a copy.

    Returns:
        None where nothing is deleted, or fewer than three records are left.
    """
    kept = np.setdiff1d(np.arange(len(train), dtype=np.int64), deleted)
    if not deleted.size or kept.size < 3:
        return None
    features = coordinates(train.table, train.features)
    # In place: of the retained records there is one copy.
    retained = features[kept]
    middle, scale = retained.mean(axis=0), deviations(retained)
    scale = np.where(scale > 0, scale, 1.0)
    retained -= middle
    retained /= scale
    sample = np.linspace(0, kept.size - 1, min(_SAMPLE, kept.size)).astype(np.int64)
    nearest = _nearest(retained, np.unique(sample))
    radius = SHARE_OF_MEDIAN * float(np.median(nearest))
    usual = int(np.count_nonzero(nearest <= radius + _ROUNDING))
    near = _near(retained, (features[deleted] - middle) / scale, radius)
    names = frozenset(train.ids[deleted[near]].tolist())
    copied = [each for each in requests if not names.isdisjoint(each.record_ids)]
    return Copies(
        deleted=int(deleted.size),
        found=int(near.sum()),
        request_ids=tuple(each.request_id for each in copied),
        subjects=people(copied, requests),
        retained_looked_at=int(nearest.size),
        retained_with_a_copy=usual,
    )


def _nearest(retained: Floats, rows: Positions) -> Floats:
    """The distance from each of some retained records to its nearest other one, shape (rows,)."""
    squares = np.einsum("ij,ij->i", retained, retained)
    found = np.empty(rows.size)
    step = max(1, _CHUNK // max(1, retained.shape[0]))
    for start in range(0, rows.size, step):
        some = rows[start : start + step]
        apart = squares[some, None] + squares[None] - 2.0 * retained[some] @ retained.T
        apart[np.arange(some.size), some] = np.inf
        closest = apart.argmin(axis=1)
        # By differences: products cancel where two records are nearly equal.
        found[start : start + step] = np.linalg.norm(retained[some] - retained[closest], axis=1)
    return found


def _near(retained: Floats, asked: Floats, radius: float) -> npt.NDArray[np.bool_]:
    """Whether each record has a retained one within the radius: projected on a line first, which brings none further apart."""
    line = np.random.default_rng(0).normal(size=retained.shape[1])
    line /= max(float(np.linalg.norm(line)), np.finfo(float).tiny)
    places = retained @ line
    order = np.argsort(places)
    along, own = places[order], asked @ line
    slack = radius + _ROUNDING * (1.0 + float(np.abs(along).max()))
    low, high = np.searchsorted(along, own - slack, "left"), np.searchsorted(along, own + slack, "right")
    found = np.zeros(len(asked), dtype=bool)
    for at, (first, last) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        # All of them: anyone who knows the line can lay any number of records across it.
        parts = (order[start : min(last, start + _AT_ONCE)] for start in range(first, last, _AT_ONCE))
        found[at] = any(bool((np.linalg.norm(retained[part] - asked[at], axis=1) <= radius + _ROUNDING).any()) for part in parts)
    return found
