"""Newton removal: what is measured of a step bounds what the step leaves, whatever the data, the batch or the start."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.learning.logistic import Objective, minimise
from auditor.learning.randomness import perturbation
from auditor.learning.residuals import NewtonRemoval, StepMeasurement, measure_step, rounding_floor, spectral_norm_bound
from auditor.maths.certificates.increments import (
    LOGISTIC_LIPSCHITZ,
    LOGISTIC_LIPSCHITZ_PRINTED,
    as_printed,
    local,
    online,
    tightened,
    worst_case,
)
from auditor.maths.certificates.perturbation import perturbation_norm_bound
from small_cases import problem

Floats = npt.NDArray[np.float64]
seeds = st.integers(0, 1_000_000)


def random_objective(seed: int, *, scale: float = 1.0) -> tuple[Objective, float]:
    """An objective and the sigma of its perturbation."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(12, 60)), int(rng.integers(1, 7))
    features, labels = problem(n, d, seed=seed)
    sigma = float(10 ** rng.uniform(-2, 1))
    b = perturbation(seed, d, sigma=sigma)
    return Objective(scale * features, np.where(labels == 1, 1.0, -1.0), float(10 ** rng.uniform(-3, 0)), b), sigma


def batch(seed: int, rows: int, size: float) -> npt.NDArray[np.int64]:
    count = max(1, int(size * (rows - 2)))
    return np.sort(np.random.default_rng(seed + 1).choice(rows, count, replace=False)).astype(np.int64)


@given(seed=seeds, size=st.floats(0, 1))
@settings(max_examples=60)
def test_the_step_is_that_of_the_hessian_rebuilt_on_what_is_left(seed: int, size: float) -> None:
    loss, _ = random_objective(seed)
    w = np.random.default_rng(seed).normal(size=loss.features.shape[1])
    forget = batch(seed, len(loss.features), size)
    rest = loss.without(forget)
    removed = Objective(loss.features[forget], loss.signs[forget], loss.l2, np.zeros_like(w))
    exact = np.linalg.solve(rest.hessian(w), removed.gradient(w))
    np.testing.assert_allclose(NewtonRemoval(loss, w).step(forget), exact, rtol=1e-7, atol=1e-10)


@given(seed=seeds)
@settings(max_examples=40)
def test_a_removal_leaves_no_more_than_the_curvature_changes_along_its_step(seed: int) -> None:
    loss, _ = random_objective(seed)
    w = minimise(loss, tolerance=1e-8)
    forget = np.array([seed % len(loss.features)], dtype=np.int64)
    rest = loss.without(forget)
    refit = minimise(rest, tolerance=1e-8)
    step = NewtonRemoval(loss, w).step(forget)
    after = w + step
    # Strong convexity: the distance is at most what both gradients leave, over the strength.
    gradients = float(np.linalg.norm(rest.gradient(after)) + np.linalg.norm(rest.gradient(refit)))
    assert np.linalg.norm(after - refit) <= gradients / rest.strength * (1 + 1e-9)
    # Taylor: the logistic loss has a third derivative of at most 1/(6√3), so the Hessian changes by no more than this a unit.
    change = float(np.sum(np.linalg.norm(rest.features, axis=1) ** 3)) / (6 * np.sqrt(3))
    assert np.linalg.norm(rest.gradient(after)) <= change / 2 * float(step @ step) * (1 + 1e-9) + 1e-7


@given(seed=seeds, n=st.integers(1, 40), d=st.integers(1, 40), power=st.floats(0, 12), size=st.sampled_from([1e-200, 1.0, 1e200]))
@settings(max_examples=80)
def test_the_spectral_norm_bound_is_never_below_the_norm(seed: int, n: int, d: int, power: float, size: float) -> None:
    rng = np.random.default_rng(seed)
    left, right = np.linalg.qr(rng.normal(size=(n, n)))[0], np.linalg.qr(rng.normal(size=(d, d)))[0]
    values = np.zeros((n, d))
    np.fill_diagonal(values, np.logspace(0, -power, min(n, d)))
    features = size * (left @ values @ right)
    bound, norm = spectral_norm_bound(features), float(np.linalg.norm(features, 2))
    assert norm <= bound <= norm * (1 + 1e-6)


def test_the_spectral_norm_bound_of_degenerate_tables() -> None:
    assert spectral_norm_bound(np.zeros((5, 3))) == 0.0
    assert spectral_norm_bound(np.ones((4, 1))) >= 2.0
    assert spectral_norm_bound(np.full((2, 2), 1e200)) >= 2e200
    assert spectral_norm_bound(np.full((2, 2), 1e-200)) >= 2e-200
    assert 8e307 <= spectral_norm_bound(np.diag([8e307, 1.0])) < np.inf


def increments_of(step: StepMeasurement, loss: Objective, norm: float, *, bounded: bool) -> dict[str, float]:
    """Every bound on what one step adds to the gradient."""
    beside = {"solver_error": step.solver_error, "rounding_floor": step.rounding_floor}
    found = {
        "tightened": tightened(
            lipschitz=LOGISTIC_LIPSCHITZ,
            spectral_norm=step.spectral_norm,
            step_predictions_norm4=step.step_predictions_norm4,
            **beside,
        ),
        "online": online(
            lipschitz=LOGISTIC_LIPSCHITZ,
            spectral_norm=step.spectral_norm,
            row_norm=float(np.linalg.norm(loss.features, axis=1).max()),
            step_norm=step.step_norm,
            step_predictions_norm=step.step_predictions_norm,
            **beside,
        ),
        "local": local(spectral_norm=step.spectral_norm, local_curvature_norm=step.local_curvature_norm, **beside),
    }
    assert found["local"] == step.increment
    if bounded:
        found["as-printed"] = as_printed(
            lipschitz=LOGISTIC_LIPSCHITZ_PRINTED,
            spectral_norm=step.spectral_norm,
            step_norm=step.step_norm,
            step_predictions_norm=step.step_predictions_norm,
            **beside,
        )
        found["worst-case"] = worst_case(
            rows=step.rows,
            forgotten=step.forgotten,
            l2=loss.l2,
            lipschitz=LOGISTIC_LIPSCHITZ_PRINTED,
            gradient_bound=1.0,
            perturbation_norm=norm,
            gradient_norm=step.gradient_norm,
            **beside,
        )
    return found


@given(
    seed=seeds,
    size=st.floats(0, 1),
    start=st.sampled_from([0.0, 1e-3, 1.0, 10.0]),
    off=st.sampled_from([0.0, 1e-6, 0.1, 5.0]),
    scale=st.sampled_from([1.0, 1.0, 20.0]),
)
@settings(max_examples=100)
def test_each_bound_bounds_the_measured_growth(seed: int, size: float, start: float, off: float, scale: float) -> None:
    loss, sigma = random_objective(seed, scale=scale)
    rng, dimensions = np.random.default_rng(seed + 2), loss.features.shape[1]
    # From a trained model, from a stale one, or from anywhere; by an exact step or by one that misses it.
    w = minimise(loss, tolerance=1e-6) + start * rng.normal(size=dimensions)
    forget = batch(seed, len(loss.features), size)
    after = w + NewtonRemoval(loss, w).step(forget) + off * rng.normal(size=dimensions)
    norm = perturbation_norm_bound(dimensions, sigma=sigma)
    step = measure_step(loss, forget, w, after, perturbation_norm=norm)
    assert (step.rows, step.forgotten) == (len(loss.features), len(forget))
    rest = loss.without(forget)
    hidden = step.rounding_floor + rounding_floor(rest, after, perturbation_norm=norm)
    assert abs(step.measured - np.linalg.norm(rest.gradient(after))) <= hidden
    for name, bound in increments_of(step, loss, norm, bounded=scale <= 1.0).items():
        assert step.measured <= (step.gradient_norm + bound) * (1 + 1e-12), name


def difficult(seed: int) -> tuple[Objective, float]:
    """Few records, singular values over up to twelve decades, weak regularisation."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(3, 12)), int(rng.integers(1, 9))
    features = rng.normal(size=(n, d)) * np.logspace(0, -float(rng.uniform(0, 12)), d)
    features /= np.linalg.norm(features, axis=1).max()
    sigma = float(10 ** rng.uniform(-3, 1))
    b = perturbation(seed, d, sigma=sigma)
    return Objective(features, np.where(rng.random(n) < 0.5, 1.0, -1.0), float(10 ** rng.uniform(-5, 0)), b), sigma


@given(seed=seeds, count=st.integers(1, 3))
@settings(max_examples=300)
def test_bounds_hold_and_stand_in_order_where_it_is_hard(seed: int, count: int) -> None:
    loss, sigma = difficult(seed)
    try:
        w = minimise(loss, tolerance=1e-6)
    except ArithmeticError:  # b is so large against lambda that float64 cannot: no model, no removal
        return
    norm, beta = perturbation_norm_bound(len(w), sigma=sigma), float(np.linalg.norm(loss.gradient(w)))
    for _ in range(min(count, len(loss.features) - 1)):
        # Hardest records first: those that the model is furthest from getting right.
        forget = np.argsort(loss.signs * (loss.features @ w))[:1]
        after = w + NewtonRemoval(loss, w).step(forget)
        step = measure_step(loss, forget, w, after, perturbation_norm=norm)
        bounds = increments_of(step, loss, norm, bounded=True)
        order = [bounds[name] for name in ("worst-case", "as-printed", "online", "tightened", "local")]
        assert all(one >= other * (1 - 1e-9) for one, other in pairwise(order))
        assert step.measured <= (step.gradient_norm + bounds["local"]) * (1 + 1e-12)
        beta += bounds["local"]
        loss, w = loss.without(forget), after
        assert step.measured <= beta * (1 + 1e-12)


@given(seed=seeds, older=st.integers(1, 5))
@settings(max_examples=40)
def test_bounds_hold_along_a_log_whose_hessian_went_stale(seed: int, older: int) -> None:
    loss, sigma = random_objective(seed)
    w = minimise(loss, tolerance=1e-6)
    stale = NewtonRemoval(loss, w + 0.1)
    norm = perturbation_norm_bound(len(w), sigma=sigma)
    beta = float(np.linalg.norm(loss.gradient(w)))
    for _ in range(older):
        forget = np.array([0], dtype=np.int64)
        after = w + stale.step(forget)
        step = measure_step(loss, forget, w, after, perturbation_norm=norm)
        beta += increments_of(step, loss, norm, bounded=False)["local"]
        loss, w = loss.without(forget), after
        assert np.linalg.norm(loss.gradient(w)) <= beta * (1 + 1e-12)


@given(seed=seeds, dimensions=st.integers(1, 300), power=st.floats(-3, 3))
@settings(max_examples=100)
def test_the_norm_that_is_reported_exceeds_the_norm_that_is_secret(seed: int, dimensions: int, power: float) -> None:
    sigma = 10.0**power
    bound = perturbation_norm_bound(dimensions, sigma=sigma)
    assert np.linalg.norm(perturbation(seed, dimensions, sigma=sigma)) < bound
    # It depends on nothing but the dimension and sigma, so it tells nothing about b.
    assert bound <= sigma * (np.sqrt(dimensions) + 7.6)
