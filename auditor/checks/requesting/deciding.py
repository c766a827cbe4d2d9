"""Which world a game was played in, by what was released: a rule fitted on half of the games, and counts from the other half."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from auditor.domain import Floats


@dataclass(frozen=True, slots=True)
class Counted:
    """How often one event was seen in the games that no rule was fitted on."""

    hits: int
    """In world 0."""
    trials: int
    other_hits: int
    """In world 1."""
    other_trials: int

    @property
    def share_right(self) -> float:
        """The share of games whose world the event names."""
        return (self.hits + self.other_trials - self.other_hits) / (self.trials + self.other_trials)


def halves(worlds: npt.NDArray[np.int64], rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Which games a rule is fitted on: half of each world's, drawn. Shape (games,)."""
    fitting = np.zeros(worlds.shape, dtype=np.bool_)
    for world in (0, 1):
        of_world = np.flatnonzero(worlds == world)
        fitting[rng.permutation(of_world)[: of_world.size // 2]] = True
    return fitting


def scores(released: Floats, worlds: npt.NDArray[np.int64], fitting: npt.NDArray[np.bool_]) -> Floats:
    """How much each released model looks like one of world 0, by the games that the rule may be fitted on; shape (games,).

    Along the difference of the two worlds' means, each coordinate weighed by its own variance; or by which of the two coordinate
    medians is nearer, whichever names more of the fitted games. Coordinates that never differ count for nothing.

    Args:
        released: Shape (games, k).
        worlds: Shape (games,), 0 or 1.
        fitting: Shape (games,).
    """
    first, second = released[fitting & (worlds == 0)], released[fitting & (worlds == 1)]
    spread = (first.var(axis=0) + second.var(axis=0)) / 2
    gap = first.mean(axis=0) - second.mean(axis=0)
    # Where nothing varies within a world any gap decides; the floor keeps a gap of rounding errors from being one.
    floor = 1e-18 * (np.square(released).max(axis=0) + 1e-300)
    weights = np.where(np.square(gap) > floor, gap / np.maximum(spread, 1e-6 * np.square(gap) + floor), 0.0)
    centre = (first.mean(axis=0) + second.mean(axis=0)) / 2
    linear: Floats = (released - centre) @ weights
    scale = np.sqrt(np.maximum(spread, floor))
    nearer: Floats = sum(
        sign * np.sqrt(np.square((released - np.median(each, axis=0)) / scale).sum(axis=1))
        for sign, each in ((1.0, second), (-1.0, first))
    )
    return max((linear, nearer), key=lambda found: best_threshold(found[fitting], worlds[fitting])[1])


def best_threshold(found: Floats, worlds: npt.NDArray[np.int64]) -> tuple[float, float]:
    """The threshold above which a score means world 0, and its advantage on these games.

    Args:
        found: Shape (games,).
        worlds: Shape (games,), with games of either world.
    """
    values = np.unique(found)
    between = np.concatenate([[values[0] - 1.0], (values[:-1] + values[1:]) / 2])
    above = found[None, :] > between[:, None]
    advantage = above[:, worlds == 0].mean(axis=1) - above[:, worlds == 1].mean(axis=1)
    best = int(np.argmax(advantage))
    return float(between[best]), float(advantage[best])


def count(released: Floats, worlds: npt.NDArray[np.int64], fitting: npt.NDArray[np.bool_]) -> Counted:
    """The counts of the event that the fitted rule fixes, in the games that it was not fitted on."""
    found = scores(released, worlds, fitting)
    threshold, _ = best_threshold(found[fitting], worlds[fitting])
    return counts(found > threshold, worlds, ~fitting)


def counts(event: npt.NDArray[np.bool_], worlds: npt.NDArray[np.int64], counting: npt.NDArray[np.bool_]) -> Counted:
    """The counts of an event in some of the games; all of shape (games,)."""
    first, second = event[counting & (worlds == 0)], event[counting & (worlds == 1)]
    return Counted(int(first.sum()), int(first.size), int(second.sum()), int(second.size))
