"""The primitive of every figure: what is drawn is well-formed SVG of one palette, readable in print and without sight."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hostile_text
from auditor.base import resources
from auditor.pages.figures import chart as palette
from auditor.pages.figures.axes import Frame, Linear, Logarithmic, Symlog, Ticked, fitting, legend
from auditor.pages.figures.chart import LABEL, Chart, text_width
from colours import contrast

SPACE = "{http://www.w3.org/2000/svg}"
ticks = st.lists(st.tuples(st.floats(0, 600), st.text("0123456789.,m", max_size=9)), max_size=30)


def drawn(chart):
    """The chart as a tree of elements."""
    return ET.fromstring(chart.svg())


def test_every_shape_is_drawn_in_order_with_title_and_description():
    chart = Chart(50, "what it shows", "row by row")
    chart.band((1, 2, 30, 40))
    chart.line(((0, 0), (10, 10)))
    for kind in ("disc", "ring", "square", "block", "triangle", "diamond"):
        chart.mark(kind, 5, 5)
    chart.note(3, 4, "a note")
    tags = [element.tag.removeprefix(SPACE) for element in drawn(chart)]
    assert tags[:5] == ["title", "desc", "rect", "rect", "polyline"]
    assert tags[5:11] == ["path"] * 6
    assert tags[-1] == "text"
    assert drawn(chart).find(f"{SPACE}title").text == "what it shows"
    assert drawn(chart).attrib["role"] == "img"


def test_nothing_is_drawn_of_what_has_no_extent():
    chart = Chart(50, "empty")
    chart.line([(1, 1)])
    chart.band((5, 5, 5, 9))
    chart.note(1, 1, "\u202e")
    assert chart.shapes == []


@pytest.mark.parametrize("text", [*hostile_text.PAYLOADS, '</svg><script>alert("x")</script>', "a\x00b\u202ec", "]]>"])
def test_hostile_text_stays_text(text):
    chart = Chart(50, text, text)
    chart.note(1, 1, text)
    tree = drawn(chart)
    assert {element.tag.removeprefix(SPACE) for element in tree.iter()} <= {"svg", "title", "desc", "rect", "text"}
    assert not hostile_text.INVISIBLE & set("".join(tree.itertext()))


def test_no_label_is_smaller_than_eight_points():
    chart = Chart(50, "small")
    chart.note(1, 1, "tiny", size=4.0)
    assert LABEL * 0.75 >= 8
    assert all(float(text.attrib["font-size"]) * 0.75 >= 8 for text in drawn(chart).iter(f"{SPACE}text"))


def test_colours_come_from_the_style_sheet_and_an_unknown_one_is_an_error():
    sheet = (resources.templates() / "styles" / "shared.css").read_text(encoding="utf-8")
    assert f"--fail: {palette.colour('fail')}" in sheet
    assert len({palette.series(number) for number in range(9)}) == 9
    assert palette.series(9) == palette.series(0)
    with pytest.raises(KeyError):
        Chart(50, "").line(((0, 0), (1, 1)), "no-colour")


@pytest.mark.parametrize("name", ["ink", "muted", "accent", "pass", "fail", "open", *(f"series-{k}" for k in range(1, 10))])
def test_words_in_every_colour_can_be_read_on_white(name):
    assert contrast(palette.colour(name), "#ffffff") >= 4.5


@given(ticks)
def test_labels_along_an_axis_never_touch(given_ticks):
    kept = fitting(given_ticks)
    for (one, label), (other, beside) in pairwise(kept):
        assert one + text_width(label) / 2 < other - text_width(beside) / 2
    wanted = [tick for tick in given_ticks if tick[1]]
    assert set(kept) <= set(wanted)
    assert bool(kept) is bool(wanted)


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_a_larger_value_is_never_left_of_a_smaller_one_nor_outside(one, other):
    low, high = sorted((one, other))
    for scale in (Linear(-10, 10), Symlog(-2, 3), Ticked(Linear(0, 1), ())):
        assert 0 <= scale.at(low) <= scale.at(high) <= 1
    if low > 0:
        assert 0 <= Logarithmic(0.1, 100).at(low) <= Logarithmic(0.1, 100).at(high) <= 1


def test_a_frame_places_its_corners():
    frame = Frame(10, 110, 20, 70, Linear(0, 5), Logarithmic(1, 100), inset=5)
    assert (frame.x(0), frame.x(5), frame.y(1), frame.y(100), frame.y(10)) == (15, 105, 70, 20, 45)


def test_labels_up_the_axis_stand_apart():
    chart = Chart(200, "crowded")
    crowd = Ticked(Linear(0, 1), tuple((k / 40, str(k)) for k in range(41)))
    Frame(50, 90, 10, 110, Linear(0, 1), crowd).draw_up(chart)
    heights = [note.y for note in chart.named("label-up")]
    assert 2 < len(heights) < 10
    assert all(one - other >= LABEL for one, other in pairwise(heights))


def test_keys_of_a_legend_follow_one_another():
    chart = Chart(50, "keys")
    legend(chart, 20, [(lambda x: chart.mark("disc", x, 20), words) for words in ("first of them", "second", "third")])
    notes, marks = chart.notes, [shape for shape in chart.shapes if shape not in chart.notes]
    assert all(mark.x < note.x for mark, note in zip(marks, notes, strict=True))
    assert all(one.ends[1] < mark.x for one, mark in zip(notes, marks[1:], strict=False))
