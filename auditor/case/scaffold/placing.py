"""Puts the files of a new case in place, all of them or none."""

from __future__ import annotations

import errno
import glob
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from auditor import case as cases
from auditor.base import process_marks
from auditor.base.errors import UsageError
from auditor.base.writing import make_folder, temporary_name, unwritten, write_new

DECLARED = "audit.toml"


def require_empty(folder: Path) -> None:
    """Refuse a folder that holds anything but what a killed process of ours left there, which goes.

    Raises:
        UsageError: If it does, or is a file.
    """
    if folder.is_dir():
        _remove_left(folder, folder.absolute().name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder}: expected a new or empty folder, found one with files in it")


def _remove_left(around: Path, name: str) -> None:
    """Remove what processes that have ended left half made there, under temporary names for this one."""
    for left in around.glob(f".{glob.escape(name)}.*.partial"):
        marked = left.name.removeprefix(f".{name}.").partition(".")[0]
        if re.fullmatch(process_marks.MARK, marked) and process_marks.has_ended(marked):
            shutil.rmtree(left, ignore_errors=True)


def place(folder: Path, files: Mapping[str, bytes], *, shared: bool = False, readable: bool = False) -> None:
    """Write every file of a case under another name, and only then put all of them where they belong.

    Args:
        folder: Where it is to lie; new or empty.
        files: By name in it.
        shared: Whether others may read the files; what declares the case, and may hold a seed, is its owner's alone all the same.
        readable: Whether the case is whole, and is read before it is put in place: without a log it is not yet.

    Raises:
        UsageError: If it cannot be written there, for what it is called or where it lies; nothing stays behind.
        StorageError: If it cannot be for another reason, such as a full disk.
        InputError: If it cannot be read.
    """
    try:
        with _made(folder, shared=shared) as made:
            for name, content in files.items():
                write_new(made / name, content, shared=shared and name != DECLARED)
            if readable:
                cases.read(made)
    except OSError as error:
        # Not where it was written meanwhile, which nobody asked for.
        raise unwritten(OSError(error.errno, error.strerror, str(folder))) from error


@contextmanager
def _made(folder: Path, *, shared: bool) -> Iterator[Path]:
    """A folder that takes the place of `folder` at the end; one that is there, perhaps somebody's working directory, stays.

    Raises:
        OSError: If something cannot be made or renamed.
    """
    there, name = folder.exists(), folder.absolute().name
    around = folder if there else folder.parent
    around.mkdir(parents=True, exist_ok=True)
    _remove_left(around, name)
    if there and any(around.iterdir()):
        raise OSError(errno.ENOTEMPTY, os.strerror(errno.ENOTEMPTY), str(folder))  # somebody was quicker
    made = temporary_name(around / name)
    put: list[Path] = []
    make_folder(made, shared=shared)
    try:
        yield made
        for source, target in [(each, folder / each.name) for each in sorted(made.iterdir())] if there else [(made, folder)]:
            source.rename(target)
            put.append(target)
    except BaseException:
        for path in put:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        raise
    finally:
        shutil.rmtree(made, ignore_errors=True)
