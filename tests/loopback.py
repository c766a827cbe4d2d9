"""A cluster in one process, for tests: every worker has a `remote` of its own, and all that passes is kept."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

from auditor.sandbox.cluster.engines import LostError, RemoteError


def _fresh() -> ModuleType:
    spec = find_spec("auditor.sandbox.cluster.remote")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Loopback:
    """An engine whose workers are threads."""

    def __init__(self, workers: int = 2, *, seats: int = 1) -> None:
        self._modules: dict[str, ModuleType] = {}
        self._seats = seats
        self._lock = threading.Lock()
        self.passed: list[bytes] = []
        """Everything that a scheduler would see."""
        self.called: list[tuple[str, str]] = []
        """Workers and functions, in order."""
        self.says: Mapping[str, Any] = {}
        """What workers say of themselves that is not so."""
        self.lost_by: Callable[[str, str], bool] = lambda _worker, _function: False
        """Whether a worker goes away when a function is called."""
        self.fails: Exception | None = None
        """What every call fails with."""
        self.closed = False
        for _ in range(workers):
            self.add()

    def add(self) -> str:
        """One more worker."""
        with self._lock:
            name = f"worker-{len(self.called)}-{len(self._modules)}"
            self._modules[name] = _fresh()
            return name

    def replace(self, name: str) -> None:
        """Another process at the same address."""
        self._modules[name] = _fresh()

    def processes(self) -> Mapping[str, int]:
        with self._lock:
            return dict.fromkeys(self._modules, self._seats)

    def call(self, process: str, function: Callable[..., bytes], *parts: str | bytes | int) -> _Call:
        self.called.append((process, function.__name__))
        self.passed += [part if isinstance(part, bytes) else str(part).encode() for part in parts]
        if self.lost_by(process, function.__name__):
            with self._lock:
                self._modules.pop(process, None)
        module = self._modules.get(process)
        pool = ThreadPoolExecutor(1)
        found = pool.submit(self._ran, module, function.__name__, parts)
        pool.shutdown(wait=False)
        return _Call(found, self.passed)

    def _ran(self, module: ModuleType | None, function: str, parts: tuple[Any, ...]) -> bytes:
        if module is None:
            raise LostError
        if self.fails is not None:
            raise self.fails
        answer: bytes = getattr(module, function)(*parts)
        if function == "hello":
            told = json.loads(answer)
            told["software"] |= self.says.get("software", {})
            return json.dumps(told | {key: value for key, value in self.says.items() if key != "software"}).encode()
        return answer

    def aside(self, process: str, function: Callable[..., bytes], *parts: str | bytes | int) -> None:
        self.called.append((process, function.__name__))
        module = self._modules.get(process)
        if module is not None:
            getattr(module, function.__name__)(*parts)

    def close(self) -> None:
        self.closed = True


class _Call:
    def __init__(self, found: Future[bytes], passed: list[bytes]) -> None:
        self._found, self._passed = found, passed

    def wait(self, seconds: float) -> bytes | None:
        try:
            answer = self._found.result(seconds)
        except NotYet:
            return None
        except (LostError, RemoteError):
            raise
        except Exception as error:
            raise RemoteError(str(error)) from error
        self._passed.append(answer)
        return answer
