"""How many records the log removes is counted once from the log's batches and once from the case: the two always agree."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor import case as cases
from auditor.base.deletion_log.deletions import replayable
from auditor.base.deletion_log.requests import Request
from auditor.case import Case
from judging import context_of_case
from small_cases import problem, write

START = datetime(2026, 1, 1, tzinfo=UTC)
RECORDS = [f"rec-{index:04d}" for index in range(6)] + ["never-there"]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return cases.read(write(tmp_path_factory.mktemp("small"), *problem(40, 3)))


@st.composite
def logs(draw: st.DrawFn) -> tuple[Request, ...]:
    """Requests that overlap, repeat records and ids, name strangers, share batches, or were never carried out."""
    rows = []
    for row in range(1, draw(st.integers(0, 8)) + 1):
        received = START + timedelta(days=draw(st.integers(0, 5)))
        done = draw(st.none() | st.integers(-1, 6))
        rows.append(
            Request(
                row=row,
                request_id=f"R-{draw(st.integers(1, 5))}",
                record_ids=tuple(draw(st.lists(st.sampled_from(RECORDS), min_size=1, max_size=4))),
                received_at=received,
                executed_at=None if done is None else received + timedelta(days=done),
                batch=draw(st.sampled_from([None, "A", "B"])),
                status=draw(st.sampled_from([None, "executed", "denied", "no_match"])),
            )
        )
    return tuple(rows)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(requests=logs())
def test_the_records_of_all_batches_are_those_that_the_case_lost(case: Case, requests: tuple[Request, ...]) -> None:
    batches = replayable(requests, case.known_ids)
    context = context_of_case(replace(case, requests=requests))
    assert context.records_removed == sum(len(batch.record_ids) for batch in batches)
    assert context.log.batches == len(batches)
