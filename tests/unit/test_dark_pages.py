"""A report on a dark screen: each colour of the palette has a dark one that can be read, and drawings follow the page."""

from __future__ import annotations

import re

import pytest

import golden_reports
from auditor.pages import render
from auditor.pages.figures.chart import declared, on_dark
from colours import contrast

PAPER = "#ffffff"
TEXTS = ("ink", "muted", "accent", "pass", "fail", "open")
SHAPES = tuple(name for name in declared() if name.startswith("series") or name == "bar")


def page(name: str) -> str:
    return render.html(golden_reports.told(name))


def dark_rules(shown: str) -> str:
    """The rules that hold on a dark screen only."""
    begin = shown.index("@media screen and (prefers-color-scheme: dark) {")
    return shown[begin : shown.index("\n}\n", begin)]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("ground", ["ground", "tint"])
def test_texts_are_readable_on_light_and_on_dark_pages(text: str, ground: str) -> None:
    light = declared() | {"ground": PAPER}
    assert contrast(light[text], light[ground]) >= 4.5
    assert contrast(on_dark()[text], on_dark()[ground]) >= 4.5


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_stand_out_on_light_and_on_dark_pages(shape: str) -> None:
    assert contrast(declared()[shape], PAPER) >= 3
    assert contrast(on_dark()[shape], on_dark()["ground"]) >= 3


def test_the_page_takes_its_dark_colours_from_the_one_palette() -> None:
    rules = dark_rules(page("digits-newton"))
    assert dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6})", rules)) == on_dark()
    assert set(on_dark()) == {*declared(), "ground"}
    # A word on a plate of colour: the plate is light on a dark page, so the word is dark.
    assert re.search(r"\.status\.fail[^{]*\{ color: var\(--ground\); \}", rules)


@pytest.mark.parametrize("name", golden_reports.SHOWN)
def test_every_colour_of_a_drawing_follows_the_page(name: str) -> None:
    shown = page(name)
    rules, body = dark_rules(shown), shown[shown.index("</style>") :]
    drawn = set(re.findall(r'(fill|stroke)="(#[0-9a-f]{6})"', body))
    assert {value for _, value in drawn} > {PAPER}
    for kind, value in drawn:
        assert f'[{kind}="{value}"] {{ {kind}: var(--' in rules, (kind, value)


def test_nothing_else_of_the_page_has_a_colour_of_its_own() -> None:
    """A colour that is written out in a rule would stay as it is on a dark screen."""
    shown = page("digits-newton")
    sheet = shown[shown.index("<style>") : shown.index("</style>")].replace(dark_rules(shown), "")
    # White on a plate of colour is replaced above.
    left = re.sub(r":root \{[^}]*\}|\.status\.fail[^}]*\}", "", sheet)
    assert not re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[ ;])", left)
