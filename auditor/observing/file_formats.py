"""Taking the files of a data store apart into words and tables of numbers, whatever their form.

A store is the controller's and nobody vouches for it: nothing is unpickled, and whatever cannot be read whole is an
`UnreadableError`, so that a search never mistakes what it could not read for what is not there.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import lzma
import re
import sqlite3
import struct
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

import numpy as np
import numpy.typing as npt

from auditor import npy
from auditor.domain import Reason

MAX_BYTES = 4 * 1024**3
Array: TypeAlias = npt.NDArray[Any]
Parts: TypeAlias = tuple[list[str], list[Array]]
"""The words of a file and its arrays of numbers."""

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_MARKS = ((b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_TENSORS = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "u1", "BOOL": "?",
}  # fmt: skip
_DATA_NAMES = {"labels", "features", "sensitivity"}


class UnreadableError(Exception):
    """A file that could not be taken apart."""

    def __init__(self, reason: Reason) -> None:
        """Keep why."""
        super().__init__(reason.code)
        self.reason = reason


def text_of(content: bytes) -> str:
    """A text file as text: UTF-8, with a byte order mark UTF-16 or UTF-32, else one character a byte."""
    for mark, coding in _MARKS:
        if content.startswith(mark):
            try:
                return content.decode(coding)
            except UnicodeDecodeError as error:
                raise UnreadableError(Reason("data.erased.unreadable.text", {"coding": coding.upper()})) from error
    if b"\0" in content:
        raise UnreadableError(Reason("data.erased.unreadable.no-text"))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def tables_of(text: str, width: int, delimiter: str) -> list[Array]:
    """The numbers of a text, line by line: of delimited cells, and of anything else that looks like a number.

    Args:
        text: A table, JSON, or prose.
        width: Lines with fewer numbers are left out. Where no line has so many, the whole text is taken for one line.
        delimiter: Between cells.

    Returns:
        Arrays of shape (lines, numbers), one for each count of numbers.
    """
    rows: list[list[float]] = []
    for line in text.splitlines():
        cells = [value for cell in line.split(delimiter) if (value := _number(cell)) is not None]
        if len(cells) >= width:
            rows.append(cells)
        if len(cells) < width or any(mark in line for mark in "[{:"):
            loose = [float(word) for word in _NUMBER.findall(line)]
            if len(loose) >= width:
                rows.append(loose)
    return _stacked(rows or [[float(word) for word in _NUMBER.findall(text)]])


def column_of(text: str, name: str, delimiter: str) -> list[str] | None:
    """The cells below the header `name`; None where the text is no such table."""
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    header = [cell.strip() for cell in rows[0]] if rows else []
    if header.count(name) != 1:
        return None
    at = header.index(name)
    return [row[at].strip() for row in rows[1:] if len(row) > at]


def zip_members(content: bytes) -> list[tuple[str, bytes]]:
    """Name and content of every file in a zip archive.

    Raises:
        UnreadableError: If it is none, is encrypted or broken, or unpacks to too much.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(item.file_size for item in archive.infolist()) > MAX_BYTES:
                raise UnreadableError(Reason("data.erased.unreadable.unpacks-too-large", {"bytes": MAX_BYTES}))
            return [(item.filename, archive.read(item)) for item in archive.infolist()]
    except (
        zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError, EOFError, KeyError, struct.error,
        zlib.error, lzma.LZMAError,
    ) as error:  # fmt: skip
        raise UnreadableError(Reason("data.erased.unreadable.zip")) from error


def numpy_arrays(content: bytes, *, zipped: bool) -> Parts:
    """The text and the numbers of an .npy or .npz file.

    Raises:
        UnreadableError: If an array cannot be read without unpickling, or holds neither text nor numbers.
    """
    words: list[str] = []
    arrays: list[Array] = []
    for member, data in zip_members(content) if zipped else [("", content)]:
        try:
            array = npy.read_array(data, fields=True)
        except npy.NotNpyError as error:
            raise UnreadableError(Reason("data.erased.unreadable.numpy", {"error": str(error)})) from error
        _sort_in(member.removesuffix(".npy"), array, words, arrays)
    return words, arrays


def _sort_in(name: str, array: Array, words: list[str], arrays: list[Array]) -> None:
    fields = array.dtype.names
    match array.dtype.kind:
        case _ if fields is not None:
            for field in fields:
                _sort_in(field, array[field], words, arrays)
            numbers = [array[field].reshape(-1) for field in fields if array.dtype[field].kind in "fiub"]
            if numbers:
                arrays.append(np.column_stack(numbers))
        case "U" | "S":
            words.extend(value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value) for value in array.flat)
        case "f" | "i" | "u" | "b":
            arrays.append(array)
            # Whole numbers may be ids, but what a data file calls labels are none.
            if array.dtype.kind in "iu" and array.ndim == 1 and name not in _DATA_NAMES:
                words.extend(map(str, array.tolist()))
        case "c":
            arrays.extend([array.real, array.imag])
        case kind:
            raise UnreadableError(Reason("data.erased.unreadable.kind", {"kind": kind}))


def safetensors(content: bytes) -> Parts:
    """The metadata and the tensors of a .safetensors file.

    Raises:
        UnreadableError: If it is none, or holds a type of number that is not known here.
    """
    try:
        start = 8 + int.from_bytes(content[:8], "little")
        header = json.loads(content[8:start])
        arrays: list[Array] = []
        for tensor in (value for key, value in header.items() if key != "__metadata__"):
            begin, end = tensor["data_offsets"]
            arrays.append(np.frombuffer(content[start + begin : start + end], _TENSORS[tensor["dtype"]]).reshape(tensor["shape"]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UnreadableError(Reason("data.erased.unreadable.safetensors")) from error
    return [content[8:start].decode("utf-8", "replace")], arrays


def parquet(content: bytes, id_column: str) -> Parts:
    """The text and the numbers of a Parquet file, nested ones included.

    Raises:
        UnreadableError: If it cannot be read.
    """
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        table = pq.read_table(pa.BufferReader(content))
        columns = {name: table.column(name).to_pylist() for name in dict.fromkeys(table.column_names)}
    except (pa.ArrowException, ValueError, OSError, KeyError, NotImplementedError) as error:
        raise UnreadableError(Reason("data.erased.unreadable.parquet", {"error": type(error).__name__})) from error
    names = list(columns)
    return _records(names, zip(*columns.values(), strict=True), id_column)


def sqlite(path: Path, id_column: str) -> Parts:
    """The text and the numbers of every table of an SQLite database.

    Raises:
        UnreadableError: If it cannot be read.
    """
    words: list[str] = []
    arrays: list[Array] = []
    try:
        with contextlib.closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True)) as database:
            database.execute("PRAGMA trusted_schema = OFF")
            database.text_factory = lambda text: text.decode("utf-8", "replace")
            tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for name in tables:
                quoted = name.replace('"', '""')
                rows = database.execute(f'SELECT * FROM "{quoted}"')  # noqa: S608 - a name cannot be a parameter; it is quoted
                found = _records([column[0] for column in rows.description], rows, id_column)
                words += found[0]
                arrays += found[1]
    except (sqlite3.Error, OverflowError) as error:
        raise UnreadableError(Reason("data.erased.unreadable.sqlite")) from error
    return words, arrays


def _records(names: list[str], rows: Iterable[tuple[Any, ...]], id_column: str) -> Parts:
    """Words, and numbers row by row, of a table whose cells may be nested."""
    words: list[str] = []
    numbers: list[list[float]] = []
    arrays: list[Array] = []
    ids = [at for at, name in enumerate(names) if name == id_column or name.lower().endswith("id")]
    for row in rows:
        found: list[float] = []
        for cell in row:
            _leaves(cell, words, found, arrays)
        numbers.append(found)
        words.extend(str(row[at]) for at in ids if isinstance(row[at], int))
    return words, [*_stacked(numbers), *arrays]


def _leaves(cell: Any, words: list[str], numbers: list[float], arrays: list[Array]) -> None:
    match cell:
        case None:
            pass
        case str():
            words.append(cell)
        case bytes():
            words.append(cell.decode("utf-8", "replace"))
            arrays.extend(np.frombuffer(cell, kind) for kind in ("<f8", "<f4") if cell and len(cell) % int(kind[2]) == 0)
        case list() | tuple():
            for item in cell:
                _leaves(item, words, numbers, arrays)
        case dict():
            _leaves(list(cell.values()), words, numbers, arrays)
        case _:
            try:
                numbers.append(float(cell))
            except (TypeError, ValueError, OverflowError):
                words.append(str(cell))


def _stacked(rows: list[list[float]]) -> list[Array]:
    """Rows of numbers as arrays, one for each length."""
    lengths: dict[int, list[list[float]]] = {}
    for row in rows:
        lengths.setdefault(len(row), []).append(row)
    return [np.array(block) for length, block in lengths.items() if length]


def _number(cell: str) -> float | None:
    try:
        return float(cell.strip().strip("\"'"))
    except ValueError:
        return None
