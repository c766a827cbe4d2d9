"""Lines of text that the layout engine breaks and shapes once, where it would do so again and again.

It lays out several times over what it balances between columns or moves to the next page, trials share much with the last
layout, and what was shaped to be measured is shaped again to be drawn. In a drawing it shapes every letter by itself. No line
changes: what is kept is what the engine itself answered for the same text, style and width.
"""

from __future__ import annotations

from typing import Any, Final

_PARTS_OF_A_FONT: Final = ("font_style", "font_weight", "font_size", "direction")
"""What a drawing says of a text, next to the names of its fonts; all else is as it is initially."""
_OF_TEXT: Final = (
    *_PARTS_OF_A_FONT,
    *("font_family", "font_stretch", "font_kerning", "font_feature_settings", "font_variation_settings"),
    *(f"font_variant_{each}" for each in ("alternates", "caps", "east_asian", "ligatures", "numeric", "position")),
    *("lang", "font_language_override", "text_decoration_line", "letter_spacing", "word_spacing", "tab_size", "white_space"),
    *("word_break", "overflow_wrap", "hyphens", "hyphenate_character", "hyphenate_limit_chars", "hyphenate_limit_zone"),
)
"""All that the engine asks of a style where it breaks and shapes a line."""
_FIXED: Final[dict[type, Any]] = {list: tuple, set: frozenset}
"""What stands for a value that may change, to be compared."""
_SHAPED: Final = 10_000
"""Lines that stay shaped until they are drawn, some kilobytes each: those of two hundred pages. More are shaped again."""


class Lines(dict[Any, Any]):
    """Lines by text, style and width, and how many of them stay shaped."""

    shaped = 0


def install() -> None:
    """Make the engine keep the lines of documents whose fonts are `kept_with`; others are laid out as ever."""
    from weasyprint.layout import inline  # noqa: PLC0415 - heavy, and absent where nothing is rendered
    from weasyprint.text import line_break  # noqa: PLC0415

    if not hasattr(line_break.split_first_line, "plain"):
        # Drawings ask for it by its module whenever they are drawn, paragraphs hold on to it.
        plain = line_break.split_first_line
        line_break.Layout = _staying_shaped(line_break.Layout)
        inline.split_first_line = _of_paragraphs(plain)
        line_break.split_first_line = _of_drawings(plain)


def kept_with(fonts: Any) -> Any:
    """Keep the lines that are set in these fonts, for as long as the fonts live."""
    fonts.lines_kept = Lines()
    return fonts


def _as_it_is(value: Any) -> Any:
    return value


def _set_in(style: Any) -> Any:
    """What a style says of its text."""
    kept = style.kept_text
    if kept is None:
        kept = tuple(_FIXED.get(type(value), _as_it_is)(value) for value in map(style.__getitem__, _OF_TEXT))
        if not style.changing:
            style.kept_text = kept
    return kept


def _staying_shaped(layouts: Any) -> Any:
    class Shaped(layouts):  # type: ignore[misc]
        """A line that is drawn as it was measured; only space between words that are spread is added later."""

        def deactivate(self) -> None:
            kept = getattr(self.style.font_config, "lines_kept", None)
            if kept is None or kept.shaped >= _SHAPED:
                super().deactivate()
            else:
                kept.shaped += 1

        def reactivate(self, style: Any) -> None:
            if self.justification_spacing or not hasattr(self, "layout"):
                super().reactivate(style)

    return Shaped


def _of_paragraphs(plain: Any) -> Any:
    def split_first_line(text: str, style: Any, context: Any, max_width: Any, *more: Any, **named: Any) -> Any:
        kept = getattr(style.font_config, "lines_kept", None)
        if kept is None:
            return plain(text, style, context, max_width, *more, **named)
        key = (text, _set_in(style), max_width, more, *named.items())
        if key not in kept:
            kept[key] = plain(text, style, context, max_width, *more, **named)
        return kept[key]

    split_first_line.plain = plain  # type: ignore[attr-defined]
    return split_first_line


def _of_drawings(plain: Any) -> Any:
    def split_first_line(text: str, style: Any, context: Any, max_width: Any, *more: Any, **named: Any) -> Any:
        kept = getattr(style.font_config, "lines_kept", None)
        if kept is None:
            return plain(text, style, context, max_width, *more, **named)
        font = (tuple(style["font_family"]), *(style[each] for each in _PARTS_OF_A_FONT))
        key = (text, font, max_width, more, *named.items())
        if key not in kept:
            kept[key] = plain(text, style, context, max_width, *more, **named)
        return kept[key]

    split_first_line.plain = plain  # type: ignore[attr-defined]
    return split_first_line
