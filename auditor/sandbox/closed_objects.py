"""Objects that no walk can take apart: which of them hold nothing, and which came with the library that they lie in."""

from __future__ import annotations

import ctypes
import io
import operator
import queue
import re
import sys
import threading
import types
from collections.abc import Iterator, Sized
from contextlib import suppress
from functools import cmp_to_key
from typing import Any, Final

from auditor.sandbox import process_state


def _of_thread(known: threading.local) -> type:
    """The type by which a thread refers to what it alone holds in a `threading.local`, which refers to the same."""
    known.content = None
    return next(type(each) for each in process_state.of_thread().values() if type(each).__name__ == "_localdummy")


OF_LOCAL: Final = _of_thread(threading.local())
"""By what a thread holds the content of a `threading.local`, under a key that tells where in memory that lies."""
LOCKS: Final = (type(threading.Lock()), type(threading.RLock()))
_CLOSED: Final = frozenset(
    {OF_LOCAL, threading.local} | {queue.SimpleQueue, type(cmp_to_key(operator.is_)), type(vars(Sized)["_abc_impl"])}
)
"""What holds nothing that the collector does not tell."""
_SEEN_THROUGH: Final = frozenset(
    {"ContextVar", "Context", "hamt", "hamt_bitmap_node", "hamt_array_node", "hamt_collision_node", "_DispatchModule"}
    | {"UnionType", "classmethod_descriptor", "CThunkObject", "moduledef", "CField", "DictRemover", "instancemethod"}
    | {"_memoryviewslice"}
)
"""Compiled types that hold nothing which the collector does not tell, PyTorch's lists of its own functions, and Cython's
views of memory that another object holds."""
_TOLD: Final = frozenset({("pandas._libs.internals", "BlockValuesRefs")})
"""The same of libraries; Python code that takes such a name has nothing hidden either, as long as its class has no other base."""
_FUNCTION_OF_C: Final = ctypes.CFUNCTYPE(None).__mro__[1]
"""What ctypes calls a compiled function by: it tells the collector what else it holds."""
_MADE_BY_CODE: Final = 1 << 9
"""The flag of a type that Python code can make (Py_TPFLAGS_HEAPTYPE)."""
_STREAMS: Final = frozenset({io.FileIO, io.TextIOWrapper, io.BufferedWriter, io.BufferedReader})
_BUFFERED: Final = frozenset({io.BufferedWriter, io.BufferedReader})
"""Those that hold, in memory which the collector does not tell, what waits: a raw stream of Python code's could keep it there."""
_STANDARD: Final = (0, 1, 2)
_HOLDERS: Final = frozenset(
    {"sqlite3", "mmap", "io", "socket", "ssl", "select", "queue", "ctypes", "zlib", "bz2", "lzma", "hashlib"}
)
"""Modules of the standard library whose objects hold content in memory of their own."""
_ENGINE: Final = ("pandas._libs.index", "IndexEngine")


def found_by_name(cls: type) -> bool:
    """Whether a class is what its module has by its name, by way of that module's own classes and nothing else."""
    found: Any = sys.modules.get(cls.__module__)
    if not issubclass(type(found), types.ModuleType):
        return False
    held: Any = types.ModuleType.__getattribute__(found, "__dict__")
    for name in cls.__qualname__.split("."):
        if held is None or name not in held:
            return False
        found = held[name]
        held = type.__dict__["__dict__"].__get__(found) if issubclass(type(found), type) else None
    return found is cls


def holds_nothing(value: Any) -> bool:
    """Whether a value that cannot be kept holds nothing of its own: a lock, the process's streams, notes on abstract classes."""
    kind = type(value)
    if kind.__name__ in _SEEN_THROUGH and (kind.__module__ == "torch._C" or not kind.__flags__ & _MADE_BY_CODE):
        return found_by_name(kind) or not kind.__flags__ & _MADE_BY_CODE
    if issubclass(kind, _FUNCTION_OF_C):
        # By a number alone it may be any, where no function is.
        return bool(value._objects)  # noqa: SLF001 - nothing public tells it
    if kind.__bases__ == (object,) and (kind.__module__ == "pybind11_builtins" or (kind.__module__, kind.__name__) in _TOLD):
        return True
    if kind in _STREAMS:
        return _is_spent(value)
    return kind in _CLOSED


def times_taken(lock: Any) -> str:
    """How often a lock was taken, which of one that a thread can take again its text alone tells."""
    counted = re.search(r"count=(\d+)", repr(lock))
    return counted.group(1) if counted else str(lock.locked())


def let_printed_go() -> None:
    """Write what was printed and waits to be written: what a procedure says while it learns is not what it keeps.

    It goes to a file that the process cannot read.
    """
    for stream in (sys.__stdout__, sys.__stderr__):
        with suppress(Exception):  # the code of a case may have put anything in their place, and it is walked through then
            io.TextIOWrapper.flush(stream)  # type: ignore[arg-type]


def _is_spent(stream: Any) -> bool:
    """Whether it is one of the process's streams, with nothing in it that waits to be written or read."""
    if stream.closed or stream.fileno() not in _STANDARD:
        return False
    if type(stream) in _BUFFERED and type(stream.raw) is not io.FileIO:
        return False
    if type(stream) is io.BufferedWriter:
        stream.flush()
    return type(stream) is not io.BufferedReader or not stream.peek(0)


def came_with_library(name: str, cls: type) -> bool:
    """Whether an object came with a library, and is not there to hold content.

    It came with one where a module that was loaded since holds it, or one that was there before and that its type is of.
    """
    where, _, place = name.partition(" ")
    if where == "module" and issubclass(cls, _FUNCTION_OF_C):
        return True
    own = cls.__module__.partition(".")[0].removeprefix("_")
    if own in _HOLDERS or (cls.__flags__ & _MADE_BY_CODE and not found_by_name(cls)):
        return False
    return where == "module" or place.startswith((f"{own}.", f"{own}:", f"_{own}."))


def of_lookup(value: Any) -> Iterator[tuple[str, Any]] | None:
    """What the engine of a pandas index holds: its values, and the places at which its table, which tells nobody, has them.

    Returns:
        None for anything else, and for an engine that has no table.

    Raises:
        ValueError: If the table has more in it than the values.
    """
    named = (each for each in type(value).__mro__ if (each.__module__, each.__name__) == _ENGINE)
    engine = vars(next(named, object))
    mapping, held = engine.get("mapping"), engine.get("values")
    # No class that Python code makes has such descriptors of its own.
    if type(mapping) is not types.GetSetDescriptorType or type(held) is not types.GetSetDescriptorType:
        return None
    table = mapping.__get__(value)
    if table is None:
        return None
    values = list(held.__get__(value))
    places = [table.get_item(each) for each in values]
    if len(table) != len(set(places)):
        raise ValueError("a table of an index holds what the index does not")
    return iter((("values", values), ("places", places)))
