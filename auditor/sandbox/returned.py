"""What a procedure returns through files: opened without following links, bounded, and checked before anything uses it.

The folder is writable by foreign code at every moment, so it is reached through a descriptor that was opened before that code
started, each file is read once into memory, and all checks look at that memory. The array reader understands exactly the
`.npy` headers that NumPy writes for float32 and float64 (NEP 1, format versions 1.0 and 2.0) and allocates nothing that the
file does not hold.
"""

from __future__ import annotations

import math
import os
import re
import stat
from typing import NoReturn

import numpy as np

from auditor.domain import Floats
from auditor.errors import ProcedureError
from auditor.sandbox.limits import MEBIBYTE

READ_BYTES = 1024 * MEBIBYTE
"""The largest file that is read back, whatever the limits allow a procedure to write."""

_MAGIC = b"\x93NUMPY"
_HEADER = re.compile(
    r"\{'descr': '([^']{1,40})', 'fortran_order': (True|False), 'shape': \(((?:[0-9]{1,18}, )*[0-9]{1,18},?|)\), \} *\n"
)
_HEADER_BYTES = 4096
_BYTES = {"<f4": 4, "<f8": 8}
_SUM_TOLERANCE = 1e-6


def read_file(folder: int, name: str, *, limit: int, where: str) -> bytes:
    """The bytes of one regular file, which is removed once it is read.

    Args:
        folder: A descriptor of the folder.
        name: The file's name in it.
        limit: How many bytes it may have.
        where: The step, for the message.

    Raises:
        ProcedureError: If it is missing, a link, no regular file, or too large.
    """
    limit = min(limit, READ_BYTES)
    try:
        # O_NONBLOCK: opening a named pipe must not wait for a writer.
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except OSError as error:
        kind = "a symbolic link" if _is_link(folder, name) else (error.strerror or "an error").lower()
        _refuse(where, "a regular file in its scratch folder", kind)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
            _refuse(where, "a regular file in its scratch folder", "something that is none, or has a second name")
        if status.st_size > limit:
            _refuse(where, f"a file of at most {limit} bytes", f"{status.st_size} bytes")
        with os.fdopen(os.dup(descriptor), "rb") as file:
            content = file.read(limit + 1)
    finally:
        os.close(descriptor)
    if len(content) > limit:
        _refuse(where, f"a file of at most {limit} bytes", "more")
    try:
        os.unlink(name, dir_fd=folder)
    except OSError as error:
        _refuse(where, "a file that stays until it is read", (error.strerror or "an error").lower())
    return content


def _is_link(folder: int, name: str) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


def read_only_file(folder: int, *, limit: int, where: str) -> bytes:
    """The bytes of the one file in a folder, whatever its name: writers differ in the suffix that they add.

    Raises:
        ProcedureError: If the folder holds nothing or more than one entry, or as `read_file`.
    """
    with os.scandir(folder) as entries:
        # Two are enough to know that it is not one; a folder can hold millions.
        names = [entry.name for _, entry in zip(range(2), entries, strict=False)]
    if len(names) != 1:
        _refuse(where, "one file at the path that it was given", "several" if names else "none")
    return read_file(folder, names[0], limit=limit, where=where)


def array_from(content: bytes, where: str) -> Floats:
    """An array of finite numbers, from the bytes of a `.npy` file; float32 is widened to float64.

    Raises:
        ProcedureError: If the bytes are no such file, are too few or too many, hold another dtype, or a number is not finite.
    """
    version, width = content[6:8], 2 if content[6:7] == b"\x01" else 4
    start = 8 + width
    if content[:6] != _MAGIC or version not in {b"\x01\x00", b"\x02\x00"} or len(content) < start:
        _refuse(where, "an array in the .npy format", "something else")
    stop = start + int.from_bytes(content[8:start], "little")
    header = _HEADER.fullmatch(content[start:stop].decode("latin-1")) if stop - start <= _HEADER_BYTES else None
    if stop > len(content) or header is None:
        _refuse(where, "an array in the .npy format", "a header that is cut short or unknown")
    if header[1] not in _BYTES:
        _refuse(where, "an array of dtype float32 or float64", f"dtype {header[1]}")
    shape = tuple(int(size) for size in re.findall(r"[0-9]+", header[3]))
    if math.prod(shape) * _BYTES[header[1]] != len(content) - stop:
        _refuse(where, f"an array of shape {shape}", f"{len(content) - stop} bytes, which is not its size")
    flat: Floats = np.frombuffer(content, dtype=header[1], offset=stop).astype(np.float64)
    if not np.isfinite(flat).all():
        _refuse(where, "finite numbers", f"{int(np.count_nonzero(~np.isfinite(flat)))} of {flat.size} not finite")
    try:
        return flat.reshape(shape, order="F" if header[2] == "True" else "C")
    except ValueError:  # more dimensions than NumPy has, or a product that overflows
        _refuse(where, "an array", f"{len(shape)} dimensions")


def parameters_from(content: bytes, where: str) -> Floats:
    """The parameters, shape (d,), d at least 1.

    Raises:
        ProcedureError: As `array_from`, or if the array has another number of dimensions.
    """
    array = array_from(content, where)
    if array.ndim != 1 or array.size == 0:
        _refuse(where, "an array of shape (d,), d at least 1", f"shape {array.shape}")
    return array


def predictions_from(content: bytes, where: str, *, rows: int, columns: int | None) -> Floats:
    """The predictions for `rows` records: (rows, columns) probabilities, or (rows,) real values where `columns` is None.

    Raises:
        ProcedureError: As `array_from`, or if the shape differs, a probability is negative, or a row does not sum to one
            within 1e-6.
    """
    array = array_from(content, where)
    if columns is None:
        if array.shape not in {(rows,), (rows, 1)}:
            _refuse(where, f"an array of shape ({rows},) or ({rows}, 1)", f"shape {array.shape}")
        return array.reshape(rows)
    if array.shape != (rows, columns):
        _refuse(where, f"an array of shape ({rows}, {columns})", f"shape {array.shape}")
    if (array < 0).any():
        _refuse(where, "probabilities", f"{int(np.count_nonzero((array < 0).any(axis=1)))} of {rows} rows with a negative number")
    with np.errstate(over="ignore"):
        off = np.abs(array.sum(axis=1) - 1.0) > _SUM_TOLERANCE
    if off.any():
        _refuse(where, "probabilities that sum to one in every row", f"{int(np.count_nonzero(off))} of {rows} rows that do not")
    return array


def released_from(content: bytes, where: str, *, games: int) -> Floats:
    """What games released, shape (games, k), k at least 1.

    Raises:
        ProcedureError: As `array_from`, or if the shape differs.
    """
    array = array_from(content, where)
    if array.ndim != 2 or array.shape[0] != games or array.shape[1] == 0:
        _refuse(where, f"an array of shape ({games}, k), k at least 1", f"shape {array.shape}")
    return array


def guesses_from(content: bytes, where: str, *, games: int) -> Floats:
    """Guesses, shape (games,), each 0 or 1.

    Raises:
        ProcedureError: As `array_from`, or if the shape differs or a guess is another number.
    """
    array = array_from(content, where)
    if array.shape != (games,) or not np.isin(array, (0.0, 1.0)).all():
        _refuse(where, f"an array of shape ({games},) of 0 and 1", f"shape {array.shape}, or other numbers")
    return array


def _refuse(where: str, expected: str, found: str) -> NoReturn:
    raise ProcedureError(f"{where}: expected {expected}, found {found}")
