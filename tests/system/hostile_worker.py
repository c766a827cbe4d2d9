"""Loaded into a worker of Dask by `--preload`: it answers the auditor with what HOSTILE names. For tests."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from typing import Any

KIND, FOLDER = os.environ["HOSTILE"].split("|")


class Bomb:
    """Leaves a file with the number of the process that unpickles it."""

    def __reduce__(self) -> Any:
        return exec, (f"import os; open({FOLDER!r} + '/' + str(os.getpid()), 'w').close()",)


class Bytes(bytes):
    """Bytes by name."""

    def __reduce__(self) -> Any:
        return Bomb().__reduce__()


def _raised(error: Exception, cause: Exception | None = None) -> Any:
    raise error from cause


def _events(dask_worker: Any) -> Any:
    held = pickle.dumps(Bomb())
    dask_worker.log_event("warn", {"message": held, "category": held})
    dask_worker.log_event("print", {"args": ("printed by a worker",), "file": 1})
    dask_worker.log_event(["x", "all"], {"held": held})
    return Bomb()


ANSWERS: dict[str, Callable[[Any], Any]] = {
    "value": lambda _worker: Bomb(),
    "nested": lambda _worker: {"a": [b"answer", Bomb()]},
    "bytes": lambda _worker: Bytes(b"answer"),
    "exception": lambda _worker: _raised(ValueError("odd", Bomb())),
    "cause": lambda _worker: _raised(ValueError("odd"), KeyError(Bomb())),
    "group": lambda _worker: _raised(ExceptionGroup("odd", [ValueError(Bomb())])),
    "text": lambda _worker: _raised(ValueError("\x1b]0;title\x07 odd")),
    "events": _events,
    "exit": lambda _worker: os._exit(1),
    "large": lambda _worker: bytes(1 << 20),
}


def dask_setup(dask_worker: Any) -> None:
    """Stand in for what a worker does."""
    from auditor.sandbox.cluster import remote  # noqa: PLC0415 - the worker has it

    honest, (kind, at) = remote.call, KIND.split(" ")

    def hostile(function: str, *parts: Any) -> Any:
        return ANSWERS[kind](dask_worker) if function == at else honest(function, *parts)

    remote.call = hostile
