"""What has to be measured on the data to bound the gradient residual that a removal leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.linalg

from auditor.base.records import Floats, Positions
from auditor.base.row_blocks import row_blocks
from auditor.learning.logistic import Objective, is_wide
from auditor.maths.certificates import increments


# Newton removal (Guo et al. 2020, eqs. 3 and 6).
# The Hessian of the kept rows is the Hessian of all rows minus the block to forget, which is exact to rounding and many times
# cheaper than forming it again (their Sec. 3.2, "Reducing online computation").
class NewtonRemoval:
    """Removals from one trained model, with its Hessian formed once.

    Attributes:
        objective: L_b(·; D) of the data that the model was trained on.
        parameters: w, shape (d,), where the Hessian is taken.
    """

    def __init__(self, objective: Objective, parameters: Floats, *, hessian: Floats | None = None) -> None:
        """Form the Hessian of all rows, O(nd²), where it is not given; not of a wide table."""
        self.objective = objective
        self.parameters = parameters
        self._slopes = objective.slopes(parameters)
        self._curvatures = objective.curvatures(parameters)
        wide = is_wide(len(objective.features), len(parameters))
        self._hessian = None if wide else objective.hessian(parameters) if hessian is None else hessian

    def step(self, forget: Positions) -> Floats:
        """δ = H⁻¹Δ for the rows at `forget`, shape (d,), in O(md² + d³), or O(n²d) for a wide table.

        Δ = mλw + Σ_removed ∇ℓ and H = Σ_kept ∇²ℓ + λ(n−m)I; the paper's Algorithm 2 leaves the last term out.
        """
        rows = self.objective.features[forget]
        influence = len(forget) * self.objective.l2 * self.parameters + rows.T @ self._slopes[forget]
        if self._hessian is None:
            return self.objective.leaving(forget).solved(self.parameters, influence)
        hessian = self._hessian - rows.T @ (rows * self._curvatures[forget, None])
        hessian.flat[:: len(hessian) + 1] -= len(forget) * self.objective.l2
        factor = scipy.linalg.cho_factor(hessian, lower=True, overwrite_a=True, check_finite=False)
        step: Floats = scipy.linalg.cho_solve(factor, influence, check_finite=False)
        return step


@dataclass(frozen=True, slots=True)
class StepMeasurement:
    """The numbers that the residual bounds of one removal are made of; names as in the rule `removal-residual`."""

    rows: int
    forgotten: int
    gradient_norm: float
    spectral_norm: float
    step_norm: float
    step_predictions_norm: float
    step_predictions_norm4: float
    local_curvature_norm: float
    solver_error: float
    rounding_floor: float
    measured: float

    @property
    def increment(self) -> float:
        """The tightest bound on what the step adds to the gradient's norm."""
        return increments.local(
            spectral_norm=self.spectral_norm,
            local_curvature_norm=self.local_curvature_norm,
            solver_error=self.solver_error,
            rounding_floor=self.rounding_floor,
        )


def rounding_floor(
    objective: Objective,
    parameters: Floats,
    *,
    perturbation_norm: float,
    lengths: Floats | None = None,
    slopes: Floats | None = None,
) -> float:
    """How far rounding alone can move the gradient of `objective` at w.

    Args:
        objective: The objective whose gradient is meant.
        parameters: w, shape (d,).
        perturbation_norm: ‖b‖ or an upper bound of it, where b is a secret that must not be read off the result.
        lengths: `row_norms` of its features, where they are known.
        slopes: Those of `objective` at w, where they are known.
    """
    lengths = row_norms(objective.features) if lengths is None else lengths
    slopes = objective.slopes(parameters) if slopes is None else slopes
    return increments.rounding_floor(
        gradient_norms_sum=float(np.abs(slopes) @ lengths),
        l2=objective.l2,
        rows=objective.rows,
        parameters_norm=float(np.linalg.norm(parameters)),
        perturbation_norm=perturbation_norm,
    )


def row_norms(features: Floats) -> Floats:
    """‖x_i‖₂ of every row, shape (n,), without a second table; infinite where float64 does not hold the square."""
    with np.errstate(over="ignore"):
        return np.concatenate([np.empty(0), *(np.linalg.norm(features[block], axis=1) for block in row_blocks(features))])


def spectral_norm_bound(features: Floats, kept: npt.NDArray[np.bool_] | None = None) -> float:
    """An upper bound of ‖X‖₂ for features of shape (n, d), or for those rows of them that are kept.

    The largest eigenvalue of the Gram matrix, plus a margin for the rounding of its entries and of the eigenvalue:
    (n + d + 10)·u·trace.
    Power iterations would approach ‖X‖₂ from below, which is the wrong side.

    Args:
        features: X, or more rows than it has.
        kept: Which rows are those of X, shape (n,); None where all are.
    """
    n, d = features.shape
    # A power of two scales without rounding, and keeps the squares from overflow and underflow.
    largest_entry = max((float(np.abs(features[block]).max(initial=0.0)) for block in row_blocks(features)), default=0.0)
    scale = float(np.ldexp(1.0, int(np.frexp(largest_entry)[1]) - 1))
    gram = _gram(features, kept, scale)
    trace, last = float(np.trace(gram)), len(gram) - 1
    try:
        largest = float(scipy.linalg.eigvalsh(gram, subset_by_index=(last, last), check_finite=False)[0])
    except scipy.linalg.LinAlgError:  # LAPACK's search for one eigenvalue can fail where several are equal
        largest = float(np.linalg.eigvalsh(gram)[-1])
    return scale * float(np.sqrt(max(largest, 0.0) + (n + d + 10) * np.finfo(np.float64).eps * trace))


def _gram(features: Floats, kept: npt.NDArray[np.bool_] | None, scale: float) -> Floats:
    """XᵀX over scale², or XXᵀ where that is smaller."""
    n, d = features.shape
    if d > n:
        scaled = (features if kept is None else features[kept]) / scale
        return np.asarray(scaled @ scaled.T)
    gram = np.zeros((d, d))
    for block in row_blocks(features):
        rows = features[block] if kept is None or kept[block].all() else features[block][kept[block]]
        scaled = rows / scale
        gram += scaled.T @ scaled
    return gram


def measure_step(
    before: Objective,
    forget: Positions,
    parameters: Floats,
    updated: Floats,
    *,
    perturbation_norm: float,
    after: Objective | None = None,
    spectral_norm: float | None = None,
    lengths: Floats | None = None,
) -> StepMeasurement:
    """Measure one removal, however the update was found.

    The bounds made from these numbers hold for any `updated`: what the step misses of an exact Newton step is its solver error
    ‖Hδ − Δ‖₂ against the Hessian of the kept rows at `parameters`.

    Args:
        before: L_b(·; D), the rows to forget included.
        forget: Positions in those rows, shape (m,).
        parameters: w before the removal, shape (d,).
        updated: w⁻ after it, shape (d,).
        perturbation_norm: An upper bound of ‖b‖.
        after: L_b(·; D') with the same b, where it is at hand.
        spectral_norm: `spectral_norm_bound` of the rows that are left, where it is known: classes that share them share it.
        lengths: `row_norms` of the features of `before`, where they are known.
    """
    shares_rows = after is None
    after = before.leaving(forget) if after is None else after
    step = updated - parameters
    scores = before.features @ parameters
    slopes = before.slopes_of(scores)
    own = scores if shares_rows else after.features @ parameters
    along = after.features @ step
    moves = after.counted(along)
    influence = len(forget) * before.l2 * parameters + before.features[forget].T @ slopes[forget]
    curved = after.features.T @ (after.curvatures(parameters, own) * moves) + after.strength * step
    return StepMeasurement(
        rows=before.rows,
        forgotten=len(forget),
        gradient_norm=float(np.linalg.norm(before.gradient(parameters, scores))),
        spectral_norm=spectral_norm_bound(after.features, after.kept) if spectral_norm is None else spectral_norm,
        step_norm=float(np.linalg.norm(step)),
        step_predictions_norm=float(np.linalg.norm(moves)),
        step_predictions_norm4=float(np.linalg.norm(moves * moves)),
        local_curvature_norm=float(np.linalg.norm(after.curvature_changes(own, along) * moves * moves)),
        solver_error=float(np.linalg.norm(curved - influence)),
        rounding_floor=rounding_floor(before, parameters, perturbation_norm=perturbation_norm, lengths=lengths, slopes=slopes),
        measured=float(np.linalg.norm(after.gradient(updated))),
    )


# Rows longer than 1, for which the worst-case and the as-printed bound do not hold (Guo et al. 2020, Theorem 1: ‖x_i‖₂ ≤ 1).
# A row is scaled by its own norm alone, so that no record changes another and nothing is fitted.
RowNorms: TypeAlias = Literal["report", "refuse", "scale"]
"""What is done with rows longer than 1: taken as they are, not taken, or scaled to norm 1 in learning and predicting alike."""


def bounded(features: Floats) -> Floats:
    """Features of shape (n, d) with every row that is longer than 1 scaled to norm 1; the same table where there is none."""
    longer = np.flatnonzero(row_norms(features) > 1)
    if not len(longer):
        return features
    scaled = np.array(features, dtype=np.float64)
    # By the largest entry first, whose square always fits.
    rows = scaled[longer] / np.abs(scaled[longer]).max(axis=1, keepdims=True)
    scaled[longer] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return scaled


def largest_norm(features: Floats, row_norms: RowNorms) -> float:
    """The largest ‖x‖₂ of the rows as they are learned from; infinite where float64 does not hold the square.

    Args:
        features: Shape (n, d).
        row_norms: What the procedure does with rows longer than 1.
    """
    largest = 0.0
    with np.errstate(over="ignore"):
        for block in row_blocks(features):
            rows = bounded(features[block]) if row_norms == "scale" else features[block]
            largest = max(largest, float(np.linalg.norm(rows, axis=1).max(initial=0.0)))
    return largest
