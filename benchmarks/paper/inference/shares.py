"""Shares of games that were won, with exact intervals, and which way of playing meets a number of the paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from auditor.maths.statistics.exact import clopper_pearson

CONFIDENCE: Final = 0.95
GAMES_OF_THE_PAPER: Final = 1000

Cells = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Share:
    """Some of so many games."""

    count: int
    games: int

    @property
    def percent(self) -> float:
        return 100 * self.count / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """In percent."""
        found = clopper_pearson(self.count, self.games, confidence=CONFIDENCE)
        return 100 * found.low, 100 * found.high

    def holds(self, percent: float) -> bool:
        """Whether a number with one digit after the point lies in the interval."""
        low, high = self.interval
        return low - 0.05 <= percent <= high + 0.05

    def overlaps(self, percent: float) -> bool:
        """Whether the interval of as many games as the paper's meets this one."""
        other = Share(round(GAMES_OF_THE_PAPER * percent / 100), GAMES_OF_THE_PAPER)
        return self.interval[0] <= other.interval[1] and other.interval[0] <= self.interval[1]

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.percent:.1f} [{low:.1f}, {high:.1f}]"


def share(cells: Cells, cell: str, attack: str, *, counting: str = "won") -> Share | None:
    """Of a cell and attack the games won, ties by a coin; or counted otherwise. None where none was played.

    Args:
        cells: By name.
        cell: A name.
        attack: As the cell's games have it.
        counting: "won", "wins", "ties", or "wins + ties", all of which count as won then.
    """
    found = cells.get(cell)
    if not found or f"{attack}.wins" not in found["sums"]:
        return None
    wins, ties, ties_won = (round(found["sums"][f"{attack}.{kind}"]) for kind in ("wins", "ties", "ties_won"))
    counted = {"won": wins + ties_won, "wins": wins, "ties": ties, "wins + ties": wins + ties}
    return Share(counted[counting], found["games"])


def mean(cells: Cells, cell: str, key: str) -> tuple[float, float] | None:
    """The mean of a number over a cell's games, and its standard error."""
    found = cells.get(cell)
    if not found or key not in found["sums"] or found["games"] < 2:
        return None
    games = found["games"]
    average = found["sums"][key] / games
    variance = max(0.0, found["squares"][key] / games - average**2) * games / (games - 1)
    return average, (variance / games) ** 0.5
