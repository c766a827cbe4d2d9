"""Logs of many requests: what is done with them grows in proportion, counted in calls of functions and not in seconds."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from auditor.api import validate
from auditor.document.evidence import Evidence
from auditor.pages import attachments, render
from auditor.pages.words.rendered_evidence import tell
from benchmarks.large_log import Sizes, write_case
from benchmarks.recorded import evidence


def calls_of(act: Callable[[], object]) -> int:
    """Calls of functions, and returns to generators, of ours and of libraries."""
    count = 0

    def counted(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(counted)
    try:
        act()
    finally:
        sys.setprofile(None)
    return count


def in_proportion(counts: list[int]) -> bool:
    """Whether twice as many more cost about twice as much more: with the square it would be four times."""
    first, second, third = counts
    return third - second < 2.5 * (second - first)


@pytest.mark.parametrize("batch", ["all", None], ids=["in one batch", "one by one"])
def test_reading_a_log_grows_in_proportion(tmp_path: Path, batch: str | None) -> None:
    counts = []
    for size in (200, 400, 800):
        folder = tmp_path / str(size)
        folder.mkdir()
        write_case(folder, Sizes(requests=size, records=size + 50, repeats=1))
        log = folder / "deletions.jsonl"
        rows = [json.loads(row) for row in log.read_text(encoding="utf-8").splitlines()]
        log.write_text("".join(json.dumps(row | {"batch": batch}) + "\n" for row in rows), encoding="utf-8")
        validate(folder)
        counts.append(calls_of(lambda where=folder: validate(where)))
    assert in_proportion(counts), counts


@pytest.mark.parametrize("make", [attachments.of, lambda of: render.html(tell(of))], ids=["attachments", "page"])
def test_a_report_grows_in_proportion(make: Callable[[Evidence], object]) -> None:
    counts = []
    for size in (200, 400, 800):
        document = evidence(size)
        make(document)
        again = document.model_copy()
        counts.append(calls_of(lambda of=again: make(of)))
    assert in_proportion(counts), counts
