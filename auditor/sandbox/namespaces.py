"""Namespaces that bubblewrap makes for one worker, held open by a first process, for a worker that is forked elsewhere to join.

Bubblewrap makes them and mounts what is opened, as for a worker that it executes. In place of the worker it starts a program that
waits; the worker, forked from a process that has loaded its libraries, joins what holds around that program (see `joining`).
The namespaces are this worker's alone and end with bubblewrap, which ends with the auditor.

The root of their file system is a folder of the auditor's, read-only, in which there is nothing but places to mount on: Landlock
holds by folder, and the process that workers are forked from can be allowed beneath this one what it is allowed nowhere else.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import select
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from auditor.base import process_marks
from auditor.sandbox.allowed_paths import Openings, temporary_folder

FIRST: Final = "cat"
"""The program that waits: it gives back what it is given, and ends when nobody can give it anything any more."""
_KINDS: Final = ("cgroup", "ipc", "uts", "net", "pid", "mnt")
"""In the order in which they are joined, once the user namespace that owns them is."""
_MAY_BE_SHARED: Final = "cgroup"
_OWNER: Final = 0xB701
"""NS_GET_USERNS (linux/nsfs.h): the user namespace that owns a namespace."""
_PATIENCE_S: Final = 20.0
_WORDS: Final = 500


class NoNamespacesError(Exception):
    """A worker cannot join namespaces here; the message says why."""


class Namespaces:
    """The namespaces of one worker."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], working: Path) -> None:
        """Have them made.

        Args:
            command: Starts bubblewrap; the program to run in it goes behind.
            environment: Its whole environment.
            working: Where it is started.

        Raises:
            NoNamespacesError: If they cannot be had.
            OSError: If the system has no room for another process.
        """
        self.descriptors: list[int] = []
        """One for each, in the order in which they are to be joined."""
        self.names: list[str] = []
        """What each is called, as `/proc/self/ns` shows it: its kind and its number."""
        self._bubblewrap = subprocess.Popen(
            [*command, FIRST],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            cwd=working,
            start_new_session=True,
            bufsize=0,
        )
        try:
            self._open(self._first())
        except NoNamespacesError:
            self.end()
            raise
        except OSError as error:
            self.end()
            raise NoNamespacesError(error.strerror or str(error)) from error
        except BaseException:
            self.end()
            raise

    def close(self) -> None:
        """Close the descriptors, which are no longer needed once the worker has joined."""
        while self.descriptors:
            os.close(self.descriptors.pop())

    def end(self) -> None:
        """Kill bubblewrap, and with it everything that is in them."""
        self.close()
        self._bubblewrap.kill()
        for pipe in (self._bubblewrap.stdin, self._bubblewrap.stdout, self._bubblewrap.stderr):
            if pipe is not None:
                pipe.close()
        self._bubblewrap.wait()

    def _first(self) -> int:
        """The number of the program that waits, which runs: everything is mounted by then."""
        giving, given, said = self._bubblewrap.stdin, self._bubblewrap.stdout, self._bubblewrap.stderr
        assert giving is not None and given is not None and said is not None  # noqa: PT018, S101
        with suppress(BrokenPipeError):
            giving.write(b"\n")
        if not _answers(given, _PATIENCE_S) or given.read(1) != b"\n":
            words = said.read(_WORDS) if _answers(said, 0) else b""
            raise NoNamespacesError(words.decode("utf-8", "replace").strip() or "bubblewrap did not answer")
        return _only_child(_only_child(self._bubblewrap.pid))

    def _open(self, first: int) -> None:
        user = self._opened("user", os.open(f"/proc/{first}/ns/user", os.O_RDONLY | os.O_CLOEXEC))
        kinds = [self._opened(kind, os.open(f"/proc/{first}/ns/{kind}", os.O_RDONLY | os.O_CLOEXEC)) for kind in _KINDS]
        # For an ordinary user bubblewrap makes two user namespaces, the inner one when all is mounted; the outer owns the rest.
        owner = self._opened("user", fcntl.ioctl(kinds[-1][0], _OWNER))
        chosen = [owner]
        for each in kinds:
            if each[1] != _own(each[1]):
                chosen.append(each)
            elif not each[1].startswith(_MAY_BE_SHARED):
                raise NoNamespacesError(f"bubblewrap made no namespace of the kind {each[1]}")
        if user[1] == _own(user[1]) or owner[1] == _own(owner[1]):
            raise NoNamespacesError("bubblewrap made no user namespace")
        if user[1] != owner[1]:
            chosen.append(user)
        self.names = [name for _, name in chosen]
        kept = [number for number, _ in chosen]
        for number in {*self.descriptors} - {*kept}:
            os.close(number)
        self.descriptors = kept

    def _opened(self, kind: str, number: int) -> tuple[int, str]:
        self.descriptors.append(number)
        return number, f"{kind}:[{os.fstat(number).st_ino}]"


def _own(name: str) -> str:
    """The auditor's own namespace of the kind that a name has."""
    return str(Path("/proc/self/ns", name.partition(":")[0]).readlink())


def _answers(pipe: IO[bytes], seconds: float) -> bool:
    poller = select.poll()
    poller.register(pipe, select.POLLIN)
    return bool(poller.poll(seconds * 1000))


def _only_child(process: int) -> int:
    numbers = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    if len(numbers) != 1:
        raise NoNamespacesError("bubblewrap started something else")
    return int(numbers[0])


class _Root:
    lock = threading.Lock()
    made: tuple[int, Path] | None = None
    """By the process that made it: a fork of the auditor makes its own."""


def root(opened: Openings) -> Path:
    """The folder that is the root of the namespaces' file systems, with a place for everything that is mounted in it.

    There is one for all workers of this process. Nobody writes there: what a worker may write lies in folders mounted within.

    Raises:
        OSError: If it cannot be made.
    """
    with _Root.lock:
        if _Root.made is None or _Root.made[0] != os.getpid() or not _Root.made[1].is_dir():
            place = Path(tempfile.mkdtemp(prefix=process_marks.prefix(), dir=temporary_folder()))
            _Root.made = (os.getpid(), place)
            atexit.register(_remove, *_Root.made)
        place = _Root.made[1]
        _make_places(place, (*opened.programs, *opened.facts))
    return place


def _make_places(root: Path, paths: Iterable[str]) -> None:
    for path in ("/proc", "/dev", "/tmp", str(temporary_folder()), *sorted(set(paths))):  # noqa: S108 - of the namespaces
        shown, place = Path(path), root / path.lstrip("/")
        if link := link_to(path):
            with suppress(FileExistsError):
                place.symlink_to(link)
        elif shown.is_dir():
            place.mkdir(parents=True, exist_ok=True)
        elif shown.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.touch()


def link_to(path: str) -> str | None:
    """Where a system folder leads that is a link into another, as `/lib` is on most systems; None for any other."""
    place = Path(path)
    return str(place.readlink()) if place.is_symlink() and place.parent == Path("/") else None


def _remove(process: int, place: Path) -> None:
    if os.getpid() == process:
        shutil.rmtree(place, ignore_errors=True)
