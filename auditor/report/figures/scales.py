"""What the figures share: their width, ticks, labels kept apart, and a scale that shows 0 and many powers of ten."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from auditor.report import wording

WIDTH: Final = 612.0
"""Width of every drawing, px."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis."""

    at: float
    """Position along the axis, px."""
    label: str
    """Empty for a minor tick."""


def linear_ticks(low: float, high: float, count: int = 6, finest: float = 1.0) -> tuple[float, ...]:
    """Round values that cover [low, high] in steps of 1, 2 or 5 times a power of ten.

    Args:
        low: The lower end.
        high: The upper end, above `low`.
        count: About how many steps are wanted.
        finest: The smallest step.
    """
    raw = (high - low) / count
    power = 10.0 ** math.floor(math.log10(raw)) if raw > 0 else 1.0
    step = max(finest, next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= raw))
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


def apart(wanted: Mapping[str, float], gap: float, low: float, high: float) -> dict[str, float]:
    """The same by name, in ascending order of what was wanted."""
    order = sorted(wanted, key=lambda name: wanted[name])
    return dict(zip(order, spread([wanted[name] for name in order], gap, low, high), strict=True))


def power_label(exponent: int) -> str:
    """A power of ten on an axis: in full from 10⁻³ to 10³, else as a power."""
    return wording.number(10.0**exponent) if -3 <= exponent <= 3 else wording.power_of_ten(exponent)


@dataclass(frozen=True, slots=True)
class Symlog:
    """A scale from 0 on: linear up to a power of ten, logarithmic beyond, the linear part as wide as one power of ten."""

    low: int
    """The power of ten at which the scale turns from linear to logarithmic."""
    high: int
    """The power of ten at its end; above `low`."""

    @classmethod
    def over(cls, values: Iterable[float], decades: int) -> Symlog:
        """The scale that holds every value with at most `decades` powers of ten beyond its linear part.

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
        """Where the value lies, from 0 (the value 0) to 1 (the end); what lies beyond the end is put there."""
        turn = 10.0**self.low
        steps = value / turn if value <= turn else 1 + math.log10(value) - self.low
        return min(1.0, steps / (1 + self.high - self.low))

    def ticks(self, left: float, right: float) -> tuple[Tick, ...]:
        """Ticks at 0 and the powers of ten, for an axis from `left` to `right`, px; of many powers every other has a label."""
        every = 1 if self.high - self.low <= 6 else 2
        powers = (
            Tick(left + (right - left) * self.at(10.0**k), "" if (self.high - k) % every else power_label(k))
            for k in range(self.low, self.high + 1)
        )
        return (Tick(left, "0"), *powers)
