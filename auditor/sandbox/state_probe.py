"""What lies outside the models and could outlast an update, seen from within the procedure's own process.

Each thing that can be named has a digest of its value, so that the auditor sees what changed and stayed: globals of the
controller's modules, attributes of the procedure and of its classes, what functions close over, caches, files, generators. It
is for naming only. Whether anything of it matters is found by running updates without it.
"""

from __future__ import annotations

import hashlib
import os
import random
import sys
import types
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from auditor.sandbox.fingerprints import fingerprint, is_cache

MOST: Final = 1999
"""Things of one kind that are named, but for one that says what could not be examined."""
_FOLDERS: Final = ("home", "code", "answers")
_FILE_BYTES: Final = 16 * 1024 * 1024
_PLAIN: Final = (type, types.ModuleType)


def look(procedure: Any, scratch: Path) -> dict[str, dict[str, str]]:
    """Digests by kind and name.

    Args:
        procedure: The object that answers.
        scratch: The scratch folder of the process.
    """
    code = scratch / "code"
    places: dict[str, Callable[[], Iterator[tuple[str, Any]]]] = {
        "module global": lambda: _globals(code),
        "attribute": lambda: _attributes(procedure, code),
        "cache": lambda: _caches(code),
        "generator": _generators,
    }
    found = {kind: _digests(place) for kind, place in places.items()}
    return found | {"file": _digests(lambda: _files(scratch), of=str)}


def _digests(place: Callable[[], Iterator[tuple[str, Any]]], of: Callable[[Any], str] = fingerprint) -> dict[str, str]:
    digests: dict[str, str] = {}
    try:
        for name, value in islice(place(), MOST):
            digests[name] = of(value)
    except Exception as error:  # noqa: BLE001 - foreign objects raise what they like
        digests["what could not be examined"] = fingerprint(type(error).__name__)
    return digests


def _modules(code: Path) -> Iterator[tuple[str, types.ModuleType]]:
    """The controller's modules, each with its file's name."""
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and Path(file).is_relative_to(code):
            yield Path(file).relative_to(code).as_posix(), module


def _classes(code: Path) -> Iterator[tuple[str, type]]:
    for file, module in _modules(code):
        for name, value in list(vars(module).items()):
            if isinstance(value, type) and value.__module__ == module.__name__:
                yield f"{file}: {name}", value


def _globals(code: Path) -> Iterator[tuple[str, Any]]:
    """Globals that are no module and no class; of a function what it closes over, its defaults and its attributes."""
    for file, module in _modules(code):
        for name, value in list(vars(module).items()):
            if not _private(name) and not isinstance(value, _PLAIN) and not is_cache(value):
                yield f"{file}: {name}", value
    for name, value in list(os.environ.items()):
        yield f"os.environ: {name}", value


def _attributes(procedure: Any, code: Path) -> Iterator[tuple[str, Any]]:
    """Attributes of the procedure, and those of the controller's classes, what their methods close over among them."""
    own = type(procedure).__name__
    slots = (name for each in type(procedure).__mro__ for name in _names(vars(each).get("__slots__", ())))
    held = {name: getattr(procedure, name) for name in slots if hasattr(procedure, name) and not _private(name)}
    for name, value in (*held.items(), *list(getattr(procedure, "__dict__", {}).items())):
        if not is_cache(value):
            yield f"{own}.{name}", value
    for place, cls in _classes(code):
        for name, value in list(vars(cls).items()):
            if (not _private(name) or callable(value)) and not is_cache(value):
                yield f"{place}.{name}", value


def _caches(code: Path) -> Iterator[tuple[str, Any]]:
    for file, module in _modules(code):
        for name, value in list(vars(module).items()):
            if is_cache(value):
                yield f"{file}: {name}", value
    for place, cls in _classes(code):
        for name, value in list(vars(cls).items()):
            if is_cache(value):
                yield f"{place}.{name}", value


def _generators() -> Iterator[tuple[str, Any]]:
    yield "the generator of random", random.getstate()
    yield "the global generator of numpy.random", np.random.get_state(legacy=False)  # noqa: NPY002 - it is examined, not used
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "random"):
        yield "the global generator of torch", torch.random.get_rng_state()
        if torch.cuda.is_initialized():
            yield "the global generators of torch on CUDA", torch.cuda.get_rng_state_all()


def _files(scratch: Path) -> Iterator[tuple[str, str]]:
    """Files in the folders that the procedure can write to, each with the digest of its content."""
    for top in _FOLDERS:
        for folder, folders, names in os.walk(scratch / top):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for name in sorted(names):
                path = Path(folder, name)
                yield path.relative_to(scratch).as_posix(), _content(path)


def _content(path: Path) -> str:
    try:
        if path.is_symlink() or not path.is_file():
            return fingerprint(str(path.readlink()) if path.is_symlink() else "no plain file")
        with path.open("rb") as file:
            return hashlib.blake2b(file.read(_FILE_BYTES) + str(path.stat().st_size).encode(), digest_size=16).hexdigest()
    except OSError as error:
        return fingerprint(type(error).__name__)


def _private(name: str) -> bool:
    """Whether the interpreter made the name."""
    return name.startswith("__") and name.endswith("__")


def _names(slots: Any) -> tuple[str, ...]:
    return (slots,) if isinstance(slots, str) else tuple(name for name in slots if isinstance(name, str))
