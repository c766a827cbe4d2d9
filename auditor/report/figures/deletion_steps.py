"""The figure of ε_dd against the unlearning steps: the theorem's line, the Gaussian trade-off, and the threshold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from auditor.report import deletion_readings, readings, tables, wording
from auditor.report.figures.scales import WIDTH, Tick, linear_ticks, power_label, spread

DECADES: Final = 12
"""The most powers of ten that the figure spans; what lies outside is left out of the drawing and named in a note."""
_NEAR: Final = 3
"""Powers of ten beyond the lines up to which the threshold widens the scale."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 58.0, WIDTH - 150.0, 22.0, 232.0
_GAP: Final = 12.5
_SHORT: Final = 14.0
"""How far before the right edge a line may end and still be led to a label there, px."""
_STYLES: Final = {
    "epsilon_dd": ("theorem", "", "disc", "#1f3a5f"),
    "gaussian": ("trade-off", "6 2.5", "triangle", "#1d6b4f"),
}

_Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class StepsLine:
    """One bound against the steps, broken into runs where it has no value or leaves the frame."""

    runs: tuple[tuple[_Point, ...], ...]
    """Points (x, y) in px, run after run."""
    dash: str
    marker: str
    colour: str
    heavy: bool
    """Whether this is the bound that decides."""
    at: _Point | None
    """Where it stands at the declared steps; None where that lies outside the frame or nothing is drawn there."""
    label: str
    label_x: float
    label_y: float
    leads: bool
    """Whether a thin line leads from its end to the label; one that leaves the frame has its label where it does."""


@dataclass(frozen=True, slots=True)
class StepsFigure:
    """ε_dd against the steps since the record left, on a logarithmic scale."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    lines: tuple[StepsLine, ...]
    declared_x: float | None
    declared_label: str
    declared_anchor: str
    """Which side of its line the label of the declared steps stands on, as SVG names it."""
    threshold_y: float | None
    threshold_label: str
    threshold_label_y: float
    axis_label: str
    notes: tuple[str, ...]
    description: str
    """Alternative text."""


def deletion_steps(details: Mapping[str, Any], threshold: float | None) -> StepsFigure | None:
    """The figure for the details of `deletion.renyi`; None where there is no curve to draw, or a premise is false.

    Args:
        details: With `curve`, `order`, `settings.unlearn_steps` and `theorem`, as far as they are there.
        threshold: What the check compared ε_dd with; None where there was none.
    """
    if deletion_readings.is_void(details):
        return None
    curves = {name: _values(details, name) for name in _STYLES}
    every = [point for values in curves.values() for point in values]
    if not every:
        return None
    settings = details.get("settings")
    declared = readings.count(settings.get("unlearn_steps")) if isinstance(settings, Mapping) else None
    limit = readings.positive(threshold)
    decides = "gaussian" if readings.words(details.get("theorem")) == "gaussian" else "epsilon_dd"
    standing = {name: next((value for at, value in curves[name] if at == declared), None) for name in _STYLES}
    low, high = _decades(every, limit, standing[decides])
    first, last = _span([steps for steps, _ in every], declared)

    def x(steps: float) -> float:
        return round(_LEFT + (_RIGHT - _LEFT) * (steps - first) / (last - first), 2)

    def y(value: float) -> float:
        return round(_BOTTOM - (_BOTTOM - _TOP) * (math.log10(value) - low) / (high - low), 2)

    def inside(value: float) -> bool:
        return low <= math.log10(value) <= high

    runs = {name: _runs([(x(at), y(value) if inside(value) else None) for at, value in curves[name]]) for name in _STYLES}
    drawn = [name for name, found in runs.items() if found]
    leading = {name: runs[name][-1][-1] for name in drawn if runs[name][-1][-1][0] > _RIGHT - _SHORT}
    wanted = {name: end[1] for name, end in leading.items()}
    at_limit = y(limit) if limit is not None and inside(limit) else None
    if at_limit is not None:
        wanted["threshold"] = at_limit
    order = sorted(wanted, key=lambda name: wanted[name])
    placed = dict(zip(order, spread([wanted[name] for name in order], _GAP, _TOP, _BOTTOM), strict=True))
    declared_x = x(declared) if declared is not None else None
    return StepsFigure(
        width=WIDTH,
        height=_BOTTOM + 40,
        left=_LEFT,
        right=_RIGHT,
        top=_TOP,
        bottom=_BOTTOM,
        x_ticks=tuple(Tick(x(value), wording.number(value)) for value in linear_ticks(first, last)),
        y_ticks=_decade_ticks(low, high),
        lines=tuple(
            StepsLine(
                runs=tuple(tuple(run) for run in runs[name]),
                dash=_STYLES[name][1],
                marker=_STYLES[name][2],
                colour=_STYLES[name][3],
                heavy=name == decides,
                at=(declared_x, y(value))
                if declared_x is not None and (value := standing[name]) is not None and inside(value)
                else None,
                label=_label(name, standing[name]),
                label_x=_RIGHT + 11 if name in leading else runs[name][-1][-1][0] + 7,
                label_y=placed[name] if name in leading else runs[name][-1][-1][1] - 7,
                leads=name in leading,
            )
            for name in drawn
        ),
        declared_x=declared_x,
        declared_label="" if declared is None else f"declared: {wording.plural(declared, 'step')}",
        declared_anchor="end" if declared_x is not None and declared_x > (_LEFT + _RIGHT) / 2 else "start",
        threshold_y=at_limit,
        threshold_label="" if limit is None else f"threshold {wording.number(limit)}",
        threshold_label_y=placed.get("threshold", _TOP),
        axis_label=_axis(details),
        notes=_notes(curves, limit, low, high),
        description=_describe(standing, declared, limit),
    )


def _values(details: Mapping[str, Any], name: str) -> list[_Point]:
    """The points of one line that a logarithmic scale can show, by ascending steps."""
    found = [
        (float(steps), value)
        for entry in tables.records(details.get("curve"))
        if (steps := readings.count(entry.get("steps"))) is not None and (value := readings.positive(entry.get(name))) is not None
    ]
    return sorted(found)


def _decades(every: Sequence[_Point], limit: float | None, reached: float | None) -> tuple[int, int]:
    """The powers of ten at the lower and the upper edge; what the declared steps reach lies between them."""
    logs = [math.log10(value) for _, value in every]
    least, most = min(logs), max(logs)
    if limit is not None and least - _NEAR <= math.log10(limit) <= most + _NEAR:
        least, most = min(least, math.log10(limit)), max(most, math.log10(limit))
    high = math.ceil(most + 0.05)
    low = min(math.floor(least), high - 2)
    if high - low <= DECADES:
        return low, high
    low = high - DECADES
    if reached is not None:
        low = min(low, math.floor(math.log10(reached)))
    return low, low + DECADES


def _span(steps: Sequence[float], declared: int | None) -> tuple[float, float]:
    known = [*steps, *([] if declared is None else [float(declared)])]
    first, last = min(known), max(known)
    return (first, last) if last > first else (first, first + 1.0)


def _runs(points: Sequence[tuple[float, float | None]]) -> list[list[_Point]]:
    runs: list[list[_Point]] = [[]]
    for at, height in points:
        if height is not None:
            runs[-1].append((at, height))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _decade_ticks(low: int, high: int) -> tuple[Tick, ...]:
    every = max(1, math.ceil((high - low) / 7))
    step = (_BOTTOM - _TOP) / (high - low)
    return tuple(
        Tick(round(_BOTTOM - step * (k - low), 2), "" if (high - k) % every else power_label(k)) for k in range(low, high + 1)
    )


def _label(name: str, value: float | None) -> str:
    title = _STYLES[name][0]
    return title if value is None else f"{title}: {wording.number(value)}"


def _axis(details: Mapping[str, Any]) -> str:
    order = readings.finite(details.get("order"))
    return "ε_dd (logarithmic)" if order is None else f"ε_dd at order {wording.number(order)} (logarithmic)"


def _notes(curves: Mapping[str, Sequence[_Point]], limit: float | None, low: int, high: int) -> tuple[str, ...]:
    notes = []
    if limit is not None and not low <= math.log10(limit) <= high:
        notes.append(f"The threshold {wording.number(limit)} lies outside the figure.")
    left = sum(not low <= math.log10(value) <= high for values in curves.values() for _, value in values)
    if left:
        are = "value lies" if left == 1 else "values lie"
        span = f"{wording.number(10.0**low)} to {wording.number(10.0**high)}"
        notes.append(f"{wording.number(left)} {are} outside {span} and {'is' if left == 1 else 'are'} not drawn.")
    return tuple(notes)


def _describe(standing: Mapping[str, float | None], declared: int | None, limit: float | None) -> str:
    said = [f"{_STYLES[name][0]} {wording.number(value)}" for name, value in standing.items() if value is not None]
    at = "" if declared is None or not said else f" At the declared {wording.plural(declared, 'step')}: {', '.join(said)}."
    against = "" if limit is None else f" Threshold {wording.number(limit)}."
    return f"The bound ε_dd on what is left of a deleted record, against the unlearning steps; logarithmic.{at}{against}"
