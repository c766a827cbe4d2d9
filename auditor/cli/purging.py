"""The command that removes what an audit no longer needs of people: purge."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.base.errors import StorageError
from auditor.terminal.options import CasePath, Json, Quiet
from auditor.terminal.output import explain, narrate, print_json, say
from auditor.terminal.progress import progress

if TYPE_CHECKING:
    from auditor.api.results.purging.plan import Purged


def purge(
    case: CasePath,
    person: Annotated[
        str | None,
        typer.Option(
            metavar="ID", help="Only traces of this person: subject, record or request, as in log or table.", show_default=False
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where check --out wrote; CASE/audit if left out.", show_default=False)
    ] = None,
    runs: Annotated[
        str | None, typer.Option(metavar="PLACE", help="Where check --runs kept the runs.", show_default=False)
    ] = None,
    also: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="A folder elsewhere with letters or replies, also below it; may be repeated.",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would go and what stays; remove nothing.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Remove what an audit no longer needs, with a receipt.

    Kept runs, checkpoints and drafts go at any time; letters, and tables that init copied, once [case] keep_until has passed.
    With --person all kept runs go, letters to that person, and their rows in those tables. Results stay and still verify. Your
    own table and log are never changed: the receipt says which of your files hold the person.

    Exit codes: 0 done; 2 bad usage or input; 4 something could not be removed.
    """
    from auditor.api.results.purging.purge import purge as purged  # noqa: PLC0415

    with progress(shown=not (quiet or as_json)) as on_step:
        found = purged(case, person=person, out=out, runs=runs, also=also or (), dry=dry_run, on_step=on_step)
    if as_json:
        receipt = found.receipt.model_dump(mode="json", by_alias=True)
        left = [{"path": str(each.path), "written_on": each.on.isoformat(), "why": why.value} for each, why in found.left]
        path = None if found.path is None else str(found.path)
        print_json({"receipt": path, "dry_run": dry_run, **receipt, "delete_yourself": left})
    else:
        _print(found, dry=dry_run, quiet=quiet)
    if found.broken:
        error = StorageError("cannot be removed: " + "; ".join(found.broken))
        explain(error)
        raise typer.Exit(error.exit_code)


def _print(found: Purged, *, dry: bool, quiet: bool) -> None:
    from auditor.document.purge_receipt import Kind  # noqa: PLC0415

    receipt = found.receipt
    if not quiet:
        _list(found)
    files = [each for each in receipt.removed if each.kind is not Kind.SCRATCH]
    size, rows = sum(each.bytes for each in files), sum(each.rows for each in receipt.cut)
    mode = "yes" if dry else "no"
    typer.echo(say("cli-purge-files", dry=mode, files=len(files), size=size, rows=rows))
    if scratch := len(receipt.removed) - len(files):
        person = "yes" if receipt.one_person else "no"
        narrate(say("cli-purge-scratch", count=scratch, dry=mode, person=person), quiet=quiet)
    if receipt.cut:
        narrate(say("cli-purge-no-rerun-would" if dry else "cli-purge-no-rerun"), quiet=quiet)
    if receipt.keep_until is None:
        narrate(say("cli-purge-no-day"), quiet=quiet)
    else:
        from auditor.pages import wording  # noqa: PLC0415

        state = "over" if receipt.begun_at.date() > receipt.keep_until else "ahead"
        declared = "yes" if receipt.keep_until_declared else "no"
        narrate(say("cli-purge-until", day=wording.day(receipt.keep_until), state=state, declared=declared), quiet=quiet)
    if found.path is not None:
        narrate(say("cli-purge-receipt", path=found.path), quiet=quiet)


def _list(found: Purged) -> None:
    """Say what went and what stays, a line each."""
    from auditor.document.purge_receipt import Kind  # noqa: PLC0415

    receipt = found.receipt
    for gone in receipt.removed:
        if gone.path is not None:
            typer.echo(say("cli-purge-gone", path=gone.path, bytes=gone.bytes))
    unnamed = (gone.kind.value for gone in receipt.removed if gone.path is None and gone.kind is not Kind.SCRATCH)
    for kind, count in Counter(unnamed).items():
        typer.echo(say("cli-purge-gone-unnamed", kind=kind, count=count))
    for cut in receipt.cut:
        typer.echo(say("cli-purge-cut", path=cut.path, rows=cut.rows))
    for stays in receipt.stays:
        held = "" if stays.holds_person is None else "yes" if stays.holds_person else "no"
        line = say("cli-purge-stays", what=stays.what, files=stays.files, why=say(f"cli-purge-why-{stays.why.value}"), held=held)
        narrate(line)
    _list_elsewhere(found)


def _list_elsewhere(found: Purged) -> None:
    """Say of what lies outside the case, or is not where it was written, what its user has to do."""
    for path in found.holding:
        narrate(say("cli-purge-holding", path=path))
    if found.left:
        from auditor.pages import wording  # noqa: PLC0415

        for paper, why in found.left:
            narrate(say(f"cli-purge-left-{why.value}", path=paper.path, day=wording.day(paper.on)))
    for folder in found.of_others:
        narrate(say("cli-purge-of-others", folder=folder))
    for folder in found.missing:
        narrate(say("cli-purge-missing", folder=folder))
