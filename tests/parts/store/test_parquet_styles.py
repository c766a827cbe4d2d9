"""How a Parquet file is written is its writer's choice: what varies by a rule says little, a choice by column are counted."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_parquet_stores import HONEST

from auditor.parts.release.observing import parquet_pages, parquet_sizes, parquet_styles, parquet_values
from auditor.parts.release.observing.parquet_styles import Styled
from auditor.parts.release.observing.parquet_values import Filled, Way
from auditor.parts.store.judging.accounting import SPARE_EACH
from auditor.parts.store.observing import spare_bits

ROWS: Final = 400
WIDE: Final = 40


def people(rows: int = ROWS, wide: int = WIDE) -> pd.DataFrame:
    """A table of many types, whose columns have few values or many, missing or not."""
    rng = np.random.default_rng(rows)
    found: dict[str, Any] = {
        "id": [f"C-{at:06d}" for at in range(rows)],
        "name": [f"P{rng.integers(10**6)} Q{rng.integers(10**5)}" for _ in range(rows)],
        "plan": rng.choice(["basic", "pro", "enterprise"], rows, p=[0.8, 0.15, 0.05]),
        "active": rng.random(rows) < 0.7,
        "since": pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 2000, rows), unit="D"),
    }
    for at in range(wide):
        whole = rng.integers(0, (5, 10**6)[at % 2], rows)
        values = rng.normal(size=rows).round(at % 4)
        found[f"x{at}"] = (whole, values, np.where(rng.random(rows) < 0.5, np.nan, values), whole.astype(str))[at % 4]
    return pd.DataFrame(found)


TABLE: Final = pa.Table.from_pandas(people(), preserve_index=False)


def written(table: pa.Table, **how: Any) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream, **how)
    return stream.getvalue()


def styles(content: bytes) -> parquet_styles.Styles:
    decoded = parquet_pages.decoded(content, pq.ParquetFile(io.BytesIO(content)))
    assert decoded.beyond == 0
    return parquet_styles.styles(decoded)


def bits(content: bytes) -> int:
    return spare_bits.of_writing(styles(content))


def of_sizes(content: bytes) -> int:
    parts = parquet_sizes.sizes(parquet_pages.decoded(content, pq.ParquetFile(io.BytesIO(content))))
    return spare_bits.of_parts(parts.groups, parts.columns, parts.off)


DELTA: Final = {"id": "DELTA_BYTE_ARRAY", "x0": "DELTA_BINARY_PACKED"}
CATEGORIES: Final = people().astype({"plan": "category", "x3": "category", "x7": "category"})
WRITTEN: Final[dict[str, Callable[[], bytes]]] = {
    "a wide table": lambda: written(TABLE),
    "in groups, some with one row": lambda: written(TABLE, row_group_size=57),
    "by zstd, in groups": lambda: written(TABLE, compression="zstd", row_group_size=100),
    "pages of the second kind": lambda: written(TABLE, data_page_version="2.0", write_page_index=True, write_page_checksum=True),
    "two columns by differences": lambda: written(TABLE, use_dictionary=False, column_encoding=DELTA),
    "categories": lambda: written(pa.Table.from_pandas(CATEGORIES), row_group_size=100),
    "a dictionary that is full": lambda: written(TABLE, dictionary_pagesize_limit=1024, data_page_size=512, write_batch_size=16),
}


@pytest.mark.parametrize("name", [*WRITTEN, *HONEST])
def test_what_a_writer_varies_by_its_rules_says_little(name: str) -> None:
    content = (WRITTEN | HONEST)[name]()
    assert bits(content) <= SPARE_EACH // 2


def test_pages_of_one_size_say_one_size_whatever_the_number_of_columns() -> None:
    content = written(pa.Table.from_pandas(people(30_000, 12)), max_rows_per_page=20_000)
    assert of_sizes(content) <= 16
    assert bits(content) <= SPARE_EACH // 2


def test_a_page_that_ends_with_a_dictionary_that_is_full_says_nothing() -> None:
    rng = np.random.default_rng(1)
    table = pa.table({f"x{at}": rng.normal(size=40_000) for at in range(6)})
    content = written(table, dictionary_pagesize_limit=1 << 17)
    assert len(styles(content).changes) == 6
    assert of_sizes(content) <= 16
    assert bits(content) == 0


def chosen(seed: int, of: Sequence[Any]) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {name: of[int(rng.integers(len(of)))] for name in TABLE.column_names}


def some(seed: int) -> list[str]:
    return [name for name, there in chosen(seed, [True, False]).items() if there]


def in_any_order() -> bytes:
    """The dictionary of a column lists 400 names in an order of its writer's."""
    names = pa.array(np.random.default_rng(2).permutation([f"name {at}" for at in range(ROWS)]))
    found = pa.DictionaryArray.from_arrays(pa.array(np.argsort(np.argsort(np.arange(ROWS) % 7, kind="stable"))), names)
    return written(pa.table({"name": found}))


HIDING: Final[dict[str, Callable[[], bytes]]] = {
    "codecs": lambda: written(TABLE, compression=chosen(1, ["zstd", "snappy", "gzip", "lz4", "none"])),
    "dictionaries": lambda: written(TABLE, use_dictionary=some(2)),
    "statistics": lambda: written(TABLE, write_statistics=some(3)),
    "the order of a dictionary": in_any_order,
    "which columns may lack values": lambda: written(
        TABLE.cast(
            pa.schema([each.with_nullable(each.name not in some(4) or TABLE[each.name].null_count > 0) for each in TABLE.schema])
        )
    ),
    "numbers of columns": lambda: written(
        TABLE.cast(
            pa.schema(
                [
                    each.with_metadata({"PARQUET:field_id": str(int(number))})
                    for each, number in zip(
                        TABLE.schema, np.random.default_rng(5).integers(0, 150, len(TABLE.schema)), strict=True
                    )
                ]
            )
        )
    ),
}


@pytest.mark.attempt("what a Parquet file hides")
@pytest.mark.parametrize("name", HIDING)
def test_a_choice_for_each_column_is_counted(name: str) -> None:
    content = HIDING[name]()
    assert pq.read_table(io.BytesIO(content)).num_rows == ROWS
    assert bits(content) > 0.6 * (len(TABLE.column_names) if name != "the order of a dictionary" else ROWS * 6)


@pytest.mark.attempt("what a Parquet file hides")
def test_an_end_of_a_dictionary_that_is_not_full_is_counted() -> None:
    """A column goes on without its dictionary after some pages of each group, and its writer chose after how many."""
    rng = np.random.default_rng(1)
    table = pa.table({"x": rng.normal(size=60_000)})
    content = written(table, dictionary_pagesize_limit=1 << 15, row_group_size=6000, data_page_size=1 << 10)
    columns = parquet_pages.decoded(content, pq.ParquetFile(io.BytesIO(content))).columns
    assert set(parquet_styles._changes(columns)) == {0}
    chosen_ends = {}
    for key, each in columns.items():
        kinds = [kind for kind in each.pages if kind[0] != 2]
        end = 1 + int(rng.integers(next(parquet_styles.ends(each))))
        pages = [(2, 0), *((0, 8) if at < end else (0, 0) for at in range(len(kinds)))]
        entries = sum(len(page.first_named) for page in each.found[:end])
        chosen_ends[key] = replace(each, pages=pages, listed=each.listed[:entries], dictionary=8 * entries)
    counted = [each for each in parquet_styles._changes(chosen_ends) if each]
    assert spare_bits.of_counters(counted) > 2 * len(chosen_ends)


def styled(chosen_: Sequence[object], columns: Sequence[int] | None = None) -> list[Styled]:
    return [Styled(None, each, at if columns is None else columns[at], (0.0, 0.0)) for at, each in enumerate(chosen_)]


@pytest.mark.parametrize("count", [3, 8, 12])
def test_no_more_choices_than_its_bits_have_room_for_take_few_bits(count: int) -> None:
    """Property of a count of bits: at most 2^b of all choices of two styles count b bits or fewer, the usual style being free."""
    counts = np.array([spare_bits.of_styles([styled(each)]) for each in itertools.product((0, 1), repeat=count)])
    for most in range(count + 1):
        assert np.count_nonzero(counts <= most) <= 2 * 2**most


@pytest.mark.attempt("what a Parquet file hides")
@pytest.mark.parametrize("pair", [(0, 1), (False, True), (2, 1), ("a", "b")])
@pytest.mark.parametrize("wide", [2, 3, 6])
def test_no_more_choices_in_groups_of_columns_take_few_bits(wide: int, pair: tuple[object, object]) -> None:
    """The same of columns that lie in several groups each, whatever the two styles are called: no number or truth stands out."""
    columns = [at % wide for at in range(12)]
    counts = np.array([spare_bits.of_styles([styled(each, columns)]) for each in itertools.product(pair, repeat=12)])
    for most in range(13):
        assert np.count_nonzero(counts <= most) <= 2 * 2**most


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=30))
@settings(max_examples=60, deadline=None)
def test_one_style_counts_nothing_and_several_count_something(given_: list[str]) -> None:
    found = spare_bits.of_styles([styled(given_)])
    assert (found == 0) == (len(set(given_)) == 1)


def test_a_border_between_few_and_many_different_values_counts_little_and_a_choice_does_not() -> None:
    rng = np.random.default_rng(7)
    share = rng.random(200)
    by_rule = [Styled(None, float(each) > 0.6, at, (float(each), 0.0)) for at, each in enumerate(share)]
    by_choice = [Styled(None, bool(rng.random() < 0.5), at, (float(each), 0.0)) for at, each in enumerate(share)]
    assert spare_bits.of_styles([by_rule]) <= 12
    assert spare_bits.of_styles([by_choice]) > 180


def test_columns_of_many_groups_that_each_have_one_style_count_as_columns() -> None:
    styles_, columns = zip(*((number in {3, 7}, number) for number in range(12) for _ in range(50)), strict=True)
    assert spare_bits.of_styles([styled(styles_, columns)]) <= 30


def test_ways_that_all_pages_have_in_common_count_nothing() -> None:
    assert spare_bits.of_ways([frozenset({Way.ALIKE, Way.GROUPS}), frozenset({Way.GROUPS})]) == 0
    mixed = [frozenset({Way.ALIKE if at % 3 else Way.BLOCKS}) for at in range(90)]
    assert spare_bits.of_ways(mixed) > 60


def packed(numbers: Sequence[int], width: int) -> bytes:
    """A group of packed numbers, the lowest bits first."""
    whole = sum(int(number) << (at * width) for at, number in enumerate(numbers))
    return bytes([*_varint(len(numbers) // 8 << 1 | 1)]) + whole.to_bytes(len(numbers) * width // 8, "little")


def _varint(number: int) -> list[int]:
    return [number] if number < 128 else [number & 127 | 128, *_varint(number >> 7)]


def test_what_a_block_has_left_over_from_the_last_one_is_what_was_there() -> None:
    """DuckDB fills blocks of 256, and writes the last one with what the one before it had at its end."""
    rng = np.random.default_rng(8)
    first = rng.integers(0, 8, 256).tolist()
    rest = rng.integers(0, 8, 144).tolist()
    content = packed(first, 3) + packed([*rest, *first[144:]], 3)
    numbers, end, ways = parquet_values._runs(content, 0, len(content), 3, 400)
    assert (numbers.tolist(), end) == ([*first, *rest], len(content))
    assert ways == {(Way.BLOCKS, Filled.BLOCK)}
    other = packed(first, 3) + packed([*rest, *rng.integers(1, 8, 112).tolist()], 3)
    with pytest.raises(ValueError, match="something behind the last value"):
        parquet_values._runs(other, 0, len(other), 3, 400)


@pytest.mark.parametrize("count", [1, 3, 7, 8, 9, 500, 2000])
def test_a_run_of_one_value_is_parted_as_all_writers_part_it(count: int) -> None:
    """Known without a look at each value, as what the writers' own ways come to."""
    numbers = np.full(count, 3, dtype=np.uint64)
    made = {Way.ALIKE: [(False, count)], Way.BLOCKS: parquet_values._in_blocks([(False, count)])}
    groups = list(parquet_values._in_groups(numbers.tolist()))
    made |= {Way.GROUPS: groups[0], Way.GROUPS_TO_THE_END: groups[-1]}
    expected = {way for way, runs in made.items() if runs == [(False, count)]}
    assert parquet_values._ways(numbers, [(False, count)]) == expected
