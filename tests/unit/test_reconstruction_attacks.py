"""Adversaries who rebuild a deleted record: exact where the theory says so, and blind where nothing changes."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.attacks.reconstruction.records import (
    best_factor,
    deleted_region,
    direction,
    extrapolated,
    leverage_factor,
    majority,
    nearest,
    nothing,
    rise,
    turned_away,
    wrong_bits,
)
from auditor.attacks.reconstruction.sentences import MOST_STEPS, f1, rebuild
from auditor.base.records import Floats


def fitted(rows: Floats, labels: Floats, *, penalty: Floats) -> Floats:
    weights: Floats = np.linalg.solve(rows.T @ rows + np.diag(penalty), rows.T @ labels)
    return weights


@pytest.mark.parametrize("ridge", [0.0, 2.5])
def test_the_leverage_gives_the_deleted_label_to_rounding(ridge: float) -> None:
    rng = np.random.default_rng(1)
    rows = np.column_stack([np.ones(40), rng.normal(size=(40, 4))])
    labels, penalty = rng.normal(size=40), np.array([0.0, ridge, ridge, ridge, ridge])
    for gone in range(5):
        kept = np.delete(np.arange(40), gone)
        before, after = (rows[gone] @ fitted(rows[some], labels[some], penalty=penalty) for some in (np.arange(40), kept))
        guess = extrapolated(np.array([before]), np.array([after]), leverage_factor(rows, rows[gone], penalty=penalty))
        assert guess == pytest.approx([labels[gone]], abs=1e-9)


def test_the_difference_of_two_least_squares_models_points_at_the_deleted_record() -> None:
    rng = np.random.default_rng(2)
    rows = np.column_stack([np.ones(40), rng.normal(size=(40, 4))])
    labels = rng.normal(size=40)
    before, after = (rows @ fitted(rows[some], labels[some], penalty=np.zeros(5)) for some in (np.arange(40), np.arange(1, 40)))
    pointed = direction(rows, before, after)
    assert pointed is not None
    away = turned_away(pointed, rows)
    assert away[0] == pytest.approx(0, abs=1e-9)
    assert away[1:].min() > 1e-3
    assert direction(rows, before, before) is None


def test_the_best_factor_is_the_best_of_a_grid_and_never_negative() -> None:
    rng = np.random.default_rng(3)
    labels, before = rng.normal(size=30), rng.normal(size=30)
    after = before - (labels - before) / rng.uniform(5, 40, size=30)

    def lost(factor: float) -> float:
        return float(np.abs(extrapolated(before, after, factor) - labels).sum())

    found = best_factor(before, after, labels)
    assert lost(found) <= min(lost(each) for each in np.linspace(0, 60, 2001)) + 1e-9
    assert best_factor(before, 2 * before - after, labels) == 0.0
    assert best_factor(before, before, labels) == 0.0


def test_the_deleted_class_is_the_one_that_lost_most() -> None:
    before = np.array([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1]])
    after = np.array([[0.5, 0.4, 0.1], [0.1, 0.75, 0.15]])
    assert rise(before, after) == pytest.approx([-0.2, 0.15, 0.05])
    assert nearest(rise(before, after)[[0, 1, 2]]).won


def test_bits_are_those_of_most_records_whose_class_changed() -> None:
    bits = np.array([[1, 1, 0, 0], [1, 0, 0, 0], [1, 0, 1, 0], [0, 1, 1, 1]], dtype=bool)
    region = deleted_region(np.array([0, 0, 1, 2]), np.array([1, 1, 1, 0]))
    assert region.tolist() == [True, True, False, True]
    guess = majority(bits[region])
    assert guess is not None
    assert guess.tolist() == [True, True, False, False]
    assert wrong_bits(guess, bits).tolist() == [0.0, 0.25, 0.5, 0.75]
    assert majority(bits[:0]) is None
    # As many ones as zeros: the smaller value (Algorithm 4.3).
    tied = majority(bits[:2])
    assert tied is not None
    assert tied.tolist() == [True, False, False, False]


def test_a_guess_is_won_lost_or_tied() -> None:
    assert nearest(np.array([0.1, 0.2, 0.3])).won
    assert not nearest(np.array([0.2, 0.1, 0.3])).won
    assert nearest(np.array([0.2, 0.1, 0.2])).tied == 0
    assert (nearest(np.array([0.2, 0.2, 0.2])).won, nearest(np.array([0.2, 0.2, 0.3])).tied) == (False, 1)
    assert not nearest(np.array([np.nan, 5.0])).won
    assert nothing(9).tied == 9


def runs(sentence: list[int], length: int) -> list[tuple[int, ...]]:
    return [tuple(sentence[at : at + length]) for at in range(len(sentence) - length + 1)]


@pytest.mark.parametrize("length", [2, 3])
def test_a_sentence_is_joined_from_its_runs(length: int) -> None:
    sentence = [4, 9, 2, 7, 1, 8, 3]
    found = rebuild(reversed(runs(sentence, length)))
    assert (list(found.words), found.whole) == (sentence, True)


def test_a_repeated_run_is_visited_again() -> None:
    sentence = [5, 1, 2, 3, 1, 2, 4]
    found = rebuild(runs(sentence, 2))
    assert (list(found.words), found.whole) == (sentence, True)


def test_pieces_that_do_not_meet_follow_one_another() -> None:
    found = rebuild([(1, 2), (2, 3), (7, 8)])
    assert not found.whole
    assert sorted(found.words) == [1, 2, 3, 7, 8]


def test_single_words_have_no_order_and_nothing_gives_nothing() -> None:
    assert rebuild([(3,), (1,)]).words == (1, 3)
    assert rebuild([]).words == ()


def test_a_search_without_end_stops_at_the_same_step_every_time() -> None:
    # Every word follows every other: far too many paths, of which none visits all nodes within the repeats allowed.
    graph = [(one, other) for one in range(12) for other in range(12)] + [(50, 51), (51, 50), (60, 50)]
    assert rebuild(graph) == rebuild(graph)
    assert not rebuild(graph).out_of_time
    assert MOST_STEPS <= 20_000


def test_f1_is_that_of_multisets() -> None:
    assert f1([1, 1, 2], [1, 2, 2]) == pytest.approx(2 * 2 / 6)
    assert f1([2, 1], [1, 2]) == 1.0
    assert f1([], []) == 0.0
