"""Certified removal from linear models (Guo et al. 2020, Algorithms 1 and 2, with the corrections of `logistic`).

With release noise s > 0 what is released is w + N(0, s²I), and every w has a residual of at most `residual_budget`, whatever b
and the seed are: a Newton step that would leave more is answered by training from scratch *with the same b*, so that which of the
two happened tells nothing that the noise does not hide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from auditor.base.records import Dataset, Floats, Positions
from auditor.learning.facts import Facts
from auditor.learning.logistic import Objective, minimise
from auditor.learning.one_versus_rest import Loss, Shape, leaving
from auditor.learning.randomness import perturbations, release_noise
from auditor.learning.residuals import NewtonRemoval, RowNorms, bounded, measure_step, rounding_floor, spectral_norm_bound
from auditor.maths.certificates.perturbation import Distribution, perturbation_norm_bound


@dataclass(frozen=True, slots=True, eq=False)
class RemovalModel:
    """Everything that is carried from one update to the next, and what is released of it."""

    weights: Floats
    """w of every class, shape (K, d)."""
    classes: npt.NDArray[Any]
    """The labels, sorted; none for a regression."""
    spent: Floats
    """β_k: the bound on ‖∇L_b‖ that the updates so far add up to, shape (K,)."""
    retrained: bool
    """Whether the last update trained from scratch."""
    perturbation: Floats | None
    """b, shape (K, d), where retraining keeps it; else None, and nothing needs it any more."""
    noise: Floats | float
    """What is added at release, shape (K, d); 0 where nothing is. It is not carried on."""


@dataclass(frozen=True, slots=True)
class CertifiedRemoval:
    """Learning with a perturbed loss, and unlearning by a Newton step or by retraining.

    Hyperparameters as in `[procedure]`: `l2` (λ), `sigma` (σ), `tolerance` (bounds ‖∇L_b‖₂ after training, class by class),
    `unlearn`, `loss` and `halved`, `distribution` (of b), `row_norms`, and

    - for `retrain_at_budget`, `epsilon` and `delta`: a batch whose removal would exceed the budget is answered by training from
      scratch, with a new b;
    - for `release_noise` (s), `residual_budget` (r): the norm that no released model's residual, all classes together, exceeds.
    """

    l2: float
    sigma: float
    tolerance: float
    unlearn_by: Literal["newton", "retrain"] = "newton"
    epsilon: float | None = None
    delta: float | None = None
    retrain_at_budget: bool = False
    loss: Loss = "logistic"
    halved: bool = False
    distribution: Distribution = "gaussian"
    release_noise: float = 0.0
    residual_budget: float | None = None
    row_norms: RowNorms = "report"

    @property
    def shape(self) -> Shape:
        """What is learned."""
        return Shape(self.loss, self.halved)

    def objectives(self, data: Dataset, classes: npt.NDArray[Any], drawn: Floats) -> tuple[Objective, ...]:
        """L_{b_k}(·; data) with b of shape (K, d)."""
        targets = self.shape.targets(data.labels, classes)
        return self.shape.objectives(self.rows(data.features), targets, l2=self.l2, perturbations=drawn)

    def rows(self, features: Floats) -> Floats:
        """What is learned from features and predicted on, shape (n, d)."""
        return bounded(features) if self.row_norms == "scale" else features

    def perturbations(self, classes: int, dimensions: int, seed: int) -> Floats:
        """The b that `seed` draws, shape (K, d)."""
        count = self.shape.models(classes)
        return perturbations(seed, count, dimensions, sigma=self.sigma, distribution=self.distribution)

    def learn(self, data: Dataset, seed: int) -> RemovalModel:
        """Algorithm 1: draw b, minimise L_b in float64 to the declared tolerance."""
        return self._train(data, self._classes(data), seed)

    def unlearn(self, model: RemovalModel, data: Dataset, forget: Positions, seed: int) -> RemovalModel:
        """One pass of Algorithm 2: remove the rows at `forget`, shape (m,), from a model of `data`.

        Raises:
            ArithmeticError: If the residual budget cannot be kept in float64.
        """
        if self.unlearn_by == "retrain":
            return self._train(_without(data, forget), model.classes, seed)
        # The Newton step needs no b: it cancels between the two gradients that the step compares.
        objectives = self.objectives(data, model.classes, np.zeros_like(model.weights))
        steps = [NewtonRemoval(each, w).step(forget) for each, w in zip(objectives, model.weights, strict=True)]
        updated = model.weights + np.stack(steps)
        spent = model.spent
        if self.retrain_at_budget:
            spent = spent + self._increments(objectives, forget, model.weights, updated)
            if self._total(spent) > self._budget():
                return self._train(_without(data, forget), model.classes, seed)
        if model.perturbation is not None:
            kept = self.objectives(_without(data, forget), model.classes, model.perturbation)
            if self._leftover(kept, updated) > self._residual_budget():
                return self._fit(kept, model.classes, seed, start=updated)
        return self._released(updated, model.classes, spent, seed, retrained=False, drawn=model.perturbation)

    def refit(self, model: RemovalModel, data: Dataset, seed: int) -> RemovalModel:
        """Retraining on `data` that starts from the weights of `model` instead of from zero."""
        return self._train(data, model.classes, seed, start=model.weights)

    def predict(self, model: RemovalModel, features: Floats) -> Floats:
        """What the released model says: probabilities of the classes, shape (n, classes), or real values, shape (n,)."""
        return self.shape.predictions(self.rows(features) @ (model.weights + model.noise).T)

    def parameters(self, model: RemovalModel) -> Floats:
        """The weights that are released, class after class, shape (Kd,)."""
        return np.ravel(model.weights + model.noise)

    def facts(self, model: RemovalModel) -> Facts:
        """Whether the last update trained from scratch."""
        return Facts(retrained=model.retrained)

    def save(self, model: RemovalModel, path: str) -> None:
        """Write the array `parameters` as npz."""
        with Path(path).open("wb") as file:
            np.savez(file, parameters=self.parameters(model))

    def load(self, path: str) -> Floats:
        """Read the array `parameters` back."""
        with np.load(path, allow_pickle=False) as file:
            parameters: Floats = file["parameters"]
        return parameters

    def state(self, model: RemovalModel) -> bytes:
        """Every byte that is carried to the next update: w, the labels, β, and b where retraining keeps it."""
        labels = "\n".join(map(str, model.classes)).encode()
        drawn = b"" if model.perturbation is None else model.perturbation.tobytes()
        return model.weights.tobytes() + labels + model.spent.tobytes() + drawn

    def _classes(self, data: Dataset) -> npt.NDArray[Any]:
        return np.unique(data.labels) if self.loss == "logistic" else np.empty(0)

    def _train(self, data: Dataset, classes: npt.NDArray[Any], seed: int, start: Floats | None = None) -> RemovalModel:
        drawn = self.perturbations(len(classes), data.features.shape[1], seed)
        return self._fit(self.objectives(data, classes, drawn), classes, seed, start=start)

    def _fit(
        self, objectives: tuple[Objective, ...], classes: npt.NDArray[Any], seed: int, *, start: Floats | None = None
    ) -> RemovalModel:
        starts = [None] * len(objectives) if start is None else list(start)
        found = [minimise(each, tolerance=self.tolerance, start=w) for each, w in zip(objectives, starts, strict=True)]
        weights, drawn = np.stack(found), np.stack([each.perturbation for each in objectives])
        if self.release_noise and (left := self._leftover(objectives, weights)) > self._residual_budget():
            raise ArithmeticError(
                f"training ended with a residual of {left:.3g} at most, above the residual budget of "
                f"{self._residual_budget():.3g}: declare a smaller tolerance, or a larger budget"
            )
        spent = np.full(len(objectives), self.tolerance)
        kept = drawn if self.release_noise and self.unlearn_by == "newton" else None
        return self._released(weights, classes, spent, seed, retrained=True, drawn=kept)

    def _released(
        self, weights: Floats, classes: npt.NDArray[Any], spent: Floats, seed: int, *, retrained: bool, drawn: Floats | None
    ) -> RemovalModel:
        noise: Floats | float = 0.0
        if self.release_noise:
            noise = release_noise(seed, weights.size, deviation=self.release_noise).reshape(weights.shape)
        return RemovalModel(weights, classes, spent, retrained, drawn, noise)

    def _leftover(self, objectives: tuple[Objective, ...], weights: Floats) -> float:
        """√Σ‖∇L_{b_k}(w_k)‖², from above."""
        pairs = list(zip(objectives, weights, strict=True))
        norms = [float(np.linalg.norm(each.gradient(w))) + self._floor(each, w) for each, w in pairs]
        return math.hypot(*norms)

    def _floor(self, objective: Objective, weights: Floats) -> float:
        return rounding_floor(objective, weights, perturbation_norm=float(np.linalg.norm(objective.perturbation)))

    def _residual_budget(self) -> float:
        if self.residual_budget is None:
            raise ValueError("release noise needs a residual budget")
        return self.residual_budget

    def _total(self, spent: Floats) -> float:
        """What the classes' bounds add up to: independent Gaussians in the Euclidean norm, Laplace-type ones in ε itself."""
        return math.hypot(*spent) if self.distribution == "gaussian" else math.fsum(spent)

    def _budget(self) -> float:
        from auditor.parts.removal.rules import removal  # noqa: PLC0415  (only this mode needs it)

        if self.epsilon is None or (self.delta is None and self.distribution == "gaussian"):
            raise ValueError("retraining at the budget needs epsilon and delta")
        if self.distribution == "laplace":
            return self.sigma * self.epsilon
        return removal.budget(self.epsilon, self.delta or 0.0, self.sigma)

    def _increments(self, objectives: tuple[Objective, ...], forget: Positions, weights: Floats, updated: Floats) -> Floats:
        """The tightest bound on what the step adds, class by class, shape (K,)."""
        norm = perturbation_norm_bound(weights.shape[1], sigma=self.sigma, distribution=self.distribution)
        after = leaving(objectives, forget)
        spectral = spectral_norm_bound(after[0].features, after[0].kept)
        steps = zip(objectives, after, weights, updated, strict=True)
        return np.array(
            [
                measure_step(each, forget, w, u, perturbation_norm=norm, after=rest, spectral_norm=spectral).increment
                for each, rest, w, u in steps
            ]
        )


def _without(data: Dataset, forget: Positions) -> Dataset:
    return data.subset(np.setdiff1d(np.arange(len(data)), forget))
