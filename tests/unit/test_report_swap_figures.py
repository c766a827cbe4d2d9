"""Geometry of the SWAP figures: every mark and interval where its number is, in order, inside the frame."""

from __future__ import annotations

import dataclasses
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import report_examples as examples
from auditor.domain import Status
from auditor.report import figures
from auditor.words.told import ToldCheck

signed = st.floats(-1, 1)
estimates = st.none() | st.tuples(signed, signed, signed).map(sorted)
attacks = st.lists(st.tuples(estimates, estimates, estimates), max_size=18)
epsilons = st.just(0.0) | st.floats(1e-12, 1e9)


def held(estimate, key="advantage"):
    if estimate is None:
        return {key: None, "interval": None}
    low, middle, high = estimate
    return {key: middle, "interval": [low, high]}


def quality_check(rows, value=0.9, ends=(0.8, 0.95), threshold=0.95, **details):
    entries = [
        {"name": str(k), "title": f"attack {k}", **held(own), "do_nothing": held(idle), "retrained": held(null)}
        for k, (own, idle, null) in enumerate(rows)
    ]
    return ToldCheck("swap.quality", "title", Status.PASS, value, ends, threshold, "basis", {"attacks": entries, **details})


@given(attacks, st.floats(0, 1), st.none() | st.floats(0, 1))
def test_every_mark_lies_inside_the_frame_with_its_interval_around_it(rows, value, threshold):
    figure = figures.quality(quality_check(rows, value, (value, value), threshold))
    for row in figure.rows:
        assert figure.top < row.y < figure.bottom
        for mark in row.marks:
            assert figure.left <= mark.x <= figure.right
            assert figure.top <= mark.y <= figure.bottom
            if mark.ends:
                assert figure.left <= mark.ends[0] <= mark.x <= mark.ends[1] <= figure.right
    assert figure.rule_x is None or figure.left <= figure.rule_x <= figure.right
    assert (figure.rule_x is None) is (threshold is None)
    assert all(figure.left <= tick.at <= figure.right for tick in figure.x_ticks)


@given(attacks)
def test_rows_stand_apart_and_what_is_left_out_is_named(rows):
    figure = figures.quality(quality_check(rows))
    heights = [row.y for row in figure.rows]
    assert all(b - a >= 29 for a, b in itertools.pairwise(heights))
    left_out = len(rows) - (len(figure.rows) - 1)
    assert bool(figure.notes) is (left_out > 0)
    assert left_out == max(0, len(rows) - 14)


def test_attacks_stand_worst_first_below_all_of_them_together():
    figure = figures.quality(examples.failing().check("swap.quality"))
    assert [row.label for row in figure.rows[:3]] == ["all attacks together", "rmia", "lira"]
    assert [row.title for row in figure.rows[:2]] == ["", "Ratio to reference models"]
    worst = [row.marks[0].x for row in figure.rows[1:]]
    assert worst == sorted(worst)
    assert [row.advantage for row in figure.rows[:2]] == ["+0.380", "+0.380"]
    assert figure.rows[-1].advantage == "−0.057"
    assert all(row.told_apart for row in figure.rows)
    assert not any(row.told_apart for row in figures.quality(examples.passing().check("swap.quality")).rows)


def test_a_larger_quality_stands_further_right_and_1_at_the_end():
    figure = figures.quality(examples.passing().check("swap.quality"))
    together = {mark.kind: mark for mark in figure.rows[0].marks}
    assert together["do-nothing"].x < figure.rule_x < together["fresh"].x < together["procedure"].x < together["same"].x
    assert together["same"].x == figure.right
    assert together["same"].ends is None
    assert len({mark.y for mark in figure.rows[0].marks}) == 4


def test_the_axis_spans_no_less_than_two_hundredths():
    figure = figures.quality(quality_check([], 1.0, (1.0, 1.0), None))
    assert figure.x_ticks[0].label == "0.98"
    assert figure.x_ticks[-1].label == "1"


@pytest.mark.parametrize(
    "details", [{}, {"attacks": None}, {"attacks": [1, {}]}, {"attack": "none", "do_nothing": 3, "retrained": {"quality": "x"}}]
)
def test_quality_with_gaps_is_drawn_as_far_as_it_goes(details):
    check = dataclasses.replace(quality_check([]), details=details)
    figure = figures.quality(check)
    assert [mark.kind for mark in figure.rows[0].marks] == ["procedure"]
    assert figures.quality(dataclasses.replace(check, value=None)) is None


def test_the_alternative_text_gives_all_four_figures():
    description = figures.quality(examples.passing().check("swap.quality")).description
    for words in (
        "9 attacks",
        "the procedure 0.998 (0.986 to 1)",
        "baseline 0.69",
        "fresh seeds 0.985",
        "same seeds 1",
    ):
        assert words in description


@given(st.lists(epsilons, min_size=1, max_size=12), st.integers(1, 12))
def test_the_axis_of_epsilon_keeps_the_order_and_shows_0(values, decades):
    scale = figures.Symlog.over(values, decades)
    assert scale.at(0.0) == 0.0
    placed = [scale.at(value) for value in sorted(values)]
    assert placed == sorted(placed)
    assert all(0 <= at <= 1 for at in placed)
    assert scale.high - scale.low <= max(2, decades)
    assert scale.at(10.0**scale.low) == pytest.approx(1 / (1 + scale.high - scale.low))
    assert scale.at(max(values)) < 1 or max(values) == 0


@given(st.lists(st.tuples(epsilons, st.lists(st.tuples(epsilons, st.booleans(), st.none() | epsilons), max_size=9)), max_size=6))
def test_lower_ends_lie_beyond_the_wall_just_where_they_refute(statements):
    details = {
        "comparisons": [
            {
                "against": f"statement {k}",
                "epsilon": upper,
                "delta": 1e-5,
                "compared": True,
                "lower": [{"title": "a", "epsilon": low, "decides": decides, "null": null} for low, decides, null in lowers],
            }
            for k, (upper, lowers) in enumerate(statements)
        ]
    }
    figure = figures.epsilon(details)
    if figure is None:
        assert not any(lowers for _, lowers in statements)
        return
    for band in figure.bands:
        assert band.refuted is any(lower.refutes for lower in band.lowers)
        assert figure.left <= band.wall_x <= figure.right
        for lower in band.lowers:
            assert figure.left <= lower.x <= figure.right
            assert band.top < lower.y < band.bottom <= figure.bottom
            assert not lower.refutes or (lower.decides and lower.x >= band.wall_x)
            assert not lower.hatching or lower.refutes
            assert all(band.wall_x <= a <= b <= lower.x + 1e-9 for a, b in lower.hatching)
            assert lower.null_x is None or figure.left <= lower.null_x <= figure.right
    assert all(one.bottom < other.top for one, other in itertools.pairwise(figure.bands))
    assert figure.bands[0].refuted or not any(band.refuted for band in figure.bands)


def test_a_refuted_statement_is_hatched_between_the_wall_and_the_mark():
    figure = figures.epsilon(examples.failing().check("epsilon.consistency").details)
    first = figure.bands[0]
    assert first.statement == "claimed (ε, δ)-certified removal: ε ≤ 1 at δ = 0.0001"
    assert [lower.refutes for lower in first.lowers] == [True, True, False]
    assert [bool(lower.hatching) for lower in first.lowers] == [True, True, False]
    assert first.lowers[0].hatching[0][0] == first.wall_x
    assert figure.notes == ("1 statement was not compared and not drawn; the reasons are listed below.",)
    assert "refuted" in figure.description
    assert not any(band.refuted for band in figures.epsilon(examples.passing().check("epsilon.consistency").details).bands)


def test_an_axis_of_nothing_but_0_still_has_ticks():
    lower = [examples.lower_end("a", "attack", 0.0) | {"null": 0.0}]
    figure = figures.epsilon({"comparisons": [{"against": "retraining", "epsilon": 0.0, "compared": True, "lower": lower}]})
    assert [tick.label for tick in figure.x_ticks] == ["0", "0.1", "1"]
    assert figure.bands[0].wall_x == figure.bands[0].lowers[0].x == figure.left
    assert not figure.bands[0].refuted


def test_more_statements_than_fit_are_left_out_with_a_note_and_never_a_refuted_one_before_another():
    lowers = [[examples.lower_end("a", "attack", low)] * 8 for low in (0.1, 0.2, 5.0, 0.3)]
    details = {
        "comparisons": [{"against": str(k), "epsilon": 1.0, "compared": True, "lower": low} for k, low in enumerate(lowers)]
    }
    figure = figures.epsilon(details)
    assert [band.refuted for band in figure.bands] == [True, False, False]
    assert figure.notes == ("Drawn are 3 of 4 statements, the refuted ones first; the table has all of them.",)


@pytest.mark.parametrize("broken", [{}, {"comparisons": None}, {"comparisons": [1, {}, {"epsilon": "x", "lower": 3}]}])
def test_nothing_compared_is_no_figure(broken):
    assert figures.epsilon(broken) is None
