"""The commands that show what there is: report, doctor, schema."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from auditor import __version__
from auditor.api.results.documents import Format, Reader, exported, formats, refuse_signed, rendered
from auditor.base import extras
from auditor.base.errors import UsageError
from auditor.terminal.options import (
    EvidencePath,
    Json,
    Lang,
    Parts,
    Quiet,
    Shared,
    evidence_at,
    refuse_language,
    take_parts,
    take_parts_in,
)
from auditor.terminal.output import narrate, print_json, say, whisper
from auditor.terminal.progress import progress

if TYPE_CHECKING:
    from auditor.base.installation import Part
    from auditor.document.evidence import Evidence

_WIDTH: Final = 78
"""Columns of prose."""


def calc(
    context: typer.Context,
    rule: Annotated[str | None, typer.Argument(metavar="RULE", help="Name of a formula; see --list.", show_default=False)] = None,
    listed: Annotated[bool, typer.Option("--list", help="List all rules, each with its theorem.")] = False,
    part: Parts = None,
    as_json: Json = False,
    quiet: Quiet = False,
    wants_help: Annotated[bool, typer.Option("--help", "-h", help="Show this message, or the inputs of RULE, and exit.")] = False,
) -> None:
    """Evaluate one formula, by name."""
    from auditor.maths.certificates import rules  # noqa: PLC0415
    from auditor.maths.certificates.calculator import calculate  # noqa: PLC0415
    from auditor.pages.words.guesses import of_hundred  # noqa: PLC0415

    take_parts(context, part)
    if wants_help:
        for line in [context.get_help()] if rule is None else _inputs(rule):
            typer.echo(line)
        return
    if listed:
        _list(as_json=as_json)
        return
    if rule is None:
        raise UsageError(f"calc: expected a rule, one of {', '.join(rules())}; auditor calc --list describes them")
    calculated = calculate(rule, _pairs(context.args))
    certificate = calculated.certificate
    failing = [condition for condition in certificate.conditions if not condition.holds]
    printed = {**certificate.outputs, **{name: of_hundred(share) for name, share in calculated.shares.items()}}
    if as_json:
        print_json(printed)
    else:
        # Of a premise that fails nothing follows: it is said below, and what has a value stands above it.
        for name, value in printed.items():
            if failing and (value is None or name == "reason"):
                continue
            typer.echo(f"{name} = {value}" if not quiet else f"{value}")
    for condition in failing:
        whisper(say("cli-premise-fails", name=condition.name, found=condition.found))
    if failing:
        raise typer.Exit(2)


def _list(*, as_json: bool) -> None:
    """Print every rule with its theorem."""
    from auditor.maths.certificates import rules  # noqa: PLC0415

    if as_json:
        print_json({kind: {"theorem": item.theorem, "summary": item.summary} for kind, item in rules().items()})
        return
    width = max(map(len, rules())) + 2
    for kind, item in rules().items():
        typer.echo(f"{kind:<{width}}{item.summary}\n{'':<{width}}{item.theorem}\n{'':<{width}}{item.example}")


def _inputs(rule: str) -> Iterator[str]:
    """What one rule computes, from which inputs.

    Raises:
        UsageError: If there is no such rule.
    """
    from auditor.maths.certificates import rules  # noqa: PLC0415
    from auditor.maths.certificates.calculator import options_of  # noqa: PLC0415

    options = options_of(rule)
    found = rules()[rule]
    heads = [f"{each.name} {each.value}" for each in options]
    width = max(map(len, heads)) + 2
    yield f"Usage: auditor calc {rule} [OPTIONS]\n\n  {found.summary}\n  {found.theorem}\n\nInputs:"
    for head, each in zip(heads, options, strict=True):
        yield f"  {head:<{width}}{'Required. ' if each.required else ''}{each.meaning}"
    yield f"\nExample: {found.example}"


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


def report(
    context: typer.Context,
    evidence: EvidencePath,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar=f"[{'|'.join(Format)}]",
            help="Format to write, a part's own with --part; pdf if left out.",
            show_default=False,
        ),
    ] = None,
    reader: Annotated[
        Reader | None,
        typer.Option(
            "--for",
            help="officer: main part; regulator (default): main part and annex (pdf or html); ci: md; subject: see certificate.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File to write; next to the evidence if left out; - for stdout.",
            show_default=False,
        ),
    ] = None,
    tables: Annotated[
        Path | None,
        typer.Option(
            "--tables",
            metavar="FOLDER",
            help="Write only the tables that are too long for print, as CSV and JSON.",
            show_default=False,
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Checks that decide nothing, too, in Markdown; the annex of PDF and HTML has them.")
    ] = False,
    shared: Shared = False,
    part: Parts = None,
    lang: Lang = "en",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Render a report from evidence.json, for a given reader."""
    refuse_language(lang)
    take_parts(context, part)
    chosen = _format_for(reader, form)
    if everything and reader is Reader.OFFICER:
        raise UsageError("report --all: the main part that --for officer writes has no list of checks; leave --for out")
    if chosen is Format.PDF and tables is None:
        extras.require("report", "report --format pdf")
    from auditor.api.results.letters import refuse_over_letter  # noqa: PLC0415
    from auditor.base.writing import require_folder_of, write_all  # noqa: PLC0415
    from auditor.document import evidence_files  # noqa: PLC0415
    from auditor.pages.words.rendered_evidence import tell  # noqa: PLC0415

    evidence = evidence_at(evidence)
    read = evidence_files.read(evidence)
    take_parts_in(context, read)
    if tables is not None:
        _write_tables(read, tables, shared=shared, as_json=as_json, quiet=quiet)
        return
    if output is not None and str(output) != "-":
        require_folder_of(output)
    with progress(shown=not quiet) as on_step:
        on_step("report", 0, 1)
        document = tell(read)
        del read  # what was told has its own: of a long log each takes tens of megabytes
        content, name = rendered(document, chosen, whole=reader is not Reader.OFFICER, everything=everything)
    if output is not None and str(output) == "-":
        sys.stdout.buffer.write(content)
        return
    path = output if output is not None else evidence.with_name(name)
    refuse_signed(path)
    refuse_over_letter(path, content)
    write_all({path: content}, shared=shared)
    if as_json:
        print_json({"format": str(chosen), "path": str(path), "bytes": len(content)})
    elif not quiet:
        typer.echo(say("cli-written", path=path))


def _format_for(reader: Reader | None, form: str | None) -> Format | str:
    """The format that a reader is served in; one of a foreign part by its name.

    Raises:
        UsageError: If there is no such format, or the reader gets another document, or this one in other formats alone.
    """
    allowed = formats(reader)
    if not allowed:
        raise UsageError(
            "report --for subject: a report covers every request; auditor certificate EVIDENCE --request ID writes the "
            "letter for one person"
        )
    if form is not None and form not in set(Format):
        others = exported()
        if form not in others or reader is not None:
            raise UsageError(f"report --format: expected {' or '.join((*Format, *others))}, found {form[:60]!r}")
        return form
    chosen = allowed[0] if form is None else Format(form)
    if chosen not in allowed:
        raise UsageError(f"report --for {reader}: expected --format {' or '.join(allowed)}, found {chosen}")
    return chosen


def _write_tables(evidence: Evidence, folder: Path, *, shared: bool, as_json: bool, quiet: bool) -> None:
    from auditor.base.writing import write_all  # noqa: PLC0415
    from auditor.pages import attachments  # noqa: PLC0415

    written = {folder / name: content for name, content in attachments.of(evidence).items()}
    write_all(written, shared=shared)
    if as_json:
        print_json({"written": [str(path) for path in written]})
    elif not quiet:
        for path in written:
            typer.echo(say("cli-written", path=path))


def doctor(as_json: Json = False, quiet: Quiet = False) -> None:
    """Check what audits this machine can run."""
    if extras.verifies_only():
        from auditor.base.installation import examine  # noqa: PLC0415
    else:
        from auditor.audit.doctor import examine  # noqa: PLC0415

    narrate(say("cli-checking-machine"), quiet=quiet or as_json)
    parts = examine()
    lacking = [part for part in parts if part.needed and not part.ok]
    if as_json:
        listed = [{"name": p.name, "found": p.found, "ok": p.ok, "needed": p.needed, "remedy": p.remedy} for p in parts]
        print_json({"auditor": __version__, "ok": not lacking, "parts": listed})
    else:
        absent = [part for part in parts if not part.ok]
        name = "cli-ready-to-verify" if extras.verifies_only() else "cli-ready"
        typer.echo(say(name, absent=len(absent)) if not lacking else say("cli-not-ready", count=len(lacking)))
        if not quiet:
            _rows([(say(f"cli-doctor-{_standing(part)}"), part.name, part.brief or part.found) for part in parts])
        if missing := lacking if quiet else absent:
            typer.echo(say("cli-doctor-absent-heading"))
        for part in missing:
            said = f"{part.name}: {part.remedy.removesuffix(part.command).rstrip(' :')}"
            typer.echo(textwrap.fill(said, _WIDTH, initial_indent="  ", subsequent_indent="    "))
            if part.command:
                typer.echo(f"    {part.command}")
    if lacking:
        raise typer.Exit(4)


def _standing(part: Part) -> str:
    return "ok" if part.ok else "missing" if part.needed else "absent"


def _rows(rows: Sequence[tuple[str, ...]]) -> None:
    """Print rows in columns; the last one takes the rest of the line, and wraps within it."""
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table, console = Table.grid(padding=(0, 2, 0, 0)), Console()
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    with console.capture() as printed:
        console.print(table)
    for line in printed.get().splitlines():
        typer.echo(line.rstrip())


def schema(
    leaves: Annotated[bool, typer.Option("--leaves", help="List every leaf instead: derived, declared or observed.")] = False,
) -> None:
    """Print the JSON Schema of evidence.json."""
    if leaves:
        from auditor.document.leaves import RestsOn, table  # noqa: PLC0415

        listed = table().items()
        print_json({kind.value: [pointer for pointer, rests_on in listed if rests_on is kind] for kind in RestsOn})
    else:
        from auditor.verdict import published  # noqa: PLC0415

        print_json(published.schema())
