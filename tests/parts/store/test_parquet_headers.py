"""Headers and padding of a Parquet file that readers pass over: whatever could be chosen in them is counted."""

from __future__ import annotations

import io
import random
import struct
import zlib
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.parts.release.observing import parquet_pages, parquet_styles
from auditor.parts.store.judging.accounting import SPARE_EACH
from auditor.parts.store.observing import spare_bits

Fields = list[list[Any]]
"""A struct of Thrift's compact protocol: number, type and value of each field; a list is its type and its values."""
_LIST, _STRUCT = 9, 12
_WHOLE: Final = {4, 5, 6}


class AsItIs(int):
    """A number that is written without its sign being moved to the end."""


def _varint(number: int) -> bytes:
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + _varint(number >> 7)


def _read_varint(content: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (content[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if content[at - 1] < 128:
            return value, at


def read(content: bytes, at: int) -> tuple[Fields, int]:
    found, number = Fields(), 0
    while mark := content[at]:
        at, kind = at + 1, mark & 15
        number += mark >> 4
        if kind in {1, 2}:
            found.append([number, 1, kind == 1])
            continue
        value, at = _read_value(content, at, kind)
        found.append([number, kind, value])
    return found, at + 1


def _read_value(content: bytes, at: int, kind: int) -> tuple[Any, int]:
    if kind == _STRUCT:
        return read(content, at)
    if kind in _WHOLE:
        value, at = _read_varint(content, at)
        return (value >> 1) ^ -(value & 1), at
    if kind in {1, 2, 3}:
        return content[at], at + 1
    if kind == _LIST:
        mark, listed = content[at], []
        count, at = (mark >> 4, at + 1) if mark >> 4 < 15 else _read_varint(content, at + 1)
        for _ in range(count):
            value, at = _read_value(content, at, mark & 15)
            listed.append(value)
        return [mark & 15, listed], at
    length, at = _read_varint(content, at)
    return content[at : at + length], at + length


def write(fields: Fields) -> bytes:
    found, last = b"", 0
    for number, kind, value in fields:
        mark = (1 if value else 2) if kind == 1 else kind
        step = number - last
        found += bytes([step << 4 | mark]) if 0 < step < 16 else bytes([mark]) + _write_value(4, number)
        found += b"" if kind == 1 else _write_value(kind, value)
        last = number
    return found + b"\0"


def _write_value(kind: int, value: Any) -> bytes:
    if kind == _STRUCT:
        return write(value)
    if kind in _WHOLE:
        return _varint(value if isinstance(value, AsItIs) else value << 1 if value >= 0 else (-value << 1) - 1)
    if kind in {1, 2, 3}:
        return bytes([value])
    if kind == _LIST:
        of, listed = value
        front = bytes([len(listed) << 4 | of]) if len(listed) < 15 else bytes([0xF0 | of]) + _varint(len(listed))
        return front + b"".join(_write_value(of, each) for each in listed)
    return _varint(len(value)) + value


def of(fields: Fields, number: int) -> Any:
    return next((each[2] for each in fields if each[0] == number), None)


def put(fields: Fields, number: int, value: Any) -> None:
    next(each for each in fields if each[0] == number)[2] = value


def leave_out(fields: Fields, number: int) -> None:
    fields[:] = [each for each in fields if each[0] != number]


def _footer(content: bytes) -> tuple[Fields, int]:
    (size,) = struct.unpack("<I", content[-8:-4])
    return read(content, len(content) - 8 - size)[0], len(content) - 8 - size


def _closed(body: bytes, footer: Fields) -> bytes:
    end = write(footer)
    return body + end + struct.pack("<I", len(end)) + b"PAR1"


def again(
    content: bytes,
    *,
    pages: Callable[[Fields, bytes], bytes] = lambda _, page: page,
    columns: Callable[[Fields], None] = lambda _: None,
) -> bytes:
    """Write a file again with other pages, and other notes of its columns; it is to have no indexes of pages."""
    footer, _ = _footer(content)
    body = b"PAR1"
    for group in of(footer, 4)[1]:
        start_of = len(body)
        for column in of(group, 1)[1]:
            own = of(column, 3)
            at = min(each for each in (of(own, 9), of(own, 11)) if each)
            end, begin, first, more = at + of(own, 7), len(body), None, 0
            while at < end:
                header, start = read(content, at)
                before, stop = of(header, 2), start + of(header, 3)
                page = pages(header, content[start:stop])
                put(header, 3, len(page))
                head = write(header)
                first = len(body) if first is None and of(header, 1) != 2 else first
                more += len(head) - (start - at) + of(header, 2) - before
                body, at = body + head + page, stop
            for number, value in ((6, of(own, 6) + more), (7, len(body) - begin), (9, first), (11, begin)):
                if of(own, number) is not None:
                    put(own, number, value)
            columns(own)
        chunks = [of(each, 3) for each in of(group, 1)[1]]
        for number, value in ((2, sum(of(each, 6) for each in chunks)), (6, sum(of(each, 7) for each in chunks)), (5, start_of)):
            if of(group, number) is not None:
                put(group, number, value)
    return _closed(body, footer)


ROWS: Final = 391
_drawn = np.random.default_rng(3)
TABLE: Final = pa.Table.from_pandas(
    pd.DataFrame(
        {"id": [f"C-{at:06d}" for at in range(ROWS)]}
        | {f"x{at}": _drawn.integers(0, (5, 90)[at % 2], ROWS) for at in range(6)}
        | {f"t{at}": _drawn.choice(["free", "pro", "basic"], ROWS) for at in range(12)}
    ),
    preserve_index=False,
)


def written(**how: Any) -> bytes:
    stream = io.BytesIO()
    pq.write_table(TABLE, stream, **{"compression": "none", **how})
    return stream.getvalue()


def room(content: bytes) -> int:
    """Bits for which a file has room in how it is written, or in bytes that nothing explains."""
    decoded = parquet_pages.decoded(content, pq.ParquetFile(io.BytesIO(content)))
    return 8 * decoded.beyond + (spare_bits.of_writing(parquet_styles.styles(decoded)) if decoded.columns else 0)


def order_of_fields() -> bytes:
    def pages(header: Fields, page: bytes) -> bytes:
        DRAWN.shuffle(header)
        for each in header:
            if each[1] == _STRUCT:
                DRAWN.shuffle(each[2])
        return page

    return again(written(), pages=pages)


def sums_with_more_bits() -> bytes:
    def pages(header: Fields, page: bytes) -> bytes:
        check = zlib.crc32(page)
        signed = check - (1 << 32) if check >> 31 else check
        put(header, 4, AsItIs((signed << 1 if signed >= 0 else (-signed << 1) - 1) | DRAWN.getrandbits(30) << 33))
        return page

    return again(written(write_page_checksum=True), pages=pages)


def types_of_lists() -> bytes:
    return again(written(), columns=lambda own: of(own, 2).__setitem__(0, DRAWN.choice([4, 5, 6])))


def notes_of_sizes() -> bytes:
    def columns(own: Fields) -> None:
        if of(own, 16) is not None:
            of(own, 16)[:] = [each for each in of(own, 16) if DRAWN.random() < 0.5]
        for of_whom, number in ((own, 13), (of(own, 12), 3)):
            if DRAWN.random() < 0.5:
                leave_out(of_whom, number)

    return again(written(), columns=columns)


def zeros_behind_values() -> bytes:
    def pages(header: Fields, page: bytes) -> bytes:
        more = DRAWN.choice([0, 8])
        put(header, 2, of(header, 2) + more)
        return page + bytes(more)

    return again(written(), pages=pages)


def _entries(page: bytes) -> int:
    """Where the entries of a dictionary begin that a page names."""
    return 4 + int(struct.unpack_from("<I", page, 0)[0])


def widths_of_entries() -> bytes:
    def pages(header: Fields, page: bytes) -> bytes:
        if of(header, 1) != 0 or of(of(header, 5), 2) not in {2, 8}:
            return page
        at = _entries(page)
        width, wider, found = page[at], DRAWN.randrange(page[at], 24), b""
        at += 1
        while at < len(page):
            mark, at = _read_varint(page, at)
            size = width * (mark >> 1) if mark & 1 else (width + 7) // 8
            whole, at = int.from_bytes(page[at : at + size], "little"), at + size
            numbers = [whole >> (width * each) & ((1 << width) - 1) for each in range(8 * (mark >> 1))] if mark & 1 else []
            again_ = sum(each << (wider * number) for number, each in enumerate(numbers)).to_bytes(wider * (mark >> 1), "little")
            found += _varint(mark) + (again_ if mark & 1 else whole.to_bytes((wider + 7) // 8, "little"))
        new = page[: _entries(page)] + bytes([wider]) + found
        put(header, 2, len(new))
        return new

    return again(written(), pages=pages)


def groups_behind_values() -> bytes:
    def pages(header: Fields, page: bytes) -> bytes:
        if of(header, 1) != 0 or of(of(header, 5), 2) not in {2, 8}:
            return page
        at = _entries(page)
        width, runs = page[at], []
        at += 1
        while at < len(page):
            begin = at
            mark, at = _read_varint(page, at)
            runs.append((begin, mark, at))
            at += width * (mark >> 1) if mark & 1 else (width + 7) // 8
        begin, mark, start = runs[-1]
        if not mark & 1:
            return page
        more = DRAWN.randrange(31)
        new = page[:begin] + _varint(((mark >> 1) + more) << 1 | 1) + page[start:] + bytes(width * more)
        put(header, 2, len(new))
        return new

    return again(written(), pages=pages)


def systems() -> bytes:
    return again(written(compression="gzip"), pages=lambda _, page: page[:8] + DRAWN.randbytes(2) + page[10:])


def orders_of_pages() -> bytes:
    content = written(write_page_index=True)
    footer, _ = _footer(content)
    columns = [each for group in of(footer, 4)[1] for each in of(group, 1)[1]]
    body = content[: min(of(each, 6) for each in columns)]
    for each in columns:
        index, places = (read(content, of(each, number))[0] for number in (6, 4))
        put(index, 4, DRAWN.randrange(3))
        for number, said in ((6, index), (4, places)):
            put(each, number, len(body))
            put(each, number + 1, len(write(said)))
            body += write(said)
    return _closed(body, footer)


HIDING: Final = (
    order_of_fields, sums_with_more_bits, types_of_lists, notes_of_sizes, zeros_behind_values, widths_of_entries,
    groups_behind_values, systems, orders_of_pages,
)  # fmt: skip
DRAWN: Final = random.Random(5)


@pytest.mark.parametrize("how", [{}, {"compression": "gzip"}, {"write_page_checksum": True}, {"row_group_size": 40}])
def test_a_file_that_is_written_again_as_it_is_has_no_more_room(how: dict[str, Any]) -> None:
    content = written(**how)
    assert again(content) == content
    assert room(content) <= SPARE_EACH // 2
    assert room(written(**how, write_page_index=True)) <= SPARE_EACH // 2


@pytest.mark.attempt("what a Parquet file hides")
@pytest.mark.parametrize("hidden", HIDING, ids=lambda each: each.__name__)
def test_what_readers_pass_over_in_headers_and_behind_values_is_counted(hidden: Callable[[], bytes]) -> None:
    content = hidden()
    assert pq.read_table(io.BytesIO(content)).equals(TABLE)
    assert room(content) > 40
