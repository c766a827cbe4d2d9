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
import tarfile
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base import npy
from auditor.base.domain import Message
from auditor.parts.release.observing import databases, parquet_pages

if TYPE_CHECKING:
    import pyarrow.parquet as pq

MAX_BYTES = 4 * 1024**3
Array: TypeAlias = npt.NDArray[Any]


class Parts(NamedTuple):
    """What a file comes apart into."""

    words: list[str]
    arrays: list[Array]
    """Of numbers."""
    rows: int
    """Records that it holds."""
    blobs: list[bytes]
    """Cells of plain bytes."""


_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_MARKS = ((b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_TENSORS = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "u1", "BOOL": "?",
}  # fmt: skip
_DATA_NAMES = {"labels", "features", "sensitivity"}
_NPY: Final = b"\x93NUMPY"
_HEADER: Final = 16_384


class UnreadableError(Exception):
    """A file that could not be taken apart."""

    def __init__(self, reason: Message) -> None:
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
                raise UnreadableError(Message("data.erased.unreadable.text", {"coding": coding.upper()})) from error
    if b"\0" in content:
        raise UnreadableError(Message("data.erased.unreadable.no-text"))
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


def mark_of(text: str, suffix: str) -> str:
    """What parts the cells of a table of text: a comma, or another mark where its first line has that and no comma."""
    if suffix == ".tsv":
        return "\t"
    first = text.partition("\n")[0]
    mark = max(",;\t|", key=first.count)
    return mark if suffix == ".csv" and "," not in first else ","


def column_of(text: str, name: str, delimiter: str) -> list[str] | None:
    """The cells below the header `name`; None where the text is no such table."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        header = [cell.strip() for cell in next(rows, [])]
        if header.count(name) != 1:
            return None
        at = header.index(name)
        return [row[at].strip() for row in rows if len(row) > at]
    except csv.Error:
        return None


def zip_members(content: bytes) -> list[tuple[str, bytes]]:
    """Name and content of every file in a zip archive.

    Raises:
        UnreadableError: If it is not one, is encrypted or broken, or unpacks to too much.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(item.file_size for item in archive.infolist()) > MAX_BYTES:
                raise UnreadableError(Message("data.erased.unreadable.unpacks-too-large", {"bytes": MAX_BYTES}))
            return [(item.filename, archive.read(item)) for item in archive.infolist()]
    except (
        zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError, EOFError, KeyError, struct.error,
        zlib.error, lzma.LZMAError,
    ) as error:  # fmt: skip
        raise UnreadableError(Message("data.erased.unreadable.zip")) from error


def tar_members(content: bytes) -> list[tuple[str, bytes]]:
    """Name and content of every file in a tar archive; nothing is written anywhere.

    Raises:
        UnreadableError: If it is not one, or announces more than it holds.
    """
    members: list[tuple[str, bytes]] = []
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
            for member in archive:
                if member.issparse() or member.size > len(content):
                    raise UnreadableError(Message("data.erased.unreadable.archive"))
                if member.isfile() and (file := archive.extractfile(member)) is not None:
                    members.append((member.name, file.read()))
    except (tarfile.TarError, OSError, ValueError, EOFError, KeyError, OverflowError) as error:
        raise UnreadableError(Message("data.erased.unreadable.archive")) from error
    return members


def embedded_arrays(content: bytes) -> tuple[list[Array], list[bytes]]:
    """The arrays in NumPy's format that are anywhere in `content`, and what is between them."""
    arrays: list[Array] = []
    between: list[bytes] = []
    done, at = 0, content.find(_NPY)
    while at >= 0:
        with contextlib.suppress(npy.NotNpyError):
            header = npy.read_header(io.BytesIO(content[at : at + _HEADER]))
            start = at + header.start
            stop = start + header.count * header.kind.itemsize
            if header.kind.kind in "fiub" and start < stop <= len(content):
                arrays.append(header.shaped(np.frombuffer(content, header.kind, header.count, start)))
                between.append(content[done:at])
                done = stop
        at = content.find(_NPY, max(at + 1, done))
    return arrays, [*between, content[done:]]


def numpy_arrays(content: bytes, *, zipped: bool) -> Parts:
    """The text and the numbers of an .npy or .npz file.

    Raises:
        UnreadableError: If an array cannot be read without unpickling, or holds neither text nor numbers.
    """
    words: list[str] = []
    arrays: list[Array] = []
    sizes: dict[bool, list[int]] = {False: [], True: []}
    for member, data in zip_members(content) if zipped else [("", content)]:
        try:
            array = npy.read_array(data, fields=True)
        except npy.NotNpyError as error:
            raise UnreadableError(Message("data.erased.unreadable.numpy", {"error": str(error)})) from error
        _sort_in(member.removesuffix(".npy"), array, words, arrays)
        sizes[array.ndim > 1 or array.dtype.names is not None].append(len(array) if array.ndim else 1)
    # Columns of one table have one length; of tables there may be several.
    return Parts(words, arrays, sum(sizes[True]) or max(sizes[False], default=0), [])


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
            # Whole numbers may be ids, but what a data file calls labels are not.
            if array.dtype.kind in "iu" and array.ndim == 1 and name not in _DATA_NAMES:
                words.extend(map(str, array.tolist()))
        case "c":
            arrays.extend([array.real, array.imag])
        case kind:
            raise UnreadableError(Message("data.erased.unreadable.kind", {"kind": kind}))


def safetensors(content: bytes) -> Parts:
    """The metadata and the tensors of a .safetensors file.

    Raises:
        UnreadableError: If it is not one, or holds a type of number that is not known here.
    """
    try:
        start = 8 + int.from_bytes(content[:8], "little")
        header = json.loads(content[8:start])
        arrays: list[Array] = []
        for tensor in (value for key, value in header.items() if key != "__metadata__"):
            begin, end = tensor["data_offsets"]
            arrays.append(np.frombuffer(content[start + begin : start + end], _TENSORS[tensor["dtype"]]).reshape(tensor["shape"]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UnreadableError(Message("data.erased.unreadable.safetensors")) from error
    rows = max((len(array) for array in arrays if array.ndim), default=0)
    return Parts([content[8:start].decode("utf-8", "replace")], arrays, rows, [])


def parquet(content: bytes, id_column: str) -> Parts:
    """The text and the numbers of a Parquet file, nested ones included.

    Raises:
        UnreadableError: If it cannot be read.
    """
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        opened = pq.ParquetFile(pa.BufferReader(content))
        table = opened.read(use_threads=False)
        columns = {name: table.column(name).to_pylist() for name in dict.fromkeys(table.column_names)}
        listed = in_no_row(opened, content)
    except (pa.ArrowException, ValueError, OSError, KeyError, NotImplementedError) as error:
        raise UnreadableError(Message("data.erased.unreadable.parquet", {"error": type(error).__name__})) from error
    names = list(columns)
    found = _records(names, zip(*columns.values(), strict=True), id_column)
    return found._replace(words=[*found.words, *listed])


def in_no_row(opened: pq.ParquetFile, content: bytes) -> list[str]:
    """List texts that a Parquet file's dictionaries hold and no row has, as of rows that were filtered out.

    Args:
        opened: The file.
        content: What it holds.

    Raises:
        pyarrow.ArrowException: If it cannot be read.
    """
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)
    import pyarrow.compute as pc  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    groups = [opened.metadata.row_group(at) for at in range(opened.metadata.num_row_groups)]
    chunks = [group.column(number) for group in groups for number in range(group.num_columns)]
    with_one = {each.path_in_schema for each in chunks if each.has_dictionary_page}
    texts = [each.name for each in opened.schema_arrow if parquet_pages.is_text(each.type) and each.name in with_one]
    if not texts:
        return []
    table = pq.ParquetFile(pa.BufferReader(content), read_dictionary=texts).read(columns=texts, use_threads=False)
    found: list[str | bytes] = []
    for column in table.columns:
        chunks = column.chunks if pa.types.is_dictionary(column.type) else []
        # Every group of rows may list what any has.
        used = {each for chunk in chunks for each in chunk.dictionary.take(pc.unique(chunk.indices.drop_null())).to_pylist()}
        found += [each for chunk in chunks for each in chunk.dictionary.to_pylist() if each and each not in used]
    return [each.decode("utf-8", "replace") if isinstance(each, bytes) else each for each in dict.fromkeys(found)]


def sqlite(content: Path | bytes, id_column: str) -> Parts:
    """The text and the numbers of every table of an SQLite database, a file or its content.

    Raises:
        UnreadableError: If it cannot be read.
    """
    words: list[str] = []
    arrays: list[Array] = []
    blobs: list[bytes] = []
    count = 0
    try:
        with databases.opened(content, errors="replace") as database:
            for name in database.tables():
                columns, rows = database.rows(name)
                found = _records(columns, rows, id_column)
                words += found.words
                arrays += found.arrays
                blobs += found.blobs
                count += found.rows
    except (sqlite3.Error, OverflowError) as error:
        raise UnreadableError(Message("data.erased.unreadable.sqlite")) from error
    return Parts(words, arrays, count, blobs)


def _records(names: list[str], rows: Iterable[tuple[Any, ...]], id_column: str) -> Parts:
    """Words, and numbers row by row, of a table whose cells may be nested."""
    words: list[str] = []
    numbers: list[list[float]] = []
    arrays: list[Array] = []
    blobs: list[bytes] = []
    ids = [at for at, name in enumerate(names) if name == id_column or name.lower().endswith("id")]
    for row in rows:
        found: list[float] = []
        for cell in row:
            _leaves(cell, words, found, arrays, blobs)
        numbers.append(found)
        words.extend(str(row[at]) for at in ids if isinstance(row[at], int))
    return Parts(words, [*_stacked(numbers), *arrays], len(numbers), blobs)


def _leaves(cell: Any, words: list[str], numbers: list[float], arrays: list[Array], blobs: list[bytes]) -> None:
    match cell:
        case None:
            pass
        case str():
            words.append(cell)
        case bytes():
            words.append(cell.decode("utf-8", "replace"))
            blobs.append(cell)
            arrays.extend(np.frombuffer(cell, kind) for kind in ("<f8", "<f4") if cell and len(cell) % int(kind[2]) == 0)
        case list() | tuple():
            for item in cell:
                _leaves(item, words, numbers, arrays, blobs)
        case dict():
            _leaves(list(cell.values()), words, numbers, arrays, blobs)
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
        return float(cell)
    except ValueError:
        pass
    try:
        return float(cell.strip().strip("\"'"))
    except ValueError:
        return None
