"""The perturbed objective of certified removal for the logistic loss, and its minimiser.

One convention everywhere, the main text's (Guo et al. 2020, Sec. 3.1; their Algorithm 1 misprints the regulariser):

    L_b(w; D) = Σ ℓ(wᵀx_i, y_i) + (λn/2)‖w‖² + bᵀw,      ℓ(z, y) = log(1 + e^{−yz}),   y ∈ {−1, +1}

All gradients and Hessians are of this *sum* objective, in float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.linalg
from scipy.special import expit

from auditor.base.records import Floats, Positions
from auditor.base.row_blocks import row_blocks
from auditor.maths.certificates import increments

MAX_STEPS = 1000
LARGE = 1 << 24
"""Numbers in a table for which a new Hessian at every step, from zero on, takes too long."""
_SAMPLED = 16
"""Every 16th row of a large table is minimised over first."""
_ROUGH = 1e-3
"""What is left of the gradient at zero there: the minimiser of all rows lies farther off."""
_WORTH_KEEPING = 0.3
"""A Hessian that left more of the gradient than this with its last step is computed again."""
WIDE = 1000
"""Columns from which on a d × d Hessian is worth going round where there are fewer rows than columns."""


def is_wide(rows: int, columns: int) -> bool:
    """Whether H⁻¹v is had from n equations (Woodbury's identity) and not from d."""
    return columns > WIDE and rows < columns


Solve: TypeAlias = Callable[[Floats], Floats]
"""v ↦ H⁻¹v, shape (d,) in and out."""


@dataclass(frozen=True, slots=True, eq=False)
class Objective:
    """L_b(·; D) for one data set and one perturbation."""

    features: Floats
    """X, shape (n, d)."""
    signs: Floats
    """y, shape (n,), each −1 or +1."""
    l2: float
    """λ > 0."""
    perturbation: Floats
    """b, shape (d,)."""
    kept: npt.NDArray[np.bool_] | None = field(default=None, kw_only=True)
    """Which rows are in D, shape (n,); None where all are."""

    @property
    def rows(self) -> int:
        """n, the rows of D."""
        return len(self.features) if self.kept is None else int(np.count_nonzero(self.kept))

    @property
    def strength(self) -> float:
        """λn, the modulus of strong convexity."""
        return self.l2 * self.rows

    def without(self, forget: Positions) -> Objective:
        """L_b(·; D') with the rows at `forget` taken out and the same b, over a table of its own."""
        kept = self._kept_without(forget)
        return replace(self, features=self.features[kept], signs=self.signs[kept], kept=None)

    def leaving(self, forget: Positions) -> Objective:
        """The same over the same table, of which nothing is copied: rows keep their positions, those that went count 0."""
        return replace(self, kept=self._kept_without(forget))

    def counted(self, values: Floats) -> Floats:
        """Values of every row, shape (n, …), with 0 for those that are not in D."""
        if self.kept is None:
            return values
        return np.where(self.kept if values.ndim == 1 else self.kept[:, None], values, 0.0)

    def _kept_without(self, forget: Positions) -> npt.NDArray[np.bool_]:
        kept = np.ones(len(self.features), dtype=bool) if self.kept is None else self.kept.copy()
        kept[forget] = False
        return kept

    def sampled(self, step: int) -> Objective:
        """The same over every `step`-th row, the perturbation in proportion to the rows that are left."""
        some = slice(None, None, step)
        kept = None if self.kept is None else self.kept[some]
        part = replace(self, features=self.features[some], signs=self.signs[some], kept=kept)
        return replace(part, perturbation=self.perturbation * (part.rows / max(1, self.rows)))

    def value(self, parameters: Floats, scores: Floats | None = None) -> tuple[float, float]:
        """L_b(w; D), and how large a difference of two such values rounding alone can make; the scores as in `gradient`."""
        loss = self.loss(self.features @ parameters if scores is None else scores)
        regular, linear = 0.5 * self.strength * float(parameters @ parameters), float(self.perturbation @ parameters)
        return loss + regular + linear, 1e-13 * (loss + regular + abs(linear))

    def loss(self, scores: Floats) -> float:
        """Σ ℓ over the rows of D at scores z, shape (n,)."""
        return float(self.counted(np.logaddexp(0.0, -(self.signs * scores))).sum())

    def slopes(self, parameters: Floats) -> Floats:
        """∂ℓ/∂z for every row of D, shape (n,); row i's loss gradient is this times x_i."""
        return self.slopes_of(self.features @ parameters)

    def slopes_of(self, scores: Floats) -> Floats:
        """∂ℓ/∂z of every row at scores z, shape (n,), or of several models at once, shape (n, models)."""
        if scores.ndim == 1:
            alone: Floats = -self.signs * expit(-self.signs * scores)
            return self.counted(alone)
        # The same by vectorised exponentials, in place; where e^{yz} overflows the slope is 0 in float64.
        slopes = self.signs[:, None] * scores
        with np.errstate(over="ignore"):
            np.exp(slopes, out=slopes)
        slopes += 1.0
        return self.counted(np.divide(-self.signs[:, None], slopes, out=slopes))

    def gradient(self, parameters: Floats, scores: Floats | None = None) -> Floats:
        """∇L_b(w; D), shape (d,); the scores Xw, shape (n,), are worked out where they are left out."""
        slopes = self.slopes(parameters) if scores is None else self.slopes_of(scores)
        gradient: Floats = self.features.T @ slopes + self.strength * parameters + self.perturbation
        return gradient

    def curvatures(self, parameters: Floats, scores: Floats | None = None) -> Floats:
        """∂²ℓ/∂z² for every row of D, shape (n,), each in (0, ¼]; the scores as in `gradient`."""
        scores = self.features @ parameters if scores is None else scores
        curvatures: Floats = expit(scores) * expit(-scores)
        return self.counted(curvatures)

    def curvature_changes(self, scores: Floats, along: Floats) -> Floats:
        """γ_i of every row of D, shape (n,): ∂²ℓ/∂z² changes by at most γ_i|x_iᵀδ| a unit of the way from w to w + δ.

        Args:
            scores: Xw, shape (n,).
            along: Xδ, shape (n,).
        """
        return self.counted(increments.local_logistic_lipschitz(scores, along))

    @property
    def lipschitz(self) -> float:
        """γ, the smallest Lipschitz constant of ∂²ℓ/∂z²."""
        return increments.LOGISTIC_LIPSCHITZ

    @property
    def lipschitz_printed(self) -> float:
        """The constant that Guo et al. 2020 use in its place."""
        return increments.LOGISTIC_LIPSCHITZ_PRINTED

    def hessian(self, parameters: Floats) -> Floats:
        """∇²L(w; D) = Xᵀ diag(ℓ'') X + λnI, shape (d, d)."""
        roots = np.sqrt(self.curvatures(parameters))
        hessian = np.zeros((len(parameters), len(parameters)))
        few = self.kept is not None and self.features.size >= LARGE
        for block in row_blocks(self.features):
            rows, own = self.features[block], roots[block]
            if few and self.kept is not None and not self.kept[block].all():
                rows, own = rows[self.kept[block]], own[self.kept[block]]
            weighted = rows * own[:, None]
            hessian += weighted.T @ weighted
        hessian.flat[:: len(hessian) + 1] += self.strength
        return hessian

    def solved(self, parameters: Floats, right: Floats) -> Floats:
        """H⁻¹v with H = ∇²L(w; D), shape (d,); in a wide table from n equations, see `is_wide`.

        Args:
            parameters: w, shape (d,).
            right: v, shape (d,).

        Raises:
            ValueError: If the matrix is not finite, or not positive definite in float64 (LinAlgError).
        """
        return self.solving(parameters)(right)

    def solving(self, parameters: Floats) -> Solve:
        """The same for any number of v, at the cost of one.

        Raises:
            ValueError: As `solved` does.
        """
        if not is_wide(len(self.features), len(parameters)):
            narrow = scipy.linalg.cho_factor(self.hessian(parameters), lower=True)
            return lambda right: np.asarray(scipy.linalg.cho_solve(narrow, right, check_finite=False))
        weighted = self.features * np.sqrt(self.curvatures(parameters))[:, None]
        inner = weighted @ weighted.T
        inner.flat[:: len(inner) + 1] += self.strength
        factor = scipy.linalg.cho_factor(inner, lower=True, overwrite_a=True)

        def through(right: Floats) -> Floats:
            within: Floats = weighted.T @ scipy.linalg.cho_solve(factor, weighted @ right, check_finite=False)
            return (right - within) / self.strength

        return through


def minimise(objective: Objective, *, tolerance: float, start: Floats | None = None) -> Floats:
    """The minimiser of L_b(·; D) by damped Newton steps, shape (d,).

    A step is accepted when it lowers the objective enough (Armijo) or, where the objective no longer resolves
    the difference, when it lowers the gradient's norm; elsewhere a smaller gradient may lie uphill.

    Args:
        objective: What to minimise; strongly convex, since λ > 0.
        tolerance: The result has ‖∇L_b‖₂ ≤ tolerance, on the scale of the sum.
        start: Where to begin, shape (d,). If left out, zeros, or near the minimiser of some rows of a large table.

    Raises:
        ArithmeticError: If the tolerance cannot be reached in float64.
    """
    large, solve = objective.features.size >= LARGE, None
    if start is None and large:
        start, solve = _near_minimum(objective, tolerance)
    parameters = np.zeros(objective.features.shape[1]) if start is None else np.array(start, dtype=np.float64)
    scores = objective.features @ parameters
    gradient, norm = objective.gradient(parameters, scores), math.inf
    for _ in range(MAX_STEPS):
        before, norm = norm, float(np.linalg.norm(gradient))
        if norm <= tolerance:
            return parameters
        if not np.isfinite(norm):
            break
        fresh = solve is None or not large or norm > _WORTH_KEEPING * before
        try:
            if solve is None or fresh:
                solve = objective.solving(parameters)
            step = -solve(gradient)
        except ValueError:  # not finite, or not positive definite in float64 (LinAlgError)
            break
        decrease, (value, resolution), rate = float(gradient @ step), objective.value(parameters, scores), 1.0
        while rate > 1e-12:
            candidate = parameters + rate * step
            candidate_scores = objective.features @ candidate
            candidate_gradient = objective.gradient(candidate, candidate_scores)
            found, _ = objective.value(candidate, candidate_scores)
            level = found <= value + resolution and float(np.linalg.norm(candidate_gradient)) < norm
            if level or found <= value + 1e-4 * rate * decrease:
                break
            rate /= 2
        else:
            if fresh:
                break
            solve = None
            continue
        parameters, scores, gradient = candidate, candidate_scores, candidate_gradient
    raise ArithmeticError(
        f"the optimiser reached a gradient norm of {float(np.linalg.norm(gradient)):.3g} and could not get below the declared "
        f"tolerance of {tolerance:.3g}; float64 resolves no less here: declare a larger tolerance"
    )


def _near_minimum(objective: Objective, tolerance: float) -> tuple[Floats | None, Solve | None]:
    """The minimiser over some rows of a large table, roughly, and v ↦ H⁻¹v as they have it; None where zero is as near."""
    some = objective.sampled(_SAMPLED)
    if some.rows <= some.features.shape[1]:  # they say too little
        return None, None
    rough = max(tolerance, _ROUGH * float(np.linalg.norm(some.gradient(np.zeros(some.features.shape[1])))))
    try:
        start = minimise(some, tolerance=rough)
        solve = some.solving(start)
    except (ArithmeticError, ValueError):
        return None, None
    zeros = np.zeros_like(start)
    # Rows that are unlike the others, such as those of one class, may lead far away.
    if not objective.value(start)[0] < objective.value(zeros, np.zeros(len(objective.features)))[0]:
        return None, None
    share = some.rows / objective.rows
    return start, lambda right: share * solve(right)
