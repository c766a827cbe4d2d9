"""Plain files, where something else may be in their place: never through a link, and never waiting for a pipe."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from io import BufferedReader
from pathlib import Path

from auditor.base import process_marks


def opened(path: Path, *, follow: bool = False) -> BufferedReader:
    """Open a plain file.

    Args:
        path: The file.
        follow: Whether it may be a link to one.

    Raises:
        OSError: If it is no plain file, or cannot be opened.
    """
    # O_NONBLOCK: opening a named pipe would wait for somebody who writes to it.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.ESTALE, "no plain file any more", str(path))
    return os.fdopen(descriptor, "rb")


def put(path: Path, content: bytes, *, through: Path | None = None) -> None:
    """Put a file in place for its user alone, whole or not at all; it is not forced to the disk.

    Args:
        path: The file.
        content: What it shall hold.
        through: The folder of its temporary name, where `auditor clean` finds it if the process is killed; that of the file if
            left out.

    Raises:
        OSError: If that fails.
    """
    beginning = f".{path.name.partition('.')[0]}.{process_marks.mark()}."
    descriptor, temporary = tempfile.mkstemp(dir=through or path.parent, prefix=beginning, suffix=".partial")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    finally:
        Path(temporary).unlink(missing_ok=True)
