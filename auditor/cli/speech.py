"""How the command line speaks: results on stdout, narration and errors on stderr, one message per problem."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer

from auditor.errors import AuditorError, InputError, ProcedureError

INTERRUPTED = 130


def narrate(message: str, *, quiet: bool = False) -> None:
    """Say something on stderr, unless silence was asked for."""
    if not quiet:
        typer.echo(message, err=True)


def print_json(value: Any) -> None:
    """Print a JSON value on stdout.

    Raises:
        ValueError: If it holds a number that JSON has no word for.
    """
    typer.echo(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2))


@contextmanager
def progress(*, shown: bool) -> Iterator[Callable[[str, int, int], None]]:
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


def interrupted() -> int:
    """Say that the run was interrupted; its exit code."""
    typer.echo("auditor: interrupted; earlier results are as they were", err=True)
    return INTERRUPTED


def explain(error: AuditorError) -> None:
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


def crashed(error: Exception) -> int:
    """Keep the traceback in a file for a bug report, and say so in one line."""
    if isinstance(error, BrokenPipeError):
        # Whoever read our output has left, and Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return AuditorError.exit_code
    with tempfile.NamedTemporaryFile("w", prefix="auditor-crash-", suffix=".log", delete=False, encoding="utf-8") as log:
        log.write("".join(traceback.format_exception(error)))
    typer.echo(f"auditor: an error of the auditor itself ({type(error).__name__}); what happened is in {log.name}", err=True)
    return AuditorError.exit_code
