"""Geometry of Figures 2 and 3: lines on a logarithmic axis, two panels; digits as pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from auditor.report import wording
from auditor.report.figures.scales import WIDTH, Tick, linear_ticks, power_label, spread

_TOP, _HEIGHT, _AXIS, _LABELS, _BELOW = 30.0, 230.0, 40.0, 62.0, 42.0
_STYLES: Final = {
    "worst-case": ("worst case", "#8fa3b8", "2 3 8 3"),
    "as-printed": ("as printed", "#8a5a00", "7 3"),
    "online": ("online", "#7a3b69", "4 2 1 2"),
    "tightened": ("tightened", "#1f3a5f", ""),
    "local": ("local", "#1d6b4f", ""),
    "measured": ("measured", "#1b1f24", "2 2"),
}
_PIXEL, _PICTURE = 5.0, 52.0


@dataclass(frozen=True, slots=True)
class Line:
    """One bound."""

    points: tuple[tuple[float, float], ...]
    label: str
    label_y: float
    colour: str
    dash: str


@dataclass(frozen=True, slots=True)
class Panel:
    """The bounds for batches of one size."""

    title: str
    left: float
    right: float
    top: float
    bottom: float
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    lines: tuple[Line, ...]
    budget: float


@dataclass(frozen=True, slots=True)
class Pixel:
    """One dot of a picture."""

    x: float
    y: float
    grey: str


@dataclass(frozen=True, slots=True)
class Row:
    """Pictures side by side, with what they are and a number below each."""

    title: str
    y: float
    pixels: tuple[Pixel, ...]
    captions: tuple[tuple[float, str], ...]


def bounds(found: Mapping[str, Mapping[str, Sequence[float]]], budget: float) -> str:
    """Figure 2 as SVG: what each bound adds up to against the records removed, for single removals and batches."""
    every = [value for series in found.values() for name in _STYLES for value in series[name]] + [budget]
    low, high = math.floor(math.log10(min(every))), math.ceil(math.log10(max(every)))
    half = WIDTH / len(found)
    panels = [_panel(size, series, budget, (low, high), half * at, half) for at, (size, series) in enumerate(found.items())]
    return _fill("removal_bounds.svg.j2", panels=panels, width=WIDTH, height=_TOP + _HEIGHT + _BELOW)


def _panel(
    size: str, series: Mapping[str, Sequence[float]], budget: float, span: tuple[int, int], start: float, width: float
) -> Panel:
    left, right, bottom = start + _AXIS, start + width - _LABELS, _TOP + _HEIGHT
    low, high = span
    last = series["removed"][-1]

    def x(removed: float) -> float:
        return round(left + (right - left) * removed / last, 2)

    def y(value: float) -> float:
        return round(bottom - _HEIGHT * (math.log10(value) - low) / (high - low), 2)

    order = sorted(_STYLES, key=lambda name: y(series[name][-1]))
    labels = spread([y(series[name][-1]) for name in order], 10.5, _TOP, bottom)
    lines = tuple(
        Line(
            tuple((x(count), y(value)) for count, value in zip(series["removed"], series[name], strict=True)),
            _STYLES[name][0],
            at,
            *_STYLES[name][1:],
        )
        for name, at in zip(order, labels, strict=True)
    )
    title = "Single removals" if size == "1" else f"Batches of {size}"
    ticks = tuple(Tick(x(value), wording.number(value)) for value in linear_ticks(0, last, 5))
    decades = tuple(Tick(y(10.0**power), power_label(power)) for power in range(low, high + 1))
    return Panel(title, left, right, _TOP, bottom, ticks, decades, lines, y(budget))


def pictures(found: Mapping[str, Any]) -> str:
    """Figure 3 as SVG: the hardest and the easiest records by influence, and by the residual that removing them leaves."""
    titles = {
        ("influence", "hardest"): "Longest removal step ‖H⁻¹Δ‖₂",
        ("influence", "easiest"): "Shortest removal step",
        ("residual", "hardest"): "Largest residual after removal ‖∇L_b(w⁻; D′)‖₂",
        ("residual", "easiest"): "Smallest residual after removal",
    }
    rows = [_row(title, found[by][end], 22.0 + 78.0 * at) for at, ((by, end), title) in enumerate(titles.items())]
    width = 20.0 + _PICTURE * max(len(row.captions) for row in rows)
    return _fill("removal_pictures.svg.j2", rows=rows, width=width, height=22.0 + 78.0 * len(rows), pixel_size=_PIXEL)


def _row(title: str, shown: Sequence[Mapping[str, Any]], y: float) -> Row:
    pixels = []
    for number, each in enumerate(shown):
        left = 10.0 + _PICTURE * number
        for at, level in enumerate(each["pixels"]):
            grey = round(255 * (1 - level / 16))
            pixels.append(Pixel(left + _PIXEL * (at % 8), y + _PIXEL * (at // 8), f"#{grey:02x}{grey:02x}{grey:02x}"))
    captions = tuple(
        (10.0 + _PICTURE * number + 4 * _PIXEL, f"{each['label']}: {each['value']:.2g}") for number, each in enumerate(shown)
    )
    return Row(title, y, tuple(pixels), captions)


def _fill(template: str, **given: Any) -> str:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(**given) + "\n"
