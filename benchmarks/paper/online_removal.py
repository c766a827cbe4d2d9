"""Removals without a pass over the data: Hessian and Gram matrix are formed once and down-dated (Guo et al. 2020, Sec. 3.2).

One model, or several that share their rows, as one-versus-rest classifiers do: the Gram matrix K = XᵀX belongs to the rows, so
that a removal down-dates it once, however many classes there are. The Hessian stays at the point where it was formed; each later
step is charged for having moved away from there (`increments.online`), until `refresh` forms it again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import scipy.linalg

from auditor.base.records import Floats, Positions
from auditor.base.row_blocks import row_blocks
from auditor.learning import residuals
from auditor.learning.logistic import Objective
from auditor.maths.certificates import increments

_EPSILON = float(np.finfo(np.float64).eps)


class OnlineRemoval:
    """A sequence of Newton removals, in O(md² + d³) a class each, with a bound on the residual that it adds up to.

    Attributes:
        parameters: w of every class, shape (K, d).
        increments: What the last removal adds to each class's bound, shape (K,); zeros before any.
        bounds: β of every class, shape (K,): the leftover gradient norm, and all increments since.
    """

    def __init__(self, objectives: Sequence[Objective], parameters: Floats, *, perturbation_norm: float) -> None:
        """Form everything that a removal needs, in one pass over the data for each class and one for them all.

        Args:
            objectives: L_b(·; D) of every class, logistic, over the same rows and with the same λ.
            parameters: w of every class, shape (K, d).
            perturbation_norm: An upper bound of each ‖b_k‖.

        Raises:
            ValueError: If the classes differ in rows or λ, or do not fit the parameters.
        """
        first = objectives[0]
        if any(each.features is not first.features or each.l2 != first.l2 for each in objectives):
            raise ValueError("the objectives of several classes differ in their rows or in λ")
        if parameters.shape != (len(objectives), first.features.shape[1]):
            raise ValueError(f"parameters {parameters.shape} do not fit {len(objectives)} classes of {first.features.shape}")
        self._objectives = tuple(objectives)
        self._perturbation_norm = perturbation_norm
        self.parameters = np.array(parameters, dtype=np.float64)
        self._kept = np.ones(len(first.features), dtype=bool)
        row_norms = residuals.row_norms(first.features)
        self._row_norm, self._row_norms_sum = float(row_norms.max()), float(row_norms.sum())
        self._gram = _gram(first.features)
        self._trace = float(np.trace(self._gram))
        self._spectral_norm = math.sqrt(max(float(np.linalg.eigvalsh(self._gram)[-1]), 0.0) + self._rounding() * self._trace)
        self.increments = np.zeros(len(objectives))
        self.refresh()
        self.bounds = np.linalg.norm(self.gradients(), axis=1) + np.array([self._floor(w) for w in self.parameters])

    def refresh(self) -> None:
        """Form every class's Hessian again at its present parameters, on the rows that are left: a pass over the data each."""
        self._reference = self.parameters.copy()
        self._curvatures = np.stack(
            [each.curvatures(w) * self._kept for each, w in zip(self._objectives, self.parameters, strict=True)]
        )
        self._hessians = np.stack([_weighted_gram(self._objectives[0].features, curvatures) for curvatures in self._curvatures])
        diagonal = np.arange(self.parameters.shape[1])
        self._hessians[:, diagonal, diagonal] += self._strength()

    def remove(self, forget: Positions) -> Floats:
        """Remove the rows at `forget` from every class, without a pass over the data.

        Args:
            forget: Positions in the rows of the objectives, whatever was removed before, shape (m,).

        Returns:
            The steps, shape (K, d).

        Raises:
            ValueError: If a row is named twice, was removed before, or none would be left.
        """
        count, first = len(forget), self._objectives[0]
        if len(np.unique(forget)) < count or not self._kept[forget].all() or count >= np.count_nonzero(self._kept):
            raise ValueError("a removal names a row twice, one that is gone, or every row that is left")
        rows = first.features[forget]
        # Once a removal, not once a class: the rows are the same for all.
        self._gram -= rows.T @ rows
        self._kept[forget] = False
        steps = np.empty_like(self.parameters)
        for k, objective in enumerate(self._objectives):
            steps[k], self.increments[k] = self._step(k, objective, rows, forget)
        self.parameters += steps
        self.bounds += self.increments
        return steps

    def gradients(self) -> Floats:
        """∇L_b(w_k; D') of every class on the rows that are left, shape (K, d): one pass over the data, for an audit."""
        features = self._objectives[0].features
        slopes = np.stack(
            [each.slopes(w) * self._kept for each, w in zip(self._objectives, self.parameters, strict=True)], axis=1
        )
        sums = np.zeros_like(self.parameters)
        for block in row_blocks(features):
            sums += slopes[block].T @ features[block]
        drawn = np.stack([each.perturbation for each in self._objectives])
        return np.asarray(sums + self._strength() * self.parameters + drawn)

    @property
    def drift(self) -> Floats:
        """How far each class has moved from where its Hessian was formed, ‖w_k − w_ref‖₂, shape (K,)."""
        return np.asarray(np.linalg.norm(self.parameters - self._reference, axis=1))

    def _step(self, k: int, objective: Objective, rows: Floats, forget: Positions) -> tuple[Floats, float]:
        """The Newton step of one class, and the bound on what it adds to the gradient's norm."""
        at, l2 = self.parameters[k], objective.l2
        # Δ = mλw + Σ_removed ∇ℓ is the gradient of the removed rows' own unperturbed objective.
        influence = Objective(rows, objective.signs[forget], l2, np.zeros_like(at)).gradient(at)
        hessian = self._hessians[k]
        hessian -= rows.T @ (rows * self._curvatures[k, forget, None])
        hessian[np.diag_indices_from(hessian)] -= len(forget) * l2
        step: Floats = scipy.linalg.cho_solve(scipy.linalg.cho_factor(hessian, lower=True, check_finite=False), influence)
        length = float(np.linalg.norm(step))
        # What forming and down-dating the matrices may have lost, from above (see `_rounding`).
        curved = float(np.linalg.norm(hessian @ step - influence)) + self._rounding() * (self._trace / 4 + self._full()) * length
        moved = math.sqrt(max(float(step @ self._gram @ step), 0.0) + self._rounding() * self._trace * length * length)
        increment = increments.online(
            lipschitz=increments.LOGISTIC_LIPSCHITZ,
            spectral_norm=self._spectral_norm,
            row_norm=self._row_norm,
            step_norm=length,
            step_predictions_norm=moved,
            drift_norm=float(np.linalg.norm(at - self._reference[k])),
            solver_error=curved,
            rounding_floor=self._floor(at + step),
        )
        return step, increment

    def _strength(self) -> float:
        """λn' of the rows that are left."""
        return self._objectives[0].l2 * float(np.count_nonzero(self._kept))

    def _full(self) -> float:
        return self._objectives[0].strength

    def _floor(self, parameters: Floats) -> float:
        """No slope of the logistic loss exceeds 1, so that the rows' norms bound their gradients' without a pass."""
        return increments.rounding_floor(
            gradient_norms_sum=self._row_norms_sum,
            l2=self._objectives[0].l2,
            rows=len(self._kept),
            parameters_norm=float(np.linalg.norm(parameters)),
            perturbation_norm=self._perturbation_norm,
        )

    def _rounding(self) -> float:
        """Relative to the trace: n terms summed, removed rows subtracted with a rounding of their own (Higham 2002, Sec. 3.1)."""
        removed = int(np.count_nonzero(~self._kept))
        return float(2 * len(self._kept) + self._gram.shape[0] + 2 * removed + 20) * _EPSILON


def _gram(features: Floats) -> Floats:
    gram = np.zeros((features.shape[1],) * 2)
    for block in row_blocks(features):
        rows = features[block]
        gram += rows.T @ rows
    return gram


def _weighted_gram(features: Floats, weights: Floats) -> Floats:
    gram = np.zeros((features.shape[1],) * 2)
    for block in row_blocks(features):
        rows = features[block] * np.sqrt(weights[block])[:, None]
        gram += rows.T @ rows
    return gram
