"""Styles whose values the layout engine works out once, where it would do so for each box that has them.

A page has some thousand boxes, and few of their styles name a share of what is around them: all other lengths are the same
wherever a box stands. No value changes: what is kept is what the engine itself answered for the same style.
"""

from __future__ import annotations

import copy
import sys
from types import SimpleNamespace
from typing import Any, Final

_SIDES: Final = ("top", "right", "bottom", "left")
_LENGTHS: Final = (
    *(f"{kind}_{side}" for kind in ("margin", "padding") for side in _SIDES),
    *(f"{extreme}{axis}" for extreme in ("", "min_", "max_") for axis in ("width", "height")),
)
"""Properties that may be a share of the room around a box."""
_BORDERS: Final = tuple(f"border_{side}_width" for side in _SIDES)
_CORNERS: Final = tuple(f"border_{corner}_radius" for corner in ("top_left", "top_right", "bottom_right", "bottom_left"))
_BARE: Final = {"background": None, **dict.fromkeys(_CORNERS, (0, 0))}
_OF_OTHERS: Final = frozenset({"float", "display", "position", "page"})
"""Properties that follow from others, or from more than the parent."""
_SPREADING: Final = "text_decoration_"
_NOTES: Final = frozenset({"footnote-call", "footnote-marker", "note-call", "note-marker", "note-callback"})
"""What the engine's own style sheet gives every element, and only notes in the margin or at the foot of a page show."""
_OF_PSEUDO_ELEMENT: Final = 3
"""Where a selector that is kept for matching has the name of its pseudo-element."""


def install() -> None:
    """Make the engine keep what styles come to."""
    from weasyprint import css  # noqa: PLC0415 - heavy, and absent where nothing is rendered
    from weasyprint.formatting_structure.boxes import Box  # noqa: PLC0415
    from weasyprint.layout import background, percent  # noqa: PLC0415
    from weasyprint.text import line_break  # noqa: PLC0415

    if hasattr(css.Style, "changing"):
        return
    css.Style.changing = False
    css.Style.kept_lengths = css.Style.kept_strut = css.Style.kept_flow = css.Style.kept_ground = css.Style.kept_text = None
    for style in (css.ComputedStyle, css.AnonymousStyle):
        style.copy = _that_may_change(style.copy)
    css.ComputedStyle.__missing__ = _looked_up(css.ComputedStyle.__missing__)
    _put_in_place("resolve_percentages", percent.resolve_percentages, _lengths_once(percent.resolve_percentages, Box))
    _put_in_place("strut", line_break.strut, _once("kept_strut", line_break.strut))
    in_flow = _in_flow_once(Box.is_in_normal_flow, Box)
    Box.is_in_normal_flow = lambda box: in_flow(box.style)
    background.layout_box_backgrounds = _grounds_once(background.layout_box_backgrounds, Box)


def without_notes(sheet: Any) -> Any:
    """Copy the engine's own style sheet without what it gives every element for notes, which no page of ours has."""
    copied = copy.copy(sheet)
    copied.matcher = copy.copy(sheet.matcher)
    copied.matcher.other_selectors = [each for each in sheet.matcher.other_selectors if each[_OF_PSEUDO_ELEMENT] not in _NOTES]
    return copied


def _put_in_place(name: str, plain: Any, once: Any) -> None:
    """Modules of the engine hold on to functions of each other by their names."""
    for place, module in list(sys.modules.items()):
        if place.startswith("weasyprint.") and getattr(module, name, None) is plain:
            setattr(module, name, once)


def _that_may_change(plain: Any) -> Any:
    """The engine copies a style where it goes on to change it: nothing is kept of a copy."""

    def copied(self: Any) -> Any:
        changing = plain(self)
        changing.changing = True
        return changing

    return copied


def _once(name: str, plain: Any) -> Any:
    """What follows from a style alone, kept in it under a name."""

    def once(style: Any) -> Any:
        kept = getattr(style, name)
        if kept is None:
            kept = plain(style)
            if not style.changing:
                setattr(style, name, kept)
        return kept

    return once


def _in_flow_once(plain: Any, boxes: Any) -> Any:
    return _once("kept_flow", lambda style: plain(boxes("", style, None)))


def _lengths_once(plain: Any, boxes: Any) -> Any:
    lengths_of = _once("kept_lengths", lambda style: _lengths(style, plain))

    def resolve_percentages(box: Any, containing_block: Any) -> None:
        kept = lengths_of(box.style)
        if not kept or not isinstance(box, boxes):
            plain(box, containing_block)
            return
        lengths, borders = kept
        if borders:
            # Neighbours in a table share a border: it stays as they have settled it.
            settled = box.__dict__
            if any(settled.get(name, width) != width for name, width in borders):
                plain(box, containing_block)
                return
        box.__dict__.update(lengths)

    return resolve_percentages


def _lengths(style: Any, plain: Any) -> Any:
    """The lengths of a box and those of its borders that others may have settled; False where they depend on what is around."""
    if any(value not in ("auto", None) and getattr(value, "unit", None) != "px" for value in map(style.__getitem__, _LENGTHS)):
        return False
    box = SimpleNamespace(style=style)
    plain(box, (0, 0))
    del box.style
    lengths = vars(box)
    return lengths, tuple((name, lengths[name]) for name in _BORDERS) if style["border_collapse"] == "collapse" else ()


def _grounds_once(plain: Any, boxes: Any) -> Any:
    """Ask no further for boxes that have neither ground nor picture nor round corners, as nearly all are."""
    bare = _once("kept_ground", _is_bare)

    def layout_box_backgrounds(page: Any, box: Any, get_image: Any, layout_children: bool = True, style: Any = None) -> None:
        if style is None and layout_children and box is not page and isinstance(box, boxes) and bare(box.style):
            box.__dict__.update(_BARE)
            for child in box.all_children():
                layout_box_backgrounds(page, child, get_image)
        else:
            plain(page, box, get_image, layout_children, style)

    return layout_box_backgrounds


def _is_bare(style: Any) -> bool:
    from weasyprint.draw.color import get_color  # noqa: PLC0415

    return bool(
        style["visibility"] != "hidden"
        and style["border_image_source"][0] == style["mask_border_source"][0] == "none"
        and all(kind == "none" for kind, _ in style["background_image"])
        and not style["box_shadow"]
        and get_color(style, "background_color").alpha == 0
        and all((0, "px") in style[name] for name in _CORNERS)
    )


def _looked_up(plain: Any) -> Any:
    """Look up at once what a style has of its parent or initially, as most of its values are."""
    from weasyprint.css.computed_values import PHYSICAL_FUNCTIONS  # noqa: PLC0415
    from weasyprint.css.functions import check_math  # noqa: PLC0415
    from weasyprint.css.properties import INHERITED, INITIAL_NOT_COMPUTED, INITIAL_VALUES  # noqa: PLC0415

    logical = {
        key: frozenset(function(block="ttb", inline=inline) for inline in ("ltr", "rtl"))
        for key, function in PHYSICAL_FUNCTIONS.items()
    }
    simple = {key for key in INITIAL_VALUES if key not in _OF_OTHERS and not key.startswith(_SPREADING)}
    inherited = simple & INHERITED
    initial = {key: value for key, value in INITIAL_VALUES.items() if key in simple - INHERITED - INITIAL_NOT_COMPUTED}

    def looked_up(self: Any, key: str) -> Any:
        cascaded = self.cascaded
        if key in cascaded or (key in logical and not logical[key].isdisjoint(cascaded)):
            return plain(self, key)
        if key in initial:
            value = self[key] = initial[key]
            return value
        if key in inherited and self.parent_style is not None:
            value = self.parent_style[key]
            if not check_math(value):
                self[key] = value
                return value
        return plain(self, key)

    return looked_up
