"""A log of 100,000 requests is read and reported in seconds: a few in print, every one attached."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import date
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from pypdf import PdfReader

from auditor import case as cases
from auditor import deletions
from auditor.observing.record_forms import Wanted
from cases import SAMPLES

ROOT = Path(__file__).resolve().parent.parent.parent
LOADED = 3.0
"""How much slower a machine that does other work may be than the figures of docs/speed.md."""


@pytest.fixture(scope="module")
def large_log() -> ModuleType:
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(ROOT))
        return import_module("benchmarks.large_log")


@pytest.fixture(scope="module")
def folder(large_log: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return large_log.write_case(tmp_path_factory.mktemp("large"))


@pytest.mark.slow
def test_validate_takes_seconds(large_log: ModuleType, folder: Path) -> None:
    cost = large_log.command("validate", "--no-run", str(folder))
    assert cost.seconds < 5 * LOADED
    assert cost.megabytes < 400


@pytest.mark.slow
def test_the_report_prints_a_few_requests_and_attaches_them_all(large_log: ModuleType, folder: Path) -> None:
    evidence, report = folder / "evidence.json", folder / "report.pdf"
    large_log.write_evidence(folder, SAMPLES / "digits-newton", evidence)
    cost = large_log.command("report", str(evidence), "-o", str(report))
    assert cost.seconds < 10 * LOADED
    assert cost.megabytes < 400
    pages = PdfReader(report)
    assert pages.attachments["evidence.json"] == [evidence.read_bytes()]
    (table,) = pages.attachments["requests.csv"]
    assert table.count(b"\n") == 1 + 100_000
    attached = json.loads(evidence.read_bytes())["requests"]
    assert [request["request_id"] for request in attached] == [f"REQ-{at:06d}" for at in range(100_000)]
    text = " ".join("".join(page.extract_text() for page in pages.pages).split())
    assert "requests.csv" in text
    assert len(pages.pages) <= 30
    assert "REQ-000200" not in text


@pytest.mark.slow
def test_no_step_over_the_log_grows_with_its_square(large_log: ModuleType, folder: Path) -> None:
    case = cases.read(folder)
    known, positions = case.known_ids, np.arange(len(case.requests))
    steps: tuple[Callable[[int], object], ...] = (
        lambda count: deletions.findings(case.requests[:count], known),
        lambda count: deletions.outcomes(case.requests[:count], known, deadline_days=None, today=date(2026, 12, 1)),
        lambda count: deletions.replayable(case.requests[:count], known),
        lambda count: Wanted.of(case.train, positions[:count], frozenset()),
    )
    for step in steps:
        # Ten times the requests may take ten times as long, and some more as caches fill; a square would take a hundred times.
        assert processor_seconds(step, len(case.requests)) < 40 * processor_seconds(step, len(case.requests) // 10)


def processor_seconds(step: Callable[[int], object], count: int) -> float:
    """The lesser of two runs, in time of the processor: other work on the machine is not counted."""
    taken = []
    for _ in range(2):
        started = time.process_time()
        step(count)
        taken.append(time.process_time() - started)
    return min(taken)
