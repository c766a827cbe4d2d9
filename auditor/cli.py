"""Commands and options: parse, call one function, print, exit. Results go to stdout, narration to stderr.

Heavy modules are imported inside the commands, so that `auditor --help` answers at once.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.exceptions import Abort, TyperException

from auditor import __version__
from auditor.errors import AuditorError, InputError, ProcedureError, ReportError, UsageError

INTERRUPTED = 130

app = typer.Typer(
    name="auditor",
    help="Audits whether a model has unlearned what people asked to have erased, and says what was shown.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Device(StrEnum):
    """Where the procedure computes."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"


class Backend(StrEnum):
    """Where sandboxed runs are started."""

    LOCAL = "local"
    DASK = "dask"
    RAY = "ray"


class Format(StrEnum):
    """What `report` writes."""

    PDF = "pdf"
    HTML = "html"
    JSON = "json"
    JUNIT = "junit"
    SARIF = "sarif"


Json = Annotated[bool, typer.Option("--json", help="Print one JSON object for machines.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the result only, no narration.")]
CasePath = Annotated[Path, typer.Argument(metavar="CASE", help="A folder with audit.toml, or that file.", show_default=False)]


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        typer.echo(f"auditor {__version__}")
        raise typer.Exit


def _narrate(message: str, *, quiet: bool = False) -> None:
    if not quiet:
        typer.echo(message, err=True)


def _print_json(value: Any) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2))


@contextmanager
def _progress(*, shown: bool) -> Iterator[Callable[[str, int, int], None]]:
    """A bar for each run on stderr, with an estimate, where stderr is a terminal."""
    if not shown or not sys.stderr.isatty():
        yield lambda _name, _done, _total: None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description:<11}"), BarColumn(), TextColumn("{task.completed}/{task.total} steps"))
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def on_step(name: str, done: int, total: int) -> None:
            if name not in tasks:
                tasks[name] = bars.add_task(name, total=total)
            bars.update(tasks[name], completed=done)

        yield on_step


@app.command(epilog="Example: auditor check sample_models/digits-newton")
def check(
    case: CasePath,
    out: Annotated[Path | None, typer.Option(help="Where to write; CASE/audit if left out.", show_default=False)] = None,
    device: Annotated[Device, typer.Option(help="Where the procedure computes.")] = Device.AUTO,
    backend: Annotated[Backend, typer.Option(help="Where sandboxed runs are started.")] = Backend.LOCAL,
    jobs: Annotated[int | None, typer.Option(min=1, help="Runs at a time; one per core if left out.", show_default=False)] = None,
    seed: Annotated[int, typer.Option(min=0, help="The auditor's own seed.")] = 0,
    quick: Annotated[bool, typer.Option("--quick", help="Smaller samples; can only make a result inconclusive.")] = False,
    only: Annotated[str | None, typer.Option(metavar="ID,…", help="Run these checks alone.", show_default=False)] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Run everything again, whatever is kept of earlier audits.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Rerun, measure, certify, decide, write the report.

    Exit codes: 0 every required check passes; 1 a required check fails; 2 bad usage or input; 3 inconclusive;
    4 the procedure, the sandbox or the auditor failed; 130 interrupted.
    """
    if backend is not Backend.LOCAL:
        raise UsageError(
            f"--backend {backend.value} needs the extra auditor[{backend.value}], which is not installed; use --backend local"
        )
    from auditor import case as cases  # noqa: PLC0415
    from auditor.audit import Options, audit  # noqa: PLC0415
    from auditor.runs import FOLDER  # noqa: PLC0415

    read = cases.read(case)
    folder = out if out is not None else read.folder / "audit"
    chosen = tuple(part.strip() for part in only.split(",") if part.strip()) if only is not None else None
    workers = jobs if jobs is not None else len(os.sched_getaffinity(0))
    _narrate(f"Auditing {read.settings.case.name}: {len(read.requests)} requests, {len(read.train)} records.", quiet=quiet)
    with _progress(shown=not quiet) as on_step:
        outcome = audit(
            read,
            Options(
                seed,
                quick,
                chosen,
                device.value,
                workers,
                on_step,
                folder / FOLDER,
                fresh,
                lambda said: _narrate(f"auditor: {said}"),
            ),
        )
    if outcome.taken:
        _narrate(
            f"Finished in an earlier audit, not run again: {', '.join(outcome.taken)}; --fresh runs everything.", quiet=quiet
        )
    evidence = outcome.evidence
    written = _write_report(evidence, folder)
    if as_json:
        checks = [
            {"id": item.id, "status": item.status, "value": item.value, "interval": item.interval, "threshold": item.threshold}
            for item in evidence.checks
        ]
        files = {name: str(path) for name, path in written.items()}
        code = evidence.audit.exit_code
        _print_json({"verdict": evidence.verdict, "exit_code": code, "sentence": evidence.sentence, **files, "checks": checks})
    elif quiet:
        typer.echo(evidence.sentence)
    else:
        _narrate(f"Report: {written['report']}")
        _summary(evidence)
    if outcome.failure is not None:
        _explain(outcome.failure)
    raise typer.Exit(evidence.audit.exit_code)


def _write_report(evidence: Any, folder: Path) -> dict[str, Path]:
    """Write evidence and both reports; the evidence alone where the report cannot be rendered."""
    from auditor.report import render  # noqa: PLC0415
    from auditor.writing import write_all  # noqa: PLC0415

    paths = {"evidence": folder / "evidence.json", "report": folder / "report.pdf", "html": folder / "report.html"}
    try:
        contents = {
            paths["report"]: render.pdf(evidence),
            paths["html"]: render.html(evidence).encode(),
            paths["evidence"]: render.json_bytes(evidence),
        }
    except ReportError:
        write_all({paths["evidence"]: render.json_bytes(evidence)})
        _narrate(f"The evidence was written to {paths['evidence']}; the report could not be rendered.")
        raise
    write_all(contents)
    return paths


def _summary(evidence: Any) -> None:
    from rich.console import Console  # noqa: PLC0415

    from auditor.report.terminal import summary  # noqa: PLC0415

    summary(evidence, Console())


@app.command(epilog="Example: auditor validate sample_models/digits-newton")
def validate(case: CasePath, as_json: Json = False, quiet: Quiet = False) -> None:
    """Read and check every input; run nothing."""
    from auditor import case as cases  # noqa: PLC0415
    from auditor.deletions import findings  # noqa: PLC0415

    read = cases.read(case)
    problems = findings(read.requests, frozenset(read.train.ids.tolist()))
    facts = {
        "name": read.settings.case.name,
        "records": len(read.train),
        "features": read.train.features.shape[1],
        "requests": len(read.requests),
        "files": len(read.inputs),
        "model": read.settings.model is not None,
        "findings": [{"row": item.row, "code": item.code, "message": item.message} for item in problems],
    }
    if as_json:
        _print_json(facts)
        return
    if not quiet:
        model = "a model file" if read.settings.model else "no model file: the audit would speak of the procedure alone"
        typer.echo(
            f"{facts['name']}: {facts['records']} records of {facts['features']} features, {facts['requests']} requests, {model}."
        )
        for item in problems:
            typer.echo(f"row {item.row}: {item.code}: {item.message}")
        if read.columns_not_read:
            typer.echo(f"Columns of the log that no check reads: {', '.join(read.columns_not_read)}.")
    ending = "the log holds together" if not problems else f"{len(problems)} finding(s) in the log would fail log.consistency"
    typer.echo(f"Valid: every input of {facts['name']} can be read; {ending}.")


@app.command(epilog="Example: auditor report sample_models/digits-newton/audit/evidence.json --format html -o report.html")
def report(
    evidence: Annotated[Path, typer.Argument(metavar="EVIDENCE", help="An evidence.json.", show_default=False)],
    form: Annotated[Format, typer.Option("--format", help="What to write.")] = Format.PDF,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Beside the evidence if left out; - for stdout.", show_default=False),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Render again from evidence.json."""
    from auditor import evidence as evidences  # noqa: PLC0415
    from auditor.report import exchange, render  # noqa: PLC0415
    from auditor.writing import write_all  # noqa: PLC0415

    document = evidences.read(evidence)
    match form:
        case Format.PDF:
            content, name = render.pdf(document), "report.pdf"
        case Format.HTML:
            content, name = render.html(document).encode(), "report.html"
        case Format.JSON:
            content, name = render.json_bytes(document), "report.json"
        case Format.JUNIT:
            content, name = exchange.junit(document).encode(), "report.junit.xml"
        case Format.SARIF:
            content, name = exchange.sarif(document).encode(), "report.sarif"
    if output is not None and str(output) == "-":
        sys.stdout.buffer.write(content)
        return
    path = output if output is not None else evidence.with_name(name)
    write_all({path: content})
    if as_json:
        _print_json({"format": form.value, "path": str(path), "bytes": len(content)})
    elif not quiet:
        typer.echo(f"Written: {path}")


@app.command(epilog="Example: auditor doctor")
def doctor(as_json: Json = False, quiet: Quiet = False) -> None:
    """Say what this machine offers to an audit."""
    from auditor.doctor import examine  # noqa: PLC0415

    _narrate("Looking at this machine …", quiet=quiet or as_json)
    parts = examine()
    lacking = [part for part in parts if part.needed and not part.ok]
    if as_json:
        listed = [{"name": p.name, "found": p.found, "ok": p.ok, "needed": p.needed, "remedy": p.remedy} for p in parts]
        _print_json({"auditor": __version__, "ok": not lacking, "parts": listed})
    else:
        for part in parts if not quiet else lacking:
            mark = "ok" if part.ok else ("missing" if part.needed else "none")
            typer.echo(f"{mark:<8}{part.name}: {part.found}" + ("" if part.ok else f"  ({part.remedy})"))
        typer.echo("Ready: this machine can audit." if not lacking else f"Not ready: {len(lacking)} needed part(s) missing.")
    if lacking:
        raise typer.Exit(4)


@app.command(epilog="Example: auditor clean sample_models/digits-newton")
def clean(
    folder: Annotated[
        Path,
        typer.Argument(metavar="CASE|DIR", help="A case, or the folder that an audit wrote to.", show_default=False),
    ],
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Remove kept runs and what killed audits left; results stay.

    Finished runs are kept in DIR/.runs, so that an interrupted audit need not start again. They hold parameters of models,
    those from before a deletion included.
    """
    from auditor.runs import remove  # noqa: PLC0415

    removed = remove(_audit_folder(folder))
    counts = {kind: sum(item.kind == kind for item in removed) for kind in ("run", "partial", "scratch")}
    size = sum(item.bytes for item in removed)
    if as_json:
        listed = [{"kind": item.kind, "path": str(item.path), "bytes": item.bytes} for item in removed]
        _print_json(
            {"runs": counts["run"], "partial": counts["partial"], "scratch": counts["scratch"], "bytes": size, "removed": listed}
        )
        return
    if not quiet:
        for item in removed:
            typer.echo(f"{item.path}  {item.bytes} bytes")
    typer.echo(
        f"Removed: {counts['run']} kept run(s), {counts['partial']} half-written file(s), {counts['scratch']} scratch folder(s); "
        f"{size} bytes."
    )


def _audit_folder(path: Path) -> Path:
    """The folder of the audit of a case, or the folder of an audit itself."""
    if path.name == "audit.toml" and path.is_file():
        return path.parent / "audit"
    if not path.is_dir():
        raise UsageError(f"clean: expected a case or the folder of an audit, found no folder {path}")
    return path / "audit" if (path / "audit.toml").is_file() else path


@app.command(epilog="Example: auditor schema > evidence.schema.json")
def schema() -> None:
    """Print the JSON Schema of evidence.json."""
    from auditor import evidence as evidences  # noqa: PLC0415

    _print_json(evidences.schema())


@app.command(epilog="Example: auditor init my-case --template blank")
def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.", show_default=False)],
    template: Annotated[str, typer.Option(metavar="NAME", help="blank, or the name of a sample case.")] = "blank",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a case to start from."""
    from auditor.starting import start  # noqa: PLC0415

    files = start(folder, template)
    if as_json:
        _print_json({"template": template, "files": [str(path) for path in files]})
    elif not quiet:
        for path in files:
            typer.echo(path)
        following = "fill in audit.toml, then: auditor validate" if template == "blank" else "auditor check"
        _narrate(f"Next: {following} {folder}")


@app.command(
    epilog="Example: auditor calc removal-budget --epsilon 1 --delta 1e-4 --sigma 1 --beta 0.2 --json",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def calc(
    context: typer.Context,
    rule: Annotated[str | None, typer.Argument(metavar="RULE", help="One formula; see --list.", show_default=False)] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the rules with their theorem.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Work out one formula, by name."""
    from auditor.certificates import rules  # noqa: PLC0415
    from auditor.certificates.calculator import parse_and_derive  # noqa: PLC0415

    if listed:
        if as_json:
            _print_json({kind: {"theorem": item.theorem, "summary": item.summary} for kind, item in rules().items()})
            return
        for kind, item in rules().items():
            typer.echo(f"{kind:<18}{item.summary}\n{'':<18}{item.theorem}\n{'':<18}{item.example}")
        return
    if rule is None:
        raise UsageError(f"calc: expected a rule, one of {', '.join(rules())}; auditor calc --list describes them")
    certificate = parse_and_derive(rule, _pairs(context.args))
    if as_json:
        _print_json(dict(certificate.outputs))
    else:
        for name, value in certificate.outputs.items():
            typer.echo(f"{name} = {value}" if not quiet else f"{value}")
    failing = [condition for condition in certificate.conditions if not condition.holds]
    for condition in failing:
        typer.echo(f"auditor: a premise fails: {condition.name}; found {condition.found}", err=True)
    if failing:
        raise typer.Exit(2)


def _pairs(words: list[str]) -> dict[str, str]:
    """`--name value` and `--name=value` from what is left of the command line."""
    pairs: dict[str, str] = {}
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if not word.startswith("--"):
            raise UsageError(f"calc: expected --name VALUE, found {word}")
        name, equals, value = word[2:].partition("=")
        if not equals:
            if not waiting:
                raise UsageError(f"calc: expected a value after --{name}")
            value = waiting.pop(0)
        if name in pairs:
            raise UsageError(f"calc: --{name} is given twice")
        pairs[name] = value
    return pairs


def run(arguments: list[str]) -> int:
    """Run the command line and map every ending to its exit code; no traceback reaches the user."""
    try:
        result = app(arguments, prog_name="auditor", standalone_mode=False)
    except TyperException as error:
        typer.echo(f"auditor: {error.format_message()}", err=True)
        return error.exit_code
    except (KeyboardInterrupt, Abort):
        return _interrupted()
    except AuditorError as error:
        _explain(error)
        return error.exit_code
    except Exception as error:  # noqa: BLE001  (the last door: a traceback never reaches a user)
        return _crashed(error)
    # Typer turns an interrupt inside a command into an exit with this code.
    return _interrupted() if result == INTERRUPTED else result if isinstance(result, int) else 0


def _interrupted() -> int:
    typer.echo("auditor: interrupted; earlier results are as they were", err=True)
    return INTERRUPTED


def _explain(error: AuditorError) -> None:
    """One message per problem, on stderr."""
    lines = [str(error)]
    if isinstance(error, InputError):
        lines = [str(problem) for problem in error.problems]
        if len(lines) > 1:
            lines.append(f"{len(lines)} problems; nothing was run")
    for line in lines:
        typer.echo(f"auditor: {line}", err=True)
    if isinstance(error, ProcedureError) and error.stderr_tail:
        typer.echo("The last lines that the procedure wrote to stderr:", err=True)
        for line in error.stderr_tail.splitlines():
            typer.echo(f"  {line}", err=True)


def _crashed(error: Exception) -> int:
    """Keep the traceback in a file for a bug report, and say so in one line."""
    if isinstance(error, BrokenPipeError):
        # Whoever read our output has left, and Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return AuditorError.exit_code
    with tempfile.NamedTemporaryFile("w", prefix="auditor-crash-", suffix=".log", delete=False, encoding="utf-8") as log:
        log.write("".join(traceback.format_exception(error)))
    typer.echo(f"auditor: an error of the auditor itself ({type(error).__name__}); what happened is in {log.name}", err=True)
    return AuditorError.exit_code
