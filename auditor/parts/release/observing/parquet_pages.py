"""How much of a Parquet file its pages take up, and what their dictionaries list: read page by page, by their own headers.

What the end of such a file says of its columns is what its author says. Bytes that no page holds are read by no library, and so
may be anything; entries of a dictionary that no row refers to are read by none either.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

_DEEPEST: Final = 8
_LONGEST: Final = 1 << 16
"""Bytes of the header of a page, with the least and the largest of its values."""
_DICTIONARY: Final = 2
_HEADERS: Final = {0: 5, _DICTIONARY: 7, 3: 8}
"""By the type of a page, the field that says how many values it has: of data, a dictionary, and data in the later form."""
_BINARY: Final = 8
_STRUCT: Final = 12
_INTEGERS: Final = frozenset({4, 5, 6})
_SIZES: Final = {1: 0, 2: 0, 3: 1, 7: 8}
"""Bytes of values of other types: truths, which their types say, a byte, and a number of 64 bits."""
_EMPTY: Final = 64
"""Bytes of a page without values."""
_FRAME: Final = 12
"""Bytes of the marks at both ends and of the length of the footer."""


@dataclass(frozen=True, slots=True)
class Pages:
    """What the pages of a file come to."""

    beyond: int
    """Bytes of the file in no page, nor in its footer."""
    listed: dict[int, list[int]]
    """How many entries the dictionary of each column has, by the number of the column, for each group of rows that has one."""


def pages(content: bytes, metadata: Any) -> Pages:
    """Walk through the pages of a file.

    Args:
        content: The file.
        metadata: What its footer says (`pyarrow.parquet.FileMetaData`).
    """
    spans: list[tuple[int, int]] = []
    listed: dict[int, list[int]] = {}
    for group in (metadata.row_group(at) for at in range(metadata.num_row_groups)):
        for number in range(group.num_columns):
            chunk = group.column(number)
            # Of a column without rows there is a dictionary alone.
            start = min(each for each in (chunk.dictionary_page_offset, chunk.data_page_offset, len(content)) if each)
            try:
                end, entries = _chunk(content, start, min(start + chunk.total_compressed_size, len(content)), chunk.num_values)
            except (IndexError, ValueError):
                return Pages(max(0, len(content) - _FRAME - metadata.serialized_size), {})
            spans.append((start, end))
            if entries is not None:
                listed.setdefault(number, []).append(entries)
    taken, last = 0, 0
    for start, end in sorted(spans):
        taken += max(0, end - max(start, last))
        last = max(last, end)
    return Pages(max(0, len(content) - _FRAME - metadata.serialized_size - taken), listed)


def beyond_rows(content: bytes, opened: pq.ParquetFile) -> int:
    """Count the bytes that no row is read from: in no page, or in a dictionary with more entries than the rows have values.

    Of columns of text, whose dictionaries can be read, `file_formats.in_no_row` says which entries those are; they are not
    counted here.

    Args:
        content: The file.
        opened: The same, opened.

    Raises:
        pyarrow.ArrowException: If a column cannot be read.
    """
    metadata = opened.metadata
    found = pages(content, metadata)
    surplus = 0
    for number, entries in found.listed.items():
        chunks = [metadata.row_group(at).column(number) for at in range(metadata.num_row_groups)]
        path = chunks[0].path_in_schema
        if path in opened.schema_arrow.names and is_text(opened.schema_arrow.field(path).type):
            continue
        if max(entries) > _different(opened.read(columns=[path], use_threads=False).column(0)):
            surplus += sum(each.data_page_offset - each.dictionary_page_offset for each in chunks if each.has_dictionary_page)
    return found.beyond + max(0, surplus)


def is_text(kind: pa.DataType) -> bool:
    """Tell whether a column is of text or bytes, each value by itself or listed in a dictionary."""
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)

    dense = kind.value_type if pa.types.is_dictionary(kind) else kind
    return any(test(dense) for test in (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary))


def _different(column: pa.ChunkedArray) -> int:
    """How many different values a column of one kind of leaf has; of numbers by their bits."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.compute as pc  # noqa: PLC0415

    found: set[bytes] = set()
    different = None
    for chunk in column.chunks:
        values = chunk
        while pa.types.is_nested(values.type):
            values = values.flatten()[0] if pa.types.is_struct(values.type) else values.flatten()
        values = values.drop_null()
        if pa.types.is_floating(values.type):
            bits = values.to_numpy(zero_copy_only=False).view(f"u{values.type.bit_width // 8}")
            found.update(each.tobytes() for each in np.unique(bits))
        else:
            values = values.dictionary_decode() if pa.types.is_dictionary(values.type) else values
            each = pc.unique(values)
            different = each if different is None else pc.unique(pa.concat_arrays([different, each]))
    return len(found) + (0 if different is None else len(different))


def _chunk(content: bytes, at: int, end: int, values: int) -> tuple[int, int | None]:
    """Where the last page of a column ends, and how many entries its dictionary has; None where it has none."""
    entries, seen = None, 0
    while at < end and (seen < values or not values):
        header, at = _struct(content, at, min(end, at + _LONGEST), 0)
        kind, size = header.get(1), header.get(3)
        if not isinstance(size, int) or size < 0 or at + size > end:
            raise ValueError("a page beyond its column")
        # What libraries pass over, or take nothing from, holds nothing that rows account for.
        if kind not in _HEADERS or (kind == _DICTIONARY and entries is not None):
            raise ValueError("a page that no column has")
        count = header.get(_HEADERS[kind], {}).get(1)
        if not isinstance(count, int) or count < 0:
            raise ValueError("a page that does not say how much it holds")
        if not count and size > _EMPTY:
            raise ValueError("a page without values that holds something")
        if kind == _DICTIONARY:
            entries = count
        else:
            seen += count
        if seen > values:
            raise ValueError("more values than the column has")
        at += size
    return at, entries


def _struct(content: bytes, at: int, end: int, depth: int) -> tuple[dict[int, Any], int]:
    """A struct of Thrift's compact protocol: its numbers and structs by field, and where it ends."""
    if depth > _DEEPEST:
        raise ValueError("nested too deeply")
    found: dict[int, Any] = {}
    field = 0
    while True:
        if at >= end:
            raise ValueError("a header that is cut off")
        mark = content[at]
        at += 1
        if not mark:
            return found, at
        kind = mark & 15
        if mark >> 4:
            field += mark >> 4
        else:
            field, at = _number(content, at, end)
        if kind == _STRUCT:
            found[field], at = _struct(content, at, end, depth + 1)
        elif kind in _INTEGERS:
            found[field], at = _number(content, at, end)
        elif kind == _BINARY:
            length, at = _varint(content, at, end)
            at += length
        elif kind in _SIZES:
            at += _SIZES[kind]
        else:
            raise ValueError("a list where a page has none")


def _varint(content: bytes, at: int, end: int) -> tuple[int, int]:
    value = shift = 0
    while at < end and shift <= 63:
        byte = content[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
    raise ValueError("a number that is cut off")


def _number(content: bytes, at: int, end: int) -> tuple[int, int]:
    value, at = _varint(content, at, end)
    return (value >> 1) ^ -(value & 1), at
