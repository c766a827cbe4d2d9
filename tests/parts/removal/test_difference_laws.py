"""Two releases and a Hessian point at the deleted record, whatever hides one release."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from auditor.base.records import Dataset
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval
from auditor.parts.revealing.observing.difference import resemblance
from small_cases import problem

seeds = st.integers(0, 1_000_000)


def records(seed: int, n: int, d: int, classes: int) -> Dataset:
    rng = np.random.default_rng(seed)
    features, labels = problem(n, d, seed=seed)
    if classes > 2:
        labels = rng.integers(0, classes, n)
        labels[:classes] = np.arange(classes)
    return Dataset(features, labels, np.array([f"r{k}" for k in range(n)]))


def likeness(procedure: CertifiedRemoval, data: Dataset, forget: int, seed: int, *, public: Dataset | None = None) -> np.ndarray:
    model = procedure.learn(data, seed)
    after = procedure.unlearn(model, data, np.array([forget]), seed + 1)
    kept = data.subset(np.delete(np.arange(len(data)), forget))
    nothing = np.zeros_like(model.weights)
    return resemblance(
        procedure.objectives(data, model.classes, nothing),
        procedure.objectives(public or kept, model.classes, nothing),
        procedure.parameters(model).reshape(nothing.shape),
        procedure.parameters(after).reshape(nothing.shape),
        rows_left=len(kept),
    )


@given(seed=seeds, classes=st.integers(2, 4), sigma=st.sampled_from([0.1, 1.0, 10.0]))
@settings(max_examples=80)
def test_with_the_hessian_of_what_remains_the_record_is_named_exactly(seed: int, classes: int, sigma: float) -> None:
    data = records(seed, 40, 6, classes)
    procedure = CertifiedRemoval(l2=1e-2, sigma=sigma, tolerance=1e-9)
    forget = seed % 40
    # A record whose loss is flat to within the optimiser's tolerance leaves no trace to point at.
    model = procedure.learn(data, seed)
    losses = procedure.objectives(data, model.classes, np.zeros_like(model.weights))
    assume(np.linalg.norm([each.slopes(w)[forget] for each, w in zip(losses, model.weights, strict=True)]) > 1e-5)
    found = likeness(procedure, data, forget, seed)
    assert found[forget] == pytest.approx(1.0, abs=1e-6)
    assert np.all(np.abs(found) <= 1 + 1e-9)
    assert np.count_nonzero(found > found[forget] + 1e-9) == 0


@given(seed=seeds, halved=st.booleans())
@settings(max_examples=40)
def test_a_squared_loss_gives_its_record_away_as_well(seed: int, halved: bool) -> None:
    features, _ = problem(30, 4, seed=seed)
    targets = features @ np.arange(4.0) + np.random.default_rng(seed).normal(size=30)
    data = Dataset(features, targets, np.array([f"r{k}" for k in range(30)]))
    procedure = CertifiedRemoval(l2=1e-2, sigma=1.0, tolerance=1e-9, loss="least-squares", halved=halved)
    assert likeness(procedure, data, 7, seed)[7] == pytest.approx(1.0, abs=1e-6)


def test_a_hessian_from_public_data_is_enough() -> None:
    data, public = records(1, 400, 20, 2), records(2, 400, 20, 2)
    procedure = CertifiedRemoval(l2=1e-2, sigma=1.0, tolerance=1e-9)
    first = 0
    for forget in range(20):
        found = likeness(procedure, data, forget, 50 + forget, public=public)
        assert found[forget] > 0.9
        first += int(np.argmax(found)) == forget
    assert first == 20


def test_retraining_with_a_fresh_random_term_tells_nothing_of_that_kind() -> None:
    data = records(1, 400, 20, 2)
    procedure = CertifiedRemoval(l2=1e-2, sigma=1.0, tolerance=1e-9, unlearn_by="retrain")
    ranks = []
    for forget in range(40):
        found = likeness(procedure, data, forget, 50 + 2 * forget)
        ranks.append(np.count_nonzero(found > found[forget]) / len(found))
    # Evenly spread ranks have a mean of 1/2; five standard deviations around it.
    assert abs(np.mean(ranks) - 0.5) < 5 / np.sqrt(12 * 40)
    assert min(ranks) < 0.25 < 0.75 < max(ranks)


def test_noise_at_release_hides_the_direction_where_it_is_large() -> None:
    data = records(1, 400, 20, 2)
    loud = CertifiedRemoval(l2=1e-2, sigma=1.0, tolerance=1e-9, release_noise=5.0, residual_budget=1.0)
    quiet = CertifiedRemoval(l2=1e-2, sigma=1.0, tolerance=1e-9, release_noise=1e-9, residual_budget=1.0)
    assert likeness(quiet, data, 3, 60)[3] > 0.99
    assert np.mean([likeness(loud, data, forget, 60 + 2 * forget)[forget] for forget in range(20)]) < 0.5
