"""Dask: each call is a task that may run on one worker alone, and is not run again by the scheduler's own choice.

What comes back is read by `dask_wire`, and nothing of it is unpickled: answers are bytes, and what else a worker or the scheduler
says is text.
"""

from __future__ import annotations

import asyncio
import pkgutil
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from concurrent.futures import Future as Coming
from concurrent.futures import TimeoutError as NotYet
from contextlib import suppress
from typing import Any, Final

from auditor.sandbox.cluster import remote
from auditor.sandbox.cluster.engines import PATIENCE_S, LostError, RemoteError, answered, nobody_answers, require_listening
from auditor.sandbox.wire import printable

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from distributed import Future
    from distributed.protocol import pickle, to_serialize

    from auditor.sandbox.cluster import dask_wire
    from auditor.sandbox.cluster.dask_wire import Crossed

_LARGE: Final = 256 * 1024
"""Bytes from which on an argument goes straight to its worker and not along with the task."""
_SLOWEST: Final = 1 << 20
"""Bytes a second at which an argument must reach its worker, in addition to the patience that everything is met with."""
_LOOK_S: Final = 0.5
_ASIDE_S: Final = 10.0
_MOST_WORKERS: Final = 10_000
_MOST_THREADS: Final = 1024
"""Threads of one worker that are taken for true: each becomes one here."""


class DaskEngine:
    """A Dask cluster, by the address of its scheduler."""

    def __init__(self, address: str) -> None:
        """Connect.

        Raises:
            UsageError: If nobody answers, or one that is no Dask.
        """
        require_listening("dask", address)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # other versions of Dask: what matters is asked of each worker
                self._client = dask_wire.client(address, PATIENCE_S / 2)
        except Exception as error:
            found = _said(error)
            raise nobody_answers("dask", address, found) from error
        self._lock = threading.Lock()
        self._importing: set[str] = set()
        self._seen: Mapping[str, int] = {}
        self._seen_at = float("-inf")

    def processes(self) -> Mapping[str, int]:
        """The workers of the cluster, with their threads."""
        with self._lock:
            if time.monotonic() - self._seen_at > _LOOK_S:
                try:
                    self._seen = _counted(self._client.sync(self._client.scheduler.ncores, callback_timeout=PATIENCE_S))
                except Exception:  # noqa: BLE001 - the scheduler itself is gone, or says what none says
                    self._seen = {}
                self._seen_at = time.monotonic()
            return self._seen

    def call(self, process: str, function: Callable[..., bytes], *parts: str | bytes | int) -> _Task:
        """Submit a task that this worker alone may run.

        Raises:
            LostError: If the worker went away.
            RemoteError: If it cannot import what it shall run, for a task would end it; or takes what it is sent for too long.
        """
        if process not in self._importing:
            self._require_importing(process)
            self._importing.add(process)
        name = f"auditor-{function.__name__}-{uuid.uuid4().hex}"
        try:
            sent = [self._sent(part, process) if isinstance(part, bytes) and len(part) > _LARGE else part for part in parts]
            task = self._client.submit(
                *(remote.call, function.__name__, *sent),
                key=name,
                workers=[process],
                allow_other_workers=False,
                pure=False,
                retries=0,
            )
        except Exception as error:
            raise self.failed(process, _said(error)) from error
        # What was sent ahead is held on to until the call is over, and let go of with it.
        return _Task(self, process, task, sent)

    def aside(self, process: str, function: Callable[..., bytes], *parts: str | bytes | int) -> None:
        """Call in the thread that talks to the scheduler."""
        with suppress(Exception):
            self._run(process, remote.call, function.__name__, *parts, patience_s=_ASIDE_S)

    def close(self) -> None:
        """Leave; the cluster stays."""
        with suppress(Exception):
            self._client.close(timeout=5)

    def has_lost(self, process: str) -> bool:
        """Whether the scheduler does not know a worker any more, asked now."""
        self._seen_at = float("-inf")
        return process not in self.processes()

    def failed(self, process: str, said: str) -> LostError | RemoteError:
        """What an error on the way to a worker means; Dask has many kinds where one has gone away."""
        return LostError(process) if self.has_lost(process) else RemoteError(said)

    def fetch(self, task: Future) -> Coming[Any]:
        """Ask for what a task that is over returned."""
        asked = self._client.scheduler.gather(keys=[task.key])
        return asyncio.run_coroutine_threadsafe(asked, self._client.loop.asyncio_loop)

    def _require_importing(self, process: str) -> None:
        package, _, module = remote.__name__.rpartition(".")
        try:
            found = self._run(process, pkgutil.get_data, package, f"{module}.py", patience_s=PATIENCE_S)
        except Exception as error:
            raise self.failed(process, _said(error)) from error
        if isinstance(found, Mapping) and isinstance(found.get("result"), Crossed):
            return
        said = found.get("exception") if isinstance(found, Mapping) else None
        raise self.failed(process, said if isinstance(said, str) else f"no module named {remote.__name__}")

    def _run(self, process: str, function: Callable[..., Any], *arguments: str | bytes | int, patience_s: float) -> Any:
        """Run a function in the thread of a worker that talks to the scheduler; what it says, or None.

        As `Client.run`, which unpickles failures.
        """
        asked = {"op": "run", "function": pickle.dumps(function), "args": pickle.dumps(arguments), "wait": True}
        found = self._client.sync(
            self._client.scheduler.broadcast,
            msg=asked | {"kwargs": pickle.dumps({})},
            workers=[process],
            on_error="ignore",
            callback_timeout=patience_s,
        )
        return found.get(process) if isinstance(found, Mapping) else None

    def _sent(self, part: bytes, process: str) -> Any:
        patience_s = PATIENCE_S + len(part) / _SLOWEST
        try:
            return self._client.sync(self._sent_straight, part, process, callback_timeout=patience_s)
        except (OSError, TimeoutError, ValueError):
            # The scheduler may reach workers that the auditor does not.
            return self._client.sync(self._sent_through, part, process, callback_timeout=patience_s)

    async def _sent_straight(self, part: bytes, process: str) -> Future:
        """As `Client.scatter` with `direct`, over a connection that is read here."""
        key = f"auditor-part-{uuid.uuid4().hex}"
        # Not by Dask's `scatter_to_workers`: what that has begun goes on after it is cancelled.
        worker = self._client.rpc(dask_wire.plain(process))
        try:
            await worker.update_data(data={key: to_serialize(part)})
        finally:
            await worker.close_rpc()
        await self._client.scheduler.update_data(who_has={key: [process]}, nbytes={key: len(part)}, client=self._client.id)
        sent = Future(key, self._client)
        self._client.futures[key].finish(type=bytes)
        return sent

    async def _sent_through(self, part: bytes, process: str) -> Future:
        """Send by way of the scheduler; `Client.scatter` by itself waits for a worker without end."""
        workers = [process]
        return await self._client.scatter(part, workers=workers, direct=False, hash=False, timeout=PATIENCE_S, asynchronous=True)


class _Task:
    """A task that was submitted."""

    def __init__(self, engine: DaskEngine, process: str, future: Future, sent: list[Any]) -> None:
        self._engine, self._process, self._future, self._sent = engine, process, future, sent
        self._over = threading.Event()
        self._coming: Coming[Any] | None = None
        future.add_done_callback(lambda _future: self._over.set())

    def wait(self, seconds: float) -> bytes | None:
        """Wait for what it returns; a worker that the scheduler does not know any more is lost."""
        begun = time.monotonic()
        if not self._over.wait(seconds):
            self._require_worker()
            return None
        if self._coming is None:
            self._require_finished()
            self._coming = self._engine.fetch(self._future)
        try:
            found = self._coming.result(max(0.0, seconds - (time.monotonic() - begun)))
        except NotYet:
            self._require_worker()
            return None
        except (CancelledError, Exception) as error:
            self._let_go()
            raise self._engine.failed(self._process, _said(error)) from error
        self._let_go()
        held = found.get("data") if isinstance(found, Mapping) else None
        if not isinstance(held, Mapping):
            raise LostError(self._process)  # the worker went away with it
        answer = held.get(self._future.key)
        if not isinstance(answer, Crossed):
            raise RemoteError("expected bytes, found a value of another type, which was not read")
        return answered(answer.content)

    def _require_worker(self) -> None:
        """Raise a `LostError` where the scheduler does not know the worker any more."""
        if self._process not in self._engine.processes():
            self._future.cancel()
            if self._coming is not None:
                self._coming.cancel()
            raise LostError(self._process)

    def _require_finished(self) -> None:
        status = self._future.status
        if status == "finished":
            return
        try:
            error = self._future.exception(timeout=_ASIDE_S) if status == "error" else None
        finally:
            self._let_go()
        said = "" if error is None else _said(error)
        if error is None or any(name in said for name in dask_wire.LOST):
            raise LostError(self._process)
        raise self._engine.failed(self._process, said)

    def _let_go(self) -> None:
        self._sent.clear()
        self._future.release()


def _counted(found: object) -> dict[str, int]:
    """The workers that a scheduler names, with their threads.

    Raises:
        ValueError: If it names anything else.
    """
    if not isinstance(found, Mapping) or len(found) > _MOST_WORKERS:
        raise ValueError
    if not all(isinstance(each, str) and printable(each, 300) == each for each in found):
        raise ValueError
    if not all(type(threads) is int and threads > 0 for threads in found.values()):
        raise ValueError
    return {each: min(threads, _MOST_THREADS) for each, threads in found.items()}


def _said(error: BaseException) -> str:
    """An error in one line, without what a terminal would obey."""
    lines = str(error).splitlines()
    said = printable(lines[0] if lines else "", 300)
    if isinstance(error, TimeoutError):
        return "no answer in time"
    kind = type(error).__name__
    return said if kind == "Exception" and said else f"{kind}: {said}".rstrip(": ")
