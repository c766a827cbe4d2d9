"""The figure of a promise: 100 guesses a row, those that are right by guessing, by the best attack, and those not ruled out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from auditor.pages.figures.axes import legend
from auditor.pages.figures.chart import Chart, Kind
from auditor.pages.right_guesses import Row, Side, in_words
from auditor.pages.words.texts import text

_LEFT, _STEP = 132.0, 9.6
_HALF: Final = 50
"""Guesses of one line: all of those that blind guessing gets right are in the first."""
_HEIGHT, _TOP = 58.0, 4.0
_ICONS: Final[dict[str, tuple[Kind, str, float]]] = {
    "guessing": ("disc", "bar", 3.3),
    "found": ("block", "fail", 3.3),
    "possible": ("diamond", "open", 2.9),
    "ruled-out": ("disc", "rule", 2.0),
}


def icon_array(rows: Sequence[Row]) -> Chart:
    """Draw 100 guesses for each row, fifty a line.

    Args:
        rows: This model, one that was left alone, one that was retrained.
    """
    chart = Chart(_TOP + _HEIGHT * len(rows) + 20, " ".join(_told(row) for row in rows), caption=text("promise-icons-caption"))
    if any(row.found is not None for row in rows if row.side is not Side.THIS):
        chart.caption += " " + text("promise-icons-caption-trial")
    for number, row in enumerate(rows):
        top = _TOP + _HEIGHT * number
        chart.note(0, top + 8, text(f"promise-side-{row.side.value}"), colour="ink", bold=True, size=12.0)
        for line, words in enumerate(text(f"promise-side-{row.side.value}-means").split(" / ")):
            chart.note(0, top + 24 + 13 * line, words)
        for at, role in enumerate(_roles(row)):
            kind, fill, size = _ICONS[role]
            x = _LEFT + _STEP * (at % _HALF + 0.5)
            chart.mark(kind, x, top + 8 + 13 * (at // _HALF), fill, size=size, name=f"{row.side.value}-{role}")
        chart.note(_LEFT, top + 39, in_words(row), colour="ink", name=f"said-{row.side.value}")
    _legend(chart, rows, _TOP + _HEIGHT * len(rows) + 8)
    return chart


def _roles(row: Row) -> list[str]:
    """Name what each of 100 guesses is, in order: what may be exceeded is rounded up, what was found to the nearest."""
    found = _HALF if row.found is None else round(100 * row.found.share)
    most = 100 if row.most is None else math.ceil(100 * row.most - 1e-9)
    ends = {"guessing": _HALF, "found": found, "possible": max(found, most), "ruled-out": 100}
    roles: list[str] = []
    for role, end in ends.items():
        roles += [role] * max(0, end - len(roles))
    return roles


def _told(row: Row) -> str:
    return text("promise-icons-row", side=text(f"promise-side-{row.side.value}"), said=in_words(row))


def _legend(chart: Chart, rows: Sequence[Row], y: float) -> None:
    """Name every shape that is drawn."""

    def key(role: str) -> Callable[[float], None]:
        kind, fill, size = _ICONS[role]
        return lambda x: chart.mark(kind, x, y, fill, size=size)

    drawn = {role for row in rows for role in _roles(row)}
    legend(chart, y, [(key(role), text(f"promise-icon-{role}")) for role in _ICONS if role in drawn])
