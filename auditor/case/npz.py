"""Arrays out of an .npz file that nobody vouches for.

NumPy's own loader allocates what a header asks for before it looks at the data, and mends old headers with the whole
tokenizer of Python. Here the archive's sizes are added up
first, each header is read by itself, objects are refused (they would be unpickled), and an array is made only where the
bytes are there to fill it. The bytes go from the file into the array block by block, so that no further copy of it is made.
"""

from __future__ import annotations

import ast
import io
import math
import re
import struct
import warnings
import zipfile
import zlib
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from auditor.case.files import BINARY_LIMIT, Source
from auditor.domain import Problem
from auditor.errors import InputError
from auditor.settings.problems import show, unknown

_KIND = re.compile(r"[<>=|]?(?:[iu][1248]|f[248]|b1|c8|c16|[US][0-9]{1,7})")
"""Numbers and text. The caller says which of them it can use."""
_LONGEST_HEADER = 10_000
_BLOCK = 1 << 24
"""Bytes that are unpacked at a time."""
_MOST_DEFLATED = 1_100
"""Bytes that one byte of deflate can hold at most, rounded up."""
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
                arrays[name] = _unpack(archive, member)
            except _NotAnArrayError as error:
                problems.append(Problem(file, name, "an array in NumPy's .npy format, without objects", str(error)))
        seen.add(name)
    problems.extend(Problem(file, name, f"an array `{name}`", "none of that name") for name in required if name not in seen)
    if problems:
        raise InputError(problems)
    return arrays


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> npt.NDArray[Any]:
    if member.flag_bits & 1:
        raise _NotAnArrayError("an encrypted member")
    if member.compress_type not in _PACKED:
        raise _NotAnArrayError("a compression other than deflate")
    try:
        with archive.open(member) as stream:
            return _array(stream, member)
    except _NotAnArrayError:
        raise
    except (
        zipfile.BadZipFile, ValueError, OSError, EOFError, struct.error, zlib.error, RuntimeError, KeyError, OverflowError,
    ) as error:  # fmt: skip
        raise _NotAnArrayError(_words(error)) from error


def _array(stream: IO[bytes], member: zipfile.ZipInfo) -> npt.NDArray[Any]:
    size = member.file_size
    header, start = _header(stream)
    descr, fortran, shape = (header.get(key) for key in ("descr", "fortran_order", "shape"))
    if set(header) != {"descr", "fortran_order", "shape"} or not isinstance(fortran, bool):
        raise _NotAnArrayError("a header without descr, fortran_order and shape")
    if isinstance(descr, str) and "O" in descr:
        raise _NotAnArrayError("objects, which only unpickling could read")
    if not isinstance(descr, str) or not _KIND.fullmatch(descr):
        raise _NotAnArrayError(f"elements of type {show(descr)}")
    sizes = shape if isinstance(shape, tuple) and len(shape) <= 2 else (None,)
    if not all(isinstance(each, int) and not isinstance(each, bool) and 0 <= each <= BINARY_LIMIT for each in sizes):
        raise _NotAnArrayError(f"shape {show(repr(shape)[:100])}")
    kind = np.dtype(descr)
    count, left = math.prod(sizes), size - start
    if kind.itemsize == 0 and count <= size:
        return np.zeros(sizes, dtype=f"{kind.kind}1")
    if count * kind.itemsize != left or kind.itemsize == 0:
        raise _NotAnArrayError(f"{left} bytes where its header announces {count} elements of {kind.itemsize} bytes")
    if size > _MOST_DEFLATED * (member.compress_size + 1):
        raise _NotAnArrayError(f"{size} bytes announced for {member.compress_size} packed ones, more than deflate can hold")
    flat = np.empty(count, dtype=kind)
    _fill(flat.view(np.uint8).data, stream)
    return flat.reshape(sizes, order="F" if fortran else "C").astype(kind.newbyteorder("="), copy=False)


def _fill(room: memoryview, stream: IO[bytes]) -> None:
    """Read exactly as many bytes as there is room for, to the end of the stream, where its checksum is compared."""
    filled = 0
    while block := stream.read(min(_BLOCK, len(room) - filled + 1)):
        if len(block) > len(room) - filled:
            raise _NotAnArrayError("more bytes than its header announces")
        room[filled : filled + len(block)] = block
        filled += len(block)
    if filled < len(room):
        raise _NotAnArrayError(f"{filled} bytes where its header announces {len(room)}")


def _header(stream: IO[bytes]) -> tuple[dict[Any, Any], int]:
    """The dictionary in front of an array, and where the array begins (NumPy enhancement proposal 1)."""
    front = stream.read(8)
    version = tuple(front[6:])
    if not front.startswith(b"\x93NUMPY") or version not in {(1, 0), (2, 0)}:
        raise _NotAnArrayError("no .npy header of version 1.0 or 2.0")
    # Never sought for: a stream that was sought in no longer compares its checksum.
    width = 2 if version == (1, 0) else 4
    length = int.from_bytes(stream.read(width), "little")
    start = 8 + width + length
    text = stream.read(length) if start <= _LONGEST_HEADER else b""
    if len(text) < length:
        raise _NotAnArrayError("a header that is cut off or too long")
    try:
        # A misspelt escape in the text makes Python warn; here it is an error like any other.
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = ast.literal_eval(text.decode("latin1").strip())
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError, Warning) as error:
        raise _NotAnArrayError("a header that cannot be read") from error
    if not isinstance(found, dict):
        raise _NotAnArrayError("a header that is no dictionary")
    return found, start


def _words(error: BaseException) -> str:
    text = str(error).splitlines()
    return show(text[0])[1:-1] if text and text[0] else type(error).__name__
