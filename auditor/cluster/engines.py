"""What is asked of a cluster's engine, and how to open one: Dask or Ray, imported only when it is asked for."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from auditor import extras
from auditor.errors import UsageError

BACKENDS: Final[Mapping[str, str]] = {"dask": "DASK_SCHEDULER_ADDRESS", "ray": "RAY_ADDRESS"}
"""The engines, each with the variable that names its cluster where no address is given."""

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


def opened(backend: str, address: str | None, *, most: int | None = None) -> Engine:
    """Open a cluster.

    Args:
        backend: "dask" or "ray".
        address: Where its scheduler is; the engine's own variable says so where left out.
        most: How many jobs shall run at a time at most; None for as many as there is room for.

    Raises:
        UsageError: If the extra is not installed, no address is known, or nobody answers at it.
    """
    extras.require(backend, f"--backend {backend}")
    variable = BACKENDS[backend]
    place = address or os.environ.get(variable)
    if not place:
        raise UsageError(
            f"--backend {backend}: expected the address of a cluster, found none; give it with --address or in {variable}"
        )
    if backend == "dask":
        from auditor.cluster.dask_engine import DaskEngine  # noqa: PLC0415 - takes a second

        return DaskEngine(place)
    from auditor.cluster.ray_engine import RayEngine  # noqa: PLC0415 - takes seconds

    return RayEngine(place, most=most)


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
