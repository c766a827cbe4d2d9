"""The figure of the SWAP test: Q attack by attack, of the procedure and of the controls, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from auditor.report import swap_readings, wording
from auditor.report.figures.scales import WIDTH, Tick, linear_ticks
from auditor.report.readings import Estimate, is_finite
from auditor.report.swap_readings import AttackRow, Qualities
from auditor.words.told import ToldCheck

MOST_ATTACKS: Final = 14
"""The most attacks that are drawn; of more, those with the lowest Q."""
NARROWEST: Final = 0.02
"""The smallest stretch of Q that the axis spans: noise is not drawn as if it were a difference."""
LONGEST_LABEL: Final = 32
"""Characters of an attack's name next to its row."""
LONGEST_TITLE: Final = 42
"""Characters of its title below the name; the table has all of it."""

_LEFT, _RIGHT, _TOP = 172.0, WIDTH - 74.0, 34.0
_STEP, _GAP = 30.0, 8.0
_APART: Final = 7.5
"""Between the marks of one row, px."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One measured Q with its interval, px."""

    kind: str
    """procedure, do-nothing, fresh (retrained with fresh seeds) or same (retrained with the same seeds on both sides)."""
    x: float
    y: float
    ends: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class QualityRow:
    """One attack, or all of them together."""

    y: float
    label: str
    title: str
    """A smaller line below the label; empty where there is none."""
    marks: tuple[Mark, ...]
    advantage: str
    """The signed mean advantage in words; of all attacks together that of the one that decides."""
    told_apart: bool
    """Whether the interval of that advantage leaves 0 out."""
    edge: float
    """The lower end of the row, px."""


@dataclass(frozen=True, slots=True)
class QualityFigure:
    """Q of the procedure and of its controls, all attacks together in the first row and then one row an attack."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    x_ticks: tuple[Tick, ...]
    rows: tuple[QualityRow, ...]
    rule_x: float | None
    """Where `min_quality` stands."""
    rule_label: str
    rule_anchor: str
    notes: tuple[str, ...]
    description: str


def quality(check: ToldCheck) -> QualityFigure | None:
    """The figure for a check `swap.quality`; None where it came to no value."""
    if check.value is None:
        return None
    found = swap_readings.qualities(check)
    listed = swap_readings.attacks(check.details)
    drawn = listed[:MOST_ATTACKS]
    low = _low_end(found, drawn, check.threshold)
    decides = next((row for row in listed if row.name == check.details.get("attack")), listed[0] if listed else None)

    def x(value: float) -> float:
        return round(_LEFT + (_RIGHT - _LEFT) * (min(1.0, max(low, value)) - low) / (1 - low), 2)

    def marks(y: float, held: Sequence[tuple[str, Estimate]]) -> tuple[Mark, ...]:
        return tuple(
            Mark(
                kind,
                x(one.value),
                y + _APART * (place - (len(held) - 1) / 2),
                (x(one.ends[0]), x(one.ends[1])) if one.ends else None,
            )
            for place, (kind, one) in enumerate(held)
            if one.value is not None
        )

    first = _TOP + _STEP / 2
    together = QualityRow(
        y=first,
        label="all attacks together",
        title="",
        marks=marks(first, (*_kinds(found.procedure, found.do_nothing, found.retrained_fresh), ("same", found.retrained))),
        advantage="" if decides is None else wording.advantage(decides.procedure.value),
        told_apart=decides is not None and decides.told_apart,
        edge=_TOP + _STEP + _GAP / 2,
    )
    rows = [together]
    for index, row in enumerate(drawn, start=1):
        y = first + _GAP + _STEP * index
        sides = (swap_readings.quality_of(side) for side in (row.procedure, row.do_nothing, row.retrained))
        rows.append(
            QualityRow(
                y=y,
                label=wording.short(row.name or row.title, LONGEST_LABEL),
                title=wording.short(row.title, LONGEST_TITLE) if row.name else "",
                marks=marks(y, _kinds(*sides)),
                advantage=wording.advantage(row.procedure.value),
                told_apart=row.told_apart,
                edge=y + _STEP / 2,
            )
        )
    bottom = rows[-1].y + _STEP / 2
    rule = x(check.threshold) if is_finite(check.threshold) else None
    return QualityFigure(
        width=WIDTH,
        height=bottom + 56,
        left=_LEFT,
        right=_RIGHT,
        top=_TOP,
        bottom=bottom,
        x_ticks=tuple(Tick(x(value), wording.number(value)) for value in linear_ticks(low, 1, 6, finest=1e-4)),
        rows=tuple(rows),
        rule_x=rule,
        rule_label=f"min_quality {wording.number(check.threshold)}",
        rule_anchor="end" if rule is not None and rule > (_LEFT + _RIGHT) / 2 else "start",
        notes=_notes(len(listed)),
        description=_describe(found, check.threshold, len(listed)),
    )


def _kinds(procedure: Estimate, do_nothing: Estimate, fresh: Estimate) -> tuple[tuple[str, Estimate], ...]:
    return ("procedure", procedure), ("do-nothing", do_nothing), ("fresh", fresh)


def _low_end(found: Qualities, drawn: Sequence[AttackRow], threshold: float | None) -> float:
    """The left end of the axis: a little below all that is drawn, at least 0."""
    held = [found.procedure, found.do_nothing, found.retrained_fresh, found.retrained]
    held += [swap_readings.quality_of(side) for row in drawn for side in (row.procedure, row.do_nothing, row.retrained)]
    values = [one.value for one in held if one.value is not None]
    values += [one.ends[0] for one in held if one.value is not None and one.ends is not None]
    if threshold is not None:
        values.append(threshold)
    low = min(values)
    return max(0.0, min(low - 0.04 * (1 - low), 1 - NARROWEST))


def _notes(count: int) -> tuple[str, ...]:
    if count <= MOST_ATTACKS:
        return ()
    return (f"Drawn are the {MOST_ATTACKS} of {count} attacks with the lowest Q.",)


def _describe(found: Qualities, threshold: float | None, count: int) -> str:
    said = [
        f"{name} {wording.number(one.value)}" + (f" ({wording.interval(one.ends)})" if one.ends else "")
        for name, one in (
            ("the procedure", found.procedure),
            ("the no-unlearning baseline", found.do_nothing),
            ("retraining with fresh seeds", found.retrained_fresh),
            ("retraining with the same seeds", found.retrained),
        )
        if one.value is not None
    ]
    against = "" if threshold is None else f" against a smallest quality of {wording.number(threshold)}"
    return (
        f"Q of the SWAP test over {wording.plural(count, 'attack')}{against}: {'; '.join(said)}. One row follows for each attack."
    )
