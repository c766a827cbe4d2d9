"""Figures on what a deletion reveals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from auditor.pages.figures.chart import Chart
from auditor.pages.words.texts import text
from auditor.parts.revealing.judging.reconstruction.observed import Picture

# The figure of a reconstruction: a deleted picture, and what was rebuilt of it from the model before and after its deletion.
_SIDE: Final = 96.0
"""Of each picture, px."""
_TOP, _APART = 18.0, 48.0
_PAPER: Final = 255


def rebuilt_picture(found: Picture) -> Chart:
    """Draw both pictures, dark where a value is high.

    Args:
        found: Their values, row by row.
    """
    chart = Chart(_TOP + _SIDE + 4, text("figure-rebuilt-title", width=found.width), caption=text("figure-rebuilt-caption"))
    for number, (name, values) in enumerate((("deleted", found.deleted), ("rebuilt", found.rebuilt))):
        left = number * (_SIDE + _APART)
        chart.note(left, 8, text(f"figure-rebuilt-{name}"), colour="ink", bold=True)
        _draw(chart, values, found.width, left, name)
    return chart


def _draw(chart: Chart, values: Sequence[float], width: int, left: float, name: str) -> None:
    step = _SIDE / width
    chart.band((left, _TOP, left + _SIDE, _TOP + _SIDE), "#ffffff", edge="rule", name=f"{name}-frame")
    for place, value in enumerate(values):
        if value > 0:
            x, y = left + step * (place % width), _TOP + step * (place // width)
            grey = f"{round(_PAPER * (1 - value)):02x}"
            chart.band((x, y, x + step, y + step), f"#{grey * 3}", name=name)


FIGURES: Final = {"rebuilt_picture": rebuilt_picture}
