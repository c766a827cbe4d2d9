"""How much of a Parquet file its pages take up, and what their dictionaries list: read page by page, by their own headers.

What the end of such a file says of its columns is what its author says. Bytes that no page holds are read by no library, and so
may be anything; entries of a dictionary that no row refers to are read by none either, nor is what is noted of values, such as
the least of them, in the headers of pages, in indexes of pages and at the end of the file.
"""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_left
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.parts.release.observing import parquet_footers, parquet_values
from auditor.parts.release.observing.parquet_footers import Look, Written

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

_DEEPEST: Final = 8
_LONGEST: Final = 1 << 16
"""Bytes of the header of a page, with the least and the largest of its values."""
_DICTIONARY: Final = 2
_HEADERS: Final = {0: 5, _DICTIONARY: 7, 3: 8}
"""By the type of a page, the field that says how many values it has: of data, a dictionary, and data in the later form."""
_ENCODINGS: Final = {0: 2, 3: 4}
"""By the type of a page of data, the field of its header that says how its values are written."""
_LATER: Final = 3
_OF_VALUES: Final = 6
"""The field of the footer that names an index of the least and the largest values of pages."""
_OF_PLACES: Final = 4
"""The field of the footer that names an index of where pages are."""
_FIELDS: Final = {0: {1, 2, 3, 4, 5}, _DICTIONARY: {1, 2, 3}, _LATER: {1, 2, 3, 4, 5, 6, 7, 8}}
"""By the type of a page, the fields of its own header."""
_CRC: Final = 0xFFFF_FFFF
_BY_DICTIONARY: Final = frozenset({2, 8})
_MOST_FIELDS: Final = 8
"""Of the header of a page, and of each part of it."""
_TRUE, _BYTE, _DOUBLE, _BINARY, _LIST, _STRUCT = 1, 3, 7, 8, 9, 12
_SHORT, _INTEGER, _LONG = 4, 5, 6
_BITS: Final = {_SHORT: 16, _INTEGER: 32, _LONG: 64}
"""Of whole numbers, by their type."""
_EMPTY: Final = 64
"""Bytes of a page without values."""
_MOST_OF_TEXT: Final = 1 << 31
"""Bytes of text in a page."""
_FRAME: Final = 12
"""Bytes of the marks at both ends and of the length of the footer."""
_PLAIN: Final = {"INT32": "<i4", "INT64": "<i8", "FLOAT": "<f4", "DOUBLE": "<f8"}
"""How values of a type lie in a dictionary and in notes."""
_Values: TypeAlias = "npt.NDArray[Any] | list[bytes]"


@dataclass(slots=True)
class Chunk:
    """The pages of one column in one group of rows."""

    values: int
    end: int = 0
    pages: dict[int, int] = field(default_factory=dict)
    """Bytes of each page of data with its header, by where it begins."""
    dictionary: tuple[int, int, int, int] | None = None
    """Where its content begins and ends, its bytes once unpacked, and its entries; None where there is none."""
    begins: int = 0
    by_dictionary: bool = True
    """Whether every page of data refers to the dictionary."""
    notes: list[bytes] = field(default_factory=list)
    """What is noted of the values."""
    heads: list[tuple[int, int, int, dict[int, Any]]] = field(default_factory=list)
    """Of each page where its header begins, its content begins and ends, and the header."""
    indexes: dict[int, tuple[int, dict[int, Any]]] = field(default_factory=dict)
    """Indexes of pages by the field of the footer that names them, each with its bytes."""


@dataclass(frozen=True, slots=True)
class Pages:
    """What the pages of a file come to."""

    beyond: int
    """Bytes of the file in no page, nor in its footer."""
    chunks: dict[tuple[int, int], Chunk]
    """By the numbers of the group of rows and of the column."""


def pages(content: bytes, metadata: Any) -> Pages:
    """Walk through the pages of a file.

    Args:
        content: The file.
        metadata: What its footer says (`pyarrow.parquet.FileMetaData`).
    """
    spans: list[tuple[int, int]] = []
    chunks: dict[tuple[int, int], Chunk] = {}
    for at in range(metadata.num_row_groups):
        group = metadata.row_group(at)
        for number in range(group.num_columns):
            said = group.column(number)
            # Of a column without rows there is a dictionary alone.
            start = min(each for each in (said.dictionary_page_offset, said.data_page_offset, len(content)) if each)
            try:
                found = _chunk(content, start, min(start + said.total_compressed_size, len(content)), said.num_values)
            except (IndexError, ValueError):
                return Pages(max(0, len(content) - _FRAME - metadata.serialized_size), {})
            spans.append((start, found.end))
            chunks[at, number] = found
    spans += _indexes(content, metadata.serialized_size, chunks)
    taken, last = 0, 0
    for start, end in sorted(spans):
        taken += max(0, end - max(start, last))
        last = max(last, end)
    return Pages(max(0, len(content) - _FRAME - metadata.serialized_size - taken), chunks)


@dataclass(frozen=True, slots=True)
class Decoded:
    """What a file comes to once each of its pages is decoded."""

    beyond: int
    """Bytes that no row is read from."""
    footer: dict[int, Any] = field(default_factory=dict)
    """By its fields; empty where it cannot be read."""
    columns: dict[tuple[int, int], Written] = field(default_factory=dict)
    """What pages have, by the numbers of the group of rows and of the column; without those that cannot be decoded."""
    categories: frozenset[str] = frozenset()
    """Columns whose type lists their values."""


def decoded(content: bytes, opened: pq.ParquetFile) -> Decoded:
    """Decode a file, and count the bytes that no row is read from.

    They lie in no page, in a page beyond its values, in a dictionary or in notes that have values that no row has, or in numbers
    that pages do not determine. Of columns of text, whose dictionaries can be read, `file_formats.in_no_row` says which entries
    those are; they are not counted here.

    Args:
        content: The file.
        opened: The same, opened.

    Raises:
        pyarrow.ArrowException: If a column cannot be read.
    """
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)

    metadata = opened.metadata
    found = pages(content, metadata)
    try:
        footer, _ = _struct(content, len(content) - 8 - metadata.serialized_size, len(content) - 8, 0, _OF_FOOTER)
    except (IndexError, ValueError):
        return Decoded(len(content))
    rewritten = BytesIO()
    metadata.write_metadata_file(rewritten)
    # What is left of a footer that is written again is what libraries read of it.
    surplus = max(0, metadata.serialized_size - (len(rewritten.getvalue()) - _FRAME))
    written: dict[tuple[int, int], Written] = {}
    for (at, number), chunk in found.chunks.items():
        said = metadata.row_group(at).column(number)
        noted = said.statistics
        raw = [] if noted is None or not noted.has_min_max else [noted.min_raw, noted.max_raw]
        path = said.path_in_schema
        column = _leaf(opened.read_row_group(at, columns=[path], use_threads=False).column(0))
        values = _physical(column, said.physical_type)
        surplus += sum(len(each) for each in chunk.notes if not _is_value(_read(each, said.physical_type), values))
        surplus += sum(len(each) if isinstance(each, bytes) else 8 for each in raw if not _is_value(each, values))
        surplus += _beyond_bounds(footer[4][at][1][number].get(3, {}).get(12, {}), said.physical_type, column)
        text = path in opened.schema_arrow.names and is_text(opened.schema_arrow.field(path).type)
        if chunk.dictionary is not None and not text and not _all_used(content, chunk, said, column, values):
            surplus += chunk.dictionary[1] - chunk.begins
        try:
            written[at, number] = _decoded(content, chunk, _how(opened, footer, at, number, column), column)
        except (ValueError, IndexError, KeyError, TypeError, OverflowError, struct.error, zlib.error, OSError):
            surplus += chunk.end - chunk.begins
            continue
        surplus += sum(size for where, (size, index) in chunk.indexes.items() if not _tells(where, index, written[at, number]))
    surplus += sum(_unsorted(footer[4][at].get(4, []), opened, at) for at in range(metadata.num_row_groups))
    if len({str(each.get(4)) for each in footer[4]}) > 1:
        surplus += len(footer[4]) * _ORDERS
    categories = frozenset(each.name for each in opened.schema_arrow if pa.types.is_dictionary(each.type))
    return Decoded(found.beyond + int(surplus) + parquet_footers.beyond(footer, written), footer, written, categories)


def _unsorted(said: list[dict[int, Any]], opened: pq.ParquetFile, at: int) -> int:
    """Bytes of columns by which rows of a group are said to be sorted, and are not, or which tell nothing more of their order."""
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)
    import pyarrow.compute as pc  # noqa: PLC0415

    names = opened.schema_arrow.names
    if not said:
        return 0
    if len(opened.schema) != len(names) or any(not 0 <= each[1] < len(names) for each in said):
        return _ORDERS * len(said)
    columns = [names[each[1]] for each in said]
    table = opened.read_row_group(at, columns=columns, use_threads=False)
    keyed: dict[str, pa.ChunkedArray] = {}
    order: list[tuple[str, str]] = []
    for number, each in enumerate(said):
        # What is missing comes before all values, or after them.
        keyed[f"{number} is there"] = pc.cast(pc.is_valid(table[columns[number]]), pa.int8())
        keyed[f"{number}"] = table[columns[number]]
        order += [(f"{number} is there", "ascending" if each[3] else "descending")]
        order += [(f"{number}", "descending" if each[2] else "ascending")]
    try:
        whole = pa.table(keyed)
        holds = len({each[3] for each in said}) == 1 and whole.take(pc.sort_indices(whole, sort_keys=order)).equals(whole)
        apart = whole.group_by(whole.column_names[:-2]).aggregate([]).num_rows if len(said) > 1 else 0
    except (pa.ArrowException, TypeError):
        return _ORDERS * len(said)
    return 0 if holds and apart < max(2, table.num_rows) else _ORDERS * len(said)


_ORDERS: Final = 8
"""Bytes of a column by which rows are said to be sorted."""


def _beyond_bounds(noted: dict[int, Any], physical: str, values: pa.Array) -> int:
    """Bytes of notes of the least and the largest of some values, in the older fields and in those of today, that are others."""
    found = {each: noted[each] for each in (*_LEAST, *_LARGEST) if noted.get(each)}
    if not found:
        return 0
    bounds = _bounds(values, physical)
    return sum(
        len(note)
        for each, note in found.items()
        if bounds is None or not _is_bound(_read(note, physical), bounds[each in _LARGEST], largest=each in _LARGEST)
    )


def _bounds(values: pa.Array, physical: str) -> tuple[Any, Any] | None:
    """The least and the largest of the values of a leaf as they are written; None where there are none, or no order of them."""
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)
    import pyarrow.compute as pc  # noqa: PLC0415

    there = values.drop_null()
    there = there.dictionary_decode() if pa.types.is_dictionary(there.type) else there
    if pa.types.is_floating(there.type):
        there = there.filter(pc.invert(pc.is_nan(there)))
    if not len(there):
        return None
    if is_text(there.type) or pa.types.is_large_binary(there.type) or pa.types.is_fixed_size_binary(there.type):
        texts = [each.encode("utf-8", "replace") if isinstance(each, str) else each for each in there.to_pylist()]
        return min(texts), max(texts)
    ends = pc.min_max(there).as_py() if pa.types.is_boolean(there.type) else None
    if ends is not None:
        return ends["min"], ends["max"]
    order = pc.array_sort_indices(there)
    numbers = _physical(there.take(order[:1]), physical), _physical(there.take(order[-1:]), physical)
    return None if numbers[0] is None or numbers[1] is None else (numbers[0][0], numbers[1][0])


def _is_bound(note: Any, bound: Any, *, largest: bool) -> bool:
    """Whether a note is the least or the largest of values; of a long text also its beginning, or what comes just after that."""
    if note is None or not isinstance(note, bytes):
        return note is not None and not isinstance(bound, bytes) and bool(note == bound)
    if note == bound or not isinstance(bound, bytes):
        return isinstance(bound, bytes)
    cut = note[:-1] + bytes([note[-1] - 1]) if largest and note and note[-1] else note
    return len(note) in _CUT_AT and any(bound.startswith(each) for each in (note, cut))


_LEAST, _LARGEST = frozenset({2, 6}), frozenset({1, 5})
"""Fields of notes of values."""
_CUT_AT: Final = frozenset({8, 16, 32, 64, 128, 256})
"""Bytes after which writers cut long texts."""


def _how(opened: pq.ParquetFile, footer: dict[int, Any], at: int, number: int, column: pa.Array) -> parquet_values.Column:
    """How the values of a column are written."""
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)

    own, kind = opened.metadata.schema.column(number), column.type
    small = pa.types.is_integer(kind) and kind.bit_width < 32
    bounds = (int(np.iinfo(kind.to_pandas_dtype()).min), int(np.iinfo(kind.to_pandas_dtype()).max)) if small else None
    return parquet_values.Column(
        own.physical_type,
        own.length or 0,
        own.max_definition_level,
        own.max_repetition_level,
        footer[4][at][1][number][3][4],
        bounds,
    )


def _decoded(content: bytes, chunk: Chunk, how: parquet_values.Column, column: pa.Array) -> Written:
    """Decode the pages of a column in one group.

    Raises:
        ValueError: If one holds anything but values, or its header says what these do not.
    """
    found, kinds, texts, done, unpacked = [], [], [], 0, 0
    looks, listed = list[Look](), list[Any]()
    of_dictionary: Hashable = ()
    different = _different(column)
    for begin, start, end, header in chunk.heads:
        packed, kind = content[start:end], header[1]
        own, known = header[_HEADERS[kind]], _FIELDS[kind]
        check = zlib.crc32(packed)
        unpacked += header[2] + start - begin
        if header.keys() - {4} != {1, 2, 3, _HEADERS[kind]} or not own.keys() <= known or header.get(4, check) & _CRC != check:
            raise ValueError("a header that says more than its page")
        if kind == _DICTIONARY:
            listed, rest = parquet_values.of_dictionary(packed, header, how)
            of_dictionary = (4 in header, own.get(3), rest, parquet_values.system_of(packed, how.codec))
            kinds.append((kind, own[2]))
            continue
        page = parquet_values.of_page(packed, header, how)
        values = column.slice(done, page.definitions[-1])
        done += len(values)
        texts.append(_bytes_of(values) if how.physical == "BYTE_ARRAY" else 0)
        found.append(page)
        kinds.append((kind, own[_ENCODINGS[kind]]))
        notes = own.get(8 if kind == _LATER else 5, {})
        noted = tuple(sorted(notes)) if page.missing < len(values) else ()
        looks.append(Look(_head(packed, header, how), noted, page.blocks, header[2], page.rest))
        if not parquet_footers.of_statistics(notes, page.missing, _different(values)) or _beyond_bounds(
            notes, how.physical, values
        ):
            raise ValueError("counts of values that are others, or bounds")
        if (index := chunk.indexes.get(_OF_VALUES, (0, {}))[1]) and values.null_count < len(values):
            bounds = {2: index[2][len(found) - 1], 1: index[3][len(found) - 1]}
            if _beyond_bounds(bounds, how.physical, values):
                raise ValueError("an index of pages with other bounds than they have")
    if done != len(column) or len({(header[5].get(3), header[5].get(4)) for *_, header in chunk.heads if 5 in header}) > 1:
        raise ValueError("other values than its rows have")
    first = next((begin for begin, _, _, header in chunk.heads if header[1] != _DICTIONARY), chunk.begins)
    size, levels = chunk.end - chunk.begins, (how.repetition, how.definition)
    indexes = tuple((where, *_form_of(index, how.physical)) for where, (_, index) in sorted(chunk.indexes.items()))
    return Written(
        chunk.begins,
        first,
        size,
        unpacked,
        chunk.values,
        kinds,
        found,
        different,
        texts,
        levels,
        frozenset(each + more for each in chunk.indexes for more in (0, 1)),
        indexes,
        of_dictionary,
        looks,
        listed,
        chunk.dictionary[2] if chunk.dictionary else 0,
    )


def _head(packed: bytes, header: dict[int, Any], how: parquet_values.Column) -> Hashable:
    """How levels are written, whether there is a sum to check, and whether values are packed where that takes less room."""
    own = header[_HEADERS[header[1]]]
    if header[1] != _LATER:
        return 4 in header, own.get(3), own.get(4), parquet_values.system_of(packed, how.codec)
    levels = own.get(5, 0) + own.get(6, 0)
    values, is_packed = packed[levels:], own.get(7, 1)
    shorter = parquet_values.is_shorter_packed(values, header[2] - levels, how.codec)
    return 4 in header, 7 in own, is_packed == shorter, parquet_values.system_of(values, how.codec) if is_packed else b""


def _form_of(index: dict[int, Any], physical: str) -> tuple[Hashable, ...]:
    """Which lists an index of pages has, which of them are empty, and whether its pages are in the order that it says."""
    order = index.get(_SAID_ORDER)
    holds = order is not None and (order == _order_of(index, physical) or (False, order))
    return *((each, bool(listed)) for each, listed in sorted(index.items()) if each != _SAID_ORDER), holds


def _order_of(index: dict[int, Any], physical: str) -> int:
    """1 where the least values of pages rise, and the largest too, else 2 where both fall, and 0 where they do neither."""
    there = [at for at, bare in enumerate(index[1]) if bare != _TRUE]
    bounds = [[_read(index[key][at], physical) for at in there] for key in (2, 3)]
    if any(each is None for listed in bounds for each in listed):
        return 0
    rises, falls = (all(sign * (one > other) <= 0 and sign * (one < other) >= 0 for listed in bounds
                        for one, other in pairwise(listed)) for sign in (1, -1))  # fmt: skip
    return 1 if rises else 2 if falls else 0


_SAID_ORDER: Final = 4
"""The field of an index of pages that says in which order their values are."""


def _bytes_of(values: pa.Array) -> int:
    import pyarrow.compute as pc  # noqa: PLC0415  (slow to import, and needed for this format only)

    dense = values.dictionary_decode() if hasattr(values, "dictionary_decode") else values
    return int(pc.sum(pc.binary_length(dense)).as_py() or 0)


def _tells(where: int, index: dict[int, Any], written: Written) -> bool:
    """Whether an index of pages says of each which row it begins with, and how many values it has of each kind."""
    found = written.found
    if where == _OF_PLACES:
        rows = [each.rows for each in found]
        begins = [sum(rows[:at]) for at in range(len(rows))]
        return [each[3] for each in index[1]] == begins and index.get(2, written.texts) == written.texts
    levels = ([number for each in found for number in getattr(each, name)] for name in ("repetitions", "definitions"))
    alike = all(index.get(key, counted) in (counted, []) for key, counted in zip((6, 7), levels, strict=True))
    missing = [each.missing for each in found]
    bare = [int(each.definitions[-1] == 0) for each in found]
    return alike and index.get(5, missing) == missing and index[1] == [2 - each for each in bare]


def _all_used(content: bytes, chunk: Chunk, said: Any, column: pa.Array, values: _Values | None) -> bool:
    """Whether the entries of a dictionary are values of rows in the same group.

    Where every page refers to it, it has as many entries as there are different values; else its entries are compared.
    """
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)

    begin, end, size, entries = chunk.dictionary or (0, 0, 0, 0)
    if entries <= _different(column) and chunk.by_dictionary:
        return True
    kind = _PLAIN.get(said.physical_type)
    if kind is None or not isinstance(values, np.ndarray) or size != entries * np.dtype(kind).itemsize:
        return False
    listed = content[begin:end]
    if said.compression != "UNCOMPRESSED":
        listed = pa.Codec(said.compression.lower().replace("lz4", "lz4_raw")).decompress(listed, size, asbytes=True)
    bits = f"<u{np.dtype(kind).itemsize}"
    return bool(np.isin(np.frombuffer(listed, bits), np.ascontiguousarray(values).view(bits)).all())


def _is_value(note: Any, values: _Values | None) -> bool:
    """Whether a note is a value of rows; of text also the beginning of one, or what comes just after one that was cut short."""
    if values is None or note is None:
        return False
    if isinstance(values, np.ndarray):
        return not isinstance(note, bytes) and bool((values == note).any())
    if not isinstance(note, bytes):
        return False
    cut = note[:-1] + bytes([note[-1] - 1]) if note and note[-1] else note
    return not note or any(_begins(each, values) for each in (note, cut))


def _begins(start: bytes, values: list[bytes]) -> bool:
    at = bisect_left(values, start)
    return at < len(values) and values[at].startswith(start)


def _read(note: bytes, physical: str) -> Any:
    """A note as its column's type has it; None where it is no such thing."""
    if physical == "BOOLEAN":
        return bool(note[0]) if len(note) == 1 and note[0] < 2 else None
    kind = _PLAIN.get(physical)
    if kind is None:
        return note
    return np.frombuffer(note, kind)[0].item() if len(note) == np.dtype(kind).itemsize else None


def _physical(column: pa.Array, physical: str) -> _Values | None:
    """The values of a leaf as they are written: numbers of a type, or sorted bytes; None for what is not known here."""
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)

    kind = column.type
    if is_text(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
        dense = column.dictionary_decode() if pa.types.is_dictionary(kind) else column
        return sorted({each.encode("utf-8", "replace") if isinstance(each, str) else each for each in dense.to_pylist()})
    dense = column.dictionary_decode() if pa.types.is_dictionary(kind) else column
    if pa.types.is_boolean(dense.type):
        return np.asarray(dense.to_numpy(zero_copy_only=False))
    if pa.types.is_temporal(dense.type) and dense.type.bit_width in {32, 64}:
        dense = dense.view(pa.int32() if dense.type.bit_width == 32 else pa.int64())
    written = _PLAIN.get(physical)
    if written is None or not (pa.types.is_integer(dense.type) or pa.types.is_floating(dense.type)):
        return None
    numbers = dense.to_numpy(zero_copy_only=False)
    if numbers.dtype.kind == "u":
        numbers = numbers.astype(f"<u{np.dtype(written).itemsize}").view(written)
    return np.asarray(numbers.astype(written))


def is_text(kind: pa.DataType) -> bool:
    """Tell whether a column is of text or bytes, each value by itself or listed in a dictionary."""
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)

    dense = kind.value_type if pa.types.is_dictionary(kind) else kind
    return any(test(dense) for test in (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary))


def _leaf(column: pa.ChunkedArray) -> pa.Array:
    """The values of a column of one kind of leaf, without those that are missing."""
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)

    parts = []
    for chunk in column.chunks:
        values = chunk
        while pa.types.is_nested(values.type):
            values = values.flatten()[0] if pa.types.is_struct(values.type) else values.flatten()
        values = values.dictionary_decode() if pa.types.is_dictionary(values.type) else values
        parts.append(values.drop_null())
    return pa.concat_arrays(parts) if parts else pa.array([], pa.null())


def _different(values: pa.Array) -> int:
    """How many different values there are; of numbers by their bits."""
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)
    import pyarrow.compute as pc  # noqa: PLC0415

    if pa.types.is_floating(values.type):
        ordered = np.sort(values.to_numpy(zero_copy_only=False).view(f"u{values.type.bit_width // 8}"))
        return int(np.count_nonzero(ordered[1:] != ordered[:-1])) + min(1, len(ordered))  # `np.unique` takes four times as long
    return len(pc.unique(values))


def _chunk(content: bytes, at: int, end: int, values: int) -> Chunk:
    """Read the pages of a column.

    Raises:
        ValueError: If no library reads one of them for a row.
        IndexError: If the file ends within.
    """
    found, seen = Chunk(values, begins=at), 0
    while at < end and (seen < values or not values):
        begin = at
        header, at = _struct(content, at, min(end, at + _LONGEST), 0, _OF_PAGE)
        kind, size = header.get(1), header.get(3)
        if not isinstance(size, int) or size < 0 or at + size > end:
            raise ValueError("a page beyond its column")
        # What libraries pass over, or take nothing from, holds nothing that rows account for.
        if kind not in _HEADERS or (kind == _DICTIONARY and found.dictionary is not None):
            raise ValueError("a page that no column has")
        own = header.get(_HEADERS[kind], {})
        count = own.get(1)
        if not isinstance(count, int) or count < 0:
            raise ValueError("a page that does not say how much it holds")
        if not count and size > _EMPTY:
            raise ValueError("a page without values that holds something")
        found.notes += _noted(header)
        found.heads.append((begin, at, at + size, header))
        if kind == _DICTIONARY:
            found.dictionary = (at, at + size, header.get(2, 0), count)
        else:
            seen += count
            found.pages[begin] = at + size - begin
            found.by_dictionary &= own.get(_ENCODINGS[kind]) in _BY_DICTIONARY
        if seen > values:
            raise ValueError("more values than the column has")
        at += size
    found.end = at
    return found


def _noted(header: dict[int, Any]) -> Iterator[bytes]:
    """Whatever the header of a page holds but numbers.

    Raises:
        ValueError: If it has a field that no page has.
    """
    for number, value in header.items():
        if number > _MOST_FIELDS:
            raise ValueError("a field that no page has")
        if isinstance(value, dict):
            yield from _noted(value)
        elif isinstance(value, bytes):
            yield value
        elif not isinstance(value, int):
            raise ValueError("a list where a page has none")  # noqa: TRY004  (as all that a page may not have)


def _indexes(content: bytes, size: int, chunks: dict[tuple[int, int], Chunk]) -> Iterator[tuple[int, int]]:
    """Give where the indexes of pages lie that say where these are and what the least and the largest of their values is."""
    end = len(content) - 8
    try:
        footer, _ = _struct(content, end - size, end, 0, _OF_FOOTER)
        for (at, number), chunk in chunks.items():
            said = footer[4][at][1][number]
            for where, length in ((4, 5), (6, 7)):
                if isinstance(said.get(where), int) and isinstance(said.get(length), int):
                    begin, stop = said[where], said[where] + said[length]
                    index, last = _struct(content, begin, min(stop, end), 0, _OF_INDEX[where])
                    notes = [] if where == _OF_PLACES else [each for key in (2, 3) for each in index[key] if each]
                    if last == stop and (_places(index, chunk) if where == _OF_PLACES else _about(index, chunk)):
                        chunk.notes += notes
                        chunk.indexes[where] = (stop - begin, index)
                        yield begin, stop
    except (IndexError, ValueError, KeyError, TypeError):
        return


def _places(index: dict[int, Any], chunk: Chunk) -> bool:
    """Whether an index of pages names the pages that there are, and how many bytes of text each has, and nothing else."""
    named = {each[1]: each[2] for each in index[1] if each.keys() == {1, 2, 3} and 0 <= each[3] <= chunk.values}
    texts = index.get(2, [0] * len(named))
    sizes = len(texts) == len(named) and all(0 <= each < _MOST_OF_TEXT for each in texts)
    return index.keys() <= {1, 2} and named == chunk.pages and len(index[1]) == len(named) and sizes


def _about(index: dict[int, Any], chunk: Chunk) -> bool:
    """Whether an index of values has one of each for each page: whether all are missing, least, largest, and how many are."""
    count = len(chunk.pages)
    alike = all(len(index.get(key, [0] * count)) == count for key in (1, 2, 3, 5))
    numbers = [each for key in (1, 5, 6, 7) for each in index.get(key, ())]
    levels = all(sum(index.get(key, [chunk.values])) == chunk.values for key in (6, 7))
    small = all(0 <= each <= max(2, chunk.values) for each in numbers)
    return index.keys() <= {1, 2, 3, 4, 5, 6, 7} and alike and levels and small and index.get(4) in _IN_ORDER


_Form: TypeAlias = "int | list[_Form] | Mapping[int, _Form]"
"""A type of Thrift's compact protocol: of a value, of a list, or of a struct by its fields; none of what is not known."""
_NOTES: Final[_Form] = {
    1: _BINARY, 2: _BINARY, 3: _LONG, 4: _LONG, 5: _BINARY, 6: _BINARY, 7: _TRUE, 8: _TRUE, 9: _LONG,
}  # fmt: skip
_OF_PAGE: Final[_Form] = {
    **dict.fromkeys(range(1, 5), _INTEGER),
    5: {**dict.fromkeys(range(1, 5), _INTEGER), 5: _NOTES},
    7: {1: _INTEGER, 2: _INTEGER, 3: _TRUE},
    8: {**dict.fromkeys(range(1, 7), _INTEGER), 7: _TRUE, 8: _NOTES},
}
_OF_INDEX: Final[Mapping[int, _Form]] = {
    _OF_PLACES: {1: [{1: _LONG, 2: _INTEGER, 3: _LONG}], 2: [_LONG]},
    _OF_VALUES: {1: [_TRUE], 2: [_BINARY], 3: [_BINARY], 4: _INTEGER, 5: [_LONG], 6: [_LONG], 7: [_LONG]},
}
_NOTED: Final[_Form] = [{1: _BINARY, 2: _BINARY}]
_OF_COLUMN: Final[_Form] = {
    1: _INTEGER, 2: [_INTEGER], 3: [_BINARY], 4: _INTEGER, 5: _LONG, 6: _LONG, 7: _LONG, 8: _NOTED, 9: _LONG, 10: _LONG,
    11: _LONG, 12: _NOTES, 13: [{1: _INTEGER, 2: _INTEGER, 3: _INTEGER}], 14: _LONG, 15: _INTEGER,
    16: {1: _LONG, 2: [_LONG], 3: [_LONG]},
}  # fmt: skip
_OF_FOOTER: Final[_Form] = {
    1: _INTEGER,
    2: [{1: _INTEGER, 2: _INTEGER, 3: _INTEGER, 4: _BINARY, **dict.fromkeys(range(5, 10), _INTEGER)}],
    3: _LONG,
    4: [{
        1: [{1: _BINARY, 2: _LONG, 3: _OF_COLUMN, 4: _LONG, 5: _INTEGER, 6: _LONG, 7: _INTEGER}],
        2: _LONG, 3: _LONG, 4: [{1: _INTEGER, 2: _TRUE, 3: _TRUE}], 5: _LONG, 6: _LONG, 7: _SHORT,
    }],
    5: _NOTED,
    6: _BINARY,
}  # fmt: skip


_IN_ORDER: Final = frozenset({0, 1, 2})
"""Not, ascending, or descending."""


def _struct(content: bytes, at: int, end: int, depth: int, form: _Form = 0) -> tuple[dict[int, Any], int]:
    """A struct of Thrift's compact protocol by its fields, each there once and in their order, and where it ends.

    Raises:
        ValueError: If a field has another type than it should, for which readers pass over it.
        IndexError: If it is cut off.
    """
    found: dict[int, Any] = {}
    field = 0
    while True:
        if at >= end:
            raise ValueError("a header that is cut off")
        mark = content[at]
        at += 1
        if not mark:
            return found, at
        kind, last = mark & 15, field
        if mark >> 4:
            field += mark >> 4
        else:
            field, at = _number(content, at, end, _SHORT)
            if field < last + 16:
                raise ValueError("a field that is there twice, out of order, or by a number that is longer than it has to be")
        own = form.get(field, 0) if isinstance(form, Mapping) else 0
        if kind in {_TRUE, _TRUE + 1}:
            if own not in {0, _TRUE}:
                raise ValueError("another type than the field has")
            found[field] = int(kind == _TRUE)
        else:
            found[field], at = _value(content, at, end, kind, depth, own)


def _value(content: bytes, at: int, end: int, kind: int, depth: int, form: _Form) -> tuple[Any, int]:
    """A value of a type, and where it ends; an empty list that says no type is an empty tuple."""
    if depth > _DEEPEST:
        raise ValueError("nested too deeply")
    expected = form if isinstance(form, int) else _LIST if isinstance(form, list) else _STRUCT
    if expected not in {0, kind} and not expected == _TRUE == kind - 1:
        raise ValueError("another type than the field has")
    if kind == _STRUCT:
        return _struct(content, at, end, depth + 1, form)
    if kind in _BITS:
        return _number(content, at, end, kind)
    if kind in {_BYTE, _TRUE, _TRUE + 1}:
        return content[at], at + 1
    if kind == _LIST:
        return _list(content, at, end, depth, form)
    if kind not in {_BINARY, _DOUBLE}:
        raise ValueError("a type that no file has")
    length, at = (8, at) if kind == _DOUBLE else _varint(content, at, end)
    if at + length > end:
        raise ValueError("bytes that are cut off")
    return content[at : at + length], at + length


def _list(content: bytes, at: int, end: int, depth: int, form: _Form) -> tuple[Any, int]:
    """The values of a list, and where it ends; an empty tuple of one that is empty and says no type."""
    mark = content[at]
    short, own = mark >> 4 < 15, form[0] if isinstance(form, list) else 0
    count, at = (mark >> 4, at + 1) if short else _varint(content, at + 1, end)
    if count > end - at or (count < 15 and not short):
        raise ValueError("a list that is cut off, or whose length is written longer than it has to be")
    if not count and own and mark & 15 not in ({own} if isinstance(own, int) else {0, _STRUCT}):
        raise ValueError("an empty list of another type than the field has")
    listed = []
    for _ in range(count):
        each, at = _value(content, at, end, mark & 15, depth + 1, own)
        listed.append(each)
    return listed if mark else (), at


def _varint(content: bytes, at: int, end: int) -> tuple[int, int]:
    value = shift = 0
    while at < end and shift <= 63:
        byte = content[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            if not byte and shift > 7:
                raise ValueError("a number that is longer than it has to be")
            return value, at
    raise ValueError("a number that is cut off")


def _number(content: bytes, at: int, end: int, kind: int = _LONG) -> tuple[int, int]:
    value, at = _varint(content, at, end)
    if value.bit_length() > _BITS[kind]:
        raise ValueError("a number that is larger than its type")
    return (value >> 1) ^ -(value & 1), at
