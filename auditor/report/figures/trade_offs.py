"""The figure of a plan: accuracy against σ, against ε, and against the deletions served (Guo et al. 2020, Figures 1, 4 and 5)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from auditor.report import wording
from auditor.report.figures.scales import WIDTH, Symlog, Tick, linear_ticks, spread

Row: TypeAlias = Mapping[str, Any]
_Point: TypeAlias = tuple[float, float]

_SERVING: Final = ("loss_perturbation", "output_noise")
COLOURS: Final = ("#8a5a00", "#b5495b", "#6b4fa0", "#2f7f9e", "#1d6b4f", "#5d6670")
"""Of one λ each; more of them start over."""
_METHODS: Final = {
    "loss_perturbation": ("loss perturbation", "#1f3a5f", ""),
    "output_noise": ("output noise", "#1d6b4f", "6 2.5"),
    "differential_privacy": ("DP for all of them", "#b5495b", "2 2.5"),
}
_AXIS, _LABELS, _GAP = 38.0, 84.0, 11.0
_TOP, _HEIGHT, _BELOW = 26.0, 165.0, 46.0
_LABELLED: Final = 8
"""Points of the last panel whose setting is written next to them."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One line with its label, or points alone."""

    points: tuple[_Point, ...]
    """(x, y) in px."""
    colour: str
    dash: str
    joined: bool
    label: str
    label_y: float


@dataclass(frozen=True, slots=True)
class Note:
    """A setting written next to its point."""

    x: float
    """Where it ends, px."""
    y: float
    text: str
    width: float
    """About how long it is, px."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes."""

    title: str
    x_title: str
    left: float
    right: float
    top: float
    bottom: float
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    curves: tuple[Curve, ...]
    notes: tuple[Note, ...]
    at: float | None
    """Where the target lies on the x axis, px."""
    level: float | None
    """Where the accuracy without any protection lies, px."""


@dataclass(frozen=True, slots=True)
class TradeOffs:
    """Panels of a plan."""

    width: float
    height: float
    panels: tuple[Panel, ...]
    description: str
    """Alternative text."""


def trade_offs(document: Mapping[str, Any]) -> TradeOffs:
    """The figure for the document of a plan."""
    bare = max((row["accuracy"]["value"] for row in document["no_protection"] if row["accuracy"]), default=None)
    half = WIDTH / 2
    panels = (
        _against_sigma(document, _frame(document, ("loss_perturbation",), bare, (0.0, half, 0.0))),
        _against_epsilon(document, _frame(document, tuple(_METHODS), bare, (half, WIDTH, 0.0))),
        _against_served(document, _frame(document, _SERVING, bare, (0.0, WIDTH, _TOP + _HEIGHT + _BELOW))),
    )
    return TradeOffs(WIDTH, 2 * (_TOP + _HEIGHT + _BELOW), panels, document["sentence"])


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a panel lies, and the accuracies that it spans."""

    start: float
    end: float
    above: float
    span: tuple[float, float]
    bare: float | None

    @property
    def left(self) -> float:
        """Of the axes, px."""
        return self.start + _AXIS

    @property
    def right(self) -> float:
        """Of the axes; the labels stand beyond it."""
        return self.end - _LABELS

    @property
    def top(self) -> float:
        """Of the axes, px."""
        return self.above + _TOP

    @property
    def bottom(self) -> float:
        """Of the axes, px."""
        return self.top + _HEIGHT

    def y(self, value: float) -> float:
        """Where an accuracy lies, px."""
        low, high = self.span
        return round(self.bottom - 4 - (_HEIGHT - 10) * (min(high, max(low, value)) - low) / (high - low), 2)

    def panel(
        self,
        title: str,
        x_title: str,
        x_ticks: Sequence[Tick],
        curves: Sequence[Curve],
        *,
        notes: Sequence[Note] = (),
        at: float | None = None,
    ) -> Panel:
        """The panel with its ticks."""
        ticks = tuple(Tick(self.y(value), wording.number(round(value, 6))) for value in linear_ticks(*self.span, 5, finest=1e-3))
        level = None if self.bare is None else self.y(self.bare)
        placed = (self.left, self.right, self.top, self.bottom)
        return Panel(title, x_title, *placed, tuple(x_ticks), ticks, tuple(curves), tuple(notes), at, level)

    def labelled(self, lines: Sequence[tuple[str, str, str, tuple[_Point, ...]]]) -> tuple[Curve, ...]:
        """Curves of (label, colour, dash, points), each with its label near its end, none upon another."""
        drawn = sorted((line for line in lines if line[3]), key=lambda line: line[3][-1][1])
        beside = spread([points[-1][1] for *_, points in drawn], _GAP, self.top, self.bottom)
        return tuple(
            Curve(points, colour, dash, joined=True, label=label, label_y=at)
            for (label, colour, dash, points), at in zip(drawn, beside, strict=True)
        )


def _frame(document: Mapping[str, Any], methods: Sequence[str], bare: float | None, placed: tuple[float, float, float]) -> Frame:
    """The frame that holds every accuracy of some methods, and the one without protection."""
    rows = [row for key in methods for row in document[key] if row["accuracy"]]
    values = [row["accuracy"]["value"] for row in rows]
    if "differential_privacy" in methods:
        values += [value for row in rows for _, value in row["accuracy_at"]]
    values += [] if bare is None else [bare]
    low, high = min(values, default=0.0), max(values, default=1.0)
    return Frame(*placed, (min(low, high - 0.02), high), bare)


def _against_sigma(document: Mapping[str, Any], frame: Frame) -> Panel:
    sigmas = document["search"]["sigma"]
    x = logarithmic(sigmas[0], sigmas[-1], frame)
    lines = []
    for number, l2 in enumerate(document["search"]["l2"]):
        rows = [row for row in document["loss_perturbation"] if row["l2"] == l2 and row["accuracy"]]
        points = tuple((x(row["sigma"]), frame.y(row["accuracy"]["value"])) for row in rows)
        lines.append((f"λ = {l2:g}", COLOURS[number % len(COLOURS)], "", points))
    ticks = [Tick(x(sigma), f"{sigma:g}") for sigma in sigmas]
    return frame.panel("Accuracy under loss perturbation", "σ of the random term", ticks, frame.labelled(lines))


def _against_epsilon(document: Mapping[str, Any], frame: Frame) -> Panel:
    target = document["target"]
    epsilons = sorted({each for key in _METHODS for row in document[key] for each, _ in row["accuracy_at"]} | {target["epsilon"]})
    x = logarithmic(epsilons[0], epsilons[-1], frame)
    lines = []
    for key, (label, colour, dash) in _METHODS.items():
        found = ((epsilon, _best_at(document[key], epsilon)) for epsilon in epsilons)
        points = tuple((x(epsilon), frame.y(value)) for epsilon, value in found if value is not None)
        lines.append((label, colour, dash, points))
    title = f"Best accuracy that serves {wording.number(target['deletions'])} deletions"
    ticks = [Tick(x(epsilon), f"{epsilon:g}") for epsilon in epsilons]
    return frame.panel(title, "ε", ticks, frame.labelled(lines), at=x(target["epsilon"]))


def _best_at(rows: Sequence[Row], epsilon: float) -> float | None:
    """The best accuracy at an ε: with the noise for it where that was tried, else of the settings that need no larger one."""
    tried = [value for row in rows for each, value in row["accuracy_at"] if each == epsilon]
    enough = [
        row["accuracy"]["value"]
        for row in rows
        if row["accuracy"] and row["epsilon_needed"] is not None and row["epsilon_needed"] <= epsilon
    ]
    return max(tried or enough, default=None)


def _against_served(document: Mapping[str, Any], frame: Frame) -> Panel:
    shown = {key: [row for row in document[key] if row["served"] and row["accuracy"]] for key in _SERVING}
    most = max((row["served"]["most"] for rows in shown.values() for row in rows), default=1)
    # Whole removals: nothing lies between 0 and 1.
    scale = Symlog(0, max(1, math.ceil(math.log10(most))))

    def x(served: float) -> float:
        return round(frame.left + (frame.right - frame.left) * scale.at(served), 2)

    def place(row: Row) -> _Point:
        return x(row["served"]["median"]), frame.y(row["accuracy"]["value"])

    curves = []
    for number, (key, rows) in enumerate(shown.items()):
        label, colour, dash = _METHODS[key]
        points = tuple(place(row) for row in rows)
        curves.append(Curve(points, colour, dash, joined=False, label=f"● {label}", label_y=frame.top + 8 + 13 * number))
    named = _named(document, [row for rows in shown.values() for row in rows])
    return frame.panel(
        f"Accuracy and deletions served at ε = {wording.number(document['target']['epsilon'])}, setting by setting",
        "deletions served before retraining, median order",
        scale.ticks(frame.left, frame.right),
        curves,
        notes=_notes([(place(row), row) for row in named]),
        at=x(document["target"]["deletions"]),
    )


def _named(document: Mapping[str, Any], rows: Sequence[Row]) -> list[Row]:
    """The rows whose setting is written next to them: what is recommended of each method, then the front."""
    recommended = [row for key in _SERVING if (row := document["recommended_by_method"][key])]
    front = [row for row in _front(rows) if row not in recommended]
    return [row for row in (*recommended, *front) if row["served"]]


def _front(rows: Sequence[Row]) -> list[Row]:
    """The rows that no other row beats in both accuracy and deletions served, the most accurate first."""
    ordered = sorted(rows, key=lambda row: (-row["accuracy"]["value"], -row["served"]["median"]))
    front: list[Row] = []
    for row in ordered:
        if not front or row["served"]["median"] > front[-1]["served"]["median"]:
            front.append(row)
    return front


def _notes(placed: Sequence[tuple[_Point, Row]]) -> list[Note]:
    kept: list[Note] = []
    for (x, y), row in placed:
        crowded = any(abs(x - 5 - each.x) < 80 and abs(y + 10 - each.y) < 9 for each in kept)
        if crowded or len(kept) == _LABELLED:
            continue
        second = f"σ {row['sigma']:g}" if row["sigma"] else f"s {row['release_noise']:g}"
        text = f"λ {row['l2']:g}, {second}"
        kept.append(Note(x - 5, y + 10, text, round(4.3 * len(text), 1)))
    return kept


def logarithmic(low: float, high: float, frame: Frame) -> Callable[[float], float]:
    """Where a value from low to high lies on the x axis of a frame, px."""
    width = frame.right - frame.left - 16
    decades = math.log10(high / low)

    def x(value: float) -> float:
        share = math.log10(value / low) / decades if decades else 0.5
        return round(frame.left + 8 + width * share, 2)

    return x
