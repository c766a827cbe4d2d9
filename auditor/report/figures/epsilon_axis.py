"""The figure of ε from both sides: lower bounds that attacks showed from the left, a wall at the stated upper bound."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from auditor.report import epsilon_readings, wording
from auditor.report.epsilon_readings import Comparison
from auditor.report.figures.scales import WIDTH, Symlog, Tick, power_label

DECADES: Final = 8
"""The most powers of ten of the axis; what lies below shares its linear part."""
MOST_LINES: Final = 26
"""The most lower bounds that are drawn."""
LONGEST_TITLE: Final = 46
"""Characters of a lower bound's title next to its line; the table has all of it."""
LONGEST_STATEMENT: Final = 80
"""Characters of a statement's name above its lines; the table has all of it."""

_LEFT, _RIGHT, _TOP = 214.0, WIDTH - 78.0, 8.0
_HEAD, _STEP, _GAP = 19.0, 17.0, 9.0
_STROKE: Final = 6.0
"""Between the strokes of the hatching, px."""


@dataclass(frozen=True, slots=True)
class LowerMark:
    """One lower bound on ε, px."""

    y: float
    label: str
    x: float
    null_x: float | None
    """Where the same bound lies for retraining against retraining."""
    value: str
    decides: bool
    refutes: bool
    """Whether it decides and lies above the stated upper bound."""
    hatching: tuple[tuple[float, float], ...]
    """x of the lower and upper ends of the strokes between the two; none where it does not refute."""


@dataclass(frozen=True, slots=True)
class Band:
    """One statement with the lower bounds that it was compared with."""

    head_y: float
    statement: str
    top: float
    bottom: float
    wall_x: float
    lowers: tuple[LowerMark, ...]
    refuted: bool


@dataclass(frozen=True, slots=True)
class EpsilonFigure:
    """Stated upper bounds and measured lower bounds on ε on one axis, statement by statement."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    x_ticks: tuple[Tick, ...]
    bands: tuple[Band, ...]
    axis_label: str
    notes: tuple[str, ...]
    description: str


def epsilon(details: Mapping[str, Any], order: float | None = None) -> EpsilonFigure | None:
    """The figure for the details of `epsilon.consistency`; None where nothing was compared.

    Args:
        details: With the comparisons.
        order: The Rényi order whose comparisons are drawn; None for those in (ε, δ). No axis holds numbers of two units.
    """
    every = [each for each in epsilon_readings.comparisons(details) if each.order == order]
    compared = [comparison for comparison in every if comparison.compared]
    drawn = _fitting(compared)
    if not drawn:
        return None
    scale = Symlog.over([value for comparison in drawn for value in _values(comparison)], DECADES)
    bands: list[Band] = []
    top = _TOP
    for comparison in drawn:
        bands.append(_band(comparison, scale, top))
        top = bands[-1].bottom + _GAP
    return EpsilonFigure(
        width=WIDTH,
        height=bands[-1].bottom + 62,
        left=_LEFT,
        right=_RIGHT,
        top=_TOP,
        bottom=bands[-1].bottom,
        x_ticks=scale.ticks(_LEFT, _RIGHT),
        bands=tuple(bands),
        axis_label=f"{_unit(order)}: linear from 0 to {power_label(scale.low)}, logarithmic beyond",
        notes=_notes(len(every), len(compared), len(drawn)),
        description=_describe(drawn),
    )


def _unit(order: float | None) -> str:
    return "ε" if order is None else f"Rényi ε at order {wording.number(order)}"


def _fitting(compared: Sequence[Comparison]) -> list[Comparison]:
    """As many statements as there is room for, those that were refuted first; one at least where there is any."""
    drawn: list[Comparison] = []
    lines = 0
    for comparison in sorted(compared, key=lambda comparison: not comparison.refuted):
        if lines + len(comparison.lowers) <= MOST_LINES or not drawn:
            drawn.append(comparison)
            lines += len(comparison.lowers)
    return drawn


def _values(comparison: Comparison) -> tuple[float, ...]:
    """All that the axis has to hold for one statement."""
    ends = (value for lower in comparison.lowers for value in (lower.epsilon, lower.null or 0.0))
    return comparison.epsilon or 0.0, *ends


def _band(comparison: Comparison, scale: Symlog, top: float) -> Band:
    upper = comparison.epsilon or 0.0
    first = top + _HEAD + _STEP / 2

    def x(value: float) -> float:
        return round(_LEFT + (_RIGHT - _LEFT) * scale.at(max(0.0, value)), 2)

    wall = x(upper)
    lowers = tuple(
        LowerMark(
            y=first + _STEP * index,
            label=wording.short(lower.label, LONGEST_TITLE),
            x=x(lower.epsilon),
            null_x=None if lower.null is None else x(lower.null),
            value=f"ε ≥ {wording.number(lower.epsilon)}",
            decides=lower.decides,
            refutes=lower.decides and lower.epsilon > upper,
            hatching=_hatching(wall, x(lower.epsilon)) if lower.decides and lower.epsilon > upper else (),
        )
        for index, lower in enumerate(comparison.lowers[:MOST_LINES])
    )
    return Band(
        head_y=top + 11,
        statement=f"{wording.ends_of(comparison.against, LONGEST_STATEMENT)}: {comparison.terms}",
        top=top + _HEAD,
        bottom=top + _HEAD + _STEP * len(lowers),
        wall_x=wall,
        lowers=lowers,
        refuted=comparison.refuted,
    )


def _hatching(left: float, right: float) -> tuple[tuple[float, float], ...]:
    strokes = math.ceil((right - left) / _STROKE)
    return tuple((left + _STROKE * k, min(right, left + _STROKE * (k + 1))) for k in range(strokes))


def _notes(every: int, compared: int, drawn: int) -> tuple[str, ...]:
    notes = []
    if drawn < compared:
        notes.append(f"Drawn are {drawn} of {compared} statements, the refuted ones first; the table has all of them.")
    if compared < every:
        are = "statement was" if every - compared == 1 else "statements were"
        notes.append(f"{every - compared} {are} not compared and not drawn; the reasons are listed below.")
    return tuple(notes)


def _describe(drawn: list[Comparison]) -> str:
    said = []
    for comparison in drawn:
        shown = ", ".join(f"{lower.title} ε ≥ {wording.number(lower.epsilon)}" for lower in comparison.lowers)
        said.append(f"{comparison.stated}; shown by attacks: {shown}" + ("; refuted" if comparison.refuted else ""))
    return f"Lower bounds on ε from attacks against stated upper bounds. {'. '.join(said)}."
