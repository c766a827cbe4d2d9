"""The perturbed logistic objective: its derivatives against finite differences, and its minimiser from anywhere."""

from __future__ import annotations

from dataclasses import asdict
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

from auditor.learning import logistic
from auditor.learning.logistic import Objective, minimise
from auditor.learning.one_versus_rest import LeastSquares
from auditor.learning.residuals import measure_step, rounding_floor, row_norms, spectral_norm_bound
from small_cases import problem

Floats = npt.NDArray[np.float64]


def objective(seed: int, *, l2: float = 1e-2, sigma: float = 1.0, n: int = 30, d: int = 4) -> Objective:
    features, labels = problem(n, d, seed=seed)
    return Objective(features, np.where(labels == 1, 1.0, -1.0), l2, np.random.default_rng(seed + 1).normal(0, sigma, d))


def separable(*, l2: float) -> Objective:
    features, _ = problem(30, 3, seed=11)
    return Objective(features, np.where(features[:, 0] > 0, 1.0, -1.0), l2, np.zeros(3))


@given(seed=st.integers(0, 10_000), size=st.floats(0.0, 8.0))
@settings(max_examples=40)
def test_gradient_and_hessian_are_the_derivatives_of_the_value(seed: int, size: float) -> None:
    loss = objective(seed)
    w = size * np.random.default_rng(seed).normal(size=4)
    np.testing.assert_allclose(approx_fprime(w, lambda at: loss.value(at)[0], 1e-6), loss.gradient(w), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(approx_fprime(w, loss.gradient, 1e-6), loss.hessian(w), rtol=1e-4, atol=1e-4)


def test_value_gradient_and_curvature_at_a_point_worked_out_by_hand() -> None:
    loss = Objective(np.array([[0.6, 0.8]]), np.array([1.0]), 0.5, np.array([0.1, -0.2]))
    w = np.zeros(2)
    assert loss.value(w)[0] == pytest.approx(np.log(2))
    np.testing.assert_allclose(loss.gradient(w), [-0.3 + 0.1, -0.4 - 0.2])
    np.testing.assert_allclose(loss.hessian(w), 0.25 * np.outer([0.6, 0.8], [0.6, 0.8]) + 0.5 * np.eye(2))


def test_without_takes_rows_out_and_keeps_b() -> None:
    loss = objective(3)
    rest = loss.without(np.array([0, 5], dtype=np.int64))
    w = np.array([0.3, -1.0, 2.0, 0.1])
    both = Objective(loss.features[[0, 5]], loss.signs[[0, 5]], loss.l2, np.zeros(4))
    np.testing.assert_allclose(rest.gradient(w) + both.gradient(w), loss.gradient(w), rtol=1e-12)


@given(
    seed=st.integers(0, 10_000),
    l2=st.sampled_from([1e-6, 1e-3, 1.0, 1e3]),
    size=st.sampled_from([0.0, 1.0, 1e2, 1e4]),
    sigma=st.sampled_from([0.0, 1.0, 30.0]),
    large=st.booleans(),
)
@settings(max_examples=120)
def test_the_minimiser_is_reached_from_any_start(seed: int, l2: float, size: float, sigma: float, large: bool) -> None:
    with patch.object(logistic, "LARGE", 1 if large else logistic.LARGE):
        reached_from_any_start(objective(seed, l2=l2, sigma=sigma, n=300 if large else 30), seed, size)


def reached_from_any_start(loss: Objective, seed: int, size: float) -> None:
    start = size * np.random.default_rng(seed).normal(size=4)
    floor = rounding_floor(loss, minimise(loss, tolerance=1e-3), perturbation_norm=float(np.linalg.norm(loss.perturbation)))
    tolerance = max(1e-8, 10 * floor)
    best, from_zero = minimise(loss, tolerance=tolerance, start=start), minimise(loss, tolerance=tolerance)
    assert np.linalg.norm(loss.gradient(best)) <= tolerance
    assert np.linalg.norm(best - from_zero) <= 2 * tolerance / loss.strength * (1 + 1e-9)
    np.testing.assert_array_equal(start, size * np.random.default_rng(seed).normal(size=4), "the start is left as it was")


@pytest.mark.parametrize("l2", [1e-9, 1e-6, 1e-3])
@pytest.mark.parametrize("start", [None, np.full(3, 50.0), np.array([800.0, -500.0, 3e3])])
@pytest.mark.parametrize("large", [False, True])
def test_separable_data_have_a_minimiser_too(
    monkeypatch: pytest.MonkeyPatch, l2: float, start: Floats | None, large: bool
) -> None:
    if large:
        monkeypatch.setattr(logistic, "LARGE", 1)
    loss = separable(l2=l2)
    best = minimise(loss, tolerance=1e-9, start=start)
    assert np.linalg.norm(loss.gradient(best)) <= 1e-9
    assert np.all(loss.signs * (loss.features @ best) > 0)


@pytest.mark.parametrize(
    ("loss", "tolerance", "start"),
    [
        (objective(1), 0.0, None),
        (objective(1), 1e-300, None),
        (Objective(np.full((4, 2), 1e200), np.array([1.0, -1.0, 1.0, 1.0]), 1e-2, np.zeros(2)), 1e-8, None),
        (Objective(np.ones((10, 1)), np.ones(10), 1e-300, np.full(1, 100.0)), 1e-8, None),
        (objective(1), 1e-8, np.full(4, 1e300)),
        (objective(1), 1e-8, np.full(4, np.nan)),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_what_float64_cannot_do_is_refused(loss: Objective, tolerance: float, start: Floats | None) -> None:
    with pytest.raises(ArithmeticError, match="declare a larger tolerance"):
        minimise(loss, tolerance=tolerance, start=start)


def test_the_rounding_floor_is_its_formula() -> None:
    loss, w = objective(7), np.array([1.0, 2.0, -1.0, 0.5])
    gradients = sum(float(np.linalg.norm(slope * row)) for slope, row in zip(loss.slopes(w), loss.features, strict=True))
    expected = 1e-13 * (gradients + loss.l2 * 30 * float(np.linalg.norm(w)) + 3.0)
    assert rounding_floor(loss, w, perturbation_norm=3.0) == pytest.approx(expected, rel=1e-12)


@given(seed=st.integers(0, 10_000), squared=st.booleans(), models=st.integers(1, 3))
@settings(max_examples=60)
def test_rows_that_left_count_for_nothing_over_the_same_table(seed: int, squared: bool, models: int) -> None:
    rng = np.random.default_rng(seed)
    whole = objective(seed)
    whole = LeastSquares(whole.features, whole.signs, whole.l2, whole.perturbation, halved=True) if squared else whole
    gone = rng.choice(30, 7, replace=False)
    masked, apart = whole.leaving(gone[:3]).leaving(gone[3:]), whole.without(gone)
    assert masked.features is whole.features
    assert (masked.rows, masked.strength) == (apart.rows, apart.strength) == (23, whole.l2 * 23)
    w, step = rng.normal(size=(2, 4))
    kept = np.setdiff1d(np.arange(30), gone)
    scores = whole.features @ rng.normal(size=(4, models))
    np.testing.assert_allclose(masked.value(w), apart.value(w), rtol=1e-12)
    np.testing.assert_allclose(masked.gradient(w), apart.gradient(w), rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(masked.hessian(w), apart.hessian(w), rtol=1e-12, atol=1e-13)
    for found, expected in (
        (masked.slopes(w), apart.slopes(w)),
        (masked.slopes_of(scores), apart.slopes_of(scores[kept])),
        (masked.curvatures(w), apart.curvatures(w)),
        (
            masked.curvature_changes(masked.features @ w, masked.features @ step),
            apart.curvature_changes(apart.features @ w, apart.features @ step),
        ),
    ):
        assert not found[gone].any()
        np.testing.assert_allclose(found[kept], expected, rtol=1e-12, atol=1e-14)
    floors = [rounding_floor(each, w, perturbation_norm=1.0) for each in (masked, apart)]
    assert floors[0] == pytest.approx(floors[1], rel=1e-12)
    # Compacting what is masked already gives the table of what is left, too.
    np.testing.assert_array_equal(whole.leaving(gone[:3]).without(gone[3:]).features, apart.features)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=40)
def test_the_next_removal_is_measured_the_same_over_the_same_table(seed: int) -> None:
    rng = np.random.default_rng(seed)
    whole, gone = objective(seed), rng.choice(30, 6, replace=False)
    kept = np.setdiff1d(np.arange(30), gone[:4])
    w, step = rng.normal(size=(2, 4))
    masked = measure_step(whole.leaving(gone[:4]), gone[4:], w, w + step, perturbation_norm=1.0)
    apart = measure_step(whole.without(gone[:4]), np.searchsorted(kept, gone[4:]), w, w + step, perturbation_norm=1.0)
    for name, value in asdict(apart).items():
        assert getattr(masked, name) == pytest.approx(value, rel=1e-9, abs=1e-12), name


def test_a_table_is_taken_block_by_block_and_the_norm_stays_an_upper_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.base.row_blocks.BLOCK_NUMBERS", 40)
    rng = np.random.default_rng(3)
    for n, d in ((100, 7), (5, 9), (41, 40)):
        features, kept = rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-3, 3), rng.random(n) < 0.6
        kept[0] = True
        for rows, found in ((features, spectral_norm_bound(features)), (features[kept], spectral_norm_bound(features, kept))):
            norm = float(np.linalg.norm(rows, 2))
            assert norm <= found <= norm * (1 + 1e-9)
        np.testing.assert_allclose(row_norms(features), np.linalg.norm(features, axis=1), rtol=1e-15)


def test_a_large_table_needs_few_hessians(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    before = Objective.hessian

    def hessian(self: Objective, parameters: Floats) -> Floats:
        counted.append(self.rows)
        return before(self, parameters)

    monkeypatch.setattr(Objective, "hessian", hessian)
    loss = objective(5, n=8_000, d=6)
    usual = minimise(loss, tolerance=1e-7)
    assert counted.count(8_000) > 3
    counted.clear()
    monkeypatch.setattr(logistic, "LARGE", 8_000)
    found = minimise(loss, tolerance=1e-7)
    assert counted.count(8_000) <= 1
    assert counted.count(500) > 2
    assert np.linalg.norm(loss.gradient(found)) <= 1e-7
    assert np.linalg.norm(found - usual) <= 2e-7 / loss.strength


@pytest.mark.parametrize("kept", [np.zeros(320, dtype=bool), np.arange(320) % 16 != 0, np.arange(320) == 0])
def test_a_sample_in_which_few_rows_or_none_count_is_no_start_and_no_error(
    monkeypatch: pytest.MonkeyPatch, kept: npt.NDArray[np.bool_]
) -> None:
    monkeypatch.setattr(logistic, "LARGE", 1)
    masked = objective(6, n=320).leaving(np.flatnonzero(~kept))
    if kept.any():
        assert np.linalg.norm(masked.gradient(minimise(masked, tolerance=1e-8))) <= 1e-8
    else:
        with pytest.raises(ArithmeticError):
            minimise(masked, tolerance=1e-8)


@pytest.mark.parametrize("l2", [2e-7, 4e-11, 8e-14])
def test_a_sample_unlike_the_other_rows_does_not_lead_far_away(monkeypatch: pytest.MonkeyPatch, l2: float) -> None:
    rng = np.random.default_rng(3)
    features, signs = rng.normal(size=(1_600, 4)), rng.choice([-1.0, 1.0], size=1_600)
    signs[::16] = np.sign(features[::16, 0])
    loss, counted = Objective(features, signs, l2, np.zeros(4)), list[int]()
    before = Objective.hessian

    def hessian(self: Objective, parameters: Floats) -> Floats:
        counted.append(self.rows)
        return before(self, parameters)

    monkeypatch.setattr(Objective, "hessian", hessian)
    monkeypatch.setattr(logistic, "LARGE", 1_600)
    assert np.linalg.norm(loss.gradient(minimise(loss, tolerance=1e-6))) <= 1e-6
    assert counted.count(1_600) <= 5
