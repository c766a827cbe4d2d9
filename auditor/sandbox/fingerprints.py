"""A digest of whatever a Python object holds, as far as it can be followed: equal values give equal digests.

The objects are foreign. What raises, ends the way there and counts by the kind of its error; what is too large is cut off.
"""

from __future__ import annotations

import hashlib
import random
import types
import warnings
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, Final

import numpy as np

_MOST: Final = 100_000
"""Objects that one digest covers."""
_DEEPEST: Final = 100
_SCALARS: Final = (bool, int, float, complex, str, bytes, bytearray, type(None), type(Ellipsis))
_NAMED: Final = (type, types.ModuleType, types.BuiltinFunctionType, np.ufunc, np.dtype)


def fingerprint(value: Any) -> str:
    """The digest, 32 hexadecimal digits."""
    walk = _Walk()
    walk.visit(value, 0)
    return walk.digest()


def is_cache(value: Any) -> bool:
    """Whether it is a function that functools caches the answers of."""
    try:
        return not isinstance(value, type) and callable(getattr(value, "cache_info", None))
    except Exception:  # noqa: BLE001 - foreign objects raise what they like
        return False


class _Walk:
    """One way through an object, on which nothing is visited twice."""

    def __init__(self) -> None:
        self._hash = hashlib.blake2b(digest_size=16)
        # The objects themselves are kept: the number of one that is gone could be given to another.
        self._seen: dict[int, tuple[int, object]] = {}

    def digest(self) -> str:
        return self._hash.hexdigest()

    def visit(self, value: Any, depth: int) -> None:
        """Digest a value; whatever it raises is its own."""
        try:
            self._visit(value, depth)
        except Exception as error:  # noqa: BLE001 - foreign objects raise what they like
            self._note("raised", type(error).__name__)

    def _visit(self, value: Any, depth: int) -> None:
        if isinstance(value, _SCALARS):
            self._note(type(value).__name__, hex(value) if type(value) is int else repr(value))
            return
        if isinstance(value, _NAMED):
            self._note("named", repr(getattr(value, "__qualname__", None) or getattr(value, "__name__", type(value).__name__)))
            return
        if (seen := self._seen.get(id(value))) is not None:
            self._note("again", str(seen[0]))
            return
        if len(self._seen) >= _MOST or depth > _DEEPEST:
            self._note("cut off", type(value).__name__)
            return
        self._seen[id(value)] = (len(self._seen), value)
        self._note("of", type(value).__qualname__)
        if isinstance(value, np.ndarray | np.generic):
            self._array(np.asarray(value), depth)
        elif isinstance(value, set | frozenset):
            self._note("set", "".join(sorted(fingerprint(item) for item in value)))
        else:
            for part in _parts(value):
                self.visit(part, depth + 1)

    def _array(self, array: np.ndarray[Any, Any], depth: int) -> None:
        self._note("array", f"{array.dtype.str}{array.shape}")
        if array.dtype.hasobject:
            for item in array.ravel().tolist():
                self.visit(item, depth + 1)
        else:
            self._hash.update(np.ascontiguousarray(array).tobytes())

    def _note(self, kind: str, text: str) -> None:
        content = text.encode("utf-8", "surrogatepass")
        self._hash.update(f"{kind} {len(content)} ".encode() + content)


def _parts(value: Any) -> Iterable[Any]:
    """What an object is made of, in an order of its own."""
    if is_cache(value):
        return tuple(value.cache_info()), getattr(value, "__wrapped__", None)
    for kind, parts in _PARTS:
        if isinstance(value, kind):
            return parts(value)
    if type(value).__module__.partition(".")[0] == "torch" and callable(getattr(value, "detach", None)):
        return (value.detach().cpu().numpy(),)
    return _of_object(value)


def _of_generator(generator: types.GeneratorType[Any, Any, Any]) -> tuple[Any, ...]:
    frame = generator.gi_frame
    return (None,) if frame is None else (frame.f_lasti, dict(frame.f_locals))


def _of_function(function: types.FunctionType) -> tuple[Any, ...]:
    cells = function.__closure__ or ()
    return function.__qualname__, function.__defaults__, function.__kwdefaults__, dict(function.__dict__), *cells


def _of_object(value: Any) -> tuple[Any, ...]:
    """Take an object apart as copying and pickling do, which compiled classes support as well."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parts = value.__reduce_ex__(2)
    if not isinstance(parts, tuple):
        return (parts,)
    # Items of a list and of a mapping come as iterators, behind what makes the object and its state.
    return (*parts[:3], *(list(islice(part, _MOST)) for part in parts[3:5] if part is not None))


_PARTS: Final[tuple[tuple[type, Callable[[Any], Iterable[Any]]], ...]] = (
    (dict, lambda value: [part for pair in list(value.items()) for part in pair]),
    (types.MappingProxyType, lambda value: [part for pair in list(value.items()) for part in pair]),
    (list, list),
    (tuple, list),
    (types.FunctionType, _of_function),
    (types.MethodType, lambda value: (value.__func__, value.__self__)),
    (staticmethod, lambda value: (value.__func__,)),
    (classmethod, lambda value: (value.__func__,)),
    (property, lambda value: (value.fget, value.fset, value.fdel)),
    (types.CellType, lambda value: (value.cell_contents,)),
    (types.GeneratorType, _of_generator),
    (random.Random, lambda value: (value.getstate(),)),
    (np.random.Generator, lambda value: (value.bit_generator.state,)),
    (np.random.BitGenerator, lambda value: (value.state,)),
    (np.random.RandomState, lambda value: (value.get_state(legacy=False),)),
)
"""What the values of a type are made of; anything else is taken apart as copying does."""
