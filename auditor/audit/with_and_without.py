"""Which of two worlds a model comes from, by its parameters: a rule fitted on half of the models, and counts from the other half.

A game of an adaptive requester, or a chain of a simulation, gives one model. What is counted is an event that the fitted half
alone has fixed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from auditor.base.records import Floats
from auditor.verdict.checks.differences import Counted


def halves(worlds: npt.NDArray[np.int64], rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Which games a rule is fitted on: half of each world's, drawn. Shape (games,)."""
    fitting = np.zeros(worlds.shape, dtype=np.bool_)
    for world in (0, 1):
        of_world = np.flatnonzero(worlds == world)
        fitting[rng.permutation(of_world)[: of_world.size // 2]] = True
    return fitting


def rule(
    released: Floats, worlds: npt.NDArray[np.int64], fitting: npt.NDArray[np.bool_], direction: Floats | None = None
) -> Callable[[Floats], npt.NDArray[np.bool_]]:
    """The rule that says of models, shape (models, k), which of them come from world 0; fitted on some of those that are given.

    It looks along the difference of the two worlds' means, each coordinate weighed by its own variance; or at which world's
    coordinate medians are nearer; or along a direction that was fixed before: whichever names more of the fitted models.
    Coordinates that never differ count for nothing.

    Args:
        released: Shape (games, k).
        worlds: Shape (games,), 0 or 1.
        fitting: Shape (games,): those that it may be fitted on, of either world.
        direction: Shape (k,), along which world 0 lies further; None for none.
    """
    candidates = [_along(direction)] if direction is not None else []
    candidates += _fitted(released[fitting & (worlds == 0)], released[fitting & (worlds == 1)])
    tried = [(score, *best_threshold(score(released[fitting]), worlds[fitting])) for score in candidates]
    score, threshold, _ = max(tried, key=lambda each: each[2])
    return lambda models: score(models) > threshold


def _fitted(first: Floats, second: Floats) -> list[Callable[[Floats], Floats]]:
    """Scores that grow with how much a model looks like one of the first kind; both of shape (games, k)."""
    spread = (first.var(axis=0) + second.var(axis=0)) / 2
    gap = first.mean(axis=0) - second.mean(axis=0)
    # Where nothing varies within a world any gap decides; the floor keeps a gap of rounding errors from being one.
    floor = 1e-18 * (np.square(np.concatenate([first, second])).max(axis=0) + 1e-300)
    weights: Floats = np.where(np.square(gap) > floor, gap / np.maximum(spread, 1e-6 * np.square(gap) + floor), 0.0)
    scale = np.sqrt(np.maximum(spread, floor))
    medians = [np.median(each, axis=0) for each in (first, second)]

    def nearer(models: Floats) -> Floats:
        far, near = (np.linalg.norm((models - median) / scale, axis=1) for median in (medians[1], medians[0]))
        found: Floats = far - near
        return found

    return [_along(weights), nearer]


def _along(direction: Floats) -> Callable[[Floats], Floats]:
    def score(models: Floats) -> Floats:
        found: Floats = models @ direction
        return found

    return score


def best_threshold(found: Floats, worlds: npt.NDArray[np.int64]) -> tuple[float, float]:
    """The threshold above which a score means world 0, and its advantage on these games.

    Args:
        found: Shape (games,).
        worlds: Shape (games,), with games of either world.
    """
    values = np.unique(found)
    between = np.concatenate([[values[0] - 1.0], (values[:-1] + values[1:]) / 2])
    advantage = _above(found[worlds == 0], between) - _above(found[worlds == 1], between)
    best = int(np.argmax(advantage))
    return float(between[best]), float(advantage[best])


def _above(found: Floats, thresholds: Floats) -> Floats:
    """The share of scores above each threshold."""
    shares: Floats = 1.0 - np.searchsorted(np.sort(found), thresholds, side="right") / found.size
    return shares


def count(
    released: Floats, worlds: npt.NDArray[np.int64], fitting: npt.NDArray[np.bool_], direction: Floats | None = None
) -> Counted:
    """The counts of the event that the fitted rule fixes, in the games that it was not fitted on.

    Args:
        released: Shape (games, k).
        worlds: Shape (games,), 0 or 1.
        fitting: Shape (games,).
        direction: Shape (k,): one that was fixed before anything was played, along which world 0 lies further; None for none.
    """
    return counts(rule(released, worlds, fitting, direction)(released), worlds, ~fitting)


def counts(event: npt.NDArray[np.bool_], worlds: npt.NDArray[np.int64], counting: npt.NDArray[np.bool_]) -> Counted:
    """The counts of an event in some of the games; all of shape (games,)."""
    first, second = event[counting & (worlds == 0)], event[counting & (worlds == 1)]
    return Counted(hits=int(first.sum()), trials=int(first.size), other_hits=int(second.sum()), other_trials=int(second.size))
