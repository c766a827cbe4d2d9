"""What an audit would take, on the terminal: its runs, what each check costs, memory and disk, and what fits a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

import typer

from auditor.base.errors import ProcedureError
from auditor.terminal.options import CasePath, Device, Json, Parts, Quiet, take_parts
from auditor.terminal.output import narrate, not_installed, print_json, say, whisper
from auditor.terminal.progress import progress, span

if TYPE_CHECKING:
    from auditor.api.results.rehearsals import Validated
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
        if rehearsal.ahead and rehearsal.pace is not None:
            typer.echo(told.told_memory(rehearsal, elsewhere=seats is not None))
            typer.echo(told.told_disk(rehearsal, disk))
        elif not rehearsal.ahead and read.answers is not None:
            typer.echo(say("cli-ahead-nothing"))
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

    counts = ((each, *(("", "") if each.histories else _numbers(each))) for each in rehearsal.ahead)
    rows = [(each.name, *both, span(each.seconds), told_kept(each.kept), _when(each)) for each, *both in counts]
    _table(_RUNS, rows)


def _numbers(row: Ahead) -> tuple[str, str]:
    return f"{row.trainings}", f"{row.unlearnings}"


def _when(row: Ahead) -> str:
    """Say when a row of the plan runs."""
    if row.too_long:
        return say("cli-ahead-too-long")
    if row.if_revealed:
        return say("cli-ahead-if-revealed")
    return say("cli-ahead-if-rejected" if row.if_rejected else "cli-ahead-if-open" if row.if_open else "cli-ahead-always")


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
    if read.places:
        typer.echo(say("cli-ahead-places", files=sum(len(each.files) for each in read.places)))
        return
    if not read.settings.procedure.learns:
        if not rehearsal.obstacles:
            typer.echo(say("cli-rehearsed-program"))
        seconds, histories = rehearsal.estimate(whole=False), sum(each.histories for each in rehearsal.ahead)
        if seconds is not None:
            typer.echo(say("cli-ahead-histories", histories=histories, seconds=span(seconds)))
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
    counted = rehearsal.runs(whole=narrow)
    typer.echo(say("cli-ahead", seconds=span(most if narrow else least), **_counts(counted), workers=rehearsal.workers))
    if not narrow:
        typer.echo(say("cli-ahead-open", seconds=span(most), **_counts(rehearsal.runs(whole=True))))
    for each in rehearsal.ahead:
        if each.if_rejected:
            said = "cli-ahead-second-too-long" if each.too_long else "cli-ahead-second"
            typer.echo(say(said, name=each.name, trainings=each.trainings, seconds=span(each.seconds)))


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
        if lacking := not_installed(f"{each.said}\n{each.stderr}"):
            whisper(lacking)
    whisper(say("cli-obstacles", count=len(obstacles)))


_LISTED, _LONGEST = 1000, 500
"""How many findings are printed, and how many characters of each: a log may have a million rows and ids of any length."""


def validate(
    context: typer.Context,
    case: CasePath,
    no_run: Annotated[bool, typer.Option("--no-run", help="Read the inputs only; do not run the procedure.")] = False,
    device: Annotated[Device, typer.Option(help="Where the procedure computes.")] = Device.AUTO,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Runs at a time to estimate for; one per core if left out.", show_default=False)
    ] = None,
    part: Parts = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Read every input, try the procedure, estimate the time.

    The procedure learns, predicts, unlearns and saves once, on 50 of the records, and trains on more of them to time a training.

    Exit codes: 0 check can run; 2 bad usage or input; 4 the procedure failed, or this machine cannot contain it.
    """
    from auditor.api.results import rehearsals  # noqa: PLC0415
    from auditor.audit.auditing import Options, every_core  # noqa: PLC0415
    from auditor.case import parts_named  # noqa: PLC0415

    take_parts(context, part, of_case=parts_named(case))
    with progress(shown=not quiet and not no_run) as on_step:
        options = Options(
            device=device.value,
            workers=jobs if jobs is not None else every_core(),
            on_step=on_step,
            on_notice=lambda said: narrate(say("cli-notice", said=said)),
        )
        found = rehearsals.validate(case, None if no_run else options)
    if as_json:
        print_json(found.facts)
    else:
        _print(found, quiet=quiet)
    if found.rehearsal is not None and found.rehearsal.obstacles:
        explain_obstacles(found.rehearsal.obstacles)
        raise typer.Exit(ProcedureError.exit_code)


def _print(found: Validated, *, quiet: bool) -> None:
    from auditor.api.results.rehearsals import told_foretold, told_memory  # noqa: PLC0415

    read, rehearsal = found.case, found.rehearsal
    if not quiet:
        typer.echo(_described(read))
        _print_findings(found)
        for each in found.warnings:
            typer.echo(say("cli-warning", said=say(f"cli-warning-{each.code}", **each.given)))
        if read.settings.procedure.learns:
            typer.echo(_kept(read.settings.case.keep_until))
        if found.refutable is not None:
            typer.echo(told_foretold(found.refutable))
        if rehearsal is not None:
            print_rehearsal(read, rehearsal)
            if rehearsal.ahead and rehearsal.pace is not None:
                typer.echo(told_memory(rehearsal))
    if rehearsal is not None and rehearsal.obstacles:
        return
    name, learns = read.settings.case.name, read.settings.procedure.learns
    read_alone = "" if rehearsal is not None else say("cli-valid-read-alone")
    if learns or read.places:
        typer.echo(_ending(name, [each.code for each in found.findings]) + read_alone)
    else:
        typer.echo(say("cli-valid-program", name=name) + read_alone)


def _print_findings(found: Validated) -> None:
    from auditor.base.deletion_log.deadlines import without_reason  # noqa: PLC0415

    for item in found.findings[:_LISTED]:
        said = item.message if len(item.message) <= _LONGEST else f"{item.message[:_LONGEST]} …"
        typer.echo(say("cli-log-row", row=item.row, code=item.code, said=said))
    if len(found.findings) > _LISTED:
        typer.echo(say("cli-log-more", more=len(found.findings) - _LISTED))
    if bare := sum(map(without_reason, found.case.requests)):
        typer.echo(say("cli-log-refused-bare", count=bare))
    if found.case.columns_not_read:
        typer.echo(say("cli-columns-unread", names=", ".join(found.case.columns_not_read)))


def _described(read: Case) -> str:
    """What a case is made of."""
    name, controller = read.settings.case.name, read.settings.controller
    if controller is not None and not read.settings.procedure.learns:
        operations = ", ".join((*controller.vocabulary.arguments, "delete"))
        return say("cli-case-program", name=name, controller=controller.named, operations=operations)
    if read.places:
        files = sum(len(each.files) for each in read.places)
        return say("cli-case-places", name=name, places=len(read.places), files=files, requests=len(read.requests))
    records, features = read.train.features.shape
    model = say("cli-a-model-file") if read.settings.model else say("cli-no-model-file")
    model = model if read.answers is None else say("cli-answers-alone")
    return say("cli-case", name=name, records=records, features=features, requests=len(read.requests), model=model)


def _kept(until: date | None) -> str:
    """How long the records of a case are kept."""
    from auditor.pages import wording  # noqa: PLC0415

    return say("cli-keep-a-year") if until is None else say("cli-keep-until", day=wording.day(until))


def _ending(name: str, codes: Sequence[str]) -> str:
    """Say whether a case is valid: not without a "but" where the findings in its log keep it from a pass."""
    from auditor.base.deletion_log.deletions import EXPLAINED, HARMLESS, OPEN  # noqa: PLC0415

    left_open = sum(code in OPEN for code in codes)
    failing = len(codes) - left_open - sum(code in EXPLAINED | HARMLESS for code in codes)
    if failing:
        return say("cli-valid-but-fails", name=name, findings=failing)
    if left_open:
        return say("cli-valid-but-open", name=name, findings=left_open)
    return say("cli-valid", name=name)
