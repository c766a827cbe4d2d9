"""System calls that fail: a full disk at any file that is opened, renamed, linked or synchronised, or at any byte."""

from __future__ import annotations

import errno
import os
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_counting: list[_Calls] = []


class _Calls:
    """Counts what changes files beneath a folder, and lets one of these calls fail."""

    def __init__(self, beneath: Path, failing: int | None, number: int) -> None:
        self.beneath, self.failing, self.number = str(beneath), failing, number
        self.made: list[str] = []

    def met(self, what: str, path: object, second: object = None) -> None:
        """Note a call by what it changes; `second` is the name that it gives, where it is about two."""
        changed = path if second is None else second
        if not isinstance(changed, int) and not _absolute(changed).startswith(self.beneath):
            return
        self.made.append(f"{what} {changed!r}")
        if len(self.made) - 1 == self.failing:
            named = () if isinstance(path, int) else (path,) if second is None else (path, None, second)
            raise OSError(self.number, os.strerror(self.number), *named)


def _absolute(path: Any) -> str:
    return str(Path(os.fsdecode(path)).absolute())


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not _counting:
        return
    match event, arguments:
        case "open", (str() | bytes() as path, _, int() as flags) if flags & _WRITES:
            _counting[-1].met(event, path)
        case "os.mkdir", (path, *_) if not Path(path).is_dir():  # the kernel says first that it is there
            _counting[-1].met(event, path)
        case "os.chmod", (path, *_):
            _counting[-1].met(event, path)
        case (("os.rename" | "os.link"), (source, target, *_)) if os.path.lexists(source):
            _counting[-1].met(event, source, target)


sys.addaudithook(_hook)


@contextmanager
def calls(beneath: Path, *, failing: int | None = None, number: int = errno.ENOSPC) -> Iterator[list[str]]:
    """Take note of every call that opens a file to write, renames, links, makes a folder or synchronises beneath a folder.

    Args:
        beneath: The folder.
        failing: The one that fails, the first being 0; None for none.
        number: The error that it fails with.
    """
    found = _Calls(beneath, failing, number)
    real = os.fsync

    def synchronised(descriptor: int) -> None:
        found.met("fsync", descriptor)
        real(descriptor)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fsync", synchronised)
        _counting.append(found)
        try:
            yield found.made
        finally:
            _counting.remove(found)


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    """Let every write fail that would make a file longer, as a disk does that is full; Python ignores the signal."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def tree(folder: Path) -> dict[str, bytes]:
    """Every file beneath a folder by its name, and every link and special file by what it is."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = b"a link to " + bytes(path.readlink())
        elif path.is_file():
            found[name] = path.read_bytes()
        elif not path.is_dir():
            found[name] = b"no plain file"
    return found
