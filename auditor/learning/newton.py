"""Newton removal (Guo et al. 2020, eqs. 3 and 6).

The Hessian of the kept rows is the Hessian of all rows minus the block to forget, which is exact to rounding and many times
cheaper than forming it again (their Sec. 3.2, "Reducing online computation").
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from auditor.base.domain import Floats, Positions
from auditor.learning.logistic import Objective, is_wide


class NewtonRemoval:
    """Removals from one trained model, with its Hessian formed once.

    Attributes:
        objective: L_b(·; D) of the data that the model was trained on.
        parameters: w, shape (d,), where the Hessian is taken.
    """

    def __init__(self, objective: Objective, parameters: Floats) -> None:
        """Form the Hessian of all rows, O(nd²); not of a wide table."""
        self.objective = objective
        self.parameters = parameters
        self._slopes = objective.slopes(parameters)
        self._curvatures = objective.curvatures(parameters)
        wide = is_wide(len(objective.features), len(parameters))
        self._hessian = None if wide else objective.hessian(parameters)

    def step(self, forget: Positions) -> Floats:
        """δ = H⁻¹Δ for the rows at `forget`, shape (d,), in O(md² + d³), or O(n²d) for a wide table.

        Δ = mλw + Σ_removed ∇ℓ and H = Σ_kept ∇²ℓ + λ(n−m)I; the paper's Algorithm 2 leaves the last term out.
        """
        rows = self.objective.features[forget]
        influence = len(forget) * self.objective.l2 * self.parameters + rows.T @ self._slopes[forget]
        if self._hessian is None:
            return self.objective.leaving(forget).solved(self.parameters, influence)
        hessian = self._hessian - rows.T @ (rows * self._curvatures[forget, None])
        hessian[np.diag_indices_from(hessian)] -= len(forget) * self.objective.l2
        factor = scipy.linalg.cho_factor(hessian, lower=True, overwrite_a=True, check_finite=False)
        step: Floats = scipy.linalg.cho_solve(factor, influence, check_finite=False)
        return step
