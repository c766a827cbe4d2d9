"""Walk through everything that a model and its procedure hold, in the process of the procedure: one digest for each item.

Two processes that hold the same give the same items, wherever things lie in memory: arrays count as shape, dtype and values,
field by field and without padding, every NaN as one; mappings by key, sets without order; no addresses, and the scratch folder
by one name. What cannot be taken apart is followed by what it refers to.

The code whose objects these are runs in the same process and could deceive the walk: what it finds can only be held against it.
"""

from __future__ import annotations

import collections
import copyreg
import gc
import hashlib
import math
import random
import re
import struct
import sys
import time
import types
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path, PosixPath, PurePosixPath, PureWindowsPath
from typing import Any, Final, Self

import numpy as np

from auditor.base.domain import HandedOver
from auditor.learning.own_formats import in_own_format, tensor_values
from auditor.sandbox import beyond
from auditor.sandbox.closed_objects import came_with_library, found_by_name, holds_nothing, of_lookup
from auditor.sandbox.fingerprints import is_cache
from auditor.sandbox.module_contents import is_loaded, is_of_interpreter, is_of_module

MOST_ITEMS: Final = 50_000
"""Items that are listed one by one; further ones are one item together."""
_MOST_OBJECTS: Final = 1_000_000
_MOST_SECONDS: Final = 60.0
_NAME: Final = 120
_REFERENCE: Final = re.compile(r"(?P<class>\w+(?:\.\w+)+):(?P<place>\d{6,20})", re.ASCII)
_FILE_BYTES: Final = 64 * 1024 * 1024
_FOLDERS: Final = ("home", "answers")
"""Where the procedure can leave files."""
_SCRATCH: Final = "<scratch>"
_OURS: Final = re.compile(r"answers/[0-9]{1,5}\.saved")
"""Folders that the sandbox makes for what a procedure saves."""
_DEEPEST: Final = 12
"""Classes within one another."""
_DESCRIPTORS: Final = frozenset(
    {types.WrapperDescriptorType, types.MethodDescriptorType, types.GetSetDescriptorType, types.MemberDescriptorType}
)
_BOUND: Final = frozenset({types.BuiltinFunctionType, types.MethodWrapperType})
_EMPTY: Final = frozenset({type(None), type(Ellipsis), type(NotImplemented)})
_PATHS: Final = frozenset({PurePosixPath, PureWindowsPath, PosixPath})
_ADDRESSES: Final[Mapping[str, Mapping[str, str]]] = {"sklearn.feature_extraction.text": {"_stop_words_id": "stop_words"}}
"""By module, attributes in which objects of its classes note where another of their attributes lies in memory."""


_cached: Final = lru_cache(abs)
_cached(0)
_ELEMENT: Final = type(next(iter(next(each for each in gc.get_referents(_cached) if type(each) is dict).values())))
"""What a cache of functools keeps an entry in, which tells nobody what it holds."""


def walk(model: Any, procedure: Any, scratch: Path, *, everywhere: bool = False) -> dict[str, Any]:
    """Digest everything that can be reached from a model, its procedure, and the classes and modules of the case.

    Args:
        model: The model.
        procedure: The object that made it.
        scratch: The scratch folder of the process, whose name says nothing.
        everywhere: Whether to go on through whatever changed elsewhere in the process since it held no code of a case.

    Returns:
        `items`: for each its name, an address by which two walks are held against one another, its kind, its size in bytes and
        a digest; files that the procedure left are items too. `beyond`: the same of what changed or lies elsewhere in the
        process. `cut`: whether the walk ended before it had met everything, or met what cannot be taken apart.
    """
    found = Walk(scratch)
    found.follow(roots(model, procedure, scratch))
    further, unseen = _beyond(scratch) if everywhere else ([], False)
    outside = Walk(scratch, after=found, strongly=True)
    outside.follow(further)
    return {
        "items": found.items + found.rest(),
        "beyond": outside.items + outside.rest(),
        "cut": found.cut or outside.cut or unseen,
    }


def _beyond(scratch: Path) -> tuple[list[tuple[str, Any]], bool]:
    try:
        return beyond.roots(scratch)
    except Exception:  # noqa: BLE001 - foreign objects raise what they like
        return [], True


class _File(bytes):
    """What a file holds, as an item like any other; of a long one a digest of all of it as well."""

    def __new__(cls, path: Path) -> Self:
        with path.open("rb") as file:
            start = file.read(_FILE_BYTES)
            if not (more := file.read(1)):
                return super().__new__(cls, start)
            whole = hashlib.blake2b(start + more)
            while more := file.read(_FILE_BYTES):
                whole.update(more)
        return super().__new__(cls, start + whole.digest())


def roots(model: Any, procedure: Any, scratch: Path) -> Iterator[tuple[str, Any]]:
    """Where a walk begins: model, procedure, the modules and classes of the case, and files that were left."""
    code = scratch / "code"
    yield "model", model
    yield "procedure", procedure
    for module in sorted(sys.modules.values(), key=lambda each: str(getattr(each, "__file__", None))):
        file = getattr(module, "__file__", None)
        if not isinstance(file, str) or not Path(file).is_relative_to(code):
            continue
        place = Path(file).relative_to(code).as_posix()
        for name, value in sorted(vars(module).items()):
            if is_of_interpreter(name, value):
                continue
            if isinstance(value, type) and value.__module__ == module.__name__:
                yield from _of_case_class(f"{place}: {name}", value)
            else:
                yield f"{place}: {name}", value
    yield from _files(scratch)


def _of_case_class(name: str, cls: type) -> Iterator[tuple[str, Any]]:
    """What a class of the case holds, and classes within it: a name that leads to a class is no walk through it."""
    beyond.name_slots(cls)
    for own, held in sorted(_namespace(cls).items()):
        within = isinstance(held, type) and held.__module__ == cls.__module__ and held.__qualname__ == f"{cls.__qualname__}.{own}"
        if within and name.count(".") < _DEEPEST:
            yield from _of_case_class(f"{name}.{own}", held)
        elif not is_of_interpreter(own, held):
            yield f"{name}.{own}", held


def _files(scratch: Path) -> Iterator[tuple[str, Any]]:
    for top in _FOLDERS:
        for path in sorted((scratch / top).rglob("*")):
            name = path.relative_to(scratch).as_posix()
            if path.is_symlink():
                yield f"link {name}", str(path.readlink())
            elif path.is_dir() and not _OURS.fullmatch(name):
                yield f"folder {name}", None
            elif path.is_file():
                yield f"file {name}", _File(path)


class Walk:
    """One way through the objects, on which nothing is taken apart twice."""

    def __init__(self, scratch: Path, *, after: Self | None = None, strongly: bool = False) -> None:
        """Start with nothing met, or with what another way has met; follow what holds its object only, or every reference."""
        self._strongly = strongly
        self.items: list[list[Any]] = []
        self.cut = False
        """Whether something was not met, or could not be taken apart."""
        self._scratch = str(scratch)
        self._rest: Any = None
        self._entries: set[int] = set()
        """Entries of caches whose contents have been met."""
        # The objects themselves are kept: the number of one that is gone could be given to another.
        self.seen: dict[int, tuple[str, object]] = {} if after is None else dict(after.seen)
        self._deadline = time.monotonic() + _MOST_SECONDS

    def follow(self, roots: Iterable[tuple[str, Any]]) -> None:
        """Go through the roots and all that they hold."""
        stack = [(name[:_NAME], _digest(name.encode("utf-8", "replace")), value) for name, value in roots]
        stack.reverse()
        while stack:
            if len(self.seen) > _MOST_OBJECTS or time.monotonic() > self._deadline:
                self.cut = True
                return
            name, key, value = stack.pop()
            try:
                parts = list(self._visit(name, key, value))
            except Exception as error:  # noqa: BLE001 - foreign objects raise what they like
                self._note(name, key, "object", 0, b"raised " + type(error).__name__.encode())
                self.cut = True
                continue
            # In the order of the parts: what is met first has the address that others refer to.
            for short, unique, part in reversed(parts):
                stack.append(((name + short)[:_NAME], _digest(key.encode() + unique), part))

    def rest(self) -> list[list[Any]]:
        """What was met beyond the items that are listed, as one item."""
        return [] if self._rest is None else [["everything else", "0" * 32, "object", 0, self._rest.hexdigest()]]

    def _visit(  # noqa: PLR0911 - one line a kind
        self, name: str, key: str, value: Any
    ) -> Iterable[tuple[str, bytes, Any]]:
        """Note a value, and give what it is made of: a short name, what tells it from its siblings, and the part."""
        if (leaf := self._leaf(value)) is not None:
            self._note(name, key, *leaf)
            return ()
        if (array := array_of(value)) is not None and not array.dtype.hasobject:
            self._note(name, key, "array", array.nbytes, _of_array(array))
            return _beside(value)
        if (known := self.seen.get(id(value))) is not None:
            self._note(name, key, "object", 0, b"again " + known[0].encode())
            return ()
        self.seen[id(value)] = key, value
        if isinstance(value, set | frozenset):
            inside = [
                ("{…}", each, part) for each, part in sorted(((self._shallow(part), part) for part in list(value)), key=_first)
            ]
            return [*inside, *(() if type(value) in {set, frozenset} else self._of_attributes(value))]
        if isinstance(value, list | tuple | collections.deque) and _numbers_alone(value):
            content = b"".join(_of_scalar(each)[2] + b"," for each in value)
            self._note(name, key, "array", sum(_of_scalar(each)[1] for each in value), type(value).__name__.encode() + content)
            return () if type(value) in {list, tuple, collections.deque} else self._of_attributes(value)
        self._note(name, key, "object", 0, _type_name(value))
        if array is not None:
            return [(f"[{index}]", b"[%d" % index, part) for index, part in enumerate(array.ravel().tolist())]
        return self._parts(name, value)

    def _parts(self, name: str, value: Any) -> Iterable[tuple[str, bytes, Any]]:
        if self._strongly and issubclass(type(value), (weakref.ReferenceType, *weakref.ProxyTypes)):
            # What it refers to is held by something else, or gone; what is called then, it holds itself.
            return _numbered(tuple(gc.get_referents(value)))
        if isinstance(value, dict | types.MappingProxyType):
            held = dict.items(value) if isinstance(value, dict) else value.items()
            pairs = sorted(((self._key(own), own, part) for own, part in list(held)), key=_first)
            inside = [("[…]", b"{" + unique, part) for unique, _, part in pairs]
            names = [(".keys", b"k" + unique, own) for unique, own, _ in pairs if not isinstance(own, str | int | float)]
            if isinstance(value, collections.defaultdict):
                names.append((".factory", b"factory", value.default_factory))
            return [*inside, *names, *(() if type(value) in {dict, types.MappingProxyType} else self._of_attributes(value))]
        if isinstance(value, list | tuple | collections.deque):
            inside = [(f"[{index}]", b"[%d" % index, part) for index, part in enumerate(value)]
            return [*inside, *(() if type(value) in {list, tuple, collections.deque} else self._of_attributes(value))]
        if (own := in_own_format(value)) is not None:
            return [(f".{name}", name.encode(), part) for name, part in sorted(own.items())]
        for kind, parts in _PARTS:
            if issubclass(type(value), kind):
                return [(f".{own}", own.encode(), part) for own, part in parts(value)]
        return self._of_object(name, value)

    def _key(self, own: Any) -> bytes:
        """What tells a key of a mapping from the others, whatever their order."""
        leaf = self._leaf(own)
        return self._shallow(own) if leaf is None else leaf[0].encode() + leaf[2]

    def _shallow(self, value: Any) -> bytes:
        """What tells members of a set, and keys that are no plain values: their content as far as it has no address."""
        if self._strongly:
            # Libraries have mappings by objects that hold such mappings: following them all would never end.
            parts = value if type(value) is tuple else (value,)
            return b",".join(_type_name(each) if (leaf := self._leaf(each)) is None else leaf[2] for each in parts)
        inner = Walk(Path("/"))
        inner.follow([("", value)])
        return "".join(each[4] for each in inner.items).encode()

    def _leaf(self, value: Any) -> tuple[str, int, bytes] | None:  # noqa: PLR0911 - one line a kind
        """Kind, size and content of what holds nothing else; None for anything that does."""
        # By the type itself: an object can say that it is of any class.
        if type(value) in _EMPTY:
            return "object", 0, type(value).__name__.encode()
        if type(value) in _PLAIN_SCALARS:
            return _of_scalar(value)
        if type(value) in _PATHS or type(value) is str:
            content = _without_address(str(value)).replace(self._scratch, _SCRATCH).encode("utf-8", "surrogatepass")
            return "text", len(content), type(value).__name__.encode() + content
        if type(value) in {bytes, bytearray, _File}:
            content = bytes(value).replace(self._scratch.encode(), _SCRATCH.encode())
            return "text", len(content), b"bytes" + content
        if type(value) is _ELEMENT:
            self.cut = self.cut or id(value) not in self._entries
            return "object", 0, b"an entry of a cache, whose key and value the cache refers to"
        if _has_a_name(value):
            named = getattr(value, "__qualname__", None) or getattr(value, "__name__", None) or str(value)
            return "object", 0, f"named {getattr(value, '__module__', '')} {named}".encode("utf-8", "replace")
        return None

    def _of_attributes(self, value: Any) -> list[tuple[str, bytes, Any]]:
        """The attributes of an object, in slots as well, read past whatever its class answers in their place."""
        held: dict[Any, Any] = {}
        for cls in type(value).__mro__:
            for name, descriptor in _namespace(cls).items():
                if name == "__dict__":
                    if type(descriptor) in {types.GetSetDescriptorType, types.MemberDescriptorType}:
                        held |= descriptor.__get__(value, type(value))
                    elif cls not in {type, types.ModuleType}:
                        self.cut = True
                elif type(descriptor) is types.MemberDescriptorType and not _is_place_of_function(name, descriptor, value):
                    with suppress(AttributeError):
                        held.setdefault(name, descriptor.__get__(value, type(value)))
        named = sorted(_without_addresses(value, held).items(), key=lambda pair: str(pair[0]))
        return [(f".{name}", b"." + str(name).encode("utf-8", "replace"), part) for name, part in named]

    def _of_object(self, name: str, value: Any) -> list[tuple[str, bytes, Any]]:
        """The attributes of an object and, of what was compiled or says itself how it is kept, what pickling would keep.

        What else it refers to is followed as well. What cannot be kept may hold anything that no walk sees, as an open file
        or a database does: the walk then ends early. Libraries have such objects of their own, with which they are loaded.
        """
        held = self._of_attributes(value)
        if (lookup := of_lookup(value)) is not None:
            return [*held, *((f".{own}", own.encode(), part) for own, part in lookup)]
        if is_cache(value):
            told = tuple(each for each in gc.get_referents(value) if each is not type(value))
            self._entries |= {id(entry) for each in told if type(each) is dict for entry in each.values()}
            held += _numbered(told)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                reduced = value.__reduce_ex__(2)
        except Exception:  # noqa: BLE001 - foreign objects raise what they like
            own_library = self._strongly and came_with_library(name, type(value))
            self.cut = self.cut or not (own_library or holds_nothing(value))
            return [*held, *_numbered(_referred(value, held))]
        parts = reduced if isinstance(reduced, tuple) else (reduced,)
        parts = tuple(_without_addresses(value, each) if type(each) is dict else each for each in parts)
        if _as_any_object(type(value)):
            parts = (*parts[1:2], *_referred(value, held))
        return [
            *held,
            *_numbered(tuple(list(islice(each, _MOST_OBJECTS)) if isinstance(each, Iterator) else each for each in parts)),
        ]

    def _note(self, name: str, key: str, kind: str, size: int, content: bytes) -> None:
        if len(self.items) < MOST_ITEMS:
            self.items.append([name, key, kind, size, _digest(kind.encode() + b" " + content)])
            return
        self._rest = self._rest or hashlib.blake2b(digest_size=16)
        self._rest.update(key.encode() + _digest(content).encode())


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


_NUMBERS: Final = {each for each in np.sctypeDict.values() if issubclass(each, np.number | np.bool_)} - {np.timedelta64}
_PLAIN_SCALARS: Final = frozenset({bool, int, float, complex} | _NUMBERS)


def _of_scalar(value: Any) -> tuple[str, int, bytes]:
    """A number by its type, size and bits, every NaN as one."""
    number = value.item() if isinstance(value, np.generic) else value
    name = type(value).__name__.encode()
    if isinstance(number, bool):
        return "scalar", 1, name + str(number).encode()
    if isinstance(number, int):
        return "scalar", max(1, (number.bit_length() + 7) // 8), name + hex(number).encode()
    content = repr(number) if isinstance(number, complex) else ("nan" if math.isnan(number) else float(number).hex())
    return "scalar", 16 if isinstance(number, complex) else 8, name + content.encode()


def _numbers_alone(values: Iterable[Any]) -> bool:
    found = False
    for each in values:
        if type(each) not in _PLAIN_SCALARS:
            return False
        found = True
    return found


def array_of(value: Any) -> np.ndarray[Any, Any] | None:
    """An array of NumPy as it is, one of PyTorch as NumPy holds it; None for anything else."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, np.void | np.generic):
        return np.asarray(value)
    return tensor_values(value)


_NANS: Final = {
    np.dtype(name): np.array([quiet, quiet | sign], dtype=np.dtype(f"u{name[1]}"))
    for name, quiet, sign in (("f8", 0x7FF8 << 48, 1 << 63), ("f4", 0x7FC0 << 16, 1 << 31), ("f2", 0x7E00, 1 << 15))
}
"""The bits of a NaN that processors make, by dtype."""


def _of_array(array: np.ndarray[Any, Any]) -> bytes:
    """Shape, dtype and values of an array that holds no objects."""
    if array.dtype.names is not None:
        fields = b"".join(name.encode() + b":" + _of_array(array[name]) for name in array.dtype.names)
        return f"{array.shape} fields ".encode() + fields
    values = np.ascontiguousarray(array)
    if values.dtype.newbyteorder("=") in _NANS and (there := np.isnan(values)).any():
        # A processor makes them with either sign, and no other bits: what else is in one has been put there.
        bits = values[there].astype(values.dtype.newbyteorder("=")).view(f"u{values.itemsize}")
        if np.isin(bits, _NANS[values.dtype.newbyteorder("=")]).all():
            values = values.copy()
            values[there] = np.nan
    # Of a long array the digest stands for its values.
    return f"{array.dtype.newbyteorder('=').str} {array.shape} ".encode() + hashlib.blake2b(values.tobytes()).digest()


def _first(pair: tuple[bytes, Any] | tuple[bytes, Any, Any]) -> bytes:
    return pair[0]


def _beside(value: Any) -> list[tuple[str, bytes, Any]]:
    """What comes with an array apart from its values: its own attributes, its gradient, a larger memory that it is a part of."""
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


def _type_name(value: Any) -> bytes:
    return f"of {type(value).__module__}.{type(value).__qualname__}".encode("utf-8", "replace")


def _without_addresses(value: Any, held: dict[Any, Any]) -> dict[Any, Any]:
    """What an object holds, with words in the place of numbers that a library notes as the place of another part in memory.

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


def _without_address(text: str) -> str:
    """A text, without the number by which pydantic tells a class from others of its name: where it lies in memory."""
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
    yield "attributes", dict(function.__dict__)
    yield "closure", tuple(function.__closure__ or ())
    yield "said", (function.__doc__, function.__module__)
    if function.__annotations__:
        yield "annotations", function.__annotations__
    if not is_of_module(function.__globals__):
        yield "globals", function.__globals__


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
    yield from sorted((name, held) for name, held in _namespace(cls).items() if not is_of_interpreter(name, held))


def _of_module(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    yield from sorted((name, held) for name, held in vars(module).items() if not is_of_interpreter(name, held))


_PARTS: Final[tuple[tuple[type, Callable[[Any], Iterable[tuple[str, Any]]]], ...]] = (
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


def _namespace(cls: type) -> Mapping[str, Any]:
    """What a class itself defines, whatever its metaclass says."""
    found: Mapping[str, Any] = type.__dict__["__dict__"].__get__(cls)
    return found


def _is_place_of_function(name: str, descriptor: types.MemberDescriptorType, value: Any) -> bool:
    """Whether it is where a compiled type has noted its function in memory, and no slot of the same name."""
    if name != "__vectorcalloffset__":
        return False
    try:
        descriptor.__set__(value, descriptor.__get__(value, type(value)))
    except (AttributeError, TypeError):
        return True
    return False


def _has_a_name(value: Any) -> bool:
    """Whether a value is what its name stands for, so that it needs no walk: the program's, not the model's own."""
    kind = type(value)
    if kind in _DESCRIPTORS:
        return True
    if kind in _BOUND:
        owner = value.__self__
        return owner is None or (type(owner) is types.ModuleType and is_loaded(owner))
    if kind is types.ModuleType:
        return is_loaded(value)
    if kind is np.ufunc:
        return any(getattr(module, value.__name__, None) is value for module in (np, sys.modules.get("scipy.special")))
    if issubclass(kind, np.dtype):
        return value.metadata is None and value.names is None
    return issubclass(kind, type) and found_by_name(value) and beyond.is_walked_elsewhere(value)


def _referred(value: Any, held: Iterable[tuple[str, bytes, Any]]) -> tuple[Any, ...]:
    """What an object refers to in addition to its attributes and its class."""
    known = {id(part) for _, _, part in held}
    own = {id(each) for each in gc.get_referents(value) if type(each) is dict and {id(part) for part in each.values()} <= known}
    others = (each for each in gc.get_referents(value) if id(each) not in known | own)
    return tuple(each for each in others if each is not type(value))


def _as_any_object(cls: type) -> bool:
    """Whether objects of a class are kept as any are: their attributes, and what made them."""
    if cls in copyreg.dispatch_table:
        return False
    return all(
        getattr(cls, name, None) is getattr(object, name, None) for name in ("__reduce_ex__", "__reduce__", "__getstate__")
    )


def _numbered(parts: tuple[Any, ...]) -> list[tuple[str, bytes, Any]]:
    return [(".state", b"state %d" % index, part) for index, part in enumerate(parts)]
