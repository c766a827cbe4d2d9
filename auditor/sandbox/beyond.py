"""What a process holds beyond the model, the procedure and the case's modules: all that changed since it held no code of a case.

Libraries are the same in every worker until the code of a case, or they themselves, change them. So a process that will be walked
through notes what is there before it imports that code: what each object refers to. What is new in one of them later, and what
lies where no object refers to it, is an item as any other: what a clean room lacks, which did the same work, deleted records may
have caused.

The notes lie in the memory of the process that is examined: code that looks for them can change them.
"""

from __future__ import annotations

import array
import atexit
import contextvars
import copyreg
import gc
import importlib.metadata
import operator
import os
import random
import signal
import sys
import types
import warnings
import weakref
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from hashlib import blake2b
from importlib.machinery import FileFinder
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from auditor.sandbox import process_state
from auditor.sandbox.closed_objects import LOCKS, OF_LOCAL, let_printed_go, times_taken
from auditor.sandbox.let_be import (
    IMMUTABLE,
    holds_nothing,
    is_count,
    is_empty,
    is_import,
    is_length,
    is_of_seeds,
    is_plain_finder,
    is_pointer,
    is_subclass,
    without_stack,
)
from auditor.sandbox.module_contents import (
    OF_IMPORT,
    as_imported,
    is_in_file,
    is_in_files,
    is_loaded,
    is_of_interpreter,
)
from auditor.sandbox.new_keys import ADDRESS, has_room, is_short, told_in_order, with_room
from auditor.sandbox.object_parts import registered
from auditor.sandbox.process_state import Root

_LASTING: Final = frozenset(
    {tuple, frozenset, types.BuiltinFunctionType, types.GetSetDescriptorType, types.MemberDescriptorType, weakref.ReferenceType}
    | {types.WrapperDescriptorType, types.MethodDescriptorType, types.MethodWrapperType, types.FrameType, types.GenericAlias}
)
"""What refers to the same things for ever; and frames, which are walked through where they are another thread's."""
_BUFFERS: Final = (np.ndarray, bytearray, array.array)
_UNNAMED: Final = OF_IMPORT | {"__doc__", "__builtins__", "__module__", "__qualname__", "__dict__", "__weakref__"}
"""Names by which nothing is called."""
_MOST_ADDRESSES: Final = 8
"""In all names of keys together: what looks like more places in memory has room for a record."""
_NOTHING: Final = object()
_DEEPEST: Final = 12
_OF_ERRORS: Final = getattr(sys.modules.get("numpy._core.umath"), "_extobj_contextvar", None)
_CACHE: Final = type(lru_cache(abs))
_SHARED: Final = frozenset(id(getattr(each, "__self__", each)) for each in (np.random.get_state, random.getstate))
"""Where the generators lie that every caller shares, for good: objects of libraries refer to them, as distributions do."""
_MUTABLE: Final = frozenset({list, dict, set, bytearray, np.ndarray, types.SimpleNamespace})


class _Noted(NamedTuple):
    """One object, and what it referred to."""

    value: Any
    keys: tuple[Any, ...] | None
    """Of a dictionary, whose keys the collector does not tell."""
    held: list[Any]


class _Notes:
    """What there was before any code of a case."""

    def __init__(self) -> None:
        self.objects: list[_Noted] = []
        self.buffers: list[tuple[Any, bytes]] = []
        self.kept: list[list[Any]] = []
        """What arrays of objects held."""
        self.types: frozenset[int] = frozenset()
        """Which classes and functions there were, by their places in memory; the notes hold them."""
        self.modules: dict[str, Any] = {}
        self.context: dict[Any, Any] = {}
        self.exits: list[Any] = []
        """What shall be called at the end, as far as it was said to since."""
        self.descriptors: dict[int, tuple[int, int, str]] = {}
        self.settings: dict[str, str] = {}
        self.locks: list[tuple[Any, str]] = []
        """Locks, and how often each was taken."""
        self.registered: list[tuple[Any, frozenset[int]]] = []
        """Abstract classes, and what was registered as one of each."""
        self.generators: dict[str, bytes] = {}
        self.twisters: dict[str, process_state.Twister] = {}
        self.environment: frozenset[bytes] = frozenset()


_notes: list[_Notes] = []


def begin() -> None:
    """Note what every object refers to; to be called when libraries are loaded, and no code of a case is."""
    if _notes:
        return
    import numpy.ma  # noqa: F401, PLC0415 - the walk loads it, so that it has to be there beforehand

    notes = _Notes()
    _notes.append(notes)
    _follow_exits(notes)
    collects = gc.isenabled()
    gc.disable()  # the notes stay for good: going through them again and again, as they grow, would take as long as making them
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # some objects warn whoever asks what they are
            _note_objects(notes)
    finally:
        if collects:
            gc.enable()


def _note_objects(notes: _Notes) -> None:
    waiting = gc.get_objects()
    met = {id(each) for each in (notes, notes.__dict__, *notes.__dict__.values(), _notes)}
    for each in waiting:
        if isinstance(each, type):
            name_slots(each)
    waiting = [each for each in waiting if type(each) not in _LASTING]
    waiting.append(process_state.of_thread())
    kinds, locks = _Kinds(), dict[int, Any]()
    while waiting:
        further: list[Any] = []
        for each in waiting:
            if id(each) in met:
                continue
            met.add(id(each))
            noted = _note(each)
            notes.objects.append(noted)
            for part in _noted_apart(noted.held, kinds):
                if type(part) is dict:
                    further.append(part)
                elif type(part) in LOCKS:
                    locks[id(part)] = part
                elif id(part) not in met:
                    met.add(id(part))
                    _note_buffer(notes, part)
        waiting = further
    notes.locks = [(lock, times_taken(lock)) for lock in locks.values()]
    _note_registered(notes)
    notes.modules = dict(sys.modules)
    notes.types = frozenset(id(each.value) for each in notes.objects if isinstance(each.value, type | types.FunctionType))
    notes.context = dict(contextvars.copy_context().items())


def _note_buffer(notes: _Notes, buffer: Any) -> None:
    if isinstance(buffer, np.ndarray) and buffer.dtype.hasobject:
        notes.kept.append(buffer.ravel().tolist())
    notes.buffers.append((buffer, _of_buffer(buffer)))


def _note_registered(notes: _Notes) -> None:
    """Note what abstract classes do not refer to: the classes that are registered with them."""
    for each in notes.objects:
        if isinstance(each.value, type) and "_abc_impl" in vars(each.value):
            notes.registered.append((each.value, frozenset(map(id, registered(each.value)))))


class _Kinds(dict[type, bool]):
    """By type whether an object of it, or what it holds, is noted apart: asked of millions, and worked out once for each type."""

    def __missing__(self, kind: type) -> bool:
        found = self[kind] = kind is tuple or kind is dict or kind in LOCKS or issubclass(kind, _BUFFERS)
        return found


def _noted_apart(held: list[Any], kinds: _Kinds) -> Iterator[Any]:
    """Buffers, locks and untracked dictionaries that an object refers to, or a tuple among that: not every tuple is followed."""
    for each in held:
        if kinds[type(each)]:
            for part in each if type(each) is tuple else (each,):
                kind = type(part)
                if kinds[kind] and kind is not tuple and not (kind is dict and gc.is_tracked(part)):
                    yield part


def enter() -> None:
    """Note what is another in each process: its generators and descriptors; to be called before code of a case is imported."""
    begin()
    notes = _notes[0]
    notes.descriptors = {
        number: (found.st_dev, found.st_ino, process_state.standing(number)) for number, found in process_state.descriptors()
    }
    notes.settings = process_state.settings()
    notes.generators = {name: _digest(state()) for name, state in process_state.generators()}
    notes.twisters = process_state.twisters()
    notes.environment = frozenset(process_state.environment())


def roots(scratch: Path) -> tuple[list[Root], bool]:
    """Where a walk through what is new begins, and whether something cannot be walked through.

    Args:
        scratch: The scratch folder of the process, whose name says nothing. Modules from its folder of code are walked through as
            such.

    Returns:
        Nothing where nothing was noted. What cannot be walked through is a process or a thread that the code has started, and
        what waits in a pipe.
    """
    if not _notes:
        return [], False
    notes, code, here = _notes[0], scratch / "code", str(scratch)
    let_printed_go()
    gc.collect()
    for finder in sys.path_importer_cache.values():
        if type(finder) is FileFinder:
            finder.invalidate_caches()  # it holds the time of its folder
    getattr(importlib.metadata, "FastPath").__new__.cache_clear()  # noqa: B009 - the same, and not in the stubs
    found: list[Root] = []
    for name, place in (
        ("library", _changed_in_libraries),
        ("module", lambda each: _new_modules(each, code)),
        ("module", _registered),
        ("process", _unreferred),
    ):
        new = ((short, value) for short, value in place(notes) if not is_plain_finder(value, code))
        found += [(_without_place(f"{name} {short}", here), value) for short, value in new]
    threads, unseen = process_state.threads()
    files, waiting = process_state.new_descriptors(notes.descriptors)
    runs = process_state.runs_a_timer()
    return [*found, *threads, *files], unseen or waiting or runs or process_state.has_children()


def _without_place(name: str, here: str) -> str:
    """A name with one word for the scratch folder, for which no other text can be taken."""
    return "<scratch>".join(part.replace("<", "<<") for part in name.split(here))


def name_slots(cls: type) -> None:
    """Have copying note the slots of a class, which it does in whatever process copied an object of it."""
    note = getattr(copyreg, "_slotnames", None)
    if callable(note):
        note(cls)


def _note(value: Any) -> _Noted:
    keys = tuple(dict.keys(value)) if isinstance(value, dict) else None
    return _Noted(value, keys, list(dict.values(value)) if keys is not None else gc.get_referents(value))


def _changed(notes: _Notes) -> Iterator[Root]:
    """What is new in each object that was noted, by the name of that object."""
    changed = [each for each in notes.objects if not _as_noted(each)]
    caches = {id(part): each.value for each in notes.objects if type(each.value) is _CACHE for part in _entries(each.held)}
    wanted = {id(caches.get(id(each.value), each.value)) for each in changed}
    names = _names(notes, wanted | {id(each) for each, _ in (*notes.locks, *notes.buffers)}) if changed else {}
    short: list[Root] = []
    orders: list[tuple[str, list[str]]] = []
    for each in changed:
        owner = caches.get(id(each.value), each.value)
        name = names.get(id(owner)) or f"{type(owner).__module__}.{type(owner).__qualname__}"
        new = [] if each.keys is None else list(_new_entries(each))
        if each.keys is not None:
            orders.append((f"{name}: order of what is new", [told_in_order(key, value) for key, value in new]))
        if owner is not each.value:
            short += [(name, key) for key, _ in new if is_short(key, _is_known)]
            yield from ((name, key) for key, _ in new if not is_short(key, _is_known))
            yield from ((name, value) for _, value in new if type(value) in _MUTABLE)
        else:
            lengths = [str(key[1]) for key, value in new if is_length(key, value)]
            short += [(name, length) for length in lengths]
            if has_room([lengths]):
                yield f"{name}: order of lengths", lengths
            yield from _of_dictionary(name, each) if each.keys is not None else _of_any(name, each)
    yield from with_room(short, orders)
    yield from _taken(notes, names)
    for buffer, digest in notes.buffers:
        if _of_buffer(buffer) != digest:
            of_objects = isinstance(buffer, np.ndarray) and buffer.dtype.hasobject
            content = buffer.ravel().tolist() if of_objects else bytes(memoryview(buffer).cast("B"))
            yield f"{names.get(id(buffer), type(buffer).__qualname__)}, in place", content


def _changed_in_libraries(notes: _Notes) -> list[Root]:
    """Give the same, without where in memory something lies that a name tells, which is another place in each process."""
    roots = list(_changed(notes))
    many = sum(len(ADDRESS.findall(name)) for name, _ in roots) > _MOST_ADDRESSES
    return roots if many else [(ADDRESS.sub("address", name), value) for name, value in roots]


def _registered(notes: _Notes) -> Iterator[Root]:
    """What was registered with abstract classes since: mostly classes of modules loaded since, as those of compiled modules."""
    for abstract, known in notes.registered:
        if new := {cls for cls in registered(abstract) if id(cls) not in known}:
            yield f"{abstract.__module__}.{abstract.__qualname__}: registered", new


def _taken(notes: _Notes, names: dict[int, str]) -> Iterator[Root]:
    """Locks that were taken or let go since."""
    for place, (lock, taken) in enumerate(notes.locks):
        if times_taken(lock) != taken:
            yield f"{names.get(id(lock), f'lock {place}')}, taken", times_taken(lock)


def _as_noted(noted: _Noted) -> bool:
    value, keys, held = noted
    if keys is not None:
        if len(value) != len(keys) or not all(map(operator.is_, dict.keys(value), keys)):
            return False
        return all(map(operator.is_, dict.values(value), held))
    now = gc.get_referents(value)
    return len(now) == len(held) and all(map(operator.is_, now, held))


def _of_dictionary(name: str, noted: _Noted) -> Iterator[Root]:
    known = dict(zip(map(id, noted.keys or ()), noted.held, strict=True))
    order = {id(key): place for place, key in enumerate(noted.keys or ())}
    left = []
    for key, value in list(dict.items(noted.value)):
        if id(key) in order:
            left.append(order[id(key)])
        if known.get(id(key), _NOTHING) is value or is_import(noted.value, key, value) or is_subclass(key, value):
            continue
        if key == "version" and name.endswith("__warningregistry__") and is_count(value):
            continue
        if key == "__warningregistry__" and type(value) is dict and is_count(value.get("version")):
            value = {own: each for own, each in value.items() if own != "version"}  # noqa: PLW2901 - counts filters set and reset
        if is_pointer(key, value) or is_length(key, value):
            continue
        plain = type(key) is str
        if plain and type(value) is OF_LOCAL:
            key = ADDRESS.sub("address", key)  # noqa: PLW2901 - the name of a `threading.local`, whose content is met
        yield f"{name}: {key if plain else type(key).__qualname__}", value if plain else (key, value)
    if left != sorted(left):
        yield f"{name}: order", left
    if gone := sorted(set(order.values()) - set(left)):
        yield f"{name}: removed", gone


def _of_any(name: str, noted: _Noted) -> Iterator[Root]:
    places = {id(each): place for place, each in enumerate(noted.held)}
    now = gc.get_referents(noted.value)
    if type(noted.value) is _CACHE:
        # Where there is a most of entries, what was given lies here, and else in their dictionary.
        yield from ((name, each) for each in now if id(each) not in places and type(each) in _MUTABLE)
    elif isinstance(noted.value, set):
        yield from _of_set(name, noted, now)
    elif isinstance(noted.value, list):
        yield name, [places.get(id(each), each) for each in now]
    else:
        attributes = _attributes(noted.value)
        for own, each in attributes.items():
            if id(each) not in places:
                yield f"{name}.{own}", without_stack(each) if is_of_seeds(name) else each
        # Once somebody asks for the attributes as a dictionary, there is one.
        met = {id(attributes), *map(id, attributes.values()), *places}
        for each in now:
            if id(each) not in met and not is_empty(each):
                yield name, each
        # What was there, in other places.
        moved = [places[id(each)] for each in now if id(each) in places]
        if moved != sorted(moved):
            yield f"{name}: order", moved


def _of_set(name: str, noted: _Noted, now: list[Any]) -> Iterator[Root]:
    known, there = {id(each) for each in noted.held}, {id(each) for each in now}
    if new := {each for each in now if id(each) not in known and not holds_nothing(each)}:
        yield name, new
    if gone := [place for place, each in enumerate(noted.held) if id(each) not in there and not holds_nothing(each)]:
        yield f"{name}: removed", gone


def _entries(held: list[Any]) -> Iterator[dict[Any, Any]]:
    """The dictionary among what a cache refers to that has its entries by their keys."""
    return (each for each in held if type(each) is dict)


def _new_entries(noted: _Noted) -> Iterator[tuple[Any, Any]]:
    """Keys of a cache that were asked for since, and what was given: it follows from the key, unless it can be changed after."""
    known = set(map(id, noted.keys or ()))
    return ((key, value) for key, value in list(noted.value.items()) if id(key) not in known)


def _attributes(value: Any) -> dict[str, Any]:
    """The attributes of an object, past whatever its class answers in their place; of a class none."""
    if isinstance(value, type | types.ModuleType | types.FunctionType):
        return {}
    try:
        found = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return found if type(found) is dict else {}


def _names(notes: _Notes, wanted: Collection[int]) -> dict[int, str]:
    """What to call an object: by the module that it is the names of, or that has it by a name; a class's names by the class.

    Args:
        notes: What there was.
        wanted: Which objects are to be called anything, by their places in memory; dictionaries are, that others are named after.
    """
    names: dict[int, str] = {}
    for module, value in notes.modules.items():
        if isinstance(value, types.ModuleType):
            names[id(vars(value))] = module
    for noted in notes.objects:
        owner = names.get(id(noted.value))
        if owner is not None and noted.keys is not None:
            for key, value in zip(noted.keys, noted.held, strict=True):
                named = id(value) in wanted or isinstance(value, dict)
                if named and isinstance(key, str) and key not in _UNNAMED and not isinstance(value, types.ModuleType | type):
                    names.setdefault(id(value), f"{owner}.{key}")
        if isinstance(noted.value, type):
            inside = next((each for each in noted.held if type(each) is dict), None)
            names.setdefault(id(inside), f"{noted.value.__module__}.{noted.value.__qualname__}")
    return names


def _new_modules(notes: _Notes, code: Path) -> Iterator[Root]:
    """What modules hold that were loaded since, but for those of the case."""
    for name, module in sorted(sys.modules.items(), key=lambda pair: str(pair[0])):
        if notes.modules.get(name, _NOTHING) is module:
            continue
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and Path(file).is_relative_to(code):
            continue
        if not isinstance(module, types.ModuleType):
            yield str(name), module
            continue
        made = as_imported(module)
        held = {own: value for own, value in vars(module).items() if own not in made}
        yield from _of_namespace(str(name), held, module.__name__)


def _of_namespace(name: str, held: Any, module: str, *, within: str = "") -> Iterator[Root]:
    """What names stand for; of functions and classes that the module itself defines what is not in its code."""
    for own, value in sorted(held.items(), key=lambda pair: str(pair[0])):
        if is_of_interpreter(own, value) or is_loaded(value):
            continue
        if type(value) is types.FunctionType and value.__module__ == module and is_in_file(value):
            more = (value.__defaults__, value.__kwdefaults__, value.__dict__ or None, value.__closure__)
            if any(each is not None for each in more):
                yield f"{name}.{own}", more
        elif isinstance(value, type) and value.__module__ == module and (not within or value.__qualname__ == f"{within}{own}"):
            name_slots(value)
            if within.count(".") >= _DEEPEST:
                raise RecursionError("classes within classes")
            inner = type.__dict__["__dict__"].__get__(value)
            yield from _of_namespace(f"{name}.{own}", inner, module, within=f"{value.__qualname__}.")
        else:
            yield f"{name}.{own}", value


def is_shared_generator(value: Any) -> bool:
    """Whether it is a generator that every caller shares, and whose state is compared with what it was at first.

    It is another in each process, and anything that refers to it holds nothing of its own.
    """
    return id(value) in _SHARED and bool(_notes) and bool(_notes[0].generators)


def is_walked_elsewhere(cls: type) -> bool:
    """Whether what a class holds is met without a walk through it: it cannot change, was noted, or its module is new.

    Everywhere where nothing was noted.
    """
    if not _notes or cls.__flags__ & IMMUTABLE or id(cls) in _notes[0].types:
        return True
    module = sys.modules.get(cls.__module__)
    return module is not None and _notes[0].modules.get(cls.__module__) is not module


def _is_known(value: Any) -> bool:
    """Whether a class, a function or a module was there before, or came with a file of a library."""
    if isinstance(value, types.ModuleType):
        return is_loaded(value)
    if id(value) in _notes[0].types or (isinstance(value, type) and value.__flags__ & IMMUTABLE):
        return True
    module = sys.modules.get(str(value.__module__))
    return module is not None and is_in_files(module) and (isinstance(value, type) or is_in_file(value))


def _unreferred(notes: _Notes) -> Iterator[Root]:
    """What no object refers to: handlers, hooks, calls at the end, variables of context and environment, generators."""
    for variable, value in contextvars.copy_context().items():
        if notes.context.get(variable, _NOTHING) is not value:
            yield f"context: {variable.name}", _errors_of_numpy() if variable is _OF_ERRORS else value
    for number in sorted(signal.valid_signals()):
        handler = signal.getsignal(number)
        if handler is not None and not isinstance(handler, signal.Handlers | int) and handler is not signal.default_int_handler:
            yield f"handler of signal {int(number)}", handler
    yield from ((f"{when} {place}", each) for place, (when, *each) in enumerate(notes.exits))
    yield from (
        (f"hook {place}", each)
        for place, each in enumerate((sys.getprofile(), sys.gettrace(), *sys.get_asyncgen_hooks()))
        if each is not None
    )
    now = process_state.twisters()
    for name, state in process_state.generators():
        if notes.generators.get(name) == _digest(content := state()):
            continue
        # Who draws from the state that was there leaves no more behind than how often; who sets another may have put anything in.
        drawn = notes.twisters[name].advanced_to(now[name]) if name in now and name in notes.twisters else None
        if drawn is None:
            yield f"generator {name}", content
        else:
            yield from ((f"generator {name}: {what}", value) for what, value in zip(("drawn", "ahead"), drawn, strict=True))
    settings = process_state.settings().items()
    yield from ((f"setting {name}", value) for name, value in settings if notes.settings.get(name) != value)
    for each in sorted(set(process_state.environment()) - notes.environment):
        yield "environment", each


def _errors_of_numpy() -> dict[str, Any]:
    """What NumPy does on an error, and the function that it calls then, which it keeps where no object shows it."""
    return {**np.geterr(), "call": np.geterrcall(), "buffer": np.getbufsize()}


def _follow_exits(notes: _Notes) -> None:
    """Note what shall be called at the end, at a fork or on an event: the interpreter keeps it where no code comes."""
    at_end, at_fork, at_event = atexit.register, os.register_at_fork, sys.addaudithook

    def register(function: Callable[..., Any], /, *given: Any, **named: Any) -> Callable[..., Any]:
        notes.exits.append(("at the end", function, given, named))
        return at_end(function, *given, **named)

    def register_at_fork(**named: Callable[[], Any]) -> None:
        at_fork(**named)
        notes.exits.append(("at a fork", named))

    def addaudithook(hook: Callable[..., Any]) -> None:
        at_event(hook)
        notes.exits.append(("on events", hook))

    atexit.register = register
    os.register_at_fork = register_at_fork  # type: ignore[assignment]
    sys.addaudithook = addaudithook


def _of_buffer(buffer: Any) -> bytes:
    """A digest of what an array holds; of none that is closed."""
    try:
        view = memoryview(buffer)
        if isinstance(buffer, np.ndarray) and buffer.dtype.hasobject:
            # By which objects it holds: those of the notes are kept, so that no other takes the place of one in memory.
            return _digest(b"".join(id(each).to_bytes(8, "little") for each in buffer.ravel().tolist()))
        return _digest(view.tobytes())
    except (BufferError, ValueError, TypeError):
        return b""


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).digest()
