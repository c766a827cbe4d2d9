"""Geometry: what is drawn lies inside its frame, keeps its order, and leaves nothing out without a note."""

from __future__ import annotations

import dataclasses
import itertools
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

import report_examples as examples
from auditor.report import figures

NAMES = ("worst-case", "as-printed", "online", "tightened", "local", "measured")
betas = st.fixed_dictionaries({name: st.none() | st.floats(0, 1e6, allow_subnormal=False) for name in NAMES})


def details(rows, budget=0.3):
    return {
        "budget": budget,
        "criterion": "tightened",
        "series": [{"batch": str(t), "removed": t, "beta": beta, "retrained": t % 7 == 5} for t, beta in enumerate(rows)],
    }


@given(st.lists(betas, min_size=1, max_size=30), st.none() | st.floats(1e-8, 1e3))
def test_every_point_and_label_lies_inside_the_frame(rows, budget):
    figure = figures.budget(details(rows, budget))
    if figure is None:
        assert not any(value for row in rows for value in row.values())
        return
    for line in figure.lines:
        for run in line.runs:
            assert all(figure.left <= x <= figure.right and figure.top <= y <= figure.bottom for x, y in run)
        assert figure.top <= line.label_y <= figure.bottom
    assert all(figure.top - 0.01 <= tick.at <= figure.bottom + 0.01 for tick in figure.y_ticks)


@given(st.lists(betas, min_size=1, max_size=30))
def test_no_value_above_the_figure_is_left_out_silently(rows):
    figure = figures.budget(details(rows))
    if figure is None:
        return
    drawn = {line.name: sum(len(run) for run in line.runs) for line in figure.lines}
    for name in NAMES:
        missing = sum(row[name] is not None for row in rows[1:]) - drawn.get(name, 0)
        if missing > 0:
            title = {"worst-case": "worst case", "as-printed": "as printed"}.get(name, name)
            assert any(f"The {title} line leaves" in note or f"of the {title} line lie below" in note for note in figure.notes)


def test_larger_values_are_drawn_higher():
    figure = figures.budget(details([{"tightened": 10.0**-k} for k in (4, 3, 2, 1)]))
    (line,) = figure.lines
    heights = [y for run in line.runs for _, y in run]
    assert heights == sorted(heights, reverse=True)
    assert line.heavy


def test_the_budget_rule_stands_where_its_value_stands():
    figure = figures.budget(details([{"tightened": 0.001}, {"tightened": 0.3}, {"tightened": 0.01}], budget=0.3))
    assert min(y for run in figure.lines[0].runs for _, y in run) == figure.budget_y


def test_retraining_breaks_the_line():
    figure = figures.budget(details([{"tightened": 0.01 * (t + 1)} for t in range(8)]))
    assert len(figure.lines[0].runs) == 2
    assert len(figure.retrained) == 1


def test_tiny_leftover_before_the_first_removal_does_not_stretch_the_scale():
    figure = figures.budget(examples.passing().check("removal.budget").details)
    assert next(tick.label for tick in figure.y_ticks) == "10⁻⁴"
    assert {line.name for line in figure.lines} == {"as-printed", "online", "tightened", "local", "measured"}
    assert figure.notes == ("The worst case line leaves the figure: 82 after 20 removals.",)
    assert "0.3139" in figure.description


@pytest.mark.parametrize(
    "broken", [{}, {"series": []}, {"series": None}, {"series": [1, "x"]}, {"series": [{"removed": "many"}]}]
)
def test_nothing_to_draw_is_no_figure(broken):
    assert figures.budget(broken) is None


def test_series_with_gaps_and_foreign_values_is_drawn_as_far_as_it_goes():
    rows = [{"tightened": "x"}, {"tightened": None}, {"tightened": 0.1}, {"tightened": True}]
    figure = figures.budget(details(rows))
    assert sum(len(run) for run in figure.lines[0].runs) == 1


@given(st.lists(st.floats(0, 200), max_size=8))
def test_spread_keeps_order_distance_and_bounds(wanted):
    placed = figures.spread(sorted(wanted), 12.5, 0.0, 200.0)
    assert all(0 <= at <= 200 for at in placed)
    assert all(b - a >= 12.5 - 1e-9 for a, b in itertools.pairwise(placed))


@given(st.floats(1, 1e6))
def test_linear_ticks_are_whole_and_few(high):
    ticks = figures.linear_ticks(0, high)
    assert 1 <= len(ticks) <= 8
    assert all(tick == int(tick) and 0 <= tick <= high for tick in ticks)


def test_timeline_marks_late_and_open_requests():
    evidence = examples.failing()
    figure = figures.timeline(evidence.requests, date(2027, 2, 20))
    assert len(figure.rows) == 26
    assert "26 of 60" in figure.notes[0]
    late = [row for row in figure.rows if row.overdue]
    assert [row.outcome for row in late] == ["overdue", "overdue"]
    assert all(row.end > row.due for row in late)
    assert sum(row.is_open for row in figure.rows) == 1
    assert all(figure.left <= row.start < row.end <= figure.right + 1.5 for row in figure.rows)


def test_a_request_without_a_match_is_named_and_does_not_stretch_the_time_axis():
    one, two = examples.requests(2)
    gone = dataclasses.replace(two, status="no-match", deleted_at=None, days=None)
    near = figures.timeline((one, gone), date(2036, 1, 1))
    assert [row.outcome for row in near.rows] == ["9 days", "no-match"]
    assert near.rows[1].is_open is False
    assert near.rows == figures.timeline((one, gone), date(2026, 9, 1)).rows


def test_the_first_training_is_no_retraining():
    rows = details([{"tightened": 1e-9}, {"tightened": 0.01}])
    rows["series"][0]["retrained"] = True
    assert figures.budget(rows).retrained == ()


def test_timeline_of_an_empty_log_is_no_figure():
    assert figures.timeline((), date(2026, 1, 1)) is None


def test_timeline_of_one_request_received_and_deleted_on_its_due_date():
    (one,) = examples.requests(1)
    same = dataclasses.replace(one, status="open", due_on=one.received_on, deleted_at=None, days=None)
    figure = figures.timeline((same,), one.received_on)
    assert figure.rows[0].outcome == "open"
