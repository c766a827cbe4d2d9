"""Plain differential privacy for as many people as are to be deleted: noise so large that nothing has to be unlearned.

The Gaussian mechanism on the minimiser of the same regularised objective (output perturbation: Chaudhuri, Monteleoni and Sarwate
2011, Lemma 1 and Corollary 8, here for removal, for groups and with λ times the number of records that are there).
"""

from __future__ import annotations

import math

_UP = 1 + 1e-12


def distance(*, l2: float, rows: int, removed: int, row_norm: float, models: int, tolerance: float) -> float:
    """How far apart the minimisers on n records and on m fewer can lie, all classes together, rounded up.

    The gradient of one record's logistic losses has a norm of at most √K C. At the minimiser w on n records λn w is minus their
    sum, so that ‖w‖ ≤ √K C/λ; and the objective of the others has a gradient of −(Σ_removed ∇ℓ + mλw) there, of norm at most
    2m√K C. It is λ(n−m)-strongly convex: ‖w − w'‖ ≤ 2m√K C/(λ(n−m)). What two trainings leave adds √K·tolerance each.

    Args:
        l2: λ, above 0.
        rows: n.
        removed: m, below n.
        row_norm: C, a bound on the norm of a row that was fixed before the data.
        models: K.
        tolerance: The gradient norm that training may leave, class by class.
    """
    left = l2 * (rows - removed)
    return _UP * math.sqrt(models) * (2 * removed * row_norm + 2 * tolerance) / left
