"""Whole audits: what the hardest records would have left stands beside the log's own removals, and a recheck holds it to them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rfc8785

from auditor.base.domain import Status
from auditor.document.evidence import Evidence
from auditor.pages import render
from auditor.recheck import recheck
from cases import audited, check_of
from rechecks import findings, holder
from small_cases import problem, write

ONLY = ("removal.residual", "removal.budget")


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    features, labels = problem(200, 4, seed=5)
    names = [f"rec-{index:04d}" for index in range(200)]
    deleted = [[names[9]], names[20:24], [names[30]]]
    return audited(write(tmp_path_factory.mktemp("small"), features, labels, deleted=deleted, required=ONLY), only=ONLY)


def test_the_hardest_stand_beside_the_first_batch_of_each_size(evidence: Evidence, tmp_path: Path) -> None:
    details = check_of(evidence, "removal.budget").details
    listed = details["hardest"]
    assert [(entry["number"], entry["records"]) for entry in listed] == [(1, 1), (2, 4)]
    for entry in listed:
        before, own = details["series"][entry["number"] - 1 : entry["number"] + 1]
        assert entry["log"] == {**own["increment"], "measured": own["beta"]["measured"]}
        assert entry["hardest"]["local"] > entry["log"]["local"]
        assert entry["hardest"]["measured"] <= before["beta"]["measured"] + entry["hardest"]["local"]
        assert entry["reason"] is None
        # Whose records they are is nobody's business.
        assert "rec-" not in str(entry)
    path = tmp_path / "evidence.json"
    path.write_bytes(evidence.to_bytes())
    assert [str(finding) for document in recheck(path).documents for finding in document.findings] == []


def test_they_decide_nothing(evidence: Evidence) -> None:
    budget = check_of(evidence, "removal.budget")
    beta = budget.details["series"][-1]["beta"]["local"]
    assert budget.value == pytest.approx(beta / budget.details["budget"], rel=1e-12)
    assert budget.status is (Status.PASS if budget.value <= 1 else Status.FAIL)


def test_the_report_has_both_rows(evidence: Evidence) -> None:
    page = render.html(evidence)
    assert "for as many records with the worst margins" in page
    assert page.count("worst margins instead") == 2


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "a smaller bound": lambda entry: entry["hardest"].update(local=0.0),
    "a smaller residual": lambda entry: entry["hardest"].update(measured=0.0),
    "none at all": lambda entry: entry.update(hardest=None),
    "another batch of the log": lambda entry: entry["log"].update(measured=9.0),
    "another lambda": lambda entry: entry["inputs"].update(l2=1.0),
    "another start": lambda entry: entry["inputs"].update(gradient_norm=[0.0]),
    "fewer records": lambda entry: entry.update(records=0),
    "a later batch": lambda entry: entry.update(number=3),
    "a reason": lambda entry: entry.update(reason="too hard"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_entry_is_found(evidence: Evidence, change: Callable[[dict[str, Any]], object]) -> None:
    value = json.loads(evidence.to_bytes())
    change(holder(value, "removal.budget", "hardest")["hardest"][0])
    assert any("hardest" in line for line in findings(rfc8785.dumps(value)))
