"""Rows of numbers under other ids that are deleted people's: equal, moved, scaled, or with their columns in another order.

A table without columns of its own has a row of numbers for each person. Two rows are as far apart as one misses being the other,
moved and scaled (one minus the square of their correlation), as the columns are, and where each is of one size. How far the two
nearest are from people who stay says how fast fewer are nearer (as in Facco et al. 2017, "Estimating the intrinsic dimension of
datasets by a minimal neighborhood information"), and so from where on none is that near by chance: such a person is a copy,
unless people who stay have copies among one another as often.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.records import Dataset, Floats
from auditor.maths.statistics.exact import larger_share_p
from auditor.parts.places.observing.borrowed import LEVEL

Places: TypeAlias = npt.NDArray[np.int64]
_LEAST: Final = 8
"""Columns: of fewer, any two rows are nearly one another, moved and scaled."""
_CLOSER: Final = 100
_NEAR: Final = 1e-3
"""How far apart a row and its copy are at most, with noise."""
_SORTED_NEAR: Final = 1e-8
"""The same in another order, which makes any two rows alike."""
_EXACT: Final = 1e-14
"""How far apart equal rows seem: rounding."""
_SLOWEST, _FASTEST = 0.1, 50.0
_SAFETY: Final = 0.7
"""Of the power with which fewer are nearer, what is counted on."""
_SAMPLE: Final = 256
"""People who stay of whom it is asked how near another one is."""
_SOME: Final = 0.01
"""Share of them with a copy, up to which one of a deleted person's counts by itself."""
_AT_ONCE: Final = 1 << 15


def of_table(records: Dataset, gone: frozenset[str]) -> frozenset[str]:
    """Give the ids of people who stay whose row is a copy of a deleted person's.

    Args:
        records: Everybody who is in the table.
        gone: Ids of deleted people, in it or not.
    """
    left = np.array([each in gone for each in records.ids.tolist()], dtype=bool)
    if records.table is not None or records.features.shape[1] < _LEAST or not left.any() or (~left).sum() <= 2:
        return frozenset()
    lost, stay = np.flatnonzero(left), np.flatnonzero(~left)
    found = set[int]()
    sizes = _sizes(records.features)
    for by, in_order, near in ((sizes, True, _NEAR), (None, True, _NEAR), (None, False, _SORTED_NEAR)):
        found |= _copies(_Rows(records.features, by, in_order=in_order), lost, stay, near)
    return frozenset(records.ids[sorted(found)].tolist())


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Rows as they are compared."""

    features: Floats
    sizes: Floats | None
    """What columns are divided by."""
    in_order: bool

    def of(self, places: Places) -> Floats:
        """Some of them, moved and scaled to a mean of 0 and a length of 1; zeros where that is not possible."""
        with np.errstate(all="ignore"):
            values = self.features[places].astype(np.float64)
            values /= 1.0 if self.sizes is None else self.sizes
            values -= values.mean(axis=1, keepdims=True)
            values = np.nan_to_num(values / np.linalg.norm(values, axis=1, keepdims=True), nan=0.0, posinf=0.0, neginf=0.0)
        return values if self.in_order else np.sort(values, axis=1)

    def apart(self, asked: Floats, places: Places) -> Floats:
        """How far each of some rows is apart from each of others, shape (asked, places)."""
        others = self.of(places)
        found: Floats = 1 - (asked @ others.T) ** 2
        if not self.in_order:
            # Turned round, the largest comes first.
            found = np.minimum(found, 1 - (asked @ others[:, ::-1].T) ** 2)
        # Rows of one number, or of none, are like no other.
        return np.where((others == 0).all(axis=1)[None, :] | (asked == 0).all(axis=1)[:, None], np.inf, np.maximum(found, 0))


def _copies(rows: _Rows, lost: Places, stay: Places, near: float) -> set[int]:
    sample = stay[np.unique(np.linspace(0, len(stay) - 1, _SAMPLE).astype(int))]
    nearest = _two_nearest(rows, sample, stay)
    limit = min(near, _by_chance(nearest, len(lost)))
    if limit < _EXACT:
        return set()
    pairs = list(_pairs(rows, lost, stay, limit))
    met, others = len({person for person, _ in pairs}), int((nearest[:, 0] <= limit).sum())
    told = others <= _SOME * len(sample) or larger_share_p(met, len(lost), others, len(sample)) <= LEVEL
    return {row for _, row in pairs} if told else set()


def _sizes(features: Floats) -> Floats:
    total, blocks = np.zeros(features.shape[1]), range(0, len(features), _AT_ONCE)
    with np.errstate(all="ignore"):
        for at in blocks:
            total += np.square(np.nan_to_num(features[at : at + _AT_ONCE].astype(np.float64), posinf=0.0, neginf=0.0)).sum(axis=0)
        found: Floats = np.sqrt(total / len(features))
    return np.where((found > 0) & np.isfinite(found), found, 1.0)


def _two_nearest(rows: _Rows, sample: Places, stay: Places) -> Floats:
    """How far the nearest two of those who stay are from each of a sample, shape (n, 2)."""
    asked, found = rows.of(sample), np.full((len(sample), 2), np.inf)
    for at in range(0, len(stay), _AT_ONCE):
        some = stay[at : at + _AT_ONCE]
        apart = rows.apart(asked, some)
        apart[sample[:, None] == some[None, :]] = np.inf
        found = np.sort(np.column_stack([found, np.partition(apart, min(1, len(some) - 1), axis=1)[:, :2]]), axis=1)[:, :2]
    return found


def _by_chance(nearest: Floats, lost: int) -> float:
    """How near no one is to any deleted person but by one chance in so many."""
    known = np.maximum(nearest[np.isfinite(nearest).all(axis=1)], _EXACT)
    if not len(known):
        return 0.0
    rises = float(np.log(known[:, 1] / known[:, 0]).mean())
    power = _SAFETY * min(_FASTEST, max(_SLOWEST, 1 / max(rises, 1 / _FASTEST)))
    limit: float = float(np.median(known[:, 0])) * min(1 / _CLOSER, (LEVEL / (_WAYS * lost)) ** (1 / power))
    # Some are nearer to one another than most, as where one column is all of a row.
    apart = known[known[:, 0] > _EXACT, 0]
    return min(limit, float(np.quantile(apart, _LOW)) / _BELOW) if len(apart) else limit


_LOW, _BELOW = 0.02, 10
"""Which share of people who stay may be nearer to another, and by how much a copy has to be nearer than they are."""
_WAYS: Final = 3
"""Ways of comparing rows."""


def _pairs(rows: _Rows, lost: Places, stay: Places, limit: float) -> Iterator[tuple[int, int]]:
    """Deleted people, by number, and rows of those who stay that are no further apart."""
    asked = rows.of(lost)
    for at in range(0, len(stay), _AT_ONCE):
        some = stay[at : at + _AT_ONCE]
        for person, row in np.argwhere(rows.apart(asked, some) <= limit).tolist():
            yield person, int(some[row])
