"""The commands `log import`, `log check`, `log append`, `log amend` and `log replay`.

What is heavy is imported inside the commands, so that `auditor --help` answers at once.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from auditor.base.errors import InputError, UsageError
from auditor.terminal import Command
from auditor.terminal.options import Columns, Erasures, Json, Key, Order, Person, Quiet, States, Told, Unknown, Zone
from auditor.terminal.output import narrate, print_json, say, whisper

if TYPE_CHECKING:
    from auditor.base.deletion_log.requests import LogFinding, Request
    from auditor.parts.log.importing import Imported
    from auditor.parts.log.importing.appending import Added

_MOST_SHOWN: Final = 20
"""Contradictions of an imported log that are named one by one."""

app = typer.Typer(
    name="log",
    help="Deletion logs: import, check, append, amend, replay.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


class From(StrEnum):
    """What wrote the export."""

    CSV = "csv"
    OPENDSR = "opendsr"
    DRP = "drp"
    TRANSCEND = "transcend"
    JSONL = "jsonl"


@app.command(
    "import",
    epilog="Example: auditor log import tickets.csv --from csv --map ticket=request_id,opened=received_at,closed=executed_at "
    "--person email=customer_id --timezone Europe/Berlin -o deletions.jsonl",
)
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The export.", show_default=False)],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="OUT", help="A new .jsonl file.", show_default=False)],
    source: Annotated[From, typer.Option("--from", help="Format of the export; csv is any CSV.")] = From.CSV,
    columns: Columns = None,
    person: Person = None,
    people: Annotated[
        Path | None,
        typer.Option(
            metavar="TABLE", help="A CSV or Parquet table with both columns of --person, or the records' ids.", show_default=False
        ),
    ] = None,
    unknown: Annotated[
        Unknown, typer.Option("--unknown", help="What to do with people or records that are not in TABLE.")
    ] = Unknown.REFUSE,
    erasures: Erasures = None,
    zone: Zone = None,
    dates: Order = None,
    state: States = None,
    key: Key = None,
    partial: Annotated[
        bool, typer.Option("--partial", help="Write the rows that could be read, even if others could not.")
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Turn an export of requests into a deletion log.

    Shows how columns were mapped, every row that it could not read, and how many rows it left out. People become keyed
    pseudonyms: no name or address from the identity column is written. Times without an offset are read in --timezone; a date
    without a time is read in the way that is stricter with you. Only erasure requests become rows: others are counted, and what a
    request asks for is asked back where its column does not say it. The log is chained by hashes: keep the printed head, its last
    hash, in another place.
    """
    from auditor.case.files import TEXT_LIMIT, read_source  # noqa: PLC0415
    from auditor.parts.log.importing import described, import_log  # noqa: PLC0415
    from auditor.parts.log.importing.appending import provenance_of  # noqa: PLC0415
    from auditor.parts.log.importing.options import understood  # noqa: PLC0415

    if unknown is Unknown.NO_MATCH and people is None:
        raise UsageError("--unknown no-match: expected --people TABLE as well, which says who is known")
    beside = provenance_of(output)
    _refuse_place(output, beside)
    told = Told.of(locals())
    options = understood(told, source.value)
    found = import_log(read_source(file, limit=TEXT_LIMIT), options)
    for line in described(found):
        narrate(line, quiet=quiet)
    if found.problems and not partial:
        whisper(say("cli-log-not-written", problems=len(found.problems)))
        raise InputError(found.problems)
    if not found.rows:
        raise UsageError(f"{file}: none of {found.total} row(s) is an erasure request; nothing was written")
    _write(output, found)
    for problem in found.problems:
        whisper(f"auditor: {problem}")
    against = _contradictions(output)
    if as_json:
        print_json(_as_json(output, found, against))
        return
    _warn_of(against, output)
    typer.echo(say("cli-log-written", path=output, rows=len(found.rows), head=found.head))
    narrate(say("cli-log-provenance", path=beside), quiet=quiet)
    narrate(say("cli-log-keep-head"), quiet=quiet)
    narrate(say("cli-log-then-check", path=output), quiet=quiet)


def _refuse_place(path: Path, beside: Path) -> None:
    if path.suffix != ".jsonl":
        raise UsageError(f"-o: expected a name ending in .jsonl, found {path}")
    for each in (path, beside):
        if each.exists():
            raise UsageError(f"-o {each}: is there already; nothing is written over a log")


def _warn_of(against: tuple[LogFinding, ...], path: Path) -> None:
    for finding in against[:_MOST_SHOWN]:
        whisper(say("cli-log-row", row=finding.row, code=finding.code, said=finding.message))
    if len(against) > _MOST_SHOWN:
        whisper(say("cli-log-more-rows", count=len(against) - _MOST_SHOWN, path=path))


@app.command(epilog="Example: auditor log check deletions.jsonl")
def check(
    file: Annotated[Path, typer.Argument(metavar="LOG", help="A .jsonl, .csv or .parquet log.", show_default=False)],
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Read a deletion log and look for contradictions; exit 1 if there are any.

    Does not check the training data: `auditor validate` finds the log's records there, `auditor check` whether they are gone.
    """
    from auditor.audit.describing import stamp  # noqa: PLC0415
    from auditor.base.deletion_log import deletions  # noqa: PLC0415
    from auditor.case.logs import apart, read_log  # noqa: PLC0415

    rows, unread = read_log(file)
    requests, canaries = apart(rows)
    known = {record for each in requests for record in each.record_ids if each.status != "no_match"}
    problems = deletions.findings(requests, known, today=stamp().date(), canaries=canaries)
    head = deletions.chain_head(rows)
    counts: dict[str, int] = {}
    for each in requests:
        state = each.status or ("open" if each.executed_at is None else "executed")
        counts[state] = counts.get(state, 0) + 1
    if as_json:
        found = [{"row": each.row, "code": each.code, "message": each.message} for each in problems]
        records = len({record for each in requests for record in each.record_ids})
        totals = {"requests": len(requests), "records": records, "canaries": len(canaries), "states": counts}
        print_json({**totals, "chain_head": head, "problems": found, "columns_not_read": list(unread)})
    else:
        for problem in problems:
            typer.echo(say("cli-log-row", row=problem.row, code=problem.code, said=problem.message))
        states = ", ".join(f"{state} {count}" for state, count in sorted(counts.items()))
        typer.echo(
            say(
                "cli-log-summary",
                requests=len(requests),
                states=states,
                problems=sum(each.code not in deletions.HARMLESS for each in problems),
            )
        )
        chained = any(each.link for each in rows)
        told = say("cli-log-chain-none") if not chained else say("cli-log-chain", head=head or "none")
        narrate(told, quiet=quiet)
        if canaries:
            narrate(say("cli-log-canaries", count=len(canaries)), quiet=quiet)
        if unread:
            narrate(say("cli-columns-unread", names=", ".join(unread)), quiet=quiet)
    if any(each.code not in deletions.HARMLESS for each in problems):
        raise typer.Exit(1)


@app.command(epilog="Example: auditor log append deletions.jsonl request.json")
def append(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A .jsonl log; made if missing.", show_default=False)],
    entries: Annotated[
        str, typer.Argument(metavar="FILE", help="JSON objects, one per line; - for standard input.", show_default=False)
    ],
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Add requests to a deletion log, each with the hash of the one before it.

    Prints the new head of the chain. Keep it in another place, such as a ticket or a timestamping service, where it
    reveals a later change to the log. A log with unchained rows is left unchanged; `auditor log import --from jsonl` chains it.
    """
    from auditor.parts.log.importing.appending import append_to  # noqa: PLC0415

    added = append_to(log, _read_entries(entries))
    _tell(added, log, "cli-log-appended", as_json=as_json, quiet=quiet)


@app.command(epilog="Example: auditor log amend deletions.jsonl later.json")
def amend(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A chained .jsonl log.", show_default=False)],
    entries: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="JSON objects: request_id and the columns to fill in; - for standard input.",
            show_default=False,
        ),
    ],
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Add later facts to requests of a chained log, such as when a person was answered.

    Each entry becomes a row of its own at the end of the chain; the row that it amends stays as it was. The newest facts count.
    What replaces a date or another fact is listed by every audit, with the dates before and after. Who asked, and for which
    records, cannot be changed. Prints the new head of the chain.
    """
    from auditor.parts.log.importing.amending import amend_in  # noqa: PLC0415

    added = amend_in(log, _read_entries(entries))
    _tell(added, log, "cli-log-amended", as_json=as_json, quiet=quiet)


def _tell(added: Added, log: Path, message: str, *, as_json: bool, quiet: bool) -> None:
    """Say what became of a chain: its head, and how many rows it got."""
    if as_json:
        print_json({"log": str(log), "added": added.rows, "requests": added.total, "head": added.head})
        return
    typer.echo(added.head)
    narrate(say(message, path=log, rows=added.rows, total=added.total), quiet=quiet)


@app.command(epilog="Example: auditor log replay deletions.jsonl --restored-from 2026-03-01")
def replay(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A .jsonl, .csv or .parquet log.", show_default=False)],
    restored_from: Annotated[
        str,
        typer.Option(
            metavar="DATE",
            help="When the backup that was restored had been made: a day, or a time with offset.",
            show_default=False,
        ),
    ],
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List the requests to carry out again after a restore.

    A backup brings back whatever was erased after it was made. Of a day, everything that was erased on it counts. It only lists;
    carry them out, then add a store with the restored data to the case and run `auditor check`.
    """
    from auditor.audit.describing import stamp  # noqa: PLC0415
    from auditor.base.deletion_log import deletions  # noqa: PLC0415
    from auditor.base.deletion_log.restores import again, made_at  # noqa: PLC0415
    from auditor.case.logs import apart, read_log  # noqa: PLC0415

    try:
        made = made_at(restored_from)
    except ValueError as error:
        expected = "a day such as 2026-03-01, or a time with its offset"
        raise UsageError(f"--restored-from: expected {expected}, found {restored_from[:60]!r}") from error
    if made > stamp():
        raise UsageError(f"--restored-from: expected a day or time that has passed, found {restored_from}")
    requests, _ = apart(read_log(log)[0])
    found = again(requests, made)
    known = {record for each in requests for record in each.record_ids if each.status != "no_match"}
    problems = [each for each in deletions.findings(requests, known) if each.code not in deletions.HARMLESS]
    if as_json:
        print_json(
            {
                "restored_from": made.isoformat(),
                "again": [_to_repeat(each) for each in found.to_repeat],
                "not_carried_out_yet": [each.request_id for each in found.waiting],
                "problems": [{"row": each.row, "code": each.code, "message": each.message} for each in problems],
            }
        )
        return
    for each in found.to_repeat:
        typer.echo(say("cli-log-again", row=each.row, request=each.request_id, records=", ".join(each.record_ids)))
    typer.echo(say("cli-log-again-count", count=len(found.to_repeat), requests=len(requests)))
    if found.waiting:
        narrate(say("cli-log-again-waiting", count=len(found.waiting)), quiet=quiet)
    if problems:
        # Also where quiet: a log that contradicts itself may lack what has to be repeated.
        narrate(say("cli-log-again-problems", count=len(problems), path=log))


def _to_repeat(request: Request) -> dict[str, Any]:
    times = (request.executed_at, request.data_erased_at, request.model_erased_at)
    latest = max((each for each in times if each is not None), default=None)
    return {
        "row": request.row,
        "request_id": request.request_id,
        "subject": request.subject,
        "record_ids": list(request.record_ids),
        "erased_at": None if latest is None else latest.isoformat(),
    }


def _read_entries(name: str) -> tuple[str, bytes]:
    from auditor.case.files import TEXT_LIMIT, read_source  # noqa: PLC0415

    if name == "-":
        return "standard input", typer.get_binary_stream("stdin").read()
    return name, read_source(Path(name), limit=TEXT_LIMIT).data


def _write(path: Path, found: Imported) -> None:
    from auditor.base.writing import require_folder_of, write_all  # noqa: PLC0415
    from auditor.parts.log.importing.appending import lines, provenance_of  # noqa: PLC0415

    require_folder_of(path)
    write_all({path: lines(found.rows), provenance_of(path): found.provenance()})


def _contradictions(path: Path) -> tuple[LogFinding, ...]:
    """What the rows of a log that was just written say against themselves, as `log check` finds it."""
    from auditor.audit.describing import stamp  # noqa: PLC0415
    from auditor.base.deletion_log import deletions  # noqa: PLC0415
    from auditor.case.logs import apart, read_log  # noqa: PLC0415

    requests, canaries = apart(read_log(path)[0])
    known = {record for each in requests for record in each.record_ids if each.status != "no_match"}
    found = deletions.findings(requests, known, today=stamp().date(), canaries=canaries)
    return tuple(each for each in found if each.code not in deletions.HARMLESS)


def _as_json(path: Path, found: Imported, against: tuple[LogFinding, ...]) -> dict[str, Any]:
    person = found.columns.person
    return {
        "log": str(path),
        "requests": len(found.rows),
        "head": found.head,
        "map": found.columns.named,
        "person": None if person is None else {"identity": person.identity, "records": person.records},
        "not_taken": list(found.columns.unread),
        "left_out": dict(found.left_out),
        "kind_of_request_in": list(found.asked_in),
        "not_understood": found.not_understood,
        "answered_when_closed": dict(found.answered),
        "logged_as_no_match": dict(found.unmatched),
        "times_that_happened_twice": [{"row": each.row, "column": each.column, "read_as": each.read} for each in found.twice],
        "kind_unsaid": found.unsaid,
        "also_asked": dict(found.also_asked),
        "speaking_of_other_rights": dict(found.speaking),
        "problems": [str(problem) for problem in found.problems],
        "contradictions": [{"row": each.row, "code": each.code, "message": each.message} for each in against],
    }


COMMANDS: Final = (Command("log", app, after="calc"),)
