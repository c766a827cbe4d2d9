"""Games with and without one person: the time of 1,000 games of each kind, drawn, played on both sides and compared.

Played in this process. The sandbox adds a process for each side and a round trip for each batch of histories.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from auditor.base.parts import named
from auditor.parts.controllers.observing.games import pan_privacy
from auditor.parts.controllers.observing.games.executions import Kind
from auditor.parts.controllers.observing.games.experiment import experiment
from auditor.parts.controllers.observing.histories import experiment as histories
from auditor.settings.controller import controllers
from benchmarks.in_process import InProcess, rooms
from benchmarks.measuring import Figure, Times, times

_COUNTER: Final = controllers()["tree-counter"]
PLAYED: Final = ("bulletin-board", "public-directory", "tree-counter")
ROWS: Final = {Kind.CONTROL: "control", Kind.CONFIDENTIALITY: "confidentiality"}


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is played, and how often."""

    games: histories.Sizes
    runs: int
    """Of either side of the game with one look at the state."""
    repeats: int
    played: tuple[str, ...] = PLAYED


USUAL = Sizes(histories.USUAL, pan_privacy.RUNS, repeats=3)
TINY = Sizes(histories.Sizes(ways=1, by_chance=1, searched=1, fresh=4), runs=4, repeats=1, played=("public-directory",))


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Time them: a row of games has the repeats against each controller."""
    for kind, row in ROWS.items():
        taken = [_per_thousand(kind, use, sizes) for use in sizes.played]
        wall, processor = (tuple(sum((getattr(each, name) for each in taken), ())) for name in ("wall", "processor"))
        yield Times(wall, processor).figure(row)
    each = 2 * sizes.runs * (len(pan_privacy.ADVERSARIES) + 1)
    player, vocabulary = InProcess(named(_COUNTER.build)), _COUNTER.vocabulary
    found = times(lambda: pan_privacy.play(player, vocabulary, seed=0, runs=sizes.runs), repeats=sizes.repeats)
    yield _scaled(found, 1_000 / each).figure("pan-privacy")


def _per_thousand(kind: Kind, use: str, sizes: Sizes) -> Times:
    games: list[int] = []
    found = times(partial(_play, kind, use, sizes, games), repeats=sizes.repeats, warm_up=0)
    return _scaled(found, 1_000 / games[0])


def _play(kind: Kind, use: str, sizes: Sizes, games: list[int]) -> None:
    tried = experiment(kind, controllers()[use].vocabulary, rooms(named(controllers()[use].build)), seed=0, sizes=sizes.games)
    games.append(tried.games // 2)


def _scaled(found: Times, by: float) -> Times:
    return Times(tuple(by * each for each in found.wall), tuple(by * each for each in found.processor))
