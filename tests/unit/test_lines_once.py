"""What is done once in laying out a page changes no byte of it: lines that are kept, and parts that are not tried first."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from pypdf import PdfReader
from weasyprint.css.properties import INITIAL_VALUES
from weasyprint.layout import inline
from weasyprint.text import line_break
from weasyprint.text.fonts import FontConfiguration

from auditor.pages import lines, pages

DAY = datetime(2026, 1, 17, 12, tzinfo=UTC)
PROSE = "A line of text that is long enough to be broken, and then some words more. "
DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 80" width="300" height="80">
<text x="10" y="20" font-size="10">letters, seen twice: letters</text>
<text x="10" y="40" font-size="12" font-weight="700">letters, seen twice</text>
<text x="10" y="60" font-size="10" text-anchor="middle" fill="#8f1f24">letters, seen twice</text></svg>"""
STYLE = """@page { size: A5; margin: 20mm; @bottom-right { content: "page " counter(page) } }
@page annex { @bottom-right { content: "A" counter(page) } }
.columns { columns: 2 } .columns p { break-inside: avoid }
.sheets { break-before: page } .annex { break-before: page; page: annex }
.close { font-size: 0.9em } .closer { font-size: 0.8em }
.page-of::after { content: "\\a0" target-counter(attr(href url), page); }"""


def page_of(*parts: str) -> str:
    held = "".join(f'<div class="sheets" data-most="1"><section class="leaf">{each}</section></div>' for each in parts)
    annex = f'<div class="annex"><p id="annex">{PROSE * 20}</p><div class="columns">{f"<p>{PROSE * 3}</p>" * 12}</div></div>'
    return f'<!DOCTYPE html><html lang="en"><head><title>x</title><style>{STYLE}</style></head><body>{held}{annex}</body></html>'


def laid_out(page: str) -> bytes:
    return pages.lay_out(page, (), DAY)


def test_kept_lines_change_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    page = page_of(f"<p>{PROSE * 10}</p>{DRAWING * 2}<table>{f'<tr><td>{PROSE}<td>{PROSE}' * 3}</table>")
    kept = laid_out(page)
    monkeypatch.setattr(lines, "kept_with", lambda fonts: fonts)
    assert laid_out(page) == kept


def test_words_in_equal_styles_are_broken_once_whatever_holds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every layout has styles of its own, and every element: what they say of the text decides."""
    laid_out(page_of("<p>x</p>"))  # the engine is there
    plain, broken = line_break.create_layout, []

    def counted(text: str, *more: Any) -> Any:
        broken.append(text)
        return plain(text, *more)

    monkeypatch.setattr(line_break, "create_layout", counted)
    laid_out(page_of("<p>once</p>" + "".join(f"<p style='color: {each}'>alone</p>" for each in ("red", "green", "blue"))))
    assert broken.count("alone") == broken.count("once") > 0
    broken.clear()
    laid_out(page_of("<p>once</p><p>alone</p><p><b>alone</b></p>"))
    assert broken.count("alone") == 2 * broken.count("once"), "bold letters are others"


def test_all_that_decides_on_a_line_is_compared() -> None:
    """A property that the engine asks for and that is not compared would have lines of one style stand for those of another."""
    asked: set[str] = set()

    class Noting(dict[str, Any]):
        def __getitem__(self, name: str) -> Any:
            asked.add(name)
            return super().__getitem__(name)

    laid_out(page_of("<p>x</p>"))
    fonts = lines.kept_with(FontConfiguration())
    for each in (
        {},
        {"hyphens": "auto", "lang": "en"},
        {"hyphens": "manual", "overflow_wrap": "anywhere", "letter_spacing": 1, "word_spacing": 1},
        {"text_decoration_line": {"underline"}, "tab_size": 4, "font_variation_settings": (("wght", 5),)},
        {"font_language_override": "ENG", "white_space": "pre-wrap"},
    ):
        style = Noting({**INITIAL_VALUES, "font_family": ("serif",), "font_weight": 400, "font_size": 12, "lang": None, **each})
        style.font_config, style.changing, style.kept_text = fonts, False, None  # type: ignore[attr-defined]
        for text in ("a line\tof text, unbreakableandlong", "soft\xadhyphen incomprehensibilities", "x"):
            for width in (None, 5, 40, 200):
                inline.split_first_line.plain(text, style, SimpleNamespace(dictionaries={}), width, 0)
    assert asked <= set(lines._OF_TEXT)
    assert len(asked) > len(lines._OF_TEXT) - 3


def few_words(percent: int) -> str:
    """Ten lines that take so much of a sheet of 482 points."""
    return f'<div style="line-height: {percent / 100 * 482 / 120:.3f}em">{"x<br>" * 9}x</div>'


@pytest.mark.parametrize("percent", [70, 105, 120, 160])
def test_a_part_that_seems_short_is_set_as_close_as_one_that_is_tried(percent: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As loose as it is, closer, at the closest, and at the closest on two sheets."""
    page = page_of(few_words(percent), '<a class="page-of" href="#annex">see</a>')
    seeming = laid_out(page)
    monkeypatch.setattr(pages, "_CHARACTERS", -1)
    assert laid_out(page) == seeming


def test_a_part_that_seems_short_and_takes_two_sheets_is_set_closer() -> None:
    page = page_of(few_words(105))
    sheets, loose = (
        [sheet.extract_text() for sheet in PdfReader(io.BytesIO(laid_out(each))).pages]
        for each in (page, page.replace(".close", ".far"))
    )
    assert sheets[0].count("x") == 10
    assert loose[0].count("x") < 10
