"""Tensors by name, as a `state_dict` has them, and where each lies in the one vector that `parameters()` gives.

A file of named tensors has many more places than its numbers: the names, which tensors there are at all, their order and types.
A layout is what a module says of itself in a process that holds no record; it fixes all of them, and the value of every tensor
that training leaves alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Message

KINDS: Final = {
    "U64": "<u8", "I64": "<i8", "F64": "<f8", "F32": "<f4", "U32": "<u4", "I32": "<i4", "BF16": None, "F16": "<f2",
    "U16": "<u2", "I16": "<i2", "I8": "|i1", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
"""Types of elements, as safetensors calls them and in the order in which it writes them, and as NumPy does, which lacks one."""
MOST_TENSORS: Final = 100_000
LONGEST_NAME: Final = 1000
_EXACT: Final = 2**53
"""Up to which every whole number is a float64."""
_WIDTHS: Final = {"BF16": 2}


def width(kind: str) -> int:
    """Bytes of an element."""
    found = KINDS[kind]
    return _WIDTHS[kind] if found is None else np.dtype(found).itemsize


@dataclass(frozen=True, slots=True)
class Tensor:
    """One tensor as a file holds it."""

    kind: str
    """A name in `KINDS`."""
    shape: tuple[int, ...]
    data: bytes = field(repr=False)
    """In the order of C, little-endian."""

    @property
    def array(self) -> npt.NDArray[Any] | None:
        """Its elements, flat; None where NumPy has no such type."""
        kind = KINDS[self.kind]
        return None if kind is None else np.frombuffer(self.data, dtype=kind)


def canonical(tensors: Mapping[str, Tensor], *, metadata: bool = False) -> bytes:
    """Write tensors as safetensors in the one order that its library gives them.

    Args:
        tensors: By name.
        metadata: Whether the file states `format = "pt"`, its only metadata.
    """
    order = list(KINDS)
    names = sorted(tensors, key=lambda name: (order.index(tensors[name].kind), name.encode()))
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}} if metadata else {}
    end = 0
    for name in names:
        begin, end = end, end + len(tensors[name].data)
        header[name] = {"dtype": tensors[name].kind, "shape": list(tensors[name].shape), "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return b"".join([len(text).to_bytes(8, "little"), text, *(tensors[name].data for name in names)])


@dataclass(frozen=True, slots=True)
class Place:
    """A tensor of a module's `state_dict`."""

    name: str
    kind: str
    shape: tuple[int, ...]
    at: int | None
    """Where it begins in `parameters()`; None where training leaves it alone."""
    digest: str | None
    """SHA-256 of what it holds then; None where training changes it."""
    frozen: bool
    """Whether it is a parameter that training leaves alone, and no buffer."""

    @property
    def size(self) -> int:
        """How many elements it has."""
        return prod(self.shape)


@dataclass(frozen=True, slots=True)
class Layout:
    """The tensors of a module, in the order of its `state_dict`."""

    places: tuple[Place, ...]
    size: int
    """How many numbers `parameters()` gives."""

    def to_bytes(self) -> bytes:
        """As JSON."""
        return json.dumps(asdict(self), allow_nan=False).encode()

    @classmethod
    def read(cls, content: bytes) -> Layout:
        """What `to_bytes` wrote, in a process that nobody vouches for.

        Raises:
            ValueError: If it is no layout: a name twice, an unknown type, places outside the vector or not all of it.
        """
        try:
            found = json.loads(content or b"null")
            places = tuple(_place(each) for each in found["places"])
            size = int(found["size"])
        except (KeyError, TypeError, AttributeError, RecursionError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise ValueError("expected a layout of tensors, found something else") from error
        covered = sorted({(each.at, each.size) for each in places if each.at is not None})
        ends = [0, *(at + count for at, count in covered if count)]
        if [at for at, count in covered if count] != ends[:-1] or ends[-1] != size:
            raise ValueError("expected tensors that make up all of parameters(), found others")
        if len({each.name for each in places}) < len(places) or len(places) > MOST_TENSORS:
            raise ValueError(f"expected at most {MOST_TENSORS} tensors, each name once")
        return cls(places, size)

    def vector(self, tensors: Mapping[str, Tensor]) -> tuple[npt.NDArray[Any] | None, tuple[Message, ...]]:
        """The numbers of a file's tensors in the order of `parameters()`.

        Args:
            tensors: By name.

        Returns:
            Shape (p,), and everything that keeps the file from being this module's; None for the numbers where any is missing.
        """
        known = {each.name: each for each in self.places}
        reasons = list(_misfits(known, tensors))
        fitting = {name: tensors[name] for name, place in known.items() if name in tensors and _fits(place, tensors[name])}
        kinds = {known[name].kind for name in fitting if known[name].at is not None}
        alike = KINDS[next(iter(kinds))] if len(kinds) == 1 else None
        floats = np.dtype(alike) if alike is not None and np.dtype(alike).kind == "f" else np.dtype("<f8")
        values, filled = np.zeros(self.size, dtype=floats), np.zeros(self.size, dtype=bool)
        tied = True
        for name, tensor in fitting.items():
            at, array = known[name].at, tensor.array
            if at is None or array is None:
                continue
            there = slice(at, at + array.size)
            if filled[there].all() and values[there].tobytes() != array.astype(floats).tobytes():
                tied = False
            values[there], filled[there] = array, True
        if not tied:
            reasons.append(Message("model.tensors.not-tied"))
        if not filled.all():
            missing = {each.at for each in self.places if each.at is not None and not filled[each.at : each.at + each.size].all()}
            reasons.append(Message("model.tensors.missing", {"tensors": len(missing)}))
            return None, tuple(reasons)
        if not self._is_a_form(set(fitting)):
            reasons.append(Message("model.tensors.some-left-out"))
        return values, tuple(reasons)

    def tensors_of(self, values: npt.NDArray[Any]) -> dict[str, Tensor]:
        """The tensors that `parameters()` determines, by name.

        Args:
            values: Shape (p,).
        """
        found = {}
        for each in self.places:
            kind = KINDS[each.kind]
            if each.at is not None and kind is not None:
                part = values[each.at : each.at + each.size].astype(kind)
                found[each.name] = Tensor(each.kind, each.shape, part.tobytes())
        return found

    def _is_a_form(self, names: set[str]) -> bool:
        """Whether a file holds every tensor, or leaves out all of a sort: to choose among them could say something."""
        every = {each.name for each in self.places}
        frozen = {each.name for each in self.places if each.frozen}
        constant = {each.name for each in self.places if each.at is None}
        firsts: dict[int, str] = {}
        for each in self.places:
            if each.at is not None and each.size:
                firsts.setdefault(each.at, each.name)
        again = {each.name for each in self.places if each.at is not None and each.size and firsts[each.at] != each.name}
        return any(names == every - left - more for left in (set(), frozen, constant) for more in (set(), again))


def _misfits(known: Mapping[str, Place], tensors: Mapping[str, Tensor]) -> Iterator[Message]:
    unknown = [tensors[name] for name in tensors if name not in known]
    if unknown:
        yield Message("model.tensors.unknown", {"tensors": len(unknown), "bytes": sum(len(each.data) for each in unknown)})
    shaped = [name for name, tensor in tensors.items() if name in known and not _alike(known[name], tensor)]
    if shaped:
        yield Message("model.tensors.other-shape", {"tensors": len(shaped)})
    changed = [
        name
        for name, tensor in tensors.items()
        if name in known and known[name].at is None and _alike(known[name], tensor) and not _fits(known[name], tensor)
    ]
    if changed:
        size = sum(len(tensors[name].data) for name in changed)
        yield Message("model.tensors.other-constant", {"tensors": len(changed), "bytes": size})


def _alike(place: Place, tensor: Tensor) -> bool:
    if (tensor.kind, tensor.shape) != (place.kind, place.shape):
        return False
    array = tensor.array
    if place.at is None:
        return True
    # Of a larger whole number a float64 loses the low digits, which nobody would then compare.
    return array is not None and (array.dtype.kind not in "iu" or not array.size or bool(np.all(np.abs(array) <= _EXACT)))


def _fits(place: Place, tensor: Tensor) -> bool:
    if not _alike(place, tensor):
        return False
    return place.digest is None or hashlib.sha256(tensor.data).hexdigest() == place.digest


def _place(found: Mapping[str, Any]) -> Place:
    shape = tuple(found["shape"])
    name, kind, at, digest = found["name"], found["kind"], found["at"], found["digest"]
    whole: Sequence[Any] = (*shape, *(() if at is None else (at,)))
    sound = isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and kind in KINDS
    counted = all(type(each) is int and 0 <= each < _EXACT for each in whole)
    if not sound or not counted or len(shape) > 16 or (at is None) != isinstance(digest, str):
        raise ValueError("expected a layout of tensors, found something else")
    return Place(name, kind, shape, at, digest, found["frozen"] is True)
