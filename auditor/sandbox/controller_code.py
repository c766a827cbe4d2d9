"""The controller's Python files, copied into the scratch folder: the case itself, with its seed and its data, stays out of reach.

What is copied is the entry, every Python file beside it, and the packages beside it (folders with `__init__.py`). Links are not
followed: a case from elsewhere could name any file of this machine.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from auditor.errors import ProcedureError
from auditor.sandbox.limits import MEBIBYTE

_FILES = 1000
_BYTES = 64 * MEBIBYTE


def copy(entry: str, into: Path) -> str:
    """Copy the files of an entry.

    Args:
        entry: `/absolute/path.py:ClassName`.
        into: An empty folder.

    Returns:
        The entry in that folder: `<into>/path.py:ClassName`.

    Raises:
        ProcedureError: If the entry is no regular file or leads out of its folder, or there is too much beside it.
    """
    path, _, name = entry.rpartition(":")
    source = Path(path)
    folder = source.parent.resolve()
    start = "the procedure's start failed: expected a Python file as entry"
    try:
        content = _content(source.resolve(strict=True))
    except OSError as error:
        raise ProcedureError(f"{start}, found {(error.strerror or 'an error').lower()}") from error
    if content is None or not source.resolve().is_relative_to(folder):
        raise ProcedureError(f"{start}, found something that is none, or a link out of its folder")
    (into / source.name).write_bytes(content)
    files, held = 1, len(content)
    for beside in _python_files(folder):
        if beside == folder / source.name:
            continue
        try:
            content = _content(beside)
        except OSError:
            continue  # it cannot be read; a procedure that needs it will say so
        if content is None:
            continue
        files, held = files + 1, held + len(content)
        if files > _FILES or held > _BYTES:
            most = f"at most {_FILES} files and {_BYTES // MEBIBYTE} MiB"
            raise ProcedureError(f"the procedure's start failed: expected {most} of Python beside its entry, found more")
        target = into / beside.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return f"{into / source.name}:{name}"


def _python_files(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        listed = sorted(entries, key=lambda entry: entry.name)
    for entry in listed:
        path = Path(entry.path)
        if entry.is_dir(follow_symlinks=False):
            if (path / "__init__.py").is_file():
                yield from _python_files(path)
        elif path.suffix == ".py":
            yield path


def _content(path: Path) -> bytes | None:
    """The bytes of a regular file that is no link; None for anything else. At most one more than are copied in all.

    Raises:
        OSError: If it cannot be opened.
    """
    # O_NONBLOCK: opening a named pipe must not wait for a writer.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(_BYTES + 1) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
