"""Files that are examined and removed without a link ever being followed, renamed first so that nothing is lost half-way.

Every name is looked up in a folder that is open. A file is removed only if it is still the one that was examined: it is renamed
into a folder of its own, compared, and put back if it is another. That folder is noted, so that what a purge that was killed had
renamed is removed by the next one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final, TypeAlias

from auditor.base import process_marks
from auditor.base.noted import Noted, note
from auditor.sandbox import folders

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WAITING: Final = re.compile(rf"\.purge\.({process_marks.MARK})\.partial")
_Identity: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Examined:
    """One plain file of this user's, as it was when it was read."""

    root: Path
    """The folder that was named by the user, resolved."""
    inside: PurePosixPath
    """Where the file is below it, through folders that are no links."""
    kind: str
    bytes: int
    sha256: str
    identity: _Identity
    names: int
    """How many names the file has: it stays under the others."""

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.root / self.inside


def examine(root: Path, inside: PurePosixPath, kind: str, ours: Callable[[BinaryIO], bool] | None = None) -> Examined | None:
    """Read a file and say what it is; None where it is a link, lies behind one, is no plain file or somebody else's.

    Args:
        root: A folder, resolved.
        inside: The file below it.
        kind: What it is said to be.
        ours: Whether what it holds shows that the auditor wrote it; None where that is known otherwise.
    """
    try:
        with _opened(root, inside.parent) as folder:
            descriptor = os.open(inside.name, _FILE, dir_fd=folder)
            with os.fdopen(descriptor, "rb") as file:
                status = os.fstat(descriptor)
                if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
                    return None
                if ours is not None and not ours(file):
                    return None
                file.seek(0)
                digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
    return Examined(root, inside, kind, status.st_size, digest, _identity(status), status.st_nlink)


def listed(root: Path, inside: PurePosixPath) -> list[str]:
    """Names in a folder, sorted; none where it is no folder or lies behind a link."""
    try:
        with _opened(root, inside) as folder:
            return sorted(os.listdir(folder))  # noqa: PTH208 - of the very folder that is open
    except OSError:
        return []


def remove(files: Iterable[Examined]) -> tuple[list[Examined], list[tuple[Examined, str]]]:
    """Remove files: all of a folder are renamed before the first goes.

    Returns:
        What was removed, and what was not, each with why.
    """
    by_folder: defaultdict[tuple[Path, PurePosixPath], list[Examined]] = defaultdict(list)
    for each in files:
        by_folder[each.root, each.inside.parent].append(each)
    done: list[Examined] = []
    failed: list[tuple[Examined, str]] = []
    for (root, parent), theirs in by_folder.items():
        try:
            gone, left = _removed(root, parent, theirs)
        except OSError as error:
            gone, left = [], [(each, error.strerror or str(error)) for each in theirs]
        done += gone
        failed += left
    return done, failed


def left_waiting(root: Path, inside: PurePosixPath, noted: Noted) -> list[Path]:
    """Folders in which purges that were killed left what they had renamed."""
    found = []
    for name in listed(root, inside):
        match = _WAITING.fullmatch(name)
        path = root / inside / name
        if match and process_marks.has_ended(match[1]) and _thing(path) in noted and _own_folder(path):
            found.append(path)
    return found


def finish(waiting: Iterable[Path]) -> int:
    """Remove what a killed purge had renamed; its size in bytes.

    Raises:
        OSError: If something remains.
    """
    return sum(folders.remove(path) for path in waiting)


def _removed(root: Path, parent: PurePosixPath, files: list[Examined]) -> tuple[list[Examined], list[tuple[Examined, str]]]:
    name = f".purge.{process_marks.mark()}.partial"
    done: list[Examined] = []
    failed: list[tuple[Examined, str]] = []
    note([_thing(root / parent / name)])
    with _opened(root, parent) as folder:
        os.mkdir(name, 0o700, dir_fd=folder)
        waiting = os.open(name, _FOLDER, dir_fd=folder)
        try:
            renamed = []
            for number, each in enumerate(files):
                try:
                    os.rename(each.inside.name, str(number), src_dir_fd=folder, dst_dir_fd=waiting)
                except FileNotFoundError:
                    continue  # another purge was quicker
                except OSError as error:
                    failed.append((each, error.strerror or str(error)))
                    continue
                if _identity(os.stat(str(number), dir_fd=waiting, follow_symlinks=False)) == each.identity:
                    renamed.append((number, each))
                else:
                    os.rename(str(number), each.inside.name, src_dir_fd=waiting, dst_dir_fd=folder)
                    failed.append((each, "it was changed meanwhile"))
            for number, each in renamed:
                os.unlink(str(number), dir_fd=waiting)
                done.append(each)
        finally:
            os.close(waiting)
            with contextlib.suppress(OSError):
                os.rmdir(name, dir_fd=folder)
    return done, failed


@contextlib.contextmanager
def _opened(root: Path, inside: PurePosixPath) -> Iterator[int]:
    """A folder below another, each opened in the one above: none of them is a link.

    Raises:
        OSError: If one of them is a link, or no folder.
    """
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for name in inside.parts:
            below = os.open(name, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = below
        yield folder
    finally:
        os.close(folder)


def _identity(status: os.stat_result) -> _Identity:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _thing(path: Path) -> bytes:
    return b"waiting\0" + os.fsencode(path)


def _own_folder(path: Path) -> bool:
    try:
        status = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
