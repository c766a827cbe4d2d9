"""What answers depend on alongside the job itself, which holds the controller's code: our own, and the machine that runs both.

Floating-point results differ in their last bits from one processor, C library or BLAS to the next, and a newer version of
anything may compute something else. All of it goes into the address of a run: it is found again only where nothing changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from auditor import __version__
from auditor.base.records import Dataset


# A job and its circumstances as bytes, so that equal bytes mean: the same answers may be expected.
# Whatever dataclass comes, every one of its fields counts; a field that is added later cannot be forgotten here.
class Describer:
    """Turns values into JSON, arrays into digests; a table that many jobs share is digested once."""

    def __init__(self) -> None:
        """Start with no table known."""
        # A table that nobody else holds any more is not held here.
        self._tables: WeakKeyDictionary[Dataset, Any] = WeakKeyDictionary()

    def to_bytes(self, value: object) -> bytes:
        """A value as bytes that differ wherever the value does. They may hold a seed: hash them, keep them nowhere.

        Raises:
            TypeError: If it holds something that no rule is known for, or an array of Python objects.
        """
        return json.dumps(self._described(value), sort_keys=True, allow_nan=True).encode()

    def _described(self, value: object) -> Any:
        match value:
            case Enum():
                return [type(value).__name__, value.name]
            case None | bool() | int() | float() | str():
                return value
            case np.ndarray() | Dataset() | bytes():
                return self._table(value) if isinstance(value, Dataset) else _digested(value)
            case Mapping():
                return ["mapping", [[self._described(key), self._described(item)] for key, item in _in_order(value)]]
            case Sequence() if not isinstance(value, bytes | bytearray | memoryview):
                return [type(value).__name__, *(self._described(item) for item in value)]
        if is_dataclass(value) and not isinstance(value, type):
            return [type(value).__name__, {item.name: self._described(getattr(value, item.name)) for item in fields(value)}]
        raise TypeError(f"a job may not hold a {type(value).__name__}")

    def _table(self, table: Dataset) -> Any:
        found = self._tables.get(table)
        if found is None:
            found = ["Dataset", *(self._described(getattr(table, item.name)) for item in fields(table))]
            self._tables[table] = found
        return found


def _in_order(mapping: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    return sorted(mapping.items(), key=lambda item: str(item[0]))


def _digested(array: np.ndarray[Any, Any] | bytes) -> list[Any]:
    if isinstance(array, bytes):
        return ["bytes", len(array), hashlib.sha256(array).hexdigest()]
    if array.dtype.hasobject:
        raise TypeError("an array must hold numbers or strings, not objects")
    content = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return ["array", array.dtype.str, list(array.shape), hashlib.sha256(content.data).hexdigest()]


_PACKAGE = Path(__file__).resolve().parents[2]
_NVIDIA = Path("/proc/driver/nvidia")


def processor() -> str:
    """The name of the processor as the kernel gives it; its architecture where it gives none."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def software() -> dict[str, Any]:
    """The auditor, Python, the C library and every installed distribution, each with its version.

    The auditor's own source is digested too: a checkout changes more often than its version.
    """
    return {
        "auditor": __version__,
        "source": _source(_signature()),
        "python": [platform.python_implementation(), platform.python_version()],
        "libc": list(platform.libc_ver()),
        "distributions": list(_distributions(tuple(sys.path))),
    }


@lru_cache(maxsize=1)
def machine() -> tuple[str, ...]:
    """Operating system, architecture and processor."""
    return platform.system(), platform.machine(), processor()


def places() -> list[str]:
    """Where Python and the auditor are installed: evidence names code by the distribution that has its path."""
    return [sys.prefix, str(_PACKAGE)]


def accelerators() -> dict[str, Any] | None:
    """The driver of this machine's NVIDIA GPUs, their models, and which are shown; None where the driver does not say."""
    try:
        driver = (_NVIDIA / "version").read_text(encoding="utf-8", errors="replace")
        told = {
            path.parent.name: path.read_text(encoding="utf-8", errors="replace") for path in _NVIDIA.glob("gpus/*/information")
        }
    except OSError:
        return None
    models = {gpu: [line for line in text.splitlines() if line.startswith("Model")] for gpu, text in told.items()}
    return {"driver": driver, "models": models, "shown": os.environ.get("CUDA_VISIBLE_DEVICES")} if all(models.values()) else None


def _signature() -> tuple[tuple[str, int, int], ...]:
    """Name, size and time of every source file: enough to see that nothing changed since it was digested."""
    return tuple(sorted(_sources(str(_PACKAGE), "")))


def _sources(folder: str, beginning: str) -> Iterator[tuple[str, int, int]]:
    # Listed before and after each run: `pathlib` takes three times as long.
    with os.scandir(folder) as listed:
        for entry in listed:
            if entry.is_dir(follow_symlinks=False):
                yield from _sources(entry.path, f"{beginning}{entry.name}/")
            elif entry.name.endswith(".py"):
                found = entry.stat()
                yield f"{beginning}{entry.name}", found.st_size, found.st_mtime_ns


@lru_cache(maxsize=1)
def _source(signature: tuple[tuple[str, int, int], ...]) -> str:
    digest = hashlib.sha256()
    for name, _, _ in signature:
        digest.update(f"{name}\0{hashlib.sha256((_PACKAGE / name).read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def _distributions(path: tuple[str, ...]) -> tuple[str, ...]:
    # The folder of an installed distribution is named `<name>-<version>.dist-info`: far quicker than to read each.
    folders = {Path(entry) for entry in path if entry}
    return tuple(sorted({found.name for folder in folders if folder.is_dir() for found in folder.glob("*.*-info")}))
