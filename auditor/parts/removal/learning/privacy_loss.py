"""The exact privacy loss of Newton removals under loss perturbation: what the proof of Theorem 2 replaces by a shift.

Guo et al. 2020, Theorem 2, compares the density of the removed model with that of a retrained one as if the residual u did not
depend on b. It does; the change of variables has the Jacobian of b ↦ w⁻(b) in it. With w⁻ after the batches of a log,
u = ∇L_b(w⁻; D'), H' = ∇²L(w⁻; D'), and J = ∂w⁻/∂b, the log-ratio of the two densities at w⁻ is

    ln p_removed(w⁻) − ln p_retrained(w⁻) = (‖b − u‖² − ‖b‖²)/(2σ²) − ln|det J| − ln det H',

because a retrained model is at w for b' = −∇L(w; D') alone, and ∇_w b' = −∇²L(w; D'). One Newton step w ↦ w + δ, δ = H_kept⁻¹Δ,
turns J into H_kept⁻¹ (H_all − T) J with T = Σ_kept ℓ'''(x_iᵀw)(x_iᵀδ) x_i x_iᵀ, and training starts with J = −H_all⁻¹ (the
derivations by differentiating Δ and the optimality condition). Were u independent of b, the loss would be N(μ²/2, μ²) with
μ = ‖u‖/σ. This is a diagnostic of how far a case is from that, over fresh b's; it certifies nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from auditor.base.records import Floats, Positions
from auditor.learning.logistic import Objective, minimise
from auditor.learning.residuals import NewtonRemoval


@dataclass(frozen=True, slots=True, eq=False)
class PrivacyLosses:
    """After each batch, for each perturbation that was drawn."""

    losses: Floats
    """Shape (draws, batches): ln of the ratio of densities, at the model that the removal gave."""
    shifts: Floats
    """Shape (draws, batches): ‖u‖/σ, what its standard deviation would be were u independent of b."""


def privacy_losses(
    objective: Objective, batches: Sequence[Positions], perturbations: Floats, *, sigma: float, tolerance: float
) -> PrivacyLosses:
    """The privacy loss along a log of Newton removals, for each of several perturbations. O(n d² + d³) a batch and draw.

    Args:
        objective: L_b(·; D) of the records first trained on, all of them; its own b is not used.
        batches: Of each batch the positions among all records, shape (m,); no record twice.
        perturbations: Shape (draws, d): b ~ N(0, σ²I), never the one that a release rests on.
        sigma: σ.
        tolerance: Gradient norm at which training stops.

    Raises:
        ArithmeticError: If the tolerance cannot be reached.
    """
    losses = np.empty((len(perturbations), len(batches)))
    shifts = np.empty_like(losses)
    for row, b in enumerate(perturbations):
        before = Objective(objective.features, objective.signs, objective.l2, b)
        w = minimise(before, tolerance=tolerance)
        hessian = before.hessian(w)
        log_jacobian = -_log_det(hessian)
        for column, forget in enumerate(batches):
            step = NewtonRemoval(before, w, hessian=hessian).step(forget)
            after = before.leaving(forget)
            log_jacobian += _log_det(hessian - _turning(after, w, step)) - _log_det(after.hessian(w))
            w, before = w + step, after
            hessian = after.hessian(w)
            residual = after.gradient(w)
            moved = b - residual
            losses[row, column] = (moved @ moved - b @ b) / (2 * sigma**2) - log_jacobian - _log_det(hessian)
            shifts[row, column] = float(np.linalg.norm(residual)) / sigma
    return PrivacyLosses(losses, shifts)


def _turning(kept: Objective, w: Floats, step: Floats) -> Floats:
    """T = Σ ℓ'''(x_iᵀw)(x_iᵀδ) x_i x_iᵀ over the rows that are kept, shape (d, d)."""
    positive = expit(kept.features @ w)
    third = positive * (1 - positive) * (1 - 2 * positive)
    weights = kept.counted(third * (kept.features @ step))
    turning: Floats = kept.features.T @ (kept.features * weights[:, None])
    return turning


def _log_det(matrix: Floats) -> float:
    return float(np.linalg.slogdet(matrix)[1])
