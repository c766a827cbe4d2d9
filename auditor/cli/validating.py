"""The command that looks before it leaps: validate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.base.errors import ProcedureError
from auditor.cli.foreseeing import explain_obstacles, print_rehearsal
from auditor.terminal.options import CasePath, Device, Json, Parts, Quiet, take_parts
from auditor.terminal.output import narrate, print_json, say
from auditor.terminal.progress import progress

if TYPE_CHECKING:
    from auditor.api.results.validating import Validated
    from auditor.case import Case

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
    """Read every input, try the procedure, estimate how long check takes.

    The procedure learns, predicts, unlearns and saves once, on 50 of the records, and trains on more of them to time a training.

    Exit codes: 0 check can run; 2 bad usage or input; 4 the procedure failed, or this machine cannot contain it.
    """
    from auditor.api.results import validating  # noqa: PLC0415
    from auditor.audit.auditing import Options, every_core  # noqa: PLC0415

    take_parts(context, part, case=case)
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
        if found.refutable is not None:
            typer.echo(told_foretold(found.refutable))
        if rehearsal is not None:
            print_rehearsal(read, rehearsal)
            if rehearsal.ahead:
                typer.echo(told_memory(rehearsal))
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
    from auditor.base.deletion_log.deletions import EXPLAINED, OPEN  # noqa: PLC0415

    left_open = sum(code in OPEN for code in codes)
    failing = len(codes) - left_open - sum(code in EXPLAINED for code in codes)
    if failing:
        return say("cli-log-fails", findings=failing)
    if left_open:
        return say("cli-log-open", findings=left_open)
    return say("cli-log-free")
