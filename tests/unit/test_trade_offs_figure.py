"""The figure of a plan: everything lies inside its panel, and says what the plan says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from auditor.report import planned
from auditor.report.figures.trade_offs import trade_offs

RESULTS = Path(__file__).resolve().parents[2] / "docs" / "certified-removal-figures" / "results.json"


@pytest.fixture
def plan() -> dict[str, Any]:
    """A plan as `auditor plan --json` prints it."""
    found: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))["trade_offs"]
    return found


def test_every_point_lies_in_its_panel(plan: dict[str, Any]) -> None:
    figure = trade_offs(plan)
    for panel in figure.panels:
        assert panel.curves
        for x, y in (point for curve in panel.curves for point in curve.points):
            assert panel.left <= x <= panel.right
            assert panel.top <= y <= panel.bottom
        assert all(panel.top <= curve.label_y <= panel.bottom + 1 for curve in panel.curves)
        assert panel.right <= figure.width
        assert panel.level is not None


def test_more_accurate_is_higher_and_more_deletions_are_farther_right(plan: dict[str, Any]) -> None:
    served = trade_offs(plan).panels[2].curves[0].points
    rows = [row for row in plan["loss_perturbation"] if row["accuracy"] and row["served"]]
    for one, (x, y) in zip(rows, served, strict=True):
        for other, (x_other, y_other) in zip(rows, served, strict=True):
            if one["accuracy"]["value"] > other["accuracy"]["value"] + 1e-3:
                assert y < y_other
            if one["served"]["median"] > other["served"]["median"]:
                assert x > x_other


def test_the_best_accuracy_by_loss_perturbation_never_falls_with_epsilon(plan: dict[str, Any]) -> None:
    curve = next(each for each in trade_offs(plan).panels[1].curves if each.label == "loss perturbation")
    heights = [y for _, y in curve.points]
    assert heights == sorted(heights, reverse=True)


def test_the_recommended_settings_are_written_beside_their_points(plan: dict[str, Any]) -> None:
    notes = {note.text for note in trade_offs(plan).panels[2].notes}
    best = plan["recommended_by_method"]["loss_perturbation"]
    assert f"λ {best['l2']:g}, σ {best['sigma']:g}" in notes


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
    figure = trade_offs(plan)
    assert all(panel.level is None for panel in figure.panels)
    assert not any(curve.points for panel in figure.panels for curve in panel.curves)
    ET.fromstring(planned.svg(plan))


def test_hostile_names_are_escaped(plan: dict[str, Any]) -> None:
    plan["sentence"] = '<script>alert("x")</script>'
    drawing = ET.fromstring(planned.svg(plan))
    assert "script" not in {element.tag.rpartition("}")[2] for element in drawing.iter()}
