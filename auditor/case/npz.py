"""Arrays out of an .npz file that nobody vouches for.

NumPy's own loader allocates what a header asks for before it looks at the data. Here the archive's sizes are added up
first, each header is read by itself, objects are refused (they would be unpickled), and an array is made only where the
bytes are there to fill it.
"""

from __future__ import annotations

import io
import math
import struct
import warnings
import zipfile
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from auditor.case.files import BINARY_LIMIT, Source
from auditor.case.problems import show, unknown
from auditor.domain import Problem
from auditor.errors import InputError

_PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}


class _NotAnArrayError(ValueError):
    """What is wrong with one member, in words."""


def read_arrays(source: Source, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, npt.NDArray[Any]]:
    """Read the named arrays of an .npz file.

    Args:
        source: The file.
        required: Names of arrays that must be there.
        optional: Names of arrays that may be there; any other is a problem.

    Raises:
        InputError: With every problem of the archive and of each array.
    """
    file = source.name
    try:
        archive = zipfile.ZipFile(io.BytesIO(source.data))
        members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, struct.error, NotImplementedError, EOFError) as error:
        raise InputError([Problem(file, "", "an .npz file", _words(error))]) from error
    unpacked = sum(member.file_size for member in members)
    if unpacked > BINARY_LIMIT:
        raise InputError([Problem(file, "", f"arrays of at most {BINARY_LIMIT} bytes in total", f"{unpacked} bytes")])
    problems: list[Problem] = []
    arrays: dict[str, npt.NDArray[Any]] = {}
    seen: set[str] = set()
    known = (*required, *optional)
    for member in members:
        name = member.filename.removesuffix(".npy")
        if name in seen:
            problems.append(Problem(file, name if name in known else "", "each array once", f"{show(name)} more than once"))
        elif name not in known:
            problems.append(Problem(file, "", *unknown("array", name, known)))
        else:
            try:
                arrays[name] = _array(_unpack(archive, member))
            except _NotAnArrayError as error:
                problems.append(Problem(file, name, "an array in NumPy's .npy format, without objects", str(error)))
        seen.add(name)
    problems.extend(Problem(file, name, f"an array `{name}`", "none of that name") for name in required if name not in seen)
    if problems:
        raise InputError(problems)
    return arrays


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    if member.flag_bits & 1:
        raise _NotAnArrayError("an encrypted member")
    if member.compress_type not in _PACKED:
        raise _NotAnArrayError("a compression other than deflate")
    try:
        with archive.open(member) as stream:
            return stream.read()
    except (
        zipfile.BadZipFile, ValueError, OSError, EOFError, struct.error, zlib.error, RuntimeError, KeyError, OverflowError,
    ) as error:  # fmt: skip
        raise _NotAnArrayError(_words(error)) from error


def _array(data: bytes) -> npt.NDArray[Any]:
    stream = io.BytesIO(data)
    try:
        # A header written by Python 2 makes NumPy warn and parse again; it is refused instead.
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            version = np.lib.format.read_magic(stream)
            readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
            if version in readers:
                shape, fortran, kind = readers[version](stream)
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        SyntaxError,
        RecursionError,
        MemoryError,
        OverflowError,
        Warning,
    ) as error:
        raise _NotAnArrayError(f"a header that cannot be read: {_words(error)}") from error
    if version not in readers:
        raise _NotAnArrayError(f"format version {version[0]}.{version[1]}")
    if kind.hasobject:
        raise _NotAnArrayError("objects, which only unpickling could read")
    if kind.kind not in "biufUS" or (kind.itemsize == 0 and kind.kind not in "US"):
        raise _NotAnArrayError(f"elements of type {kind}")
    if len(shape) > 2 or any(isinstance(size, bool) or size < 0 for size in shape):
        raise _NotAnArrayError(f"shape {show(str(shape))}")
    count = math.prod(shape)
    left = len(data) - stream.tell()
    if count * kind.itemsize != left or (kind.itemsize == 0 and count > BINARY_LIMIT // 8):
        raise _NotAnArrayError(f"{left} bytes where its header announces {count * kind.itemsize}")
    if kind.itemsize == 0:
        return np.zeros(shape, dtype=f"{kind.kind}1")
    flat = np.frombuffer(data, dtype=kind, offset=stream.tell())
    return flat.reshape(shape, order="F" if fortran else "C").astype(kind.newbyteorder("="))


def _words(error: BaseException) -> str:
    text = str(error).splitlines()
    return show(text[0])[1:-1] if text and text[0] else type(error).__name__
