"""The page of the deletion inference paper's tables: its games are those of the definition, its text is made of its results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from benchmarks.paper import publishing
from benchmarks.paper.inference import cells, explaining, keeping, labels, nearest, page, playing, published, reductions
from benchmarks.paper.inference.shares import Share, mean, share

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DOCS / page.NAME / publishing.RESULTS).read_text(encoding="utf-8"))
    return found


def test_the_page_in_docs_is_what_its_results_say(kept: dict[str, Any]) -> None:
    assert (DOCS / f"{page.NAME}.md").read_text(encoding="utf-8") == page.page(kept)
    for name, drawn in page.figures(kept).items():
        assert (DOCS / page.NAME / f"{name}.svg").read_text(encoding="utf-8") == drawn
        ET.fromstring(drawn)


def test_every_cell_of_the_paper_that_can_be_had_was_played(kept: dict[str, Any]) -> None:
    for table, learners in published.INFERENCE.items():
        for learner in learners:
            assert f"inference.{table}.{learner}" in kept["cells"], (table, learner)
    assert set(kept["cells"]) <= set(cells.every())


def test_a_game_counts_each_attack_once_and_gives_ties_to_the_coin() -> None:
    found = playing.outcomes({"example": 0.5, "instance": 0.0, "absolute": -1.0}, {"example": 1, "instance": 1, "absolute": 1})
    assert [found[f"{each}.wins"] for each in ("example", "instance", "absolute")] == [1, 0, 0]
    assert [found[f"{each}.ties"] for each in ("example", "instance", "absolute")] == [0, 1, 0]
    assert [found[f"{each}.ties_won"] for each in ("example", "instance", "absolute")] == [0, 1, 0]
    one, again = (playing.inference("linear", "diabetes")(3) for _ in range(2))
    assert one == again


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    def make() -> keeping.Game:
        return lambda number: {"value": number / 2, "example.wins": float(number % 2)}

    whole = keeping.play(tmp_path, "whole", make, 50, workers=1)
    keeping.play(tmp_path, "parts", make, 7, workers=1)
    parts = keeping.play(tmp_path, "parts", make, 50, workers=1)
    assert {key: value for key, value in parts.items() if key != "cpu_seconds"} == {
        key: value for key, value in whole.items() if key != "cpu_seconds"
    }
    assert keeping.play(tmp_path, "parts", make, 20, workers=1) == parts
    value = mean({"parts": parts}, "parts", "value")
    assert value is not None
    assert value[0] == pytest.approx(np.mean(np.arange(50) / 2))
    assert value[1] == pytest.approx(np.std(np.arange(50) / 2, ddof=1) / 50**0.5)


def test_known_instances_are_the_papers_errors() -> None:
    found = labels.known_instance()
    assert found["models"] == pytest.approx(published.KNOWN_INSTANCE["models"], abs=0.05)
    assert found["least"] == pytest.approx(published.KNOWN_INSTANCE["adversary"], abs=1)
    assert found["exact"] < 1e-15 * found["models"]


def test_a_number_that_lies_outside_is_explained_by_what_meets_it() -> None:
    def cell(wins: int, ties: int, won: int) -> dict[str, Any]:
        return {"games": 1000, "sums": {"example.wins": wins, "example.ties": ties, "example.ties_won": won}}

    found = {"inference.iris.tree": cell(40, 960, 480)}
    assert share(found, "inference.iris.tree", "example") == Share(520, 1000)
    assert explaining.verdict(found, "iris", "tree", "example", 52.0) == "inside"
    assert "met by ties counted as won: 100.0" in explaining.verdict(found, "iris", "tree", "example", 100.0)
    assert explaining.verdict(found, "iris", "forest", "example", 89.2) == "not played"
    beside = {"inference.iris.logistic": cell(848, 0, 0), "inference.iris.logistic-then": cell(933, 0, 0)}
    assert "nearest" in explaining.verdict(beside, "iris", "logistic", "example", 99.0)
    assert explaining.verdict(beside, "iris", "logistic", "example", 70.0).endswith("nothing tried is nearer")


def test_a_deleted_digit_is_rebuilt_nearer_than_without_the_deletion() -> None:
    games = [nearest.reconstruction(True)(number) for number in range(5)]
    assert sum(each["deletion.nearest"] for each in games) > sum(each["without.nearest"] for each in games)
    assert all(0 <= each["deletion.pixels_wrong"] <= 64 for each in games)


def test_the_reduction_is_beaten_by_the_direct_attack() -> None:
    game = reductions.yeom("linear", "diabetes")
    found = [game(number) for number in range(60)]
    assert sum(each["example.wins"] for each in found) > sum(each["reduction.wins"] for each in found)
    assert sum(each["reduction.ties"] for each in found) > 20
