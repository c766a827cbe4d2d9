"""Geometry of the figure of steps: every point where its number is, the declared steps and the threshold marked."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import deletion_examples as examples
from auditor.report import figures
from auditor.report.figures.deletion_steps import DECADES

epsilons = st.none() | st.just(0.0) | st.floats(1e-300, 1e12)
curves = st.lists(st.tuples(st.integers(0, 10**9), epsilons, epsilons), max_size=45, unique_by=lambda point: point[0])


def details(rows, declared=None, **changes):
    curve = [{"steps": steps, "epsilon_dd": own, "gaussian": beside} for steps, own, beside in rows]
    return {"curve": curve, "order": 2.0, "theorem": "5.1", "settings": {"unlearn_steps": declared}, **changes}


@given(curves, st.none() | st.integers(0, 10**9), st.none() | st.floats(1e-300, 1e12))
def test_all_that_is_drawn_lies_inside_the_frame(rows, declared, threshold):
    figure = figures.deletion_steps(details(rows, declared), threshold)
    known = [value for _, *values in rows for value in values if value]
    assert (figure is None) is (not known)
    if figure is None:
        return
    for line in figure.lines:
        for x, y in itertools.chain(*line.runs):
            assert figure.left <= x <= figure.right
            assert figure.top - 0.01 <= y <= figure.bottom + 0.01
        assert 0 <= line.label_x < figure.width
        assert figure.top - 8 <= line.label_y <= figure.bottom
        if line.at:
            assert line.at[0] == figure.declared_x
    assert all(figure.left <= tick.at <= figure.right for tick in figure.x_ticks)
    assert len(figure.y_ticks) <= DECADES + 1
    drawn = sum(len(run) for line in figure.lines for run in line.runs)
    assert any("not drawn" in note for note in figure.notes) is (drawn < len(known))
    if figure.threshold_y is None and threshold is not None:
        assert any("threshold" in note for note in figure.notes)


@given(st.floats(1e-290, 1e10), st.floats(0.001, 100), st.integers(1, 10_000))
def test_what_the_declared_steps_reach_is_always_in_the_drawing(start, fade, steps):
    rows = [(k, start * math.exp(-fade * k) or None, None) for k in sorted({*range(0, 2 * steps, max(1, steps // 20)), steps})]
    reached = next(own for k, own, _ in rows if k == steps)
    figure = figures.deletion_steps(details(rows, steps), 0.01)
    (line,) = figure.lines
    assert (line.at is not None) is (reached is not None)


def test_a_smaller_epsilon_stands_lower_and_more_steps_further_right():
    check = examples.renyi_check()
    figure = figures.deletion_steps(check.details, check.threshold)
    theorem, beside = sorted(figure.lines, key=lambda line: not line.heavy)
    ((*points,),) = theorem.runs
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    assert [y for _, y in points] == sorted(y for _, y in points)
    assert theorem.at[1] < beside.at[1]
    assert figure.threshold_y < theorem.at[1], "the declared steps reach below the threshold"
    assert theorem.at in points
    assert (theorem.label, figure.threshold_label) == ("theorem: 0.005253", "threshold 0.01")
    assert figure.declared_label == "declared: 60 steps"
    assert (theorem.dash, bool(beside.dash)) == ("", True), "they stay apart without colour"
    assert theorem.marker != beside.marker
    assert "theorem 0.005253" in figure.description
    assert "at order 2 (logarithmic)" in figure.axis_label


def test_where_the_trade_off_decides_its_line_is_the_heavy_one():
    figure = figures.deletion_steps(examples.renyi_details(theorem="gaussian"), 0.01)
    assert [line.label.split(":")[0] for line in figure.lines if line.heavy] == ["trade-off"]


def test_a_line_that_leaves_the_frame_has_its_label_where_it_does():
    rows = [(k, 0.1 * 0.9**k, 0.09 * 0.1**k) for k in range(41)]
    figure = figures.deletion_steps(details(rows, 5), 0.01)
    leaving = next(line for line in figure.lines if not line.leads)
    assert leaving.label_x < figure.right
    assert figure.notes == ("30 values lie outside 10⁻¹² to 1 and are not drawn.",)


def test_a_threshold_far_away_is_named_in_a_note():
    figure = figures.deletion_steps(details([(k, 1e-20, None) for k in range(3)], 1), 0.5)
    assert figure.threshold_y is None
    assert "The threshold 0.5 lies outside the figure." in figure.notes


@pytest.mark.parametrize("curve", [None, "x", [], [{"steps": None}], [{"steps": 3, "epsilon_dd": None}], [{"epsilon_dd": 1.0}]])
def test_without_a_curve_there_is_no_figure(curve):
    assert figures.deletion_steps({"curve": curve}, 0.1) is None


def test_beside_a_false_premise_there_is_no_figure():
    check = examples.falling_short().check("deletion.renyi")
    assert check.details["curve"]
    assert figures.deletion_steps(check.details, check.threshold) is None
