"""Draws lines, marks, bands and notes as one SVG: every figure of the report, of a plan and of the benchmarks is a `Chart`.

Coordinates are CSS pixels from the upper left corner. Text from outside is cleaned and escaped here: no figure can forget it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby, pairwise
from typing import Final, Literal, TypeAlias
from xml.etree import ElementTree as ET

from markupsafe import Markup

from auditor.base import resources
from auditor.pages import wording

# Reads the colours of every figure from the style sheet of the pages: there is one palette.
_DECLARED: Final = re.compile(r"--([a-z0-9-]+):\s*(#[0-9a-f]{6})\b")
_SERIES: Final = 9


@cache
def colour(name: str) -> str:
    """Give a colour of the style sheet, such as `ink` or `fail`, as `#rrggbb`.

    Raises:
        KeyError: If the style sheet has no colour of that name.
    """
    return declared()[name]


def series(number: int) -> str:
    """Give the colour of one of many lines; after nine they start over."""
    return colour(f"series-{number % _SERIES + 1}")


@cache
def declared() -> dict[str, str]:
    """Give every colour of the style sheet by its name."""
    return _colours("shared.css")


@cache
def on_dark() -> dict[str, str]:
    """Give the same on dark pages, and their ground."""
    return _colours("dark.css")


def _colours(sheet: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in _DECLARED.findall((resources.templates() / "styles" / sheet).read_text(encoding="utf-8")):
        found.setdefault(name, value)
    return found


WIDTH: Final = 612.0
"""Width of every drawing, px: the text block of a page. Printed at this width, 1 px is 0.75 pt."""
LABEL: Final = 11.0
"""Size of the smallest label, px: 8.25 pt in print."""
FONT: Final = "Report Sans, Linux Biolinum O, Helvetica Neue, Helvetica, Arial, sans-serif"

Point: TypeAlias = tuple[float, float]
Anchor: TypeAlias = Literal["start", "middle", "end"]
Kind: TypeAlias = Literal["disc", "ring", "square", "block", "triangle", "diamond"]

_NARROW: Final = frozenset("iljtfrI.,:;'|!()[]/ -·1")
_WIDE: Final = frozenset("mwMW@%—…")
_APART: Final = 2.7
"""Half widths between the middles of two marks of which neither touches the other."""
_STROKE: Final = 6.0
"""Between the strokes of a hatching, px."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points."""

    points: tuple[Point, ...]
    colour: str
    width: float
    dash: str
    name: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A small shape at a point; shapes stay apart without colour."""

    kind: Kind
    x: float
    y: float
    colour: str
    size: float
    """Half its width, px."""
    name: str


@dataclass(frozen=True, slots=True)
class Band:
    """A rectangle: a shaded range, or a bar."""

    left: float
    top: float
    right: float
    bottom: float
    fill: str
    edge: str
    dash: str
    hatching: str
    """Colour of its strokes; empty for none."""
    name: str


@dataclass(frozen=True, slots=True)
class Note:
    """A line of text; `y` is its middle."""

    x: float
    y: float
    text: str
    anchor: Anchor
    colour: str
    bold: bool
    size: float
    turned: bool
    """Whether it reads upwards, as along a vertical axis."""
    plate: bool
    """Whether it is on a white plate, over whatever lies below."""
    name: str

    @property
    def ends(self) -> tuple[float, float]:
        """Where the text begins and ends across, px, about; of one that is turned, where its line lies."""
        wide = 0.0 if self.turned else text_width(self.text, self.size, bold=self.bold)
        left = self.x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]
        return left, left + wide


Shape: TypeAlias = Line | Mark | Band | Note


def text_width(text: str, size: float = LABEL, *, bold: bool = False) -> float:
    """Estimate how long a text is, px; rather too long than too short."""
    units = sum(0.34 if each in _NARROW else 0.9 if each in _WIDE else 0.69 if each.isupper() else 0.5 for each in text)
    return size * units * (1.06 if bold else 1.0)


@dataclass(slots=True)
class Chart:
    """A figure: its shapes in the order of drawing, its alternative text, and what is said below it."""

    height: float
    title: str
    """Alternative text: what is shown, with the numbers that count."""
    details: str = ""
    """More for anyone who cannot see it, such as row by row; written as the SVG's description."""
    caption: str = ""
    remarks: list[str] = field(default_factory=list)
    """What the drawing leaves out or clips, in words."""
    width: float = WIDTH
    shapes: list[Shape] = field(default_factory=list)

    def line(self, points: Iterable[Point], stroke: str = "ink", *, width: float = 1.0, dash: str = "", name: str = "") -> None:
        """Draw a line through points; nothing for fewer than two.

        Args:
            points: (x, y), px.
            stroke: A colour of the palette, or `#rrggbb`.
            width: Of the line, px.
            dash: Lengths of strokes and gaps, as SVG takes them.
            name: By which `named` finds it.
        """
        through = tuple(points)
        if len(through) > 1:
            self.shapes.append(Line(through, _hex(stroke), width, dash, name))

    def mark(self, kind: Kind, x: float, y: float, fill: str = "ink", *, size: float = 2.8, name: str = "") -> None:
        """Draw a small shape at a point."""
        self.shapes.append(Mark(kind, x, y, _hex(fill), size, name))

    def band(
        self,
        corners: tuple[float, float, float, float],
        fill: str = "tint",
        *,
        edge: str = "",
        dash: str = "",
        hatching: str = "",
        name: str = "",
    ) -> None:
        """Draw a rectangle (left, top, right, bottom), px; nothing where it has no width or no height."""
        left, top, right, bottom = corners
        if right > left and bottom > top:
            self.shapes.append(Band(left, top, right, bottom, _hex(fill), _hex(edge), dash, _hex(hatching), name))

    def note(
        self,
        x: float,
        y: float,
        text: str,
        anchor: Anchor = "start",
        *,
        colour: str = "muted",
        bold: bool = False,
        size: float = LABEL,
        turned: bool = False,
        plate: bool = False,
        name: str = "",
    ) -> None:
        """Write a line of text, cleaned of what would not print; `y` is its middle. Nothing for an empty one."""
        if shown := wording.shown(text):
            self.shapes.append(Note(x, y, shown, anchor, _hex(colour), bold, max(size, LABEL), turned, plate, name))

    def named(self, name: str) -> tuple[Shape, ...]:
        """Give the shapes of one name, in the order of drawing."""
        return tuple(each for each in self.shapes if each.name == name)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Every text in the drawing."""
        return tuple(each for each in self.shapes if isinstance(each, Note))

    def svg(self) -> Markup:
        """Write the figure as one SVG element, which is in a page or in a file of its own."""
        size = {"width": _number(self.width), "height": _number(self.height)}
        root = ET.Element(
            "svg",
            {
                "class": "figure",
                "xmlns": "http://www.w3.org/2000/svg",
                "viewBox": f"0 0 {size['width']} {size['height']}",
                **size,
                "role": "img",
                "font-family": FONT,
            },
        )
        ET.SubElement(root, "title").text = wording.clean(self.title)
        if self.details:
            ET.SubElement(root, "desc").text = wording.clean(self.details)
        ET.SubElement(root, "rect", {**size, "fill": "#ffffff"})
        for (kind, *_), shapes in groupby(self.shapes, _alike):
            if kind is Mark:
                _draw_marks(root, [each for each in shapes if isinstance(each, Mark)])
            else:
                for shape in shapes:
                    _draw(root, shape)
        ET.indent(root, "")
        return Markup(ET.tostring(root, encoding="unicode"))  # noqa: S704 - the writer of XML has escaped it


def _alike(shape: Shape) -> tuple[object, ...]:
    """What shapes share that may be one element: marks of one name, form, colour and size."""
    if isinstance(shape, Mark):
        return Mark, shape.kind, shape.colour, shape.size, shape.name
    return (type(shape),)


def _draw_marks(root: ET.Element, marks: Sequence[Mark]) -> None:
    """Draw marks that look alike as one path where none touches the next: each element costs a page as much as a table cell."""
    first = marks[0]
    apart = all(math.dist((one.x, one.y), (other.x, other.y)) >= _APART * first.size for one, other in pairwise(marks))
    match first.kind:
        case "disc":  # the round ends of a line without length: the layout engine takes ten times as long for a circle
            paint = {"fill": "none", "stroke": first.colour, "stroke-width": _number(2 * first.size), "stroke-linecap": "round"}
        case "block" | "triangle":
            paint = {"fill": first.colour}
        case "ring" | "square" | "diamond":
            paint = {"fill": "#ffffff", "stroke": first.colour, "stroke-width": "1.1"}
    for some in [marks] if apart else [[each] for each in marks]:
        ET.SubElement(root, "path", {"d": "".join(_outline(mark) for mark in some), **paint})


def _draw(root: ET.Element, shape: Shape) -> None:
    match shape:
        case Line():
            _draw_line(root, shape.points, shape.colour, shape.width, shape.dash)
        case Band():
            _draw_band(root, shape)
        case Note():
            _draw_note(root, shape)


def _draw_line(root: ET.Element, points: Sequence[Point], stroke: str, width: float, dash: str = "") -> None:
    written = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
    drawn = ET.SubElement(root, "polyline", {"points": written, "fill": "none", "stroke": stroke, "stroke-width": _number(width)})
    if dash:
        drawn.set("stroke-dasharray", dash)


def _outline(mark: Mark) -> str:
    """What a mark is drawn along, as a path."""
    x, y, r = mark.x, mark.y, mark.size
    corners: tuple[Point, ...]
    match mark.kind:
        case "disc":
            return f"M{_number(x)} {_number(y)}h0"
        case "ring":
            arc = f"a{_number(r)} {_number(r)} 0 1 0"
            return f"M{_number(x - r)} {_number(y)}{arc} {_number(2 * r)} 0{arc} {_number(-2 * r)} 0z"
        case "square" | "block":
            return f"M{_number(x - r)} {_number(y - r)}h{_number(2 * r)}v{_number(2 * r)}h{_number(-2 * r)}z"
        case "triangle":
            corners = ((x, y - 1.1 * r), (x + 1.1 * r, y + 0.9 * r), (x - 1.1 * r, y + 0.9 * r))
        case "diamond":
            corners = ((x, y - 1.3 * r), (x + 1.3 * r, y), (x, y + 1.3 * r), (x - 1.3 * r, y))
    return "M" + "L".join(f"{_number(across)} {_number(down)}" for across, down in corners) + "z"


def _draw_band(root: ET.Element, band: Band) -> None:
    place = {"x": _number(band.left), "y": _number(band.top)}
    size = {"width": _number(band.right - band.left), "height": _number(band.bottom - band.top)}
    drawn = ET.SubElement(root, "rect", {**place, **size, "fill": band.fill or "none"})
    if band.edge:
        drawn.set("stroke", band.edge)
        drawn.set("stroke-width", "0.9")
    if band.dash:
        drawn.set("stroke-dasharray", band.dash)
    if band.hatching:
        at = band.left
        while at < band.right:
            end = min(band.right, at + _STROKE)
            _draw_line(
                root,
                ((at, band.bottom), (end, band.bottom - (band.bottom - band.top) * (end - at) / _STROKE)),
                band.hatching,
                0.8,
            )
            at += _STROKE


def _draw_note(root: ET.Element, note: Note) -> None:
    if note.plate:
        left, right = note.ends
        half = 0.55 * note.size
        _draw_band(root, Band(left - 1, note.y - half, right + 1, note.y + half, "#ffffff", "", "", "", ""))
    baseline = note.y + 0.33 * note.size
    given = {"x": _number(note.x), "y": _number(baseline), "font-size": _number(note.size), "fill": note.colour}
    if note.anchor != "start":
        given["text-anchor"] = note.anchor
    if note.bold:
        given["font-weight"] = "bold"
    if note.turned:
        given |= {"x": _number(note.x + 0.33 * note.size), "y": _number(note.y)}
        given["transform"] = f"rotate(-90 {given['x']} {given['y']})"
    ET.SubElement(root, "text", given).text = note.text


def _hex(name: str) -> str:
    """A colour of the palette; one that is written out, or none, stays as it is."""
    return name if not name or name.startswith("#") else colour(name)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
