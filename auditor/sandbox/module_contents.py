"""Modules as the machinery of imports makes them: what of one is its own file's, and what somebody else has put there."""

from __future__ import annotations

import builtins
import sys
import types
from functools import cache
from importlib.machinery import ExtensionFileLoader, ModuleSpec, SourceFileLoader
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any, Final

OF_IMPORT: Final = frozenset({"__name__", "__package__", "__loader__", "__spec__", "__file__", "__cached__", "__path__"})
"""What the machinery of imports puts into a module."""
_LOADERS: Final = frozenset({SourceFileLoader, ExtensionFileLoader})
_OF_SPEC: Final = frozenset(vars(ModuleSpec("name", None))) | {"_initializing"}
_WITHOUT_FILE: Final = frozenset({"built-in", "frozen"})


def is_loaded(value: Any) -> bool:
    """Whether it is a module that a name leads to, and so is met by that name."""
    if not issubclass(type(value), types.ModuleType):
        return False
    held = types.ModuleType.__getattribute__(value, "__dict__")
    return sys.modules.get(str(held.get("__name__"))) is value


def is_of_module(names: dict[str, Any]) -> bool:
    """Whether they are the names of a module that a name leads to."""
    module = sys.modules.get(str(names.get("__name__")))
    return isinstance(module, types.ModuleType) and vars(module) is names


def is_of_interpreter(name: Any, value: Any) -> bool:
    """Whether it is what the interpreter puts into every module or class by that name, and nothing else."""
    if name == "__builtins__":
        return value is builtins or value is vars(builtins)
    return name in {"__dict__", "__weakref__"} and type(value) is types.GetSetDescriptorType


def is_in_files(module: types.ModuleType) -> bool:
    """Whether a module is what the machinery of imports made of a file, or of the interpreter itself."""
    spec = vars(module).get("__spec__")
    return (
        type(spec) is ModuleSpec
        and spec.name in sys.modules
        and (spec.origin in _WITHOUT_FILE or Path(str(spec.origin)).is_file())
    )


def as_imported(module: types.ModuleType) -> set[str]:
    """The names of a module whose values are those that the machinery of imports gives it, with nothing of anybody's in them."""
    held = vars(module)
    spec: Any = held.get("__spec__")
    if not is_in_files(module) or set(vars(spec)) - _OF_SPEC or spec.loader_state is not None:
        return set()
    places = spec.submodule_search_locations
    with_places = places is None or all(type(each) is str and Path(each).is_dir() for each in places)
    cached = spec.cached in {None, cache_from_source(spec.origin)} if spec.origin not in _WITHOUT_FILE else spec.cached is None
    given = {"__name__": spec.name, "__package__": spec.parent, "__file__": spec.origin}
    given |= ({"__path__": places} if with_places else {}) | ({"__cached__": spec.cached} if cached else {})
    names = {own for own, value in given.items() if own in held and type(held[own]) is type(value) and held[own] == value}
    loader = spec.loader
    plain = type(loader) in _LOADERS and set(vars(loader)) <= {"name", "path"} and loader.path == spec.origin
    if (plain or isinstance(loader, type)) and held.get("__loader__") is loader and cached and with_places:
        names |= {"__loader__", "__spec__"}
    return names


def is_in_file(function: types.FunctionType) -> bool:
    """Whether a function's code is that of the file of a module: its own, or the one that made it, as a decorator does."""
    return any(function.__code__ in _code_of(name) for name in {function.__module__, str(function.__globals__.get("__name__"))})


@cache
def _code_of(name: str) -> frozenset[types.CodeType]:
    """All code of a module's file; none where it has no file."""
    spec = getattr(sys.modules.get(name), "__spec__", None)
    try:
        waiting = [spec.loader.get_code(spec.name)] if spec is not None and type(spec.loader) is SourceFileLoader else []
    except Exception:  # noqa: BLE001 - foreign loaders raise what they like
        return frozenset()
    found: set[types.CodeType] = set()
    while waiting:
        code = waiting.pop()
        if code is not None and code not in found:
            found.add(code)
            waiting += [each for each in code.co_consts if type(each) is types.CodeType]
    return frozenset(found)
