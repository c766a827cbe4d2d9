"""The figure of promises: curves that nobody gets below, attacks in the same unit, words that say the same, in little time."""

from __future__ import annotations

import itertools

import pytest

from auditor.base.domain import Interval
from auditor.base.promises import Approximate, Gaussian, Laplace, Promise, Pure, SubsampledGaussian
from auditor.maths.tradeoff.reading import right_guesses, type_two_error
from auditor.pages.figures.chart import Chart, Line, Mark
from auditor.pages.figures.promise_curves import Curve, missed, points_of, promise_curves
from auditor.pages.right_guesses import Attack, Found, Group

GAUSSIAN = Gaussian(mu=0.2364)
STATED = Approximate(epsilon=0.7262, delta=1e-4)
TRAINING = SubsampledGaussian(noise_multiplier=2.0, sample_rate=64 / 900, steps=300)
LEFT, RIGHT, TOP, BOTTOM = 62.0, 278.0, 8.0, 224.0


def curve(promise: Promise, title: str = "Certified removal", stated: Approximate | None = None) -> Curve:
    return Curve(title, promise, right_guesses(promise), stated)


def drawn(*curves: Curve, attacks: tuple[Attack, ...] = ()) -> Chart:
    chart = promise_curves(curves, attacks)
    assert chart is not None
    return chart


def attack(share: float, low: float, high: float) -> Attack:
    return Attack("loss", Group.TRIAL, Found(share, Interval(low, high)))


def test_a_curve_goes_from_one_corner_to_the_other_below_the_line_of_guessing_and_is_convex() -> None:
    chart = drawn(curve(GAUSSIAN))
    (line,) = chart.named("curve")
    assert isinstance(line, Line)
    assert line.points[0] == (LEFT, TOP)
    assert line.points[-1] == (RIGHT, BOTTOM)
    assert all(y - TOP >= x - LEFT - 0.01 for x, y in line.points)
    slopes = [(y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in itertools.pairwise(line.points) if x2 - x1 > 0.5]
    assert all(one >= other - 0.05 for one, other in itertools.pairwise(slopes))


@pytest.mark.parametrize("promise", [GAUSSIAN, STATED, Laplace(shift=1.0), Pure(epsilon=1.0), TRAINING])
def test_no_point_lies_above_what_holds(promise: Promise) -> None:
    assert all(error <= type_two_error(promise, min(1.0, alpha)) for alpha, error in points_of(promise))
    # Where both errors add up to least, they leave 1 − δ(0): twice what is wrong of 100 guesses.
    assert min(alpha + error for alpha, error in points_of(promise)) >= 2 * (1 - right_guesses(promise)) - 1e-9


def test_attacks_are_drawn_where_both_errors_are_equal() -> None:
    chart = drawn(curve(GAUSSIAN), attacks=(attack(0.53, 0.5, 0.56), Attack("joint", Group.TRIAL, None)))
    (mark,) = chart.named("attack")
    assert isinstance(mark, Mark)
    assert mark.x - LEFT == pytest.approx(0.47 * (RIGHT - LEFT), abs=0.02)
    assert BOTTOM - mark.y == pytest.approx(0.47 * (BOTTOM - TOP), abs=0.02)
    (line,) = chart.named("attack-interval")
    assert isinstance(line, Line)
    assert [x - LEFT for x, _ in line.points] == pytest.approx([0.5 * 216, 0.44 * 216], abs=0.02)
    assert "The best on a single record was right 53 times of 100." in chart.title
    assert "both of their errors are equal" in chart.caption


def test_the_stated_epsilon_and_delta_are_drawn_for_comparison_where_the_curve_says_more() -> None:
    assert drawn(curve(GAUSSIAN, stated=STATED)).named("stated")
    assert "67.5" in drawn(curve(GAUSSIAN, stated=STATED)).title
    assert not drawn(curve(GAUSSIAN)).named("stated")
    assert not drawn(curve(STATED, stated=STATED)).named("stated")


def test_two_guarantees_of_one_promise_are_one_line_with_two_names() -> None:
    chart = drawn(curve(GAUSSIAN, "Deletion-as-control"), curve(GAUSSIAN, "Deletion-as-confidentiality"))
    assert len(chart.named("curve")) == 1
    assert [each.text for each in chart.notes if each.name == "key" and each.bold] == [
        "Deletion-as-control",
        "Deletion-as-confidentiality",
    ]


def test_lines_stay_apart_in_grey_and_what_is_left_out_is_said() -> None:
    shifts = [0.1, 0.3, 0.5, 0.7, 0.9]
    chart = drawn(*(curve(Gaussian(mu=each)) for each in shifts))
    dashes = [(line.dash, line.width) for line in chart.named("curve") if isinstance(line, Line)]
    assert len(dashes) == len(set(dashes)) == 4
    assert chart.remarks == ["The figure draws 4 of 5 promises, those that leave the fewest right guesses."]


def test_it_says_in_words_what_it_draws() -> None:
    chart = drawn(curve(GAUSSIAN))
    assert "Certified removal: at most 54.8 of 100 guesses are right." in chart.title
    assert "where 5 of 100 records are named wrongly, at least 92 of 100 that were used are missed" in chart.details
    assert missed(GAUSSIAN) == ("98.1", "92", "85.2")
    assert all(
        type_two_error(GAUSSIAN, at) >= float(each) / 100 for at, each in zip((0.01, 0.05, 0.1), missed(GAUSSIAN), strict=True)
    )
    assert all(0 <= note.x <= chart.width and 0 <= note.y <= chart.height for note in chart.notes)


def test_nothing_is_drawn_without_a_promise() -> None:
    assert promise_curves((), (attack(0.6, 0.5, 0.7),)) is None


def test_a_drawing_is_small_and_reads_few_points_off_a_curve_that_takes_a_distribution() -> None:
    chart = drawn(curve(TRAINING, stated=Approximate(epsilon=2.8519, delta=1e-5)), curve(GAUSSIAN))
    assert len(chart.svg()) < 12_000
    assert len(points_of(TRAINING)) == 21
