"""How the command line speaks: results on stdout, narration and errors on stderr, one message per problem."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import sys
import tempfile
import traceback
from contextlib import suppress
from dataclasses import asdict
from typing import Any, TextIO

import typer

from auditor.base.errors import AuditorError, InputError, ProcedureError
from auditor.base.extras import command, extra_of
from auditor.base.writing import way_out

INTERRUPTED = 130
_ABSENT = re.compile(r"No module named '(\w+)")
"""How Python says what a procedure could not import."""
_KEPT = "runs of an audit that have finished are kept and not run again"


def say(message: str, /, **given: object) -> str:
    """Format a message of the catalogue, which is read when something is printed: help is there without it."""
    from auditor.pages.words import texts  # noqa: PLC0415

    return texts.say(message, **given)


def narrate(message: str, *, quiet: bool = False) -> None:
    """Say something on stderr, unless silence was asked for."""
    if not quiet:
        whisper(message)


def whisper(message: str) -> None:
    """Say something on stderr; where that cannot be written, work goes on without."""
    try:
        typer.echo(message, err=True)
    except OSError:
        _silence(sys.stderr)


_printed: dict[str, bool] = {}
"""Whether this call has printed its JSON object: it prints one, also where something goes wrong afterwards."""


def print_json(value: Any) -> None:
    """Print a JSON value on stdout.

    Raises:
        ValueError: If it holds a number that JSON has no word for.
    """
    typer.echo(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2))
    _printed["json"] = True


def begin_call() -> None:
    """Forget what an earlier call of this process printed."""
    _printed.clear()


def print_refusal(error: AuditorError | str, exit_code: int) -> None:
    """Print why a command gave up as the one JSON object that its caller waits for, unless that was printed already.

    Args:
        error: What went wrong, or the message on a wrong option.
        exit_code: The one that the process ends with.
    """
    if _printed.get("json"):
        return
    problems: list[dict[str, str]] = [{"message": str(error)}]
    if isinstance(error, InputError):
        problems = [{"message": str(each), **asdict(each)} for each in error.problems]
    try:
        print_json({"exit_code": exit_code, "problems": problems})
        sys.stdout.flush()
    except (AttributeError, OSError, ValueError):  # stdout is closed or broken; stderr has said it all
        if sys.stdout is not None:
            _silence(sys.stdout)


def interrupted() -> int:
    """Say that the run was interrupted; its exit code."""
    whisper("auditor: interrupted; earlier results are as they were")
    return INTERRUPTED


def explain(error: AuditorError) -> None:
    """One message per problem, on stderr."""
    lines = [str(error)]
    if isinstance(error, InputError):
        lines = [str(problem) for problem in error.problems]
        if len(lines) > 1:
            lines.append(f"{len(lines)} problems; nothing was run")
    if isinstance(error, ProcedureError) and (lacking := not_installed(f"{error}\n{error.stderr_tail}")):
        lines.append(lacking)
    for line in lines:
        whisper(f"auditor: {line}")
    if isinstance(error, ProcedureError) and error.stderr_tail:
        whisper("The last lines that the procedure wrote to stderr:")
        for line in error.stderr_tail.splitlines():
            whisper(f"  {line}")


def not_installed(said: str) -> str:
    """Say how to install what a procedure could not import, by what it wrote; empty where it could import everything."""
    absent = _ABSENT.search(said)
    if absent is None:
        return ""
    if extra := extra_of(absent[1]):
        return f"{absent[1]} comes with {command(extra)}"
    return say("cli-not-installed", module=absent[1], python=shlex.quote(sys.executable))


def finish(code: int) -> int:
    """Write out what was printed; the exit code, which is that of a failure where it could not be."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        return _unprinted(error)
    return code


def crashed(error: Exception) -> int:
    """Say in one line what went wrong, and keep the traceback in a file for a bug report where it is no lack of room."""
    if isinstance(error, BrokenPipeError):
        # Anyone who read our output has left, and Python would complain once more when it flushes at exit.
        _silence(sys.stdout)
        return AuditorError.exit_code
    if isinstance(error, OSError) and error.filename is None and _stdout_is_broken():
        return _unprinted(error)
    if isinstance(error, MemoryError):
        whisper(f"auditor: memory ran out{way_out(OSError(errno.ENOMEM, ''))}; {_KEPT}")
    elif isinstance(error, OSError) and way_out(error):
        place = error.filename or tempfile.tempdir or "the folder for temporary files"
        whisper(f"auditor: {place}: {error.strerror}{way_out(error)}; {_KEPT}")
    else:
        whisper(f"auditor: an error of the auditor itself ({type(error).__name__}); {_log_of(error)}")
    return AuditorError.exit_code


def _log_of(error: Exception) -> str:
    """Where the traceback is, or why it is nowhere."""
    try:
        with tempfile.NamedTemporaryFile("w", prefix="auditor-crash-", suffix=".log", delete=False, encoding="utf-8") as log:
            log.write("".join(traceback.format_exception(error)))
    except OSError as further:
        return f"what happened could not be written down ({further.strerror or further})"
    return f"what happened is in {log.name}"


def _unprinted(error: OSError) -> int:
    _silence(sys.stdout)
    whisper(f"auditor: stdout cannot be written: {error.strerror}; what was written to files is whole")
    return AuditorError.exit_code


def _stdout_is_broken() -> bool:
    """Whether a line cannot be written to stdout: what failed to be written before is gone and tells nothing."""
    try:
        sys.stdout.write("\n")
        sys.stdout.flush()
    except OSError:
        return True
    except (AttributeError, ValueError):  # closed from the start
        return False
    return False


def _silence(stream: TextIO) -> None:
    """Lead a stream that cannot be written into nothing, or Python would try once more at exit, and fail."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
