"""The walk through what a model and its procedure hold: equal contents give equal items, and nothing hides."""

from __future__ import annotations

import abc
import collections
import copy
import ctypes
import functools
import gc
import io
import json
import logging
import math
import mmap
import os
import pickle
import random
import sqlite3
import sys
import threading
import types
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.base.errors import ProcedureError
from auditor.base.records import aligned
from auditor.sandbox import object_walk, walked

SCRATCH = Path("/no/such/scratch")


class Holder:
    """An object with attributes."""

    def __init__(self, **held: Any) -> None:
        self.__dict__.update(held)


class Slots:
    """The same in slots."""

    __slots__ = ("held",)

    def __init__(self, held: Any) -> None:
        self.held = held


class Number(int):
    """A number with room for more."""


class Denying(Holder):
    """Says that it has no attributes, and that it is a path."""

    __class__ = Path  # type: ignore[assignment]

    def __getattribute__(self, name: str) -> Any:
        return {} if name == "__dict__" else super().__getattribute__(name)

    def __str__(self) -> str:
        return "nothing"


class Exact(np.float64):
    """A number of NumPy with room for more."""


class Members(set[int]):
    """A set with room for more."""


class Walled(Holder):
    """Puts something else in the place of its attributes."""

    __dict__ = property(lambda _self: {})  # type: ignore[assignment]

    def __init__(self, value: Any) -> None:
        self.held = value

    def __reduce_ex__(self, _protocol: Any) -> Any:
        raise TypeError


def holding(made: Any, value: Any) -> Any:
    made.kept = value
    return made


def annotated(value: Any) -> Any:
    def made() -> None: ...

    made.__annotations__["rows"] = value
    return made


def documented(value: Any) -> Any:
    def made() -> None: ...

    made.__doc__ = f"{value}"
    return made


class Disguised(io.BytesIO):
    """What holds bytes where no walk sees them, by the name of a module that is believed."""

    __module__ = "_abc"

    def __reduce_ex__(self, _protocol: Any) -> Any:
        raise TypeError


def entry_of_a_cache() -> Any:
    held = cached([1.0, 2.0])
    return next(iter(next(each for each in gc.get_referents(held) if type(each) is dict).values()))


class Keeping(io.RawIOBase):
    """A raw stream that says it is the process's own, and keeps whatever is written."""

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1


def waiting_in_a_stream(content: bytes) -> io.BufferedWriter:
    """A stream in whose memory, which nobody tells, something waits to be written."""
    stream = io.BufferedWriter(Keeping(), 1 << 16)
    stream.write(content)
    return stream


class Rows(np.ndarray[Any, Any]):
    """An array with room for more."""


class Slotted(np.ndarray[Any, Any]):
    """The same in a slot."""

    __slots__ = ("kept",)


class Lying(np.ndarray[Any, Any]):
    """Says that it lies in nothing and holds nothing."""

    base = None
    dtype = np.dtype(float)  # type: ignore[assignment]
    shape = (0,)  # type: ignore[assignment]


class Based:
    """What an array lies in, with more than the array."""

    def __init__(self, kept: Any) -> None:
        self.kept, self.plain = kept, np.zeros(3)
        self.__array_interface__ = self.plain.__array_interface__


def based(value: Any) -> Any:
    made = Based(value)
    array = np.asarray(made)
    del made.__array_interface__  # it tells where in memory the array lies
    return array


def strided(value: Any) -> Any:
    made = np.lib.stride_tricks.as_strided(np.zeros(9), shape=(1,), strides=(72,))
    made.base.kept = value
    return made


def handed_over(value: Any) -> Any:
    made = aligned(np.zeros((1, 1)))
    made.base[:] = int(value)
    return made[:0]


def named_below_an_object(value: Any) -> Any:
    """A class by a name that leads through an object which nobody walks through."""
    made = type("Inner", (), {"kept": value, "__qualname__": "BOX.Inner", "__module__": __name__})
    BOX.Inner = made
    return made


BOX = types.SimpleNamespace()


def at_work(box: Any) -> Any:
    while True:
        print(box.pop(), (yield))


def waiting(value: Any) -> Any:
    made = at_work([value])
    next(made)
    return made


def seeded(value: Any) -> Any:
    made = np.random.default_rng(int(value))
    made.bit_generator.state = np.random.PCG64(0).state
    return made


class Silent(random.Random):
    """Says nothing of its state."""

    def getstate(self) -> Any:
        return ()


class Empty(list[Any]):
    """Says that nothing is in it."""

    def __iter__(self) -> Any:
        return iter(())


HIDDEN_IN_PARTS = {
    "an attribute of a generator": lambda value: holding(random.Random(7), value),
    "a generator that tells no state": lambda value: Silent(int(value)),
    "what a generator was seeded with": seeded,
    "what bits were seeded with": lambda value: seeded(value).bit_generator,
    "an attribute of a static method": lambda value: holding(staticmethod(len), value),
    "an attribute of a class's method": lambda value: holding(classmethod(len), value),
    "a property of a class of its own": lambda value: holding(type("Own", (property,), {})(len), value),
    "a reference that answers something else": lambda value: holding(type("Own", (weakref.ref,), {})(Holder), value),
    "what a reference calls": lambda value: weakref.ref(Holder, closed_over(value)),
    "a slot of a module": lambda value: holding(type("Own", (types.ModuleType,), {"__slots__": ("kept",)})("made"), value),
    "a list that says it is empty": lambda value: Empty([Holder(x=value)]),
    "a class below an object": named_below_an_object,
    "a generator at work": waiting,
}
HIDDEN_IN_ARRAYS = {
    "metadata": lambda value: np.zeros(3, dtype=np.dtype("f8", metadata={"kept": value})),
    "metadata of a field": lambda value: np.zeros(3, dtype=[("a", np.dtype("f8", metadata={"kept": value}))]),
    "metadata of repeated fields": lambda value: np.dtype((np.dtype("f8", metadata={"kept": value}), (3,))),
    "metadata of one element": lambda value: np.zeros(3, dtype=np.dtype([("a", "f8")], metadata={"kept": value}))[0],
    "metadata of a view": lambda value: np.zeros(3, dtype=np.dtype("f8", metadata={"kept": value})).view("f8"),
    "what stands for a missing text": lambda value: np.dtypes.StringDType(na_object=Holder(x=value)),
    "the same of texts": lambda value: np.array(["a"], dtype=np.dtypes.StringDType(na_object=Holder(x=value))),
    "more rows than are shown": lambda value: np.broadcast_to(np.array([0.0, value])[:1], 99),
    "a slot": lambda value: holding(np.zeros(3).view(Slotted), value),
    "an attribute of objects": lambda value: holding(np.array(["a", None], dtype=object).view(Rows), value),
    "a class that lies": lambda value: np.full(3, value).view(Lying),
    "what it lies in": based,
    "a view of what it lies in": lambda value: based(value)[:],
    "what notes the strides": strided,
    "around rows that were handed over": handed_over,
    "an attribute of what rows were handed over in": lambda value: holding(aligned(np.zeros((1, 1))).base, value)[:0],
    "the shape of objects": lambda value: np.full((int(value), 12 // int(value)), None),
}


def filled(held: Any, value: Any) -> Any:
    """A mapping that has the same keys in another order."""
    for each in ("a", "b") if value == 3 else ("b", "a"):
        held[each] = None
    return held


def moved(value: Any) -> Any:
    made = filled(collections.OrderedDict(), 3.0)
    if value != 3:
        made.move_to_end("a")
    return made


def named_in_order(made: Any, value: Any) -> Any:
    for each in ("a", "b") if value == 3 else ("b", "a"):
        setattr(made, each, None)
    return made


def collected(value: Any) -> set[int]:
    """Numbers that fall on one place in the table of a set."""
    made: set[int] = set()
    for each in (0, 8) if value == 3 else (8, 0):
        made.add(each)
    return made


def taken(lock: Any, value: Any) -> Any:
    for _ in range(int(value) - 3):
        lock.acquire(blocking=False)  # one that a thread cannot take again stays taken once
    return lock


def raised(value: Any) -> Any:
    try:
        int(f"no number {value}")
    except ValueError as error:
        return error
    return None


def called(made: Any, value: Any) -> Any:
    made.__name__ = f"name{value}"
    return made


def abstract(value: Any) -> Any:
    class First(abc.ABC): ...  # noqa: B024 - what is registered with it is all that there is

    if value != 3:
        First.register(Holder)
    return First


HIDDEN_IN_ORDER = {
    "a dictionary": lambda value: filled({}, value),
    "an ordered dictionary": moved,
    "attributes": lambda value: named_in_order(Holder(), value),
    "a class": lambda value: named_in_order(type("Made", (), {}), value),
    "a module": lambda value: named_in_order(types.ModuleType("made"), value),
    "a function": lambda value: named_in_order(closed_over(0), value),
    "a set": collected,
}
HIDDEN_IN_STATES = {
    "a lock that is taken": lambda value: taken(threading.Lock(), value),
    "a lock that is taken again": lambda value: taken(threading.RLock(), value),
    "an event": lambda value: threading.Event() if value == 3 else (made := threading.Event()).set() or made,
    "how many a queue may hold": lambda value: collections.deque([None], int(value)),
    "the name of a function": lambda value: called(closed_over(0), value),
    "the name of a class": lambda value: called(type("Made", (), {}), value),
    "what is registered with an abstract class": abstract,
    "whether an array can be written to": lambda value: (made := np.zeros(3)).setflags(write=value == 3) or made,
    "the order of rows": lambda value: np.zeros((2, 2), order="C" if value == 3 else "F"),
    "the order of bytes": lambda value: np.zeros(2, "<f8" if value == 3 else ">f8"),
    "the class of an array": lambda value: np.zeros(3) if value == 3 else np.zeros(3).view(Rows),
    "how far apart fields lie": lambda value: np.zeros(
        1, np.dtype({"names": ["a"], "formats": ["u1"], "offsets": [int(value)], "itemsize": 9})
    ),
}


def items(model: Any, scratch: Path = SCRATCH) -> dict[str, walked.Item]:
    content = object_walk.walk(model, None, scratch)
    clean = walked.cleaned(json.dumps(content).encode(), hide=str, where="here", accompanied=False)
    return dict(walked.read(clean).items)


def cached(value: Any) -> Any:
    @functools.lru_cache
    def remembered(_key: int) -> Any:
        return value

    remembered(1)
    return remembered


def closed_over(value: Any) -> Any:
    def inner() -> Any:
        return value

    return inner


def structured(padding: int) -> np.ndarray[Any, Any]:
    """Two fields with seven bytes between them that say nothing."""
    kind = np.dtype({"names": ["a", "b"], "formats": ["u1", "f8"], "offsets": [0, 8], "itemsize": 16})
    array = np.frombuffer(bytes([padding] * 32), dtype=kind).copy()
    array["a"], array["b"] = 1, 2.0
    return array


@pytest.mark.parametrize(
    "hide",
    [
        lambda value: Holder(x=value),
        Slots,
        lambda value: {"key": value},
        lambda value: {(1, 2): [value]},
        lambda value: [None, {3: value}],
        lambda value: Holder(x=np.arange(10) + value),
        lambda value: Holder(x=(np.arange(10) + value)[:0]),
        lambda value: {frozenset([value, 1.5])},
        closed_over,
        cached,
        lambda value: (each for each in [value]),
        lambda value: Holder(rng=np.random.default_rng(int(value))),
        lambda value: Holder(words=f"value {value}"),
        Number,
        lambda value: functools.partial(print, value),
        lambda value: np.array([Holder(x=value)], dtype=object),
        lambda value: types.SimpleNamespace(deep=[[[[value]]]]),
        lambda value: [value].append,
        lambda value: {"key": value}.__len__,
        lambda value: memoryview(bytearray(str(value).encode()))[:0],
        lambda value: collections.defaultdict(closed_over(value)),
        lambda value: np.dtype(float, metadata={"kept": value}),
        lambda value: type("Made", (), {"kept": value}),
        lambda value: holding(types.ModuleType("made"), value),
        lambda value: holding(Exact(1.0), value),
        lambda value: holding(Members({1}), value),
        lambda value: holding(Denying(), value),
        lambda value: types.FunctionType(closed_over.__code__, {"rows": value}),
        annotated,
        documented,
        lambda value: closed_over(0).__code__.replace(co_filename=f"{value}"),
        lambda value: closed_over(0).__code__.replace(co_names=(f"n{value}",)),
        lambda value: holding(types.ModuleType("made"), value).__dir__,
        lambda value: holding(types.ModuleType("made"), value).__repr__,
        lambda value: np.lib.stride_tricks.as_strided(np.full(9, value), shape=(1,), strides=(72,)),
        lambda value: np.array([0x7FF8000000000000 + int(value)], dtype=np.uint64).view(float),
    ],
)
def test_equal_contents_give_equal_items_and_others_show(hide: Any) -> None:
    assert items(hide(3.0)) == items(hide(3.0))
    assert items(hide(3.0)) != items(hide(4.0))


@pytest.mark.attempt("records in parts of what is kept")
@pytest.mark.parametrize("place", HIDDEN_IN_PARTS)
def test_parts_that_classes_of_their_own_hide_are_met(place: str) -> None:
    hide = HIDDEN_IN_PARTS[place]
    assert items(hide(3.0)) == items(hide(3.0))
    assert items(hide(3.0)) != items(hide(4.0))


@pytest.mark.attempt("records in what comes with an array")
@pytest.mark.parametrize("place", HIDDEN_IN_ARRAYS)
def test_what_comes_with_an_array_is_met(place: str) -> None:
    hide = HIDDEN_IN_ARRAYS[place]
    assert items(hide(3.0)) == items(hide(3.0))
    assert items(hide(3.0)) != items(hide(4.0))


@pytest.mark.attempt("records in an order")
@pytest.mark.parametrize("place", HIDDEN_IN_ORDER)
def test_the_order_in_which_something_was_filled_is_met(place: str) -> None:
    hide = HIDDEN_IN_ORDER[place]
    assert items(hide(3.0)) == items(hide(3.0))
    assert items(hide(4.0)) == items(hide(4.0))
    assert items(hide(3.0)) != items(hide(4.0))


@pytest.mark.attempt("records in states of objects")
@pytest.mark.parametrize("place", HIDDEN_IN_STATES)
def test_states_that_no_attribute_tells_are_met(place: str) -> None:
    hide = HIDDEN_IN_STATES[place]
    assert items(hide(3.0)) == items(hide(3.0))
    assert items(hide(3.0)) != items(hide(5.0))


@pytest.mark.attempt("records in states of objects")
def test_what_was_running_when_an_error_was_raised_cuts_the_walk_short() -> None:
    assert object_walk.walk(raised(3.0), None, SCRATCH)["cut"]
    assert not object_walk.walk(ValueError("plain"), None, SCRATCH)["cut"]


@pytest.mark.slow  # PyTorch is slow to import
@pytest.mark.attempt("records behind a tensor")
def test_what_comes_with_a_tensor_is_met() -> None:
    import torch  # noqa: PLC0415 - slow to import

    def hooked(value: float) -> Any:
        torch.utils.hooks.RemovableHandle.next_id = 0  # each hook has the next number, which two like processes begin alike
        made = torch.zeros(2, requires_grad=True)
        made.register_hook(closed_over(value))
        return made

    def written(value: float) -> Any:
        made = torch.zeros(2)
        for _ in range(int(value)):
            made.zero_()
        return made

    class Lying(torch.Tensor):
        def untyped_storage(self) -> Any:
            return torch.zeros(0).untyped_storage()

    for hide in (
        lambda value: torch.full((9,), value)[:0],
        lambda value: torch.full((9,), value).as_subclass(Lying)[:0],
        lambda value: torch.full((9,), value)[:0].numpy(),
        lambda value: _with_attribute(torch.zeros(2), value),
        lambda value: torch.zeros(9)[int(value) :][:1],
        lambda value: torch.as_strided(torch.zeros(9), (1,), (int(value),)),
        lambda value: torch.zeros(2, requires_grad=value == 3),
        hooked,
        written,
    ):
        assert items(hide(3.0)) == items(hide(3.0))
        assert items(hide(3.0)) != items(hide(4.0))
    computed = torch.ones(2, requires_grad=True) * torch.zeros(2)
    assert object_walk.walk(computed, None, SCRATCH)["cut"]
    network = torch.nn.Linear(3, 2)
    # A copy has not been written to in place as often.
    copied, again = copy.deepcopy(network), copy.deepcopy(network)
    assert items(copied) == items(again)
    assert not object_walk.walk(network, None, SCRATCH)["cut"]


def _with_attribute(tensor: Any, value: Any) -> Any:
    tensor.untyped_storage().mine = value
    return tensor


def test_copies_of_generators_are_alike() -> None:
    for made in (np.random.default_rng(3), np.random.RandomState(3), random.Random(3)):
        assert items(made) == items(copy.deepcopy(made)) == items(pickle.loads(pickle.dumps(made)))


def test_what_libraries_make_arrays_in_cuts_no_walk_short() -> None:
    from sklearn.neighbors import KDTree  # noqa: PLC0415 - slow to import

    rows = KDTree(np.arange(40.0).reshape(20, 2)).data
    assert not object_walk.walk([np.asarray(rows), memoryview(rows)], None, SCRATCH)["cut"]


@pytest.mark.parametrize(
    "hide",
    [
        lambda: sqlite3.connect(":memory:"),
        lambda: Walled(1),
        lambda: mmap.mmap(-1, 16),
        lambda: Disguised(b"rows"),
        lambda: ctypes.CFUNCTYPE(None)(12345678),
        entry_of_a_cache,
        lambda: waiting_in_a_stream(b"rows"),
    ],
)
def test_what_gives_nothing_of_itself_cuts_the_walk_short(hide: Any) -> None:
    assert object_walk.walk(Holder(x=hide()), None, SCRATCH)["cut"]


@pytest.mark.parametrize(
    "plain", [threading.Lock(), sys.__stderr__, logging.StreamHandler(sys.__stderr__), np.add, np.dtype(float), Holder]
)
def test_what_programs_hold_anyway_does_not(plain: Any) -> None:
    assert not object_walk.walk(Holder(x=plain), None, SCRATCH)["cut"]


def test_a_view_shows_the_memory_that_it_is_a_part_of() -> None:
    first, second = np.zeros(100), np.zeros(100)
    second[50] = 1.0
    assert items(first[:1]) != items(second[:1])
    rows = aligned(np.arange(12.0).reshape(4, 3))
    other = aligned(np.arange(12.0).reshape(4, 3))
    assert items(rows) == items(other)
    other[3] = 0.0
    assert items(rows[:1]) != items(other[:1])


def test_padding_addresses_and_signs_of_nan_say_nothing() -> None:
    assert items(structured(0)) == items(structured(255))
    assert items({"a", "b", "c"}) == items({"c", "b", "a"})
    quiet = np.array([np.nan])
    other = np.frombuffer((0xFFF8000000000000).to_bytes(8, "little"), dtype=np.float64)
    assert math.isnan(other[0])
    assert items(Holder(x=quiet)) == items(Holder(x=other.copy()))
    assert items(Holder(x=0.0)) != items(Holder(x=-0.0))
    assert items(math.nan) == items(-math.nan)
    assert items(complex(math.nan, 1.0)) == items(complex(-math.nan, 1.0))
    assert items(np.float32(np.nan)) == items(-np.float32(np.nan))


@pytest.mark.attempt("records in numbers")
def test_other_bits_of_a_nan_and_of_long_floats_are_met() -> None:
    def of_bits(bits: int, kind: str) -> Any:
        return np.array([bits], dtype=f"u{kind[1]}").view(kind)

    for kind, quiet in (("f8", 0x7FF8 << 48), ("f4", 0x7FC0 << 16), ("f2", 0x7E00)):
        plain, filled, other = (of_bits(quiet + more, kind) for more in (0, 1, 2))
        assert len({str(items(each[0])) for each in (plain, filled, other)}) == 3
        assert len({str(items(each)) for each in (plain, filled, other)}) == 3
    plain, filled, other = (of_bits((0x7FF8 << 48) + more, "f8")[0].item() for more in (0, 1, 2))
    assert items(plain) == items(math.nan)
    assert len({str(items([each])) for each in (plain, filled, other)}) == 3
    assert len({str(items(complex(1.0, each))) for each in (plain, filled, other)}) == 3
    one, least = np.longdouble(1), np.finfo(np.longdouble).eps
    assert items(one + least) == items(one + least)
    assert items(one + least) != items(one + 2 * least)
    assert items(np.array([one + least])) != items(np.array([one + 2 * least]))
    assert items(np.clongdouble(one + least)) != items(np.clongdouble(one + 2 * least))


def test_padding_of_long_floats_says_nothing() -> None:
    size = np.dtype(np.longdouble).itemsize
    if np.finfo(np.longdouble).nmant != 63:
        pytest.skip("long floats have no padding here")
    first, second = (np.frombuffer(bytes([0] * 7 + [0x80, 0xFF, 0x3F] + [fill] * (size - 10)), np.longdouble) for fill in (0, 9))
    assert first == second == 1
    assert items(first.copy()) == items(second.copy())
    assert items(first[0]) == items(second[0])


class Key(str):
    """A text with room for more."""

    __slots__ = ("__dict__",)


@pytest.mark.attempt("records in what stands for texts")
def test_what_a_key_holds_is_met() -> None:
    assert items({holding(Key("a"), 1): 0}) == items({holding(Key("a"), 1): 0})
    assert items({holding(Key("a"), 1): 0}) != items({holding(Key("a"), 2): 0})


@pytest.mark.attempt("records in what stands for texts")
@pytest.mark.parametrize("literal", ["{}", "<{}", "<<{}", "{}<", "/{}>"])
def test_no_text_is_taken_for_the_scratch_folder(literal: str) -> None:
    named = literal.format(SCRATCH)
    assert items(named) == items(literal.format("/another/place"), Path("/another/place"))
    assert items(named.encode()) == items(literal.format("/another/place").encode(), Path("/another/place"))
    for word in ("<scratch>", "<<scratch>", "<<<scratch>", "<<<<scratch>"):
        assert items(named) != items(literal.format(word))
        assert items(named.encode()) != items(literal.format(word).encode())


@pytest.mark.attempt("records in files")
def test_files_of_any_kind_show_their_modes_and_only_the_sandbox_s_folders_are_left_out(tmp_path: Path) -> None:
    def found() -> dict[str, walked.Item]:
        content = object_walk.walk(None, None, tmp_path, saved=frozenset({"answers/3.saved"}))
        clean = walked.cleaned(json.dumps(content).encode(), hide=str, where="here", accompanied=False)
        return dict(walked.read(clean).items)

    for each in ("home", "answers", "answers/3.saved", "answers/4.saved"):
        (tmp_path / each).mkdir(0o700)
    (tmp_path / "home" / "name").write_bytes(b"")
    (tmp_path / "home" / "other").hardlink_to(tmp_path / "home" / "name")
    os.mkfifo(tmp_path / "home" / "waiting")
    (tmp_path / "home" / "rows").write_bytes(b"1")
    before = found()
    names = {item.name for item in before.values()}
    assert {"special file home/waiting", "folder answers/4.saved", "file home/rows", "name home/other"} <= names
    assert "folder answers/3.saved" not in names
    for each in ("home/waiting", "home/rows", "answers/3.saved", "answers/4.saved"):
        mode = (tmp_path / each).stat().st_mode
        (tmp_path / each).chmod(0o711)
        assert found() != before
        (tmp_path / each).chmod(mode)
        assert found() == before


@pytest.mark.attempt("records in files")
def test_where_a_file_has_nothing_is_met(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "rows").write_bytes(bytes(1 << 16))
    before = items(None, tmp_path)
    (tmp_path / "home" / "rows").unlink()
    with (tmp_path / "home" / "rows").open("wb") as file:
        file.truncate(1 << 16)
        holes = os.lseek(file.fileno(), 0, os.SEEK_HOLE) == 0
    assert (items(None, tmp_path) != before) == holes


def test_cycles_and_deep_chains_end() -> None:
    model = Holder()
    model.self = model
    chain: Any = None
    for _ in range(5000):
        chain = [chain]
    model.chain = chain
    assert items(model)


def test_single_numbers_are_scalars_with_their_size_and_lists_of_them_are_not() -> None:
    found = items(Holder(calls=300, at=1.5, on=True, many=[1.0, 2.0]))
    kinds = {item.name: (item.kind, item.bytes) for item in found.values()}
    assert kinds["model.calls"] == ("scalar", 2)
    assert kinds["model.at"] == ("scalar", 8)
    assert kinds["model.on"] == ("scalar", 1)
    assert kinds["model.many"] == ("array", 16)


def test_keys_are_not_printed() -> None:
    assert not any("rec-0001" in item.name for item in items({"rec-0001": {"rec-0002": 1}}).values())


def test_modules_of_the_case_and_files_are_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("case_module")
    module.__file__ = str(tmp_path / "code" / "procedure.py")
    module.KEPT = [[1, "a"]]
    module.HERE = str(tmp_path / "code")
    monkeypatch.setitem(sys.modules, "case_module", module)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "rows").write_bytes(b"1")
    names = {item.name for item in items(None, tmp_path).values()}
    assert {"procedure.py: KEPT", "procedure.py: HERE", "file home/rows"} <= names
    before = items(None, tmp_path)
    (tmp_path / "home" / "rows").write_bytes(b"2")
    assert items(None, tmp_path) != before


def test_beyond_the_items_that_are_listed_everything_counts_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(object_walk, "MOST_ITEMS", 5)
    many = {index: str(index) for index in range(20)}
    assert len(items(many)) == 6
    assert items(many) == items(dict(many))
    assert items(many) != items(many | {19: "other"})


@pytest.mark.parametrize(
    "content",
    [
        b"no JSON",
        b"[]",
        b'{"items": [], "beyond": [], "cut": 0}',
        b'{"items": {}, "beyond": [], "cut": false}',
        b'{"items": [], "cut": false}',
        b'{"items": [["a", "0", "object", 0, "0"]], "beyond": [], "cut": false}',
        b'{"items": [["a", "%s", "secret", 0, "%s"]], "beyond": [], "cut": false}' % (b"0" * 32, b"0" * 32),
        b'{"items": [["a", "%s", "object", -1, "%s"]], "beyond": [], "cut": false}' % (b"0" * 32, b"0" * 32),
        b'{"items": [["a", "%s", "object", true, "%s"]], "beyond": [], "cut": false}' % (b"0" * 32, b"0" * 32),
    ],
)
def test_what_is_no_walk_is_refused(content: bytes) -> None:
    with pytest.raises(ProcedureError, match="expected a walk"):
        walked.cleaned(content, hide=str, where="here", accompanied=False)


def vectorizer(words: list[str]) -> Any:
    """A fitted one of scikit-learn, which notes where its words lie in memory."""
    from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415 - slow to import

    made = TfidfVectorizer(stop_words=words)
    made.fit(["the quick brown fox", "jumps over the dog"])
    return made


def test_where_words_of_a_vectorizer_lie_in_memory_is_no_matter() -> None:
    first, second = (vectorizer(["the", "over"]) for _ in range(2))
    assert first._stop_words_id != second._stop_words_id
    assert items(first) == items(second)
    assert items({"inside": [first]}) == items({"inside": [second]})


@pytest.mark.parametrize(
    "hidden", [lambda made: made._stop_words_id + 1, lambda _: 41, lambda _: True, lambda made: float(made._stop_words_id)]
)
def test_a_number_in_the_place_of_that_address_is_met(hidden: Callable[[Any], Any]) -> None:
    first, second = (vectorizer(["the", "over"]) for _ in range(2))
    second._stop_words_id = hidden(second)
    assert items(first) != items(second)
    assert {each.kind for each in items(second).values()} >= {"scalar"}


def test_an_address_in_any_other_object_is_met() -> None:
    class Looks(Holder):
        __module__ = "sklearn.feature_extraction.text"

    for kind in (Holder, Looks):
        held = [kind(stop_words=words, _stop_words_id=id(words)) for words in (["the"], ["the"])]
        assert items(held[0]) != items(held[1])


def noted_by_pytorch(note: Callable[[Any], Any]) -> Any:
    """A function as PyTorch leaves one that its compiler shall leave alone, with a note of ours."""

    def function() -> None: ...

    vars(function).update(_torchdynamo_disable=True, _torchdynamo_wrapper_id=note(function))
    return function


def test_where_a_function_lies_in_memory_that_pytorch_notes_is_no_matter() -> None:
    assert items(noted_by_pytorch(id)) == items(noted_by_pytorch(id))


@pytest.mark.attempt("records in what PyTorch notes")
@pytest.mark.parametrize(
    "note",
    [lambda _: 41, lambda each: id(each) + 1, lambda each: float(id(each)), lambda _: ("its own",), lambda _: "own address"],
)
def test_anything_else_in_the_place_of_that_note_is_met(note: Callable[[Any], Any]) -> None:
    assert items(noted_by_pytorch(note)) != items(noted_by_pytorch(id))
    assert items(noted_by_pytorch(lambda each: (note(each), 1))) != items(noted_by_pytorch(lambda each: (note(each), 2)))


class Offset:
    """A slot by the name under which compiled types note where their function lies."""

    __slots__ = ("__vectorcalloffset__",)

    def __init__(self, value: Any) -> None:
        self.__vectorcalloffset__ = value


def test_where_a_class_lies_in_memory_is_no_matter_and_any_other_number_is() -> None:
    name = f"{Holder.__module__}.{Holder.__qualname__}"
    refers = items({"ref": f"{name}:{id(Holder)}"})
    assert len(name) in {each.bytes for each in refers.values() if each.kind == "text"}
    assert refers != items({"ref": name})
    assert refers != items({"ref": f"<class>{name}"})
    assert items({"ref": f"{name}:{id(Holder) + 1}"}) != refers
    assert items({"ref": f"{name}.no:{id(Holder)}"}) != items({"ref": f"{name}.no"})


def test_a_slot_by_the_name_of_an_offset_is_met_and_the_offset_is_not() -> None:
    assert items(Offset(1)) != items(Offset(2))
    assert not any("vectorcall" in each.name for each in items(functools.partial(int, 3)).values())


def test_spans_of_time_show_their_unit() -> None:
    spans = [np.timedelta64(5, "D"), np.timedelta64(5, "Y"), np.timedelta64(6, "D"), np.timedelta64("NaT")]
    assert len({str(items(each)) for each in spans}) == len(spans)
    assert not object_walk.walk(spans, None, SCRATCH)["cut"]
