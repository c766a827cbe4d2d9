"""Geometry of the SWAP figures: every mark and interval where its number is, in order, inside the frame."""

from __future__ import annotations

import dataclasses
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import report_examples as examples
from auditor.base.domain import Status
from auditor.pages.figures.axes import Symlog
from auditor.pages.words.rendered_evidence import ToldCheck
from auditor.parts.swap.judging.epsilon_consistency.rows import Row
from auditor.parts.swap.telling import epsilon_words
from auditor.parts.swap.telling.figures import epsilon_axis, swap_quality

signed = st.floats(-1, 1)
estimates = st.tuples(signed, signed, signed).map(sorted)
attacks = st.lists(st.tuples(estimates, estimates, estimates), max_size=18)
LEFTMOST, RIGHTMOST = 228.0, 528.0
"""Of the axis of ε, px."""
epsilons = st.just(0.0) | st.floats(1e-12, 1e9)


def held(estimate, key="advantage"):
    low, middle, high = estimate
    return {key: middle, "interval": [low, high]}


CONTROLS = {
    "do_nothing": {"quality": 1.0, "interval": [1.0, 1.0]},
    "retrained_fresh": {"quality": 1.0, "interval": [1.0, 1.0]},
    "retrained": {"quality": 1.0},
}


def quality_check(rows, value=0.9, ends=(0.8, 0.95), threshold=0.95):
    entries = [
        {
            "name": str(k),
            "title": f"attack {k}",
            "source": "",
            "auc": 0.5,
            **held(own),
            "do_nothing": held(idle),
            "retrained": held(null),
            "excess": held(null, "acceptance"),
            "blind": False,
        }
        for k, (own, idle, null) in enumerate(rows)
    ]
    derived = examples.quality_derived(0.1, 0.0, 0.1, attacks=entries, **CONTROLS)
    return ToldCheck("swap.quality", "title", Status.PASS, value, ends, threshold, "basis", derived=derived)


SIDES = ("procedure", "do-nothing", "fresh", "same")
LEFT, RIGHT = 232.0, 550.0


def texts(chart, name):
    return [note.text for note in chart.named(name)]


@given(attacks, st.floats(0, 1), st.none() | st.floats(0, 1))
def test_every_mark_lies_inside_the_frame_with_its_interval_around_it(rows, value, threshold):
    chart = swap_quality.quality(quality_check(rows, value, (value, value), threshold))
    for side in SIDES:
        marks = chart.named(side)
        assert all(LEFT <= mark.x <= RIGHT and 34 <= mark.y <= chart.height - 60 for mark in marks)
        for line in chart.named(f"interval-{side}"):
            (low, y), (high, _) = line.points
            assert any(mark.y == y and low <= mark.x <= high for mark in marks)
            assert LEFT <= low <= high <= RIGHT
    assert len(chart.named("threshold")) == (threshold is not None)
    assert all(LEFT <= tick.points[0][0] <= RIGHT for tick in chart.named("tick-across"))


@given(attacks)
def test_rows_stand_apart_and_what_is_left_out_is_named(rows):
    chart = swap_quality.quality(quality_check(rows))
    heights = [note.y for note in chart.named("attack")]
    assert all(b - a >= 24 for a, b in itertools.pairwise(heights))
    left_out = len(rows) - (len(heights) - 1)
    assert bool(chart.remarks) is (left_out > 0)
    assert left_out == max(0, len(rows) - 14)


def test_attacks_stand_worst_first_below_all_of_them_together():
    chart = swap_quality.quality(examples.failing().check("swap.quality"))
    assert texts(chart, "attack")[:3] == ["all attacks together", "rmia", "lira"]
    assert texts(chart, "attack-title")[0] == "Compared with many other records"
    worst = [mark.x for mark in chart.named("procedure")[1:]]
    assert worst == sorted(worst)
    assert texts(chart, "advantage")[:2] == ["+0.380", "+0.380"]
    assert texts(chart, "advantage")[-1] == "−0.057"
    assert all(note.bold for note in chart.named("advantage"))
    assert not any(note.bold for note in swap_quality.quality(examples.passing().check("swap.quality")).named("advantage"))


def test_a_larger_quality_stands_further_right_and_1_at_the_end():
    chart = swap_quality.quality(examples.passing().check("swap.quality"))
    together = {side: chart.named(side)[0] for side in SIDES}
    rule = chart.named("threshold")[0].points[0][0]
    assert together["do-nothing"].x < rule < together["fresh"].x < together["procedure"].x < together["same"].x == RIGHT
    assert not chart.named("interval-same")
    assert len({mark.y for mark in together.values()}) == 4
    assert len({mark.kind for mark in together.values()}) == 4, "they stay apart without colour"


def test_the_axis_spans_no_less_than_two_hundredths():
    labels = texts(swap_quality.quality(quality_check([], 1.0, (1.0, 1.0), None)), "label-across")
    assert (labels[0], labels[-1]) == ("0.98", "1")


def test_quality_with_gaps_is_drawn_as_far_as_it_goes():
    check = dataclasses.replace(quality_check([]), derived=None)
    chart = swap_quality.quality(check)
    assert [len(chart.named(side)) for side in SIDES] == [1, 0, 0, 0]
    assert swap_quality.quality(dataclasses.replace(check, value=None)) is None


def test_the_alternative_text_gives_all_four_figures():
    title = swap_quality.quality(examples.passing().check("swap.quality")).title
    for words in (
        "9 attacks",
        "the procedure 0.998 (0.986 to 1)",
        "baseline 0.69",
        "fresh seeds 0.985",
        "same seeds 1",
    ):
        assert words in title


@given(st.lists(epsilons, min_size=1, max_size=12), st.integers(1, 12))
def test_the_axis_of_epsilon_keeps_the_order_and_shows_0(values, decades):
    scale = Symlog.over(values, decades)
    assert scale.at(0.0) == 0.0
    placed = [scale.at(value) for value in sorted(values)]
    assert placed == sorted(placed)
    assert all(0 <= at <= 1 for at in placed)
    assert scale.high - scale.low <= max(2, decades)
    assert scale.at(10.0**scale.low) == pytest.approx(1 / (1 + scale.high - scale.low))
    assert scale.at(max(values)) < 1 or max(values) == 0


@given(st.lists(st.tuples(epsilons, st.lists(st.tuples(epsilons, st.booleans(), st.none() | epsilons), max_size=6)), max_size=4))
def test_lower_ends_lie_beyond_the_wall_just_where_they_refute(statements):
    rows = [
        examples.row(
            f"statement {k}",
            epsilon=upper,
            lower=[examples.lower_end("a", "a", low, decides=decides, null=null) for low, decides, null in lowers],
        )
        for k, (upper, lowers) in enumerate(statements)
    ]
    chart = epsilon_axis.epsilon([Row.model_validate(each) for each in rows])
    drawn = [(upper, lowers) for upper, lowers in statements if lowers]
    assert (chart is None) is (not drawn)
    if chart is None:
        return
    refuting = sum(decides and low > upper for upper, lowers in drawn for low, decides, _ in lowers)
    assert len(chart.named("refuting")) == len(chart.named("gap")) == refuting
    assert len(chart.named("refuted")) == sum(any(d and low > upper for low, d, _ in lowers) for upper, lowers in drawn)
    walls = [wall.points for wall in chart.named("wall")]
    assert all(LEFTMOST <= wall[0][0] <= RIGHTMOST for wall in walls)
    assert all(one[1][1] < other[0][1] for one, other in itertools.pairwise(walls))
    for mark in (*chart.named("refuting"), *chart.named("shown"), *chart.named("null")):
        assert LEFTMOST <= mark.x <= RIGHTMOST
        assert any(top < mark.y < bottom for (_, top), (_, bottom) in walls)
    for mark in chart.named("refuting"):
        assert any(top < mark.y < bottom and mark.x >= x for (x, top), (_, bottom) in walls)
    assert not refuting or chart.named("refuted")[0].y == chart.named("statement")[1].y, "the refuted come first"


def test_a_refuted_statement_is_hatched_between_the_wall_and_the_mark():
    chart = epsilon_axis.epsilon(epsilon_words.comparisons(examples.failing().check("epsilon.consistency")))
    assert texts(chart, "statement")[:2] == ["claimed (ε, δ)-certified removal:", "ε ≤ 1 at δ = 0.0001"]
    gap, wall, mark = chart.named("gap")[0], chart.named("wall")[0], chart.named("refuting")[0]
    assert (gap.left, gap.right) == (wall.points[0][0], mark.x)
    assert gap.hatching
    assert len(chart.named("gap")) == len(chart.named("refuting")) == 4
    assert chart.remarks == ["1 statement was not compared and not drawn; the reasons are listed below."]
    assert "refuted" in chart.title
    assert not epsilon_axis.epsilon(epsilon_words.comparisons(examples.passing().check("epsilon.consistency"))).named("refuted")


def test_an_axis_of_nothing_but_0_still_has_ticks():
    lower = [examples.lower_end("a", "attack", 0.0, null=0.0)]
    chart = epsilon_axis.epsilon([Row.model_validate(examples.row("retraining", epsilon=0.0, lower=lower))])
    assert texts(chart, "label-across") == ["0", "0.1", "1"]
    assert chart.named("wall")[0].points[0][0] == chart.named("shown")[0].x == LEFTMOST
    assert not chart.named("refuted")


def test_more_statements_than_fit_are_left_out_with_a_remark_and_never_a_refuted_one_before_another():
    lowers = [[examples.lower_end("a", "attack", low)] * 8 for low in (0.1, 0.2, 5.0, 0.3)]
    chart = epsilon_axis.epsilon([Row.model_validate(examples.row(str(k), lower=low)) for k, low in enumerate(lowers)])
    assert texts(chart, "statement")[::2] == ["2:", "0:", "1:"]
    assert len(chart.named("refuted")) == 1
    assert chart.remarks == ["The figure shows 3 of 4 statements, the refuted ones first; the table has all of them."]


def test_nothing_compared_is_no_figure():
    assert epsilon_axis.epsilon([]) is None
    assert epsilon_axis.epsilon([Row.model_validate(examples.row())]) is None
