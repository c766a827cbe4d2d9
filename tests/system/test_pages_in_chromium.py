"""The HTML report as a browser shows it: axe-core finds nothing, nothing overflows on a narrow screen, and it can be printed."""

from __future__ import annotations

import io
import re
from collections import Counter
from html.parser import HTMLParser

import pytest
from pypdf import PdfReader

from auditor.pages import render
from tests import chromium
from tests.remedied import golden

SHOWN = ("digits-newton", "digits-newton-overrun", "secret-counter")
in_browser = pytest.mark.skipif(chromium.BROWSER is None, reason="no Chromium here: apt-get install chromium")


@pytest.fixture(scope="module", params=SHOWN)
def page(request):
    return render.html(golden(request.param))


@pytest.mark.slow
@in_browser
@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_overflows_and_axe_finds_nothing(page, width, tmp_path):
    seen = chromium.look(page, width, tmp_path)
    assert seen.width == width
    assert not seen.wide
    assert seen.scroll <= width
    if seen.axe is None:
        pytest.skip("laid out; axe-core is not here: make browser")
    assert not seen.axe


@pytest.mark.slow
@in_browser
def test_a_print_of_the_page_holds_its_verdict_and_its_steps(page, tmp_path):
    reader = PdfReader(io.BytesIO(chromium.printed(page, tmp_path)))
    text = " ".join("".join(each.extract_text() for each in reader.pages).split())
    assert len(reader.pages) > 1
    assert "Decision" in text
    assert "What to do" in text


class Structure(HTMLParser):
    """What a screen reader goes by: language, headings, names of figures, heads of tables, targets of links."""

    def __init__(self, page):
        super().__init__()
        self.language, self.levels, self.ids, self.targets = None, [], [], []
        self.tables, self.unnamed, self.outside = [], [], []
        self._figures = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "html":
            self.language = given.get("lang")
        elif re.fullmatch(r"h[1-6]", tag):
            self.levels.append(int(tag[1]))
        elif tag == "a" and given.get("href", "").startswith("#"):
            self.targets.append(given["href"][1:])
        elif tag == "table":
            self.tables.append(False)
        elif tag == "th" and self.tables:
            self.tables[-1] = True
        elif tag == "svg":
            self._figures.append(bool(given.get("aria-label") or given.get("aria-labelledby") or given.get("aria-hidden")))
        elif tag == "title" and self._figures:
            self._figures[-1] = True
        if tag in {"script", "iframe", "object", "embed", "link"} or re.match(r"(?i)(https?:)?//", given.get("src") or ""):
            self.outside.append(tag)

    def handle_endtag(self, tag):
        if tag == "svg":
            self.unnamed += [] if self._figures.pop() else ["svg"]


def test_structure(page):
    found = Structure(page)
    assert found.language == "en"
    assert found.levels[0] == 1
    assert all(after - before <= 1 for before, after in zip(found.levels, found.levels[1:], strict=False))
    assert not [name for name, count in Counter(found.ids).items() if count > 1]
    assert set(found.targets) <= set(found.ids)
    assert all(found.tables)
    assert not found.unnamed
    assert not found.outside
