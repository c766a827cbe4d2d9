"""The objectives that a case's records make: one for two labels or a regression, one a class for more.

One-versus-rest classifiers share rows and λ; each has a perturbation of its own. Together they are one objective over the stacked
weights, Σ_k L_{b_k}(w_k; D), whose gradient is the stacked gradients: its residual's norm is √Σ‖u_k‖².
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import expit, log_expit, logsumexp

from auditor.base.records import Floats, Positions
from auditor.learning.logistic import Objective


# The perturbed objective of certified removal for the squared loss, in both of its scalings.
#     ℓ(z, y) = (z − y)²,  or half of it.   Its Hessian is 2xxᵀ, or xxᵀ (Guo et al. 2020, Sec. 3.1, print xxᵀ for the first)
# ℓ''' = 0, so that a Newton step is exact: what a removal leaves is rounding, and what was left before.
@dataclass(frozen=True, slots=True, eq=False)
class LeastSquares(Objective):
    """L_b(·; D) for one data set and one perturbation; `signs` holds the targets y, any real numbers."""

    halved: bool = False
    """Whether the loss is ½(z − y)²."""

    @property
    def scale(self) -> float:
        """c in ℓ = c(z − y)²."""
        return 0.5 if self.halved else 1.0

    @property
    def lipschitz(self) -> float:
        """γ of ℓ'', which is constant."""
        return 0.0

    @property
    def lipschitz_printed(self) -> float:
        """The same: the paper has no other for this loss."""
        return 0.0

    def loss(self, scores: Floats) -> float:
        """Σ ℓ over the rows of D at scores z, shape (n,)."""
        residuals = self.counted(scores - self.signs)
        return self.scale * float(residuals @ residuals)

    def slopes_of(self, scores: Floats) -> Floats:
        """∂ℓ/∂z = 2c(z − y) of every row at scores z, shape (n,), or of several models at once, shape (n, models)."""
        slopes: Floats = 2 * self.scale * (scores - (self.signs if scores.ndim == 1 else self.signs[:, None]))
        return self.counted(slopes)

    def curvatures(self, _: Floats, __: Floats | None = None) -> Floats:
        """∂²ℓ/∂z² = 2c for every row of D, shape (n,)."""
        return self.counted(np.full(len(self.features), 2 * self.scale))

    def curvature_changes(self, _: Floats, __: Floats) -> Floats:
        """Nothing: ℓ'' is constant. Shape (n,)."""
        return np.zeros(len(self.features))


Loss: TypeAlias = Literal["logistic", "least-squares"]


@dataclass(frozen=True, slots=True)
class Shape:
    """What is learned: the loss, and its scaling where it is the squared one."""

    loss: Loss = "logistic"
    halved: bool = False

    def targets(self, labels: npt.NDArray[Any], classes: npt.NDArray[Any]) -> Floats:
        """y of every objective, shape (K, n).

        Args:
            labels: Shape (n,).
            classes: The distinct labels of the training data, sorted; unused for the squared loss. The smaller of two is −1; of
                more, each against the rest.
        """
        if self.loss == "least-squares":
            return np.asarray(labels, dtype=np.float64)[None, :]
        positive = classes[1:] if len(classes) == 2 else classes
        return np.where(labels[None, :] == positive[:, None], 1.0, -1.0)

    def objectives(self, features: Floats, targets: Floats, *, l2: float, perturbations: Floats) -> tuple[Objective, ...]:
        """L_{b_k}(·; D) for every row of `targets`, shape (K, n), with that row of `perturbations`, shape (K, d)."""
        if self.loss == "least-squares":
            return tuple(LeastSquares(features, y, l2, b, self.halved) for y, b in zip(targets, perturbations, strict=True))
        return tuple(Objective(features, y, l2, b) for y, b in zip(targets, perturbations, strict=True))

    def models(self, classes: int) -> int:
        """K for a case with so many distinct labels."""
        return 1 if self.loss == "least-squares" or classes <= 2 else classes

    def predictions(self, scores: Floats) -> Floats:
        """What a model predicts from z = w_kᵀx, shape (…, n, K).

        Returns:
            Real values for the squared loss, shape (…, n). Otherwise probabilities of the classes, shape (…, n, classes): of
            one-versus-rest, each classifier's, scaled to sum to one.
        """
        if self.loss == "least-squares":
            return scores[..., 0]
        if scores.shape[-1] == 1:
            positive = expit(scores)
            return np.concatenate([1.0 - positive, positive], axis=-1)
        logs = log_expit(scores)
        probabilities: Floats = np.exp(logs - logsumexp(logs, axis=-1, keepdims=True))
        return probabilities


def leaving(objectives: Sequence[Objective], forget: Positions) -> tuple[Objective, ...]:
    """Every objective without the rows at `forget`, shape (m,), over the table that they share; a row keeps its position."""
    first = objectives[0].leaving(forget)
    return (first, *(replace(each, kept=first.kept) for each in objectives[1:]))


def without(objectives: Sequence[Objective], forget: Positions) -> tuple[Objective, ...]:
    """Every objective without the rows at `forget`, shape (m,); they share one table of rows, as they did."""
    first = objectives[0].without(forget)
    kept = np.ones(len(objectives[0].features), dtype=bool)
    kept[forget] = False
    return (first, *(replace(each, features=first.features, signs=each.signs[kept]) for each in objectives[1:]))
