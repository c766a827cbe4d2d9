"""The figure of attacks: how many of 100 guesses each got right, with its interval, its threshold, and what would have shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final

from auditor.pages import wording
from auditor.pages.figures.axes import Frame, Linear, legend
from auditor.pages.figures.chart import WIDTH, Chart, text_width
from auditor.pages.right_guesses import Attack
from auditor.pages.words import guesses
from auditor.pages.words.texts import either, text

MOST_ATTACKS: Final = 24
"""The most attacks that are drawn; of more, those that found most."""
_LEFT, _RIGHT, _TOP = 226.0, WIDTH - 92.0, 4.0
_STEP, _HEAD = 17.0, 19.0
_ENDS: Final = (52, 55, 60, 65, 70, 75, 80, 90, 100)
"""Where the axis may end."""
_WIDEST: Final = 2.0
"""How many times as long as all that attacks found the axis may be, for intervals and ticks to lie on it."""


def attack_intervals(attacks: Sequence[Attack]) -> Chart | None:
    """Draw every attack on an axis of right guesses from 50 on, as far as it takes; None where none came to a number.

    Args:
        attacks: Group by group.
    """
    if not any(each.found for each in attacks):
        return None
    drawn = list(attacks)
    if len(drawn) > MOST_ATTACKS:
        last = sorted(drawn, key=lambda each: -each.found.share if each.found else -2.0)[MOST_ATTACKS:]
        drawn = [each for each in drawn if each not in last]
    groups = [(group, list(members)) for group, members in groupby(drawn, key=lambda each: each.group)]
    bottom = _TOP + _HEAD * len(groups) + _STEP * len(drawn)
    end = axis_end(drawn)
    chart = Chart(bottom + 62, "", caption=_caption(drawn, end))
    frame = Frame(_LEFT, _RIGHT, _TOP, bottom, Linear(50, end, 5), Linear(0, 1))
    frame.draw_across(chart, text("attacks-figure-axis"), grid=True)
    chart.line(((_LEFT, _TOP + _HEAD), (_LEFT, bottom)), "ink", width=1.4, name="guessing")
    y = _TOP
    told = []
    for group, members in groups:
        chart.band((0, y + 1, WIDTH, y + _HEAD - 2), "tint", name="group")
        chart.note(3, y + _HEAD / 2, text(f"attacks-group-{group.value}"), colour="ink", bold=True, name="group")
        y += _HEAD
        for each in members:
            _draw(chart, frame, each, y + _STEP / 2, end)
            told.append(_told(each))
            y += _STEP
    chart.title = " ".join((text("attacks-figure-title"), *told))
    _legend(chart, drawn, bottom + 48)
    if len(drawn) < len(attacks):
        chart.remarks.append(text("attacks-figure-left-out", drawn=len(drawn), count=len(attacks)))
    return chart


def axis_end(drawn: Sequence[Attack]) -> int:
    """Choose where the axis ends: beyond all that was found, every threshold, and wide intervals where these are near."""
    found = [each.found for each in drawn if each.found]
    told = [each.share for each in found] + [each.limits.low for each in found if each.limits]
    told += [each for attack in drawn for each in (attack.unchanged, attack.threshold) if each is not None]
    wide = told + [each.limits.high for each in found if each.limits]
    wide += [each.noticed for each in drawn if each.noticed is not None]
    least, most = (next((end for end in _ENDS if end >= 100 * max(some) - 1e-9), 100) for some in (told, wide))
    return most if most - 50 <= _WIDEST * (least - 50) else least


def _beyond(share: float, end: int) -> bool:
    return 100 * share > end + 1e-9


def _arrow(chart: Chart, x: float, y: float, stroke: str, name: str) -> None:
    chart.line(((x - 5, y - 4), (x, y), (x - 5, y + 4)), stroke, width=2.0, name=name)


def plain_name(attack: Attack) -> str:
    """Name an attack in plain words; one that the catalogue does not know by its own name."""
    return either(f"attacks-name-{attack.name}", wording.short(attack.name, 34))


def outcome_of(attack: Attack) -> str:
    """Say what came of an attack whose outcome is no number of guesses."""
    return text(f"attacks-outcome-{attack.outcome or 'none'}")


def _draw(chart: Chart, frame: Frame, attack: Attack, y: float, end: int) -> None:
    chart.note(_LEFT - 9, y, plain_name(attack), "end", colour="ink", name="attack")
    if attack.threshold is not None:
        chart.band((frame.x(100 * attack.threshold), y - _STEP / 2, _RIGHT, y + _STEP / 2), "tint", name="threshold")
    if attack.found is None:
        chart.note(_LEFT + 8, y, outcome_of(attack), colour="ink", plate=True, name="outcome")
        return
    if attack.noticed is not None:
        x = frame.x(100 * attack.noticed)
        if _beyond(attack.noticed, end):
            _arrow(chart, x - 8, y, "open", "noticed")
        else:
            chart.line(((x, y - 6), (x, y + 6)), "open", width=2.0, name="noticed")
    if attack.unchanged is not None:
        chart.mark("square", frame.x(100 * attack.unchanged), y, "series-2", name="unchanged")
    if attack.found.limits is not None:
        low, high = (frame.x(100 * limit) for limit in (attack.found.limits.low, attack.found.limits.high))
        chart.line(((low, y), (high, y)), "accent", width=2.2, name="interval")
        if _beyond(attack.found.limits.high, end):
            _arrow(chart, high, y, "accent", "beyond")
    chart.mark("disc", frame.x(100 * attack.found.share), y, "accent", size=3.2, name="found")
    chart.note(_RIGHT + 9, y, _numbers(attack), colour="ink", name="value")


def _numbers(attack: Attack) -> str:
    if attack.found is None:
        return ""
    value = guesses.about(attack.found.share)
    if attack.found.limits is None:
        return value
    low, high = guesses.between(attack.found.limits)
    if not high[:1].isdigit():  # in words, for which there is no room
        high = f"<{round(100 * attack.found.limits.high)}"
    said = text("attacks-figure-between", value=value, low=low, high=high)
    return said if text_width(said) < WIDTH - _RIGHT - 9 else value


def _told(attack: Attack) -> str:
    said = outcome_of(attack) if attack.found is None else _numbers(attack)
    return f"{plain_name(attack)}: {said}."


def _caption(drawn: Sequence[Attack], end: int) -> str:
    """Explain what is drawn, and nothing that is not."""
    said = [text("attacks-figure-caption")]
    if any(each.threshold is not None for each in drawn):
        said.append(text("attacks-figure-caption-threshold"))
    if any(each.noticed is not None for each in drawn):
        said.append(text("attacks-figure-caption-noticed"))
    if any(each.found and each.found.limits and _beyond(each.found.limits.high, end) for each in drawn):
        said.append(text("attacks-figure-caption-beyond", end=end))
    if any(each.found and each.noticed is not None and _beyond(each.noticed, end) for each in drawn):
        said.append(text("attacks-figure-caption-unnoticed", end=end))
    return " ".join(said)


def _legend(chart: Chart, drawn: Sequence[Attack], y: float) -> None:
    """Name every shape that is drawn."""
    entries: list[tuple[Callable[[float], None], str]] = []
    if any(each.found for each in drawn):
        entries.append((_found_key(chart, y), text("attacks-key-found")))
    if any(each.unchanged is not None for each in drawn):
        entries.append((lambda x: chart.mark("square", x, y, "series-2"), text("attacks-key-unchanged")))
    if any(each.noticed is not None for each in drawn):
        entries.append((lambda x: chart.line(((x, y - 6), (x, y + 6)), "open", width=2.0), text("attacks-key-noticed")))
    if any(each.threshold is not None for each in drawn):
        entries.append((lambda x: chart.band((x - 7, y - 6, x + 7, y + 6), "tint", edge="rule"), text("attacks-key-threshold")))
    legend(chart, y, entries)


def _found_key(chart: Chart, y: float) -> Callable[[float], None]:
    def draw(x: float) -> None:
        chart.line(((x - 7, y), (x + 7, y)), "accent", width=2.2)
        chart.mark("disc", x, y, "accent", size=3.2)

    return draw
