"""The figure of ε_dd against the unlearning steps: the theorem's line, the Gaussian trade-off, and the threshold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypedDict

from auditor.report import deletion_readings, readings, tables, wording
from auditor.report.figures.scales import WIDTH, Tick, apart, linear_ticks, power_label

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
    declared = _declared_steps(details)
    limit = readings.positive(threshold)
    decides = "gaussian" if readings.words(details.get("theorem")) == "gaussian" else "epsilon_dd"
    standing = {name: _standing(values, declared) for name, values in curves.items()}
    scale = _Scale(*_decades(every, limit, standing[decides]), *_span([steps for steps, _ in every], declared))
    runs = {name: found for name in _STYLES if (found := _runs(curves[name], scale))}
    at_limit = scale.within(limit)
    placed = _labels(runs, at_limit)
    return StepsFigure(
        width=WIDTH,
        height=_BOTTOM + 40,
        left=_LEFT,
        right=_RIGHT,
        top=_TOP,
        bottom=_BOTTOM,
        x_ticks=tuple(Tick(scale.x(value), wording.number(value)) for value in linear_ticks(scale.first, scale.last)),
        y_ticks=_decade_ticks(scale.low, scale.high),
        lines=tuple(
            _line(
                name,
                found,
                heavy=name == decides,
                standing=standing[name],
                at=scale.point(declared, standing[name]),
                label_y=placed.get(name),
            )
            for name, found in runs.items()
        ),
        **_declared(declared, scale),
        threshold_y=at_limit,
        threshold_label="" if limit is None else f"threshold {wording.number(limit)}",
        threshold_label_y=placed.get("threshold", _TOP),
        axis_label=_axis(details),
        notes=_notes(curves, limit, scale),
        description=_describe(standing, declared, limit),
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    """Steps against a logarithm, in px."""

    low: int
    """The power of ten at the lower edge."""
    high: int
    first: float
    """Steps at the left edge."""
    last: float

    def x(self, steps: float) -> float:
        """Where a number of steps lies."""
        return round(_LEFT + (_RIGHT - _LEFT) * (steps - self.first) / (self.last - self.first), 2)

    def inside(self, value: float) -> bool:
        """Whether a value lies in the frame."""
        return self.low <= math.log10(value) <= self.high

    def point(self, steps: float | None, value: float | None) -> _Point | None:
        """Where a value at a number of steps lies; None where either is missing, or the value lies outside the frame."""
        y = self.within(value)
        return None if steps is None or y is None else (self.x(steps), y)

    def within(self, value: float | None) -> float | None:
        """Where a value lies; None for none, and for one outside the frame."""
        if value is None or not self.inside(value):
            return None
        return round(_BOTTOM - (_BOTTOM - _TOP) * (math.log10(value) - self.low) / (self.high - self.low), 2)


class _DeclaredMark(TypedDict):
    declared_x: float | None
    declared_label: str
    declared_anchor: str


def _declared(steps: int | None, scale: _Scale) -> _DeclaredMark:
    """The line at the declared steps; its label stands on the side with more room."""
    if steps is None:
        return {"declared_x": None, "declared_label": "", "declared_anchor": "start"}
    x = scale.x(steps)
    label = f"declared: {wording.plural(steps, 'step')}"
    return {"declared_x": x, "declared_label": label, "declared_anchor": "end" if x > (_LEFT + _RIGHT) / 2 else "start"}


def _standing(values: Sequence[_Point], declared: int | None) -> float | None:
    """What a line says at the declared steps."""
    return next((value for at, value in values if at == declared), None)


def _declared_steps(details: Mapping[str, Any]) -> int | None:
    settings = details.get("settings")
    return readings.count(settings.get("unlearn_steps")) if isinstance(settings, Mapping) else None


def _labels(runs: Mapping[str, Sequence[Sequence[_Point]]], at_limit: float | None) -> dict[str, float]:
    """Heights of the labels right of the frame: of the lines that end near its edge, and of the threshold."""
    ends = {name: found[-1][-1] for name, found in runs.items()}
    wanted = {name: y for name, (x, y) in ends.items() if x > _RIGHT - _SHORT}
    if at_limit is not None:
        wanted["threshold"] = at_limit
    return apart(wanted, _GAP, _TOP, _BOTTOM)


def _line(
    name: str,
    runs: Sequence[Sequence[_Point]],
    *,
    heavy: bool,
    standing: float | None,
    at: _Point | None,
    label_y: float | None,
) -> StepsLine:
    """One line with its label: right of the frame at label_y, or, where that is None, where the line leaves the frame."""
    _, dash, marker, colour = _STYLES[name]
    end_x, end_y = runs[-1][-1]
    return StepsLine(
        runs=tuple(tuple(run) for run in runs),
        dash=dash,
        marker=marker,
        colour=colour,
        heavy=heavy,
        at=at,
        label=_label(name, standing),
        label_x=end_x + 7 if label_y is None else _RIGHT + 11,
        label_y=end_y - 7 if label_y is None else label_y,
        leads=label_y is not None,
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


def _runs(points: Sequence[_Point], scale: _Scale) -> list[list[_Point]]:
    runs: list[list[_Point]] = [[]]
    for steps, value in points:
        height = scale.within(value)
        if height is not None:
            runs[-1].append((scale.x(steps), height))
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


def _notes(curves: Mapping[str, Sequence[_Point]], limit: float | None, scale: _Scale) -> tuple[str, ...]:
    notes = []
    if limit is not None and not scale.inside(limit):
        notes.append(f"The threshold {wording.number(limit)} lies outside the figure.")
    left = sum(not scale.inside(value) for values in curves.values() for _, value in values)
    if left:
        are = "value lies" if left == 1 else "values lie"
        span = f"{wording.number(10.0**scale.low)} to {wording.number(10.0**scale.high)}"
        notes.append(f"{wording.number(left)} {are} outside {span} and {'is' if left == 1 else 'are'} not drawn.")
    return tuple(notes)


def _describe(standing: Mapping[str, float | None], declared: int | None, limit: float | None) -> str:
    said = [f"{_STYLES[name][0]} {wording.number(value)}" for name, value in standing.items() if value is not None]
    at = "" if declared is None or not said else f" At the declared {wording.plural(declared, 'step')}: {', '.join(said)}."
    against = "" if limit is None else f" Threshold {wording.number(limit)}."
    return f"The bound ε_dd on what is left of a deleted record, against the unlearning steps; logarithmic.{at}{against}"
