"""What learning from a stream costs: the page is made of its results, and each noise is that of its ε."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from auditor.maths.certificates import derive
from benchmarks.paper import continual, continual_page, publishing

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DOCS / continual_page.NAME / publishing.RESULTS).read_text(encoding="utf-8"))
    return found


def test_the_page_in_docs_is_what_its_results_say(kept: dict[str, Any]) -> None:
    assert kept["scope"]["full"]
    assert (DOCS / f"{continual_page.NAME}.md").read_text(encoding="utf-8") == continual_page.page(kept)
    drawn = continual_page.figures(kept)["accuracy"]
    assert (DOCS / continual_page.NAME / "accuracy.svg").read_text(encoding="utf-8") == drawn


def test_each_epsilon_has_its_neighbours_and_its_adversary_next_to_it(kept: dict[str, Any]) -> None:
    rows = [line.split(" | ") for line in continual_page.page(kept).splitlines() if line.startswith("| DP-")]
    assert len(rows) == 3 * len(kept["rows"])
    assert all("a record added or removed" in row[2] and "sees" in row[3] for row in rows)


def test_the_summary_has_every_accuracy_of_the_page_with_its_interval(kept: dict[str, Any]) -> None:
    said, page = continual_page.summary(kept), continual_page.page(kept)
    cells = re.findall(r"[\d.]+ % \([\d.]+ to [\d.]+\)", said)
    assert len(cells) == 4 * len(kept["rows"])
    assert {*cells} == {*re.findall(r"[\d.]+ % \([\d.]+ to [\d.]+\)", page)}
    assert said.count("Neighbours: a record added or removed") == said.count("Adversary: sees") == 2


def test_every_mean_is_of_five_or_more_drawings_and_lies_in_its_interval(kept: dict[str, Any]) -> None:
    cells = [*kept["retraining"].values(), *(each for row in kept["rows"] for each in row["methods"].values())]
    for cell in cells:
        assert len(cell["scores"]) == kept["scope"]["measured"] >= 5
        assert cell["value"] == pytest.approx(sum(cell["scores"]) / len(cell["scores"]))
        assert cell["low"] <= cell["value"] <= cell["high"]


@pytest.mark.parametrize("factorisation", ["tree", "square-root"])
def test_the_noise_of_a_stream_is_that_of_its_epsilon(factorisation: Any) -> None:
    stream = continual._stream((), 3.0, factorisation, {"steps": 16, "rate": 0.1})._stream
    assert stream is not None
    inputs = {"noise_multiplier": stream.noise_multiplier, "horizon": 16, "delta": continual.DELTA}
    assert derive(f"ftrl-{factorisation}", inputs).epsilon == pytest.approx(3.0, rel=1e-9)


def test_splits_share_no_record_and_depend_on_their_number() -> None:
    train, held_out = continual.split(continual.FULL, 0)
    assert (len(train), len(held_out)) == (1347, 450)
    assert not {*train.ids} & {*held_out.ids}
    assert {*held_out.ids} != {*continual.split(continual.FULL, 1)[1].ids}


def test_what_loses_is_said_to_lose(kept: dict[str, Any]) -> None:
    turned = deepcopy(kept)
    for row in turned["rows"]:
        methods = row["methods"]
        for name, value in (("ftrl-square-root", 0.3), ("ftrl-tree", 0.2), ("dp-sgd", 0.8)):
            methods[name] |= {"value": value, "low": value - 0.05, "high": value + 0.05}
    assert continual_page.verdict(turned) == "DP-FTRL loses to DP-SGD in every row, by 50 to 50 percentage points."
    turned["rows"][0]["methods"]["ftrl-tree"] |= {"value": 0.9, "low": 0.86, "high": 0.95}
    turned["rows"][1]["methods"]["ftrl-tree"] |= {"value": 0.78, "low": 0.7, "high": 0.86}
    rows = len(turned["rows"])
    said = continual_page.verdict(turned)
    assert said.startswith(f"DP-FTRL is less accurate than DP-SGD in {rows - 2} of {rows} rows, more accurate in 1;")


@pytest.mark.slow
def test_a_quick_run_goes_through_and_writes_nothing() -> None:
    found = continual.measure(quick=True)
    assert "Accuracy" in continual_page.page(found)
    assert continual_page.figures(found)["accuracy"].startswith("<svg")
