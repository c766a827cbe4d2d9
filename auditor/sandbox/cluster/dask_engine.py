"""Dask: each call is a task that may run on one worker alone, and is not run again by the scheduler's own choice."""

from __future__ import annotations

import threading
import time
import uuid
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, Final

from auditor.sandbox.cluster import remote
from auditor.sandbox.cluster.engines import PATIENCE_S, LostError, RemoteError, nobody_answers, require_listening

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from distributed import Client, Future

_LARGE: Final = 256 * 1024
"""Bytes from which on an argument goes straight to its worker and not along with the task."""
_LOOK_S: Final = 0.5
_LOST: Final = ("FutureCancelledError", "CancelledError", "KilledWorker", "NoValidWorkerError", "CommClosedError")
"""What a task ends with whose worker went away."""


class DaskEngine:
    """A Dask cluster, by the address of its scheduler."""

    def __init__(self, address: str) -> None:
        """Connect.

        Raises:
            UsageError: If nobody answers.
        """
        require_listening("dask", address)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # other versions of Dask: what matters is asked of each worker
                self._client = Client(address, timeout=PATIENCE_S / 2, set_as_default=False, name="auditor")
        except (OSError, TimeoutError, ValueError, TypeError) as error:
            raise nobody_answers("dask", address, str(error).splitlines()[0][:200] if str(error) else "") from error
        self._lock = threading.Lock()
        self._importing: set[str] = set()
        self._seen: Mapping[str, int] = {}
        self._seen_at = float("-inf")

    def processes(self) -> Mapping[str, int]:
        """The workers of the cluster, with their threads."""
        with self._lock:
            if time.monotonic() - self._seen_at > _LOOK_S:
                try:
                    self._seen = dict(self._client.nthreads())
                except (OSError, TimeoutError):
                    self._seen = {}  # the scheduler itself is gone
                self._seen_at = time.monotonic()
            return self._seen

    def call(self, process: str, function: Callable[..., bytes], *parts: str | bytes | int) -> _Task:
        """Submit a task that this worker alone may run.

        Raises:
            LostError: If the worker went away.
            RemoteError: If it cannot import what it shall run; a task would end it.
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
            raise self._failed(process, error) from error
        # What was sent ahead is held on to until the call is over, and let go of with it.
        return _Task(self, process, task, sent)

    def aside(self, process: str, function: Callable[..., bytes], *parts: str | bytes | int) -> None:
        """Call in the thread that talks to the scheduler."""
        with suppress(Exception):
            self._client.run(remote.call, function.__name__, *parts, workers=[process], on_error="ignore")

    def close(self) -> None:
        """Leave; the cluster stays."""
        with suppress(Exception):
            self._client.close(timeout=5)

    def has_lost(self, process: str) -> bool:
        """Whether the scheduler does not know a worker any more, asked now."""
        self._seen_at = float("-inf")
        return process not in self.processes()

    def _require_importing(self, process: str) -> None:
        try:
            found = self._client.run(find_spec, remote.__name__, workers=[process], on_error="return").get(process)
        except Exception as error:
            raise self._failed(process, error) from error
        if found is None or isinstance(found, Exception):
            raise self._failed(process, found or ImportError(f"no module named {remote.__name__}"))

    def _failed(self, process: str, error: Exception) -> LostError | RemoteError:
        """What an error on the way to a worker means; Dask raises many kinds where one has gone away."""
        return LostError(process) if self.has_lost(process) else RemoteError(f"{type(error).__name__}: {error}")

    def _sent(self, part: bytes, process: str) -> Any:
        try:
            return self._client.scatter(part, workers=[process], direct=True, hash=False, timeout=PATIENCE_S)
        except (OSError, TimeoutError, ValueError):
            # The scheduler may reach workers that the auditor does not.
            return self._client.scatter(part, workers=[process], direct=False, hash=False, timeout=PATIENCE_S)


class _Task:
    """A task that was submitted."""

    def __init__(self, engine: DaskEngine, process: str, future: Future, sent: list[Any]) -> None:
        self._engine, self._process, self._future, self._sent = engine, process, future, sent
        self._over = threading.Event()
        future.add_done_callback(lambda _future: self._over.set())

    def wait(self, seconds: float) -> bytes | None:
        """Wait for what it returns; a worker that the scheduler does not know any more is lost."""
        if not self._over.wait(seconds):
            if self._process in self._engine.processes():
                return None
            self._future.cancel()
            raise LostError(self._process)
        try:
            found = self._future.result()
        except Exception as error:
            if type(error).__name__ in _LOST:
                raise LostError(self._process) from error
            raise RemoteError(f"{type(error).__name__}: {error}") from error
        finally:
            self._sent.clear()
            self._future.release()
        if not isinstance(found, bytes):
            raise RemoteError(f"expected bytes, found a {type(found).__name__}")
        return found
