"""Processes that workers are forked from, as the auditor sees them: one for each set of libraries, started when first needed.

Where one cannot be had, or does not answer, workers are executed one by one, as they always can be.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from auditor.sandbox.allowed_paths import accesses, openings
from auditor.sandbox.fork_child import BURY, DONE, FORK, HOW, READY, REPLY, REQUEST

_LOADING_S: Final = 120.0
_ANSWER_S: Final = 20.0
_MOST: Final = 3
"""Templates at a time: each holds its libraries in memory."""


class Ending(NamedTuple):
    """How a process ended, as `waitid` says it."""

    code: int
    status: int


class NoTemplateError(Exception):
    """The process that workers are forked from cannot be had, or is gone."""


class Forked:
    """A worker that was forked from a template."""

    def __init__(self, template: Template, pid: int) -> None:
        """Take note of a process that the template has started and not buried."""
        self.pid = pid
        self._template = template
        self._handle = os.pidfd_open(pid)

    @property
    def parent(self) -> int:
        """The process that it should find as its parent."""
        return self._template.pid

    def ending(self) -> Ending | None:
        """How it ended; None where it runs."""
        if not _readable(self._handle, 0.0):
            return None
        try:
            done, code, status = self._template.ask(HOW, self.pid)
        except NoTemplateError:
            done = None
        # A template takes its workers with it.
        return Ending(code, status) if done == DONE else Ending(os.CLD_KILLED, signal.SIGKILL)

    def kill(self) -> None:
        """End it before it was told anything."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        self.bury()

    def bury(self) -> None:
        """Let its number go, once nothing of it is left."""
        os.close(self._handle)
        self._template.workers -= 1
        with suppress(NoTemplateError):
            self._template.ask(BURY, self.pid)


class Template:
    """A process that has loaded libraries and forks; several threads may ask it."""

    def __init__(self, modules: Sequence[str], folder: Path, environment: dict[str, str]) -> None:
        """Start it; it loads while the caller goes on.

        Args:
            modules: What it loads.
            folder: Where workers have their folders: the only place that it may write to, and they.
            environment: That of every worker, but for what names its own folder.

        Raises:
            OSError: If it cannot be started.
        """
        # Of /proc a worker then opens what is about itself.
        opened = accesses(openings(inputs=(Path("/proc"),), outputs=(folder,)))
        self._lock = threading.Lock()
        self.loaded = False
        self.workers = 0
        """How many of its workers are not buried, or on their way."""
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            told = [str(theirs.fileno()), str(os.getpid()), json.dumps(opened), json.dumps(list(modules))]
            try:
                self._popen = subprocess.Popen(
                    [sys.executable, "-P", "-s", "-m", "auditor.sandbox.fork_child", *told],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=(theirs.fileno(),),
                    env=environment,
                    cwd="/",
                    start_new_session=True,
                )
            except BaseException:
                self._control.close()
                raise
        self.pid = self._popen.pid

    def fork(self, handed: Sequence[int]) -> Forked:
        """Start a worker with these descriptors; see `template.Handed`.

        Raises:
            NoTemplateError: If the template did not load, or is gone.
            OSError: If the system has no room for another process.
        """
        done, number, _ = self.ask(FORK, 0, handed)
        if done != DONE:
            raise OSError(number, os.strerror(number))
        return Forked(self, number)

    def ask(self, kind: bytes, number: int, descriptors: Sequence[int] = ()) -> tuple[int, int, int]:
        """Send one request and take its answer.

        Raises:
            NoTemplateError: If there is none.
        """
        with self._lock:
            try:
                if not self.loaded:
                    self.loaded = self._received(len(READY), _LOADING_S) == READY
                socket.send_fds(self._control, [REQUEST.pack(kind, number)], list(descriptors))
                answer = self._received(REPLY.size, _ANSWER_S)
                done, first, second = REPLY.unpack(answer)
            except (OSError, ValueError, NoTemplateError) as error:  # ValueError: another thread found it gone, and closed it
                self._end()
                raise NoTemplateError(str(error)) from error
        return done, first, second

    def has_ended(self) -> bool:
        """Whether the process has ended, and nobody waits for its answer."""
        return not self._lock.locked() and self._popen.poll() is not None

    def close(self) -> None:
        """End it, and every worker of it that is left."""
        with self._lock:
            self._end()

    def _received(self, size: int, patience_s: float) -> bytes:
        if not _readable(self._control, patience_s):
            raise NoTemplateError("it did not answer")
        answer = self._control.recv(size)
        if len(answer) != size:
            raise NoTemplateError("it ended")
        return answer

    def _end(self) -> None:
        self._control.close()
        # It ends by itself, with all that it started, once nobody can ask it any more; where it hangs, its workers end with it.
        try:
            self._popen.wait(_ANSWER_S)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()


@dataclass
class _Kept:
    """The templates of this process, the one asked last at the end."""

    running: dict[tuple[tuple[str, ...], Path], Template] = field(default_factory=dict)
    failed: set[tuple[str, ...]] = field(default_factory=set)
    """Modules that did not load, or not so that a worker could be forked."""
    lock: threading.Lock = field(default_factory=threading.Lock)


_kept = [_Kept()]
"""The last is in use; those before it are of the process that this one was forked from, whose templates are not ours."""
os.register_at_fork(after_in_child=lambda: _kept.append(_Kept()))


def fork(modules: Sequence[str], environment: dict[str, str], handed: Sequence[int]) -> Forked | None:
    """Fork a worker from the template that has loaded these modules; None where there can be none.

    Args:
        modules: What it has loaded.
        environment: See `Template`.
        handed: The descriptors that it is given; see `template.Handed`.

    Raises:
        OSError: If the system has no room for another process.
    """
    folder, kept, asked = _temporary(), _kept[-1], tuple(modules)
    for _ in range(2):  # one that had nothing to do for a while has ended
        with kept.lock:
            if asked in kept.failed:
                return None
            _forget_ended(kept)
            template = kept.running.pop((asked, folder), None) or Template(asked, folder, environment)
            kept.running[asked, folder] = template
            template.workers += 1
            _end_oldest(kept)
        try:
            return template.fork(handed)
        except NoTemplateError:
            with kept.lock:
                template.workers -= 1
                if kept.running.get((asked, folder)) is template:
                    del kept.running[asked, folder]
                if not template.loaded:
                    kept.failed.add(asked)
        except BaseException:
            template.workers -= 1
            raise
    return None


def close() -> None:
    """End every template of this process."""
    kept = _kept[-1]
    with kept.lock:
        while kept.running:
            kept.running.popitem()[1].close()


atexit.register(close)


def _temporary() -> Path:
    """The folder that all workers have theirs in: the system's for temporary files where that holds the one in use."""
    used = Path(tempfile.gettempdir())
    return next((folder for folder in map(Path, ("/tmp", "/var/tmp")) if used.is_relative_to(folder)), used)  # noqa: S108 - none is made


def _forget_ended(kept: _Kept) -> None:
    """Reap templates that ended because nobody asked them for a while."""
    for key in [key for key, template in kept.running.items() if template.has_ended()]:
        kept.running.pop(key).close()


def _end_oldest(kept: _Kept) -> None:
    """End templates that nobody runs from, those asked longest ago first, until few are left."""
    for key, template in list(kept.running.items()):
        if len(kept.running) <= _MOST:
            return
        if template.workers == 0:
            del kept.running[key]
            template.close()


def _readable(descriptor: socket.socket | int, seconds: float) -> bool:
    poller = select.poll()
    poller.register(descriptor, select.POLLIN)
    return bool(poller.poll(seconds * 1000))
