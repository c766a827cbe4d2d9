"""Figure 1 of the deletion-as-control paper: the page is made of its results, and they are what the paper says can be had."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.verdict.guarantees import CONFIDENTIALITY, CONTROL, UNLEARNING
from benchmarks.paper import publishing, touchstones, touchstones_page

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DOCS / touchstones_page.NAME / publishing.RESULTS).read_text(encoding="utf-8"))
    return found


def test_the_page_in_docs_is_what_its_results_say(kept: dict[str, Any]) -> None:
    assert not kept["quick"]
    assert list(kept["audits"]) == [*touchstones.TOUCHSTONES, "learner"]
    assert (DOCS / f"{touchstones_page.NAME}.md").read_text(encoding="utf-8") == touchstones_page.page(kept)


def test_every_touchstone_gives_control_and_all_but_the_social_ones_confidentiality(kept: dict[str, Any]) -> None:
    audits = [kept["audits"][name] for name in touchstones.TOUCHSTONES]
    assert [each[CONTROL]["status"] for each in audits] == ["supported"] * 4
    assert [each[CONFIDENTIALITY]["status"] for each in audits] == ["supported", "refuted", "supported", "refuted"]
    assert kept["audits"]["learner"][UNLEARNING]["status"] == "supported"
    assert not any("fail" in {each["checks"]["control.game"], each["checks"]["data.erased"]} for each in audits)


@pytest.mark.slow
def test_a_quick_run_goes_through_and_writes_nothing() -> None:
    found = touchstones.measure(quick=True)
    assert touchstones_page.page(found).count("\n| ") >= 12
