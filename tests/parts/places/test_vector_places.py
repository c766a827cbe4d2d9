"""Places that are vector stores: what everybody's vectors, as `--data`, find there and explain."""

from __future__ import annotations

import csv
import io
import json
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.api import Audit, check
from auditor.base.domain import Verdict

STORES = Path(__file__).parents[2] / "stores"
COUNT, WIDTH, KEPT = 26, 4, 24
CASE = """\
[case]
name = "vectors"

[places]
here = "here"

[data]
table = "{table}"
id = "{column}"

[deletions]
log = "deletions.jsonl"

[policy]
required = ["places.erased"]
"""


def vectors() -> Any:
    """The rows of every bundled store, and two more."""
    return np.random.default_rng(11).normal(size=(COUNT, WIDTH)).astype(np.float32)


def audited(case: Path, gone: list[str], table: str = "people.npz") -> Audit:
    ids = [f"v-{at:02d}" for at in range(COUNT)]
    np.savez(case / "people.npz", ids=np.array(ids), features=vectors())
    with (case / "people.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["id", *"abcd"], *([own, *row] for own, row in zip(ids, vectors().tolist(), strict=True))])
    times = {"received_at": "2026-10-01T09:00:00+00:00", "executed_at": "2026-10-05T09:00:00+00:00"}
    rows = [{"request_id": f"R-{own}", "record_ids": [own], **times} for own in gone]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    column = "id" if table.endswith(".csv") else "ids"
    (case / "audit.toml").write_text(CASE.format(table=table, column=column), encoding="utf-8")
    return check(case)


@pytest.fixture
def case(tmp_path: Path) -> Path:
    (tmp_path / "here").mkdir()
    return tmp_path


def put(case: Path, name: str) -> None:
    (case / "here" / name).write_bytes((STORES / name).read_bytes())


def place(audit: Audit) -> dict[str, Any]:
    found = audit.evidence.check("places.erased").observed
    assert found is not None
    return dict(found["places"][0])


@pytest.mark.parametrize("table", ["people.npz", "people.csv"])
@pytest.mark.parametrize("name", ["hnswlib.bin", "flat.faiss"])
def test_a_store_whose_every_row_is_somebody_elses_passes(case: Path, name: str, table: str) -> None:
    put(case, name)
    assert audited(case, ["v-24", "v-25"], table).verdict is Verdict.PASS


@pytest.mark.attempt("deleted people in vector stores")
@pytest.mark.parametrize("table", ["people.npz", "people.csv"])
def test_a_row_that_is_there_and_one_that_is_only_marked_are_told_apart(case: Path, table: str) -> None:
    put(case, "hnswlib-marked.bin")
    marked = audited(case, ["v-03", "v-07"], table)
    assert marked.verdict is Verdict.FAIL
    assert (place(marked)["found"], place(marked)["in_rows"]) == (2, 0)
    live = audited(case, ["v-04"], table)
    assert live.verdict is Verdict.FAIL
    assert (place(live)["found"], place(live)["in_rows"]) == (1, 1)


@pytest.mark.attempt("deleted people in vector stores")
def test_a_folder_of_files_that_belong_together_is_read_as_one(case: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO((STORES / "chroma-deleted.tar.xz").read_bytes())) as archive:
        archive.extractall(case / "here", filter="data")
    found = audited(case, ["v-03", "v-07"])
    assert found.verdict is Verdict.FAIL
    assert place(found)["in_rows"] == 0


@pytest.mark.attempt("deleted people in vector stores")
def test_a_folder_that_cannot_be_taken_apart_is_not_explained_by_one_file_of_it(case: Path) -> None:
    """The database is that of an honest folder, and explains itself; of the graph nothing is read."""
    with tarfile.open(fileobj=io.BytesIO((STORES / "chroma-rebuilt.tar.xz").read_bytes())) as archive:
        archive.extractall(case / "here", filter="data")
    (header,) = (case / "here").glob("*/header.bin")
    header.write_bytes(b"\7" + header.read_bytes()[1:])
    found = audited(case, ["v-24"])
    assert found.verdict is Verdict.INCONCLUSIVE
    assert place(found)["unexplained"] == sum(each.stat().st_size for each in (case / "here").rglob("*") if each.is_file())


@pytest.mark.attempt("deleted people in vector stores")
@pytest.mark.parametrize(("name", "rows"), [("lance-deleted", 0), ("lance-versions", 0), ("lance-few", 2)])
def test_rows_of_a_lance_table_and_those_that_its_files_still_hold_are_told_apart(case: Path, name: str, rows: int) -> None:
    with tarfile.open(fileobj=io.BytesIO((STORES / f"{name}.tar.xz").read_bytes())) as archive:
        archive.extractall(case / "here", filter="data")
    found = audited(case, ["v-04", "v-05"] if rows else ["v-03", "v-07"])
    assert found.verdict is Verdict.FAIL
    assert (place(found)["found"], place(found)["in_rows"]) == (2, rows)


@pytest.mark.attempt("deleted people in vector stores")
def test_a_column_of_a_lance_table_that_is_not_read_is_named(case: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO((STORES / "lance-few.tar.xz").read_bytes())) as archive:
        archive.extractall(case / "here", filter="data")
    for path in (case / "here").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"\x2a\5int64", b"\x2a\5date3"))
    found = audited(case, ["v-24"])
    assert found.verdict is Verdict.INCONCLUSIVE
    assert any(each["code"] == "data.erased.open.coding" for each in place(found)["open"])


@pytest.mark.attempt("deleted people in vector stores")
def test_a_file_that_is_named_by_somebody_deleted_is_found(case: Path) -> None:
    (case / "here" / "v-25.bin").write_bytes((STORES / "hnswlib.bin").read_bytes())
    assert audited(case, ["v-25"]).verdict is Verdict.FAIL


def test_a_list_of_ids_is_accounted_for_and_one_with_more_between_its_values_is_not(case: Path) -> None:
    put(case, "hnswlib.bin")
    ids = [f"v-{at:02d}" for at in range(KEPT)]
    listed = case / "here" / "ids.json"
    for text in (json.dumps(ids), json.dumps(ids, indent=2) + "\n", json.dumps(ids, separators=(",", ":"))):
        listed.write_text(text, encoding="utf-8")
        assert audited(case, ["v-24"]).verdict is Verdict.PASS
    listed.write_text(json.dumps(ids).replace(", ", ",  "), encoding="utf-8")
    assert audited(case, ["v-24"]).verdict is Verdict.INCONCLUSIVE
    listed.write_text(json.dumps([*ids, "v-24"]), encoding="utf-8")
    assert audited(case, ["v-24"]).verdict is Verdict.FAIL
