"""Tables with more columns than rows: the same models as through a Hessian of every column, without making one."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.learning import logistic, subsets
from auditor.learning.batched_logistic import minimise_many, remove_many
from auditor.learning.logistic import Objective, minimise
from auditor.learning.one_versus_rest import LeastSquares
from auditor.learning.residuals import NewtonRemoval

ROWS, COLUMNS, L2, TOLERANCE = 30, 90, 1e-2, 1e-9


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A wide table for its size: features, signs and a perturbation."""
    monkeypatch.setattr(logistic, "WIDE", COLUMNS - 1)
    rng = np.random.default_rng(7)
    features = rng.standard_normal((ROWS, COLUMNS)) / np.sqrt(COLUMNS)
    return features, np.where(rng.random(ROWS) < 0.5, -1.0, 1.0), rng.standard_normal(COLUMNS)


def refused(*_: object) -> None:
    raise AssertionError("a matrix of every column was made")


@pytest.mark.parametrize("kind", [Objective, LeastSquares])
def test_one_model_is_minimised_and_unlearned_from_without_a_hessian(
    drawn: tuple[np.ndarray, ...], kind: type[Objective], monkeypatch: pytest.MonkeyPatch
) -> None:
    objective, forget = kind(drawn[0], drawn[1], L2, drawn[2]), np.array([3, 8])
    with monkeypatch.context() as narrow:
        narrow.setattr(logistic, "WIDE", COLUMNS)
        parameters = minimise(objective, tolerance=TOLERANCE)
        step = NewtonRemoval(objective, parameters).step(forget)
    monkeypatch.setattr(kind, "hessian", refused)
    found = minimise(objective, tolerance=TOLERANCE)
    assert np.linalg.norm(objective.gradient(found)) <= TOLERANCE
    assert np.linalg.norm(found - parameters) <= 2 * TOLERANCE / objective.strength
    assert NewtonRemoval(objective, parameters).step(forget) == pytest.approx(step, rel=1e-9, abs=1e-12)


def test_many_models_are_minimised_and_unlearned_from_without_a_hessian(
    drawn: tuple[np.ndarray, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    features, signs, perturbation = drawn
    rng = np.random.default_rng(8)
    members = rng.random((6, ROWS)) < 0.7
    forget = members & (np.arange(ROWS) < 5)
    perturbations = np.tile(perturbation, (6, 1)) * rng.random((6, 1))
    with monkeypatch.context() as narrow:
        narrow.setattr(logistic, "WIDE", COLUMNS)
        models = minimise_many(features, signs, members, l2=L2, perturbations=perturbations, tolerance=TOLERANCE)
        less = remove_many(features, signs, members, forget, l2=L2, parameters=models)
    monkeypatch.setattr(subsets.Subsets, "hessians", refused)
    monkeypatch.setattr(Objective, "hessian", refused)
    found = minimise_many(features, signs, members, l2=L2, perturbations=perturbations, tolerance=TOLERANCE)
    assert (np.linalg.norm(found - models, axis=1) <= 2 * TOLERANCE / (L2 * members.sum(axis=1))).all()
    assert remove_many(features, signs, members, forget, l2=L2, parameters=models) == pytest.approx(less, rel=1e-9, abs=1e-12)
