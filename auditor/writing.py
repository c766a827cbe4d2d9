"""Writing results so that a reader never meets half of one: temporary names first, then renames."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from auditor.errors import UsageError


def write_all(files: Mapping[Path, bytes]) -> None:
    """Write every file beside its final name, then rename them all; on any failure the earlier files stay.

    Raises:
        UsageError: If a folder cannot be made or a file cannot be written.
    """
    waiting: dict[Path, Path] = {}
    try:
        for path, content in files.items():
            if path.is_dir():
                # Found before anything is renamed: a rename that fails halfway would leave new files beside old ones.
                raise UsageError(f"{path}: expected a file to write, found a folder")
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(f".{path.name}.{os.getpid()}.partial")
            waiting[temporary] = path
            with temporary.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        for temporary, path in waiting.items():
            temporary.replace(path)
    except OSError as error:
        raise UsageError(f"{error.filename or 'output'}: cannot be written: {error.strerror}") from error
    finally:
        for temporary in waiting:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
