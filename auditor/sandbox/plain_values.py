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


_LONG: Final = frozenset({np.longdouble, np.clongdouble})
_EXTENDED: Final = 10
"""Bytes of a number in the extended format of x86."""
_FRACTION: Final = 63
"""Bits of its fraction that NumPy counts."""


def of_scalar(value: Any) -> tuple[str, int, bytes]:
    """Give a number by its type, size and bits, every NaN that a processor makes as one."""
    name = type(value).__name__.encode()
    if type(value) in _LONG:
        bits = _without_padding(np.asarray(value))
        return "scalar", len(bits), name + bits
    number = value.item() if isinstance(value, np.generic) else value
    if isinstance(number, bool):
        return "scalar", 1, name + str(number).encode()
    if isinstance(number, int):
        return "scalar", max(1, (number.bit_length() + 7) // 8), name + hex(number).encode()
    content = repr(number) if isinstance(number, complex) else ("nan" if math.isnan(number) else float(number).hex())
    return "scalar", 16 if isinstance(number, complex) else 8, name + content.encode() + _in_nans(value, number)


def _in_nans(value: Any, number: complex) -> bytes:
    """The bits of a number if a NaN in it holds others than a processor gives it."""
    if not (math.isnan(number.real) or math.isnan(number.imag)):
        return b""
    parts = np.asarray(value)
    parts = parts.reshape(1).view(f"f{parts.itemsize // 2}") if isinstance(number, complex) else parts.reshape(1)
    return b"" if _made_by_processor(parts[np.isnan(parts)]) else b" " + parts.tobytes()


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
    if values.dtype.type in _LONG:
        return f"{array.dtype.str} {array.shape} ".encode() + hashlib.blake2b(_without_padding(values)).digest()
    if values.dtype.newbyteorder("=") in _NANS and (there := np.isnan(values)).any() and _made_by_processor(values[there]):
        values = values.copy()
        values[there] = np.nan
    # Of a long array the digest stands for its values.
    return f"{array.dtype.newbyteorder('=').str} {array.shape} ".encode() + hashlib.blake2b(values.tobytes()).digest()


def _made_by_processor(nans: np.ndarray[Any, Any]) -> bool:
    """Whether NaNs are as a processor makes them, with either sign and no other bits: what else is in one has been put there."""
    native = nans.astype(nans.dtype.newbyteorder("="), copy=False)
    return bool(np.isin(native.view(f"u{native.itemsize}"), _NANS[native.dtype]).all())


def _without_padding(values: np.ndarray[Any, Any]) -> bytes:
    """The bytes of long floats, without those that a processor neither reads nor writes."""
    one = np.dtype(np.longdouble).itemsize
    by_number = np.frombuffer(values.tobytes(), dtype=np.uint8).reshape(-1, one)
    return by_number[:, : _EXTENDED if np.finfo(np.longdouble).nmant == _FRACTION else one].tobytes()
