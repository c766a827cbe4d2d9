"""What a fitted object carries with it, as plain arrays.

A search for deleted records needs to see every number that a model keeps, wherever it keeps it: a nearest-neighbour model keeps
whole rows. Pickling would show them too, but in frames and in memory order, and nobody should have to unpickle to look.
"""

from __future__ import annotations

import io
import types
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.learning.own_formats import in_own_format, tensor_values

Array: TypeAlias = npt.NDArray[Any]

_NUMBERS = (bool, int, float, complex, np.number, np.bool_)
_RANDOM = (np.random.RandomState, np.random.Generator, np.random.BitGenerator, np.random.SeedSequence)
"""Sources of random numbers: they hold no record, and their state comes from the seed, which is a secret."""
_CODE = (type, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType, np.ufunc, np.dtype)
_NO_RECORDS = (type(None), *_NUMBERS, *_RANDOM, *_CODE)


def arrays(owner: object, *, without: frozenset[str] = frozenset()) -> dict[str, Array]:
    """Every array that can be reached from an object's attributes, by the path to it, such as `estimators_.0.tree_.1.nodes`.

    Lists of numbers count as arrays, and so do texts. Single numbers are left out: one number is no record.

    Args:
        owner: A fitted estimator, or any object.
        without: Names of attributes of `owner` that are left out.

    Returns:
        Arrays of numbers, of texts, or of records of numbers, contiguous in row-major order; never of objects. The order depends
        on the content alone.

    Raises:
        TypeError: If something that it holds cannot be taken apart. To leave it out in silence would hide what it holds.
    """
    walk = _Walk()
    for name in sorted(vars(owner)):
        if name not in without:
            walk.visit(vars(owner)[name], name)
    return walk.found


def npy(found: Mapping[str, Array]) -> bytes:
    """The arrays one after another, each in the .npy format."""
    stream = io.BytesIO()
    for array in found.values():
        np.save(stream, array, allow_pickle=False)
    return stream.getvalue()


class _Walk:
    """One way through an object, on which nothing is visited twice."""

    def __init__(self) -> None:
        self.found: dict[str, Array] = {}
        # The objects themselves are kept: the number of one that is gone could be given to another.
        self._seen: dict[int, object] = {}

    def visit(self, value: Any, path: str) -> None:
        """Note the arrays in `value`."""
        if isinstance(value, _NO_RECORDS) or id(value) in self._seen:
            return
        self._seen[id(value)] = value
        match value:
            case np.ndarray() if not value.dtype.hasobject:
                # In row-major order, so that a row of the training data is one run of bytes.
                self.found[path] = np.ascontiguousarray(value)
            case str():
                self.found[path] = np.array([value])
            case bytes() | bytearray() | memoryview():
                self.found[path] = np.frombuffer(value, dtype=np.uint8)
            case list() | tuple() if value and all(isinstance(item, _NUMBERS) for item in value):
                self._numbers(list(value), path)
            case list() | tuple() | np.ndarray() | set() | frozenset() | dict():
                for key, item in _items(value):
                    self.visit(item, f"{path}.{key}")
            case _ if (tensor := tensor_values(value)) is not None:
                # Pickled it would come with an address.
                self.found[path] = np.ascontiguousarray(tensor)
            case _ if (own := in_own_format(value)) is not None:
                self.visit(own, path)
            case _:
                self._object(value, path)

    def _numbers(self, values: list[Any], path: str) -> None:
        array = np.asarray(values)
        if array.dtype.hasobject:  # integers of more than 64 bits
            array = np.array([str(each) for each in values])
        self.found[path] = array

    def _object(self, value: Any, path: str) -> None:
        """Take an object apart as copying and pickling do, which compiled classes support as well."""
        try:
            parts = value.__reduce_ex__(2)
        except TypeError as error:
            raise TypeError(f"what {path} holds, a {type(value).__name__}, cannot be taken apart") from error
        if isinstance(parts, tuple):
            _, arguments, *state = parts
            self.visit(tuple(arguments), path)
            for part in state:
                self.visit(list(part) if hasattr(part, "__next__") else part, path)


def _items(value: Any) -> Iterable[tuple[Any, Any]]:
    """What a container holds, with keys, in an order that depends on the content alone."""
    match value:
        case dict():
            return sorted(value.items(), key=lambda item: repr(item[0]))
        case set() | frozenset():
            return enumerate(sorted(value, key=repr))
        case np.ndarray():
            return enumerate(value.ravel().tolist())
        case _:
            return enumerate(value)
