"""A log of 100,000 requests is read and reported in little memory, a few in print and all attached; no step is quadratic."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from pypdf import PdfReader

from auditor import case as cases
from auditor.audit.rehearsal import warn
from auditor.audit.told_log import told_today
from auditor.base.deletion_log import deletions
from auditor.case import Case
from auditor.parts.store.observing.record_forms import Wanted
from benchmarks import large_log, measuring, recorded

REQUESTS = 100_000
MOST_MEMORY = 400 * 2**20


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return large_log.write_case(tmp_path_factory.mktemp("large"))


@pytest.mark.slow
def test_validate_reads_it_in_little_memory(folder: Path) -> None:
    assert measuring.command("validate", "--no-run", str(folder)).peak < MOST_MEMORY


@pytest.mark.slow
def test_the_report_prints_a_few_requests_and_attaches_them_all(tmp_path: Path) -> None:
    evidence, report = tmp_path / "evidence.json", tmp_path / "report.pdf"
    evidence.write_bytes(recorded.evidence(REQUESTS).to_bytes())
    assert measuring.command("report", str(evidence), "-o", str(report)).peak < MOST_MEMORY
    pages = PdfReader(report)
    assert pages.attachments["evidence.json"] == [evidence.read_bytes()]
    (table,) = pages.attachments["requests.csv"]
    assert table.count(b"\n") == 1 + REQUESTS
    attached = json.loads(evidence.read_bytes())["requests"]
    assert [request["request_id"] for request in attached] == [f"REQ-{at:06d}" for at in range(REQUESTS)]
    text = " ".join("".join(page.extract_text() for page in pages.pages).split())
    assert "requests.csv" in text
    assert len(pages.pages) <= 30
    assert "REQ-000200" not in text


@pytest.mark.slow
def test_no_step_over_the_log_grows_with_its_square(folder: Path) -> None:
    case = cases.read(folder)
    known, positions = case.known_ids, np.arange(len(case.requests))
    steps: tuple[Callable[[int], object], ...] = (
        lambda count: deletions.findings(case.requests[:count], known),
        lambda count: deletions.outcomes(case.requests[:count], known, deadline_days=None, today=date(2026, 12, 1)),
        lambda count: deletions.replayable(case.requests[:count], known),
        lambda count: Wanted.of(case.train, positions[:count], frozenset()),
        lambda count: told_and_warned(replace(case, requests=case.requests[:count])),
    )
    for step in steps:
        # Ten times the requests may take ten times as long, and some more as caches fill; a square would take a hundred times.
        assert processor_seconds(step, len(case.requests)) < 40 * processor_seconds(step, len(case.requests) // 10)


def told_and_warned(case: Case) -> object:
    return warn(case, told_today(case))


def processor_seconds(step: Callable[[int], object], count: int) -> float:
    """The lesser of two runs, in time of the processor: other work on the machine is not counted."""
    taken = []
    for _ in range(2):
        started = time.process_time()
        step(count)
        taken.append(time.process_time() - started)
    return min(taken)
