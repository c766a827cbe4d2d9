"""Several classifiers at once: what bounds each class bounds all of them together, and the mechanism is one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import gamma, kstest

from auditor.base.records import Dataset
from auditor.learning.randomness import perturbations
from auditor.learning.residuals import measure_step, spectral_norm_bound
from auditor.maths.certificates import derive, disagreements
from auditor.maths.certificates.perturbation import perturbation_norm_bound
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval
from auditor.parts.removal.rules.joint import JointResidualInputs, of_class
from auditor.parts.removal.rules.residual import ROWS
from small_cases import problem

seeds = st.integers(0, 1_000_000)


def walked(seed: int, classes: int, batches: int, *, laplace: bool) -> tuple[dict[str, Any], list[float]]:
    """The inputs of the rule for a random log, and the norm of all residuals together after each batch."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(14, 40))
    features, _ = problem(n, int(rng.integers(1, 6)), seed=seed)
    labels = rng.integers(0, classes, n)
    labels[:classes] = np.arange(classes)
    data = Dataset(features, labels, np.array([f"r{k}" for k in range(n)]))
    kind = "laplace" if laplace else "gaussian"
    procedure = CertifiedRemoval(l2=float(10 ** rng.uniform(-3, 0)), sigma=1.0, tolerance=1e-7, distribution=kind)
    model, drawn = procedure.learn(data, seed), procedure.perturbations(classes, features.shape[1], seed)
    norm = perturbation_norm_bound(features.shape[1], sigma=1.0, distribution=kind)
    objectives = procedure.objectives(data, model.classes, drawn)
    inputs: dict[str, Any] = {
        "classes": classes,
        "added": int(laplace),
        "l2": procedure.l2,
        "lipschitz_printed": 0.25,
        "lipschitz": objectives[0].lipschitz,
        "gradient_bound": 1.0,
        "row_norm": float(np.linalg.norm(features, axis=1).max()),
        "perturbation_norm": norm,
        "leftovers": [1e-7] * classes,
        "retrained": [0] * batches,
        "batch_leftover": [0.0] * (batches * classes),
    }
    together, lists = [], {name: [] for name in ("rows", "forgotten", "spectral_norm")}
    each: dict[str, list[float]] = {}
    for number in range(batches):
        forget = np.array([number], dtype=np.int64)
        updated = procedure.unlearn(model, data, forget, seed + 1 + number)
        spectral = spectral_norm_bound(np.delete(data.features, forget, axis=0))
        steps = [
            measure_step(one, forget, w, u, perturbation_norm=norm, spectral_norm=spectral)
            for one, w, u in zip(procedure.objectives(data, model.classes, drawn), model.weights, updated.weights, strict=True)
        ]
        for name, values in lists.items():
            values.append(getattr(steps[0], name))
        for name in JointResidualInputs.model_fields:
            if name not in inputs and name not in lists:
                each.setdefault(name, []).extend(getattr(step, name) for step in steps)
        norms = [step.measured for step in steps]
        together.append(math.fsum(norms) if laplace else math.hypot(*norms))
        data, model = data.subset(np.delete(np.arange(len(data)), forget)), updated
    return inputs | lists | each, together


@given(seed=seeds, classes=st.integers(3, 5), batches=st.integers(0, 4), laplace=st.booleans())
@settings(max_examples=80)
def test_the_joint_bound_bounds_all_classes_together(seed: int, classes: int, batches: int, laplace: bool) -> None:
    inputs, together = walked(seed, classes, batches, laplace=laplace)
    if not batches:
        inputs |= {name: [] for name in JointResidualInputs.model_fields if name not in inputs}
    certificate = derive("joint-residual", inputs)
    assert [condition.name for condition in certificate.conditions if not condition.holds] == []
    assert disagreements(certificate) == ()
    for name in ROWS:
        betas = certificate.outputs["betas"][name]
        assert all(norm <= beta * (1 + 1e-12) for norm, beta in zip(together, betas[1:], strict=True))
    single = [derive("removal-residual", of_class(JointResidualInputs(**inputs), k).model_dump()) for k in range(classes)]
    for t, beta in enumerate(certificate.outputs["betas"]["local"]):
        parts = [each.outputs["betas"]["local"][t] for each in single]
        joint = math.fsum(parts) if laplace else math.hypot(*parts)
        assert joint <= beta <= joint * (1 + 1e-11)
        # Never more than adding the classes' shifts, and never less than the largest of them.
        assert max(parts) <= beta <= math.fsum(parts) * (1 + 1e-11)


def test_a_class_whose_numbers_contradict_each_other_gives_no_beta() -> None:
    inputs, _ = walked(3, 3, 2, laplace=False)
    measured = list(inputs["measured"])
    measured[4] = 10.0
    certificate = derive("joint-residual", inputs | {"measured": measured})
    assert certificate.outputs["beta"] is None
    (failed,) = [condition for condition in certificate.conditions if not condition.holds]
    assert failed.found.startswith("class 2: not at batch 2")


@pytest.mark.parametrize(
    "changes", [{"classes": 1}, {"added": 2}, {"leftovers": [1e-7]}, {"measured": [0.1]}, {"rows": [20, 19, 18]}, {"l2": -1.0}]
)
def test_lists_that_do_not_fit_give_nothing(changes: dict[str, Any]) -> None:
    inputs, _ = walked(3, 3, 2, laplace=False)
    certificate = derive("joint-residual", inputs | changes)
    assert certificate.outputs["beta"] is None
    assert certificate.bounds == ()


@given(seed=seeds, classes=st.integers(3, 5))
@settings(max_examples=40)
def test_each_class_is_its_own_binary_model(seed: int, classes: int) -> None:
    features, _ = problem(40, 4, seed=seed)
    labels = np.random.default_rng(seed).integers(0, classes, 40)
    labels[:classes] = np.arange(classes)
    data = Dataset(features, labels, np.array([f"r{k}" for k in range(40)]))
    procedure = CertifiedRemoval(l2=0.1, sigma=1.0, tolerance=1e-9)
    model = procedure.learn(data, seed)
    drawn = procedure.perturbations(classes, 4, seed)
    # Independent b: one for all would leave their difference unhidden.
    assert np.linalg.matrix_rank(drawn) == min(classes, 4)
    for k, objective in enumerate(procedure.objectives(data, model.classes, drawn)):
        np.testing.assert_array_equal(objective.signs, np.where(labels == k, 1.0, -1.0))
        assert np.linalg.norm(objective.gradient(model.weights[k])) <= 1e-9
    shown = procedure.predict(model, features)
    np.testing.assert_allclose(shown.sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_array_equal(shown.argmax(axis=1), (features @ model.weights.T).argmax(axis=1))
    assert procedure.parameters(model).shape == (4 * classes,)


@given(seed=seeds, dimensions=st.integers(1, 40), scale=st.floats(0.01, 100))
@settings(max_examples=60)
def test_a_laplace_type_perturbation_hides_a_shift_at_pure_epsilon(seed: int, dimensions: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    (b,) = perturbations(seed, 1, dimensions, sigma=scale, distribution="laplace")
    shift = rng.normal(size=dimensions)
    shift *= rng.uniform(0, 3) * scale / np.linalg.norm(shift)
    spent = derive("removal-budget-laplace", {"epsilon": 1, "sigma": scale, "beta": float(np.linalg.norm(shift))}).epsilon
    assert spent is not None
    # The density is exp(-|b|/sigma) up to a constant, so this is the whole privacy loss of any release.
    rounding = 8 * np.spacing(np.linalg.norm(b)) / scale
    assert abs(np.linalg.norm(b + shift) - np.linalg.norm(b)) / scale <= spent * (1 + 1e-12) + rounding
    assert np.linalg.norm(b) < perturbation_norm_bound(dimensions, sigma=scale, distribution="laplace")


def test_laplace_type_norms_are_gamma_and_directions_are_even() -> None:
    drawn = perturbations(11, 20_000, 6, sigma=0.7, distribution="laplace")
    norms = np.linalg.norm(drawn, axis=1)
    assert kstest(norms, gamma(a=6, scale=0.7).cdf).pvalue > 1e-4
    directions = drawn / norms[:, None]
    assert np.abs(directions.mean(axis=0)).max() < 5 / math.sqrt(6 * 20_000)
    np.testing.assert_allclose(directions.T @ directions / 20_000, np.eye(6) / 6, atol=0.01)
