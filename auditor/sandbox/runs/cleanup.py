"""What earlier audits left: kept runs, half-written files and scratch folders of processes that were killed.

Results (evidence.json, report.pdf, report.html) are never touched, nor anything that a living process still uses, nor a file
whose name is not one that the auditor gives.
"""

from __future__ import annotations

import os
import re
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from auditor.base import process_marks
from auditor.base.errors import StorageError
from auditor.base.user_key import key_file
from auditor.sandbox import folders
from auditor.sandbox.runs.run_cache import FOLDER
from auditor.sandbox.runs.secrets import SALT
from auditor.sandbox.runs.shown_ours import NAMED, PARTIAL
from auditor.sandbox.runs.storage import Elsewhere, place_of

_SCRATCH = re.compile(rf"{process_marks.NAME}-({process_marks.MARK})-[a-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Removed:
    """One thing that was removed."""

    kind: str
    """run, partial, scratch or salt."""
    path: Path | str
    """Where it lay; an address where that is elsewhere."""
    bytes: int
    """The size of its files."""


def remove(folder: Path, where: str | None = None) -> tuple[Removed, ...]:
    """Remove the kept runs of one audit's folder, and what killed audits left there and among the temporary files.

    Args:
        folder: The folder of an audit; nothing happens there if it does not exist.
        where: Where its runs were kept, if not in `DIR/.runs`: a folder, or an address that fsspec reaches.

    Raises:
        StorageError: If something cannot be removed; the rest was.
        UsageError: If nothing reaches the address.
    """
    done: list[Removed] = []
    failed: list[str] = []
    place = None if where is None else place_of(where)
    runs = folder / FOLDER if where is None or isinstance(place, Elsewhere) else Path(where)
    if isinstance(place, Elsewhere):
        try:
            done += [Removed("run", place.named(name), size) for name, size in place.cleared(NAMED)]
        except OSError as error:
            failed.append(f"{where}: {error.strerror or error}")
    ours = [("run", NAMED), ("salt", re.compile(re.escape(SALT)))]
    _remove(
        [
            *_found(runs, ours, runs=True),
            *_found(runs, [("partial", PARTIAL)]),
            *_found(folder, [("partial", PARTIAL)]),
            *_found(_beside_key(), [("partial", PARTIAL)]),
            *_scratch(),
        ],
        done,
        failed,
    )
    _remove_if_empty(runs)
    _refuse(failed)
    return tuple(done)


def remove_scratch() -> tuple[Removed, ...]:
    """Remove what killed audits left among the temporary files.

    Raises:
        StorageError: If something cannot be removed; the rest was.
    """
    done: list[Removed] = []
    failed: list[str] = []
    _remove(_scratch(), done, failed)
    _refuse(failed)
    return tuple(done)


def sizes_of_scratch() -> tuple[int, ...]:
    """Give the bytes of each thing that `remove_scratch` would remove."""
    return tuple(_size(path) for _, path in _scratch())


def _size(folder: Path) -> int:
    """The bytes of what lies in a folder, as far as it is still there."""
    size = 0
    for here, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                size += Path(here, name).lstat().st_size
    return size


def _scratch() -> list[tuple[str, Path]]:
    return _found(Path(tempfile.gettempdir()), [("scratch", _SCRATCH)])


def _refuse(failed: list[str]) -> None:
    if failed:
        raise StorageError("cannot be removed: " + "; ".join(failed))


def _remove(found: list[tuple[str, Path]], done: list[Removed], failed: list[str]) -> None:
    for kind, path in found:
        try:
            if kind == "scratch":
                size = folders.remove(path)
            else:
                size = path.lstat().st_size
                path.unlink()
        except FileNotFoundError:
            continue  # another `clean` was quicker
        except OSError as error:
            failed.append(f"{path}: {error.strerror or error}")
        else:
            done.append(Removed(kind, path, size))


def _found(folder: Path | None, kinds: list[tuple[str, re.Pattern[str]]], *, runs: bool = False) -> list[tuple[str, Path]]:
    """What lies in a folder under names of these kinds, belongs to this user and to no living process; links are left alone."""
    found = []
    try:
        if folder is None or folder.is_symlink():
            return []
        listed = sorted(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
    for path in listed:
        for kind, pattern in kinds:
            match = pattern.fullmatch(path.name)
            if match is None or not _own(path, folder=kind == "scratch"):
                continue
            if runs or process_marks.has_ended(match[1]):
                found.append((kind, path))
    return found


def _beside_key() -> Path | None:
    try:
        return key_file().parent
    except OSError:
        return None  # a user without a home has no key either


def _own(path: Path, *, folder: bool) -> bool:
    try:
        status = path.lstat()
    except FileNotFoundError:
        return False
    wanted = stat.S_ISDIR(status.st_mode) if folder else stat.S_ISREG(status.st_mode)
    return wanted and status.st_uid == os.geteuid()


def _remove_if_empty(folder: Path) -> None:
    try:
        if not folder.is_symlink():
            folder.rmdir()
    except OSError:
        return  # it holds something else, or there is none
