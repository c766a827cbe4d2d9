"""Writing results so that a reader never meets half of one: temporary names first, then renames."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from auditor import owners
from auditor.errors import UsageError


def write_all(files: Mapping[Path, bytes], *, without: Collection[Path] = ()) -> tuple[Path, ...]:
    """Write every file beside its final name, then rename them all; on any failure the earlier files stay.

    Two processes that write the same files rename one after the other: what lies there in the end belongs together.

    Args:
        files: What to write.
        without: Files that must not lie beside the new ones. They are removed together with the renaming.

    Returns:
        Those of `without` that were there.

    Raises:
        UsageError: If a folder cannot be made, or a file cannot be written or removed.
    """
    waiting: dict[Path, Path] = {}
    removed: list[Path] = []
    try:
        for path in (*files, *without):
            if path.is_dir():
                # Found before anything is renamed: a rename that fails halfway would leave new files beside old ones.
                raise UsageError(f"{path}: expected a file to write, found a folder")
        for path, content in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(f".{path.name}.{owners.mark()}.partial")
            waiting[temporary] = path
            with temporary.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        with _alone_in({path.parent for path in files}):
            for path in without:
                # First, so that a writer that is killed here leaves too little and never an old file beside new ones.
                with contextlib.suppress(FileNotFoundError):
                    path.unlink()
                    removed.append(path)
            for temporary, path in waiting.items():
                temporary.replace(path)
    except OSError as error:
        raise UsageError(f"{error.filename or 'output'}: cannot be written: {error.strerror}") from error
    finally:
        for temporary in waiting:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
    return tuple(removed)


@contextlib.contextmanager
def _alone_in(folders: Iterable[Path]) -> Iterator[None]:
    """Wait until no other writer renames in these folders; the kernel frees them when a writer is killed."""
    with contextlib.ExitStack() as held:
        # In one order, so that two writers never wait for each other.
        for folder in sorted({path.resolve() for path in folders}):
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            held.callback(os.close, descriptor)
            with contextlib.suppress(OSError):  # some network file systems have no locks: as good as it gets there
                fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
