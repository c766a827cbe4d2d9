"""Removals without a pass over the data: the same steps, a bound that holds however long the sequence, rows counted once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.learning.logistic import Objective, minimise
from auditor.learning.randomness import perturbation
from auditor.learning.residuals import NewtonRemoval
from auditor.maths.certificates.perturbation import perturbation_norm_bound
from benchmarks.paper.online_removal import OnlineRemoval
from small_cases import problem

Floats = npt.NDArray[np.float64]
seeds = st.integers(0, 1_000_000)


def classes(seed: int, count: int, *, scale: float = 1.0) -> tuple[list[Objective], float]:
    """One-versus-rest objectives over the same rows, and a bound on the norm of each perturbation."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(8, 50)), int(rng.integers(1, 7))
    features = scale * problem(n, d, seed=seed)[0]
    labels, sigma = rng.integers(0, count, n), float(10 ** rng.uniform(-2, 1))
    l2 = float(10 ** rng.uniform(-3, 0))
    drawn = perturbation(seed, count * d, sigma=sigma).reshape(count, d)
    found = [Objective(features, np.where(labels == k, 1.0, -1.0), l2, b) for k, b in enumerate(drawn)]
    return found, perturbation_norm_bound(count * d, sigma=sigma)


def started(seed: int, count: int, *, scale: float = 1.0) -> tuple[list[Objective], OnlineRemoval]:
    objectives, norm = classes(seed, count, scale=scale)
    weights = np.stack([minimise(each, tolerance=1e-6) for each in objectives])
    return objectives, OnlineRemoval(objectives, weights, perturbation_norm=norm)


@given(
    seed=seeds,
    count=st.integers(1, 4),
    removals=st.integers(1, 6),
    refresh=st.booleans(),
    hardest=st.booleans(),
    scale=st.sampled_from([1.0, 1.0, 15.0]),
)
@settings(max_examples=100)
def test_the_bound_holds_along_any_sequence(
    seed: int, count: int, removals: int, refresh: bool, hardest: bool, scale: float
) -> None:
    objectives, online = started(seed, count, scale=scale)
    rng = np.random.default_rng(seed + 1)
    left = np.arange(len(objectives[0].features))
    for _ in range(min(removals, len(left) - 1)):
        classes_now = zip(objectives, online.parameters, strict=True)
        margins = np.min([each.signs[left] * (each.features[left] @ w) for each, w in classes_now], axis=0)
        size = min(int(rng.integers(1, 4)), len(left) - 1)
        at = np.argsort(margins)[:size] if hardest else rng.choice(len(left), size, replace=False)
        forget, left = left[at], np.delete(left, at)
        online.remove(forget)
        for each, w, bound in zip(objectives, online.parameters, online.bounds, strict=True):
            rest = Objective(each.features[left], each.signs[left], each.l2, each.perturbation)
            assert np.linalg.norm(rest.gradient(w)) <= bound
        if refresh:
            online.refresh()
            assert not online.drift.any()


@given(seed=seeds, count=st.integers(1, 4))
@settings(max_examples=60)
def test_the_first_step_is_the_newton_step_of_every_class(seed: int, count: int) -> None:
    objectives, online = started(seed, count)
    before, forget = online.parameters.copy(), np.array([0, 3], dtype=np.int64)
    steps = online.remove(forget)
    for each, w, step in zip(objectives, before, steps, strict=True):
        np.testing.assert_allclose(step, NewtonRemoval(each, w).step(forget), rtol=1e-7, atol=1e-11)
    np.testing.assert_array_equal(online.parameters, before + steps)


@given(seed=seeds)
@settings(max_examples=60)
def test_the_gradients_are_those_on_the_rows_that_are_left(seed: int) -> None:
    objectives, online = started(seed, 3)
    online.remove(np.array([1], dtype=np.int64))
    expected = [each.without(np.array([1])).gradient(w) for each, w in zip(objectives, online.parameters, strict=True)]
    np.testing.assert_allclose(online.gradients(), expected, rtol=1e-9, atol=1e-10)


def test_with_several_classes_the_gram_matrix_loses_a_row_once() -> None:
    """Down-dated once a class it would go on shrinking, and the bound with it, until it is none."""
    objectives, online = started(5, 4)
    features = objectives[0].features
    for row in (2, 0, 4):
        online.remove(np.array([row]))
    kept = np.delete(features, [2, 0, 4], axis=0)
    np.testing.assert_allclose(online._gram, kept.T @ kept, atol=1e-12)


def test_rows_that_are_gone_are_refused() -> None:
    _, online = started(1, 2)
    online.remove(np.array([2]))
    for wrong in ([2], [3, 3], [0, 2]):
        with pytest.raises(ValueError, match="one that is gone"):
            online.remove(np.array(wrong))


def test_classes_that_do_not_share_their_rows_are_refused() -> None:
    (one, norm), (other, _) = classes(1, 1), classes(2, 1)
    with pytest.raises(ValueError, match="differ in their rows"):
        OnlineRemoval([*one, *other], np.zeros((2, one[0].features.shape[1])), perturbation_norm=norm)
