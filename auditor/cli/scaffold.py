"""The command that makes a case: init."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.base.errors import UsageError
from auditor.base.parts import constants
from auditor.terminal.options import Columns, Erasures, Json, Key, Order, Person, Quiet, States, Told, Unknown, Zone
from auditor.terminal.output import narrate, print_json, say

if TYPE_CHECKING:
    from auditor.case.scaffold import Begun, Tickets
    from auditor.case.scaffold.pickles import Answers


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder for the case.", show_default=False)],
    template: Annotated[
        str | None, typer.Option(metavar="NAME", help="The name of a sample case, or blank.", show_default=False)
    ] = None,
    code: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE[:NAME]",
            help="Python that builds your estimator or trains your network; read, never run.",
            show_default=False,
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="TABLE", help="Training data, deleted records included; CSV, Parquet or npz.", show_default=False),
    ] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="An export of erasure requests, or a .jsonl log.", show_default=False)
    ] = None,
    by_id: Annotated[
        str | None, typer.Option("--id", metavar="COLUMN", help="The column that holds record ids.", show_default=False)
    ] = None,
    label: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column that the model predicts.", show_default=False)
    ] = None,
    task: Annotated[str | None, typer.Option(metavar="TASK", help="classification or regression.", show_default=False)] = None,
    store: Annotated[
        Path | None, typer.Option(metavar="TABLE", help="The data as you keep them now.", show_default=False)
    ] = None,
    holdout: Annotated[
        Path | None, typer.Option(metavar="TABLE", help="Records that the model never saw.", show_default=False)
    ] = None,
    model: Annotated[Path | None, typer.Option(metavar="FILE", help="The file about to be released.", show_default=False)] = None,
    columns: Columns = None,
    person: Person = None,
    people: Annotated[
        Path | None, typer.Option(metavar="TABLE", help="A table with both columns of --person.", show_default=False)
    ] = None,
    unknown: Annotated[
        Unknown | None,
        typer.Option("--unknown", help="What to do with people or records that are not in the data.", show_default=False),
    ] = None,
    zone: Zone = None,
    dates: Order = None,
    state: States = None,
    erasures: Erasures = None,
    key: Key = None,
    log_from: Annotated[
        str | None,
        typer.Option(
            "--log-from",
            metavar="FORMAT",
            help="Format of the export: csv, opendsr, drp, transcend or jsonl.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a case from your own files or from a template.

    With --from and --data it inspects your files and writes a commented audit.toml, the log and, if needed, a short file that
    builds your estimator. It prints every guess with the option that overrides it, and never overwrites a file.
    """
    told = Told.of(locals())
    of_log = [*told.given, *(() if log_from is None else ("--log-from",))]
    if code is None:
        others = {"--data": data, "--log": log, "--id": by_id, "--label": label, "--task": task, "--store": store}
        others |= {"--holdout": holdout, "--model": model}
        if named := [*(name for name, value in others.items() if value is not None), *of_log]:
            raise UsageError(f"{named[0]}: expected --from FILE[:NAME] as well, such as model.py:build")
        _from_template(folder, template or "blank", as_json=as_json, quiet=quiet)
        return
    if template is not None:
        raise UsageError("--template: expected it or --from, found both")
    if data is None:
        raise UsageError("--from: expected --data TABLE as well, the training data with the deleted records")
    if log is None and of_log:
        raise UsageError(f"{', '.join(of_log)}: expected --log FILE as well")
    from auditor.api.results.purging.copies import remember  # noqa: PLC0415
    from auditor.case.scaffold import Given, begin  # noqa: PLC0415

    tickets = None if log is None else _tickets(log, told, log_from)
    given = Given(code=code, data=data, log=tickets, id=by_id, label=label, task=task, store=store, holdout=holdout, model=model)
    begun = begin(folder, replace(given, timezone=zone, pickled=_pickled))
    remember(folder.absolute(), (path.absolute() for path in begun.files))
    _tell(folder, begun, with_log=log is not None, as_json=as_json, quiet=quiet)


def _from_template(folder: Path, template: str, *, as_json: bool, quiet: bool) -> None:
    from auditor.case.scaffold import start  # noqa: PLC0415

    files = start(folder, template)
    if as_json:
        print_json({"template": template, "files": [str(path) for path in files]})
    elif not quiet:
        for path in files:
            typer.echo(path)
        following = say("cli-next-blank") if template == "blank" else say("cli-next-check")
        narrate(say("cli-next", following=following, folder=folder))


def _pickled(path: Path) -> Answers:
    """Ask the sandbox, which is loaded for such a file alone."""
    from auditor.audit.pickled_models import answers  # noqa: PLC0415

    return answers(path)


def _tickets(log: Path, told: Told, log_from: str | None) -> Tickets:
    """Have the part on the log take what was told about the export.

    Raises:
        UsageError: If an option is wrong.
    """
    tickets: Tickets = next(constants("tickets"))(log, told, log_from)
    return tickets


def _tell(folder: Path, begun: Begun, *, with_log: bool, as_json: bool, quiet: bool) -> None:
    """What was written and guessed, and what comes next."""
    if begun.addresses is not None:
        narrate(say("cli-init-addresses", column=begun.addresses, log="yes" if with_log else "no"), quiet=quiet)
    if as_json:
        taken = [{"key": name, "value": value, "why": why} for name, value, why in begun.taken]
        requests = None if begun.log is None else begun.log.requests
        lines = {
            "carried": [{"line": each.line, "source": each.source, "into": each.why} for each in begun.carried],
            "not_carried": [{"line": each.line, "source": each.source, "why": each.why} for each in begun.not_carried],
        }
        files = [str(path) for path in begun.files]
        print_json(
            {"files": files, "taken": taken, "code": list(begun.said), "requests": requests, **lines, "release": begun.released}
        )
        return
    if quiet:
        return
    for path in begun.files:
        typer.echo(path)
    for line in begun.said:
        narrate(f"  {line}")
    if begun.carried:
        narrate(say("cli-init-carried", count=len(begun.carried), rest=len(begun.not_carried)))
    for each in begun.not_carried:
        narrate(f"  {each}")
    for name, value, why in begun.taken:
        narrate(say("cli-init-taken", key=name, value=value, why=why))
    _tell_of_log(begun)
    if begun.released:
        narrate(begun.released)
    following = say("cli-next-validate") if with_log else say("cli-next-log")
    narrate(say("cli-next", following=following, folder=folder))


def _tell_of_log(begun: Begun) -> None:
    """What became of an export of tickets."""
    if begun.log is not None and begun.log.requests is not None:
        for line in begun.log.said:
            narrate(line)
        narrate(say("cli-init-log", rows=begun.log.requests, head=begun.log.head or "none"))
