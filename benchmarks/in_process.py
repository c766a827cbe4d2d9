"""Plays histories of a controller in this process, without the sandbox: for measurements, and for tests of the games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from auditor.base.histories import resolved
from auditor.parts.controllers.observing.histories.experiment import Rooms
from auditor.parts.controllers.observing.histories.playing import Play, Player, Ran


class InProcess:
    """Plays histories, each by a controller of its own."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    def play(self, plays: Sequence[Play]) -> list[Ran]:
        """Play them in order."""
        return [self._one(each) for each in plays]

    def _one(self, play: Play) -> Ran:
        controller = self._make()
        outputs: list[str | None] = [controller.initialize(play.tape)]
        for move in play.script:
            outputs.append(controller.activate(*resolved((move,), outputs)[0]))
        return Ran(tuple(outputs), controller.state())


def rooms(make: Callable[[], Any]) -> Rooms:
    """Two players, opened as often as asked."""

    @contextmanager
    def opened() -> Iterator[tuple[Player, Player]]:
        yield InProcess(make), InProcess(make)

    return opened
