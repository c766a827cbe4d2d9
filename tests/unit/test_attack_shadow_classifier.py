"""The shadow classifier's minimiser is the minimiser, and its columns are what they say."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from scipy.optimize import minimize

from attack_examples import one_game
from auditor.attacks import attacks, shadow_classifier
from auditor.attacks.shadow_classifier import RIDGE, _columns, minimise


def test_columns_by_hand() -> None:
    probabilities = np.array([[0.1, 0.5, 0.15, 0.25], [0.25, 0.25, 0.25, 0.25]])
    columns = _columns(probabilities, np.array([3, 0]))
    loss = np.log(4)
    assert columns == pytest.approx(
        np.array([[0.5, 0.25, 0.15, 0.25, loss, 0, 0, 0, 1], [0.25, 0.25, 0.25, 0.25, loss, 1, 0, 0, 0]]), rel=1e-12
    )
    assert _columns(probabilities[:, :1], np.array([0, 0])).shape == (2, 4)
    assert np.array_equal(_columns(np.stack([probabilities] * 3), np.array([3, 0]))[1], columns)


def test_one_column_that_parts_perfectly() -> None:
    """Column ±1 for members and others: the weight solves λw = 1/(1 + e^w)."""
    with mpmath.workdps(30):
        expected = float(mpmath.findroot(lambda w: mpmath.mpf(repr(RIDGE)) * w - 1 / (1 + mpmath.exp(w)), 5))
    assert minimise(np.array([[1.0], [-1.0], [1.0], [-1.0]]), np.array([True, False, True, False])) == pytest.approx(
        [expected], rel=1e-10
    )


def test_the_minimiser_agrees_with_another_solver() -> None:
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(300, 4))
    columns = np.c_[columns, columns[:, 0] + columns[:, 1]]
    members = rng.random(300) < 1 / (1 + np.exp(-columns[:, 0]))
    signs = np.where(members, 1.0, -1.0)

    def objective(w: np.ndarray) -> float:
        return float(np.logaddexp(0, -signs * (columns @ w)).mean() + RIDGE / 2 * w @ w)

    found = minimise(columns, members)
    other = minimize(objective, np.zeros(5), method="BFGS", options={"gtol": 1e-9}).x
    assert found == pytest.approx(other, abs=1e-4)
    assert objective(found) <= objective(other) + 1e-14


def test_a_search_that_does_not_end_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shadow_classifier, "MOST_STEPS", 1)
    with pytest.raises(ArithmeticError, match="within 1 Newton steps"):
        minimise(np.array([[1.0], [-1.0]]), np.array([True, False]))


def test_columns_that_never_vary_are_left_out() -> None:
    shadow, *_ = one_game(0, classes=1)
    attack = attacks()["shadow-classifier"]
    state = attack.fit(shadow, rng=np.random.default_rng(0))
    assert state.weights.tolist() == [0.0] * 4
    assert np.isinf(state.thresholds.of_class).all()


def test_scores_are_log_odds_less_the_threshold() -> None:
    shadow, outputs, labels, _ = one_game(1)
    attack = attacks()["shadow-classifier"]
    state = attack.fit(shadow, rng=np.random.default_rng(0))
    columns = _columns(outputs.probabilities, labels)
    expected = (columns - state.centres) @ state.weights - state.thresholds.of_class[0]
    assert attack.score(state, outputs, labels) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    # A larger loss speaks against membership, a larger probability of the true class for it.
    assert np.corrcoef(expected, columns[:, 4])[0, 1] < -0.5
