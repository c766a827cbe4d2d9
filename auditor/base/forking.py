"""The side of the process that others are forked from: it is asked to fork, how a fork ended, and to bury it.

`auditor.base.templates` asks. A process that does this loads the standard library alone for it, has one thread, and leads nobody:
a fork is to begin a session of its own. What has ended stays unburied until the auditor has killed all of its group, so that its
number is nobody else's; when the auditor is gone, every group is ended.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import struct
import time
from contextlib import suppress

REQUEST, REPLY = struct.Struct("=cxxxi"), struct.Struct("=iii")
"""One letter and a process number; what was done, and two numbers."""
FORK, HOW, BURY = b"F", b"H", b"B"
DONE, RUNNING, FAILED = 0, 1, 2
READY = b"ready"
IDLE_S = 60.0
"""How long it stays when it is asked for nothing and nobody runs."""

_LOOK_S = 2.0
_MOST_HANDED = 16


class Forking:
    """What answers the auditor."""

    def __init__(self, control: socket.socket, parent: int) -> None:
        """Answer on a socket for as long as the process that has its other end is the parent."""
        self._control, self._parent = control, parent
        self._forks: set[int] = set()
        self._asked = time.monotonic()

    def serve(self) -> list[int] | None:
        """Answer requests; the descriptors that were handed over, in a fork, and None where there is nobody left to serve."""
        self._control.send(READY)
        poller = select.poll()
        poller.register(self._control, select.POLLIN)
        while True:
            if not poller.poll(_LOOK_S * 1000):
                if os.getppid() != self._parent or (not self._forks and time.monotonic() - self._asked > IDLE_S):
                    break
                continue
            request, handed, _, _ = socket.recv_fds(self._control, REQUEST.size, _MOST_HANDED)
            if len(request) != REQUEST.size:
                break
            self._asked = time.monotonic()
            kind, number = REQUEST.unpack(request)
            if kind == FORK:
                if self._fork() == 0:
                    self._control.close()
                    return handed
                for descriptor in handed:
                    os.close(descriptor)
            else:
                self._answer(*(self._how(number) if kind == HOW else self._bury(number)))
        for fork in self._forks:
            with suppress(ProcessLookupError):
                os.killpg(fork, signal.SIGKILL)
        return None

    def _fork(self) -> int:
        """Fork; 0 in the fork."""
        try:
            number = os.fork()
        except OSError as error:
            self._answer(FAILED, error.errno or 0)
            return -1
        if number == 0:
            self._forks.clear()
            return 0
        self._forks.add(number)
        self._answer(DONE, number)
        return number

    def _how(self, number: int) -> tuple[int, int, int]:
        """How a fork ended, as `waitid` says it; it stays unburied."""
        if number not in self._forks:
            return FAILED, 0, 0
        status = os.waitid(os.P_PID, number, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return (RUNNING, 0, 0) if status is None else (DONE, status.si_code, status.si_status)

    def _bury(self, number: int) -> tuple[int, int, int]:
        """Reap a fork that has ended, and what lost its parent and came here."""
        if number not in self._forks:
            return FAILED, 0, 0
        self._forks.discard(number)
        os.waitpid(number, 0)
        for orphan in _children() - self._forks:
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
