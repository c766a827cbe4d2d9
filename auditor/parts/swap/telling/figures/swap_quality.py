"""The figure of the SWAP test: Q attack by attack, of the procedure and of the controls, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from auditor.pages import wording
from auditor.pages.estimates import Estimate
from auditor.pages.figures.axes import Frame, Linear, legend
from auditor.pages.figures.chart import WIDTH, Chart, Kind
from auditor.pages.words.rendered_evidence import ToldCheck
from auditor.pages.words.texts import either, text
from auditor.parts.swap.judging.estimates import OfAttack
from auditor.parts.swap.telling import swap_words
from auditor.parts.swap.telling.swap_words import Qualities, quality_of

MOST_ATTACKS: Final = 14
"""The most attacks that are drawn; of more, those with the lowest Q."""
NARROWEST: Final = 0.02
"""The smallest stretch of Q that the axis spans: noise is not drawn as if it were a difference."""
LONGEST_LABEL: Final = 32
"""Characters of an attack's name next to its row."""
LONGEST_TITLE: Final = 42
"""Characters of its title below the name, where it has no plain name; the table has all of it."""

_LEFT, _RIGHT, _TOP = 232.0, WIDTH - 62.0, 34.0
_STEP, _GAP = 31.0, 8.0
_APART: Final = 7.5
"""Between the marks of one row, px."""
_STYLES: Final[Mapping[str, tuple[Kind, str, float, str]]] = {
    "procedure": ("disc", "series-1", 2.0, ""),
    "do-nothing": ("square", "series-2", 1.2, "4 2.5"),
    "fresh": ("triangle", "series-3", 1.0, ""),
    "same": ("diamond", "ink", 1.0, ""),
}


def quality(check: ToldCheck) -> Chart | None:
    """Draw a check `swap.quality`; None where it came to no value."""
    if check.value is None:
        return None
    found = swap_words.qualities(check)
    listed = swap_words.attacks(check)
    drawn = listed[:MOST_ATTACKS]
    decides = next((row for row in listed if row.name == swap_words.deciding(check)), listed[0] if listed else None)
    bottom = _TOP + _STEP * (1 + len(drawn)) + (_GAP if drawn else 0.0)
    scale = Linear(_low_end(found, drawn, check.threshold), 1.0, finest=1e-4)
    frame = Frame(_LEFT, _RIGHT, _TOP, bottom, scale, Linear(0, 1))
    chart = Chart(bottom + 60, _describe(found, check.threshold, len(listed)), caption=text("figure-quality-caption"))
    frame.draw_across(chart, text("figure-quality-axis"), grid=True)
    chart.note(WIDTH - 2, _TOP - 11, text("figure-quality-advantage"), "end")
    together = (
        ("procedure", found.procedure),
        ("do-nothing", found.do_nothing),
        ("fresh", found.retrained_fresh),
        ("same", found.retrained),
    )
    y = _TOP + _STEP / 2
    chart.note(_LEFT - 10, y, text("figure-quality-together"), "end", colour="ink", bold=True, name="attack")
    _marks(chart, frame, y, together)
    if decides is not None:
        _advantage(chart, y, decides)
    for index, row in enumerate(drawn):
        y = _TOP + _GAP + _STEP * (index + 1.5)
        edge = y - _STEP / 2 - (0 if index else _GAP / 2)
        chart.line(((0, edge), (WIDTH, edge)), "hair" if index else "muted", width=0.8)
        _row(chart, frame, y, row)
    if check.threshold is not None:
        at = frame.x(check.threshold)
        chart.line(((at, _TOP - 4), (at, bottom)), "ink", width=2.2, name="threshold")
        said = text("figure-quality-least", value=wording.number(check.threshold))
        chart.note(at, _TOP - 11, said, "end" if at > (_LEFT + _RIGHT) / 2 else "start", colour="ink", bold=True)
    _legend(chart, bottom + 48)
    if len(listed) > MOST_ATTACKS:
        chart.remarks.append(text("figure-quality-left-out", drawn=MOST_ATTACKS, count=len(listed)))
    return chart


def _row(chart: Chart, frame: Frame, y: float, row: OfAttack) -> None:
    chart.note(_LEFT - 10, y - 6, wording.short(row.name, LONGEST_LABEL), "end", colour="ink", name="attack")
    plain = either(f"attacks-name-{row.name}", wording.short(swap_words.title(row), LONGEST_TITLE))
    chart.note(_LEFT - 10, y + 6, plain, "end", name="attack-title")
    sides = (quality_of(side) for side in (row, row.do_nothing, row.retrained))
    _marks(chart, frame, y, tuple(zip(("procedure", "do-nothing", "fresh"), sides, strict=True)))
    _advantage(chart, y, row)


def _advantage(chart: Chart, y: float, row: OfAttack) -> None:
    said = wording.advantage(row.advantage)
    chart.note(WIDTH - 2, y, said, "end", colour="ink", bold=swap_words.told_apart(row), name="advantage")


def _marks(chart: Chart, frame: Frame, y: float, held: Sequence[tuple[str, Estimate]]) -> None:
    """Draw each measured Q with its interval, one below another."""
    for place, (name, one) in enumerate(held):
        if one.value is None:
            continue
        kind, stroke, width, dash = _STYLES[name]
        at = y + _APART * (place - (len(held) - 1) / 2)
        if one.ends:
            low, high = frame.x(one.ends[0]), frame.x(one.ends[1])
            chart.line(((low, at), (high, at)), stroke, width=width, dash=dash, name=f"interval-{name}")
            for end in (low, high):
                chart.line(((end, at - 2.4), (end, at + 2.4)), stroke, width=width)
        chart.mark(kind, frame.x(one.value), at, stroke, name=name)


def _legend(chart: Chart, y: float) -> None:
    def key(kind: Kind, stroke: str) -> Callable[[float], None]:
        return lambda x: chart.mark(kind, x, y, stroke)

    legend(chart, y, [(key(kind, stroke), text(f"figure-quality-{name}")) for name, (kind, stroke, _, _) in _STYLES.items()])


def _low_end(found: Qualities, drawn: Sequence[OfAttack], threshold: float | None) -> float:
    """The left end of the axis: a little below all that is drawn, at least 0."""
    held = [found.procedure, found.do_nothing, found.retrained_fresh, found.retrained]
    held += [quality_of(side) for row in drawn for side in (row, row.do_nothing, row.retrained)]
    values = [one.value for one in held if one.value is not None]
    values += [one.ends[0] for one in held if one.value is not None and one.ends is not None]
    if threshold is not None:
        values.append(threshold)
    low = min(values)
    return max(0.0, min(low - 0.04 * (1 - low), 1 - NARROWEST))


def _describe(found: Qualities, threshold: float | None, count: int) -> str:
    sides = zip(_STYLES, (found.procedure, found.do_nothing, found.retrained_fresh, found.retrained), strict=True)
    said = [
        text(
            f"figure-quality-said-{name}",
            value=wording.number(one.value) + (f" ({wording.interval(one.ends)})" if one.ends else ""),
        )
        for name, one in sides
        if one.value is not None
    ]
    against = "" if threshold is None else text("figure-quality-against", value=wording.number(threshold))
    return text("figure-quality-title", count=count, against=against, found="; ".join(said))


FIGURES: Final = {"swap.quality": quality}
