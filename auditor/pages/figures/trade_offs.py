"""The figure of a plan: accuracy against σ, against ε, and against the deletions served (Guo et al. 2020, Figures 1, 4 and 5)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from auditor.pages import wording
from auditor.pages.figures.axes import Frame, Linear, Logarithmic, Scale, Symlog, Ticked, Ticks, apart
from auditor.pages.figures.chart import LABEL, WIDTH, Chart, Kind, Point, series, text_width
from auditor.pages.words.texts import text

Row: TypeAlias = Mapping[str, Any]

_SERVING: Final = ("loss_perturbation", "output_noise")
_METHODS: Final[Mapping[str, tuple[str, int, str, Kind]]] = {
    "loss_perturbation": ("loss", 0, "", "disc"),
    "output_noise": ("output", 2, "6 2.5", "triangle"),
    "differential_privacy": ("dp", 5, "2 2.5", "square"),
}
_AXIS, _LABELS = 42.0, 106.0
_TOP, _HEIGHT, _BELOW = 40.0, 165.0, 46.0
_INSET: Final = 8.0
_LABELLED: Final = 8
"""Points of the last panel whose setting is written next to them."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of one setting or method, with its label right of the panel."""

    label: str
    stroke: str
    dash: str
    kind: Kind
    points: tuple[Point, ...]
    """(value across, accuracy), in their own units."""
    joined: bool = True


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes: accuracy upwards."""

    title: str
    across: str
    scale: Scale
    span: tuple[float, float]
    """The accuracies at its lower and upper edge."""
    curves: tuple[Curve, ...]
    bare: float | None
    """The accuracy without any protection."""
    target: float | None = None
    """What is asked, across."""
    chosen: Point | None = None
    """The best setting, in its own units."""
    recommended: bool = True
    """Whether that is the one which is recommended, and not the best of its method alone."""
    front: tuple[Point, ...] = ()
    """The settings that none beats in both, the most accurate first."""
    noted: tuple[tuple[Point, str], ...] = ()
    """Points whose setting is written next to them, those that matter most first."""


def trade_offs(document: Mapping[str, Any]) -> Chart:
    """Draw the document of a plan."""
    bare = max((row["accuracy"]["value"] for row in document["no_protection"] if row["accuracy"]), default=None)
    chart = Chart(2 * (_TOP + _HEIGHT + _BELOW), document["sentence"])
    half = WIDTH / 2
    draw_panel(chart, _against_sigma(document, bare), 0.0, half, 0.0)
    draw_panel(chart, _against_epsilon(document, bare), half, WIDTH, 0.0)
    draw_panel(chart, _against_served(document, bare), 0.0, WIDTH, _TOP + _HEIGHT + _BELOW)
    return chart


def draw_panel(chart: Chart, panel: Panel, start: float, end: float, above: float) -> None:
    """Draw one panel from `start` to `end` across, below `above`, px; the chosen point is ringed."""
    low, high = panel.span
    edge = 0.04 * (high - low)
    top, bottom = above + _TOP, above + _TOP + _HEIGHT
    up = Linear(low - edge, high + edge, 5, 1e-3)
    frame = Frame(start + _AXIS, end - _LABELS, top, bottom, panel.scale, up, inset=_INSET)
    chart.note(start, top - 26, panel.title, colour="ink", bold=True, name="panel")
    frame.draw_up(chart)
    frame.draw_across(chart, panel.across)
    keys: dict[str, tuple[float, Kind, str, str]] = {}
    if panel.bare is not None:
        y = frame.y(panel.bare)
        chart.line(((frame.left, y), (frame.right, y)), "muted", width=1.0, dash="1 2", name="bare")
        keys[text("figure-plan-bare")] = (y, "disc", "muted", "bare")
    if panel.target is not None:
        x = frame.x(panel.target)
        chart.line(((x, top - 4), (x, bottom)), "muted", width=0.9, dash="3 3", name="target")
        chart.note(x, top - 11, text("figure-plan-target"), "middle", name="label-target")
    if panel.front:
        chart.line(((frame.x(x), frame.y(y)) for x, y in panel.front), "bar", width=1.2, name="front")
        keys[text("figure-plan-front")] = (frame.y(panel.front[-1][1]), "disc", "bar", "front")
    _note_points(chart, frame, panel)
    for curve in panel.curves:
        points = [(frame.x(x), frame.y(y)) for x, y in curve.points]
        if curve.joined:
            chart.line(points, curve.stroke, width=1.4, dash=curve.dash, name=curve.label)
        for x, y in points:
            chart.mark(curve.kind, x, y, curve.stroke, name=curve.label)
        if points:
            keys[curve.label] = (points[-1][1], curve.kind, curve.stroke, "curve")
    if panel.chosen is not None:
        x, y = frame.x(panel.chosen[0]), frame.y(panel.chosen[1])
        chart.mark("ring", x, y, "ink", size=5.6, name="chosen-ring")
        chart.mark("disc", x, y, "ink", size=2.8, name="chosen")
        keys[text("figure-plan-chosen" if panel.recommended else "figure-plan-best")] = (y, "disc", "ink", "chosen")
    _draw_keys(chart, frame, keys)


def _draw_keys(chart: Chart, frame: Frame, keys: Mapping[str, tuple[float, Kind, str, str]]) -> None:
    """Name right of the frame what is drawn in it, each near where it ends."""
    for label, y in apart({label: wanted for label, (wanted, *_) in keys.items()}, frame.top, frame.bottom).items():
        _, kind, stroke, role = keys[label]
        x = frame.right + 11
        if role == "chosen":
            chart.mark("ring", x, y, stroke, size=5.0)
        if role in {"bare", "front"}:
            chart.line(((x - 5, y), (x + 5, y)), stroke, width=1.2, dash="1 2" if role == "bare" else "")
        else:
            chart.mark(kind, x, y, stroke)
        words = "ink" if role == "chosen" else "muted" if role in {"bare", "front"} else stroke
        chart.note(x + 9, y, label, colour=words, bold=role == "chosen", name="label")


def _note_points(chart: Chart, frame: Frame, panel: Panel) -> None:
    """Write settings next to their points, left below, none over another."""
    taken: list[tuple[float, float, float]] = []
    for (across, value), said in panel.noted:
        x, y = frame.x(across) - 7, frame.y(value) + 11
        left = x - text_width(said)
        near = any(left < end and start < x and abs(y - height) < LABEL for start, end, height in taken)
        if near or left < frame.left or y + 6 > frame.bottom or len(taken) == _LABELLED:
            continue
        chart.note(x, y, said, "end", colour="ink", plate=True, name="setting")
        taken.append((left, x, y))


def span_of(values: Sequence[float], bare: float | None) -> tuple[float, float]:
    """Choose the accuracies at the edges of a panel: all that is drawn, two hundredths at least."""
    every = [*values, *([] if bare is None else [bare])]
    low, high = min(every, default=0.0), max(every, default=1.0)
    return min(low, high - 0.02), high


def lambdas(rows_by_l2: Mapping[float, Sequence[Point]]) -> tuple[Curve, ...]:
    """Make one curve for each λ."""
    kinds: tuple[Kind, ...] = ("disc", "square", "triangle", "diamond", "ring", "block")
    return tuple(
        Curve(f"λ = {l2:g}", series(number), "", kinds[number % len(kinds)], tuple(points))
        for number, (l2, points) in enumerate(rows_by_l2.items())
    )


def ticked(values: Sequence[float], labels: str = "g") -> Ticked:
    """Make a logarithmic scale with a tick at each of some values, ascending."""
    ticks: Ticks = [(each, f"{each:{labels}}") for each in values]
    return Ticked(Logarithmic(values[0], values[-1]), tuple(ticks))


def _span(document: Mapping[str, Any], methods: Sequence[str], bare: float | None) -> tuple[float, float]:
    """The span that holds every accuracy of some methods, and the one without protection."""
    rows = [row for key in methods for row in document[key] if row["accuracy"]]
    values = [row["accuracy"]["value"] for row in rows]
    if "differential_privacy" in methods:
        values += [value for row in rows for _, value in row["accuracy_at"]]
    return span_of(values, bare)


def _against_sigma(document: Mapping[str, Any], bare: float | None) -> Panel:
    rows = [row for row in document["loss_perturbation"] if row["accuracy"]]
    found = {l2: [(row["sigma"], row["accuracy"]["value"]) for row in rows if row["l2"] == l2] for l2 in document["search"]["l2"]}
    best = document["recommended_by_method"]["loss_perturbation"]
    return Panel(
        text("figure-plan-sigma-title"),
        text("figure-plan-sigma"),
        ticked(document["search"]["sigma"]),
        _span(document, ("loss_perturbation",), bare),
        lambdas(found),
        bare,
        chosen=(best["sigma"], best["accuracy"]["value"]) if best and best["accuracy"] else None,
        recommended=best == document["recommended"],
    )


def _against_epsilon(document: Mapping[str, Any], bare: float | None) -> Panel:
    target = document["target"]
    epsilons = sorted({each for key in _METHODS for row in document[key] for each, _ in row["accuracy_at"]} | {target["epsilon"]})
    curves = []
    for key, (name, number, dash, kind) in _METHODS.items():
        found = ((epsilon, _best_at(document[key], epsilon)) for epsilon in epsilons)
        points = tuple((epsilon, value) for epsilon, value in found if value is not None)
        curves.append(Curve(text(f"figure-plan-{name}"), series(number), dash, kind, points))
    title = text("figure-plan-epsilon-title", deletions=wording.number(target["deletions"]))
    scale, span = ticked(epsilons), _span(document, tuple(_METHODS), bare)
    return Panel(title, "ε", scale, span, tuple(curves), bare, target=target["epsilon"])


def _best_at(rows: Sequence[Row], epsilon: float) -> float | None:
    """The best accuracy at an ε: with the noise for it where that was tried, else of the settings that need no larger one."""
    tried = [value for row in rows for each, value in row["accuracy_at"] if each == epsilon]
    enough = [
        row["accuracy"]["value"]
        for row in rows
        if row["accuracy"] and row["epsilon_needed"] is not None and row["epsilon_needed"] <= epsilon
    ]
    return max(tried or enough, default=None)


def _against_served(document: Mapping[str, Any], bare: float | None) -> Panel:
    shown = {key: [row for row in document[key] if row["served"] and row["accuracy"]] for key in _SERVING}
    every = [row for rows in shown.values() for row in rows]
    most = max((row["served"]["most"] for row in every), default=1)
    curves = tuple(
        Curve(text(f"figure-plan-{name}"), series(number), "", kind, tuple(map(_served, shown[key])), joined=False)
        for key, (name, number, _, kind) in _METHODS.items()
        if key in shown
    )
    best = document["recommended"]
    return Panel(
        text("figure-plan-served-title", epsilon=wording.number(document["target"]["epsilon"])),
        text("figure-plan-served"),
        # Whole removals: nothing lies between 0 and 1.
        Symlog(0, max(1, math.ceil(math.log10(most)))),
        _span(document, _SERVING, bare),
        curves,
        bare,
        target=document["target"]["deletions"],
        chosen=_served(best) if best and best["served"] and best["accuracy"] else None,
        front=tuple(map(_served, _front(every))),
        noted=tuple((_served(row), _setting(row)) for row in _named(document, every) if row != best),
    )


def _served(row: Row) -> Point:
    return row["served"]["median"], row["accuracy"]["value"]


def _setting(row: Row) -> str:
    second = f"σ {row['sigma']:g}" if row["sigma"] else f"s {row['release_noise']:g}"
    return f"λ {row['l2']:g}, {second}"


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
