"""What an object is made of, by its kind: short names and parts, read past whatever its class answers in their place."""

from __future__ import annotations

import collections
import collections.abc
import copyreg
import gc
import random
import re
import struct
import sys
import types
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any, Final

import numpy as np

from auditor.base.noted_addresses import NOTED_ADDRESSES
from auditor.base.records import HandedOver
from auditor.learning.own_formats import around_tensor
from auditor.sandbox.closed_objects import LOCKS, found_by_name, times_taken
from auditor.sandbox.module_contents import is_of_interpreter, is_of_module

_REFERENCE: Final = re.compile(r"(?P<class>\w+(?:\.\w+)+):(?P<place>\d{6,20})", re.ASCII)

_COLLECTIONS: Final = (list, tuple, set, frozenset, collections.deque)
_OF_STRIDES: Final[type] = type(np.lib.stride_tricks.as_strided(np.zeros(1), shape=(1,)).base)

_abc_dump: Final[Callable[[type], Any]] = getattr(sys.modules["_abc"], "_get_dump")  # noqa: B009 - not in the stubs
_NOTE_ON_ABSTRACT: Final = type(vars(collections.abc.Sized)["_abc_impl"])
_NAME_OF_CLASS: Final = vars(type)["__name__"]
_OWN_ADDRESS: Final = "_torchdynamo_wrapper_id"
"""What PyTorch notes on each function that its compiler shall leave alone, when that function is called first."""


def beside(value: Any) -> list[tuple[str, bytes, Any]]:
    """Give what an array lies in, unless that is an array of NumPy with the same values and nothing more, and its gradient."""
    held: list[tuple[str, bytes, Any]] = []
    if around := around_tensor(value):
        held += [(f".{name}", name.encode(), part) for name, part in around.items()]
        met = {id(type(value)), *map(id, around.values())}
        held += numbered(tuple(each for each in gc.get_referents(value) if type(each) is not dict and id(each) not in met))
    if not isinstance(value, np.ndarray | np.void):
        return held
    base = _base(value)
    while type(base) is _OF_STRIDES:
        held.append((".strided", b"strided", _of_strides(base)))
        base = getattr(base, "base", None)  # that of a view with strides of its own
    whole = base
    if type(base) is HandedOver:
        whole = base.rows
        memory = np.ndarray.view(base, np.ndarray)
        # Nothing is before and after the rows, as far as the sandbox made it.
        if vars(base) or np.count_nonzero(memory) != np.count_nonzero(whole):
            held.append((".around", b"around", (vars(base), memory.tobytes())))
    if whole is not None and not _same_memory(value, whole):
        held.append((".base", b"base", whole))
    return held


def of_form(value: Any, array: np.ndarray[Any, Any]) -> list[tuple[str, bytes, Any]]:
    """Give what an array says in addition to its values: its class, the order of bytes and rows, whether it can be written to."""
    told: list[Any] = []
    if type(value) is not type(array):
        told.append(type_name(value))
    if not array.dtype.isnative or array.dtype.names is not None:
        told.append(str(array.dtype))
    if not array.flags.forc or (not array.flags.c_contiguous and array.size > 1):
        told.append(tuple(step for step, size in zip(array.strides, array.shape, strict=True) if size > 1))
    if type(value) is np.ndarray and not array.flags.writeable:
        told.append("fixed")
    return [(".form", b"form", repr(told).encode())] if told else []


def _base(value: Any) -> Any:
    """What an array of NumPy lies in, past a view of memory that the sandbox handed over."""
    base: Any = (np.ndarray if isinstance(value, np.ndarray) else np.void).base.__get__(value)
    past = type(base) is np.ndarray and type(base.base) is HandedOver and base.dtype == np.uint8 and base.dtype.metadata is None
    return base.base if past else base


def _of_strides(noted: Any) -> dict[str, Any]:
    """What a view with strides of its own notes, but for where the array that it was made of lies in memory."""
    held = dict(vars(noted))
    of = held.pop("base", None)
    interface = held.get("__array_interface__")
    if type(interface) is dict and type(of) is np.ndarray and interface.get("data") == of.__array_interface__["data"]:
        held["__array_interface__"] = {name: part for name, part in interface.items() if name != "data"}
    return held


def _same_memory(value: Any, whole: Any) -> bool:
    """Tell whether an array shows all of the one that it is a view of, with which nothing else comes."""
    if type(whole) is not np.ndarray or not isinstance(value, np.ndarray) or whole.dtype.hasobject:
        return False
    plain = np.ndarray.view(value, np.ndarray)
    alike = plain.dtype.metadata is None and whole.dtype.metadata is None and plain.dtype.names == whole.dtype.names
    filled = plain.nbytes == whole.nbytes and plain.flags.forc and whole.flags.forc
    return (
        alike and filled and plain.ctypes.data == whole.ctypes.data and (whole.base is None or type(_base(whole)) is HandedOver)
    )


def members(value: Any) -> list[Any]:
    """Give what a list, tuple, set or queue holds, whatever its class says."""
    kind = next(each for each in _COLLECTIONS if issubclass(type(value), each))
    return list(kind.__iter__(value))


def type_name(value: Any) -> bytes:
    """Name the class of a value and the module that it says it is from."""
    return f"of {type(value).__module__}.{type(value).__qualname__}".encode("utf-8", "replace")


def without_addresses(value: Any, held: dict[Any, Any]) -> dict[Any, Any]:
    """Give what an object holds, with words in the place of numbers that a library notes as the place of another part in memory.

    Such a number is another in each process. It has to be the address of that very part, and any other stays as it is.
    """
    noted = {
        name: other
        for cls in type(value).__mro__
        if cls.__module__ in NOTED_ADDRESSES and found_by_name(cls)
        for name, other in NOTED_ADDRESSES[cls.__module__].items()
    }
    known = {
        name: f"address of {other}"
        for name, other in noted.items()
        if other in held and type(held.get(name)) is int and held[name] == id(held[other])
    }
    return {**held, **known} if known else held


def named_with_address(text: str) -> str | None:
    """Give the class that a text names with where that lies in memory, as pydantic tells it from others of its name."""
    found = _REFERENCE.fullmatch(text)
    if found is None:
        return None
    held: Any = None
    for part in found["class"].split("."):
        held = getattr(held, part, None) or sys.modules.get(part if held is None else f"{held.__name__}.{part}")
    return found["class"] if isinstance(held, type) and id(held) == int(found["place"]) else None


def _of_function(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    yield "name", (function.__name__, function.__qualname__)
    yield "code", function.__code__
    yield "defaults", function.__defaults__
    yield "keywords", function.__kwdefaults__
    yield "attributes", _without_own_address(function)
    yield "closure", tuple(function.__closure__ or ())
    yield "said", (function.__doc__, function.__module__)
    if function.__annotations__:
        yield "annotations", function.__annotations__
    if not is_of_module(function.__globals__):
        yield "globals", function.__globals__


def _without_own_address(function: types.FunctionType) -> dict[Any, Any]:
    """Give the attributes of a function, without the number by which PyTorch tells it from a copy of it.

    It is where the function lies in memory. Any other value under that name counts, and none can be taken for that number.
    """
    held = dict(function.__dict__)
    if _OWN_ADDRESS in held:
        noted = held[_OWN_ADDRESS]
        held[_OWN_ADDRESS] = ("its own",) if type(noted) is int and noted == id(function) else ("another", noted)
    return held


def _of_code(code: types.CodeType) -> Iterator[tuple[str, Any]]:
    yield "bytes", code.co_code
    yield "constants", code.co_consts
    names = (
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_name,
        code.co_qualname,
        code.co_filename,
    )
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags, code.co_firstlineno)
    rest = repr((names, counts, code.co_stacksize)).encode("utf-8", "surrogatepass")
    yield "rest", b" ".join((rest, code.co_linetable, code.co_exceptiontable))


def _of_dtype(dtype: np.dtype[Any]) -> Iterator[tuple[str, Any]]:
    if hasattr(dtype, "na_object"):
        # Its text has where in memory that lies.
        yield "missing", (dtype.na_object, getattr(dtype, "coerce", None))
    else:
        yield "name", str(dtype)
    yield "metadata", dtype.metadata
    yield "fields", dtype.fields
    yield "repeated", dtype.subdtype


def _of_generator(generator: types.GeneratorType[Any, Any, Any]) -> Iterator[tuple[str, Any]]:
    yield "name", (generator.__name__, generator.__qualname__)
    # What an expression within which it waits has met so far has no name.
    told = [each for each in gc.get_referents(generator) if type(each) not in {types.FrameType, types.CodeType}]
    yield "code", generator.gi_code
    frame = generator.gi_frame
    if frame is not None:
        yield "at", frame.f_lasti
        yield "locals", dict(frame.f_locals)
        yield "waiting", tuple(told)


def of_class(cls: type) -> Iterator[tuple[str, Any]]:
    """What a class is called, is made of, and holds."""
    yield "name", (_NAME_OF_CLASS.__get__(cls), cls.__qualname__)
    yield "bases", cls.__bases__
    if others := registered(cls):
        yield "registered", sorted(others, key=lambda each: f"{each.__module__}.{each.__qualname__}")
    yield from _of_names(namespace(cls))


def _of_names(held: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What a class or a module has by names, and the order in which they were given."""
    yield from ((name.strip("."), each) for name, _, each in order([str(own).encode("utf-8", "replace") for own in held]))
    yield from sorted((name, each) for name, each in held.items() if not is_of_interpreter(name, each))


def _of_module(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    yield from _of_names(vars(module))


def _read(kind: type, *names: str) -> Callable[[Any], Iterable[tuple[str, Any]]]:
    """Give attributes as a class itself has them, whatever a class that is made of it answers in their place."""
    return lambda value: ((name.strip("_"), namespace(kind)[name].__get__(value, kind)) for name in names)


def _of_bits(source: np.random.BitGenerator) -> Iterator[tuple[str, Any]]:
    """The state of a generator's bits, and what it was seeded with, which is kept even where another state was set."""
    states = (namespace(cls).get("state") for cls in type(source).__mro__)
    yield "state", next(each for each in states if type(each) is types.GetSetDescriptorType).__get__(source)
    yield from _read(np.random.BitGenerator, "seed_seq")(source)


PARTS: Final[tuple[tuple[type, Callable[[Any], Iterable[tuple[str, Any]]]], ...]] = (
    (types.FunctionType, _of_function),
    (types.CodeType, _of_code),
    (type, of_class),
    (types.ModuleType, _of_module),
    (types.BuiltinFunctionType, lambda value: (("name", value.__name__), ("self", value.__self__))),
    (types.MethodWrapperType, lambda value: (("name", value.__name__), ("self", value.__self__))),
    (memoryview, lambda value: (("bytes", bytes(value)), ("of", value.obj))),
    (np.dtype, _of_dtype),
    (types.MethodType, lambda value: (("function", value.__func__), ("self", value.__self__))),
    (staticmethod, _read(staticmethod, "__func__")),
    (classmethod, _read(classmethod, "__func__")),
    (property, _read(property, "fget", "fset", "fdel", "__doc__")),
    (types.CellType, lambda value: (("content", each) for each in gc.get_referents(value))),
    (types.GeneratorType, _of_generator),
    (weakref.ReferenceType, lambda value: (("to", weakref.ReferenceType.__call__(value)), ("then", value.__callback__))),
    (struct.Struct, _read(struct.Struct, "format")),
    *((kind, lambda value: (("taken", times_taken(value)),)) for kind in LOCKS),
    (re.Pattern, lambda value: (("pattern", value.pattern), ("flags", value.flags))),
    (random.Random, lambda value: (("state", random.Random.getstate(value)),)),
    (np.random.Generator, _read(np.random.Generator, "bit_generator")),
    (np.random.BitGenerator, _of_bits),
    (np.random.SeedSequence, _read(np.random.SeedSequence, "entropy", "spawn_key", "pool", "n_children_spawned")),
    (
        np.random.RandomState,
        lambda value: (
            ("state", np.random.RandomState.get_state(value, legacy=False)),
            *_read(np.random.RandomState, "_bit_generator")(value),
        ),
    ),
)
ATTRIBUTES_APART: Final = frozenset({types.FunctionType, type, types.ModuleType})
"""Kinds whose attributes their parts give already."""


def registered(cls: type) -> list[type]:
    """The classes that were registered with an abstract class."""
    if type(namespace(cls).get("_abc_impl")) is not _NOTE_ON_ABSTRACT:
        return []
    living = (each() for each in _abc_dump(cls)[0])
    return [each for each in living if each is not None]


def namespace(cls: type) -> Mapping[str, Any]:
    """Give what a class itself defines, whatever its metaclass says."""
    found: Mapping[str, Any] = type.__dict__["__dict__"].__get__(cls)
    return found


def is_place_of_function(name: str, descriptor: types.MemberDescriptorType, value: Any) -> bool:
    """Tell whether it is where a compiled type has noted its function in memory, and no slot of the same name."""
    if name != "__vectorcalloffset__":
        return False
    try:
        descriptor.__set__(value, descriptor.__get__(value, type(value)))
    except (AttributeError, TypeError):
        return True
    return False


def referred(value: Any, held: Iterable[tuple[str, bytes, Any]]) -> tuple[Any, ...]:
    """Give what an object refers to in addition to its attributes and its class."""
    known = {id(part) for _, _, part in held}
    own = {id(each) for each in gc.get_referents(value) if type(each) is dict and {id(part) for part in each.values()} <= known}
    others = (each for each in gc.get_referents(value) if id(each) not in known | own)
    return tuple(each for each in others if each is not type(value))


def as_any_object(cls: type) -> bool:
    """Tell whether objects of a class are kept as any are: their attributes, and what made them."""
    if cls in copyreg.dispatch_table:
        return False
    return all(
        getattr(cls, name, None) is getattr(object, name, None) for name in ("__reduce_ex__", "__reduce__", "__getstate__")
    )


def order(keys: list[bytes]) -> list[tuple[str, bytes, Any]]:
    """Give the order of keys that are not in that of the alphabet, as one more part."""
    return (
        [] if keys == sorted(keys) else [(".order", b"order", b" ".join(blake2b(each, digest_size=8).digest() for each in keys))]
    )


def numbered(parts: tuple[Any, ...]) -> list[tuple[str, bytes, Any]]:
    """Give parts that have no names of their own, distinguished by their order."""
    return [(".state", b"state %d" % index, part) for index, part in enumerate(parts)]
