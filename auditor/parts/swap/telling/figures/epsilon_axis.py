"""The figure of ε from both sides: lower bounds that attacks showed from the left, a barrier at the stated upper bound."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from auditor.pages import wording
from auditor.pages.figures.axes import Frame, Linear, Symlog, legend, power_label
from auditor.pages.figures.chart import WIDTH, Chart
from auditor.pages.words import numbers
from auditor.pages.words.texts import text
from auditor.parts.swap.judging.epsilon_consistency.rows import Lower, Row
from auditor.parts.swap.telling import epsilon_words

DECADES: Final = 8
"""The most powers of ten of the axis; what lies below shares its linear part."""
MOST_LINES: Final = 26
"""The most lower bounds that are drawn."""
LONGEST_TITLE: Final = 46
"""Characters of a lower bound's title next to its line; the table has all of it."""
LONGEST_LINE: Final = 110
"""Characters of a line of a statement's name, which has two lines at most; the table has all of it."""

_LEFT, _RIGHT, _TOP = 228.0, WIDTH - 84.0, 6.0
_LINE, _STEP, _GAP = 14.0, 18.0, 9.0


def epsilon(rows: Sequence[Row], order: float | None = None) -> Chart | None:
    """Draw what `epsilon.consistency` compared; None where nothing was.

    Args:
        rows: Every stated ε.
        order: The Rényi order whose comparisons are drawn; None for those in (ε, δ). No axis holds numbers of two units.
    """
    every = [each for each in rows if each.order == order]
    compared = [each for each in every if epsilon_words.compared(each)]
    drawn = _fitting(compared)
    if not drawn:
        return None
    scale = Symlog.over([value for comparison in drawn for value in _values(comparison)], DECADES)
    heights = [_height(comparison) for comparison in drawn]
    bottom = _TOP + sum(heights) + _GAP * (len(drawn) - 1)
    frame = Frame(_LEFT, _RIGHT, _TOP, bottom, scale, Linear(0, 1))
    chart = Chart(bottom + 62, _describe(drawn), caption=text("figure-epsilon-caption"))
    unit = text("figure-epsilon-unit") if order is None else text("figure-epsilon-unit-order", order=wording.number(order))
    frame.draw_across(chart, text("figure-epsilon-axis", unit=unit, turn=power_label(scale.low)))
    top = _TOP
    for comparison, height in zip(drawn, heights, strict=True):
        _band(chart, frame, comparison, top, top + height)
        top += height + _GAP
    _legend(chart, bottom + 48)
    if len(drawn) < len(compared):
        chart.remarks.append(text("figure-epsilon-left-out", drawn=len(drawn), compared=len(compared)))
    if len(compared) < len(every):
        chart.remarks.append(text("figure-epsilon-not-compared", count=len(every) - len(compared)))
    return chart


def _fitting(compared: Sequence[Row]) -> list[Row]:
    """As many statements as there is room for, those that were refuted first; one at least where there is any."""
    drawn: list[Row] = []
    lines = 0
    for comparison in sorted(compared, key=lambda row: not epsilon_words.refuted(row)):
        if lines + len(comparison.lower) <= MOST_LINES or not drawn:
            drawn.append(comparison)
            lines += len(comparison.lower)
    return drawn


def _values(comparison: Row) -> tuple[float, ...]:
    """All that the axis has to hold for one statement."""
    ends = (value for lower in comparison.lower for value in (epsilon_words.shown(lower), lower.null or 0.0))
    return comparison.epsilon or 0.0, *ends


def _height(comparison: Row) -> float:
    return _head(comparison) + _STEP * len(comparison.lower[:MOST_LINES])


def _head(comparison: Row) -> float:
    return _LINE * len(_statement(comparison)) + 5


def _statement(comparison: Row) -> tuple[str, ...]:
    """The statement's name in one or two lines, and its terms in one of their own."""
    named = wording.ends_of(epsilon_words.against(comparison), 2 * LONGEST_LINE - 40)
    return (*textwrap.wrap(f"{named}:", LONGEST_LINE), epsilon_words.terms(comparison))


def _band(chart: Chart, frame: Frame, comparison: Row, head: float, bottom: float) -> None:
    """Draw one statement: its name, what it rules out, the lower bounds that it was compared with, and its barrier."""
    upper = comparison.epsilon or 0.0
    top, wall = head + _head(comparison), frame.x(upper)
    lines = _statement(comparison)
    last = head + 8 + _LINE * (len(lines) - 1)
    for place, line in enumerate(lines):
        chart.note(0, head + 8 + _LINE * place, line, colour="ink", bold=True, name="statement")
    if epsilon_words.refuted(comparison):
        chart.note(WIDTH, last, text("figure-epsilon-refuted"), "end", colour="fail", bold=True, name="refuted")
    for value, _ in frame.across.ticks():
        chart.line(((frame.x(value), top), (frame.x(value), bottom)), "hair", width=0.7)
    chart.band((wall, top, frame.right, bottom), "tint", name="ruled-out")
    for index, lower in enumerate(comparison.lower[:MOST_LINES]):
        _lower(chart, frame, lower, upper, top + _STEP * (index + 0.5))
    chart.line(((wall, top - 2), (wall, bottom + 2)), "ink", width=2.4, name="wall")


def _lower(chart: Chart, frame: Frame, lower: Lower, upper: float, y: float) -> None:
    shown = epsilon_words.shown(lower)
    x, wall = frame.x(shown), frame.x(upper)
    refutes = lower.decides and shown > upper
    label = wording.short(epsilon_words.label(lower), LONGEST_TITLE)
    chart.note(frame.left - 10, y, label, "end", colour="ink" if lower.decides else "muted", name="lower")
    chart.line(((frame.left, y), (x, y)), "accent", width=2 if lower.decides else 1, dash="" if lower.decides else "3 2.5")
    if refutes:
        chart.band((wall, y - 6, max(x, wall + 0.5), y + 6), "#ffffff", edge="fail", hatching="fail", name="gap")
    if lower.null is not None:
        chart.mark("triangle", frame.x(lower.null), y, "pass", name="null")
    chart.mark("disc" if lower.decides else "ring", x, y, "accent", name="refuting" if refutes else "shown")
    value = f"ε ≥ {numbers.at_least(shown)}"
    chart.note(WIDTH, y, value, "end", colour="fail" if refutes else "ink", bold=refutes, name="value")


def _legend(chart: Chart, y: float) -> None:
    legend(
        chart,
        y,
        (
            (lambda x: chart.mark("disc", x, y, "accent"), text("figure-epsilon-shown")),
            (lambda x: chart.mark("ring", x, y, "accent"), text("figure-epsilon-compared")),
            (lambda x: chart.mark("triangle", x, y, "pass"), text("figure-epsilon-null")),
            (lambda x: chart.line(((x, y - 6), (x, y + 6)), "ink", width=2.4), text("figure-epsilon-stated")),
        ),
    )


def _describe(drawn: Sequence[Row]) -> str:
    said = [text("figure-epsilon-title")]
    for comparison in drawn:
        lowers = ((epsilon_words.title(lower), epsilon_words.shown(lower)) for lower in comparison.lower)
        shown = ", ".join(f"{title} ε ≥ {numbers.at_least(value)}" for title, value in lowers)
        message = "figure-epsilon-row-refuted" if epsilon_words.refuted(comparison) else "figure-epsilon-row"
        said.append(text(message, stated=epsilon_words.stated(comparison), shown=shown))
    return " ".join(said)


FIGURES: Final = {"epsilon": epsilon}
