"""Geometry of the figure of steps: every point where its number is, the declared steps and the threshold marked."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import deletion_examples as examples
from auditor.pages.figures.chart import Line, Mark
from auditor.parts.data_deletion.judging.derived import AfterSteps, Sizes
from auditor.parts.data_deletion.telling.figures import DECADES, deletion_steps

epsilons = st.none() | st.just(0.0) | st.floats(1e-300, 1e12)
curves = st.lists(st.tuples(st.integers(0, 10**9), epsilons, epsilons), max_size=45, unique_by=lambda point: point[0])


BASE = examples.renyi_derived()


def derived(rows, declared=None):
    curve = tuple(AfterSteps(steps=steps, epsilon_dd=own, gaussian=beside) for steps, own, beside in rows)
    known = {} if declared is None else {"unlearn_steps": declared}
    settings = BASE.settings.model_copy(update=known) if known else Sizes(rows=500, parameters=30, largest_batch=2)
    return BASE.model_copy(update={"curve": curve, "settings": settings})


LEFT, RIGHT, TOP, BOTTOM = 62.0, 460.0, 24.0, 234.0


def points(chart, name):
    """The points of a line, and a mark where it is one point alone."""
    shapes = chart.named(name)
    return [point for one in shapes if isinstance(one, Line) for point in one.points] + [
        (one.x, one.y) for one in shapes if isinstance(one, Mark)
    ]


def label(chart, name):
    (note,) = chart.named(f"label-{name}")
    return note


@given(curves, st.none() | st.integers(0, 10**9), st.none() | st.floats(1e-300, 1e12))
def test_all_that_is_drawn_lies_inside_the_frame(rows, declared, threshold):
    chart = deletion_steps(derived(rows, declared), threshold)
    known = [value for _, *values in rows for value in values if value]
    assert (chart is None) is (not known)
    if chart is None:
        return
    drawn = points(chart, "epsilon_dd") + points(chart, "gaussian")
    assert all(LEFT <= x <= RIGHT and TOP - 0.01 <= y <= BOTTOM + 0.01 for x, y in drawn)
    assert all(TOP - 20 <= note.y <= chart.height for note in chart.notes)
    for name in ("epsilon_dd", "gaussian"):
        assert all(mark.x == chart.named("declared")[0].points[0][0] for mark in chart.named(f"declared-{name}"))
    assert len(chart.named("label-up")) <= DECADES + 1
    assert any("not drawn" in said for said in chart.remarks) is (len(drawn) < len(known))
    if not chart.named("threshold") and threshold is not None:
        assert any("threshold" in said for said in chart.remarks)


@given(st.floats(1e-290, 1e10), st.floats(0.001, 100), st.integers(1, 10_000))
def test_what_the_declared_steps_reach_is_always_in_the_drawing(start, fade, steps):
    rows = [(k, start * math.exp(-fade * k) or None, None) for k in sorted({*range(0, 2 * steps, max(1, steps // 20)), steps})]
    reached = next(own for k, own, _ in rows if k == steps)
    chart = deletion_steps(derived(rows, steps), 0.01)
    assert bool(chart.named("declared-epsilon_dd")) is (reached is not None)


def test_a_smaller_epsilon_stands_lower_and_more_steps_further_right():
    check = examples.renyi_check()
    chart = deletion_steps(check.derived, check.threshold)
    (theorem,), (beside,) = chart.named("epsilon_dd"), chart.named("gaussian")
    assert theorem.width > beside.width
    assert [x for x, _ in theorem.points] == sorted(x for x, _ in theorem.points)
    assert [y for _, y in theorem.points] == sorted(y for _, y in theorem.points)
    (at,), (other,) = chart.named("declared-epsilon_dd"), chart.named("declared-gaussian")
    assert at.y < other.y
    assert chart.named("threshold")[0].points[0][1] < at.y, "the declared steps reach below the threshold"
    assert (at.x, at.y) in theorem.points
    assert (label(chart, "epsilon_dd").text, label(chart, "threshold").text) == ("theorem: 0.005253", "threshold 0.01")
    assert "declared: 60 steps" in [note.text for note in chart.notes]
    assert (theorem.dash, bool(beside.dash)) == ("", True), "they stay apart without colour"
    assert at.kind != other.kind
    assert "theorem 0.005253" in chart.title
    assert "at order 2 (logarithmic)" in chart.named("title-up")[0].text


def test_where_the_trade_off_decides_its_line_is_the_heavy_one():
    chart = deletion_steps(examples.renyi_derived(theorem="gaussian"), 0.01)
    assert [label(chart, name).bold for name in ("epsilon_dd", "gaussian")] == [False, True]


def test_a_line_that_leaves_the_frame_has_its_label_where_it_does():
    rows = [(k, 0.1 * 0.9**k, 0.09 * 0.1**k) for k in range(41)]
    chart = deletion_steps(derived(rows, 5), 0.01)
    assert (len(chart.named("lead-epsilon_dd")), len(chart.named("lead-gaussian"))) == (1, 0)
    assert label(chart, "gaussian").x < RIGHT
    assert chart.remarks == ["30 values lie outside 10⁻¹² to 1 and are not drawn."]


def test_a_threshold_far_away_is_named_in_a_remark():
    chart = deletion_steps(derived([(k, 1e-20, None) for k in range(3)], 1), 0.5)
    assert chart.named("threshold") == ()
    assert "The threshold 0.5 lies outside the figure." in chart.remarks


@pytest.mark.parametrize("rows", [[], [(3, None, None)], [(3, 0.0, None)]])
def test_without_a_curve_there_is_no_figure(rows):
    assert deletion_steps(derived(rows), 0.1) is None


def test_beside_a_false_premise_there_is_no_figure():
    check = examples.falling_short().check("deletion.renyi")
    assert check.derived.curve
    assert deletion_steps(check.derived, check.threshold) is None
