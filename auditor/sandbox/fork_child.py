"""The process that workers are forked from: `python -P -s -m auditor.sandbox.fork_child CONTROL PARENT OPENED MODULES`.

It loads, once, libraries that every worker of a procedure would load for itself, which takes a second or two, and forks in
milliseconds. It is behind a barrier around files before it loads them, so that they find what they would find in a worker; each
fork then puts up all barriers of its own, as a process that was executed for one worker does, and tries them.

It runs no code of a case. Of a worker it is given descriptors and told nothing else: the fork reads its own plan, so that nobody
finds in memory what another was told. It leads nobody: a fork is a session of its own. What has ended stays unburied until the
auditor has killed all of its group, so that its number is nobody else's; when the auditor is gone, every group is ended.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import socket
import struct
import sys
import time
from contextlib import suppress
from importlib import import_module
from typing import NamedTuple

from auditor.sandbox import kernel, landlock, walls
from auditor.sandbox.kernel import PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG, give_up_privileges, prctl

REQUEST, REPLY = struct.Struct("=cxxxi"), struct.Struct("=iii")
"""One letter and a process number; what was done, and two numbers."""
FORK, HOW, BURY = b"F", b"H", b"B"
DONE, RUNNING, FAILED = 0, 1, 2
READY = b"ready"
IDLE_S = 60.0
"""How long it stays when it is asked for nothing and nobody runs."""

_LOOK_S = 2.0


class Handed(NamedTuple):
    """The descriptors that a fork is given."""

    channel: int
    """What it talks on."""
    stdout: int
    stderr: int
    told: int
    """Where it reads its plan, one line."""


def main(arguments: list[str]) -> None:
    """Load the modules, then fork until the auditor is gone; a fork becomes a child.

    Raises:
        SystemExit: As the child does; 71 where a barrier does not stand.
    """
    control = socket.socket(fileno=int(arguments[0]))
    control.set_inheritable(False)
    parent = int(arguments[1])
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    _stay_behind(json.loads(arguments[2]))
    for name in json.loads(arguments[3]):
        import_module(name)
    if (beyond := sys.modules.get("auditor.sandbox.beyond")) is not None:
        beyond.begin()
    control.send(READY)
    handed = _Template(control, parent).serve()
    if handed is not None:
        control.close()
        _become(handed)


class _Template:
    def __init__(self, control: socket.socket, parent: int) -> None:
        self._control, self._parent = control, parent
        self._workers: set[int] = set()
        self._asked = time.monotonic()

    def serve(self) -> Handed | None:
        """Answer requests; what was handed over, in a fork, and None where there is nobody left to serve."""
        poller = select.poll()
        poller.register(self._control, select.POLLIN)
        while True:
            if not poller.poll(_LOOK_S * 1000):
                if os.getppid() != self._parent or (not self._workers and time.monotonic() - self._asked > IDLE_S):
                    break
                continue
            request, descriptors, _, _ = socket.recv_fds(self._control, REQUEST.size, len(Handed._fields))
            if len(request) != REQUEST.size:
                break
            self._asked = time.monotonic()
            kind, number = REQUEST.unpack(request)
            if kind == FORK:
                handed = Handed(*descriptors)
                if self._fork() == 0:
                    return handed
                for descriptor in handed:
                    os.close(descriptor)
            else:
                self._answer(*(self._how(number) if kind == HOW else self._bury(number)))
        for worker in self._workers:
            with suppress(ProcessLookupError):
                os.killpg(worker, signal.SIGKILL)
        return None

    def _fork(self) -> int:
        """Fork; 0 in the fork."""
        try:
            number = os.fork()
        except OSError as error:
            self._answer(FAILED, error.errno or 0)
            return -1
        if number == 0:
            self._workers.clear()
            return 0
        self._workers.add(number)
        self._answer(DONE, number)
        return number

    def _how(self, number: int) -> tuple[int, int, int]:
        """How a worker ended, as `waitid` says it; it stays unburied."""
        if number not in self._workers:
            return FAILED, 0, 0
        status = os.waitid(os.P_PID, number, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return (RUNNING, 0, 0) if status is None else (DONE, status.si_code, status.si_status)

    def _bury(self, number: int) -> tuple[int, int, int]:
        """Reap a worker that has ended, and what lost its parent and came here."""
        if number not in self._workers:
            return FAILED, 0, 0
        self._workers.discard(number)
        os.waitpid(number, 0)
        for orphan in _children() - self._workers:
            with suppress(ChildProcessError):
                os.waitpid(orphan, os.WNOHANG)
        return DONE, 0, 0

    def _answer(self, done: int, first: int = 0, second: int = 0) -> None:
        self._control.send(REPLY.pack(done, first, second))


def _children() -> set[int]:
    """The processes whose parent this is."""
    own = os.getpid()
    with open(f"/proc/{own}/task/{own}/children", encoding="ascii") as file:  # noqa: PTH123 - pathlib is not loaded here
        return {int(number) for number in file.read().split()}


def _stay_behind(opened: list[tuple[str, int]]) -> None:
    """Give up privileges, and reach no file but those named.

    Raises:
        OSError: If the kernel refuses.
        NoWallError: If there is no such barrier here.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    architecture = kernel.own()
    offered = 0 if architecture is None else landlock.version(architecture.numbers)
    if architecture is None or offered == 0:
        raise walls.NoWallError("the kernel offers no Landlock")
    give_up_privileges(architecture.numbers)
    landlock.restrict(architecture.numbers, offered, opened)


def _become(handed: Handed) -> None:
    """Become the child of one worker: its own session, output, folder and generators, then its barriers.

    Raises:
        SystemExit: As the child does; 71 where a barrier does not stand.
    """
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os.setsid()
    os.dup2(handed.stdout, 1)
    os.dup2(handed.stderr, 2)
    os.close(handed.stdout)
    os.close(handed.stderr)
    told = json.loads(_line(handed.told))
    if os.getppid() != told["template"]:
        os._exit(1)  # it ended before the kernel knew that we should end with it
    os.environ.update(told["environment"])
    os.chdir(told["home"])
    if (numpy_random := sys.modules.get("numpy.random")) is not None:
        numpy_random.seed()  # from the system: every fork would draw the same otherwise; `random` does so by itself
    walls.enter(walls.Plan(**told["plan"] | {"channel": handed.channel}))


def _line(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb") as file:
        return file.readline()


if __name__ == "__main__":
    main(sys.argv[1:])
