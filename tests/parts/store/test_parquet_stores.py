"""Parquet files as libraries write them are accounted for; what one notes of itself and no row has is not."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.base.domain import Message
from auditor.base.records import Dataset
from auditor.parts.release.observing import parquet_pages
from auditor.parts.store.judging.accounting import Kept
from auditor.parts.store.observing.limited_reading import of_file
from auditor.parts.store.observing.people import People

COUNT, GONE = 60, 6
RNG = np.random.default_rng(5)
TRAIN = Dataset(RNG.normal(size=(COUNT, 3)), np.arange(COUNT) % 2, np.array([f"rec-{at:05d}" for at in range(COUNT)]))
PEOPLE = People(
    train=TRAIN,
    retained=np.arange(COUNT) >= GONE,
    gone=frozenset(TRAIN.ids[:GONE].tolist()),
    columns={"note": "declared", "id": "id", "label": "label", "x0": "feature", "x1": "feature", "x2": "feature"},
    features=("x0", "x1", "x2"),
    labels=frozenset({"0", "1"}),
    places={record: place for place, record in enumerate(TRAIN.ids.tolist())},
)


def frame(first: int = GONE) -> pd.DataFrame:
    found = pd.DataFrame(TRAIN.features[first:], columns=["x0", "x1", "x2"])
    found.insert(0, "id", TRAIN.ids[first:].tolist())
    return found.assign(label=TRAIN.labels[first:])


def filtered() -> pd.DataFrame:
    """Whoever stays and one person fewer, with the numbers of the rows that they had."""
    return frame(0).loc[[*range(GONE, 30), *range(31, COUNT)]]


TABLE: Final = pa.Table.from_pandas(frame(), preserve_index=False)


def account(content: bytes) -> Kept:
    return of_file(Path("store.parquet"), content, PEOPLE, Message("data.erased.place.store", {"path": "store.parquet"}))


def written(table: pa.Table, **how: Any) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream, **how)
    return stream.getvalue()


def by_pandas(table: pd.DataFrame, **how: Any) -> bytes:
    stream = io.BytesIO()
    table.to_parquet(stream, **how)
    return stream.getvalue()


def noted(values: Any) -> pa.Table:
    return TABLE.append_column("note", values)


PACKED: Final = ("zstd", "snappy", "gzip", "lz4", "none")
DELTA: Final = {"id": "DELTA_BYTE_ARRAY", "x0": "BYTE_STREAM_SPLIT", "x1": "BYTE_STREAM_SPLIT", "label": "DELTA_BINARY_PACKED"}
LABELLED: Final = pa.array(list(map(str, TRAIN.labels[GONE:].tolist()))).dictionary_encode()
HONEST: Final[dict[str, Callable[[], bytes]]] = {
    "pandas": lambda: by_pandas(frame()),
    "pandas, an index of its own": lambda: by_pandas(frame(), index=True),
    "pandas, filtered": lambda: by_pandas(filtered()),
    "pandas, shuffled": lambda: by_pandas(filtered().sample(frac=1, random_state=0)),
    "pandas, ids as index": lambda: by_pandas(frame().set_index("id")),
    "pandas, ids as index without a name": lambda: by_pandas(frame().set_index("id").rename_axis(None)),
    "pandas, ids twice": lambda: by_pandas(frame().set_axis(frame()["id"].tolist())),
    "pandas, categories": lambda: by_pandas(frame().assign(label=frame()["label"].astype("category"))),
    **{f"packed by {each}": lambda each=each: written(TABLE, compression=each) for each in PACKED},
    "differences and streams": lambda: written(TABLE, use_dictionary=False, column_encoding=DELTA),
    "lengths first": lambda: written(TABLE, use_dictionary=False, column_encoding={"id": "DELTA_LENGTH_BYTE_ARRAY"}),
    "pages of the second kind": lambda: written(TABLE, data_page_version="2.0"),
    "without statistics": lambda: written(TABLE, write_statistics=False),
    "an index of pages": lambda: written(TABLE, write_page_index=True, data_page_size=64, row_group_size=20),
    "sums of pages": lambda: written(TABLE, write_page_checksum=True),
    "groups of few rows": lambda: written(TABLE, row_group_size=7),
    "a dictionary that is full": lambda: written(TABLE, dictionary_pagesize_limit=64, data_page_size=64, write_batch_size=4),
    "the first version": lambda: written(TABLE, version="1.0"),
    "a dictionary as type": lambda: written(TABLE.set_column(4, "label", LABELLED), row_group_size=9),
    "sorted": lambda: written(TABLE, sorting_columns=[pq.SortingColumn(0)]),
    "a list": lambda: written(noted(pa.array([[1.0, 2.0, None]] * len(TABLE)))),
    "a struct": lambda: written(noted(pa.array([{"a": 1, "b": "x"}] * len(TABLE)))),
    "a map": lambda: written(noted(pa.array([[("k", 1)]] * len(TABLE), pa.map_(pa.string(), pa.int32())))),
    "times": lambda: written(noted(pa.array([pd.Timestamp("2026-01-05")] * len(TABLE)))),
    "truths": lambda: written(noted(pa.array([True, False] * (len(TABLE) // 2)))),
    "small and unsigned numbers": lambda: written(noted(pa.array(range(len(TABLE)), pa.uint8()))),
}  # fmt: skip


@pytest.mark.parametrize("name", HONEST)
def test_a_file_of_people_who_may_be_kept_is_accounted_for(name: str) -> None:
    found = account(HONEST[name]())
    assert (found.unexplained, found.strangers, found.changed) == (0, 0, 0)


def test_a_folder_that_is_parted_by_labels_is_accounted_for(tmp_path: Path) -> None:
    pq.write_to_dataset(TABLE, tmp_path, partition_cols=["label"])
    files = list(tmp_path.rglob("*.parquet"))
    assert [account(each.read_bytes()).unexplained for each in files] == [0, 0]


@pytest.mark.attempt("what a Parquet file hides")
@pytest.mark.parametrize(
    "index",
    [
        [f"cmVjLTAwMDAx{at}" for at in range(54)],
        RNG.integers(0, 2**31, 54).tolist(),
        [7] * 54,
        [*range(53), -1],
        [0.5 + at for at in range(54)],
    ],
    ids=["text", "large numbers", "one number", "a negative one", "fractions"],
)
def test_an_index_of_anything_but_rows_or_ids_is_unexplained(index: list[Any]) -> None:
    assert account(by_pandas(frame().set_axis(index))).unexplained >= 54


@pytest.mark.attempt("what a Parquet file hides")
def test_an_index_that_names_deleted_people_is_unexplained() -> None:
    ids = [f"rec-{at % GONE:05d}" for at in range(54)]
    assert account(by_pandas(frame().set_axis(ids))).unexplained >= 54
    assert account(by_pandas(frame().drop(columns="id").set_axis(ids))).unexplained >= 54 * 8


@pytest.mark.attempt("what a Parquet file hides")
@pytest.mark.parametrize("name", ["secret", "__index_level_0__x", "__index_level_123__"])
def test_notes_of_pandas_explain_no_other_column(name: str) -> None:
    assert account(by_pandas(filtered().rename_axis(name))).unexplained >= 54


def footer_of(content: bytes) -> tuple[int, int]:
    size = int.from_bytes(content[-8:-4], "little")
    return len(content) - 8 - size, size


def a_field_that_no_library_reads() -> bytes:
    content = written(TABLE, compression="none")
    begin, _ = footer_of(content)
    footer = content[begin:-9] + b"\x08\xc8\x01\x14" + b"deleted: rec-00001, " + b"\0"
    return content[:begin] + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def statistics_of_deleted_people() -> bytes:
    content = written(TABLE, compression="none")
    begin, _ = footer_of(content)
    assert b"rec-00006" in content[begin:]
    return content[:begin] + content[begin:].replace(b"rec-00006", b"rec-00001")


def an_index_of_pages_of_deleted_people() -> bytes:
    content = written(TABLE, compression="none", write_page_index=True)
    begin, _ = footer_of(content)
    at = content.rindex(b"rec-00006", 0, begin)
    return content[:at] + b"rec-00001" + content[at + 9 :]


def a_bloom_filter() -> bytes:
    return written(TABLE, bloom_filter_options={"id": {"ndv": 100, "fpp": 0.05}})


def a_number_that_no_row_of_its_group_has() -> bytes:
    """Rows of another group have as many different numbers, and none of them this one."""
    values = [[1.0, 2.0, 7.5], [1.0, 2.0, 3.0]]
    table = pa.concat_tables([pa.table({"note": each}) for each in values])
    content = written(table, compression="none", row_group_size=3, write_statistics=False, data_page_version="1.0")
    assert content.count(b"\x02\x03\x24") == 2
    changed = content.replace(b"\x02\x03\x24", b"\x02\x03\x04", 1)
    assert pq.ParquetFile(io.BytesIO(changed)).read()["note"].to_pylist() == [1.0, 2.0, 1.0, 1.0, 2.0, 3.0]
    return changed


@pytest.mark.attempt("what a Parquet file hides")
@pytest.mark.parametrize(
    "hide",
    [a_field_that_no_library_reads, statistics_of_deleted_people, an_index_of_pages_of_deleted_people, a_bloom_filter,
     a_number_that_no_row_of_its_group_has],
)  # fmt: skip
def test_what_a_file_notes_of_values_that_no_row_has_is_beyond_its_rows(hide: Callable[[], bytes]) -> None:
    content = hide()
    assert parquet_pages.decoded(content, pq.ParquetFile(io.BytesIO(content))).beyond >= 8
    assert account(content).unexplained >= 8
