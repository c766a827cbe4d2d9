"""Ray: one actor for each processor of the cluster, which is a process of its own and runs one job at a time."""

from __future__ import annotations

import importlib
import itertools
import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import ray
from ray.exceptions import RayActorError, RayError

from auditor.sandbox.cluster import remote
from auditor.sandbox.cluster.engines import PATIENCE_S, LostError, RemoteError, answered, nobody_answers, require_listening

_ASIDE_S: Final = 10.0


class _Seat:
    """What runs in an actor's process."""

    def call(self, function: str, *parts: str | bytes | int) -> bytes:
        """Call a function of `remote`."""
        return remote.call(function, *parts)

    def here(self) -> None:
        """Say that the process has started."""


class RayEngine:
    """A Ray cluster, by the address of its head."""

    def __init__(self, address: str, *, most: int | None) -> None:
        """Connect, and ask for the actors.

        Args:
            address: `host:port`, `ray://host:port`, or "auto" for the cluster of this machine.
            most: How many actors to ask for at most; None for one a processor.

        Raises:
            UsageError: If nobody answers, or Ray or Python have another version there.
        """
        require_listening("ray", address)
        _silence()
        try:
            ray.init(address=address, logging_level=logging.CRITICAL, log_to_driver=False)
        except (RuntimeError, OSError, ValueError, RayError) as error:
            raise nobody_answers("ray", address, str(error).partition("\n")[0][:200]) from error
        self._kind = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0, concurrency_groups={"aside": 1})(_Seat)
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._begun: dict[str, Any] = {}
        self._there: dict[str, Any] = {}
        room = max(1, int(ray.cluster_resources().get("CPU", 1)))
        for _ in range(room if most is None else min(room, most)):
            self._begin()
        deadline = time.monotonic() + PATIENCE_S
        while len(self.processes()) < len(self._begun) + len(self._there) and time.monotonic() < deadline:
            time.sleep(0.1)

    def processes(self) -> Mapping[str, int]:
        """The actors that have started; each runs one job at a time."""
        with self._lock:
            if self._begun:
                refs = {here: name for name, (_, here) in self._begun.items()}
                done, _ = ray.wait(list(refs), num_returns=len(refs), timeout=0)
                for here in done:
                    self._there[refs[here]] = self._begun.pop(refs[here])[0]
            return dict.fromkeys(self._there, 1)

    def call(self, process: str, function: Callable[..., bytes], *parts: str | bytes | int) -> _Call:
        """Call a method of an actor."""
        with self._lock:
            actor = self._there.get(process)
        if actor is None:
            raise LostError(process)
        return _Call(self, process, actor.call.remote(function.__name__, *parts))

    def aside(self, process: str, function: Callable[..., bytes], *parts: str | bytes | int) -> None:
        """Call a method of an actor, in a thread that runs no jobs."""
        actor = self._there.get(process)
        if actor is not None:
            with suppress(RayError):
                ray.get(actor.call.options(concurrency_group="aside").remote(function.__name__, *parts), timeout=_ASIDE_S)

    def close(self) -> None:
        """End the actors and leave; the cluster stays."""
        with suppress(RayError):
            for actor in (*self._there.values(), *(actor for actor, _ in self._begun.values())):
                ray.kill(actor)
        ray.shutdown()

    def lose(self, process: str) -> None:
        """Forget an actor whose process has ended, and ask for another."""
        with self._lock:
            if self._there.pop(process, None) is not None:
                self._begin()

    def _begin(self) -> None:
        actor = self._kind.remote()
        self._begun[f"actor {next(self._numbers)}"] = actor, actor.here.remote()


class _Call:
    """A call of an actor's method."""

    def __init__(self, engine: RayEngine, process: str, ref: Any) -> None:
        self._engine, self._process, self._ref = engine, process, ref

    def wait(self, seconds: float) -> bytes | None:
        """Wait for what it returns."""
        try:
            done, _ = ray.wait([self._ref], timeout=seconds)
            if not done:
                return None
            found = ray.get(self._ref)
        except RayActorError as error:
            if "creation task" in str(error):
                raise RemoteError(_last_line(error)) from error
            self._engine.lose(self._process)
            raise LostError(self._process) from error
        except RayError as error:
            raise RemoteError(_last_line(error)) from error
        if not isinstance(found, bytes):
            raise RemoteError(f"expected bytes, found a {type(found).__name__}")
        return answered(found)


def _silence() -> None:
    """Keep Ray's remarks on workers that died off stdout, where results go: what became of them is said by the auditor."""
    with suppress(ImportError, AttributeError):
        workers = importlib.import_module("ray._private.worker")
        setattr(workers, workers.print_to_stdstream.__name__, lambda *_data, **_how: None)


def _last_line(error: Exception) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return (lines[-1] if lines else type(error).__name__)[:300]
