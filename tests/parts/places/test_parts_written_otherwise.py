"""Parts of a table that are each written in another way: what a file is free to choose once counts where there are many."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_row_order import IDS, PEOPLE, STAY

from auditor.parts.places.observing.layouts import Writers
from auditor.parts.store.judging.accounting import SPARE_IN_ALL
from auditor.parts.store.observing.store_tables import tables

PARTS: Final = [IDS[STAY[at : at + 3]].tolist() for at in range(0, 150, 3)]
DRAWN: Final = random.Random(9)


def separated(ids: list[str], mark: str, quoting: int, end: str, front: str) -> bytes:
    frame = pd.DataFrame({"id": ids, "note": "", "more": ""})
    return (front + frame.to_csv(index=False, sep=mark, quoting=quoting, lineterminator=end)).encode()  # type: ignore[call-overload]


def in_any_way(ids: list[str]) -> tuple[str, bytes]:
    ways = DRAWN.choice(",;|\t"), DRAWN.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]), DRAWN.choice(["\n", "\r\n"])
    content = separated(ids, *ways, DRAWN.choice(["", "\ufeff"]))
    return "a.csv", content if DRAWN.random() < 0.5 else content.rstrip(b"\r\n")


def parquet(ids: list[str], **how: object) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table({"id": ids}), stream, **how)
    return stream.getvalue()


def packed_in_any_way(ids: list[str]) -> tuple[str, bytes]:
    flags = ("use_dictionary", "write_statistics", "write_page_index", "write_page_checksum", "store_schema")
    how = {each: DRAWN.random() < 0.5 for each in flags}
    return "a.parquet", parquet(ids, compression=DRAWN.choice(["none", "snappy", "gzip", "zstd"]), **how)


def bits(parts: list[tuple[str, bytes]]) -> int:
    writers = Writers()
    read = [tables(Path(name), content, PEOPLE) for name, content in parts]
    return sum(writers.add(at, [way for rows in each for way in rows.written]) for at, each in enumerate(read))


@pytest.mark.attempt("parts of a table")
@pytest.mark.parametrize("written", [in_any_way, packed_in_any_way], ids=lambda each: each.__name__)
def test_parts_that_are_each_written_in_another_way_are_more_than_a_place_may_have(
    written: Callable[[list[str]], tuple[str, bytes]],
) -> None:
    assert bits([written(each) for each in PARTS]) > SPARE_IN_ALL


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_parts_that_are_all_written_in_one_way_say_nothing(name: str) -> None:
    written = {"a.csv": lambda ids: separated(ids, ";", csv.QUOTE_ALL, "\r\n", "\ufeff"), "a.parquet": parquet}[name]
    assert bits([(name, written(each)) for each in PARTS]) == 0


def test_two_forms_of_files_in_turn_say_little() -> None:
    usual = [("a.csv", separated(each, ",", csv.QUOTE_MINIMAL, "\n", "")) for each in PARTS[:10]]
    others = [("a.parquet", parquet(each)) for each in PARTS[:10]]
    assert bits([each for pair in zip(usual, others, strict=True) for each in pair]) <= 40


def with_balances(part: int, form: str | None) -> tuple[str, bytes]:
    at = STAY[3 * part : 3 * part + 3]
    frame = pd.DataFrame({"id": IDS[list(at)], "balance": PEOPLE.train.features[list(at), 0] / 7})
    return "a.csv", frame.to_csv(index=False, float_format=form).encode()


@pytest.mark.attempt("parts of a table")
def test_a_form_of_numbers_for_each_part_is_counted() -> None:
    forms = ["%.17g", "%.18g", "%.19g", "%.17e", "%.18e", "%.19e", None, "%.20e"]
    assert bits([with_balances(at, DRAWN.choice(forms)) for at in range(50)]) > 150


@pytest.mark.parametrize("form", [None, "%.2f", "%.17g"])
def test_one_form_of_numbers_says_nothing_in_however_many_parts(form: str | None) -> None:
    assert bits([with_balances(at, form) for at in range(50)]) == 0
