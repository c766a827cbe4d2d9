"""Declare what is asked of a cluster's engine, Dask's or Ray's, and what it raises."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from auditor.base.errors import UsageError
from auditor.sandbox.wire import printable

PATIENCE_S: Final = 20.0
"""Seconds within which a cluster must answer."""


class LostError(Exception):
    """A worker process went away before it answered."""


class RemoteError(Exception):
    """A function could not be called on a worker: it is not there, or it failed in a way that it does not do of itself."""


class Waiting(Protocol):
    """A call that has been made."""

    def wait(self, seconds: float) -> bytes | None:
        """Wait for what it returns; None where it has not come yet.

        Raises:
            LostError: If the process went away.
            RemoteError: If the call failed.
        """


class Engine(Protocol):
    """A cluster that functions of `remote` can be called on; used by several threads."""

    def processes(self) -> Mapping[str, int]:
        """The worker processes that are there now, by their address, each with the jobs that it runs at a time."""

    def call(self, process: str, function: Callable[..., bytes], *parts: str | bytes | int) -> Waiting:
        """Call a function in a thread of a process that runs jobs; it waits there until a thread is free."""

    def aside(self, process: str, function: Callable[..., bytes], *parts: str | bytes | int) -> None:
        """Call a function at once, whatever else runs there; a process that has gone away is passed over."""

    def close(self) -> None:
        """Leave the cluster as it was."""


FAILED: Final = b"\0failed\0"
"""What a reply begins with that is no answer but the text of a failure, so that no exception has to cross."""


def answered(reply: bytes) -> bytes:
    """The reply, where it is an answer.

    Raises:
        RemoteError: If it is a failure.
    """
    if reply.startswith(FAILED):
        raise RemoteError(printable(" ".join(reply[len(FAILED) : 4096].decode("utf-8", "replace").split()), 300))
    return reply


def nobody_answers(backend: str, address: str, found: str) -> UsageError:
    """The error for an address that cannot be used."""
    return UsageError(f"--backend {backend}: expected a cluster at {address}, found {found or 'no answer'}; see docs/clusters.md")


def require_listening(backend: str, address: str) -> None:
    """See that somebody listens at `host:port`, with or without a scheme: the engines themselves would try for long.

    Raises:
        UsageError: If nobody does. An address of another form is left to the engine.
    """
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not host or not port.isdecimal():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE_S / 4).close()
    except (OSError, OverflowError, UnicodeError) as error:
        raise nobody_answers(backend, address, str(error)) from error
