"""How far the histories of one check are, towards a number that is an estimate: what is found decides how many are played."""

from __future__ import annotations

from collections.abc import Callable

from auditor.parts.controllers.observing.histories.adversaries import ALIKE, RANDOM, SCRIPTED
from auditor.parts.controllers.observing.histories.experiment import Sizes


def expected(sizes: Sizes) -> int:
    """How many histories a game of so much is about: both sides of every pair, before anything is found."""
    return 2 * (sizes.ways * (len(SCRIPTED) + len(ALIKE)) + sizes.by_chance * len(RANDOM) + sizes.searched)


class Pace:
    """Counts the histories of one check."""

    def __init__(self, name: str, expected: int, on_step: Callable[[str, int, int], None]) -> None:
        """Say that it begins.

        Args:
            name: Of the check, for anyone who watches.
            expected: How many histories will be about all.
            on_step: Called with the name, the histories played and those expected in all, never fewer than were played.
        """
        self._name, self._expected, self._on_step = name, max(1, expected), on_step
        self._played = 0
        on_step(name, 0, self._expected)

    def played(self, histories: int) -> None:
        """Take note of histories; where they are more than were expected, as many again may come."""
        self._played += histories
        while self._played >= self._expected:
            self._expected += max(1, self._expected // 4)
        self._on_step(self._name, self._played, self._expected)

    def end(self) -> None:
        """Say that it is over."""
        self._on_step(self._name, max(1, self._played), max(1, self._played))
