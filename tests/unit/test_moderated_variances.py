"""Variances from a few models, drawn towards what the records have in common."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import digamma, polygamma

from auditor.attacks.moderated import Prior, prior_of


def drawn(records: int, freedom: int, *, scale: float, weight: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """True variances, and what so many degrees of freedom estimate of each."""
    rng = np.random.default_rng(seed)
    true = scale * weight / rng.chisquare(weight, records) if math.isfinite(weight) else np.full(records, scale)
    return true, true * rng.chisquare(freedom, records) / freedom


@pytest.mark.parametrize("freedom", [1, 3, 19])
@pytest.mark.parametrize("weight", [0.5, 4.0, 30.0])
def test_the_prior_that_variances_were_drawn_from_is_found(weight: float, freedom: int) -> None:
    _, seen = drawn(200_000, freedom, scale=2.5, weight=weight)
    found = prior_of(seen, freedom, least=1e-300)
    assert found.weight == pytest.approx(weight, rel=0.15)
    assert found.scale == pytest.approx(2.5, rel=0.05)


def test_the_moments_of_logarithms_by_hand() -> None:
    """With ψ and its derivative taken of the solution: mean and variance of the logarithms come out again."""
    seen = np.array([0.01, 0.3, 1.0, 2.0, 60.0])
    found = prior_of(seen, 4, least=1e-300)
    logs = np.log(seen)
    assert float(polygamma(1, 2.0) + polygamma(1, found.weight / 2)) == pytest.approx(logs.var(ddof=1), rel=1e-9)
    bias = digamma(2.0) - math.log(2.0) - digamma(found.weight / 2) + math.log(found.weight / 2)
    assert math.log(found.scale) + bias == pytest.approx(logs.mean(), rel=1e-9)


def test_equal_variances_are_pooled_and_unequal_ones_are_not() -> None:
    one = prior_of(np.full(7, 2.0), 3, least=1e-12)
    assert one == Prior(2.0, math.inf)
    assert one.moderated(np.array([0.0, 9.0]), 3).tolist() == [2.0, 2.0]
    own = prior_of(10.0 ** np.arange(-9, 9), 3, least=1e-12)
    assert own.weight < 0.2
    assert own.moderated(np.array([5.0]), 3) == pytest.approx([5.0], rel=0.2)


def test_without_a_degree_of_freedom_the_prior_is_all_there_is() -> None:
    assert Prior(3.0, 0.5).moderated(np.zeros(2), 0).tolist() == [3.0, 3.0]


def test_a_variance_of_nothing_counts_as_the_least() -> None:
    seen = np.array([0.0, 1.0, 2.0, 0.0])
    assert prior_of(seen, 5, least=1e-12) == prior_of(np.maximum(seen, 1e-12), 5, least=1e-300)


@pytest.mark.parametrize("weight", [1.0, 6.0, math.inf])
@pytest.mark.parametrize("freedom", [1, 3, 7, 19])
def test_moderated_variances_are_nearer_than_pooled_and_than_single_ones(weight: float, freedom: int) -> None:
    """In the mean square of the logarithms, whether records differ or not, from a few models or many."""
    true, seen = drawn(2_000, freedom, scale=1.0, weight=weight, seed=1)

    def off(found: np.ndarray | float) -> float:
        return float(np.mean(np.log(np.maximum(found, 1e-12) / true) ** 2))

    moderated = off(prior_of(seen, freedom, least=1e-12).moderated(seen, freedom))
    assert moderated <= 1.05 * min(off(seen), off(float(seen.mean()))) + 0.02
