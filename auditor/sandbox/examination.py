"""Which barriers hold on this machine: the strongest sandbox is tried first, from inside; what gives way lowers the level.

A level is never read from configuration or from the version of the kernel. The examination takes a fraction of a second and
is made once per process and strongest level that is tried.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import select
import socket
import stat
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import ClassVar

from auditor.base import process_marks
from auditor.base.errors import SandboxError
from auditor.sandbox import forked, launch
from auditor.sandbox.devices import DeviceKind
from auditor.sandbox.levels import MEBIBYTE, Level, Limits
from auditor.sandbox.preloading import ALWAYS
from auditor.sandbox.probes import Bait, Finding
from auditor.sandbox.scratch import Scratch, no_room
from auditor.sandbox.walls import WALLS_STAND
from auditor.sandbox.wire import LINE_BYTES, printable

_PATIENCE_S = 20.0
_LIMITS = Limits(timeout_s=10.0, file_mb=16)
_OPEN_FILES = 1024
_SOCKET = "socket"

_NETWORK = ("tcp", "mptcp", "udp", "dns", "netlink", "other sockets", "abstract socket", "abstract datagram")
_PROMISED: dict[Level, tuple[str, ...]] = {
    Level.PROCESS: ("limits",),
    Level.NO_NETWORK: (*_NETWORK, "socket with a path", "io_uring", "new namespaces", "shared memory", "auditor's memory"),
    Level.CONFINED: ("secret file", "write outside", "change outside", "auditor's environment", "auditor's limits"),
    Level.NAMESPACED: ("signal to the auditor", "own namespaces"),
}
"""What each level promises beyond the weaker ones."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One attempt to get out of the sandbox."""

    name: str
    held: bool
    """Whether the barrier held."""
    found: str
    """What the attempt met: the kernel's answer, or what got through."""


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """The strongest sandbox that holds on this machine."""

    level: Level
    probes: tuple[Probe, ...]
    """Every attempt, made inside a sandbox of that level; those that it does not promise to withstand are among them."""
    refused: tuple[tuple[Level, str], ...]
    """The stronger levels, strongest first, each with the reason why it does not stand."""


class _Examined:
    lock = threading.Lock()
    reports: ClassVar[dict[Level, ProbeReport]] = {}
    """By the strongest level that was tried."""
    strongest = Level.NAMESPACED


def examined() -> ProbeReport:
    """The strongest level of which every promise holds on this machine, and what the probes found inside it.

    Raises:
        SandboxError: If not even a separate process with limits can be had.
    """
    with _Examined.lock:
        strongest = _Examined.strongest
        if strongest not in _Examined.reports:
            _Examined.reports[strongest] = _examine(strongest)
        return _Examined.reports[strongest]


@contextmanager
def at_most(level: Level) -> Iterator[None]:
    """Try no stronger level in this process while the context lasts, so that one machine can show what every weaker level does.

    It only lowers: the promises of a weaker level are tried all the same, and within another such context the weaker of the two
    counts. Processes that are started meanwhile examine for themselves.
    """
    with _Examined.lock:
        before = _Examined.strongest
        _Examined.strongest = min(level, before)
    try:
        yield
    finally:
        with _Examined.lock:
            _Examined.strongest = before


def available() -> Level:
    """The strongest level that can be put up on this machine.

    Raises:
        SandboxError: If not even a separate process with limits can be had.
    """
    return examined().level


def promised(level: Level) -> tuple[str, ...]:
    """The names of the probes that hold at a level."""
    return tuple(name for weaker, names in _PROMISED.items() if weaker <= level for name in names)


def probe(level: Level, device: DeviceKind = "cpu") -> tuple[Probe, ...]:
    """Try every barrier from inside a sandbox of one level, with the openings that a device needs.

    Raises:
        SandboxError: If the sandbox cannot be put up, or does not answer.
    """
    with ExitStack() as stack:
        put_out = _Bait(stack)
        findings = _ask(level, put_out.told, device)
        return tuple(put_out.judge(name, finding) for name, finding in findings.items())


def broken(level: Level, probes: tuple[Probe, ...]) -> str:
    """The promises of a level that did not hold, each with what was found; empty where all held."""
    found = {item.name: item for item in probes}
    names = [name for name in promised(level) if name not in found or not found[name].held]
    return "; ".join(f"{name}: {found[name].found if name in found else 'not tried'}" for name in names)


def _examine(strongest: Level = Level.NAMESPACED) -> ProbeReport:
    refused: list[tuple[Level, str]] = []
    for level in (Level.NAMESPACED, Level.CONFINED, Level.NO_NETWORK, Level.PROCESS):
        if level > strongest:
            refused.append((level, "not tried"))
            continue
        probes, why = _tried(level)
        if why and level is Level.NAMESPACED and forked.not_joined() is None:
            # A worker that is executed within namespaces may keep what one that joins them does not.
            forked.refuse_joining(why)
            probes, why = _tried(level)
            if why:
                forked.allow_joining()
        if not why:
            return ProbeReport(level, probes, tuple(refused))
        refused.append((level, why))
    raise SandboxError(f"no procedure can be run: {'; '.join(f'level {level}: {reason}' for level, reason in refused)}")


def _tried(level: Level) -> tuple[tuple[Probe, ...], str]:
    """What the probes found inside a sandbox of a level, and why it does not stand; empty where it does.

    Raises:
        SandboxError: If there is no room for any.
    """
    try:
        probes = probe(level)
    except SandboxError as error:
        return (), str(error)
    except OSError as error:
        raise no_room(error) from error  # no level would do
    gave_way = broken(level, probes)
    return probes, f"containment failed: {gave_way}" if gave_way else ""


class _Bait:
    """Files, sockets and a process for the probes to go after, and a look at them afterwards."""

    def __init__(self, stack: ExitStack) -> None:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=process_marks.prefix())))
        self._secret, self._precious, self._outside = folder / "secret", folder / "precious", folder / "outside"
        self._secret.write_text(secrets.token_hex(16))
        self._precious.write_bytes(b"as it was")
        self._precious.chmod(0o600)
        self._outside.mkdir()
        self._before = self._state()
        name = f"auditor-{secrets.token_hex(8)}"
        # By a short name: the path of a socket has 107 characters at most, and a temporary folder may lie deep.
        place = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        stack.callback(os.close, place)
        self._listening = {
            "tcp": _bound(stack, socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            "udp": _bound(stack, socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            "socket with a path": _bound(stack, socket.AF_UNIX, socket.SOCK_STREAM, f"/proc/self/fd/{place}/{_SOCKET}"),
            "abstract socket": _bound(stack, socket.AF_UNIX, socket.SOCK_STREAM, f"\0{name}"),
            "abstract datagram": _bound(stack, socket.AF_UNIX, socket.SOCK_DGRAM, f"\0{name}-datagram"),
        }
        self.told: Bait = {
            "secret": str(self._secret),
            "precious": str(self._precious),
            "outside": str(self._outside),
            "socket": str(folder / _SOCKET),
            "abstract": name,
            "tcp": _port(self._listening["tcp"]),
            "udp": _port(self._listening["udp"]),
            "process": os.getpid(),
            "environment": hashlib.sha256(Path("/proc/self/environ").read_bytes()).hexdigest(),
            "namespaces": {
                kind: str(Path(f"/proc/self/ns/{kind}").readlink()) for kind in ("user", "pid", "net", "ipc", "uts", "mnt")
            },
            "limits": {"RLIMIT_CORE": 0, "RLIMIT_NOFILE": _OPEN_FILES, "RLIMIT_FSIZE": _LIMITS.file_mb * MEBIBYTE},
        }

    def judge(self, name: str, finding: Finding) -> Probe:
        """What the probe says, unless the bait itself says otherwise."""
        held, found = finding["held"], finding["found"]
        if name in {"write outside", "change outside"}:
            # Inside a mount namespace, or by a filter that says "done", an attempt may look as if it had worked.
            held = self._state() == self._before
            if held and not finding["held"]:
                found = "was answered as done, and was not"
            elif finding["held"] and not held:
                found = "a file was changed all the same"
        elif name in self._listening:
            listener = self._listening[name]
            if listener is None:
                # Then no attempt can tell a barrier from nobody who listens.
                held, found = False, "could not be tried: the auditor itself may make no such socket"
            elif _touched(listener):
                held, found = False, "it arrived"
        return Probe(name, held, printable(found, 200))

    def _state(self) -> object:
        try:
            status = self._precious.stat()
            precious = (status.st_mode, status.st_mtime_ns, stat.S_ISREG(status.st_mode), self._precious.read_bytes())
        except FileNotFoundError:
            precious = None
        return precious, sorted(path.name for path in self._outside.iterdir())


def _bound(stack: ExitStack, family: int, kind: int, address: tuple[str, int] | str) -> socket.socket | None:
    """A socket that waits to be reached; None where the auditor itself may make none."""
    try:
        waiting = stack.enter_context(socket.socket(family, kind))
        waiting.bind(address)
        if kind == socket.SOCK_STREAM:
            waiting.listen()
    except OSError:
        return None
    return waiting


def _port(listener: socket.socket | None) -> int:
    return 9 if listener is None else int(listener.getsockname()[1])  # 9 is the port where everything is discarded


def _touched(waiting: socket.socket) -> bool:
    poller = select.poll()
    poller.register(waiting, select.POLLIN)
    return bool(poller.poll(0))


def _ask(level: Level, bait: Bait, device: DeviceKind) -> dict[str, Finding]:
    """Start a child of that level, which makes the attempts and ends."""
    scratch = Scratch()
    try:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            launched = launch.Launched(level, channel=theirs.fileno(), scratch=scratch, device=device, preload=(ALWAYS,))
            try:
                theirs.close()
                hello = {"parent": launched.child_parent(), "limits": asdict(_LIMITS), "scratch": str(scratch.path), "bait": bait}
                return _answer(level, ours, json.dumps(hello).encode() + b"\n", scratch)
            finally:
                if not launched.end():
                    raise SandboxError("a process of the sandbox's own probes could not be ended")
    finally:
        scratch.remove()


def _answer(level: Level, channel: socket.socket, hello: bytes, scratch: Scratch) -> dict[str, Finding]:
    channel.settimeout(_PATIENCE_S)
    try:
        with channel.makefile("rb") as lines:
            stands = level is Level.PROCESS or lines.readline(LINE_BYTES) == WALLS_STAND + b"\n"
            if stands:
                channel.sendall(hello)
                line = lines.readline(LINE_BYTES)
                if line.endswith(b"\n"):
                    findings: dict[str, Finding] = json.loads(line)
                    return findings
    except OSError as error:
        raise SandboxError(f"it did not answer: {error.strerror or error}") from error
    said = scratch.stderr_tail().splitlines()
    raise SandboxError(said[-1] if said else "it ended without a word")
