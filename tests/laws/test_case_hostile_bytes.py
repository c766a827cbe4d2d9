"""Whatever bytes stand in the files of a case, reading them ends with a value or an InputError."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save

from auditor.base.errors import InputError
from auditor.base.limited import Reader
from auditor.case.artifacts import model
from auditor.case.declaration import declare
from auditor.case.files import Source
from auditor.case.logs import deletion_log
from auditor.case.tables import dataset
from auditor.settings.tables import DataTable
from case_examples import SOUND, jsonl, records, row


@pytest.fixture(scope="module", autouse=True)
def here() -> Iterator[None]:
    """Read in this process what a limited one is asked: its start for each example would take longer than all the rest."""

    def ask(reader: Reader, question: dict[str, Any], content: bytes = b"", **_: object) -> object:
        module, _name, name = reader.serve.partition(":")
        return getattr(import_module(module), name)(reader.held)(question, content)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Reader, "ask", ask)
        yield


TABLE = DataTable(train="t", task="classification")
CSV = b"id,label,x,y\nr1,0,1,2\nr2,1,3,4\n"
LOG = jsonl(row("R1", executed_at="2026-01-20T09:00:00Z", status="executed"), row("R2", ("r2",), subject="s"))
CSV_LOG = b"request_id,record_ids,received_at,executed_at\nR1,r1;r2,2026-01-10T09:00:00Z,\n"


def parquet(**columns: object) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue()


TABLE_PARQUET = parquet(id=["a", "b"], label=[0, 1], x=[0.5, 1.5])
LOG_PARQUET = parquet(request_id=["R"], record_ids=[["a"]], received_at=["2026-01-10T09:00:00Z"])


def mutated(sound: bytes) -> st.SearchStrategy[bytes]:
    """Any bytes, and sound ones with a few places overwritten, cut out or repeated."""
    edit = st.tuples(st.integers(0, len(sound)), st.integers(0, 12), st.binary(max_size=8))

    def spoil(edits: list[tuple[int, int, bytes]]) -> bytes:
        data = sound
        for start, length, new in edits:
            data = data[:start] + new + data[start + length :]
        return data

    return st.one_of(st.binary(max_size=300), st.lists(edit, min_size=1, max_size=4).map(spoil))


def read_table(name: str, data: bytes) -> None:
    for task in ("classification", "regression", None):
        dataset(Source(name, data), TABLE, task=task)


READERS = {
    "table.npz": (records(4), lambda data: read_table("t.npz", data)),
    "table.csv": (CSV, lambda data: read_table("t.csv", data)),
    "table.parquet": (TABLE_PARQUET, lambda data: read_table("t.parquet", data)),
    "model.npz": (records(4), lambda data: model(Source("m.npz", data))),
    "model.safetensors": (save({"parameters": np.arange(4.0)}), lambda data: model(Source("m.safetensors", data))),
    "log.jsonl": (LOG, lambda data: deletion_log(Source("l.jsonl", data))),
    "log.csv": (CSV_LOG, lambda data: deletion_log(Source("l.csv", data))),
    "log.parquet": (LOG_PARQUET, lambda data: deletion_log(Source("l.parquet", data))),
}


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_only_an_input_error_comes_out(name, data):
    sound, read = READERS[name]
    content = data.draw(mutated(sound))
    with contextlib.suppress(InputError):
        read(content)


@settings(max_examples=100, deadline=None)
@given(mutated(SOUND.encode()))
def test_any_audit_toml_is_read_or_refused(content):
    found = declare(Source("audit.toml", content))
    assert (found.settings is None) == bool(found.problems)
    for problem in found.problems:
        assert str(problem).isprintable()


WORDS = st.sampled_from(["executed", "open", "r1", "2026-01-10T09:00:00Z", "2026-01-10"])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=12), WORDS)
FIELD = st.one_of(SCALARS, st.lists(SCALARS, max_size=3))
ROW = st.fixed_dictionaries(dict.fromkeys(row(executed_at=1, status=1, due_on=1), FIELD))


@settings(max_examples=100, deadline=None)
@given(ROW)
def test_any_json_row_is_read_as_it_stands_or_refused_in_its_place(fields):
    refused = None
    try:
        (request,), _ = deletion_log(Source("l.jsonl", jsonl(fields)))
    except InputError as error:
        refused = error
    if refused is not None:
        assert all(problem.file == "l.jsonl" and problem.where.startswith("row 1") for problem in refused.problems)
        return
    assert request.request_id == fields["request_id"]
    assert list(request.record_ids) == fields["record_ids"]
    assert (request.executed_at is None) == (fields["executed_at"] is None)
    assert request.status == fields["status"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("ab", min_size=1, max_size=2), min_size=1, max_size=4), st.sampled_from([None, "executed"]))
def test_a_sound_row_comes_back_as_it_was(record_ids, status):
    fields = row("R", record_ids, status=status)
    (request,), _ = deletion_log(Source("l.jsonl", jsonl(fields)))
    assert (list(request.record_ids), request.status) == (record_ids, status)
