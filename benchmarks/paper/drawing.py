"""The page's figures: a value with its interval, method by method, over a few settings; two panels a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from auditor.pages.figures.axes import Frame, Linear, Ticked, apart
from auditor.pages.figures.chart import WIDTH, Chart
from auditor.pages.figures.chart import series as series_colour
from benchmarks.paper.learners import METHODS

Estimate = Mapping[str, float]
"""`value`, `low`, `high`."""

_TOP, _HEIGHT, _BELOW = 34.0, 200.0, 42.0
_AXIS, _LABELS = 38.0, 74.0
_INSIDE: Final = 14.0
"""Between the first setting and the axis, px."""
_APART: Final = 1.6
"""Between the marks of two methods at one setting, px."""
_HEAVY: Final = {"none": "5 2.5", "retrain": ""}
"""Dashes of the two lines that the others lie between."""


@dataclass(frozen=True, slots=True)
class Series:
    """What a panel shows."""

    title: str
    x_title: str
    settings: tuple[str, ...]
    methods: Mapping[str, Sequence[Estimate]]
    """One estimate for each setting."""
    names: Mapping[str, str] = field(default_factory=lambda: METHODS)
    """What the methods are called."""


def svg(panels: Sequence[Series], description: str) -> str:
    """Draw panels side by side, as an SVG document."""
    chart = Chart(_TOP + _HEIGHT + _BELOW, description)
    each = WIDTH / len(panels)
    for number, series in enumerate(panels):
        _panel(chart, series, each * number, each)
    return f"{chart.svg()}\n"


def _panel(chart: Chart, series: Series, start: float, width: float) -> None:
    low = max(0.0, min(one[key] for row in series.methods.values() for one in row for key in ("value", "low")) - 0.02)
    high = max(one["high"] for row in series.methods.values() for one in row)
    places = Ticked(
        Linear(0, max(1, len(series.settings) - 1)), tuple((float(at), label) for at, label in enumerate(series.settings))
    )
    frame = Frame(start + _AXIS, start + width - _LABELS, _TOP, _TOP + _HEIGHT, places, Linear(low, high, finest=1e-3), _INSIDE)
    chart.note(start, _TOP - 18, series.title, colour="ink", bold=True)
    frame.draw_up(chart)
    frame.draw_across(chart, series.x_title)
    labels = apart({name: frame.y(row[-1]["value"]) for name, row in series.methods.items()}, frame.top, frame.bottom)
    middle = (len(series.methods) - 1) / 2
    for number, (name, row) in enumerate(series.methods.items()):
        stroke, aside = series_colour(number), _APART * (number - middle)
        for at, one in enumerate(row):
            x = frame.x(at) + aside
            chart.line(((x, frame.y(one["low"])), (x, frame.y(one["high"]))), stroke, width=0.7, name="interval")
        points = [(frame.x(at) + aside, frame.y(one["value"])) for at, one in enumerate(row)]
        chart.line(points, stroke, width=2.0 if name in _HEAVY else 1.1, dash=_HEAVY.get(name, ""), name="method")
        for x, y in points:
            chart.mark("disc", x, y, stroke, size=2.2)
        chart.note(frame.right + 8, labels[name], series.names[name], colour=stroke, bold=name in _HEAVY)
