"""The command that makes a case: init."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.base.errors import UsageError
from auditor.cli.log_options import (
    Columns,
    Dates,
    Key,
    Order,
    Person,
    States,
    Zone,
    clock_of,
    identities_of,
    key_of,
    pairs_of,
    person_columns,
    states_of,
)
from auditor.cli.logs import Unknown, tell_map
from auditor.terminal.options import Json, Quiet
from auditor.terminal.output import narrate, print_json, say

if TYPE_CHECKING:
    from auditor.case.scaffold import Asked, Begun


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder for the case.", show_default=False)],
    template: Annotated[
        str | None, typer.Option(metavar="NAME", help="The name of a sample case, or blank.", show_default=False)
    ] = None,
    code: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="FILE[:NAME]", help="Python that builds your estimator; read, never run.", show_default=False
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="TABLE", help="Training data, deleted records included; CSV or Parquet.", show_default=False),
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
        Unknown | None, typer.Option("--unknown", help="What to do with people who are not in the data.", show_default=False)
    ] = None,
    zone: Zone = None,
    dates: Order = None,
    state: States = None,
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
    of_log = (columns, person, people, unknown, zone, dates, state, key, log_from)
    if code is None:
        others = {"--data": data, "--log": log, "--id": by_id, "--label": label, "--task": task, "--store": store}
        others |= {"--holdout": holdout, "--model": model}
        named = [name for name, value in others.items() if value is not None]
        if named or any(each is not None for each in of_log):
            raise UsageError(
                f"{named[0] if named else 'options of a log'}: expected --from FILE[:NAME] as well, such as model.py:build"
            )
        _from_template(folder, template or "blank", as_json=as_json, quiet=quiet)
        return
    if template is not None:
        raise UsageError("--template: expected it or --from, found both")
    if data is None:
        raise UsageError("--from: expected --data TABLE as well, the training data with the deleted records")
    if log is None and any(each is not None for each in of_log):
        raise UsageError("--map and other options of a log: expected --log FILE as well")
    from auditor.case.scaffold import Given, begin  # noqa: PLC0415

    asked = None if log is None else _asked(log, columns, person, people, unknown, zone, dates, state, key, log_from)
    begun = begin(
        folder,
        Given(code=code, data=data, log=asked, id=by_id, label=label, task=task, store=store, holdout=holdout, model=model),
    )
    _tell(folder, begun, with_log=log is not None, as_json=as_json, quiet=quiet)


def _from_template(folder: Path, template: str, *, as_json: bool, quiet: bool) -> None:
    from auditor.case.starting import start  # noqa: PLC0415

    files = start(folder, template)
    if as_json:
        print_json({"template": template, "files": [str(path) for path in files]})
    elif not quiet:
        for path in files:
            typer.echo(path)
        following = say("cli-next-blank") if template == "blank" else say("cli-next-check")
        narrate(say("cli-next", following=following, folder=folder))


def _asked(
    log: Path,
    columns: list[str] | None,
    person: str | None,
    people: Path | None,
    unknown: Unknown | None,
    zone: str | None,
    dates: Dates | None,
    state: list[str] | None,
    key: Path | None,
    log_from: str | None,
) -> Asked:
    """What was told about the export.

    Raises:
        UsageError: If an option is wrong.
    """
    from auditor.case.scaffold import Asked  # noqa: PLC0415
    from auditor.parts.log import importing  # noqa: PLC0415

    if log_from is not None and log_from not in importing.EXPORTS:
        raise UsageError(f"--log-from: expected one of {', '.join(importing.EXPORTS)}, found {log_from}")
    whose = None if person is None else person_columns(person)
    if people is not None and whose is None:
        raise UsageError("--people: expected --person A=B as well, the table's columns of identity and of records")
    options = importing.Options(
        export=log_from or "",
        columns=pairs_of("--map", columns),
        clock=clock_of(zone, dates),
        states=states_of(state),
        person=whose,
        unknown_as_no_match=unknown is Unknown.NO_MATCH,
        identities=None if people is None or whose is None else identities_of(people, whose),
    )
    return Asked(log, options, lambda: key_of(key))


def _tell(folder: Path, begun: Begun, *, with_log: bool, as_json: bool, quiet: bool) -> None:
    """What was written and guessed, and what comes next."""
    if as_json:
        taken = [{"key": name, "value": value, "why": why} for name, value, why in begun.taken]
        rows = None if begun.imported is None else len(begun.imported.rows)
        print_json({"files": [str(path) for path in begun.files], "taken": taken, "code": list(begun.said), "requests": rows})
        return
    if quiet:
        return
    for path in begun.files:
        typer.echo(path)
    for line in begun.said:
        narrate(f"  {line}")
    for name, value, why in begun.taken:
        narrate(say("cli-init-taken", key=name, value=value, why=why))
    if begun.imported is not None:
        tell_map(begun.imported, quiet=False)
        narrate(say("cli-init-log", rows=len(begun.imported.rows), head=begun.imported.head or "none"))
    following = say("cli-next-validate") if with_log else say("cli-next-log")
    narrate(say("cli-next", following=following, folder=folder))
