"""Certified removal from a binary logistic model (Guo et al. 2020, Algorithms 1 and 2, with the corrections of `logistic`)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.special import chdtri, expit

from auditor.domain import Dataset, Floats, Positions
from auditor.procedures.logistic import Objective, minimise
from auditor.procedures.newton import NewtonRemoval

TAIL = 1e-12
"""The chance with which a perturbation may be longer than `perturbation_norm_bound` says."""


def perturbation(seed: int, dimensions: int, *, sigma: float) -> Floats:
    """b ~ N(0, σ²I), shape (d,). The seed is the secret that the certificate rests on."""
    b: Floats = np.random.default_rng(seed).normal(0.0, sigma, dimensions)
    return b


def perturbation_norm_bound(dimensions: int, *, sigma: float) -> float:
    """What ‖b‖ exceeds with probability 1e-12 only.

    Reports use it in place of ‖b‖ itself, which would give away part of the secret.
    """
    return sigma * math.sqrt(float(chdtri(dimensions, TAIL)))


def signs_of(labels: npt.NDArray[Any], classes: npt.NDArray[Any]) -> Floats:
    """−1 for the smaller of two classes and +1 for the larger, shape (n,)."""
    return np.where(labels == classes[1], 1.0, -1.0)


@dataclass(frozen=True, slots=True, eq=False)
class RemovalModel:
    """Everything that is carried from one update to the next."""

    parameters: Floats
    """w, shape (d,)."""
    classes: npt.NDArray[Any]
    """The two labels, sorted."""
    spent: float
    """β: the bound on ‖∇L_b‖ that the updates so far add up to."""
    retrained: bool
    """Whether the last update trained anew."""


@dataclass(frozen=True, slots=True)
class CertifiedRemoval:
    """Learning with a perturbed loss, and unlearning by a Newton step or by retraining.

    Hyperparameters as in `[procedure]`: `l2` (λ), `sigma` (σ), `tolerance` (bounds ‖∇L_b‖₂ after training), `unlearn`,
    and, for `retrain_at_budget`, `epsilon` and `delta`: a batch whose removal would exceed the budget is answered by
    training anew, with a new b.
    """

    l2: float
    sigma: float
    tolerance: float
    unlearn_by: Literal["newton", "retrain"] = "newton"
    epsilon: float | None = None
    delta: float | None = None
    retrain_at_budget: bool = False

    def objective(self, data: Dataset, classes: npt.NDArray[Any], seed: int) -> Objective:
        """L_b(·; data) with the b that `seed` draws."""
        b = perturbation(seed, data.features.shape[1], sigma=self.sigma)
        return Objective(data.features, signs_of(data.labels, classes), self.l2, b)

    def learn(self, data: Dataset, seed: int) -> RemovalModel:
        """Algorithm 1: draw b, minimise L_b in float64 to the declared tolerance."""
        return self._train(data, np.unique(data.labels), seed)

    def unlearn(self, model: RemovalModel, data: Dataset, forget: Positions, seed: int) -> RemovalModel:
        """One pass of Algorithm 2: remove the rows at `forget`, shape (m,), from a model of `data`."""
        if self.unlearn_by == "retrain":
            return self._train(_without(data, forget), model.classes, seed)
        # The Newton step needs no b: it cancels between the two gradients that the step compares.
        objective = Objective(data.features, signs_of(data.labels, model.classes), self.l2, np.zeros(data.features.shape[1]))
        updated = model.parameters + NewtonRemoval(objective, model.parameters).step(forget)
        spent = model.spent
        if self.retrain_at_budget:
            spent += self._increment(objective, forget, model.parameters, updated)
            if spent > self._budget():
                return self._train(_without(data, forget), model.classes, seed)
        return RemovalModel(updated, model.classes, spent, retrained=False)

    def refit(self, model: RemovalModel, data: Dataset, seed: int) -> RemovalModel:
        """Retraining on `data` that starts from the weights of `model` instead of from zero."""
        objective = self.objective(data, model.classes, seed)
        parameters = minimise(objective, tolerance=self.tolerance, start=model.parameters)
        return RemovalModel(parameters, model.classes, self.tolerance, retrained=True)

    def predict(self, model: RemovalModel, features: Floats) -> Floats:
        """Probabilities of the two classes, shape (n, 2)."""
        positive = expit(features @ model.parameters)
        return np.column_stack([1.0 - positive, positive])

    def parameters(self, model: RemovalModel) -> Floats:
        """w, shape (d,)."""
        return model.parameters

    def facts(self, model: RemovalModel) -> dict[str, bool]:
        """Whether the last update trained anew."""
        return {"retrained": model.retrained}

    def save(self, model: RemovalModel, path: str) -> None:
        """Write the array `parameters` as npz."""
        with Path(path).open("wb") as file:
            np.savez(file, parameters=model.parameters)

    def load(self, path: str) -> Floats:
        """Read the array `parameters` back."""
        with np.load(path, allow_pickle=False) as file:
            parameters: Floats = file["parameters"]
        return parameters

    def state(self, model: RemovalModel) -> bytes:
        """Every byte that is carried to the next update: w, the two labels, β."""
        return model.parameters.tobytes() + "\n".join(map(str, model.classes)).encode() + np.float64(model.spent).tobytes()

    def _train(self, data: Dataset, classes: npt.NDArray[Any], seed: int) -> RemovalModel:
        parameters = minimise(self.objective(data, classes, seed), tolerance=self.tolerance)
        return RemovalModel(parameters, classes, self.tolerance, retrained=True)

    def _budget(self) -> float:
        from auditor.certificates import gaussian  # noqa: PLC0415  (only this mode needs it)

        if self.epsilon is None or self.delta is None:
            raise ValueError("retraining at the budget needs epsilon and delta")
        return self.sigma * gaussian.mu(self.epsilon, self.delta)

    def _increment(self, objective: Objective, forget: Positions, parameters: Floats, updated: Floats) -> float:
        from auditor.procedures.residuals import measure_step  # noqa: PLC0415  (only this mode needs it)

        norm = perturbation_norm_bound(len(parameters), sigma=self.sigma)
        return measure_step(objective, forget, parameters, updated, perturbation_norm=norm).increment


def _without(data: Dataset, forget: Positions) -> Dataset:
    return data.subset(np.setdiff1d(np.arange(len(data)), forget))
