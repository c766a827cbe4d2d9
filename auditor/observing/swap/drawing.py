"""What the SWAP test draws before anything is trained: halves, swap pairs, reference models, seeds.

The records are cut once into a target half, the game's D, and a shadow half, on which attacks are fitted. A swap pair is a
split of the target half into R, F and T with |F| = |T|; the game is played on (R, F, T) and on (R, T, F) (Tu, Hu and Ma,
Section 3.3).

Every training set of the game holds every class, so that a procedure that sees the subset alone can predict all of them: splits
that do not are drawn again. That condition speaks of R and of halves alone, so F and T stay exchangeable.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from auditor.checks.swap.game import LEAST_FORGOTTEN, MOST_DRAWS, Cause, sizes
from auditor.domain import Dataset, Floats, Positions
from auditor.draws import generator

PROGRESS = "SWAP test"
"""What the bar of the whole game is called."""
MOST_POPULATION = 200
"""Shadow records on which every model of the game is asked too, as the attacks' sample of records never seen."""
_SEEDS = 2**31
"""Seeds of the game stay below it: many a procedure hands its seed to a generator that takes no more than 32 bits."""


Drawn = TypeVar("Drawn")


class UnplayableError(Exception):
    """The game cannot be played on this data."""

    def __init__(self, cause: Cause) -> None:
        """Take note of the cause."""
        super().__init__(cause)
        self.cause: Cause = cause


@dataclass(frozen=True, slots=True, eq=False)
class SwapPair:
    """One split of the target half and the seeds of its models. Positions are those of the training data, ascending."""

    retained: Positions
    """R, shape (r,)."""
    first: Positions
    """F of the split s and T of the swapped split s', shape (f,)."""
    second: Positions
    """T of s and F of s', shape (f,)."""
    learn_seeds: npt.NDArray[np.int64]
    """Shape (2, models): independent in s and s'."""
    unlearn_seeds: npt.NDArray[np.int64]
    """Shape (2, models)."""
    control_seeds: npt.NDArray[np.int64]
    """Shape (2, models): row 0 is common to s and s' in the Retrain control, row 1 is fresh for its null."""

    def sides(self) -> tuple[tuple[Positions, Positions], tuple[Positions, Positions]]:
        """(forget, unseen) in s and in s'."""
        return (self.first, self.second), (self.second, self.first)

    def trained(self, side: int) -> Positions:
        """R ∪ F of a side, ascending, shape (r + f,)."""
        return np.sort(np.concatenate([self.retained, self.sides()[side][0]]))


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """Everything that was drawn."""

    target: Positions
    """The game's D, shape (t,)."""
    shadow: Positions
    """Shape (n - t,), in random order."""
    pairs: tuple[SwapPair, ...]
    references: npt.NDArray[np.bool_]
    """Shape (j, n): the training sets of the reference models; 2i and 2i+1 are complementary halves of all records."""
    reference_seeds: npt.NDArray[np.int64]
    """Shape (j,)."""
    population: Positions
    """Shadow records that no model of a pair is trained on, shape (z,)."""
    weights: Floats
    """Shape (n,): 1, or the records' sensitivity."""

    @property
    def forgotten(self) -> int:
        """|F|, the same in every pair."""
        return len(self.pairs[0].first)


def draw(data: Dataset, *, pairs: int, models: int, alpha: float, reference_pairs: int, seed: int) -> Game:
    """Draw a game.

    Args:
        data: The case's training data.
        pairs: K, how many swap pairs.
        models: How many models are trained on each side of a pair.
        alpha: |F| / |R ∪ F|.
        reference_pairs: How many complementary pairs of reference models.
        seed: The auditor's own. The first k pairs of a longer game are the pairs of one of length k.

    Raises:
        UnplayableError: If there are too few records, or too few of a class.
    """
    classes, codes = np.unique(data.labels, return_inverse=True)
    weights = np.ones(len(data)) if data.sensitivity is None else data.sensitivity
    order = generator(seed, "swap", "halves").permutation(len(data))
    target, shadow = np.sort(order[: len(data) // 2]), order[len(data) // 2 :]
    retained, forgotten = sizes(len(target), alpha)
    if forgotten < LEAST_FORGOTTEN:
        raise UnplayableError("few-to-forget")

    def whole(positions: Positions) -> bool:
        return len(np.unique(codes[positions])) == len(classes)

    drawn = tuple(
        _pair(target, retained, forgotten, models, whole, weights, generator(seed, "swap", "pair", k)) for k in range(pairs)
    )
    members = np.concatenate(
        [_halves(target, shadow, len(data), whole, generator(seed, "swap", "reference", i)) for i in range(reference_pairs)]
    )
    reference_seeds = generator(seed, "swap", "reference", "seeds").choice(_SEEDS, 2 * reference_pairs, replace=False)
    return Game(target, shadow, drawn, members, reference_seeds, shadow[:MOST_POPULATION], weights)


def _pair(
    target: Positions,
    retained: int,
    forgotten: int,
    models: int,
    whole: Callable[[Positions], bool],
    weights: Floats,
    rng: np.random.Generator,
) -> SwapPair:
    def split() -> tuple[Positions, Positions, Positions] | None:
        mixed = rng.permutation(target)
        kept, first, second = np.split(mixed, [retained, retained + forgotten])
        usable = whole(kept) and weights[first].any() and weights[second].any()
        return (np.sort(kept), np.sort(first), np.sort(second)) if usable else None

    kept, first, second = _until(split)
    seeds = rng.choice(_SEEDS, (3, 2, models), replace=False)
    return SwapPair(kept, first, second, *seeds)


def _halves(
    target: Positions, shadow: Positions, records: int, whole: Callable[[Positions], bool], rng: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """Two complementary training sets, each with half of the target and half of the shadow records, shape (2, n)."""

    def split() -> npt.NDArray[np.bool_] | None:
        inside = np.zeros(records, dtype=bool)
        for half in (target, shadow):
            inside[rng.permutation(half)[: len(half) // 2]] = True
        usable = whole(np.flatnonzero(inside)) and whole(np.flatnonzero(~inside))
        return np.stack([inside, ~inside]) if usable else None

    return _until(split)


def _until(split: Callable[[], Drawn | None]) -> Drawn:
    for _ in range(MOST_DRAWS):
        if (drawn := split()) is not None:
            return drawn
    raise UnplayableError("no-split")
