"""The figure of a plan: everything lies inside its panel, and says what the plan says."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from auditor.pages import planned
from auditor.pages.figures import Chart
from auditor.pages.figures.chart import Line, Mark
from auditor.pages.figures.trade_offs import trade_offs

RESULTS = Path(__file__).resolve().parents[2] / "docs" / "certified-removal-figures" / "results.json"


@pytest.fixture
def plan() -> dict[str, Any]:
    """A plan as `auditor plan --json` prints it."""
    found: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))["trade_offs"]
    return found


PANELS = ((42.0, 200.0, 40.0, 205.0), (348.0, 506.0, 40.0, 205.0), (42.0, 506.0, 291.0, 456.0))
"""Left, right, top and bottom of each, px."""


def marks(chart: Chart, name: str, panel: int) -> list[tuple[float, float]]:
    """The points of one name in a panel."""
    left, right, top, bottom = PANELS[panel]
    every = [(mark.x, mark.y) for mark in chart.named(name) if isinstance(mark, Mark)]
    return [(x, y) for x, y in every if left <= x <= right and top <= y <= bottom]


def test_every_point_lies_in_its_panel(plan: dict[str, Any]) -> None:
    chart = trade_offs(plan)
    names = ("loss perturbation", "output noise", "DP for all of them", *(f"λ = {l2:g}" for l2 in plan["search"]["l2"]))
    for name in names:
        assert sum(len(marks(chart, name, panel)) for panel in range(3)) == len(chart.named(name)) - sum(
            isinstance(shape, Line) for shape in chart.named(name)
        )
    assert len(chart.named("bare")) == 3


def test_more_accurate_is_higher_and_more_deletions_are_farther_right(plan: dict[str, Any]) -> None:
    served = marks(trade_offs(plan), "loss perturbation", 2)
    rows = [row for row in plan["loss_perturbation"] if row["accuracy"] and row["served"]]
    for one, (x, y) in zip(rows, served, strict=True):
        for other, (x_other, y_other) in zip(rows, served, strict=True):
            if one["accuracy"]["value"] > other["accuracy"]["value"] + 1e-3:
                assert y < y_other
            if one["served"]["median"] > other["served"]["median"]:
                assert x > x_other


def test_the_best_accuracy_by_loss_perturbation_never_falls_with_epsilon(plan: dict[str, Any]) -> None:
    heights = [y for _, y in marks(trade_offs(plan), "loss perturbation", 1)]
    assert len(heights) > 3
    assert heights == sorted(heights, reverse=True)


def test_the_recommended_setting_is_ringed_where_it_stands(plan: dict[str, Any]) -> None:
    chart = trade_offs(plan)
    best, method = plan["recommended"], plan["recommended"]["method"].replace("-", " ")
    rows = [row for row in plan[method.replace(" ", "_")] if row["served"] and row["accuracy"]]
    assert marks(chart, "chosen", 2) == [marks(chart, method, 2)[rows.index(best)]]
    assert marks(chart, "chosen-ring", 2) == marks(chart, "chosen", 2)
    assert "recommended" in [note.text for note in chart.named("label")]


def test_the_best_setting_of_another_method_is_written_beside_its_point(plan: dict[str, Any]) -> None:
    notes = {note.text for note in trade_offs(plan).named("setting")}
    best = plan["recommended_by_method"]["loss_perturbation"]
    assert f"λ {best['l2']:g}, σ {best['sigma']:g}" in notes


def test_no_two_ticks_of_crowded_values_are_printed_over_each_other(plan: dict[str, Any]) -> None:
    plan["search"]["sigma"] = [0.1, 0.101, 0.102, 0.103, 1.0, 1.01, 10.0]
    plan["loss_perturbation"] = [row for row in plan["loss_perturbation"] if row["sigma"] in {0.1, 1.0, 10.0}]
    labels = sorted((note for note in trade_offs(plan).named("label-across") if note.x < 210), key=lambda note: note.x)
    across = [note for note in labels if note.y < 230]
    assert [note.text for note in across] == ["0.1", "1", "10"]
    assert all(one.ends[1] < other.ends[0] for one, other in pairwise(across))


def test_settings_without_a_result_are_left_out(plan: dict[str, Any]) -> None:
    for key in ("loss_perturbation", "output_noise", "differential_privacy", "no_protection"):
        for row in plan[key]:
            row |= {
                "accuracy": None,
                "served": None,
                "serves": False,
                "epsilon_needed": None,
                "accuracy_at": [],
                "reason": "none",
            }
    plan |= {"recommended": None, "recommended_by_method": dict.fromkeys(plan["recommended_by_method"])}
    chart = trade_offs(plan)
    assert chart.named("bare") == chart.named("chosen") == chart.named("loss perturbation") == ()
    ET.fromstring(planned.svg(plan))


def test_hostile_names_are_escaped(plan: dict[str, Any]) -> None:
    plan["sentence"] = '<script>alert("x")</script>'
    drawing = ET.fromstring(planned.svg(plan))
    assert "script" not in {element.tag.rpartition("}")[2] for element in drawing.iter()}
