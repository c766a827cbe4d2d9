"""Geometry of the figures: what goes where, in the units of the drawing. The SVG itself is written by the templates.

A figure here is a frozen dataclass of scaled points, ticks and labels. Coordinates are in CSS pixels from the upper left corner,
for a drawing as wide as the text block of an A4 page.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from auditor.report import wording

WIDTH: Final = 612.0
"""Width of every drawing, px."""
DECADES: Final = 9
"""The most powers of ten that the budget figure spans; what lies below is drawn at its lower edge."""

_STYLES: Final = {
    "worst-case": ("worst case", "2 3 8 3", "ring", "#5b636e"),
    "as-printed": ("as printed in the paper", "7 3", "square", "#8a5a00"),
    "tightened": ("tightened bound", "", "disc", "#1f3a5f"),
    "local": ("local bound", "2 2.5", "triangle", "#1d6b4f"),
    "measured": ("measured", "", "diamond", "#5b636e"),
}


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis."""

    at: float
    """Position along the axis, px."""
    label: str
    """Empty for a minor tick."""


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


@dataclass(frozen=True, slots=True)
class TimelineRow:
    """One request as a bar from its receipt to its deletion."""

    y: float
    label: str
    start: float
    end: float
    due: float
    overdue: bool
    is_open: bool
    outcome: str


@dataclass(frozen=True, slots=True)
class TimelineFigure:
    """The requests of the log against their deadlines."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    x_ticks: tuple[Tick, ...]
    rows: tuple[TimelineRow, ...]
    notes: tuple[str, ...]
    description: str


def linear_ticks(low: float, high: float, count: int = 6) -> tuple[float, ...]:
    """Round values that cover [low, high] in steps of 1, 2 or 5 times a power of ten, never finer than 1.

    Args:
        low: The lower end.
        high: The upper end, above `low`.
        count: About how many steps are wanted.
    """
    raw = (high - low) / count
    power = 10.0 ** math.floor(math.log10(raw)) if raw > 0 else 1.0
    step = max(1.0, next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= raw))
    first = math.ceil(low / step)
    return tuple(step * k for k in range(first, math.floor(high / step) + 1))


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> tuple[float, ...]:
    """Positions near the wanted ones, in the same order, at least `gap` apart and inside [low, high] if there is room.

    Args:
        wanted: Positions, ascending.
        gap: The smallest distance between neighbours.
        low: The smallest position allowed.
        high: The largest position allowed.
    """
    placed: list[float] = []
    for position in wanted:
        placed.append(max(position, low, placed[-1] + gap if placed else low))
    ceiling = high
    for index in range(len(placed) - 1, -1, -1):
        placed[index] = min(placed[index], ceiling)
        ceiling = placed[index] - gap
    return tuple(placed)


def budget(details: Mapping[str, Any]) -> BudgetFigure | None:
    """The figure for the details of `removal.budget`; None where they hold no series to draw."""
    series = [entry for entry in details.get("series") or () if isinstance(entry, Mapping) and _finite(entry.get("removed"))]
    limit = _positive(details.get("budget"))
    names = [name for name in _STYLES if any(_positive(_beta(entry, name)) for entry in series)]
    if not series or not names:
        return None
    left, right, top, bottom = 58.0, WIDTH - 138.0, 16.0, 252.0
    last = max(1.0, float(series[-1]["removed"]))
    everything = [value for name in names if name != "worst-case" for e in series if (value := _positive(_beta(e, name)))]
    anchor = limit or max(everything, default=1.0)
    seen = [value for value in everything if value <= 1e3 * anchor] + [anchor]
    high_exponent = math.ceil(math.log10(max(seen)) + 0.15)
    low_exponent = max(math.floor(math.log10(min(seen))), high_exponent - DECADES)
    floor, roof = 10.0**low_exponent, 10.0**high_exponent
    notes: list[str] = []

    def x(removed: float) -> float:
        return left + (right - left) * removed / last

    def y(value: float) -> float:
        share = (math.log10(min(max(value, floor), roof)) - low_exponent) / (high_exponent - low_exponent)
        return bottom - (bottom - top) * share

    drafts: list[tuple[str, list[list[tuple[float, float]]], float]] = []
    for name in names:
        values = [(float(e["removed"]), _beta(e, name), bool(e.get("retrained"))) for e in series]
        known = [float(v) for _, v, _ in values if _finite(v) and v >= 0]
        title = _STYLES[name][0]
        if min(known) > roof:
            notes.append(f"The {title} bound lies above the figure: it ends at {wording.number(known[-1])}.")
            continue
        if max(known) > roof:
            notes.append(f"Values of the {title} line above {wording.number(roof)} are drawn at the upper edge.")
        if min(known) < floor:
            notes.append(f"Values of the {title} line below {wording.number(floor)} are drawn at the lower edge.")
        drafts.append((name, _runs(values, x, y), known[-1]))
    drafts.sort(key=lambda draft: draft[1][-1][-1][1])
    wanted = [(runs[-1][-1][1], index) for index, (_, runs, _) in enumerate(drafts)]
    if limit:
        wanted.append((y(limit), -1))
    wanted.sort()
    placed = dict(zip((i for _, i in wanted), spread([at for at, _ in wanted], 12.5, top, bottom), strict=True))
    lines = tuple(_line(name, runs, value, placed[i], details.get("criterion")) for i, (name, runs, value) in enumerate(drafts))
    return BudgetFigure(
        width=WIDTH,
        height=bottom + 38,
        left=left,
        right=right,
        top=top,
        bottom=bottom,
        x_ticks=tuple(Tick(x(value), wording.number(value)) for value in linear_ticks(0, last)),
        y_ticks=_decade_ticks(low_exponent, high_exponent, y),
        lines=lines,
        budget_y=y(limit) if limit else None,
        budget_label=f"budget {wording.number(limit)}" if limit else "",
        budget_label_y=placed.get(-1, top),
        retrained=tuple(x(float(entry["removed"])) for entry in series if entry.get("retrained")),
        notes=tuple(notes),
        description=_describe(lines, limit, last),
    )


def timeline(requests: Sequence[Any], closing: Any, at_most: int = 32) -> TimelineFigure | None:
    """The requests against their deadlines; None for an empty log.

    Args:
        requests: Outcomes of requests (`RequestOutcome`), in the order of the log.
        closing: The calendar date up to which open requests are drawn, that of the audit.
        at_most: How many requests are drawn; of more, those closest to or furthest past their deadline are taken.
    """
    if not requests:
        return None

    def ended(request: Any) -> Any:
        return request.deleted_at.date() if request.deleted_at is not None else max(closing, request.received_on)

    chosen = list(requests)
    notes = []
    if len(chosen) > at_most:
        closest = sorted(range(len(chosen)), key=lambda i: ((chosen[i].due_on - ended(chosen[i])).days, i))[:at_most]
        chosen = [chosen[i] for i in sorted(closest)]
        notes.append(f"Drawn are the {at_most} of {len(requests)} requests that came closest to their deadline or went past it.")
    first = min(request.received_on for request in chosen).toordinal()
    last = max(max(request.due_on, ended(request)) for request in chosen).toordinal()
    span = max(1, last - first)
    left, right, top = 128.0, WIDTH - 66.0, 12.0
    step = 13.0 if len(chosen) > 6 else 18.0

    def x(when: Any) -> float:
        return left + (right - left) * (when.toordinal() - first) / span

    rows = tuple(
        TimelineRow(
            y=top + step * (index + 0.5),
            label=wording.short(request.request_id, 20),
            start=x(request.received_on),
            end=max(x(ended(request)), x(request.received_on) + 1.5),
            due=x(request.due_on),
            overdue=request.overdue,
            is_open=request.deleted_at is None,
            outcome=_outcome(request),
        )
        for index, request in enumerate(chosen)
    )
    late = sum(request.overdue for request in requests)
    return TimelineFigure(
        width=WIDTH,
        height=top + step * len(rows) + 36,
        left=left,
        right=right,
        top=top,
        bottom=top + step * len(rows) + 4,
        x_ticks=_date_ticks(first, last, left, right, type(closing)),
        rows=rows,
        notes=tuple(notes),
        description=f"{wording.plural(len(requests), 'request')} as bars from receipt to deletion, each with its deadline; {late} overdue.",
    )


def _outcome(request: Any) -> str:
    if request.overdue:
        return "overdue"
    return "open" if request.days is None else wording.plural(request.days, "day")


def _date_ticks(first: int, last: int, left: float, right: float, calendar: Any) -> tuple[Tick, ...]:
    step = max(7, math.ceil((last - first) / 6 / 7) * 7)
    ticks = []
    for ordinal in range(first, last + 1, step):
        when = calendar.fromordinal(ordinal)
        at = left + (right - left) * (ordinal - first) / max(1, last - first)
        ticks.append(Tick(at, f"{when.day} {when:%b} {when.year}"))
    return tuple(ticks)


def _decade_ticks(low: int, high: int, y: Any) -> tuple[Tick, ...]:
    every = 1 if high - low <= 6 else 2
    return tuple(
        Tick(y(10.0**k), "1" if k == 0 else wording.number(10.0**k) if -4 < k < 3 else _power(k))
        if (high - k) % every == 0
        else Tick(y(10.0**k), "")
        for k in range(low, high + 1)
    )


def _power(exponent: int) -> str:
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _runs(values: Sequence[tuple[float, Any, bool]], x: Any, y: Any) -> list[list[tuple[float, float]]]:
    runs: list[list[tuple[float, float]]] = [[]]
    for removed, value, retrained in values:
        known = _finite(value) and value >= 0
        if (retrained or not known) and runs[-1]:
            runs.append([])
        if known:
            runs[-1].append((round(x(removed), 2), round(y(value), 2)))
    return [run for run in runs if run]


def _line(name: str, runs: list[list[tuple[float, float]]], value: float, label_y: float, criterion: Any) -> Line:
    title, dash, marker, colour = _STYLES[name]
    points = [point for run in runs for point in run]
    stride = max(1, math.ceil(len(points) / 20))
    return Line(
        name=name,
        runs=tuple(tuple(run) for run in runs),
        markers=tuple(points[::-1][::stride]),
        dash=dash,
        marker=marker,
        colour=colour,
        heavy=name == criterion,
        label=f"{title} {wording.number(value)}",
        end=points[-1],
        label_y=label_y,
    )


def _describe(lines: Sequence[Line], limit: float | None, last: float) -> str:
    ends = "; ".join(line.label for line in lines)
    against = f" against the removal budget {wording.number(limit)}" if limit else ""
    return f"Residual bound along the log{against}, after {wording.number(last)} removed records, on a logarithmic scale: {ends}."


def _beta(entry: Mapping[str, Any], name: str) -> Any:
    beta = entry.get("beta")
    return beta.get(name) if isinstance(beta, Mapping) else None


def _finite(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _positive(value: Any) -> float | None:
    return float(value) if _finite(value) and value > 0 else None
