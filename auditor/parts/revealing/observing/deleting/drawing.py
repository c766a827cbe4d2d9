"""What deletion games draw before any model is trained: who is learned, who is deleted, who is compared (Definition 3.1).

Each game has a set S of its own, a fresh random part of the training records. In the standard deletion one record of S goes,
and the adversary tells it from one that stays: both are drawn alike, so that nothing but the models tells them apart. Batches
delete the same record with others; in the chosen deletion the adversary named both records beforehand.

Where up to k deletions are declared (Definition 5.1), the environment asks for k − 1 of its own, one at a time: those nearest to
the two records in question, which hide them best, before the deletion in question or after it. They are the same whichever of
the two goes.

A set that lacks a class after its deletions is drawn again. That condition covers S without every record in question, deleted
or kept, so these stay exchangeable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import numpy as np

from auditor.base.draws import generator
from auditor.base.records import Dataset, Floats, Positions
from auditor.verdict.checks.deleting import LEAST_RECORDS, MOST_DRAWS, SEVERAL, Cause

SHARE: Final = 0.9
"""|S| as a share of the training records, as in the paper's experiments."""
CHOOSABLE: Final = 0.1
"""The share of S, hardest first, among which the adversary chooses."""
LEAST_FULLY: Final = 200
"""Games in which every deletion is tried; beyond these, one in five."""
_SEEDS: Final = 2**31
"""Seeds stay below it: many a procedure hands its seed to a generator that takes no more than 32 bits."""

Kind: TypeAlias = Literal["one", "own-before", "own-after", "chosen", "several-2", "several-5", "several-10", "several-20"]
"""Which deletion is tried: of one random record, of one before or after which the environment asks for deletions of its own, of
one that the adversary chose, of a batch."""
OWN: Final[tuple[Kind, ...]] = ("own-before", "own-after")


class UnplayableError(Exception):
    """The games cannot be played on this data."""

    def __init__(self, cause: Cause) -> None:
        """Take note of the cause."""
        super().__init__(cause)
        self.cause: Cause = cause


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """One request for deletion. Positions are those of the training data."""

    trained: Positions
    """What the model stands for that is to forget, ascending."""
    gone: Positions
    seed: int

    @property
    def forget(self) -> Positions:
        """Where in `trained` the records stand, ascending."""
        return np.searchsorted(self.trained, np.sort(self.gone)).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """One set, the deletions that are tried on the same model of it, and the seeds. Positions are those of the training data."""

    trained: Positions
    """S, ascending, shape (s,)."""
    deleted: tuple[Positions, ...]
    """One array a deletion: the record that is in question, then those that go with it."""
    kept: Positions
    """Shape (deletions,): the record of S that stays and is held alongside the deleted one."""
    outside: Positions
    """Records that were never in S, in random order, shape (n - s,)."""
    learn_seed: int
    unlearn_seeds: tuple[int, ...]
    """One a deletion."""
    chains: Mapping[int, tuple[Positions, ...]] = field(default_factory=dict)
    """The requests, in order, of each deletion that is asked for in several."""

    def requests(self, number: int) -> tuple[Request, ...]:
        """What is asked for in a deletion, in order, each of the model that the one before left."""
        found, left = list[Request](), self.trained
        for turn, gone in enumerate(self.chains.get(number, (self.deleted[number],))):
            seed = self.unlearn_seeds[number]
            drawn = seed if turn == 0 else int(generator(seed, "deleting", "request", turn).integers(_SEEDS))
            found.append(Request(left, gone, drawn))
            left = np.setdiff1d(left, gone)
        return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """The games, and what each of their deletions is."""

    games: tuple[Game, ...]
    kinds: tuple[Kind, ...]
    """Of the deletions of a game, in order; games that try fewer try the first ones."""


def fully(games: int) -> int:
    """In how many of so many games every deletion is tried."""
    return min(games, max(LEAST_FULLY, games // 5))


def draw(
    data: Dataset,
    *,
    name: str,
    games: int,
    seed: int,
    classes: bool,
    share: float = SHARE,
    several: Sequence[int] = SEVERAL,
    fully: int | None = None,
    hardest: Positions | None = None,
    own: int = 0,
) -> Drawn:
    """Draw games.

    Args:
        data: The case's training data.
        name: Of the family: others draw others. The first k games of a longer series are those of one of length k.
        games: How many.
        seed: The auditor's own.
        classes: Whether labels are classes, of each of which a record must be left.
        share: |S| as a share of all records.
        several: Sizes of batches, in ascending order; those beyond a quarter of S are left out.
        fully: In how many games everything is tried; in the others the standard deletion and `own` alone. None for all.
        hardest: Shape (n,): all records, those first that an adversary would choose; None for no chosen deletion.
        own: How many deletions the environment asks for itself, before and after the standard one; 0 for none.

    Raises:
        UnplayableError: If there are too few records, or too few of a class.
    """
    records = len(data)
    if records < LEAST_RECORDS:
        raise UnplayableError("few-records")
    size = min(records - 1, max(2, int(share * records)))
    sizes = tuple(each for each in several if each <= size // 4)
    codes = np.unique(data.labels, return_inverse=True)[1] if classes else np.zeros(records, dtype=np.int64)
    kinds: tuple[Kind, ...] = (
        "one",
        *(OWN if own else ()),
        *(("chosen",) if hardest is not None else ()),
        *(_several(each) for each in sizes),
    )
    near = _Near(data.features, own) if own else None
    drawn = []
    for number in range(games):
        whole = fully is None or number < fully
        rng = generator(seed, "deleting", name, number)
        drawn.append(_game(codes, size, sizes if whole else (), hardest if whole else None, near, rng))
    return Drawn(tuple(drawn), kinds)


def _several(size: int) -> Kind:
    match size:
        case 2:
            return "several-2"
        case 5:
            return "several-5"
        case 10:
            return "several-10"
        case 20:
            return "several-20"
        case _:
            raise ValueError(f"batches have 2, 5, 10 or 20 records, found {size}")


class _Near:
    """The records that lie nearest to either of two, by columns of equal spread."""

    def __init__(self, features: Floats, count: int) -> None:
        rows = features.reshape(len(features), -1).astype(np.float64)
        spread = rows.std(axis=0)
        self._rows = (rows - rows.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        self._count = count

    def of(self, pair: Positions, inside: Positions) -> Positions:
        """So many records of S without the pair, in an order that does not depend on which of the two comes first."""
        others = np.setdiff1d(inside, pair)
        apart = [((self._rows[others] - self._rows[one]) ** 2).sum(axis=1) for one in pair]
        return others[np.argsort(np.minimum(*apart), kind="stable")[: self._count]]


def _game(
    codes: Positions,
    size: int,
    sizes: Sequence[int],
    hardest: Positions | None,
    near: _Near | None,
    rng: np.random.Generator,
) -> Game:
    for _ in range(MOST_DRAWS):
        order = rng.permutation(len(codes)).astype(np.int64)
        inside, outside = order[:size], order[size:]
        deleted, kept, chains = [inside[:1]], [inside[1]], dict[int, tuple[Positions, ...]]()
        if near is not None:
            own = near.of(inside[:2], inside)
            singly = tuple(own[turn : turn + 1] for turn in range(len(own)))
            chains = {1: (*singly, inside[:1]), 2: (inside[:1], *singly)}
            deleted += [np.concatenate([inside[:1], own])] * len(OWN)
            kept += [inside[1]] * len(OWN)
        if hardest is not None:
            first, second = _chosen(inside, hardest, rng)
            deleted.append(np.array([first], dtype=np.int64))
            kept.append(second)
        for each in sizes:
            deleted.append(np.concatenate([inside[:1], inside[2 : each + 1]]))
            kept.append(inside[1])
        touched = np.concatenate([*deleted, kept])
        if _whole(codes, np.setdiff1d(inside, touched)):
            seeds = rng.choice(_SEEDS, 1 + len(deleted), replace=False).tolist()
            return Game(
                trained=np.sort(inside),
                deleted=tuple(deleted),
                kept=np.array(kept, dtype=np.int64),
                outside=outside,
                learn_seed=seeds[0],
                unlearn_seeds=tuple(seeds[1:]),
                chains=chains,
            )
    raise UnplayableError("no-split")


def _chosen(inside: Positions, hardest: Positions, rng: np.random.Generator) -> tuple[int, int]:
    """Two of the hardest records of S, in random order: a fair coin deletes one of them."""
    ranked = hardest[np.isin(hardest, inside)]
    first, second = rng.choice(ranked[: max(2, int(CHOOSABLE * len(inside)))], 2, replace=False)
    return int(first), int(second)


def _whole(codes: Positions, left: Positions) -> bool:
    return len(np.unique(codes[left])) == int(codes.max(initial=-1)) + 1


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What the models of one game are asked."""

    game: Game
    rows: Floats
    """Shape (q, d): features, of records or of anything else."""


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What the models of one game answer."""

    before: Floats
    """Shape (q, classes), or (q,) for a regression: the model that learned S."""
    after: tuple[Floats, ...]
    """The same after each deletion, each from the model that learned S."""
    along: Mapping[int, tuple[Floats, ...]] = field(default_factory=dict)
    """The same between the requests of each deletion that is asked for in several."""

    def seen(self, number: int) -> tuple[Floats, ...]:
        """What the models of a deletion answered one after another, from the one that learned S to the last."""
        return (self.before, *self.along.get(number, ()), self.after[number])


def about(features: Floats, game: Game, *, population: int = 0) -> Asked:
    """Ask about the records in question of a game, and about records that were never learned.

    Rows 2i and 2i + 1 are the deleted and the kept record of deletion i; the first records of `outside` follow.

    Args:
        features: Shape (n, d), of the training data.
        game: The game.
        population: How many records outside to ask about in addition to the first.
    """
    pairs = [int(one) for each, kept in zip(game.deleted, game.kept, strict=True) for one in (each[0], kept)]
    return Asked(game, features[np.concatenate([np.array(pairs, dtype=np.int64), game.outside[: 1 + population]])])
