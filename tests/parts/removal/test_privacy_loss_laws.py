"""The exact privacy loss of Newton removals, against densities worked out another way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.base.records import Floats, Positions
from auditor.learning.logistic import Objective, minimise
from auditor.learning.residuals import NewtonRemoval
from auditor.parts.removal.learning.privacy_loss import privacy_losses

TOLERANCE = 1e-11


def table(seed: int, n: int, d: int) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, d))
    features /= np.maximum(1.0, np.linalg.norm(features, axis=1))[:, None]
    return features, np.where(rng.random(n) < 0.5, 1.0, -1.0)


def removed(objective: Objective, batches: list[Positions], b: Floats) -> Floats:
    """w⁻ as a function of b, by the procedure's own steps on tables of what is left."""
    now, left = Objective(objective.features, objective.signs, objective.l2, b), np.arange(len(objective.features))
    w = minimise(now, tolerance=TOLERANCE)
    for batch in batches:
        forget = np.flatnonzero(np.isin(left, batch))
        w = w + NewtonRemoval(now, w).step(forget)
        now, left = now.without(forget), np.delete(left, forget)
    return w


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 4), st.sampled_from([1e-2, 1e-1, 1.0]))
def test_the_loss_is_that_of_the_numerical_jacobian(seed: int, d: int, l2: float) -> None:
    features, signs = table(seed, 25, d)
    objective, sigma = Objective(features, signs, l2, np.zeros(d)), 1.5
    batches = [np.array([3]), np.array([7, 11])]
    b = np.random.default_rng(seed + 1).normal(0.0, sigma, d)
    found = privacy_losses(objective, batches, b[None, :], sigma=sigma, tolerance=TOLERANCE)
    for column in range(len(batches)):
        so_far = batches[: column + 1]
        width = 1e-4
        jacobian = np.stack(
            [
                (removed(objective, so_far, b + width * e) - removed(objective, so_far, b - width * e)) / (2 * width)
                for e in np.eye(d)
            ],
            axis=1,
        )
        w = removed(objective, so_far, b)
        gone = np.concatenate(so_far)
        kept = Objective(np.delete(features, gone, axis=0), np.delete(signs, gone), l2, b)
        residual = kept.gradient(w)
        expected = (
            (np.sum((b - residual) ** 2) - np.sum(b**2)) / (2 * sigma**2)
            - np.linalg.slogdet(jacobian)[1]
            - np.linalg.slogdet(kept.hessian(w))[1]
        )
        assert found.losses[0, column] == pytest.approx(expected, abs=2e-6)
        assert found.shifts[0, column] == pytest.approx(np.linalg.norm(residual) / sigma, rel=1e-6, abs=1e-9)


def test_it_is_the_logarithm_of_a_ratio_of_densities() -> None:
    """E[exp(−loss)] over what the removal gives is the mass of the retrained density, which is 1."""
    features, signs = table(5, 40, 2)
    objective, sigma = Objective(features, signs, 1e-2, np.zeros(2)), 1.0
    drawn = np.random.default_rng(6).normal(0.0, sigma, (4000, 2))
    losses = privacy_losses(objective, [np.array([0, 1])], drawn, sigma=sigma, tolerance=1e-9).losses[:, 0]
    ratios = np.exp(-losses)
    assert abs(ratios.mean() - 1) < 5 * ratios.std() / np.sqrt(len(ratios))
    assert losses.std() > 0


def test_where_the_residual_hardly_moves_with_b_it_is_the_gaussian_s() -> None:
    """Weak dependence: the standard deviation of the loss is near ‖u‖/σ, as a shift that is independent of b would have it."""
    features, signs = table(9, 400, 3)
    objective, sigma = Objective(features, signs, 1e-2, np.zeros(3)), 0.5
    drawn = np.random.default_rng(10).normal(0.0, sigma, (400, 3))
    found = privacy_losses(objective, [np.arange(20)], drawn, sigma=sigma, tolerance=1e-9)
    assert 0.5 < found.losses[:, 0].std() / found.shifts[:, 0].mean() < 2.0


def test_the_counterexample_to_theorem_2_has_losses_far_beyond_its_shift() -> None:
    """d = 1, keep (1, +1), remove (1, −1), λ = 1e-3, σ = 3: |u| stays small, and the densities are far apart."""
    objective = Objective(np.ones((2, 1)), np.array([1.0, -1.0]), 1e-3, np.zeros(1))
    drawn = np.random.default_rng(11).normal(0.0, 3.0, (400, 1))
    found = privacy_losses(objective, [np.array([1])], drawn, sigma=3.0, tolerance=1e-10)
    assert found.shifts.max() < 0.31
    assert np.mean(np.abs(found.losses) > 1) > 0.05
