"""The squared loss in both of its scalings: a Newton removal is exact, so that nothing but rounding and the leftover remains."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.base.records import Dataset
from auditor.learning.logistic import minimise
from auditor.learning.one_versus_rest import LeastSquares
from auditor.learning.residuals import NewtonRemoval, measure_step, rounding_floor
from auditor.maths.certificates.perturbation import perturbation_norm_bound
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval

seeds = st.integers(0, 1_000_000)


def regression(seed: int, *, halved: bool) -> LeastSquares:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(6, 60)), int(rng.integers(1, 7))
    features = rng.normal(size=(n, d)) * np.logspace(0, -float(rng.uniform(0, 4)), d)
    l2, b = float(10 ** rng.uniform(-4, 0)), rng.normal(size=d)
    return LeastSquares(features, 5 * rng.normal(size=n), l2, b, halved)


@given(seed=seeds, halved=st.booleans())
@settings(max_examples=100)
def test_the_minimiser_is_that_of_the_normal_equations(seed: int, halved: bool) -> None:
    loss = regression(seed, halved=halved)
    x, y, n = loss.features, loss.signs, len(loss.signs)
    weight = 1.0 if halved else 2.0
    normal = weight * x.T @ x + loss.l2 * n * np.eye(x.shape[1])
    exact = np.linalg.solve(normal, weight * x.T @ y - loss.perturbation)
    np.testing.assert_allclose(minimise(loss, tolerance=1e-7), exact, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(loss.hessian(exact), normal, rtol=1e-12, atol=1e-12)


@given(seed=seeds, halved=st.booleans())
@settings(max_examples=100)
def test_gradient_and_hessian_are_derivatives_of_the_value(seed: int, halved: bool) -> None:
    loss = regression(seed, halved=halved)
    w, v = np.random.default_rng(seed + 1).normal(size=(2, loss.features.shape[1]))
    h = 1e-4
    # A quadratic has no third derivative: central differences are exact but for rounding.
    slope = (loss.value(w + h * v)[0] - loss.value(w - h * v)[0]) / (2 * h)
    assert slope == pytest.approx(float(loss.gradient(w) @ v), rel=1e-6, abs=1e-6 * loss.value(w)[0])
    np.testing.assert_allclose((loss.gradient(w + v) - loss.gradient(w)), loss.hessian(w) @ v, rtol=1e-7, atol=1e-7)


@given(seed=seeds, halved=st.booleans(), size=st.floats(0, 1))
@settings(max_examples=100)
def test_a_removal_leaves_rounding_alone(seed: int, halved: bool, size: float) -> None:
    loss = regression(seed, halved=halved)
    w = minimise(loss, tolerance=1e-7)
    forget = np.arange(max(1, int(size * (len(loss.features) - 2))))
    after = w + NewtonRemoval(loss, w).step(forget)
    step = measure_step(loss, forget, w, after, perturbation_norm=perturbation_norm_bound(len(w), sigma=1.0))
    assert step.local_curvature_norm == 0.0
    assert step.increment == pytest.approx(step.solver_error + step.rounding_floor, rel=1e-15)
    assert step.increment >= step.solver_error + step.rounding_floor
    assert step.measured <= (step.gradient_norm + step.increment) * (1 + 1e-12)
    assert step.increment <= 1e-6 + 50 * rounding_floor(loss, w, perturbation_norm=10.0)


def test_the_printed_hessian_is_that_of_half_the_loss() -> None:
    full, half = (LeastSquares(np.array([[2.0]]), np.array([1.0]), 0.5, np.zeros(1), halved) for halved in (False, True))
    assert full.hessian(np.zeros(1))[0, 0] == pytest.approx(2 * 4 + 0.5, rel=1e-15)
    assert half.hessian(np.zeros(1))[0, 0] == pytest.approx(4 + 0.5, rel=1e-15)


def standard_basis(d: int) -> Dataset:
    """(e_i, i), the example of Guo et al. 2020, Section 2."""
    return Dataset(np.eye(d), np.arange(1.0, d + 1), np.array([f"e{k}" for k in range(d)]))


@pytest.mark.parametrize("halved", [False, True])
def test_small_parameters_still_say_who_was_there(halved: bool) -> None:
    """A weight that was made small, but not zero, names its record; the exact removal leaves what retraining leaves."""
    d, forget = 12, np.array([4], dtype=np.int64)
    data = standard_basis(d)
    procedure = CertifiedRemoval(l2=0.1, sigma=1e-300, tolerance=1e-9, loss="least-squares", halved=halved)
    learned = procedure.learn(data, 7)
    assert np.all(learned.weights > 0.1)
    shrunk = learned.weights[0].copy()
    shrunk[4] *= 1e-9  # as near to the retrained weights as anyone could ask
    exact = procedure.unlearn(learned, data, forget, 8).weights[0]
    retrained = procedure.learn(data.subset(np.delete(np.arange(d), 4)), 8).weights[0]
    assert np.linalg.norm(shrunk - retrained) / np.linalg.norm(retrained) < 0.3
    # Whoever looks whether a weight is zero is never wrong about the shrunk model,
    assert shrunk[4] > 1e-10 > abs(retrained[4])
    # and cannot tell the exact removal from retraining beyond rounding.
    assert abs(exact[4]) < 1e-12
    np.testing.assert_allclose(exact, retrained, atol=1e-9)


def test_the_gradient_residual_sees_what_the_distance_of_weights_does_not() -> None:
    d, forget = 12, np.array([4], dtype=np.int64)
    data = standard_basis(d)
    procedure = CertifiedRemoval(l2=0.1, sigma=1e-300, tolerance=1e-9, loss="least-squares")
    exact = procedure.unlearn(procedure.learn(data, 7), data, forget, 8)
    (left,) = procedure.objectives(data.subset(np.delete(np.arange(d), 4)), np.empty(0), np.zeros((1, d)))
    moved = exact.weights[0].copy()
    moved[4] = 1e-4
    at_exact, at_moved = (float(np.linalg.norm(left.gradient(w))) for w in (exact.weights[0], moved))
    assert at_exact < 1e-8 < 1e-5 < at_moved
