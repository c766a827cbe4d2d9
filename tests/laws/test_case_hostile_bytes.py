"""Whatever bytes stand in a foreign file, reading it ends with a value or an error that its reader declares."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.base.errors import InputError
from auditor.case.files import Source
from auditor.case.logs import deletion_log
from case_examples import jsonl, row
from readers import READERS, in_this_process


@pytest.fixture(scope="module", autouse=True)
def here() -> Iterator[None]:
    """Read in this process what a limited one is asked."""
    with in_this_process():
        yield


def mutated(sound: bytes) -> st.SearchStrategy[bytes]:
    """Any bytes, and sound ones with a few places overwritten, cut out or repeated."""
    edit = st.tuples(st.integers(0, len(sound)), st.integers(0, 12), st.binary(max_size=8))

    def spoil(edits: list[tuple[int, int, bytes]]) -> bytes:
        data = sound
        for start, length, new in edits:
            data = data[:start] + new + data[start + length :]
        return data

    return st.one_of(st.binary(max_size=300), st.lists(edit, min_size=1, max_size=4).map(spoil))


@pytest.mark.parametrize("name", READERS)
def test_a_reader_accepts_its_seeds(name):
    for seed in READERS[name].seeds():
        found = READERS[name].read(seed)
        if name.startswith("store."):  # it answers with what it could not look into
            assert not found.open_places
            assert found.found
            assert found.recognised


@pytest.mark.attempt("mutated files, reader by reader")
@pytest.mark.parametrize("name", READERS)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_only_an_error_that_it_declares_comes_out(name, data):
    sound = READERS[name].seeds()
    content = data.draw(mutated(data.draw(st.sampled_from(sound))))
    with contextlib.suppress(READERS[name].errors):
        READERS[name].read(content)


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
