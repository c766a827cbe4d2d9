"""What an audit would take, on the terminal: its runs, what each check costs, memory and disk, and what fits a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import typer

from auditor.base.errors import ProcedureError
from auditor.terminal.output import narrate, print_json, say, whisper
from auditor.terminal.progress import progress, span

if TYPE_CHECKING:
    from auditor.audit.auditing import Options
    from auditor.audit.rehearsal import Ahead, Fitted, Obstacle, Rehearsal
    from auditor.case import Case

_Headings: TypeAlias = Mapping[str, Literal["left", "right"]]
_RUNS: Final[_Headings] = {
    "what runs": "left",
    "trainings": "right",
    "unlearnings": "right",
    "about": "right",
    "kept": "right",
    "when": "left",
}
_CHECKS: Final[_Headings] = {"checks": "left", "decide": "left", "rest on": "left", "at most": "right"}


def foresee(
    read: Case,
    options: Options,
    folder: Path,
    *,
    runs: str | None,
    budget: str | None,
    seats: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print what an audit would run, and what that takes, after the procedure was tried on a few records.

    Args:
        read: The case.
        options: Those of the audit.
        folder: Where it would write.
        runs: Where finished runs would be kept; in that folder if left out.
        budget: A time to fit into.
        seats: How many runs a cluster takes at a time; None where all runs are on this machine.
        as_json: Whether to print JSON.
        quiet: Whether to say nothing on the way.

    Raises:
        UsageError: If it cannot be fitted into the budget.
        typer.Exit: With code 4, if something is in its way.
    """
    from auditor.api.results import rehearsals as told  # noqa: PLC0415
    from auditor.audit.rehearsal import refutable  # noqa: PLC0415

    rehearsal, fitted = _rehearse(read, options, budget, seats, quiet=quiet)
    disk = told.disk_of(rehearsal, folder, runs)
    single = refutable(read, options.only if fitted is None else fitted.options.only)
    if as_json:
        print_json({**told.rehearsed(rehearsal, disk, fitted), **told.foretold(single)})
    elif not rehearsal.obstacles:
        _print_runs(rehearsal)
        _print_costs(rehearsal)
        if single is not None:
            typer.echo(told.told_foretold(single))
        print_rehearsal(read, rehearsal)
        if rehearsal.ahead:
            typer.echo(told.told_memory(rehearsal, elsewhere=seats is not None))
            typer.echo(told.told_disk(rehearsal, disk))
        elif rehearsal.pace is None:
            typer.echo(say("cli-ahead-nothing" if read.answers is not None else "cli-ahead-program"))
        for line in () if fitted is None else told.told_fitted(fitted):
            typer.echo(line)
    if rehearsal.obstacles:
        explain_obstacles(rehearsal.obstacles)
        raise typer.Exit(ProcedureError.exit_code)


def fit(read: Case, options: Options, *, budget: str, seats: int | None, quiet: bool) -> tuple[Case, Options]:
    """Fit an audit into a time, and say what that costs; see `foresee`.

    Raises:
        UsageError: If it cannot be.
        typer.Exit: With code 4, if something is in the way of an audit.
    """
    from auditor.api.results.rehearsals import told_fitted  # noqa: PLC0415

    rehearsal, fitted = _rehearse(read, options, budget, seats, quiet=quiet)
    if fitted is None:
        explain_obstacles(rehearsal.obstacles)
        raise typer.Exit(ProcedureError.exit_code)
    for line in told_fitted(fitted):
        narrate(line, quiet=quiet)
    return fitted.case, replace(fitted.options, workers=options.workers)


def _rehearse(
    read: Case, options: Options, budget: str | None, seats: int | None, *, quiet: bool
) -> tuple[Rehearsal, Fitted | None]:
    """Try the procedure here, and say how far that is; fit the audit into the budget where there is one."""
    from auditor.audit.rehearsal import rehearse_within  # noqa: PLC0415

    if seats is not None:
        narrate(say("cli-timed-here"), quiet=quiet)
    with progress(shown=not quiet) as on_step:
        return rehearse_within(read, replace(options, on_step=on_step, workers=seats or options.workers), budget)


def _print_runs(rehearsal: Rehearsal) -> None:
    """The runs of an audit, family by family."""
    from auditor.api.results.rehearsals import told_kept  # noqa: PLC0415

    rows = []
    for each in rehearsal.ahead:
        when = say("cli-ahead-if-open") if each.if_open else say("cli-ahead-always")
        rows.append((each.name, f"{each.trainings}", f"{each.unlearnings}", span(each.seconds), told_kept(each.kept), when))
    _table(_RUNS, rows)


def _print_costs(rehearsal: Rehearsal) -> None:
    """What each check costs; those that rest on the same runs in one row."""
    from auditor.api.results.rehearsals import told_cost  # noqa: PLC0415

    rows = []
    for each in rehearsal.costs:
        decide = say("cli-decides") if each.decides else ""
        rest = ", ".join(each.runs) or say("cli-unknown" if each.more else "cli-cost-none")
        rows.append((", ".join(each.checks), decide, rest, told_cost(each)))
    _table(_CHECKS, rows)


def _table(headings: _Headings, rows: Sequence[Sequence[str]]) -> None:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD)
    for heading, justify in headings.items():
        table.add_column(heading, justify=justify)
    for row in rows:
        table.add_row(*row)
    if rows:
        Console().print(table)


def print_rehearsal(read: Case, rehearsal: Rehearsal) -> None:
    """What ran, and what an audit will take."""
    if not read.settings.procedure.learns:
        if not rehearsal.obstacles:
            typer.echo(say("cli-rehearsed-program"))
        return
    pace = rehearsal.pace
    if rehearsal.rows is None or pace is None:
        return
    took = span(pace.learn) if pace.learn >= 1 else say("cli-span-under-a-second")
    ran = "cli-rehearsed" if pace.measured else "cli-rehearsed-about"
    typer.echo(say(ran, rows=rehearsal.rows, records=len(read.train), seconds=took))
    least, most = rehearsal.estimate(whole=False), rehearsal.estimate(whole=True)
    if least is None or most is None:
        return
    narrow = most <= 1.5 * least
    counted = [each for each in rehearsal.ahead if narrow or not each.if_open]
    typer.echo(say("cli-ahead", seconds=span(most if narrow else least), **_counts(counted), workers=rehearsal.workers))
    if not narrow:
        typer.echo(say("cli-ahead-open", seconds=span(most), **_counts(rehearsal.ahead)))


def _counts(ahead: Sequence[Ahead]) -> dict[str, int]:
    return {"trainings": sum(each.trainings for each in ahead), "unlearnings": sum(each.unlearnings for each in ahead)}


def explain_obstacles(obstacles: Sequence[Obstacle]) -> None:
    """One message for each obstacle, on stderr."""
    from auditor.api.results.rehearsals import told_obstacle  # noqa: PLC0415

    for each in obstacles:
        whisper(f"auditor: {told_obstacle(each)}")
        if each.stderr:
            whisper(say("cli-obstacle-stderr"))
            for line in each.stderr.splitlines():
                whisper(f"  {line}")
    whisper(say("cli-obstacles", count=len(obstacles)))
