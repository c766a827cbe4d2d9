"""The perturbed objective of certified removal for the squared loss, in both of its scalings.

    ℓ(z, y) = (z − y)²,  or half of it.   Its Hessian is 2xxᵀ, or xxᵀ (Guo et al. 2020, Sec. 3.1, print xxᵀ for the first)

ℓ''' = 0, so that a Newton step is exact: what a removal leaves is rounding, and what was left before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.base.domain import Floats
from auditor.learning.logistic import Objective


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

    def value(self, parameters: Floats) -> tuple[float, float]:
        """L_b(w; D), and how large a difference of two such values rounding alone can make."""
        residuals = self.counted(self.features @ parameters - self.signs)
        loss = self.scale * float(residuals @ residuals)
        regular, linear = 0.5 * self.strength * float(parameters @ parameters), float(self.perturbation @ parameters)
        return loss + regular + linear, 1e-13 * (loss + regular + abs(linear))

    def slopes_of(self, scores: Floats) -> Floats:
        """∂ℓ/∂z = 2c(z − y) of every row at scores z, shape (n,), or of several models at once, shape (n, models)."""
        slopes: Floats = 2 * self.scale * (scores - (self.signs if scores.ndim == 1 else self.signs[:, None]))
        return self.counted(slopes)

    def curvatures(self, _: Floats) -> Floats:
        """∂²ℓ/∂z² = 2c for every row of D, shape (n,)."""
        return self.counted(np.full(len(self.features), 2 * self.scale))

    def curvature_changes(self, _: Floats, __: Floats) -> Floats:
        """Nothing: ℓ'' is constant. Shape (n,)."""
        return np.zeros(len(self.features))
