"""Walk through everything that a model and its procedure hold, in the process of the procedure: one digest for each item.

Two processes that hold the same give the same items, wherever things lie in memory: arrays count as shape, dtype and values,
field by field and without padding, every NaN as one; mappings by key, sets without order; no addresses, and the scratch folder
by one name. What cannot be taken apart is followed by what it refers to.

The code whose objects these are runs in the same process and could deceive the walk: what it finds can only be held against it.
"""

from __future__ import annotations

import collections
import gc
import hashlib
import os
import stat
import sys
import time
import types
import warnings
import weakref
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path, PosixPath, PurePosixPath, PureWindowsPath
from typing import Any, Final, Self

import numpy as np

from auditor.learning.own_formats import in_own_format
from auditor.sandbox import beyond
from auditor.sandbox.closed_objects import came_with_library, found_by_name, holds_nothing, of_lookup
from auditor.sandbox.fingerprints import is_cache
from auditor.sandbox.module_contents import is_loaded, is_of_interpreter
from auditor.sandbox.object_parts import (
    ATTRIBUTES_APART,
    PARTS,
    as_any_object,
    beside,
    is_place_of_function,
    members,
    named_with_address,
    namespace,
    numbered,
    of_class,
    of_form,
    order,
    referred,
    type_name,
    without_addresses,
)
from auditor.sandbox.plain_values import PLAIN_SCALARS, array_of, numbers_alone, of_array, of_scalar

MOST_ITEMS: Final = 50_000
"""Items that are listed one by one; further ones are one item together."""
_MOST_OBJECTS: Final = 1_000_000
_MOST_SECONDS: Final = 60.0
_NAME: Final = 120
_FILE_BYTES: Final = 64 * 1024 * 1024
_MOST_HOLES: Final = 1 << 16
_FOLDERS: Final = ("home", "answers")
"""Where the procedure can leave files."""
_SCRATCH: Final = b"<scratch>"
_DESCRIPTORS: Final = frozenset(
    {types.WrapperDescriptorType, types.MethodDescriptorType, types.GetSetDescriptorType, types.MemberDescriptorType}
)
_OF_ATTRIBUTES: Final = frozenset({types.GetSetDescriptorType, types.MemberDescriptorType})
_BOUND: Final = frozenset({types.BuiltinFunctionType, types.MethodWrapperType})
_FACTORY: Final = vars(collections.defaultdict)["default_factory"]
_MOST_OF_QUEUE: Final = vars(collections.deque)["maxlen"]
_IN_ORDER: Final = collections.OrderedDict.__iter__
_EMPTY: Final = frozenset({type(None), type(Ellipsis), type(NotImplemented)})
_NUMBERS: Final = frozenset({bool, int, float, complex})
_PLAIN_KEYS: Final = frozenset({str, int, float, bool})
_TEXTS: Final = frozenset({str, bytes})
"""What is hashed by a number that is another in each process, unless that is switched off."""
_PATHS: Final = frozenset({PurePosixPath, PureWindowsPath, PosixPath})
_SEQUENCES: Final = (list, tuple, collections.deque)
_PLAIN_SEQUENCES: Final = frozenset(_SEQUENCES)
_SETS: Final = (set, frozenset)
_PLAIN_SETS: Final = frozenset(_SETS)
_MAPPINGS: Final = (dict, types.MappingProxyType)
_PLAIN_MAPPINGS: Final = frozenset(_MAPPINGS)
_WEAK: Final[tuple[type[Any], ...]] = (weakref.ReferenceType, *weakref.ProxyTypes)


_cached: Final = lru_cache(abs)
_cached(0)
_ELEMENT: Final = type(next(iter(next(each for each in gc.get_referents(_cached) if type(each) is dict).values())))
"""What a cache of functools keeps an entry in, which tells nobody what it holds."""


def walk(
    model: Any, procedure: Any, scratch: Path, *, everywhere: bool = False, saved: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Digest everything that can be reached from a model, its procedure, and the classes and modules of the case.

    Args:
        model: The model.
        procedure: The object that made it.
        scratch: The scratch folder of the process, whose name says nothing.
        everywhere: Whether to go on through whatever changed elsewhere in the process since it held no code of a case.
        saved: Folders that the sandbox made for what the procedure saves, below the scratch folder: as they were
            made, they are no items.

    Returns:
        `items`: for each its name, an address by which two walks are held against one another, its kind, its size in bytes and
        a digest; files that the procedure left are items too. `beyond`: the same of what changed or lies elsewhere in the
        process. `cut`: whether the walk ended before it had met everything, or met what cannot be taken apart.
    """
    found = Walk(scratch)
    found.follow(roots(model, procedure, scratch, saved))
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


_AS_MADE: Final = ("40700 {}", "42700 {}")
"""What is known of a folder that the sandbox made and nobody changed, where folders pass their group on or not."""


class _File(bytes):
    """What a file holds, as an item like any other; of a long one a digest of all of it as well."""

    known: bytes
    """What is known of it next to what is in it."""

    def __new__(cls, path: Path) -> Self:
        with path.open("rb") as file:
            start = file.read(_FILE_BYTES)
            whole = hashlib.blake2b(start)
            long = False
            while more := file.read(_FILE_BYTES):
                long = True
                whole.update(more)
        made = super().__new__(cls, start + whole.digest() if long else start)
        made.known = _known_of(path).encode("utf-8", "surrogateescape")
        return made


_BYTES: Final = frozenset({bytes, bytearray, _File})


def _known_of(path: Path) -> str:
    """The kind of a file, who may do what with it, and attributes that were given to it."""
    try:
        given = {
            name: os.getxattr(path, name, follow_symlinks=False).hex()
            for name in sorted(os.listxattr(path, follow_symlinks=False))
        }
    except OSError:  # a file system that has none
        given = {}
    return f"{path.lstat().st_mode:o} {given}{_holes(path)}"


def _holes(path: Path) -> str:
    """Where a file has nothing, not so much as noughts."""
    if not path.is_file() or path.is_symlink():
        return ""
    found: list[int] = []
    with path.open("rb") as file, suppress(OSError):  # behind the last of what is there
        while len(found) < _MOST_HOLES:
            found.append(os.lseek(file.fileno(), found[-1] if found else 0, os.SEEK_DATA))
            found.append(os.lseek(file.fileno(), found[-1], os.SEEK_HOLE))
    size = path.stat().st_size
    return "" if found in ([0, size], []) and (found or not size) else f" {found}"


def roots(model: Any, procedure: Any, scratch: Path, saved: frozenset[str] = frozenset()) -> Iterator[tuple[str, Any]]:
    """Where a walk begins: model, procedure, the modules and classes of the case, and files that were left."""
    code = scratch / "code"
    yield "model", model
    yield "procedure", procedure
    for file, module in sorted(_files_of_modules(scratch), key=lambda each: str(each[0])):
        if not Path(file).is_relative_to(code):
            continue
        place = Path(file).relative_to(code).as_posix()
        yield from ((f"{place}{name}", value) for name, _, value in order([_encoded(str(each)) for each in vars(module)]))
        for name, value in sorted(vars(module).items()):
            if is_of_interpreter(name, value):
                continue
            if isinstance(value, type) and value.__module__ == module.__name__:
                yield from _of_case_class(f"{place}: {name}", value)
            else:
                yield f"{place}: {name}", value
    yield from _files(scratch, saved)


def _files_of_modules(scratch: Path) -> Iterator[tuple[str, types.ModuleType]]:
    """The modules that may lie in the scratch folder, by file: thousands do not name it, and are no paths to look at."""
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        # A text of another type may say otherwise what it is.
        if isinstance(file, str) and (type(file) is not str or scratch.name in file):
            yield file, module


def _of_case_class(name: str, cls: type) -> Iterator[tuple[str, Any]]:
    """What a class of the case holds, and classes within it: a name that leads to a class is no walk through it."""
    beyond.name_slots(cls)
    yield from ((f"{name}{own}", value) for own, _, value in order([_encoded(str(each)) for each in namespace(cls)]))
    yield from ((f"{name}.{own}", value) for own, value in of_class(cls) if own in {"name", "registered"})
    for own, held in sorted(namespace(cls).items()):
        within = isinstance(held, type) and held.__module__ == cls.__module__ and held.__qualname__ == f"{cls.__qualname__}.{own}"
        if within:
            yield from _of_case_class(f"{name}.{own}", held)
        elif not is_of_interpreter(own, held):
            yield f"{name}.{own}", held


def _files(scratch: Path, saved: frozenset[str]) -> Iterator[tuple[str, Any]]:
    seen: dict[int, str] = {}
    for top in _FOLDERS:
        if (scratch / top).is_dir():
            yield f"folder {top}", _known_of(scratch / top)
        for path in sorted((scratch / top).rglob("*")):
            name = path.relative_to(scratch).as_posix()
            status = path.lstat()
            if status.st_nlink > 1 and not stat.S_ISDIR(status.st_mode):
                yield f"name {name}", seen.setdefault(status.st_ino, name)
            if path.is_symlink():
                yield f"link {name}", str(path.readlink())
            elif path.is_file():
                yield f"file {name}", _File(path)
            elif not path.is_dir():
                yield f"special file {name}", _known_of(path)
            elif name not in saved or _known_of(path) not in _AS_MADE:
                yield f"folder {name}", _known_of(path)


class Walk:
    """One way through the objects, on which nothing is taken apart twice."""

    def __init__(self, scratch: Path, *, after: Self | None = None, strongly: bool = False) -> None:
        """Start with nothing met, or with what another way has met; follow what holds its object only, or every reference."""
        self._strongly = strongly
        self.items: list[list[Any]] = []
        self.cut = False
        """Whether something was not met, or could not be taken apart."""
        self._here = _encoded(str(scratch))
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
            self._note(name, key, "array", array.nbytes, of_array(array))
            return self._beside(value, array)
        if (known := self.seen.get(id(value))) is not None:
            self._note(name, key, "object", 0, b"again " + known[0].encode())
            return ()
        self.seen[id(value)] = key, value
        if isinstance(value, _SETS):
            inside = [
                ("{…}", each, part) for each, part in sorted(((self._shallow(part), part) for part in members(value)), key=_first)
            ]
            return [
                *inside,
                *(self._of_set(value) if not self._strongly else ()),
                *(() if type(value) in _PLAIN_SETS else self._of_attributes(value)),
            ]
        if isinstance(value, _SEQUENCES) and numbers_alone(inner := members(value)):
            content = b"".join(of_scalar(each)[2] + b"," for each in inner)
            self._note(
                name,
                key,
                "array",
                sum(of_scalar(each)[1] for each in inner),
                type(value).__name__.encode() + _extent(value, None) + content,
            )
            return () if type(value) in _PLAIN_SEQUENCES else self._of_attributes(value)
        self._note(name, key, "object", 0, type_name(value) + _extent(value, array))
        if array is not None:
            inside = [(f"[{index}]", b"[%d" % index, part) for index, part in enumerate(array.ravel().tolist())]
            return [*inside, *self._beside(value, array)]
        if self._strongly and beyond.is_shared_generator(value):
            return ()
        return self._parts(name, value)

    def _parts(self, name: str, value: Any) -> Iterable[tuple[str, bytes, Any]]:
        if self._strongly and issubclass(type(value), _WEAK):
            # What it refers to is held by something else, or gone; what is called then, it holds itself.
            return numbered(tuple(gc.get_referents(value)))
        if isinstance(value, _MAPPINGS):
            held = dict.items(value) if isinstance(value, dict) else value.items()
            given = [(self._key(own), own, part) for own, part in list(held)]
            pairs = sorted(given, key=_first)
            inside = [("[…]", b"{" + unique, part) for unique, _, part in pairs]
            names = [(".keys", b"k" + unique, own) for unique, own, _ in pairs if type(own) not in _PLAIN_KEYS]
            names += order([unique for unique, _, _ in given])
            if isinstance(value, collections.OrderedDict):
                # Its own order, which need not be that of the dictionary below it.
                names.append((".moved", b"moved", tuple(order([self._key(each) for each in _IN_ORDER(value)]))))
            if isinstance(value, collections.defaultdict):
                names.append((".factory", b"factory", _FACTORY.__get__(value)))
            return [*inside, *names, *(() if type(value) in _PLAIN_MAPPINGS else self._of_attributes(value))]
        if isinstance(value, _SEQUENCES):
            inside = [(f"[{index}]", b"[%d" % index, part) for index, part in enumerate(members(value))]
            return [*inside, *(() if type(value) in _PLAIN_SEQUENCES else self._of_attributes(value))]
        if (own := in_own_format(value)) is not None:
            return [(f".{name}", name.encode(), part) for name, part in sorted(own.items())]
        for kind, parts in PARTS:
            if issubclass(type(value), kind):
                inside = [(f".{own}", own.encode(), part) for own, part in parts(value)]
                return [*inside, *self._of_attributes(value, kind)]
        return self._of_object(name, value)

    def _beside(self, value: Any, array: np.ndarray[Any, Any]) -> list[tuple[str, bytes, Any]]:
        """What comes with any array: its attributes, its dtype where that holds more than a name, and what it lies in."""
        return [
            *self._of_attributes(value),
            *of_form(value, array),
            *(() if _has_a_name(array.dtype) else [(".dtype", b"dtype", array.dtype)]),
            *beside(value),
        ]

    def _key(self, own: Any) -> bytes:
        """What tells a key of a mapping from the others, whatever their order."""
        leaf = self._leaf(own)
        return self._shallow(own) if leaf is None else leaf[0].encode() + leaf[2]

    def _of_set(self, value: Any) -> list[tuple[str, bytes, Any]]:
        """The order in which a set gives what it holds, which tells how it was filled, but where that follows from addresses."""
        held = members(value)
        texts = frozenset[type]() if sys.flags.hash_randomization else _TEXTS
        plain = all(type(each) in _NUMBERS or type(each) in texts for each in held)
        return order([self._key(each) for each in held]) if plain else []

    def _shallow(self, value: Any) -> bytes:
        """What tells members of a set, and keys that are no plain values: their content as far as it has no address."""
        if self._strongly:
            # Libraries have mappings by objects that hold such mappings: following them all would never end.
            parts = value if type(value) is tuple else (value,)
            return b",".join(type_name(each) if (leaf := self._leaf(each)) is None else leaf[2] for each in parts)
        inner = Walk(Path("/"))
        inner.follow([("", value)])
        return "".join(each[4] for each in inner.items).encode()

    def _leaf(self, value: Any) -> tuple[str, int, bytes] | None:  # noqa: PLR0911 - one line a kind
        """Kind, size and content of what holds nothing else; None for anything that does."""
        # By the type itself: an object can say that it is of any class.
        kind = type(value)
        if kind is str or kind in _PATHS:
            text = str(value)
            place = named_with_address(text) if ":" in text else None
            size, content = (len(place), b"<class>" + place.encode()) if place else self._of_scratch(_encoded(text))
            return "text", size, kind.__name__.encode() + content
        if kind in _EMPTY:
            return "object", 0, kind.__name__.encode()
        if kind in PLAIN_SCALARS:
            return of_scalar(value)
        if kind in _BYTES:
            size, content = self._of_scratch(bytes(value))
            return "text", size, b"bytes" + (value.known if kind is _File else b"") + content
        if kind is _ELEMENT:
            self.cut = self.cut or id(value) not in self._entries
            return "object", 0, b"an entry of a cache, whose key and value the cache refers to"
        if _has_a_name(value):
            named = getattr(value, "__qualname__", None) or getattr(value, "__name__", None) or str(value)
            return "object", 0, f"named {getattr(value, '__module__', '')} {named}".encode("utf-8", "replace")
        return None

    def _of_scratch(self, text: bytes) -> tuple[int, bytes]:
        """Give the size and content of a text with one word for the scratch folder, for which no other text can be taken."""
        if self._here not in text:
            return len(text), text.replace(b"<", b"<<")
        parts = text.split(self._here)
        size = sum(map(len, parts)) + (len(parts) - 1) * len(_SCRATCH)
        return size, _SCRATCH.join(part.replace(b"<", b"<<") for part in parts)

    def _of_attributes(self, value: Any, kind: type = object) -> list[tuple[str, bytes, Any]]:
        """The attributes of an object, in slots as well, read past whatever its class answers in their place.

        Args:
            value: The object.
            kind: The class whose own slots are met by other names.
        """
        held: dict[Any, Any] = {}
        for cls in type(value).__mro__:
            for name, descriptor in namespace(cls).items():
                if name == "__dict__":
                    if kind in ATTRIBUTES_APART:
                        continue
                    if type(descriptor) in _OF_ATTRIBUTES:
                        held |= descriptor.__get__(value, type(value))
                    elif cls not in {type, types.ModuleType}:
                        self.cut = True
                elif kind is not object and issubclass(kind, cls):
                    continue
                elif type(descriptor) is types.MemberDescriptorType and not is_place_of_function(name, descriptor, value):
                    with suppress(AttributeError):
                        held.setdefault(name, descriptor.__get__(value, type(value)))
        named = [(_encoded(str(name)), name, part) for name, part in without_addresses(value, held).items()]
        parts = [(f".{name}", b"." + unique, part) for unique, name, part in sorted(named, key=_first)]
        return [*parts, *order([unique for unique, _, _ in named])]

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
            held += numbered(told)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                reduced = value.__reduce_ex__(2)
        except Exception:  # noqa: BLE001 - foreign objects raise what they like
            own_library = self._strongly and came_with_library(name, type(value))
            self.cut = self.cut or not (own_library or holds_nothing(value))
            return [*held, *numbered(referred(value, held))]
        parts = reduced if isinstance(reduced, tuple) else (reduced,)
        parts = tuple(without_addresses(value, each) if type(each) is dict else each for each in parts)
        if isinstance(value, BaseException):
            parts = (*parts, *referred(value, held))  # what was running when it was raised
        if as_any_object(type(value)):
            parts = (*parts[1:2], *referred(value, held))
        return [
            *held,
            *numbered(tuple(list(islice(each, _MOST_OBJECTS)) if isinstance(each, Iterator) else each for each in parts)),
        ]

    def _note(self, name: str, key: str, kind: str, size: int, content: bytes) -> None:
        if len(self.items) < MOST_ITEMS:
            self.items.append([name, key, kind, size, _digest(kind.encode() + b" " + content)])
            return
        self._rest = self._rest or hashlib.blake2b(digest_size=16)
        self._rest.update(key.encode() + _digest(content).encode())


def _extent(value: Any, array: np.ndarray[Any, Any] | None) -> bytes:
    """The shape of an array of objects, and how many a queue may hold."""
    if array is not None:
        return f" {array.shape}".encode()
    return f" {_MOST_OF_QUEUE.__get__(value)}".encode() if isinstance(value, collections.deque) else b""


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _first(pair: tuple[bytes, Any] | tuple[bytes, Any, Any]) -> bytes:
    return pair[0]


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
        return value.metadata is None and value.names is None and value.subdtype is None and not hasattr(value, "na_object")
    return issubclass(kind, type) and found_by_name(value) and beyond.is_walked_elsewhere(value)
