"""The figure of a plan for data deletion: accuracy against ε_dp, and against the gradients that unlearning saves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditor.report import wording
from auditor.report.figures.scales import WIDTH, Tick
from auditor.report.figures.trade_offs import COLOURS, Frame, Panel, TradeOffs, logarithmic

_PANEL_HEIGHT = 237.0
_HALF = WIDTH / 2


def deletion_trade_offs(document: Mapping[str, Any]) -> TradeOffs:
    """The figure for the document of a plan for data deletion."""
    values = [row["accuracy"]["value"] for row in document["settings"] if row["accuracy"]]
    bare = max((each["accuracy"] for each in document["without_noise"]), default=None)
    values += [] if bare is None else [bare]
    low, high = min(values, default=0.0), max(values, default=1.0)
    span = (min(low, high - 0.02), high)
    panels = (
        _against_privacy(document, Frame(0.0, _HALF, 0.0, span, bare)),
        _against_savings(document, Frame(_HALF, WIDTH, 0.0, span, bare)),
    )
    return TradeOffs(WIDTH, _PANEL_HEIGHT, panels, document["sentence"])


def _against_privacy(document: Mapping[str, Any], frame: Frame) -> Panel:
    tried = document["search"]["epsilon_dp"]
    x = logarithmic(tried[0], tried[-1], frame)
    lines = []
    for number, l2 in enumerate(document["search"]["l2"]):
        rows = [row for row in document["settings"] if row["l2"] == l2 and row["accuracy"]]
        points = tuple((x(row["epsilon_dp"]), frame.y(row["accuracy"]["value"])) for row in rows)
        lines.append((f"λ = {l2:g}", COLOURS[number % len(COLOURS)], "", points))
    ticks = [Tick(x(each), f"{each:.3g}") for each in tried]
    return frame.panel("Accuracy after unlearning", "ε_dp of one published model", ticks, frame.labelled(lines))


def _against_savings(document: Mapping[str, Any], frame: Frame) -> Panel:
    def x(share: float) -> float:
        return round(frame.left + 8 + (frame.right - frame.left - 16) * share, 2)

    lines = []
    for number, l2 in enumerate(document["search"]["l2"]):
        rows = sorted((row for row in document["settings"] if row["l2"] == l2 and row["serves"]), key=_saved)
        points = tuple((x(_saved(row)), frame.y(row["accuracy"]["value"])) for row in rows)
        lines.append((f"λ = {l2:g}", COLOURS[number % len(COLOURS)], "", points))
    ticks = [Tick(x(share / 100), f"{share} %") for share in (0, 25, 50, 75, 100)]
    title = f"Settings that keep ε = {wording.number(document['promise']['epsilon'])}"
    return frame.panel(title, "gradients saved, against learning from scratch", ticks, frame.labelled(lines))


def _saved(row: Mapping[str, Any]) -> float:
    return float(row["saved_share"])
