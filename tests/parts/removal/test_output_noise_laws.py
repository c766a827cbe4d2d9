"""Noise at release: no model leaves with more than the budget, whatever b is, and that bounds what the noise has to hide."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, ndtr, ndtri

from auditor.base.records import Dataset
from auditor.learning.logistic import minimise
from auditor.learning.randomness import perturbation, release_noise
from auditor.maths.certificates import derive, gaussian
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval, RemovalModel
from auditor.parts.removal.rules.output_noise import shift
from small_cases import problem

Floats = npt.NDArray[np.float64]
seeds = st.integers(0, 1_000_000)


def data_of(seed: int, classes: int = 2) -> Dataset:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(14, 40))
    features, labels = problem(n, int(rng.integers(1, 6)), seed=seed)
    if classes > 2:
        labels = rng.integers(0, classes, n)
        labels[:classes] = np.arange(classes)
    return Dataset(features, labels, np.array([f"r{k}" for k in range(n)]))


def residual(procedure: CertifiedRemoval, model: RemovalModel, data: Dataset) -> float:
    """√Σ‖∇L_{b_k}‖² with the b that the model carries."""
    assert model.perturbation is not None
    objectives = procedure.objectives(data, model.classes, model.perturbation)
    return math.hypot(*(float(np.linalg.norm(each.gradient(w))) for each, w in zip(objectives, model.weights, strict=True)))


@given(
    seed=seeds,
    classes=st.integers(2, 4),
    sigma=st.sampled_from([0.0, 0.1, 3.0]),
    l2=st.sampled_from([1e-3, 1e-1]),
    budget=st.sampled_from([1e-5, 1e-2, 1.0]),
)
@settings(max_examples=80)
def test_no_model_is_released_above_its_budget_and_none_with_another_b(
    seed: int, classes: int, sigma: float, l2: float, budget: float
) -> None:
    procedure = CertifiedRemoval(l2=l2, sigma=sigma, tolerance=1e-7, release_noise=0.3, residual_budget=budget)
    data = data_of(seed, classes)
    model = procedure.learn(data, seed)
    drawn = model.perturbation
    rng = np.random.default_rng(seed)
    anew = []
    for number in range(1, 6):
        forget = rng.choice(len(data), size=min(2, len(data) - 1), replace=False)
        model = procedure.unlearn(model, data, np.sort(forget), seed + number)
        data = data.subset(np.setdiff1d(np.arange(len(data)), forget))
        assert residual(procedure, model, data) <= budget
        np.testing.assert_array_equal(model.perturbation, drawn)
        anew.append(model.retrained)
        # The exact minimiser of the same objective lies as near as strong convexity says.
        exact = np.stack([minimise(each, tolerance=1e-9) for each in procedure.objectives(data, model.classes, drawn)])
        limit = (budget + math.sqrt(len(exact)) * 1e-9) / (l2 * len(data))
        assert np.linalg.norm(model.weights - exact) <= limit * (1 + 1e-9)
        noise = release_noise(seed + number, model.weights.size, deviation=0.3)
        np.testing.assert_array_equal(procedure.parameters(model), np.ravel(model.weights + noise.reshape(model.weights.shape)))
    if budget == 1.0 and l2 == 1e-1:
        assert not any(anew)


def test_a_small_budget_is_kept_by_training_anew() -> None:
    procedure = CertifiedRemoval(l2=1e-3, sigma=1.0, tolerance=1e-8, release_noise=0.1, residual_budget=1e-5)
    data = data_of(3)
    model = procedure.unlearn(procedure.learn(data, 9), data, np.array([0, 1, 2]), 10)
    assert model.retrained
    loose = CertifiedRemoval(l2=1e-3, sigma=1.0, tolerance=1e-8, release_noise=0.1, residual_budget=10.0)
    assert not loose.unlearn(loose.learn(data, 9), data, np.array([0, 1, 2]), 10).retrained


def test_a_budget_that_training_cannot_keep_releases_nothing() -> None:
    procedure = CertifiedRemoval(l2=1e-3, sigma=1.0, tolerance=1e-8, release_noise=0.1, residual_budget=1e-12)
    with pytest.raises(ArithmeticError, match="above the residual budget"):
        procedure.learn(data_of(3), 9)


@given(seed=seeds)
@settings(max_examples=30)
def test_the_noise_of_a_release_is_its_own(seed: int) -> None:
    one, other = release_noise(seed, 400, deviation=1.0), release_noise(seed + 1, 400, deviation=1.0)
    for between in (one @ other, one @ perturbation(seed, 400, sigma=1.0), other @ perturbation(seed + 1, 400, sigma=1.0)):
        assert abs(between) < 6 * 20  # six standard deviations of the product of independent vectors
    assert abs(float(one @ one) / 400 - 1) < 6 * math.sqrt(2 / 400)


@given(
    residual_norm=st.floats(1e-9, 10),
    l2=st.floats(1e-5, 1),
    rows=st.lists(st.integers(1, 10**6), min_size=1, max_size=5),
    noise=st.floats(1e-4, 10),
    delta=st.floats(1e-9, 0.1),
)
@settings(max_examples=100)
def test_the_rule_agrees_with_itself_both_ways(
    residual_norm: float, l2: float, rows: list[int], noise: float, delta: float
) -> None:
    given_ = {"l2": l2, "rows": rows, "release_noise": noise, "delta": delta}
    certificate = derive("output-noise", given_ | {"residual": residual_norm})
    mu = certificate.outputs["mu"]
    exact = math.sqrt(sum((residual_norm / (l2 * count * noise)) ** 2 for count in rows))
    assert exact <= mu <= exact * (1 + 1e-11)
    spent = certificate.epsilon
    if spent is None or not 1e-6 < spent < 500:
        return
    allowed = derive("output-noise", given_ | {"epsilon": spent}).outputs["residual_budget"]
    assert allowed == pytest.approx(residual_norm, rel=1e-6)
    # Fewer records, less noise or more releases never spend less.
    assert derive("output-noise", given_ | {"residual": residual_norm, "rows": [*rows, 5]}).outputs["mu"] > mu
    assert gaussian.delta(spent, mu) <= delta * (1 + 1e-9)


@pytest.mark.parametrize(("kept", "l2"), [(1, 1e-3), (100, 0.02)])
def test_the_counterexamples_to_theorem_two_are_no_counterexamples_here(kept: int, l2: float) -> None:
    """Exactly, in one dimension: whatever b does to the residual and to the branch, the noise hides what the budget allows.

    Training holds `kept` records (1, +1) and one record (1, -1), which is removed; sigma = 3 as in `test_gap_of_theorem_two`.
    """
    sigma, budget = 3.0, 0.3
    noise = budget / (l2 * kept) / gaussian.mu(1.0, 1e-4)
    b = sigma * ndtri((np.arange(4001) + 0.5) / 4001)  # points that stand for N(0, sigma^2), each for the same mass

    def root(forgotten: int) -> Floats:
        """The minimisers of the objective with so many records (1, -1), by bisection of its increasing derivative."""
        rows = kept + forgotten
        low, high = (np.full(len(b), side * (np.abs(b).max() + rows) / (l2 * rows)) for side in (-1.0, 1.0))
        for _ in range(100):
            middle = (low + high) / 2
            rising = kept * (expit(middle) - 1) + forgotten * expit(middle) + l2 * rows * middle + b > 0
            low, high = np.where(rising, low, middle), np.where(rising, middle, high)
        return (low + high) / 2

    weights, exact = root(1), root(0)
    p = expit(weights)
    newton = weights + (l2 * weights + p) / (kept * p * (1 - p) + l2 * kept)
    residuals = np.abs(kept * (expit(newton) - 1) + l2 * kept * newton + b)
    released = np.where(residuals > budget, exact, newton)
    assert np.abs(released - exact).max() <= budget / (l2 * kept) * (1 + 1e-9)
    low, high = released.min() - 8 * noise, released.max() + 8 * noise
    cells = np.linspace(low, high, 3001)
    ours, theirs = (np.diff(ndtr((cells[:, None] - each[None, :]) / noise).mean(axis=1)) for each in (released, exact))
    for one, other in ((ours, theirs), (theirs, ours)):
        assert np.maximum(one - math.e * other, 0).sum() <= 1e-4
    assert shift(budget, l2, (kept,), noise) <= gaussian.mu(1.0, 1e-4) * (1 + 1e-9)


def test_a_strength_beyond_float64_leaves_no_budget_and_no_crash() -> None:
    given_ = {"l2": 1e308, "rows": [500], "release_noise": 0.05, "delta": 1e-4, "residual": 0.05, "epsilon": 1.0}
    found = derive("output-noise", given_)
    assert (found.outputs["epsilon_spent"], found.outputs["residual_budget"]) == (0.0, None)
    assert "floating-point range" in str(found.outputs["reason"])
