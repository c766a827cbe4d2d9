"""Stand-ins for Figures 4 and 5 of certified data removal: the page is made of its results, and each noise is that of its ε."""

from __future__ import annotations

import json
import math
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.maths.certificates import gaussian
from benchmarks.paper import extractors, extractors_page, publishing

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DOCS / extractors_page.NAME / publishing.RESULTS).read_text(encoding="utf-8"))
    return found


def test_the_page_in_docs_is_what_its_results_say(kept: dict[str, Any]) -> None:
    assert kept["scope"]["full"]
    assert (DOCS / f"{extractors_page.NAME}.md").read_text(encoding="utf-8") == extractors_page.page(kept)
    for name, drawn in extractors_page.figures(kept).items():
        assert (DOCS / extractors_page.NAME / f"{name}.svg").read_text(encoding="utf-8") == drawn
        assert "Stand-in" in drawn


def test_every_ten_removals_stay_within_their_budget(kept: dict[str, Any]) -> None:
    for row in kept["private"]["rows"]:
        share, delta = row["epsilon"] / extractors.PEOPLE, extractors.DELTA - extractors.EXTRACTOR_DELTA
        for each in (*row["heads"], *row["untrained"]):
            assert gaussian.epsilon(delta, each["spent"] / each["sigma"]) <= share * (1 + 1e-9)


@pytest.mark.parametrize("epsilon", [1.0, 100.0])
def test_the_noise_of_a_network_hides_ten_people(epsilon: float) -> None:
    noise = extractors.noise_for(epsilon, 30)
    together = extractors.PEOPLE * math.sqrt(30) / noise
    assert gaussian.epsilon(extractors.EXTRACTOR_DELTA, together) == pytest.approx(epsilon, rel=1e-9)


def test_features_have_norm_one_and_no_row_changes_another() -> None:
    network = extractors.cnn(range(5, 10), epochs=0, batch=32, rate=0.05)
    data = extractors.digits(range(5), 0).subset(np.arange(8))
    extract = extractors.extractor(network, network.learn(extractors.digits(range(5, 10), 0), 1), 5)
    found = extractors.extracted(extract, data).features
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(8), rel=1e-9)
    alone = extractors.extracted(extract, data.subset(np.arange(1))).features
    assert found[:1] == pytest.approx(alone, abs=1e-5)  # the convolutions are in float32


def test_public_and_removable_digits_share_no_record() -> None:
    assert not {*extractors.digits(range(5), 0).ids} & {*extractors.digits(range(5, 10), 0).ids}


def test_what_loses_is_said_to_lose(kept: dict[str, Any]) -> None:
    turned = deepcopy(kept)
    for row in turned["private"]["rows"]:
        row["methods"] = {"above": [0.2, 0.3], "private": [0.4, 0.5], "untrained": [0.1, 0.4]}
    page = extractors_page.page(turned)
    assert (
        "the private network itself, the linear model above the private network is less accurate on every split at ε = 1 and"
        in page
    )
    assert "which costs no ε, the linear model above the private network is neither more nor less accurate" in page


@pytest.mark.slow
def test_a_quick_run_goes_through_and_says_that_it_shows_nothing() -> None:
    found = extractors.measure(quick=True)
    assert "Too small a run to show anything" in extractors_page.page(found)
    assert extractors_page.figures(found).keys() == {"figure-4", "figure-5"}


def test_the_page_names_the_epsilons_at_which_one_arm_is_better_on_every_split() -> None:
    better, worse, mixed = [(0.9, 0.8), (0.7, 0.6)], [(0.8, 0.9), (0.6, 0.7)], [(0.9, 0.8), (0.6, 0.7)]

    def said(*every: list[tuple[float, float]]) -> str:
        rows = [
            {"epsilon": 10.0**place, "methods": dict(zip(("one", "other"), zip(*pairs, strict=True), strict=True))}
            for place, pairs in enumerate(every)
        ]
        return extractors_page._compared(rows, "one", "other", "it").partition("is ")[2]

    assert (
        said(better, better, worse)
        == "more accurate on every split at ε = 1 and 10, and less accurate on every split at ε = 100."
    )
    assert said(mixed, worse) == "less accurate on every split at ε = 10."
    assert said(mixed, mixed) == "neither more nor less accurate on every split, at any ε."
