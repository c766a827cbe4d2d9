"""A child that is forked from a process that has loaded its libraries, perhaps into namespaces that bubblewrap makes for it."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Final

from auditor.base.templates import Ending, Forked
from auditor.sandbox import bubblewrap, fork_server, namespaces
from auditor.sandbox.child_plan import environment, opened, plan
from auditor.sandbox.control_groups import Group
from auditor.sandbox.joining import JOINED
from auditor.sandbox.levels import Level
from auditor.sandbox.scratch import Scratch

_JOINING_S: Final = 20.0
_LONGEST_ANSWER: Final = 500


class Joined:
    """A child that was forked, and joined namespaces; it leads its group, and bubblewrap one of its own."""

    parent = None

    def __init__(self, forked: Forked, around: namespaces.Namespaces) -> None:
        self.pid = forked.pid
        self._forked, self._around = forked, around

    def ending(self) -> Ending | None:
        """How it ended; None where it runs."""
        return self._forked.ending()

    def bury(self) -> None:
        """End the namespaces, with everything in them, and let its number go."""
        self._around.end()
        self._forked.bury()


class _Joining:
    """Whether workers of this process join namespaces, and why not."""

    lock = threading.Lock()
    refused: ClassVar[dict[tuple[str, ...] | None, str]] = {}
    """By the modules that are loaded; by None what holds for all."""


def refuse_joining(why: str) -> None:
    """Have no worker of this process join namespaces any more: one is executed within for each."""
    with _Joining.lock:
        _Joining.refused[None] = why


def allow_joining() -> None:
    """Take that back."""
    with _Joining.lock:
        _Joining.refused.pop(None, None)


def not_joined() -> str | None:
    """Why workers are executed within namespaces, all or some, and do not join them; None where that is not known to be so."""
    with _Joining.lock:
        return next(iter(_Joining.refused.values()), None)


def forked_child(
    level: Level, scratch: Scratch, channel: int, group: Group | None, preload: Sequence[str]
) -> Forked | Joined | None:
    """Fork the child where its level allows; None where none can be forked."""
    if level is Level.CONFINED:
        return _fork(plan(level, channel, None, opened(scratch), scratch), channel, scratch, group, preload)
    if level is not Level.NAMESPACED:
        return None
    with _Joining.lock:
        if {None, tuple(preload)} & _Joining.refused.keys():
            return None
    try:
        return _joined(scratch, channel, group, preload)
    except namespaces.NoNamespacesError as error:
        with _Joining.lock:
            _Joining.refused[tuple(preload)] = str(error)
        return None


def _joined(scratch: Scratch, channel: int, group: Group | None, preload: Sequence[str]) -> Joined:
    """Fork the child into namespaces of its own.

    Raises:
        NoNamespacesError: If it cannot join any.
    """
    left_open = opened(scratch)
    bubblewrap.program()
    try:
        root = namespaces.root(left_open)
    except OSError as error:  # what is executed needs no such folder
        raise namespaces.NoNamespacesError(f"{error.filename}: {error.strerror}") from error
    command = bubblewrap.command(left_open, str(scratch.home), root)
    around = namespaces.Namespaces(
        command if group is None else group.entered_by(command), environment(scratch.home), scratch.home
    )
    try:
        forked = _fork(plan(Level.NAMESPACED, channel, None, left_open, scratch), channel, scratch, group, preload, around, root)
    except BaseException:
        around.end()
        raise
    if forked is None:
        around.end()
        raise namespaces.NoNamespacesError("the process that workers are forked from did not load")
    return Joined(forked, around)


def _fork(
    told_plan: dict[str, object],
    channel: int,
    scratch: Scratch,
    group: Group | None,
    preload: Sequence[str],
    around: namespaces.Namespaces | None = None,
    root: Path | None = None,
) -> Forked | None:
    """Fork the child, tell it its plan, and wait until it has joined what is around it; None where none can be forked.

    Raises:
        NoNamespacesError: If it has not joined.
    """
    home = str(scratch.home)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        handed = (channel, scratch.stdout, scratch.stderr, theirs.fileno(), *(around.descriptors if around else ()))
        forked = fork_server.fork(preload, environment(Path("/")), handed, root)
        if forked is None:
            return None
        theirs.close()
        told = {
            "plan": told_plan,
            "template": forked.parent,
            "home": home,
            "environment": {"HOME": home, "TMPDIR": home},
            "namespaces": around.names if around else [],
        }
        try:
            if group is not None:
                group.enter(forked.pid)
            ours.sendall(json.dumps(told).encode() + b"\n")
            if around is not None:
                around.close()
                _await_joined(ours)
        except BaseException:
            forked.kill()
            raise
    return forked


def _await_joined(answering: socket.socket) -> None:
    answering.settimeout(_JOINING_S)
    try:
        with answering.makefile("rb") as lines:
            answer = lines.readline(_LONGEST_ANSWER)
    except OSError as error:
        raise namespaces.NoNamespacesError(f"a worker could not join: {error.strerror or error}") from error
    if answer != JOINED:
        raise namespaces.NoNamespacesError(f"a worker could not join: {answer.decode('utf-8', 'replace').strip() or 'it ended'}")
