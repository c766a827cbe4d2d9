"""How cost grows, as a figure: a panel for each thing that grows, both axes logarithmic, with the line of its exponent."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

from auditor.pages.figures.axes import Frame, Logarithmic
from auditor.pages.figures.chart import WIDTH, Chart

FIGURE: Final = Path(__file__).resolve().parent.parent / "docs" / "scaling" / "growth.svg"
TITLES: Final = {
    "records": "Records of a logistic fit",
    "features": "Features of the same",
    "deletions": "Batches of deletions",
    "models": "Models at once",
    "pairs": "Swap pairs judged",
}
_TOP, _HEIGHT, _ROW, _AXIS, _RIGHT, _ACROSS = 34.0, 130.0, 226.0, 58.0, 16.0, 3


def svg(figures: Mapping[str, Mapping[str, Any]]) -> str:
    """Draw what was measured, as an SVG document.

    Args:
        figures: Of measured.json, by the keys of their rows; each of `TITLES` with its points.
    """
    chart = Chart(_ROW * math.ceil(len(TITLES) / _ACROSS), _told(figures))
    each = WIDTH / _ACROSS
    for number, (what, title) in enumerate(TITLES.items()):
        figure = figures[f"growth.{what}"]
        left, top = each * (number % _ACROSS), _TOP + _ROW * (number // _ACROSS)
        _panel(chart, (left, top, each), title, figure["points"], median(figure["values"]))
    return f"{chart.svg()}\n"


def _told(figures: Mapping[str, Mapping[str, Any]]) -> str:
    exponents = (f"{title}: {median(figures[f'growth.{what}']['values']):.2f}" for what, title in TITLES.items())
    return f"Processor time against size, both logarithmic. Exponents: {'; '.join(exponents)}."


def _panel(chart: Chart, place: tuple[float, float, float], title: str, points: Sequence[Sequence[float]], slope: float) -> None:
    left, top, width = place
    sizes, seconds = zip(*points, strict=True)
    across = Logarithmic(*_powers(sizes), labels=5)
    frame = Frame(left + _AXIS, left + width - _RIGHT, top, top + _HEIGHT, across, Logarithmic(*_powers(seconds), labels=5))
    chart.note(left, top - 18, title, colour="ink", bold=True)
    frame.draw_up(chart, "processor seconds", title_x=left + 6)
    frame.draw_across(chart, f"exponent {slope:.2f}")
    # Through the middle of the points, as least squares lays it.
    middle = [sum(map(math.log, values)) / len(values) for values in (sizes, seconds)]
    line = [(size, math.exp(middle[1] + slope * (math.log(size) - middle[0]))) for size in (sizes[0], sizes[-1])]
    chart.line([(frame.x(size), frame.y(taken)) for size, taken in line], "muted", width=1.2, dash="4 2", name="slope")
    for size, taken in points:
        chart.mark("disc", frame.x(size), frame.y(taken), "ink", size=2.6, name="measured")


def _powers(values: Sequence[float]) -> tuple[float, float]:
    """The powers of ten that hold all values."""
    return 10.0 ** math.floor(math.log10(min(values))), 10.0 ** math.ceil(math.log10(max(values)) + 1e-9)
