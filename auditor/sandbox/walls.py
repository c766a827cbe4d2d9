"""The barriers that a process puts around itself before it becomes the child: privileges, files, system calls.

They need no fork of the auditor, whose threads and memory stay out of them, and no privilege. Each is tried once it is up;
where one does not stand the process ends with status 71, and no code of a case is imported.

Without a process namespace a process that was executed for one worker first splits in two. The outer half stays outside the
barriers, leads the process group, and ends the whole group when the auditor is gone; it adopts what loses its parent, so that
nothing of the worker becomes the system's. The inner half goes behind the barriers, tries them, and becomes the child.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from contextlib import suppress
from types import FrameType, ModuleType
from typing import NamedTuple, NoReturn

from auditor.sandbox import kernel, landlock, seccomp
from auditor.sandbox.kernel import (
    PR_GET_NO_NEW_PRIVS,
    PR_GET_SECCOMP,
    PR_SET_CHILD_SUBREAPER,
    PR_SET_PDEATHSIG,
    call,
    give_up_privileges,
    prctl,
)

NO_WALL = 71
"""The exit status where a barrier does not stand."""

WALLS_STAND = b"the walls stand"
"""The line on the channel once every barrier was tried, before any other code is imported."""

_FILTERED = 2  # SECCOMP_MODE_FILTER
_INET, _STREAM = 2, 1
_ABOUT_ITSELF = (
    *("auxv", "cgroup", "cmdline", "comm", "environ", "fd", "fdinfo", "io", "limits", "maps", "numa_maps"),
    *("smaps", "smaps_rollup", "stat", "statm", "status"),
)


class Plan(NamedTuple):
    """Which barriers, and what stays open in them."""

    channel: int
    """The descriptor that the child talks on."""
    parent: int | None
    """The process to end with; None inside a process namespace, which ends by itself."""
    files: bool
    """Whether files are restricted."""
    namespaces: bool
    """Whether there are namespaces around."""
    opened: list[tuple[str, int]]
    """Paths, and the accesses that are allowed there and beneath."""
    witness: str
    """A file that the auditor made and that nobody here may read, in a folder where nobody here may write."""
    names_threads: bool = False
    """Whether it may write the files about its own threads, as CUDA does to name them: it gives up where it may not."""


class NoWallError(Exception):
    """A barrier could not be put up, or does not hold."""


def enter(plan: Plan) -> None:
    """Put the barriers up, try them, and become the child.

    Raises:
        SystemExit: 71 where a barrier does not stand.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if plan.parent is not None:
        _split(plan.parent, plan.channel)
    try:
        architecture = raise_walls(plan)
        try_walls(plan, architecture)
    except (NoWallError, OSError) as error:
        sys.stderr.write(f"no containment: {error}\n")
        raise SystemExit(NO_WALL) from None
    os.write(plan.channel, WALLS_STAND + b"\n")
    # Not executed again: what is loaded so far can be found by its path, and this package with it.
    from auditor.sandbox import child  # noqa: PLC0415 - nothing but the standard library before the barriers

    # Processes that multiprocessing or joblib start would run the main module again; there is nothing in it for them.
    sys.modules["__main__"] = ModuleType("__main__")
    child.main([str(plan.channel)])


def raise_walls(plan: Plan) -> kernel.Architecture:
    """Give up privileges, then restrict files, then system calls.

    Raises:
        OSError: If the kernel refuses.
        NoWallError: If it lacks what the plan asks for.
    """
    architecture = kernel.own()
    if architecture is None:
        raise NoWallError("the filter of system calls knows x86-64 and AArch64 only")
    numbers = architecture.numbers
    give_up_privileges(numbers)
    offered = landlock.version(numbers)
    if plan.files:
        if offered == 0:
            raise NoWallError("the kernel offers no Landlock")
        # This process alone: what it starts has no look at another. Not its `net` and `mounts`, which are everybody's.
        own = ((f"/proc/{os.getpid()}/{name}", landlock.READ) for name in _ABOUT_ITSELF)
        # The C library opens a thread's name for reading and writing; NVIDIA's driver opens it as a file to be cut off.
        named = landlock.READ_FILE | landlock.WRITE_FILE | landlock.TRUNCATE
        threads = [(f"/proc/{os.getpid()}/task", named)] if plan.names_threads else []
        landlock.restrict(numbers, offered, [*plan.opened, *own, *threads])
    handled = not plan.files or offered >= landlock.TRUNCATION_SINCE
    filter_program = seccomp.program(
        architecture, own_namespaces=plan.namespaces, truncation_handled=handled, cuda=plan.names_threads
    )
    seccomp.install(architecture, filter_program)
    return architecture


def try_walls(plan: Plan, architecture: kernel.Architecture) -> None:
    """Knock on each barrier once, in the very process that foreign code will run in.

    Raises:
        NoWallError: If one does not hold.
        OSError: If it holds for another reason than it should.
    """
    if prctl(PR_GET_NO_NEW_PRIVS) != 1 or prctl(PR_GET_SECCOMP) != _FILTERED:
        raise NoWallError("privileges or system calls are not restricted")
    with suppress(PermissionError):
        call(architecture.numbers["socket"], _INET, _STREAM, 0)
        raise NoWallError("a socket could be made")
    if not plan.files:
        return
    for path, flags in ((plan.witness, os.O_RDONLY), (f"{plan.witness}-written", os.O_WRONLY | os.O_CREAT)):
        with suppress(PermissionError, FileNotFoundError):
            os.close(os.open(path, flags, 0o600))
            raise NoWallError("a file outside could be opened")


def _split(parent: int, channel: int) -> None:
    """Fork; return in the inner half only."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    signal.signal(signal.SIGTERM, _end_group)
    prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(1)  # the auditor ended before the kernel knew that we should end with it
    outer = os.getpid()
    inner = os.fork()
    if inner:
        os.close(channel)
        stand_by(inner)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != outer:
        os._exit(1)


def stand_by(inner: int) -> NoReturn:
    """Bury the adopted; when the inner half ends, end the way it did."""
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == inner:
            break
    if os.WIFSIGNALED(status):
        killer = os.WTERMSIG(status)
        if killer != signal.SIGKILL:
            signal.signal(killer, signal.SIG_DFL)
        os.kill(os.getpid(), killer)
    os._exit(os.waitstatus_to_exitcode(status))


def _end_group(_signal: int, _frame: FrameType | None) -> None:
    """The auditor is gone: nobody is left to end what this worker started."""
    os.killpg(0, signal.SIGKILL)
