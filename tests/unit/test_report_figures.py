"""Geometry: what is drawn lies inside its frame, keeps its order, and leaves nothing out without a note."""

from __future__ import annotations

import dataclasses
import itertools
from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

import report_examples as examples
from auditor.base.deletion_log.requests import Extension
from auditor.pages.figures.axes import linear_ticks, spread
from auditor.pages.figures.chart import Line, Mark
from auditor.parts.log.telling.figures import timeline
from auditor.parts.removal.telling import figures

NAMES = ("worst-case", "as-printed", "online", "tightened", "local", "measured")
betas = st.fixed_dictionaries({name: st.none() | st.floats(0, 1e6, allow_subnormal=False) for name in NAMES})


ENTRY = examples.budget_derived(examples.series(1, 0.0)).series[0]


def derived(rows, budget=0.3):
    series = tuple(
        ENTRY.model_copy(update={"batch": str(t), "removed": t, "beta": beta, "retrained": t % 7 == 5})
        for t, beta in enumerate(rows)
    )
    return examples.budget_derived((), budget=budget, criterion="tightened").model_copy(update={"series": series})


FRAME = (58.0, 474.0, 132.0, 328.0)
"""Left, right, top and bottom of the bounds below a gauge, px."""
MARK_TITLES = {"worst-case": "worst case", "as-printed": "as printed"}


def points(chart, name):
    """Every point of the lines and marks of one name."""
    shapes = chart.named(name)
    return [point for line in shapes if isinstance(line, Line) for point in line.points] + [
        (mark.x, mark.y) for mark in shapes if isinstance(mark, Mark)
    ]


def deciding(rows, budget=0.3):
    return figures.budget(derived([{"tightened": value} for value in rows], budget))


@given(st.lists(betas, min_size=1, max_size=30), st.none() | st.floats(1e-8, 1e3))
def test_every_point_and_label_lies_inside_the_drawing(rows, budget):
    chart = figures.budget(derived(rows, budget))
    if chart is None:
        assert not any(value for row in rows for value in row.values())
        return
    top, bottom = (FRAME[2], FRAME[3]) if chart.named("gauge") or chart.named("full") else (14.0, 210.0)
    for name in NAMES:
        assert all(FRAME[0] <= x <= FRAME[1] and top <= y <= bottom for x, y in points(chart, name))
    assert all(0 <= note.y <= chart.height for note in chart.notes)
    assert all(20.0 <= y <= 92.0 for x, y in points(chart, "gauge"))


@given(st.lists(betas, min_size=1, max_size=30))
def test_no_value_above_the_figure_is_left_out_silently(rows):
    chart = figures.budget(derived(rows))
    if chart is None:
        return
    for name in NAMES:
        missing = any(row[name] is not None for row in rows[1:]) and not points(chart, name)
        title = MARK_TITLES.get(name, name)
        named = any(f"The {title} line leaves" in said or f"of the {title} line" in said for said in chart.remarks)
        assert named or not missing


def test_larger_values_are_drawn_higher_and_the_line_that_decides_is_heavy():
    chart = deciding([10.0**-k for k in (4, 3, 2, 1)])
    (line,) = chart.named("tightened")[:1]
    heights = [y for _, y in line.points]
    assert heights == sorted(heights, reverse=True)
    assert line.width > 1.5


def test_the_budget_rule_stands_where_its_value_stands():
    chart = deciding([0.001, 0.3, 0.01])
    assert min(y for _, y in points(chart, "tightened")) == chart.named("budget")[0].points[0][1]


def test_the_gauge_shows_the_share_of_the_budget_and_where_it_is_crossed():
    chart = deciding([0.0, 0.15, 0.27, 0.33, 0.6])
    (gauge,), (full,), (crossing,), (said,) = map(chart.named, ("gauge", "full", "crossing", "crossed"))
    heights = [y for _, y in gauge.points]
    assert heights == sorted(heights, reverse=True)
    assert sum(y < full.points[0][1] for y in heights) == 3, "after the third removal and from there on"
    assert crossing.points[0][0] == pytest.approx(FRAME[0] + (FRAME[1] - FRAME[0]) * 3 / 4)
    assert said.text == "crossed at 3, after 3 removals"
    assert "The budget was crossed at 3, after 3 removals." in chart.title
    assert any(note.text == "Budget used, rounded up: 200\u00a0%" for note in chart.notes)


@pytest.mark.parametrize(
    ("last", "said"), [(0.29999, "99.9\u00a0%"), (0.3, "100\u00a0%"), (0.0001, "0.1\u00a0%"), (0.30001, "100.1\u00a0%")]
)
def test_a_budget_is_said_to_be_used_up_only_where_it_is(last, said):
    chart = deciding([0.0, last])
    assert f"Budget used, rounded up: {said}" in [note.text for note in chart.notes]
    assert bool(chart.named("crossing")) is (last > 0.3)


def test_a_budget_that_is_kept_has_no_crossing():
    assert deciding([0.0, 0.1, 0.3]).named("crossing") == ()


def test_retraining_breaks_the_line():
    chart = deciding([0.01 * (t + 1) for t in range(8)])
    assert sum(isinstance(shape, Line) for shape in chart.named("tightened")) == 2
    assert len(chart.named("retrained")) == 1


def test_tiny_leftover_before_the_first_removal_does_not_stretch_the_scale():
    chart = figures.budget(examples.passing().check("removal.budget").derived)
    assert chart.named("label-up")[-1].text != "10⁻⁹"
    assert {name for name in NAMES if chart.named(name)} == {"as-printed", "online", "tightened", "local", "measured"}
    assert chart.remarks == ["The worst case line leaves the figure: 82 after 20 removals."]
    assert "0.3139" in chart.title


@pytest.mark.parametrize("rows", [[], [{"tightened": None}], [{}]])
def test_nothing_to_draw_is_no_figure(rows):
    assert figures.budget(derived(rows)) is None


def test_series_with_gaps_and_negative_values_is_drawn_as_far_as_it_goes():
    chart = deciding([-1.0, None, 0.1, None])
    assert len(chart.named("tightened")) == 1, "a mark alone"


@given(st.lists(st.floats(0, 200), max_size=8))
def test_spread_keeps_order_distance_and_bounds(wanted):
    placed = spread(sorted(wanted), 12.5, 0.0, 200.0)
    assert all(0 <= at <= 200 for at in placed)
    assert all(b - a >= 12.5 - 1e-9 for a, b in itertools.pairwise(placed))


@given(st.floats(1, 1e6))
def test_linear_ticks_are_whole_and_few(high):
    ticks = linear_ticks(0, high)
    assert 1 <= len(ticks) <= 8
    assert all(tick == int(tick) and 0 <= tick <= high for tick in ticks)


def outcomes(chart):
    return [note.text for note in chart.named("outcome")]


def test_timeline_marks_late_and_open_requests():
    evidence = examples.failing()
    chart = timeline(evidence.requests, date(2027, 2, 20))
    assert len(outcomes(chart)) == 26
    assert [note.text for note in chart.named("heading")] == ["outcome"]
    assert all(note.ends[1] <= chart.width for note in chart.notes), "none is cut at the edge"
    assert "26 of 60" in chart.remarks[0]
    assert (
        sum(said in {"answered late", "erased late", "no answer", "open, overdue"} for said in outcomes(chart))
        == len(chart.named("late"))
        == 2
    )
    assert outcomes(chart).count("still open") == len(chart.named("open")) == 1
    for late in chart.named("late"):
        assert any(due.points[0][0] == late.left for due in chart.named("due"))
    assert all(160 <= bar.left < bar.right <= 528 + 1.5 for bar in chart.named("bar"))


def test_the_three_dates_and_an_extension_stand_where_their_days_are():
    (one,) = examples.requests(1)

    def after(days):
        return datetime.combine(one.received_on + timedelta(days=days), time(12), UTC)

    asked = dataclasses.replace(
        one,
        due_on=one.received_on + timedelta(days=100),
        data_erased_at=after(10),
        model_erased_at=after(20),
        answered_at=after(50),
        extension=Extension(after(25), "many requests", one.received_on + timedelta(days=90)),
    )
    chart = timeline((asked,), date(2027, 1, 1))
    at = {name: chart.named(name)[0].x for name in ("data", "model", "informed", "extended")}
    assert at == pytest.approx({"data": 196.8, "model": 233.6, "informed": 344.0, "extended": 252.0})
    assert len({chart.named(name)[0].kind for name in at}) == 4, "they stay apart without colour"
    assert chart.named("due")[0].points[0][0] == 528.0
    assert [x for x, _ in chart.named("extension")[0].points] == pytest.approx([252.0, 491.2])
    assert chart.named("bar")[0].right == at["informed"], "the deadline is for informing"
    assert outcomes(chart) == ["took 50 days"]
    assert "informed" in chart.details
    assert {note.text for note in chart.named("legend")} == {
        "data erased",
        "model updated",
        "informed",
        "extension notified",
        "due",
    }


def test_whoever_was_never_informed_waits_until_the_day_of_the_audit():
    (one,) = examples.requests(1)
    silent = timeline((dataclasses.replace(one, overdue=True),), one.due_on + timedelta(days=60))
    assert outcomes(silent) == ["no answer"]
    waiting = dataclasses.replace(one, overdue=True, status="open", deleted_at=None, days=None)
    still = timeline((waiting,), one.due_on + timedelta(days=60))
    assert outcomes(still) == ["open, overdue"]
    assert all(note.ends[1] <= still.width for note in still.notes), "it is not cut at the edge"
    assert silent.named("late")[0].right == 528.0


@pytest.mark.parametrize(("status", "said"), [("denied", "refused"), ("revoked", "withdrawn"), ("not-located", "not located")])
def test_a_request_that_was_not_carried_out_says_why(status, said):
    (one,) = examples.requests(1)
    asked = dataclasses.replace(one, status=status, deleted_at=None, days=None)
    assert outcomes(timeline((asked,), one.due_on)) == [said]


def test_over_years_every_request_begins_at_its_own_receipt():
    chart = timeline(examples.requests(1000, overdue=3), date(2029, 5, 20))
    assert {bar.left for bar in chart.named("bar")} == {160.0}
    assert chart.named("title-across")[0].text == "days since the request was received"
    assert chart.named("label-across")[0].text == "0"
    assert len(chart.named("late")) == 3
    for late in chart.named("late"):
        assert late.right - late.left > 20, "what is overdue can be seen"


def test_a_request_without_a_match_is_named_and_does_not_stretch_the_time_axis():
    one, two = examples.requests(2)
    gone = dataclasses.replace(two, status="no-match", deleted_at=None, days=None)
    near = timeline((one, gone), date(2036, 1, 1))
    assert outcomes(near) == ["took 9 days", "no match"]
    assert not near.named("open")
    assert near.shapes == timeline((one, gone), date(2026, 9, 1)).shapes


def test_the_first_training_is_no_retraining():
    found = derived([{"tightened": 1e-9}, {"tightened": 0.01}])
    first, *others = found.series
    retrained = (first.model_copy(update={"retrained": True}), *others)
    assert figures.budget(found.model_copy(update={"series": retrained})).named("retrained") == ()


def test_timeline_of_an_empty_log_is_no_figure():
    assert timeline((), date(2026, 1, 1)) is None


def test_timeline_of_one_request_received_and_due_on_the_day_of_the_audit():
    (one,) = examples.requests(1)
    same = dataclasses.replace(one, status="open", due_on=one.received_on, deleted_at=None, days=None)
    assert outcomes(timeline((same,), one.received_on)) == ["still open"]
