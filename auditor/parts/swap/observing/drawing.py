"""What the SWAP test draws before anything is trained: halves, swap pairs, shadow models, seeds.

The records are cut once into a target half, the game's D, and a shadow half, on which attacks are fitted. A swap pair is a
split of the target half into R, F and T with |F| = |T|; the game is played on (R, F, T) and on (R, T, F) (Tu, Hu and Ma,
Section 3.3).

Every training set of the game holds every class, so that a procedure that sees the subset alone can predict all of them: splits
that do not are drawn again. That condition concerns R and halves alone, so F and T stay exchangeable.

The controller's own code is asked as the log asks it: F goes in up to three batches that follow one another in the log, in every
other pair with the log's own sizes, else as many records as alpha gives. Procedures of ours get them all at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from auditor.audit.replacing import draw_decoys
from auditor.base.draws import generator
from auditor.base.records import Dataset, Floats, Positions, joined
from auditor.parts.swap.judging.game import LEAST_FORGOTTEN, MOST_DRAWS, Cause, sizes

PROGRESS = "SWAP test"
"""What the bar of the whole game is called."""
MOST_BATCHES: Final = 3
"""Batches that the controller's own code unlearns one after another in a game."""
MOST_POPULATION = 200
"""Shadow records on which every model of the game is asked too, as the attacks' sample of unseen records."""
SEEDS = 2**31
"""Seeds of the game stay below it: many a procedure hands its seed to a generator that takes no more than 32 bits."""


Drawn = TypeVar("Drawn")
Batches: TypeAlias = tuple[Positions, ...]
"""Positions in the training data, one array a batch."""


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
    batches: tuple[Batches, Batches]
    """What is unlearned in s and in s', batch by batch: F, and T, in batches of the same sizes."""
    decoys: tuple[Batches, Batches]
    """What the no-unlearning baseline unlearns in their place: records of R, in as many batches."""

    @property
    def forgotten(self) -> int:
        """|F|."""
        return len(self.first)

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
    """Shape (j, n): what the shadow models are left with, `reserve` aside; 2i and 2i+1 are complementary halves."""
    reference_seeds: npt.NDArray[np.int64]
    """Shape (2, j): of learning and of unlearning."""
    reserve: Batches
    """What every shadow model learns as well and unlearns, batch by batch, so that it is of the kind that is attacked. No
    other model and no attack meets these records."""
    population: Positions
    """Shadow records that no model of a pair is trained on, shape (z,)."""
    weights: Floats
    """Shape (n,): 1, or the records' sensitivity."""

    @property
    def forgotten(self) -> int:
        """|F| where it is largest."""
        return max(pair.forgotten for pair in self.pairs)

    def reference_kept(self, number: int) -> Positions:
        """What a shadow model is left with, ascending."""
        kept = self.references[number].copy()
        kept[joined(self.reserve)] = False
        return np.flatnonzero(kept)

    def reference_trained(self, number: int) -> Positions:
        """What a shadow model learns, ascending."""
        trained = self.references[number].copy()
        trained[joined(self.reserve)] = True
        return np.flatnonzero(trained)


def draw(
    data: Dataset,
    *,
    pairs: int,
    models: int,
    alpha: float,
    reference_pairs: int,
    seed: int,
    log: Sequence[int] = (),
) -> Game:
    """Draw a game.

    Args:
        data: The case's training data.
        pairs: K, how many swap pairs.
        models: How many models are trained on each side of a pair.
        alpha: |F| / |R ∪ F|.
        reference_pairs: How many complementary pairs of shadow models.
        seed: The auditor's own. The first k pairs of a longer game are the pairs of one of length k.
        log: The sizes of the log's batches, where the game is to look like the log; else every F goes in one batch.

    Raises:
        UnplayableError: If there are too few records, or too few of a class.
    """
    classes, codes = np.unique(data.labels, return_inverse=True)
    weights = np.ones(len(data)) if data.sensitivity is None else data.sensitivity
    order = generator(seed, "swap", "halves").permutation(len(data))
    target, others = np.sort(order[: len(data) // 2]), order[len(data) // 2 :]
    _, forgotten = sizes(len(target), alpha)
    if forgotten < LEAST_FORGOTTEN:
        raise UnplayableError("few-to-forget")
    most = max(forgotten, len(target) // 4)

    def whole(positions: Positions) -> bool:
        return len(np.unique(codes[positions])) == len(classes)

    asked = [
        _batch_sizes(log, forgotten, most, as_logged=k % 2 == 1, rng=generator(seed, "swap", "sizes", k)) for k in range(pairs)
    ]
    drawn = tuple(
        _pair(
            target,
            asked[k],
            models,
            whole,
            weights,
            codes,
            generator(seed, "swap", "pair", k),
            generator(seed, "swap", "decoys", k),
        )
        for k in range(pairs)
    )
    spared = _fitted(asked[0], len(others) // 4)
    shadow, reserve = others[: len(others) - sum(spared)], cut(others[len(others) - sum(spared) :], spared)
    members = np.concatenate(
        [_halves((target, shadow), len(data), whole, generator(seed, "swap", "reference", i)) for i in range(reference_pairs)]
    )
    reference_seeds = generator(seed, "swap", "reference", "seeds").choice(SEEDS, (2, 2 * reference_pairs), replace=False)
    return Game(target, shadow, drawn, members, reference_seeds, reserve, shadow[:MOST_POPULATION], weights)


def _batch_sizes(log: Sequence[int], forgotten: int, most: int, *, as_logged: bool, rng: np.random.Generator) -> tuple[int, ...]:
    """How many records each batch of a pair forgets.

    Args:
        log: Of the log's batches; none for a single batch.
        forgotten: How many records alpha gives.
        most: How many there may be at most.
        as_logged: Whether the sizes shall be the log's own, as far as they leave enough records.
        rng: Draws where in the log the batches stand.
    """
    if not log:
        return (forgotten,)
    count = min(len(log), MOST_BATCHES)
    start = int(rng.integers(len(log) - count + 1))
    found = tuple(log[start : start + count])
    return _fitted(found, most) if as_logged else spread(found, max(forgotten, min(sum(found), most)))


def _fitted(wanted: tuple[int, ...], most: int) -> tuple[int, ...]:
    """Sizes of at most so many records in all."""
    return wanted if sum(wanted) <= most else spread(wanted[:most], most)


def spread(shares: tuple[int, ...], records: int) -> tuple[int, ...]:
    """So many records in batches of sizes as these shares, each of one record at least."""
    ends = np.cumsum(shares) * (records - len(shares)) // sum(shares)
    return tuple(int(size) + 1 for size in np.diff(ends, prepend=0))


def cut(positions: Positions, each: Sequence[int]) -> Batches:
    """Positions in batches of these sizes, each ascending."""
    return tuple(np.sort(part).astype(np.int64) for part in np.split(positions, np.cumsum(each)[:-1]))


def _pair(
    target: Positions,
    batches: tuple[int, ...],
    models: int,
    whole: Callable[[Positions], bool],
    weights: Floats,
    codes: Positions,
    rng: np.random.Generator,
    decoying: np.random.Generator,
) -> SwapPair:
    forgotten = sum(batches)
    retained = len(target) - 2 * forgotten

    def split() -> tuple[Positions, Positions, Positions] | None:
        mixed = rng.permutation(target)
        kept, first, second = np.split(mixed, [retained, retained + forgotten])
        usable = whole(kept) and weights[first].any() and weights[second].any()
        return (np.sort(kept), np.sort(first), np.sort(second)) if usable else None

    kept, first, second = until(split)
    learn, unlearn, control = rng.choice(SEEDS, (3, 2, models), replace=False)
    return SwapPair(
        kept,
        first,
        second,
        learn,
        unlearn,
        control,
        batches=(cut(decoying.permutation(first), batches), cut(decoying.permutation(second), batches)),
        decoys=(
            draw_decoys(kept, batches, labels=codes, rng=decoying),
            draw_decoys(kept, batches, labels=codes, rng=decoying),
        ),
    )


def _halves(
    parts: tuple[Positions, Positions], records: int, whole: Callable[[Positions], bool], rng: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """Two complementary training sets, each with half of the target and half of the shadow records, shape (2, n)."""
    every = np.zeros(records, dtype=bool)
    every[np.concatenate(parts)] = True

    def split() -> npt.NDArray[np.bool_] | None:
        inside = np.zeros(records, dtype=bool)
        for half in parts:
            inside[rng.permutation(half)[: len(half) // 2]] = True
        usable = whole(np.flatnonzero(inside)) and whole(np.flatnonzero(every & ~inside))
        return np.stack([inside, ~inside]) if usable else None

    return until(split)


def until(split: Callable[[], Drawn | None]) -> Drawn:
    """Draw until something comes of it.

    Raises:
        UnplayableError: If nothing does in `MOST_DRAWS` draws.
    """
    for _ in range(MOST_DRAWS):
        if (drawn := split()) is not None:
            return drawn
    raise UnplayableError("no-split")
