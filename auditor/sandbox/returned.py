"""What a procedure returns through files: opened without following links, bounded, and checked before anything uses it.

The folder is writable by foreign code at every moment, so it is reached through a descriptor that was opened before that code
started, each file is read once into memory, and all checks examine that memory. Arrays are of float32 or float64, in the `.npy`
format, and nothing is allocated that the file does not hold.
"""

from __future__ import annotations

import os
import stat
from typing import NoReturn

import numpy as np

from auditor.base import npy
from auditor.base.errors import ProcedureError
from auditor.base.records import Floats
from auditor.sandbox.levels import MEBIBYTE

READ_BYTES = 1024 * MEBIBYTE
"""The largest file that is read back, whatever the limits allow a procedure to write."""

_KINDS = {"<f4", "<f8"}
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
            _refuse(where, "a regular file in its scratch folder", "something else, or a file with a second name")
        if status.st_size > limit:
            _refuse(where, f"a file of at most {limit} bytes", f"{status.st_size} bytes")
        with os.fdopen(os.dup(descriptor), "rb") as file:
            content = file.read(status.st_size + 1)
    finally:
        os.close(descriptor)
    if len(content) > status.st_size:
        _refuse(where, "a file that stays as it is while it is read", "one that grew")
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
    try:
        found = npy.read_array(content)
    except npy.NotNpyError as error:
        _refuse(where, "an array in the .npy format", str(error))
    if found.dtype.str not in _KINDS:
        _refuse(where, "an array of dtype float32 or float64", f"dtype {found.dtype.str}")
    array: Floats = found.astype(np.float64)
    if not np.isfinite(array).all():
        _refuse(where, "finite numbers", f"{int(np.count_nonzero(~np.isfinite(array)))} of {array.size} not finite")
    return array


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
