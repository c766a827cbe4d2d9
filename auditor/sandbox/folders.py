"""Folders that foreign code has filled: measured and removed through open descriptors.

Every name is looked up in a folder that is open, and no link is followed. So no path grows longer than the system allows,
nothing recurses however deep the folders lie, and nobody who exchanges a name for a link leads out of the folder.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, TypeAlias

DEEPEST = 100
"""How many folders within one another are measured; each costs a descriptor."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_Identity: TypeAlias = tuple[int, int]


class _Listing(Protocol):
    """What `os.scandir` gives."""

    def __next__(self) -> os.DirEntry[str]: ...
    def __iter__(self) -> Iterator[os.DirEntry[str]]: ...
    def close(self) -> None: ...


def held_bytes(path: Path, *, entries: int) -> int | None:
    """Measure the disk space of everything in a folder, in bytes.

    Args:
        path: The folder.
        entries: How many files and folders are counted at most.

    Returns:
        None where it cannot be told: there are more entries, folders more than `DEEPEST` deep, or one that cannot be opened.
    """
    total = counted = 0
    way: list[tuple[int, _Listing]] = []
    try:
        below: int | None = os.open(path, _FOLDER)
        while way or below is not None:
            if below is not None:
                way.append((below, os.scandir(below)))
                below = None
                if len(way) > DEEPEST:
                    return None
            folder, listed = way[-1]
            entry = next(listed, None)
            if entry is None:
                way.pop()
                _close(folder, listed)
                continue
            counted += 1
            if counted > entries:
                return None
            try:
                total += entry.stat(follow_symlinks=False).st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    below = os.open(entry.name, _FOLDER, dir_fd=folder)
            except (FileNotFoundError, NotADirectoryError):
                continue  # removed or exchanged while we looked
    except OSError:
        return None
    finally:
        for folder, listed in way:
            _close(folder, listed)
    return total


def remove(path: Path) -> int:
    """Remove a folder and all that is in it, however its permissions were left.

    What cannot be removed does not keep the rest from going.

    Returns:
        The size of the files that were removed, in bytes.

    Raises:
        OSError: If something of it remains; the first reason.
    """
    above = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        removal = _Removal()
        removal.run(above, path.name)
    finally:
        os.close(above)
    if removal.failure is not None:
        raise removal.failure
    return removal.bytes


class _Removal:
    """The way down and up again, with one folder open at a time whatever their number.

    Attributes:
        bytes: The size of what was removed.
        failure: Why the first of what remains could not be.
    """

    def __init__(self) -> None:
        self.bytes = 0
        self.failure: OSError | None = None
        self._stuck: set[tuple[_Identity, str]] = set()

    def run(self, above: int, name: str) -> None:
        """Remove a folder by its name in another.

        Raises:
            OSError: If a folder was moved meanwhile.
        """
        way: list[tuple[str, _Identity]] = []
        here = os.dup(above)
        following: str | None = name
        try:
            while following is not None or way:
                if following is not None:
                    below = self._entered(here, following)
                    if below is not None:
                        way.append((following, _identity(here)))
                        os.close(here)
                        here = below
                else:
                    name, identity = way.pop()
                    outside = os.open("..", _FOLDER, dir_fd=here)
                    os.close(here)
                    here = outside
                    if _identity(here) != identity:
                        raise OSError(errno.EBUSY, "a folder was moved while it was removed", name)
                    self._removed(here, name)
                following = self._emptied(here) if way else None
        finally:
            os.close(here)

    def _emptied(self, here: int) -> str | None:
        """Remove every file and every empty folder; the name of a folder that is not empty, or None where there is none left."""
        while True:
            found = False
            # A listing may miss names while others go: only one that shows nothing shows that all is gone.
            with os.scandir(here) as listed:
                for entry in listed:
                    if self._stuck and (_identity(here), entry.name) in self._stuck:
                        continue
                    found = True
                    if not entry.is_dir(follow_symlinks=False):
                        self._unlinked(here, entry.name)
                        continue
                    try:
                        os.rmdir(entry.name, dir_fd=here)
                    except OSError:
                        return entry.name
            if not found:
                return None

    def _entered(self, here: int, name: str) -> int | None:
        """A folder in this one, open for reading and its owner's to change; None where it cannot be."""
        try:
            # Only a descriptor that needs no permission can be had of a folder that its owner may not read.
            place = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=here)
            try:
                if os.fstat(place).st_mode & stat.S_IRWXU != stat.S_IRWXU:
                    os.chmod(f"/proc/self/fd/{place}", stat.S_IRWXU)  # noqa: PTH101 - of the very folder that is open
                return os.open(".", _FOLDER, dir_fd=place)
            finally:
                os.close(place)
        except OSError as error:
            self._give_up(here, name, error)
            return None

    def _unlinked(self, here: int, name: str) -> None:
        try:
            size = os.stat(name, dir_fd=here, follow_symlinks=False).st_size
            os.unlink(name, dir_fd=here)
        except OSError as error:
            self._give_up(here, name, error)
        else:
            self.bytes += size

    def _removed(self, here: int, name: str) -> None:
        try:
            os.rmdir(name, dir_fd=here)
        except OSError as error:
            self._give_up(here, name, error)

    def _give_up(self, here: int, name: str, error: OSError) -> None:
        self._stuck.add((_identity(here), name))
        self.failure = self.failure or error


def _close(folder: int, listed: _Listing) -> None:
    listed.close()
    os.close(folder)


def _identity(folder: int) -> _Identity:
    status = os.fstat(folder)
    return status.st_dev, status.st_ino
