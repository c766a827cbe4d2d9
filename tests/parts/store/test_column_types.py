"""Types of columns, what pandas calls them, and who wrote a file: what could be chosen there in a Parquet file is counted."""

from __future__ import annotations

import base64
import io
import json
import random
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.parts.places.observing.layouts import Writers
from auditor.parts.release.observing import parquet_pages
from auditor.parts.release.observing.parquet_styles import Habit
from auditor.parts.store.judging.accounting import SPARE_EACH
from auditor.parts.store.observing.column_types import bits_of_types, writer_of
from auditor.parts.store.observing.store_descriptions import beyond_columns

ROWS: Final = 100
_drawn = np.random.default_rng(4)
PEOPLE: Final = pd.DataFrame(
    {"id": [f"C-{at:06d}" for at in range(ROWS)], "income": _drawn.normal(size=ROWS)}
    | {f"x{at}": _drawn.integers(0, (90, 9000)[at % 2], ROWS) for at in range(30)}
    | {f"t{at}": _drawn.choice(["free", "pro", "basic"], ROWS) for at in range(12)}
)
TABLE: Final = pa.Table.from_pandas(PEOPLE, preserve_index=False)


def written(table: pa.Table) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream)
    return stream.getvalue()


def opened(content: bytes) -> pq.ParquetFile:
    return pq.ParquetFile(io.BytesIO(content))


def room(content: bytes) -> int:
    """Bits for which types have room, and bytes that nothing explains."""
    file = opened(content)
    return bits_of_types(file, file.read(), parquet_pages.decoded(content, file).footer) + 8 * beyond_columns(file)


def frame(**types: Any) -> bytes:
    return written(pa.Table.from_pandas(PEOPLE.astype(types)))


HONEST: Final[dict[str, Callable[[], bytes]]] = {
    "by pandas": lambda: written(TABLE),
    "the smallest types": lambda: written(
        pa.Table.from_pandas(
            PEOPLE.apply(lambda each: pd.to_numeric(each, downcast="integer") if each.dtype.kind == "i" else each)
        )
    ),
    "some categories": lambda: frame(t0="category", t5="category"),
    "one number that may be missing": lambda: frame(x3="Int64"),
    "without notes": lambda: written(TABLE.replace_schema_metadata(None)),
    "an index": lambda: written(pa.Table.from_pandas(PEOPLE.drop(index=[4, 7]))),
}


@pytest.mark.parametrize("name", HONEST)
def test_types_that_a_writer_gives_columns_say_little(name: str) -> None:
    assert room(HONEST[name]()) <= SPARE_EACH // 2


def types() -> bytes:
    draw = random.Random(1)
    return frame(**{f"x{at}": draw.choice(["int16", "int32", "int64", "uint16"]) for at in range(30)})


def noted(change: Callable[[random.Random, dict[str, Any]], None]) -> bytes:
    draw, notes = random.Random(2), json.loads(TABLE.schema.metadata[b"pandas"])
    for each in notes["columns"]:
        change(draw, each)
    return written(TABLE.replace_schema_metadata({"pandas": json.dumps(notes)}))


def called(draw: random.Random, each: dict[str, Any]) -> None:
    if each["pandas_type"] == "unicode":
        each["pandas_type"] = draw.choice(["object", "unicode", "str", "string", "string[python]", "empty", "mixed"])
    if each["numpy_type"] == "int64":
        each["numpy_type"] = draw.choice(["int", "uint", "Int", "UInt"]) + draw.choice(["16", "32", "64"])


def named_or_not(draw: random.Random, each: dict[str, Any]) -> None:
    each["name"] = draw.choice([None, each["name"]])
    each["metadata"] = draw.choice([None, {"encoding": "UTF-8"}])


def gaps_of_the_schema() -> bytes:
    """The schema that Arrow keeps, with something in each byte that no reader needs."""
    content, draw = written(TABLE), random.Random(3)
    kept = (opened(content).metadata.metadata or {})[b"ARROW:schema"]
    schema, raw = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(kept))), bytearray(base64.b64decode(kept))
    for at in range(len(raw)):
        other = bytes([*raw[:at], draw.randrange(1, 256), *raw[at + 1 :]])
        try:
            if pa.ipc.read_schema(pa.py_buffer(other)).equals(schema, check_metadata=True):
                raw = bytearray(other)
        except (pa.ArrowException, OSError):
            continue
    return content.replace(kept, base64.b64encode(raw))


HIDING: Final[dict[str, Callable[[], bytes]]] = {
    "types": types,
    "what pandas calls types": lambda: noted(called),
    "whether pandas names columns": lambda: noted(named_or_not),
    "gaps of the schema": gaps_of_the_schema,
}


@pytest.mark.attempt("what a Parquet file hides")
@pytest.mark.parametrize("name", HIDING)
def test_a_choice_of_types_for_each_column_is_counted(name: str) -> None:
    content = HIDING[name]()
    assert pq.read_table(io.BytesIO(content)).num_rows == ROWS
    assert room(content) > SPARE_EACH


def versions(pandas: str, pyarrow: str) -> bytes:
    notes = json.loads(TABLE.schema.metadata[b"pandas"])
    notes |= {"pandas_version": pandas, "creator": {"library": "pyarrow", "version": pyarrow}}
    return written(TABLE.replace_schema_metadata({"pandas": json.dumps(notes)}))


@pytest.mark.attempt("what a Parquet file hides")
def test_versions_that_no_library_has_are_unexplained() -> None:
    for each in (versions("9173.481.777rc913", "15.0.1"), versions("2.2.1", "8301.222.919.dev771")):
        assert beyond_columns(opened(each)) > 0
    for each in (versions("2.2.1", "15.0.1"), versions("3.0.0rc1", "26.0.0"), versions("2.2.1", "2026.9.0")):
        assert beyond_columns(opened(each)) == 0


def written_by(content: bytes) -> Habit:
    file = opened(content)
    return writer_of(file, parquet_pages.decoded(content, file).footer)


def test_files_of_one_writer_count_nothing_and_another_writer_counts_what_it_may_say() -> None:
    found = Writers()
    usual, other = written_by(versions("2.2.1", "15.0.1")), written_by(versions("1.47.83", "15.0.1"))
    assert [found.add(at, [usual]) for at in range(5)] == [0] * 5
    assert found.add(5, [other]) > 15
    assert found.add(5, [other]) == found.add(5, [])
    assert found.add(6, [usual]) == 1
