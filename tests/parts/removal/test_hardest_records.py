"""Which records count as the hardest, and what their removal leaves."""

from __future__ import annotations

import numpy as np

from auditor.learning.logistic import Objective, minimise
from auditor.learning.one_versus_rest import Shape
from auditor.learning.randomness import perturbation
from auditor.parts.removal.observing import removal
from small_cases import problem


def test_the_worst_margin_comes_first() -> None:
    features, labels = problem(80, 4, seed=3)
    signs = np.where(labels > 0, 1.0, -1.0)
    loss = Objective(features, signs, 1e-2, perturbation(1, 4, sigma=1.0))
    w = minimise(loss, tolerance=1e-9)
    margins = signs * (features @ w)
    assert removal.worst_margins([loss], w[None], 7).tolist() == np.argsort(margins, kind="stable")[:7].tolist()


def test_a_squared_loss_takes_the_farthest_targets() -> None:
    features, _ = problem(40, 3, seed=4)
    targets = features @ np.array([1.0, -2.0, 0.5])
    targets[[5, 11]] += [9.0, -7.0]
    (loss,) = Shape("least-squares").objectives(features, targets[None], l2=1e-2, perturbations=np.zeros((1, 3)))
    found = removal.worst_margins([loss], minimise(loss, tolerance=1e-9)[None], 2)
    assert found.tolist() == [5, 11]


def test_several_classes_are_taken_together() -> None:
    rng = np.random.default_rng(0)
    features, classes = rng.normal(size=(60, 5)), np.arange(3)
    shape = Shape("logistic")
    targets = shape.targets(rng.integers(3, size=60), classes)
    losses = shape.objectives(features, targets, l2=1e-2, perturbations=rng.normal(size=(3, 5)))
    weights = np.stack([minimise(each, tolerance=1e-9) for each in losses])
    slopes = np.linalg.norm([each.slopes(w) for each, w in zip(losses, weights, strict=True)], axis=0)
    assert removal.worst_margins(losses, weights, 60).tolist() == np.argsort(-slopes, kind="stable").tolist()


def test_the_hardest_records_leave_more_than_any_drawn_at_random() -> None:
    rng = np.random.default_rng(1)
    for seed in range(5):
        features, labels = problem(400, 6, seed=seed)
        loss = Objective(features, np.where(labels > 0, 1.0, -1.0), 1e-3, perturbation(seed, 6, sigma=0.1))
        w = minimise(loss, tolerance=1e-9)
        found = removal.hardest_measured([loss], w[None], 3, perturbation_norm=1.0)
        assert found is not None
        assert found[0].measured <= 1e-9 + found[0].increment
        drawn = []
        for _ in range(20):
            forget = rng.choice(400, 3, replace=False)
            step = removal.removal([loss], w[None], forget, perturbation_norm=1.0)
            assert step is not None
            drawn.append(step[0].measured)
        assert found[0].measured > max(drawn)


def test_a_step_that_float64_does_not_hold_has_no_numbers() -> None:
    loss = Objective(np.ones((5, 2)), np.array([1.0, -1.0, 1.0, -1.0, 1.0]), 1e-300, np.zeros(2))
    assert removal.hardest_measured([loss], np.zeros((1, 2)), 1, perturbation_norm=0.0) is None
