"""What an object is made of, by its kind: short names and parts, read past whatever its class answers in their place."""

from __future__ import annotations

import copyreg
import gc
import random
import re
import struct
import sys
import types
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from auditor.base.domain import HandedOver
from auditor.sandbox.closed_objects import found_by_name
from auditor.sandbox.module_contents import is_of_interpreter, is_of_module

_REFERENCE: Final = re.compile(r"(?P<class>\w+(?:\.\w+)+):(?P<place>\d{6,20})", re.ASCII)
_ADDRESSES: Final[Mapping[str, Mapping[str, str]]] = {"sklearn.feature_extraction.text": {"_stop_words_id": "stop_words"}}
"""By module, attributes in which objects of its classes note where another of their attributes lies in memory."""

_OWN_ADDRESS: Final = "_torchdynamo_wrapper_id"
"""What PyTorch notes on each function that its compiler shall leave alone, when that function is called first."""


def beside(value: Any) -> list[tuple[str, bytes, Any]]:
    """Give what comes with an array next to its values: its attributes, its gradient, a larger memory that it is part of."""
    held: list[tuple[str, bytes, Any]] = []
    attributes = getattr(value, "__dict__", None)
    if isinstance(attributes, dict) and attributes:
        held += [(f".{name}", name.encode(), part) for name, part in sorted(attributes.items()) if isinstance(name, str)]
    base: Any = getattr(value, "base", None)
    while type(base).__name__ == "DummyArray" and type(base).__module__.startswith("numpy."):
        base = base.base  # that of a view with strides of its own
    whole = base.rows if isinstance(base, HandedOver) else base
    if isinstance(whole, np.ndarray) and whole.nbytes > value.nbytes:
        held.append((".base", b"base", whole))
    elif isinstance(base, bytes | bytearray):
        held.append((".base", b"base", base))
    if getattr(value, "grad", None) is not None:
        held.append((".grad", b"grad", value.grad))
    return held


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
        if cls.__module__ in _ADDRESSES and found_by_name(cls)
        for name, other in _ADDRESSES[cls.__module__].items()
    }
    known = {
        name: f"address of {other}"
        for name, other in noted.items()
        if other in held and type(held.get(name)) is int and held[name] == id(held[other])
    }
    return {**held, **known} if known else held


def without_address(text: str) -> str:
    """Give a text without the number by which pydantic tells a class from others of its name: where it lies in memory."""
    found = _REFERENCE.fullmatch(text)
    if found is None:
        return text
    held: Any = None
    for part in found["class"].split("."):
        held = getattr(held, part, None) or sys.modules.get(part if held is None else f"{held.__name__}.{part}")
    return found["class"] if isinstance(held, type) and id(held) == int(found["place"]) else text


def _of_function(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    yield "name", function.__qualname__
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


def _of_generator(generator: types.GeneratorType[Any, Any, Any]) -> Iterator[tuple[str, Any]]:
    frame = generator.gi_frame
    if frame is not None:
        yield "at", frame.f_lasti
        yield "locals", dict(frame.f_locals)


def _of_class(cls: type) -> Iterator[tuple[str, Any]]:
    yield "name", cls.__qualname__
    yield "bases", cls.__bases__
    yield from sorted((name, held) for name, held in namespace(cls).items() if not is_of_interpreter(name, held))


def _of_module(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    yield from sorted((name, held) for name, held in vars(module).items() if not is_of_interpreter(name, held))


PARTS: Final[tuple[tuple[type, Callable[[Any], Iterable[tuple[str, Any]]]], ...]] = (
    (types.FunctionType, _of_function),
    (types.CodeType, _of_code),
    (type, _of_class),
    (types.ModuleType, _of_module),
    (types.BuiltinFunctionType, lambda value: (("name", value.__name__), ("self", value.__self__))),
    (types.MethodWrapperType, lambda value: (("name", value.__name__), ("self", value.__self__))),
    (memoryview, lambda value: (("bytes", bytes(value)), ("of", value.obj))),
    (np.dtype, lambda value: (("name", str(value)), ("metadata", value.metadata), ("fields", value.fields))),
    (types.MethodType, lambda value: (("function", value.__func__), ("self", value.__self__))),
    (staticmethod, lambda value: (("function", value.__func__),)),
    (classmethod, lambda value: (("function", value.__func__),)),
    (property, lambda value: (("get", value.fget), ("set", value.fset), ("delete", value.fdel))),
    (types.CellType, lambda value: (("content", each) for each in gc.get_referents(value))),
    (types.GeneratorType, _of_generator),
    (weakref.ReferenceType, lambda value: (("to", value()),)),
    (struct.Struct, lambda value: (("format", value.format),)),
    (re.Pattern, lambda value: (("pattern", value.pattern), ("flags", value.flags))),
    (random.Random, lambda value: (("state", value.getstate()),)),
    (np.random.Generator, lambda value: (("state", value.bit_generator.state),)),
    (np.random.BitGenerator, lambda value: (("state", value.state),)),
    (np.random.RandomState, lambda value: (("state", value.get_state(legacy=False)),)),
)


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


def numbered(parts: tuple[Any, ...]) -> list[tuple[str, bytes, Any]]:
    """Give parts that have no names of their own, distinguished by their order."""
    return [(".state", b"state %d" % index, part) for index, part in enumerate(parts)]
