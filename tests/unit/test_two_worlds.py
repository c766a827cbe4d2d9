"""The rule that names a world, and its counts: found where there is something to find, and fair where there is not."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.audit.with_and_without import best_threshold, count, counts, halves, rule
from auditor.verdict.checks.differences import Counted


def worlds(games: int) -> np.ndarray:
    return np.random.default_rng(1).permutation(np.repeat([0, 1], games // 2)).astype(np.int64)


def counted(released: np.ndarray, of: np.ndarray, seed: int = 0, direction: np.ndarray | None = None) -> Counted:
    return count(released, of, halves(of, np.random.default_rng(seed)), direction)


def test_half_of_either_world_is_fitted_on() -> None:
    of = worlds(40)
    fitting = halves(of, np.random.default_rng(0))
    assert [int(fitting[of == world].sum()) for world in (0, 1)] == [10, 10]


@pytest.mark.parametrize("values", [(2.0, -2.0), (-1.0, 5.0), (1e-9, 0.0), (1e12, 1e12 + 1)])
def test_two_constants_are_told_apart_without_an_error(values: tuple[float, float]) -> None:
    of = worlds(40)
    found = counted(np.where(of[:, None] == 0, *values), of)
    assert found == Counted(hits=10, trials=10, other_hits=0, other_trials=10)
    assert found.share_right == 1.0


def test_a_rounding_error_decides_nothing_against_a_large_gap() -> None:
    of = worlds(80)
    rng = np.random.default_rng(2)
    released = np.column_stack([np.where(of == 0, 1.0, 0.0) + rng.normal(0, 0.1, 80), 1e6 + rng.normal(0, 1e-10, 80)])
    assert counted(released, of).share_right == 1.0


def test_what_never_differs_is_guessed() -> None:
    of = worlds(40)
    found = counted(np.ones((40, 3)), of)
    assert found.hits * found.other_trials == found.other_hits * found.trials


def test_a_mode_in_the_middle_is_found_by_the_nearer_median() -> None:
    """World 0 lies at the centre, world 1 all around it: no direction tells them apart."""
    of = worlds(200)
    rng = np.random.default_rng(3)
    around = rng.normal(0, 1, (200, 6))
    released = np.where(of[:, None] == 0, 0.05 * around, 5 * around)
    assert counted(released, of).share_right > 0.9


def test_a_direction_that_was_fixed_before_helps_where_little_can_be_fitted() -> None:
    of = worlds(400)
    rng = np.random.default_rng(4)
    direction = np.zeros(300)
    direction[0] = 1.0
    released = rng.normal(0, 1, (400, 300)) + np.where(of[:, None] == 0, 1.5, -1.5) * direction
    assert counted(released, of, direction=direction).share_right > 0.88


def test_a_rule_speaks_of_models_that_it_never_saw() -> None:
    of = worlds(40)
    says = rule(np.where(of[:, None] == 0, 1.0, -1.0), of, np.ones(40, dtype=np.bool_))
    assert says(np.array([[3.0], [-3.0]])).tolist() == [True, False]


def test_the_best_threshold_is_the_best() -> None:
    rng = np.random.default_rng(5)
    of, scores = worlds(60), np.round(rng.normal(size=60), 1)
    threshold, advantage = best_threshold(scores, of)

    def reached(at: float) -> float:
        return float((scores[of == 0] > at).mean() - (scores[of == 1] > at).mean())

    assert advantage == pytest.approx(reached(threshold))
    assert advantage == pytest.approx(max(reached(at) for at in [*np.unique(scores), -99.0]))


def test_an_own_guess_counts_in_every_game() -> None:
    of = np.array([0, 0, 1, 1])
    event = np.array([True, False, True, False])
    assert counts(event, of, np.ones(4, dtype=np.bool_)) == Counted(hits=1, trials=2, other_hits=1, other_trials=2)
