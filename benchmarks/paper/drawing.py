"""Geometry of the page's figures: a value with its interval, method by method, over a few settings; two panels a figure.

As in `auditor.report.figures`, what goes where is computed here, in CSS pixels, and the template writes it down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from auditor.report import wording
from auditor.report.figures.scales import WIDTH, Tick, linear_ticks, spread
from benchmarks.paper.learners import METHODS

Estimate = Mapping[str, float]
"""`value`, `low`, `high`."""

_TEMPLATE: Final = "lines.svg.j2"
_TOP, _HEIGHT, _BELOW = 30.0, 190.0, 40.0
_AXIS, _LABELS = 34.0, 56.0
_INSIDE: Final = 14.0
"""Between the first setting and the axis, px."""
_APART: Final = 1.6
"""Between the marks of two methods at one setting, px."""
_LINE: Final = 10.5
_STYLES: Final[Mapping[str, tuple[str, float, str]]] = {
    "none": ("#8a5a00", 2.0, "5 2.5"),
    "fine-tune": ("#b5495b", 1.1, ""),
    "neg-grad": ("#6b4fa0", 1.1, ""),
    "retrfinal": ("#2f7f9e", 1.1, ""),
    "ftfinal": ("#1f3a5f", 1.1, ""),
    "fisher": ("#c2571a", 1.1, ""),
    "salun": ("#7a7d2b", 1.1, ""),
    "ssd": ("#5d6670", 1.1, "2 2"),
    "retrain": ("#1d6b4f", 2.0, ""),
}
"""Colour, width and dashes of each method's line."""


@dataclass(frozen=True, slots=True)
class Series:
    """What a panel shows."""

    title: str
    x_title: str
    settings: tuple[str, ...]
    methods: Mapping[str, Sequence[Estimate]]
    """One estimate for each setting."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One value and its interval, px."""

    x: float
    y: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Line:
    """One method."""

    label: str
    label_y: float
    colour: str
    width: float
    dash: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes."""

    title: str
    x_title: str
    left: float
    right: float
    top: float
    bottom: float
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """Panels side by side."""

    width: float
    height: float
    panels: tuple[Panel, ...]
    description: str


def svg(panels: Sequence[Series], description: str) -> str:
    """A figure of panels side by side, as an SVG document."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(_TEMPLATE).render(figure=figure(panels, description)) + "\n"


def figure(panels: Sequence[Series], description: str) -> Figure:
    """The geometry of panels side by side."""
    each = WIDTH / len(panels)
    placed = tuple(_panel(series, each * number, each) for number, series in enumerate(panels))
    return Figure(WIDTH, _TOP + _HEIGHT + _BELOW, placed, description)


def _panel(series: Series, start: float, width: float) -> Panel:
    left, right, bottom = start + _AXIS, start + width - _LABELS, _TOP + _HEIGHT
    values = [one[key] for row in series.methods.values() for one in row for key in ("value", "low")]
    low = max(0.0, min(values) - 0.02)
    high = max(one["high"] for row in series.methods.values() for one in row)
    step = (right - left - 2 * _INSIDE) / max(1, len(series.settings) - 1)
    middle = (len(series.methods) - 1) / 2

    def y(value: float) -> float:
        return round(bottom - _HEIGHT * (min(high, max(low, value)) - low) / (high - low), 2)

    def x(at: int) -> float:
        return round(left + _INSIDE + step * at, 2)

    ends = sorted(series.methods, key=lambda name: y(series.methods[name][-1]["value"]))
    labels = spread([y(series.methods[name][-1]["value"]) for name in ends], _LINE, _TOP, bottom)
    lines = tuple(
        Line(
            METHODS[name],
            labels[ends.index(name)],
            *_STYLES[name],
            marks=tuple(
                Mark(round(x(at) + _APART * (number - middle), 2), y(one["value"]), y(one["low"]), y(one["high"]))
                for at, one in enumerate(row)
            ),
        )
        for number, (name, row) in enumerate(series.methods.items())
    )
    return Panel(
        series.title,
        series.x_title,
        left,
        right,
        _TOP,
        bottom,
        tuple(Tick(x(at), label) for at, label in enumerate(series.settings)),
        tuple(Tick(y(value), wording.number(value)) for value in linear_ticks(low, high, 6, finest=1e-3)),
        lines,
    )
