"""Figures 2 and 3: lines on a logarithmic axis, two panels; digits as pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from auditor.pages.figures.axes import Frame, Linear, Logarithmic, apart
from auditor.pages.figures.chart import WIDTH, Chart
from auditor.pages.figures.chart import series as series_colour

_TOP, _HEIGHT, _AXIS, _LABELS, _BELOW = 34.0, 230.0, 44.0, 76.0, 44.0
_STYLES: Final = {
    "worst-case": ("worst case", 6, "2 3 8 3"),
    "as-printed": ("as printed", 1, "7 3"),
    "online": ("online", 3, "4 2 1 2"),
    "tightened": ("tightened", 0, ""),
    "local": ("local", 2, ""),
    "measured": ("measured", 7, "2 2"),
}
_PIXEL, _PICTURE, _ROW = 5.0, 54.0, 80.0
_TITLES: Final = {
    ("influence", "hardest"): "Longest removal step ‖H⁻¹Δ‖₂",
    ("influence", "easiest"): "Shortest removal step",
    ("residual", "hardest"): "Largest residual after removal ‖∇L_b(w⁻; D′)‖₂",
    ("residual", "easiest"): "Smallest residual after removal",
}


def bounds(found: Mapping[str, Mapping[str, Sequence[float]]], budget: float) -> str:
    """Figure 2 as SVG: what each bound adds up to against the records removed, for single removals and batches."""
    every = [value for series in found.values() for name in _STYLES for value in series[name]] + [budget]
    edges = 10.0 ** math.floor(math.log10(min(every))), 10.0 ** math.ceil(math.log10(max(every)))
    half = WIDTH / len(found)
    title = "Bounds on the gradient residual against the number of removed records, on a logarithmic axis"
    chart = Chart(_TOP + _HEIGHT + _BELOW, title)
    for at, (size, series) in enumerate(found.items()):
        right = half * (at + 1) - _LABELS
        scales = Linear(0, series["removed"][-1], 5), Logarithmic(*edges, labels=12)
        _panel(chart, Frame(half * at + _AXIS, right, _TOP, _TOP + _HEIGHT, *scales), size, series, budget)
    return f"{chart.svg()}\n"


def _panel(chart: Chart, frame: Frame, size: str, series: Mapping[str, Sequence[float]], budget: float) -> None:
    title = "Single removals" if size == "1" else f"Batches of {size}"
    chart.note(frame.left - _AXIS, _TOP - 18, title, colour="ink", bold=True)
    frame.draw_up(chart)
    frame.draw_across(chart, "records removed")
    labels = apart({"budget": frame.y(budget), **{name: frame.y(series[name][-1]) for name in _STYLES}}, frame.top, frame.bottom)
    chart.line(((frame.left, frame.y(budget)), (frame.right, frame.y(budget))), "fail", width=1.6, name="budget")
    chart.note(frame.right + 6, labels["budget"], "budget", colour="fail", bold=True)
    for name, (label, number, dash) in _STYLES.items():
        stroke = series_colour(number)
        points = [(frame.x(count), frame.y(value)) for count, value in zip(series["removed"], series[name], strict=True)]
        chart.line(points, stroke, width=1.4, dash=dash, name=name)
        chart.note(frame.right + 6, labels[name], label, colour=stroke)


def pictures(found: Mapping[str, Any]) -> str:
    """Figure 3 as SVG: the hardest and the easiest records by influence, and by the residual that removing them leaves."""
    most = max(len(found[by][end]) for by, end in _TITLES)
    title = "The digits that are hardest and easiest to remove, each with its label and value"
    chart = Chart(_ROW * len(_TITLES) + 8, title, width=20 + _PICTURE * most)
    for at, ((by, end), heading) in enumerate(_TITLES.items()):
        _row(chart, heading, found[by][end], 22 + _ROW * at)
    return f"{chart.svg()}\n"


def _row(chart: Chart, heading: str, shown: Sequence[Mapping[str, Any]], y: float) -> None:
    chart.note(10, y - 10, heading, colour="ink", bold=True)
    for number, each in enumerate(shown):
        left = 10 + _PICTURE * number
        for at, level in enumerate(each["pixels"]):
            grey = round(255 * (1 - level / 16))
            x, top = left + _PIXEL * (at % 8), y + _PIXEL * (at // 8)
            chart.band((x, top, x + _PIXEL, top + _PIXEL), f"#{grey:02x}{grey:02x}{grey:02x}")
        chart.note(left + 4 * _PIXEL, y + 49, f"{each['label']}: {each['value']:.2g}", "middle")
