"""What columns show of categories that were replaced by the labels of those who had them, deleted records included.

Target encoding leaves the labels' mean of each category in a column, or something that follows from it: a mean pulled towards a
common one, its logarithm of odds, a scaled one, or for each record the mean of the others. Where such a formula gives every value
from all records, and from those that remain it does not, no fit on the latter gave the numbers. Records of one value are taken
for one category, and so are those of one value in a column of categories, where there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.records import Floats, Positions
from auditor.maths.statistics.columns import are_whole, few, has_more_values, rounded_to

Groups: TypeAlias = npt.NDArray[np.int64]

LEAST_CATEGORIES: Final = 3
"""Categories from which on means that fit all of them are no chance."""
_LEAST_FITTED: Final = 5
"""The same where two numbers are fitted."""
_MOST_CLASSES: Final = 20
_MOST_COLUMNS: Final = 20
"""Columns of categories that are tried."""
_EXACT: Final = 1e-9
_DECIMALS: Final = range(4, 10)


def targets_of(labels: npt.NDArray[Any], *, classes: bool) -> Floats:
    """What a mean may be of, shape (n, k): the label as a number, and whether it is each of up to twenty classes.

    Args:
        labels: Shape (n,).
        classes: Whether they are classes, and not numbers.
    """
    found = [] if labels.dtype.kind not in "iufb" else [labels.astype(np.float64)]
    if classes:
        known = np.unique(labels)
        # Of two classes the share of one says that of the other.
        found += [(labels == each).astype(np.float64) for each in known[: _MOST_CLASSES if len(known) > 2 else 1]]
    return np.stack(found, axis=1) if found else np.zeros((len(labels), 0))


def target_encoded(
    features: Floats,
    deleted: Positions,
    targets: Floats,
    categories: Sequence[npt.NDArray[Any]] = (),
    *,
    alongside: Floats | None = None,
) -> tuple[int, ...]:
    """The columns that a formula gives from the labels of all records, and not from those that remain.

    Args:
        features: Shape (n, d).
        deleted: Positions of the deleted records.
        targets: Shape (n + m, k), what means may be of.
        categories: Columns of categories, each of shape (n + m,); the first twenty are tried.
        alongside: Shape (m, d), records that stay and that the fit may have covered as well; None for none.

    Returns:
        Their places, from 0, ascending.
    """
    stays = np.ones(len(features) + (0 if alongside is None else len(alongside)), dtype=bool)
    stays[deleted] = False
    if not len(deleted) or not stays.any() or not targets.shape[1]:
        return ()
    known = [np.unique(each, return_inverse=True)[1].reshape(-1).astype(np.int64) for each in categories[:_MOST_COLUMNS]]
    known = [each for each in known if LEAST_CATEGORIES <= each.max() + 1 <= len(each) / 2]
    columns = enumerate(_columns(features, alongside))
    return tuple(at for at, values in columns if _may_be(values, known) and _is_encoded(values, stays, targets, known))


def _columns(features: Floats, alongside: Floats | None) -> Iterator[Floats]:
    """Each column, shape (n + m,); of a large table a few are copied at a time."""
    for some in few(*features.shape):
        own = np.ascontiguousarray(features[:, some].T)
        yield from own if alongside is None else np.concatenate([own, alongside[:, some].T], axis=1)


def _may_be(values: Floats, categories: Sequence[Groups]) -> bool:
    """Whether values may be means of labels: fractions, and shared where no column says by whom."""
    if are_whole(values):
        return False
    return bool(categories) or not has_more_values(values, len(values) // 2)


def _is_encoded(values: Floats, stays: npt.NDArray[np.bool_], targets: Floats, categories: Sequence[Groups]) -> bool:
    off = _rounded_to(values)
    different, own = np.unique(values, return_inverse=True)
    own = own.reshape(-1).astype(np.int64)
    groupings = [own] if LEAST_CATEGORIES <= len(different) <= len(values) / 2 else []
    for groups in (*groupings, *categories):
        if groups is own or _is_constant(values, groups):
            if any(_formula_differs(values, groups, each, stays, off) for each in _Sums.of(values, groups, targets)):
                return True
            continue
        for target in targets.T:
            if _leaves_one_out(values, groups, target, off):
                return not _leaves_one_out(values[stays], groups[stays], target[stays], off)
    return False


def _is_constant(values: Floats, groups: Groups) -> bool:
    """Whether all records of a category have the same value."""
    first = np.zeros(groups.max() + 1)
    first[groups] = values
    return bool(np.all(first[groups] == values))


@dataclass(frozen=True, slots=True)
class _Sums:
    """Of each category that some records have: its value, how many have it, and the sums of their labels."""

    target: Floats
    """Shape (n,): the labels of all records, whose categories those are."""
    values: Floats
    counts: Floats
    sums: Floats
    squares: Floats

    @classmethod
    def of(cls, values: Floats, groups: Groups, targets: Floats) -> Iterator[_Sums]:
        order = np.argsort(groups, kind="stable")
        _, starts = np.unique(groups[order], return_index=True)
        counts = np.diff(np.append(starts, len(groups))).astype(np.float64)
        sums, squares = (np.add.reduceat(each[order], starts, axis=0) for each in (targets, targets**2))
        for at in range(targets.shape[1]):
            yield cls(targets[:, at], values[order][starts], counts, sums[:, at], squares[:, at])

    @property
    def mean(self) -> float:
        return float(self.target.mean())

    @property
    def means(self) -> Floats:
        return np.asarray(self.sums / self.counts)


def _formula_differs(values: Floats, groups: Groups, every: _Sums, stays: npt.NDArray[np.bool_], off: float) -> bool:
    """Whether a formula gives the values from all labels, and not from those that remain."""
    fits = [formula for formula in _FORMULAS if formula(every, off)]
    if not fits:
        return False
    (rest,) = _Sums.of(values[stays], groups[stays], every.target[stays, None])
    return not any(formula(rest, off) for formula in fits)


def _plain(seen: _Sums, off: float) -> bool:
    """Whether values are means."""
    return len(seen.values) >= LEAST_CATEGORIES and bool(np.all(np.abs(seen.values - seen.means) <= off))


def _of_odds(seen: _Sums, off: float) -> bool:
    """Whether values follow from the logarithm of odds, such as weights of evidence."""
    # Odds of 0 or infinity are written in as many ways as there are encoders.
    between = (seen.means > 0) & (seen.means < 1)
    means = seen.means[between]
    return _linear(np.log(means / (1 - means)), seen.values[between], off)


def _scaled(seen: _Sums, off: float) -> bool:
    """Whether values follow from means in a straight line, as where they were scaled."""
    return _linear(seen.means, seen.values, off)


def _smoothed(seen: _Sums, off: float) -> bool:
    """Whether values are means to which a number of records with one common label was added: v (n + m) = s + m p."""
    # Rounding of a value counts as often as the category has records.
    return _linear(seen.values, seen.values * seen.counts - seen.sums, off * (1.0 + seen.counts))


def _by_variance(seen: _Sums, off: float) -> bool:
    """Whether values are scikit-learn's TargetEncoder with smooth="auto": pulled to the mean by the variance in a category."""
    within = np.maximum(seen.squares - seen.sums**2 / seen.counts, 0.0) / seen.counts
    weight = float(seen.target.var()) * seen.counts
    whole = weight + within
    share = np.divide(weight, whole, out=np.zeros_like(weight), where=whole > 0)
    return len(seen.values) >= LEAST_CATEGORIES and bool(
        np.all(np.abs(share * seen.means + (1 - share) * seen.mean - seen.values) <= off)
    )


def _by_count(seen: _Sums, off: float) -> bool:
    """Whether values are category_encoders' TargetEncoder at its defaults: pulled to the mean by a sigmoid of the count."""
    share = 1.0 / (1.0 + np.exp(-(seen.counts - 20.0) / 10.0))
    return len(seen.values) >= LEAST_CATEGORIES and bool(
        np.all(np.abs(share * seen.means + (1 - share) * seen.mean - seen.values) <= off)
    )


_FORMULAS: Final[tuple[Callable[[_Sums, float], bool], ...]] = (_plain, _scaled, _of_odds, _smoothed, _by_variance, _by_count)


def _linear(given: Floats, found: Floats, off: float | Floats) -> bool:
    """Whether one straight line meets all points, of which enough are apart."""
    if len(given) < _LEAST_FITTED:
        return False
    low, high = int(given.argmin()), int(given.argmax())
    if given[high] - given[low] <= _EXACT:
        return False
    # Through the ends: between them a line is off by no more than they are.
    slope = (found[high] - found[low]) / (given[high] - given[low])
    limit = 4 * (np.asarray(off) + np.broadcast_to(off, given.shape)[[low, high]].max())
    met = bool(np.all(np.abs(found[low] + slope * (given - given[low]) - found) <= limit * (1.0 + abs(float(slope)))))
    return met and len(np.unique(np.round(given, 9))) >= _LEAST_FITTED


def _leaves_one_out(values: Floats, groups: Groups, target: Floats, off: float) -> bool:
    """Whether each value is the mean of the category's other records."""
    counts, sums = np.bincount(groups), np.bincount(groups, target)
    several = counts[groups] > 1
    if len(np.unique(groups[several])) < LEAST_CATEGORIES:
        return False
    others = counts[groups][several] - 1
    return bool(np.all(np.abs((sums[groups] - target)[several] / others - values[several]) <= off))


def _rounded_to(values: Floats) -> float:
    """How far off a value may be that was rounded: to float64, to float32, or to so many decimals."""
    step = rounded_to(values, _DECIMALS)
    return max(_EXACT, 2 * step.single, step.decimals / 2)
