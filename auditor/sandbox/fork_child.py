"""The process that workers are forked from: `python -P -s -m auditor.sandbox.fork_child CONTROL PARENT OPENED MODULES HOST`.

It loads, once, libraries that every worker of a procedure would load for itself, which takes a second or two, and forks in
milliseconds. It is behind a barrier around files before it loads them, so that they find what they would find in a worker; each
fork then joins the namespaces that were made for it, where there are any, puts up all barriers of its own, as a process that was
executed for one worker does, and tries them.

It runs no code of a case. Of a worker it is given descriptors and told nothing else: the fork reads its own plan, so that nobody
finds in memory what another was told.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple

from auditor.base.forking import Forking
from auditor.sandbox import joining, kernel, landlock, walls
from auditor.sandbox.kernel import PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG, give_up_privileges, prctl


class Handed(NamedTuple):
    """The descriptors that a fork is given; those of the namespaces that it joins follow."""

    channel: int
    """What it talks on."""
    stdout: int
    stderr: int
    told: int
    """A socket where it reads its plan, one line, and answers once it has joined."""


def main(arguments: list[str]) -> None:
    """Load the modules, then fork until the auditor is gone; a fork becomes a child.

    Raises:
        SystemExit: As the child does; 71 where a barrier does not stand.
    """
    control = socket.socket(fileno=int(arguments[0]))
    control.set_inheritable(False)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    with _on_host(arguments[4]):
        _stay_behind(json.loads(arguments[2]))
        for name in json.loads(arguments[3]):
            import_module(name)
    if (files := sys.modules.get("tempfile")) is not None:
        vars(files)["tempdir"] = None  # a library may have asked for it, and each worker has another
    if (beyond := sys.modules.get("auditor.sandbox.beyond")) is not None:
        beyond.begin()
    handed = Forking(control, int(arguments[1])).serve()
    if handed is None:
        os._exit(0)  # taking libraries down takes time, and leaves nothing that matters
    _become(Handed(*handed[:4]), handed[4:])


@contextmanager
def _on_host(name: str) -> Iterator[None]:
    """Have libraries find the machine under the name that it has in a worker: some keep what they find."""
    if not name:
        yield
        return
    found, asked = os.uname(), (os.uname, socket.gethostname)
    shown = os.uname_result((found.sysname, name, found.release, found.version, found.machine))
    os.uname, socket.gethostname = lambda: shown, lambda: name
    try:
        platform.uname()  # which keeps it
        yield
    finally:
        os.uname, socket.gethostname = asked


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


def _become(handed: Handed, namespaces: Sequence[int]) -> None:
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
    with socket.socket(fileno=handed.told) as asking:
        told = json.loads(_line(asking))
        if os.getppid() != told["template"]:
            os._exit(1)  # it ended before the kernel knew that we should end with it
        os.environ.update(told["environment"])
        if told["namespaces"]:
            _go_inside(asking, told, handed.channel, namespaces)
        else:
            os.chdir(told["home"])
    if (numpy_random := sys.modules.get("numpy.random")) is not None:
        numpy_random.seed()  # from the system: every fork would draw the same otherwise; `random` does so by itself
    walls.enter(walls.Plan(**told["plan"] | {"channel": handed.channel}))


def _go_inside(asking: socket.socket, told: dict[str, Any], channel: int, namespaces: Sequence[int]) -> None:
    """Join the namespaces and split; return in the inner half, whose word it is that it is inside.

    Raises:
        SystemExit: 71 where it is not; the reason was answered.
    """
    try:
        joining.join(namespaces, told["namespaces"])
        joining.split()
        os.chdir(told["home"])
        kept = {0, 1, 2, channel, asking.fileno()}
        joining.close_all_but(kept)
        joining.require_inside(told["namespaces"], told["home"], kept)
    except (joining.NotJoinedError, OSError) as error:
        asking.sendall(f"{error}\n".encode())
        raise SystemExit(walls.NO_WALL) from None
    asking.sendall(joining.JOINED)


def _line(asking: socket.socket) -> bytes:
    line = b""
    while not line.endswith(b"\n") and (part := asking.recv(1 << 16)):
        line += part
    return line


if __name__ == "__main__":
    main(sys.argv[1:])
