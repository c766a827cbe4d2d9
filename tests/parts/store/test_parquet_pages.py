"""What lies in the pages of a Parquet file beyond its values, and what its numbers say that pages do not, is found."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_parquet_stores import TABLE, account, written

from auditor.parts.release.observing import parquet_pages
from auditor.parts.store.observing.store_descriptions import beyond_columns

SECRET: Final = b"Alice Example, deleted in May."
VALUES: Final = np.array([1.5, 2.5, 4.5, 2.5, 1.5])
_I16, _I32, _I64, _BINARY, _LIST, _STRUCT = 4, 5, 6, 8, 9, 12
Fields = dict[int, Any]
"""Of a struct."""


class Long(int):
    """A number of 64 bits; others have 32."""


class Short(int):
    """A number of 16 bits."""


def longs(fields: Fields, *numbers: int) -> Fields:
    """A struct in which some fields are numbers of 64 bits."""
    return {key: Long(value) if key in numbers else value for key, value in fields.items()}


def varint(value: int) -> bytes:
    found = b""
    while value > 127:
        found, value = found + bytes([value & 127 | 128]), value >> 7
    return found + bytes([value])


def thrift(fields: Fields) -> bytes:
    """A struct in Thrift's compact protocol."""
    found, last = b"", 0
    for number, value in sorted(fields.items()):
        kind, content = _one(value)
        step = number - last
        found += (bytes([step << 4 | kind]) if step < 16 else bytes([kind]) + varint(2 * number)) + content
        last = number
    return found + b"\0"


def _one(value: Any) -> tuple[int, bytes]:
    match value:
        case bool():
            return (1 if value else 2), b""
        case int():
            kind = _I64 if isinstance(value, Long) else _I16 if isinstance(value, Short) else _I32
            return kind, varint(value << 1 if value >= 0 else ~value << 1 | 1)
        case bytes():
            return _BINARY, varint(len(value)) + value
        case dict():
            return _STRUCT, thrift(value)
        case list():
            parts = [_one(each) for each in value]
            kind = parts[0][0] if parts else _I32
            return _LIST, bytes([len(parts) << 4 | kind]) + b"".join(content for _, content in parts)
    raise TypeError


def page(content: bytes, own: Fields, *, kind: int = 0, size: int | None = None, **more: Any) -> bytes:
    """A page with its header."""
    field = {0: 5, 2: 7, 3: 8}[kind]
    said = {1: kind, 2: len(content) if size is None else size, 3: len(content), field: own}
    return thrift(said | {int(name[1:]): value for name, value in more.items()}) + content


def data(content: bytes, encoding: int = 0, count: int = 5, **more: Any) -> bytes:
    statistics = more.pop("statistics", None)
    own = {1: count, 2: encoding, 3: 3, 4: 3} | ({} if statistics is None else {5: longs(statistics, 3, 4)})
    return page(content, own, **more)


def file(*pages: bytes, kind: int = 5, codec: int = 0, rows: int = 5, unpacked: int | None = None, said: Fields | None = None,
         about: Fields | None = None, group: Fields | None = None, column: Fields | None = None, whole: Fields | None = None,
         encodings: tuple[int, ...] = (0, 3)) -> bytes:  # fmt: skip
    """A file with one column, `note`, of required values."""
    body = b"".join(pages)
    with_dictionary = len(pages) > 1
    first = 4 + (len(pages[0]) if with_dictionary else 0)
    size = len(body) if unpacked is None else unpacked
    metadata = {1: kind, 2: list(encodings), 3: [b"note"], 4: codec, 5: rows, 6: size, 7: len(body), 9: first, **(said or {})}
    metadata |= {11: 4} if with_dictionary else {}
    if 12 in metadata:
        metadata[12] = longs(metadata[12], 3, 4)
    chunk = {2: Long(0), 3: longs(metadata, 5, 6, 7, 9, 11), **longs(column or {}, 2)}
    groups = [longs({1: [chunk], 2: size, 3: rows, **(group or {})}, 2, 3, 5, 6)]
    schema = [{4: b"schema", 5: 1}, {1: kind, 3: 0, 4: b"note", **(about or {})}]
    footer = thrift({1: 1, 2: schema, 3: Long(rows), 4: groups, 6: b"parquet-cpp-arrow version 26.0.1", **(whole or {})})
    return b"PAR1" + body + footer + len(footer).to_bytes(4, "little") + b"PAR1"


PLAIN: Final = VALUES.tobytes()
TEXTS: Final = b"".join(b"\2\0\0\0" + bytes([each, each]) for each in b"abcde")
DICTIONARY: Final = page(np.unique(VALUES).tobytes(), {1: 3, 2: 0}, kind=2)
PACKED: Final = int("00" + "01" + "10" + "01" + "00", 2).to_bytes(2, "little")


def indices(packed: bytes = PACKED, width: int = 2) -> bytes:
    return data(bytes([width]) + b"\x03" + packed, 8)


def of_gzip(content: bytes) -> bytes:
    return file(data(content, size=len(PLAIN)), codec=2, unpacked=len(data(content)) - len(content) + len(PLAIN))


def of_zstd(more: bytes) -> bytes:
    content = pa.Codec("zstd").compress(PLAIN, asbytes=True) + more
    return file(data(content, size=len(PLAIN)), codec=6, unpacked=len(data(content)) - len(content) + len(PLAIN))


def later(**changes: int) -> bytes:
    own = {1: 5, 2: 0, 3: 5, 4: 0, 5: 0, 6: 0, 7: False}
    return file(page(PLAIN, own | {int(name[1:]): value for name, value in changes.items()}, kind=3))


def small(numbers: list[int]) -> bytes:
    """Numbers of one byte each, written in four."""
    return file(data(np.array(numbers, "<i4").tobytes()), kind=1, about={6: 11})


def differences(block: bytes) -> bytes:
    """Five numbers by their differences, 1 each, in blocks of 128."""
    return file(data(b"\x80\x01\x04\x05\x02" + block, 5), kind=2, encodings=(5, 3))


HONEST: Final[dict[str, bytes]] = {
    "plain": file(data(PLAIN)),
    "a dictionary": file(DICTIONARY, indices(), encodings=(0, 8, 3)),
    "gzip": of_gzip(gzip.compress(PLAIN, mtime=0)),
    "zstd": of_zstd(b""),
    "the later form": later(),
    "small numbers": small([1, 2, 3, 200, 255]),
    "differences": differences(b"\x02" + bytes(4)),
    "a sum": file(data(PLAIN, f4=zlib.crc32(data(PLAIN)[-len(PLAIN) :]))),
    "room of zeros": file(data(PLAIN + bytes(8))),
    "texts": file(data(TEXTS), kind=6, said={16: {1: Long(10)}}),
    "counts": file(data(PLAIN, statistics={3: 0, 4: 3}), said={12: {3: 0, 4: 3}, 13: [{1: 0, 2: 0, 3: 1}]}),
}


def beyond(content: bytes) -> int:
    return parquet_pages.decoded(content, pq.ParquetFile(io.BytesIO(content))).beyond


@pytest.mark.parametrize("name", HONEST)
def test_a_file_with_its_values_alone_holds_nothing_else(name: str) -> None:
    content = HONEST[name]
    assert len(pq.read_table(io.BytesIO(content))["note"]) == len(VALUES)
    assert beyond(content) == 0


NAMED: Final = b"\x1f\x8b\x08\x08\0\0\0\0\0\xff" + SECRET + b"\0" + gzip.compress(PLAIN, mtime=0)[10:]
SKIPPED: Final = b"\x50\x2a\x4d\x18" + len(SECRET).to_bytes(4, "little") + SECRET
TWICE: Final = page(np.array([1.5, 2.5, 4.5, 2.5]).tobytes(), {1: 4, 2: 0}, kind=2)
HIDDEN: Final[dict[str, bytes]] = {
    "behind the values": file(data(PLAIN + SECRET)),
    "behind the indices": file(DICTIONARY, indices(PACKED + SECRET), encodings=(0, 8, 3)),
    "in the room of the last group": file(DICTIONARY, indices(bytes([PACKED[0], PACKED[1] | 0b0110_1100])), encodings=(0, 8, 3)),
    "behind a dictionary": file(page(np.unique(VALUES).tobytes() + SECRET, {1: 3, 2: 0}, kind=2), indices(), encodings=(0, 8, 3)),
    "by which of two entries rows name": file(TWICE, indices(int("0011100100", 2).to_bytes(2, "little")), encodings=(0, 8, 3)),
    "the name in gzip": of_gzip(NAMED),
    "the time in gzip": of_gzip(gzip.compress(PLAIN, mtime=1_700_000_000)),
    "a frame that is skipped": of_zstd(SKIPPED),
    "a sum that is none": file(data(PLAIN, f4=int.from_bytes(SECRET[:3], "little"))),
    "missing values in a page's header": file(data(PLAIN, statistics={3: int.from_bytes(SECRET[:7], "little")})),
    "different values in a page's header": file(data(PLAIN, statistics={4: int.from_bytes(SECRET[:7], "little")})),
    "different values in the footer": file(data(PLAIN), said={12: {4: int.from_bytes(SECRET[:7], "little")}}),
    "missing values in the footer": file(data(PLAIN), said={12: {3: int.from_bytes(SECRET[:7], "little")}}),
    "how often pages are so written": file(data(PLAIN), said={13: [{1: 0, 2: 0, 3: int.from_bytes(SECRET[:3], "little")}]}),
    "the order of ways to write": file(data(PLAIN), encodings=(0, 3, 0, 0, 3)),
    "ways to write that none is": file(data(PLAIN), encodings=(0, 3, 5, 6)),
    "the unpacked size of a column": file(data(PLAIN), said={6: int.from_bytes(SECRET[:5], "little")}),
    "the size of a group": file(data(PLAIN), group={2: int.from_bytes(SECRET[:5], "little")}),
    "the packed size of a group": file(data(PLAIN), group={6: int.from_bytes(SECRET[:5], "little")}),
    "the place of a group": file(data(PLAIN), group={5: int.from_bytes(SECRET[:5], "little")}),
    "the order of a group": file(data(PLAIN), group={7: Short(SECRET[0])}),
    "columns that it is sorted by": file(data(PLAIN), group={4: [{1: each, 2: False, 3: False} for each in (65, 108, 105)]}),
    "the place of a column": file(data(PLAIN), column={2: int.from_bytes(SECRET[:5], "little")}),
    "how many values have a level": file(data(PLAIN), said={16: {3: [Long.from_bytes(SECRET[:5], "little")]}}),
    "bytes of texts": file(data(TEXTS), kind=6, said={16: {1: Long.from_bytes(SECRET[:5], "little")}}),
    "the number of a field": file(data(PLAIN), about={9: int.from_bytes(SECRET[:3], "little")}),
    "the version": file(data(PLAIN), whole={1: int.from_bytes(SECRET[:3], "little")}),
    "missing values in the later form": later(f2=2),
    "above a number of one byte": small([1, 2, 3, 200 | 0x416C6900, 255]),
    "wider differences than it needs": differences(b"\x02\x08\0\0\0" + bytes(32)),
    "a least difference that is less": differences(b"\x00\x01\0\0\0" + b"\x0f\0\0\0"),
    "behind the last difference": differences(b"\x00\x02\0\0\0" + b"\xaa\xaa" + bytes(6)),
    "widths of no numbers": differences(b"\x02\0" + SECRET[:3]),
}


@pytest.mark.attempt("what a Parquet file hides")
@pytest.mark.parametrize("name", HIDDEN)
def test_what_a_reader_passes_over_is_found(name: str) -> None:
    content = HIDDEN[name]
    assert beyond(content) >= 8


@pytest.mark.parametrize(
    "name", [each for each in HIDDEN if each not in {"the unpacked size of a column", "missing values in the later form"}]
)
def test_libraries_read_such_files_as_if_nothing_was_there(name: str) -> None:
    """Otherwise nobody would need to look for it."""
    assert len(pq.read_table(io.BytesIO(HIDDEN[name]))["note"]) == len(VALUES)


def ten(numbers: list[int]) -> bytes:
    """A file of ten rows by a dictionary, whose last group of eight has six numbers more."""
    packed = np.packbits([bit for each in numbers for bit in (each & 1, each >> 1)], bitorder="little").tobytes()
    return file(DICTIONARY, data(b"\2\5" + packed, 8, 10), rows=10, encodings=(0, 8, 3))


def test_what_a_writer_leaves_of_the_group_before_is_explained() -> None:
    first = [0, 1, 2, 1, 0, 2, 2, 1, 0, 0]
    assert beyond(ten([*first, 0, 0, 0, 0, 0, 0])) == 0
    assert beyond(ten([*first, *first[2:8]])) == 0
    assert beyond(ten([*first, *first[3:8], 0])) >= 8


def noted(**notes: Any) -> bytes:
    return written(TABLE.replace_schema_metadata({"pandas": json.dumps(notes)}))


@pytest.mark.attempt("what a Parquet file hides")
@pytest.mark.parametrize(
    "content",
    [
        noted(index_columns=[int(each) for each in SECRET]),
        noted(index_columns=[{"kind": "range", "name": None, "start": 1_869_768_224, "stop": 1_869_768_278, "step": 1}]),
        noted(partition_columns=[TABLE.column_names[each & 1] for each in SECRET]),
        noted(index_columns=TABLE.column_names[1::-1]),
        noted(attributes={"index_columns": [TABLE.column_names[each & 1] for each in SECRET[:20]]}),
        noted(attributes=[bool(each & 1) for each in SECRET * 8]),
        noted(attributes=["int64" if each & 1 else "float64" for each in SECRET * 8]),
        noted(attributes=[[] if each & 1 else {} for each in SECRET * 8]),
        noted(columns=[{"metadata": {"num_categories": int.from_bytes(SECRET[:4], "little")}}]),
        written(TABLE.append_column("note", pa.array([0] * len(TABLE), pa.timestamp("us", "Alice/Deleted")))),
        file(data(PLAIN), whole={6: SECRET}),
        file(data(PLAIN), whole={6: b"parquet-mr version 1.13.1 (build " + SECRET.hex()[:40].encode() + b")"}),
    ],
    ids=[
        "numbers",
        "numbers of rows",
        "names",
        "names in another order",
        "names elsewhere",
        "truths",
        "words",
        "lists",
        "categories",
        "a zone",
        "the writer",
        "its build",
    ],
)
def test_what_a_file_says_of_itself_in_a_form_of_its_own_is_unexplained(content: bytes) -> None:
    try:
        found = beyond_columns(pq.ParquetFile(io.BytesIO(content)))
    except pa.ArrowException:
        found = account(content).unexplained
    assert found > 0


@pytest.mark.parametrize("name", ["range", "step", "categories", "zone"])
def test_what_pandas_notes_of_rows_that_are_there_is_explained(name: str) -> None:
    start, step = {"step": (100, 7)}.get(name, (0, 1))
    about: dict[str, Any] = {
        "index_columns": [{"kind": "range", "name": None, "start": start, "stop": start + step * len(TABLE), "step": step}]
    }
    if name == "categories":
        about["columns"] = [{"name": "label", "field_name": "label", "metadata": {"num_categories": 2, "ordered": False}}]
    table = TABLE
    if name == "zone":
        table = TABLE.append_column("note", pa.array([0] * len(TABLE), pa.timestamp("us", "Europe/Vienna")))
    content = written(table.replace_schema_metadata({"pandas": json.dumps(about)}))
    assert beyond_columns(pq.ParquetFile(io.BytesIO(content))) == 0
