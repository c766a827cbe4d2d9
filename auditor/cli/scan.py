"""The command that searches places for deleted people, without a model: scan."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from auditor.base import limited_process
from auditor.base.errors import InputError, UsageError
from auditor.base.parts import constants, served
from auditor.cli.baselines import as_json_of, compared, end, keep, lines_of, open_baseline, refuse_in_place, refuse_others
from auditor.cli.history import remember
from auditor.terminal.options import Columns, Json, Person, Quiet, States, Told, Zone
from auditor.terminal.output import explain, narrate, print_json, say
from auditor.terminal.progress import progress

if TYPE_CHECKING:
    from auditor.base.domain import Problem
    from auditor.case import Case
    from auditor.case.scaffold import Log, Tickets
    from auditor.document.evidence import Evidence
    from auditor.pages.words.rendered_evidence import Told as ToldEvidence


def scan(
    places: Annotated[
        list[Path], typer.Argument(metavar="PLACE", help="Files and folders where the data may be.", show_default=False)
    ],
    log: Annotated[
        Path, typer.Option("--log", metavar="LOG", help="Who was erased: a deletion log, or tickets in CSV.", show_default=False)
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", metavar="TABLE", help="Who was there, erased people included, with their values.", show_default=False
        ),
    ] = None,
    by_id: Annotated[
        str | None,
        typer.Option("--id", metavar="COLUMN", help="Column of record ids, in the places and in TABLE.", show_default=False),
    ] = None,
    embed: Annotated[
        str | None,
        typer.Option(
            metavar="FILE.py:FUNCTION", help="What embeds the rows of TABLE as the places keep them.", show_default=False
        ),
    ] = None,
    answers: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Recorded queries and answers, one JSON object per line.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A new folder for the case and its report.", show_default=False)
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="What letters and reports call it; the name of --out if left out.", show_default=False),
    ] = None,
    before: Annotated[
        Path | None,
        typer.Option(
            metavar="BASELINE", help="Before the deletion: keep what is there as a sealed baseline.", show_default=False
        ),
    ] = None,
    after: Annotated[
        Path | None,
        typer.Option(metavar="BASELINE", help="After the deletion: compare with that baseline.", show_default=False),
    ] = None,
    days: Annotated[
        int | None,
        typer.Option(min=1, max=366, help="With --before: days until the baseline expires; 90 if left out.", show_default=False),
    ] = None,
    keep_key: Annotated[
        bool, typer.Option("--keep-key", help="With --after: keep the baseline's key, to compare again.")
    ] = False,
    columns: Columns = None,
    person: Person = None,
    zone: Zone = None,
    state: States = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say whether erased people are still in these places.

    No model is needed, and none is examined. It looks for ids, for names and numbers that the log gives as `terms`, and with
    --data for values, in the forms that it can take apart: CSV, JSON lines, SQLite, Parquet, NumPy and text, packed or not. What
    it cannot read is listed as not examined, and keeps the result from pass. With --out you can go on from there: DIR holds the
    case, and DIR/audit the report.

    With --before it writes BASELINE and BASELINE.key instead: keyed digests of what is there of the log's people, which are
    personal data until the key is destroyed. With --after it compares, and destroys the key once results are written, to --out
    or BASELINE.after.

    Exit codes: 0 nothing was found and everything is accounted for; 1 erased people were found; 2 bad usage or input;
    3 inconclusive; 4 the auditor failed; 130 interrupted.
    """
    _refuse_options(before, after, out, days, keep_key=keep_key)
    _load_ahead(*places, log)
    from auditor import case as cases  # noqa: PLC0415
    from auditor.audit.auditing import Options, audit  # noqa: PLC0415
    from auditor.pages.words.rendered_evidence import tell  # noqa: PLC0415

    out = after.with_name(f"{after.name}.after") if after is not None and out is None else out
    told = Told(columns=columns, person=person, people=None, unknown=None, zone=zone, dates=None, state=state, key=None)
    missing = _not_there([*places, *(answers or []), *([] if data is None else [data])])
    read = _log(log, told, [*missing, *_with_the_log(log, places)], data=data, by_id=by_id)
    for line in read.said:
        narrate(line, quiet=quiet)
    _refuse_inside(out, places)
    called = name or (_together(places) if out is None else out.resolve()).name or "places"
    for each in filter(None, (before, after)):
        refuse_in_place(each, [*places, *(answers or [])])
    if before is not None:
        with _folder(None) as folder:
            _write(folder, called, read, places, answers or [], data=data, by_id=by_id, embed=embed)
            keep(cases.read(folder), before, days, as_json=as_json, quiet=quiet)
        return
    opened = None if after is None else open_baseline(after)
    if after is not None and opened is not None:
        # Before anything is written where results go.
        with _folder(None) as folder:
            _write(folder, called, read, places, answers or [], data=data, by_id=by_id, embed=embed)
            refuse_others(cases.read(folder), after, opened)
    with _folder(out) as folder:
        _write(folder, called, read, places, answers or [], data=data, by_id=by_id, embed=embed)
        case = replace(cases.read(folder), baseline=opened)
        narrate(_searching(case), quiet=quiet)
        with progress(shown=not quiet) as shown:
            outcome = audit(case, Options(on_step=shown))
        evidence, found = outcome.evidence, tell(outcome.evidence)
        if outcome.failure is not None:
            explain(outcome.failure)
        written = {} if out is None else _results(evidence, folder / "audit", quiet=quiet)
    since = compared(evidence)
    if as_json:
        print_json({**_as_json(found, written), **({} if since is None else as_json_of(since))})
    else:
        for line in () if since is None or quiet else lines_of(since):
            typer.echo(line)
        _show(found, quiet=quiet)
        if out is None:
            narrate(say("cli-scan-out"), quiet=quiet)
        else:
            narrate(say("cli-scan-case", folder=out, report=written.get("report", written["html"])), quiet=quiet)
    if after is not None:
        end(after, came=since is not None, keep_key=keep_key, quiet=quiet)
    raise typer.Exit(evidence.audit.exit_code)


def _searching(case: Case) -> str:
    """Say for how many records a scan searches, and among how many."""
    gone = {record for each in case.requests if each.executed_at is not None for record in each.record_ids}
    known = case.known_ids
    return say("cli-scanning", places=len(case.places), records=len(gone), known=len(known) if known - gone else 0)


def _refuse_options(before: Path | None, after: Path | None, out: Path | None, days: int | None, *, keep_key: bool) -> None:
    if before is not None and after is not None:
        raise UsageError("--before and --after: the one is run before a deletion, the other after it; leave one out")
    if before is not None and out is not None:
        raise UsageError("--before writes a baseline and no report; leave --out out")
    if days is not None and before is None:
        raise UsageError("--days: says when a baseline expires that --before makes; leave it out")
    if keep_key and after is None:
        raise UsageError("--keep-key: keeps the key of a baseline that --after compares with; leave it out")


def _load_ahead(*needed: Path) -> None:
    """Have the process that reads places load what it needs, which is as much as this one does: both can at once."""
    for each in served("places") if all(path.exists() for path in needed) else ():
        limited_process.load(each)


def _not_there(paths: Sequence[Path]) -> list[Problem]:
    from auditor.base.domain import Problem  # noqa: PLC0415 - numpy comes with it

    return [Problem(str(path), "", "a file or folder that is there", "none") for path in paths if not path.exists()]


def _together(places: Sequence[Path]) -> Path:
    """One place, or the folder that several lie in."""
    return Path(os.path.commonpath([each.resolve() for each in places]))


def _with_the_log(log: Path, places: Sequence[Path]) -> Iterator[Problem]:
    """A log names everybody who was erased: where it lies, their ids would be found."""
    from auditor.base.domain import Problem  # noqa: PLC0415

    expected = "a place without the deletion log in it: move the log, or name the place's files"
    yield from (Problem(str(each), "", expected, str(log)) for each in places if log.resolve().is_relative_to(each.resolve()))


def _log(path: Path, told: Told, problems: list[Problem], *, data: Path | None, by_id: str | None) -> Log:
    """Read the log, and name what is wrong with it together with what else is.

    Raises:
        InputError: With every problem.
    """
    from auditor.case.scaffold import roles, tables  # noqa: PLC0415

    tickets: Tickets = next(constants("tickets"))(path, told, None)

    def who() -> tuple[tables.Table, str] | None:
        """Read the table that says whose records are whose, with its column of ids; None where none can be read or told."""
        if data is None or not data.is_file():
            return None
        table = tables.read(data)
        if table.shape is not None:
            return table, tables.ARRAYS[0]
        unclear: list[Problem] = []
        guess = roles.id_column(table, tickets.values(), unclear) if by_id is None else None
        if unclear:
            raise InputError(unclear)
        column = by_id if guess is None else guess.value
        return None if column is None or column not in table.columns else (table, column)

    try:
        read = tickets.alone(who)
    except InputError as error:
        raise InputError([*problems, *error.problems]) from error
    if problems:
        raise InputError(problems)
    return read


def _refuse_inside(out: Path | None, places: Sequence[Path]) -> None:
    """What is written into a place would be found there by the next scan."""
    if out is None:
        return
    if (out / "audit.toml").exists():
        raise UsageError(f"--out {out}: a case is there already; auditor check {out} audits it again")
    for place in places:
        if out.resolve().is_relative_to(place.resolve()):
            raise UsageError(f"--out {out}: expected a folder outside {place}, in which the log would be found")


@contextmanager
def _folder(out: Path | None) -> Iterator[Path]:
    if out is None:
        with TemporaryDirectory(prefix="auditor-scan-") as made:
            yield Path(made)
        return
    out.mkdir(mode=0o700, parents=True, exist_ok=True)
    yield out


def _write(
    folder: Path,
    called: str,
    read: Log,
    places: Sequence[Path],
    answers: Sequence[Path],
    *,
    data: Path | None,
    by_id: str | None,
    embed: str | None,
) -> None:
    """Write the case: its audit.toml, the log, and the function that embeds with what lies alongside it.

    Raises:
        InputError: If that cannot be read.
        UsageError: If it is no function of a file, or no table is given.
    """
    from auditor.base.writing import write_all  # noqa: PLC0415
    from auditor.case.files import Source  # noqa: PLC0415
    from auditor.case.logs import apart, deletion_log  # noqa: PLC0415
    from auditor.case.scaffold.places_alone import id_column, names, toml  # noqa: PLC0415

    named = f"deletions{read.ending}"
    requests, _ = apart(deletion_log(Source(named, read.content))[0])
    ids = frozenset(record for each in requests for record in each.record_ids)
    searched = names([path.absolute() for path in places])
    recorded = names([path.absolute() for path in answers], searched)
    text = toml(
        called,
        log=named,
        places=searched,
        answers=recorded,
        ids=by_id,
        table=None if data is None else data.absolute(),
        table_id=None if data is None else id_column(data, by_id, ids),
        embed=None if embed is None else _function(embed),
    )
    code = {} if embed is None else _code(embed, with_table=data is not None)
    write_all(
        {
            folder / named: read.content,
            folder / "audit.toml": text.encode(),
            **{folder / name: content for name, content in code.items()},
        }
    )


def _function(embed: str) -> str:
    """Name the function as the case does, next to which its file lies."""
    path, _, name = embed.rpartition(":")
    return f"{Path(path).name}:{name}"


def _code(embed: str, *, with_table: bool) -> dict[str, bytes]:
    from auditor.case.code import read  # noqa: PLC0415

    path, _, name = embed.rpartition(":")
    if not path.endswith(".py") or not name.isidentifier() or not Path(path).is_file():
        raise UsageError(f"--embed {embed}: expected a Python file that is there and the name of a function, FILE.py:FUNCTION")
    if not with_table:
        raise UsageError("--embed: expected --data TABLE as well, whose rows the function embeds")
    code, problems = read(Path(path).resolve(), Path(path).name)
    if problems:
        raise InputError(problems)
    return {each.name: each.content for each in code.files}


def _results(evidence: Evidence, folder: Path, *, quiet: bool) -> dict[str, Path]:
    from auditor.api.results.folder import write  # noqa: PLC0415

    with progress(shown=not quiet) as on_step:
        on_step("report", 0, 1)
        results = write(evidence, folder, notice=narrate)
    remember(evidence, results.paths["evidence"], results.told.content)
    return dict(results.paths)


_LEVELS: Final = ("answers", "disk", "derivable")


def _show(found: ToldEvidence, *, quiet: bool) -> None:
    """Print a row a place, then the result."""
    from auditor.pages.main import place_levels  # noqa: PLC0415

    rows = place_levels.rows(found)
    if not quiet:
        headings = ["", *(place_levels.heading(each) for each in _LEVELS)]
        cells = [[row.name, *(cell.marked for cell in row.cells)] for row in rows]
        widths = [max(len(row[at]) for row in [headings, *cells]) for at in range(len(headings))]
        for line in (headings, *cells):
            typer.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
        for row in rows:
            if row.said:
                typer.echo(say("cli-scan-row", name=row.name, said=row.said))
            for spot in row.at:
                typer.echo(f"  {spot}")
            if row.quoted:
                typer.echo(say("cli-scan-row", name=row.name, said=row.quoted))
            for spot in row.quoted_at:
                typer.echo(f"  {spot}")
        for step in _steps(found):
            typer.echo(step)
        typer.echo("")
    typer.echo(found.opening)


def _steps(found: ToldEvidence) -> Iterator[str]:
    """What to do about what keeps the result from pass, a line each."""
    from auditor.pages.remedies import Urgency, remedies  # noqa: PLC0415

    steps = [each for each in remedies(found) if each.urgency is not Urgency.CONFIRM]
    if steps:
        yield ""
        yield say("remedy-heading")
    yield from (f"{number}. {each.first}" for number, each in enumerate(steps, start=1))


def _as_json(found: ToldEvidence, written: dict[str, Path]) -> dict[str, Any]:
    from auditor.pages.main import place_levels  # noqa: PLC0415

    evidence = found.evidence
    return {
        "verdict": evidence.verdict,
        "scope": "places only",
        "exit_code": evidence.audit.exit_code,
        "sentence": found.sentence,
        "requests_found": list(place_levels.requests_found(found)),
        "places": [
            {
                "name": row.name,
                **{level: cell.state for level, cell in zip(_LEVELS, row.cells, strict=True)},
                "found": row.found,
                "said": row.said,
                **({"at": list(row.at)} if row.at else {}),
                **({"quoted": row.quoted} if row.quoted else {}),
                **({"quoted_at": list(row.quoted_at)} if row.quoted_at else {}),
            }
            for row in place_levels.rows(found)
        ],
        **{name: str(path) for name, path in written.items()},
    }
