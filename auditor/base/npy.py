"""Reads arrays in NumPy's .npy format out of bytes that nobody vouches for (NumPy enhancement proposal 1).

NumPy's own reader allocates what a header asks for before it examines the data, repairs old headers with Python's tokenizer, and
ignores what follows the array. Here a header is what NumPy writes, to the letter, or nothing is read; the bytes are as many as it
announces; objects, which only unpickling could read, are refused.
"""

from __future__ import annotations

import ast
import io
import math
import re
import sys
import warnings
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import numpy.typing as npt

_MAGIC = b"\x93NUMPY"
_ONE_KIND = r"[<>|][biufcmMOSUV][0-9]{0,7}(?:\[[0-9A-Za-z]{1,10}\])?"
_HEADER = re.compile(
    r"\{'descr': (?:'(?P<one>" + _ONE_KIND + r")'|(?P<fields>\[\(.+\)\])), 'fortran_order': (?P<by_column>True|False), "
    r"'shape': \((?P<shape>(?:[0-9]{1,18}, )*[0-9]{1,18},?|)\), \} *\n"
)
_LONGEST, _LONGEST_OF_FIELDS = 4_096, 10_000
"""Bytes of a header: of numbers or text it is short, of fields as long as they are many."""


class NotNpyError(ValueError):
    """What is in place of an array, in words."""


@dataclass(frozen=True, slots=True)
class Header:
    """What is before an array's bytes."""

    descr: str
    """The type of the elements as it is written, such as `<f8`; a list of fields as its text."""
    kind: np.dtype[Any]
    """The same as NumPy knows it; never objects."""
    by_column: bool
    shape: tuple[int, ...]
    start: int
    """Where the elements begin."""

    @property
    def count(self) -> int:
        """How many elements there are."""
        return math.prod(self.shape)

    def require_size(self, size: int) -> None:
        """Refuse a file of `size` bytes that does not hold header and elements exactly.

        Raises:
            NotNpyError: If it does not, or if elements of no bytes are more than the file has.
        """
        left = size - self.start
        if self.count * self.kind.itemsize != left or (not self.kind.itemsize and self.count > size):
            raise NotNpyError(f"{left} bytes, which is not its size: {self.count} elements of {self.kind.itemsize} bytes")

    def shaped(self, flat: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The elements in the order of the file, shape (count,), as the array that they are.

        Raises:
            NotNpyError: If NumPy has no array of so many dimensions.
        """
        try:
            return flat.reshape(self.shape, order="F" if self.by_column else "C")
        except ValueError as error:  # more dimensions than NumPy has, or a product that overflows
            raise NotNpyError(f"{len(self.shape)} dimensions") from error


def read_header(stream: IO[bytes], *, fields: bool = False) -> Header:
    """Read what is before an array, and not a byte more; the stream is never sought in.

    Args:
        stream: At its beginning.
        fields: Whether elements may have fields, as rows of a table do.

    Raises:
        NotNpyError: If it is no header that NumPy writes, or announces objects.
    """
    front = stream.read(8)
    versions = {b"\x01\x00": (2, "latin-1"), b"\x02\x00": (4, "latin-1")} | ({b"\x03\x00": (4, "utf-8")} if fields else {})
    if front[:6] != _MAGIC or front[6:] not in versions:
        raise NotNpyError("something else than version 1.0 or 2.0 of it")
    width, coding = versions[front[6:]]
    length = int.from_bytes(stream.read(width), "little")
    text = stream.read(length) if length <= (_LONGEST_OF_FIELDS if fields else _LONGEST) else b""
    parts = _HEADER.fullmatch(text.decode(coding, "replace")) if len(text) == length else None
    if parts is None or (parts["fields"] is not None and not fields):
        raise NotNpyError("a header that is cut short or unknown")
    descr = parts["one"] or parts["fields"]
    shape = tuple(int(size) for size in re.findall(r"[0-9]+", parts["shape"]))
    return Header(descr, _kind(parts), parts["by_column"] == "True", shape, len(front) + width + length)


def read_array(content: bytes, *, fields: bool = False) -> npt.NDArray[Any]:
    """The one array that `content` holds, in its own type; its memory is that of the bytes and cannot be written.

    Raises:
        NotNpyError: As `read_header`, if there are fewer or more bytes than the header announces, or as `require_text`.
    """
    header = read_header(io.BytesIO(content), fields=fields)
    header.require_size(len(content))
    if not header.kind.itemsize:
        return header.shaped(np.zeros(header.count, dtype=header.kind))
    flat = np.frombuffer(content, dtype=header.kind, offset=header.start)
    for name in flat.dtype.names or ("",):
        require_text(flat[name] if name else flat)
    return header.shaped(flat)


def require_text(flat: npt.NDArray[Any]) -> None:
    """Refuse what NumPy takes for text and Python has no character for: no such element can be read.

    Args:
        flat: Shape (n,), of any type.

    Raises:
        NotNpyError: If there is one.
    """
    if flat.dtype.kind != "U" or not flat.size or not flat.dtype.itemsize:
        return
    numbers = np.ascontiguousarray(flat).view(np.dtype(np.uint32).newbyteorder(flat.dtype.byteorder))
    if int(numbers.max()) > sys.maxunicode:
        raise NotNpyError("text with a character beyond U+10FFFF")


def _kind(parts: re.Match[str]) -> np.dtype[Any]:
    try:
        # A misspelt escape in the text makes Python warn; here it is an error like any other.
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            descr: Any = parts["one"] or ast.literal_eval(parts["fields"])
            kind: np.dtype[Any] = np.lib.format.descr_to_dtype(descr)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError, OverflowError, Warning) as error:
        raise NotNpyError("elements of an unknown type") from error
    if kind.hasobject:
        raise NotNpyError(f"dtype {kind.str}, objects that only unpickling could read")
    return kind
