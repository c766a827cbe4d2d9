"""Certified data removal, Table 1 as ratios: the page is made of its results, and what is timed does what it is timed for."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.learning.logistic import minimise
from benchmarks.paper import publishing, removal_times, removal_times_page

DOCS = Path(__file__).resolve().parents[2] / "docs"
SMALL = replace(removal_times.QUICK, shapes={"MNIST": removal_times.Shape(12_000, 784, 60)}, repeats=2)


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DOCS / removal_times_page.NAME / publishing.RESULTS).read_text(encoding="utf-8"))
    return found


def test_the_page_in_docs_is_what_its_results_say(kept: dict[str, Any]) -> None:
    assert kept["scope"]["full"]
    assert (DOCS / f"{removal_times_page.NAME}.md").read_text(encoding="utf-8") == removal_times_page.page(kept)


def test_every_kept_time_has_its_repeats_and_every_residual_its_bound(kept: dict[str, Any]) -> None:
    assert kept["measured"].keys() == removal_times_page.PUBLISHED.keys()
    for each in kept["measured"].values():
        assert {len(times) for times in each["seconds"].values()} == {kept["scope"]["repeats"]}
        assert kept["scope"]["repeats"] >= 5
        assert all(residual <= bound for residual, bound in each["residuals"])


def test_training_ends_at_its_tolerance_where_audits_train_to() -> None:
    objective = removal_times.drawn("MNIST", removal_times.Shape(60, 12, 60), SMALL)
    found = removal_times.descended(objective, 1e-7)
    assert np.linalg.norm(objective.gradient(found)) <= 1e-7
    # The objective is strongly convex with modulus λn.
    assert np.linalg.norm(found - minimise(objective, tolerance=1e-9)) <= 2e-7 / objective.strength


def test_a_quick_run_says_that_it_shows_nothing() -> None:
    page = removal_times_page.page(removal_times.results(replace(SMALL, shapes={"MNIST": removal_times.Shape(120, 16, 60)})))
    assert "Too small a run to show anything" in page
    assert "60 records are drawn" in page
