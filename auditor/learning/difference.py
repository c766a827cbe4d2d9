"""Reading a deleted record off two releases: weights before and after a Newton removal, and a Hessian, point at it.

A Newton removal takes the step δ with Hδ = Δ = mλw + Σ_removed ∇ℓ (Guo et al. 2020, eqs. 3 and 6), so that H(w⁻ − w) − mλw is
the sum of the deleted records' own loss gradients: for one record, a multiple of its features. The random term of the loss is the
same in both weights and cancels. Certified removal covers one release and promises nothing against this.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from auditor.base.domain import Floats
from auditor.learning.logistic import Objective


def resemblance(
    candidates: Sequence[Objective], known: Sequence[Objective], before: Floats, after: Floats, *, rows_left: int
) -> Floats:
    """How much each candidate looks like the one record that went: a cosine, shape (n,).

    Args:
        candidates: The records that may have been deleted, one objective a class.
        known: Records whose Hessian the adversary can form, one objective a class; it is scaled to `rows_left`.
        before: Weights before the removal of one record, shape (K, d).
        after: Weights after it, shape (K, d).
        rows_left: The records that the model after it was trained on.
    """
    pointed = np.stack(
        [
            _curved(each, w, u - w, rows_left) + each.l2 * rows_left * (u - w) - each.l2 * w
            for each, w, u in zip(known, before, after, strict=True)
        ]
    )
    features = candidates[0].features
    slopes = np.stack([each.slopes(w) for each, w in zip(candidates, before, strict=True)])
    # A record's gradient over all classes is slope_k x, class after class: its inner product and norm come apart.
    aligned = np.einsum("kn,kn->n", slopes, pointed @ features.T)
    lengths = np.linalg.norm(slopes, axis=0) * np.linalg.norm(features, axis=1) * np.linalg.norm(pointed)
    cosines: Floats = np.divide(aligned, lengths, out=np.zeros(len(features)), where=lengths > 0)
    return cosines


def _curved(known: Objective, parameters: Floats, step: Floats, rows_left: int) -> Floats:
    """Σ ℓ'' x xᵀ δ over the known records, as if there were `rows_left` of them."""
    moved = known.curvatures(parameters) * (known.features @ step)
    curved: Floats = known.features.T @ moved * (rows_left / len(known.features))
    return curved
