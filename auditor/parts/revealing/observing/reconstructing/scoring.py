"""From distances of guesses to counts of games."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from auditor.attacks.reconstruction.nearness import Nearest, nearest, nothing
from auditor.base.domain import Floats
from auditor.parts.revealing.judging.reconstruction.observed import Tally, Wins


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
