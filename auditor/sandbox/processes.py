"""The processes of one worker, as /proc shows them: which they are, and their end.

At level *process* nothing stops a procedure from starting a session of its own and so leaving the process group. Every
process that descends from the child still carries the child's first environment, which names the scratch folder; that is how
such a stray is found. A procedure that also wipes its environment escapes this; namespaces are the barrier against it.
"""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Container, Iterable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")
_PATIENCE_S = 30.0
"""How long killed processes may take to go: on a busy machine, one with gigabytes of memory takes seconds."""
_SETTLING_S = 1.0
"""How long a process may take from one program to the next; one that never shows an environment is somebody else's."""
_ENDING_S = 0.05
"""How long is waited for killed processes before all are examined again."""
_PAUSE_S = 0.002
"""How long where there is nothing to wait for."""
_DEAD = {"Z", "X"}
_SHARED_MEMORY = "/dev/shm/"  # noqa: S108 - examined, and no file of ours is made there
_PART = 65536
"""Bytes that are read at a time."""


class MappedFile(NamedTuple):
    """A file in the memory of one process."""

    process: int
    inode: tuple[str, str]
    """Its device and its number there, as the kernel writes them."""
    path: str


class _Status(NamedTuple):
    state: str
    parent: int
    group: int
    session: int


_GONE = _Status("X", 0, 0, 0)


def members(group: int) -> list[int]:
    """The living processes whose process group or session is `group`."""
    return [pid for pid in _numbers() if _may_belong(pid, group) and _belongs(_status(pid), group)]


def leading(group: int) -> list[int]:
    """The living processes of a group that are its leader or a child of its leader."""
    status = {pid: _status(pid) for pid in _numbers() if _may_belong(pid, group)}
    return [pid for pid, each in status.items() if _belongs(each, group) and group in {pid, each.parent}]


def mapped_files(group: int, *, data: Container[str] = (), known: Container[MappedFile] = ()) -> set[str]:
    """The paths of files in the memory maps of the process group; a process that may not be looked into has none.

    Args:
        group: The group.
        data: Paths that count only where a process may execute what they hold; so does what lies in the folder for shared memory.
        known: Files that do not count in the process in which they are named.
    """
    return {
        file.path
        for pid in members(group)
        for file, executable in _maps(pid)
        if (executable or (file.path not in data and not file.path.startswith(_SHARED_MEMORY))) and file not in known
    }


def files_in(process: int) -> set[MappedFile]:
    """The files in the memory map of one process; none where it may not be looked into."""
    return {file for file, _ in _maps(process)}


def _maps(pid: int) -> Iterator[tuple[MappedFile, bool]]:
    """The files in the memory map of a process, each with whether it may execute that part of it."""
    with suppress(OSError):
        for line in (_PROC / str(pid) / "maps").read_text(encoding="utf-8", errors="replace").splitlines():
            # Addresses, permissions, offset, device, inode, path (proc_pid_maps(5)).
            parts = line.split(maxsplit=5)
            if len(parts) == 6 and parts[5].startswith("/"):
                yield MappedFile(pid, (parts[3], parts[4]), parts[5].removesuffix(" (deleted)")), "x" in parts[1]


def threads_on_machine() -> int:
    """How many threads the whole machine has: one read, where counting a group's processes takes one for each process."""
    # The fourth field is "runnable/all" (proc_loadavg(5)).
    descriptor = os.open(_PROC / "loadavg", os.O_RDONLY | os.O_CLOEXEC)  # many times a second
    try:
        return int(os.read(descriptor, _PART).split()[3].partition(b"/")[2])
    finally:
        os.close(descriptor)


def strays(marker: str) -> list[int]:
    """The living processes whose first environment names `marker`."""
    return [pid for pid, environment in _environments(_numbers()) if _strays(pid, environment, marker)]


def _environments(pids: Iterable[int]) -> Iterator[tuple[int, bytes]]:
    """The processes of these that are others, with their environments, each read once."""
    for pid in pids:
        if pid != os.getpid():
            with suppress(OSError):  # another user's, or it ended
                yield pid, _content(pid, "environ")


def _strays(pid: int, environment: bytes, marker: str) -> bool:
    return marker.encode() in environment and _status(pid).state not in _DEAD


def _left(group: int, marker: str) -> tuple[set[int], bool]:
    """The living processes of a group and its strays, and whether any other may be one of them, as it is between two programs.

    Such a one shows no environment, and may the next time it is read: so both are asked of one reading. One that ends before it
    is read may have started another after all were listed: so they are listed again until none is new.
    """
    found, starting, read = set(members(group)), False, set[int]()
    while new := set(_numbers()) - read:
        for pid, environment in _environments(new):
            if _strays(pid, environment, marker):
                found.add(pid)
            starting = starting or (not environment and _starts(pid))
        if found:
            break  # they are killed first, and all are examined again
        read |= new
    return found, starting


def _starts(pid: int) -> bool:
    """Whether a process that shows no environment is this user's and between two programs, so that it may be anybody's."""
    entry = _PROC / str(pid)
    try:
        (entry / "exe").readlink()  # a thread of the kernel has no program
        if entry.stat().st_uid != os.getuid() or _content(pid, "cmdline"):
            return False
    except OSError:
        return False
    return _status(pid).state not in _DEAD


def end(group: int, marker: str) -> bool:
    """Kill the process group and every stray, and wait until they are gone.

    Args:
        group: The process group; its leader must not have been reaped, or the number might be another's by now.
        marker: What the environment of every descendant names.

    Returns:
        Whether all of them are gone, as far as can be told.
    """
    settled = time.monotonic() + _SETTLING_S
    deadline = time.monotonic() + _PATIENCE_S
    left = {group}
    while True:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
        _wait_for(left)
        left, starting = _left(group, marker)
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):  # it ended by itself, or it is another user's and stays
                os.kill(pid, signal.SIGKILL)
        if not left and (not starting or time.monotonic() > settled):
            return True
        if time.monotonic() > deadline:
            return False


def _wait_for(killed: Iterable[int]) -> None:
    """Wait for killed processes to end, for a short while each time: to examine all takes longer than most take to end."""
    with ExitStack() as opened:
        ends = select.poll()
        left = 0
        for pid in killed:
            with suppress(OSError):  # it is gone
                descriptor = os.pidfd_open(pid)
                opened.callback(os.close, descriptor)
                ends.register(descriptor, select.POLLIN)
                left += 1
        if not left:
            time.sleep(_PAUSE_S)
        until = time.monotonic() + _ENDING_S
        while left and (rest := until - time.monotonic()) > 0:
            for descriptor, _ in ends.poll(1000 * rest):
                ends.unregister(descriptor)
                left -= 1


def _numbers() -> list[int]:
    """The numbers of all processes."""
    return [int(name) for name in os.listdir(_PROC) if name.isdecimal()]  # noqa: PTH208 - names alone: this runs many times a second


def _content(pid: int, name: str) -> bytes:
    """A file of a process: without the objects and buffers of `pathlib`, for a worker examines every process again and again.

    Raises:
        OSError: If it ended, or is another user's.
    """
    descriptor = os.open(f"{_PROC}/{pid}/{name}", os.O_RDONLY | os.O_CLOEXEC)
    try:
        parts = []
        while part := os.read(descriptor, _PART):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def _line(pid: int, name: str) -> bytes:
    """A file of a process that is one line, which the kernel gives in one piece.

    Raises:
        OSError: If it ended, or is another user's.
    """
    descriptor = os.open(f"{_PROC}/{pid}/{name}", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, _PART)
    finally:
        os.close(descriptor)


def _may_belong(pid: int, group: int) -> bool:
    """Whether a process is not known to be of another group and session: the kernel says so in a tenth of what reading takes."""
    try:
        return group in {os.getpgid(pid), os.getsid(pid)}
    except PermissionError:  # a security module may refuse what everybody can read
        return True
    except ProcessLookupError:
        return False


def _belongs(status: _Status, group: int) -> bool:
    return group in {status.group, status.session} and status.state not in _DEAD


def _status(pid: int) -> _Status:
    """State, parent, process group and session of a process; X where it is gone."""
    try:
        # The command, in parentheses, may itself hold spaces and parentheses (proc_pid_stat(5)).
        fields = _line(pid, "stat").rpartition(b")")[2].split(maxsplit=4)
        return _Status(fields[0].decode(), *map(int, fields[1:4]))
    except (OSError, IndexError):
        return _GONE
