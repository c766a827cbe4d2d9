"""Writes numbers of pages into pages that are laid out already, where the layout engine would lay those pages out again, twice.

A page that names others is laid out with a nought for each number: where the others are is known when all are laid out. A number
that takes the room of the nought, as digits of a font do, changes nothing else on its page: it is drawn in the nought's place.
Pages on which one takes more room are laid out again by the engine, and every number is examined again after that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

_DIGIT: Final = re.compile(r"\d")


def install() -> None:
    """Make the engine write numbers in before it looks for pages that are to be laid out again."""
    from weasyprint import layout  # noqa: PLC0415 - heavy, and absent where nothing is rendered

    if hasattr(layout.make_all_pages, "plain"):
        return
    plain = layout.make_all_pages

    def make_all_pages(context: Any, root_box: Any, html: Any, pages: list[Any]) -> Iterator[Any]:
        made = list(plain(context, root_box, html, pages))
        for page, (*_, state) in zip(made, context.page_maker, strict=False):
            if state["content_lookups"]:
                state["content_changed"] = not _written_in(page, context)
        return iter(made)

    make_all_pages.plain = plain  # type: ignore[attr-defined]
    layout.make_all_pages = make_all_pages


def _written_in(page: Any, context: Any) -> bool:
    """Write all numbers that a page lacks into it; False, and nothing written, where one of them takes other room."""
    changed: list[tuple[list[Any], Any]] = []
    for box in page.descendants(placeholders=True):
        source = box.missing_link
        lookup = None if source is None else context.target_collector.counter_lookup_items.get((source, "content"))
        if lookup is None:
            continue
        lookup.parse_again(lookup.cached_page_counter_values)
        shown, wanted = _texts(box), _texts(source)
        if [each.text for each in shown] == [each.text for each in wanted]:
            continue
        one = len(shown) == len(wanted) == 1
        changed.append((shown, _in_its_place(shown[0], wanted[0].text, context) if one else None))
    if any(line is None for _, line in changed):
        return False
    for (text,), line in changed:
        text.text, text.pango_layout = line.text, line
    return True


def _texts(box: Any) -> list[Any]:
    from weasyprint.formatting_structure.boxes import TextBox  # noqa: PLC0415

    return [each for each in box.descendants(placeholders=True) if isinstance(each, TextBox)]


def _in_its_place(shown: Any, wanted: str, context: Any) -> Any:
    """The line that is drawn for what is wanted; None where it differs in more than digits, or in the room that it takes."""
    from weasyprint.layout import inline  # noqa: PLC0415

    if _DIGIT.sub("0", shown.text) != _DIGIT.sub("0", wanted):
        return None
    line, _, more, width, height, _ = inline.split_first_line(wanted, shown.style, context, None, shown.justification_spacing)
    return line if more is None and (width, height) == (shown.width, shown.height) else None
