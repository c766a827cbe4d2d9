"""The command that looks before it leaps: validate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from auditor.cli.options import CasePath, Device, Json, Quiet
from auditor.cli.output import narrate, print_json, say, whisper
from auditor.cli.progress import progress, span
from auditor.errors import ProcedureError

if TYPE_CHECKING:
    from auditor.audit import Options
    from auditor.case import Case
    from auditor.rehearsing import Ahead, Fitted, Obstacle, Rehearsal
    from auditor.results.validating import Validated

_LISTED, _LONGEST = 1000, 500
"""How many findings are printed, and how many characters of each: a log may have a million rows and ids of any length."""

_HEADINGS: Final[Mapping[str, Literal["left", "right"]]] = {
    "what runs": "left",
    "trainings": "right",
    "unlearnings": "right",
    "about": "right",
    "when": "left",
}


def validate(
    case: CasePath,
    no_run: Annotated[bool, typer.Option("--no-run", help="Read alone: the procedure is not run.")] = False,
    device: Annotated[Device, typer.Option(help="Where the procedure computes.")] = Device.AUTO,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Runs at a time of the audit to come; one per core if left out.", show_default=False)
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Read every input, try the procedure, say what check takes.

    The procedure learns, predicts, unlearns and saves once, on 50 of the records.

    Exit codes: 0 nothing is in the way of check; 2 bad usage or input; 4 the procedure failed, or this machine cannot contain it.
    """
    from auditor.audit import Options, every_core  # noqa: PLC0415
    from auditor.results import validating  # noqa: PLC0415

    with progress(shown=not quiet and not no_run) as on_step:
        options = Options(
            device=device.value,
            workers=jobs if jobs is not None else every_core(),
            on_step=on_step,
            on_notice=lambda said: narrate(say("cli-notice", said=said)),
        )
        found = validating.validate(case, None if no_run else options)
    if as_json:
        print_json(found.facts)
    else:
        _print(found, quiet=quiet)
    if found.rehearsal is not None and found.rehearsal.obstacles:
        _explain(found.rehearsal.obstacles)
        raise typer.Exit(ProcedureError.exit_code)


def foresee(read: Case, options: Options, *, budget: str | None, as_json: bool, quiet: bool) -> None:
    """Print what an audit would run, and what that takes, after the procedure was tried on a few records.

    Raises:
        UsageError: If it cannot be fitted into the budget.
        typer.Exit: With code 4, if something is in its way.
    """
    from auditor.results.rehearsals import rehearsed, told_fitted  # noqa: PLC0415

    rehearsal, fitted = _rehearse(read, options, budget, quiet=quiet)
    if fitted is not None and rehearsal.foresee is not None:
        rehearsal = replace(rehearsal, ahead=rehearsal.foresee(fitted.case, fitted.options))
    if as_json:
        print_json(rehearsed(rehearsal, fitted))
    elif not rehearsal.obstacles:
        _table(rehearsal)
        _print_rehearsal(read, rehearsal)
        for line in () if fitted is None else told_fitted(fitted):
            typer.echo(line)
    if rehearsal.obstacles:
        _explain(rehearsal.obstacles)
        raise typer.Exit(ProcedureError.exit_code)


def fit(read: Case, options: Options, *, budget: str, quiet: bool) -> tuple[Case, Options]:
    """Fit an audit into a time, and say what that costs.

    Raises:
        UsageError: If it cannot be.
        typer.Exit: With code 4, if something is in the way of an audit.
    """
    from auditor.results.rehearsals import told_fitted  # noqa: PLC0415

    rehearsal, fitted = _rehearse(read, options, budget, quiet=quiet)
    if fitted is None:
        _explain(rehearsal.obstacles)
        raise typer.Exit(ProcedureError.exit_code)
    for line in told_fitted(fitted):
        narrate(line, quiet=quiet)
    return fitted.case, fitted.options


def _rehearse(read: Case, options: Options, budget: str | None, *, quiet: bool) -> tuple[Rehearsal, Fitted | None]:
    """Try the procedure, and say how far that is; fit the audit into the budget where there is one."""
    from auditor.rehearsing import rehearse_within  # noqa: PLC0415

    with progress(shown=not quiet) as on_step:
        return rehearse_within(read, replace(options, on_step=on_step), budget)


def _table(rehearsal: Rehearsal) -> None:
    """The runs of an audit, family by family."""
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD)
    for heading, justify in _HEADINGS.items():
        table.add_column(heading, justify=justify)
    for each in rehearsal.ahead:
        when = say("cli-ahead-if-open") if each.if_open else say("cli-ahead-always")
        table.add_row(each.name, f"{each.trainings}", f"{each.unlearnings}", span(each.seconds), when)
    if rehearsal.ahead:
        Console().print(table)


def _print(found: Validated, *, quiet: bool) -> None:
    read, rehearsal = found.case, found.rehearsal
    if not quiet:
        typer.echo(_described(read))
        _print_findings(found)
        for each in found.warnings:
            typer.echo(say("cli-warning", said=say(f"cli-warning-{each.code}", **each.given)))
        if rehearsal is not None:
            _print_rehearsal(read, rehearsal)
    if rehearsal is not None and rehearsal.obstacles:
        return
    name, learns = read.settings.case.name, read.settings.procedure.learns
    read_alone = "" if rehearsal is not None else say("cli-valid-read-alone")
    if learns:
        typer.echo(say("cli-valid", name=name, log=_log_ending([each.code for each in found.findings])) + read_alone)
    else:
        typer.echo(say("cli-valid-program", name=name) + read_alone)


def _print_findings(found: Validated) -> None:
    for item in found.findings[:_LISTED]:
        said = item.message if len(item.message) <= _LONGEST else f"{item.message[:_LONGEST]} …"
        typer.echo(say("cli-log-row", row=item.row, code=item.code, said=said))
    if len(found.findings) > _LISTED:
        typer.echo(say("cli-log-more", more=len(found.findings) - _LISTED))
    if found.case.columns_not_read:
        typer.echo(say("cli-columns-unread", names=", ".join(found.case.columns_not_read)))


def _print_rehearsal(read: Case, rehearsal: Rehearsal) -> None:
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


def _explain(obstacles: Sequence[Obstacle]) -> None:
    """One message for each obstacle, on stderr."""
    from auditor.results.rehearsals import told_obstacle  # noqa: PLC0415

    for each in obstacles:
        whisper(f"auditor: {told_obstacle(each)}")
        if each.stderr:
            whisper(say("cli-obstacle-stderr"))
            for line in each.stderr.splitlines():
                whisper(f"  {line}")
    whisper(say("cli-obstacles", count=len(obstacles)))


def _described(read: Case) -> str:
    """What a case is made of."""
    name, controller = read.settings.case.name, read.settings.controller
    if controller is not None and not read.settings.procedure.learns:
        operations = ", ".join((*controller.vocabulary.arguments, "delete"))
        return say("cli-case-program", name=name, controller=controller.named, operations=operations)
    records, features = read.train.features.shape
    model = say("cli-a-model-file") if read.settings.model else say("cli-no-model-file")
    model = model if read.answers is None else say("cli-answers-alone")
    return say("cli-case", name=name, records=records, features=features, requests=len(read.requests), model=model)


def _log_ending(codes: Sequence[str]) -> str:
    """What the findings in a log would come to."""
    from auditor.deletions import EXPLAINED, OPEN  # noqa: PLC0415

    left_open = sum(code in OPEN for code in codes)
    failing = len(codes) - left_open - sum(code in EXPLAINED for code in codes)
    if failing:
        return say("cli-log-fails", findings=failing)
    if left_open:
        return say("cli-log-open", findings=left_open)
    return say("cli-log-free")
