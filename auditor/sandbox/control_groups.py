"""A control group for each worker, where the kernel lets us make one: a limit on memory that no process can outrun.

The auditor's own counting (see `memory`) looks several times a second. A control group stops a procedure at the very page
that is one too many, holds all that descends from the worker, whatever it does to leave its process group, and ends it in one
stroke. It is had where the auditor's own group of the unified hierarchy (version 2) is its to divide: under
`systemd-run --user --scope -p Delegate=yes auditor …`, as root in the topmost group, in a container that may write there.
A group can be divided only while no process is in it, so the auditor first moves itself, and nobody else, into a group within.
Everywhere else the counting stands alone.

Source: Linux `Documentation/admin-guide/cgroup-v2.rst` (no internal processes, delegation, memory.max, memory.events,
cgroup.kill); systemd `CGROUP_DELEGATION.md`.
"""

from __future__ import annotations

import atexit
import os
import re
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path

from auditor.base import process_marks
from auditor.sandbox.levels import Limits

_PROC = Path("/proc")
_MEMORY = "memory"
_PATIENCE_S = 5.0
_TASKS_A_PROCESS = 16
"""Threads are tasks too, and only processes are limited by name: this many for each, so that only a flood is stopped."""
_OURS = re.compile(rf"{process_marks.NAME}-{process_marks.MARK}-")


class NoGroupError(Exception):
    """No control group can be had here; the message says why."""


class Group:
    """The control group of one worker, from before it starts until everything in it is gone."""

    def __init__(self, path: Path) -> None:
        """Take note of a group that has been made."""
        self.path = path

    def entered_by(self, command: Sequence[str]) -> list[str]:
        """The command that enters the group and then becomes another one: no moment in which it runs outside."""
        return ["/bin/sh", "-c", 'echo 0 > "$0" && exec "$@"', str(self.path / "cgroup.procs"), *command]

    def enter(self, process: int) -> None:
        """Move a process into it, which has not begun to work.

        Raises:
            OSError: If the kernel refuses.
        """
        (self.path / "cgroup.procs").write_text(str(process))

    def processes(self) -> set[int]:
        """The living processes in it."""
        with suppress(OSError):
            return _numbers(self.path)
        return set()

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel ended a process in it because the limit was reached."""
        with suppress(OSError):
            return int(dict(_fields(self.path / "memory.events")).get("oom_kill", 0)) > 0
        return False

    def end(self) -> None:
        """Kill everything in it; before Linux 5.14 the kernel has no such call, and the caller's own killing must do."""
        with suppress(OSError):
            (self.path / "cgroup.kill").write_text("1")

    def remove(self) -> bool:
        """Remove it once it is empty; whether no process was left in it in the end."""
        deadline = time.monotonic() + _PATIENCE_S
        while True:
            try:
                self.path.rmdir()
            except FileNotFoundError:
                return True
            except OSError:
                if time.monotonic() > deadline:
                    return not self.processes()
                time.sleep(0.002)
            else:
                return True


def make(limits: Limits, memory_bytes: int) -> Group | None:
    """Make the control group of a worker; None where none can be had.

    Args:
        limits: What the worker may use up.
        memory_bytes: The memory that everything in the group may hold.
    """
    try:
        place = home()
    except NoGroupError:
        return None
    return _made(place, limits, memory_bytes)


def found() -> str:
    """Tell people where control groups are made.

    Raises:
        NoGroupError: If none can be had; why.
    """
    return f"the kernel limits the memory of workers, in groups within {home()}"


_DIVIDING = threading.Lock()
_NUMBERS = count(1)


def home() -> Path:
    """The control group in which those of workers are made; divided at the first call, and left as it was in the end.

    Raises:
        NoGroupError: If there is none; why.
    """
    with _DIVIDING:
        outcome = _home(os.getpid())
    if isinstance(outcome, str):
        raise NoGroupError(outcome)
    return outcome


@cache
def _home(_process: int) -> Path | str:
    try:
        return _divided(_own())
    except NoGroupError as error:
        return str(error)
    except OSError as error:
        return f"{error.filename or 'control groups'}: {error.strerror or error}"


def _divided(own: Path) -> Path:
    if _MEMORY not in _words(own / "cgroup.controllers"):
        raise NoGroupError(f"{own} has no controller of memory to pass on")
    if _MEMORY not in _words(own / "cgroup.subtree_control"):
        _divide(own)
    _sweep(own)
    tried = _made(own, Limits(), 2**30)
    if tried is None:
        raise NoGroupError(f"no control group can be made in {own}")
    tried.remove()
    return own


def _own() -> Path:
    """This process's own group in the unified hierarchy.

    Raises:
        NoGroupError: If it cannot be reached.
    """
    lines = (_PROC / "self" / "cgroup").read_text(encoding="utf-8", errors="replace").splitlines()
    path = next((line[3:] for line in lines if line.startswith("0::")), None)
    if path is None:
        raise NoGroupError("this process is in no control group of version 2")
    for root, point in _mounts():
        inner = path if root == "/" else path.removeprefix(root) if f"{path}/".startswith(f"{root}/") else None
        if inner is not None and "/.." not in inner:
            return Path(point + inner.rstrip("/"))
    raise NoGroupError("control groups of version 2 are not mounted here")


def _mounts() -> Iterator[tuple[str, str]]:
    """Where the unified hierarchy is mounted: the group that the mount begins at, and the place."""
    # number, parent, major:minor, root, mount point, options, … - type, source, … (proc_pid_mountinfo(5))
    for line in (_PROC / "self" / "mountinfo").read_text(encoding="utf-8", errors="replace").splitlines():
        before, _, behind = line.partition(" - ")
        if behind.split(" ", 1)[0] == "cgroup2":
            root, point = before.split()[3:5]
            yield root, point


def _divide(own: Path) -> None:
    """Let groups within a group have limits of their own; this process moves into one of them, and back in the end.

    Raises:
        NoGroupError: If other processes are in the group: they are not ours to move.
        OSError: If the group is not ours to divide.
    """
    if _numbers(own) != {os.getpid()}:
        raise NoGroupError(f"{own} holds other processes as well, so that it cannot be divided")
    within = own / f"{process_marks.prefix()}auditor"
    within.mkdir()
    try:
        (within / "cgroup.procs").write_text("0")
        _pass_on(own, "+")
    except OSError:
        _return(own, within)
        raise
    atexit.register(_leave, os.getpid(), own, within)


def _pass_on(own: Path, sign: str) -> None:
    (own / "cgroup.subtree_control").write_text(f"{sign}{_MEMORY}")
    with suppress(OSError):  # without it only the auditor counts processes
        (own / "cgroup.subtree_control").write_text(f"{sign}pids")


def _leave(process: int, own: Path, within: Path) -> None:
    if os.getpid() == process:  # and not a fork of it
        with suppress(OSError):
            _pass_on(own, "-")
        _return(own, within)


def _return(own: Path, within: Path) -> None:
    with suppress(OSError):
        (own / "cgroup.procs").write_text("0")
        within.rmdir()


def _sweep(own: Path) -> None:
    """Remove what killed auditors left; a group that still holds a process stays."""
    for group in own.glob(f"{process_marks.NAME}-*"):
        name = _OURS.match(group.name)
        if name is not None and process_marks.has_ended(f"{name[1]}-{name[2]}"):
            with suppress(OSError):
                group.rmdir()


def _made(place: Path, limits: Limits, memory_bytes: int) -> Group | None:
    group = Group(place / f"{process_marks.prefix()}{next(_NUMBERS)}")
    try:
        group.path.mkdir(mode=0o700)
        (group.path / "memory.max").write_text(str(memory_bytes))
    except OSError:
        group.remove()
        return None
    for name, value in (
        ("memory.swap.max", "0"),
        ("memory.oom.group", "1"),
        ("pids.max", str(_TASKS_A_PROCESS * limits.processes)),
    ):
        with suppress(OSError):  # not every kernel has each of them
            (group.path / name).write_text(value)
    return group


def _numbers(group: Path) -> set[int]:
    return {int(number) for number in _words(group / "cgroup.procs")}


def _words(file: Path) -> list[str]:
    return file.read_text(encoding="ascii").split()


def _fields(file: Path) -> Iterator[tuple[str, str]]:
    for line in file.read_text(encoding="ascii").splitlines():
        name, _, value = line.partition(" ")
        yield name, value
