"""Attempts to get out, made inside the sandbox by the very process that foreign code would run in, with its barriers and limits.

The auditor puts out bait: files, listening sockets, its own process. Each attempt says what it found; where an attempt may
look successful without being so, such as a file written into a folder that exists only inside, the auditor examines the bait.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import resource
import socket
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypedDict

from auditor.sandbox import kernel
from auditor.sandbox.kernel import call

_CLONE_NEWUSER = 0x10000000
_PTRACE_SEIZE = 0x4206
_IPC_CREAT_0600 = 0o1600
_IPC_RMID = 0
_MPTCP = 262
_FAMILIES = 46  # AF_MAX, Linux 6.18
_NAMESPACES = ("user", "pid", "net", "ipc", "uts", "mnt")


class Bait(TypedDict):
    """What the auditor put out."""

    secret: str
    """A file with a secret in it."""
    precious: str
    """A file that must stay as it is."""
    outside: str
    """A folder that nothing may be written into."""
    socket: str
    """A listening UNIX socket with a path."""
    abstract: str
    """A listening UNIX socket in the abstract namespace, without its leading NUL."""
    tcp: int
    """The port of a listening TCP socket on 127.0.0.1."""
    udp: int
    """The port of a UDP socket on 127.0.0.1."""
    process: int
    """The auditor's own process."""
    environment: str
    """SHA-256 of the auditor's own `/proc/self/environ`."""
    namespaces: dict[str, str]
    """The auditor's namespaces, by kind."""
    limits: dict[str, int]
    """Limits that the child was told to set, by the kernel's name, in bytes or files."""


class Finding(TypedDict):
    """What came of one attempt, as far as it shows from inside."""

    held: bool
    found: str


def look(bait: Bait) -> dict[str, Finding]:
    """Make every attempt, by name."""
    attempts: dict[str, Callable[[Bait], str]] = {
        "tcp": lambda bait: _connect((socket.AF_INET, socket.SOCK_STREAM, 0), ("127.0.0.1", bait["tcp"])),
        "mptcp": lambda bait: _connect((socket.AF_INET, socket.SOCK_STREAM, _MPTCP), ("127.0.0.1", bait["tcp"])),
        "udp": _send_datagram,
        "dns": _resolve,
        "netlink": _ask_netlink,
        "other sockets": _other_families,
        "abstract socket": lambda bait: _connect((socket.AF_UNIX, socket.SOCK_STREAM, 0), f"\0{bait['abstract']}"),
        "abstract datagram": _send_to_abstract,
        "socket with a path": _connect_by_path,
        "io_uring": lambda _: _call("io_uring_setup", 1, ctypes.byref(ctypes.create_string_buffer(120))),
        "shared memory": _share_memory,
        "secret file": _read_secret,
        "change outside": _change_outside,
        "write outside": _write_outside,
        "auditor's memory": lambda bait: _other(bait, lambda: _call("ptrace", _PTRACE_SEIZE, bait["process"], 0, 0)),
        "auditor's environment": _read_environment,
        "auditor's limits": lambda bait: _other(bait, lambda: _change_limits(bait["process"])),
        "signal to the auditor": lambda bait: _other(bait, lambda: _signal(bait["process"])),
    }
    findings = {name: _attempt(attempt, bait) for name, attempt in attempts.items()}
    findings |= {"own namespaces": _own_namespaces(bait), "limits": _limits(bait)}
    # Last: where it works, this process has lost the privileges that the other attempts might have had.
    return findings | {"new namespaces": _attempt(lambda _: _call("unshare", _CLONE_NEWUSER), bait)}


class _HeldError(Exception):
    """The attempt led nowhere, for the reason given."""


def _attempt(attempt: Callable[[Bait], str], bait: Bait) -> Finding:
    """The attempt's own words where it got through, else the kernel's."""
    try:
        return {"held": False, "found": attempt(bait)}
    except OSError as error:
        return {"held": True, "found": (error.strerror or str(error)).lower()}
    except _HeldError as error:
        return {"held": True, "found": str(error)}


def _connect(kind: tuple[int, int, int], address: tuple[str, int] | str) -> str:
    with closing(socket.socket(*kind)) as client:
        client.settimeout(0.5)
        client.connect(address)
    return "connected"


def _connect_by_path(bait: Bait) -> str:
    # By a short name: a long path would fail for its length, barrier or not. Landlock lets a folder be named, not looked into.
    folder = os.open(Path(bait["socket"]).parent, os.O_PATH | os.O_DIRECTORY)
    try:
        return _connect((socket.AF_UNIX, socket.SOCK_STREAM, 0), f"/proc/self/fd/{folder}/{Path(bait['socket']).name}")
    finally:
        os.close(folder)


def _send_datagram(bait: Bait) -> str:
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as client:
        client.sendto(b"bait", ("127.0.0.1", bait["udp"]))
    return "a datagram was sent"


def _send_to_abstract(bait: Bait) -> str:
    # One end of a pair may be given another address than its partner's.
    first, second = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with closing(first), closing(second):
        first.sendto(b"bait", f"\0{bait['abstract']}-datagram")
    return "a datagram was sent"


def _resolve(_bait: Bait) -> str:
    try:
        socket.getaddrinfo("auditor.invalid", 443)
    except socket.gaierror as error:
        # Name servers deny this name (RFC 6761), so a denial is an answer from one; anything else is not one.
        if error.errno in {socket.EAI_NONAME, socket.EAI_NODATA}:
            return "a name server, or a list of hosts, answered"
        raise _HeldError((error.strerror or "no answer").lower()) from error
    return "a name was resolved"


def _ask_netlink(_bait: Bait) -> str:
    with closing(socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)):
        return "a netlink socket was made"


def _other_families(_bait: Bait) -> str:
    made = []
    for family in range(_FAMILIES):
        if family in {socket.AF_UNIX, socket.AF_INET, socket.AF_NETLINK}:
            continue
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            try:
                socket.socket(family, kind).close()
            except OSError:
                continue
            made.append(str(family))
            break
    if not made:
        raise _HeldError("none of any family could be made")
    return f"sockets of families {', '.join(made)} were made"


def _call(name: str, *arguments: object) -> str:
    architecture = kernel.own()
    if architecture is None:
        return "not tried on this architecture"
    call(architecture.numbers[name], *arguments)
    return "allowed"


def _share_memory(_bait: Bait) -> str:
    architecture = kernel.own()
    if architecture is None:
        return "not tried on this architecture"
    segment = call(architecture.numbers["shmget"], 0, 4096, _IPC_CREAT_0600)
    call(architecture.numbers["shmctl"], segment, _IPC_RMID, 0)
    return "a segment was made that outlives its process"


def _read_secret(bait: Bait) -> str:
    return f"{len(Path(bait['secret']).read_bytes())} bytes were read"


def _write_outside(bait: Bait) -> str:
    reasons = []
    for attempt in (
        lambda: Path(bait["outside"], "written").write_bytes(b"bait"),
        lambda: Path(bait["outside"], "folder").mkdir(),
        lambda: Path(bait["outside"], "link").symlink_to("/"),
        lambda: Path(bait["precious"]).write_bytes(b"bait"),
        lambda: os.truncate(bait["precious"], 0),
        lambda: Path(bait["precious"]).rename("taken"),
        lambda: Path(bait["precious"]).unlink(),
    ):
        try:
            attempt()
        except OSError as error:
            reasons.append((error.strerror or "an error").lower())
        else:
            return "a file or folder was made, changed or removed"
    raise _HeldError(", ".join(sorted(set(reasons))))


def _change_outside(bait: Bait) -> str:
    # Answered as done where the filter of system calls takes care of it: the auditor looks.
    Path(bait["precious"]).chmod(0o777)
    os.utime(bait["precious"], (0, 0))
    return "said to be done"


def _read_environment(bait: Bait) -> str:
    content = Path(f"/proc/{bait['process']}/environ").read_bytes()
    if hashlib.sha256(content).hexdigest() != bait["environment"]:
        raise _HeldError("another process has that number here")
    return f"{len(content)} bytes were read"


def _other(bait: Bait, attempt: Callable[[], str]) -> str:
    """An attempt on the auditor's process, whose number names another, or none, in a process namespace of its own."""
    if _namespace("pid") != bait["namespaces"]["pid"]:
        raise _HeldError("it has no number here")
    return attempt()


def _change_limits(process: int) -> str:
    resource.prlimit(process, resource.RLIMIT_CORE, resource.prlimit(process, resource.RLIMIT_CORE))
    return "limits were set"


def _signal(process: int) -> str:
    os.kill(process, 0)
    return "could be sent"


def _own_namespaces(bait: Bait) -> Finding:
    shared = [kind for kind in _NAMESPACES if _namespace(kind) == bait["namespaces"][kind]]
    return {"held": not shared, "found": f"shares {', '.join(shared)}" if shared else ", ".join(_NAMESPACES)}


def _namespace(kind: str) -> str:
    return str(Path(f"/proc/self/ns/{kind}").readlink())


def _limits(bait: Bait) -> Finding:
    found = {name: resource.getrlimit(getattr(resource, name)) for name in bait["limits"]}
    held = all(0 <= hard <= bait["limits"][name] and soft <= hard for name, (soft, hard) in found.items())
    return {"held": held, "found": ", ".join(f"{name} {hard}" for name, (_, hard) in sorted(found.items()))}
