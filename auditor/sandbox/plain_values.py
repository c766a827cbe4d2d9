"""What holds nothing but a value: numbers and arrays of them, as content by which two processes are compared.

Arrays count as shape, dtype and values, field by field and without padding, every NaN that a processor makes as one.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from auditor.learning.own_formats import tensor_values

_NUMBERS: Final = {each for each in np.sctypeDict.values() if issubclass(each, np.number | np.bool_)} - {np.timedelta64}
PLAIN_SCALARS: Final = frozenset({bool, int, float, complex} | _NUMBERS)


def of_scalar(value: Any) -> tuple[str, int, bytes]:
    """Give a number by its type, size and bits, every NaN as one."""
    number = value.item() if isinstance(value, np.generic) else value
    name = type(value).__name__.encode()
    if isinstance(number, bool):
        return "scalar", 1, name + str(number).encode()
    if isinstance(number, int):
        return "scalar", max(1, (number.bit_length() + 7) // 8), name + hex(number).encode()
    content = repr(number) if isinstance(number, complex) else ("nan" if math.isnan(number) else float(number).hex())
    return "scalar", 16 if isinstance(number, complex) else 8, name + content.encode()


def numbers_alone(values: Iterable[Any]) -> bool:
    """Tell whether there are numbers and nothing else."""
    found = False
    for each in values:
        if type(each) not in PLAIN_SCALARS:
            return False
        found = True
    return found


def array_of(value: Any) -> np.ndarray[Any, Any] | None:
    """Give an array of NumPy, whatever its class says that it is, one of PyTorch as NumPy holds it; None for anything else."""
    if issubclass(type(value), np.ndarray):
        return value if type(value) is np.ndarray else np.ndarray.view(value, np.ndarray)
    if isinstance(value, np.void | np.generic):
        return np.asarray(value)
    return tensor_values(value)


_NANS: Final = {
    np.dtype(name): np.array([quiet, quiet | sign], dtype=np.dtype(f"u{name[1]}"))
    for name, quiet, sign in (("f8", 0x7FF8 << 48, 1 << 63), ("f4", 0x7FC0 << 16, 1 << 31), ("f2", 0x7E00, 1 << 15))
}
"""The bits of a NaN that processors make, by dtype."""


def of_array(array: np.ndarray[Any, Any]) -> bytes:
    """Give shape, dtype and values of an array that holds no objects."""
    if array.dtype.names is not None:
        fields = b"".join(name.encode() + b":" + of_array(array[name]) for name in array.dtype.names)
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
