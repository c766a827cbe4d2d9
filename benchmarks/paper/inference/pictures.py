"""Figure 3 as SVG: digits rebuilt without a deletion and with one, above the deleted ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from auditor.pages.figures.chart import Chart
from benchmarks.paper.inference.nearest import attack

SHOWN: Final = 12
_PIXEL, _PICTURE, _ROW, _TOP = 5.0, 48.0, 66.0, 24.0
_TITLES: Final = {"without": "Rebuilt without a deletion", "deletion": "Rebuilt by Algorithm 4.3", "true": "Deleted"}


def pictures(games: int) -> list[dict[str, list[int]]]:
    """Pixels of the first pictures that are rebuilt, labels being pairs of digits."""
    found: list[dict[str, list[int]]] = []
    for number in range(games):
        one = attack(True, number)
        if len(found) < SHOWN and all(one["guesses"].values()):
            own = {"true": one["pixels"][one["gone"]], **{name: each["picture"] for name, each in one["guesses"].items()}}
            found.append({name: [int(pixel) for pixel in pixels] for name, pixels in own.items()})
        if len(found) == SHOWN:
            break
    return found


def svg(found: Sequence[Mapping[str, Sequence[int]]]) -> str:
    """Draw them."""
    chart = Chart(_ROW * len(_TITLES) + 8, "Digits rebuilt by both attacks above the deleted ones", width=20 + _PICTURE * SHOWN)
    for at, (name, title) in enumerate(_TITLES.items()):
        y = _TOP + _ROW * at
        chart.note(10, y - 10, title, colour="ink", bold=True)
        for number, each in enumerate(found):
            left = 10 + _PICTURE * number
            chart.band((left, y, left + 8 * _PIXEL, y + 8 * _PIXEL), "#f0f0f0")
            for place, ink in enumerate(each[name]):
                if ink:
                    x, top = left + _PIXEL * (place % 8), y + _PIXEL * (place // 8)
                    chart.band((x, top, x + _PIXEL, top + _PIXEL), "#222222")
    return f"{chart.svg()}\n"
