"""The steps of a game: a requester plays against the procedure, and says of what was released which world it comes from.

They stand apart from the steps that ask one method: a game is many calls, in an order that the requester decides.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from auditor.base.records import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Play:
    """Games of the specification's requester against the procedure, on the whole training table, one after another.

    A game: the procedure learns, in world 1 with the requester's stand-in at its target's place; the requester names what is
    deleted or replaced next, once in each round but the last; in the last round the target is deleted. What comes back is what
    is released then: the parameters.

    Raises:
        ValueError: If there is no game, the lists have different lengths, a world is neither 0 nor 1, or there is no round.
    """

    name: ClassVar[str] = "play"
    worlds: tuple[int, ...]
    seeds: tuple[int, ...] = field(repr=False)
    """One a game: learn gets it, and the k-th round it plus k."""
    draws: tuple[int, ...] = field(repr=False)
    """One a game, for the requester's own generator."""
    rounds: int
    seen: int
    """How many released models the requester is shown: the first ones, or those that it says it wants to see."""
    longest: float | None = None
    """The largest Euclidean norm that a record of the requester's may have; None for any."""

    def __post_init__(self) -> None:
        """Refuse games that are not."""
        if not self.worlds or not len(self.worlds) == len(self.seeds) == len(self.draws):
            raise ValueError("play: expected as many seeds and draws as worlds, and at least one")
        if not set(self.worlds) <= {0, 1} or not 0 <= self.seen <= self.rounds or self.rounds < 1:
            raise ValueError("play: expected worlds 0 and 1, a round, and at most as many models seen as there are rounds")

    @property
    def calls(self) -> int:
        """How many calls of the procedure the games take."""
        return len(self.worlds) * (self.rounds + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Guess:
    """What the specification's requester says of released models: its optional `guess(released)`, 0 or 1 for each.

    Asked in another process than the games were played in, so that it knows of no game but what was released.

    Raises:
        ValueError: If what was released is no table of numbers.
    """

    name: ClassVar[str] = "guess"
    released: Floats
    """Shape (games, k)."""

    def __post_init__(self) -> None:
        """Refuse anything but a table of numbers."""
        if self.released.ndim != 2 or self.released.dtype != np.float64:
            raise ValueError("released: expected a float64 array of shape (games, k)")
