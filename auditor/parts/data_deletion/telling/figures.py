"""Figures on data deletion."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from auditor.pages import wording
from auditor.pages.figures.axes import Frame, Linear, Logarithmic, Ticked, apart
from auditor.pages.figures.chart import WIDTH, Anchor, Chart, Kind, Point, series
from auditor.pages.figures.trade_offs import Panel, Row, draw_panel, lambdas, span_of, ticked
from auditor.pages.words.texts import text
from auditor.parts.data_deletion.judging.bounds import TRADEOFFS
from auditor.parts.data_deletion.judging.derived import Derived, DescentSettings
from auditor.parts.data_deletion.telling import deletion_tables

# The figure of ε_dd against the unlearning steps: the theorem's line, the Gaussian trade-off, and the threshold.
DECADES: Final = 12
"""The most powers of ten that the figure spans; what lies outside is left out of the drawing and named in a remark."""
_NEAR: Final = 3
"""Powers of ten beyond the lines up to which the threshold widens the scale."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 62.0, WIDTH - 152.0, 24.0, 234.0
_SHORT: Final = 14.0
"""How far before the right edge a line may end and still be led to a label there, px."""
_STYLES: Final[Mapping[str, tuple[str, str, Kind, int]]] = {
    "epsilon_dd": ("theorem", "", "disc", 0),
    "gaussian": ("tradeoff", "6 2.5", "triangle", 2),
}


def deletion_steps(found: Derived, threshold: float | None) -> Chart | None:
    """Draw what `deletion.renyi` derived; None where there is no curve to draw, or a premise is false.

    Args:
        found: With its curve.
        threshold: What the check compared ε_dd with; None where there was none.
    """
    if deletion_tables.is_void(found):
        return None
    curves = {
        "epsilon_dd": _points((each.steps, each.epsilon_dd) for each in found.curve),
        "gaussian": _points((each.steps, each.gaussian) for each in found.curve),
    }
    every = [point for values in curves.values() for point in values]
    if not every:
        return None
    declared = found.settings.unlearn_steps if isinstance(found.settings, DescentSettings) else None
    limit = threshold if threshold is not None and threshold > 0 else None
    decides = "gaussian" if found.theorem in TRADEOFFS else "epsilon_dd"
    standing = {name: next((value for at, value in values if at == declared), None) for name, values in curves.items()}
    low, high = _decades(every, limit, standing[decides])
    edges = (10.0**low, 10.0**high)
    first, last = _span([steps for steps, _ in every], declared)
    frame = Frame(_LEFT, _RIGHT, _TOP, _BOTTOM, Linear(first, last), Logarithmic(*edges))
    chart = Chart(_BOTTOM + 40, _describe(standing, declared, limit), caption=text("figure-steps-caption"))
    frame.draw_across(chart, text("figure-steps-across"))
    frame.draw_up(chart, text("figure-steps-axis-order", order=wording.number(found.order)))
    if declared is not None:
        _declare(chart, frame, declared)
    runs = {name: drawn for name in _STYLES if (drawn := _runs(curves[name], frame, edges))}
    at_limit = frame.y(limit) if limit is not None and edges[0] <= limit <= edges[1] else None
    placed = _labels(runs, at_limit)
    if at_limit is not None:
        chart.line(((_LEFT, at_limit), (_RIGHT, at_limit)), "ink", width=2.4, name="threshold")
        chart.line(((_RIGHT, at_limit), (_RIGHT + 9, placed["threshold"])), "ink", width=0.8)
        said = text("figure-threshold", value=wording.number(limit))
        chart.note(_RIGHT + 11, placed["threshold"], said, colour="ink", bold=True, name="label-threshold")
    for name, drawn in runs.items():
        _draw(chart, name, drawn, label_y=placed.get(name), heavy=name == decides, standing=standing[name])
        value = standing[name]
        if declared is not None and value is not None and edges[0] <= value <= edges[1]:
            chart.mark(_STYLES[name][2], frame.x(declared), frame.y(value), series(_STYLES[name][3]), name=f"declared-{name}")
    chart.remarks += _remarks(every, limit, edges)
    return chart


def _declare(chart: Chart, frame: Frame, steps: int) -> None:
    """Draw the line at the declared steps; its label is on the side with more room."""
    x = frame.x(steps)
    chart.line(((x, _TOP - 6), (x, _BOTTOM)), "muted", dash="1.5 2.5", name="declared")
    anchor: Anchor = "end" if x > (_LEFT + _RIGHT) / 2 else "start"
    chart.note(x - 4 if anchor == "end" else x + 4, _TOP - 12, text("figure-steps-declared", count=steps), anchor, colour="ink")


def _draw(
    chart: Chart, name: str, runs: Sequence[Sequence[Point]], *, label_y: float | None, heavy: bool, standing: float | None
) -> None:
    """Draw one line with its label: right of the frame at label_y, or, where that is None, where the line leaves the frame."""
    title, dash, kind, number = _STYLES[name]
    stroke = series(number)
    for run in runs:
        if len(run) == 1:
            chart.mark(kind, *run[0], stroke, name=name)
        chart.line(run, stroke, width=1.9 if heavy else 1.1, dash=dash, name=name)
    end_x, end_y = runs[-1][-1]
    label = text(f"figure-steps-{title}")
    if standing is not None:
        label = f"{label}: {wording.number(standing)}"
    if label_y is None:
        chart.note(end_x + 7, end_y - 7, label, colour=stroke, bold=heavy, name=f"label-{name}")
        return
    chart.line(((end_x + 2, end_y), (_RIGHT + 9, label_y)), stroke, width=0.6, name=f"lead-{name}")
    chart.note(_RIGHT + 11, label_y, label, colour=stroke, bold=heavy, name=f"label-{name}")


def _labels(runs: Mapping[str, Sequence[Sequence[Point]]], at_limit: float | None) -> dict[str, float]:
    """Place the labels right of the frame: of the lines that end near its edge, and of the threshold."""
    ends = {name: found[-1][-1] for name, found in runs.items()}
    wanted = {name: y for name, (x, y) in ends.items() if x > _RIGHT - _SHORT}
    if at_limit is not None:
        wanted["threshold"] = at_limit
    return apart(wanted, _TOP, _BOTTOM)


def _points(values: Iterable[tuple[int, float | None]]) -> list[Point]:
    """The points of one line that a logarithmic scale can show, by ascending steps."""
    return sorted((float(steps), value) for steps, value in values if value is not None and value > 0)


def _decades(every: Sequence[Point], limit: float | None, reached: float | None) -> tuple[int, int]:
    """Choose the powers of ten at the lower and the upper edge; what the declared steps reach lies between them."""
    logs = [math.log10(value) for _, value in every]
    least, most = min(logs), max(logs)
    if limit is not None and least - _NEAR <= math.log10(limit) <= most + _NEAR:
        least, most = min(least, math.log10(limit)), max(most, math.log10(limit))
    high = math.ceil(most + 0.05)
    low = min(math.floor(least), high - 2)
    if high - low <= DECADES:
        return low, high
    low = high - DECADES
    if reached is not None:
        low = min(low, math.floor(math.log10(reached)))
    return low, low + DECADES


def _span(steps: Sequence[float], declared: int | None) -> tuple[float, float]:
    known = [*steps, *([] if declared is None else [float(declared)])]
    first, last = min(known), max(known)
    return (first, last) if last > first else (first, first + 1.0)


def _runs(points: Sequence[Point], frame: Frame, edges: tuple[float, float]) -> list[list[Point]]:
    runs: list[list[Point]] = [[]]
    for steps, value in points:
        if edges[0] <= value <= edges[1]:
            runs[-1].append((frame.x(steps), frame.y(value)))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _remarks(every: Sequence[Point], limit: float | None, edges: tuple[float, float]) -> list[str]:
    said = []
    if limit is not None and not edges[0] <= limit <= edges[1]:
        said.append(text("figure-threshold-outside", value=wording.number(limit)))
    left = sum(not edges[0] <= value <= edges[1] for _, value in every)
    if left:
        said.append(text("figure-steps-outside", count=left, low=wording.number(edges[0]), high=wording.number(edges[1])))
    return said


def _describe(standing: Mapping[str, float | None], declared: int | None, limit: float | None) -> str:
    lines = ((text(f"figure-steps-{_STYLES[name][0]}"), value) for name, value in standing.items())
    ends = [f"{title} {wording.number(value)}" for title, value in lines if value is not None]
    said = [text("figure-steps-title")]
    if declared is not None and ends:
        said.append(text("figure-steps-standing", count=declared, ends=", ".join(ends)))
    if limit is not None:
        said.append(text("figure-steps-against", value=wording.number(limit)))
    return " ".join(said)


# The figure of a plan for data deletion: accuracy against ε_dp, and against the gradients that unlearning saves.
_HEIGHT: Final = 251.0
_SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)


def deletion_trade_offs(document: Mapping[str, Any]) -> Chart:
    """Draw the document of a plan for data deletion."""
    rows = [row for row in document["settings"] if row["accuracy"]]
    bare = max((each["accuracy"] for each in document["without_noise"]), default=None)
    span = span_of([row["accuracy"]["value"] for row in rows], bare)
    chart = Chart(_HEIGHT, document["sentence"])
    best = document["recommended"]
    accuracy = best["accuracy"]["value"] if best and best["accuracy"] else None
    private = Panel(
        text("figure-plan-private-title"),
        text("figure-plan-private"),
        ticked(document["search"]["epsilon_dp"], ".3g"),
        span,
        lambdas(
            {l2: [(row["epsilon_dp"], _accuracy(row)) for row in rows if row["l2"] == l2] for l2 in document["search"]["l2"]}
        ),
        bare,
        chosen=None if accuracy is None else (best["epsilon_dp"], accuracy),
    )
    serving = sorted((row for row in rows if row["serves"]), key=_saved)
    saved = Panel(
        text("figure-plan-saved-title", epsilon=wording.number(document["promise"]["epsilon"])),
        text("figure-plan-saved"),
        Ticked(Linear(0.0, 1.0), tuple((share, wording.percent(share)) for share in _SHARES)),
        span,
        lambdas({l2: [(_saved(row), _accuracy(row)) for row in serving if row["l2"] == l2] for l2 in document["search"]["l2"]}),
        bare,
        chosen=None if accuracy is None else (_saved(best), accuracy),
    )
    draw_panel(chart, private, 0.0, WIDTH / 2, 0.0)
    draw_panel(chart, saved, WIDTH / 2, WIDTH, 0.0)
    return chart


def _saved(row: Row) -> float:
    return float(row["saved_share"])


def _accuracy(row: Row) -> float:
    return float(row["accuracy"]["value"])


FIGURES: Final = {
    "deletion_steps": deletion_steps,
    "plan.data-deletion": deletion_trade_offs,
}
