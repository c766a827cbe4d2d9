"""A whole controller, asked one short history: two people come, speak, and leave."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from auditor.audit.rehearsal.trying import Obstacle
from auditor.base.errors import ProcedureError
from auditor.base.histories import DELETE, Move
from auditor.case import Case
from auditor.parts.controllers.observing.histories.drawing import Drawing
from auditor.parts.controllers.observing.histories.playing import Play
from auditor.parts.controllers.observing.histories.sandboxed import Stand
from auditor.sandbox import Level

PROGRESS: Final = "rehearsal of the program"


def play(case: Case, *, level: Level, on_step: Callable[[str, int, int], None]) -> tuple[Obstacle, ...]:
    """Play one history with every operation of a case's controller; what stopped it.

    Raises:
        SandboxError: If the sandbox cannot be set up.
    """
    stand = Stand.of(case, level)
    table = case.settings.controller
    if table is None:
        return ()
    on_step(PROGRESS, 0, 1)
    draw = Drawing(table.vocabulary, Random(0))  # noqa: S311 - nothing secret is drawn
    people = draw.words(2)
    moves = [move for name in people for move in (*draw.speech(name), *draw.clock(), *draw.speech(name))]
    moves += [Move(name, DELETE, None) for name in people]
    try:
        with stand.player() as player:
            player.play([Play(0, tuple(moves))])
            player.held()
    except ProcedureError as error:
        return (Obstacle("play", None, str(error), error.stderr_tail),)
    finally:
        on_step(PROGRESS, 1, 1)
    return ()
