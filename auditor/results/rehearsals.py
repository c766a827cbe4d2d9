"""A rehearsal as programs and people read it: its JSON, what is in the way of an audit, what was cut to fit a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from auditor.errors import ProcedureError
from auditor.rehearsing import Fitted, Obstacle, Rehearsal
from auditor.words.spans import span
from auditor.words.texts import say


def rehearsed(rehearsal: Rehearsal, fitted: Fitted | None = None) -> dict[str, Any]:
    """Write a rehearsal as JSON, and what was cut to fit a time; what the procedure wrote to stderr stays out."""
    pace, budget = rehearsal.pace, None if fitted is None else fitted.options.budget
    return {
        "rows": rehearsal.rows,
        "obstacles": [
            {"call": each.call, "rows": each.rows, "message": each.said, "few_rows_only": each.few}
            for each in rehearsal.obstacles
        ],
        "training_seconds": None if pace is None else pace.learn,
        "training_measured": None if pace is None else pace.measured,
        "workers": rehearsal.workers,
        "seconds_at_least": rehearsal.estimate(whole=False),
        "seconds_at_most": rehearsal.estimate(whole=True),
        "runs": [
            {
                "name": each.name,
                "trainings": each.trainings,
                "unlearnings": each.unlearnings,
                "seconds": each.seconds,
                "only_where_the_release_is_open": each.if_open,
            }
            for each in rehearsal.ahead
        ],
        **({} if budget is None else {"budget": budget.model_dump(mode="json")}),
    }


def told_fitted(fitted: Fitted) -> Iterator[str]:
    """Say what was cut to fit a time, each thing with what it costs."""
    yield say("cli-fitted", cuts=len(fitted.weaker) + len(fitted.left_out), seconds=span(fitted.seconds))
    for each in fitted.weaker:
        given = {"key": each.key, "declared": each.declared, "used": each.used}
        name = f"cli-fitted-{each.key.replace('.', '-')}"
        yield say(name, **given, before=f"{each.before:.1%}", after=f"{each.after:.1%}")
    if fitted.left_out:
        yield say("cli-fitted-left-out", names=", ".join(fitted.left_out))


def told_obstacle(obstacle: Obstacle) -> str:
    """Say what is in the way of an audit."""
    rows = "" if obstacle.rows is None else say("cli-obstacle-rows", rows=obstacle.rows)
    few = say("cli-obstacle-few") if obstacle.few else ""
    return say("cli-obstacle", call=obstacle.call, rows=rows, said=obstacle.said) + few


def in_the_way(obstacles: Sequence[Obstacle]) -> ProcedureError:
    """Make one error of everything that is in the way of an audit."""
    lines = [*map(told_obstacle, obstacles), say("cli-obstacles", count=len(obstacles))]
    return ProcedureError("\n".join(lines), stderr_tail="\n".join(each.stderr for each in obstacles if each.stderr))
