"""What reconstruction games draw before any model is trained: who is learned, who is deleted, who are the decoys.

Each game has a set S of its own. Candidates are drawn from S, one of each class or at random, and a fair draw deletes one: a
guess that owes nothing to the deletion is nearest to each of them with one and the same probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from auditor.attacks.reconstruction.records import Nearest, nearest, nothing
from auditor.base.draws import generator
from auditor.base.records import Dataset, Floats, Positions
from auditor.case import Case
from auditor.parts.revealing.judging.reconstruction.observed import DECOYS, Tally, Wins
from auditor.parts.revealing.observing.deleting.drawing import SHARE, Game, UnplayableError
from auditor.verdict.checks.deleting import LEAST_RECORDS, MOST_DRAWS


class Score:
    """The games of one attack."""

    def __init__(self, attack: str, *, decoys: int, rng: np.random.Generator) -> None:
        """Begin without games.

        Args:
            attack: Its name.
            decoys: In each game.
            rng: Decides ties.
        """
        self._attack, self._decoys, self._rng = attack, decoys, rng
        self._all: list[Nearest] = []
        self._two: list[Nearest] = []
        self.won: list[bool] = []
        """Of each game whether it was won, by the draw or without."""
        self._won_two: list[bool] = []
        self.blank = 0

    def add(self, distances: Floats | None) -> None:
        """Judge the guess of one game.

        Args:
            distances: Shape (1 + decoys,): to the deleted record, then to each decoy. None where nothing was guessed.
        """
        self.blank += distances is None
        whole = nothing(self._decoys) if distances is None else nearest(distances)
        two = nothing(1) if distances is None else nearest(distances[:2])
        self._all.append(whole)
        self._two.append(two)
        # One draw a game for both: an attack that wins against all decoys then wins against one of them.
        drawn = float(self._rng.random())
        self.won.append(_settled(whole, drawn))
        self._won_two.append(_settled(two, drawn))

    @property
    def wins(self) -> Wins:
        """The games against all decoys."""
        return _counted(self._all, self.won)

    @property
    def tally(self) -> Tally:
        """The same, with the games against one decoy."""
        counts = self.wins.model_dump()
        return Tally(attack=self._attack, of_two=_counted(self._two, self._won_two), **counts)


def _settled(found: Nearest, drawn: float) -> bool:
    return found.won or (found.tied > 0 and drawn < 1 / (1 + found.tied))


def _counted(games: Sequence[Nearest], won: Sequence[bool]) -> Wins:
    tied = [bool(each.tied) for each in games]
    return Wins(
        games=len(games),
        wins=sum(each.won for each in games),
        ties=sum(tied),
        ties_won=sum(each and right for each, right in zip(tied, won, strict=True)),
    )


_SEEDS: Final = 2**31


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """One game and its candidates. Positions are those of the training data."""

    game: Game
    """With one deletion, of one record."""
    decoys: Positions
    """Shape (k,): records of S that stay."""

    @property
    def deleted(self) -> int:
        """The position of the deleted record."""
        return int(self.game.deleted[0][0])

    @property
    def candidates(self) -> Positions:
        """Shape (1 + k,): the deleted record, then the decoys."""
        return np.concatenate([self.game.deleted[0], self.decoys])


def draw(data: Dataset, *, name: str, games: int, seed: int, classes: bool, each_class: bool = False) -> tuple[Drawn, ...]:
    """Draw games.

    Args:
        data: The case's training data.
        name: Of the check: others draw others. The first k games of a longer series are those of one of length k.
        games: How many.
        seed: The auditor's own.
        classes: Whether labels are classes, of each of which a record must be left.
        each_class: Whether candidates are one record of each class; otherwise any records.

    Raises:
        UnplayableError: If there are too few records, or too few of a class.
    """
    if len(data) < LEAST_RECORDS:
        raise UnplayableError("few-records")
    codes = np.unique(data.labels, return_inverse=True)[1] if classes else np.zeros(len(data), dtype=np.int64)
    size = min(len(data) - 1, max(2, int(SHARE * len(data))))
    return tuple(
        _game(codes, size, each_class=each_class, rng=generator(seed, "reconstructing", name, number)) for number in range(games)
    )


def _game(codes: Positions, size: int, *, each_class: bool, rng: np.random.Generator) -> Drawn:
    for _ in range(MOST_DRAWS):
        order = rng.permutation(len(codes)).astype(np.int64)
        inside, outside = order[:size], order[size:]
        candidates = _one_each(codes, inside, rng) if each_class else inside[: DECOYS + 1]
        # A class must be left without any candidate, so that nothing depends on which of them is deleted.
        if len(np.unique(codes[np.setdiff1d(inside, candidates)])) <= int(codes.max()):
            continue
        learn, unlearn = rng.choice(_SEEDS, 2, replace=False).tolist()
        game = Game(
            trained=np.sort(inside),
            deleted=(candidates[:1],),
            kept=candidates[1:2],
            outside=outside,
            learn_seed=learn,
            unlearn_seeds=(unlearn,),
        )
        return Drawn(game, candidates[1:])
    raise UnplayableError("no-split")


def _one_each(codes: Positions, inside: Positions, rng: np.random.Generator) -> Positions:
    """The first record of each class in a random order of records, in a random order of classes."""
    first = np.unique(codes[inside], return_index=True)[1]
    found: Positions = inside[rng.permutation(first)]
    return found


def most_probes(games: int, width: int, *, numbers: int, least: int, most: int) -> int:
    """How many probes of so many features each of the games can have, so that all together hold about so many numbers."""
    return int(np.clip(numbers // max(1, games * width), least, most))


def auxiliary(case: Case, drawn: Drawn, most: int) -> Dataset:
    """Records that the models never learned: of the holdout, or, without one, of what lies outside the set.

    Args:
        case: The case.
        drawn: The game.
        most: How many at most.
    """
    if case.holdout is not None:
        return case.holdout.subset(np.arange(min(most, len(case.holdout))))
    return case.train.subset(drawn.game.outside[:most])
