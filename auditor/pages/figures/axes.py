"""Scales and axes: where a value lies, round values along an axis, and labels of which none is printed over another."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from auditor.pages import wording
from auditor.pages.figures.chart import LABEL, Chart, text_width

Ticks: TypeAlias = Sequence[tuple[float, str]]
"""Values along an axis with their labels; empty for a tick without one."""

_BETWEEN: Final = 7.0
"""The least space between two labels side by side, px."""
_LINE: Final = 12.5
"""The least distance of labels one above another, px."""


class Scale(Protocol):
    """Says where a value lies along an axis."""

    def at(self, value: float) -> float:
        """Give the place of a value, from 0 (where the axis begins) to 1 (where it ends); what lies beyond is put at its end."""

    def ticks(self) -> Ticks:
        """Give round values along the axis."""


@dataclass(frozen=True, slots=True)
class Linear:
    """An even scale."""

    low: float
    high: float
    count: int = 6
    """About how many steps between ticks are wanted."""
    finest: float = 1.0
    """The smallest step between ticks."""
    label: Callable[[float], str] = wording.number

    def at(self, value: float) -> float:
        """See `Scale`."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))

    def ticks(self) -> Ticks:
        """See `Scale`."""
        return [(value, self.label(round(value, 9))) for value in linear_ticks(self.low, self.high, self.count, self.finest)]


@dataclass(frozen=True, slots=True)
class Logarithmic:
    """A scale of powers of ten."""

    low: float
    """Above 0."""
    high: float
    labels: int = 7
    """The most powers of ten that have a label."""

    def at(self, value: float) -> float:
        """See `Scale`."""
        decades = math.log10(self.high / self.low)
        return min(1.0, max(0.0, math.log10(value / self.low) / decades)) if decades else 0.5

    def ticks(self) -> Ticks:
        """See `Scale`."""
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        every = max(1, math.ceil((last - first) / self.labels))
        return [(10.0**k, "" if (last - k) % every else power_label(k)) for k in range(first, last + 1)]


@dataclass(frozen=True, slots=True)
class Symlog:
    """A scale from 0 on: linear up to a power of ten, logarithmic beyond, the linear part as wide as one power of ten."""

    low: int
    """The power of ten at which the scale turns from linear to logarithmic."""
    high: int
    """The power of ten at its end; above `low`."""

    @classmethod
    def over(cls, values: Iterable[float], decades: int) -> Symlog:
        """Make the scale that holds every value with at most `decades` powers of ten beyond its linear part.

        Args:
            values: What is to be shown, each at least 0; all of it may be 0.
            decades: The most powers of ten, at least 1. What is smaller than they reach lies in the linear part.
        """
        shown = [value for value in values if value > 0]
        if not shown:
            return cls(-1, 0)
        high = math.ceil(math.log10(max(shown)) + 0.02)
        low = math.floor(math.log10(min(shown)))
        return cls(max(min(low, high - 2), high - decades), high)

    def at(self, value: float) -> float:
        """See `Scale`."""
        turn = 10.0**self.low
        steps = value / turn if value <= turn else 1 + math.log10(value) - self.low
        return min(1.0, max(0.0, steps / (1 + self.high - self.low)))

    def ticks(self) -> Ticks:
        """See `Scale`; of many powers every other has a label."""
        every = 1 if self.high - self.low <= 6 else 2
        powers = [(10.0**k, "" if (self.high - k) % every else power_label(k)) for k in range(self.low, self.high + 1)]
        return [(0.0, "0"), *powers]


@dataclass(frozen=True, slots=True)
class Ticked:
    """Another scale with ticks at values of one's own."""

    scale: Scale
    chosen: tuple[tuple[float, str], ...]

    def at(self, value: float) -> float:
        """See `Scale`."""
        return self.scale.at(value)

    def ticks(self) -> Ticks:
        """See `Scale`."""
        return self.chosen


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle of a chart with a scale across and one upwards, px."""

    left: float
    right: float
    top: float
    bottom: float
    across: Scale
    up: Scale
    inset: float = 0.0
    """Between the sides of the frame and the ends of the scale across."""

    def x(self, value: float) -> float:
        """Place a value across."""
        return round(self.left + self.inset + (self.right - self.left - 2 * self.inset) * self.across.at(value), 2)

    def y(self, value: float) -> float:
        """Place a value upwards."""
        return round(self.bottom - (self.bottom - self.top) * self.up.at(value), 2)

    def draw_across(self, chart: Chart, title: str = "", *, grid: bool = False) -> None:
        """Draw the axis below the frame: its line, ticks, labels and title, and lines up through the frame if wanted."""
        ticks = [(self.x(value), label) for value, label in self.across.ticks()]
        for at, _ in ticks:
            if grid:
                chart.line(((at, self.top), (at, self.bottom)), "hair", width=0.7, name="grid")
            chart.line(((at, self.bottom), (at, self.bottom + 4)), "muted", width=0.8, name="tick-across")
        for at, label in fitting(ticks):
            chart.note(at, self.bottom + 12, label, "middle", name="label-across")
        chart.line(((self.left, self.bottom), (self.right, self.bottom)), "muted", width=0.8)
        chart.note((self.left + self.right) / 2, self.bottom + 28, title, "middle", colour="ink", name="title-across")

    def draw_up(self, chart: Chart, title: str = "", *, title_x: float = 8.0) -> None:
        """Draw lines through the frame at the ticks of the axis on its left, their labels, and the title along it."""
        last = math.inf
        for value, label in self.up.ticks():
            at = self.y(value)
            chart.line(((self.left, at), (self.right, at)), "hair", width=0.7, name="grid")
            if label and last - at >= _LINE:
                chart.note(self.left - 7, at, label, "end", name="label-up")
                last = at
        chart.note(title_x, (self.top + self.bottom) / 2, title, "middle", colour="ink", turned=True, name="title-up")


def fitting(ticks: Ticks) -> list[tuple[float, str]]:
    """Keep the labels along a line that do not touch one that is kept, the first and the last before those between.

    Args:
        ticks: Places, px, ascending or not, each with its label.
    """
    labelled = [(at, label) for at, label in sorted(ticks) if label]
    kept: list[tuple[float, str]] = []
    for at, label in (*labelled[:1], *labelled[:0:-1][:1], *labelled[1:-1]):
        wide = text_width(label)
        if all(abs(at - other) >= (wide + text_width(beside)) / 2 + _BETWEEN for other, beside in kept):
            kept.append((at, label))
    return sorted(kept)


def linear_ticks(low: float, high: float, count: int = 6, finest: float = 1.0) -> tuple[float, ...]:
    """Give round values that cover [low, high] in steps of 1, 2 or 5 times a power of ten.

    Args:
        low: The lower limit.
        high: The upper limit, above `low`.
        count: About how many steps are wanted.
        finest: The smallest step.
    """
    raw = (high - low) / count
    power = 10.0 ** math.floor(math.log10(raw)) if raw > 0 else 1.0
    step = max(finest, next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= raw))
    first = math.ceil(low / step)
    return tuple(step * k for k in range(first, math.floor(high / step) + 1))


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> tuple[float, ...]:
    """Give positions near the wanted ones, in the same order, at least `gap` apart and inside [low, high] if there is room.

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


def apart(wanted: Mapping[str, float], low: float, high: float, gap: float = LABEL + 1.5) -> dict[str, float]:
    """Give the same by name, in ascending order of what was wanted."""
    order = sorted(wanted, key=lambda name: wanted[name])
    return dict(zip(order, spread([wanted[name] for name in order], gap, low, high), strict=True))


def power_label(exponent: int) -> str:
    """Write a power of ten on an axis: in full from 10⁻³ to 10³, else as a power."""
    return wording.number(10.0**exponent) if -3 <= exponent <= 3 else wording.power_of_ten(exponent)


def legend(chart: Chart, y: float, entries: Iterable[tuple[Callable[[float], None], str]], *, left: float = 0.0) -> None:
    """Write a line of keys, each drawn at its place and named alongside; the next begins where the last one ends.

    Args:
        chart: To draw in.
        y: The middle of the line, px.
        entries: What draws a key around an x, px, and its words.
        left: Where the line begins, px.
    """
    at = left
    for draw, words in entries:
        draw(at + 8)
        chart.note(at + 19, y, words, name="legend")
        at += 19 + text_width(words) + 14
