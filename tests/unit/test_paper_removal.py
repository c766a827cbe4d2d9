"""The page of the certified removal paper's figures: its numbers are bounds in their order, its text is made of its results."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from benchmarks.paper import publishing, removal, removal_page
from benchmarks.removal import digits

DOCS = Path(__file__).resolve().parents[2] / "docs"
SMALL = replace(removal.QUICK, removals=6, batch=3, orders=1)


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DOCS / removal_page.NAME / publishing.RESULTS).read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("size", [1, 3])
def test_each_series_bounds_the_next(size: int) -> None:
    series = removal.bounds(SMALL, *digits((3,), (8,)), size)
    assert series["removed"] == [float(size * step) for step in range(1, 6 // size + 1)]
    order = ("worst-case", "as-printed", "tightened", "local", "measured")
    for looser, tighter in pairwise(order):
        assert all(one >= other for one, other in zip(series[looser], series[tighter], strict=True)), (looser, tighter)
    assert all(one >= other for one, other in zip(series["online"], series["measured"], strict=True))


def test_pictures_are_the_extremes_and_as_they_were_drawn() -> None:
    found = removal.pictures(removal.FULL, *digits((3,), (8,)))
    for by in ("influence", "residual"):
        hardest, easiest = ([each["value"] for each in found[by][end]] for end in ("hardest", "easiest"))
        assert hardest == sorted(hardest, reverse=True)
        assert easiest == sorted(easiest)
        assert hardest[-1] > easiest[-1]
        assert found[by]["spread"] == pytest.approx(hardest[0] / easiest[0])
    pixels = found["residual"]["hardest"][0]["pixels"]
    assert len(pixels) == 64
    assert min(pixels) == 0
    assert max(pixels) == 16


def test_the_page_in_docs_is_what_its_results_say(kept: dict[str, Any]) -> None:
    assert kept["scope"]["full"]
    assert (DOCS / f"{removal_page.NAME}.md").read_text(encoding="utf-8") == removal_page.page(kept)
    for name, drawn in removal_page.figures(kept).items():
        assert (DOCS / removal_page.NAME / f"{name}.svg").read_text(encoding="utf-8") == drawn
        ET.fromstring(drawn)


def test_kept_bounds_lie_in_their_order(kept: dict[str, Any]) -> None:
    for series in kept["bounds"].values():
        ends = [series[name][-1] for name in ("worst-case", "as-printed", "tightened", "local", "measured")]
        assert ends == sorted(ends, reverse=True)


def test_a_quick_run_says_that_it_shows_nothing(tmp_path: Path) -> None:
    found = removal.results(replace(removal.QUICK, removals=10))
    page = removal_page.page(found)
    assert "Too small a run to show anything" in page
    publishing.write(tmp_path, removal_page.NAME, page, removal_page.figures(found), found)
    assert {path.name for path in (tmp_path / removal_page.NAME).iterdir()} == {
        "results.json",
        "figure-1.svg",
        "figure-2.svg",
        "figure-3.svg",
    }
