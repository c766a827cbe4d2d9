"""Sizes of a Parquet file's groups and pages, and the room of an index, are a writer's own, or counted in bits."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.parts.release.observing import parquet_pages
from auditor.parts.release.observing.parquet_sizes import sizes
from auditor.parts.store.judging.accounting import SPARE_EACH
from auditor.parts.store.observing import spare_bits
from auditor.parts.store.readers.fields import Fields
from auditor.parts.store.readers.hnsw_graph import Header
from stores import make as made

EMAIL = b"frieda.tannhauser7803@example.org"


def table(rows: int) -> pa.Table:
    draw = random.Random(3)
    return pa.table({
        "id": [f"CU-{each}" for each in range(rows)],
        "balance": [draw.random() for _ in range(rows)],
        "note": ["blue kettle " * draw.randrange(1, 40) for _ in range(rows)],
        "plan": [draw.choice(("free", "plus")) for _ in range(rows)],
    })  # fmt: skip


def bits(content: bytes) -> int:
    found = sizes(parquet_pages.decoded(content, pq.ParquetFile(io.BytesIO(content))))
    return spare_bits.of_parts(found.groups, found.columns, found.off)


def written(rows: int, **how: object) -> bytes:
    file = io.BytesIO()
    pq.write_table(table(rows), file, **how)
    return file.getvalue()


def in_groups(sizes_of: Sequence[int]) -> bytes:
    file, given, start = io.BytesIO(), table(sum(sizes_of)), 0
    with pq.ParquetWriter(file, given.schema) as writer:
        for each in sizes_of:
            writer.write_table(given.slice(start, each))
            start += each
    return file.getvalue()


@pytest.mark.parametrize(
    ("rows", "how"),
    [
        (290, {}),
        (290, {"row_group_size": 100}),
        (2500, {"row_group_size": 1000}),
        (20_000, {"data_page_size": 1 << 16}),
        (20_000, {"data_page_size": 1 << 16, "use_dictionary": False, "data_page_version": "2.0"}),
        (60_000, {}),
    ],
)
def test_a_writers_sizes_say_little(rows: int, how: dict[str, object]) -> None:
    assert bits(written(rows, **how)) <= SPARE_EACH


@pytest.mark.attempt("sizes of groups and pages")
def test_sizes_that_spell_an_address_are_more_than_a_file_may_have() -> None:
    assert bits(in_groups([byte - 32 for byte in EMAIL])) > SPARE_EACH
    assert bits(in_groups([1 + (byte >> bit & 1) for byte in EMAIL for bit in range(7)])) > SPARE_EACH


@pytest.mark.attempt("sizes of groups and pages")
def test_pages_that_spell_an_address_are_more_than_a_file_may_have() -> None:
    """A writer that ends a page wherever it likes, here by texts that are longer than a page."""
    file, count = io.BytesIO(), 0
    texts = []
    for byte in EMAIL:
        texts += ["x"] * (byte - 32) + ["y" * 5000]
        count += byte - 31
    pq.write_table(pa.table({"note": texts}), file, data_page_size=4000, write_batch_size=1, use_dictionary=False)
    assert bits(file.getvalue()) > SPARE_EACH


def test_round_numbers_cost_less_than_others() -> None:
    assert max(map(spare_bits.of_setting, (1000, 1024, 1_000_000, 1 << 20))) <= 16
    assert spare_bits.of_setting(2_062_004) > 24


def test_the_room_of_an_index_is_what_is_in_it_or_a_number_that_is_counted() -> None:
    content = bytearray((made.HERE / "hnswlib.bin").read_bytes())
    count = Header.read(Fields(bytes(content[:96]))).count
    found = {}
    for room in (count, 1 << (count - 1).bit_length(), 1000, 2_062_004):
        content[8:16] = room.to_bytes(8, "little")
        found[room] = sum(map(spare_bits.of_setting, Header.read(Fields(bytes(content[:96]))).settings()))
    assert found[2_062_004] > 24
    assert all(each <= 24 for room, each in found.items() if room != 2_062_004)
