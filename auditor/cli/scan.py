"""The command that searches places for deleted people, without a model: scan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from auditor.base.errors import InputError, UsageError
from auditor.base.parts import constants
from auditor.cli.history import remember
from auditor.terminal.options import Columns, Json, Person, Quiet, States, Told, Zone
from auditor.terminal.output import narrate, print_json, say
from auditor.terminal.progress import progress

if TYPE_CHECKING:
    from auditor.base.domain import Problem
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

    Exit codes: 0 nothing was found and everything is accounted for; 1 erased people were found; 2 bad usage or input;
    3 inconclusive; 4 the auditor failed; 130 interrupted.
    """
    from auditor import case as cases  # noqa: PLC0415
    from auditor.audit.auditing import Options, audit  # noqa: PLC0415
    from auditor.pages.words.rendered_evidence import tell  # noqa: PLC0415

    told = Told(columns=columns, person=person, people=None, unknown=None, zone=zone, dates=None, state=state, key=None)
    missing = _not_there([*places, *(answers or []), *([] if data is None else [data])])
    read = _log(log, told, [*missing, *_with_the_log(log, places)])
    for line in read.said:
        narrate(line, quiet=quiet)
    _refuse_inside(out, places)
    with _folder(out) as folder:
        called = name or (places[0] if out is None else out).resolve().name or "places"
        _write(folder, called, read, places, answers or [], data=data, by_id=by_id)
        case = cases.read(folder)
        narrate(say("cli-scanning", places=len(case.places), records=len(case.known_ids)), quiet=quiet)
        with progress(shown=not quiet) as shown:
            evidence = audit(case, Options(on_step=shown)).evidence
        found = tell(evidence)
        written = {} if out is None else _results(evidence, folder / "audit", quiet=quiet)
    if as_json:
        print_json(_as_json(found, written))
    else:
        _show(found, quiet=quiet)
        if out is None:
            narrate(say("cli-scan-out"), quiet=quiet)
        else:
            narrate(say("cli-scan-case", folder=out, report=written.get("report", written["html"])), quiet=quiet)
    raise typer.Exit(evidence.audit.exit_code)


def _not_there(paths: Sequence[Path]) -> list[Problem]:
    from auditor.base.domain import Problem  # noqa: PLC0415 - numpy comes with it

    return [Problem(str(path), "", "a file or folder that is there", "none") for path in paths if not path.exists()]


def _with_the_log(log: Path, places: Sequence[Path]) -> Iterator[Problem]:
    """A log names everybody who was erased: where it lies, their ids would be found."""
    from auditor.base.domain import Problem  # noqa: PLC0415

    expected = "a place without the deletion log in it: move the log, or name the place's files"
    yield from (Problem(str(each), "", expected, str(log)) for each in places if log.resolve().is_relative_to(each.resolve()))


def _log(path: Path, told: Told, problems: list[Problem]) -> Log:
    """Read the log, and name what is wrong with it together with what else is.

    Raises:
        InputError: With every problem.
    """
    tickets: Tickets = next(constants("tickets"))(path, told, None)
    try:
        read = tickets.alone()
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
    folder: Path, called: str, read: Log, places: Sequence[Path], answers: Sequence[Path], *, data: Path | None, by_id: str | None
) -> None:
    """Write the case: its audit.toml and the log."""
    from auditor.base.writing import write_all  # noqa: PLC0415
    from auditor.case.files import Source  # noqa: PLC0415
    from auditor.case.logs import deletion_log  # noqa: PLC0415
    from auditor.case.scaffold.places_alone import id_column, names, toml  # noqa: PLC0415

    named = f"deletions{read.ending}"
    requests, _ = deletion_log(Source(named, read.content))
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
    )
    write_all({folder / named: read.content, folder / "audit.toml": text.encode()})


def _results(evidence: Evidence, folder: Path, *, quiet: bool) -> dict[str, Path]:
    from auditor.api.results.folder import write  # noqa: PLC0415

    with progress(shown=not quiet) as on_step:
        on_step("report", 0, 1)
        results = write(evidence, folder, notice=narrate)
    remember(evidence, results.paths["evidence"])
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
            }
            for row in place_levels.rows(found)
        ],
        **{name: str(path) for name, path in written.items()},
    }
