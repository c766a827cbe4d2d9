"""The figure of the residual bounds along the deletion log, against the removal budget."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from auditor.report import wording
from auditor.report.figures.scales import WIDTH, Tick, apart, linear_ticks, power_label
from auditor.report.readings import is_finite, positive

DECADES: Final = 9
"""The most powers of ten that the budget figure spans; what lies below is drawn at its lower edge."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 52.0, WIDTH - 132.0, 12.0, 222.0
_GAP: Final = 12.5

_Point: TypeAlias = tuple[float, float | None, bool]
"""Records removed, value, retrained there."""

_STYLES: Final = {
    "worst-case": ("worst case", "2 3 8 3", "ring", "#5b636e"),
    "as-printed": ("as printed", "7 3", "square", "#8a5a00"),
    "online": ("online", "4 2 1 2", "square", "#7a3b69"),
    "tightened": ("tightened", "", "disc", "#1f3a5f"),
    "local": ("local", "2 2.5", "triangle", "#1d6b4f"),
    "measured": ("measured", "", "diamond", "#5b636e"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One series, broken into runs where it has no value or the model was retrained."""

    name: str
    """The series' key in the evidence."""
    runs: tuple[tuple[tuple[float, float], ...], ...]
    """Points (x, y) in px, run after run."""
    markers: tuple[tuple[float, float], ...]
    """Where a marker is drawn: at most some twenty of the points."""
    dash: str
    marker: str
    """ring, square, disc, triangle or diamond."""
    colour: str
    heavy: bool
    """Whether this is the series that the check decides by."""
    label: str
    end: tuple[float, float]
    """The last point of the line."""
    label_y: float


@dataclass(frozen=True, slots=True)
class BudgetFigure:
    """The residual bounds β along the deletion log against the removal budget."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    lines: tuple[Line, ...]
    budget_y: float | None
    budget_label: str
    budget_label_y: float
    retrained: tuple[float, ...]
    """x of every batch at which the model was retrained."""
    notes: tuple[str, ...]
    """What the drawing leaves out or clips, in words."""
    description: str
    """Alternative text."""


def budget(details: Mapping[str, Any]) -> BudgetFigure | None:
    """The figure for the details of `removal.budget`; None where they hold no series to draw.

    The scale is logarithmic. It reaches up to what lies within a hundred times the budget and down to the smallest value after
    the first removal, nine powers of ten at most; what lies outside is left out of the drawing and named in a note.
    """
    series = _series(details)
    known = {name: _values(series, name) for name in _STYLES}
    limit = positive(details.get("budget"))
    span = _span(known, limit)
    if span is None:
        return None
    last = max(1.0, float(series[-1]["removed"]))
    scale = _Scale(*span, last)
    runs = {name: _runs(values, scale) for name, values in known.items()}
    budget_y = scale.y(limit) if limit else None
    placed = _labels(runs, budget_y)
    lines = tuple(
        _line(name, runs[name], _last_value(known[name], scale), at, heavy=name == details.get("criterion"))
        for name, at in placed.items()
        if name in runs
    )
    return BudgetFigure(
        width=WIDTH,
        height=_BOTTOM + 36,
        left=_LEFT,
        right=_RIGHT,
        top=_TOP,
        bottom=_BOTTOM,
        x_ticks=tuple(Tick(scale.x(value), wording.number(value)) for value in linear_ticks(0, last)),
        y_ticks=_decade_ticks(scale),
        lines=lines,
        budget_y=budget_y,
        budget_label=f"budget {wording.number(limit)}" if limit else "",
        budget_label_y=placed.get("budget", _TOP),
        retrained=tuple(scale.x(float(entry["removed"])) for entry in series if _retrained(entry)),
        notes=tuple(note for name, values in known.items() if (note := _note(name, values, scale))),
        description=_describe(lines, limit, last),
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    """Records removed against a logarithm, in px."""

    low: int
    """The power of ten at the lower edge."""
    high: int
    last: float
    """Records removed at the right edge."""

    @property
    def floor(self) -> float:
        """The value at the lower edge."""
        return 10.0**self.low

    @property
    def roof(self) -> float:
        """The value at the upper edge."""
        return 10.0**self.high

    def x(self, removed: float) -> float:
        """Where a number of removed records lies."""
        return round(_LEFT + (_RIGHT - _LEFT) * removed / self.last, 2)

    def y(self, value: float) -> float:
        """Where a value lies."""
        return round(_BOTTOM - (_BOTTOM - _TOP) * (math.log10(value) - self.low) / (self.high - self.low), 2)


def _series(details: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The entries along the log, as far as they say how many records were removed."""
    return [entry for entry in details.get("series") or () if isinstance(entry, Mapping) and is_finite(entry.get("removed"))]


def _span(known: Mapping[str, Sequence[_Point]], limit: float | None) -> tuple[int, int] | None:
    """The powers of ten at the edges; the worst case, which lies far above, widens them only where it stands alone."""
    others = [values for name, values in known.items() if name != "worst-case"]
    return _decades(others, limit) or _decades(list(known.values()), limit)


def _labels(runs: Mapping[str, Sequence[Sequence[tuple[float, float]]]], budget_y: float | None) -> dict[str, float]:
    """Heights of the labels at the ends of the lines and of the budget, from the highest to the lowest on the page."""
    wanted = {name: run[-1][-1][1] for name, run in runs.items() if run}
    if budget_y is not None:
        wanted["budget"] = budget_y
    return apart(wanted, _GAP, _TOP, _BOTTOM)


def _decade_ticks(scale: _Scale) -> tuple[Tick, ...]:
    every = 1 if scale.high - scale.low <= 6 else 2
    return tuple(
        Tick(scale.y(10.0**k), "" if (scale.high - k) % every else power_label(k)) for k in range(scale.low, scale.high + 1)
    )


def _values(series: Sequence[Mapping[str, Any]], name: str) -> list[_Point]:
    """The points of one line that have a value, with whether the model was retrained there."""
    points = []
    for entry in series:
        beta = entry.get("beta")
        value = beta.get(name) if isinstance(beta, Mapping) else None
        points.append((float(entry["removed"]), float(value) if is_finite(value) and value >= 0 else None, _retrained(entry)))
    return points


def _retrained(entry: Mapping[str, Any]) -> bool:
    """Whether the model was retrained at this batch; the training that the log starts from is none of them."""
    return bool(entry.get("retrained")) and entry["removed"] > 0


def _decades(lines: Sequence[Sequence[_Point]], limit: float | None) -> tuple[int, int] | None:
    """The powers of ten at the lower and upper edge; None where nothing is positive."""
    every = [(removed, value) for points in lines for removed, value, _ in points if value]
    if not every:
        return None
    anchor = limit or max(value for _, value in every)
    high = math.ceil(math.log10(max([anchor, *(value for _, value in every if value <= 100 * anchor)])) + 0.1)
    later = [value for removed, value in every if removed > 0] or [value for _, value in every]
    low = math.floor(math.log10(min([anchor, *later])))
    return max(min(low, high - 2), high - DECADES), high


def _runs(points: Sequence[_Point], scale: _Scale) -> list[list[tuple[float, float]]]:
    runs: list[list[tuple[float, float]]] = [[]]
    for removed, value, retrained in points:
        inside = value is not None and scale.floor <= value <= scale.roof
        if (retrained or not inside) and runs[-1]:
            runs.append([])
        if value is not None and inside:
            runs[-1].append((scale.x(removed), scale.y(value)))
    return [run for run in runs if run]


def _last_value(points: Sequence[_Point], scale: _Scale) -> str:
    last = next(value for _, value, _ in reversed(points) if value is not None)
    return wording.number(last) if scale.floor <= last <= scale.roof else "(off scale)"


def _note(name: str, points: Sequence[_Point], scale: _Scale) -> str | None:
    """What the drawing leaves out of a line, in words; None where it leaves out nothing but the value before any removal."""
    title = _STYLES[name][0]
    above = [(removed, value) for removed, value, _ in points if value is not None and value > scale.roof]
    below = [(removed, value) for removed, value, _ in points if value is not None and value < scale.floor and removed > 0]
    if above:
        removed, value = above[-1]
        return f"The {title} line leaves the figure: {wording.number(value)} after {wording.plural(int(removed), 'removal')}."
    if below:
        return f"{len(below)} values of the {title} line lie below {wording.number(scale.floor)} and are not drawn."
    return None


def _line(name: str, runs: list[list[tuple[float, float]]], last: str, label_y: float, *, heavy: bool) -> Line:
    title, dash, marker, colour = _STYLES[name]
    drawn = [point for run in runs for point in run]
    stride = max(1, math.ceil(len(drawn) / 20))
    return Line(
        name=name,
        runs=tuple(tuple(run) for run in runs),
        markers=tuple(drawn[::-1][::stride]),
        dash=dash,
        marker=marker,
        colour=colour,
        heavy=heavy,
        label=f"{title} {last}",
        end=drawn[-1],
        label_y=label_y,
    )


def _describe(lines: Sequence[Line], limit: float | None, last: float) -> str:
    ends = "; ".join(line.label for line in lines)
    against = f" against the removal budget {wording.number(limit)}" if limit else ""
    return f"Residual bound along the log{against}, after {wording.number(last)} removed records, on a logarithmic scale: {ends}."
