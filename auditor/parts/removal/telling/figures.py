"""Figures on certified removal."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from auditor.pages import wording
from auditor.pages.figures.axes import Frame, Linear, Logarithmic, apart
from auditor.pages.figures.chart import WIDTH, Chart, Kind, Point
from auditor.pages.figures.chart import series as series_colour
from auditor.pages.words.rendered_evidence import ToldCheck
from auditor.pages.words.texts import text
from auditor.parts.removal.judging.budget import Derived, Held
from auditor.parts.removal.judging.chain import Entry

# The figure of the removal budget along the deletion log: a gauge of what is used, and below it every residual bound.
DECADES: Final = 9
"""The most powers of ten that the lower part spans; what lies below is left out of it and named in a remark."""
_LEFT, _RIGHT = 58.0, WIDTH - 138.0
_GAUGE: Final = (20.0, 92.0)
"""Top and bottom of the gauge, px; of the bounds with it above them, and alone."""
_BELOW, _ALONE = 132.0, 14.0
_DEEP: Final = 196.0
_MARKED: Final = 20
"""About how many points of a line have a mark."""
_STYLES: Final[Mapping[str, tuple[str, Kind, int]]] = {
    "worst-case": ("2 3 8 3", "ring", 6),
    "as-printed": ("7 3", "square", 1),
    "online": ("4 2 1 2", "square", 3),
    "tightened": ("", "disc", 0),
    "local": ("2 2.5", "triangle", 2),
    "measured": ("", "diamond", 6),
}


@dataclass(frozen=True, slots=True)
class _Entry:
    """One bound after one batch."""

    removed: float
    value: float | None
    retrained: bool
    batch: str


def budget(found: Derived) -> Chart | None:
    """Draw what `removal.budget` derived; None where there is no series to draw.

    The bounds' scale is logarithmic. It reaches up to what lies within a hundred times the budget and down to the smallest value
    after the first removal, nine powers of ten at most; what lies outside is left out of the drawing and named in a remark.
    """
    known = {name: _values(found.series, name) for name in _STYLES}
    limit = found.budget if isinstance(found, Held) and found.budget else None
    span = _span(known, limit)
    if span is None:
        return None
    decides = found.criterion
    last = max(1.0, float(found.series[-1].removed))
    deciding = known.get(decides, [])
    gauged = limit is not None and any(each.value is not None for each in deciding)
    top = _BELOW if gauged else _ALONE
    frame = Frame(_LEFT, _RIGHT, top, top + _DEEP, Linear(0, last), Logarithmic(10.0 ** span[0], 10.0 ** span[1]))
    chart = Chart(frame.bottom + 38, "")
    if gauged and limit is not None:
        _gauge(chart, deciding, limit, last)
    frame.draw_across(chart, text("figure-budget-removed"))
    frame.draw_up(chart, text("figure-budget-axis"))
    for each in found.series:
        if _retrained(each):
            at = frame.x(float(each.removed))
            chart.line(((at, frame.top), (at, frame.bottom)), "muted", width=0.8, dash="1 3", name="retrained")
            chart.note(at + 3, frame.bottom - 7, text("figure-budget-retrained"), plate=True)
    ends = _bounds(chart, frame, known, limit, decides)
    against = "" if limit is None else text("figure-budget-against", budget=wording.number(limit))
    chart.title = text("figure-budget-title", removed=wording.number(last), against=against, ends="; ".join(ends))
    crossing = _crossing(deciding, limit)
    if crossing is not None:
        chart.title += " " + text("figure-budget-crossed", batch=wording.shown(crossing.batch), removed=int(crossing.removed))
    chart.caption = text("figure-budget-caption-gauge" if gauged else "figure-budget-caption")
    chart.remarks += [said for name, values in known.items() if (said := _remark(name, values, span))]
    return chart


def _gauge(chart: Chart, deciding: Sequence[_Entry], limit: float, last: float) -> None:
    """Draw how much of the budget is used after each batch, and where it is all used."""
    used = [(each, each.value / limit) for each in deciding if each.value is not None]
    most = max(share for _, share in used)
    high = max(1.15, 1.12 * min(most, 10.0))
    finest = 0.25 if high <= 2 else 1.0
    frame = Frame(_LEFT, _RIGHT, *_GAUGE, Linear(0, last), Linear(0, high, 4, finest, wording.percent))
    full = frame.y(1.0)
    chart.band((_LEFT, frame.top, _RIGHT, full), "tint", name="beyond")
    frame.draw_up(chart)
    stairs: list[Point] = []
    for number, (each, share) in enumerate(used):
        if number:
            stairs.append((frame.x(each.removed), stairs[-1][1]))
        stairs.append((frame.x(each.removed), frame.y(share)))
    for (left, y), (right, _) in itertools.pairwise(stairs):
        chart.band((left, y, right, frame.bottom), "bar", name="used")
    chart.line(stairs, "accent", width=1.6, name="gauge")
    chart.line(((_LEFT, full), (_RIGHT, full)), "ink", width=2.4, name="full")
    chart.note(_RIGHT + 11, full, text("figure-budget-full"), colour="ink", bold=True)
    now = used[-1][1]
    at = apart({"full": full, "now": frame.y(now)}, frame.top, frame.bottom)["now"]
    if abs(at - full) >= 12:
        chart.note(_RIGHT + 11, at, text("figure-budget-used", share=_percent(now)), colour="accent")
    chart.note(0, 7, text("figure-budget-gauge", share=_percent(now)), colour="ink", bold=True)
    crossing = _crossing(deciding, limit)
    if crossing is None:
        return
    x = frame.x(crossing.removed)
    chart.line(((x, frame.top - 3), (x, _BELOW + _DEEP)), "fail", width=1.2, dash="4 2", name="crossing")
    said = text("figure-budget-crossing", batch=wording.ends_of(crossing.batch, 28), removed=int(crossing.removed))
    right = x > (_LEFT + _RIGHT) / 2
    chart.note(
        x - 4 if right else x + 4, frame.bottom + 10, said, "end" if right else "start", colour="fail", bold=True, name="crossed"
    )


def _percent(share: float) -> str:
    """Round a share up to a tenth; only a budget that is all used up has 100 %."""
    up = math.ceil(1000 * share - 1e-9) / 10
    return wording.number(99.9 if share < 1 and up >= 100 else up) + "\u00a0%"


def _crossing(deciding: Sequence[_Entry], limit: float | None) -> _Entry | None:
    return next((each for each in deciding if limit and each.value is not None and each.value > limit), None)


def _bounds(chart: Chart, frame: Frame, known: Mapping[str, Sequence[_Entry]], limit: float | None, decides: str) -> list[str]:
    """Draw every line, the one that decides heavy, and the budget; give what each comes to in the end."""
    low, high = _edges(frame)
    runs = {name: found for name, values in known.items() if (found := _runs(values, frame))}
    wanted = {name: found[-1][-1][1] for name, found in runs.items()}
    if limit:
        wanted["budget"] = frame.y(limit)
    placed = apart(wanted, frame.top, frame.bottom)
    ends = []
    for name, at in placed.items():
        if name == "budget":
            continue
        dash, kind, number = _STYLES[name]
        stroke, heavy = series_colour(number), name == decides
        for run in runs[name]:
            chart.line(run, stroke, width=1.9 if heavy else 1.1, dash=dash, name=name)
        points = [point for run in runs[name] for point in run]
        for x, y in points[::-1][:: max(1, math.ceil(len(points) / _MARKED))]:
            chart.mark(kind, x, y, stroke, name=name)
        x, y = points[-1]
        chart.line(((x + 4, y), (_RIGHT + 9, at)), stroke, width=0.6)
        final = next(each.value for each in reversed(known[name]) if each.value is not None)
        inside = low <= final <= high
        value = wording.number(final) if inside else text("figure-off-scale")
        label = f"{_title(name)} {value}"
        chart.note(_RIGHT + 11, at, label, colour=stroke, bold=heavy, name=f"label-{name}")
        ends.append(label)
    if limit:
        y = frame.y(limit)
        chart.line(((_LEFT, y), (_RIGHT, y)), "ink", width=2.4, name="budget")
        chart.line(((_RIGHT, y), (_RIGHT + 9, placed["budget"])), "ink", width=0.8)
        said = text("figure-budget-rule", budget=wording.number(limit))
        chart.note(_RIGHT + 11, placed["budget"], said, colour="ink", bold=True, name="label-budget")
    return ends


def _edges(frame: Frame) -> tuple[float, float]:
    scale = frame.up
    assert isinstance(scale, Logarithmic)  # noqa: S101 - drawn here
    return scale.low, scale.high


def _title(name: str) -> str:
    return name.replace("-", " ")


def _values(series: Sequence[Entry], name: str) -> list[_Entry]:
    """Read one bound along the log; a negative value is no value."""
    found = []
    for entry in series:
        value = entry.beta.get(name)
        known = value if value is not None and value >= 0 else None
        found.append(_Entry(float(entry.removed), known, _retrained(entry), entry.batch))
    return found


def _retrained(entry: Entry) -> bool:
    """Whether the model was retrained at this batch; the training that the log starts from is not one of them."""
    return entry.retrained and entry.removed > 0


def _span(known: Mapping[str, Sequence[_Entry]], limit: float | None) -> tuple[int, int] | None:
    """Choose the powers of ten at the edges; the worst case, which lies far above, widens them only where it stands alone."""
    others = [values for name, values in known.items() if name != "worst-case"]
    return _decades(others, limit) or _decades(list(known.values()), limit)


def _decades(lines: Sequence[Sequence[_Entry]], limit: float | None) -> tuple[int, int] | None:
    every = [(each.removed, each.value) for values in lines for each in values if each.value]
    if not every:
        return None
    anchor = limit or max(value for _, value in every)
    high = math.ceil(math.log10(max([anchor, *(value for _, value in every if value <= 100 * anchor)])) + 0.1)
    later = [value for removed, value in every if removed > 0] or [value for _, value in every]
    low = math.floor(math.log10(min([anchor, *later])))
    return max(min(low, high - 2), high - DECADES), high


def _runs(values: Sequence[_Entry], frame: Frame) -> list[list[Point]]:
    """Break a line where it has no value, leaves the frame, or the model was retrained."""
    low, high = _edges(frame)
    runs: list[list[Point]] = [[]]
    for each in values:
        inside = each.value is not None and low <= each.value <= high
        if (each.retrained or not inside) and runs[-1]:
            runs.append([])
        if each.value is not None and inside:
            runs[-1].append((frame.x(each.removed), frame.y(each.value)))
    return [run for run in runs if run]


def _remark(name: str, values: Sequence[_Entry], span: tuple[int, int]) -> str | None:
    """Say what the drawing leaves out of a line; None where it leaves out nothing but the value before any removal."""
    low, high = 10.0 ** span[0], 10.0 ** span[1]
    above = [each for each in values if each.value is not None and each.value > high]
    below = [each for each in values if each.value is not None and each.value < low and each.removed > 0]
    if above:
        value, removed = wording.number(above[-1].value), int(above[-1].removed)
        return text("figure-budget-above", line=_title(name), value=value, removed=removed)
    if below:
        return text("figure-budget-below", line=_title(name), count=len(below), low=wording.number(low))
    return None


def _of_check(check: ToldCheck) -> Chart | None:
    found = check.derived_as(Derived)
    return None if found is None else budget(found)


FIGURES: Final = {"removal.budget": _of_check}
