"""Arrays out of an .npz file that nobody vouches for.

The archive's sizes are added up first, each header is read by itself, and an array is made only where the bytes are there to fill
it. The bytes go from the file into the array block by block, so that no further copy of it is made.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from auditor.base import npy
from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.case.files import BINARY_LIMIT, GIBIBYTE, Source
from auditor.settings.values import show, unknown

_KIND = re.compile(r"[<>|](?:[iu][1248]|f[248]|b1|c8|c16|[US][0-9]{1,7})")
"""Numbers and text. The caller says which of them it can use."""
_LONGEST_HEADER = 10_000
_MOST_AXES = 8
_BLOCK = 1 << 24
"""Bytes that are unpacked at a time."""
_MOST_DEFLATED = 1_100
"""Bytes that one byte of deflate can hold at most, rounded up."""
_MOST_TIMES = 64
"""How often the size of its file all arrays together may be, where they are more than a GiB."""
_PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}


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
    archive, members = _opened(source)
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
            except npy.NotNpyError as error:
                problems.append(Problem(file, name, "an array in NumPy's .npy format, without objects", str(error)))
        seen.add(name)
    problems.extend(Problem(file, name, f"an array `{name}`", "none of that name") for name in required if name not in seen)
    if problems:
        raise InputError(problems)
    return arrays


def read_one(source: Source, name: str) -> npt.NDArray[Any]:
    """Read the named array of an .npz file, whatever else lies in it.

    Raises:
        InputError: If the file is no archive, or has no such array or several.
    """
    archive, members = _opened(source)
    named = [member for member in members if member.filename.removesuffix(".npy") == name]
    if len(named) != 1:
        found = f"{len(named)} of that name" if named else "none of that name"
        raise InputError([Problem(source.name, name, f"one array `{name}`", found)])
    try:
        return _unpack(archive, named[0])
    except npy.NotNpyError as error:
        expected = "an array in NumPy's .npy format, without objects"
        raise InputError([Problem(source.name, name, expected, str(error))]) from error


def _opened(source: Source) -> tuple[zipfile.ZipFile, list[zipfile.ZipInfo]]:
    """The archive and its members, which do not hold too much.

    Raises:
        InputError: If it is not one, or they do.
    """
    file = source.name
    try:
        archive = zipfile.ZipFile(io.BytesIO(source.data))
        members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, struct.error, NotImplementedError, EOFError) as error:
        raise InputError([Problem(file, "", "an .npz file", _words(error))]) from error
    unpacked = sum(member.file_size for member in members)
    most = min(BINARY_LIMIT, max(GIBIBYTE, _MOST_TIMES * len(source.data)))
    if unpacked > most:
        raise InputError([Problem(file, "", f"arrays of at most {most} bytes in total", f"{unpacked} bytes")])
    return archive, members


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> npt.NDArray[Any]:
    if member.flag_bits & 1:
        raise npy.NotNpyError("an encrypted member")
    if member.compress_type not in _PACKED:
        raise npy.NotNpyError("a compression other than deflate")
    try:
        with archive.open(member) as stream:
            return _array(stream, member)
    except npy.NotNpyError:
        raise
    except (
        zipfile.BadZipFile, ValueError, OSError, EOFError, struct.error, zlib.error, RuntimeError, KeyError, OverflowError,
    ) as error:  # fmt: skip
        raise npy.NotNpyError(_words(error)) from error


def _array(stream: IO[bytes], member: zipfile.ZipInfo) -> npt.NDArray[Any]:
    size, header = member.file_size, npy.read_header(stream)
    if not _KIND.fullmatch(header.descr):
        raise npy.NotNpyError(f"elements of type {show(header.descr)}")
    if len(header.shape) > _MOST_AXES or any(each > BINARY_LIMIT for each in header.shape):
        raise npy.NotNpyError(f"shape {show(repr(header.shape)[:100])}")
    header.require_size(size)
    if not header.kind.itemsize:
        return header.shaped(np.zeros(header.count, dtype=f"{header.kind.kind}1"))
    if size > _MOST_DEFLATED * (member.compress_size + 1):
        raise npy.NotNpyError(f"{size} bytes announced for {member.compress_size} packed ones, more than deflate can hold")
    flat = np.empty(header.count, dtype=header.kind)
    _fill(flat.view(np.uint8).data, stream)
    return header.shaped(flat).astype(header.kind.newbyteorder("="), copy=False)


def _fill(room: memoryview, stream: IO[bytes]) -> None:
    """Read exactly as many bytes as there is room for, to the end of the stream, where its checksum is compared."""
    filled = 0
    while block := stream.read(min(_BLOCK, len(room) - filled + 1)):
        if len(block) > len(room) - filled:
            raise npy.NotNpyError("more bytes than its header announces")
        room[filled : filled + len(block)] = block
        filled += len(block)
    if filled < len(room):
        raise npy.NotNpyError(f"{filled} bytes where its header announces {len(room)}")


def _words(error: BaseException) -> str:
    text = str(error).splitlines()
    return show(text[0])[1:-1] if text and text[0] else type(error).__name__
