"""What a notebook shows of an audit: it stays in its element, runs nothing, and can be read on light and on dark pages."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import report_examples as examples
from auditor.api import Audit
from auditor.pages import notebook
from auditor.pages.figures.chart import on_dark
from auditor.pages.words.premises import lines
from auditor.pages.words.rendered_evidence import tell
from hostile_text import HOSTILE, INVISIBLE, PAYLOADS, Skeleton, spoiled, without_drawings
from sample_cases import GOLDEN, golden

STYLES = Path(__file__).parents[2] / "templates" / "styles"
EVERY = sorted(path.stem for path in GOLDEN.glob("*.json"))
VOID = {"meta", "br", "hr", "img", "path", "rect", "circle", "polyline"}


class Balanced(HTMLParser):
    """Fails where a tag is closed that is not open."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Closed at once."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", EVERY)
def test_every_kind_of_audit_is_shown_in_one_element(name: str) -> None:
    audit = Audit(golden(name))
    shown = audit._repr_html_()
    assert shown is not None
    Balanced(shown)
    assert shown.startswith('<div class="auditor-audit">')
    assert shown.count('<p class="auditor-headline ') == 1
    assert len(shown) < 400_000
    assert not re.search(r"<script|<link|<iframe|<img|\bid=|\bon\w+=|https?://(?!www\.w3\.org/2000/svg)|url\(|@import", shown)
    assert len(repr(audit).splitlines()) == 2 + len(notebook.plain.required_checks(audit.told)) + len(lines(audit.evidence))


def rules(shown: str) -> list[str]:
    """The selectors of its style."""
    sheet = re.search(r"<style>(.*?)</style>", shown, re.DOTALL)
    assert sheet is not None
    bare = re.sub(r"/\*.*?\*/|@media [^{]*", "", sheet[1], flags=re.DOTALL)
    return [one.strip() for group in re.findall(r"([^{}]+)\{", bare) for one in group.split(",") if one.strip()]


def test_its_style_touches_nothing_else() -> None:
    found = rules(notebook.html(tell(golden("digits-newton"))))
    assert len(found) > 40
    assert not [each for each in found if ".auditor-audit" not in each]
    assert not [each for each in found if each.startswith(("body", "html", "table", ":root"))]


@pytest.mark.parametrize("example", ["passing", "failing", "broken_off"])
def test_text_from_outside_is_text(example: str) -> None:
    """An id or a name that closes the table, opens a script or turns the line around."""
    told = getattr(examples, example)()
    wild = spoiled(told, HOSTILE)
    plain, shown = Skeleton(notebook.html(told)), Skeleton(notebook.html(wild))
    tags = [{tag for tag, *_ in without_drawings(each.tags)} for each in (plain, shown)]
    assert tags[1] <= tags[0]
    assert not INVISIBLE & set("".join(shown.text))
    names = {name for _, name, _ in shown.values}
    assert names <= {name for _, name, _ in plain.values} | {"open"}
    assert not {"src", "href", "onload", "onerror", "style"} & names


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_plain_form_has_no_control_characters(payload: str) -> None:
    said = notebook.lines(spoiled(examples.failing(), payload))
    assert not INVISIBLE & set(said)
    assert said.count("\n") < 60


def test_dark_pages_have_the_dark_palette_of_all_pages() -> None:
    shown = notebook.html(tell(golden("breast-cancer-dp")))
    for name, value in on_dark().items():
        assert f"--auditor-{name}: {value};" in shown


def test_colours_of_drawings_follow_the_page() -> None:
    shown = notebook.html(tell(golden("breast-cancer-dp")))
    drawn = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]{6})"', shown[shown.index("</style>") :]))
    assert drawn
    for colour in drawn:
        assert f'[fill="{colour}"]' in shown
        assert f'[stroke="{colour}"]' in shown
