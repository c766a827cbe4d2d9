"""How a fork gets into the namespaces that bubblewrap made for it, and makes sure that nothing of those outside is left to it.

Joining a user namespace gives every capability in it, for as long as it takes to join the others; then all are given up. A
process namespace takes in only what is forked afterwards. So the fork splits: the outer half stays a process of the machine,
whose number the auditor knows, waits, and ends the way the inner half does. It has no number inside, where nobody can name it.

What was open or mapped before leads out of a mount namespace, whatever is mounted in it. So everything is closed but what the
worker was handed, and where a library shares memory that it may write to, nobody joins. Of what is mapped the kernel leaves one
way to a file, the interpreter's own (`/proc/self/exe`), which the barriers around files keep from being written.

Standard library only.
"""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Final

from auditor.sandbox import kernel
from auditor.sandbox.kernel import PR_GET_DUMPABLE, PR_SET_PDEATHSIG, call, give_up_privileges, prctl
from auditor.sandbox.walls import stand_by

JOINED: Final = b"joined\n"
"""What a fork answers once it is in its namespaces; anything else is why it is not."""
_FLAGS: Final = {
    "mnt": 0x00020000,
    "cgroup": 0x02000000,
    "uts": 0x04000000,
    "ipc": 0x08000000,
    "user": 0x10000000,
    "pid": 0x20000000,
    "net": 0x40000000,
}
"""CLONE_NEW*, by what `/proc/self/ns` calls the kind."""
_BEYOND: Final = 1 << 32
"""The first number that no descriptor can have."""
_CAPABILITIES: Final = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")


class NotJoinedError(Exception):
    """The process is not in the namespaces, or has something of those outside."""


def join(descriptors: Sequence[int], names: Sequence[str]) -> None:
    """Join namespaces, in this order, and give up what joining gave.

    Args:
        descriptors: One for each namespace; they are closed.
        names: What each is called, its kind first.

    Raises:
        NotJoinedError: If the numbers of this machine's system calls are not known.
        OSError: If the kernel refuses.
    """
    known = _numbers()
    for descriptor, name in zip(descriptors, names, strict=True):
        call(known["setns"], descriptor, _FLAGS[name.partition(":")[0]])
        os.close(descriptor)
    give_up_privileges(known)


def split() -> None:
    """Fork into the process namespace that was joined; return in the inner half only, which ends with the outer."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # joining may have taken it back
    ready, there = os.pipe(), os.pipe()
    inner = os.fork()
    if inner:
        os.close(ready[1])
        os.close(there[0])
        with suppress(BrokenPipeError):
            os.read(ready[0], 1)
            os.write(there[1], b".")
        close_all_but(())
        stand_by(inner)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os.close(there[1])
    os.write(ready[1], b".")
    # The outer half has no number here: it says itself that it was there when the kernel knew that we should end with it.
    if os.read(there[0], 1) != b".":
        os._exit(1)


def close_all_but(kept: Collection[int]) -> None:
    """Close every other descriptor, those of libraries included.

    Raises:
        NotJoinedError: If the numbers of this machine's system calls are not known.
        OSError: If the kernel refuses.
    """
    numbers = sorted(kept)
    # By the kernel's own call: an interpreter that does not know it would try every number that a descriptor can have.
    for before, after in zip([-1, *numbers], [*numbers, _BEYOND], strict=True):
        if before + 1 < after:
            call(_numbers()["close_range"], before + 1, after - 1, 0)


def require_inside(names: Sequence[str], home: str, kept: Collection[int]) -> None:
    """Make sure that this process is as one that was executed within: to be called before it is given anything.

    Args:
        names: What the namespaces are called; of two of a kind the last counts.
        home: Its working directory.
        kept: The descriptors that may be open.

    Raises:
        NotJoinedError: If it is not.
        OSError: If its own files cannot be read.
    """
    found = next(filter(None, (_elsewhere(names, home), _too_much(kept))), None)
    if found is not None:
        raise NotJoinedError(found)


def _elsewhere(names: Sequence[str], home: str) -> str | None:
    """Which namespace, or what in it, is not the one that it should be."""
    for kind, name in {each.partition(":")[0]: each for each in names}.items():
        if os.readlink(f"/proc/self/ns/{kind}") != name:  # noqa: PTH115 - pathlib is not loaded here
            return f"it is in another namespace of the kind {kind}"
    if os.readlink("/proc/self") != str(os.getpid()):  # noqa: PTH115
        return "the processes that it sees are others"
    return None if os.getcwd() == home else "it works in another folder"  # noqa: PTH109


def _too_much(kept: Collection[int]) -> str | None:
    """What it has of those outside, or what of it the auditor could not see."""
    status = dict(line.split(":\t", 1) for line in _lines("status") if ":\t" in line)
    if any(int(status[each], 16) for each in _CAPABILITIES):
        return "it has a capability"
    if prctl(PR_GET_DUMPABLE) != 1:
        return "the auditor could not look into it"
    for number in map(int, os.listdir("/proc/self/fd")):  # noqa: PTH208
        with suppress(OSError):  # the one by which they are listed is closed
            mode = os.fstat(number).st_mode
            if number not in kept or stat.S_ISDIR(mode):
                return "something else is open"
    shared = any({"w", "s"} <= set(line.split(maxsplit=2)[1]) for line in _lines("maps"))
    return "a library shares memory that it may write to" if shared else None


def _numbers() -> Mapping[str, int]:
    """System calls by name."""
    architecture = kernel.own()
    if architecture is None:
        raise NotJoinedError("system calls are known by number for x86-64 and AArch64 only")
    return architecture.numbers


def _lines(name: str) -> list[str]:
    with open(f"/proc/self/{name}", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
        return file.read().splitlines()
