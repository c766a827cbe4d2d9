"""Processes that others are forked from, as the auditor sees them: each has loaded its libraries, and starts when first needed.

Where one cannot be had, or does not answer, processes are executed one by one, as they always can be.
"""

from __future__ import annotations

import atexit
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from auditor.base.forking import BURY, DONE, FORK, HOW, READY, REPLY, REQUEST

_LOADING_S: Final = 120.0
_ANSWER_S: Final = 20.0
_MOST: Final = 8
"""Templates at a time: each holds its libraries in memory."""
Asked: TypeAlias = tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]
"""The module that a template runs, its arguments, and its environment."""


class Ending(NamedTuple):
    """How a process ended, as `waitid` says it."""

    code: int
    status: int


class NoTemplateError(Exception):
    """The process that others are forked from cannot be had, or is gone."""


class Forked:
    """A process that was forked from a template."""

    def __init__(self, template: Template, pid: int) -> None:
        """Take note of a process that the template has started and not buried."""
        self.pid = pid
        self._template = template
        self._handle = os.pidfd_open(pid)

    @property
    def parent(self) -> int:
        """The process that it should find as its parent."""
        return self._template.pid

    def ending(self, patience_s: float = 0.0) -> Ending | None:
        """How it ended, waiting for it at most `patience_s` seconds; None where it runs."""
        if not _readable(self._handle, patience_s):
            return None
        try:
            done, code, status = self._template.ask(HOW, self.pid)
        except NoTemplateError:
            done = None
        # A template takes its forks with it.
        return Ending(code, status) if done == DONE else Ending(os.CLD_KILLED, signal.SIGKILL)

    def kill(self) -> None:
        """End it and all of its group, and let its number go."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        with suppress(ProcessLookupError):  # it leads no group as long as it has not begun a session
            os.killpg(self.pid, signal.SIGKILL)
        self.bury()

    def bury(self) -> None:
        """Let its number go, once nothing of it is left."""
        os.close(self._handle)
        self._template.forks -= 1
        with suppress(NoTemplateError):
            self._template.ask(BURY, self.pid)


class Template:
    """A process that has loaded libraries and forks; several threads may ask it."""

    def __init__(self, asked: Asked) -> None:
        """Start it; it loads while the caller goes on.

        Raises:
            OSError: If it cannot be started.
        """
        module, told, environment = asked
        self._lock = threading.Lock()
        self.loaded = False
        self.forks = 0
        """How many of its forks are not buried, or on their way."""
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                self._popen = subprocess.Popen(
                    [sys.executable, "-P", "-s", "-m", module, str(theirs.fileno()), str(os.getpid()), *told],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=(theirs.fileno(),),
                    env=dict(environment),
                    cwd="/",
                    start_new_session=True,
                )
            except BaseException:
                self._control.close()
                raise
        self.pid = self._popen.pid

    def fork(self, handed: Sequence[int]) -> Forked:
        """Start a process that is given these descriptors.

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
        """End it, and every fork of it that is left."""
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
        if not self.loaded:  # nothing runs from it, and it would load to its end first
            self._popen.kill()
        # It ends by itself, with all that it started, once nobody can ask it any more; where it hangs, its forks end with it.
        try:
            self._popen.wait(_ANSWER_S)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()


@dataclass
class _Kept:
    """The templates of this process, the one asked last at the end."""

    running: dict[Asked, Template] = field(default_factory=dict)
    failed: set[Asked] = field(default_factory=set)
    """Those that did not load, or not so that they could be forked."""
    lock: threading.Lock = field(default_factory=threading.Lock)


_kept = [_Kept()]
"""The last is in use; those before it are of the process that this one was forked from, whose templates are not ours."""
os.register_at_fork(after_in_child=lambda: _kept.append(_Kept()))


def fork(module: str, told: Sequence[str], environment: Mapping[str, str], handed: Sequence[int]) -> Forked | None:
    """Fork a process from a template; None where there can be none.

    Args:
        module: What runs in the template, as `python -m` takes it; it answers by `forking`.
        told: Its arguments, after the descriptor that it answers on and the process to end with.
        environment: Its whole environment.
        handed: The descriptors that the fork is given.

    Raises:
        OSError: If the system has no room for another process.
    """
    kept, asked = _kept[-1], (module, tuple(told), tuple(sorted(environment.items())))
    for _ in range(2):  # one that had nothing to do for a while has ended
        with kept.lock:
            if asked in kept.failed or not _can_be_watched():
                return None
            _forget_ended(kept)
            template = kept.running.pop(asked, None) or Template(asked)
            kept.running[asked] = template
            template.forks += 1
            _end_oldest(kept)
        try:
            return template.fork(handed)
        except NoTemplateError:
            with kept.lock:
                template.forks -= 1
                if kept.running.get(asked) is template:
                    del kept.running[asked]
                if not template.loaded:
                    kept.failed.add(asked)
        except BaseException:
            template.forks -= 1
            raise
    return None


def load(module: str, told: Sequence[str], environment: Mapping[str, str]) -> None:
    """Begin to load a template that is about to be asked, while the caller goes on; nothing where there can be none.

    Args:
        module: As `fork` takes it, and the others likewise.
        told: Its arguments.
        environment: Its environment.
    """
    kept, asked = _kept[-1], (module, tuple(told), tuple(sorted(environment.items())))
    with kept.lock, suppress(OSError):  # who asks it then says so
        if asked not in kept.failed and asked not in kept.running and _can_be_watched():
            kept.running[asked] = Template(asked)
            _end_oldest(kept)


def close() -> None:
    """End every template of this process."""
    kept = _kept[-1]
    with kept.lock:
        while kept.running:
            kept.running.popitem()[1].close()


atexit.register(close)


@cache
def _can_be_watched() -> bool:
    """Whether the kernel tells when a process ends that is nobody's child here."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return True


def _forget_ended(kept: _Kept) -> None:
    """Reap templates that ended because nobody asked them for a while."""
    for key in [key for key, template in kept.running.items() if template.has_ended()]:
        kept.running.pop(key).close()


def _end_oldest(kept: _Kept) -> None:
    """End templates that nobody runs from, those asked longest ago first, until few are left."""
    for key, template in list(kept.running.items()):
        if len(kept.running) <= _MOST:
            return
        if template.forks == 0:
            del kept.running[key]
            template.close()


def _readable(descriptor: socket.socket | int, seconds: float) -> bool:
    poller = select.poll()
    poller.register(descriptor, select.POLLIN)
    return bool(poller.poll(seconds * 1000))
