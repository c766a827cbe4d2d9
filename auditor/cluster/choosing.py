"""Where sandboxed runs are started: on this machine, or by the workers of a cluster for as long as an audit lasts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal, TypeAlias

from auditor import extras
from auditor.cluster import engines
from auditor.cluster.seats import Cluster
from auditor.errors import UsageError

Backend: TypeAlias = Literal["local", "dask", "ray"]


def refuse(backend: Backend, address: str | None) -> None:
    """Refuse options that do not go together, before anything is read.

    Args:
        backend: Where runs are started.
        address: Where a scheduler answers.

    Raises:
        UsageError: If there are any, or the extra of the backend is not installed.
    """
    if backend == "local":
        if address is not None:
            raise UsageError("--address: expected --backend dask or ray with it, found --backend local")
        return
    extras.require(backend, f"--backend {backend}")


@contextmanager
def workers_of(
    backend: Backend, address: str | None, *, most: int | None, notice: Callable[[str], None]
) -> Iterator[Cluster | None]:
    """Have the workers of a cluster for as long as the context lasts; None where the audit runs on this machine alone.

    Args:
        backend: Where runs are started.
        address: Where its scheduler answers; the engine's own variable says so where left out.
        most: How many runs there shall be at a time at most; None for as many as there is room for.
        notice: Told, in a sentence, of workers that were lost or cannot be used.

    Raises:
        UsageError: If nobody answers, or a worker has other software or another machine.
    """
    if backend == "local":
        yield None
        return
    with Cluster(engines.opened(backend, address, most=most), most=most, notice=notice) as found:
        yield found
