"""Rank one model among models that differ from it by chance alone, by the largest of many scores.

The pool holds the model in question and K others. A score is a column: one number a model, the larger the more it looks as if it
held some records. Whatever centres, scales and weighs a column is a symmetric function of the whole pool, the model in question
included, and of models outside it. So under the null, where the K + 1 models are exchangeable, the largest weighed scores M are
exchangeable too, however the columns depend on each other, and

    p = (1 + #{k: M_k ≥ M}) / (K + 1)

is at most α with a chance of at most α (a permutation test; Phipson and Smyth 2010). Scaling by the K others alone and ranking
among them would not be exchangeable, and rejects honest models far too often.

Columns that ask the same in several ways count together: their standardised scores are added up, each times the standard
deviations by which models that hold the records lie above the pool. What such a model shows, it shows in most of them; a model
without the records is an outlier in one of them now and then, and the largest of many single columns would be such an outlier's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.base.records import Floats

ROUNDING: Final = 1e-12
"""Scores of a column that differ by less, relative to the largest of them, count as equal."""
TIE: Final = 1e-9
"""Largest scores that differ by less count as equal, which is against telling."""
HALF: Final = 0.5
"""The share of what models show that hold the records which a column is weighed to find."""
MOST_GAP: Final = 4.0
"""Larger gaps count as this one: scores are not normal that far out, and models by which likelihoods are set show too much."""
LEAST_GAP: Final = 0.5
"""Smaller gaps, in standard deviations of the pool, count as this one: a few models do not show them, and no column is blind."""

Bools = npt.NDArray[np.bool_]
Groups = npt.NDArray[np.int64]


def standardised(scores: Floats) -> Floats:
    """Centre and scale each column by the whole pool; a column that does not vary is 0 throughout.

    Args:
        scores: Shape (K + 1, c).

    Returns:
        Shape (K + 1, c). Permuting the rows permutes the rows of the result.
    """
    return _over(scores - scores.mean(axis=0), _spread(scores))


def largest(
    release: Floats, others: Floats, holding: Floats, *, margin: float = 0.0, groups: Groups | None = None
) -> tuple[float, Floats]:
    """Give M, the largest weighed score, of the model in question and of each other.

    A standardised score z weighs g·z/2 − g²/8, with g by how many standard deviations of the pool models that hold the records
    lie above it: the log-likelihood ratio of normal scores for a model that shows half as much as these. What tells more counts
    more, and many columns that tell nothing do not drown one that does.

    Before that the model in question, where it lies above the pool's mean, is lowered by a share of what models that hold the
    records show, column by column, never below the mean of the others. Nothing else changes with it: the p-value can only become
    larger.

    Args:
        release: Shape (c,), of the model in question; c at least 1.
        others: Shape (K, c).
        holding: Shape (i, c), of models outside the pool that hold the records; i at least 1.
        margin: That share, at least 0.
        groups: Shape (c,): columns of one number count together; each counts by itself where left out.

    Returns:
        M of the model in question, and of the others, shape (K,).
    """
    own, rest = _weighed(release, others, holding, margin, groups)
    return float(own.max()), np.asarray(rest.max(axis=1))


def leading(release: Floats, others: Floats, holding: Floats, *, margin: float = 0.0, groups: Groups | None = None) -> int:
    """Name the column that M of the model in question comes from, of several together the one that adds most.

    Arguments as `largest` takes them.
    """
    place = int(np.argmax(_weighed(release, others, holding, margin, groups)[0]))
    if groups is None:
        return place
    columns = np.flatnonzero(groups == sorted({*groups.tolist()})[place])
    shown = _standard(release[columns], others[:, columns], holding[:, columns], margin)
    return int(columns[np.argmax(shown.lowered * shown.gap)])


def p_value(release: Floats, others: Floats, holding: Floats, *, margin: float = 0.0, groups: Groups | None = None) -> float:
    """Give the chance of such an M among exchangeable models; arguments as `largest` takes them."""
    own, rest = largest(release, others, holding, margin=margin, groups=groups)
    return (1 + int(np.count_nonzero(rest >= own - TIE * max(1.0, abs(own))))) / (len(others) + 1)


def gaps(holding: Floats, others: Floats) -> Floats:
    """Give how much more models show that hold the records, shape (c,): the mean of these less the mean of the others."""
    return np.asarray(holding.mean(axis=0) - others.mean(axis=0))


def heights(release: Floats, others: Floats, holding: Floats) -> Floats:
    """Give how far models that hold the records lie above the pool, in standard deviations, as far as that counts; shape (c,).

    Arguments as `largest` takes them.
    """
    return _standard(release, others, holding, 0.0).gap


def tellable(holding: Floats, others: Floats) -> Bools:
    """Say which columns tell models that hold the records from the others at all, shape (c,).

    Each of them has to lie above the others' mean by half of what they do on average, and that by more than rounding.

    Args:
        holding: Shape (i, c), i at least 1.
        others: Shape (K, c).
    """
    centre, gap = others.mean(axis=0), gaps(holding, others)
    scale = np.maximum(np.abs(holding).max(axis=0), np.abs(others).max(axis=0))
    return np.asarray((gap > ROUNDING * scale) & ((holding - centre).min(axis=0) >= HALF * gap))


def shares(release: Floats, holding: Floats, others: Floats) -> Floats:
    """Give what share the model in question shows, column by column, of what models show that hold the records.

    For learners without a seed, whose retrained models are all the same: there is nothing to rank.

    Args:
        release: Shape (c,).
        holding: Shape (i, c).
        others: Shape (K, c).

    Returns:
        Shape (c,); −∞ where a column does not tell these from the others.
    """
    telling = tellable(holding, others)
    found = (release - others.mean(axis=0)) / np.where(telling, gaps(holding, others), 1.0)
    return np.asarray(np.where(telling, found, -np.inf))


@dataclass(frozen=True, slots=True, eq=False)
class _Standard:
    """Scores in standard deviations of the pool, from its mean."""

    own: Floats
    """Shape (c,), of the model in question."""
    lowered: Floats
    """The same less the margin."""
    rest: Floats
    """Shape (K, c)."""
    held: Floats
    """Shape (i, c)."""

    @property
    def gap(self) -> Floats:
        """How far models that hold the records lie above the pool, as far as that counts; shape (c,)."""
        return np.asarray(np.clip(self.held.mean(axis=0), 0.0, MOST_GAP), dtype=np.float64)


def _weighed(release: Floats, others: Floats, holding: Floats, margin: float, groups: Groups | None) -> tuple[Floats, Floats]:
    """The weighed scores of the model in question, shape (g,), and of the others, shape (K, g)."""
    shown = _standard(release, others, holding, margin)
    if groups is not None:
        shown = _together(shown, groups)
    apart = np.maximum(shown.gap, LEAST_GAP)
    weight, less = HALF * apart, (HALF * apart) ** 2 / 2
    return np.asarray(weight * shown.lowered - less), np.asarray(weight * shown.rest - less)


def _standard(release: Floats, others: Floats, holding: Floats, margin: float) -> _Standard:
    pool = np.vstack([release, others])
    found, spread = standardised(pool), _spread(pool)
    less = margin * np.maximum(_over(gaps(holding, others), spread), 0.0)
    lowered = np.where(found[0] > 0, np.maximum(found[0] - less, found[1:].mean(axis=0)), found[0])
    return _Standard(found[0], lowered, found[1:], _over(holding - pool.mean(axis=0), spread))


def _together(shown: _Standard, groups: Groups) -> _Standard:
    """Add up the columns that count together, each times its gap; the groups in ascending order.

    What the margin takes, it takes of each column: one in which models that hold the records show far too much takes itself
    out of the sum, and no other.
    """
    # Not `np.unique`, which loads masked arrays: a hundredth of a second of each recheck.
    weights = np.asarray(groups[:, None] == sorted(set(groups.tolist())), dtype=np.float64) * shown.gap[:, None]
    own, lowered, rest, held = (each @ weights for each in (shown.own, shown.lowered, shown.rest, shown.held))
    pool = np.vstack([own, rest])
    centre, spread = pool.mean(axis=0), _spread(pool)
    return _Standard(*(_over(each - centre, spread) for each in (own, lowered, rest, held)))


def _over(values: Floats, spread: Floats) -> Floats:
    """Values in units of the spread; 0 where there is none."""
    return np.where(spread > 0, values / np.where(spread > 0, spread, 1.0), 0.0)


def _spread(scores: Floats) -> Floats:
    """The standard deviation of each column; 0 where it is rounding."""
    spread = scores.std(axis=0)
    return np.asarray(np.where(spread > ROUNDING * np.abs(scores).max(axis=0), spread, 0.0))
