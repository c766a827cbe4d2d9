"""Sandboxed runs on the machines of a cluster: Dask's or Ray's, which the user has already.

sealing     what crosses is sealed: a scheduler sees sizes and times
payloads    jobs, tables and replies as bytes; nothing but types of ours is read back
remote      what a worker does: say who it is, take tables, run a job, stop one
engines     what is asked of Dask and Ray;  dask_engine.py, ray_engine.py
dask_wire   what Dask sends, read without unpickling; Ray has nothing like it, and its workers have to be trusted
choosing    this machine or a cluster, as it is asked for
workers     who is there: asked for version and barriers before anything runs
seats       a free place for each job; a lost worker's job runs again elsewhere

The auditor itself hands out the jobs, one for each free thread of a worker: it alone knows which worker a job has cost.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, Literal, TypeAlias

from auditor.base import extras
from auditor.base.errors import UsageError
from auditor.sandbox.cluster.engines import Engine, LostError
from auditor.sandbox.cluster.seats import Cluster, WorkersLostError

# Where sandboxed runs are started: on this machine, or by the workers of a cluster for as long as an audit lasts.
Backend: TypeAlias = Literal["local", "dask", "ray"]

BACKENDS: Final[Mapping[str, str]] = {"dask": "DASK_SCHEDULER_ADDRESS", "ray": "RAY_ADDRESS"}
"""The engines, each with the variable that names its cluster where no address is given."""


def refuse(backend: Backend, address: str | None, *, trust_workers: bool = False) -> None:
    """Refuse options that do not go together, before anything is read.

    Args:
        backend: Where runs are started.
        address: Where a scheduler answers.
        trust_workers: Whether workers may do on this machine whatever its user may.

    Raises:
        UsageError: If there are any, the engine unpickles what workers send and they are not trusted with that, or the extra of
            the backend is not installed.
    """
    if backend == "local" and address is not None:
        raise UsageError("--address: expected --backend dask or ray with it, found --backend local")
    if trust_workers and backend != "ray":
        raise UsageError(f"--trust-workers: expected --backend ray with it, found --backend {backend}, which needs no such trust")
    if backend == "local":
        return
    extras.require(backend, f"--backend {backend}")
    if backend == "ray" and not trust_workers:
        raise UsageError(
            "--backend ray: expected --trust-workers with it, found none. Ray unpickles what its workers send, so that anyone "
            "who reaches the cluster can run code on this machine as you. Give --trust-workers (from Python: "
            "trust_workers=True) where all of them may do so, or use --backend dask, of whose workers nothing is unpickled; "
            "see docs/clusters.md"
        )


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
        from auditor.sandbox.cluster.dask_engine import DaskEngine  # noqa: PLC0415 - takes a second

        return DaskEngine(place)
    from auditor.sandbox.cluster.ray_engine import RayEngine  # noqa: PLC0415 - takes seconds

    return RayEngine(place, most=most)


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
    with Cluster(opened(backend, address, most=most), most=most, notice=notice) as found:
        yield found


__all__ = ["BACKENDS", "Backend", "Cluster", "LostError", "WorkersLostError", "opened", "refuse", "workers_of"]
