"""Games with and without one person: the time of 1,000 games of each kind, drawn, played on both sides and compared.

Played in this process. The sandbox adds a process for each side and a round trip for each batch of histories.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from auditor.observing.games import pan_privacy
from auditor.observing.games.executions import Kind
from auditor.observing.games.experiment import experiment
from auditor.observing.histories.experiment import USUAL
from auditor.procedures.controllers import CONTROLLERS
from auditor.settings.controller import CONTROLLERS as VOCABULARIES
from benchmarks.in_process import InProcess, rooms
from benchmarks.measuring import line, seconds

PLAYED: Final = ("bulletin-board", "public-directory", "tree-counter")


def _play(kind: Kind, use: str, games: list[int]) -> None:
    tried = experiment(kind, VOCABULARIES[use], rooms(CONTROLLERS[use]), seed=0, sizes=USUAL)
    games.append(tried.games // 2)


def main() -> None:
    """Time them."""
    for use in PLAYED:
        for kind in Kind:
            games: list[int] = []
            taken = seconds(partial(_play, kind, use, games), repeats=3)
            line(f"1,000 games of {kind.value} against {use}", f"{taken / games[0] * 1000:.1f} s", "under 30 s")
    runs = pan_privacy.RUNS
    each = 2 * runs * (len(pan_privacy.ADVERSARIES) + 1)
    player, vocabulary = InProcess(CONTROLLERS["tree-counter"]), VOCABULARIES["tree-counter"]
    taken = seconds(lambda: pan_privacy.play(player, vocabulary, seed=0), repeats=3)
    line("1,000 rounds of the pan-privacy game against tree-counter", f"{taken / each * 1000:.1f} s", "under 30 s")


if __name__ == "__main__":
    main()
