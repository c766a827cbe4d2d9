"""What libraries and the interpreter note of themselves as they work, and what of it says nothing of any record.

Each function checks one such note by its kind and by all that it refers to, so that nothing else passes in its place.
"""

from __future__ import annotations

import ctypes
import gc
import re
import sys
import types
import weakref
from importlib.machinery import FileFinder, all_suffixes
from pathlib import Path
from typing import Any, Final

from auditor.sandbox.module_contents import is_loaded, is_of_module

IMMUTABLE: Final = 1 << 8
"""The flag of a type that nothing can be put into (Py_TPFLAGS_IMMUTABLETYPE)."""
_SEEDS_OF_TORCH: Final = re.compile(r"torch\.[a-z]+\._lazy_seed_tracker")
_POINTER: Final = ctypes.POINTER(ctypes.c_int).__base__
_OF_CTYPE: Final = frozenset({"_length_", "_type_", "__module__", "__dict__", "__weakref__", "__doc__"})
_OF_FINDER: Final = frozenset({"_loaders", "path", "_path_mtime", "_path_cache", "_relaxed_path_cache"})
_SUFFIXES: Final = frozenset(all_suffixes())


def is_of_seeds(name: str) -> bool:
    """Whether something is called as what PyTorch keeps of seeds until there is a GPU."""
    return _SEEDS_OF_TORCH.fullmatch(name) is not None


def without_stack(value: Any) -> Any:
    """What PyTorch keeps of a seed until there is a GPU, without where in the code it was set."""
    if isinstance(value, list):
        return [without_stack(each) for each in value]
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], list):
        lines = all(isinstance(each, str) and each.startswith('  File "') for each in value[1])
        return value[0] if lines else value
    return value


def is_pointer(key: Any, value: Any) -> bool:
    """Whether ctypes keeps a type of pointers, or arrays, for another that was asked for."""
    return isinstance(key, type) and isinstance(value, type) and _is_plain_ctype(key) and _is_plain_ctype(value)


def is_length(key: Any, value: Any) -> bool:
    """Whether ctypes knows a type of arrays by this key, without holding it: by the type of what is in them, and their length."""
    if type(key) is not tuple or len(key) != 2 or type(value) is not weakref.CallableProxyType:
        return False
    kind, length = key
    removers = {type(each) for each in gc.get_referents(value)}
    if not all(each.__name__ == "DictRemover" and each.__flags__ & IMMUTABLE for each in removers):
        return False
    if not isinstance(kind, type) or type(length) is not int:
        return False
    return value.__base__ is ctypes.Array and set(vars(value)) <= _OF_CTYPE and value._length_ == length


def _is_plain_ctype(cls: type) -> bool:
    return cls.__base__ in {ctypes.Array, _POINTER} and set(vars(cls)) <= _OF_CTYPE


def is_plain_finder(value: Any, code: Path) -> bool:
    """Whether it finds modules of the case, which may be there before or after the notes, and knows no more than the files."""
    if type(value) is not FileFinder or set(vars(value)) != _OF_FINDER or value.path != str(code):
        return False
    held: dict[str, Any] = vars(value)
    names = {each.name for each in code.iterdir()}
    loads = all(
        suffix in _SUFFIXES and type(loader) is type and loader.__module__ == FileFinder.__module__
        for suffix, loader in held["_loaders"]
    )
    return loads and held["_path_cache"] <= names and held["_relaxed_path_cache"] <= {each.lower() for each in names}


def is_import(names: dict[Any, Any], key: Any, value: Any) -> bool:
    """Whether it is a module by the name that its import gives it: in its package, or in the list of all."""
    if type(key) is not str or not is_loaded(value):
        return False
    return names is sys.modules or (is_of_module(names) and f"{names['__name__']}.{key}" == value.__name__)


def is_count(value: Any) -> bool:
    """Whether it is a small whole number, as of filters that were set."""
    return type(value) is int and 0 <= value < 1 << 16


def is_subclass(key: Any, value: Any) -> bool:
    """Whether it is how a class knows one that was made of it: by its address, and without holding it."""
    return (
        type(value) is weakref.ReferenceType
        and isinstance(target := value(), type)
        and key == id(target)
        and holds_nothing(value)
    )


def is_empty(value: Any) -> bool:
    """Whether it is a dictionary of nothing, or a set of references that hold nothing, as abstract classes note their own."""
    if type(value) is dict:
        return not value
    return type(value) is set and all(map(holds_nothing, value))


def holds_nothing(value: Any) -> bool:
    """Whether it is a weak reference that calls nothing when its object is gone, or takes itself out of a set of such."""
    if type(value) is types.BuiltinFunctionType:
        return value.__name__ == "_destroy" and holds_nothing(value.__self__)
    return type(value) is weakref.ReferenceType and all(map(holds_nothing, gc.get_referents(value)))
